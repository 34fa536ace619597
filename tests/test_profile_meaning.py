"""What names and counts together say of a column."""

import pytest

from tests.profile_kit import Kit


@pytest.fixture
def kit(make_db, tmp_path):
    """Return a function from SQL to a `Kit`."""
    return lambda sql: Kit(tmp_path, make_db(sql))


@pytest.mark.req("SEM-04", part="detection")
@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        pytest.param(
            "ModifiedDate DATETIME, rowguid TEXT, v TEXT",
            {"ModifiedDate", "rowguid"},
            id="AdventureWorks",
        ),
        pytest.param("last_update TIMESTAMP, v TEXT", {"last_update"}, id="Sakila"),
        pytest.param(
            "updated_at DATETIME, updated_by TEXT", {"updated_at", "updated_by"}, id="audit"
        ),
        pytest.param("created_at DATETIME, v TEXT", set(), id="the only date is a fact"),
        pytest.param(
            "created_at DATETIME, updated_at DATETIME", {"updated_at"}, id="no other date"
        ),
        pytest.param(
            "created_at DATETIME, updated_at DATETIME, due_on DATE",
            {"created_at", "updated_at"},
            id="created beside a business date",
        ),
        pytest.param("update_count INTEGER, created_count INTEGER", set(), id="counts"),
        pytest.param("order_date DATE, changed_price REAL", set(), id="business"),
        pytest.param("_fivetran_synced TEXT", {"_fivetran_synced"}, id="loading tool"),
        pytest.param("rec_created_ts TEXT", {"rec_created_ts"}, id="of the record"),
        pytest.param(
            "modifié_le TEXT, Änderungsdatum DATE", {"modifié_le", "Änderungsdatum"}, id="accents"
        ),
    ],
)
def test_housekeeping_columns_are_told_from_business_dates(kit, columns, expected):
    table = kit(f"CREATE TABLE t ({columns});").build().by_table["t"]

    assert {c.column for c in table.columns if c.housekeeping} == expected


@pytest.mark.parametrize(
    ("column", "values", "expected"),
    [
        pytest.param(
            "deleted_at DATETIME",
            "(NULL), (NULL), ('2024-01-01 00:00:00')",
            True,
            id="mostly null time",
        ),
        pytest.param("is_deleted INTEGER", "(0), (1), (0)", True, id="flag"),
        pytest.param("IsDeleted BOOLEAN", "(0)", True, id="camel case, none deleted yet"),
        pytest.param("deleted INTEGER", "(0), (17), (3)", False, id="a count"),
        pytest.param("deleted_by TEXT", "('ann')", False, id="who"),
        pytest.param("is_active INTEGER", "(0), (1)", False, id="active is a state"),
    ],
)
def test_soft_delete_marks_are_found(kit, column, values, expected):
    name = column.split()[0]
    found = kit(f"CREATE TABLE t (id INTEGER, {column}); INSERT INTO t ({name}) VALUES {values};")

    assert found.column(name).soft_delete is expected


@pytest.mark.parametrize(
    ("column", "values", "expected"),
    [
        pytest.param("price_cents INTEGER", "(1999)", "cents", id="cents by name"),
        pytest.param(
            "discount_pct REAL", "(0.1), (0.25)", "fraction of 1", id="percent as a fraction"
        ),
        pytest.param("discount_pct REAL", "(5), (25)", "percent", id="percent"),
        pytest.param(
            "created_ts INTEGER", "(1704067200), (1735689600)", "epoch seconds", id="epoch seconds"
        ),
        pytest.param(
            "event_time INTEGER", "(1704067200000)", "epoch milliseconds", id="epoch milliseconds"
        ),
        pytest.param(
            "login_ts INTEGER",
            "(0), (1704067200), (1735689600)",
            "epoch seconds",
            id="epoch seconds or 0",
        ),
        pytest.param(
            "day INTEGER", "(20240131), (20240201), (99991231)", None, id="too few days as numbers"
        ),
        pytest.param(
            "day INTEGER",
            "(20240131), (20240201), (20240202), (99991231)",
            "YYYYMMDD",
            id="days as numbers",
        ),
        pytest.param("power_w INTEGER", "(250)", "watts", id="watts"),
        pytest.param("wind_ms FLOAT", "(0.0), (25.0)", "metres per second", id="speed of wind"),
        pytest.param("reading_ms FLOAT", "(0.5), (25.0)", None, id="milliseconds or m/s"),
        pytest.param("latency_ms FLOAT", "(0.5), (25.0)", "milliseconds", id="parts of ms"),
        pytest.param("step_ms INTEGER", "(5), (250)", "milliseconds", id="whole ms"),
        pytest.param("price_cents REAL", "(19.99), (5.5)", None, id="no parts of a cent"),
        pytest.param("area_m2 INTEGER", "(250)", "square metres", id="square metres"),
        pytest.param("weight_g INTEGER", "(250)", "grams", id="a letter after its quantity"),
        pytest.param("size_m INTEGER", "(2)", None, id="a letter after anything else"),
        pytest.param("lead_time_days INTEGER", "(3)", "days", id="days"),
        pytest.param("total INTEGER", "(1704067200)", None, id="a large number is no time"),
        pytest.param("price INTEGER", "(100), (200)", None, id="whole prices"),
        pytest.param("cost_per_kg REAL", "(1.5)", None, id="per unit"),
    ],
)
def test_units_are_told_only_when_name_and_data_agree(kit, column, values, expected):
    name = column.split()[0]
    found = kit(f"CREATE TABLE t ({column}); INSERT INTO t VALUES {values};")

    assert found.column(name).unit == expected


