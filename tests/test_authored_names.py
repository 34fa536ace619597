"""Names in semantic.yaml are checked against the catalog."""

import pytest

from pipeline.authored import check_names, find_column, read_semantic
from schemas.models import Catalog, Column, Table


def table(name, *columns):
    return Table(name, name, columns=tuple(Column(c, "TEXT", "text") for c in columns))


CATALOG = Catalog(
    "sqlite",
    "shop",
    tables=(
        table("customers", "id", "email"),
        table("orders", "id", "customer_id", "status"),
        table("odd.name", "a.b"),
    ),
)


def problems(tmp_path, text):
    path = tmp_path / "semantic.yaml"
    path.write_text(text, encoding="utf-8")
    return check_names(read_semantic(path), CATALOG)


def test_names_that_are_there_are_no_problem(tmp_path):
    text = """\
database: {housekeeping_columns: [STATUS]}
domains: {Sales: {tables: ["Ord*"]}}
tables: {Orders: {columns: {Status: x}}}
relationships: [{from: orders.customer_id, to: customers.id}]
glossary: [{term: a, tables: [customers]}]
"""

    assert problems(tmp_path, text) == ()


@pytest.mark.parametrize(
    ("text", "message", "fix", "severity"),
    [
        pytest.param(
            "tables:\n  order:\n    description: x\n",
            "semantic.yaml:2:3: there is no table `order`",
            "did you mean orders?",
            "error",
            id="table",
        ),
        pytest.param(
            "tables:\n  orders:\n    columns:\n      id: x\n      statuss: x\n",
            "semantic.yaml:5:7: table orders has no column `statuss`",
            "did you mean status?",
            "error",
            id="column",
        ),
        pytest.param(
            "tables:\n  orders: {}\n  ORDERS: {}\n",
            "semantic.yaml:3:3: `ORDERS` and `orders` are the same table",
            "merge the two under `orders`",
            "error",
            id="table in two spellings",
        ),
        pytest.param(
            "relationships:\n- from: orders.customer\n  to: customers.id\n",
            "semantic.yaml:2:9: table orders has no column `customer`",
            "did you mean customer_id?",
            "error",
            id="join column",
        ),
        pytest.param(
            "relationships:\n- from: [orders.id, customers.id]\n  to: [orders.id, orders.id]\n",
            "semantic.yaml:2:3: `from` names columns of customers and orders",
            "name columns of one table on each side",
            "error",
            id="join of three tables",
        ),
        pytest.param(
            "glossary:\n- term: a\n  tables: [customer]\n",
            "semantic.yaml:3:12: there is no table `customer`",
            "did you mean customers?",
            "error",
            id="table of a term",
        ),
        pytest.param(
            "database:\n  housekeeping_columns:\n  - updated\n",
            "semantic.yaml:3:5: no table has a column `updated`",
            "remove it",
            "warning",
            id="housekeeping",
        ),
        pytest.param(
            "domains:\n  X:\n    tables: [zz*]\n",
            "semantic.yaml:3:14: no table fits `zz*` of domain X",
            "mend or remove the pattern",
            "warning",
            id="pattern",
        ),
    ],
)
def test_a_name_that_is_not_there_is_told_with_line_and_nearest_name(
    tmp_path, text, message, fix, severity
):
    found = problems(tmp_path, text)

    assert found[0].message == message
    assert fix in found[0].fix
    assert found[0].severity == severity


def test_a_column_is_found_where_names_hold_dots():
    found, column = find_column("odd.name.a.b", CATALOG)

    assert (found.name, column.name) == ("odd.name", "a.b")
