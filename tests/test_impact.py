"""What changed between two catalogues, and which items that makes suspect."""

from dataclasses import replace

import pytest

from pipeline import authored
from pipeline.database.ddl import catalog as ddl
from pipeline.errors import NotFoundError, SettingError
from pipeline.impact import Knowledge, changes, impact, named_change
from pipeline.references import references
from schemas.models import ColumnProfile, Evidence, Link, Profile, TableProfile, ValueCount

SHOP = """
CREATE TABLE customer (customer_id INTEGER PRIMARY KEY, name VARCHAR(40) NOT NULL,
    city VARCHAR(40) DEFAULT 'here');
CREATE TABLE sales_order (
    order_id INTEGER PRIMARY KEY,
    customer_id INTEGER NOT NULL REFERENCES customer (customer_id),
    status INTEGER NOT NULL CHECK (status IN (1, 5, 9)),
    total_cents INTEGER NOT NULL,
    ordered_on DATE NOT NULL
);
CREATE VIEW v_order AS SELECT o.order_id, o.status AS state, o.total_cents FROM sales_order o;
CREATE VIEW v_open AS SELECT v.order_id FROM v_order v WHERE v.state = 1;
"""
RENAMED = SHOP.replace("status INTEGER", "order_state INTEGER").replace("(status", "(order_state")

SEMANTIC = """
tables:
  sales_order:
    description: An order; `total_cents` is without VAT.
    columns:
      status:
        description: How far it has come.
        values: {"1": open, "5": paid, "9": cancelled}
      ordered_on: When it was placed.
  customer:
    columns:
      city: Where the customer lives.
relationships:
  - {from: [v_order.order_id], to: [sales_order.order_id]}
metrics:
  - {name: net sales, sql: "SELECT SUM(total_cents) FROM sales_order WHERE status <> 9"}
  - {name: paid, sql: "SELECT COUNT(*) FROM sales_order WHERE status = 5"}
  - {name: customers, sql: "SELECT COUNT(*) FROM customer"}
examples:
  - question: Sales by customer
    sql: >-
      WITH s AS (SELECT o.customer_id AS who, o.total_cents AS cents FROM sales_order o)
      SELECT c.name, SUM(s.cents) FROM customer c JOIN s ON s.who = c.customer_id GROUP BY c.name
  - {question: Open orders, sql: "SELECT COUNT(*) FROM v_open"}
  - {question: All of it, sql: "SELECT * FROM sales_order"}
  - {question: Orders by state, sql: "SELECT status, COUNT(*) FROM sales_order GROUP BY status"}
"""

GRAPH = """
entities:
  - {name: Order, table: sales_order}
  - {name: Cancelled Order, is_a: Order, filter: "status = 9"}
  - {name: Customer, table: customer, label: name}
relations:
  - {subject: Customer, predicate: places, object: Order, via: [sales_order.customer_id]}
"""

QUESTIONS = """
- {id: spend, question: Who spends most?, joins: ["sales_order.customer_id = customer.customer_id"]}
- {id: late, question: What is open?, sql: "SELECT COUNT(*) FROM sales_order WHERE status IN (1)"}
"""


def catalog(folder, sql=SHOP, dialect="sqlite"):
    path = folder / "schema.sql"
    path.write_text(sql, encoding="utf-8")
    return ddl.read([path], dialect, "shop")


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    """Return what is known of the shop, by dialect."""
    folder = tmp_path_factory.mktemp("impact")
    (folder / "semantic.yaml").write_text(SEMANTIC, encoding="utf-8")
    (folder / "knowledge_graph.yaml").write_text(GRAPH, encoding="utf-8")
    (folder / "evaluation.yaml").write_text(QUESTIONS, encoding="utf-8")
    golden = authored.read_evaluation(folder / "evaluation.yaml")
    semantic = authored.read_semantic(folder / "semantic.yaml")
    graph = authored.read_knowledge_graph(folder / "knowledge_graph.yaml")

    def known(dialect="sqlite"):
        found = catalog(folder, dialect=dialect)
        uses = references(found, semantic, graph, evaluation=golden)
        return Knowledge(found, uses, semantic.semantic, graph.graph, golden.questions)

    return known


