"""Commands that build: init, scan, build, validate, status, why."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from pipeline.errors import SettingError, SourceError
from pipeline.kb import Kb
from serve.cli import arguments
from serve.cli.arguments import Commands, add_database, add_json, add_kb, command, say, tell
from serve.cli.freshness import states


def add_commands(commands: Commands) -> None:
    """Add the commands of this module."""
    init = command(
        commands,
        "init",
        run_init,
        "Make a knowledge base for a database: writes kb.yaml and .gitignore.",
        "dblore init --db postgresql+psycopg://reader@host/shop --kb kb/shop",
    )
    _add_settings(init)
    scan = command(
        commands,
        "scan",
        run_scan,
        "Read structure and data anew (scan and profile); makes the knowledge base if need be.",
        "dblore scan --kb kb/shop",
    )
    _add_settings(scan)
    scan.add_argument("--strict", action="store_true", help="exit 3 when an object was unreadable")
    build = command(
        commands,
        "build",
        run_build,
        "Bring everything that is stale up to date.",
        "dblore build --kb kb/shop",
    )
    add_kb(build)
    add_database(build)
    build.add_argument("--strict", action="store_true", help="exit 3 when an object was unreadable")
    build.add_argument(
        "--force",
        action="store_true",
        help="run every stage, stale or not, and read every table anew",
    )
    build.add_argument("--offline", action="store_true", help="build what needs no database")
    build.add_argument(
        "--frozen", action="store_true", help="build only the index; exit 1 when more is stale"
    )
    build.add_argument("--dry-run", action="store_true", help="say what would run, and run nothing")
    _add_validate(commands)


def _add_validate(commands: Commands) -> None:
    validate = command(
        commands,
        "validate",
        run_validate,
        "Run every example, metric, definition and curated join; exit 1 when one fails.",
        "dblore validate --kb kb/shop",
    )
    validate.add_argument(
        "--pin",
        nargs="*",
        metavar="TARGET",
        help="write the results of examples into semantic.yaml: of those that aren't pinned, or of "
        "these questions (globs), also where they are",
    )
    validate.add_argument(
        "--force", action="store_true", help="run also what passed and has not changed"
    )
    add_kb(validate)
    add_database(validate)
    add_json(validate)


def _add_settings(parser: argparse.ArgumentParser) -> None:
    add_kb(parser)
    add_database(parser)
    setting = parser.add_argument
    text = "DDL files in place of a database; repeatable, needs --dialect"
    setting("--ddl", action="append", default=[], metavar="GLOB", help=text)
    setting("--dialect", metavar="NAME", help="of the DDL files: postgres, mysql, tsql, oracle, …")
    setting("--schema", action="append", default=[], metavar="NAME", help="schema; repeatable")
    setting("--include", action="append", default=[], metavar="GLOB", help="only these tables")
    setting("--exclude", action="append", default=[], metavar="GLOB", help="not these tables")
    setting("--profile-rows", type=int, metavar="N", help="read at most N rows a table")
    setting("--workers", type=int, metavar="N", help="parallel connections (default 4)")
    setting("--no-profile", action="store_true", help="read no data, only structure")
    setting("--no-values", action="store_true", help="store no value of any column")
    setting(
        "--sensitive", action="append", default=[], metavar="REGEX", help="columns to keep secret"
    )


def run_init(options: argparse.Namespace) -> int:
    """Write kb.yaml of a new knowledge base."""
    from pipeline import init

    folder = _new_folder(options)
    source = None if options.ddl else arguments.new_database(options)
    if options.ddl and arguments.database(options):
        raise SettingError("--ddl and a database are both given", fix="give one of them")
    if options.dialect and not options.ddl:
        raise SettingError("--dialect is of DDL files", fix="give --ddl GLOB too, or leave it out")
    if source is None and not options.ddl and sys.stdin.isatty():
        tell("Which database? A path to a SQLite or DuckDB file, or a URL such as")
        tell("postgresql+psycopg://user@host/name. It is opened read-only.")
        source = input("database: ").strip() or None
    if source is None and not options.ddl:
        raise SettingError(
            "no database given",
            fix="give --db URL, or set DBLORE_DB; without a database, --ddl GLOB --dialect NAME",
        )
    for note in init.create(folder, source, _settings(options)):
        tell(f"note: {note}")
    say(f"{folder / 'kb.yaml'} is written")
    tell(f"next: dblore build --kb {folder}")
    return 0


def run_scan(options: argparse.Namespace) -> int:
    """Run scan and profile, whether stale or not."""
    folder = _new_folder(options)
    given = _settings(options)
    if not Kb(folder).settings.exists():
        run_init(options)
    elif given:
        raise SettingError(
            f"{Kb(folder).settings} is there and holds the settings; "
            f"{', '.join(sorted(given))} can't be given too",
            fix=f"edit {Kb(folder).settings}, then run: dblore scan --kb {folder}",
        )
    return _run(options, ("scan", "profile"), always=True, anew=True, needed=True)


def run_build(options: argparse.Namespace) -> int:
    """Run the stages that are stale."""
    kb = arguments.kb(options)
    if options.dry_run:
        from serve.cli import forecast

        forecast.show(kb, arguments.database(options))
        return 0
    if options.frozen:
        stale = [row for row in states(options) if row["reasons"] and row["stage"] != "index"]
        for row in stale:
            tell(f"{row['stage']}: {'; '.join(row['reasons'])}")
        if stale:
            tell("error: the committed files are stale (--frozen)")
            tell(f"  fix: dblore build --kb {kb.folder}, then commit what changed")
            return 1
        return _run(options, ("index",), offline=True)
    anew = options.force and not options.offline
    return _run(options, (), always=options.force, offline=options.offline, anew=anew)


def run_validate(options: argparse.Namespace) -> int:
    """Run the validate stage and report; before that, pin what is to be pinned."""
    from pipeline import artifacts, checked
    from schemas import codec
    from schemas.models import Validation

    kb = arguments.kb(options)
    unpinned = 0
    if options.pin is not None:
        unpinned = _pin(options, kb)
        _run(options, ("graph",), quiet=True, needed=True)  # semantic.yaml is another now
    how = {"always": True, "quiet": True, "needed": True, "anew": options.force}
    status = _run(options, ("validate",), **how)
    if status:
        return status
    found = artifacts.read(kb.validation, Validation)
    failed = [item for item in found.items if item.status == "failed"]
    if options.json:
        arguments.print_json(codec.to_json(found))
    else:
        for line in checked.lines(found.items, str(kb.folder)):
            say(line)
        tell(f"all of it: {kb.validation_report}")
    if options.pin is not None:
        tell(f"next: dblore build --kb {kb.folder}   # brings docs and search up to date")
    return 1 if failed or unpinned else 0


def _pin(options: argparse.Namespace, kb: Kb) -> int:
    """Pin results of examples and say what was done; return how many couldn't be pinned."""
    from pipeline.pinning import pin
    from pipeline.staleness import Situation
    from pipeline.text import counted, one_line

    situation = Situation(kb, database=arguments.database(options))
    values = situation.settings().profile.values
    pins = pin(kb, situation.source(), options.pin, values=values)
    for done in pins:
        if done.error is not None:
            tell(f"not pinned: {done.place}: {one_line(done.question)}: {done.error}")
        for note in done.notes:
            tell(f"note: {done.place}: {one_line(done.question)}: {note}")
    failed = sum(done.error is not None for done in pins)
    tell(f"{counted(len(pins) - failed, 'example')} pinned in {kb.semantic}")
    return failed


