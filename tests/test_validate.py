"""Every statement that people wrote is run, and what came of it is reported."""

import sqlite3
from contextlib import closing, contextmanager

import pytest

from pipeline import artifacts, scan, validate
from pipeline.database.source import resolve
from schemas.models import Graph, KbSettings, Profile, Validation
from tests import engines, mariadb_databases, postgres_databases

SHOP = """
CREATE TABLE customers (id INTEGER PRIMARY KEY, email TEXT, country TEXT NOT NULL);
CREATE TABLE orders (
    id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers(id),
    status TEXT NOT NULL
);
CREATE TABLE legacy (cust INTEGER, kind TEXT, other INTEGER);
INSERT INTO customers VALUES (1, 'a@x.test', 'GB'), (2, 'b@x.test', 'FI');
INSERT INTO orders VALUES (10, 1, 'open'), (11, 1, 'paid'), (12, 2, 'paid');
INSERT INTO legacy VALUES (1, 'a', 77), (2, 'b', 78);
"""

SEMANTIC = """\
examples:
- {question: How many orders?, sql: SELECT COUNT(*) AS orders FROM orders}
- {question: Which are late?, sql: SELECT late FROM orders}
- {question: Remove all?, sql: DELETE FROM orders}
metrics:
- name: orders per country
  sql: >-
    SELECT c.country, COUNT(*) AS n FROM orders o
    JOIN customers c ON c.id = o.customer_id GROUP BY 1
glossary:
- {term: paid order, tables: [orders], sql: "status = 'paid'"}
- {term: British order, tables: [orders, customers], sql: "customers.country = 'GB'"}
- {term: shout, tables: customers, sql: "upper(customers.country)"}
- {term: nowhere, sql: "status = 'paid'"}
- {term: only words, definition: has no SQL}
relationships:
- {from: legacy.cust, to: customers.id}
- {from: legacy.cust, to: customers.id, condition: "legacy.kind = 'a'"}
- {from: legacy.other, to: customers.id}
- {from: legacy.kust, to: customers.id}
tables:
  orders: {columns: {statuss: x}}
"""


@pytest.fixture
def kb(make_db, tmp_path):
    class Built:
        source = resolve(str(make_db(SHOP)), tmp_path, {})
        folder = tmp_path
        account = ""

        def validate(self, text, source="own", entities="", **options):
            (tmp_path / "semantic.yaml").write_text(text, encoding="utf-8")
            (tmp_path / "knowledge_graph.yaml").write_text(entities, encoding="utf-8")
            self.account = validate.build(
                catalog=tmp_path / "catalog.json",
                profile=tmp_path / "profile.json",
                knowledge_graph=tmp_path / "knowledge_graph.yaml",
                semantic=tmp_path / "semantic.yaml",
                graph=tmp_path / "graph.json",
                out=tmp_path / "validation.json",
                report=tmp_path / "validation.md",
                source=self.source if source == "own" else source,
                **options,
            )
            items = artifacts.read(tmp_path / "validation.json", Validation).items
            return {item.name: item for item in items}

    built = Built()
    catalog = tmp_path / "catalog.json"
    scan.build(source=built.source, settings=KbSettings("shop"), out=catalog)
    links = [
        link
        for table in artifacts.read(catalog, scan.Catalog).tables
        for link in table.foreign_keys
    ]
    artifacts.write(tmp_path / "graph.json", Graph(links=tuple(links)))
    artifacts.write(tmp_path / "profile.json", Profile())
    return built


@pytest.mark.req("VAL-01")
def test_each_statement_is_run_and_each_failure_has_its_cause(kb):
    items = kb.validate(SEMANTIC)

    status = {name: item.status for name, item in items.items()}
    assert status == {
        "orders.statuss": "failed",
        "How many orders?": "ok",
        "Which are late?": "failed",
        "Remove all?": "failed",
        "orders per country": "ok",
        "paid order": "ok",
        "British order": "ok",
        "shout": "ok",
        "nowhere": "failed",
        "legacy.cust = customers.id": "ok",
        "legacy.other = customers.id": "failed",
        "legacy.kust = customers.id": "failed",
    }
    assert items["How many orders?"].columns == ("orders",)
    assert items["orders per country"].rows == 2
    assert "late" in items["Which are late?"].cause
    assert items["Remove all?"].cause.startswith("refused: ")
    assert items["legacy.other = customers.id"].cause == "the join finds no row"
    assert items["legacy.kust = customers.id"].cause == "table legacy has no column `kust`"
    assert kb.account == "7 of 12 checks passed, 5 failed, 1 unknown name in semantic.yaml"


