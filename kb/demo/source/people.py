"""Employees and customers, all invented: example domains, 555 telephone numbers."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from random import Random
from unicodedata import normalize

from .clock import END, NEVER, OPENING, START, at_work, stamp
from .places import AddressBook, draw_country, guid
from .records import Customer, Employee

PRIVATE_CUSTOMERS = 1900
BUSINESS_CUSTOMERS = 330

_FIRST = """
Anna Lukas Sofie Bram Emma Jonas Lotte Pieter Clara Hugo Marie Antoine Camille Luc Elin Oskar
Ingrid Lars Freya Nils Alice Oliver Grace Harry Ruby Callum Giulia Marco Chiara Paolo Lucia
Diego Marta Javier Zofia Jakub Ewa Piotr Hanna Felix Greta Moritz Nora Emil Ida Axel Maeve Sean
Aino Eero Priya Arjun Leila Samir Mei Chen Amina Youssef Katja Stefan
"""
_LAST = """
Jansen Bakker Visser Smit Mulder Schneider Fischer Weber Keller Brandt Vogel Huber Gruber Moser
Dubois Laurent Moreau Girard Bonnet Hansen Olsen Berg Lindqvist Nyström Sandberg Dahl Larsen
Walker Hughes Barnes Fletcher Marsh Holt Rossi Ricci Conti Greco Navarro Ortega Vidal Romero
Nowak Kowalczyk Mazur Wójcik Peeters Claes Maes Virtanen Laine Murphy Doyle Byrne Meier Frei
Patel Khan Haddad Lin Osei
"""
_SHOP_FIRST = """
Alpine Trail Summit Fjord Nordic Forest Lakeside Basecamp Ridge Compass Pathfinder Glacier
Wanderer Highland Harbour Granite Moorland Pine Valley Rucksack
"""
_SHOP_LAST = "Sports|Outfitters|Outdoor|Mountain Shop|Camping|Adventure|Trekking House|Supplies"
_SHOP_FORM = {"DE": "GmbH", "AT": "GmbH", "CH": "AG", "NL": "BV", "BE": "BV", "FR": "SARL"}
_SHOP_FORM |= {"GB": "Ltd", "IE": "Ltd", "IT": "Srl", "ES": "SL", "PL": "Sp. z o.o.", "US": "Inc."}
_LANGUAGE = {"DE": "49", "AT": "43", "NL": "31", "FR": "33", "GB": "44", "US": "1", "CA": "1"}

# (department, title, head count, title of the manager, warehouse)
_POSTS: list[tuple[str, str, int, str, int | None]] = [
    ("MGMT", "Managing Director", 1, "", None),
    ("SAL ", "Head of Sales", 1, "Managing Director", None),
    ("PUR ", "Head of Purchasing", 1, "Managing Director", None),
    ("LOG ", "Head of Logistics", 1, "Managing Director", None),
    ("FIN ", "Head of Finance", 1, "Managing Director", None),
    ("CS  ", "Head of Customer Care", 1, "Managing Director", None),
    ("SAL ", "Key Account Manager", 9, "Head of Sales", None),
    ("PUR ", "Buyer", 6, "Head of Purchasing", None),
    ("LOG ", "Site Lead Utrecht", 1, "Head of Logistics", 1),
    ("LOG ", "Site Lead Lyon", 1, "Head of Logistics", 2),
    ("LOG ", "Site Lead Gdansk", 1, "Head of Logistics", 3),
    ("LOG ", "Site Lead Manchester", 1, "Head of Logistics", 4),
    ("LOG ", "Site Lead Venlo", 1, "Head of Logistics", 5),
    ("LOG ", "Warehouse Operative", 9, "Site Lead Utrecht", 1),
    ("LOG ", "Warehouse Operative", 4, "Site Lead Lyon", 2),
    ("LOG ", "Warehouse Operative", 4, "Site Lead Gdansk", 3),
    ("LOG ", "Warehouse Operative", 3, "Site Lead Manchester", 4),
    ("LOG ", "Returns Inspector", 3, "Site Lead Venlo", 5),
    ("CS  ", "Customer Care Agent", 8, "Head of Customer Care", None),
    ("FIN ", "Accountant", 3, "Head of Finance", None),
    ("IT  ", "Systems Engineer", 3, "Head of Finance", None),
]


@dataclass(slots=True)
class Account:
    """A customer and where its parcels may go."""

    row: Customer
    country_code: str
    since: date
    ship_to: list[int] = field(default_factory=list)
    last_order: date | None = None


def employees(random: Random) -> Iterator[Employee]:
    """Fill every post; managers come before those who report to them."""
    by_title: dict[str, int] = {}
    names: set[str] = set()
    number = 0
    for dept, title, heads, boss, whs_id in _POSTS:
        for head in range(heads):
            number += 1
            first, last = _unused_name(names, random)
            hired = date(2008, 1, 7) + timedelta(days=random.randrange(5400))
            # Of every team of four or more, its second member has left.
            left = (
                START + timedelta(days=random.randrange(200, 1000))
                if head == 1 < heads - 2
                else None
            )
            yield Employee(
                employee_id=number,
                emp_no=f"E{1000 + number * 7}",
                first_name=first,
                last_name=last,
                work_email=f"{_plain(first)}.{_plain(last)}@fellhaven.test",
                private_phone=_phone("31", random) if random.random() < 0.8 else None,
                birth_date=(hired - timedelta(days=random.randrange(7300, 15000))).isoformat(),
                job_title=title,
                dept_code=dept,
                manager_id=by_title.get(boss),
                whs_id=whs_id,
                hired_on=hired.isoformat(),
                left_on=left.isoformat() if left else NEVER,
            )
            by_title.setdefault(title, number)


def accounts(book: AddressBook, managers: list[int], random: Random) -> list[Account]:
    """Invent the customers in the order in which they signed up."""
    kinds = ["P"] * PRIVATE_CUSTOMERS + ["B"] * BUSINESS_CUSTOMERS
    random.shuffle(kinds)
    span = (END - OPENING).days - 10
    days = sorted(int(span * random.random() ** 1.35) for _ in kinds)
    shops: set[str] = set()
    found = []
    for number, (kind, offset) in enumerate(zip(kinds, days, strict=True), start=1):
        since = at_work(OPENING + timedelta(days=offset), random)
        country = draw_country(random)
        address_id = book.add(country, since, floor=kind == "B" and random.random() < 0.3)
        if kind == "P":
            row = _private(number, country, address_id, since, random)
        else:
            row = _business(number, country, address_id, since, shops, random)
            row = row._replace(account_manager_id=random.choice(managers))
        account = Account(row, country, since.date(), [address_id])
        for _ in range(_further_addresses(kind, random)):
            abroad = random.random() < 0.12
            where = draw_country(random) if abroad else country
            account.ship_to.append(book.add(where, since, floor=kind == "B"))
        found.append(account)
    return found


def _further_addresses(kind: str, random: Random) -> int:
    if kind == "B":
        return random.choice([0, 1, 1, 2, 3])
    return random.choices([0, 1, 2], [68, 27, 5])[0]


def _private(number: int, country: str, address: int, since: datetime, random: Random) -> Customer:
    first, last = random.choice(_FIRST.split()), random.choice(_LAST.split())
    born = date(1948, 1, 1) + timedelta(days=random.randrange(21000))
    host = random.choice(["example.com", "example.org", "example.net", "mail.test"])
    tier = random.choices(["B", "S", "G", None], [30, 18, 7, 45])[0]
    return _customer(number, address, since, random)._replace(
        customer_type="P",
        first_name=first,
        last_name=last,
        email=f"{_plain(first)}.{_plain(last)}{number % 97}@{host}",
        phone=_phone(_LANGUAGE.get(country, "46"), random) if random.random() < 0.7 else None,
        birth_date=born.isoformat() if random.random() < 0.6 else None,
        iban_last4=f"{random.randrange(10000):04d}" if random.random() < 0.2 else None,
        card_tier=tier,
        newsletter="Y" if random.random() < 0.55 else "N",
    )


def _business(
    number: int, country: str, address: int, since: datetime, taken: set[str], random: Random
) -> Customer:
    name = ""
    while not name or name in taken:
        start, end = random.choice(_SHOP_FIRST.split()), random.choice(_SHOP_LAST.split("|"))
        name = f"{start} {end} {_SHOP_FORM.get(country, 'AB')}"
        if random.random() < 0.45:
            name = f"{random.choice(_LAST.split())} & {name}"
    taken.add(name)
    return _customer(number, address, since, random)._replace(
        customer_type="B",
        company_name=name,
        vat_no=f"{country}{random.randrange(10**8, 10**9)}",
        email=f"orders@{_plain(name)}.test",
        phone=_phone(_LANGUAGE.get(country, "46"), random),
        iban_last4=f"{random.randrange(10000):04d}",
        credit_limit_cents=random.choice([2, 5, 5, 10, 10, 20, 40]) * 100_000,
        newsletter="Y" if random.random() < 0.3 else "N",
    )


def _customer(number: int, address: int, since: datetime, random: Random) -> Customer:
    changed = at_work(
        since.date() + timedelta(random.randrange(1 + (END - since.date()).days)), random
    )
    return Customer(
        customer_id=number,
        cust_no=f"C-{100000 + number * 3}",
        customer_type="P",
        first_name=None,
        last_name=None,
        company_name=None,
        vat_no=None,
        email="",
        phone=None,
        birth_date=None,
        iban_last4=None,
        address_id=address,
        account_manager_id=None,
        card_tier=None,
        credit_limit_cents=None,
        email_sent_count=random.randrange(0, 90),
        phone_orders=0,
        newsletter="N",
        created_at=stamp(since),
        updated_at=stamp(max(since, changed)),
        updated_by=random.choice(["webshop", "webshop", "crm_sync", "emp_1364"]),
        deleted_at=None,
        row_guid=guid(random),
    )


def _unused_name(taken: set[str], random: Random) -> tuple[str, str]:
    while True:
        first, last = random.choice(_FIRST.split()), random.choice(_LAST.split())
        if first + last not in taken:
            taken.add(first + last)
            return first, last


def _phone(prefix: str, random: Random) -> str:
    return f"+{prefix} 555 {random.randrange(100, 1000)} {random.randrange(1000, 10000)}"


def _plain(text: str) -> str:
    letters = normalize("NFKD", text.replace("ø", "o")).encode("ascii", "ignore").decode()
    return "".join(sign for sign in letters.lower() if sign.isalnum())
