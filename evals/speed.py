"""How fast it is: `python -m evals.speed [noop] [context] [--kb KB] [--json]`.

noop     a bare `doit` with nothing to do against a plain doit of seven trivial tasks, whole
         processes, taken in turns so that both meet the same machine
context  the context of each question, warm (one process) and cold (a process a question)

A new measurement is a function that takes the options and returns figures, named in MEASUREMENTS.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
Figures = dict[str, Any]

_PLAIN_DODO = '''
DOIT_CONFIG = {"verbosity": 0}


def touch(targets):
    with open(targets[0], "w", encoding="utf-8") as file:
        file.write("made")


def task_stage():
    """Seven tasks in a row, each made from the one before."""
    for number in range(7):
        yield {
            "name": str(number),
            "actions": [touch],
            "file_dep": [f"{number}.txt"],
            "targets": [f"{number + 1}.txt"],
        }
'''

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
        plain = Path(folder)
        (plain / "dodo.py").write_text(_PLAIN_DODO, encoding="utf-8")
        (plain / "0.txt").write_text("made", encoding="utf-8")
        commands: dict[str, tuple[Sequence[str], Path]] = {
            "doit": ((sys.executable, "-m", "doit"), ROOT),
            "plain": ((sys.executable, "-m", "doit"), plain),
            "dblore_build": (
                (sys.executable, "-m", "serve.cli", "build", "--kb", str(options.kb)),
                ROOT,
            ),
        }
        for command, where in commands.values():  # builds what isn't built yet
            _run(command, where)
        before = _artifacts(options.kb)
        taken: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(options.runs):
            for name, (command, where) in commands.items():
                taken[name].append(_run(command, where))
    medians = {name: statistics.median(times) for name, times in taken.items()}
    return {
        "runs": options.runs,
        "nothing_done": _artifacts(options.kb) == before,
        **{f"{name}_ms": _ms(median) for name, median in medians.items()},
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
        cold.append(
            _run((sys.executable, "-c", _ONE_CONTEXT, str(options.kb.resolve()), question), ROOT)
        )
        bare.append(_run((sys.executable, "-c", "pass"), ROOT))
    embedder = knowledge.index.embedder
    return {
        "questions": len(questions),
        "embedder": knowledge.index.meta.get("embedder", ""),
        "warm_p50_ms": _ms(_percentile(warm, 50)),
        "warm_p95_ms": _ms(_percentile(warm, 95)),
        "warm_cpu_p95_ms": _ms(_percentile(busy, 95)),
        "embedding_p50_ms": _ms(_embedding_time(embedder, questions)),
        "cold_p50_ms": _ms(_percentile(cold, 50)),
        "cold_p95_ms": _ms(_percentile(cold, 95)),
        "bare_interpreter_ms": _ms(statistics.median(bare)),
        "longest_characters": max(sizes),
    }


MEASUREMENTS: dict[str, Callable[[argparse.Namespace], Figures]] = {
    "noop": noop,
    "context": context,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures; see the module's text."""
    parser = argparse.ArgumentParser(prog="python -m evals.speed", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("measurements", nargs="*", metavar="NAME", help=", ".join(MEASUREMENTS))
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="the same")
    parser.add_argument("--kb", type=Path, default=ROOT / "kb" / "demo", help="default: kb/demo")
    parser.add_argument(
        "--questions", type=Path, help="YAML or JSONL (default: the demo's, or table names)"
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
    figures = {name: MEASUREMENTS[name](options) for name in dict.fromkeys(names)}
    if options.json:
        print(json.dumps(figures, indent=1))
        return 0
    for name, found in figures.items():
        print(name)
        for figure, value in found.items():
            print(f"  {figure:<22} {value}")
    return 0


def _run(command: Sequence[str], folder: Path) -> float:
    """Run a command in `folder` and return its wall time in seconds."""
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")]))
    started = time.perf_counter()
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    taken = time.perf_counter() - started
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return taken


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
    path = options.questions or ROOT / "evals" / name / "questions.yaml"
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


def _ms(seconds: float) -> float:
    return round(1000 * seconds, 1)


if __name__ == "__main__":
    raise SystemExit(main())
