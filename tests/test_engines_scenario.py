"""The same shop on each engine, from the scan to an agent's statement: the same facts."""

import pytest

from pipeline import artifacts, tasks
from pipeline.kb import Kb
from schemas.models import Catalog, Coverage, Graph, Profile, Validation
from serve.mcp.server import create_server
from tests import engine_scenario
from tests.mcp_kbs import call, text_of

pytestmark = pytest.mark.anyio


@pytest.fixture(params=engine_scenario.ENGINES, ids=lambda engine: engine.title)
def engine(request):
    return request.param


@pytest.mark.req("SCAN-14")
async def test_a_shop_is_built_and_served_alike_on_each_engine(
    engine, request, tmp_path, monkeypatch
):
    lines = engine_scenario.quoted("Order Line", engine)
    for name, text in (
        ("kb.yaml", "name: shop\nsource: ${DBLORE_TEST_SHOP}\nembedder: none\n"),
        ("semantic.yaml", engine_scenario.SEMANTIC.replace("{lines}", lines)),
        ("knowledge_graph.yaml", engine_scenario.GRAPH),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")

    with engine.make(request, tmp_path) as source:
        monkeypatch.setenv("DBLORE_TEST_SHOP", source)
        built = tasks.run(Kb(tmp_path), quiet=True)
        server = create_server(tmp_path)
        context = await call(server, "get_sql_context", {"question": "turnover by country"})
        rows = await call(
            server, "run_sql", {"sql": f"SELECT COUNT(*) AS n FROM {lines} WHERE order_id = 101"}
        )
        refused = await call(server, "run_sql", {"sql": "DELETE FROM orders"})

    assert built.error is None
    kb = Kb(tmp_path)
    facts_of_the_scan(artifacts.read(kb.catalog, Catalog), has_comments=engine.has_comments)
    facts_of_the_profile(artifacts.read(kb.profile, Profile))
    covered = artifacts.read(kb.coverage, Coverage).tables
    assert (covered.done, covered.total) == (1, 6)
    (relation,) = artifacts.read(kb.graph, Graph).relations
    assert relation.status == "verified"
    assert "Order Line" in (kb.docs / "README.md").read_text("utf-8")
    checked = artifacts.read(kb.validation, Validation).items
    assert {item.kind for item in checked} == {"example", "metric", "filter"}
    assert all(item.proven for item in checked)
    assert {item.status for item in checked} == {"ok"}
    said = text_of(context)
    assert "turnover" in said
    assert "customer.country_code = country.code" in said
    assert rows.structured_content["rows"] == [[2]]
    assert refused.is_error


def facts_of_the_scan(catalog, *, has_comments):
    tables = catalog.by_name

    assert sorted(tables) == ["Order Line", "country", "customer", "orders", "paid", "refund"]
    keys = {name: table.primary_key for name, table in tables.items()}
    assert {name: key.columns for name, key in keys.items() if key} == {
        "Order Line": ("order_id", "line no."),
        "country": ("code",), "customer": ("id",), "orders": ("id",), "refund": ("id",),
    }  # fmt: skip
    assert {
        (k.table, *k.columns, k.to_table, *k.to_columns, k.state)
        for table in tables.values()
        for k in table.foreign_keys
    } == {
        ("customer", "country_code", "country", "code", "ok"),
        ("orders", "customer_id", "customer", "id", "ok"),
        ("Order Line", "order_id", "orders", "id", "ok"),
    }
    assert [key.columns for key in tables["customer"].unique] == [("email",)]
    assert [c.name for c in tables["Order Line"].columns] == ["order_id", "line no.", "select"]
    assert [c.family for c in tables["orders"].columns] == ["integer", "integer", "text", "decimal"]
    assert [c.nullable for c in tables["orders"].columns] == [False, False, False, True]
    assert len(tables["orders"].checks) == 1
    assert tables["paid"].kind == "view"
    assert "paid" in tables["paid"].definition
    told = (tables["orders"].comment, tables["orders"].columns[3].comment)
    assert told == (("What was bought", "In euro") if has_comments else (None, None))
    assert not catalog.unreadable
    assert not catalog.notes


def facts_of_the_profile(profile):
    rows = {table.table: table.rows for table in profile.tables}
    orders = profile.by_table["orders"]
    status, total = orders.column("status"), orders.column("total")

    assert rows == {
        "country": 3, "customer": 20, "orders": 60, "Order Line": 120, "refund": 12, "paid": 45,
    }  # fmt: skip
    assert [(v.value, v.count) for v in status.values] == [("paid", 45), ("open", 15)]
    assert status.values_complete
    assert (float(total.minimum), float(total.maximum)) == (101.5, 160.5)
    assert profile.by_table["customer"].column("email").sensitive
    assert [(j.table, j.columns, j.to_table, j.to_columns) for j in profile.joins] == [
        ("refund", ("order_id",), "orders", ("id",))
    ]
