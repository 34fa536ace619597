"""Commands that judge what people wrote: lint, coverage."""

from __future__ import annotations

import argparse
from pathlib import Path

from pipeline.errors import SettingError
from serve.cli import arguments
from serve.cli.arguments import Commands, add_json, add_kb, command, say, tell


def add_commands(commands: Commands) -> None:
    """Add the commands of this module."""
    lint = command(
        commands,
        "lint",
        run_lint,
        "Look for faults in what people wrote; exit 1 when there is one. Needs no database.",
        "dblore lint --kb kb/shop --fail-on warning",
    )
    add_kb(lint)
    setting = lint.add_argument
    setting(
        "--format",
        choices=("text", "json", "sarif"),
        default="text",
        metavar="FORMAT",
        help="text (default), json or sarif",
    )
    setting(
        "--fail-on",
        choices=("error", "warning", "info"),
        default="error",
        metavar="SEVERITY",
        help="exit 1 at error (default), warning or info and above",
    )
    setting("--rule", action="append", default=[], metavar="ID", help="only this rule; repeatable")
    setting("--baseline", metavar="FILE", help="leave out the findings that stand in this file")
    setting("--write-baseline", metavar="FILE", help="write all findings to this file, and exit 0")
    coverage = command(
        commands,
        "coverage",
        run_coverage,
        "Say how far the database is explained, and what to document next.",
        "dblore coverage --kb kb/shop --fail-under 60",
    )
    add_kb(coverage)
    add_json(coverage)
    coverage.add_argument(
        "--fail-under",
        type=float,
        metavar="N",
        help="exit 1 when the overall figure is below N per cent",
    )
    coverage.add_argument(
        "--fail-compare",
        metavar="FILE",
        help="exit 1 when a share is below that of this file, which --json wrote",
    )


def run_lint(options: argparse.Namespace) -> int:
    """Print what is wrong with the files that people write."""
    from pipeline import summary, tasks
    from pipeline.lint import baseline, lint, sarif, shown, worst
    from pipeline.lint.rules import RULES
    from pipeline.text import counted

    kb = arguments.kb(options)
    report = lint(kb, tasks.stale(kb), options.rule)
    for note in report.notes:
        tell(f"note: {note}")
    if options.write_baseline:
        baseline.write(Path(options.write_baseline), report.findings)
        say(f"{counted(len(report.findings), 'finding')} written to {options.write_baseline}")
        return 0
    known = baseline.read(Path(options.baseline), kb.folder) if options.baseline else {}
    new = tuple(f for f in report.findings if f.fingerprint not in known)
    gone = len(set(known) - {f.fingerprint for f in report.findings})
    if options.format == "sarif":
        arguments.print_json(sarif.log(new, kb.folder, RULES))
    elif options.format == "json":
        arguments.print_json(shown.data(new))
    else:
        for line in shown.lines(new, str(kb.folder)):
            say(line)
    account = shown.account(new, report.ignored, len(report.findings) - len(new))
    (say if options.format == "text" else tell)(account)
    if gone and not options.rule:
        verb = "is" if gone == 1 else "are"
        tell(f"note: {counted(gone, 'finding')} of the baseline {verb} gone; shrink it:")
        tell(f"  dblore lint --kb {kb.folder} --write-baseline {options.baseline}")
    if options.format == "text":
        arguments.tell_next(summary.checked_steps(kb, found=bool(new)))
    return 1 if worst(new, options.fail_on) else 0


def run_coverage(options: argparse.Namespace) -> int:
    """Print how far the database is explained."""
    from pipeline import coverage, summary, tasks

    kb = arguments.kb(options)
    if options.fail_under is not None and not 0 <= options.fail_under <= 100:
        raise SettingError(
            f"--fail-under {options.fail_under:g} is no share", fix="give a number from 0 to 100"
        )
    earlier = coverage.read(Path(options.fail_compare), kb.folder) if options.fail_compare else None
    found = coverage.measure(kb, tasks.stale(kb))
    if options.json:
        arguments.print_json(coverage.data(found))
    else:
        for line in coverage.lines(found):
            say(line)
        pays = found.next[0].target if found.next else None
        arguments.tell_next(summary.authoring_steps(kb, changed=False, pays=pays))
    fell = coverage.fallen(found, earlier) if earlier else []
    for text in fell:
        tell(f"error: {text}")
    if options.fail_under is not None and 100 * found.overall < options.fail_under:
        tell(f"error: overall {100 * found.overall:.1f} % is below {options.fail_under:g} %")
        return 1
    return 1 if fell else 0
