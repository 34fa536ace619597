"""The range: categories, brands, suppliers, products, kits, tags and price history."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import count
from random import Random

from .assortment import BRANDS, GROUPS, KITS, MODELS, SUPPLIERS, TAGS, Leaf
from .clock import END, NEVER, START, at_work, stamp
from .places import guid
from .records import Brand, Category, KitComponent, Price, Product, ProductTag, Supplier, Tag

KIT_STOCK_NO = 900
"""Sku numbers from here on are kits."""


@dataclass(slots=True)
class Article:
    """A product with what the other subjects need to know of it."""

    row: Product
    leaf: Leaf
    retail_cents: int
    popularity: float
    from_day: date | None
    to_day: date | None
    prices: list[Price]

    def price_on(self, day: date, price_list: str) -> int:
        """Look up the price that was valid on a day."""
        on = day.isoformat()
        for price in self.prices:
            if price.price_list == price_list and price.valid_from <= on <= price.valid_to:
                return price.price_cents
        raise LookupError(f"{self.row.sku} has no price on {on}")

    def is_sold_on(self, day: date) -> bool:
        """Whether customers can order it on a day."""
        return bool(self.from_day and self.from_day <= day) and not (
            self.to_day and day > self.to_day
        )


def categories() -> list[Category]:
    """Number the tree, parents first."""
    rows: list[Category] = []
    ids = count(1)
    for sort_no, (group, leaves) in enumerate(GROUPS.items(), start=1):
        top = next(ids)
        rows.append(Category(top, None, group, sort_no * 10))
        middle: dict[str, int] = {}
        for place, leaf in enumerate(leaves, start=1):
            parent = top
            if leaf.under:
                if leaf.under not in middle:
                    middle[leaf.under] = next(ids)
                    rows.append(Category(middle[leaf.under], top, leaf.under, place * 10))
                parent = middle[leaf.under]
            rows.append(Category(next(ids), parent, leaf.name, place * 10))
    kits = next(ids)
    return [*rows, Category(kits, None, "Kits & Bundles", 90)]


def brands() -> list[Brand]:
    """Number the brands; the first two are the company's own labels."""
    return [
        Brand(number, name, country, int(number <= 2))
        for number, (name, country) in enumerate(BRANDS, start=1)
    ]


def suppliers(random: Random) -> list[Supplier]:
    """Number the suppliers."""
    rows = []
    for number, (name, contact, country, currency, lead, rating) in enumerate(SUPPLIERS, start=1):
        since = at_work(date(2016, 3, 1) + timedelta(days=random.randrange(2000)), random)
        user = f"{contact.split()[0].lower()}@{name.split()[0].lower()}.test"
        changed = at_work(START + timedelta(days=random.randrange(900)), random)
        stamps = (stamp(since), stamp(changed), "emp_1112")
        row = Supplier(number, name, contact, user, country, currency, lead, rating, *stamps)
        rows.append(row)
    return rows


