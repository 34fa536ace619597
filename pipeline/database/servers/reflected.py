"""One schema as SQLAlchemy's Inspector tells it: in bulk, and object by object where that fails."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from sqlalchemy import exc
from sqlalchemy.engine.reflection import Inspector, ObjectKind, ObjectScope

from pipeline.database.families import family
from pipeline.database.servers.findings import PARTS, Findings, ForeignKey
from schemas.facts import Check, Column, Index, Key, TableKind

_METHODS = {
    "columns": "columns",
    "primary keys": "pk_constraint",
    "foreign keys": "foreign_keys",
    "unique constraints": "unique_constraints",
    "check constraints": "check_constraints",
    "indexes": "indexes",
    "comments": "table_comment",
}
_CHARSET = re.compile(r" (CHARACTER SET|COLLATE) \S+")
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}\b")
_OF_PYTHON = (DeprecationWarning, PendingDeprecationWarning, ResourceWarning, ImportWarning)
_HOPELESS = 5
"""Objects that fail one after another from the first on, after which the driver is to blame."""


class Reflected:
    """Asks one Inspector; collects the warnings that would else be printed, or lost."""

    def __init__(self, inspector: Inspector, dialect: str, undo: Callable[[], None]) -> None:
        self._inspector = inspector
        self._engine = inspector.engine.dialect
        self._dialect = dialect
        self._undo = undo
        """Ends the transaction that a failed question leaves unusable."""
        self.warned: list[str] = []
        self.failed: dict[str, str] = {}
        """The error class with which a part, or a list of tables, couldn't be told in bulk."""
        self._given: dict[str, str] = {}
        """The Inspector's names by the engine's own: where case is folded, they differ."""
        self._schema: str | None = None

    def real(self, name: str) -> str:
        """Return the engine's own spelling of a name that the Inspector folded to lower case."""
        if not self._engine.requires_name_normalize:
            return str(name)
        return str(self._engine.denormalize_name(name))

    def given(self, name: str) -> str:
        """Return the Inspector's spelling of a name of the engine's own."""
        if not self._engine.requires_name_normalize:
            return name
        return str(self._engine.normalize_name(name))

    def read(self, schema: str | None) -> Findings:
        """Return what can be told in bulk; `failed` says why a part can't."""
        self.failed, self._given, self._schema = {}, {}, schema
        found = Findings(kinds=self._kinds())
        for part in PARTS:
            told = self._tried(part, partial(self._bulk, part))
            if told is not None:
                setattr(found, part.replace(" ", "_"), told)
        return found

    def one_by_one(
        self, part: str, names: Iterable[str]
    ) -> tuple[dict[str, Any], dict[str, BaseException]]:
        """Return a part of each table, and the error of each that fails.

        A driver that can't tell the part of any table is soon no longer asked.
        """
        told: dict[str, Any] = {}
        lost: dict[str, BaseException] = {}
        for name in names:
            try:
                told[name] = self._one(part, name)
            except Exception as error:  # noqa: BLE001 - a driver may raise anything
                lost[name] = self._survived(error)
                if part != "columns" and not told and len(lost) >= _HOPELESS:
                    break
        return told, lost

    def definition(self, name: str) -> str | None:
        """Return the SQL of a view; None if the driver can't tell it."""
        told = self._tried(
            "view definitions", lambda: self._inspector.get_view_definition(*self._called(name))
        )
        return str(told) if told else None

    def _one(self, part: str, name: str) -> Any:
        method = getattr(self._inspector, f"get_{_METHODS[part]}")
        with self._listening():
            return self._convert(part, method(*self._called(name)))

    def _called(self, name: str) -> tuple[str, str | None]:
        return self._given.get(name, self.given(name)), self._schema

    def _survived(self, error: Exception) -> BaseException:
        """Return the driver's error, after which the connection still serves; else raise it."""
        if getattr(error, "connection_invalidated", False):
            raise error
        self._undo()
        return original(error)

    def _kinds(self) -> dict[str, TableKind] | None:
        kinds: dict[str, TableKind] = {}
        lists: tuple[tuple[TableKind, Callable[..., Sequence[str]]], ...] = (
            ("table", self._inspector.get_table_names),
            ("view", self._inspector.get_view_names),
            ("materialized_view", self._inspector.get_materialized_view_names),
        )
        for kind, ask in lists:
            names = self._tried(f"{kind.replace('_', ' ')}s", partial(ask, self._schema))
            if names is None and kind == "table":
                return None
            for given in names or ():
                kinds[self._named(given)] = kind
        return kinds

    def _named(self, given: str) -> str:
        name = self.real(given)
        self._given[name] = given
        return name

    def _bulk(self, part: str) -> dict[str, Any]:
        method = getattr(self._inspector, f"get_multi_{_METHODS[part]}")
        found = method(schema=self._schema, kind=ObjectKind.ANY, scope=ObjectScope.DEFAULT)
        told = {self._named(name): self._convert(part, facts) for (_, name), facts in found.items()}
        return {name: facts for name, facts in told.items() if facts is not None}

    def _tried(self, what: str, ask: Callable[[], Any]) -> Any:
        try:
            with self._listening():
                return ask()
        except Exception as error:  # noqa: BLE001 - a driver may raise anything
            self.failed[what] = type(self._survived(error)).__name__
            return None

    @contextmanager
    def _listening(self) -> Iterator[None]:
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            try:
                yield
            finally:
                self.warned += [
                    _ADDRESS.sub("…", " ".join(str(w.message).split()))
                    for w in heard
                    if not issubclass(w.category, (*_OF_PYTHON, exc.SADeprecationWarning))
                ]

    def _convert(self, part: str, told: Any) -> Any:
        if part == "columns":
            return tuple(self._column(column) for column in told or ())
        if part == "primary keys":
            return self._key(told or {}, "constrained_columns")
        if part == "unique constraints":
            keys = (self._key(key, "column_names") for key in told or ())
            return tuple(sorted(filter(None, keys), key=lambda k: (k.columns, k.name or "")))
        if part == "foreign keys":
            return tuple(self._foreign_key(key) for key in told or ())
        if part == "check constraints":
            checks = (Check(str(c["sqltext"]), self._name(c)) for c in told or ())
            return tuple(sorted(checks, key=lambda c: (c.expression, c.name or "")))
        if part == "indexes":
            indexes = (self._index(i) for i in told or () if not i.get("duplicates_constraint"))
            return tuple(sorted(indexes, key=lambda i: i.name))
        return (told or {}).get("text") or None

    def _column(self, column: Mapping[str, Any]) -> Column:
        native_type = self._native(column["type"])
        base = getattr(column["type"], "data_type", None)  # of a domain
        plain = native_type if base is None else self._native(base)
        computed = column.get("computed") or {}
        default = column.get("default")
        is_numbered = bool(column.get("identity")) or column.get("autoincrement") is True
        members = tuple(map(str, getattr(column["type"], "enums", None) or ()))
        return Column(
            name=self.real(column["name"]),
            native_type=native_type,
            family="enum" if members else family(plain, self._dialect),
            nullable=bool(column.get("nullable", True)),
            default=None if computed or str(default) in ("None", "NULL") else str(default),
            generated=None
            if not computed
            else "stored"
            if computed.get("persisted") is not False
            else "virtual",
            expression=computed.get("sqltext") or None,
            identity=is_numbered or "nextval(" in str(default or ""),
            comment=column.get("comment") or None,
            enum_members=members,
        )

    def _native(self, kind: Any) -> str:
        try:
            text = _CHARSET.sub("", str(kind.compile(self._engine)))
        except Exception:  # noqa: BLE001 - of a type that this driver can read and not write
            text = str(kind)
        return "" if text == "NULL" else text

    def _name(self, told: Mapping[str, Any]) -> str | None:
        name = told.get("name")
        return self.real(name) if name else None

    def _key(self, told: Mapping[str, Any], columns: str) -> Key | None:
        names = tuple(self.real(name) for name in told.get(columns) or ())
        return Key(names, self._name(told)) if names else None

    def _foreign_key(self, told: Mapping[str, Any]) -> ForeignKey:
        schema = told.get("referred_schema")
        return ForeignKey(
            columns=tuple(map(self.real, told["constrained_columns"])),
            to_schema=self.real(schema) if schema else None,
            to_table=self.real(told["referred_table"]),
            to_columns=tuple(map(self.real, told["referred_columns"])),
            name=self._name(told),
        )

    def _index(self, told: Mapping[str, Any]) -> Index:
        columns = [self.real(name) if name else name for name in told.get("column_names") or ()]
        expressions = told.get("expressions")
        terms = columns if not expressions else [
            column or text for column, text in zip(columns, expressions, strict=False)
        ]  # fmt: skip
        options = told.get("dialect_options") or {}
        where = next((value for name, value in options.items() if name.endswith("_where")), None)
        return Index(
            name=self._name(told) or "",
            columns=tuple(str(term) for term in terms),
            unique=bool(told.get("unique")),
            where=None if where is None else str(where),
        )


def original(error: BaseException) -> BaseException:
    """Return the driver's own error, which SQLAlchemy may have wrapped."""
    wrapped = error.__cause__ if isinstance(error, exc.UnreflectableTableError) else None
    inner = getattr(error, "orig", None) or getattr(wrapped, "orig", None)
    return inner if isinstance(inner, BaseException) else error
