"""The docs stage: the card of a table, and the front page."""

import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from pipeline import docs
from pipeline.docs.book import open_book
from schemas.models import (
    Catalog,
    Column,
    DomainCoverage,
    Entity,
    Evidence,
    Graph,
    GraphEntity,
    GraphRelation,
    Link,
    Problem,
    Profile,
    Relation,
    Semantic,
    SemanticColumn,
    SemanticTable,
    Table,
    TableProfile,
)
from tests.docs_books import COVERAGE, ODD, SHOP, book_of, fenced, odd_database, share
from tests.profile_kit import Kit


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
    unseen = [name for name in ODD if not name.isprintable()]
    assert len(queries) == 3 * (len(ODD) - len(unseen))


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
def test_example_queries_leave_out_deleted_rows_and_moments_that_stand_for_none(make_db, tmp_path):
    database = make_db(
        "CREATE TABLE farm (id INTEGER PRIMARY KEY, name TEXT, is_deleted INTEGER);"
        "CREATE TABLE animal (id INTEGER PRIMARY KEY, farm INTEGER REFERENCES farm (id),"
        " name TEXT, kind TEXT, died DATE, deleted_at TEXT);"
        "INSERT INTO farm VALUES (1, 'Home', 0), (2, 'Gone', 1);"
        "WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)"
        " INSERT INTO animal SELECT i, 1, 'a' || i, substr('cow pig ', 1 + i % 2 * 4, 3),"
        " CASE WHEN i % 6 THEN '9999-12-31' ELSE date('2020-01-01', i || ' days') END,"
        " CASE WHEN i % 10 = 9 THEN '2021-01-01' END FROM n;"
    )

    pages = docs.pages_of(book_of(database, change=lambda _: Kit(tmp_path, database).build()))

    assert fenced(pages["tables/animal.md"].partition("## Example")[2], "sql") == [
        (
            "SELECT id, farm, name, kind, died, deleted_at\nFROM animal"
            "\nWHERE deleted_at IS NULL AND died <> '9999-12-31'\nORDER BY died DESC\nLIMIT 10;"
        ),
        (
            "SELECT kind, COUNT(*) AS row_count\nFROM animal\nWHERE deleted_at IS NULL"
            "\nGROUP BY kind\nORDER BY row_count DESC;"
        ),
        (
            "SELECT a.id, a.name, a.kind, a.died, f.name AS farm_name\nFROM animal AS a"
            "\nJOIN farm AS f ON a.farm = f.id\nWHERE a.deleted_at IS NULL\nLIMIT 10;"
        ),
    ]
    assert "\nWHERE f.is_deleted = 0 AND a.deleted_at IS NULL\n" in pages["tables/farm.md"]


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


@pytest.mark.req("C23", part="docs")
@pytest.mark.req("C22", part="docs")
def test_a_wide_table_and_a_long_code_list_are_shown_whole(make_db):
    columns = [f"c{number}" for number in range(800)]
    meanings = {f"K{number}": f"meaning {number} {'long ' * 30}" for number in range(150)}
    table = SemanticTable(columns={"c0": SemanticColumn(values=meanings)})
    database = make_db(f"CREATE TABLE wide ({', '.join(columns)});")

    page = docs.pages_of(book_of(database, semantic=Semantic(tables={"wide": table})))

    card = page["tables/wide.md"]
    assert all(f"| `{name}` |" in card for name in columns)
    assert all(f"| `'{code}'` | {text.strip()} |" in card for code, text in meanings.items())


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


@pytest.mark.parametrize(
    ("grain", "told"),
    [
        pytest.param("one row per CategoryID", "one row per CategoryID", id="as the draft says"),
        pytest.param("an order", "one row is an order", id="a thing"),
        pytest.param("each row is a line", "each row is a line", id="a sentence"),
    ],
)
def test_a_table_without_description_is_told_by_its_grain(make_db, grain, told):
    semantic = Semantic(tables={"customers": SemanticTable(grain=grain)})

    page = docs.pages_of(book_of(make_db(SHOP), semantic=semantic))["README.md"]

    assert f"| {told} |" in page
