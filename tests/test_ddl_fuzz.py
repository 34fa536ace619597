"""DDL that is broken in any way is read in part or refused, and never ends in a traceback."""

import random
import re

import pytest

from pipeline.errors import DbloreError
from tests import test_ddl_files as files
from tests import test_ddl_migrations as migrations
from tests import test_ddl_servers as servers
from tests import test_ddl_warehouses as warehouses
from tests.ddl_kit import read

SCRIPTS = {
    "tsql": servers.SQL_SERVER,
    "mysql": servers.MYSQL,
    "postgres": servers.POSTGRES,
    "oracle": servers.ORACLE,
    "snowflake": warehouses.SNOWFLAKE,
    "duckdb": files.DUCKDB,
    "sqlite": files.SQLITE,
}
PIECES = re.findall(
    r"\S+",
    """( ) , ' " ` [ ] ; -- /* */ $$ . < > @ # :: = CREATE TABLE ALTER ADD DROP RENAME TO COLUMN AS
    SELECT UNIQUE REFERENCES ON DEFAULT CHECK COMMENT IS EXEC INDEX VIEW LIKE GENERATED""",
)


def broken(script, chance):
    """Return a script with a few tokens deleted, exchanged or put in."""
    tokens = re.findall(r"\w+|\s+|.", script)
    for _ in range(chance.randrange(1, 10)):
        place = chance.randrange(len(tokens))
        what = chance.randrange(3)
        if what == 0:
            del tokens[place : place + chance.randrange(1, 5)]
        elif what == 1:
            tokens.insert(place, chance.choice(PIECES) + " ")
        else:
            tokens[place] = chance.choice(tokens)
    return "".join(tokens)


@pytest.mark.parametrize("dialect", SCRIPTS)
def test_broken_scripts_end_in_a_catalogue_or_one_error(tmp_path, dialect):
    chance = random.Random(dialect)
    scripts = [SCRIPTS[dialect], migrations.FIRST + migrations.SECOND, *SCRIPTS.values()]
    for _ in range(8):
        try:
            found = read(tmp_path, dialect, broken(chance.choice(scripts), chance))
        except DbloreError:
            continue

        for table in found.tables:
            names = [column.name for column in table.columns]
            assert len(set(names)) == len(names)
            for key in (*table.unique, *table.foreign_keys):
                assert set(key.columns) <= set(names)
