"""No answer of the MCP server is over its budget, and nothing is cut inside an item."""

import json

import pytest
from mcp import Client

from pipeline.kb import Kb
from schemas.models import Column, ColumnProfile, Table, TableProfile, ValueCount
from serve.mcp.server import create_server
from tests.mcp_kbs import BUDGET, call, committed_kb, many_tables, text_of, wide_table

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def vast(tmp_path_factory):
    """Return a knowledge base of 5,000 tables, one of them 800 columns wide, and no database."""
    return committed_kb(tmp_path_factory.mktemp("vast"), [wide_table(800), *many_tables(4_999)])


async def pages(server, tool, arguments):
    """Return all pages of a list, each checked against the budget."""
    found, cursor = [], ""
    async with Client(server) as client:
        while cursor is not None:
            result = await client.call_tool(tool, {**arguments, "cursor": cursor})
            assert not result.is_error, text_of(result)
            assert len(text_of(result)) <= BUDGET
            assert len(json.dumps(result.structured_content, separators=(",", ":"))) <= BUDGET
            found.append(result)
            cursor = result.structured_content.get("next_cursor")
    return found


@pytest.mark.req("C22")
async def test_a_table_of_800_columns_comes_in_pages_of_whole_columns(vast):
    server = create_server(vast)

    found = await pages(server, "describe_table", {"table": "wide"})

    names = [c["name"] for page in found for c in page.structured_content["columns"]]
    assert names == [f"c{n:03}" for n in range(800)]
    assert all(page.structured_content["columns"] for page in found)
    assert found[0].structured_content["omitted"] == 800 - len(
        found[0].structured_content["columns"]
    )
    assert "who use it. [database comment]" in text_of(found[0]).splitlines()[5]
    assert 'cursor="' in text_of(found[0]).splitlines()[-1]


@pytest.mark.req("C21")
async def test_five_thousand_tables_are_listed_in_pages_that_repeat_to_the_byte(vast):
    server = create_server(vast)

    first, again = [await pages(server, "list_tables", {"pattern": "t00"}) for _ in range(2)]

    names = [t["table"] for page in first for t in page.structured_content["tables"]]
    assert names == [f"t{n:04}" for n in range(100)]
    assert [text_of(page) for page in first] == [text_of(page) for page in again]


@pytest.mark.req("C21")
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        pytest.param("list_tables", {}, id="list_tables"),
        pytest.param("search_knowledge", {"query": "parcel depot", "limit": 50}, id="search"),
        pytest.param(
            "get_sql_context", {"question": "Which depot has most parcels?"}, id="context"
        ),
        pytest.param("get_sql_context", {"question": "wide c001 column people"}, id="wide context"),
    ],
)
async def test_no_answer_of_a_vast_knowledge_base_is_over_budget(vast, tool, arguments):
    server = create_server(vast)

    async with Client(server) as client:
        first, again = [await client.call_tool(tool, arguments) for _ in range(2)]

    assert not first.is_error, text_of(first)
    assert 0 < len(text_of(first)) <= BUDGET
    assert text_of(first) == text_of(again)


@pytest.mark.req("C23")
@pytest.mark.req("B5", part="lists of code meanings are whole or left out")
async def test_a_code_list_is_whole_or_left_out_whole_and_can_be_asked_for(tmp_path):
    values = tuple(ValueCount(f"K{n:02}", 100 - n) for n in range(60))
    table = Table("parcels", "parcels", columns=(Column("state", "TEXT", "text"),))
    profile = ColumnProfile("state", distinct=60, values=values, values_complete=True)
    folder = committed_kb(tmp_path, [table], [TableProfile("parcels", 999, columns=(profile,))])
    meanings = "".join(f"          K{n:02}: meaning number {n} of the code\n" for n in range(60))
    Kb(folder).semantic.write_text(
        "tables:\n  parcels:\n    columns:\n      state:\n        values:\n" + meanings,
        encoding="utf-8",
    )
    server = create_server(folder)

    all_columns = await call(server, "describe_table", {"table": "parcels"})
    one_column = await call(server, "describe_table", {"table": "parcels", "columns": ["state"]})

    assert "60 codes with meanings, too many to list here" in text_of(all_columns)
    assert "K00" not in text_of(all_columns)
    (column,) = one_column.structured_content["columns"]
    assert len(column["codes"]) == 60
    assert "meaning number 59 of the code" in text_of(one_column)
