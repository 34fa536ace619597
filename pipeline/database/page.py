"""The rows of one result as JSON values, cut to what the caller may have of them."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

from pipeline.database.connect import Reply, Row
from pipeline.database.masking.masks import OUTDATED, Masks, token
from pipeline.database.tally import Tally
from pipeline.database.values import shortened, to_json
from pipeline.errors import SettingError
from pipeline.text import counted

_LEAST_CELL = 20
_MOST = 1_000_000_000
_MOST_NAMES = 5
_LONGEST_NAME = 60
_UNITS = {"rows": "rows", "bytes": "bytes", "cell": "characters a value", "seconds": "seconds"}


@dataclass(frozen=True, slots=True)
class Limits:
    """What one statement may cost and return."""

    rows: int = 200
    bytes: int = 65_536
    """Of all rows as JSON."""
    cell: int = 2_000
    """Characters."""
    seconds: float = 30.0

    def __post_init__(self) -> None:
        """Refuse limits that limit nothing.

        Raises:
            SettingError: one isn't above zero, or is no finite number.
        """
        for name in ("rows", "bytes", "cell", "seconds"):
            value = getattr(self, name)
            if not 0 < value <= _MOST:
                raise SettingError(
                    f"a statement can't be limited to {value} {_UNITS[name]}",
                    fix=f"give a number above zero, at most {_MOST:,}",
                )


DEFAULT_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Result:
    """Rows as JSON values; `columns` may hold a name twice, as SQL allows."""

    columns: tuple[str, ...]
    rows: list[list[Any]]
    truncated: bool = False
    """Rows are missing or cells are cut; `notes` say which."""
    notes: tuple[str, ...] = ()
    masked: tuple[str, ...] = ()
    """Names of the columns whose values are masked."""
    has_more: bool = False
    """There are rows beyond these."""
    tally: Tally | None = None
    """What was counted, in place of the rows, where that was asked for."""


class Page:
    """Rows as JSON values within the limits, taken one by one as the database gives them."""

    def __init__(self, limits: Limits, masks: Masks | None = None) -> None:
        self.limits = limits
        self.masks = masks
        self.rows: list[list[Any]] = []
        self._size = self._cut = 0
        self._cut_columns: set[int] = set()
        self._more: list[str] = []

    def take(self, row: Row) -> bool:
        """Take a row; False when it was one too many."""
        limits = self.limits
        if len(self.rows) == limits.rows:
            self._more.append(
                f"there are more than {limits.rows:,} rows; these are the first {limits.rows:,}: "
                "aggregate, filter or page with ORDER BY and LIMIT"
            )
            return False
        if self.masks is not None:
            row = _masked(row, self.masks)
        cells, cuts = self._cells(row, limits.cell)
        self._size += _size(cells)
        if self._size > limits.bytes and self.rows:
            self._more.append(
                f"only {counted(len(self.rows), 'row')} fit into {limits.bytes:,} bytes: name "
                "fewer columns or ask for fewer rows"
            )
            return False
        if self._size > limits.bytes:
            cells, cuts = self._cells(row, max(_LEAST_CELL, limits.bytes // (8 * len(row))))
        self.rows.append(cells)
        self._cut += len(cuts)
        self._cut_columns |= cuts
        return True

    def _cells(self, row: Row, limit: int) -> tuple[list[Any], set[int]]:
        """Return the values, long ones cut, and which were; a token or a size is never cut."""
        hidden = self.masks.of(len(row)) if self.masks else (False,) * len(row)
        pairs = [
            (to_json(value), False)
            if is_hidden or isinstance(value, bytes | bytearray | memoryview)
            else shortened(to_json(value), limit)
            for value, is_hidden in zip(row, hidden, strict=True)
        ]
        return [cell for cell, _ in pairs], {n for n, (_, was_cut) in enumerate(pairs) if was_cut}

    def result(self, reply: Reply) -> Result:
        """Return all that was taken, and what the engine said of it."""
        notes = list(self._more)
        if self._cut:
            cut = f"{self._cut:,} long {'value is' if self._cut == 1 else 'values are'} cut"
            names = [n for n, name in enumerate(reply.columns) if n in self._cut_columns]
            listed = ", ".join(reply.columns[n][:_LONGEST_NAME] for n in names[:_MOST_NAMES])
            notes.append(f"{cut} ({listed}); use substr() for a part")
        truncated = bool(notes)
        notes += reply.notes
        masked = self._masked_names(reply.columns)
        if self.masks is not None:
            notes.append(self.masks.note(masked))
        return Result(
            reply.columns, self.rows, truncated, tuple(notes), masked, has_more=bool(self._more)
        )

    def _masked_names(self, columns: tuple[str, ...]) -> tuple[str, ...]:
        if self.masks is None:
            return ()
        if not self.masks.are_for(columns):  # the catalogue is old: who knows what these are
            self.masks = replace(self.masks, hidden=None, why=OUTDATED)
            self.rows = [list(_masked(tuple(row), self.masks)) for row in self.rows]
        hidden = self.masks.of(len(columns))
        return tuple(n for n, is_hidden in zip(columns, hidden, strict=True) if is_hidden)


def _masked(row: Row, masks: Masks) -> Row:
    hidden = masks.of(len(row))
    return tuple(
        token(to_json(value), masks.key) if is_hidden and value is not None else value
        for value, is_hidden in zip(row, hidden, strict=True)
    )


def _size(cells: list[Any]) -> int:
    return len(json.dumps(cells, ensure_ascii=False).encode())
