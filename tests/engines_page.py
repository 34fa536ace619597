"""Write docs/reference/engines.md from what is tested and what the code does on each engine."""

import ast
import inspect
import tomllib
from dataclasses import dataclass
from pathlib import Path

from pipeline.database import grammar
from pipeline.database.connect import Database
from pipeline.database.duckdb import DuckDatabase
from pipeline.database.servers import drivers, generic, server
from pipeline.database.servers.mysql import MysqlServer
from pipeline.database.servers.postgres import PostgresServer
from pipeline.database.servers.tsql import TsqlServer
from pipeline.database.source import Source
from pipeline.database.sqlite import SqliteDatabase
from pipeline.profile import sampling
from schemas.facts import Column, Key, Table
from tests import engine_scenario, engines

ROOT = Path(__file__).resolve().parent.parent
HEAD = """\
# Engines

What dblore does on which database. This page is written from the tests and the code; a test fails
when it isn't up to date.
"""
TIERS = (
    ("tested", ("the tests run on a real one, and the same scenario on each: a shop is scanned, "
     "profiled, drafted, documented, indexed, validated and served, and the same is asserted")),
    ("same path", ("code of its own, tested without a server as far as that goes; a test with a "
     "real one runs where an environment variable names it")),
    ("untested", ("read by SQLAlchemy's reflection and INFORMATION_SCHEMA; that path is tested, on "
     "dialects that run where the tests do, the engine isn't")),
    ("unsupported", ("built like the untested, but statements of callers are refused, also "
     "those of semantic.yaml: the guard can't read their SQL")),
)  # fmt: skip
SCHEMAS = """\
A table of a schema that `schemas:` names is always called `schema.table`.
"""
GENERIC = """\
## Any other SQLAlchemy dialect

Tables, columns, keys, checks, indexes and comments come from SQLAlchemy's Inspector, in a constant
number of calls a schema. What a driver can't tell (`NotImplementedError`, or any other error) or
loses (a warning, a table without columns, a type that it doesn't know) comes from
INFORMATION_SCHEMA: TABLES, COLUMNS, TABLE_CONSTRAINTS, KEY_COLUMN_USAGE, REFERENTIAL_CONSTRAINTS,
CHECK_CONSTRAINTS, VIEWS, ROUTINES and PARAMETERS, as far as the engine has them. The scan prints a
`NOTE` and keeps it in the notes of `catalog.json`, as it does a driver's warnings. Where neither
tells, tables are asked for one by one; one that fails is recorded as unreadable, with the class of
the error.

Not told on this path: partitions (they look like tables), triggers, traits of a table, rights to
columns; where only INFORMATION_SCHEMA tells, indexes. The session isn't made read-only, so use a
login that may only read. A sample is the first rows. A statement is stopped by the driver's own
`cancel` or `interrupt`, if it has one.

dblore names the package of these dialects when it is missing; others work in the same way once
their dialect is installed.
"""


@dataclass(frozen=True, slots=True)
class Facts:
    """A column of the table of facts: what the code does on one engine."""

    title: str
    tier: str
    version: str
    driver: str
    dialect: str
    database: type[Database]
    server: type[server.Server] | None


def _extra(name):
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
        "optional-dependencies"
    ]
    return f"`{extras[name][0]}`"


def _all():
    tested = {engine.title: engine for engine in engine_scenario.ENGINES}
    rows = (
        ("SQLite", "tested", "Python's own", SqliteDatabase, None),
        ("DuckDB", "tested", _extra("duckdb"), DuckDatabase, None),
        ("PostgreSQL", "tested", _extra("postgres"), generic.GenericDatabase, PostgresServer),
        ("MariaDB", "tested", _extra("mysql"), generic.GenericDatabase, MysqlServer),
        ("MySQL", "same path", _extra("mysql"), generic.GenericDatabase, MysqlServer),
        ("SQL Server", "same path", _extra("mssql"), generic.GenericDatabase, TsqlServer),
        ("others", "untested", "their own", generic.GenericDatabase, server.Server),
    )
    dialects = {"MySQL": "mysql", "SQL Server": "tsql", "others": "other"}
    return [
        Facts(
            title,
            tier,
            ", ".join(tested[title].tested) if title in tested else "–",
            driver,
            tested[title].dialect if title in tested else dialects[title],
            database,
            kind,
        )
        for title, tier, driver, database, kind in rows
    ]


def _yes(value):
    return "yes" if value else "–"


def _overrides(facts, name):
    """Whether the code of an engine does something of its own there."""
    if facts.server is None:
        return True
    return getattr(facts.server, name) is not getattr(server.Server, name)


def _catalogue(facts):
    if facts.server is None:
        return "its own catalogue, in bulk"
    if facts.dialect in generic._CATALOGS:
        return "its own catalogue, in bulk"
    return "Inspector, INFORMATION_SCHEMA"


def _statements(facts):
    """Whether the code of the engine's catalogue mentions something."""
    folder = ROOT / "pipeline" / "database"
    prefix = {"sqlite": "sqlite", "duckdb": "duckdb", "postgres": "postgres", "mysql": "mysql",
              "tsql": "tsql"}.get(facts.dialect)  # fmt: skip
    names = ("reflect*", "information_schema", "standard_columns") if prefix is None else (
        f"{prefix}*",)  # fmt: skip
    return "\n".join(
        path.read_text("utf-8") for name in names for path in sorted(folder.rglob(f"{name}.py"))
    )


