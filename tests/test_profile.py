"""What a profile states of tables and columns, and what it keeps to itself."""

import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import pytest

from pipeline import artifacts, scan
from pipeline.database.source import resolve
from pipeline.errors import ArtifactError, SettingError
from pipeline.profile import build
from schemas.models import Profile, ValueCount
from schemas.settings import KbSettings, ProfileSettings


class Kit:
    """A database, its catalogue and what `build` makes of it."""

    def __init__(self, folder, path):
        self.folder = folder
        self.source = resolve(str(path), Path(), {})
        self.catalog = folder / "catalog.json"
        self.out = folder / "profile.json"
        self.semantic = folder / "semantic.yaml"
        scan.build(source=self.source, settings=KbSettings(name="test"), out=self.catalog)

    def build(self, cache=None, progress=lambda *_: None, **settings):
        self.account = build(
            source=self.source,
            settings=KbSettings(name="test", profile=ProfileSettings(**settings)),
            catalog=self.catalog,
            semantic=self.semantic,
            out=self.out,
            progress=progress,
            cache=cache,
        )
        return artifacts.read(self.out, Profile)

    def column(self, name="v", table="t", **settings):
        return self.build(**settings).by_table[table].column(name)


@pytest.fixture
def kit(make_db, tmp_path):
    """Return a function from SQL to a `Kit`."""
    return lambda sql: Kit(tmp_path, make_db(sql))


@pytest.mark.req("PROF-01", part="SQLite")
def test_rows_nulls_distinct_values_range_lengths_and_padding_are_counted(kit):
    column = kit(
        "CREATE TABLE t (v TEXT); INSERT INTO t VALUES ('b '), ('a'), ('a'), (NULL), ('ccc');"
    ).column()

    assert (column.nulls, column.distinct) == (1, 3)
    assert (column.minimum, column.maximum) == ("a", "ccc")
    assert (column.min_length, column.max_length, column.padded) == (1, 3, 1)


@pytest.mark.req("PROF-01", part="SQLite")
def test_an_empty_table_and_an_all_null_column_have_figures(kit):
    found = kit("CREATE TABLE t (v TEXT); CREATE TABLE u (w INTEGER); INSERT INTO u VALUES (NULL);")

    profile = found.build()

    assert (profile.by_table["t"].rows, profile.by_table["t"].column("v").distinct) == (0, 0)
    assert profile.by_table["u"].column("w").nulls == 1


@pytest.mark.req("PROF-02", part="SQLite")
@pytest.mark.req("B5", part="SQLite")
def test_a_dictionary_holds_every_literal_as_stored_most_frequent_first(kit):
    column = kit(
        "CREATE TABLE t (v CHAR(3));"
        "INSERT INTO t VALUES ('H  '), ('H  '), ('L  '), ('l  '), ('M'), ('H'), (NULL);"
    ).column()

    assert column.values[0] == ValueCount("H  ", 2)
    assert sorted(v.value for v in column.values) == ["H", "H  ", "L  ", "M", "l  "]
    assert column.values_complete
    assert column.variants == (("H", "H  "), ("L  ", "l  "))


@pytest.mark.req("C24")
def test_a_longer_list_is_a_sample_of_frequent_values_and_says_so(kit):
    column = kit(
        "CREATE TABLE t (v TEXT);"
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)"
        "INSERT INTO t SELECT 'word ' || (i % 2500) FROM n;"
        "INSERT INTO t VALUES ('word 7'), ('word 7');"
    ).column()

    assert not column.values_complete
    assert (len(column.values), column.distinct) == (200, 2500)
    assert column.values[0] == ValueCount("word 7", 5)


@pytest.mark.req("PROF-02", part="SQLite")
def test_names_are_listed_and_ids_guids_and_long_texts_are_not(kit):
    found = kit(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, product_name TEXT, guid TEXT, note TEXT, n INT);"
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)"
        "INSERT INTO t SELECT i, 'Tent ' || i, printf('%08x-0000-4000-8000-%012x', i, i),"
        " 'A long remark that nobody would ever type, no. ' || i || hex(zeroblob(40)), i FROM n;"
    ).build()

    listed = {c.column: len(c.values) for c in found.by_table["t"].columns if c.values}
    assert listed == {"product_name": 1500}


@pytest.mark.req("PROF-03", part="SQLite")
def test_a_sensitive_column_keeps_statistics_only(kit):
    found = kit(
        "CREATE TABLE customer (email TEXT, city TEXT);"
        "INSERT INTO customer VALUES ('a@x.test', 'Ulm'), ('b@x.test', 'Ulm');"
    )

    column = found.column("email", "customer")

    assert column.sensitive
    assert column.sensitive_why == "e-mail address, by its name"
    assert (column.distinct, column.nulls, column.max_length) == (2, 0, 8)
    assert (column.values, column.minimum, column.maximum) == ((), None, None)
    assert "x.test" not in found.out.read_text(encoding="utf-8")
    assert "Ulm" in found.out.read_text(encoding="utf-8")


