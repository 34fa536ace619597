"""Assertions on what is stored: values, what can't be read, what is personal, hostile text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path

from evals.nasty.listing import Target
from evals.nasty.world import World
from pipeline.text import singular
from schemas.models import ColumnProfile, Link

Targets = Sequence[Target]

_TOO_LONG = 2_500
"""Characters of one text in an artifact."""
_CODE = re.compile(r"```.*?```|`[^`\n]*`|<code>.*?</code>", re.DOTALL)
_ACTS = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Unicode's categories of characters that do something."""
_INFERRED = re.compile(r"(\w+) -> (\w+)\.(\w+)")


def polymorphic(world: World, targets: Targets, _expect: str) -> Iterator[str]:
    """Each stored type that names a table is a branch; one that names none isn't."""
    for target in targets:
        table, measured = world.table(target), world.measured(target)
        branches = [k for k in world.profile.joins if table and k.table == table.name]
        branches = [k for k in branches if k.condition]
        if not branches or table is None or measured is None:
            yield f"{target}: no branch was found"
            continue
        types = [c for c in measured.columns if _names_column(branches[0], c.column)]
        for value in types[0].values if types else ():
            named = {str(value.value).casefold(), singular(str(value.value).casefold())}
            known = any(t.object_name.casefold() in named for t in world.catalog.tables)
            told = any(f"'{value.value}'" in (k.condition or "") for k in branches)
            if known != told:
                yield f"{target}: {value.value!r} {'has no' if known else 'has a'} branch"


def _names_column(link: Link, column: str) -> bool:
    return f".{column} " in (link.condition or "") or f'."{column}" ' in (link.condition or "")


def undeclared(world: World, targets: Targets, expect: str) -> Iterator[str]:
    """A reference that nobody declared is inferred, with what was measured."""
    wanted = _INFERRED.search(expect)
    for target in targets:
        table = world.table(target)
        found = [k for k in world.profile.joins if table and k.table == table.name]
        if wanted:
            found = [k for k in found if (k.columns, k.to_table) == ((wanted[1],), wanted[2])]
        if not found:
            yield f"{target}: its reference wasn't inferred"
        elif found[0].evidence is None or found[0].evidence.matched_share is None:
            yield f"{target}: its reference has no measured share"


def counted(world: World, targets: Targets, _expect: str) -> Iterator[str]:
    """Few rows, no rows and columns without a value are counted as they are."""
    for target in targets:
        measured = world.measured(target)
        rows = world.fetch(f"SELECT COUNT(*) FROM {world.sql_name(target)}")[0][0]
        if measured is None or measured.rows != rows:
            yield f"{target}: {measured and measured.rows} rows, the database says {rows}"
            continue
        for column in measured.columns:
            filled = f"SELECT COUNT({world.quote(column.column)}) FROM {world.sql_name(target)}"
            if column.nulls != rows - world.fetch(filled)[0][0]:
                yield f"{target}.{column.column}: {column.nulls} nulls"


def readable(world: World, targets: Targets, _expect: str) -> Iterator[str]:
    """Values that a driver stumbles over end nothing: every column is measured."""
    for target in targets:
        table, measured = world.table(target), world.measured(target)
        if table is None or measured is None or measured.error:
            yield f"{target}: not profiled: {measured and measured.error}"
            continue
        blank = [c.column for c in measured.columns if c.nulls is None]
        if blank or len(measured.columns) != len(table.columns):
            yield f"{target}: not measured: {blank}"


def decoded(world: World, targets: Targets, expect: str) -> Iterator[str]:
    """Text of another character set comes as the characters it stands for."""
    yield from readable(world, targets, expect)
    for target in targets:
        measured = world.measured(target)
        for column in measured.columns if measured else ():
            texts = [str(item.value) for item in column.values]
            if any("\ufffd" in text or "Ã" in text for text in texts):
                yield f"{target}.{column.column}: garbled"


def blobs(world: World, targets: Targets, _expect: str) -> Iterator[str]:
    """Of binary values nothing is kept but how many there are."""
    yield from readable(world, targets, "")
    for target in targets:
        table, measured = world.table(target), world.measured(target)
        for column in table.columns if table else ():
            found = measured.column(column.name) if measured else None
            if column.family == "binary" and found and _kept(found):
                yield f"{target}.{column.name}: values are kept"


def formats(world: World, targets: Targets, _expect: str) -> Iterator[str]:
    """Numbers, dates and flags that are stored as something else are told."""
    for target in targets:
        measured = world.measured(target)
        told = [
            column.column
            for column in (measured.columns if measured else ())
            if column.unit or column.text_format or column.sentinels or column.padded
        ]
        if len(told) < 3:
            yield f"{target}: only {told} say what their values stand for"


def listed(world: World, targets: Targets, expect: str) -> Iterator[str]:
    """Types that list their values do so, and no type ends the profile."""
    yield from readable(world, targets, expect)
    members = [c for t in targets if (s := world.table(t)) for c in s.columns if c.enum_members]
    families = {c.family for t in targets if (s := world.table(t)) for c in s.columns}
    if not members and not families & {"enum", "json", "array"}:
        yield "no column lists its values, and none is of a type of its own"