def articles(tree: list[Category], random: Random) -> list[Article]:
    """Invent the single products, then the kits."""
    by_name = {category.category_name: category.category_id for category in tree}
    taken: set[str] = set()
    found: list[Article] = []
    for leaf in (leaf for leaves in GROUPS.values() for leaf in leaves):
        for noun in leaf.nouns:
            for _ in range(leaf.each):
                brand = random.randrange(len(BRANDS))
                name = _unused_name(BRANDS[brand][0], noun, taken, random)
                cents = random.randrange(leaf.low, leaf.high) * 100 + random.choice([95, 90, 0])
                number = len(found) + 1
                row = _product(number, f"{leaf.code}-{number:05d}", name, random)._replace(
                    category_id=by_name[leaf.name],
                    brand_id=brand + 1,
                    supplier_id=random.choice(leaf.suppliers),
                    season_code=leaf.season,
                    weight_g=max(20, int(leaf.grams * random.uniform(0.6, 1.5)) // 5 * 5),
                )
                found.append(_article(row, leaf, cents, random))
    for offset, (name, parts) in enumerate(KITS):
        number = len(found) + 1
        row = _product(number, f"KIT-{KIT_STOCK_NO + offset:05d}", name, random)._replace(
            product_type="K", category_id=by_name["Kits & Bundles"], brand_id=1 + offset % 2
        )
        found.append(_kit(row, parts, found, random))
    return found


def kit_components(found: list[Article]) -> Iterator[KitComponent]:
    """List what each kit is made of."""
    parts_of = dict(KITS)
    for article in found:
        parts = parts_of.get(article.row.product_name, [])
        rows = {_part(code, place, found).row.product_id: qty for code, place, qty in parts}
        for product_id in sorted(rows):
            yield KitComponent(article.row.product_id, product_id, rows[product_id])


def tags() -> list[Tag]:
    """Number the labels."""
    return [Tag(number, name, group) for number, (name, group) in enumerate(TAGS, start=1)]


def product_tags(found: list[Article], random: Random) -> Iterator[ProductTag]:
    """Give every product up to six labels; a few get none."""
    for article in found:
        chosen = random.sample(range(1, len(TAGS) + 1), random.choice([0, 2, 3, 3, 4, 4, 5, 6]))
        for tag_id in sorted(chosen):
            yield ProductTag(article.row.product_id, tag_id)


def _product(number: int, sku: str, name: str, random: Random) -> Product:
    since = at_work(date(2022, 6, 1) + timedelta(days=random.randrange(180)), random)
    changed = at_work(START + timedelta(days=random.randrange(1050)), random)
    return Product(
        product_id=number,
        sku=sku,
        product_name=name,
        product_type="S",
        product_status=1,
        category_id=0,
        brand_id=0,
        supplier_id=1,
        season_code="AY",
        weight_g=1,
        hazmat_class=None,
        launched_on=None,
        withdrawn_on=None,
        is_deleted=0,
        created_at=stamp(since),
        updated_at=stamp(changed),
        updated_by=random.choice(["pim_sync", "emp_1126", "emp_1133"]),
        row_guid=guid(random),
    )


def _article(row: Product, leaf: Leaf, cents: int, random: Random) -> Article:
    status = random.choices([0, 1, 2, 3], [3, 78, 9, 10])[0]
    launched: date | None = START - timedelta(days=7)
    withdrawn = None
    if status == 0:
        launched = None
    elif random.random() < 0.3:
        launched = START + timedelta(days=random.randrange(30, 800))
    if status == 3 and launched:
        withdrawn = min(launched + timedelta(days=random.randrange(200, 900)), END)
    created = row.created_at
    if launched and launched > START:
        created = stamp(datetime.combine(launched - timedelta(days=40), time(9, 30)))
    row = row._replace(
        product_status=status,
        launched_on=launched.isoformat() if launched else None,
        withdrawn_on=withdrawn.isoformat() if withdrawn else None,
        is_deleted=int(status == 3 and random.random() < 0.35),
        created_at=created,
        updated_at=max(created, row.updated_at),
    )
    article = Article(row, leaf, cents, random.paretovariate(1.7), launched, withdrawn, [])
    article.prices = list(_prices(article, random))
    return article


def _kit(
    row: Product, parts: list[tuple[str, int, int]], singles: list[Article], random: Random
) -> Article:
    chosen = [(_part(code, place, singles), qty) for code, place, qty in parts]
    row = row._replace(
        supplier_id=chosen[0][0].row.supplier_id,
        season_code=chosen[0][0].row.season_code,
        weight_g=sum(part.row.weight_g * qty for part, qty in chosen),
    )
    value = sum(part.retail_cents * qty for part, qty in chosen)
    return _article(row, chosen[0][0].leaf, int(value * 0.88) // 500 * 500 - 5, random)


def _part(code: str, place: int, singles: list[Article]) -> Article:
    of_code = [article for article in singles if article.row.sku.startswith(code)]
    return of_code[place % len(of_code)]


def _prices(article: Article, random: Random) -> Iterator[Price]:
    """Yield unbroken price periods; shops pay about 60 % of what private customers do."""
    first = article.from_day or START
    changes = [first] + [
        day
        for year in (2024, 2025)
        if random.random() < 0.75
        for day in [date(year, 2, 1) + timedelta(days=random.randrange(60))]
        if day > first
    ]
    cents = article.retail_cents
    share = random.uniform(0.56, 0.64)
    for place, day in enumerate(changes):
        ends = changes[place + 1] - timedelta(days=1) if place + 1 < len(changes) else None
        until = ends.isoformat() if ends else NEVER
        yield Price(article.row.product_id, "R", day.isoformat(), until, cents)
        yield Price(
            article.row.product_id, "W", day.isoformat(), until, int(cents * share) // 10 * 10
        )
        cents = int(cents * random.choice([0.95, 1.03, 1.05, 1.08])) // 10 * 10


def _unused_name(brand: str, noun: str, taken: set[str], random: Random) -> str:
    while True:
        name = f"{brand} {random.choice(MODELS.split())} {noun}"
        if name not in taken:
            taken.add(name)
            return name
