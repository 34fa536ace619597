"""Answers that something else wrote: SQL by the id of a question."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pipeline.authored.yaml_nodes import data_of, parse
from pipeline.errors import SettingError

_FIX = 'write lines such as {"id": "orders", "sql": "SELECT …"}, or a map from ids to SQL'
_LARGEST = 50_000_000
"""Bytes."""


def read_answers(path: Path) -> dict[str, str]:
    """Return SQL by id, from JSON lines, or from JSON or YAML: a list of such, or a map.

    Raises:
        SettingError: the file can't be read, or holds something else, or two answers to one id.
    """
    found: dict[str, str] = {}
    for place, name, sql in _entries(path):
        if not isinstance(name, str | int) or isinstance(name, bool) or not isinstance(sql, str):
            raise SettingError(f"{place}: an answer has an id and SQL, both texts", fix=_FIX)
        if str(name) in found:
            raise SettingError(
                f"{place}: a second answer to {name!r}", fix="keep one answer to each question"
            )
        found[str(name)] = sql
    return found


def _entries(path: Path) -> list[tuple[str, Any, Any]]:
    """Return place, id and SQL of each answer, as they stand there."""
    if path.suffix.casefold() in {".jsonl", ".ndjson"}:
        lines = enumerate(_text(path).splitlines(), start=1)
        items = [(f"{path}:{n}", _json(line, f"{path}:{n}")) for n, line in lines if line.strip()]
        return [_entry(place, item) for place, item in items]
    is_json = path.suffix.casefold() == ".json"
    data = _json(_text(path), str(path)) if is_json else data_of(parse(_there(path)))
    if isinstance(data, dict):
        return [(str(path), name, sql) for name, sql in data.items()]
    if isinstance(data, list):
        return [_entry(f"{path}, answer {n}", item) for n, item in enumerate(data, start=1)]
    raise SettingError(f"{path} holds no answers", fix=_FIX)


def _entry(place: str, item: Any) -> tuple[str, Any, Any]:
    if not isinstance(item, dict) or not {"id", "sql"} <= item.keys():
        raise SettingError(f"{place}: an answer is a map with `id` and `sql`", fix=_FIX)
    return place, item["id"], item["sql"]


def _json(text: str, place: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SettingError(f"{place} is no JSON: {error}", fix=_FIX) from error


def _text(path: Path) -> str:
    try:
        return _there(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise SettingError(
            f"{path} can't be read: {error.strerror or error}", fix="make it a file you may read"
        ) from error
    except UnicodeDecodeError as error:
        raise SettingError(f"{path} is no UTF-8", fix="save the file as UTF-8") from error


def _there(path: Path) -> Path:
    if not path.is_file():
        raise SettingError(f"there is no file {path}", fix="name the file with the answers")
    if path.stat().st_size > _LARGEST:
        raise SettingError(
            f"{path} has more than {_LARGEST:,} bytes", fix="split it, or leave out what isn't SQL"
        )
    return path
