"""SQL Server's catalogue: its statements parse, and rows as documented become tables."""

import re

import pytest
import sqlglot
from sqlglot import exp

from pipeline.database.connect import open_database
from pipeline.database.servers import tsql_catalog, tsql_queries, tsql_tables
from tests import engines

DBO, CRM = 1, 5
ORDERS, LINES, PEOPLE, OPEN_ORDERS, SECRET, LOG = 100, 200, 300, 400, 500, 600


def column(table, number, name, kind="int", size=(4, 10, 0), **other):
    """A row of sys.columns and what is joined to it."""
    facts = {
        "schema": "sys", "is_user_defined": False, "base": kind, "nullable": False,
        "identity": False, "default": None, "computed": None, "persisted": None, "comment": None,
        "readable": 1,
    } | other  # fmt: skip
    return (
        table, number, name, kind, facts["schema"], facts["is_user_defined"], facts["base"], *size,
        facts["nullable"], facts["identity"], facts["default"], facts["computed"],
        facts["persisted"], facts["comment"], facts["readable"],
    )  # fmt: skip


ROWS = {
    "SELECT DB_NAME()": [("shop", "dbo", "What we sell")],
    "SELECT s.schema_id": [(DBO, "dbo"), (CRM, "crm"), (6, "empty")],
    "SELECT o.object_id, o.schema_id, o.name, RTRIM(o.type), HAS_PERMS": [
        (ORDERS, DBO, "orders", "U", 1, "What was ordered", None, 3, 0),
        (LINES, DBO, "order line", "U", 1, None, None, 1, 0),
        (PEOPLE, CRM, "people", "U", 0, None, None, 1, 0),
        (OPEN_ORDERS, DBO, "open_orders", "V", 1, None, "\nCREATE VIEW o AS SELECT 1", 0, 1),
        (SECRET, CRM, "secret", "U", 0, None, None, 1, 0),
        (LOG, DBO, "log", "U", 1, None, None, 1, 0),
    ],
    "SELECT c.object_id": [
        column(ORDERS, 1, "id", identity=True),
        column(ORDERS, 2, "note", "nvarchar", (100, 0, 0), nullable=True, comment="from the buyer"),
        column(ORDERS, 3, "total", "decimal", (9, 19, 4), default="((0))"),
        column(ORDERS, 4, "tax", "decimal", (9, 19, 4), computed="([total]*(0.2))", persisted=True),
        column(ORDERS, 5, "at", "datetime2", (7, 23, 3), default="(getdate())"),
        column(ORDERS, 6, "version", "timestamp", (8, 0, 0)),
        column(ORDERS, 7, "buyer", schema="dbo", kind="Name", size=(100, 0, 0), base="nvarchar",
               is_user_defined=True),
        column(LINES, 1, "order_id"),
        column(LINES, 2, "line"),
        column(LINES, 3, "body", "varchar", (-1, 0, 0), nullable=True),
        column(PEOPLE, 1, "id"),
        column(PEOPLE, 2, "salary", "money", (8, 19, 4), readable=0),
        column(OPEN_ORDERS, 1, "id"),
        column(SECRET, 1, "id", readable=0),
        column(LOG, 1, "person_id"),
    ],
    "SELECT i.object_id": [
        (ORDERS, "PK_orders", True, False, True, False, "CLUSTERED", None, 1, "id", False),
        (LINES, "PK_line", True, False, True, False, "CLUSTERED", None, 1, "order_id", False),
        (LINES, "PK_line", True, False, True, False, "CLUSTERED", None, 2, "line", False),
        (ORDERS, "UQ_note", False, True, True, False, "NONCLUSTERED", None, 1, "note", False),
        (ORDERS, "IX_at", False, False, False, False, "NONCLUSTERED", "([id]>(1))", 1, "at", True),
        (ORDERS, "IX_off", False, False, True, True, "NONCLUSTERED", None, 1, "tax", False),
        (PEOPLE, "IX_salary", False, False, False, False, "NONCLUSTERED", None, 1, "salary", False),
        (LOG, "CCI", False, False, False, False, "CLUSTERED COLUMNSTORE", None, 0, "person_id", 0),
    ],
    "SELECT f.parent_object_id": [
        (LINES, "FK_line_order", ORDERS, "dbo", "orders", "order_id", "id", False, False),
        (LOG, "FK_log_person", PEOPLE, "crm", "people", "person_id", "id", False, True),
        (LOG, "FK_log_gone", 999, "hr", "staff", "person_id", "id", True, True),
    ],
    "SELECT k.parent_object_id": [
        (ORDERS, "CK_total", "([total]>=(0))", False, False),
        (ORDERS, "CK_note", "([note] IN ('a)', 'b') OR [note] IS NULL)", True, True),
    ],
    "SELECT o.object_id, o.schema_id, o.name, RTRIM(o.type), CAST": [
        (700, DBO, "pay", "P", "Books a payment"),
        (701, CRM, "age", "FN", None),
        (702, DBO, "lines_of", "IF", None),
    ],
    "SELECT p.object_id": [
        (700, 1, "@order", "int", "sys", False, 4, 10, 0, False),
        (700, 2, "@paid", "decimal", "sys", False, 9, 19, 4, True),
        (701, 0, "", "int", "sys", False, 4, 10, 0, True),
        (701, 1, "@born", "date", "sys", False, 3, 10, 0, False),
    ],
    "SELECT g.parent_id": [
        (ORDERS, "stamp", False, False, "INSERT", None),
        (ORDERS, "stamp", False, False, "UPDATE", None),
        (OPEN_ORDERS, "redirect", True, True, "DELETE", "not now"),
    ],
}  # fmt: skip


