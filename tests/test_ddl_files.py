"""DDL as the tools of databases in a file write it."""

import pytest

from tests.ddl_kit import columns, keys, read

DUCKDB = """\
CREATE SCHEMA other;
CREATE TYPE mood AS ENUM('sad', 'it''s');
CREATE SEQUENCE ids START 1;
CREATE TABLE "group"(id INTEGER DEFAULT(nextval('ids')) PRIMARY KEY, m mood, s STRUCT(a INTEGER, b
 VARCHAR[]), price DECIMAL(18,3) CHECK((price > 0)), UNIQUE(m));
CREATE TABLE other.t(g INTEGER, FOREIGN KEY (g) REFERENCES "group"(id));
CREATE VIEW v AS SELECT * FROM "group";
COPY "group" FROM 'group.csv' (FORMAT 'csv');
CREATE MACRO add(a, b) AS a + b;
COMMENT ON TABLE "group" IS 'A group';
"""


@pytest.mark.req("SCAN-15", part="DuckDB")
def test_an_exported_duckdb_schema(tmp_path):
    found = read(tmp_path, "duckdb", DUCKDB)

    group = found.by_name["group"]
    assert found.unreadable == ()
    assert columns(group) == [
        ("id", "INTEGER", "integer", False),
        ("m", "mood", "enum", True),
        ("s", "STRUCT(a INTEGER, b VARCHAR[])", "other", True),
        ("price", "DECIMAL(18,3)", "decimal", True),
    ]
    assert group.columns[0].identity
    assert group.columns[1].enum_members == ("sad", "it's")
    assert group.comment == "A group"
    assert keys(found.by_name["other.t"]) == [(("g",), "group", ("id",), "ok")]
    assert [c.name for c in found.by_name["v"].columns] == ["id", "m", "s", "price"]
    assert [(r.name, r.arguments) for r in found.routines] == [("add", "a, b")]


SQLITE = """\
PRAGMA foreign_keys=OFF;
.mode list
CREATE TABLE parts (  -- what can be sold
  id INTEGER PRIMARY KEY,  -- its number
  name TEXT NOT NULL,      -- as printed; in English
  kind TEXT CHECK (kind IN ('a', 'b')),
  of_id REFERENCES parts,
  twice AS (id * 2)
);
INSERT INTO parts VALUES (1, 'CREATE TABLE no (a);', 'a', NULL);
CREATE TRIGGER stamp AFTER UPDATE OF name ON parts BEGIN
  UPDATE parts SET kind = CASE WHEN 1 THEN 'a' ELSE 'b' END;
  SELECT 1;
END;
CREATE VIEW names AS SELECT name AS "its name", count(*) FROM parts;
CREATE VIRTUAL TABLE words USING fts5(body, tokenize = 'porter');
CREATE TABLE IF NOT EXISTS 'words_data'(id INTEGER PRIMARY KEY, block BLOB);
CREATE TABLE sqlite_sequence(name,seq);
"""


@pytest.mark.req("SCAN-15", part="SQLite")
def test_sqlite_keeps_comments_behind_columns_and_hides_its_own_tables(tmp_path):
    found = read(tmp_path, "sqlite", SQLITE)

    parts = found.by_name["parts"]
    assert found.unreadable == ()
    assert set(found.by_name) == {"parts", "names", "words"}
    assert parts.comment == "what can be sold"
    assert [(c.name, c.native_type, c.comment, c.enum_members) for c in parts.columns] == [
        ("id", "INTEGER", "its number", ()),
        ("name", "TEXT", "as printed; in English", ()),
        ("kind", "TEXT", None, ("a", "b")),
        ("of_id", "", None, ()),
        ("twice", "", None, ()),
    ]
    assert keys(parts) == [(("of_id",), "parts", ("id",), "ok")]
    assert parts.columns[4].generated == "virtual"
    assert found.by_name["names"].columns[0].name == "its name"
    assert [(r.name, r.arguments, r.table) for r in found.routines] == [
        ("stamp", "AFTER UPDATE OF name", "parts")
    ]