def compared(folder, new, old=SHOP, dialect="sqlite"):
    return changes(catalog(folder, old, dialect), catalog(folder, new, dialect), None, None)


def told(found):
    return [(change.kind, change.target, change.change_class) for change in found]


def suspects(found):
    return {(one.severity, one.item.path) for one in found}


# -- comparing ---------------------------------------------------------------------------------


@pytest.mark.req("B1", part="two catalogues are compared")
@pytest.mark.parametrize(
    ("change", "expected"),
    [
        pytest.param(("city VARCHAR(40)", "town VARCHAR(40)"),
                     ("column_renamed", "customer.city", "breaking"), id="renamed column"),
        pytest.param((",\n    city VARCHAR(40) DEFAULT 'here'", ""),
                     ("column_dropped", "customer.city", "breaking"), id="dropped column"),
        pytest.param(("'here'", "'here', vat_no VARCHAR(16)"),
                     ("column_added", "customer.vat_no", "additive"), id="added column"),
        pytest.param(("city VARCHAR(40)", "city VARCHAR(80)"),
                     ("type_widened", "customer.city", "additive"), id="wider"),
        pytest.param(("city VARCHAR(40)", "city VARCHAR(10)"),
                     ("type_narrowed", "customer.city", "risky"), id="narrower"),
        pytest.param(("total_cents INTEGER", "total_cents DECIMAL(10, 2)"),
                     ("type_changed", "sales_order.total_cents", "risky"), id="family that holds"),
        pytest.param(("total_cents INTEGER", "total_cents VARCHAR(20)"),
                     ("type_changed", "sales_order.total_cents", "breaking"), id="other family"),
        pytest.param(("name VARCHAR(40) NOT NULL", "name VARCHAR(40)"),
                     ("became_nullable", "customer.name", "risky"), id="nullable"),
        pytest.param(("city VARCHAR(40)", "city VARCHAR(40) NOT NULL"),
                     ("became_not_null", "customer.city", "additive"), id="not null"),
        pytest.param(("order_id INTEGER PRIMARY KEY", "order_id INTEGER NOT NULL"),
                     ("key_lost", "sales_order.order_id", "risky"), id="key lost"),
        pytest.param((" REFERENCES customer (customer_id)", ""),
                     ("foreign_key_lost", "sales_order.customer_id", "risky"), id="reference lost"),
        pytest.param(("ordered_on DATE", "ordered_on DATE CHECK (total_cents > 0)"),
                     ("check_changed", "sales_order.total_cents", "risky"), id="check"),
        pytest.param(("DEFAULT 'here'", "DEFAULT 'there'"),
                     ("default_changed", "customer.city", "cosmetic"), id="default"),
        pytest.param(("WHERE v.state = 1", "WHERE v.state = 5"),
                     ("view_changed", "v_open", "risky"), id="view"),
    ],
)  # fmt: skip
def test_one_difference_is_one_change(tmp_path, change, expected):
    assert told(compared(tmp_path, SHOP.replace(*change))) == [expected]


@pytest.mark.req("B1", part="two catalogues are compared")
def test_a_table_renamed_with_its_columns_is_no_loss_and_its_keys_stay(tmp_path):
    new = SHOP.replace(
        "CREATE TABLE customer (customer_id", "CREATE TABLE client (client_id"
    ).replace("REFERENCES customer (customer_id)", "REFERENCES client (client_id)")

    found = compared(tmp_path, new)

    assert told(found) == [
        ("table_renamed", "customer", "breaking"),
        ("column_renamed", "customer.customer_id", "breaking"),
    ]
    assert found[0].to_table == "client"
    assert found[1].to_columns == ("client_id",)
    assert found[0].confidence > 0.6


def test_what_goes_while_something_else_comes_is_no_rename(tmp_path):
    found = compared(
        tmp_path, SHOP.replace("city VARCHAR(40)", "birth_date DATE").replace("'here'", "NULL")
    )

    assert told(found) == [
        ("column_dropped", "customer.city", "breaking"),
        ("column_added", "customer.birth_date", "additive"),
    ]


