"""The structured content of the answers: what a client's program reads instead of the Markdown."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from pipeline import sql_names
from pipeline.cards import ColumnCard, TableCard
from pipeline.joins import cardinality_of
from pipeline.text import one_line, shorten
from schemas.models import Link, Scalar
from serve import cards
from serve.mcp.replies import Page


class CodeShape(BaseModel):
    """A stored value."""

    value: Scalar
    meaning: str = ""
    rows: int | None = None
    """0: looked for and not in the data."""


class ColumnShape(BaseModel):
    """A column. What isn't given is not known, or false."""

    name: str
    sql_name: str = ""
    """Quoted, when SQL needs it; '' when it is as `name`."""
    type: str
    nullable: bool = True
    description: str = ""
    description_origin: str = ""
    synonyms: list[str] = Field(default_factory=list)
    unit: str | None = None
    distinct: int | None = None
    nulls: int | None = None
    minimum: Scalar | None = None
    maximum: Scalar | None = None
    codes: list[CodeShape] = Field(default_factory=list)
    codes_complete: bool = False
    sensitive: bool = False
    housekeeping: bool = False


class JoinShape(BaseModel):
    """A join as SQL, and where it comes from."""

    on: str
    table: str
    to_table: str
    cardinality: str
    """Read from `table` to `to_table`."""
    origin: str
    label: str = ""


class NoteShape(BaseModel):
    """What a person noted about a table."""

    note: str


class TableShape(Page):
    """A table with one page of its notes, columns and joins, in that order."""

    table: str
    sql_name: str
    kind: str
    rows: int | None = None
    rows_estimated: bool = False
    description: str = ""
    description_origin: str = ""
    grain: str | None = None
    domain: str | None = None
    synonyms: list[str] = Field(default_factory=list)
    primary_key: list[str] = Field(default_factory=list)
    notes: list[str] = Field(default_factory=list)
    columns: list[ColumnShape] = Field(default_factory=list)
    joins: list[JoinShape] = Field(default_factory=list)


class ListedTable(BaseModel):
    """A table in a list."""

    table: str
    kind: str
    columns: int
    rows: int | None = None
    domain: str | None = None
    description: str = ""
    description_origin: str = ""


class TableList(Page):
    """A page of the tables that match."""

    total: int
    tables: list[ListedTable]


class StepShape(BaseModel):
    """One join on the way."""

    sql: str
    """A JOIN clause."""
    origin: str
    cardinality: str
    """Read in the direction of the way."""


class PathShape(BaseModel):
    """A way to join two tables."""

    tables: list[str]
    joins: list[StepShape]
    label: str = ""
    fans_out: bool = False
    """Rows are repeated on the way: sums and counts need care."""


class PathList(BaseModel):
    """Ways to join two tables, cheapest first; none when there is no known join."""

    paths: list[PathShape]


class HitShape(BaseModel):
    """Something found."""

    kind: str
    ref: str
    text: str
    tables: list[str]
    score: float


class HitList(BaseModel):
    """What was found, best first."""

    hits: list[HitShape]
    omitted: int = 0
    """Found, and left out to keep the answer short."""


class ContextShape(BaseModel):
    """The context pack: beside these, its rules, values, cards, joins, … as the pack names them."""

    model_config = ConfigDict(extra="allow")

    question: str
    tables: list[str] = Field(default_factory=list)
    """Those with a card or a join, most important first."""


class RowShape(BaseModel):
    """One row of a result."""

    row: list[Any]


class RowsShape(BaseModel):
    """The result of a query."""

    columns: list[str]
    rows: list[list[Any]]
    truncated: bool = False
    """There are more rows than were returned."""
    notes: list[str] = Field(default_factory=list)


def column_shape(column: ColumnCard, dialect: str, *, codes_limit: int) -> ColumnShape:
    """Return a column as data; a code list of more than `codes_limit` characters is left out."""
    profile = column.profile
    ranged = cards.shows_range(column, codes_limit)
    quoted = sql_names.quote(column.name, dialect)
    shape = ColumnShape(
        name=column.name,
        sql_name="" if quoted == column.name else quoted,
        type=column.column.native_type,
        nullable=column.column.nullable,
        description=shorten(one_line(column.description), cards.DESCRIPTION_LIMIT),
        description_origin=column.description_origin,
        synonyms=list(column.synonyms),
        unit=column.unit,
        distinct=profile.distinct,
        nulls=profile.nulls,
        minimum=profile.minimum if ranged else None,
        maximum=profile.maximum if ranged else None,
        sensitive=column.sensitive,
        housekeeping=column.housekeeping,
    )
    if cards.lists_codes(column, codes_limit):
        shape.codes = [
            CodeShape(value=item.value, meaning=item.meaning, rows=item.count)
            for item in column.codes
        ]
        shape.codes_complete = column.codes_complete
    return shape


def join_shape(link: Link, dialect: str) -> JoinShape:
    """Return a link as data."""
    return JoinShape(
        on=cards.on_sql(link, dialect),
        table=link.table,
        to_table=link.to_table,
        cardinality=cardinality_of(link).replace("_", " "),
        origin=cards.link_origin(link),
        label=link.label or "",
    )


def table_shape(card: TableCard, dialect: str) -> TableShape:
    """Return a table as data, without its notes, columns and joins."""
    key = card.table.primary_key
    return TableShape(
        table=card.name,
        sql_name=sql_names.table(card.name, dialect),
        kind=card.table.kind,
        rows=card.profile.rows,
        rows_estimated=card.profile.rows_estimated,
        description=shorten(one_line(card.description), cards.DESCRIPTION_LIMIT),
        description_origin=card.description_origin,
        grain=card.grain,
        domain=card.domain,
        synonyms=list(card.synonyms),
        primary_key=list(key.columns) if key else [],
    )


def listed_table(card: TableCard, *, description_limit: int) -> ListedTable:
    """Return a table as an item of a list."""
    return ListedTable(
        table=card.name,
        kind=card.table.kind,
        columns=len(card.columns),
        rows=card.profile.rows,
        domain=card.domain,
        description=shorten(one_line(card.description), description_limit),
        description_origin=card.description_origin,
    )
