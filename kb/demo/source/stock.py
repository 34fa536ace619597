"""Goods in and out: purchase orders, transfers, movements and stock levels.

Sales come first; supply is then planned backwards, so that stock never falls below zero.
"""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from random import Random

from .clock import END, OPENING, at_work, local, month_of, stamp
from .places import WAREHOUSES, ZONES
from .products import Article
from .records import FxRate, Movement, PurchaseLine, PurchaseOrder, StockLevel, Supplier, Transfer
from .sales import Sale

_CENTRAL = 1
_PLACED_NO_GOODS, _DRAFT, _CLOSED, _CANCELLED = 1, 0, 3, 8
_Place = tuple[int, int]
"""A warehouse and a product."""


@dataclass(frozen=True, slots=True, order=True)
class Need:
    """Pieces that leave a warehouse."""

    moment: datetime
    qty: int


@dataclass(frozen=True, slots=True)
class Receipt:
    """Pieces that must have come in by a day."""

    whs_id: int
    article: Article
    day: date
    qty: int


class Depot:
    """Collects every flow of goods; the lists are the tables' rows."""

    def __init__(self, articles: list[Article], random: Random) -> None:
        self.purchase_orders: list[PurchaseOrder] = []
        self.purchase_lines: list[PurchaseLine] = []
        self.transfers: list[Transfer] = []
        self.movements: list[Movement] = []
        self._articles = {article.row.product_id: article for article in articles}
        self._random = random
        self._needs: dict[_Place, list[Need]] = {}

    def send(self, sales: list[Sale]) -> None:
        """Take every shipped line out of its warehouse."""
        for sale in sales:
            shipped = {
                p.shipment_id: datetime.fromisoformat(p.shipped_at_utc) for p in sale.parcels
            }
            for line in sale.lines:
                if line.shipment_id is not None:
                    place = (sale.row.ship_from_whs_id, line.product_id)
                    moment = shipped[line.shipment_id]
                    self._needs.setdefault(place, []).append(Need(moment, line.qty))
                    self._move(place, "S", line.order_id, -line.qty, moment)

    def supply(self, buyers: list[int], suppliers: list[Supplier], rates: list[FxRate]) -> None:
        """Order or transfer what was needed; the central warehouse, which feeds others, last."""
        bought: list[Receipt] = []
        moved: list[Receipt] = []
        for place in sorted(self._needs):
            if place[0] != _CENTRAL:
                for receipt in self._plan(place):
                    early = receipt.day < OPENING + timedelta(days=30)
                    by_transfer = not early and self._random.random() < 0.22
                    (moved if by_transfer else bought).append(receipt)
        self._transfer(moved + self._on_the_road())
        for place in sorted(self._needs):
            if place[0] == _CENTRAL:
                bought += self._plan(place)
        self._buy(bought, buyers, suppliers, rates)
        self.movements.sort(
            key=lambda m: (m.moved_at_utc, m.mvmt_type, m.reference_id, m.product_id)
        )
        self.movements = [m._replace(mvmt_id=n) for n, m in enumerate(self.movements, start=1)]

    def levels(self, sales: list[Sale]) -> list[StockLevel]:
        """Add up the movements and what open orders have reserved."""
        on_hand: dict[_Place, int] = {}
        for move in self.movements:
            place = (move.whs_id, move.product_id)
            on_hand[place] = on_hand.get(place, 0) + move.qty_delta
        reserved: dict[_Place, int] = {}
        for sale in sales:
            for line in sale.lines:
                if line.line_status == "O":
                    place = (sale.row.ship_from_whs_id, line.product_id)
                    reserved[place] = reserved.get(place, 0) + line.qty
        random = self._random
        return [
            StockLevel(
                *place,
                on_hand=pieces,
                reserved=reserved.get(place, 0),
                reorder_point=random.choice([5, 10, 10, 15, 20]),
                counted_on=(END - timedelta(days=random.randrange(1, 300))).isoformat(),
            )
            for place, pieces in sorted(on_hand.items())
        ]

    def _plan(self, place: _Place) -> list[Receipt]:
        """Work out the deliveries that keep one shelf from running empty."""
        random, needs = self._random, sorted(self._needs[place])
        found: list[Receipt] = []
        stock = 0
        for index, need in enumerate(needs):
            if stock < need.qty:
                until = need.moment + timedelta(days=random.randrange(150, 400))
                ahead = sum(later.qty for later in needs[index:] if later.moment <= until)
                spare = random.randrange(2, 30)
                qty = -(-int((ahead - stock) * random.uniform(1.05, 1.3) + spare) // 5) * 5
                day = need.moment.date() - timedelta(days=random.randrange(4, 25))
                day = max(day, OPENING + timedelta(days=random.randrange(4)))
                found.append(Receipt(place[0], self._articles[place[1]], day, qty))
                stock += qty
            stock -= need.qty
        return found

    def _on_the_road(self) -> list[Receipt]:
        """Pick a few shelves that are being filled up while the data ends."""
        shelves = [place for place in sorted(self._needs) if place[0] != _CENTRAL]
        return [
            Receipt(whs_id, self._articles[product_id], END + timedelta(days=1), 10)
            for whs_id, product_id in self._random.sample(shelves, 9)
        ]

    def _transfer(self, moved: list[Receipt]) -> None:
        for receipt in sorted(moved, key=lambda r: (r.day, r.whs_id, r.article.row.product_id)):
            number = len(self.transfers) + 1
            product_id = receipt.article.row.product_id
            sent = receipt.day - timedelta(days=self._random.randrange(1, 4))
            left = at_work(sent, self._random)
            came = at_work(receipt.day, self._random)
            arrived = receipt.day <= END
            self._needs.setdefault((_CENTRAL, product_id), []).append(Need(left, receipt.qty))
            self._move((_CENTRAL, product_id), "T", number, -receipt.qty, left)
            if arrived:
                self._move((receipt.whs_id, product_id), "T", number, receipt.qty, came)
            ends = (_CENTRAL, receipt.whs_id, receipt.qty, "R" if arrived else "T")
            days = (sent.isoformat(), receipt.day.isoformat() if arrived else None)
            self.transfers.append(Transfer(number, product_id, *ends, *days))

    def _buy(
        self,
        bought: list[Receipt],
        buyers: list[int],
        suppliers: list[Supplier],
        rates: list[FxRate],
    ) -> None:
        """Bundle receipts of two months from one supplier into one purchase order."""
        lots: dict[tuple[int, int, int, int], list[Receipt]] = {}
        for receipt in bought:
            day = receipt.day
            key = (day.year, (day.month - 1) // 2, receipt.article.row.supplier_id, receipt.whs_id)
            lots.setdefault(key, []).append(receipt)
        drafts = []
        for (_, _, supplier_id, whs_id), receipts in sorted(lots.items()):
            supplier = suppliers[supplier_id - 1]
            arrived = min(receipt.day for receipt in receipts)
            lead = supplier.lead_time_days + self._random.randrange(-4, 9)
            ordered = max(arrived - timedelta(days=lead), OPENING - timedelta(days=7))
            drafts.append((ordered, arrived, supplier, whs_id, receipts, _CLOSED))
        drafts += self._without_goods(suppliers)
        to_eur = {(rate.currency_code, rate.rate_month): rate.eur_per_unit for rate in rates}
        for draft in sorted(drafts, key=lambda d: (d[0], d[2].supplier_id, d[3], d[5])):
            self._write_order(draft, self._random.choice(buyers), to_eur)

    def _without_goods(
        self, suppliers: list[Supplier]
    ) -> list[tuple[date, date, Supplier, int, list[Receipt], int]]:
        """Invent orders that are cancelled, on their way or not yet sent."""
        random, found = self._random, []
        for status, pieces, since in (
            (_CANCELLED, 18, 1000),
            (_PLACED_NO_GOODS, 22, 25),
            (_DRAFT, 7, 8),
        ):
            for _ in range(pieces):
                ordered = END - timedelta(days=random.randrange(1, since))
                supplier, whs_id = random.choice(suppliers), random.randrange(1, 5)
                theirs = [
                    article
                    for article in self._articles.values()
                    if article.row.supplier_id == supplier.supplier_id
                    and article.row.product_status == 1
                ]
                arrives = ordered + timedelta(days=supplier.lead_time_days)
                lines = random.sample(theirs, min(len(theirs), random.randrange(2, 6)))
                receipts = [Receipt(whs_id, a, arrives, random.randrange(4, 20) * 5) for a in lines]
                found.append((ordered, arrives, supplier, whs_id, receipts, status))
        return found

    def _write_order(
        self,
        draft: tuple[date, date, Supplier, int, list[Receipt], int],
        buyer: int,
        to_eur: dict[tuple[str, str], float],
    ) -> None:
        ordered, arrived, supplier, whs_id, receipts, status = draft
        random, number = self._random, len(self.purchase_orders) + 1
        month = month_of(max(ordered, date(2023, 1, 1)))
        closed = status == _CLOSED
        expected = ordered + timedelta(days=supplier.lead_time_days)
        pieces: dict[int, int] = {}
        for receipt in receipts:
            key = receipt.article.row.product_id
            pieces[key] = pieces.get(key, 0) + receipt.qty
        days = (ordered.isoformat(), expected.isoformat(), arrived.isoformat() if closed else None)
        ids = (supplier.supplier_id, whs_id, buyer, status, supplier.currency_code, month)
        po_no = f"PO-{ordered.year % 100}-{number:04d}"
        self.purchase_orders.append(PurchaseOrder(number, po_no, *ids, *days))
        came = datetime.combine(arrived, time(6)) + timedelta(minutes=random.randrange(400))
        for line_no, (product_id, qty) in enumerate(sorted(pieces.items()), start=1):
            short = random.randrange(1, 6) if closed and random.random() < 0.06 else 0
            price = self._articles[product_id].retail_cents * random.uniform(0.3, 0.42)
            cost = round(price / to_eur[supplier.currency_code, month])
            got = qty if closed else 0
            self.purchase_lines.append(
                PurchaseLine(number, line_no, product_id, qty + short, got, cost)
            )
            if closed:
                self._move((whs_id, product_id), "P", number, qty, came)

    def _move(self, place: _Place, kind: str, reference: int, qty: int, moment: datetime) -> None:
        zone = ZONES[WAREHOUSES[place[0] - 1].country_code]
        times = (stamp(moment), stamp(local(moment, zone)))
        self.movements.append(Movement(0, *place, kind, reference, qty, *times))