def test_whole_prices_that_end_like_prices_are_cents(kit):
    values = ", ".join(f"({euros * 100 + 99})" for euros in range(5, 60))
    found = kit(f"CREATE TABLE t (price INTEGER); INSERT INTO t VALUES {values};")

    assert found.column("price").unit == "cents"


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        pytest.param("('2024-01-31'), ('1999-12-01')", "ISO date", id="ISO dates"),
        pytest.param("('2024-01-31 10:00:00')", "ISO timestamp", id="ISO timestamps"),
        pytest.param("('2024-01-31T10:00:00Z')", "ISO timestamp with zone", id="with zone"),
        pytest.param("('31/12/2024'), ('01/02/2024')", "DD/MM/YYYY", id="day first"),
        pytest.param("('12/31/2024')", "MM/DD/YYYY", id="month first"),
        pytest.param("('01/02/2024')", "dates, day or month first", id="no telling"),
        pytest.param("('123e4567-e89b-12d3-a456-426614174000')", "UUID", id="UUID"),
        pytest.param("('{\"a\": 1}'), ('[1, 2]')", "JSON", id="JSON"),
        pytest.param("('https://x.test/a')", "URL", id="URL"),
        pytest.param("('2024-01-31'), ('soon')", None, id="one that isn't"),
        pytest.param("('12345'), ('678')", None, id="digits"),
        pytest.param("('2024-01-31'), ('N/A'), ('')", "ISO date", id="dates and fillers"),
        pytest.param("('31.01.24'), ('01.02.24')", "DD.MM.YY", id="two digits of the year"),
        pytest.param("('31-01-2024'), ('01-02-2024')", "DD-MM-YYYY", id="dashes"),
        pytest.param("('31.01.2024 9:05')", "DD.MM.YYYY HH:MM", id="with a time"),
        pytest.param("('31 Jan 2024'), ('1 Okt 2024')", "DD Mon YYYY", id="months by name"),
        pytest.param("('Jan 31, 2024')", "Mon DD, YYYY", id="month by name first"),
        pytest.param("('2024/01/31')", "YYYY/MM/DD", id="year first"),
        pytest.param(
            "('20240131'), ('20240201'), ('20240301')", "YYYYMMDD", id="days without marks"
        ),
        pytest.param("('20240131'), ('20241301'), ('20240301')", None, id="eight digits"),
        pytest.param(
            "('20240131'), ('20240201'), ('20240301'), ('99991231'), ('00000000')",
            "YYYYMMDD",
            id="days without marks, or none",
        ),
        pytest.param("('20240131'), ('20240201'), ('99991231')", None, id="too few of them"),
        pytest.param(
            "('2024-01-31'), ('31.01.2024')", "dates in several formats", id="two notations"
        ),
        pytest.param("('Y'), ('n'), ('N/A')", "yes or no", id="yes or no"),
        pytest.param("('ja'), ('nein')", "yes or no", id="ja oder nein"),
        pytest.param("('N'), ('S')", None, id="north or south"),
        pytest.param("('Y'), ('N'), ('M')", None, id="three codes"),
        pytest.param(
            "('1.5'), ('2.25'), ('10'), ('-0.5'), ('1,200.00')", "number", id="numbers as text"
        ),
        pytest.param(
            "('1,5'), ('2,25'), ('1.000,1'), ('-0,5'), ('3,0')",
            "number, decimal comma",
            id="decimal commas",
        ),
        pytest.param("('1.0'), ('1.1')", None, id="a few could be versions"),
        pytest.param("('12 %'), ('7.5%')", "percent sign after numbers", id="percent signs"),
        pytest.param("('{a}'), ('[b]')", None, id="braces are no JSON"),
    ],
)
def test_a_text_format_is_told_when_all_texts_have_it(kit, values, expected):
    found = kit(f"CREATE TABLE t (v TEXT); INSERT INTO t VALUES {values};")

    assert found.column().text_format == expected


