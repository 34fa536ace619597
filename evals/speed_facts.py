"""The measurements of `evals.speed` on facts: scans, profiles, joins and what a second build costs.

Each takes the options of `evals.speed` and returns figures. The database is `--source`, or that of
the knowledge base; the demo's is generated where it isn't there.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pipeline.kb import Kb

ROOT = Path(__file__).resolve().parent.parent
Figures = dict[str, Any]


def scan(options: argparse.Namespace) -> Figures:
    """Measure a scan of 1,000 generated tables beside SQLAlchemy's reflection."""
    from evals import scan_speed

    return scan_speed.scans(_engines(options), runs=options.runs)


def statements(options: argparse.Namespace) -> Figures:
    """Count the statements of a scan of 100 and of 1,000 generated tables."""
    from evals import scan_speed

    return scan_speed.statements(_engines(options))


def profile(options: argparse.Namespace) -> Figures:
    """Measure a profile beside its floor."""
    from evals import profile_speed
    from pipeline.database.source import resolve

    source = resolve(_source(options), Path(), os.environ)
    return profile_speed.figures(source, runs=options.runs)


def joins(options: argparse.Namespace) -> Figures:
    """Measure how joins are inferred beside the same queries by hand."""
    from evals import joins_speed

    _source(options)  # generates the demo's
    command = [sys.executable, "-m", "serve.cli", "build", "--kb", str(options.kb)]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return asdict(joins_speed.measure(Kb(options.kb), options.runs))


def rescan(options: argparse.Namespace) -> Figures:
    """Measure a build of an unchanged database, and of one of which one table changed."""
    from evals import rescan_speed

    return rescan_speed.figures(_source(options), runs=options.runs)


MEASUREMENTS: dict[str, Callable[[argparse.Namespace], Figures]] = {
    "scan": scan,
    "statements": statements,
    "profile": profile,
    "joins": joins,
    "rescan": rescan,
}


def _engines(options: argparse.Namespace) -> Sequence[str]:
    from evals import scan_databases

    return options.engine or scan_databases.ENGINES


def _source(options: argparse.Namespace) -> str:
    """Return the database that is measured, as `source:` of kb.yaml may name it from anywhere."""
    from pipeline.authored import load_settings
    from pipeline.database.source import resolve

    if options.source:
        return str(options.source)
    kb = Kb(options.kb.resolve())
    generator = kb.folder / "generate.py"
    text = load_settings(kb.settings).source
    if generator.exists() and not (kb.folder / text).exists():
        subprocess.run([sys.executable, str(generator)], check=True, stdout=subprocess.DEVNULL)
    found = resolve(text, kb.folder, os.environ)
    return str(found.path) if found.path else found.url
