"""What cards leave out of the structure, so that no reader sees a sensitive value in it."""

from pathlib import Path

import pytest

from pipeline.cards import cards
from pipeline.database.connect import open_database
from pipeline.database.source import resolve
from pipeline.withheld import HIDDEN, structure
from schemas.models import (
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


@pytest.mark.parametrize("name", ["v1_invoice", "v_1", "in_1", "x9likes"])
def test_names_that_hold_a_digit_or_an_operator_stay_in_a_view(name):
    definition = f"SELECT {name}.faith, count(*) FROM {name} GROUP BY {name}.faith"
    view = Table("v", "v", kind="view", definition=definition)

    shown = structure(view, [], {name: {"faith"}})

    assert shown.definition == definition
