"""Whether statements give the results that are known to be right."""

from __future__ import annotations

from collections.abc import Mapping

from pipeline.database import query
from pipeline.database.page import Limits, Result
from pipeline.database.source import Source
from pipeline.database.tally import MOST_ROWS
from pipeline.errors import DbloreError, SourceError, is_late
from pipeline.expectations import differences, nature, rows_to_read
from pipeline.references.statements import Statements
from pipeline.text import counted, one_line
from schemas.golden import GoldenCheck
from schemas.knowledge import Expectation, GoldenQuestion
from serve.knowledge import Facts

SECONDS = 30.0
_NO_DATABASE = "the database isn't used"


class Executor:
    """Runs the statements of questions, and those of answers."""

    def __init__(
        self,
        facts: Facts,
        source: Source | None,
        answers: Mapping[str, str] | None,
        statements: Statements,
    ) -> None:
        self._facts = facts
        self._statements = statements
        self._source = source
        self._answers = answers

    def checks(self, name: str, question: GoldenQuestion) -> list[GoldenCheck]:
        """Return what is to be said of the question's own statement and of its answer."""
        found = []
        if question.sql:
            found.append(self._own(question.sql, question.expect))
        if self._answers is not None and (question.sql or question.expect):
            found.append(self._answered(self._answers.get(name), question))
        return found

    def _own(self, sql: str, expect: Expectation | None) -> GoldenCheck:
        if self._source is None:
            return self._looked_through(sql)
        try:
            if expect is None:
                self._prove(sql)
                return GoldenCheck("sql", "passed")
            differ = self._against(sql, expect, self._order(sql))
        except SourceError:
            raise
        except DbloreError as error:
            return GoldenCheck("sql", "failed", _told(error))
        return GoldenCheck("sql", "failed" if differ else "passed", differ)

    def _looked_through(self, sql: str) -> GoldenCheck:
        """Return what the catalogue alone tells: names that it lacks, else that nothing was run."""
        missing = [name for name in self._statements.read(sql).missing if name.text]
        if not missing:
            return GoldenCheck("sql", "skipped", _NO_DATABASE)
        first = missing[0]
        offer = f" (did you mean {first.nearest}?)" if first.nearest else ""
        return GoldenCheck("sql", "failed", f"{first.reason}{offer}")

    def _answered(self, answer: str | None, question: GoldenQuestion) -> GoldenCheck:
        if answer is None:
            return GoldenCheck("execution", "failed", "there is no answer to it")
        if self._source is None:
            return GoldenCheck("execution", "skipped", _NO_DATABASE)
        try:
            if question.sql:
                differ = self._compared(question.sql, answer)
            else:
                assert question.expect is not None
                differ = self._against_either(answer, question.expect)
        except SourceError:
            raise
        except DbloreError as error:
            return GoldenCheck("execution", "failed", _told(error))
        return GoldenCheck("execution", "failed" if differ else "passed", differ)

    def _compared(self, sql: str, answer: str) -> str:
        """Return how the result of an answer differs from that of the right statement."""
        order = self._order(sql)
        given = self._tally(answer, order=order)
        right = self._tally(sql, order=order)
        assert right.tally is not None
        assert given.tally is not None
        if right.tally.has_more or given.tally.has_more:
            return f"results of more than {MOST_ROWS:,} rows aren't compared"
        if len(given.columns) != len(right.columns):
            wanted = counted(len(right.columns), "column")
            return f"the answer gives {counted(len(given.columns), 'column')}, {wanted} are right"
        if given.tally.rows != right.tally.rows:
            rows = counted(given.tally.rows, "row")
            return f"the answer gives {rows}, {right.tally.rows:,} are right"
        if given.tally.checksum != right.tally.checksum:
            sequence = ", or another order" if order else ""
            return f"the answer gives other values{sequence}"
        return ""

    def _against_either(self, answer: str, expect: Expectation) -> str:
        """Return how an answer differs from a pin of a statement that isn't there.

        Columns may be called otherwise, and whether the order of rows was pinned isn't known.
        """
        differ = ""
        for order in ((), self._order(answer)):
            differ = self._against(answer, expect, order, names=False)
            if not differ or not expect.checksum:
                break
        return differ

    def _against(
        self, sql: str, expect: Expectation, order: tuple[int, ...], *, names: bool = True
    ) -> str:
        """Return how a result differs from what is pinned."""
        result = self._tally(sql, rows=rows_to_read(expect), order=order, masked=True)
        assert result.tally is not None
        columns = result.columns
        if not names and len(columns) == len(expect.columns):
            columns = expect.columns
        is_masked = bool(result.masked)
        return "; ".join(differences(expect, columns, result.tally, is_masked=is_masked))

    def _order(self, sql: str) -> tuple[int, ...]:
        return nature(sql, self._facts.catalog.dialect).order

    def _prove(self, sql: str) -> None:
        assert self._source is not None
        query.prove(
            self._source,
            sql,
            catalog=self._facts.catalog,
            limits=Limits(seconds=SECONDS),
            sensitive=self._facts.sensitive,
        )

    def _tally(
        self,
        sql: str,
        *,
        rows: int = MOST_ROWS,
        order: tuple[int, ...] = (),
        masked: bool = False,
    ) -> Result:
        """Run a statement; `masked` as a pin is made, else all values count, for none is told."""
        assert self._source is not None
        limits = Limits(rows=rows, seconds=SECONDS)
        sensitive = self._facts.sensitive
        if not masked:
            try:
                return query.tally(
                    self._source, sql, catalog=self._facts.catalog, limits=limits, order=order
                )
            except SourceError:
                raise
            except DbloreError as error:
                if is_late(error.problem):
                    raise
                # engines quote values: it fails again below, and says so without them
        return query.tally(
            self._source,
            sql,
            catalog=self._facts.catalog,
            limits=limits,
            sensitive=sensitive,
            order=order,
        )


def _told(error: DbloreError) -> str:
    return f"{one_line(error.problem)} ({one_line(error.fix)})"