def answer(sql):
    """Return the rows for a query of `tsql_queries`; the longest beginning that fits decides."""
    plain = " ".join(sql.split())
    return ROWS[max((start for start in ROWS if plain.startswith(start)), key=len)]


@pytest.fixture
def catalog():
    return tsql_catalog.read(answer, "?")


@pytest.mark.req("SCAN-11", part="SQL Server: one statement a subject")
def test_each_statement_is_one_select_of_t_sql():
    queries = tsql_queries.Queries([1, 5])
    texts = [tsql_queries.SERVER, tsql_queries.SCHEMAS] + [
        getattr(queries, name)() for name in dir(queries) if not name.startswith("_")
    ]

    assert len(texts) == 10
    for text in texts:
        (tree,) = sqlglot.parse(text, dialect="tsql")
        assert isinstance(tree, exp.Select)
        assert {t.db for t in tree.find_all(exp.Table)} == {"sys"} or "DB_NAME" in text


@pytest.mark.req("SCAN-02", part="SQL Server: rows of its catalogue")
@pytest.mark.req("SCAN-03", part="SQL Server: all user schemas")
def test_rows_of_the_catalogue_become_tables(catalog):
    orders = catalog.by_name["orders"]

    assert (catalog.database, catalog.comment) == ("shop", "What we sell")
    assert [t.name for t in catalog.tables] == [
        "crm.people", "log", "open_orders", "order line", "orders",
    ]  # fmt: skip
    assert [(c.name, c.native_type, c.family) for c in orders.columns] == [
        ("id", "int", "integer"),
        ("note", "nvarchar(50)", "text"),
        ("total", "decimal(19,4)", "decimal"),
        ("tax", "decimal(19,4)", "decimal"),
        ("at", "datetime2(3)", "timestamp"),
        ("version", "timestamp", "binary"),
        ("buyer", "dbo.Name", "text"),
    ]
    assert orders.columns[0].identity
    assert (orders.columns[1].nullable, orders.columns[1].comment) == (True, "from the buyer")
    assert orders.columns[2].default == "0"
    assert (orders.columns[3].generated, orders.columns[3].expression) == (
        "stored",
        "[total]*(0.2)",
    )
    assert (orders.comment, orders.partitions) == ("What was ordered", 3)
    assert orders.primary_key.columns == ("id",)
    assert [k.columns for k in orders.unique] == [("note",)]
    assert [(i.name, i.columns, i.unique, i.where) for i in orders.indexes] == [
        ("IX_at", ("at DESC",), False, "([id]>(1))"),
        ("IX_off", ("tax",), False, None),
    ]
    assert [c.expression for c in orders.checks] == [
        "[note] IN ('a)', 'b') OR [note] IS NULL", "[total]>=(0)",
    ]  # fmt: skip
    assert orders.options == ("DISABLED INDEX IX_off", "DISABLED: CK_note")
    assert catalog.by_name["order line"].columns[2].native_type == "varchar(max)"
    assert catalog.by_name["order line"].primary_key.columns == ("order_id", "line")
    view = catalog.by_name["open_orders"]
    assert (view.kind, view.definition) == (
        "materialized_view", "CREATE VIEW o AS SELECT 1",
    )  # fmt: skip


