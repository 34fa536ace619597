"""Make a new knowledge base: a folder with kb.yaml, a semantic.yaml to fill in, Git's files.

Editors complete and check people's YAML by the schemas that the first line of a file names: those
of this checkout, or copies in `.schemas/` where the knowledge base lives elsewhere.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pipeline import artifacts, structure_files
from pipeline.authored import shapes, yaml_nodes
from pipeline.authored.reading import Reading
from pipeline.authored.writing import flow, scalar
from pipeline.database.source import Source, resolve, resolve_ddl
from pipeline.errors import SettingError
from pipeline.kb import Kb

VARIABLE = "DBLORE_DB"
"""Holds the URL of a database that needs a login."""

_GITIGNORE = """\
# Made anew by every build.
build/
# Of this machine and its users alone.
private/
"""

_GITATTRIBUTES = """\
# Files are compared by their bytes: Git must not change their line ends.
* -text
"""

_SEMANTIC = """\
# What the database means, in your words. semantic.draft.yaml, which every build writes, holds what
# is still undescribed, with suggestions: `dblore accept` takes them over. Write the rest here, e.g.
#
# tables:
#   orders:
#     description: Orders of shops and consumers; one that was only begun has the status N.
#     columns:
#       status: {description: How far it is, values: {N: new, P: paid}}
"""

_AUTHORED = ("kb", "semantic", "knowledge_graph", "evaluation")

_LIST_SETTINGS = {
    "schemas": "read only these schemas; left out: all that users made, or the one of the URL",
    "include": "read only tables that fit one of these patterns, e.g. ['sales_*']",
    "exclude": "leave out tables that fit one of these patterns, e.g. ['tmp_*']",
}
_PROFILE_SETTINGS = {
    "enabled": ("true", "false reads no data at all"),
    "rows": ("100000", "read at most so many rows a table; all when left out"),
    "workers": ("4", "parallel connections at most"),
    "values": ("true", "false stores no value of any column"),
    "sensitive": ("[]", "no value is stored of columns whose name fits one of these expressions"),
}


def create(
    folder: Path,
    source_text: str | None,
    settings: Mapping[str, Any] | None = None,
    *,
    base: Path | None = None,
    environ: Mapping[str, str] | None = None,
) -> tuple[str, ...]:
    """Write the files of a new knowledge base whose database `source_text` names.

    A credential in `source_text` isn't written: kb.yaml then names an environment variable.

    Args:
        folder: is made if it isn't there; files of people in it are left alone.
        source_text: a path, a SQLAlchemy URL or `odbc:…`; the database is opened once to see
            that it is there. None: `settings` name DDL files, which are read once.
        settings: key of kb.yaml to value; keys below `profile:` are written `profile.rows`.
        base: where a relative path in `source_text` starts; the current folder when left out.
        environ: holds the variables that `source_text` names; the process's when left out.

    Returns:
        What the user should know or do, a sentence each.

    Raises:
        SettingError: there is a kb.yaml already, or a setting can't be used.
        SourceError: the database isn't there or can't be opened.
        ArtifactError: the folder can't be written.
    """
    kb = Kb(folder)
    if kb.settings.exists():
        raise SettingError(
            f"{kb.settings} is there already",
            fix=f"edit it and run `dblore build --kb {folder}`, or give --kb another folder",
        )
    _refuse_files_of_others(kb)
    base = base or Path.cwd()
    given = dict(settings or {})
    if source_text is None:
        globs = tuple(given.get("ddl", ()))
        source = resolve_ddl(globs, str(given.get("dialect", "")), base)
        given |= {"ddl": tuple(_glob(glob, folder, base) for glob in globs)}
        given |= {"dialect": source.dialect}
        written = ""
    else:
        source = resolve(source_text, base, os.environ if environ is None else environ)
        written = source_line(source_text.strip(), source, folder, base)
    _open_once(source)
    text = _kb_yaml(folder, written, given)
    _refuse_wrong(text, kb)
    _write_new(folder / ".gitignore", _GITIGNORE)
    _write_new(folder / ".gitattributes", _GITATTRIBUTES)
    _write_new(kb.semantic, f"{schema_line(folder, 'semantic')}\n{_SEMANTIC}")
    if not _in_checkout(folder):
        copy_schemas(folder)
    artifacts.write_text(kb.settings, text)
    return _notes(written, source, source_text or "")


def copy_schemas(folder: Path) -> tuple[Path, ...]:
    """Write the schemas of people's files into `.schemas/` of `folder`; return where they are."""
    copies = tuple(folder / ".schemas" / f"{stem}.schema.json" for stem in _AUTHORED)
    for copy in copies:
        artifacts.write_bytes(copy, (artifacts.SCHEMAS / copy.name).read_bytes())
    return copies


def _refuse_files_of_others(kb: Kb) -> None:
    """Raise when the folder holds files that a build would take for its own."""
    written = (kb.catalog, kb.profile, kb.graph, kb.coverage, kb.validation, kb.draft)
    there = [path for path in written if path.exists()]
    if kb.docs.is_dir() and any(kb.docs.iterdir()) and not (kb.docs / artifacts.MARKER).exists():
        there.append(kb.docs)
    if there:
        raise SettingError(
            f"{kb.folder} holds {there[0].name}, which a build would write",
            fix="give --kb a folder of its own, such as kb/NAME, or move that away",
        )


