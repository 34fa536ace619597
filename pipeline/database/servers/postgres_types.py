"""What PostgreSQL's types mean: families, members of enums and of checks, domains."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pipeline.database.connect import Row
from pipeline.database.families import family
from schemas.facts import Check, TypeFamily

_SPECIAL: dict[str, TypeFamily] = {"char": "text", "lo": "integer", "box2d": "geometry"}
_BY_CATEGORY: dict[str, TypeFamily] = {"A": "array", "S": "text", "B": "boolean"}
_LITERAL = r"'(?:[^']|'')*'"
_CAST = r'(?:::(?:"(?:[^"]|"")*"|[a-z_][\w.]*)(?:[ ]varying)?(?:\(\d+\))?)?'
_MEMBER = re.compile(rf"({_LITERAL}|-?\d+){_CAST}(?:, |(?=\]))")
_NAME = r'(?:"(?:[^"]|"")+"|[a-z_][\w$]*)'
_LIST = re.compile(rf"({_NAME}){_CAST} = ANY \(ARRAY\[")
_LIST_END = re.compile(r"\](?:::[a-z ]+\[\])?\)")
_SINGLE = re.compile(rf"({_NAME}){_CAST} = ({_LITERAL}){_CAST}")
_VALUE = re.compile(rf"""{_LITERAL}|"(?:[^"]|"")*"|\bVALUE\b""")


@dataclass(frozen=True, slots=True)
class Type:
    """One type of the catalogue."""

    oid: int
    name: str
    kind: str
    """pg_type.typtype: b(ase), c(omposite), d(omain), e(num), m(ultirange), p(seudo), r(ange)."""
    category: str
    not_null: bool
    default: str | None
    base: int
    base_spelled: str | None
    members: Sequence[str]
    check_names: Sequence[str]
    check_texts: Sequence[str]
    """Of a domain, about VALUE."""
    element: int
    """Of an array the type of what it holds, else 0."""
    field_names: Sequence[str]
    """Of a composite type."""
    field_types: Sequence[int]
    field_spelled: Sequence[str]

    def checks(self, column: str) -> Iterator[Check]:
        """Yield a domain's checks as those of a column of that domain."""
        for name, text in zip(self.check_names, self.check_texts, strict=True):
            yield Check(about(text, column), name)


class Types:
    """The types that columns of one database have, by oid."""

    def __init__(self, types: Mapping[int, Type]) -> None:
        self._types = types
        self._chains: dict[int, list[Type]] = {}
        self._fields: dict[int, str] = {}
        self._families: dict[tuple[int, str], TypeFamily] = {}

    @classmethod
    def of(cls, rows: Iterable[Row]) -> Types:
        """Return the types of `Queries.types`."""
        return cls({row[0]: Type(*row) for row in rows})

    def chain(self, oid: int) -> list[Type]:
        """Return a type, and beneath a domain what it stands on."""
        known = self._chains.get(oid)
        if known is not None:
            return known
        found = self._chains[oid] = []
        current = self._types.get(oid)
        while current is not None:
            found.append(current)
            current = self._types.get(current.base) if current.kind == "d" else None
        return found

    def with_fields(self, oid: int, spelled: str) -> str:
        """Return a type as it is spelled, and the fields of a composite type that it holds."""
        fields = self._of_fields(oid)
        return f"{spelled} {fields}" if fields else spelled

    def _of_fields(self, oid: int) -> str:
        """Return `ROW(street text, …)` of a composite type, of an array or a domain of one."""
        known = self._fields.get(oid)
        if known is not None:
            return known
        self._fields[oid] = ""  # PostgreSQL lets no type hold itself
        found, chain = "", self.chain(oid)
        if chain and chain[-1].element:
            inner = self._of_fields(chain[-1].element)
            found = f"{inner}[]" if inner else ""
        elif chain and chain[-1].kind == "c":
            last = chain[-1]
            parts = zip(last.field_names, last.field_types, last.field_spelled, strict=True)
            found = row_of((name, self._of_fields(kind) or native) for name, kind, native in parts)
        self._fields[oid] = found
        return found

    def family(self, oid: int, spelled: str) -> TypeFamily:
        """Return the family of a column's type; of a domain that of what it stands on."""
        key = (oid, spelled)
        if key not in self._families:
            self._families[key] = self._family(oid, spelled)
        return self._families[key]

    def _family(self, oid: int, spelled: str) -> TypeFamily:
        chain = self.chain(oid)
        if not chain:
            return family(spelled, "postgres")
        last = chain[-1]
        if len(chain) > 1:
            spelled = chain[-2].base_spelled or spelled
        if last.kind == "e":
            return "enum"
        if last.kind in ("c", "r", "m"):
            return "other"
        if last.category == "A":
            return "array"
        if last.name in _SPECIAL:
            return _SPECIAL[last.name]
        # Spelled out, an extension's type may carry its schema; its own name never does.
        for name in (spelled, last.name):
            known = family(name, "postgres")
            if known != "other":
                return known
        return _BY_CATEGORY.get(last.category, "other")


def row_of(fields: Iterable[tuple[str, str]]) -> str:
    """Return `ROW(street text, …)` of fields and their types; '' of none."""
    inside = ", ".join(f"{_quoted(name)} {_plain(native)}" for name, native in fields)
    return f"ROW({inside})" if inside else ""


def _quoted(name: str) -> str:
    """Return a field's name, which may be any word of SQL unless it is quoted."""
    return '"' + name.replace('"', '""') + '"' if spelled(name) != name else name


def _plain(native: str) -> str:
    return native.replace("bit varying", "varbit")  # whose two words no other engine knows


def spelled(name: str) -> str:
    """Return a name as SQL, quoted where it must be."""
    if re.fullmatch(r"[a-z_][a-z0-9_$]*", name):
        return name
    return '"' + name.replace('"', '""') + '"'


def about(text: str, column: str) -> str:
    """Return a domain's check, which is about VALUE, as one about a column."""
    quoted = spelled(column)

    def put(match: re.Match[str]) -> str:
        return quoted if match[0] == "VALUE" else match[0]

    return _VALUE.sub(put, text)


def listed(expression: str) -> tuple[str, tuple[str, ...]] | None:
    """Read a check that lists what a column may hold: the column and its members.

    PostgreSQL turns `c IN ('a', 'b')` into `c = ANY (ARRAY['a'::text, 'b'::text])`.
    """
    single = _SINGLE.fullmatch(expression)
    if single:
        return _unquoted(single[1], '"'), (_unquoted(single[2], "'"),)
    opening = _LIST.match(expression)
    if not opening:
        return None
    members, position = [], opening.end()
    while member := _MEMBER.match(expression, position):
        members.append(_unquoted(member[1], "'"))
        position = member.end()
    if not _LIST_END.fullmatch(expression, position):
        return None
    return _unquoted(opening[1], '"'), tuple(members)


def _unquoted(text: str, mark: str) -> str:
    return text[1:-1].replace(mark * 2, mark) if text.startswith(mark) else text
