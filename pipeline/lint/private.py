"""DL7xx: personal data in files that are committed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pipeline.lint.rule import Found, Rule
from pipeline.lint.statements import statements
from pipeline.lint.world import World
from pipeline.text import counted
from schemas.models import ColumnProfile, Semantic

_TELLING = re.compile(r"@|\d[\d ().\-/]{7}|[\w.+/-]{16}|://|[A-Z]{2}\d\d ?[A-Z\d]{4}")
"""What every personal or secret value has; most values have none of it."""
_SHORTEST = 8
"""Characters of what it finds by letters and digits."""


def _stored(world: World) -> Iterator[Found]:
    if world.profile is None:
        return
    marked = _marks(world)
    for table in world.profile.tables:
        for profile in table.columns:
            mark = marked.get((table.table, profile.column))
            if not _has_values(profile) or mark is False:
                continue
            why = "is marked as sensitive" if mark or profile.sensitive else _looks(profile)
            if why:
                target = f"{table.table}.{profile.column}"
                kept = counted(len(profile.values), "value") if profile.values else "its ends"
                yield Found(
                    target,
                    f"{target} {why}, and profile.json holds {kept} of it",
                    "build again once it is marked; without personal data, write `sensitive: false`"
                    if not mark
                    else f"run {world.command('build')}, and take the old file out of the history",
                    ("tables", table.table, "columns", profile.column, "sensitive"),
                )


def _marks(world: World) -> dict[tuple[str, str], bool | None]:
    return {
        (column.table.card.name, column.card.name): column.said.sensitive
        for column in world.columns
    } | _hidden_marks(world.semantic, world)


def _hidden_marks(semantic: Semantic, world: World) -> dict[tuple[str, str], bool | None]:
    """Return the marks in tables that are hidden: their values are stored all the same."""
    found = {}
    for written, said in semantic.tables.items():
        table = world.catalog.find(written) if said.hidden else None
        for name, column in said.columns.items() if table else ():
            known = table.column(name) if table else None
            if table and known:
                found[table.name, known.name] = column.sensitive
    return found


def _has_values(profile: ColumnProfile) -> bool:
    return bool(profile.values) or profile.minimum is not None or bool(profile.sentinels)


def _looks(profile: ColumnProfile) -> str:
    """Return why the stored values look personal; '' when they don't."""
    from pipeline import value_shapes

    texts = [v.value for v in profile.values if isinstance(v.value, str)]
    ends = [end for end in (profile.minimum, profile.maximum) if isinstance(end, str)]
    texts = texts or ends
    if profile.has_dates_as_text or not _may_look(texts):
        return ""
    found = value_shapes.find(texts)
    return f"looks personal ({found.title})" if found else ""


def _may_look(texts: list[str]) -> bool:
    text = "\n".join(texts)
    if max(map(len, texts), default=0) < _SHORTEST and not ("@" in text or "://" in text):
        return False
    return _TELLING.search(text) is not None


def _written(world: World) -> Iterator[Found]:
    from pipeline import value_shapes

    for column in world.columns:
        codes = list(column.said.values)
        found = value_shapes.find(codes) if codes else None
        if found:
            yield Found(
                column.target,
                f"`values:` of {column.target} hold what looks personal ({found.title})",
                "remove them: they stand in a file that is committed and shown to agents",
                (*column.place, "values"),
            )
    for statement in statements(world):
        literals = _literals(statement.sql)
        found = value_shapes.find(literals) if literals else None
        if found:
            yield Found(
                statement.target,
                f"the SQL of the {statement.target} names what looks personal ({found.title})",
                "write another condition: it stands in a file that is committed and shown to "
                "agents",
                statement.place,
            )


def _literals(sql: str) -> list[str]:
    return [part for part in sql.split("'")[1::2] if len(part) >= 6]


RULES = (
    Rule(
        "DL701",
        "personal-values-stored",
        "error",
        "A column that is marked as sensitive, or whose values look personal by themselves, while "
        "profile.json holds values of it. `sensitive: false` says that somebody looked.",
        "profile.json is committed, and agents see values.",
        "Mark it, and build again.",
        "columns:\n  mail: {sensitive: true}  # … is marked as sensitive, and profile.json holds …",
        _stored,
    ),
    Rule(
        "DL702",
        "personal-values-written",
        "warning",
        "A code under `values:`, or a literal in SQL, that looks personal: an e-mail address, an "
        "IBAN, "
        "a card number.",
        "semantic.yaml is committed, and agents see it.",
        "Write another condition.",
        "examples:\n  - {question: …, sql: \"… WHERE email = 'ann@shop.test'\"}",
        _written,
    ),
)
