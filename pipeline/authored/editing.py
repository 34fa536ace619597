"""Change one entry of a YAML file that people write, and no byte beside it.

A YAML library that writes a whole file anew changes some of it (blanks, line ends, quotes, where
lines are broken). Here only the text of the entry is exchanged; what comes out is read again, and
must be the old data with that one change, or nothing is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline import artifacts
from pipeline.authored.reading import Place, dotted
from pipeline.authored.splicing import Splice, Splicer, UneditableError, ended, spliced
from pipeline.authored.yaml_nodes import data_of, parse_bytes
from pipeline.errors import SettingError


@dataclass(frozen=True, slots=True)
class Put:
    """Set the entry at a place; maps on the way to it are made if they aren't there."""

    place: Place
    value: Any
    """None, a bool, an int, text, or lists and dicts of these."""


@dataclass(frozen=True, slots=True)
class Append:
    """Add an item to the list at a place, which is made if it isn't there."""

    place: Place
    value: Any


@dataclass(frozen=True, slots=True)
class Remove:
    """Remove the entry at a place, with what stands behind it on its line."""

    place: Place


Edit = Put | Append | Remove

BOM = b"\xef\xbb\xbf"


def edit_file(path: Path, edits: Sequence[Edit]) -> bool:
    """Make the edits in a file, all of them or none; return whether its bytes changed.

    A file that isn't there is made. A link stays one: the file that it leads to is changed.

    Raises:
        SettingError: it can't be read, an edit can't be made there, or somebody changed the file
            meanwhile.
        ArtifactError: it can't be written.
    """
    target = path.resolve()
    before = target.read_bytes() if target.is_file() else b""
    after = edited(before, edits, path)
    return exchange(path, before, after)


def exchange(path: Path, before: bytes, after: bytes) -> bool:
    """Write `after` into a file that still holds `before`; return whether its bytes changed.

    Raises:
        SettingError: somebody changed the file meanwhile.
        ArtifactError: it can't be written.
    """
    target = path.resolve()
    if after == before:
        return False
    if (target.read_bytes() if target.is_file() else b"") != before:
        raise SettingError(
            f"{path} was changed by somebody else while it was edited", fix="do it again"
        )
    return artifacts.write_bytes(target, after)


def edited(data: bytes, edits: Sequence[Edit], path: Path) -> bytes:
    """Return the bytes of a file with the edits made, one after another.

    Args:
        data: what the file holds.
        edits: what to change.
        path: of the file, for messages.

    Raises:
        SettingError: the file is no YAML, or an edit can't be made in it.
    """
    root = parse_bytes(data, path)
    bom = BOM if data.startswith(BOM) else b""
    text = data.removeprefix(BOM).decode()
    expected = data_of(root)
    for edit in edits:
        expected = _applied(expected, edit, path)
        if expected == data_of(root):
            continue
        whole = ended(text, root)
        if whole != text:
            text, root = whole, parse_bytes(whole.encode(), path)
            expected = _applied(data_of(root), edit, path)
        try:
            text = spliced(text, [_splice(Splicer(text, root), edit)])
            root = parse_bytes(text.encode(), path)
        except (UneditableError, SettingError, UnicodeEncodeError, RecursionError) as error:
            raise _by_hand(edit, path, str(error).splitlines()[0]) from error
        if data_of(root) != expected and (data_of(root) or expected):
            raise _by_hand(edit, path, "the result wouldn't be what was asked for")
    return bom + text.encode()


def _splice(splicer: Splicer, edit: Edit) -> Splice:
    if isinstance(edit, Put):
        return splicer.put(edit.place, edit.value)
    if isinstance(edit, Append):
        return splicer.append(edit.place, edit.value)
    return splicer.remove(edit.place)


def _by_hand(edit: Edit, path: Path, why: str) -> SettingError:
    place = dotted(edit.place).removesuffix(": ") or "its whole"
    return SettingError(
        f"{path}: {place} can't be edited without changing what stands around it: {why}",
        fix="make that change in an editor",
    )


def _applied(data: Any, edit: Edit, path: Path) -> Any:
    """Return the data with the edit made; what the text must say then."""
    return _at(data, edit.place, edit, path)


def _at(data: Any, place: Place, edit: Edit, path: Path) -> Any:
    if not place:
        return _new(data, edit, path)
    key, rest = place[0], place[1:]
    if isinstance(key, int):
        if not isinstance(data, list) or not 0 <= key < len(data):
            raise _no_place(edit, path)
        changed = list(data)
        changed[key : key + 1] = _kept(data[key], rest, edit, path)
        return changed
    if data is None and not isinstance(edit, Remove):
        data = {}
    if not isinstance(data, dict) or (isinstance(edit, Remove) and key not in data):
        raise _no_place(edit, path)
    found = _kept(data.get(key), rest, edit, path)
    if not found:
        return {other: value for other, value in data.items() if other != key}
    return {**data, key: found[0]}


def _kept(data: Any, rest: Place, edit: Edit, path: Path) -> list[Any]:
    return [] if not rest and isinstance(edit, Remove) else [_at(data, rest, edit, path)]


def _new(data: Any, edit: Edit, path: Path) -> Any:
    if isinstance(edit, Append):
        if data is not None and not isinstance(data, list):
            raise _no_place(edit, path)
        return [*(data or []), edit.value]
    return edit.value if isinstance(edit, Put) else None


def _no_place(edit: Edit, path: Path) -> SettingError:
    return SettingError(
        f"{path}: there is no place for {dotted(edit.place).removesuffix(': ')}",
        fix="name an entry that is there, or one below a map",
    )
