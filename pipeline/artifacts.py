"""Atomic, typed reading and writing of the files of a knowledge base.

A file is written beside its place, synced and renamed, and only when its bytes change, so that
a killed run leaves the old file whole and an equal result keeps its modification time.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from pipeline.errors import ArtifactError
from schemas import codec

Model = TypeVar("Model")

TEMPORARY = ".dblore-tmp"
"""Suffix of files being written; a killed run may leave one, the next build removes it."""

MARKER = ".dblore"
"""Stands in a folder whose files are all written by dblore."""

_MARKER_TEXT = "Every file in this folder is written by dblore; others are deleted.\n"

SCHEMAS = Path(__file__).resolve().parent.parent / "schemas"


def read(path: Path, cls: type[Model]) -> Model:
    """Read the artifact at `path`.

    Raises:
        ArtifactError: it is missing, no JSON, or not a `cls` of this version.
    """
    return decoded(read_json(path), path, cls)


def decoded(data: Any, path: Path, cls: type[Model]) -> Model:
    """Return the artifact that was read from `path` as JSON.

    Raises:
        ArtifactError: it is not a `cls` of this version.
    """
    expected = codec.format_of(cls)
    found = data.get("format") if isinstance(data, dict) else None
    if found != expected:
        raise ArtifactError(
            f"{path} has the format {found!r}, this dblore reads {expected!r}",
            fix=f"build it again: dblore build --kb {path.parent}",
        )
    try:
        return codec.from_json(cls, data)
    except ValueError as error:
        raise ArtifactError(
            f"{path} is damaged: {error}",
            fix=f"delete it and build again: dblore build --kb {path.parent}",
        ) from error


def read_json(path: Path) -> Any:
    """Read a JSON file.

    Raises:
        ArtifactError: it is missing, unreadable or no JSON.
    """
    try:
        return json.loads(path.read_bytes())
    except FileNotFoundError as error:
        raise ArtifactError(
            f"{path} does not exist", fix=f"build it: dblore build --kb {path.parent}"
        ) from error
    except (OSError, ValueError, RecursionError) as error:
        raise ArtifactError(
            f"{path} can't be read: {error}",
            fix=f"delete it and build again: dblore build --kb {path.parent}",
        ) from error


def write(path: Path, model: Any) -> bool:
    """Write `model` as JSON after checking it against its schema; return whether bytes changed."""
    data = codec.to_json(model)
    _check_schema(path.name, data)
    return write_text(path, dumps(data))


def write_text(path: Path, text: str) -> bool:
    """Write text as UTF-8, line ends kept, atomically; return whether bytes changed."""
    return write_bytes(path, text.encode("utf-8"))


def write_bytes(path: Path, data: bytes) -> bool:
    """Write atomically and only on change; return whether bytes changed.

    Raises:
        ArtifactError: the folder is read-only, the disk is full, …; the old file is whole.
    """
    with suppress(OSError):
        if path.read_bytes() == data:
            return False
    temporary: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}{TEMPORARY}")
        with temporary.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        with suppress(OSError):
            if temporary:
                temporary.unlink()
        raise unwritable(path, error) from error
    return True


def write_folder(folder: Path, texts: Mapping[str, str]) -> None:
    """Make `folder` hold these files (path below it to text) and no other.

    A marker file says that the folder is ours. Without it, files that others may have written
    are never overwritten or deleted.

    Raises:
        ArtifactError: the folder holds files of others, is a link, or can't be written.
    """
    marker = folder / MARKER
    if not marker.is_file() or folder.is_symlink():
        _refuse_foreign(folder, texts)
    write_text(marker, _MARKER_TEXT)
    for name, text in texts.items():
        write_text(folder / name, text)
    kept = {marker, *(folder / name for name in texts)}
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_dir() and not path.is_symlink():
            with suppress(OSError):
                path.rmdir()
        elif path not in kept:
            path.unlink()


def _refuse_foreign(folder: Path, texts: Mapping[str, str]) -> None:
    """Raise when `folder`, which isn't marked as ours, holds anything else than `texts`."""
    ours = {folder / name: text.encode("utf-8") for name, text in texts.items()}
    for path in sorted(folder.rglob("*")):
        if not path.is_dir() and not path.name.endswith(TEMPORARY):
            same = path in ours and path.is_file() and path.read_bytes() == ours[path]
            if not same:
                raise ArtifactError(
                    f"{folder} holds files that dblore didn't write, such as {path}",
                    fix="move them elsewhere, or make the knowledge base in a folder of its own; "
                    f"if they are from an older dblore, delete {folder}",
                )


def remove_leftovers(folder: Path) -> None:
    """Delete the temporary files below `folder` of processes that are gone."""
    for path in folder.rglob(f".*{TEMPORARY}"):
        owner = path.name.removesuffix(TEMPORARY).rpartition(".")[2].partition("-")[0]
        if owner.isdecimal() and not _is_alive(int(owner)):
            with suppress(OSError):
                path.unlink()


def _is_alive(process: int) -> bool:
    if os.name == "nt":  # there, os.kill would end it; a leftover does no harm
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def unwritable(path: Path, error: OSError) -> ArtifactError:
    """Return the error that says why `path` can't be written and what to do."""
    return ArtifactError(
        f"{path} can't be written: {error.strerror or error}",
        fix="free some space or make the folder writable, then run the same command again; "
        "what was there before is unchanged",
    )


def dumps(data: Any) -> str:
    """Return JSON with sorted keys and one innermost object a line, ending in a newline."""
    lines: list[str] = []
    _dump(data, "", "", "", lines)
    return "\n".join(lines) + "\n"


def _dump(value: Any, indent: str, lead: str, tail: str, lines: list[str]) -> None:
    items: list[tuple[str, Any]]
    if isinstance(value, dict) and _is_deep(value.values()):
        items = [(json.dumps(k, ensure_ascii=False) + ": ", value[k]) for k in sorted(value)]
        opening, closing = "{", "}"
    elif isinstance(value, list) and _is_deep(value):
        items = [("", item) for item in value]
        opening, closing = "[", "]"
    else:
        text = json.dumps(value, ensure_ascii=False, sort_keys=True, allow_nan=False)
        lines.append(f"{indent}{lead}{text}{tail}")
        return
    lines.append(f"{indent}{lead}{opening}")
    for number, (item_lead, item) in enumerate(items, start=1):
        _dump(item, indent + " ", item_lead, "," if number < len(items) else "", lines)
    lines.append(f"{indent}{closing}{tail}")


def _is_deep(values: Iterable[Any]) -> bool:
    return any(isinstance(value, dict | list) and value for value in values)


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file's bytes, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _check_schema(file_name: str, data: Any) -> None:
    """Check against schemas/<name>.schema.json; a mismatch is a bug of ours, so it stays loud."""
    schema_path = SCHEMAS / f"{file_name.removeprefix('kb.').removesuffix('.json')}.schema.json"
    import jsonschema

    schema = json.loads(schema_path.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(data)
