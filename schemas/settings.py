"""kb.yaml as a model. Apart from the other models since every build reads it first."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ProfileSettings:
    """`profile:` of kb.yaml."""

    enabled: bool = True
    """False reads no data at all."""
    values: bool = True
    """False stores no value of any column."""
    rows: int | None = None
    """Rows read per table at most; None reads all."""
    workers: int = 4
    """Parallel connections at most."""
    stated: bool = False
    """`profile:` stands in kb.yaml, whatever it says: people have decided."""
    sensitive: tuple[str, ...] = ()
    """Regular expressions; a column whose name (or `table.column`) matches is sensitive."""


@dataclass(frozen=True, slots=True)
class KbSettings:
    """kb.yaml."""

    name: str
    source: str = ""
    """A path, a SQLAlchemy URL or `odbc:…`; `${VAR}` is read from the environment."""
    ddl: tuple[str, ...] = ()
    """Globs of DDL files that stand in for a database; relative to the folder."""
    dialect: str = ""
    """Of the DDL files: sqlglot's name."""
    description: str = ""
    schemas: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    profile: ProfileSettings = ProfileSettings()
    rescan: str = "on-change"
    """`on-change`, `always`, `never`, or an interval such as `6h` or `1d`."""
    embedder: str = "fastembed"
    llm: str | None = None
    allow_functions: tuple[str, ...] = ()
    allow_tables: tuple[str, ...] = ()
