"""The profile of one table: counts, values and what they mean, column by column."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from pipeline import withheld
from pipeline.database.connect import Database
from pipeline.errors import QueryError
from pipeline.profile import (
    classify,
    dictionaries,
    formats,
    renamed,
    sensitive,
    sensitive_pairs,
    units,
)
from pipeline.profile.aggregates import is_approximate
from pipeline.profile.measure import Measured, TableReader
from pipeline.profile.sentinels import sentinels
from schemas.facts import Column, ColumnProfile, Scalar, Table, TableProfile, ValueCount
from schemas.settings import ProfileSettings

_SHOWN_LENGTH = 40
"""Longer ends of a range are pieces of free text and tell nothing."""
_SHORTEST_PLACE = 4
"""Characters or bytes: the name of a file, or a number in a store of pictures."""


_PASS = 0.6
"""About the share of a table's time that its aggregate pass takes; dictionaries take the rest."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What people decided about reading and storing values."""

    settings: ProfileSettings = field(default_factory=ProfileSettings)
    marks: Mapping[tuple[str, str], bool] = field(default_factory=dict)
    """(table, column) → `sensitive:` of semantic.yaml."""
    inherited: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """(view, column) → the sensitive column of a table that it shows, in words."""
    cleared: frozenset[tuple[str, str]] = frozenset()
    """(view, column) that show the name of a thing, though their own name sounds personal."""

    def reason(self, table: Table, column: Column) -> tuple[bool, str | None] | None:
        """Return whether people call the column sensitive, and where; None if they say nothing."""
        mark = self.marks.get((table.name, column.name))
        if mark is not None:
            return mark, "marked in semantic.yaml" if mark else None
        pattern = sensitive.matches(self.settings.sensitive, table.name, column.name)
        return (True, f"matches {pattern} of profile.sensitive") if pattern else None


def unread(table: Table, rules: Rules, error: str | None = None) -> TableProfile:
    """Return what can be said of a table whose data isn't read."""
    return TableProfile(
        table.name,
        columns=_named(table, rules),
        error=error,
    )


def profile(
    database: Database,
    table: Table,
    rules: Rules,
    is_stopped: Callable[[], bool] = lambda: False,
    reached: Callable[[float], None] = lambda _share: None,
) -> TableProfile:
    """Read a table and return its profile; one that fails or a view that takes long has `error`.

    Of a column that the engine can't count, compare or show, that is left out. `reached` is told
    about which share is done.

    Raises:
        PassingError: another session locks the table, or cut the connection.
        SourceError: the database itself can't be read any more.
    """
    reader = TableReader(database, table, rules.settings.rows, is_stopped)
    try:
        measured = reader.measure()
        table = reader.table  # binary columns are texts where that is what they hold
        reached(_PASS)
        names = {named.column: named for named in _named(table, rules)}
        # those of sensitive columns, too, are looked at for the format, and forgotten
        examples = reader.examples([c for c in table.columns if _wants(c, measured)])
        own = [
            _Column(reader, measured, rules, c, names[c.name], examples.get(c.name, []))
            for c in table.columns
        ]
        reader.gather([(one.column, one.limit) for one in own if one.limit])
        found = []
        for i, one in enumerate(own):
            found.append(one.profile())
            reached(_PASS + (1 - _PASS) * (i + 1) / len(own))
        found = _without_named(reader, rules, found)
    except QueryError as error:
        return unread(table, rules, error.problem)
    return TableProfile(
        table.name, measured.rows, measured.estimated, measured.sample, tuple(found)
    )


def _named(table: Table, rules: Rules) -> tuple[ColumnProfile, ...]:
    """Return what the names alone say of each column."""
    names = sensitive.Names(table)
    found = []
    for column in table.columns:
        said = rules.reason(table, column)
        place = (table.name, column.name)
        own = names.why(column)
        if place in rules.cleared and renamed.is_name(own):
            own = None
        by_name = said[1] if said is not None else own or rules.inherited.get(place)
        found.append(
            ColumnProfile(
                column.name,
                sensitive=bool(by_name),
                sensitive_why=by_name,
                housekeeping=classify.housekeeping(table, column),
                time_zone=formats.time_zone(column, None, ()),
            )
        )
    return tuple(found)


def _without_named(
    reader: TableReader, rules: Rules, found: list[ColumnProfile]
) -> list[ColumnProfile]:
    """Return profiles without the values whose stored names say that they are sensitive."""
    table, by_name = reader.table, {profile.column: profile for profile in found}
    names, values = sensitive_pairs.pairs(table)
    open_ones = [
        c.name for c in values if not by_name[c.name].sensitive and rules.reason(table, c) is None
    ]
    if not open_ones:
        return found
    why = None
    for column in names:
        known = by_name[column.name]
        if why is None and not known.sensitive:
            stored = known.values
            if not known.values_complete:
                stored = reader.frequencies(column, sensitive_pairs.MOST_NAMES)
            why = sensitive_pairs.why(table.name, [v.value for v in stored])
    if why is None:
        return found
    return [
        replace(withheld.profile(p), soft_delete=False, sensitive=True, sensitive_why=why)
        if p.column in open_ones
        else p
        for p in found
    ]


