"""What the demo's source database holds, one module per subject; `fill` writes it all."""

from collections.abc import Iterable
from pathlib import Path
from random import Random
from sqlite3 import Connection
from typing import Any

from . import extras, money, people, places, products, sales, stock
from .clock import NEVER
from .records import Employee, Warehouse

SEED = "fellhaven"
SCHEMA = Path(__file__).with_name("schema.sql")


def fill(connection: Connection) -> None:
    """Create every table and write every row; each subject draws from its own seeded source."""
    connection.executescript(SCHEMA.read_text(encoding="utf-8"))
    for table, rows in _tables():
        _insert(connection, table, rows)


def _tables() -> Iterable[tuple[str, Iterable[tuple[Any, ...]]]]:
    staff = list(people.employees(_random("staff")))
    book = places.AddressBook(_random("addresses"))
    sellers = _holding("Key Account Manager", staff)
    accounts = people.accounts(book, sellers, _random("customers"))
    tree = products.categories()
    articles = products.articles(tree, _random("products"))
    suppliers = products.suppliers(_random("suppliers"))
    rates = list(places.fx_rates(_random("rates")))
    sold = sales.Shop(accounts, articles, book, _random("orders")).trade()
    money.mark_unpaid(sold, _random("unpaid"))
    sent_back = money.returns(sold, articles, _random("returns"))
    depot = stock.Depot(articles, _random("stock"))
    depot.send(sold)
    depot.supply(_holding("Buyer", staff), suppliers, rates)
    extras.close_accounts(accounts, sold, _random("closing"))
    book.retire_unused(
        {account.row.address_id for account in accounts}
        | {sale.row.ship_to_address_id for sale in sold}
    )

    yield "country", places.COUNTRIES
    yield "fx_rate", rates
    yield "address", book.rows
    yield "whs", [_with_lead(site, staff) for site in places.WAREHOUSES]
    yield "employee", staff
    yield "customer", [account.row for account in accounts]
    yield "category", tree
    yield "brand", products.brands()
    yield "supplier", suppliers
    yield "product", [article.row for article in articles]
    yield "product_price", [price for article in articles for price in article.prices]
    yield "kit_component", products.kit_components(articles)
    yield "tag", products.tags()
    yield "product_tag", products.product_tags(articles, _random("tags"))
    yield "promo", sales.promos()
    yield "sales_order", [sale.row for sale in sold]
    yield "shipment", [parcel for sale in sold for parcel in sale.parcels]
    yield "sales_order_line", sales.all_lines(sold)
    yield "payment", money.payments(sold, sent_back, _random("payments"))
    yield "return_item", sent_back
    yield "purchase_order", depot.purchase_orders
    yield "po_line", depot.purchase_lines
    yield "stock_transfer", depot.transfers
    yield "inv_mvmt", depot.movements
    yield "stock_level", depot.levels(sold)
    yield "product_review", extras.reviews(sold, accounts, _random("reviews"))
    yield "legacy_crm_notes", extras.crm_notes(accounts, _random("notes"))
    yield "customer_bak_2023", extras.backup(accounts)


def _random(subject: str) -> Random:
    return Random(f"{SEED}:{subject}")


def _holding(title: str, staff: list[Employee]) -> list[int]:
    """List who does a job today: those who left hand over their customers and orders."""
    return [p.employee_id for p in staff if p.job_title == title and p.left_on == NEVER]


def _with_lead(site: Warehouse, staff: list[Employee]) -> Warehouse:
    lead = [p for p in staff if p.whs_id == site.whs_id and p.job_title.startswith("Site Lead")]
    return site._replace(site_lead_id=lead[0].employee_id if lead else None)


def _insert(connection: Connection, table: str, rows: Iterable[tuple[Any, ...]]) -> None:
    rows = list(rows)
    marks = ", ".join("?" * len(rows[0]))
    names = ", ".join(rows[0]._fields)  # type: ignore[attr-defined]  # every row is a NamedTuple
    connection.executemany(f"INSERT INTO {table} ({names}) VALUES ({marks})", rows)