@pytest.mark.req("B1", part="two catalogues are compared")
@pytest.mark.parametrize(
    ("maximum", "expected"),
    [("2024-12-31", ["column_renamed"]), ("1987-01-01", ["column_dropped", "column_added"])],
    ids=["same data", "other data"],
)
def test_names_that_are_not_alike_are_judged_by_their_data(tmp_path, maximum, expected):
    old, new = catalog(tmp_path), catalog(tmp_path, SHOP.replace("ordered_on DATE", "zeta DATE"))
    before = ColumnProfile("ordered_on", 0, 90, "2024-01-01", "2024-12-31")
    after = replace(before, column="zeta", distinct=91, minimum="1" + maximum[1:], maximum=maximum)
    if maximum == before.maximum:
        after = replace(after, minimum=before.minimum)

    found = changes(old, new, profile(before), profile(after))

    assert [change.kind for change in found] == expected


def measured(name, values, *, rows=100, nulls=0, **more):
    counts = tuple(ValueCount(value, rows // max(len(values), 1)) for value in values)
    return ColumnProfile(name, nulls, more.pop("distinct", len(values)), values=counts,
                         values_complete=True, **more)  # fmt: skip


def profile(*columns, rows=100, **more):
    return Profile((TableProfile("sales_order", rows, columns=columns),), **more)


@pytest.mark.req("B1", part="data drift")
@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param(measured("status", [1, 5]), measured("status", [1, 5, 7]),
                     [("code_appeared", (7,))], id="new code"),
        pytest.param(measured("status", [1, 5]), measured("status", [1]),
                     [("code_vanished", (5,))], id="vanished code"),
        pytest.param(measured("status", ["A ", "B"]), measured("status", ["A", "B  "]),
                     [], id="padding is no code"),
        pytest.param(measured("status", [1], nulls=0), measured("status", [1], nulls=3),
                     [("nulls_appeared", ())], id="first nulls"),
        pytest.param(measured("status", [1], nulls=3), measured("status", [1], nulls=5),
                     [], id="some nulls more"),
        pytest.param(ColumnProfile("status", 0, 100), ColumnProfile("status", 0, 97),
                     [("uniqueness_lost", ())], id="uniqueness lost"),
        pytest.param(ColumnProfile("status", 0, 99), ColumnProfile("status", 0, 97),
                     [], id="never unique"),
    ],
)  # fmt: skip
def test_data_drift_is_a_change(tmp_path, before, after, expected):
    known = catalog(tmp_path)

    found = changes(known, known, profile(before), profile(after))

    assert [(change.kind, change.values) for change in found] == expected
    assert all(c.change_class == "risky" and c.target == "sales_order.status" for c in found)


@pytest.mark.req("B1", part="data drift")
def test_orphans_that_appear_make_joins_suspect(shop):
    known = shop()
    link = Link("sales_order", ("customer_id",), "customer", ("customer_id",),
                evidence=Evidence("full", rows=100, orphans=4))  # fmt: skip

    found = changes(known.catalog, known.catalog, profile(), profile(broken_keys=(link,)))

    assert [change.evidence for change in found] == ["0 orphans before, 4 now of 100 references"]
    assert suspects(impact(found, known)) == {
        ("warning", "examples[1]"),
        ("warning", "relations[1]"),
        ("warning", "[1]"),
    }


# -- impact ------------------------------------------------------------------------------------


@pytest.mark.req("B1")
@pytest.mark.req("C16")
def test_a_renamed_column_names_its_victims(shop, tmp_path):
    known = shop()
    new = catalog(tmp_path, RENAMED)
    before, after = (profile(measured(name, [1, 5, 9])) for name in ("status", "order_state"))
    found = [c for c in changes(known.catalog, new, before, after) if c.kind == "column_renamed"]

    victims = impact(found, known)

    assert suspects(victims) == {
        ("error", "tables.sales_order.columns.status"),
        ("error", "tables.sales_order.columns.status.values"),
        ("error", "metrics[1]"),
        ("error", "metrics[2]"),
        ("error", "examples[2]"),  # through v_open, through v_order
        ("warning", "examples[3]"),  # takes it with a `*`
        ("error", "examples[4]"),
        ("error", "entities[2].filter"),
        ("error", "relationships[1]"),  # through v_order
        ("error", "tables.v_order"),
        ("error", "tables.v_open"),
        ("error", "[2]"),
    }
    by_path = {one.item.path: one for one in victims}
    assert by_path["metrics[1]"].reason == (
        "reads sales_order.status, which is called order_state now"
    )
    assert by_path["metrics[1]"].item.line == 16
    assert by_path["examples[2]"].through == ("v_open", "v_order")


