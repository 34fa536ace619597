"""Which files are DDL, and their text: found by globs, read line by line.

Nothing here imports sqlglot: the no-op build asks which files there are.
"""

from __future__ import annotations

import codecs
import glob
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from pipeline.errors import SettingError, SourceError

_HEAD = 4096
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_UNDECODED = re.compile("[\udc80-\udcff]")
_FORMATS = {
    b"PGDMP": ("a dump in pg_dump's own format", "write it as SQL: pg_restore -s -f schema.sql"),
    b"\x1f\x8b": ("compressed", "decompress it"),
    b"PK\x03\x04": ("a ZIP archive", "unpack it"),
    b"SQLite format 3": ("a SQLite database", "name it in `source:` instead of `ddl:`"),
}


def matching(patterns: Sequence[str], base: Path) -> tuple[Path, ...]:
    """Return the files that the globs match, each once, by path; relative ones start at `base`.

    Raises:
        SettingError: a glob matches no file, or a folder.
    """
    found: set[Path] = set()
    for pattern in patterns:
        whole = str(base.resolve() / Path(pattern).expanduser())
        paths = [Path(name) for name in glob.iglob(whole, recursive=True)]  # noqa: PTH207  # Path.glob takes no absolute pattern
        files = [path for path in paths if path.is_file()]
        if not files:
            raise _none(pattern, base, paths)
        found.update(files)
    return tuple(sorted(found))


def no_dialect(paths: Sequence[Path]) -> SettingError:
    """Return the error that asks for the dialect, with a guess where a dump says what wrote it."""
    from pipeline.database.ddl.lexing import dialects

    signs = "".join(line for path in paths[:3] for line in islice(lines(path), 40))
    guess = next((name for sign, name in _SIGNS.items() if sign in signs), None)
    looks = f"it looks like {guess}: write `dialect: {guess}`; or one" if guess else "write one"
    return SettingError(
        "ddl: names no dialect, on which names and quotes depend",
        fix=f"{looks} of {', '.join(dialects())} (`dialect:` in kb.yaml, or --dialect)",
    )


_SIGNS = {
    "PostgreSQL database dump": "postgres",
    "MySQL dump": "mysql",
    "MariaDB dump": "mysql",
    "SET ANSI_NULLS": "tsql",
    "PRAGMA foreign_keys": "sqlite",
    "create or replace TRANSIENT": "snowflake",
}
"""What dumps begin with."""


def _none(pattern: str, base: Path, paths: Sequence[Path]) -> SettingError:
    if paths:
        return SettingError(
            f"ddl: {pattern} names a folder",
            fix=f"name the files in it, e.g. `ddl: {pattern.rstrip('/')}/*.sql`",
        )
    return SettingError(
        f"ddl: {pattern} matches no file",
        fix=f"correct it: a relative one starts at {base.resolve()}; `**/*.sql` goes into folders",
    )


def lines(path: Path) -> Iterator[str]:
    """Yield the lines of a file, with their ends.

    Bytes that are no UTF-8 come as `surrogateescape` tells them: dumps hold binary data among the
    rows, which nobody reads. What is read of them passes `refuse_undecoded`.

    Raises:
        SourceError: it can't be read, or is marked as UTF-16 and isn't.
    """
    head = b""
    try:
        with path.open("rb") as raw:
            head = raw.read(_HEAD)
        _refuse_binary(path, head)
        encoding = _encoding(head)
        errors = "strict" if encoding == "utf-16" else "surrogateescape"
        with path.open(encoding=encoding, errors=errors) as file:
            yield from file
    except UnicodeError as error:
        raise SourceError(
            f"{path} isn't UTF-16, as which its first bytes mark it",
            fix="save it as UTF-8, or copy it again: it may be cut off",
        ) from error
    except OSError as error:
        raise SourceError(
            f"{path} can't be read: {error.strerror or type(error).__name__}",
            fix="give the user that runs dblore the right to read it",
        ) from error


def refuse_undecoded(statement: str, path: Path, line: int) -> None:
    """Refuse bytes that are no UTF-8 in a statement that begins in this line of a file.

    Raises:
        SourceError: there are some.
    """
    found = _UNDECODED.search(statement)
    if found is not None:
        line += statement.count("\n", 0, found.start())
        raise SourceError(
            f"{path} isn't UTF-8, as line {line} shows",
            fix="save it as UTF-8, e.g. iconv -f WINDOWS-1252 -t UTF-8 OLD > NEW",
        )


def _encoding(head: bytes) -> str:
    return next((name for mark, name in _MARKS if head.startswith(mark)), "utf-8")


def _refuse_binary(path: Path, head: bytes) -> None:
    for magic, (what, fix) in _FORMATS.items():
        if head.startswith(magic):
            raise SourceError(f"{path} is no SQL text but {what}", fix=fix)
    if b"\0" in head and _encoding(head) == "utf-8":
        raise SourceError(
            f"{path} is no text file: it holds zero bytes",
            fix="name files with SQL text; one in UTF-16 begins with a byte order mark",
        )
