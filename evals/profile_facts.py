"""How right a profile's claims are: `python -m evals.profile_facts [--engine NAME] [--json]`.

The columns of `evals/profile_columns.py` are made in a database of their own and profiled; per
kind of fact, claims are compared with the labels. Status 1 if a kind is below its bar.
"""

from __future__ import annotations

import argparse
import json
import re
import sqlite3
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.profile_columns import COLUMNS, LATER, RECIPES, ROWS
from pipeline import profile
from pipeline.database.connect import open_database
from pipeline.database.source import resolve
from pipeline.profile.columns import Rules
from schemas.facts import ColumnProfile, Profile

BAR = 0.95
_DATES = frozenset({"DATE", "DATETIME", "TIMESTAMP"})
KINDS = (
    "unit",
    "format",
    "zone",
    "sentinels",
    "list",
    "variants",
    "bookkeeping",
    "deleted",
)


@dataclass(frozen=True, slots=True)
class Labelled:
    """A column of the set: how it is made and what should be said of it."""

    table: str
    name: str
    native_type: str
    values: tuple[str, ...]
    facts: Mapping[str, str]

    def value(self, n: int) -> object:
        """Return the value of row `n`; None for NULL."""
        template = self.values[n % len(self.values)]
        if template == "*":
            return None
        alone = re.fullmatch(r"<(.+)>", template)
        if alone and alone[1] in RECIPES:
            return RECIPES[alone[1]](n)
        text = re.sub(r"<n:?(\d*)>", lambda m: f"{n:{m[1]}}", template)
        return re.sub(r"<([^<> ]+)>", lambda m: str(RECIPES[m[1]](n)), text)


def labelled(tables: Mapping[str, str] = COLUMNS) -> Iterator[Labelled]:
    """Yield the columns of a set."""
    for table, lines in tables.items():
        for line in lines.strip("\n").splitlines():
            declared, values, facts = (part.strip(" ") for part in _parts(line))
            name, _, native_type = declared.partition(" ")
            told = re.findall(r"(\w+)(?:=(.*?))?(?= \w+=| bookkeeping| deleted|$)", facts)
            yield Labelled(
                table,
                name,
                native_type,
                tuple(values.split(";")),
                {kind: value for kind, value in told if kind},
            )


def figures(tables: Mapping[str, str] = COLUMNS) -> dict[str, Any]:
    """Return precision, recall and what is wrong per kind of fact."""
    columns = list(labelled(tables))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "columns.sqlite")
        _make(path, columns)
        source = resolve(str(path), Path(), {})
        with open_database(source) as database:
            catalog = database.read_catalog()
        found = profile.profile_of(source, catalog, Rules())
    return {kind: _judged(kind, columns, found) for kind in KINDS}


def _parts(line: str) -> tuple[str, str, str]:
    declared, _, rest = line.partition("|")
    values, _, facts = rest.rpartition("|")
    return declared, values, facts


def _make(path: Path, columns: Sequence[Labelled]) -> None:
    with closing(sqlite3.connect(path)) as connection:
        for table in dict.fromkeys(column.table for column in columns):
            own = [column for column in columns if column.table == table]
            declared = ", ".join(f'"{c.name}" {c.native_type}' for c in own)
            connection.execute(f'CREATE TABLE "{table}" ({declared})')
            connection.executemany(
                f'INSERT INTO "{table}" VALUES ({", ".join("?" * len(own))})',
                ([column.value(n) for column in own] for n in range(ROWS)),
            )
        connection.commit()


def _judged(kind: str, columns: Sequence[Labelled], found: Profile) -> dict[str, Any]:
    right, false, missed = 0, [], []
    for column in columns:
        told = found.by_table[column.table].column(column.name)
        expected = column.facts.get(kind)
        is_open = kind == "list" or (kind == "format" and column.native_type in _DATES)
        if told is None or told.sensitive or (is_open and expected is None):
            continue
        said = _said(kind, told)
        name = f"{column.table}.{column.name}"
        expected = "yes" if kind in ("bookkeeping", "deleted") and expected == "" else expected
        if said == expected:
            right += said is not None
            continue
        if said is not None:
            false.append(f"{name}: {said}" + (f", not {expected}" if expected else ""))
        if expected is not None:
            missed.append(f"{name}: {expected}" + (f", not {said}" if said else ""))
    return {
        "right": right,
        "precision": round(right / max(1, right + len(false)), 3) if right or false else 1.0,
        "recall": round(right / max(1, right + len(missed)), 3) if right or missed else 1.0,
        "false": false,
        "missed": missed,
    }


def _said(kind: str, told: ColumnProfile) -> str | None:
    if kind == "sentinels":
        values = [str(value) for value in told.sentinels if value != ""]
        return ";".join(sorted(values)) or None
    if kind == "list":
        return ("complete" if told.values_complete else "part") if told.values else "none"
    if kind == "variants":
        return str(len(told.variants)) if told.variants else None
    if kind in ("bookkeeping", "deleted"):
        is_so = told.housekeeping if kind == "bookkeeping" else told.soft_delete
        return "yes" if is_so else None
    return {"unit": told.unit, "format": told.text_format, "zone": told.time_zone}[kind]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(prog="python -m evals.profile_facts", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--later", action="store_true", help="the columns that no rule knew")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    found = figures(LATER if options.later else COLUMNS)
    if options.json:
        print(json.dumps(found, indent=1))
    else:
        for kind, told in found.items():
            print(f"{kind:<12} precision {told['precision']:<6} recall {told['recall']:<6}")
            for name in ("false", "missed"):
                for line in told[name]:
                    print(f"    {name:<7} {line}")
    return int(any(min(told["precision"], told["recall"]) < BAR for told in found.values()))


if __name__ == "__main__":
    sys.exit(main())
