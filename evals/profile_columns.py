"""Columns as messy exports have them, and what a profile should say of each: a labelled set.

A column is a line `name TYPE | values | facts`. Values stand in turn, `*` is NULL, and
`<n>` is filled with the row's number (0 to 299), `<iso>` with what `RECIPES` makes of it.
Facts are `unit=`, `format=`, `zone=`, `sentinels=`, `list=` (complete, part, none), `variants=`
(groups), `bookkeeping` and `deleted`; what isn't named shouldn't be claimed. A list that isn't
named is not judged, nor the format of a date that SQLite stores as text. The labels were written
before the profile was run on them; three slips of the pen were mended afterwards.
`COLUMNS` is what rules were mended with, `LATER` was written after that and run once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import date, datetime, timedelta

ROWS = 300

_DAY = date(2021, 3, 1)
_MOMENT = datetime.fromisoformat("2021-03-01 08:15:42")


def _day(n: int) -> date:
    return _DAY + timedelta(days=(n * 37) % 1300)


def _moment(n: int) -> datetime:
    return _MOMENT + timedelta(minutes=n * 7919 % 1_700_000)


def _random(n: int, low: int, high: int) -> int:
    digest = hashlib.sha256(f"{n} {low}".encode()).digest()
    return low + int.from_bytes(digest[:8], "big") % (high - low + 1)


def _seconds(n: int) -> int:
    return 1_614_586_542 + n * 7919 % 1_700_000 * 60


RECIPES: dict[str, Callable[[int], object]] = {
    "iso": lambda n: _day(n).isoformat(),
    "dmy.": lambda n: _day(n).strftime("%d.%m.%Y"),
    "dmy/": lambda n: _day(n).strftime("%d/%m/%Y"),
    "mdy/": lambda n: _day(n).strftime("%m/%d/%Y"),
    "dmy-": lambda n: _day(n).strftime("%d-%m-%Y"),
    "ymd/": lambda n: _day(n).strftime("%Y/%m/%d"),
    "dmy2": lambda n: _day(n).strftime("%d/%m/%y"),
    "ymd": lambda n: _day(n).strftime("%Y%m%d"),
    "dMony": lambda n: _day(n).strftime("%d-%b-%Y"),
    "month": lambda n: _day(n).strftime("%Y-%m"),
    "at": lambda n: str(_moment(n)),
    "atT": lambda n: _moment(n).isoformat(),
    "atZ": lambda n: _moment(n).isoformat() + "Z",
    "at+2": lambda n: _moment(n).isoformat(" ") + "+02:00",
    "at.": lambda n: _moment(n).strftime("%d.%m.%Y %H:%M"),
    "us": lambda n: _moment(n).strftime("%m/%d/%Y %I:%M %p"),
    "hm": lambda n: _moment(n).strftime("%H:%M"),
    "s": _seconds,
    "ms": lambda n: _seconds(n) * 1000 + n,
    "us6": lambda n: _seconds(n) * 1_000_000 + n,
    "small": lambda n: _random(n, 1, 90),
    "big": lambda n: _random(n, 100_000, 99_999_999),
    "id": lambda n: _random(n, 1, 40),
    "price": lambda n: round(_random(n, 100, 90_000) / 100, 2),
    "cents": lambda n: _random(n, 5, 400) * 100 + (99, 95, 49, 99)[n % 4],
    "whole": lambda n: _random(n, 1, 400) * 100,
    "share": lambda n: _random(n, 0, 100) / 100,
    "part": lambda n: _random(n, 0, 1000) / 10,
    "comma": lambda n: f"{_random(n, 1, 9)}.{_random(n, 100, 999)},{_random(n, 10, 99)}",
    "uuid": lambda n: f"{_random(n, 0, 2**32 - 1):08x}-1a2b-4c3d-8e4f-{n:012x}",
    "hex": lambda n: f"{_random(n, 2**60, 2**64 - 1):016x}{_random(n + 9, 2**60, 2**64 - 1):016x}",
    "word": lambda n: ("alder", "birch", "cedar", "elm", "fir", "hazel", "oak")[n % 7],
    "text": lambda n: (
        f"Customer called about order {n}, wants {_random(n, 2, 9)} more; see note {n * 3}."
    ),
    "year": lambda n: 1990 + n % 34,
    "lat": lambda n: round(_random(n, 47_000, 54_900) / 1000, 3),
}

COLUMNS = {
    "crm_contacts": """