def test_a_condition_of_a_join_is_part_of_what_is_run(kb):
    text = (
        "relationships:\n"
        "- {from: legacy.cust, to: customers.id, condition: \"legacy.kind = 'a'\"}\n"
    )

    items = kb.validate(text)

    assert items["legacy.cust = customers.id"].rows == 1


def test_the_report_says_what_to_do_and_leaves_no_room_for_markup(kb):
    kb.validate('examples:\n- {question: "a | <b> `c`\\n# d", sql: SELECT nothing}\n')

    report = (kb.folder / "validation.md").read_text(encoding="utf-8")
    assert report.startswith("# Validation\n\n0 of 1 check passed, 1 failed.\n")
    assert "| example | a \\| \\<b\\> \\`c\\` \\# d | semantic.yaml:2:46 |" in report


def test_without_a_database_statements_are_skipped_with_the_reason(kb):
    items = kb.validate(SEMANTIC, source=None)

    assert {i.status for i in items.values() if i.kind != "name"} == {"skipped"}
    assert items["How many orders?"].cause == "the database can't be reached"


def test_a_database_that_cannot_be_opened_skips_and_does_not_raise(kb):
    kb.source.path.unlink()

    items = kb.validate("examples:\n- {question: a, sql: SELECT 1}\n")

    assert items["a"].status == "skipped"


def test_two_runs_write_the_same_bytes(kb):
    kb.validate(SEMANTIC)
    first = (kb.folder / "validation.json").read_bytes(), (kb.folder / "validation.md").read_bytes()

    kb.validate(SEMANTIC)

    assert first == (
        (kb.folder / "validation.json").read_bytes(),
        (kb.folder / "validation.md").read_bytes(),
    )


def test_nothing_to_run_is_said_plainly(kb):
    assert kb.validate("") == {}
    assert kb.account.startswith("nothing to check")


def example(sql, expect=""):
    return f"examples:\n- question: a\n  sql: >-\n    {sql}\n{expect and f'  expect: {expect}'}\n"


ENDLESS = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT COUNT(*) FROM r"


@pytest.mark.req("VAL-01")
@pytest.mark.parametrize(
    ("sql", "cause", "proven"),
    [
        pytest.param("SELECT 1; SELECT 2", "a second statement (SELECT)", False, id="two"),
        pytest.param("DELETE FROM orders", "DELETE is no query", False, id="write"),
        pytest.param("SELECT * FROM nowhere", "nowhere", False, id="unknown table"),
        pytest.param("SELECT id FROM orders WHERE (", "can't be read", False, id="syntax"),
        pytest.param(ENDLESS, "ran longer than 0.5 s", True, id="endless"),
    ],
)
def test_a_statement_that_fails_says_why_and_whether_all_that_it_names_is_there(
    kb, sql, cause, proven
):
    item = kb.validate(example(sql), seconds=0.5)["a"]

    assert (item.status, item.proven) == ("failed", proven)
    assert cause in item.cause


def test_a_name_that_is_gone_names_all_that_uses_it(kb):
    items = kb.validate(
        "examples:\n"
        "- {question: which?, sql: SELECT state FROM orders}\n"
        "- {question: other?, sql: SELECT id FROM orders}\n"
        "metrics:\n"
        "- {name: how many, sql: SELECT COUNT(o.State) AS n FROM orders AS o}\n"
        "relationships:\n"
        "- {from: orders.state, to: customers.id}\n"
        "tables: {orders: {columns: {state: Where it is.}}}\n"
    )

    assert {name: item.missing for name, item in items.items()} == {
        "which?": ("table orders has no column `state`",),
        "other?": (),
        "how many": ("table orders has no column `State`",),
        "orders.state = customers.id": ("table orders has no column `state`",),
        "orders.state": ("table orders has no column `state`",),
    }
    report = (kb.folder / "validation.md").read_text(encoding="utf-8")
    users = (
        "entry orders.state (semantic.yaml:8:29), example which? (semantic.yaml:2:34), "
        "metric how many (semantic.yaml:5:38), "
        "relationship orders.state = customers.id (semantic.yaml:7:10)"
    )
    assert f"## Gone\n\n- table orders has no column \\`state\\`: {users}\n" in report
    assert "did you mean status?" in report


