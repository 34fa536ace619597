"""The same facts, told of the same rows by four engines; and the types that only one has."""

import pytest

from schemas.models import ValueCount
from tests.profile_databases import ENGINES, made
from tests.profile_kit import Kit

TYPES = {
    "sqlite": {"moment": "DATETIME", "double": "REAL", "json": "JSON"},
    "duckdb": {"moment": "TIMESTAMP", "double": "DOUBLE", "json": "JSON"},
    "postgres": {"moment": "TIMESTAMP", "double": "DOUBLE PRECISION", "json": "JSON"},
    "mariadb": {"moment": "DATETIME", "double": "DOUBLE", "json": "JSON"},
}
FACTS = """
CREATE TABLE facts (id INTEGER PRIMARY KEY, status VARCHAR(20), amount DECIMAL(10,2),
    made_at_utc {moment}, valid_to DATE, is_open BOOLEAN, score {double}, price_cents INTEGER,
    tax_pct {double}, seen_ts BIGINT, iso_day VARCHAR(20), never VARCHAR(5), always VARCHAR(5),
    deleted_at {moment}, updated_at {moment}, doc {json}, delta INTEGER)
"""
ROWS = """
INSERT INTO facts VALUES
(1, 'open', 1.50, '2024-01-02 03:04:05', '9999-12-31', true, 0.5, 1999, 19, 1704067200,
 '2024-01-31', NULL, 'x', NULL, '2024-02-01 00:00:00', '{"a": 1}', -1),
(2, 'open ', 99.25, '2024-03-04 05:06:07', '2024-05-01', false, 2.5, 2999, 7, 1735689600,
 '2024-02-29', NULL, 'x', NULL, '2024-02-01 00:00:00', '{"a": 22}', 4),
(3, 'Open', NULL, '2024-03-04 05:06:07', '2024-05-01', true, NULL, 4990, 7, 1735689600,
 '2024-02-29', NULL, 'x', NULL, '2024-02-01 00:00:00', NULL, 5),
(4, 'open', 7.00, '2024-03-04 05:06:07', NULL, true, -3.25, 4990, 7, 1735689600,
 '2024-02-29', NULL, 'x', '2024-03-05 00:00:00', '2024-02-01 00:00:00', NULL, 6),
(5, NULL, 8.00, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'x', NULL, NULL, NULL, 7),
(6, NULL, 8.00, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'x', NULL, NULL, NULL, 8)
"""


@pytest.fixture(scope="module", params=ENGINES)
def facts(request, tmp_path_factory):
    """Return the profile of `facts` on one engine."""
    folder = tmp_path_factory.mktemp(request.param)
    ddl = FACTS.format(**TYPES[request.param])
    required = request.config.getoption("--require-engines")
    with made(request.param, folder, ddl, ROWS, required=required) as source:
        return Kit(folder, source).build().by_table["facts"]


@pytest.mark.req("PROF-01", part="four engines")
def test_numbers_have_their_range_and_nulls(facts):
    amount, score = facts.column("amount"), facts.column("score")

    assert (facts.rows, facts.error) == (6, None)
    assert (amount.nulls, amount.distinct, amount.minimum, amount.maximum) == (1, 4, 1.5, 99.25)
    assert (score.nulls, score.minimum, score.maximum) == (3, -3.25, 2.5)
    assert facts.column("id").distinct == 6


@pytest.mark.req("PROF-02", part="four engines")
@pytest.mark.req("B5", part="four engines")
def test_a_dictionary_tells_apart_what_is_stored_differently(facts):
    status = facts.column("status")

    assert status.values[0] == ValueCount("open", 2)
    assert sorted(v.value for v in status.values) == ["Open", "open", "open "]
    assert status.values_complete
    assert [set(group) for group in status.variants] == [{"Open", "open", "open "}]
    assert (status.distinct, status.min_length, status.max_length, status.padded) == (3, 4, 5, 1)


@pytest.mark.req("PROF-01", part="dates on four engines")
def test_dates_keep_their_form_and_the_end_of_time_is_no_date(facts):
    made_at, valid_to = facts.column("made_at_utc"), facts.column("valid_to")

    assert (made_at.minimum, made_at.maximum) == ("2024-01-02 03:04:05", "2024-03-04 05:06:07")
    assert (valid_to.minimum, valid_to.maximum) == ("2024-05-01", "9999-12-31")
    assert valid_to.sentinels == ("9999-12-31",)
    assert made_at.time_zone == "UTC"


def test_flags_constants_and_empty_columns_are_counted(facts):
    flag, never, always = (facts.column(name) for name in ("is_open", "never", "always"))

    assert (flag.nulls, flag.distinct) == (2, 2)
    assert [v.count for v in flag.values] == [3, 1]
    assert (never.nulls, never.distinct, never.minimum) == (6, 0, None)
    assert (always.distinct, always.values) == (1, (ValueCount("x", 6),))


def test_meaning_is_told_alike(facts):
    assert facts.column("price_cents").unit == "cents"
    assert facts.column("tax_pct").unit == "percent"
    assert facts.column("seen_ts").unit == "epoch seconds"
    assert facts.column("iso_day").text_format == "ISO date"
    assert facts.column("deleted_at").soft_delete
    assert facts.column("updated_at").housekeeping
    assert facts.column("delta").sentinels == (-1,)


def test_json_has_lengths_and_its_form(facts):
    doc = facts.column("doc")

    assert (doc.nulls, doc.min_length, doc.max_length) == (4, 8, 9)
    assert (doc.text_format, doc.minimum, doc.values) == ("JSON", None, ())