id INTEGER PRIMARY KEY | <n> |
crm_no TEXT | <n:07> | list=none
segment TEXT | A;B;B;C;A ; a;B | list=complete variants=1
country TEXT | DE;de;DE;AT;CH;De | list=complete variants=1
first_seen TEXT | <iso> | format=ISO date
last_contact TEXT | <dmy.> | format=DD.MM.YYYY
contract_start TEXT | <dmy/> | format=DD/MM/YYYY
contract_end TEXT | <dmy/>;<dmy/>;<dmy/>;31/12/9999 | format=DD/MM/YYYY sentinels=31/12/9999
renewal TEXT | <mdy/> | format=MM/DD/YYYY
signed_on TEXT | <iso>;<iso>;<dmy.>;<iso> | format=dates in several formats
valid_from DATE | <iso>;<iso>;1900-01-01 | sentinels=1900-01-01
valid_to DATE | <iso>;<iso>;9999-12-31 | sentinels=9999-12-31
billing_day TEXT | <ymd> | format=YYYYMMDD
invoice_month TEXT | <month> | format=ISO month
next_call TEXT | <iso>;<iso>;N/A;<iso> | format=ISO date sentinels=N/A
last_call TEXT | <iso>;;<iso>;<iso> | format=ISO date
registered TEXT | <dmy-> | format=DD-MM-YYYY
trial_until TEXT | <ymd/> | format=YYYY/MM/DD
paid_on TEXT | <dMony> | format=DD-Mon-YYYY
due TEXT | <dmy2> | format=DD/MM/YY
newsletter TEXT | Y;N;N;Y | format=yes or no list=complete
is_vip TEXT | ja;nein;nein | format=yes or no list=complete
opted_in TEXT | t;f;t | format=yes or no list=complete
active INTEGER | 0;1;1 | list=complete
gdpr_ok TEXT | 1;0;1;1 | format=yes or no list=complete
blocked TEXT | TRUE;FALSE;true;false | format=yes or no list=complete variants=2
aktiv TEXT | Ja;Nein;- | format=yes or no list=complete sentinels=-
sales_region TEXT | North;South;unknown;East | list=complete sentinels=unknown
lead_source TEXT | web;fair;-;phone;n/a | list=complete sentinels=-;n/a
budget_cents INTEGER | <whole> | unit=cents
open_balance INTEGER | <cents> | unit=cents
yearly_revenue DECIMAL(12,2) | <price> |
discount_pct REAL | <part> | unit=percent
churn_percent REAL | <share> | unit=fraction of 1
win_rate REAL | <share> |
employees INTEGER | <small>;<small>;-1;<small> | sentinels=-1
owner_id INTEGER | <id>;<id>;<id>;-1 | sentinels=-1
age INTEGER | <small>;<small>;<small>;<small>;999 | sentinels=999
founded_year INTEGER | <year>;<year>;<year>;0 | sentinels=0
turnover_text TEXT | <comma> | format=number, decimal comma
price_list TEXT | <price> | format=number
tags TEXT | ["a","b"];[];["c"] | format=JSON
settings TEXT | {"theme":"dark","n":<n>} | format=JSON
notes TEXT | <text> |
website TEXT | https://shop<n>.example/a | format=URL
external_ref TEXT | <uuid> | format=UUID
payload_digest TEXT | <hex> | format=hex digits
is_deleted INTEGER | 0;0;0;1 | deleted list=complete
deleted_at TEXT | *;*;*;*;<at> | format=ISO timestamp deleted
created_at TEXT | <at> | format=ISO timestamp bookkeeping
created_by TEXT | import;anna;ben | bookkeeping
updated_at TEXT | <at> | format=ISO timestamp bookkeeping
updated_by TEXT | import;anna;ben | bookkeeping
etl_batch_id INTEGER | <small> | bookkeeping
row_version INTEGER | <small> | bookkeeping
legacy_flag TEXT | *;* |
source_system TEXT | SAP | list=complete
""",
    "crm_activities": """