def _fields(facts):
    """Return the names of fields that the engine's reader gives to the records it makes."""
    found = set()
    for node in ast.walk(ast.parse("\n".join(
        line for line in _statements(facts).splitlines() if not line.startswith("from __future__")
    ))):  # fmt: skip
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("Table", "Column",
            "Routine", "replace"):  # fmt: skip
            found |= {f"{keyword.arg}" for keyword in node.keywords}
            found |= {f"{k.arg}={k.value.value}" for k in node.keywords
                      if isinstance(k.value, ast.Constant)}  # fmt: skip
    return found


def _sampling(facts):
    columns = (Column("id", "int", "integer"),)
    table = Table("t", "t", columns=columns, primary_key=Key(("id",)))

    class Asked:
        dialect = facts.dialect
        quote = staticmethod(str)

        @staticmethod
        def table(one):
            return one.name

    return sampling.part(Asked, table, 10, 1000).method


def _fingerprint(facts, of_file, attribute):
    if facts.server is None:
        return of_file
    is_made_later = f"self.{attribute} = " in inspect.getsource(facts.server)
    return _yes(getattr(facts.server, attribute) is not None or is_made_later)


def _read_only(facts):
    if facts.server is None:
        return "the file is opened read-only"
    warns = facts.server("", bool).warnings(lambda _sql: [])
    if any("can't be made read-only" in text for text in warns):
        return "the login alone"
    return "the session, and rollback"


def _timeout(facts):
    if facts.server is None:
        return "dblore's clock"
    return "the server's" if _overrides(facts, "bound") else "dblore's clock"


def _cancel(facts):
    if facts.server is None or _overrides(facts, "cancel"):
        return "yes"
    return "by the driver, if it can"


ROWS = (
    ("tier", lambda f: f.tier),
    ("version tested", lambda f: f.version),
    ("driver", lambda f: f.driver),
    ("structure from", _catalogue),
    ("comments", lambda f: _yes("comment" in _fields(f))),
    ("generated columns", lambda f: _yes("generated" in _fields(f))),
    ("members of enumerations", lambda f: _yes("enum_members" in _fields(f))),
    ("partitions folded", lambda f: _yes("partitions" in _fields(f))),
    ("routines", lambda f: _yes("returns" in _fields(f))),
    ("triggers", lambda f: _yes("kind=trigger" in _fields(f))),
    ("sampling", _sampling),
    ("structure's fingerprint", lambda f: _fingerprint(f, "yes", "structure")),
    ("data's fingerprint", lambda f: _fingerprint(f, "hash of the file", "changes")),
    ("of each table", lambda f: _fingerprint(f, "–", "stamps")),
    ("statements are read-only by", _read_only),
    ("time limit", _timeout),
    ("cancelled on demand", _cancel),
    ("SQL of callers is guarded, sensitive values masked",
     lambda f: "where sqlglot reads it" if f.dialect == "other"
     else _yes(grammar.grammar(f.dialect))),
)  # fmt: skip


CHOICES = (
    ("PostgreSQL, SQL Server, DuckDB", "all that users made"),
    ("MariaDB, MySQL", "the database of the URL"),
    ("Oracle", "the login's own"),
    ("others", "the default schema of the URL; all that users made, if it names none"),
)


def page():
    """Return docs/reference/engines.md."""
    facts = _all()
    variables = [*(variable for variable, _ in engines.SERVERS.values()), *engines.GIVEN.values()]
    blocks = [
        HEAD,
        _table(("tier", "what it means"), TIERS),
        "## What is done on which\n",
        _table(
            ("", *(f.title for f in facts)),
            [(name, *(str(of(f)) for f in facts)) for name, of in ROWS],
        ),
        f"Servers that the tests talk to are named by {', '.join(f'`{v}`' for v in variables)}.\n",
        "## Which schemas are scanned\n",
        _table(("engine", "without `schemas:`"), CHOICES),
        SCHEMAS,
        GENERIC,
        "Untested; `run_sql` reads their SQL:\n",
        _table(("`source:`", "its dialect"), _packages(known=True)),
        "Unsupported by `run_sql`, for sqlglot has no grammar of their SQL:\n",
        _table(("`source:`", "its dialect"), _packages(known=False)),
    ]
    return "\n".join(blocks)


def _packages(*, known):
    return [
        (f"`{name}://…`", f"`{drivers.install(package)}`") for name, package in others(known=known)
    ]


def others(*, known):
    """Return the schemes of other engines, and their packages, that sqlglot reads, or doesn't."""
    return [
        (name, package)
        for name, package in sorted(drivers.PACKAGES.items())
        if bool(grammar.grammar(dialect_of(name))) == known
    ]


def dialect_of(scheme):
    """Return the dialect that a URL of this scheme gets."""
    from pipeline.database.source import resolve

    source: Source = resolve(f"{scheme}://host/name", Path(), {})
    return source.dialect


def _table(heads, rows):
    filled = [heads, ["---"] * len(heads), *rows]
    lines = (" | ".join(c.replace("|", "\\|") for c in row) for row in filled)
    return "".join(f"| {line} |\n" for line in lines)
