"""The eval that compares one database's catalogues on two engines."""

import json

import pytest

from evals import same_catalog
from pipeline import artifacts, scan
from pipeline.database.source import resolve
from schemas.models import Catalog
from schemas.settings import KbSettings

SALES = (
    "CREATE TABLE Sales__Customer (CustomerID INTEGER PRIMARY KEY, Name TEXT);"
    "CREATE TABLE Sales__Order (OrderID INTEGER PRIMARY KEY, {columns},"
    " FOREIGN KEY (CustomerID) REFERENCES Sales__Customer (CustomerID));"
)


@pytest.fixture
def scanned(make_db, tmp_path):
    """Return a function from SQL and a name to a knowledge base that was scanned."""

    def scan_it(name, sql):
        folder = tmp_path / name
        folder.mkdir()
        source = resolve(str(make_db(sql, f"{name}.sqlite")), tmp_path, {})
        scan.build(source=source, settings=KbSettings(name=name), out=folder / "catalog.json")
        return folder

    return scan_it


@pytest.mark.req("SCAN-02", part="SQLite")
def test_the_same_tables_under_folded_names_are_the_same(scanned, capsys):
    first = scanned("first", SALES.format(columns="CustomerID INT, Total NUMERIC"))
    second = scanned("second", SALES.lower().format(columns="customerid INT, total NUMERIC"))

    status = same_catalog.main([str(first), str(second), "--json"])

    found = json.loads(capsys.readouterr().out)
    assert status == 0
    assert found["first"] == found["second"]
    assert (found["first"]["tables"], found["first"]["foreign_keys"]) == (2, 1)


def test_what_only_one_side_has_is_listed_by_kind(scanned, capsys):
    first = scanned("first", SALES.format(columns="CustomerID INT, Total NUMERIC"))
    sql = SALES.format(columns="CustomerID INT").replace(", FOREIGN", "); --")
    second = scanned("second", sql + "\nCREATE VIEW names AS SELECT Name FROM Sales__Customer;")

    found = same_catalog.compare(
        *(artifacts.read(folder / "catalog.json", Catalog) for folder in (first, second))
    )
    status = same_catalog.main([str(first), str(second)])

    assert found.only_first == {
        "tables": [],
        "columns": ["sales.order.total"],
        "primary_keys": [],
        "foreign_keys": ["sales.order(customerid) -> sales.customer(customerid)"],
        "views": [],
    }
    assert found.only_second["views"] == ["names"]
    assert status == 1
    assert "columns: sales.order.total" in capsys.readouterr().out
