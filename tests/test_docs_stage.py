"""The docs stage: cards, diagrams and the front page, as files that people read."""

import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline import artifacts, docs, scan
from pipeline.database import source
from pipeline.docs import er, markdown, names
from pipeline.docs.book import open_book
from pipeline.docs.ties import percent
from schemas.models import (
    Catalog,
    Column,
    ColumnProfile,
    Coverage,
    DomainCoverage,
    Entity,
    Evidence,
    Graph,
    GraphEntity,
    GraphRelation,
    KbSettings,
    Key,
    Link,
    Problem,
    Profile,
    Relation,
    Semantic,
    SemanticColumn,
    SemanticTable,
    Share,
    Table,
    TableProfile,
    ValueCount,
)

SHOP = """
CREATE TABLE customers (
    id INTEGER PRIMARY KEY, email TEXT, country TEXT NOT NULL, guid TEXT UNIQUE
);
CREATE TABLE orders (
    id INTEGER PRIMARY KEY,
    bill_to INTEGER NOT NULL REFERENCES customers(id),
    ship_to INTEGER REFERENCES customers(id),
    status TEXT NOT NULL CHECK (status IN ('open', 'paid', 'H ')),
    placed_on DATE,
    total_cents INTEGER
);
CREATE VIEW open_orders AS SELECT id FROM orders WHERE status = 'open';
CREATE TABLE audit (id INTEGER PRIMARY KEY);
INSERT INTO customers VALUES (1, 'a@x.test', 'GB', 'g1'), (2, 'b@x.test', 'FI', 'g2');
INSERT INTO orders VALUES
    (10, 1, 1, 'open', '2025-01-01', 100), (11, 1, NULL, 'paid', '2025-02-01', 200),
    (12, 2, 1, 'paid', '2025-03-01', 300), (13, 2, 2, 'H ', '2025-04-01', 400),
    (14, 2, 2, 'H ', '2025-05-01', 500), (15, 2, 2, 'open', '2025-06-01', 600);
"""

ODD = (
    "年", "3pointplay", "a.b", "select", "it's", 'x"y', "trailing ", " leading", "back`tick",
    "bra[ck]et", "semi;colon", "per%cent", "sla/sh", "back\\slash", "--comment", "line\nbreak",
    "tab\tchar", "zero\u200bwidth", "%s", ":param", "?", "{brace}", "#hash", "a,b", "a|b", "a(b)",
    "NULL", "123", "```fence", "<b>bold</b>", "%%{init: {}}%%", "direction TB", "pk", "é",
    "e\u0301", "add", "order", "con", "end", "[link](http://x.test)", "😀", "_", "x" * 128,
)  # fmt: skip


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def odd_database(make_db):
    """Build a chain of tables with odd names, each with an odd column, a code and a parent."""
    statements = []
    for number, name in enumerate(ODD):
        parent = ODD[number - 1] if number else name
        statements.append(
            f"CREATE TABLE {quoted(name)} (id INTEGER PRIMARY KEY, {quoted(name + ' ')} TEXT,"
            f" {quoted('code ' + name)} TEXT, {quoted('ref ' + name)} INTEGER"
            f" REFERENCES {quoted(parent)} (id));\n"
            f"INSERT INTO {quoted(name)} VALUES (1, 'v', 'A', 1), (2, 'w', 'A', 1),"
            " (3, 'x', 'B', 1), (4, 'y', 'B', NULL);"
        )
    return make_db("\n".join(statements))


def catalog_of(database):
    found = source.resolve(str(database), Path(), {})
    out = database.parent / "catalog.json"
    scan.build(source=found, settings=KbSettings("test", str(database)), out=out)
    return artifacts.read(out, Catalog)


def profile_of(database, catalog):
    """Measure what the cards show, by plain SQL."""
    tables = []
    with closing(sqlite3.connect(database)) as connection:
        for table in catalog.tables:
            rows = connection.execute(f"SELECT * FROM {quoted(table.object_name)}").fetchall()
            columns = [
                _column_profile(column.name, [row[place] for row in rows])
                for place, column in enumerate(table.columns)
            ]
            tables.append(TableProfile(table.name, len(rows), columns=tuple(columns)))
    return Profile(tuple(tables))