def unread(world: World, targets: Targets, expect: str) -> Iterator[str]:
    """What can't be read is noted, with the cause, where people look."""
    readme = world.pages.get("README.md", "")
    for target in targets:
        why = world.unreadable(target)
        if not why:
            yield f"{target}: nothing says that it can't be read"
        elif target.table not in readme and target.schema not in readme.split("`"):
            yield f"{target}: README.md doesn't say so"
        for quoted in re.findall(r'"(.+?)"', expect):
            if quoted not in why:
                yield f"{target}: {why!r} doesn't say {quoted!r}"


def slow(world: World, targets: Targets, _expect: str) -> Iterator[str]:
    """A view that would never end is stopped, and stays in the catalogue."""
    for target in targets:
        measured = world.measured(target)
        if world.table(target) is None:
            yield f"{target}: not in catalog.json"
        elif measured is None or not measured.error or measured.rows is not None:
            yield f"{target}: nothing says that it was stopped"


def distinct_names(world: World, targets: Targets, expect: str) -> Iterator[str]:
    """Columns of one name are told apart by names that the engine takes."""
    yield from readable(world, targets, expect)
    for target in targets:
        table = world.table(target)
        names = [c.name for c in table.columns] if table else []
        if len(names) < 2 or len(set(names)) < len(names):
            yield f"{target}: its columns are {names}"


def personal(world: World, targets: Targets, _expect: str) -> Iterator[str]:
    """The column is sensitive, and no value of it stands anywhere."""
    texts = {path.name: path.read_bytes() for path in artifacts(world)}
    for target in targets:
        card = world.card(target)
        column = card.column(target.column) if card else None
        if column is None or not column.sensitive:
            yield f"{target} isn't marked"
        elif _kept(column.profile) or column.codes:
            yield f"{target}: its values are kept"
        yield from _leaked(world, target, texts)


def harmless(world: World, targets: Targets, _expect: str) -> Iterator[str]:
    """A column whose name only looks personal isn't marked."""
    for target in targets:
        card = world.card(target)
        column = card.column(target.column) if card else None
        if column is None or column.sensitive:
            yield f"{target} is missing or marked as sensitive"


def hostile(world: World, targets: Targets, _expect: str) -> Iterator[str]:
    """Text of the database keeps its place on every page, and does nothing to a terminal."""
    for name, page in world.pages.items():
        prose = _CODE.sub("", page).replace("\\<", "")
        if re.search(r"<(?!/?(?:code|details|summary|br)\b)[a-z!/]", prose, re.IGNORECASE):
            yield f"{name}: a tag of the data's own"
        if bad := [c for c in page if unicodedata.category(c) in _ACTS and c != "\n"]:
            yield f"{name}: holds {bad[0]!a}"
    for target in targets:
        if world.table(target) is None:
            yield f"{target}: missing in catalog.json"


def cut(world: World, targets: Targets, _expect: str) -> Iterator[str]:
    """No artifact holds a long value in full."""
    longest = re.compile(rb'"(?:[^"\\]|\\.){%d,}"' % _TOO_LONG)
    for path in (world.kb.profile, world.kb.graph):
        if longest.search(path.read_bytes()):
            yield f"{path.name} holds a text of more than {_TOO_LONG} characters"
    for target in targets:
        if any(len(line) > 2 * _TOO_LONG for line in world.page(target).splitlines()):
            yield f"{target}: its page has a very long line"


def rights(world: World, targets: Targets, _expect: str) -> Iterator[str]:
    """What this login may not read in full is told."""
    for target in targets:
        table = world.table(target)
        told = world.unreadable(target) or any(target.table in n for n in world.catalog.notes)
        if not told and not (table and "ROW LEVEL SECURITY" in table.options):
            yield f"{target}: nothing says that it can't be read in full"


def commented(world: World, targets: Targets, expect: str) -> Iterator[str]:
    """Comments in DDL describe their tables and columns."""
    wanted = re.search(r"(\w+): (.+?)(?: picked up)?$", expect)
    for target in targets:
        table = world.table(target)
        comments = {c.name: c.comment for c in table.columns if c.comment} if table else {}
        if not comments:
            yield f"{target}: no column has a comment"
        elif wanted and wanted[2] not in (comments.get(wanted[1]) or ""):
            yield f"{target}.{wanted[1]}: {comments.get(wanted[1])!r}"


def storage(world: World, targets: Targets, expect: str) -> Iterator[str]:
    """A column whose values are of another kind than declared shows it."""
    yield from readable(world, targets, expect)


def accounted(world: World, targets: Targets, _expect: str) -> Iterator[str]:
    """Each object is in the catalogue, or it is told why not."""
    for target in targets:
        if not world.table(target) and not world.unreadable(target):
            yield f"{target}: neither in catalog.json nor told of"


def artifacts(world: World) -> Iterator[Path]:
    """Yield every file of the knowledge base that the build wrote."""
    for path in sorted(world.kb.folder.rglob("*")):
        if path.is_file() and path.name not in ("kb.yaml", "semantic.yaml"):
            yield path


def _kept(column: ColumnProfile) -> bool:
    return bool(column.values) or column.minimum is not None or column.maximum is not None


def _leaked(world: World, target: Target, texts: dict[str, bytes]) -> Iterator[str]:
    """Yield the files that hold a stored value of a column; short ones could stand anywhere."""
    name = world.quote(target.column)
    for row in world.fetch(f"SELECT DISTINCT {name} FROM {world.sql_name(target)} LIMIT 50"):
        value = str(row[0]).encode()
        if len(value) < 8:
            continue
        for file, text in texts.items():
            if value in text:
                yield f"{target}: a value stands in {file}"
