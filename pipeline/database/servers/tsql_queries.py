"""The queries that read SQL Server's catalogue views: one a subject, whatever the number of tables.

The catalogue shows a login only objects on which it has some right. The views and columns here are
those of SQL Server 2012 and later, and of Azure SQL:
https://learn.microsoft.com/sql/relational-databases/system-catalog-views/catalog-views-transact-sql
"""

from __future__ import annotations

from collections.abc import Iterable

_COMMENT = """
LEFT JOIN sys.extended_properties AS e ON e.class = {kind} AND e.major_id = {major}
     AND e.minor_id = {minor} AND e.name = N'MS_Description'"""
"""Where SQL Server keeps comments; see sys.extended_properties."""
_COMMENT_TEXT = "CAST(e.value AS nvarchar(4000))"

SERVER = """
SELECT DB_NAME(), SCHEMA_NAME(),
       (SELECT CAST(e.value AS nvarchar(4000)) FROM sys.extended_properties AS e
        WHERE e.class = 0 AND e.name = N'MS_Description')
"""
SCHEMAS = """
SELECT s.schema_id, s.name FROM sys.schemas AS s
WHERE s.name NOT IN (N'sys', N'INFORMATION_SCHEMA', N'guest') AND s.schema_id < 16384
"""
"""From 16384 on are the schemas of fixed database roles: db_owner and the like."""


