"""How much memory dblore takes: `python -m evals.memory [--engine E…] [--rows N] [--json]`.

scan     a generated database of 1,000 tables with 20 columns each, on SQLite, DuckDB and servers
profile  a generated table of ten million rows, on SQLite, DuckDB and PostgreSQL

Each runs in a process of its own, as `dblore build` does the stage; the peak of its resident
memory is told in MiB, of dblore's process alone, not of a server's. The bar is 300 MiB.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evals import scan_databases
from pipeline.database.source import Source

LIMIT_MIB = 300
ROWS = 10_000_000
TABLES = 1_000
_PROFILED = ("sqlite", "duckdb", "postgres")

Figures = dict[str, Any]

_STAGES = """
import json, resource, sys
from pathlib import Path

from pipeline import scan
from pipeline.database.source import resolve
from schemas.settings import KbSettings

url, folder = sys.stdin.readline().strip(), Path(sys.argv[2])
source, settings = resolve(url, Path(), {}), KbSettings(name="eval")
catalog = folder / "catalog.json"
said = scan.build(source=source, settings=settings, out=catalog)
if sys.argv[1] == "profile":
    from pipeline import profile

    said = profile.build(source=source, settings=settings, catalog=catalog,
                         semantic=folder / "semantic.yaml", out=folder / "profile.json")
status = Path("/proc/self/status")
if status.exists():  # getrusage would count what the parent had when it started this process
    (line,) = [l for l in status.read_text().splitlines() if l.startswith("VmHWM:")]
    peak = int(line.split()[1]) / 1024
else:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
print(json.dumps({"peak_mib": round(peak), "said": said}))
"""


def scan(engines: Sequence[str], *, tables: int = TABLES) -> Figures:
    """Return the peak of a scan of many tables, by engine."""
    found: Figures = {}
    for engine in scan_databases.present(engines):
        with scan_databases.made(engine, *scan_databases.tables(engine, tables)) as source:
            found[engine] = _run("scan", source)
    return found


def profile(engines: Sequence[str], *, rows: int = ROWS) -> Figures:
    """Return the peak of a profile of one long table, by engine."""
    found: Figures = {}
    for engine in scan_databases.present([e for e in engines if e in _PROFILED]):
        with scan_databases.made(engine, *scan_databases.long_table(engine, rows)) as source:
            found[engine] = _run("profile", source)
    return found


def _run(stage: str, source: Source) -> Figures:
    """Run a stage in a process of its own; it gets the URL where no list of processes shows it."""
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="dblore-eval-") as folder:
        script = Path(folder) / "stage.py"
        script.write_text(_STAGES, encoding="utf-8")
        done = subprocess.run(
            [sys.executable, str(script), stage, folder],
            input=f"{source.path or source.url}\n",
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            check=True,
        )
    found: Figures = json.loads(done.stdout)
    return {**found, "seconds": round(time.monotonic() - started, 1)}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures; status 1 if one is above the bar."""
    parser = argparse.ArgumentParser(prog="python -m evals.memory", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("measurements", nargs="*", metavar="NAME", help="scan, profile")
    parser.add_argument(
        "--engine", action="append", choices=scan_databases.ENGINES, help="default: all that answer"
    )
    parser.add_argument("--rows", type=int, default=ROWS, help="of the long table")
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--json", action="store_true", help="as it is anyway")
    options = parser.parse_args(arguments)
    names = options.measurements or ["scan", "profile"]
    if unknown := set(names) - {"scan", "profile"}:
        parser.error(f"there is no measurement {min(unknown)!r}; there are scan and profile")
    engines = options.engine or scan_databases.ENGINES
    found: Figures = {}
    if "scan" in names:
        found["scan"] = scan(engines, tables=options.tables)
    if "profile" in names:
        found["profile"] = profile(engines, rows=options.rows)
    print(json.dumps(found, indent=1))
    peaks = [figures["peak_mib"] for by_engine in found.values() for figures in by_engine.values()]
    return int(max(peaks, default=0) > LIMIT_MIB)


if __name__ == "__main__":
    raise SystemExit(main())
