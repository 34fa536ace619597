"""Which files are DDL, and their text: found by globs, read line by line.

Nothing here imports sqlglot: the no-op build asks which files there are.
"""

from __future__ import annotations

import codecs
import glob
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from pipeline.errors import SettingError, SourceError

_HEAD = 4096
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
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
        absolute = os.path.join(base.resolve(), os.path.expanduser(pattern))  # noqa: PTH111, PTH118  # a glob is no path
        paths = [Path(name) for name in glob.iglob(absolute, recursive=True)]
        files = [path for path in paths if path.is_file()]
        if not files:
            raise _none(pattern, base, paths)
        found.update(files)
    return tuple(sorted(found))


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

    Raises:
        SourceError: it can't be read, or is neither UTF-8 nor marked as UTF-16.
    """
    number = 0
    try:
        with path.open("rb") as raw:
            head = raw.read(_HEAD)
        _refuse_binary(path, head)
        with path.open(encoding=_encoding(head)) as file:
            for number, line in enumerate(file, start=1):
                yield line
    except UnicodeDecodeError as error:
        raise SourceError(
            f"{path} isn't UTF-8, as a text behind line {number} shows",
            fix="save it as UTF-8, e.g. iconv -f WINDOWS-1252 -t UTF-8 OLD > NEW",
        ) from error
    except OSError as error:
        raise SourceError(
            f"{path} can't be read: {error.strerror or type(error).__name__}",
            fix="give the user that runs dblore the right to read it",
        ) from error


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
