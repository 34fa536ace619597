"""Which tables are partitions of which, and which inherit from others."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping

from pipeline.database.connect import Row


class Inheritance:
    """The rows of pg_inherits, as (child, parent, whether the child is a partition)."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._parent_of_partition: dict[int, int] = {}
        self._parents: dict[int, list[int]] = defaultdict(list)
        self._children: dict[int, list[int]] = defaultdict(list)
        for child, parent, is_partition in rows:
            if is_partition:
                self._parent_of_partition[child] = parent
            else:
                self._parents[child].append(parent)
                self._children[parent].append(child)
        leaves = set(self._parent_of_partition) - set(self._parent_of_partition.values())
        self._counts = Counter(self.root(leaf) for leaf in leaves)

    def root(self, oid: int) -> int:
        """Return the partitioned table to which a partition belongs at last; others themselves."""
        while oid in self._parent_of_partition:
            oid = self._parent_of_partition[oid]
        return oid

    def partitions(self, oid: int) -> int | None:
        """Return how many partitions that hold rows a table has."""
        return self._counts.get(oid)

    def is_parent(self, oid: int) -> bool:
        """Whether other tables inherit from one."""
        return oid in self._children

    def traits(self, oid: int, names: Mapping[int, str]) -> Iterator[str]:
        """Yield from which tables one inherits, and which inherit from it."""
        for word, others in (("INHERITS", self._parents), ("INHERITED BY", self._children)):
            known = sorted(names[other] for other in others.get(oid, ()) if other in names)
            if known:
                yield f"{word} {', '.join(known)}"