@pytest.mark.req("B1")
def test_a_view_that_the_engine_adapted_shields_its_readers(shop, tmp_path):
    known = shop()
    new = catalog(tmp_path, RENAMED.replace("o.status", "o.order_state"))
    before, after = (profile(measured(name, [1, 5, 9])) for name in ("status", "order_state"))

    found = changes(known.catalog, new, before, after)

    assert told(found) == [("column_renamed", "sales_order.status", "breaking")]
    paths = {one.item.path for one in impact(found, known, now=new)}
    assert "metrics[1]" in paths
    assert not paths & {"examples[2]", "relationships[1]", "tables.v_order", "tables.v_open"}


@pytest.mark.req("B1")
@pytest.mark.parametrize(
    ("dialect", "severity"), [("sqlite", "warning"), ("postgres", "error")], ids=["loose", "strict"]
)
def test_another_type_matters_most_where_it_is_calculated_with(shop, dialect, severity):
    known = shop(dialect)

    found = impact(
        [named_change(["retype", "sales_order.total_cents", "TEXT"], known.catalog)], known
    )

    assert suspects(found) == {
        ("info", "tables.sales_order"),
        (severity, "metrics[1]"),
        (severity, "examples[1]"),
        ("info", "examples[3]"),
        ("info", "tables.v_order"),
    }


@pytest.mark.req("B1")
def test_a_new_code_matters_to_its_list_and_to_what_sorts_by_literals(shop):
    known = shop()

    found = impact([named_change(["new-code", "sales_order.status", "7"], known.catalog)], known)

    assert suspects(found) == {
        ("warning", "tables.sales_order.columns.status.values"),
        ("warning", "metrics[1]"),  # <> 9
        ("info", "metrics[2]"),  # = 5
        ("info", "entities[2].filter"),
        ("info", "tables.v_open"),  # state = 1, through v_order
        ("info", "[2]"),
    }


def test_a_code_that_people_explained_before_it_came_needs_no_meaning(shop):
    known = shop()
    change = replace(named_change(["new-code", "sales_order.status", "9"], known.catalog))

    kinds = {one.item.kind for one in impact([change], known)}

    assert "codes" not in kinds


@pytest.mark.req("B1")
def test_lost_uniqueness_matters_to_what_joins(shop):
    known = shop()

    found = impact([named_change(["not-unique", "customer.customer_id"], known.catalog)], known)

    assert suspects(found) == {
        ("warning", "examples[1]"),
        ("warning", "entities[3]"),
        ("warning", "[1]"),
    }


def test_nothing_is_suspect_where_only_the_style_changed(tmp_path, shop):
    found = compared(tmp_path, SHOP.replace("city VARCHAR(40)", "City VARCHAR(40)"))

    assert told(found) == [("column_renamed", "customer.city", "cosmetic")]
    assert impact(found, shop()) == ()


# -- changes said by hand ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "error", "fix"),
    [
        (["drop", "sales_ordr.status"], NotFoundError, "did you mean sales_order"),
        (["rename", "sales_order.statu", "x"], NotFoundError, "did you mean status"),
        (["renam", "sales_order.status", "x"], SettingError, "did you mean rename"),
        (["rename", "sales_order.status"], SettingError, "say one of"),
        (["not-unique", "customer.city", "sales_order.status"], SettingError, "one table"),
    ],
    ids=["table", "column", "verb", "new name", "two tables"],
)
def test_a_change_that_can_t_be_is_refused(tmp_path, words, error, fix):
    with pytest.raises(error) as caught:
        named_change(words, catalog(tmp_path))

    assert fix in caught.value.fix


# -- what statements do with columns -------------------------------------------------------------
