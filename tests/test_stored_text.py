"""Texts that are stored as bytes are profiled, judged and joined as texts."""

import pytest

from schemas.models import ValueCount
from tests.profile_databases import ENGINES, made
from tests.profile_kit import Kit

BYTES = {"sqlite": "BLOB", "duckdb": "BLOB", "postgres": "BYTEA", "mariadb": "VARBINARY(300)"}
TITLES = ["Bäume", "Bäume", "Sträucher", "Z" * 20, "a"]


def written(engine, value):
    """Return the literal of a value as bytes."""
    if value is None:
        return "NULL"
    stored = value if isinstance(value, bytes) else value.encode()
    if engine == "postgres":
        return f"'\\x{stored.hex()}'"
    if engine == "duckdb":
        return "'" + "".join(f"\\x{byte:02X}" for byte in stored) + "'::BLOB"
    return f"x'{stored.hex()}'"


@pytest.fixture(scope="module", params=ENGINES)
def profile(request, tmp_path_factory):
    """Return the profile of tables that keep texts as bytes, on one engine."""
    engine, folder = request.param, tmp_path_factory.mktemp(request.param)
    kind = BYTES[engine]
    names = [f"T-{chr(97 + i % 26)}{chr(97 + i // 26)}" for i in range(60)]
    rows = [
        (i, TITLES[i % 5], f"{'mno'[i % 3]}{i}@example.org", names[i % 31], b"\xff\x01")
        for i in range(40)
    ]
    late = [(i, "ok" if i < 390 else b"\xfe\xff" + bytes([i % 7]), "x" * 1200) for i in range(400)]
    values = ", ".join(
        f"({i}, {', '.join(written(engine, value) for value in row)})" for i, *row in rows
    )
    of_late = ", ".join(f"({i}, {written(engine, a)}, {written(engine, b)})" for i, a, b in late)
    of_tags = ", ".join(f"({i}, {written(engine, name)})" for i, name in enumerate(names))
    of_notes = ", ".join(f"({i}, '{names[i % 31]}')" for i in range(40))
    long = "BLOB" if engine == "mariadb" else kind
    statements = (
        f"CREATE TABLE tag (tag_id INTEGER PRIMARY KEY, tag_code {kind} NOT NULL UNIQUE)",
        f"CREATE TABLE post (id INTEGER, title {kind}, f017 {kind}, tag_code {kind}, raw {kind})",
        f"CREATE TABLE late (id INTEGER PRIMARY KEY, v {kind}, w {long})",
        "CREATE TABLE note (id INTEGER, tag_code VARCHAR(30))",
        f"INSERT INTO note VALUES {of_notes}",
        f"INSERT INTO tag VALUES {of_tags}",
        f"INSERT INTO post VALUES {values}",
        f"INSERT INTO late VALUES {of_late}",
    )
    required = request.config.getoption("--require-engines")
    with made(engine, folder, *statements, required=required) as source:
        yield Kit(folder, source).build()


@pytest.mark.req("PROF-01", part="texts stored as bytes")
def test_texts_stored_as_bytes_are_counted_and_listed(profile):
    title = profile.by_table["post"].column("title")

    assert (title.nulls, title.distinct, title.min_length, title.max_length) == (0, 4, 1, 20)
    assert title.values[0] == ValueCount("Bäume", 16)
    assert [v.value for v in title.values] == ["Bäume", "Sträucher", "Z" * 20, "a"]
    assert title.values_complete


@pytest.mark.req("PROF-03", part="texts stored as bytes")
def test_what_is_personal_in_bytes_is_withheld(profile):
    column = profile.by_table["post"].column("f017")

    assert column.sensitive_why == "e-mail address: 40 of 40 values look like one"
    assert (column.values, column.minimum, column.maximum) == ((), None, None)


def test_bytes_that_are_no_texts_stay_bytes(profile):
    raw = profile.by_table["post"].column("raw")
    late = profile.by_table["late"]

    assert (raw.nulls, raw.distinct, raw.max_length, raw.values) == (0, None, None, ())
    assert (late.rows, late.error, late.column("w").distinct) == (400, None, None)
    assert all("\ufffd" not in str(found.value) for found in late.column("v").values)
    assert {found.value for found in late.column("v").values} <= {"ok"}


@pytest.mark.req("SCAN-06", part="texts stored as bytes")
def test_columns_of_bytes_are_joined_by_what_they_hold(profile):
    found = {(j.table, j.columns, j.to_table, j.to_columns) for j in profile.joins}

    joins = {(table, ("tag_code",), "tag", ("tag_code",)) for table in ("post", "note")}
    assert joins <= found
