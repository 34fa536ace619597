"""Text of people and data in the pages: it keeps its place."""

import re
import sqlite3
from contextlib import closing

import pytest

from pipeline import docs
from pipeline.docs import markdown
from pipeline.docs.ties import percent
from schemas.models import (
    Semantic,
    SemanticColumn,
    SemanticTable,
)
from tests.docs_books import SHOP, book_of, cells, tables_in, without_code

HOSTILE = (
    "a | b", "`code`", "[x](javascript:alert(1))", "<script>alert(1)</script>", "# heading",
    "line\n\n## injected", "*bold* _it_ **b**", "&lt;b&gt;", "![img](http://x.test/p.png)",
    "~~gone~~", "$x$", "1. list", "> quote", "---", "| cell |\n| --- |", "\u202eevil", "\x1b[31m",
    "back\\slash|pipe", "</details>", "```\nfence", "<!-- open",
)  # fmt: skip


@pytest.mark.req("SAFE-06", part="Markdown")
@pytest.mark.parametrize("words", HOSTILE)
def test_text_of_people_and_data_keeps_its_place(make_db, words):
    """Every table keeps its shape, and no block or tag of the text's own appears."""
    column = SemanticColumn(words, synonyms=(words,), values={"open": words}, unit=words)
    table = SemanticTable(words, grain=words, notes=(words,), columns={"status": column})
    semantic = Semantic(words, words, (words,), tables={"orders": table})
    calm_column = SemanticColumn("x", synonyms=("x",), values={"open": "x"}, unit="x")
    calm_table = SemanticTable("x", grain="x", notes=("x",), columns={"status": calm_column})
    calm = Semantic("x", "x", ("x",), tables={"orders": calm_table})
    database = make_db(SHOP)

    pages = docs.pages_of(book_of(database, semantic=semantic))
    expected = docs.pages_of(book_of(database, semantic=calm))

    for name, page in pages.items():
        assert _shape(page) == _shape(expected[name])
        assert "<script" not in re.sub(r"\\<", "", page)
        assert "\u202e" not in page


def _shape(page):
    """Return what a page consists of: the kind of each line, and the cells of each row."""
    shape = []
    for line in page.split("\n"):
        kind = line[:1] if line[:1] in tuple("#`|->") else "text"
        shape.append((kind if line else "", len(cells(line)) if kind == "|" else 0))
    return shape


@pytest.mark.req("SAFE-06", part="Markdown")
def test_hostile_stored_values_stay_inside_their_cells(make_db):
    values = [*HOSTILE, "", "it's", "' OR 1=1 --", "padded ", "\t", "a`b``c"]
    database = make_db("CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT);")
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.executemany("INSERT INTO t (v) VALUES (?)", [(v,) for v in values * 2])

    page = docs.pages_of(book_of(database))["tables/t.md"]

    code_list = next(rows for rows in tables_in(page) if rows[0] == "| value | rows |")
    assert len(code_list) == 2 + len(values)
    assert all(len(cells(row)) == 2 for row in code_list)
    assert "<script" not in without_code(page)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        pytest.param("a_b __init__ _x", r"a_b \_\_init\_\_ \_x", id="only outer underscores"),
        pytest.param("1. first", r"1\. first", id="a number that would begin a list"),
        pytest.param("a <> b & c < 3", "a <> b & c < 3", id="harmless signs stay"),
        pytest.param("<b> &amp;", r"\<b> \&amp;", id="tags and entities"),
        pytest.param("two\nlines\x00", "two lines", id="one line"),
        pytest.param("http://x.test www.x.test", r"http\://x.test www\.x.test", id="no links"),
    ],
)
def test_text_is_escaped_where_markdown_would_read_it(raw, expected):
    assert markdown.text(raw) == expected


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        pytest.param("'H '", "`'H '`", id="plain"),
        pytest.param("a`b", "<code>a&#96;b</code>", id="backtick"),
        pytest.param("a|b", "<code>a&#124;b</code>", id="pipe"),
        pytest.param(" x ", "<code> x </code>", id="blanks at the ends"),
        pytest.param("a\nb", r"`a\nb`", id="line break"),
        pytest.param("", "<code></code>", id="nothing"),
    ],
)
def test_code_keeps_every_character(raw, expected):
    assert markdown.code(raw) == expected


@pytest.mark.req("SCAN-13", part="docs")
@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (" a b ", r"\\x20a b\\x20"),
        ("a  b", r"a \\x20b"),
        ("a\nb", r"a\\nb"),
        ("plain name", "plain name"),
    ],
)
def test_a_name_shows_what_no_page_would(raw, expected):
    assert markdown.name(raw) == expected


def test_a_fence_is_longer_than_any_inside():
    assert markdown.fence("a ```` b") == "`````sql\na ```` b\n`````"


@pytest.mark.parametrize(
    ("share", "expected"),
    [(0.0, "0 %"), (1.0, "100 %"), (0.5, "50 %"), (0.999, "99.9 %"), (0.99999, "> 99.99 %"),
     (0.004, "0.4 %"), (0.000001, "< 0.01 %")],
)  # fmt: skip
def test_only_all_is_a_hundred_percent(share, expected):
    assert percent(share) == expected


LOUD = """
CREATE TABLE calm (id INTEGER PRIMARY KEY, "a
DROP TABLE calm" TEXT, state TEXT, loud_id INTEGER REFERENCES "loud\x1b[2J
ALTER"(id), "ref
x" INTEGER REFERENCES other(id));
CREATE TABLE "loud\x1b[2J
ALTER" (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE other (id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO "loud\x1b[2J
ALTER" VALUES (1, 'x');
INSERT INTO other VALUES (1, 'y');
INSERT INTO calm VALUES (1, 'b', 'open', 1, 1), (2, 'b', 'open', 1, 1), (3, 'c', 'shut', 1, 1);
"""


@pytest.mark.req("SAFE-06", part="SQL in Markdown")
def test_a_name_with_a_line_break_begins_no_line_of_sql(make_db):
    pages = docs.pages_of(book_of(make_db(LOUD)))

    blocks = [
        b for page in pages.values() for b in re.findall(r"```sql\n(.*?)```", page, re.DOTALL)
    ]
    starts = {line.split()[0] for block in blocks for line in block.splitlines() if line.strip()}
    assert any("FROM calm" in block for block in blocks)
    assert starts <= {"SELECT", "FROM", "JOIN", "GROUP", "ORDER", "LIMIT"}
    assert "\x1b" not in "".join(pages.values())
