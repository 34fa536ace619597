"""What a profile keeps to itself."""

import pytest

from pipeline.errors import SettingError
from schemas.models import ValueCount
from tests.profile_kit import Kit


@pytest.fixture
def kit(make_db, tmp_path):
    """Return a function from SQL to a `Kit`."""
    return lambda sql: Kit(tmp_path, make_db(sql))


@pytest.mark.req("PROF-03", part="SQLite")
def test_a_sensitive_column_keeps_statistics_only(kit):
    found = kit(
        "CREATE TABLE customer (email TEXT, city TEXT);"
        "INSERT INTO customer VALUES ('a@x.test', 'Ulm'), ('b@x.test', 'Ulm');"
    )

    column = found.column("email", "customer")

    assert column.sensitive
    assert column.sensitive_why.startswith("e-mail address")
    assert (column.distinct, column.nulls, column.max_length) == (2, 0, 8)
    assert (column.values, column.minimum, column.maximum) == ((), None, None)
    assert "x.test" not in found.out.read_text(encoding="utf-8")
    assert "Ulm" in found.out.read_text(encoding="utf-8")


@pytest.mark.req("PROF-03", part="names and values")
@pytest.mark.parametrize(
    ("columns", "name"),
    [
        pytest.param("k TEXT, v TEXT", "smtp_password", id="letters"),
        pytest.param("setting_name TEXT, setting_value TEXT", "mail.smtp.password", id="a path"),
        pytest.param("attribut TEXT, wert TEXT", "Geburtsdatum", id="German"),
        pytest.param("clave TEXT, valor TEXT", "telefono_movil", id="Spanish"),
        pytest.param("name TEXT, content TEXT", "API key", id="a table of settings"),
    ],
)
def test_values_beside_names_of_sensitive_things_are_kept_back(kit, columns, name):
    found = kit(
        f"CREATE TABLE app_config ({columns});"
        f"INSERT INTO app_config VALUES ('theme', 'dark'), ('rows', '20'), ('{name}', 'SENspw123');"
    )

    table = found.build().by_table["app_config"]

    assert not table.columns[0].sensitive
    assert table.columns[1].sensitive_why.endswith(": 1 of 3 names beside it say so")
    assert "SENspw123" not in found.out.read_text(encoding="utf-8")


@pytest.mark.req("PROF-03", part="names and values")
def test_a_sensitive_name_among_hundreds_is_seen(kit):
    found = kit(
        "CREATE TABLE cfg (k TEXT PRIMARY KEY, v TEXT);"
        "WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)"
        " INSERT INTO cfg SELECT 'limit_' || i, 'x' || i % 3 FROM n;"
        "INSERT INTO cfg VALUES ('smtp_password', 'SENspw123');"
    )

    assert found.column("v", "cfg").sensitive
    assert "SENspw123" not in found.out.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(("theme", "password_min_length", "email_enabled"), id="about a secret"),
        pytest.param(("color", "size", "phone case"), id="traits of a product"),
    ],
)
def test_values_beside_other_names_stay(kit, names):
    rows = ", ".join(f"('{name}', 'x{i}')" for i, name in enumerate(names))
    found = kit(f"CREATE TABLE t (name TEXT, value TEXT); INSERT INTO t VALUES {rows};")

    assert found.column("value").values == tuple(ValueCount(f"x{i}", 1) for i in range(3))


@pytest.mark.req("PROF-03", part="names and values")
@pytest.mark.parametrize(
    ("columns", "kept_back"),
    [
        pytest.param("obj, prop TEXT, txt TEXT, str TEXT", ["txt", "str"], id="traits"),
        pytest.param("id, col TEXT, old_value TEXT, new_value TEXT", ["old_value", "new_value"],
                     id="what changed"),
        pytest.param("id, spalte TEXT, alt TEXT, neu TEXT", ["alt", "neu"], id="in German"),
        pytest.param("id, column_name TEXT, before TEXT, after TEXT", ["before", "after"],
                     id="before and after"),
    ],
)  # fmt: skip
def test_values_beside_names_of_columns_are_kept_back(kit, columns, kept_back):
    found = kit(
        f"CREATE TABLE history ({columns});"
        "INSERT INTO history VALUES (1, 'status', 'a', 'b'), (2, 'full_name', 'SEN x', 'SEN y');"
    )

    table = found.build().by_table["history"]

    assert [c.column for c in table.columns if c.sensitive] == kept_back
    assert "SEN " not in found.out.read_text(encoding="utf-8")


def test_a_value_of_something_else_is_none_of_a_name_beside_it(kit):
    found = kit(
        "CREATE TABLE note (city_code TEXT, face_value TEXT);"
        "INSERT INTO note VALUES ('LON', '10'), ('PAR', '20');"
    )

    assert not found.column("face_value", "note").sensitive


def test_a_text_too_short_for_a_picture_counts_them(kit):
    found = kit(
        "CREATE TABLE file (passport_scans TEXT, passport_scan TEXT);"
        "INSERT INTO file VALUES ('0', 'scans/SEN17.png'), ('12', 'scans/SEN18.png');"
    )

    assert [value.value for value in found.column("passport_scans", "file").values] == ["0", "12"]
    assert found.column("passport_scan", "file").sensitive


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


def test_a_pattern_that_is_none_names_the_setting(kit):
    found = kit("CREATE TABLE t (v TEXT);")

    with pytest.raises(SettingError) as failure:
        found.build(sensitive=("(open",))

    assert "profile.sensitive of kb.yaml: '(open'" in failure.value.problem
    assert "correct the pattern" in failure.value.fix


@pytest.mark.req("PROF-03", part="SQLite")
def test_the_format_of_a_sensitive_column_is_that_of_all_its_texts(kit):
    found = kit(
        "CREATE TABLE person (id INTEGER, birth_date TEXT, born TEXT, passport_no TEXT);"
        "INSERT INTO person VALUES (1, '01/02/1990', '01/02/1990', 'X1'),"
        " (2, '1971-03-04', '13/03/1971', 'Y'), (3, '31/12/1980', '31/12/1980', 'Z');"
    )

    table = found.build().by_table["person"]

    mixed, same = table.column("birth_date"), table.column("born")
    assert (mixed.sensitive, same.sensitive) == (True, True)
    assert (mixed.text_format, same.text_format) == ("dates in several formats", "DD/MM/YYYY")
    assert "19" not in found.out.read_text(encoding="utf-8")
