"""ODBC connection strings: their parts, and the SQLAlchemy dialect that speaks to their driver."""

from __future__ import annotations

import re

from pipeline.errors import SettingError

_BRACED = r"\{(?:[^}]|\}\})*\}"
_NAME, _END = r"\s*([^=;{}]+?)\s*=\s*", r"\s*(?:;|$)"
_PAIR = re.compile(rf"{_NAME}({_BRACED}|(?!\{{)[^;]*){_END}")
_LENIENT = re.compile(rf"{_NAME}({_BRACED}|\{{[^}}]*$|[^;]*){_END}")
_BACKENDS = {  # words of a driver's name or file → SQLAlchemy's name
    "sql server": "mssql",
    "msodbcsql": "mssql",
    "sqlncli": "mssql",
    "freetds": "mssql",
    "tds": "mssql",
    "mysql": "mysql",
    "maria": "mysql",
    "myodbc": "mysql",
}
_OTHERS = {  # engines that are reached without ODBC
    "postgres": "postgresql://user:password@host/database",
    "psql": "postgresql://user:password@host/database",
    "sqlite": "sqlite:///path/to/file, or just the path",
    "duckdb": "duckdb:///path/to/file, or just the path",
    "oracle": "oracle+oracledb://user:password@host/?service_name=…",
    "snowflake": "snowflake://user:password@account/database",
}
_EXAMPLE = "odbc:Driver={ODBC Driver 18 for SQL Server};Server=…;Database=…"


def pairs(connection: str) -> list[tuple[str, str]]:
    """Return names and values as far as they can be told; `{a}}b}` is the value `a}b`."""
    return [(name, _bare(value)) for name, value in _LENIENT.findall(connection)]


def checked(connection: str) -> dict[str, str]:
    """Return the parts of a connection string by their names in lower case.

    Raises:
        SettingError: it is empty or malformed; the text, which may hold a password, isn't shown.
    """
    if not connection:
        raise SettingError(
            "`odbc:` has no connection string after it", fix=f"write `source: {_EXAMPLE}`"
        )
    rest = _PAIR.sub("", connection).strip("; ")
    if rest:
        raise SettingError(
            "the ODBC string isn't a list of name=value with ; between",
            fix="put a value that holds ; or braces into braces, with } in it doubled: "
            f"PWD={{a;b}}}}c}}. An example: {_EXAMPLE}",
        )
    found: dict[str, str] = {}
    for name, value in pairs(connection):
        found.setdefault(name.casefold(), value)  # of two, ODBC takes the first
    if not {"driver", "dsn", "filedsn"} & set(found):
        raise SettingError(
            "the ODBC string names neither Driver nor DSN", fix=f"write `source: {_EXAMPLE}`"
        )
    return found


def backend(parts: dict[str, str]) -> str:
    """Return SQLAlchemy's name of the engine; a DSN that tells none is a SQL Server.

    Raises:
        SettingError: it is an engine that dblore doesn't reach through ODBC.
    """
    driver = parts.get("driver", "").casefold()
    if not driver:
        return "mssql"
    for word, url in _OTHERS.items():
        if word in driver:
            raise SettingError(
                f"ODBC is for SQL Server, MySQL and MariaDB here, not for {parts['driver']!r}",
                fix=f"name the database by its URL instead: `source: {url}`",
            )
    for word, name in _BACKENDS.items():
        if word in driver:
            return name
    raise SettingError(
        f"the ODBC driver {parts['driver']!r} isn't one of SQL Server, MySQL or MariaDB",
        fix="name the database by its SQLAlchemy URL instead: `source: dialect+driver://…`",
    )


def _bare(value: str) -> str:
    value = value.strip()
    if len(value) > 1 and value.startswith("{") and value.endswith("}"):
        return value[1:-1].replace("}}", "}")
    return value.removeprefix("{")
