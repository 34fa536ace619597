"""Reviews, and what every old database drags along: a retired CRM, a backup, loose ends."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from random import Random

from .clock import END, OPENING, at_work, stamp
from .people import Account
from .records import CrmNote, CustomerBackup, Review
from .sales import Sale

REVIEWS = 1500
CRM_NOTES = 850
BACKUP_DAY = date(2023, 12, 31)

_PRAISE = {
    5: ("Best buy in years", "Used it for two weeks in the hills and would buy it again."),
    4: ("Very good, small flaw", "Solid and light. The zip could run more smoothly."),
    3: ("Does the job", "Fine for a weekend, not more."),
    2: ("Expected more", "Seams came loose after a few trips."),
    1: ("Sent it back", "Leaked on the first night."),
}
_TOPICS = {
    "C": ["Asked about delivery time.", "Wants the new catalogue.", "Asked for a size guide."],
    "V": [
        "Visited the showroom.",
        "Talked through next season's range.",
        "Showed the shelf display.",
    ],
    "K": ["Complained about a torn seam.", "Parcel came late.", "Invoice didn't match the order."],
}


def reviews(sales: list[Sale], accounts: list[Account], random: Random) -> list[Review]:
    """Let buyers, and some who never bought, rate products."""
    bought = [
        (sale, line)
        for sale in sales
        if sale.row.order_status == 5 and sale.account.row.customer_type == "P"
        for line in sale.lines
    ]
    private = [account for account in accounts if account.row.customer_type == "P"]
    found: list[Review] = []
    for _ in range(REVIEWS):
        sale, line = random.choice(bought)
        account, verified = sale.account, random.random() < 0.87
        day = sale.ordered_at.date() + timedelta(days=random.randrange(12, 90))
        if not verified:
            account = random.choice(private)
            day = max(day, account.since)
        # Some products please more than others: by their number, so that averages differ.
        mood = 3.3 + (line.product_id * 37 % 17) / 10
        stars = max(1, min(5, round(random.gauss(mood, 1.1))))
        title, body = _PRAISE[stars]
        found.append(
            Review(
                review_id=0,
                product_id=line.product_id,
                customer_id=account.row.customer_id,
                stars=stars,
                title=title,
                body=body if random.random() < 0.7 else None,
                is_verified=int(verified),
                helpful_count=int(random.expovariate(0.5)),
                posted_at_utc=stamp(at_work(min(day, END), random)),
                is_deleted=int(random.random() < 0.04),
            )
        )
    found.sort(key=lambda review: (review.posted_at_utc, review.product_id))
    return [review._replace(review_id=number) for number, review in enumerate(found, start=1)]


def crm_notes(accounts: list[Account], random: Random) -> Iterator[CrmNote]:
    """Write the notes of the retired CRM; a few name customers that were never migrated."""
    until = date(2024, 6, 30)
    known = [account for account in accounts if account.since < until - timedelta(days=20)]
    days = sorted(random.randrange((until - OPENING).days) for _ in range(CRM_NOTES))
    for number, offset in enumerate(days, start=1):
        day = OPENING + timedelta(days=offset)
        there = [account for account in known if account.since <= day]
        cust_no = random.choice(there).row.cust_no if there else known[0].row.cust_no
        if number % 61 == 0:
            cust_no = f"C-{random.randrange(80_000, 90_000):06d}"
        kind = random.choices(["C", "V", "K"], [60, 15, 25])[0]
        yield CrmNote(
            note_no=number,
            cust_no=cust_no,
            note_dt=day.strftime("%d/%m/%Y"),
            note_type=kind,
            note_txt=random.choice(_TOPICS[kind]),
            agent_init=random.choice(["AKL", "BMD", "JVS", "PNO"]),
            src_sys="CRM1",
        )


def close_accounts(accounts: list[Account], sales: list[Sale], random: Random) -> None:
    """Count telephone orders and soft-delete some customers who stayed away."""
    by_phone: dict[int, int] = {}
    for sale in sales:
        if sale.row.channel_code == "TEL":
            by_phone[sale.row.customer_id] = by_phone.get(sale.row.customer_id, 0) + 1
    for account in accounts:
        row = account.row._replace(phone_orders=by_phone.get(account.row.customer_id, 0))
        quiet = max(account.last_order or account.since, account.since) + timedelta(days=120)
        if quiet < END and random.random() < 0.07:
            gone = at_work(quiet + timedelta(days=random.randrange((END - quiet).days)), random)
            row = row._replace(
                deleted_at=stamp(gone), updated_at=stamp(gone), updated_by="gdpr_job"
            )
        account.row = row


def backup(accounts: list[Account]) -> Iterator[CustomerBackup]:
    """Copy the customers as they stood when someone took a backup in 2023."""
    for account in accounts:
        row = account.row
        if datetime.fromisoformat(row.created_at).date() <= BACKUP_DAY and row.customer_id % 2:
            who = (row.cust_no, row.customer_type, row.first_name, row.last_name)
            reach = (row.company_name, row.email, row.phone)
            yield CustomerBackup(*who, *reach, BACKUP_DAY.isoformat())
