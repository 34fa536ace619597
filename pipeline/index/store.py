"""index.db: one generation of the search index in SQLite, byte for byte reproducible."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from pipeline.index.chunks import Entry
from pipeline.index.dictionary import StoredValue, Word, literal
from schemas.references import Use

FORMAT = "dblore.index/2"

_SCHEMA = """
PRAGMA page_size = 4096;
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE chunk (
  id INTEGER PRIMARY KEY, kind TEXT NOT NULL, ref TEXT NOT NULL, tables TEXT NOT NULL,
  title TEXT NOT NULL, text TEXT NOT NULL, dense TEXT NOT NULL
);
CREATE VIRTUAL TABLE chunk_words USING fts5 (
  title, words, text, content = '', tokenize = 'porter unicode61'
);
CREATE TABLE word (
  stem TEXT NOT NULL, "table" TEXT NOT NULL, "column" TEXT NOT NULL, field TEXT NOT NULL,
  share REAL NOT NULL, PRIMARY KEY (stem, "table", "column", field)
) WITHOUT ROWID;
CREATE TABLE value (
  id INTEGER PRIMARY KEY, folded TEXT NOT NULL, value TEXT NOT NULL, "table" TEXT NOT NULL,
  "column" TEXT NOT NULL, count INTEGER, meaning TEXT NOT NULL, origin TEXT NOT NULL
);
CREATE VIRTUAL TABLE value_words USING fts5 (folded, content = '', tokenize = 'unicode61');
CREATE TABLE uses (
  "table" TEXT NOT NULL, "column" TEXT NOT NULL, path TEXT NOT NULL, kind TEXT NOT NULL,
  "by" TEXT NOT NULL, PRIMARY KEY ("table", "column", path, kind)
) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class Contents:
    """All that goes into index.db."""

    meta: dict[str, str]
    entries: Sequence[Entry]
    hashes: Sequence[str]
    """Content hash of each entry's dense text."""
    words: Iterable[Word]
    values: Iterable[StoredValue]
    uses: Iterable[Use] = ()
    """What items of people and views use; a table as such has the column ''."""


def write(path: Path, contents: Contents) -> None:
    """Write index.db at `path`, which doesn't exist yet.

    Rows are inserted in the order given into pages of fixed size, without any time stamp, so
    that equal contents give equal bytes.
    """
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.executescript(_SCHEMA)
        db.execute("BEGIN")
        db.executemany("INSERT INTO meta VALUES (?, ?)", sorted(contents.meta.items()))
        _write_chunks(db, contents)
        db.executemany(
            "INSERT OR IGNORE INTO word VALUES (?, ?, ?, ?, ?)",
            ((w.stem, w.table, w.column, w.field, w.share) for w in contents.words),
        )
        _write_values(db, contents.values)
        db.executemany(
            "INSERT INTO uses VALUES (?, ?, ?, ?, ?)",
            sorted(
                (u.table, u.column or "", u.item.path, u.item.kind, u.by) for u in contents.uses
            ),
        )
        db.execute("COMMIT")
        db.execute("INSERT INTO chunk_words (chunk_words) VALUES ('optimize')")
        db.execute("INSERT INTO value_words (value_words) VALUES ('optimize')")
        db.execute("VACUUM")


def _write_chunks(db: sqlite3.Connection, contents: Contents) -> None:
    for number, entry in enumerate(contents.entries, start=1):
        chunk = entry.chunk
        db.execute(
            "INSERT INTO chunk VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                number,
                chunk.kind,
                chunk.ref,
                json.dumps(chunk.tables, ensure_ascii=False),
                chunk.title,
                chunk.text,
                contents.hashes[number - 1],
            ),
        )
        db.execute(
            "INSERT INTO chunk_words (rowid, title, words, text) VALUES (?, ?, ?, ?)",
            (number, chunk.title, entry.words, chunk.text),
        )


def _write_values(db: sqlite3.Connection, values: Iterable[StoredValue]) -> None:
    for number, v in enumerate(values, start=1):
        db.execute(
            "INSERT INTO value VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (number, v.folded, literal(v.value), v.table, v.column, v.count, v.meaning, v.origin),
        )
        if " " in v.folded:
            db.execute("INSERT INTO value_words (rowid, folded) VALUES (?, ?)", (number, v.folded))
    db.execute("CREATE INDEX value_folded ON value (folded)")