ODD = {
    "duckdb": (
        "CREATE TYPE mood AS ENUM ('sad', 'fine')",
        (
            "CREATE TABLE odd (v INTEGER, m mood, u UUID, l INTEGER[], s STRUCT(a INTEGER),"
            " h HUGEINT, b BIT, i INTERVAL, d DATE, t TIMESTAMP, e BLOB, mp MAP(VARCHAR, INTEGER),"
            " f DOUBLE)"
        ),
        (
            "INSERT INTO odd VALUES (7, 'sad', 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee', [1],"
            " {'a': 1}, 170141183460469231731687303715884105727, '101', INTERVAL 14 MONTH,"
            " 'infinity', '-infinity', 'x', MAP {'k': 1}, 'nan'),"
            " (8, 'fine', NULL, NULL, NULL, NULL, NULL, NULL, '2024-01-01', '2024-01-01', NULL,"
            " NULL, 1.5)"
        ),
    ),
    "postgres": (
        "CREATE TYPE mood AS ENUM ('sad', 'fine')",
        "CREATE DOMAIN flag AS BOOLEAN",
        (
            "CREATE TABLE odd (v INTEGER, m mood, u UUID, l INTEGER[], j JSON, jb JSONB, x XML,"
            " p POINT, b BIT(1), i INTERVAL, d DATE, t TIMESTAMPTZ, e BYTEA, f NUMERIC, n INET,"
            " fl flag, r INT4RANGE, ts TSVECTOR, o OID)"
        ),
        (
            "INSERT INTO odd VALUES (7, 'sad', 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee', '{1}', '{}',"
            " '{}', '<a/>', '(1,2)', B'1', '14 months', 'infinity', '-infinity', 'x', 'NaN',"
            " '10.0.0.1', true, '[1,3)', 'a b', 1), (8, 'fine', NULL, NULL, NULL, NULL, NULL, NULL,"
            " NULL, NULL, '2024-01-01', '0044-03-15 BC', NULL, 1.5, NULL, NULL, NULL, NULL, NULL)"
        ),
    ),
    "mariadb": (
        "SET sql_mode = ''",
        (
            "CREATE TABLE odd (v INTEGER, m ENUM('sad', 'fine'), st SET('a', 'b'), u UUID, j JSON,"
            " p POINT, b BIT(1), b8 BIT(8), d DATE, t DATETIME, tm TIME, y YEAR, e BLOB)"
        ),
        (
            "INSERT INTO odd VALUES (7, 'sad', 'a,b', 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee', '{}',"
            " POINT(1, 2), 1, 5, '0000-00-00', '0000-00-00', '-25:00:01', 2024, 'x'),"
            " (8, 'fine', NULL, NULL, NULL, NULL, 0, NULL, '2024-01-01', '2024-01-01', NULL, NULL,"
            " NULL)"
        ),
    ),
}
ENDS = {
    "duckdb": {
        "h": (2**127 - 1, 2**127 - 1),
        "i": ("1 year 2 months", "1 year 2 months"),
        "d": ("2024-01-01", "infinity"),
        "t": ("-infinity", "2024-01-01 00:00:00"),
        "f": (1.5, "nan"),
    },
    "postgres": {
        "i": ("1 year 2 mons", "1 year 2 mons"),
        "d": ("2024-01-01", "infinity"),
        "f": (1.5, "nan"),
        "n": ("10.0.0.1", "10.0.0.1"),
    },
    "mariadb": {
        "d": ("0000-00-00", "2024-01-01"),
        "tm": ("-25:00:01", "-25:00:01"),
        "y": (2024, 2024),
    },
}


@pytest.fixture(scope="module", params=ODD)
def odd(request, tmp_path_factory):
    """Return an engine and the profile of a table with all its odd types."""
    folder = tmp_path_factory.mktemp(request.param)
    required = request.config.getoption("--require-engines")
    with made(request.param, folder, *ODD[request.param], required=required) as source:
        return request.param, Kit(folder, source).build().by_table["odd"]


def test_types_that_an_engine_cant_compare_cost_no_other_column_its_figures(odd):
    _, table = odd

    assert (table.rows, table.error) == (2, None)
    assert [c.column for c in table.columns if c.nulls is None] == []
    assert (table.column("v").minimum, table.column("v").maximum) == (7, 8)
    assert sorted(v.value for v in table.column("m").values) == ["fine", "sad"]


def test_ends_that_python_has_no_type_for_are_told_as_the_engine_writes_them(odd):
    engine, table = odd

    found = {name: (c.minimum, c.maximum) for name in ENDS[engine] if (c := table.column(name))}
    assert found == ENDS[engine]


def test_days_that_are_none_are_sentinels(odd):
    engine, table = odd

    expected = {"mariadb": ("0000-00-00",)}.get(engine, ("infinity",))
    assert table.column("d").sentinels == expected


def test_a_bit_is_listed_as_a_number_and_a_string_of_bits_is_not(odd):
    engine, table = odd

    listed = sorted(str(v.value) for v in table.column("b").values)
    assert listed == {"mariadb": ["0", "1"], "postgres": ["1"], "duckdb": []}[engine]


def test_blanks_that_fill_a_text_of_fixed_length_are_no_part_of_it(tmp_path, request):
    required = request.config.getoption("--require-engines")
    rows = "INSERT INTO t VALUES ('H'), ('H'), ('HM');"
    with made("postgres", tmp_path, "CREATE TABLE t (v CHAR(3));", rows, required=required) as at:
        column = Kit(tmp_path, at).column()

    assert column.values == (ValueCount("H", 2), ValueCount("HM", 1))
    assert (column.minimum, column.max_length, column.padded) == ("H", 2, 0)