@pytest.mark.req("PROF-03", part="SQLite")
def test_people_overrule_the_detector_both_ways(kit):
    found = kit(
        "CREATE TABLE customer (email TEXT, shoe TEXT);"
        "INSERT INTO customer VALUES ('a@x.test', 'size 42');"
    )
    found.semantic.write_text(
        "tables:\n  customer:\n    columns:\n"
        "      email: {sensitive: false}\n      shoe: {sensitive: true}\n",
        encoding="utf-8",
    )

    table = found.build().by_table["customer"]

    assert not table.column("email").sensitive
    assert table.column("email").values == (ValueCount("a@x.test", 1),)
    assert table.column("shoe").sensitive_why == "marked in semantic.yaml"
    assert "size 42" not in found.out.read_text(encoding="utf-8")


@pytest.mark.req("PROF-03", part="SQLite")
def test_a_pattern_of_the_settings_makes_columns_sensitive(kit):
    found = kit("CREATE TABLE t (v TEXT, w TEXT); INSERT INTO t VALUES ('secret', 'open');")

    column = found.column(sensitive=(r"^t\.v$",))

    assert column.sensitive_why == r"matches ^t\.v$ of profile.sensitive"
    assert "open" in found.out.read_text(encoding="utf-8")
    assert '"secret"' not in found.out.read_text(encoding="utf-8")


@pytest.mark.req("PROF-03", part="SQLite")
def test_values_false_stores_no_value_at_all(kit):
    found = kit(
        "CREATE TABLE t (v TEXT, n INTEGER, d DATE);"
        "INSERT INTO t VALUES ('hidden', 4711, '9999-12-31'), ('hidden ', 4711, '2024-01-02');"
    )

    profile = found.build(values=False)

    text = found.out.read_text(encoding="utf-8")
    assert not any(value in text for value in ("hidden", "4711", "9999", "2024"))
    assert profile.by_table["t"].column("v").distinct == 2


@pytest.mark.req("PROF-03", part="SQLite")
def test_profile_false_reads_no_data(kit):
    found = kit("CREATE TABLE customer (email TEXT, updated_at DATETIME);")
    found.source.path.unlink()

    profile = found.build(enabled=False)

    table = profile.by_table["customer"]
    assert table.rows is None
    assert table.column("email").sensitive
    assert table.column("updated_at").housekeeping
    assert found.account == "no data read"
    assert "profile.enabled" in profile.notes[0]


@pytest.mark.req("PROF-04", part="SQLite")
def test_a_row_cap_samples_and_marks_method_and_size(kit):
    found = kit(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT);"
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)"
        "INSERT INTO t SELECT i, CASE WHEN i < 2500 THEN 'a' ELSE 'b' END FROM n;"
    )

    table = found.build(rows=500).by_table["t"]

    assert table.rows == 5000
    assert table.sample.method == "hash of the row id"
    assert 400 <= table.sample.rows <= 500
    assert {v.value for v in table.column("v").values} == {"a", "b"}
    assert not table.column("v").values_complete


@pytest.mark.req("PROF-04", part="SQLite")
def test_workers_change_nothing_but_the_time(kit):
    found = kit(
        "".join(
            f"CREATE TABLE t{i} (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t{i} VALUES (1, 'x');"
            for i in range(12)
        )
    )

    found.build(workers=1)
    one = found.out.read_bytes()
    found.build(workers=8)

    assert found.out.read_bytes() == one


def test_a_view_that_fails_or_never_ends_gets_an_error_and_the_rest_goes_on(kit, monkeypatch):
    monkeypatch.setattr("pipeline.profile.measure.VIEW_SECONDS", 0.2)
    found = kit(
        "CREATE TABLE t (v TEXT); INSERT INTO t VALUES ('x');"
        "CREATE VIEW v_fails AS SELECT abs(-9223372036854775808) AS a FROM t;"
        "CREATE VIEW v_endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
        " SELECT i FROM n;"
        "CREATE VIEW v_fine AS SELECT v FROM t;"
    )

    tables = found.build().by_table

    assert "overflow" in tables["v_fails"].error
    assert "longer than 0.2 s" in tables["v_endless"].error
    assert tables["v_endless"].rows is None
    assert tables["v_fine"].column("v").values == (ValueCount("x", 1),)
    assert tables["t"].error is None


