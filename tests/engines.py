"""The database servers that tests use: named by environment variable, or on their usual port."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pipeline.database.connect import open_database
from pipeline.database.source import Source, resolve
from pipeline.errors import DbloreError

SERVERS = {
    "postgres": ("DBLORE_TEST_POSTGRES", "postgresql+psycopg://postgres@127.0.0.1:5432/postgres"),
    "mariadb": ("DBLORE_TEST_MARIADB", "mysql+pymysql://root@127.0.0.1:3306/mysql"),
}

GIVEN = {"sqlserver": "DBLORE_TEST_SQLSERVER"}
"""Servers that no test machine of ours has: tested where the variable names one."""


def given(name: str) -> Source:
    """Return a server that somebody named; skip the test where nobody did."""
    variable = GIVEN[name]
    if not os.environ.get(variable):
        pytest.skip(f"no {name} server is given ({variable})")
    return resolve(os.environ[variable], Path(), os.environ)


def server(name: str, *, required: bool) -> Source:
    """Return a server that answers; skip the test, or fail it when required, where none does."""
    variable, usual = SERVERS[name]
    source = resolve(os.environ.get(variable, usual), Path(), os.environ)
    try:
        with open_database(source):
            return source
    except DbloreError as error:
        said = f"no {name} server ({variable}, or its usual port): {error.problem}"
        if required:
            pytest.fail(said)
        pytest.skip(said)
