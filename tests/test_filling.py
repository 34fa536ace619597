"""Gaps of people's YAML are filled at once; what people wrote always wins."""

from pathlib import Path

import pytest
from hypothesis import given, settings

from pipeline.authored.editing import Append, Put
from pipeline.authored.filling import filled
from pipeline.authored.yaml_nodes import data_of, parse_bytes
from tests.yaml_edits import HABITS, PATH, check_fill, gaps, is_within, keeps

DEMO = Path(__file__).resolve().parent.parent / "kb" / "demo" / "semantic.yaml"


@pytest.mark.req("SEM-02", part="gaps are filled, people's bytes stay")
@pytest.mark.req("C17", part="suggestions")
@settings(max_examples=100, deadline=None, database=None, derandomize=True)
@given(gaps())
def test_what_people_wrote_stays_when_gaps_are_filled(case):
    check_fill(case)


BOOK = """\
# head
database: {name: x, dialect_notes: [a]}
tables:   # T
  orders:
    # of the columns
    columns:
      status: How far  # c
      flow: {description: "x"}
      lit: |
        two
        lines
      empty:
      q: ''   # why
  u: {columns: {a: text of a, b: }}
  n:
relationships:
- from: a.b
  to: c.d"""

FILLED = """\
# head
database: {name: x, dialect_notes: [a, 'b, c'], housekeeping_columns: [updated_at]}
tables:   # T
  orders:
    # of the columns
    description: Orders
    grain: an order
    columns:
      status:
        description: How far  # c
        unit: kg
        values:
          'N ': new
      flow: {description: "x", unit: 'a, b'}
      lit: |
        two
        lines
      empty: E
      q: Q   # why
  u: {columns: {a: {description: text of a, unit: t}, b: bb}, grain: g}
  n:
    grain: g
  v:
    columns:
      z: zz
relationships:
- from: a.b
  to: c.d
- from: q.r
  to: s.t
glossary:
  - term: x
"""


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_gaps_are_filled_where_people_would_fill_them(newline):
    orders = ("tables", "orders")
    columns = (*orders, "columns")
    wanted = [
        Put((*orders, "grain"), "an order"),
        Put((*orders, "description"), "Orders"),
        Put((*columns, "status", "unit"), "kg"),
        Put((*columns, "status", "values", "N "), "new"),
        Put((*columns, "status", "description"), "not this"),
        Put((*columns, "flow", "unit"), "a, b"),
        Put((*columns, "flow"), "nor this"),
        Put((*columns, "lit", "unit"), "x"),
        Put((*columns, "empty"), "E"),
        Put((*columns, "q"), "Q"),
        Put(("tables", "u", "columns", "a", "unit"), "t"),
        Put(("tables", "u", "columns", "b"), "bb"),
        Put(("tables", "u", "grain"), "g"),
        Put(("tables", "n", "grain"), "g"),
        Put(("tables", "v", "columns", "z"), "zz"),
        Append(("relationships",), {"from": "q.r", "to": "s.t"}),
        Append(("relationships",), {"from": "a.b", "to": "c.d"}),
        Append(("database", "dialect_notes"), "b, c"),
        Append(("database", "housekeeping_columns"), "updated_at"),
        Append(("glossary",), {"term": "x"}),
    ]

    result = filled(BOOK.replace("\n", newline).encode(), wanted, PATH, HABITS)

    after = result.data.decode()
    assert after.removesuffix(newline) == FILLED.removesuffix("\n").replace("\n", newline)
    places = dict(result.left)
    assert places == {
        (*columns, "flow"): "something else is to stand there",
        (*columns, "lit"): "its text is written over several lines",
    }


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("tables: &t {a: &c {b: c}}\nx: *c\n", "an alias"),
        ("tables: [a]\n", "no map stands there"),
        ("tables:\n  a:\n    columns:\n      b:\n        text\n", "doesn't stand behind its key"),
    ],
)
def test_what_cannot_be_filled_is_left_and_the_rest_is_filled(text, why):
    wanted = [Put(("tables", "a", "columns", "b", "unit"), "kg"), Put(("glossary",), "x")]

    result = filled(text.encode(), wanted, PATH, HABITS)

    assert why in result.left[0][1]
    assert result.data.decode() == text + "glossary: x\n"


def test_a_file_that_is_no_map_is_left_alone():
    result = filled(b"- a\n", [Put(("tables",), "x"), Put(("glossary",), "y")], PATH)

    assert result.data == b"- a\n"
    assert {why for _, why in result.left} == {"the file isn't a map"}


@pytest.mark.req("C17", part="the demo")
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_every_gap_of_the_demo_can_be_filled_and_its_comments_stay(newline):
    text = DEMO.read_text(encoding="utf-8").replace("\n", newline)
    said = data_of(parse_bytes(text.encode(), PATH))
    wanted = [Append(("database", "dialect_notes"), "a rule"), Put(("tables", "new", "grain"), "g")]
    for table, words in said["tables"].items():
        wanted += [Put(("tables", table, key), "filled") for key in ("description", "grain")]
        for column in [*words.get("columns", {}), "new"]:
            place = ("tables", table, "columns", column)
            wanted += [Put((*place, "unit"), "filled"), Put((*place, "values", "Z "), "filled")]

    result = filled(text.encode(), wanted, PATH, HABITS)

    after = result.data.decode()
    now = data_of(parse_bytes(result.data, PATH))
    assert not result.left
    assert keeps(said, now)
    assert is_within(text, after)
    assert [x for x in after.split(newline) if "#" in x and x.strip()[0] == "#"] == [
        x for x in text.split(newline) if "#" in x and x.strip()[0] == "#"
    ]
    assert all(
        column["unit"] and column["values"]["Z "] == "filled"
        for table in said["tables"]
        for column in now["tables"][table]["columns"].values()
    )


@pytest.mark.req("C17")
@pytest.mark.parametrize(
    ("text", "after"),
    [
        pytest.param(
            "tables:\n  orders:\n    notes: |\n      a\n      b",
            "tables:\n  orders:\n    notes: |\n      a\n      b\n    grain: one row\n"
            "glossary: []\n",
            id="a block text without a last line end",
        ),
        pytest.param(
            "tables:\n  orders: # mine\n    # about orders\n  # about nothing\n",
            "tables:\n  orders: # mine\n    # about orders\n    grain: one row\n"
            "  # about nothing\nglossary: []\n",
            id="comments below an empty entry",
        ),
        pytest.param(
            "--- # hi\n# nothing\n",
            "--- # hi\n# nothing\ntables:\n  orders:\n    grain: one row\nglossary: []\n",
            id="a document of comments",
        ),
    ],
)
def test_comments_and_last_lines_stay_where_they_belong(text, after):
    gaps = [Put(("tables", "orders", "grain"), "one row"), Put(("glossary",), [])]

    found = filled(text.encode(), gaps, Path("semantic.yaml"))

    assert found.left == ()
    assert found.data.decode() == after
