"""What is said when the package of a database isn't there: one error, with what to install."""

import sys
from pathlib import Path

import pytest

from pipeline.database.connect import open_database
from pipeline.database.servers import drivers
from pipeline.database.source import resolve
from pipeline.errors import SettingError


def refusal(url):
    with pytest.raises(SettingError) as caught:
        open_database(resolve(url, Path(), {}))
    assert "s3cret" not in str(caught.value)
    return caught.value


ABSENT = sorted(set(drivers.PACKAGES) - drivers._installed())


@pytest.mark.req("SCAN-01")
@pytest.mark.parametrize("scheme", ABSENT)
def test_a_known_engine_names_the_package_of_its_dialect(scheme):
    error = refusal(f"{scheme}://bob:s3cret@host/shop")

    assert error.problem.startswith(
        f"{scheme}://host/shop needs the SQLAlchemy dialect of {scheme}"
    )
    for package in drivers.PACKAGES[scheme].split():
        assert package in error.fix


@pytest.mark.req("SCAN-01")
@pytest.mark.parametrize(
    ("url", "module", "package"),
    [
        ("postgresql://bob:s3cret@h/d", "psycopg", '"dblore[postgres]"'),
        ("postgresql+psycopg2://bob:s3cret@h/d", "psycopg2", "psycopg2-binary"),
        ("mysql://bob:s3cret@h/d", "pymysql", '"dblore[mysql]"'),
        ("mysql+mysqldb://bob:s3cret@h/d", "MySQLdb", "mysqlclient"),
        ("mysql+mysqlconnector://bob:s3cret@h/d", "mysql", "mysql-connector-python"),
        ("oracle://bob:s3cret@h/d", "oracledb", "oracledb"),
        ("mssql+pymssql://bob:s3cret@h/d", "pymssql", "pymssql"),
    ],
)
def test_a_missing_driver_is_named_by_its_package(url, module, package, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)  # as if it weren't there

    error = refusal(url)

    assert "driver, which isn't installed" in error.problem
    assert error.fix == f"install it: pip install {package}"


def test_a_driver_without_its_system_library_says_which(monkeypatch, tmp_path):
    (tmp_path / "pyodbc.py").write_text("raise ImportError('libodbc.so.2: not found')", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "pyodbc", raising=False)

    error = refusal("odbc:Driver={ODBC Driver 18 for SQL Server};Server=h;UID=bob;PWD=s3cret")

    assert "installed and can't be loaded: libodbc.so.2" in error.problem
    assert "unixodbc" in error.fix


def test_a_driver_for_asynchronous_programs_is_refused():
    error = refusal("postgresql+psycopg_async://bob:s3cret@h/d")

    assert "is for asynchronous programs" in error.problem
    assert "postgresql://…" in error.fix


@pytest.mark.req("SCAN-01")
@pytest.mark.parametrize(
    ("scheme", "fix"),
    [
        pytest.param("klingon", "mssql, mysql, oracle, postgresql", id="unknown: what there is"),
        pytest.param("klingon", "snowflake", id="unknown: what could be installed"),
        pytest.param("postgress", "did you mean postgresql?", id="misspelt"),
        pytest.param("mysql+klingon", "leave it out: mysql://…", id="an unknown driver"),
    ],
)
def test_an_unknown_scheme_lists_what_is_possible(scheme, fix):
    error = refusal(f"{scheme}://bob:s3cret@host/shop")

    assert scheme.rpartition("+")[2] in error.problem
    assert fix in error.fix
