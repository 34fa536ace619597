"""Mermaid diagrams: what they tell, and that they parse and stay within the limits."""

import re

import pytest

from pipeline import docs
from pipeline.docs import er
from schemas.models import (
    Catalog,
    Column,
    Key,
    Link,
    Semantic,
    SemanticTable,
    Table,
)
from tests.docs_books import ODD, SHOP, book_of, fenced, odd_database, pages_of_catalog


def check_mermaid(source):
    """Assert a strict subset of Mermaid's erDiagram grammar; return its tables and links."""
    reference, word = r"[A-Za-z_][A-Za-z0-9_]*", r"[A-Za-z_\u00C0-\uFFFF][A-Za-z0-9_\u00C0-\uFFFF]*"
    text = r'"(?:[^"%#;{}<>\[\]|`\\\n]|#\d+;)+"'
    link = re.compile(
        rf"    ({reference}) (?:\|\||\|o|\}}o)(?:--|\.\.)(?:\|\||o\||o\{{) ({reference}) : {text}"
    )
    entity = re.compile(rf"    ({reference})(?:\[{text}\])?( \{{)?")
    attribute = re.compile(rf"        {word} {word}(?: PK)?(?:,? FK)?(?: {text})?")
    lines = source.split("\n")
    tables, links, inside = [], 0, False
    assert lines[0] == "erDiagram"
    assert not re.search(r"%%|direction\s+(TB|BT|LR|RL)|^---", source, re.IGNORECASE)
    for line in lines[1:]:
        if inside:
            inside = line != "    }"
            assert not inside or attribute.fullmatch(line), line
        elif match := link.fullmatch(line):
            assert {match[1], match[2]} <= set(tables), line
            links += 1
        else:
            match = entity.fullmatch(line)
            assert match, line
            assert match[1].lower() not in {"style", "class", "end", "one", "many", "to", "u"}
            tables.append(match[1])
            inside = bool(match[2])
    assert len(tables) == len(set(tables)) <= 40
    assert len(source) < 45_000
    assert links < 500
    return tables, links


def diagrams_in(pages):
    return [
        check_mermaid(block)
        for name, page in pages.items()
        if name.startswith("er")
        for block in fenced(page, "mermaid")
    ]


@pytest.mark.req("DOC-02")
def test_the_diagram_tells_keys_cardinality_and_roles(make_db):
    page = docs.pages_of(book_of(make_db(SHOP)))["er.md"]

    assert fenced(page, "mermaid") == [
        """erDiagram
    audit {
        INTEGER id PK
    }
    customers {
        INTEGER id PK
    }
    orders {
        INTEGER id PK
        INTEGER bill_to FK
        INTEGER ship_to FK
    }
    customers ||--o{ orders : "bill_to"
    customers |o--o{ orders : "ship_to\""""
    ]


@pytest.mark.req("DOC-02")
@pytest.mark.req("SAFE-06", part="Mermaid")
def test_odd_names_make_diagrams_that_parse(make_db):
    pages = docs.pages_of(book_of(odd_database(make_db)))

    drawn = diagrams_in(pages)

    assert sum(links for _, links in drawn) >= len(ODD)


def wide_catalog(count, *, columns=3):
    """Return a catalog of `count` tables, each but the first with a key to one before it."""
    tables = []
    for number in range(count):
        own = [Column("id", "INTEGER", "integer", nullable=False)]
        own += [Column(f"column_{i}_of_a_long_name", "INTEGER", "integer") for i in range(columns)]
        parent = f"t{number // 3}"
        keys = (Link(f"t{number}", ("column_0_of_a_long_name",), parent, ("id",)),)
        tables.append(
            Table(f"t{number}", f"t{number}", columns=tuple(own), primary_key=Key(("id",)),
                  foreign_keys=keys if number else ())
        )  # fmt: skip
    tables.sort(key=lambda table: table.name)
    return Catalog("sqlite", "wide", tables=tuple(tables))


@pytest.mark.req("DOC-02")
def test_a_large_database_is_split_so_that_every_table_is_drawn_within_the_limits():
    pages = pages_of_catalog(wide_catalog(400))

    drawn = diagrams_in(pages)

    assert {table for tables, _ in drawn for table in tables} == {f"t{n}" for n in range(400)}
    whole = fenced(pages["er.md"], "mermaid")
    assert {t for block in whole for t in check_mermaid(block)[0]} == {f"t{n}" for n in range(400)}


@pytest.mark.req("DOC-02")
def test_a_diagram_of_wide_tables_stays_below_the_limit_of_characters():
    catalog = wide_catalog(12, columns=150)
    links = tuple(
        Link(t.name, (c.name,), "t0", ("id",))
        for t in catalog.tables
        for c in t.columns[1:]
        if t.name != "t0"
    )

    pages = pages_of_catalog(catalog, links)

    assert diagrams_in(pages)


@pytest.mark.req("DOC-02")
def test_a_table_with_more_links_than_a_diagram_takes_says_how_many_are_left_out():
    catalog = wide_catalog(2, columns=700)
    names = [c.name for c in catalog.tables[1].columns[1:]]
    links = tuple(Link("t1", (name,), "t0", ("id",)) for name in names)

    page = pages_of_catalog(catalog, links)["er.md"]

    (_, shown), *_ = (check_mermaid(block) for block in fenced(page, "mermaid"))
    assert f"{700 - shown} more links had no room; see the cards." in page


def test_domains_of_people_become_pages_and_the_rest_stands_last(make_db):
    semantic = Semantic(tables={"orders": SemanticTable(domain="Sales & more")})

    book = book_of(make_db(SHOP), semantic=semantic)

    assert list(book.groups.items()) == [
        ("Sales & more", ["orders"]),
        ("other tables", ["audit", "customers", "open_orders"]),
    ]
    page = er.group_page(book, "Sales & more")
    assert "    customers\n" in page
    assert "INTEGER total_cents" in page