@pytest.mark.parametrize(
    ("text", "place"),
    [
        pytest.param(
            "examples:\n- question: a?\n  sql: >-\n    SELECT id\n    FROM ordres\n",
            "semantic.yaml:5:10",
            id="a table, folded",
        ),
        pytest.param(
            "examples:\n- question: a?\n  sql: |\n    -- no\n    DELETE FROM orders\n",
            "semantic.yaml:5:5",
            id="what the guard refuses, literal",
        ),
        pytest.param(
            "glossary:\n- {term: a, tables: orders, sql: 'id > 0 AND ''x'' = late'}\n",
            "semantic.yaml:2:54",
            id="in a part of a query",
        ),
        pytest.param(
            "metrics:\n- {name: a, sql: SELECT 1 AS a FROM orders o WHERE WHERE x}\n",
            "semantic.yaml:2:52",
            id="what can't be read",
        ),
    ],
)
def test_a_failure_is_told_with_its_place_in_the_statement(kb, text, place):
    (item,) = kb.validate(text).values()

    assert (item.status, item.place) == ("failed", place)


def test_filters_of_entities_are_proven_and_not_run(kb):
    items = kb.validate(
        "",
        entities="entities:\n"
        "- {name: Paid, table: orders, filter: status = 'paid' -- so far}\n"
        "- {name: Late, table: orders, filter: lateness > 3}\n"
        "- {name: Own, is_a: Paid, filter: customer_id = 1}\n"
        "- {name: Odd, is_a: Even, filter: id = 1}\n"
        "- {name: Even, is_a: Odd}\n"
        "- {name: Lost, table: order, filter: id = 1}\n",
    )
    causes = {name: items[name].cause for name in ("Own", "Odd", "Lost")}

    assert causes == {
        "Own": "",
        "Odd": "no entity that it is names a table",
        "Lost": "there is no table `order`",
    }
    assert (items["Paid"].status, items["Paid"].proven, items["Paid"].rows) == ("ok", True, None)
    assert (items["Late"].status, items["Late"].missing) == (
        "failed",
        ("table orders has no column `lateness`",),
    )


def test_a_metric_has_to_be_a_query(kb):
    item = kb.validate("metrics: [{name: total, sql: SUM(id)}]")["total"]

    assert (item.status, item.cause) == ("failed", "its SQL is no query")


def test_a_query_without_from_says_so_and_nothing_is_called_gone(kb):
    item = kb.validate("metrics: [{name: total, sql: SELECT COUNT(status)}]")["total"]

    cause = "the query has no FROM; `orders` has `status`"
    assert (item.status, item.missing) == ("failed", ())
    assert item.cause.removeprefix("refused: ") == cause
    report = (kb.folder / "validation.md").read_text(encoding="utf-8")
    assert "## Gone" not in report
    assert "add FROM with the table that it is about" in report


@pytest.mark.req("VAL-03")
@pytest.mark.parametrize(
    ("expect", "cause"),
    [
        pytest.param("{columns: [STATUS, n], rows: 2}", "", id="as pinned"),
        pytest.param("{rows: {min: 1}}", "", id="at least"),
        pytest.param("{rows: 3}", "the result has 2 rows, pinned are 3", id="rows"),
        pytest.param("{rows: {max: 1}}", "the result has 2 rows, pinned are 0 to 1", id="at most"),
        pytest.param("{columns: [status, m]}", "lacks m and has n besides", id="another column"),
        pytest.param("{columns: [n, status]}", "come in another order", id="order of columns"),
        pytest.param("{checksum: v1-00}", "the values aren't those that are pinned", id="values"),
        pytest.param("{checksum: v0-00}", "isn't one that this dblore computes", id="old"),
    ],
)
def test_what_is_pinned_of_a_result_is_compared(kb, expect, cause):
    sql = "SELECT status, COUNT(*) AS n FROM orders GROUP BY status"

    item = kb.validate(example(sql, expect))["a"]

    assert (item.status, item.pinned) == ("failed" if cause else "ok", True)
    assert cause in item.cause
    assert not cause or item.cause.endswith("it reads orders")


def test_a_result_beyond_what_is_counted_still_has_at_least_that_many_rows(kb):
    numbers = (
        "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 200000) "
        "SELECT n, n AS n FROM r"
    )

    item = kb.validate(example(numbers, "{columns: [n, n], rows: {min: 90000}}"))["a"]

    assert (item.status, item.rows) == ("ok", 100_000)