def _column_profile(name, cells):
    kept = [cell for cell in cells if cell is not None]
    counts = sorted({v: kept.count(v) for v in kept}.items(), key=lambda item: (-item[1], item[0]))
    return ColumnProfile(
        name,
        cells.count(None),
        len(counts),
        min(kept, default=None),
        max(kept, default=None),
        values=tuple(ValueCount(*item) for item in counts),
        values_complete=True,
    )


def share():
    return Share(1, 4)


COVERAGE = Coverage(share(), share(), share(), share(), next=("orders.status",))


def book_of(database, *, semantic=None, graph=None, change=lambda profile: profile):
    catalog = catalog_of(database)
    keys = tuple(key for table in catalog.tables for key in table.foreign_keys)
    graph = replace(graph or Graph(), links=(*keys, *(graph.links if graph else ())))
    profile = change(profile_of(database, catalog))
    return open_book(catalog, profile, semantic or Semantic(), graph, COVERAGE)


def built(database, folder, *, semantic_yaml=""):
    """Run the stage from files, as the pipeline does; return the folder of pages."""
    catalog = catalog_of(database)
    keys = tuple(key for table in catalog.tables for key in table.foreign_keys)
    artifacts.write(folder / "catalog.json", catalog)
    artifacts.write(folder / "profile.json", profile_of(database, catalog))
    artifacts.write(folder / "graph.json", Graph(links=keys))
    artifacts.write(folder / "coverage.json", COVERAGE)
    (folder / "semantic.yaml").write_text(semantic_yaml, encoding="utf-8")
    docs.build(
        catalog=folder / "catalog.json",
        profile=folder / "profile.json",
        semantic=folder / "semantic.yaml",
        graph=folder / "graph.json",
        coverage=folder / "coverage.json",
        out=folder / "docs",
    )
    return folder / "docs"


def fenced(page, language):
    """Return the fenced blocks of one language, closed by a fence as long as the opening one."""
    found = re.finditer(rf"^(`{{3,}}){language}\n(.*?)\n\1$", page, re.MULTILINE | re.DOTALL)
    return [match[2] for match in found]


def cells(row):
    """Split a table row as GitHub does: at pipes that no backslash escapes."""
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", row.strip("|"))]


def without_code(page):
    outside = re.sub(r"^(`{3,}).*?^\1$", "", page, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]*`", "", outside)


def tables_in(page):
    return [block.splitlines() for block in re.findall(r"(?:^\|.*\n?)+", page, re.MULTILINE)]


# Cards


@pytest.mark.req("C4", part="example queries and joins of the docs, SQLite")
@pytest.mark.req("DOC-01")
def test_every_example_query_runs_on_odd_identifiers(make_db):
    database = odd_database(make_db)
    pages = docs.pages_of(book_of(database))

    queries = [
        sql
        for name, page in pages.items()
        if name.startswith("tables/")
        for sql in fenced(page.partition("## Example queries")[2], "sql")
    ]

    with closing(sqlite3.connect(database)) as connection:
        for sql in queries:
            assert connection.execute(sql).fetchall(), sql
    assert len(queries) == 3 * len(ODD)


@pytest.mark.req("C4", part="example queries and joins of the docs, SQLite")
def test_every_join_of_a_card_can_be_pasted_after_its_table(make_db):
    database = odd_database(make_db)
    book = book_of(database)

    with closing(sqlite3.connect(database)) as connection:
        for name, ties in book.ties.items():
            for tie in ties:
                join = book.writer.join(tie, book.tables[tie.other])
                sql = f"SELECT COUNT(*) FROM {book.writer.table(book.tables[name])} {join}"
                assert connection.execute(sql).fetchone() == (3,), sql


@pytest.mark.req("DOC-01")
def test_a_card_shows_meaning_codes_keys_and_joins(make_db):
    semantic = Semantic(
        tables={
            "orders": SemanticTable(
                "What was sold.",
                grain="one order",
                synonyms=("sale",),
                notes=("Totals leave out tax.",),
                columns={
                    "status": SemanticColumn(
                        "How far it is.", values={"open": "waits", "H": "held"}
                    ),
                    "total_cents": SemanticColumn("What is due.", unit="cents"),
                },
            )
        }
    )

    page = docs.pages_of(book_of(make_db(SHOP), semantic=semantic))["tables/orders.md"]

    for expected in (
        "What was sold.",
        "**Grain:** one order",
        "**Also called:** sale",
        "table · 6 rows · 6 columns",
        "- Totals leave out tax.",
        "| `ship_to` | INTEGER | → [customers](customers.md) | 17 % | 2 |",
        "What is due; unit: cents",
        "### Values of status\n\n3 values, complete.",
        "| `'H '` | held | 2 |",
        "| `'paid'` |  | 2 |",
        "- Primary key `id`",
        "- Check `status IN ('open', 'paid', 'H ')`",
        "| [customers](customers.md) | many to one | `JOIN customers ON orders.bill_to =",
        "ORDER BY placed_on DESC",
    ):
        assert expected in page


