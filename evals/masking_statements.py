"""Random statements over tables that hold sensitive columns, for the eval of masking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

Columns = tuple[tuple[str, str], ...]
"""Name and kind (`text` or `number`) of each column."""

TABLES: dict[str, Columns] = {
    "people": (
        ("id", "number"),
        ("name", "text"),
        ("email", "text"),
        ("country", "text"),
        ("salary", "number"),
    ),
    "orders": (("id", "number"), ("person_id", "number"), ("amount", "number"), ("status", "text")),
    "Odd Names": (("id", "number"), ("e-mail", "text"), ("group", "text")),
    "contacts": (("id", "number"), ("address", "text"), ("country", "text")),
}
_DEEPEST = 3


@dataclass(frozen=True, slots=True)
class Source:
    """An item of FROM."""

    sql: str
    alias: str
    columns: Columns


class Statements:
    """Writes statements of one dialect; each needs a name that was not there before."""

    def __init__(self, random: Random, dialect: str) -> None:
        self.random = random
        self.dialect = dialect
        self._last = 0
        self._ctes: list[tuple[str, Columns]] = []

    def statement(self) -> str:
        """Return one statement."""
        self._ctes = []
        with_ = [self._cte() for _ in range(self.random.choice([0, 0, 1, 2]))]
        body, _ = self._query(0)
        recursive = "RECURSIVE " if any("UNION ALL SELECT r." in cte for cte in with_) else ""
        return f"WITH {recursive}{', '.join(with_)} {body}" if with_ else body

    # -- queries --------------------------------------------------------------------------------

    def _cte(self) -> str:
        name = self._name("w")
        if self._chance(0.3):
            return self._recursive(name)
        sql, columns = self._query(1)
        if self._chance(0.4):
            columns = tuple((self._name("k"), kind) for _, kind in columns)
            listed = ", ".join(column for column, _ in columns)
            self._ctes.append((name, columns))
            return f"{name}({listed}) AS ({sql})"
        self._ctes.append((name, columns))
        return f"{name} AS ({sql})"

    def _recursive(self, name: str) -> str:
        columns: Columns = tuple(
            (column, kind) for column, kind in (("n", "number"), ("a", "text"), ("b", "text"))
        )
        self._ctes.append((name, columns))
        first = self.random.choice(["'x'", "p.email", "p.country", "lower(p.name)"])
        second = self.random.choice(["'y'", "p.name", "p.country"])
        return (
            f"{name}(n, a, b) AS (SELECT p.id, {first}, {second} FROM people p UNION ALL SELECT "
            f"r.n + 1, r.b, r.a FROM {name} r WHERE r.n < 4)"
        )

    def _query(self, depth: int, kinds: Sequence[str] | None = None) -> tuple[str, Columns]:
        if depth < _DEEPEST and self._chance(0.2):
            left, columns = self._select(depth + 1, kinds)
            right, _ = self._select(depth + 1, [kind for _, kind in columns])
            word = self.random.choice(["UNION", "UNION ALL", "EXCEPT", "INTERSECT"])
            return f"{left} {word} {right}", columns
        return self._select(depth, kinds)

    def _select(self, depth: int, kinds: Sequence[str] | None) -> tuple[str, Columns]:
        sources, from_ = self._from(depth)
        if kinds is None and self._chance(0.15):
            return self._star(sources, from_)
        wanted = kinds or [self.random.choice(["text", "number"]) for _ in range(self._one_to(4))]
        grouped = self._chance(0.3)
        keys: list[str] = []
        items: list[str] = []
        columns: list[tuple[str, str]] = []
        for kind in wanted:
            item = self._aggregate(kind, sources) if grouped else self._value(kind, sources, depth)
            key = self._column(kind, sources)
            if grouped and key is not None and self._chance(0.3):
                item = key
                keys.append(key)
            name = self._name("c")
            items.append(f"{item} AS {name}")
            columns.append((name, kind))
        where = f" WHERE {self._condition(sources)}" if self._chance(0.3) else ""
        group = f" GROUP BY {', '.join(keys)}" if grouped and keys else ""
        distinct = "DISTINCT " if self._chance(0.1) else ""
        return f"SELECT {distinct}{', '.join(items)} FROM {from_}{where}{group}", tuple(columns)

    def _star(self, sources: list[Source], from_: str) -> tuple[str, Columns]:
        if self._chance(0.5) or len({n for s in sources for n, _ in s.columns}) < sum(
            len(s.columns) for s in sources
        ):
            chosen = self.random.choice(sources)
            star, columns = f"{chosen.alias}.*", chosen.columns
        else:
            star, columns = "*", tuple(c for source in sources for c in source.columns)
        if self.dialect == "duckdb" and self._chance(0.4) and len(columns) > 1:
            left_out, _ = self.random.choice(columns)
            columns = tuple(c for c in columns if c[0] != left_out)
            star = f"{star} EXCLUDE ({_quoted(left_out)})"
        return f"SELECT {star} FROM {from_}", columns

    def _from(self, depth: int) -> tuple[list[Source], str]:
        sources = [self._source(depth)]
        text = sources[0].sql
        for _ in range(self.random.choice([0, 0, 1, 1, 2])):
            if self.dialect != "sqlite" and self._chance(0.2):
                lateral = self._lateral(sources)
                sources.append(lateral)
                text += f" CROSS JOIN {lateral.sql}"
                continue
            other = self._source(depth)
            left = self._column("number", sources) or "1"
            right = self._column("number", [other]) or "1"
            kind = self.random.choice(["JOIN", "LEFT JOIN"])
            sources.append(other)
            text += f" {kind} {other.sql} ON {left} = {right}"
        return sources, text

    def _source(self, depth: int) -> Source:
        alias = self._name("t")
        roll = self.random.random()
        if self._ctes and roll < 0.3:
            name, columns = self.random.choice(self._ctes)
            return Source(f"{name} AS {alias}", alias, columns)
        if depth < _DEEPEST and roll < 0.5:
            sql, columns = self._query(depth + 1)
            if self._chance(0.3) and self.dialect != "sqlite":
                columns = tuple((self._name("d"), kind) for _, kind in columns)
                listed = ", ".join(name for name, _ in columns)
                return Source(f"({sql}) AS {alias}({listed})", alias, columns)
            return Source(f"({sql}) AS {alias}", alias, columns)
        if roll < 0.55 and self.dialect != "sqlite":
            columns = (("x", "number"), ("y", "text"))
            return Source(f"(VALUES (1, 'one'), (2, 'two')) AS {alias}(x, y)", alias, columns)
        table = self.random.choice(list(TABLES))
        return Source(f"{_quoted(table)} AS {alias}", alias, TABLES[table])

    def _lateral(self, sources: list[Source]) -> Source:
        alias, name = self._name("l"), self._name("v")
        value = self._value("text", sources, _DEEPEST)
        if self._chance(0.5):
            array = f"[{value}]" if self.dialect == "duckdb" else f"ARRAY[{value}]"
            return Source(f"unnest({array}) AS {alias}({name})", alias, ((name, "text"),))
        sql = f"LATERAL (SELECT {value} AS {name}) AS {alias}"
        return Source(sql, alias, ((name, "text"),))

    # -- expressions ------------------------------------------------------------------------------

    def _column(self, kind: str, sources: list[Source]) -> str | None:
        names = [
            f"{source.alias}.{_quoted(name)}"
            for source in sources
            for name, its_kind in source.columns
            if its_kind == kind
        ]
        return self.random.choice(names) if names else None

    def _value(self, kind: str, sources: list[Source], depth: int) -> str:
        column = self._column(kind, sources)
        plain = column or ("'word'" if kind == "text" else "7")
        if self._chance(0.35):
            return plain
        if self._chance(0.15):
            return self._window(kind, plain, sources)
        if self.dialect != "sqlite" and kind == "text" and self._chance(0.1):
            return self._whole_row(self.random.choice(sources))
        if depth < _DEEPEST and self._chance(0.15):
            return self._scalar(kind, sources, depth)
        form = self.random.choice(_TEXTS if kind == "text" else _NUMBERS)
        other = self._column("text", sources) or "'word'"
        return form.format(a=plain, b=other, c=self._condition(sources))

    def _whole_row(self, source: Source) -> str:
        form = self.random.choice(["CAST({} AS VARCHAR)", "CAST(to_json({}) AS VARCHAR)"])
        return form.format(source.alias)

    def _scalar(self, kind: str, sources: list[Source], depth: int) -> str:
        inner = self._source(depth + 1)
        column = self._column(kind, [inner]) or ("'w'" if kind == "text" else "1")
        function = self.random.choice(["min", "max"])
        correlated = self._column("number", sources)
        key = self._column("number", [inner])
        where = f" WHERE {key} >= {correlated}" if correlated and key else ""
        return f"(SELECT {function}({column}) FROM {inner.sql}{where})"

    def _window(self, kind: str, plain: str, sources: list[Source]) -> str:
        order = self._column(self.random.choice(["text", "number"]), sources) or "1"
        forms = ["lag({0}) OVER (ORDER BY {1})", "max({0}) OVER (PARTITION BY {1})"]
        forms.append("first_value({0}) OVER (ORDER BY {1})")
        if kind == "number":
            forms += ["row_number() OVER (ORDER BY {1})", "rank() OVER (ORDER BY {1}, {0})"]
        return self.random.choice(forms).format(plain, order)

    def _aggregate(self, kind: str, sources: list[Source]) -> str:
        column = self._column(kind, sources) or ("'w'" if kind == "text" else "1")
        text = self._column("text", sources) or "'w'"
        if kind == "number":
            forms = ["count(*)", f"count(DISTINCT {text})", f"max({column})", f"avg({column})"]
            forms += [f"count(*) FILTER (WHERE {self._condition(sources)})", f"sum({column})"]
            return self.random.choice(forms)
        joined = "group_concat" if self.dialect == "sqlite" else "string_agg"
        return self.random.choice([f"min({column})", f"max({column})", f"{joined}({column}, ',')"])

    def _condition(self, sources: list[Source]) -> str:
        text = self._column("text", sources) or "'w'"
        number = self._column("number", sources) or "1"
        return self.random.choice(
            [
                f"{text} IS NOT NULL",
                f"{number} > 1",
                f"{text} LIKE '%a%'",
                f"EXISTS (SELECT 1 FROM people q WHERE q.name = {text})",
                f"{number} IN (SELECT q.id FROM people q WHERE q.email > 'a')",
            ]
        )

    def _chance(self, share: float) -> bool:
        return self.random.random() < share

    def _one_to(self, most: int) -> int:
        return self.random.randint(1, most)

    def _name(self, letter: str) -> str:
        self._last += 1
        return f"{letter}{self._last}"


_TEXTS = (
    "lower({a})",
    "substr({a}, 2, 20)",
    "{a} || {b}",
    "coalesce({a}, {b})",
    "CASE WHEN {c} THEN {a} ELSE {b} END",
    "replace(trim({a}), 'q', {b})",
    "nullif({a}, {b})",
)
_NUMBERS = (
    "{a} + 1",
    "abs({a})",
    "length({b})",
    "CASE WHEN {c} THEN {a} ELSE 0 END",
    "coalesce({a}, 3)",
)


def _quoted(name: str) -> str:
    return name if name.isidentifier() and name != "group" else f'"{name}"'
