"""Names as SQL of a dialect, quoted only where they must be, without a connection."""

from __future__ import annotations

import re

from pipeline.database.names import name_parts

_MIXED = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_BACKTICK = frozenset({"mysql", "bigquery", "hive", "spark", "databricks", "clickhouse"})
_LOWER = frozenset({"postgres", "redshift"})
_UPPER = frozenset({"oracle", "snowflake", "firebird", "db2", "exasol", "hana"})
_RESERVED_WORDS = """
    accessible add all alter analyse analyze and anti any array as asc asof asymmetric at
    authorization autoincrement backup before begin between bigint binary blob both break browse
    bulk by call cascade case cast change char character check checkpoint close cluster clustered
    coalesce collate collation column commit compute concurrently condition constraint contains
    containstable continue convert create cross cube cume_dist current current_catalog
    current_date current_role current_schema current_time current_timestamp current_user cursor
    database databases day_hour day_minute day_second dbcc deallocate dec decimal declare default
    deferrable delayed delete dense_rank deny desc describe disk distinct distinctrow distributed
    div do double drop dual dump each else elseif empty enclosed end errlvl escape escaped except
    exec execute exists exit explain external false fetch file fillfactor filter first first_value
    float float4 float8 for force foreign freetext freetexttable freeze from full fulltext
    function generated get glob goto grant group grouping groups having high_priority holdlock
    hour_minute hour_second identity identity_insert identitycol if ignore ilike in index infile
    initially inner inout insensitive insert int int1 int2 int3 int4 int8 integer intersect
    interval into is isnull iterate join json_table key keys kill lag lambda last last_value
    lateral lead leading leave left like limit linear lineno lines load localtime localtimestamp
    lock long longblob longtext loop low_priority match maxvalue mediumblob mediumint mediumtext
    merge middleint minute_second mod modifies national natural no nocheck nonclustered not
    nothing notnull nth_value ntile null nullif nulls number numeric of off offset offsets on only
    open opendatasource openquery openrowset openxml optimize option optionally or order out outer
    outfile over overlaps partition percent percent_rank pivot pivot_longer pivot_wider placing
    plan positional pragma precision primary print proc procedure public purge qualify raise
    raiserror range rank read reads readtext real reconfigure recursive references regexp reindex
    release rename repeat replace replication require resignal restore restrict return returning
    revert revoke right rlike rollback row row_number rowcount rowguidcol rows rule save savepoint
    schema schemas securityaudit select semi sensitive separator session_user set setuser show
    shutdown signal similar smallint some spatial specific sql sqlexception sqlstate sqlwarning
    ssl starting statistics stored straight_join summarize symmetric system system_user table
    tablesample temp temporary terminated textsize then tinyblob tinyint tinytext to top trailing
    tran transaction trigger true truncate tsequal undo union unique unlock unpack unpivot
    unsigned update updatetext usage use user using utc_date utc_time utc_timestamp vacuum values
    varbinary varchar varcharacter variadic varying verbose view virtual waitfor when where while
    window with within without write writetext xor year_month zerofill
"""
_RESERVED = frozenset(_RESERVED_WORDS.split())
"""Words that some dialect reserves; quoting one that a dialect allows does no harm."""


def quote(identifier: str, dialect: str) -> str:
    """Return one identifier as SQL of a dialect (its sqlglot name)."""
    if _MIXED.match(identifier) and identifier.casefold() not in _RESERVED:
        folded = (dialect in _LOWER and identifier != identifier.lower()) or (
            dialect in _UPPER and identifier != identifier.upper()
        )
        if not folded:
            return identifier
    if dialect in _BACKTICK:
        return "`" + identifier.replace("`", "``") + "`"
    if dialect == "tsql":
        return "[" + identifier.replace("]", "]]") + "]"
    return '"' + identifier.replace('"', '""') + '"'


def table(name: str, dialect: str) -> str:
    """Return a table's name in dblore (`table`, `schema.table`, odd parts quoted) as SQL."""
    return ".".join(quote(part, dialect) for part in name_parts(name))


def namesakes(first: str, second: str) -> bool:
    """Whether two tables are one, or of one name in two schemas: engines mix these up in joins."""
    return name_parts(first)[-1:] == name_parts(second)[-1:]
