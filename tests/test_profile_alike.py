"""One shop is told alike by all engines, and to the byte by every run."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.profile_databases import ENGINES, made
from tests.profile_kit import Kit

TYPES = {
    "sqlite": ("DATETIME", "REAL"),
    "duckdb": ("TIMESTAMP", "DOUBLE"),
    "postgres": ("TIMESTAMP", "DOUBLE PRECISION"),
    "mariadb": ("DATETIME", "DOUBLE"),
}
CUSTOMERS = """
CREATE TABLE customers (id INTEGER PRIMARY KEY, segment VARCHAR(10), city VARCHAR(40), vip CHAR(1),
    joined VARCHAR(10), remark VARCHAR(200), is_deleted BOOLEAN, created_at {0}, updated_at {0})
"""
ORDERS = """
CREATE TABLE orders (order_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id),
    status VARCHAR(12), ordered_on DATE, shipped_at_utc {0}, total_cents INTEGER, discount_pct {1},
    placed_ts BIGINT, valid_to DATE, ref VARCHAR(40), qty SMALLINT, weight_kg DECIMAL(8,3),
    price_text VARCHAR(20), due VARCHAR(12), nil VARCHAR(5), zero {1}, big BIGINT)
"""
CITIES = (
    *("Zürich", "Zu\u0308rich", "Köln", "köln", "Paris ", " Paris", "東京", "Straße", "STRASSE"),
    *("İzmir", "café", "cafe", "", "N/A", "\U0001f600 town", "tab\t", "nbsp\u00a0", "O''Hare %"),
)


def _customer(i):
    city, segment = CITIES[i % len(CITIES)], ("A", "b", "B", "a ")[i % 4]
    joined = f"{1 + i % 28:02}.{1 + i % 12:02}.{2010 + i % 14}"
    created, updated = f"2023-0{1 + i % 9}-11 10:00:00", f"2024-0{1 + i % 9}-11 10:00:00"
    return (
        f"({i}, '{segment}', '{city}', '{'YN'[i % 2]}', '{joined}', 'A longer remark {i}; with %',"
        f" {i % 9 == 0}, '{created}', {repr(updated) if i % 2 else 'NULL'})"
    )


def _order(i):
    status, until = ("open", "shipped", "Shipped", "returned")[i % 4], f"2025-01-{1 + i % 28:02}"
    shipped = f"'2024-{1 + i % 12:02}-01 0{i % 10}:00:00'" if i % 3 else "NULL"
    due = f"{1 + i % 12:02}/{1 + i % 28:02}/2024" if i % 7 else "-"
    return (
        f"({i}, {1 + i % 60}, '{status}', '2024-{1 + i % 12:02}-{1 + i % 28:02}', {shipped},"
        f" {i * 100 + 99}, {i % 20 / 2}, {1_700_000_000 + i * 3600},"
        f" '{until if i % 5 else '9999-12-31'}', 'REF-{i:06}', {i % 7 if i % 10 else -1}, {i}.250,"
        f" '{i},5{i % 10}', '{due}', NULL, {-0.0 if i % 2 else 0.0}, {2**53 + 1 + i})"
    )


ROWS = (
    f"INSERT INTO customers VALUES {', '.join(map(_customer, range(1, 61)))}",
    f"INSERT INTO orders VALUES {', '.join(map(_order, range(1, 201)))}",
)
OF_TYPES = {
    ("sqlite", "is_deleted"): {"minimum", "maximum"},
    **{
        ("sqlite", name): {"min_length", "max_length", "text_format"}
        for name in ("created_at", "updated_at", "ordered_on", "shipped_at_utc", "valid_to")
    },
}
"""What differs by type: SQLite has no dates and no truth values, but texts and numbers."""


def _shop(engine):
    return (CUSTOMERS.format(*TYPES[engine]), ORDERS.format(*TYPES[engine]), *ROWS)


@pytest.fixture(scope="module", params=ENGINES)
def shop(request, tmp_path_factory):
    """Return an engine and the shop's profile on it."""
    folder = tmp_path_factory.mktemp(request.param)
    required = request.config.getoption("--require-engines")
    with made(request.param, folder, *_shop(request.param), required=required) as source:
        return request.param, Kit(folder, source).build()


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """Return the shop's profile on DuckDB, whose types are the richest of those in process."""
    folder = tmp_path_factory.mktemp("expected")
    with made("duckdb", folder, *_shop("duckdb"), required=True) as source:
        return Kit(folder, source).build()