def test_numbers_and_texts_in_one_column_are_told(kit):
    found = kit("CREATE TABLE t (v INTEGER); INSERT INTO t VALUES (5), (7), ('N/A'), ('five');")

    column = found.column()
    assert (column.text_format, column.minimum) == ("numbers and texts mixed", 5)
    assert column.sentinels == ("N/A",)


def test_numbers_of_a_view_are_no_numbers_as_text(kit):
    rows = ", ".join(f"({n}.5)" for n in range(9))
    found = kit(
        f"CREATE TABLE t (v REAL); INSERT INTO t VALUES {rows};"
        " CREATE VIEW w AS SELECT v * 2.1 AS x FROM t;"
    )

    column = found.column("x", "w")
    assert (column.text_format, column.minimum) == (None, 1.05)


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        pytest.param("ordered_at_utc DATETIME", "UTC", id="utc"),
        pytest.param("ordered_at_local DATETIME", "local time", id="local"),
        pytest.param("ordered_at DATETIME", None, id="nothing said"),
        pytest.param("utc_offset INTEGER", None, id="an offset"),
    ],
)
def test_time_zones_are_read_from_suffixes(kit, column, expected):
    found = kit(f"CREATE TABLE t ({column});")

    assert found.column(column.split()[0]).time_zone == expected


@pytest.mark.parametrize(
    ("column", "values", "expected"),
    [
        pytest.param(
            "valid_to DATE", "('2024-05-01'), ('9999-12-31')", ("9999-12-31",), id="forever"
        ),
        pytest.param(
            "valid_from DATE", "('1900-01-01'), ('2024-05-01')", ("1900-01-01",), id="ever"
        ),
        pytest.param(
            "valid_from DATE",
            "('0000-00-00'), ('-4713-01-01'), ('2024-05-01'), ('2999-12-31'), ('9999-12-31')",
            ("-4713-01-01", "0000-00-00", "2999-12-31", "9999-12-31"),
            id="several at each end",
        ),
        pytest.param("birth_date DATE", "('1900-01-01'), ('1990-05-01')", (), id="a birth date"),
        pytest.param("age INTEGER", "(-1), (1), (2), (3), (4), (5), (6)", (-1,), id="minus one"),
        pytest.param(
            "delta INTEGER", "(-1), (-2), (2), (3), (4), (5), (6)", (), id="a signed measure"
        ),
        pytest.param("score INTEGER", "(1), (2), (3), (4), (5), (6), (9999)", (9999,), id="nines"),
        pytest.param("raw REAL", "(1), (2), (3), (4), (5), (-999)", (-999.0,), id="minus nines"),
        pytest.param("year INTEGER", "(0), (2001), (2002), (2003), (2004)", (0,), id="year 0"),
        pytest.param("last_year INTEGER", "(0), (20010), (2002), (2003), (2004)", (), id="sales"),
        pytest.param("paid INTEGER", "(0), (2001), (2002), (2003), (2004)", (), id="nothing paid"),
        pytest.param("day TEXT", "('31.12.9999'), ('01.02.2024')", ("31.12.9999",), id="day first"),
        pytest.param(
            "till TEXT",
            "('20240131'), ('20240201'), ('20240301'), ('99991231'), ('00000000')",
            ("00000000", "99991231"),
            id="days without marks",
        ),
        pytest.param(
            "till INTEGER",
            "(20240131), (20240201), (20240301), (99991231), (99991231), (99991231), (99991231)",
            (99991231,),
            id="mostly forever, as a number",
        ),
        pytest.param("v TEXT", "('a'), ('N/A'), ('')", ("", "N/A"), id="fillers"),
        pytest.param("v TEXT", "('NA'), ('EU')", (), id="a code that looks like a filler"),
    ],
)
def test_sentinels_are_values_that_stand_for_something_else(kit, column, values, expected):
    found = kit(f"CREATE TABLE t ({column}); INSERT INTO t VALUES {values};")

    assert found.column(column.split()[0]).sentinels == expected
