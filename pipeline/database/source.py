"""What `source:` of kb.yaml names: a file, a SQLAlchemy URL or an ODBC string; or `ddl:`, files.

Nothing here opens a database; a file's first bytes tell SQLite, DuckDB and catalogues apart.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal
from urllib.parse import parse_qsl, quote_plus, unquote

from pipeline.database import file_names, odbc
from pipeline.errors import SettingError, SourceError

SQLITE_MAGIC = b"SQLite format 3\x00"
DUCKDB_MAGIC = b"DUCK"
DUCKDB_MAGIC_AT = 8  # after an 8-byte checksum: https://duckdb.org/docs/stable/internals/storage

_LEAST_PIECE = 3
"""Characters of a piece of a password that is hidden by itself; shorter ones are in any text."""
_ACCOUNT = re.compile(
    r"""(?ix) (?P<what> \b (?:user|login|role|principal) (?:[ ]name)? [ ])
              (?P<quote>['"`]) (?:(?!(?P=quote)).)+ (?P=quote)"""
)
"""Whom the server's words are about; the login may be one that the URL doesn't state."""
_HOST = re.compile(
    r"""(?x) (?P<quote>['"`]) (?:(?!(?P=quote)).)* (?P=quote) @
             (?P<quote2>['"`]) (?:(?!(?P=quote2)).)* (?P=quote2)"""
)
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_VARIABLE = re.compile(r"\$\{([^}]*)\}")
_URL = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9_.+-]+)://(?P<rest>.*)", re.DOTALL)
_PLAIN_PLACE = re.compile(r"[\w.\-\[\]:,]*(/[^?&=#;@]*)?")
_SECRET_NAME = re.compile(r"(?i)(user|uid|login|pass|pwd|token|secret|key|account|credential)")

_SQLGLOT_NAMES = {
    "postgresql": "postgres",
    "postgres": "postgres",
    "cockroachdb": "postgres",
    "mssql": "tsql",
    "sqlserver": "tsql",
    "mariadb": "mysql",
    "awsathena": "athena",
    "ibm_db_sa": "db2",
    "chdb": "clickhouse",
    "clickhousedb": "clickhouse",
    "exa": "exasol",
    "teradatasql": "teradata",
}
_DEFAULT_DRIVERS = {  # the ones of our extras, where SQLAlchemy would take another
    "postgres": "postgresql+psycopg",
    "postgresql": "postgresql+psycopg",
    "mysql": "mysql+pymysql",
    "mariadb": "mariadb+pymysql",
    "mssql": "mssql+pyodbc",
    "oracle": "oracle+oracledb",
}


@dataclass(frozen=True, slots=True)
class Source:
    """A database that can be opened. Its `repr` and `shown` hold no credential."""

    url: str = field(repr=False)
    """With credentials: never to be logged or written."""
    dialect: str
    """The sqlglot name: sqlite, duckdb, postgres, mysql, tsql, …"""
    path: Path | None
    """Of a SQLite or DuckDB file, absolute; else None."""
    shown: str
    """How to name it in messages."""
    secrets: tuple[str, ...] = field(default=(), repr=False)
    """User name, password, tokens: what `safe` takes out."""
    allow_functions: tuple[str, ...] = ()
    """More functions that callers' SQL may call."""
    allow_tables: tuple[str, ...] = ()
    """More tables that it may read: those that no scan lists."""
    kind: Literal["database", "ddl", "catalog"] = "database"
    """DDL files and the catalogue of another scan tell structure only: nothing can be asked."""
    files: tuple[Path, ...] = ()
    """The DDL files, or the catalogue; what a scan reads when there is no database."""

    @property
    def database(self) -> str:
        """The name of the database: the file's stem or the last part of the URL."""
        if self.path is not None:
            return self.path.stem
        return self.shown.rstrip("/").rpartition("/")[2] or self.dialect

    def safe(self, text: object) -> str:
        """Return `text`, such as a driver's error, without URL, credentials, accounts' names."""
        cleaned = str(text).replace(self.url, self.shown)
        for secret in self.secrets:
            cleaned = re.sub(rf"(?<!\w){re.escape(secret)}(?!\w)", "…", cleaned)
        cleaned = _ACCOUNT.sub(r"\g<what>\g<quote>…\g<quote>", cleaned)
        return _HOST.sub(r"\g<quote>…\g<quote>@\g<quote2>…\g<quote2>", cleaned)


def resolve(text: str, base: Path, environ: Mapping[str, str]) -> Source:
    """Return the source that `text` names; relative paths start at the folder `base`.

    Raises:
        SettingError: `text` is empty or neither a path nor a URL, or an environment variable in
            it isn't set.
        SourceError: it names a file that isn't there or is no database.
    """
    expanded = _expand(text.strip(), environ)
    _refuse_odd_text(expanded, base)
    if not expanded:
        raise SettingError(
            "no source is set",
            fix="write `source:` in kb.yaml: a database file or a SQLAlchemy URL",
        )
    if expanded.casefold().startswith("odbc:"):
        return _odbc(expanded[len("odbc:") :].strip())
    if expanded.casefold().startswith("file:"):
        return _file(file_names.of_uri(expanded[len("file:") :]), base)
    url = _URL.fullmatch(expanded)
    if url is None:
        _refuse_broken_url(expanded, base)
        return _file(expanded, base)
    backend = url["scheme"].partition("+")[0].casefold()
    if backend in ("sqlite", "duckdb"):
        return _file_url(backend, url["rest"], base)
    return _server(backend, url["scheme"], url["rest"])


