"""A mark by which a draft that somebody edited is told from one that is as it was written."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from pipeline import artifacts

_MARK = re.compile(rb"# As written: ([0-9a-f]{16})\n\Z")


def marked(text: str) -> str:
    """Return the text of a draft with its mark at the end."""
    return f"{text}# As written: {_digest(text.encode())}\n"


def keep_edited(path: Path) -> Path | None:
    """Copy a draft that somebody edited beside it; return where, or None when nobody did.

    A draft without a mark, of an older dblore, counts as nobody's.
    """
    try:
        data = path.read_bytes()
    except OSError:
        return None
    found = _MARK.search(data)
    as_written = found is not None and found[1].decode() == _digest(data[: found.start()])
    if as_written or b"# As written: " not in data:
        return None
    number, kept = 1, path.with_name("semantic.edited.yaml")
    while kept.exists() and kept.read_bytes() != data:
        number += 1
        kept = path.with_name(f"semantic.edited.{number}.yaml")
    artifacts.write_bytes(kept, data)
    return kept


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]
