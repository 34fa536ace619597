"""Files that statements would read or write, and a port that they would call: all our own."""

from __future__ import annotations

import re
import shutil
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

from evals.throwaway import Listener
from pipeline.database.connect import Row

NAME = "dblore_guard"
"""The last part of the folder that corpora name."""
SECRET = "MARK-5f1c-that-nobody-may-read"  # noqa: S105 - it opens nothing
_FOLDER = re.compile(rf"(?:/[\w.-]+)*/{NAME}\b")
_HEX = re.compile(r"\b0x([0-9a-fA-F]{8,})\b|\b[xX]'([0-9a-fA-F]{8,})'")
_PORT = re.compile(r"((?:127\.0\.0\.1|localhost)(?:'?\s+port\s*=\s*'?|:))(\d+)")


class Marks:
    """A folder with a secret in it, an empty one to write into, and a port."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / NAME
        self.listener = Listener()
        self._pristine = ""
        self.restore()

    def restore(self) -> None:
        """Make the folder anew, if it isn't as it was at first."""
        if self._pristine and self.files() == self._pristine:
            return
        shutil.rmtree(self.folder, ignore_errors=True)
        out = self.folder / "out"
        out.mkdir(parents=True)
        for path in (self.folder, out):
            path.chmod(0o777)  # the servers run under another account
        (self.folder / "secret.txt").write_text(f"{SECRET}\n", encoding="utf-8")
        (self.folder / "secret.csv").write_text(f"note,action\n{SECRET},x\n", encoding="utf-8")
        with closing(sqlite3.connect(self.folder / "other.db")) as connection:
            connection.executescript(f"CREATE TABLE t(a); INSERT INTO t VALUES ('{SECRET}')")
        _other_duckdb(self.folder / "other.duckdb")
        self._pristine = self.files()

    def rewritten(self, sql: str, port: int) -> str:
        """Return a statement with our folder for the one it names, and `port` on this machine."""

        def encoded(match: re.Match[str]) -> str:
            digits = match[1] or match[2]
            text = bytes.fromhex(digits if len(digits) % 2 == 0 else f"0{digits}")
            changed = self._here(text.decode("latin-1")).encode("latin-1")
            return match[0] if changed == text else match[0].replace(digits, changed.hex())

        with_port = _PORT.sub(lambda match: f"{match[1]}{port}", sql)
        return _HEX.sub(encoded, self._here(with_port))

    def _here(self, text: str) -> str:
        return _FOLDER.sub(lambda _: str(self.folder), text)

    def files(self) -> str:
        """Return what is in the folder, as a text that changes when something is written."""
        found = sorted(self.folder.rglob("*"))
        return repr(
            [(str(p), p.stat().st_size, p.stat().st_mtime_ns) for p in found if p.is_file()]
        )

    def close(self) -> None:
        """Let go of the port."""
        self.listener.close()


def shows_secret(rows: Iterable[Row]) -> bool:
    """Whether the secret, or the name or the size of its file, is in the rows."""
    text = " ".join(_plain(cell) for row in rows for cell in row)
    telling = (SECRET, SECRET.encode().hex(), "secret.txt")
    return any(part in text for part in telling) or str(len(SECRET) + 1) in text.split()


def shows_anything(rows: Iterable[Row]) -> bool:
    """Whether the rows hold any value."""
    return any(cell not in (None, "", b"") for row in rows for cell in row)


def _plain(cell: Any) -> str:
    return bytes(cell).decode("latin-1") if isinstance(cell, bytes | memoryview) else str(cell)


def _other_duckdb(path: Path) -> None:
    try:
        import duckdb
    except ModuleNotFoundError:
        return
    with duckdb.connect(str(path)) as connection:
        connection.execute(f"CREATE TABLE t AS SELECT '{SECRET}' AS a")