def resolve_ddl(patterns: Sequence[str], dialect: str, base: Path) -> Source:
    """Return the DDL files that globs match, as a source; relative globs start at `base`.

    Raises:
        SettingError: a glob matches nothing, or there is no dialect.
    """
    from pipeline.database.ddl import files

    found = files.matching(patterns, base)
    if not dialect.strip():
        raise files.no_dialect(found)
    name = dialect.strip().casefold()
    return Source(
        url="",
        dialect=_SQLGLOT_NAMES.get(name, name),
        path=None,
        shown=", ".join(patterns),
        kind="ddl",
        files=found,
    )


def no_database(source: Source) -> SourceError:
    """Return the error that tells why a source can't be asked anything."""
    what = "DDL files tell" if source.kind == "ddl" else "a catalogue tells"
    return SourceError(
        f"there is no database to ask: {what} structure only ({source.shown})",
        fix="name the database: `source:` in kb.yaml, or --db URL",
    )


def _expand(text: str, environ: Mapping[str, str]) -> str:
    def value(match: re.Match[str]) -> str:
        name = match[1].strip()
        if not environ.get(name):
            state = "is empty" if name in environ else "is not set"
            raise SettingError(
                f"the environment variable {name or '${}'}, which the source names, {state}",
                fix=f"set it before you run dblore: export {name or 'NAME'}='…'",
            )
        return environ[name]

    return _VARIABLE.sub(value, text)


def _refuse_odd_text(text: str, base: Path) -> None:
    if _CONTROL.search(text):
        raise SettingError(
            "the source holds a control character, which no path and no URL has",
            fix="write `source:` anew; in YAML a backslash in double quotes is written twice",
        )
    if any("\ud800" <= character <= "\udfff" for character in f"{text}{base}"):
        raise SettingError(
            "the path of the source isn't valid UTF-8, so that it can't be written anywhere",
            fix="rename the file or folder, or name a link to it that has a plain name",
        )


def _refuse_broken_url(text: str, base: Path) -> None:
    """Refuse what looks like a URL with a login, without its login, before it is taken for a path.

    A file that is really called like that is a file.
    """
    login, at, place = text.rpartition("@")
    if not at or ":" not in login or file_names.is_drive_path(text) or (base / text).exists():
        return
    raise SettingError(
        f"the source …:…@{place.partition('?')[0]} is no URL, and there is no file of that name",
        fix="write it as postgresql://user:password@host/database, with `://` and without blanks; "
        "in user and password @ is written %40, : %3A and / %2F",
    )


def _login(rest: str) -> tuple[str, str]:
    """Return what stands before the last `@` of a URL's place, and the rest; a query may hold @."""
    head, mark, query = rest.partition("?")
    if "@" not in head:
        login, _, place = rest.rpartition("@")
        return login, place
    login, _, place = head.rpartition("@")
    return login, place + mark + query


def _server(backend: str, scheme: str, rest: str) -> Source:
    scheme = _DEFAULT_DRIVERS.get(scheme.casefold(), scheme)
    login, behind = _login(rest)
    if "@" in login:  # in a password, which SQLAlchemy would end there
        rest = login.replace("@", "%40") + "@" + behind
    place = behind.partition("?")[0]
    shown = place if _PLAIN_PLACE.fullmatch(place) else "…"
    return Source(
        url=f"{scheme}://{rest}",
        dialect=_SQLGLOT_NAMES.get(backend, backend),
        path=None,
        shown=f"{backend}://{shown}",
        secrets=_secrets(rest),
    )


def _secrets(rest: str) -> tuple[str, ...]:
    found: set[str] = set()
    login, behind = _login(rest)
    if login:
        user, _, password = login.partition(":")
        found |= {login, user, password}
    query = behind.partition("?")[2]
    for name, value in parse_qsl(query):
        if name == "odbc_connect":
            found |= {v for n, v in odbc.pairs(value) if _SECRET_NAME.search(n)}
        elif _SECRET_NAME.search(name):
            found.add(value)
    found |= {unquote(item) for item in found}
    found |= {piece for item in found for piece in item.split("@") if len(piece) >= _LEAST_PIECE}
    return tuple(sorted(filter(None, found), key=lambda item: (-len(item), item)))