def source_line(text: str, source: Source, folder: Path, base: Path) -> str:
    """Return what to write behind `source:`, free of credentials."""
    if "${" in text:
        return text
    if source.path is not None:
        inside = source.path.is_relative_to(folder.resolve())
        if inside or (source.path.is_relative_to(base.resolve()) and not _is_absolute(text)):
            return Path(os.path.relpath(source.path, folder.resolve())).as_posix()
        return str(source.path)
    return f"${{{VARIABLE}}}" if source.secrets else text


def _refuse_wrong(text: str, kb: Kb) -> None:
    """Read what is about to be written, so that no build finds it wrong.

    Raises:
        SettingError: a setting that was given can't be used.
    """
    root = yaml_nodes.parse_bytes(text.encode(), kb.settings)
    if root is None:
        return
    reading = Reading(kb.settings)
    shapes.settings_shape(kb.name)(reading, root, ())
    try:
        reading.finish()
    except SettingError as error:
        problem = re.sub(rf"\S*{re.escape(kb.settings.name)}:\d+:\d+: ", "", error.problem)
        raise SettingError(
            f"no kb.yaml was written, since a setting is wrong: {problem}", fix=error.fix
        ) from error


def _write_new(path: Path, text: str) -> None:
    if not path.exists():
        artifacts.write_text(path, text)


def _in_checkout(folder: Path) -> bool:
    """Return whether the folder lies in the checkout that runs now, beside `schemas/`."""
    root = artifacts.SCHEMAS.parent
    return (root / "pyproject.toml").exists() and folder.resolve().is_relative_to(root)


def schema_line(folder: Path, stem: str) -> str:
    """Return the line by which editors find the schema of a file in `folder`."""
    place = ".schemas"
    if _in_checkout(folder):
        place = Path(os.path.relpath(artifacts.SCHEMAS, folder.resolve())).as_posix()
    return f"# yaml-language-server: $schema={place}/{stem}.schema.json"


def _is_absolute(text: str) -> bool:
    return Path(text).expanduser().is_absolute()


def _open_once(source: Source) -> None:
    if source.kind != "database":
        structure_files.read(source)
        return
    from pipeline.database.connect import open_database

    with open_database(source):
        pass


def _glob(glob: str, folder: Path, base: Path) -> str:
    """Return a glob that starts at `base` as one that starts at the knowledge base's folder."""
    if _is_absolute(glob):
        return glob
    return Path(os.path.relpath(base.resolve() / glob, folder.resolve())).as_posix()


def _notes(written: str, source: Source, given: str) -> tuple[str, ...]:
    if source.kind != "database":
        return ("no data will be read: DDL and catalogues tell structure only",)
    if written != f"${{{VARIABLE}}}" or written == given.strip():
        return ()
    note = (
        f"the login isn't written to kb.yaml, which reads it from {VARIABLE}: before each build, "
        f"set that to the URL you gave for {source.shown} (export {VARIABLE}='…')"
    )
    return (note,)


def _kb_yaml(folder: Path, source: str, settings: dict[str, Any]) -> str:
    lines = [
        schema_line(folder, "kb"),
        "# What this knowledge base is about. Written once by `dblore init`, from now on yours.",
        f"name: {scalar(str(settings.pop('name', folder.resolve().name)))}",
        "",
        "# A SQLite or DuckDB file (relative to this folder), a SQLAlchemy URL, or odbc:…",
        "# ${VAR} is read from the environment: no login belongs in this file.",
        f"source: {scalar(source)}" if source else "# source:",
        *_ddl_lines(settings),
        "",
        "# Scope: tables to read.",
    ]
    for name, what in _LIST_SETTINGS.items():
        value = tuple(settings.pop(name, ()))
        lines.append(f"{name}: {flow(value)}" if value else f"# {name}: []  # {what}")
    lines += ["", "# How data is read."]
    profile = {
        name: settings.pop(f"profile.{name}")
        for name in _PROFILE_SETTINGS
        if f"profile.{name}" in settings
    }
    lines.append("profile:" if profile else "# profile:")
    for name, (default, what) in _PROFILE_SETTINGS.items():
        if name in profile:
            lines.append(f"  {name}: {_value(profile[name])}")
        else:
            lines.append(f"#   {name}: {default}  # {what}")
    lines += [
        "",
        "# When the database is read again: on-change, always, never, or an interval such as 6h.",
        _setting("rescan", "on-change", settings),
        "",
        "# Search by meaning (fastembed, runs offline) or by words only (none).",
        _setting("embedder", "fastembed", settings),
    ]
    if settings:
        raise SettingError(
            f"kb.yaml has no setting {', '.join(sorted(settings))}",
            fix="leave it out",
        )
    return "\n".join(lines) + "\n"


def _ddl_lines(settings: dict[str, Any]) -> list[str]:
    globs = tuple(settings.pop("ddl", ()))
    if not globs:
        settings.pop("dialect", None)
        return []
    return [
        "",
        "# In its place: DDL files (relative to this folder), read in the order of their paths.",
        f"ddl: {flow(globs)}",
        f"dialect: {scalar(str(settings.pop('dialect')))}",
    ]


def _setting(name: str, default: str, settings: dict[str, Any]) -> str:
    if name in settings:
        return f"{name}: {_value(settings.pop(name))}"
    return f"# {name}: {default}"


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return flow(tuple(map(str, value)))
    return str(value) if isinstance(value, int) else scalar(str(value))
