"""What a scan costs beside SQLAlchemy's reflection: `python -m evals.scan_speed [--json]`.

On a generated database of 1,000 tables with 20 columns each, dblore's scan (up to the check of its
artifact against the JSON Schema) and the inspector's `get_multi_*` run in turns on the same
connection; and the statements of a scan are counted on 100 and on 1,000 tables.

DuckDB has no baseline: SQLAlchemy's reflection of it is broken.
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from evals import scan_databases
from pipeline import scan
from pipeline.database.connect import Database, open_database
from pipeline.database.source import Source

LIMIT_RATIO = 1.5
TABLES = 1_000
FEW_TABLES = 100
_BASELINE = (
    "columns", "pk_constraint", "foreign_keys", "indexes", "unique_constraints",
    "check_constraints", "table_comment",
)  # fmt: skip

Figures = dict[str, Any]


def scans(engines: Sequence[str], *, tables: int = TABLES, runs: int = 5) -> Figures:
    """Return what a scan and its baseline take on each engine that is here."""
    found: Figures = {}
    for engine in scan_databases.present(engines):
        with scan_databases.made(engine, *scan_databases.tables(engine, tables)) as source:
            found[engine] = _scan(source, runs)
    return found


def statements(engines: Sequence[str]) -> Figures:
    """Return how many statements a scan sends on few and on many tables, and whether it's one."""
    found: Figures = {}
    for engine in scan_databases.present(engines):
        counts = {}
        for tables in (FEW_TABLES, TABLES):
            with scan_databases.made(engine, *scan_databases.tables(engine, tables)) as source:
                counts[f"at_{tables}"] = _statements(source)
        found[engine] = {**counts, "constant": len(set(counts.values())) == 1}
    return found


def _scan(source: Source, runs: int) -> Figures:
    ours: list[tuple[float, float]] = []
    theirs: list[tuple[float, float]] = []
    with open_database(source) as database, _baseline(source, database) as baseline:

        def whole() -> None:
            scan.in_scope(database.read_catalog(), (), ())

        catalog = database.read_catalog()  # the first run reads files from the disk
        if baseline is not None:
            baseline()
        for _ in range(runs):
            ours.append(_taken(whole))
            if baseline is not None:
                theirs.append(_taken(baseline))
    figures: Figures = {
        "tables": len(catalog.tables),
        "columns": sum(len(table.columns) for table in catalog.tables),
        "foreign_keys": sum(len(table.foreign_keys) for table in catalog.tables),
        "runs": runs,
        "scan_ms": _middle(ours, 0),
        "scan_cpu_ms": _middle(ours, 1),
    }
    if theirs:
        pairs = list(zip(ours, theirs, strict=True))
        figures |= {
            "baseline_ms": _middle(theirs, 0),
            "baseline_cpu_ms": _middle(theirs, 1),
            "ratio": round(statistics.median(o[0] / t[0] for o, t in pairs), 2),
            "cpu_ratio": round(statistics.median(o[1] / t[1] for o, t in pairs), 2),
        }
    return figures


@contextmanager
def _baseline(source: Source, database: Any) -> Iterator[Callable[[], None] | None]:
    """Yield what asks SQLAlchemy's inspector on the connection that `database` has."""
    import sqlalchemy

    if source.dialect == "duckdb":
        yield None
    elif source.dialect == "sqlite":
        engine = sqlalchemy.create_engine(
            "sqlite://", creator=lambda: database.connection, poolclass=sqlalchemy.StaticPool
        )
        with engine.connect() as connection:
            yield lambda: _ask(connection)
    else:
        yield lambda: _ask(database._connection)  # noqa: SLF001 - the same connection is the point


def _ask(connection: Any) -> None:
    import sqlalchemy

    inspector = sqlalchemy.inspect(connection)
    for what in _BASELINE:
        with suppress(NotImplementedError):  # SQLite has no comments
            getattr(inspector, f"get_multi_{what}")()


def _statements(source: Source) -> int:
    """Return how many statements a scan sends."""
    with open_database(source) as database:
        asked: list[str] = []
        _listen(database, asked)
        database.read_catalog()
    return len(asked)


def _listen(database: Any, asked: list[str]) -> None:
    """Write down every statement that is sent."""
    if database.source.path is not None:  # a file
        for name in ("fetch", "shape"):
            if hasattr(database, name):
                _note(database, name, asked)
    else:
        import sqlalchemy

        sqlalchemy.event.listen(
            database.engine,
            "before_cursor_execute",
            lambda _connection, _cursor, statement, *_rest: asked.append(statement),
        )


def _note(database: Database, name: str, asked: list[str]) -> None:
    run = getattr(database, name)

    def noted(sql: str, *rest: Any, **options: Any) -> Any:
        asked.append(sql)
        return run(sql, *rest, **options)

    setattr(database, name, noted)


def _taken(work: Callable[[], None]) -> tuple[float, float]:
    """Return the seconds that it took, and for how many of them this process worked."""
    gc.collect()  # the garbage of the other one is not its business
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - cpu


def _middle(taken: Sequence[tuple[float, float]], place: int) -> float:
    return round(1000 * statistics.median(times[place] for times in taken), 1)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures; status 1 if a bar is missed."""
    parser = argparse.ArgumentParser(prog="python -m evals.scan_speed", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument(
        "--engine", action="append", choices=scan_databases.ENGINES, help="default: all that answer"
    )
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    engines = options.engine or scan_databases.ENGINES
    found = {
        "scan": scans(engines, tables=options.tables, runs=options.runs),
        "statements": statements(engines),
    }
    print(json.dumps(found, indent=1))
    slow = [e for e, f in found["scan"].items() if f.get("ratio", 0) > LIMIT_RATIO]
    growing = [e for e, f in found["statements"].items() if not f["constant"]]
    return int(bool(slow or growing))


if __name__ == "__main__":
    raise SystemExit(main())
