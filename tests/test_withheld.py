"""What cards leave out of the structure, so that no reader sees a sensitive value in it."""

from pathlib import Path

import pytest

from pipeline.cards import cards
from pipeline.database.connect import open_database
from pipeline.database.source import resolve
from pipeline.withheld import HIDDEN, structure
from schemas.models import (
    Check,
    Column,
    ColumnProfile,
    Graph,
    Profile,
    Semantic,
    SemanticColumn,
    SemanticTable,
    Table,
    TableProfile,
    ValueCount,
)

SQL = """
CREATE TABLE person (
    id INTEGER PRIMARY KEY,
    faith TEXT DEFAULT 'Jedi' CHECK (faith IN ('Jedi', 'Sith')),
    faith_code TEXT AS (CASE faith WHEN 'Jedi' THEN 'J' END),
    state TEXT DEFAULT 'open' CHECK (state IN ('open', 'shut')),
    CHECK (state <> 'shut' OR faith = 'Sith')
);
CREATE INDEX some ON person (state) WHERE faith = 'Sith';
CREATE INDEX open_ones ON person (faith <> 'Sith') WHERE state = 'open';
CREATE VIEW jedi AS SELECT id, CASE WHEN p."faith" IN ('Jedi', 'Sith') THEN 'x' END AS one FROM
    person AS p WHERE state = 'open' AND (lower(p.faith) LIKE 'Jedi%' OR 'Sith' = faith);
"""


@pytest.fixture
def person(make_db):
    """Return the cards of person and jedi where `faith` is sensitive."""
    with open_database(resolve(str(make_db(SQL)), Path(), {})) as database:
        catalog = database.read_catalog()
    stored = ColumnProfile("faith", minimum="Jedi", maximum="Sith", values=(ValueCount("Sith", 1),))
    profile = Profile((TableProfile("person", 1, columns=(stored,)),))
    marked = SemanticTable(columns={"faith": SemanticColumn(sensitive=True)})
    return cards(catalog, profile, Semantic(tables={"person": marked}), Graph())


def test_no_part_of_a_card_tells_a_value_of_a_sensitive_column(person):
    told = repr(person)

    assert "Jedi" not in told
    assert "Sith" not in told


def test_what_is_said_of_other_columns_stays(person):
    card = person["person"]

    state = card.column("state").column
    assert (state.default, state.enum_members) == ("'open'", ("open", "shut"))
    assert "state IN ('open', 'shut')" in [check.expression for check in card.table.checks]
    assert [check.expression for check in card.table.checks].count(HIDDEN) == 2
    assert [(i.columns, i.where) for i in card.table.indexes] == [
        ((HIDDEN,), "state = 'open'"),
        (("state",), HIDDEN),
    ]
    assert "state = 'open'" in person["jedi"].table.definition
    assert card.column("state").column == card.table.column("state")


PERSONAL = [
    pytest.param("ops.lead@corp.example", id="e-mail"),
    pytest.param("4111 1111 1111 1111", id="payment card"),
    pytest.param("4111111111111111", id="payment card in one"),
    pytest.param("DE89370400440532013000", id="bank account"),
    pytest.param("219-09-9999", id="social security number"),
    pytest.param("https://u:hunter22@db.example", id="password in an address"),
]


@pytest.mark.req("PROF-08", part="literals of the structure")
@pytest.mark.parametrize("value", PERSONAL)
def test_a_literal_that_is_personal_by_itself_stands_in_no_card(make_db, value):
    sql = f"""
    CREATE TABLE cfg (
        a TEXT DEFAULT '{value}' CHECK (a <> '{value}'),
        b TEXT AS (CASE WHEN c = '{value}' THEN 'own' END),
        c TEXT CHECK (c IN ('open', '{value}'))
    );
    CREATE INDEX i ON cfg (c) WHERE a = '{value}';
    CREATE VIEW w AS SELECT c FROM cfg WHERE c <> '{value}' AND c <> 'shut';
    """
    with open_database(resolve(str(make_db(sql)), Path(), {})) as database:
        catalog = database.read_catalog()

    told = repr(cards(catalog, Profile(), Semantic(), Graph()))

    assert value not in told
    for other in ("'open'", "'own'", "'shut'", "'…'"):
        assert other in told


@pytest.mark.parametrize("value", PERSONAL)
def test_members_and_defaults_are_withheld_however_an_engine_writes_them(value):
    kind = Column("kind", f"enum('{value}','x')", "enum", enum_members=(value, "x"), default=value)
    wide = Column("wide", "text", "text", default=f"('{value}'::text)")

    shown = structure(Table("t", "t", columns=(kind, wide)), [], {})

    assert shown.column("kind") == Column("kind", "enum('…','x')", "enum", default="'…'")
    assert shown.column("wide").default == "('…'::text)"


def test_the_type_of_a_sensitive_column_tells_no_member():
    faith = Column("faith", "enum('Jedi','Sith')", "enum", enum_members=("Jedi", "Sith"))

    shown = structure(Table("t", "t", columns=(faith,)), ["faith"], {})

    assert shown.columns == (Column("faith", "enum('…','…')", "enum"),)


@pytest.mark.parametrize(
    "rule",
    [
        "v LIKE '%@%.%'",
        "v ~ '^[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+[.][A-Za-z]{2,}$'",
        "v > 1234567890123456 AND v < 99999999999",
        "v >= '2020-01-01' OR v IN ('ORD-2020-000123', '10.0.0.1', '00000000')",
        "nextval('order_id_seq'::regclass)",
        "v LIKE 'a\\' OR v IN ('b', 'open', 'it''s')",
    ],
)
def test_patterns_dates_and_plain_numbers_stay_in_rules(rule):
    table = Table("t", "t", columns=(Column("v", "text", "text"),), checks=(Check(rule),))

    assert structure(table, [], {}) is table


@pytest.mark.parametrize("name", ["v1_invoice", "v_1", "in_1", "x9likes"])
def test_names_that_hold_a_digit_or_an_operator_stay_in_a_view(name):
    definition = f"SELECT {name}.faith, count(*) FROM {name} GROUP BY {name}.faith"
    view = Table("v", "v", kind="view", definition=definition)

    shown = structure(view, [], {name: {"faith"}})

    assert shown.definition == definition