activity_id INTEGER PRIMARY KEY | <n> |
started_at_utc TEXT | <at> | format=ISO timestamp zone=UTC
ended_at TEXT | <atZ> | format=ISO timestamp with zone zone=UTC
logged TEXT | <at+2> | format=ISO timestamp with zone zone=+02:00
local_start TEXT | <at.> | format=DD.MM.YYYY HH:MM
imported_us TEXT | <us> | format=MM/DD/YYYY HH:MM
slot TEXT | <hm> | format=time of day
clock_in_local DATETIME | <at> | zone=local time
opened INTEGER | <s> |
open_ts INTEGER | <s> | unit=epoch seconds
last_login INTEGER | <s>;<s>;<s>;0 | unit=epoch seconds sentinels=0
event_time BIGINT | <ms> | unit=epoch milliseconds
sync_time BIGINT | <us6> | unit=epoch microseconds
expires_at BIGINT | <s>;<s>;-1 | unit=epoch seconds sentinels=-1
due_date INTEGER | <ymd> | unit=YYYYMMDD
date_key INTEGER | <ymd>;<ymd>;19000101 | unit=YYYYMMDD sentinels=19000101
duration_sec INTEGER | <big> | unit=seconds
duration_ms INTEGER | <big> | unit=milliseconds
wait_minutes INTEGER | <small> | unit=minutes
call_count INTEGER | <small> |
update_count INTEGER | <small> |
priority INTEGER | 1;2;3;2 | list=complete
channel TEXT | mail;Mail;MAIL;phone | list=complete variants=1
outcome_code TEXT | 001;002;010 | list=complete
cost_center TEXT | 00<id> |
result TEXT | ok;failed;?;TBD | list=complete sentinels=?;TBD
removed_date DATE | *;*;*;<iso> | deleted
deletion_reason TEXT | *;*;gdpr | list=complete
days_to_close INTEGER | <small> | unit=days
contract_months INTEGER | 12;24;36 | unit=months
max_temp_c REAL | <part> | unit=degrees Celsius
score REAL | <part> |
inserted_at DATETIME | <at> | bookkeeping
last_modified DATETIME | <at> | bookkeeping
modified_user TEXT | anna;ben | bookkeeping
_airbyte_emitted_at BIGINT | <ms> | unit=epoch milliseconds bookkeeping
booked_on DATE | <iso> |
""",
    "meter_readings": """
reading_id INTEGER PRIMARY KEY | <n> |
meter_no TEXT | M<n:05> |
read_at TIMESTAMP | <at> |
consumption_kwh REAL | <price> | unit=kilowatt hours
pressure_mbar INTEGER | <big> | unit=millibars
flow_l REAL | <price> |
volume_l REAL | <price> | unit=litres
battery_pct INTEGER | <small> | unit=percent
humidity INTEGER | <small> |
payload_bytes INTEGER | <big> | unit=bytes
file_size_mb REAL | <price> | unit=megabytes
distance_km REAL | <price> | unit=kilometres
weight_kg REAL | <price> | unit=kilograms
length_mm INTEGER | <big> | unit=millimetres
area_m2 REAL | <price> | unit=square metres
speed_kmh REAL | <price> | unit=kilometres per hour
power_kw REAL | <price> | unit=kilowatts
voltage_v REAL | <price> | unit=volts
angle_deg REAL | <part> | unit=degrees
latitude REAL | <lat> |
price_eur DECIMAL(10,2) | <price> | unit=EUR
fee_usd_cents INTEGER | <whole> | unit=cents
amount_minor INTEGER | <whole> | unit=cents
margin_bps INTEGER | <small> | unit=basis points
vat_percent INTEGER | 7;19;19 | unit=percent list=complete
tax_rate REAL | 0.07;0.19 | list=complete
cost_per_kwh REAL | <share> |
quality TEXT | good;bad;good;(none);null | list=complete sentinels=(none);null
state TEXT | on;off | list=complete
unit TEXT | kWh;m3 | list=complete
raw_value REAL | <price>;<price>;<price>;<price>;-999 | sentinels=-999.0
signed_delta INTEGER | <small>;-1;-2;-5 |
grade INTEGER | 1;2;3;4;5;9 | list=complete
zip TEXT | 0<id>11 |
version TEXT | 1.0;1.1;2.0 | list=complete
species TEXT | <word> | list=complete
free_code TEXT | <word>-<n> |
lot TEXT | 2021<id> |
constant INTEGER | 1 | list=complete
empty TEXT | *|
dwh_loaded_at TIMESTAMP | <at> | bookkeeping
hash_diff TEXT | <hex> | format=hex digits bookkeeping
geloescht TEXT | N;N;J | format=yes or no deleted list=complete
erstellt_am TIMESTAMP | <at> | bookkeeping
geaendert_am TIMESTAMP | <at> | bookkeeping
geaendert_von TEXT | anna;ben | bookkeeping
fecha_modificacion TIMESTAMP | <at> | bookkeeping
""",
}

LATER = {
    "billing_accounts": """
