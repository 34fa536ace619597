"""DL6xx: SQL that people wrote: examples, metrics, terms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.errors import RefusedError, SettingError
from pipeline.lint.rule import GRAPH, SEMANTIC, Found, Keys, Rule
from pipeline.lint.world import World, shown
from pipeline.statements import EXPRESSION, WHOLE, apart, is_expression, is_query
from pipeline.text import counted, one_line
from schemas.models import CheckedItem

_KINDS = {"glossary": "term"}
_LIMITS = re.compile(r"\b(?:limit|fetch|top)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Statement:
    """SQL that somebody wrote for one item."""

    kind: str
    """As validation.json calls it."""
    name: str
    sql: str
    place: Keys

    @property
    def target(self) -> str:
        """How findings call it."""
        return f"{self.kind} {shown(self.name)}"

    @property
    def is_query(self) -> bool:
        """Whether it must be a whole query; of a term it may be a condition or an expression."""
        return self.kind != "term" or is_query(self.sql)


def statements(world: World) -> Iterator[Statement]:
    """Yield the SQL of examples, metrics and terms, in file order."""
    semantic = world.semantic
    for number, example in enumerate(semantic.examples):
        yield Statement("example", example.question, example.sql, ("examples", number, "sql"))
    for number, metric in enumerate(semantic.metrics):
        yield Statement("metric", metric.name, metric.sql, ("metrics", number, "sql"))
    for number, term in enumerate(semantic.glossary):
        if term.sql:
            yield Statement("term", term.term, term.sql, ("glossary", number, "sql"))


def _checked(world: World) -> dict[tuple[str, str], CheckedItem]:
    items = world.validation.items if world.validation else ()
    return {(item.kind, item.name): item for item in items}


def _same(statement: Statement, item: CheckedItem | None) -> bool:
    """Whether validation ran this text: of a condition it made a query."""
    if item is None:
        return False
    said, ran = (" ".join(text.split()) for text in (statement.sql, item.sql))
    return said == ran or (not statement.is_query and said in ran)


def _facts_changed(world: World) -> list[str]:
    """Return what changed since the last validation, apart from what people wrote."""
    reasons = world.stale.get("validate", ())
    return [why for why in reasons if not why.startswith((SEMANTIC, GRAPH, "graph.json"))]


def verified(world: World) -> frozenset[Keys]:
    """Return the places of the statements that ran without fault, as they are written now."""
    if _facts_changed(world):
        return frozenset()
    checked = _checked(world)
    found = set()
    for statement in statements(world):
        item = checked.get((statement.kind, statement.name))
        if item and item.status == "ok" and _same(statement, item):
            found.add(statement.place)
    return frozenset(found)


def _refused(world: World) -> Iterator[Found]:
    unread = {u.keys: u for u in world.unresolved if u.by == "sql" and not u.text}
    checked = _checked(world)
    for statement in statements(world):
        if not statement.is_query:
            continue
        why_unread = unread.get(statement.place)
        if why_unread is None and world.is_unresolved(statement.place):
            continue
        item = checked.get((statement.kind, statement.name))
        if _same(statement, item) and item and item.status == "ok":
            continue
        try:
            found = _judged(statement, world)
        except SettingError:
            break  # no statement of this dialect can be judged
        if found is not None:
            unread.pop(statement.place, None)
            yield found
    for lacking in unread.values():
        why = lacking.reason.partition(": ")[2] or lacking.reason
        yield Found(
            f"{_KINDS.get(lacking.item.kind, lacking.item.kind)} {shown(lacking.item.name)}",
            f"the SQL can't be read: {shown(why, 200)}",
            "mend it at the place that is named",
            lacking.keys,
            lacking.item.file,
            what=".".join(map(str, lacking.keys[2:])),
            at=(lacking.line, lacking.column) if lacking.line else None,
        )


def _judged(statement: Statement, world: World) -> Found | None:
    """Return why a statement isn't run, in the words in which validation says it.

    Raises:
        SettingError: the guard doesn't know the dialect.
    """
    from pipeline.database import guard

    if statement.kind == "metric" and is_expression(statement.sql, world.catalog.dialect):
        return Found(
            statement.target,
            f"the {statement.target}: {EXPRESSION}",
            WHOLE,
            statement.place,
            at=world.document.positions.within(statement.place, 1, 1),
        )
    try:
        guard.check(
            statement.sql,
            world.catalog.dialect,
            catalog=world.catalog,
            allow_functions=world.settings.allow_functions,
            allow_tables=world.settings.allow_tables,
        )
    except RefusedError as error:
        why, line, column = apart(one_line(error.problem))
        return Found(
            statement.target,
            f"the SQL of the {statement.target} is refused: {why}",
            one_line(error.fix),
            statement.place,
            at=world.document.positions.within(statement.place, line, column) if line else None,
        )
    return None


def _failed(world: World) -> Iterator[Found]:
    checked = _checked(world)
    refused = {found.target for found in world.found("DL601")}
    for statement in statements(world):
        item = checked.get((statement.kind, statement.name))
        known = statement.target in refused or world.is_unresolved(statement.place)
        if item and item.status == "failed" and not known and _same(statement, item):
            yield Found(
                statement.target,
                f"the {statement.target} failed when it was run: {shown(item.cause, 200)}",
                f"mend the SQL, then run {world.command('validate')}",
                statement.place,
            )


def _not_run(world: World) -> Iterator[Found]:
    if world.catalog.structure_only:
        return
    written = list(statements(world))
    if not written:
        return
    if world.validation is None:
        yield _none_run(world, f"none of the {counted(len(written), 'statement')} was ever run")
        return
    old = _facts_changed(world)
    if old:
        yield _none_run(world, f"no statement was run since {' and '.join(old)}")
        return
    checked = _checked(world)
    refused = {found.target for found in world.found("DL601")}
    for statement in written:
        item = checked.get((statement.kind, statement.name))
        if statement.target in refused or world.is_unresolved(statement.place):
            continue  # it can't be run
        if not _same(statement, item):
            why = "is new" if item is None else "was changed"
            yield Found(
                statement.target,
                f"the {statement.target} {why} and wasn't run yet",
                f"run {world.command('validate')}",
                statement.place,
            )
        elif item and item.status == "skipped":
            yield Found(
                statement.target,
                f"the {statement.target} wasn't run: {shown(item.cause, 200)}",
                f"run {world.command('validate')} where the database can be reached",
                statement.place,
            )


def _none_run(world: World, message: str) -> Found:
    fix = f"run {world.command('validate')}"
    return Found("all statements", message, fix, ("examples",), what="none run")


def _hidden(world: World) -> Iterator[Found]:
    hidden = {name for name, card in world.cards.items() if card.hidden}
    if not hidden:
        return
    for statement in statements(world):
        for name in sorted(hidden & world.used_by(statement.place)):
            yield Found(
                statement.target,
                f"the {statement.target} reads {name}, which is hidden",
                "use the table that took its place, or show this one again",
                statement.place,
                what=name,
            )


def _unordered(world: World) -> Iterator[Found]:
    for statement in statements(world):
        if statement.is_query and _LIMITS.search(statement.sql) and _is_cut(world, statement.sql):
            yield Found(
                statement.target,
                f"the {statement.target} takes the first rows of no order (LIMIT without ORDER BY)",
                "add ORDER BY, and a last column that makes it total",
                statement.place,
            )


def _is_cut(world: World, sql: str) -> bool:
    """Whether the outermost query takes some rows of several in no order."""
    import sqlglot
    from sqlglot import exp

    from pipeline.database.grammar import grammar

    try:
        tree = sqlglot.parse_one(sql, dialect=grammar(world.catalog.dialect))
    except (sqlglot.errors.SqlglotError, RecursionError):
        return False
    query = tree.unnest()
    limit = query.args.get("limit") or query.args.get("fetch")
    if not limit or query.args.get("order"):
        return False
    if isinstance(query, exp.Select) and not query.args.get("group"):
        outputs = [item.unalias() for item in query.expressions]
        windows = any(item.find(exp.Window) for item in outputs)
        if not windows and any(item.find(exp.AggFunc) for item in outputs):
            return False  # one row
    return True


RULES = (
    Rule(
        "DL601",
        "refused-sql",
        "error",
        "SQL of an example, metric or term that can't be read, or that the guard refuses.",
        "It can't be run, so nobody knows whether it is right, and an agent that copies it is "
        "refused.",
        "Follow the message; [the guard](guard.md) lists what is allowed.",
        "examples:\n  - {question: …, sql: SELEC 1}  # the SQL of the example … is refused: …",
        _refused,
    ),
    Rule(
        "DL602",
        "failed-sql",
        "error",
        "An example, metric or term that failed when it was validated.",
        "A wrong example is worse than none: agents copy it.",
        "Mend it, then run `dblore validate`.",
        "metrics:\n  - {name: sales, sql: SELECT SUM(x.y)}  # the metric sales failed when it "
        "was run: …",
        _failed,
    ),
    Rule(
        "DL603",
        "not-run",
        "warning",
        "An example, metric or term that wasn't run since it, the catalogue or the graph "
        "changed; told "
        "once when that is true of all.",
        "That it ran once says nothing of today's tables.",
        "Run `dblore validate`.",
        "examples:\n  - {question: …, sql: …}  # the example … was changed and wasn't run yet",
        _not_run,
    ),
    Rule(
        "DL604",
        "hidden-table-used",
        "warning",
        "An example, metric or term that reads a table with `hidden: true`.",
        "Agents don't see the table, and yet learn to use it.",
        "Use the table that took its place, or show this one again.",
        "orders_old: {hidden: true}  # the example … reads orders_old, which is hidden",
        _hidden,
    ),
    Rule(
        "DL605",
        "limit-without-order",
        "warning",
        "An example, metric or term whose outermost query has LIMIT, FETCH or TOP and no ORDER BY.",
        "It returns other rows at the next run, and agents copy it.",
        "Add ORDER BY.",
        "examples:\n  - {question: …, sql: SELECT * FROM orders LIMIT 5}  # … no order",
        _unordered,
    ),
)