def test_names_that_need_quoting_are_profiled(kit):
    found = kit(
        'CREATE TABLE "年" ("select" TEXT, "it\'s" TEXT, "x""y" TEXT, "a.b" TEXT, "end " TEXT);'
        "INSERT INTO \"年\" VALUES ('1', '2', '3', '4', '5');"
    )

    table = found.build().by_table["年"]

    assert [c.values[0].value for c in table.columns] == ["1", "2", "3", "4", "5"]


def test_300_columns_are_measured_in_chunks(kit):
    columns = ", ".join(f"c{i} INTEGER" for i in range(300))
    found = kit(f"CREATE TABLE t ({columns}); INSERT INTO t (c299) VALUES (7);")

    table = found.build().by_table["t"]

    assert len(table.columns) == 300
    assert table.column("c299").maximum == 7


def test_bytes_damaged_text_and_infinity_never_reach_the_file(kit):
    found = kit(
        "CREATE TABLE t (v TEXT, b BLOB, f REAL);"
        "INSERT INTO t VALUES (CAST(x'ff41' AS TEXT), x'0102', 9e999), ('good', x'03', 1.5);"
    )

    table = found.build().by_table["t"]

    assert [v.value for v in table.column("v").values] == ["good"]
    assert not table.column("v").values_complete
    assert (table.column("b").nulls, table.column("b").minimum) == (0, None)
    assert table.column("f").maximum == "inf"


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
    ],
)
def test_a_text_format_is_told_when_all_texts_have_it(kit, values, expected):
    found = kit(f"CREATE TABLE t (v TEXT); INSERT INTO t VALUES {values};")

    assert found.column().text_format == expected


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
        pytest.param("v TEXT", "('a'), ('N/A'), ('')", ("", "N/A"), id="fillers"),
        pytest.param("v TEXT", "('NA'), ('EU')", (), id="a code that looks like a filler"),
    ],
)
def test_sentinels_are_values_that_stand_for_something_else(kit, column, values, expected):
    found = kit(f"CREATE TABLE t ({column}); INSERT INTO t VALUES {values};")

    assert found.column(column.split()[0]).sentinels == expected


@pytest.mark.req("PROF-09", part="resuming")
def test_an_interrupted_run_keeps_its_finished_tables(kit, tmp_path):
    sql = "".join(f"CREATE TABLE t{i} (v TEXT); INSERT INTO t{i} VALUES ('x');" for i in range(6))
    found = kit(sql)
    cache = tmp_path / "build" / "profile-cache"
    found.build()
    clean = found.out.read_bytes()
    found.out.unlink()

    def stop_after_three(done, _total, _what):
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        found.build(cache=cache, progress=stop_after_three, workers=1)
    assert not found.out.exists()
    resumed = []
    found.build(cache=cache, progress=lambda done, total, what: resumed.append((done, total, what)))

    assert len(resumed) == 3
    assert resumed[-1][:2] == (6, 6)
    assert found.out.read_bytes() == clean


@pytest.mark.req("PROF-06", part="per file")
def test_unchanged_data_is_not_read_again_and_changed_data_is(kit, tmp_path):
    found = kit("CREATE TABLE t (v TEXT); INSERT INTO t VALUES ('x');")
    cache, read = tmp_path / "cache", []

    def build_again(**settings):
        read.clear()
        found.build(cache=cache, progress=lambda *step: read.append(step[2]), **settings)
        return list(read)

    assert build_again() == ["t"]
    assert build_again() == []
    assert build_again(values=False) == ["t"]
    with closing(sqlite3.connect(found.source.path)) as connection:
        connection.execute("INSERT INTO t VALUES ('y')")
        connection.commit()
    assert build_again() == ["t"]


PASSED_ON = """
CREATE TABLE person (id INTEGER PRIMARY KEY, blob_a TEXT, blob_b TEXT, n INT);
INSERT INTO person VALUES (1, 'Aardvark', 'b', 3), (2, 'Aardvark', 'b', 4);
CREATE TABLE other (id INTEGER PRIMARY KEY, blob_a TEXT);
INSERT INTO other VALUES (1, 'fine'), (2, 'fine');
"""


