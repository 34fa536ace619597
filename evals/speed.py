"""How fast it is: `python -m evals.speed [NAME…] [--kb KB] [--source SOURCE] [--json]`.

noop     a bare `doit` with nothing to do against a plain doit of seven trivial tasks, whole
         processes, taken in turns so that both meet the same machine
context  the context of each question, warm (one process) and cold (a process a question)
query    what a statement costs in a process of its own, against the same one on an open connection,
         and two hundred statements at once; on a SQLite file that it makes
scan     a scan of 1,000 generated tables with 20 columns each beside SQLAlchemy's reflection of
         them on the same connection; on each engine that answers, or `--engine`
statements  the statements of a scan of 100 and of 1,000 generated tables, on the same engines
profile  a profile beside its floor: hand-written SELECTs; on `--source`
joins    joins inferred beside the same queries by hand; on `--kb`
rescan   a build when nothing, or one table, changed; on a copy of `--source`

Without `--source` the database of the knowledge base is taken; without `--kb`, the demo.
A new measurement is a function that takes the options and returns figures, named in MEASUREMENTS.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

from evals import idle, scan_databases, speed_facts

Figures = dict[str, Any]

_ONE_CONTEXT = """
import sys
from pathlib import Path

from serve.context import context
from serve.knowledge import KnowledgeBase

context(KnowledgeBase.open(Path(sys.argv[1])), sys.argv[2]).markdown()
"""


def noop(options: argparse.Namespace) -> Figures:
    """Measure a `doit` that has nothing to do."""
    with tempfile.TemporaryDirectory() as folder:
        commands = idle.warmed(
            {
                "doit": idle.Command((sys.executable, "-m", "doit")),
                "plain": idle.plain_doit(Path(folder)),
                "dblore_build": idle.build_of(options.kb),
            }
        )
        before = _artifacts(options.kb)
        medians = {
            name: taken.wall for name, taken in idle.in_turns(commands, options.runs).items()
        }
    return {
        "runs": options.runs,
        "nothing_done": _artifacts(options.kb) == before,
        **{f"{name}_ms": idle.ms(median) for name, median in medians.items()},
        "ratio": round(medians["doit"] / medians["plain"], 2),
        "dblore_build_ratio": round(medians["dblore_build"] / medians["plain"], 2),
    }


def context(options: argparse.Namespace) -> Figures:
    """Measure the context of each question."""
    from serve.context import context as context_of
    from serve.knowledge import KnowledgeBase

    questions = _questions(options)
    knowledge = KnowledgeBase.open(options.kb)
    sizes = [len(context_of(knowledge, question).markdown()) for question in questions]
    warm: list[float] = []
    busy: list[float] = []
    for _ in range(max(1, -(-100 // len(questions)))):  # a hundred calls at least
        for question in questions:
            started, cpu = time.perf_counter(), time.process_time()
            context_of(knowledge, question).markdown()
            warm.append(time.perf_counter() - started)
            busy.append(time.process_time() - cpu)
    cold: list[float] = []
    bare: list[float] = []
    for question in questions[: options.runs]:
        told = (sys.executable, "-c", _ONE_CONTEXT, str(options.kb.resolve()), question)
        cold.append(idle.run(idle.Command(told)).wall)
        bare.append(idle.run(idle.Command((sys.executable, "-c", "pass"))).wall)
    embedder = knowledge.index.embedder
    return {
        "questions": len(questions),
        "embedder": knowledge.index.meta.get("embedder", ""),
        "warm_p50_ms": idle.ms(_percentile(warm, 50)),
        "warm_p95_ms": idle.ms(_percentile(warm, 95)),
        "warm_cpu_p95_ms": idle.ms(_percentile(busy, 95)),
        "embedding_p50_ms": idle.ms(_embedding_time(embedder, questions)),
        "cold_p50_ms": idle.ms(_percentile(cold, 50)),
        "cold_p95_ms": idle.ms(_percentile(cold, 95)),
        "bare_interpreter_ms": idle.ms(statistics.median(bare)),
        "longest_characters": max(sizes),
    }


def query(options: argparse.Namespace) -> Figures:
    """Measure what the process of its own adds to a statement, in turns with one that has none."""
    from pipeline.database.connect import open_database
    from pipeline.database.page import Limits, Page
    from pipeline.database.source import resolve
    from pipeline.database.workers import Workers

    statement = "SELECT id, name FROM t WHERE id BETWEEN 100 AND 119"
    limits = Limits()
    alone: list[float] = []
    apart: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        source = resolve(str(_thousand_rows(Path(folder))), Path(), {})
        workers = Workers()
        workers.run(source, statement, limits)
        with open_database(source) as database:
            for _ in range(20 * options.runs):
                started = time.perf_counter()
                page = Page(limits)
                page.result(database.read_rows(statement, page.take, timeout_seconds=30))
                alone.append(time.perf_counter() - started)
                started = time.perf_counter()
                workers.run(source, statement, limits)
                apart.append(time.perf_counter() - started)
        together = _at_once(lambda: workers.run(source, statement, limits), 200)
        workers.close()
    middle = [statistics.median(times) for times in (alone, apart)]
    return {
        "runs": len(apart),
        "in_process_p50_ms": round(1000 * middle[0], 2),
        "worker_p50_ms": round(1000 * middle[1], 2),
        "overhead_p50_ms": round(1000 * (middle[1] - middle[0]), 2),
        "overhead_p95_ms": idle.ms(_percentile(apart, 95) - _percentile(alone, 95)),
        "ratio": round(middle[1] / middle[0], 1),
        "two_hundred_at_once_ms": idle.ms(together),
    }


def _thousand_rows(folder: Path) -> Path:
    path = folder / "rows.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)")
        rows = ((number, f"name {number}") for number in range(1_000))
        connection.executemany("INSERT INTO t VALUES (?, ?)", rows)
        connection.commit()
    return path


def _at_once(work: Callable[[], Any], count: int) -> float:
    """Return the seconds that `count` calls from as many threads take together."""
    started = time.perf_counter()
    with ThreadPoolExecutor(count) as threads:
        for done in [threads.submit(work) for _ in range(count)]:
            done.result()
    return time.perf_counter() - started


MEASUREMENTS: dict[str, Callable[[argparse.Namespace], Figures]] = {
    "noop": noop,
    "context": context,
    "query": query,
    **speed_facts.MEASUREMENTS,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures; see the module's text."""
    parser = argparse.ArgumentParser(prog="python -m evals.speed", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("measurements", nargs="*", metavar="NAME", help=", ".join(MEASUREMENTS))
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="the same")
    parser.add_argument(
        "--kb", type=Path, default=idle.ROOT / "kb" / "demo", help="default: kb/demo"
    )
    parser.add_argument(
        "--questions", type=Path, help="YAML or JSONL (default: the demo's, or table names)"
    )
    parser.add_argument("--source", help="a database, as in kb.yaml (default: that of the KB)")
    parser.add_argument(
        "--engine", "--dialect", action="append", help="for scan and statements (default: all)"
    )
    parser.add_argument("--runs", type=int, default=15, help="processes a figure (default 15)")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    names = [*options.measurements, *options.only] or list(MEASUREMENTS)
    unknown = [name for name in names if name not in MEASUREMENTS]
    if unknown:
        parser.error(f"there is no measurement {unknown[0]!r}; there are {', '.join(MEASUREMENTS)}")
    if options.runs < 1:
        parser.error("--runs must be 1 or more")
    if odd := set(options.engine or ()) - set(scan_databases.ENGINES):
        parser.error(f"no engine {min(odd)!r}; there are {', '.join(scan_databases.ENGINES)}")
    figures = {name: MEASUREMENTS[name](options) for name in dict.fromkeys(names)}
    if options.json:
        print(json.dumps(figures, indent=1))
        return 0
    for name, found in figures.items():
        print(name)
        for figure, value in found.items():
            print(f"  {figure:<22} {value}")
    return 0


