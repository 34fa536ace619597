"""semantic.draft.yaml as text."""

from __future__ import annotations

from pipeline.authored.writing import comment, flow, key, scalar
from pipeline.draft.suggest import ColumnSuggestion, Suggestion, TableSuggestion
from pipeline.text import thousands
from schemas.models import Coverage, Link, Share

_HEAD = """\
# What nobody has described yet, most useful first.
#
# `dblore build` writes this file anew, so don't edit it. `dblore accept` takes suggestions over
# into semantic.yaml, with --blank also the places that wait for your words, which stand here as ''.
# What is said there is gone from here. Behind a suggestion stands where it comes from.
"""


def header(coverage: Coverage) -> list[str]:
    """Return the lines that say what the file is and how far the database is described."""
    shares = (
        (coverage.tables, "tables"),
        (coverage.columns, "columns"),
        (coverage.codes, "code lists"),
        (coverage.units, "units"),
    )
    said = ", ".join(f"{_share(share)} {what}" for share, what in shares if share.total)
    lines = [*_HEAD.splitlines(), "#", f"# Described: {said or 'nothing to describe'}."]
    if coverage.next:
        lines.append(comment(f"Begin with {', '.join(coverage.next[:5])}.", 300))
    return lines


def _share(share: Share) -> str:
    return f"{thousands(share.done)} of {thousands(share.total)}"


def database(notes: list[tuple[str, str]], housekeeping: list[tuple[str, str]]) -> list[str]:
    """Return the lines of `database:`; none when there is nothing to suggest."""
    lines = []
    for name, items in (("dialect_notes", notes), ("housekeeping_columns", housekeeping)):
        if items:
            lines.append(f"  {name}:")
            lines += [f"    - {scalar(text)}  {comment(why)}" for text, why in items]
    return ["", "database:", *lines] if lines else []


def relationships(found: list[tuple[Link, str]]) -> list[str]:
    """Return the lines of `relationships:`."""
    lines = []
    for link, why in found:
        ends = (
            tuple(f"{link.table}.{column}" for column in link.columns),
            tuple(f"{link.to_table}.{column}" for column in link.to_columns),
        )
        one, other = (scalar(end[0]) if len(end) == 1 else flow(end) for end in ends)
        lines += [f"  - from: {one}  {comment(why)}", f"    to: {other}"]
        if link.condition:
            lines.append(f"    condition: {scalar(link.condition)}")
    return ["", "relationships:", *lines] if lines else []


def tables(found: list[TableSuggestion]) -> list[str]:
    """Return the lines of `tables:`."""
    lines = ["", "tables:"] if found else []
    for table in found:
        lines += ["", f"  {key(table.name)}:{_behind(table.facts)}"]
        if table.description is not None:
            lines.append(_line(4, "description", table.description))
        if table.grain is not None:
            lines.append(_line(4, "grain", table.grain))
        if table.columns:
            lines.append("    columns:")
        for column in table.columns:
            lines += _column(column)
    return lines


def _column(column: ColumnSuggestion) -> list[str]:
    name = key(column.name)
    if not column.values and column.unit is None and column.description is not None:
        said = column.description
        facts = "; ".join(filter(None, (said.why, column.facts)))
        return [f"      {name}: {_text(said)}{_behind(facts)}"]
    lines = [f"      {name}:{_behind(column.facts)}"]
    if column.description is not None:
        lines.append(_line(8, "description", column.description))
    if column.values:
        lines.append("        values:")
    for code in column.values:
        rows = f"measured: {thousands(code.count)} row{'s' if code.count != 1 else ''}"
        why = "; ".join(filter(None, (code.meaning.why, rows)))
        lines.append(f"          {key(code.code)}: {_text(code.meaning)}{_behind(why)}")
    if column.unit is not None:
        lines.append(_line(8, "unit", column.unit))
    return lines


def _line(indent: int, name: str, said: Suggestion) -> str:
    return f"{' ' * indent}{name}: {_text(said)}{_behind(said.why)}"


def _text(said: Suggestion) -> str:
    return scalar(said.text)


def _behind(text: str) -> str:
    return f"  {comment(text, 240)}" if text else ""