@pytest.mark.req("C24", part="docs")
def test_a_partial_list_of_codes_says_how_many_there_are(make_db):
    def cut(profile):
        orders = profile.by_table["orders"]
        columns = [replace(c, values=c.values[:2], values_complete=False) for c in orders.columns]
        return Profile((replace(orders, columns=tuple(columns)),))

    column = SemanticColumn(values={"open": "waits", "void": "never happened"})
    semantic = Semantic(tables={"orders": SemanticTable(columns={"status": column})})

    page = docs.pages_of(book_of(make_db(SHOP), semantic=semantic, change=cut))["tables/orders.md"]

    assert "### Values of status\n\n2 of 3 values, incomplete." in page
    assert "| `'void'` | never happened |  |" in page


def test_a_code_that_people_explained_and_nobody_stored_is_marked(make_db):
    column = SemanticColumn(values={"void": "never happened"})
    semantic = Semantic(tables={"orders": SemanticTable(columns={"status": column})})

    page = docs.pages_of(book_of(make_db(SHOP), semantic=semantic))["tables/orders.md"]

    assert "| `'void'` | never happened | not in the data |" in page


def test_a_sensitive_column_shows_no_value_and_is_in_no_query(make_db):
    column = SemanticColumn(sensitive=True)
    semantic = Semantic(tables={"customers": SemanticTable(columns={"email": column})})

    page = docs.pages_of(book_of(make_db(SHOP), semantic=semantic))["tables/customers.md"]

    assert "x.test" not in page
    assert "*sensitive: not shown*" in page
    assert not any("email" in sql for sql in fenced(page, "sql"))


def test_a_hidden_table_is_named_on_the_front_page_and_nowhere_else(make_db):
    semantic = Semantic(tables={"customers": SemanticTable("secret words", hidden=True)})

    pages = docs.pages_of(book_of(make_db(SHOP), semantic=semantic))

    assert "Hidden: `customers`." in pages.pop("README.md")
    assert not any("customers" in page for page in pages.values())


def test_a_guessed_join_without_a_measured_match_is_not_written(make_db):
    guess = Link("audit", ("id",), "customers", ("id",), origin="inferred", evidence=Evidence())
    sure = replace(guess, to_table="orders", evidence=Evidence(rows=9, matched_share=0.995))

    pages = docs.pages_of(book_of(make_db(SHOP), graph=Graph(links=(guess, sure))))

    assert "JOIN customers" not in pages["tables/audit.md"]
    assert "| inferred from data | 99.5 % of 9 references match |" in pages["tables/audit.md"]
    assert 'orders ||..o| audit : "id"' in pages["er.md"]


def test_a_key_that_leads_nowhere_says_why(make_db):
    database = make_db("CREATE TABLE t (id INTEGER PRIMARY KEY, x INTEGER REFERENCES gone (id));")

    page = docs.pages_of(book_of(database))["tables/t.md"]

    assert "- `x` → `gone` `id`: there is no such table" in page


def test_a_view_shows_its_definition_and_no_query_that_reads_all_of_it(make_db):
    def unread(profile):
        return Profile(
            tuple(TableProfile(t.table) if t.table == "open_orders" else t for t in profile.tables)
        )

    page = docs.pages_of(book_of(make_db(SHOP), change=unread))["tables/open_orders.md"]

    assert fenced(page, "sql") == [
        "SELECT id\nFROM open_orders\nLIMIT 10;",
        "CREATE VIEW open_orders AS SELECT id FROM orders WHERE status = 'open'",
    ]


