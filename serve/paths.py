"""How two tables join: the cheapest way, other ways, and what to beware of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pipeline import sql_names
from pipeline.joins import JoinPath, JoinStep, on_clause
from serve.cards import code, link_origin, plain, sql_code
from serve.knowledge import KnowledgeBase


@dataclass(frozen=True, slots=True)
class Paths:
    """The ways from one table to another, cheapest first."""

    from_table: str
    to_table: str
    dialect: str
    found: tuple[JoinPath, ...]

    def data(self) -> dict[str, Any]:
        """Return JSON values."""
        return {
            "from": self.from_table,
            "to": self.to_table,
            "paths": [
                {
                    "tables": list(path.tables),
                    "joins": self._steps(path),
                    "label": path.label,
                    "fans_out": path.fans_out,
                }
                for path in self.found
            ],
        }

    def markdown(self) -> str:
        """Return Markdown: a numbered way each, with its joins as SQL."""
        if not self.found:
            ends = f"from {code(self.from_table)} to {code(self.to_table)}"
            return f"No known join leads {ends}.\n"
        lines = []
        for number, path in enumerate(self.found, start=1):
            role = f" ({plain(path.label)})" if path.label else ""
            lines.append(f"{number}. {' → '.join(plain(table) for table in path.tables)}{role}")
            for step in self._steps(path):
                kind = step["cardinality"].replace("_", " ")
                lines.append(f"   - {sql_code(step['sql'])} · {kind} [{step['origin']}]")
            if path.fans_out:
                lines.append("   - beware: rows repeat on this way; aggregate before joining")
        return "\n".join(lines) + "\n"

    def _steps(self, path: JoinPath) -> list[dict[str, str]]:
        """Return each join as SQL; a table that is met again gets an alias.

        So does one of the same name in another schema: not all engines tell the two apart.
        """
        names = {path.tables[0]: sql_names.table(path.tables[0], self.dialect)}
        return [self._step(step, names) for step in path.steps]

    def _step(self, step: JoinStep, names: dict[str, str]) -> dict[str, str]:
        target = sql_names.table(step.target, self.dialect)
        here = names[step.source]
        there, joined = target, target
        if any(sql_names.namesakes(step.target, name) for name in names):
            there = sql_names.quote(f"{step.target}_again", self.dialect)
            joined = f"{target} AS {there}"
        names[step.target] = there
        aliases = (here, there) if step.forward else (there, here)
        clause = on_clause(step.link, lambda name: sql_names.quote(name, self.dialect), aliases)
        sql = f"JOIN {joined} ON {clause}"
        return {"sql": sql, "origin": link_origin(step.link), "cardinality": step.cardinality}


def find_paths(base: KnowledgeBase, from_table: str, to_table: str, *, at_most: int = 3) -> Paths:
    """Return the ways from one table to another, cheapest first.

    Raises:
        NotFoundError: a table is unknown; near names are offered.
    """
    first, last = base.table(from_table).name, base.table(to_table).name
    facts = base.facts
    found = facts.joins.path(first, last, at_most=at_most)
    return Paths(first, last, facts.catalog.dialect, found)