def _run(
    options: argparse.Namespace,
    stages: tuple[str, ...],
    *,
    needed: bool = False,
    anew: bool = False,
    **how: Any,
) -> int:
    """Run stages and return the exit status; `anew` reads also the tables that didn't change.

    Raises:
        DbloreError: a stage failed, or the database is `needed` and can't be reached.
    """
    from pipeline import tasks

    kb = arguments.kb(options)
    if anew:
        tasks.forget_results(kb, stages)
    result = tasks.run(kb, stages, database=arguments.database(options), **how)
    if result.error is not None:
        raise result.error
    if needed and result.unreachable is not None:
        raise SourceError(result.unreachable.problem, fix=result.unreachable.fix)
    strict = getattr(options, "strict", False)
    read_anew = any(outcome.stage in {"scan", "profile"} for outcome in result.done)
    unreadable = _unreadable(kb) if read_anew or strict else []
    if unreadable:
        names = ", ".join(unreadable[:5]) + (", …" if len(unreadable) > 5 else "")
        objects = "1 object" if len(unreadable) == 1 else f"{len(unreadable)} objects"
        tell(f"{objects} couldn't be read: {names}; see {kb.docs / 'README.md'}")
    return 3 if unreadable and strict else 0


def _unreadable(kb: Kb) -> list[str]:
    """Return the objects whose structure or data couldn't be read."""
    from pipeline import artifacts
    from schemas.models import Catalog, Profile

    names = []
    if kb.catalog.exists():
        names += [item.name for item in artifacts.read(kb.catalog, Catalog).unreadable]
    if kb.profile.exists():
        names += [t.table for t in artifacts.read(kb.profile, Profile).tables if t.error]
    return names


def _new_folder(options: argparse.Namespace) -> Path:
    import os

    text = options.kb or os.environ.get("DBLORE_KB")
    if not text:
        raise SettingError("no folder given for the knowledge base", fix="give --kb DIR")
    return Path(text)


def _settings(options: argparse.Namespace) -> dict[str, Any]:
    """Return the settings that were given as flags, by their key in kb.yaml."""
    found: dict[str, Any] = {
        "ddl": options.ddl,
        "dialect": options.dialect,
        "schemas": options.schema,
        "include": options.include,
        "exclude": options.exclude,
        "profile.rows": options.profile_rows,
        "profile.workers": options.workers,
        "profile.enabled": False if options.no_profile else None,
        "profile.values": False if options.no_values else None,
        "profile.sensitive": options.sensitive,
    }
    return {key: value for key, value in found.items() if value not in (None, [])}
