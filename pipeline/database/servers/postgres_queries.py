"""The queries that read PostgreSQL's catalogue: one a subject, whatever the number of tables."""

from __future__ import annotations

from collections.abc import Iterable

SERVER = """
SELECT current_setting('server_version_num')::int, current_schema()::text,
       (SELECT shobj_description(d.oid, 'pg_database') FROM pg_catalog.pg_database d
        WHERE d.datname = current_database())
"""
SCHEMAS = """
SELECT n.oid, n.nspname::text, has_schema_privilege(n.oid, 'USAGE'),
       EXISTS (SELECT 1 FROM pg_catalog.pg_depend d WHERE d.objid = n.oid AND d.deptype = 'e'
               AND d.classid = 'pg_catalog.pg_namespace'::regclass)
FROM pg_catalog.pg_namespace n
WHERE left(n.nspname, 3) <> 'pg_'
  AND n.nspname NOT IN ('information_schema', 'crdb_internal', 'gp_toolkit')
  AND EXISTS (SELECT 1 FROM pg_catalog.pg_class c WHERE c.relnamespace = n.oid
              UNION ALL SELECT 1 FROM pg_catalog.pg_proc p WHERE p.pronamespace = n.oid)
"""
INHERITANCE = """
SELECT i.inhrelid, i.inhparent, c.relispartition FROM pg_catalog.pg_inherits i
JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid
WHERE c.relkind IN ('r', 'p', 'f') AND c.relpersistence <> 't'
"""