def _wants(column: Column, measured: Measured) -> bool:
    """Return whether examples can tell something: texts, and whole numbers like cents or cards."""
    counts = measured.columns[column.name]
    return bool(counts.max_length) or (bool(counts.distinct) and column.family == "integer")


class _Column:
    """One column on its way from counts to a profile."""

    def __init__(
        self,
        reader: TableReader,
        measured: Measured,
        rules: Rules,
        column: Column,
        named: ColumnProfile,
        examples: list[Scalar],
    ) -> None:
        self.reader, self.measured, self.rules = reader, measured, rules
        self.column, self.named = column, named
        self.counts = counts = measured.columns[column.name]
        self.is_approximate = is_approximate(reader.database.dialect)
        self.examples = examples
        self.shape = formats.text_format(counts, examples, family=column.family, name=column.name)
        self.unit = units.unit(column, counts, examples)
        self.why = None if self._counts_pictures() else named.sensitive_why
        self.limit = self._limit()

    def profile(self) -> ColumnProfile:
        """Return the whole profile."""
        table, column, counts = self.reader.table, self.column, self.counts
        examples, shape, unit, why = self.examples, self.shape, self.unit, self.why
        values = self.reader.frequencies(column, self.limit) if self.limit else ()
        if why is None and self.rules.reason(table, column) is None:
            seen = tuple(dict.fromkeys([*examples, *(v.value for v in values)]))
            why = sensitive.why_by_values(table.name, column.name, seen)
        is_open = why is None
        stores = is_open and self.rules.settings.values
        low, high = self._ends(shape) if stores else (None, None)
        found = self._sentinels(values, examples, unit, shape) if stores else ()
        return ColumnProfile(
            column.name,
            nulls=counts.nulls,
            distinct=counts.distinct,
            minimum=low,
            maximum=high,
            min_length=counts.min_length,
            max_length=counts.max_length,
            padded=counts.padded,
            values=values if stores else (),
            values_complete=stores and self._is_complete(values),
            variants=dictionaries.variants(values) if stores else (),
            sensitive=not is_open,
            sensitive_why=why,
            housekeeping=self.named.housekeeping,
            soft_delete=is_open
            and classify.soft_delete(column, counts, self.measured.read, values),
            unit=unit,
            time_zone=formats.time_zone(column, shape, examples),
            text_format=shape,
            sentinels=found,
        )

    def _counts_pictures(self) -> bool:
        """Whether a name speaks of pictures, but what is stored is too short for one, or its place.

        `passport_scans` of a table where every column is a text holds how many there are.
        """
        why, longest = self.named.sensitive_why, self.counts.max_length
        return (
            longest is not None
            and longest < _SHORTEST_PLACE
            and sensitive.is_of_picture(why)
            and self.rules.reason(self.reader.table, self.column) is None
        )

    def _limit(self) -> int:
        """Return how many values to list at most; more, where the number comes from an estimate."""
        if self.why is not None or self.named.housekeeping is not None:
            return 0
        plan = dictionaries.plan(
            self.reader.table,
            self.column,
            self.counts,
            self.measured.read,
            text_format=self.shape,
            unit=self.unit,
        )
        if plan is None:
            return 0
        return plan.limit + plan.limit // 10 + 10 if self.is_approximate else plan.limit

    def _is_complete(self, values: tuple[ValueCount, ...]) -> bool:
        if not values or self.measured.sample is not None:
            return False
        if self.is_approximate:
            return len(values) < self.limit
        return len(values) == self.counts.distinct

    def _ends(self, text_format: str | None) -> tuple[Scalar | None, Scalar | None]:
        if text_format and formats.NO_ORDER.match(text_format):
            return None, None
        low, high = (
            None if isinstance(v, str) and len(v) > _SHOWN_LENGTH else v
            for v in (self.counts.minimum, self.counts.maximum)
        )
        return low, high

    def _sentinels(
        self,
        values: tuple[ValueCount, ...],
        examples: list[Scalar],
        unit: str | None,
        shape: str | None,
    ) -> tuple[Scalar, ...]:
        table, column = self.reader.table, self.column
        return sentinels(
            column,
            self.counts,
            values,
            self.measured.read,
            lambda value, aggregate: self.reader.outlier(column, value, aggregate),
            examples=examples,
            is_time=any(name and name.startswith(("epoch", "YYYYMMDD")) for name in (unit, shape)),
            is_key=column.name in dictionaries.key_columns(table),
        )
