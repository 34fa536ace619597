"""One change that somebody says, before or without a second catalogue."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pipeline.authored import find_column
from pipeline.errors import NotFoundError, SettingError, did_you_mean
from pipeline.impact.types import changed_type
from schemas.changes import Change
from schemas.facts import Catalog, Column, Table

FORMS = (
    "rename TABLE NEW", "rename TABLE.COLUMN NEW", "drop TABLE", "drop TABLE.COLUMN",
    "retype TABLE.COLUMN TYPE", "new-code TABLE.COLUMN CODE…", "not-unique TABLE.COLUMN…",
)  # fmt: skip
"""What can be said."""
_SAID = "said by hand"


def named_change(words: Sequence[str], catalog: Catalog) -> Change:
    """Return the change that `words` say, e.g. `rename`, `orders.status`, `state`.

    Raises:
        SettingError: it is none of `FORMS`.
        NotFoundError: the catalogue has no such table or column.
    """
    verb, *rest = words or [""]
    makers: dict[str, tuple[int, Callable[[Catalog, list[str]], Change]]] = {
        "rename": (2, _renamed),
        "drop": (1, _dropped),
        "retype": (2, _retyped),
        "new-code": (2, _new_code),
        "not-unique": (1, _not_unique),
    }
    if verb not in makers or len(rest) < makers[verb][0]:
        forms = "say one of: " + "; ".join(FORMS)
        raise SettingError(
            f"`{' '.join(words)}` is no change that can be said",
            fix=forms if verb in makers else did_you_mean(verb, makers, forms),
        )
    return makers[verb][1](catalog, rest)


def _renamed(catalog: Catalog, words: list[str]) -> Change:
    table, column = _find(catalog, words[0])
    if column is None:
        return Change("table_renamed", "breaking", table.name, (), _SAID, words[1])
    new = (words[1],)
    return Change("column_renamed", "breaking", table.name, (column.name,), _SAID, table.name, new)


def _dropped(catalog: Catalog, words: list[str]) -> Change:
    table, column = _find(catalog, words[0])
    if column is None:
        return Change("table_dropped", "breaking", table.name, (), _SAID)
    return Change("column_dropped", "breaking", table.name, (column.name,), _SAID)


def _retyped(catalog: Catalog, words: list[str]) -> Change:
    from pipeline.database.families import family

    table, column = _find_column(catalog, words[0])
    native = " ".join(words[1:])
    after = Column(column.name, native, family(native, catalog.dialect))
    found = changed_type(column, after, same_dialect=True)
    if found is None:
        told = f"{column.native_type} and {native} hold the same"
        return Change("type_widened", "additive", table.name, (column.name,), told)
    kind, change_class, told = found
    return Change(kind, change_class, table.name, (column.name,), told)


def _new_code(catalog: Catalog, words: list[str]) -> Change:
    table, column = _find_column(catalog, words[0])
    codes = tuple(words[1:])
    return Change("code_appeared", "risky", table.name, (column.name,), _SAID, values=codes)


def _not_unique(catalog: Catalog, words: list[str]) -> Change:
    found = [_find_column(catalog, word) for word in words]
    tables = {table.name for table, _ in found}
    if len(tables) > 1:
        raise SettingError(
            f"{' and '.join(sorted(tables))} are several tables",
            fix="name the columns of one key, all of one table",
        )
    columns = tuple(column.name for _, column in found)
    return Change("uniqueness_lost", "risky", found[0][0].name, columns, _SAID)


def _find(catalog: Catalog, text: str) -> tuple[Table, Column | None]:
    whole = catalog.find(text)
    if whole is not None:
        return whole, None
    return _find_column(catalog, text)


def _find_column(catalog: Catalog, text: str) -> tuple[Table, Column]:
    table, column = find_column(text, catalog)
    if table is not None and column is not None:
        return table, column
    if table is not None:
        name = text.rpartition(".")[2]
        known = [c.name for c in table.columns]
        raise NotFoundError(
            f"table {table.name} has no column `{name}`",
            fix=did_you_mean(name, known, f"use one of {', '.join(known[:8])}"),
        )
    name = text.rpartition(".")[0] or text
    raise NotFoundError(
        f"there is no table `{name}`",
        fix=did_you_mean(name, catalog.by_name, "name a table that `dblore tables` lists"),
    )
