"""What comes after the sale: payments, invoices, returns and refunds."""

from collections.abc import Iterator
from datetime import date, timedelta
from random import Random

from .clock import END, at_work, stamp
from .places import RETURNS_CENTRE
from .products import Article
from .records import OrderLine, Payment, ReturnItem
from .sales import CANCELLED, CONFIRMED, NEW, Sale

_TOO_SMALL, _TOO_LARGE, _FAULTY, _WRONG_ITEM, _NOT_AS_SHOWN, _CHANGED_MIND = range(1, 7)


def mark_unpaid(sales: list[Sale], random: Random) -> None:
    """Leave the youngest orders of private customers waiting for their bank transfer."""
    for sale in sales:
        recent = sale.ordered_at.date() > END - timedelta(days=6)
        private = sale.account.row.customer_type == "P"
        if recent and private and sale.row.order_status == CONFIRMED and random.random() < 0.6:
            sale.row = sale.row._replace(order_status=NEW)


def returns(sales: list[Sale], articles: list[Article], random: Random) -> list[ReturnItem]:
    """Send back part of what was delivered, oldest first."""
    by_id = {article.row.product_id: article for article in articles}
    found: list[ReturnItem] = []
    for sale in sales:
        arrived = {p.shipment_id: p.delivered_at_utc for p in sale.parcels if p.delivered_at_utc}
        private = sale.account.row.customer_type == "P"
        for line in sale.lines:
            sized = by_id[line.product_id].leaf.sized
            odds = (0.16 if sized else 0.07) if private else 0.018
            if line.shipment_id in arrived and random.random() < odds:
                day = date.fromisoformat(arrived[line.shipment_id][:10])
                day += timedelta(days=random.randrange(2, 30))
                if day <= END:
                    found.append(_return(sale, line, day, sized, random))
    found.sort(key=lambda item: (item.requested_on, item.order_id, item.line_no))
    return [item._replace(return_id=number) for number, item in enumerate(found, start=1)]


def payments(sales: list[Sale], sent_back: list[ReturnItem], random: Random) -> list[Payment]:
    """Charge every order and refund every accepted return, oldest first."""
    refunds: dict[int, list[ReturnItem]] = {}
    for item in sent_back:
        if item.return_status == "A":
            refunds.setdefault(item.order_id, []).append(item)
    found: list[Payment] = []
    for sale in sales:
        charged = list(_charges(sale, random))
        found += charged
        for item in refunds.get(sale.row.order_id, []):
            when = f"{item.closed_on} {random.randrange(8, 17):02d}:{random.randrange(60):02d}:00"
            found.append(
                charged[-1]._replace(
                    payment_status="R",
                    amount_cents=item.refund_cents,
                    due_on=None,
                    created_at_utc=when,
                    settled_at_utc=when,
                )
            )
    found.sort(key=lambda payment: (payment.created_at_utc, payment.order_id))
    return [payment._replace(payment_id=number) for number, payment in enumerate(found, start=1)]


def _return(sale: Sale, line: OrderLine, day: date, sized: bool, random: Random) -> ReturnItem:
    reasons = [_TOO_SMALL, _TOO_LARGE, _FAULTY, _WRONG_ITEM, _NOT_AS_SHOWN, _CHANGED_MIND]
    weights = [30, 24, 12, 5, 9, 20] if sized else [0, 0, 34, 10, 22, 34]
    reason = random.choices(reasons, weights)[0]
    closed = day + timedelta(days=random.randrange(4, 16))
    status = "R" if closed > END else "X" if random.random() < 0.07 else "A"
    qty = random.randrange(1, line.qty + 1)
    share = qty * line.line_total_cents // line.qty
    goods, discount = sale.row.goods_cents, sale.row.discount_cents
    condition = "D" if reason == _FAULTY else random.choices(["N", "U"], [70, 30])[0]
    return ReturnItem(
        return_id=0,
        order_id=line.order_id,
        line_no=line.line_no,
        qty=qty,
        reason_code=reason,
        condition_code=condition if status != "R" else None,
        return_status=status,
        requested_on=day.isoformat(),
        closed_on=closed.isoformat() if status != "R" else None,
        # The buyer's part of an order discount isn't paid out.
        refund_cents=share - share * discount // goods if status == "A" else 0,
        whs_id=RETURNS_CENTRE,
    )


def _charges(sale: Sale, random: Random) -> Iterator[Payment]:
    if sale.account.row.customer_type == "B":
        yield _invoice(sale, random)
        return
    row = sale.row
    method = random.choices(["CC", "PP", "BT"], [60, 30, 10])[0]
    if row.order_status == NEW:
        method = "BT"
    card = f"{random.randrange(10000):04d}" if method == "CC" else None
    payment = Payment(
        0, row.order_id, method, "C", row.total_cents, card, None, row.ordered_at_utc, None
    )
    if method == "CC" and random.random() < 0.05:
        before = stamp(sale.ordered_at - timedelta(seconds=random.randrange(40, 400)))
        yield payment._replace(payment_status="F", created_at_utc=before)
    if row.order_status == NEW:
        yield payment._replace(payment_status="O")
    elif row.order_status == CANCELLED:
        yield payment._replace(payment_status="V")
    else:
        paid = sale.ordered_at + timedelta(minutes=random.randrange(1, 9))
        yield payment._replace(settled_at_utc=stamp(paid))


def _invoice(sale: Sale, random: Random) -> Payment:
    row = sale.row
    shipped = sale.parcels[0].shipped_at_utc[:10] if sale.parcels else row.ordered_at_utc[:10]
    due = date.fromisoformat(shipped) + timedelta(days=30)
    status, settled = "O", None
    if row.order_status == CANCELLED:
        status = "V"
    elif random.random() > 0.015:
        late = random.choices([-12, -3, 0, 4, 15, 40], [20, 25, 25, 15, 10, 5])[0]
        paid = due + timedelta(days=late + random.randrange(3))
        if paid <= END:
            status, settled = "C", stamp(at_work(paid, random))
    terms = (due.isoformat(), row.ordered_at_utc, settled)
    return Payment(0, row.order_id, "IN", status, row.total_cents, None, *terms)