class Queries:
    """The queries for some schemas, by their number."""

    def __init__(self, schemas: Iterable[int]) -> None:
        numbers = ", ".join(map(str, sorted(schemas))) or "0"
        self._in_schemas = f"o.schema_id IN ({numbers}) AND o.is_ms_shipped = 0"
        self._tables = f"{self._in_schemas} AND o.type IN ('U', 'V')"

    def tables(self) -> str:
        """Tables and views, with the right to select and the SQL of a view."""
        return f"""
        SELECT o.object_id, o.schema_id, o.name, RTRIM(o.type),
               HAS_PERMS_BY_NAME(QUOTENAME(SCHEMA_NAME(o.schema_id)) + N'.' + QUOTENAME(o.name),
                                 N'OBJECT', N'SELECT'),
               {_COMMENT_TEXT}, m.definition,
               (SELECT COUNT(*) FROM sys.partitions AS p
                WHERE p.object_id = o.object_id AND p.index_id IN (0, 1)),
               CASE WHEN EXISTS (SELECT 1 FROM sys.indexes AS i WHERE i.object_id = o.object_id
                                 AND o.type = 'V') THEN 1 ELSE 0 END
        FROM sys.objects AS o
        LEFT JOIN sys.sql_modules AS m ON m.object_id = o.object_id
        {_COMMENT.format(kind=1, major="o.object_id", minor=0)}
        WHERE {self._tables}"""

    def columns(self) -> str:
        """Columns in their order; the right to select one where it isn't given for the whole."""
        qualified = "QUOTENAME(SCHEMA_NAME(o.schema_id)) + N'.' + QUOTENAME(o.name)"
        return f"""
        SELECT c.object_id, c.column_id, c.name, t.name, SCHEMA_NAME(t.schema_id),
               t.is_user_defined, TYPE_NAME(c.system_type_id), c.max_length, c.precision, c.scale,
               c.is_nullable, c.is_identity, d.definition, k.definition, k.is_persisted,
               {_COMMENT_TEXT},
               CASE WHEN HAS_PERMS_BY_NAME({qualified}, N'OBJECT', N'SELECT') = 1 THEN 1
                    ELSE HAS_PERMS_BY_NAME({qualified}, N'OBJECT', N'SELECT', c.name, N'COLUMN')
               END
        FROM sys.columns AS c
        JOIN sys.objects AS o ON o.object_id = c.object_id
        JOIN sys.types AS t ON t.user_type_id = c.user_type_id
        LEFT JOIN sys.default_constraints AS d ON d.object_id = c.default_object_id
        LEFT JOIN sys.computed_columns AS k
             ON k.object_id = c.object_id AND k.column_id = c.column_id
        {_COMMENT.format(kind=1, major="c.object_id", minor="c.column_id")}
        WHERE {self._tables}
        ORDER BY c.object_id, c.column_id"""

    def indexes(self) -> str:
        """Primary keys, unique constraints and indexes, a row for each column of their keys."""
        return f"""
        SELECT i.object_id, i.name, i.is_primary_key, i.is_unique_constraint, i.is_unique,
               i.is_disabled, i.type_desc, i.filter_definition, x.key_ordinal, c.name,
               x.is_descending_key
        FROM sys.indexes AS i
        JOIN sys.objects AS o ON o.object_id = i.object_id
        JOIN sys.index_columns AS x ON x.object_id = i.object_id AND x.index_id = i.index_id
        JOIN sys.columns AS c ON c.object_id = x.object_id AND c.column_id = x.column_id
        WHERE {self._tables} AND i.is_hypothetical = 0 AND x.is_included_column = 0
        ORDER BY i.object_id, i.index_id, x.key_ordinal, x.index_column_id"""

    def foreign_keys(self) -> str:
        """Foreign keys, a row for each pair of columns."""
        return f"""
        SELECT f.parent_object_id, f.name, f.referenced_object_id,
               OBJECT_SCHEMA_NAME(f.referenced_object_id), OBJECT_NAME(f.referenced_object_id),
               a.name, b.name, f.is_disabled, f.is_not_trusted
        FROM sys.foreign_keys AS f
        JOIN sys.objects AS o ON o.object_id = f.parent_object_id
        JOIN sys.foreign_key_columns AS k ON k.constraint_object_id = f.object_id
        JOIN sys.columns AS a
             ON a.object_id = k.parent_object_id AND a.column_id = k.parent_column_id
        JOIN sys.columns AS b
             ON b.object_id = k.referenced_object_id AND b.column_id = k.referenced_column_id
        WHERE {self._tables}
        ORDER BY f.parent_object_id, f.name, k.constraint_column_id"""

    def checks(self) -> str:
        """Check constraints."""
        return f"""
        SELECT k.parent_object_id, k.name, k.definition, k.is_disabled, k.is_not_trusted
        FROM sys.check_constraints AS k
        JOIN sys.objects AS o ON o.object_id = k.parent_object_id
        WHERE {self._tables}"""

    def routines(self) -> str:
        """Procedures, functions and aggregates; type FS, FT, PC and AF are of the CLR."""
        return f"""
        SELECT o.object_id, o.schema_id, o.name, RTRIM(o.type), {_COMMENT_TEXT}
        FROM sys.objects AS o
        {_COMMENT.format(kind=1, major="o.object_id", minor=0)}
        WHERE {self._in_schemas}
          AND o.type IN ('P', 'PC', 'FN', 'IF', 'TF', 'FS', 'FT', 'AF')"""

    def parameters(self) -> str:
        """Parameters of routines; the one with number 0 is what a function returns."""
        return f"""
        SELECT p.object_id, p.parameter_id, p.name, t.name, SCHEMA_NAME(t.schema_id),
               t.is_user_defined, p.max_length, p.precision, p.scale, p.is_output
        FROM sys.parameters AS p
        JOIN sys.objects AS o ON o.object_id = p.object_id
        JOIN sys.types AS t ON t.user_type_id = p.user_type_id
        WHERE {self._in_schemas}
        ORDER BY p.object_id, p.parameter_id"""

    def triggers(self) -> str:
        """Triggers on tables and views, a row for each event."""
        return f"""
        SELECT g.parent_id, g.name, g.is_instead_of_trigger, g.is_disabled, v.type_desc,
               {_COMMENT_TEXT}
        FROM sys.triggers AS g
        JOIN sys.objects AS o ON o.object_id = g.parent_id
        JOIN sys.trigger_events AS v ON v.object_id = g.object_id
        {_COMMENT.format(kind=1, major="g.object_id", minor=0)}
        WHERE {self._tables} AND g.is_ms_shipped = 0
        ORDER BY g.parent_id, g.name, v.type"""