@pytest.mark.parametrize(
    ("dialect", "expected"),
    [
        pytest.param("tsql", "SELECT TOP (10) [order], n\nFROM s.[order];", id="SQL Server"),
        pytest.param("mysql", "SELECT `order`, n\nFROM s.`order`\nLIMIT 10;", id="MySQL"),
        pytest.param(
            "oracle",
            'SELECT "order", "n"\nFROM "s"."order"\nFETCH FIRST 10 ROWS ONLY;',
            id="Oracle",
        ),
    ],
)
def test_queries_are_written_for_the_dialect(dialect, expected):
    columns = (Column("order", "int", "integer"), Column("n", "int", "integer"))
    table = Table("s.order", "order", schema="s", columns=columns)
    catalog = Catalog(dialect, "db", tables=(table,))

    pages = docs.pages_of(open_book(catalog, Profile(), Semantic(), Graph(), COVERAGE))

    assert fenced(pages["tables/s.order.md"], "sql") == [expected]


# Front page


@pytest.mark.req("DOC-01")
def test_the_front_page_tells_coverage_tables_entities_and_relations(make_db):
    buyer = GraphEntity(
        Entity("buyer", "customers", description="Who pays."),
        "failed",
        "customers",
        filter="country = 'GB'",
        rows=1,
        problems=(Problem("KG", "error", "the key is not unique"),),
    )
    pays = GraphRelation(Relation("buyer", "pays", "order"), "verified", "buyer", "pays", "order",
                         pairs=6, unmatched=2, cardinality="one_to_many")  # fmt: skip
    graph = Graph(entities=(buyer,), relations=(pays,))

    page = docs.pages_of(book_of(make_db(SHOP), graph=graph))["README.md"]

    for expected in (
        "SQLite · 3 tables · 1 view · 12 columns · 8 rows · 2 links (2 declared)",
        "| all | 1 of 4 | 1 of 4 | 1 of 4 | 1 of 4 |",
        "Describe next: `orders.status`.",
        "| [orders](tables/orders.md) | table | 6 | 6 | [customers](tables/customers.md) |",
        "| buyer | Who pays. | [customers](tables/customers.md) | `country = 'GB'` | 1 | failed;",
        "failed; the key is not unique |",
        "| buyer pays order | one to many, 6 pairs, 2 unmatched | verified |",
        "what you change here is lost with the next build",
    ):
        assert expected in page


def test_objects_that_could_not_be_read_are_listed(make_db):
    database = make_db("CREATE TABLE t (id); CREATE VIEW broken AS SELECT * FROM gone;")

    page = docs.pages_of(book_of(database))["README.md"]

    assert "| `broken` | view | OperationalError |" in page


def test_coverage_is_shown_per_domain(make_db):
    book = book_of(make_db(SHOP))
    domain = DomainCoverage("Sales", share(), share(), share(), share())

    page = docs.pages_of(replace(book, coverage=replace(COVERAGE, domains=(domain,))))["README.md"]

    assert "| Sales | 1 of 4 | 1 of 4 | 1 of 4 | 1 of 4 |" in page
    assert "| **all** | 1 of 4 |" in page


# Untrusted text

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


def test_a_fence_is_longer_than_any_inside():
    assert markdown.fence("a ```` b") == "`````sql\na ```` b\n`````"


@pytest.mark.parametrize(
    ("share", "expected"),
    [(0.0, "0 %"), (1.0, "100 %"), (0.5, "50 %"), (0.999, "99.9 %"), (0.99999, "> 99.99 %"),
     (0.004, "0.4 %"), (0.000001, "< 0.01 %")],
)  # fmt: skip
def test_only_all_is_a_hundred_percent(share, expected):
    assert percent(share) == expected


# Diagrams


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


def pages_of_catalog(catalog, links=None):
    keys = tuple(key for table in catalog.tables for key in table.foreign_keys)
    graph = Graph(links=keys if links is None else links)
    return docs.pages_of(open_book(catalog, Profile(), Semantic(), graph, COVERAGE))