@pytest.mark.req("PROF-03", part="views")
@pytest.mark.parametrize(
    ("view", "hidden"),
    [
        ("SELECT blob_a AS renamed FROM person", {"renamed"}),
        ("SELECT * FROM person", {"blob_a"}),
        ("SELECT p.*, o.blob_a AS theirs FROM other o JOIN person p ON p.id = o.id", {"blob_a"}),
        ("SELECT upper(p.blob_a) AS a, count(blob_a) AS b FROM person p", {"a"}),
        ("WITH c(x) AS (SELECT blob_a FROM person) SELECT x AS y FROM c", {"y"}),
        ("SELECT s.q FROM (SELECT blob_a AS q FROM person) AS s", {"q"}),
        ("SELECT blob_a AS u FROM other UNION ALL SELECT blob_a FROM person", {"u"}),
        ("SELECT CASE WHEN blob_a = 'x' THEN blob_b ELSE blob_a END AS c FROM person", {"c"}),
        ("SELECT replace(blob_a, 'x', 'y') || 1 AS r FROM person", {"r"}),
        (
            "SELECT rank() OVER (ORDER BY blob_a) AS nr, max(blob_a) OVER () AS m FROM person",
            {"m"},
        ),
        ("SELECT blob_a FROM other", set()),
        ("SELECT blob_a = 'x' AS yes, length(blob_a) AS size FROM person", set()),
    ],
)
def test_a_view_that_passes_on_a_sensitive_column_is_sensitive_there(kit, view, hidden):
    found = kit(f"{PASSED_ON} CREATE VIEW a AS SELECT * FROM b; CREATE VIEW b AS {view};")
    found.semantic.write_text("tables: {person: {columns: {blob_a: {sensitive: true}}}}")

    profile = found.build()

    for name in ("a", "b"):
        told = {c.column: c.sensitive_why for c in profile.by_table[name].columns if c.sensitive}
        assert set(told) == hidden
        assert all(why.startswith("shows ") for why in told.values())
    assert "Aardvark" not in found.out.read_text()


@pytest.mark.req("PROF-03", part="computed columns")
def test_a_computed_column_that_shows_a_sensitive_one_is_sensitive_too(kit):
    found = kit(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, email TEXT, handle TEXT AS (upper(email)),"
        " size INT AS (length(email)));"
        "INSERT INTO t (id, email) VALUES (1, 'aardvark'), (2, 'aardvark');"
    )

    table = found.build().by_table["t"]

    assert table.column("handle").sensitive_why == "shows t.email"
    assert not table.column("size").sensitive
    assert "AARDVARK" not in found.out.read_text()


def test_a_mark_of_people_on_a_view_goes_before_that_of_its_table(kit):
    found = kit(f"{PASSED_ON} CREATE VIEW v AS SELECT blob_a FROM person;")
    found.semantic.write_text(
        "tables: {person: {columns: {blob_a: {sensitive: true}}},"
        " v: {columns: {blob_a: {sensitive: false}}}}"
    )

    assert not found.build().by_table["v"].column("blob_a").sensitive


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param({"sensitive": ("v",)}, id="a mark"),
        pytest.param({"values": False}, id="no values"),
        pytest.param({"enabled": False}, id="no profile"),
    ],
)
def test_what_may_no_longer_be_kept_leaves_the_cache_even_if_the_run_ends_early(
    kit, tmp_path, settings
):
    found = kit("CREATE TABLE t (v TEXT); INSERT INTO t VALUES ('Aardvark');")
    cache = tmp_path / "cache"
    found.build(cache=cache)
    assert "Aardvark" in cache.read_text()

    def stop(*_):
        raise KeyboardInterrupt

    with suppress(KeyboardInterrupt):
        found.build(cache=cache, progress=stop, **settings)

    assert not cache.exists() or "Aardvark" not in cache.read_text()


def test_a_damaged_cache_is_as_good_as_none(kit, tmp_path):
    found = kit("CREATE TABLE t (v TEXT); INSERT INTO t VALUES ('x');")
    cache = tmp_path / "cache"
    cache.write_bytes(b'{"key": "\xff\n[1]\n{"key": "a", "profile": {"nope": 1}}\n')

    profile = found.build(cache=cache)

    assert profile.by_table["t"].rows == 1


def test_the_account_says_what_was_found(kit):
    found = kit(
        "CREATE TABLE customer (id INTEGER PRIMARY KEY, email TEXT, country TEXT);"
        "INSERT INTO customer VALUES (1, 'a@x.test', 'GB'), (2, 'b@x.test', 'GB');"
    )

    found.build()

    assert found.account == "2 rows, 1 dictionary, 1 sensitive column, 0 inferred joins"


def test_a_missing_catalogue_is_an_error_that_says_what_to_run(kit):
    found = kit("CREATE TABLE t (v TEXT);")
    found.catalog.unlink()

    with pytest.raises(ArtifactError) as failure:
        found.build()

    assert "catalog.json does not exist" in failure.value.problem
    assert "dblore build" in failure.value.fix


def test_a_pattern_that_is_none_names_the_setting(kit):
    found = kit("CREATE TABLE t (v TEXT);")

    with pytest.raises(SettingError) as failure:
        found.build(sensitive=("(open",))

    assert "profile.sensitive of kb.yaml: '(open'" in failure.value.problem
    assert "correct the pattern" in failure.value.fix
