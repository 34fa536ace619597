"""File names that every file system can hold, one per name and never the same for two."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

_LOOKS_HASHED = re.compile(r"-[0-9a-f]{10}$")
_DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
_UNSAFE = re.compile(r"[^\w.-]+")
_LONGEST = 60
"""Characters: with a suffix still far below the 255 bytes that file systems allow."""


def file_names(names: Iterable[str]) -> dict[str, str]:
    """Return a file name without suffix per name.

    It is the name itself, with `-` for a blank, where Windows, macOS and Linux can hold that and
    no other name differs just in case or in how its letters are encoded; else its readable part
    and a hash.
    """
    known = sorted(set(names))
    alike = Counter(_folded(name) for name in known)
    return {
        name: name.replace(" ", "-")
        if _is_plain(name) and alike[_folded(name)] == 1
        else slug(name)
        for name in known
    }


def slug(name: str) -> str:
    """Return the readable part of `name` and a hash that tells it from all others."""
    readable = re.sub(r"\W+", "-", unicodedata.normalize("NFC", name)).strip("-_")
    readable = readable[:_LONGEST].strip("-_") or "x"
    return f"{readable}-{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:10]}"


def _folded(name: str) -> str:
    """Return what two names share when some file system takes them for one."""
    return unicodedata.normalize("NFKC", name.replace(" ", "-")).casefold()


def _is_plain(name: str) -> bool:
    kept = name.replace(" ", "-")
    return bool(
        kept
        and not _UNSAFE.search(kept)
        and kept.strip("-.") == kept
        and "--" not in kept
        and len(kept) <= _LONGEST
        and unicodedata.is_normalized("NFC", kept)
        and not _LOOKS_HASHED.search(kept)
        and not _DEVICES.fullmatch(kept)
    )
