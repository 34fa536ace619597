"""A place in a text is told as the place in the YAML file, however the text is written there."""

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from pipeline.authored.positions import Positions
from pipeline.authored.yaml_nodes import parse_text
from pipeline.lineage.parsing import UnreadableError, parse

FILE = Path("semantic.yaml")
MARK = "Q7Q"
"""Stands nowhere else, and is written the same in every style."""

WORDS = st.sampled_from(
    [
        "SELECT",
        "x",
        "  ",
        "it's",
        '"a"',
        "ä",
        "🎈",
        "\t",
        "\n",
        "\n\n",
        "\\",
        "a: b",
        " #c",
        "é\n  ",
    ]
)
TEXTS = st.tuples(st.lists(WORDS, max_size=9), st.lists(WORDS, max_size=9)).map(
    lambda parts: "".join([*parts[0], MARK, *parts[1]])
)


def told(text, keys, line, column):
    found = Positions(parse_text(text, FILE), text).within(keys, line, column)
    return found, text.split("\n")[found[0] - 1][found[1] - 1 :]


def of_mark(value):
    before = value[: value.index(MARK)]
    return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


@pytest.mark.parametrize("style", ["", "'", '"', "|", ">"], ids=["plain", "one", "two", "|", ">"])
@given(value=TEXTS, width=st.sampled_from([12, 40, 1000]), unicode=st.booleans())
def test_a_word_is_found_where_it_stands_in_every_style(style, value, width, unicode):
    items = []
    for _ in range(2):
        node = yaml.ScalarNode("tag:yaml.org,2002:str", value, style=style or None)
        key = yaml.ScalarNode("tag:yaml.org,2002:str", "sql")
        items.append(yaml.MappingNode("tag:yaml.org,2002:map", [(key, node)], flow_style=False))
    root = yaml.SequenceNode("tag:yaml.org,2002:seq", items, flow_style=False)
    written = yaml.serialize(root, width=width, allow_unicode=unicode)
    text = f"# a comment\n{written}"
    read = parse_text(text, FILE).value[1].value[0][1].value  # PyYAML folds some texts wrongly

    assert told(text, (1, "sql"), *of_mark(read))[1].startswith(MARK)


@pytest.mark.parametrize(
    ("written", "line", "column", "found"),
    [
        pytest.param("sql: SELECT a\n  FROM t\n", 1, 15, (2, 8), id="plain, in the next line"),
        pytest.param("sql: >-\n    SELECT a\n    FROM t\n", 1, 15, (3, 10), id="folded"),
        pytest.param("sql: >2\n    a\n   t\n", 2, 2, (3, 4), id="folded, an indicator"),
        pytest.param("sql: |+2 # why\n\n    a\n   t\n\n", 3, 2, (4, 4), id="literal, an indicator"),
        pytest.param("sql: 'it''s\n\n\n  t'\n", 3, 1, (4, 3), id="one quote, empty lines"),
        pytest.param('sql: "\\x41 \\\n   \\ t\\u00e4x"\n', 1, 6, (2, 13), id="two quotes, escapes"),
        pytest.param("sql: &a !!str SELECT t\n", 1, 8, (1, 22), id="anchor and tag"),
        pytest.param("sql: |\r\n  a\r\n  bt\r\n", 2, 2, (3, 4), id="Windows line ends"),
        pytest.param("sql: abc\n", 4, 9, (1, 9), id="behind the end"),
        pytest.param("sql: abc\n", 0, 0, (1, 1), id="unknown"),
    ],
)
def test_places_in_scalars(written, line, column, found):
    assert told(written, ("sql",), line, column)[0] == found


def test_an_alias_leads_to_what_its_anchor_holds():
    text = "a: &x SELECT t\nb: *x\n"

    assert told(text, ("b",), 1, 8)[0] == (1, 14)


def test_a_scalar_that_is_read_otherwise_is_told_by_its_beginning():
    root = parse_text("sql: SELECT t\n", FILE)

    assert Positions(root, "sql: SOMETHING\n").within(("sql",), 1, 8) == (1, 6)


@pytest.mark.parametrize(
    ("sql", "place"),
    [
        pytest.param("SELECT a FROM trip WHERE WHERE x", (1, 26), id="a word too many"),
        pytest.param("SELECT a\nFROM t t2 thirteen", (2, 11), id="in the second line"),
        pytest.param("SELECT a,\n  'b FROM t", (2, 3), id="an open quote"),
    ],
)
def test_what_cannot_be_read_is_told_by_where_it_begins(sql, place):
    with pytest.raises(UnreadableError) as told_error:
        parse(sql, "sqlite")

    assert (told_error.value.line, told_error.value.column) == place