@pytest.mark.req("SCAN-02", part="SQL Server: rows of its catalogue")
def test_keys_of_sql_server_lead_to_tables_by_name_and_out_of_the_scan(catalog):
    log = catalog.by_name["log"]

    assert [(k.to_table, k.state) for k in log.foreign_keys] == [
        ("crm.people", "ok"), ("hr.staff", "external"),
    ]  # fmt: skip
    assert catalog.external == ("hr.staff",)
    assert log.options == (
        "CLUSTERED COLUMNSTORE INDEX CCI", "DISABLED: FK_log_gone", "NOT TRUSTED: FK_log_person",
    )  # fmt: skip


@pytest.mark.req("SCAN-10", part="SQL Server: rows of its catalogue")
def test_what_a_login_may_not_select_from_sql_server_is_recorded(catalog):
    assert [(lost.name, lost.kind) for lost in catalog.unreadable] == [
        ("crm.people.salary", "column"), ("crm.secret", "table"),
    ]  # fmt: skip
    assert [c.name for c in catalog.by_name["crm.people"].columns] == ["id"]
    assert catalog.by_name["crm.people"].indexes == ()


@pytest.mark.req("SCAN-02", part="SQL Server: rows of its catalogue")
def test_routines_and_triggers_of_sql_server_are_told(catalog):
    assert [(r.name, r.kind, r.arguments, r.returns, r.comment) for r in catalog.routines] == [
        ("crm.age", "function", "@born date", "int", None),
        ("lines_of", "function", "", "table", None),
        ("pay", "procedure", "@order int, @paid decimal(19,4) OUTPUT", None, "Books a payment"),
        ("redirect", "trigger", "INSTEAD OF DELETE, disabled", None, "not now"),
        ("stamp", "trigger", "AFTER INSERT OR UPDATE", None, None),
    ]
    assert [r.table for r in catalog.routines[-2:]] == ["open_orders", "orders"]


@pytest.mark.req("SCAN-03", part="SQL Server: a chosen schema is in each name")
def test_a_chosen_schema_of_sql_server_is_part_of_each_name():
    asked = []

    def only_dbo(sql):
        asked.append(sql)
        has_schema = "SELECT o.object_id, o.schema_id" in sql
        return [row for row in answer(sql) if not has_schema or row[1] == DBO]

    catalog = tsql_catalog.read(only_dbo, "?", ["DBO"])

    assert [t.name for t in catalog.tables] == [
        "dbo.log", "dbo.open_orders", "dbo.order line", "dbo.orders",
    ]  # fmt: skip
    assert catalog.by_name["dbo.order line"].foreign_keys[0].to_table == "dbo.orders"
    assert all("IN (1)" in sql for sql in asked if re.search("schema_id IN", sql))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("((1))", "1"),
        ("(getdate())", "getdate()"),
        ("([a]+(1))*(2)", "([a]+(1))*(2)"),
        ("('(')", "'('"),
        ("('it''s )')", "'it''s )'"),
        ("([odd)]]name])", "[odd)]]name]"),
    ],
)
def test_brackets_that_sql_server_adds_are_taken_off(text, expected):
    assert tsql_tables.bare(text) == expected


@pytest.mark.req("SCAN-14", part="SQL Server, where a server is given")
def test_a_real_sql_server_is_scanned():
    with open_database(engines.given("sqlserver")) as database:
        catalog = database.read_catalog()

    assert not [note for note in catalog.notes if "through SQLAlchemy" in note]
    assert all(table.columns for table in catalog.tables)