def _odbc(connection: str) -> Source:
    parts = odbc.checked(connection)
    backend = odbc.backend(parts)
    place = (parts.get("server") or parts.get("dsn") or "…") + "/" + (parts.get("database") or "")
    quoted = quote_plus(connection)
    return Source(
        url=f"{backend}+pyodbc:///?odbc_connect={quoted}",
        dialect=_SQLGLOT_NAMES.get(backend, backend),
        path=None,
        shown=f"odbc://{place}",
        secrets=_secrets(f"?odbc_connect={quoted}"),
    )


def _file_url(backend: str, rest: str, base: Path) -> Source:
    """Read `sqlite:///relative`, `sqlite:////absolute`, `sqlite:///C:/…`, as SQLAlchemy does."""
    raw, _, query = rest.partition("?")
    host, _, name = raw.partition("/")
    if host:
        shown = raw.rpartition("@")[2]
        raise SettingError(
            f"{backend}://{shown} names a host, which a file doesn't have",
            fix=f"write {backend}:///{shown.lstrip('/')} with three slashes for a relative path, "
            f"{backend}:////path with four for an absolute one",
        )
    if name.startswith("file:"):
        name = file_names.of_uri(name.removeprefix("file:"))
    elif not _exists(base, name):
        # SQLAlchemy takes the text as it stands; people write it quoted, or with a ? in the name
        whole = f"{name}?{query}"
        name = whole if query and _exists(base, whole) else unquote(name)
    if not name or name == ":memory:":
        raise SettingError(
            f"{backend}:// names no file: a database in memory has nothing to read",
            fix=f"write `source: {backend}:///path/to/file`, or just the path",
        )
    return _file(name, base, backend)


def _exists(base: Path, name: str) -> bool:
    return bool(name) and os.path.lexists(base / name)


def _file(name: str, base: Path, backend: str | None = None) -> Source:
    path = _path(name, base)
    dialect = _kind_of_file(path)
    if dialect == "catalog" and backend is None:
        return Source("", dialect="", path=path, shown=str(path), kind="catalog", files=(path,))
    if backend not in (None, dialect):
        raise SourceError(
            f"{path} is a {_TITLES[dialect]} file, not {_TITLES[backend or dialect]}",
            fix=f"write `source: {name}`: dblore sees by itself what it is",
        )
    return Source(url=file_names.url(dialect, path), dialect=dialect, path=path, shown=str(path))


def _path(name: str, base: Path) -> Path:
    plain = name if _exists(base, name) else file_names.plain(name)
    foreign = file_names.foreign(plain, windows=os.name == "nt")
    if foreign and not _exists(base, plain):
        raise SourceError(
            f"{plain} is {foreign}, which this system can't follow",
            fix="mount the drive or share here and write the path that it then has, "
            "or run dblore on Windows",
        )
    try:
        return (base / Path(plain).expanduser()).resolve()
    except (RuntimeError, OSError) as error:  # ~ of a user who isn't there, a loop of links
        raise SourceError(
            f"{plain} leads to no file: {error}", fix="write the full path of the database file"
        ) from error


_TITLES = {"sqlite": "SQLite", "duckdb": "DuckDB", "catalog": "JSON"}


def _kind_of_file(path: Path) -> str:
    try:
        if path.is_dir():
            raise SourceError(
                f"{path} is a folder, not a database file",
                fix="name the file in it, e.g. `source: data/shop.sqlite`; "
                "DDL files are named by `ddl: folder/*.sql`",
            )
        if path.exists() and not path.is_file():
            raise SourceError(
                f"{path} is a pipe or a device, not a database file",
                fix="name the database file itself",
            )
        with path.open("rb") as file:
            head = file.read(len(SQLITE_MAGIC))
    except FileNotFoundError as error:
        raise SourceError(
            f"there is no file {path}",
            fix="correct the path (in kb.yaml, a relative one starts at its folder), "
            "or create the database",
        ) from error
    except OSError as error:
        raise SourceError(
            f"{path} can't be read: {error.strerror or type(error).__name__}",
            fix="give the user that runs dblore the right to read it",
        ) from error
    if head == SQLITE_MAGIC:
        return "sqlite"
    if head[DUCKDB_MAGIC_AT : DUCKDB_MAGIC_AT + len(DUCKDB_MAGIC)] == DUCKDB_MAGIC:
        return "duckdb"
    if not head:
        raise SourceError(
            f"{path} is empty (0 bytes)", fix="check that the database was written to that place"
        )
    if head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{":
        return "catalog"
    if path.suffix.casefold() in (".sql", ".ddl"):
        raise SourceError(
            f"{path} is no database file; its name says that it holds SQL",
            fix=f"if that is DDL, write `ddl: {path.name}` and `dialect:` in kb.yaml, "
            "or give --ddl and --dialect; else run it on a database and name that",
        )
    raise _neither(path)


def _neither(path: Path) -> SourceError:
    if path.suffix.casefold() == ".json":
        return SourceError(
            f"{path} is no catalogue: those are JSON that begins with {{",
            fix="name a catalog.json that a scan of dblore wrote, whole",
        )
    return SourceError(
        f"{path} is neither a SQLite nor a DuckDB database file",
        fix="name the database file itself; an encrypted, compressed or dumped one must be "
        "restored first",
    )
