"""Build the demo's source database: three years of an outdoor-gear retailer, all invented.

Writes  source.sqlite  (or the path given), the same bytes on every run.

    python kb/demo/generate.py [OUT]
"""

import argparse
import os
import sqlite3
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).resolve().parent
PACKAGE = "dblore_demo_source"


def build(out: Path) -> None:
    """Write the database to `out`, replacing what was there only when it is complete."""
    unfinished = out.with_name(f"{out.name}.{os.getpid()}.tmp")
    unfinished.unlink(missing_ok=True)
    try:
        _write(unfinished)
        unfinished.replace(out)
    finally:
        unfinished.unlink(missing_ok=True)


def _write(path: Path) -> None:
    connection = sqlite3.connect(path)
    try:
        # A half-written file is thrown away, so neither journal nor sync is needed.
        connection.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;")
        connection.execute("PRAGMA page_size = 4096")
        _subjects().fill(connection)
        connection.commit()
        connection.execute("VACUUM")
    finally:
        connection.close()


def _subjects() -> ModuleType:
    """Load the package `source` beside this file, wherever this file was loaded from."""
    if PACKAGE not in sys.modules:
        folder = HERE / "source"
        spec = spec_from_file_location(
            PACKAGE, folder / "__init__.py", submodule_search_locations=[str(folder)]
        )
        if spec is None or spec.loader is None:
            raise ImportError(f"{folder} isn't a Python package")
        module = module_from_spec(spec)
        sys.modules[PACKAGE] = module
        spec.loader.exec_module(module)
    return sys.modules[PACKAGE]


def main() -> None:
    """Read the command line and build."""
    parser = argparse.ArgumentParser(description="Build the demo's source database.")
    parser.add_argument("out", nargs="?", type=Path, default=HERE / "source.sqlite")
    build(parser.parse_args().out)


if __name__ == "__main__":
    main()
