"""Commands for those who describe a database: draft, accept, schema."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from pipeline.errors import NotFoundError, SettingError, did_you_mean
from pipeline.kb import Kb
from serve.cli import arguments
from serve.cli.arguments import Commands, add_json, add_kb, command, say, tell

_KINDS = ("descriptions", "grain", "codes", "units", "joins", "notes", "housekeeping", "comments")
_SHOWN = 20


def add_commands(commands: Commands) -> None:
    """Add the commands of this module."""
    draft = command(
        commands,
        "draft",
        run_draft,
        "Write what is undescribed, with suggestions, to semantic.draft.yaml.",
        "dblore draft --kb kb/shop --in-place",
    )
    add_kb(draft)
    draft.add_argument(
        "--in-place", action="store_true", help="take all suggestions over, as accept --all does"
    )
    accept = command(
        commands,
        "accept",
        run_accept,
        "Take suggestions over into semantic.yaml, where nothing stands yet.",
        "dblore accept --kb kb/shop orders 'customers.*' --dry-run",
    )
    accept.add_argument(
        "target",
        nargs="*",
        default=[],
        metavar="TARGET",
        help="a table, table.column, or a pattern such as 'sales_*' or '*.id'",
    )
    add_kb(accept)
    setting = accept.add_argument
    setting("--all", action="store_true", help="everything that is suggested")
    setting(
        "--only",
        action="append",
        default=[],
        metavar="KIND",
        choices=_KINDS,
        help=f"only one kind; repeatable: {', '.join(_KINDS[:-1])}; or comments, to copy those of "
        "the database, which count where they are",
    )
    setting(
        "--from",
        dest="file",
        metavar="FILE",
        help="take what a file in the shape of semantic.yaml says, such as an edited draft",
    )
    setting("--blank", action="store_true", help="also entries that wait for your words, as ''")
    setting("--dry-run", action="store_true", help="show the diff, and write nothing")
    add_json(accept)
    schema = command(
        commands,
        "schema",
        run_schema,
        "Print the JSON Schema of a file, or copy those of people's files beside them for editors.",
        "dblore schema semantic",
    )
    schema.add_argument("name", nargs="?", help="kb, semantic, knowledge_graph, catalog, …")
    add_kb(schema)
    schema.add_argument(
        "--copy", action="store_true", help="into .schemas/ of the knowledge base, for editors"
    )


def run_draft(options: argparse.Namespace) -> int:
    """Run the draft stage; with --in-place, accept everything."""
    kb = arguments.kb(options)
    _draft(kb)
    if options.in_place:
        return _accept(kb, targets=(), kinds=(), options=options)
    say(str(kb.draft))
    _tell_next(kb)
    return 0


def run_accept(options: argparse.Namespace) -> int:
    """Take suggestions over."""
    kb = arguments.kb(options)
    if not (options.target or options.all or options.only or options.file):
        raise SettingError(
            "nothing is chosen",
            fix=f"name tables or columns, or give --all; to look first: "
            f"dblore accept --kb {kb.folder} --all --dry-run",
        )
    if options.target and options.all:
        raise SettingError("targets and --all are both given", fix="give one of them")
    return _accept(kb, tuple(options.target), tuple(options.only), options)


def _accept(
    kb: Kb, targets: tuple[str, ...], kinds: tuple[str, ...], options: argparse.Namespace
) -> int:
    from datetime import UTC, datetime

    from pipeline import accept

    dry_run, as_json = (getattr(options, name, False) for name in ("dry_run", "json"))
    file = getattr(options, "file", None)
    blanks = getattr(options, "blank", False)
    choice = accept.Choice(targets, kinds, blanks, Path(file) if file else None)
    today = datetime.now(tz=UTC).date().isoformat()
    outcome = accept.accept(kb, choice, today=today, dry_run=dry_run)
    if outcome.made and not dry_run:
        _draft(kb)
    if as_json:
        arguments.print_json(_as_data(outcome))
    elif dry_run:
        sys.stdout.write(outcome.diff)
    else:
        _say_made(kb, outcome)
    for proposal, why in outcome.left:
        tell(f"left: {_place(proposal)}: {why}; write it yourself: {proposal.text}")
    for target in outcome.silent:
        tell(f"nothing is suggested for {target}")
    if not as_json:
        _tell_next(kb, dry_run=dry_run, changed=bool(outcome.made))
    return 0


def _draft(kb: Kb) -> None:
    from pipeline import tasks

    error = tasks.run(kb, ("draft",), offline=True, quiet=True).error
    if error is not None:
        raise error


def _say_made(kb: Kb, outcome: Any) -> None:
    from pipeline.text import counted, one_line, shorten

    say(f"{kb.semantic}: {counted(len(outcome.made), 'new entry')}")
    for proposal in outcome.made[:_SHOWN]:
        why = f"  ({proposal.why})" if proposal.why else ""
        say(f"  {_place(proposal)}: {shorten(one_line(proposal.text), 80) or chr(39) * 2}{why}")
    if len(outcome.made) > _SHOWN:
        say(f"  … and {len(outcome.made) - _SHOWN:,} more")


def _place(proposal: Any) -> str:
    return f"{proposal.target}.{proposal.key}" if proposal.target else str(proposal.key)


def _as_data(outcome: Any) -> dict[str, Any]:
    return {
        "made": [
            {"target": p.target, "field": p.key, "text": p.text, "source": p.why}
            for p in outcome.made
        ],
        "left": [
            {"target": p.target, "field": p.key, "text": p.text, "why": why}
            for p, why in outcome.left
        ],
        "silent": list(outcome.silent),
    }


def _tell_next(kb: Kb, *, dry_run: bool = False, changed: bool = True) -> None:
    from pipeline import summary

    for line in summary.described(kb):
        tell(line)
    steps = summary.authoring_steps(kb, looked=dry_run, changed=changed)
    arguments.tell_next([*steps, summary.coverage_step(kb)])


def run_schema(options: argparse.Namespace) -> int:
    """Print a schema, or copy those of people's files."""
    from pipeline import artifacts, init

    if options.copy:
        kb = arguments.kb(options)
        for path in init.copy_schemas(kb.folder):
            say(str(path))
        tell("the first line of a file names its schema for editors:")
        tell(f"  {init.schema_line(kb.folder, 'semantic')}")
        return 0
    known = sorted(p.name.partition(".")[0] for p in artifacts.SCHEMAS.glob("*.schema.json"))
    if options.name is None:
        say("\n".join(known))
        return 0
    name = options.name.partition(".")[0]
    if name not in known:
        raise NotFoundError(
            f"there is no schema {options.name!r}",
            fix=did_you_mean(name, known, f"name one of: {', '.join(known)}"),
        )
    text = (artifacts.SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8")
    say(text.rstrip("\n"))
    return 0
