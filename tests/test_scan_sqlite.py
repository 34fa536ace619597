"""SQLite: what is easily misread in the text of its catalogue."""

import pytest

from pipeline.database.connect import open_database
from pipeline.database.source import resolve

DDL = """
CREATE TABLE letters ("É" TEXT CHECK ("É" IN ('a')), /* small */ é INT, -- é's own
    "Ab" TEXT CHECK (aB IN ('x')));
CREATE VIEW shown AS SELECT "É" FROM letters;
CREATE TRIGGER "after insert on x" DELETE ON letters BEGIN SELECT 1; END;
CREATE TRIGGER t1 BEFORE /* or ON */ UPDATE OF "Ab", é ON letters BEGIN SELECT 1; END;
CREATE TRIGGER t2 INSTEAD OF INSERT ON shown BEGIN SELECT 1; END;
"""


@pytest.fixture
def catalog(make_db, tmp_path):
    with open_database(resolve(str(make_db(DDL)), tmp_path, {})) as database:
        return database.read_catalog()


def test_letters_beyond_a_to_z_are_not_folded(catalog):
    letters = catalog.by_name["letters"]

    assert [(c.name, c.enum_members, c.comment) for c in letters.columns] == [
        ("É", ("a",), "small"),
        ("é", (), "é's own"),
        ("Ab", ("x",), None),
    ]


@pytest.mark.req("SCAN-02", part="SQLite")
def test_triggers_tell_when_they_fire_whatever_they_are_called(catalog):
    assert [(r.name, r.arguments, r.table) for r in catalog.routines] == [
        ("after insert on x", "DELETE", "letters"),
        ("t1", 'BEFORE UPDATE OF "Ab", é', "letters"),
        ("t2", "INSTEAD OF INSERT", "shown"),
    ]