@pytest.mark.req("DOC-02")
def test_a_large_database_is_split_so_that_every_table_is_drawn_within_the_limits():
    pages = pages_of_catalog(wide_catalog(400))

    drawn = diagrams_in(pages)

    assert {table for tables, _ in drawn for table in tables} == {f"t{n}" for n in range(400)}
    whole = fenced(pages["er.md"], "mermaid")
    assert {t for block in whole for t in check_mermaid(block)[0]} == {f"t{n}" for n in range(400)}


@pytest.mark.req("DOC-02")
def test_a_diagram_of_wide_tables_stays_below_the_limit_of_characters():
    catalog = wide_catalog(30, columns=150)
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


# Files


@pytest.mark.parametrize(
    "known",
    [
        pytest.param(("Customer", "customer", "CUSTOMER"), id="case only"),
        pytest.param(("a/b", "a\\b", "a|b", "a b", "a-b"), id="separators"),
        pytest.param(("é", "e\u0301"), id="two encodings of one letter"),
        pytest.param(("con", "NUL", "aux.txt", "x.", ".x", " x", "x "), id="what Windows refuses"),
        pytest.param(("x" * 128, "x" * 127, "表" * 128, "😀", "?"), id="long and strange"),
        pytest.param(("..", ".", "../../etc/passwd", "", "a\nb", "a\0b"), id="paths"),
    ],
)
def test_file_names_are_safe_and_distinct_on_every_system(known):
    files = names.file_names(known)

    assert set(files) == set(known)
    assert len({file.casefold() for file in files.values()}) == len(known)
    for file in files.values():
        assert re.fullmatch(r"[\w-](?:[\w.-]*[\w-])?", file)
        assert len(file.encode()) <= 250
        assert file.partition(".")[0].upper() not in {"CON", "NUL", "AUX", "PRN"}


def test_a_plain_name_is_its_own_file_name():
    assert names.file_names(["Sales__Order", "Order Details", "表_顧客"]) == {
        "Sales__Order": "Sales__Order",
        "Order Details": "Order-Details",
        "表_顧客": "表_顧客",
    }


def test_links_between_pages_lead_to_files(make_db, tmp_path):
    folder = built(odd_database(make_db), tmp_path / "kb")

    links = [
        (page, target.partition("#")[0])
        for page in folder.rglob("*.md")
        for target in re.findall(
            r"(?<!\\)\]\(([^)]+)\)", without_code(page.read_text(encoding="utf-8"))
        )
    ]

    assert len(links) > 3 * len(ODD)
    for page, target in links:
        assert (page.parent / unquoted(target)).is_file(), (page, target)


def unquoted(target):
    from urllib.parse import unquote

    return unquote(target)


@pytest.mark.req("DOC-05", part="deterministic output")
def test_two_builds_are_equal_to_the_byte(make_db, tmp_path):
    database = odd_database(make_db)

    first = built(database, tmp_path / "one")
    second = built(database, tmp_path / "two")

    pages = sorted(p.relative_to(first) for p in first.rglob("*") if p.is_file())
    assert pages == sorted(p.relative_to(second) for p in second.rglob("*") if p.is_file())
    assert all((first / p).read_bytes() == (second / p).read_bytes() for p in pages)


def test_pages_of_dropped_tables_go_and_nothing_outside_is_touched(make_db, tmp_path):
    folder = built(make_db(SHOP), tmp_path / "kb")
    (tmp_path / "kb" / "notes.md").write_text("mine", encoding="utf-8")
    without = SHOP.replace("CREATE TABLE audit (id INTEGER PRIMARY KEY);", "")

    built(make_db(without, "later.sqlite"), tmp_path / "kb")

    assert not (folder / "tables" / "audit.md").exists()
    assert (folder / "tables" / "orders.md").exists()
    assert (tmp_path / "kb" / "notes.md").read_text(encoding="utf-8") == "mine"


def test_a_description_changes_only_the_pages_that_show_it(make_db, tmp_path):
    folder = built(make_db(SHOP), tmp_path / "kb")
    before = {p: p.stat().st_mtime_ns for p in folder.rglob("*.md")}

    built(make_db(SHOP, "same.sqlite"), tmp_path / "kb",
          semantic_yaml="tables:\n  orders: {description: Sold goods}\n")  # fmt: skip

    changed = {p.name for p, old in before.items() if p.stat().st_mtime_ns != old}
    assert changed == {"README.md", "orders.md"}
