"""Sixty mutations of one catalogue: which items are named, and which should be."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from evals.impact import mutations as make
from evals.impact.gold import Gold, Id
from evals.impact.marks import Layer, Made, Names
from evals.impact.mutations import Facts, Mutation
from pipeline.authored import read_evaluation, read_knowledge_graph, read_semantic
from pipeline.impact import Knowledge, changes, impact
from pipeline.references import references
from schemas.changes import Change
from schemas.facts import Catalog, Link, Table
from schemas.knowledge import Relation
from schemas.results import Graph, GraphRelation

COUNTS = {
    "rename column": 16, "rename table": 8, "drop column": 12, "drop table": 6, "retype": 8,
    "new_code": 5, "not_unique": 5,
}  # fmt: skip
"""How many mutations of each kind: 60."""


@dataclass(slots=True)
class Verdict:
    """What came of one mutation."""

    mutation: str
    expected: int
    missed: list[str] = field(default_factory=list)
    false: list[str] = field(default_factory=list)
    recognised: bool = True
    """The comparison of the catalogues tells this very change."""


@dataclass(slots=True)
class Figures:
    """What came of all of them."""

    items: int
    examples: int
    mutations: int
    expected: int
    missed: list[str]
    false: list[str]
    unrecognised: list[str]
    seconds: float


class Bench:
    """A marked layer over a catalogue, and the references of its files."""

    def __init__(self, layer: Path, facts: Facts, folder: Path) -> None:
        self.layer = Layer(layer)
        catalog = self.layer.with_views(facts.catalog)
        views = {table.name for table in catalog.tables if "view" in table.kind}
        kept = tuple(
            table
            for table in facts.profile.tables
            if table.table in catalog.by_name and table.table not in views
        )
        joins = tuple(
            j for j in facts.profile.joins if not {j.table, j.to_table} - set(catalog.by_name)
        )
        profile = replace(facts.profile, tables=kept, joins=joins)
        self.facts = Facts(catalog, profile)
        for name, text in self.layer.files().items():
            (folder / name).write_text(text, encoding="utf-8")
        semantic = read_semantic(folder / "semantic.yaml")
        graph = read_knowledge_graph(folder / "knowledge_graph.yaml")
        self.gold = Gold(self.layer, catalog)
        measured = Graph(relations=tuple(self._measured(graph.graph.relations)))
        evaluation = read_evaluation(folder / "evaluation.yaml")
        self.references = references(
            catalog, semantic, graph, evaluation=evaluation, measured=measured
        )
        self.knowledge = Knowledge(
            catalog, self.references, semantic.semantic, graph.graph, evaluation.questions
        )

    def _measured(self, relations: Sequence[Relation]) -> Iterator[GraphRelation]:
        """Yield what the graph's stage would tell of the joins of relations."""
        for relation in relations:
            links: list[Link] = []
            for text in relation.via:
                table, _, column = text.rpartition(".")
                found = self.facts.catalog.by_name[table].foreign_keys
                links += [link for link in found if link.columns == (column,)]
            if links:
                yield GraphRelation(
                    relation,
                    "verified",
                    relation.subject,
                    relation.predicate,
                    relation.object,
                    tuple(links),
                )

    def judge(self, mutation: Mutation) -> Verdict:
        """Compare the catalogues before and after, and the items named with those marked."""
        after = self.mutated(mutation)
        found = changes(self.facts.catalog, after.catalog, self.facts.profile, after.profile)
        named = {
            (i.item.file, i.item.kind, i.item.path)
            for i in impact(found, self.knowledge, now=after.catalog)
        }
        expected = self.gold.suspects(mutation)
        return Verdict(
            str(mutation),
            len(expected),
            [f"{mutation}: {' '.join(one)}" for one in sorted(expected - named)],
            [f"{mutation}: {' '.join(one)}" for one in sorted(named - expected)],
            any(_tells(change, mutation) for change in found),
        )

    def mutated(self, mutation: Mutation) -> Facts:
        """Return the facts after a mutation."""
        table, column = mutation.table, mutation.column
        if mutation.kind == "rename":
            after = make.renamed(self.facts, table, column, mutation.new)
            if mutation.adapts_views:
                names = Names(self.layer.names.tables, {(table, column): mutation.new})
                views = self.layer.with_views(after.catalog, names).by_name
                after = Facts(_with_definitions(after.catalog, views), after.profile)
            return after
        if mutation.kind == "drop":
            return make.dropped(self.facts, table, column)
        assert column is not None
        if mutation.kind == "retype":
            return make.retyped(self.facts, table, column, mutation.new)
        if mutation.kind == "new_code":
            code = int(mutation.new) if mutation.new.isdigit() else mutation.new
            return make.with_code(self.facts, table, column, code)
        return make.not_unique(self.facts, table, column)

    # -- picking --------------------------------------------------------------------------------

    def pick(self, seed: int, counts: dict[str, int]) -> list[Mutation]:
        """Return seeded mutations: of what is used, now and then of what isn't."""
        chance = random.Random(seed)
        picked: list[Mutation] = []
        for kind, count in counts.items():
            pool = list(self._pool(kind))
            used = [place for place in pool if self._users(*place)]
            rest = [place for place in pool if place not in used]
            chance.shuffle(used)
            chance.shuffle(rest)
            few = min(len(rest), count // 6)
            places = [*used[: count - few], *rest[:few]]
            picked += [self._made(kind, place, n, chance) for n, place in enumerate(places)]
        return picked

    def _users(self, table: str, column: str | None) -> list[Made]:
        return [made for made in self.gold.items if made.uses(table, column)]

    def _pool(self, kind: str) -> Iterator[tuple[str, str | None]]:
        for table in self.facts.catalog.tables:
            is_view = "view" in table.kind
            if kind.endswith("table"):
                yield table.name, None
                continue
            data = self.facts.profile.by_table.get(table.name)
            for column in table.columns:
                measured = data.column(column.name) if data else None
                values = measured.values if measured and measured.values_complete else ()
                rows = data.rows if data and data.rows else 0
                is_code = 2 <= len(values) <= 12 and rows > 2 * len(values)
                is_code = is_code and column.family in ("text", "integer", "boolean")
                is_key = _is_unique(table, column.name)
                fits = {"new_code": is_code, "not_unique": is_key, "retype": not is_view}
                if fits.get(kind, True):
                    yield table.name, column.name

    def _made(
        self, kind: str, place: tuple[str, str | None], number: int, chance: random.Random
    ) -> Mutation:
        table, column = place
        verb = kind.partition(" ")[0]
        if verb == "rename":
            adapts = number % 2 == 0 and "view" not in self.facts.catalog.by_name[table].kind
            return Mutation(verb, table, column, make.new_name(column or table, chance), adapts)
        if verb == "retype":
            found = self.facts.catalog.by_name[table].column(column or "")
            native = "TEXT" if found and found.family != "text" else "INTEGER"
            return Mutation(verb, table, column, native)
        if verb == "new_code":
            data = self.facts.profile.by_table[table].column(column or "")
            values = [item.value for item in data.values] if data else []
            numbers = [value for value in values if isinstance(value, int)]
            return Mutation(verb, table, column, str(max(numbers) + 1) if numbers else "ZZ")
        return Mutation(verb, table, column)


def run(bench: Bench, seed: int, counts: dict[str, int]) -> tuple[Figures, list[Verdict]]:
    """Judge seeded mutations."""
    begun = time.perf_counter()
    verdicts = [bench.judge(mutation) for mutation in bench.pick(seed, counts)]
    items = bench.gold.items
    return (
        Figures(
            len(items),
            sum(made.kind == "example" for made in items),
            len(verdicts),
            sum(verdict.expected for verdict in verdicts),
            [line for verdict in verdicts for line in verdict.missed],
            [line for verdict in verdicts for line in verdict.false],
            [verdict.mutation for verdict in verdicts if not verdict.recognised],
            round(time.perf_counter() - begun, 2),
        ),
        verdicts,
    )


def unlike(bench: Bench) -> list[str]:
    """Return where the references and the marks disagree, so that a fault of either shows."""
    known: dict[Id, set[tuple[str, str | None]]] = {}
    for use in bench.references.uses:
        one = (use.item.file, use.item.kind, use.item.path)
        known.setdefault(one, set()).add((use.table, use.column))
    told = []
    for made in bench.gold.items:
        marked = {(m.table, m.column) for m in made.marks if m.column}
        read = {place for place in known.get(made.id, set()) if place[1]}
        told += [f"{' '.join(made.id)}: unread {p}" for p in sorted(marked - read)]
        told += [f"{' '.join(made.id)}: unmarked {p}" for p in sorted(read - marked)]
    told += [f"{u.item.path}: {u.text}: {u.reason}" for u in bench.references.unresolved]
    return told


def _tells(change: Change, mutation: Mutation) -> bool:
    kinds = {
        "rename": ("table_renamed", "column_renamed"),
        "drop": ("table_dropped", "column_dropped"),
        "retype": ("type_changed", "type_narrowed", "type_widened"),
        "new_code": ("code_appeared",),
        "not_unique": ("uniqueness_lost", "key_lost"),
    }[mutation.kind]
    is_there = change.table == mutation.table and change.kind in kinds
    if mutation.kind != "rename":
        return bool(is_there and (mutation.column is None or change.column == mutation.column))
    if mutation.column is None:
        return bool(is_there and change.to_table == mutation.new)
    return bool(
        is_there and change.column == mutation.column and change.to_columns == (mutation.new,)
    )


def _is_unique(table: Table, column: str) -> bool:
    return table.has_key((column,)) and "view" not in table.kind


def _with_definitions(catalog: Catalog, views: dict[str, Table]) -> Catalog:
    tables = tuple(
        replace(table, definition=views[table.name].definition)
        if "view" in table.kind and table.name in views
        else table
        for table in catalog.tables
    )
    return replace(catalog, tables=tables)