def test_what_passed_is_not_run_again_until_its_statement_or_data_change(kb, make_db):
    text = "examples:\n- {question: a, sql: SELECT COUNT(*) FROM orders}\n"
    moving = "- {question: b, sql: \"SELECT date('now') AS today FROM orders\"}\n"
    cache = kb.folder / "build" / "validate-cache"

    kb.validate(text + moving, cache=cache)
    assert kb.account == "2 of 2 checks passed"
    kb.validate(text + moving, cache=cache)
    assert kb.account == "2 of 2 checks passed (1 unchanged)"

    kb.validate(text.replace("COUNT(*)", "MAX(id)"), cache=cache)
    assert kb.account == "1 of 1 check passed"
    with closing(sqlite3.connect(kb.source.path)) as connection:
        connection.executescript("INSERT INTO orders VALUES (13, 1, 'new')")
    kb.validate(text.replace("COUNT(*)", "MAX(id)"), cache=cache)
    assert kb.account == "1 of 1 check passed"


@contextmanager
def server_database(name, request):
    """Yield a source on a server and what runs statements there."""
    server = engines.server(name, required=request.config.getoption("--require-engines"))
    if name == "postgres":
        with postgres_databases.database(server, "renaming") as source:
            yield source, lambda *sql: postgres_databases.run(source, *sql)
        return
    database = mariadb_databases.own("renaming")
    mariadb_databases.run(server.url, f"CREATE DATABASE {database}")
    try:
        source = mariadb_databases.named(server, database=database)
        yield source, lambda *sql: mariadb_databases.run(server.url, f"USE {database}", *sql)
    finally:
        mariadb_databases.run(server.url, f"DROP DATABASE {database}")


@pytest.mark.parametrize("name", sorted(engines.SERVERS))
def test_a_column_that_a_server_renamed_since_the_scan_is_found_at_once(name, request, tmp_path):
    files = {
        name: tmp_path / f"{name}.json" for name in ("catalog", "profile", "graph", "validation")
    }
    files["semantic"] = tmp_path / "semantic.yaml"
    files["semantic"].write_text(example("SELECT id, status FROM orders"), encoding="utf-8")

    def validated():
        return validate.build(
            out=files["validation"],
            report=tmp_path / "validation.md",
            source=source,
            cache=tmp_path / "cache",
            knowledge_graph=tmp_path / "none.yaml",
            **{name: path for name, path in files.items() if name != "validation"},
        )

    with server_database(name, request) as (source, run):
        run(
            "CREATE TABLE orders (id INTEGER, status VARCHAR(9))",
            "INSERT INTO orders VALUES (1, 'a')",
        )
        scan.build(source=source, settings=KbSettings("shop"), out=files["catalog"])
        artifacts.write(files["profile"], Profile())
        artifacts.write(files["graph"], Graph())
        accounts = [validated(), validated()]
        run("ALTER TABLE orders RENAME COLUMN status TO state")
        accounts.append(validated())

    assert accounts[0] == "1 of 1 check passed"
    assert accounts[1] in ("1 of 1 check passed (1 unchanged)", "1 of 1 check passed")
    assert accounts[2] == "0 of 1 check passed, 1 failed"
    (item,) = artifacts.read(files["validation"], Validation).items
    assert "status" in item.cause


def test_what_was_kept_writes_the_same_bytes(kb):
    cache = kb.folder / "build" / "validate-cache"
    written = []
    for _ in range(2):
        kb.validate(SEMANTIC, cache=cache)
        written.append([(kb.folder / f"validation.{end}").read_bytes() for end in ("json", "md")])

    assert written[0] == written[1]


def test_what_was_kept_in_another_shape_is_as_good_as_nothing(kb):
    cache = kb.folder / "build" / "validate-cache"
    kb.validate(example("SELECT id FROM orders"), cache=cache)
    for path in (cache, cache.with_name("validate-cache-statements")):
        text = path.read_text(encoding="utf-8").replace('"value": {', '"value": {"odd": 1, ')
        path.write_text(text, encoding="utf-8")

    kb.validate(example("SELECT id FROM orders"), cache=cache)

    assert kb.account == "1 of 1 check passed"


def test_errors_quote_no_value_of_a_sensitive_column(kb):
    marked = "tables: {customers: {columns: {email: {sensitive: true}}}}\n"
    sql = "SELECT json_extract(email, '$.a') FROM customers"

    item = kb.validate(marked + example(sql))["a"]

    assert item.status == "failed"
    assert "x.test" not in item.cause