class Queries:
    """The queries for some schemas of a server of one version (140_002 is 14.2)."""

    def __init__(self, version: int, schemas: Iterable[int]) -> None:
        self._version = version
        numbers = ", ".join(map(str, sorted(schemas))) or "0"
        self._in_schemas = f"IN ({numbers})"
        self._relations = (
            f"c.relnamespace {self._in_schemas} AND c.relpersistence <> 't' "
            "AND c.relkind IN ('r', 'p', 'v', 'm', 'f')"
        )
        self._tables = f"{self._relations} AND NOT c.relispartition"

    def _since(self, version: int, term: str, otherwise: str) -> str:
        return term if self._version >= version else otherwise

    def relations(self) -> str:
        """Tables and views, partitions among them."""
        return f"""
        SELECT c.oid, c.relnamespace, c.relname::text, c.relkind::text, c.relispartition,
               c.relpersistence::text, pg_table_is_visible(c.oid),
               has_table_privilege(c.oid, 'SELECT'), has_any_column_privilege(c.oid, 'SELECT'),
               c.relrowsecurity, c.relrowsecurity AND row_security_active(c.oid),
               c.relispopulated, d.description,
               CASE WHEN c.relkind IN ('v', 'm') THEN pg_get_viewdef(c.oid) END,
               CASE WHEN c.relkind = 'p' THEN pg_get_partkeydef(c.oid) END, s.srvname::text,
               EXISTS (SELECT 1 FROM pg_catalog.pg_depend e WHERE e.objid = c.oid
                       AND e.classid = 'pg_catalog.pg_class'::regclass AND e.deptype = 'e')
        FROM pg_catalog.pg_class c
        LEFT JOIN pg_catalog.pg_description d ON d.objoid = c.oid AND d.objsubid = 0
             AND d.classoid = 'pg_catalog.pg_class'::regclass
        LEFT JOIN pg_catalog.pg_foreign_table f ON f.ftrelid = c.oid
        LEFT JOIN pg_catalog.pg_foreign_server s ON s.oid = f.ftserver
        WHERE {self._relations}"""

    def columns(self) -> str:
        """Columns of what is no partition, in their order."""
        return f"""
        SELECT a.attrelid, a.attnum, a.attname::text, format_type(a.atttypid, a.atttypmod),
               a.atttypid, a.attnotnull, a.attidentity::text,
               {self._since(120_000, "a.attgenerated::text", "''")},
               pg_get_expr(v.adbin, v.adrelid, true), d.description,
               has_column_privilege(a.attrelid, a.attnum, 'SELECT')
        FROM pg_catalog.pg_attribute a
        JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
        LEFT JOIN pg_catalog.pg_attrdef v ON v.adrelid = a.attrelid AND v.adnum = a.attnum
        LEFT JOIN pg_catalog.pg_description d ON d.objoid = a.attrelid AND d.objsubid = a.attnum
             AND d.classoid = 'pg_catalog.pg_class'::regclass
        WHERE {self._tables} AND a.attnum > 0 AND NOT a.attisdropped
        ORDER BY a.attrelid, a.attnum"""

    def types(self) -> str:
        """The types of those columns, those beneath domains and arrays, and those of fields."""

        def fields(term: str) -> str:
            return (
                f"ARRAY(SELECT {term} FROM pg_catalog.pg_attribute f WHERE t.typtype = 'c' "
                "AND f.attrelid = t.typrelid AND f.attnum > 0 AND NOT f.attisdropped "
                "ORDER BY f.attnum)"
            )

        return f"""
        WITH RECURSIVE used (oid) AS (
            SELECT DISTINCT a.atttypid FROM pg_catalog.pg_attribute a
            JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
            WHERE {self._tables} AND a.attnum > 0 AND NOT a.attisdropped
            UNION
            SELECT inner_type.oid FROM used u JOIN pg_catalog.pg_type t ON t.oid = u.oid
            CROSS JOIN LATERAL (
                SELECT t.typbasetype AS oid WHERE t.typtype = 'd'
                UNION ALL SELECT t.typelem WHERE t.typcategory = 'A' AND t.typelem <> 0
                UNION ALL SELECT f.atttypid FROM pg_catalog.pg_attribute f
                WHERE t.typtype = 'c' AND f.attrelid = t.typrelid AND f.attnum > 0
                      AND NOT f.attisdropped
            ) AS inner_type
        )
        SELECT t.oid, t.typname::text, t.typtype::text, t.typcategory::text, t.typnotnull,
               t.typdefault, t.typbasetype, format_type(t.typbasetype, t.typtypmod),
               ARRAY(SELECT e.enumlabel::text FROM pg_catalog.pg_enum e
                     WHERE e.enumtypid = t.oid ORDER BY e.enumsortorder),
               ARRAY(SELECT k.conname::text FROM pg_catalog.pg_constraint k
                     WHERE k.contypid = t.oid AND k.contype = 'c' ORDER BY k.conname, k.oid),
               ARRAY(SELECT pg_get_expr(k.conbin, 0, true) FROM pg_catalog.pg_constraint k
                     WHERE k.contypid = t.oid AND k.contype = 'c' ORDER BY k.conname, k.oid),
               CASE WHEN t.typcategory = 'A' THEN t.typelem ELSE 0 END,
               {fields("f.attname::text")}, {fields("f.atttypid")},
               {fields("format_type(f.atttypid, f.atttypmod)")}
        FROM used u JOIN pg_catalog.pg_type t ON t.oid = u.oid"""

    def constraints(self) -> str:
        """Keys, checks and exclusions; not the parts that a partitioned target has of one."""
        return f"""
        SELECT k.conrelid, k.conname::text, k.contype::text, k.conkey, k.confrelid,
               n.nspname::text, t.relname::text, pg_table_is_visible(t.oid),
               CASE WHEN k.contype = 'f' THEN ARRAY(
                   SELECT a.attname::text
                   FROM unnest(k.confkey) WITH ORDINALITY AS u (attnum, place)
                   JOIN pg_catalog.pg_attribute a
                     ON a.attrelid = k.confrelid AND a.attnum = u.attnum
                   ORDER BY u.place) END,
               CASE k.contype WHEN 'c' THEN pg_get_expr(k.conbin, k.conrelid, true)
                              WHEN 'x' THEN pg_get_constraintdef(k.oid, true) END,
               k.convalidated, k.condeferrable, k.condeferred, k.confmatchtype::text,
               {self._since(150_000, "coalesce(i.indnullsnotdistinct, false)", "false")}
        FROM pg_catalog.pg_constraint k
        JOIN pg_catalog.pg_class c ON c.oid = k.conrelid
        LEFT JOIN pg_catalog.pg_index i ON i.indexrelid = k.conindid AND k.contype = 'u'
        LEFT JOIN pg_catalog.pg_class t ON t.oid = k.confrelid
        LEFT JOIN pg_catalog.pg_namespace n ON n.oid = t.relnamespace
        WHERE {self._tables} AND k.contype IN ('p', 'u', 'f', 'c', 'x')
          {self._since(110_000, "AND (k.contype <> 'f' OR k.conparentid = 0)", "")}"""

    def indexes(self) -> str:
        """Indexes that no constraint made; expressions by their place in the key.

        NOT IN is hashed whatever the statistics say; NOT EXISTS becomes a nested loop on a
        catalogue that was never analysed.
        """
        keys = self._since(110_000, "i.indnkeyatts", "i.indnatts")
        return f"""
        SELECT i.indrelid, x.relname::text, i.indisunique, i.indisvalid, i.indkey::text, {keys},
               CASE WHEN i.indexprs IS NOT NULL THEN ARRAY(
                   SELECT pg_get_indexdef(i.indexrelid, p, true)
                   FROM generate_series(1, {keys}::int) AS p ORDER BY p) END,
               pg_get_expr(i.indpred, i.indrelid, true),
               {self._since(150_000, "i.indnullsnotdistinct", "false")}
        FROM pg_catalog.pg_index i
        JOIN pg_catalog.pg_class c ON c.oid = i.indrelid
        JOIN pg_catalog.pg_class x ON x.oid = i.indexrelid
        WHERE {self._tables}
          AND i.indexrelid NOT IN (SELECT k.conindid FROM pg_catalog.pg_constraint k
                                   WHERE k.contype IN ('p', 'u', 'x'))"""

    def routines(self) -> str:
        """Functions, procedures and aggregates that no extension brought."""
        kind = self._since(
            110_000,
            "p.prokind::text",
            "CASE WHEN p.proisagg THEN 'a' WHEN p.proiswindow THEN 'w' ELSE 'f' END",
        )
        return f"""
        SELECT p.pronamespace, p.proname::text, {kind}, pg_get_function_arguments(p.oid),
               pg_get_function_result(p.oid), d.description
        FROM pg_catalog.pg_proc p
        LEFT JOIN pg_catalog.pg_description d ON d.objoid = p.oid AND d.objsubid = 0
             AND d.classoid = 'pg_catalog.pg_proc'::regclass
        WHERE p.pronamespace {self._in_schemas}
          AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_depend e WHERE e.objid = p.oid
                          AND e.classid = 'pg_catalog.pg_proc'::regclass AND e.deptype = 'e')"""

    def triggers(self) -> str:
        """Triggers that people made, with the columns of UPDATE OF."""
        return f"""
        SELECT g.tgrelid, g.tgname::text, g.tgtype,
               ARRAY(SELECT a.attname::text
                     FROM unnest(g.tgattr::int2[]) WITH ORDINALITY AS u (attnum, place)
                     JOIN pg_catalog.pg_attribute a
                       ON a.attrelid = g.tgrelid AND a.attnum = u.attnum
                     ORDER BY u.place),
               d.description
        FROM pg_catalog.pg_trigger g
        JOIN pg_catalog.pg_class c ON c.oid = g.tgrelid
        LEFT JOIN pg_catalog.pg_description d ON d.objoid = g.oid AND d.objsubid = 0
             AND d.classoid = 'pg_catalog.pg_trigger'::regclass
        WHERE {self._tables} AND NOT g.tgisinternal"""