def _artifacts(folder: Path) -> dict[str, int]:
    """Return when each file of a knowledge base was last written, caches aside."""
    return {
        str(path.relative_to(folder)): path.stat().st_mtime_ns
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_relative_to(folder / "build")
    }


def _questions(options: argparse.Namespace) -> list[str]:
    from evals.retrieval import load_cases

    name = options.kb.resolve().name
    path = options.questions or idle.ROOT / "evals" / name / "questions.yaml"
    if not path.exists() and options.questions is None:
        return _made_questions(options.kb)
    cases = load_cases(path, database=name) or load_cases(path)
    return [case.question for case in cases]


def _made_questions(folder: Path) -> list[str]:
    """Return a question per table, for a knowledge base that nobody asked anything yet."""
    from pipeline.text import label
    from serve.knowledge import KnowledgeBase

    return [
        f"How many {label(card.name)} are there?" for card in KnowledgeBase.open(folder).tables()
    ]


def _embedding_time(embedder: Any, questions: Sequence[str]) -> float:
    if embedder is None:
        return 0.0
    taken = []
    for question in questions:
        started = time.perf_counter()
        embedder.embed([question])
        taken.append(time.perf_counter() - started)
    return statistics.median(taken)


def _percentile(times: Sequence[float], percent: int) -> float:
    ranked = sorted(times)
    return ranked[min(len(ranked) - 1, round(percent / 100 * (len(ranked) - 1)))]


if __name__ == "__main__":
    raise SystemExit(main())
