"""SQLAlchemy's engine of a URL, or one clear error on what to install for it."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import Any

from sqlalchemy import create_engine, exc, make_url, pool

from pipeline.database.source import Source
from pipeline.errors import SettingError, did_you_mean

PACKAGES = {
    "access": "sqlalchemy-access",
    "awsathena": "PyAthena[SQLAlchemy]",
    "bigquery": "sqlalchemy-bigquery",
    "chdb": "chdb-sqlalchemy",
    "clickhouse": "clickhouse-sqlalchemy",
    "clickhousedb": "clickhouse-connect",
    "cockroachdb": "sqlalchemy-cockroachdb psycopg[binary]",
    "crate": "sqlalchemy-cratedb",
    "cubrid": "sqlalchemy-cubrid",
    "databend": "databend-sqlalchemy",
    "databricks": "databricks-sqlalchemy",
    "dremio": "sqlalchemy-dremio",
    "druid": "pydruid[sqlalchemy]",
    "exa": "sqlalchemy-exasol",
    "firebird": "sqlalchemy-firebird",
    "hana": "sqlalchemy-hana",
    "hive": "PyHive[hive]",
    "ibm_db_sa": "ibm_db_sa",
    "db2": "ibm_db_sa",
    "monetdb": "sqlalchemy-monetdb",
    "netezza": "nzalchemy",
    "oracle": "oracledb",
    "presto": "PyHive[presto]",
    "redshift": "sqlalchemy-redshift psycopg2-binary",
    "singlestoredb": "singlestoredb[sqlalchemy]",
    "snowflake": "snowflake-sqlalchemy",
    "spanner": "sqlalchemy-spanner",
    "starrocks": "starrocks",
    "teradatasql": "teradatasqlalchemy",
    "trino": "trino[sqlalchemy]",
    "vertica": "sqlalchemy-vertica-python",
}
"""What brings the dialects of other engines: their makers' packages on PyPI."""
_MODULES = {
    "psycopg": "dblore[postgres]",
    "pymysql": "dblore[mysql]",
    "pyodbc": "dblore[mssql]",
    "psycopg2": "psycopg2-binary",
    "MySQLdb": "mysqlclient",
    "mysql": "mysql-connector-python",
    "ibm_db_dbi": "ibm_db",
    "duckdb_engine": "duckdb-engine",
}
"""Packages by the module that they bring, where the names differ."""
_TITLES = {"psycopg": "PostgreSQL", "pymysql": "MySQL", "pyodbc": "ODBC"}
_BUILT_IN = ("postgresql", "mysql", "mariadb", "mssql", "oracle")


def engine(source: Source) -> Any:
    """Return an engine that keeps no connection.

    Raises:
        SettingError: its dialect or driver isn't installed or can't be used; says what to do.
    """
    try:
        made = create_engine(source.url, poolclass=pool.NullPool, hide_parameters=True)
    except ModuleNotFoundError as error:
        module = (error.name or "").partition(".")[0] or "database"
        title = _TITLES.get(module, module)
        raise SettingError(
            f"{source.shown} needs the {title} driver, which isn't installed",
            fix=f"install it: {install(_MODULES.get(module, module))}",
        ) from error
    except ImportError as error:  # e.g. pyodbc without the library of the driver manager
        raise SettingError(
            f"the driver of {source.shown} is installed and can't be loaded: {error}",
            fix="install the system library that it names (pyodbc needs unixODBC: "
            "apt install unixodbc, or brew install unixodbc)",
        ) from error
    except exc.NoSuchModuleError as error:
        raise _unknown(source) from error
    except (exc.SQLAlchemyError, ValueError) as error:
        raise SettingError(
            f"SQLAlchemy can't use the URL of {source.shown}: {source.safe(error)}",
            fix="write it as dialect+driver://user:password@host/database, as that dialect's "
            "package says",
        ) from error
    if made.dialect.is_async:
        backend = made.dialect.name
        raise SettingError(
            f"the driver {made.dialect.driver} of {source.shown} is for asynchronous programs",
            fix=f"leave it out, {backend}://…, or name one that isn't",
        )
    return made


def _unknown(source: Source) -> SettingError:
    backend, _, driver = make_url(source.url).drivername.partition("+")
    package = PACKAGES.get(backend.casefold())
    if package is not None:
        return SettingError(
            f"{source.shown} needs the SQLAlchemy dialect of {backend}, which isn't installed",
            fix=f"install it: {install(package)}",
        )
    known = _installed()
    if backend in known:
        return SettingError(
            f"SQLAlchemy's dialect {backend} has no driver called {driver}",
            fix=f"leave it out: {backend}://…, or install the package that brings it",
        )
    listed = (
        f"install the package that brings it; there are {', '.join(sorted(known))}, and by a "
        f"package of its own {', '.join(sorted(set(PACKAGES) - known))}"
    )
    return SettingError(
        f"no SQLAlchemy dialect called {backend} is installed",
        fix=did_you_mean(backend, (*known, *PACKAGES), listed),
    )


def _installed() -> set[str]:
    found = entry_points(group="sqlalchemy.dialects")
    return {*_BUILT_IN, *(point.name.partition(".")[0] for point in found), "sqlite", "duckdb"}


def install(packages: str) -> str:
    """Return the command that installs packages, which stand with blanks between."""
    quoted = " ".join(f'"{name}"' if "[" in name else name for name in packages.split())
    return f"pip install {quoted}"
