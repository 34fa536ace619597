"""Which keys a column's name may speak of, looked up; `naming.match` judges the few that are left.

Without it every column would be compared with every key: 20 million pairs in 1,000 tables.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from pipeline.profile import name_parts, naming
from pipeline.profile.name_parts import ColumnName, TableName, Words


class NameIndex:
    """Numbers of keys by what a column's name must share with theirs or their table's."""

    def __init__(self, keys: Sequence[tuple[ColumnName, TableName]]) -> None:
        self._called: dict[str, list[int]] = defaultdict(list)
        self._beside: dict[tuple[str, str], list[int]] = defaultdict(list)
        self._initials: dict[str, list[int]] = defaultdict(list)
        self._shapes: dict[tuple[str, ...], list[tuple[Words, int]]] = defaultdict(list)
        self._people: list[int] = []
        for number, (key, table) in enumerate(keys):
            self._add(number, key, table)

    def near(self, name: ColumnName, owner: TableName) -> set[int]:
        """Return the keys that a column of `owner` may refer to by its name."""
        found: set[int] = set()
        unnumbered = name.stem[:-1] if name.stem[-1:] and name.stem[-1].isdigit() else ()
        for part in _parts(name.words) | _parts(name.stem) | _parts(unnumbered):
            for form in name_parts.forms(part):
                found.update(self._called.get(form, ()))
                found.update(self._beside.get((owner.words[0], form), ()))
        if name.stem:
            found.update(self._initials.get("".join(name.stem), ()))
            found.update(self._short(name.stem))
        if naming.is_person_role(name):
            found.update(self._people)
        return found

    def called(self, name: Words) -> set[int]:
        """Return the keys of tables whose names begin a longer one."""
        shapes = (_shape(name[:size]) for size in range(1, len(name)))
        found = (pair for shape in shapes for pair in self._shapes.get(shape, ()))
        return {number for stem, number in found if name[: len(stem)] == stem}

    def _add(self, number: int, key: ColumnName, table: TableName) -> None:
        names = {*table.called, table.bare}
        names |= set() if key.is_generic else {key.words, key.stem}
        for form in {form for name in names if name for form in name_parts.forms("".join(name))}:
            self._called[form].append(number)
        ends = {stem[at:] for stem in table.stems for at in range(1, len(stem))}
        for form in {form for end in ends for form in name_parts.forms("".join(end))}:
            self._beside[(table.words[0], form)].append(number)  # tables that share a prefix
        self._initials[table.initials].append(number)
        for stem in table.stems:
            self._shapes[_shape(stem)].append((stem, number))
        if naming.is_of_people(table):
            self._people.append(number)

    def _short(self, stem: Words) -> Iterator[int]:
        """Yield keys whose tables' names are short for a stem's, or longer."""
        for shape in {_shape(stem), _shape(stem[-1:])}:
            for other, number in self._shapes.get(shape, ()):
                part = stem[-len(other) :]
                if all(map(name_parts.is_short_for, part, other)) or (
                    len(other) == 1 and name_parts.is_short_for(other[0], part[0])
                ):
                    yield number


def _parts(name: Words) -> set[str]:
    """Return all ends and beginnings of a name."""
    sizes = range(1, len(name) + 1)
    return {"".join(name[-n:]) for n in sizes} | {"".join(name[:n]) for n in sizes}


def _shape(stem: Words) -> tuple[str, ...]:
    return tuple(word[0] for word in stem)