acct TEXT | AC-<n:06> | list=none
opened TEXT | <mdy/> | format=MM/DD/YYYY
closed TEXT | <mdy/>;<mdy/>;<mdy/>;unknown | format=MM/DD/YYYY sentinels=unknown
cycle_start TEXT | <iso>;<mdy/>;<iso> | format=dates in several formats
statement_ts TEXT | <atT> | format=ISO timestamp
posted_on INTEGER | <ymd>;<ymd>;99991231 | unit=YYYYMMDD sentinels=99991231
autopay TEXT | yes;no;yes | format=yes or no list=complete
paperless TEXT | Yes;No;YES;no | format=yes or no list=complete variants=2
dunning TEXT | oui;non | format=yes or no list=complete
sex TEXT | M;F;M |
hemisphere TEXT | N;S;N | list=complete
plan TEXT | basic;Basic ;pro;PRO | list=complete variants=2
late_fee_cents INTEGER | <whole>;<whole>;0 | unit=cents
credit_limit INTEGER | <whole> |
balance_text TEXT | <price>;<price>;-<price> | format=number
iban_ok INTEGER | 0;1 | list=complete
apr_pct DECIMAL(5,2) | <part> | unit=percent
utilization_pct REAL | <share>;<share>;1.0 | unit=fraction of 1
tier_no INTEGER | 1;2;3 | list=complete
branch_code TEXT | 0010;0020;0300 | list=complete
memo TEXT | <text>;;- | sentinels=-
meta TEXT | {"k":<n>};{} | format=JSON
meta_cut TEXT | {curly <n>} |
months_overdue INTEGER | 0;1;2;3;4;5;6;-1 | unit=months sentinels=-1
net_change INTEGER | <small>;-1;-3 |
risk INTEGER | <small>;<small>;<small>;-99 | sentinels=-99
app_version TEXT | 1.0;1.1;1.2;1.3;2.0;2.1 | list=complete
ip_range TEXT | 10.0.<n>.1 |
ratio_txt TEXT | <part>% | format=percent sign after numbers
removed INTEGER | 0;0;1 | deleted list=complete
archived INTEGER | 0;1 | list=complete
deleted_on DATE | *;*;*;*;<iso> | deleted
rec_created_ts TEXT | <at> | format=ISO timestamp bookkeeping
rec_updated_ts TEXT | <at> | format=ISO timestamp bookkeeping
lastModifiedBy TEXT | anna;ben | bookkeeping
_fivetran_synced TEXT | <atZ> | format=ISO timestamp with zone zone=UTC bookkeeping
""",
    "shipping_events": """
seq BIGINT | <n> |
ship_date TEXT | <dMony> | format=DD-Mon-YYYY
eta TEXT | <ymd/>;*;<ymd/> | format=YYYY/MM/DD
picked TEXT | <us> | format=MM/DD/YYYY HH:MM
delivered_epoch INTEGER | <s>;<s>;0 | unit=epoch seconds sentinels=0
scan_ms BIGINT | <ms> | unit=epoch milliseconds
scanned_at_gmt DATETIME | <at> | zone=UTC
cutoff TEXT | <hm> | format=time of day
tracking TEXT | 1Z<n:012> | list=none
weight_lbs REAL | <price> | unit=pounds (weight)
height_in REAL | <price> | unit=inches
volume_m3 REAL | <price> | unit=cubic metres
temp_min_c REAL | <part> | unit=degrees Celsius
transit_days INTEGER | <small>;<small>;<small>;999 | unit=days sentinels=999
handling_hrs REAL | <part> | unit=hours
size_gb REAL | <price> | unit=gigabytes
price_per_kg REAL | <price> |
parcel_count INTEGER | <small> |
carrier TEXT | DHL;dhl;UPS;ups;N/A | list=complete variants=2 sentinels=N/A
status TEXT | in;out;void | list=complete
direction TEXT | I;O | list=complete
express TEXT | J;N | format=yes or no list=complete
fragile TEXT | false;true | format=yes or no list=complete
route TEXT | <word>/<word> | list=complete
zone_no TEXT | 1;2;3 | list=complete
parent_seq INTEGER | <id>;<id>;-1 | sentinels=-1
model_year INTEGER | <year>;<year>;<year>;9999 | sentinels=9999
declared_value TEXT | <comma> | format=number, decimal comma
customs_doc TEXT | <xml id="<n>"/> | format=XML
label_url TEXT | http://l.example/<n> | format=URL
guid TEXT | <uuid> | format=UUID
valid_until TEXT | <dmy.>;31.12.9999 | format=DD.MM.YYYY sentinels=31.12.9999
gemessen TEXT | <at.>;k.A. | format=DD.MM.YYYY HH:MM sentinels=k.A.
datum_aenderung TIMESTAMP | <at> | bookkeeping
cree_le TIMESTAMP | <at> | bookkeeping
modifie_par TEXT | anna;ben | bookkeeping
version INTEGER | 1;2;3 | list=complete
xmin_hash TEXT | <hex> | format=hex digits
""",
}