@pytest.mark.req("PROF-01", part="alike on four engines")
@pytest.mark.req("PROF-02", part="alike on four engines")
@pytest.mark.req("B5", part="alike on four engines")
def test_the_same_rows_have_the_same_profile_on_each_engine(shop, expected):
    engine, found = shop

    different = [
        (table.table, column.column, fact)
        for table in expected.tables
        for column in table.columns
        for fact in column.__slots__
        if fact not in OF_TYPES.get((engine, column.column), ())
        and getattr(found.by_table[table.table].column(column.column), fact)
        != getattr(column, fact)
    ]
    assert different == []
    assert [table.rows for table in found.tables] == [60, 200]


def test_letters_that_unicode_composes_differently_are_variants(expected):
    city = expected.by_table["customers"].column("city")

    groups = {frozenset(group) for group in city.variants}
    assert {"Zürich", "Zu\u0308rich"} in groups
    assert {"Straße", "STRASSE"} in groups
    assert {"Köln", "köln"} in groups
    assert not any("cafe" in group for group in groups)


AGAIN = """
import sys
from dataclasses import replace
from pathlib import Path
from pipeline.database.source import resolve
from tests.profile_kit import Kit

folder = Path(sys.argv[2])
Kit(folder, resolve(sys.argv[1], Path(), {})).build(workers=1)
"""
ELSEWHERE = {
    "TZ": "Pacific/Auckland",
    "PGTZ": "Pacific/Auckland",
    "LC_ALL": "tr_TR.UTF-8",
    "PYTHONHASHSEED": "4711",
}
MOMENTS = {
    "sqlite": (),
    "duckdb": (
        "CREATE TABLE moments AS SELECT TIMESTAMPTZ '2024-01-01 00:00:00+00' AS at_time",
        "INSERT INTO moments VALUES ('infinity')",
        "CREATE VIEW days AS SELECT at_time::DATE d, at_time::VARCHAR t FROM moments LIMIT 1",
    ),
    "postgres": ("CREATE TABLE moments AS SELECT TIMESTAMPTZ '2024-01-01 00:00:00+00' AS at_time",),
}


@pytest.mark.req("PROF-05", part="the same bytes everywhere")
@pytest.mark.req("SCAN-09", part="any zone, locale, hash seed and order of work")
@pytest.mark.parametrize("engine", MOMENTS)
def test_a_profile_has_the_same_bytes_in_any_zone_locale_and_order_of_work(
    engine, tmp_path, pytestconfig
):
    required = pytestconfig.getoption("--require-engines")
    statements = (*_shop(engine), *MOMENTS[engine])
    with made(engine, tmp_path, *statements, required=required) as source:
        kit = Kit(tmp_path, source)
        kit.build(workers=4)
        (tmp_path / "again").mkdir()

        subprocess.run(
            [sys.executable, "-c", AGAIN, source.url or str(source.path), tmp_path / "again"],
            cwd=Path(__file__).parent.parent,
            env={**os.environ, **ELSEWHERE},
            check=True,
        )

    for written in (kit.catalog, kit.out):
        assert (tmp_path / "again" / written.name).read_bytes() == written.read_bytes()


COLLATED = {
    "sqlite": ("TEXT", "TEXT COLLATE NOCASE", "TEXT COLLATE RTRIM"),
    "duckdb": ("VARCHAR", "VARCHAR COLLATE NOCASE", "VARCHAR COLLATE NOACCENT"),
    "postgres": ("TEXT", 'TEXT COLLATE "loose"', 'TEXT COLLATE "de-DE-x-icu"'),
    "mariadb": (
        "VARCHAR(20) COLLATE utf8mb4_bin",
        "VARCHAR(20) COLLATE utf8mb4_unicode_ci",
        "VARCHAR(20) COLLATE utf8mb4_nopad_bin",
    ),
}


@pytest.mark.req("PROF-01", part="collations")
@pytest.mark.parametrize("engine", COLLATED)
def test_a_collation_changes_nothing_that_is_told(engine, tmp_path, pytestconfig):
    kinds = COLLATED[engine]
    statements = [
        f"CREATE TABLE t (plain {kinds[0]}, folded {kinds[1]}, other {kinds[2]})",
        *(f"INSERT INTO t VALUES ('{v}', '{v}', '{v}')" for v in ("b", "B", "a", "C", "é", "e")),
        *(f"INSERT INTO t VALUES ('{v}', '{v}', '{v}')" for v in ("x", "x ", "Open", "OPEN", "B")),
    ]
    if engine == "postgres":
        options = "provider = icu, locale = 'und-u-ks-level2', deterministic = false"
        statements.insert(0, f"CREATE COLLATION loose ({options})")
    required = pytestconfig.getoption("--require-engines")
    with made(engine, tmp_path, *statements, required=required) as source:
        columns = Kit(tmp_path, source).build().by_table["t"].columns

    plain = replace(columns[0], column="")
    assert (plain.distinct, plain.minimum, plain.maximum) == (10, "B", "é")
    assert len(plain.values) == 10
    assert [replace(column, column="") for column in columns[1:]] == [plain, plain]
