"""Sales orders from basket to doorstep: promotions, orders, lines and parcels."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import accumulate
from random import Random

from .clock import END, START, local, stamp
from .people import Account
from .places import ZONES, AddressBook, guid, serving_warehouse
from .products import Article
from .records import Order, OrderLine, Promo, Shipment

ORDERS = 5500
NEW, CONFIRMED, PARTLY_SHIPPED, SHIPPED, DELIVERED, CANCELLED = 1, 2, 3, 4, 5, 9

# Private customers buy for summer and Christmas, shops a season ahead.
_MONTHS = {
    "P": [5, 4, 6, 8, 11, 13, 12, 9, 6, 6, 10, 12],
    "B": [9, 14, 15, 10, 6, 4, 4, 9, 14, 12, 6, 3],
}
_GROWTH = {2023: 1.0, 2024: 1.25, 2025: 1.5}
_SEASON = {"S ": [1, 1, 2, 4, 6, 7, 6, 4, 2, 1, 1, 1], "W ": [6, 5, 3, 2, 1, 1, 1, 2, 4, 6, 8, 8]}
_CHANNELS = {
    "P": (["WEB", "APP", "TEL"], [58, 32, 10]),
    "B": (["REP", "EDI", "WEB", "TEL"], [45, 30, 17, 8]),
}
_LAG_DAYS = {"P": [1, 1, 2, 2, 3, 4, 5], "B": [2, 3, 4, 5, 7, 9, 12]}
_CARRIERS = {"P": ["NPX ", "PST ", "KUR ", "H   "], "B": ["PAL ", "NPX ", "H   "]}


@dataclass(slots=True)
class Sale:
    """An order with its lines and parcels."""

    row: Order
    account: Account
    lines: list[OrderLine]
    parcels: list[Shipment]

    @property
    def ordered_at(self) -> datetime:
        """When it was placed, UTC."""
        return datetime.fromisoformat(self.row.ordered_at_utc)


def promos() -> list[Promo]:
    """List the promotions; the unit of `disc_value` depends on `disc_type`."""
    rows: list[Promo] = []
    for year in (2023, 2024, 2025):
        short = year % 100
        plan = [
            (f"SPRING{short}", "Spring trail weeks", "P", 10, 0, "P", (3, 15), (4, 15)),
            (f"PREBOOK{short}", "Shop pre-order, summer", "P", 5, 200_000, "B", (2, 1), (3, 20)),
            (f"SUMMER{short}", "Summer camp days", "A", 1500, 12_000, "P", (6, 1), (6, 30)),
            (f"BACKPACK{short}", "Back to school packs", "P", 15, 5_000, "P", (8, 20), (9, 10)),
            (f"AUTUMN{short}", "Shop pre-order, winter", "P", 6, 200_000, "B", (9, 1), (10, 15)),
            (f"BLACK{short}", "Black week", "P", 20, 0, "P", (11, 20), (11, 30)),
            (f"GIFT{short}", "Christmas gift money", "A", 2000, 15_000, "P", (12, 5), (12, 20)),
            (f"VOLUME{short}", "Shop volume bonus", "A", 15_000, 400_000, "B", (5, 1), (6, 15)),
        ]
        for code, name, kind, value, least, audience, starts, ends in plan:
            period = (date(year, *starts).isoformat(), date(year, *ends).isoformat())
            rows.append(Promo(len(rows) + 1, code, name, kind, value, least, audience, *period))
    return rows


class Shop:
    """Takes orders day by day; holds what it needs to price and ship them."""

    def __init__(
        self, accounts: list[Account], range_: list[Article], book: AddressBook, random: Random
    ) -> None:
        self._accounts = {
            kind: [account for account in accounts if account.row.customer_type == kind]
            for kind in ("P", "B")
        }
        self._since = {k: [account.since for account in v] for k, v in self._accounts.items()}
        self._articles = range_
        self._book = book
        self._promos = promos()
        self._random = random
        self._parcels = 0
        self._odds: dict[int, list[float]] = {}

    def trade(self) -> list[Sale]:
        """Return every sale in the order in which it was placed."""
        sales: list[Sale] = []
        for moment, kind in self._moments():
            last = bisect_right(self._since[kind], moment.date() - timedelta(days=1))
            if last:
                pick = int(last * self._random.random() ** 1.25)
                account = self._accounts[kind][pick]
                sales.append(self._sell(len(sales) + 1, account, moment))
        return sales

    def _moments(self) -> list[tuple[datetime, str]]:
        days = [START + timedelta(days=n) for n in range((END - START).days + 1)]
        found: list[tuple[datetime, str]] = []
        for kind, share in (("P", 0.77), ("B", 0.23)):
            weights = [_MONTHS[kind][day.month - 1] * _GROWTH[day.year] for day in days]
            if kind == "B":
                weights = [
                    w if day.weekday() < 5 else 0.0 for w, day in zip(weights, days, strict=True)
                ]
            for day in self._random.choices(days, weights, k=int(ORDERS * share)):
                first, last = (6, 22) if kind == "P" else (7, 16)
                second = self._random.randrange(first * 3600, last * 3600)
                found.append((datetime.combine(day, time()) + timedelta(seconds=second), kind))
        return sorted(found)

    def _sell(self, order_id: int, account: Account, moment: datetime) -> Sale:
        random, kind = self._random, account.row.customer_type
        bill_to = account.ship_to[0]
        ship_to = random.choice(account.ship_to) if random.random() < 0.75 else bill_to
        country = self._book.country_of(ship_to)
        channel = random.choices(*_CHANNELS[kind])[0]
        lines = self._fill_basket(order_id, kind, moment.date())
        goods = sum(line.line_total_cents for line in lines)
        promo = self._promo_for(kind, goods, moment.date())
        discount = _discount(promo, goods)
        shipping = 0 if kind == "B" or goods - discount >= 10_000 else 495
        row = Order(
            order_id=order_id,
            order_no=f"SO-{moment.year % 100}-{order_id:06d}",
            customer_id=account.row.customer_id,
            bill_to_address_id=bill_to,
            ship_to_address_id=ship_to,
            order_status=NEW,
            channel_code=channel,
            promo_id=promo.promo_id if promo else None,
            sales_rep_id=account.row.account_manager_id if channel == "REP" else None,
            ship_from_whs_id=serving_warehouse(country),
            ordered_at_utc=stamp(moment),
            ordered_at_local=stamp(local(moment, ZONES[country])),
            cancelled_at_utc=None,
            goods_cents=goods,
            discount_cents=discount,
            shipping_cents=shipping,
            total_cents=goods - discount + shipping,
            currency_code="EUR",
            customer_ref=f"PO{random.randrange(10**5, 10**6)}" if kind == "B" else None,
            legacy_ref=None,
            created_at=stamp(moment),
            updated_at=stamp(moment),
            updated_by="emp_1371" if channel == "TEL" else "webshop" if kind == "P" else "edi_gate",
            row_guid=guid(random),
        )
        account.last_order = moment.date()
        return self._fulfil(Sale(row, account, lines, []))

    def _fill_basket(self, order_id: int, kind: str, day: date) -> list[OrderLine]:
        random = self._random
        private = kind == "P"
        size = (
            random.choices([1, 2, 3, 4], [46, 30, 16, 8])[0] if private else random.randrange(2, 7)
        )
        chosen: dict[int, Article] = {}
        while len(chosen) < size:
            article = random.choices(self._articles, cum_weights=self._odds_of(day))[0]
            if article.is_sold_on(day):
                chosen[article.row.product_id] = article
        lines = []
        for line_no, article in enumerate(chosen.values(), start=1):
            qty = random.choice([1] * 14 + [2, 2, 3] if private else [3, 4, 6, 6, 10, 12])
            price = article.price_on(day, "R" if private else "W")
            # Last pieces of a product that is being phased out go at a discount.
            last_pieces = article.row.product_status == 2 and day.year == END.year
            pct = random.choice([10, 20, 30]) if last_pieces else 0
            total = (qty * price * (100 - pct) + 50) // 100
            ids = (order_id, line_no, article.row.product_id, None)
            lines.append(OrderLine(*ids, "O", qty, price, pct, total))
        return lines

    def _odds_of(self, day: date) -> list[float]:
        if day.month not in self._odds:
            weights = (
                article.popularity * _SEASON.get(article.row.season_code, [3] * 12)[day.month - 1]
                for article in self._articles
            )
            self._odds[day.month] = list(accumulate(weights))
        return self._odds[day.month]

    def _promo_for(self, kind: str, goods: int, day: date) -> Promo | None:
        fitting = [
            promo
            for promo in self._promos
            if promo.audience == kind
            and promo.starts_on <= day.isoformat() <= promo.ends_on
            and goods >= promo.min_order_cents
        ]
        return fitting[0] if fitting and self._random.random() < 0.55 else None

    def _fulfil(self, sale: Sale) -> Sale:
        """Cancel the order or ship it, as far as the end of the data allows."""
        random, placed = self._random, sale.ordered_at
        if random.random() < 0.045:
            at = placed + timedelta(hours=random.randrange(1, 60))
            if at.date() <= END:
                sale.lines = [line._replace(line_status="C") for line in sale.lines]
                sale.row = sale.row._replace(cancelled_at_utc=stamp(at))
                return _settled(sale, CANCELLED, at)
        backorder = len(sale.lines) > 1 and random.random() < 0.14
        groups = [sale.lines[:-1], sale.lines[-1:]] if backorder else [sale.lines]
        # Between the years the warehouses stand still.
        days = 5 if (placed.month, placed.day) >= (12, 26) else 0
        days += random.choice(_LAG_DAYS[sale.account.row.customer_type])
        sale.lines = []
        for lines in groups:
            shipped = datetime.combine(placed.date() + timedelta(days=days), time(5))
            sale.lines += self._send(sale, lines, shipped)
            days += random.randrange(6, 28)
        last = sale.parcels[-1] if sale.parcels else None
        changed = (last.delivered_at_utc or last.shipped_at_utc) if last else stamp(placed)
        return _settled(sale, _progress(sale), datetime.fromisoformat(changed))

    def _send(self, sale: Sale, lines: list[OrderLine], dawn: datetime) -> list[OrderLine]:
        """Put lines into one parcel, unless the data ends before that day."""
        shipped = dawn + timedelta(seconds=self._random.randrange(12 * 3600))
        if shipped.date() > END:
            return lines
        parcel = self._ship(sale, shipped)
        sale.parcels.append(parcel)
        number = parcel.shipment_id
        return [line._replace(shipment_id=number, line_status="S") for line in lines]

    def _ship(self, sale: Sale, shipped: datetime) -> Shipment:
        random = self._random
        self._parcels += 1
        kind = sale.account.row.customer_type
        arrives = shipped + timedelta(
            days=random.choice([1, 2, 2, 3, 4, 6]), seconds=random.randrange(9000)
        )
        lost = random.random() < 0.006
        arrived = not lost and arrives.date() <= END
        weight = len(sale.lines) + (8 if kind == "B" else 1)
        return Shipment(
            shipment_id=self._parcels,
            order_id=sale.row.order_id,
            whs_id=sale.row.ship_from_whs_id,
            carrier_code=random.choice(_CARRIERS[kind]),
            tracking_no=f"FH{self._parcels:07d}{random.randrange(100):02d}",
            shipment_status="D" if arrived else "L" if lost else "T",
            shipped_at_utc=stamp(shipped),
            delivered_at_utc=stamp(arrives) if arrived else None,
            freight_cost_cents=random.randrange(380, 900) * weight // 2,
        )


def all_lines(sales: list[Sale]) -> Iterator[OrderLine]:
    """Yield the lines of every sale."""
    for sale in sales:
        yield from sale.lines


def _discount(promo: Promo | None, goods: int) -> int:
    if promo is None:
        return 0
    return promo.disc_value if promo.disc_type == "A" else goods * promo.disc_value // 100


def _progress(sale: Sale) -> int:
    if not sale.parcels:
        return CONFIRMED
    if any(line.shipment_id is None for line in sale.lines):
        return PARTLY_SHIPPED
    arrived = all(parcel.shipment_status == "D" for parcel in sale.parcels)
    return DELIVERED if arrived else SHIPPED


def _settled(sale: Sale, status: int, at: datetime) -> Sale:
    sale.row = sale.row._replace(order_status=status, updated_at=stamp(at))
    return sale
