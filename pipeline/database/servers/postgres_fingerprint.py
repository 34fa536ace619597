"""Has a PostgreSQL database changed? One query on its structure, one on the rows of its tables."""

from __future__ import annotations

# What is no one's own is left out: system schemas, temporary objects. The place tells a database
# that was made anew, maybe on a new server, from the one before: their oids may all be the same.
_SCOPE = """
n AS MATERIALIZED (
    SELECT oid, nspname FROM pg_catalog.pg_namespace
    WHERE left(nspname, 3) <> 'pg_' AND nspname <> 'information_schema'
), c AS MATERIALIZED (
    SELECT c.oid, c.relnamespace, c.relname, c.relkind, c.relpersistence, c.relispartition,
           c.relispopulated, c.relrowsecurity, c.relforcerowsecurity, c.relfilenode, c.relowner,
           c.reloptions, n.nspname
    FROM pg_catalog.pg_class c JOIN n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND c.relpersistence <> 't'
), composite AS MATERIALIZED (
    SELECT c.oid FROM pg_catalog.pg_class c JOIN n ON n.oid = c.relnamespace
    WHERE c.relkind = 'c'
), place AS MATERIALIZED (
    SELECT d.oid, (SELECT extract(epoch FROM b.stats_reset) FROM pg_catalog.pg_stat_bgwriter b)
                  AS since
    FROM pg_catalog.pg_database d WHERE d.datname = current_database()
)
"""
# PostgreSQL never changes a row of its catalogue, it writes a new one: with a number of its own
# (xmin), which also a freeze leaves as it is. That is cheaper to read than the row's contents.
_VERSIONS = """count(*)::text, sum(x.xmin::text::bigint * {weight})::text,
               max(x.xmin::text::bigint)::text"""
_PARTS = {
    "columns": (
        "attnum",
        "pg_attribute x WHERE x.attnum > 0 AND (x.attrelid IN (SELECT oid FROM c)) IS TRUE",
    ),
    "attributes": ("attnum", "pg_attribute x JOIN composite k ON k.oid = x.attrelid"),
    "defaults": ("adnum", "pg_attrdef x JOIN c ON c.oid = x.adrelid"),
    "constraints": ("1", "pg_constraint x JOIN n ON n.oid = x.connamespace"),
    "indexes": ("1", "pg_index x JOIN c ON c.oid = x.indrelid"),
    "views": ("1", "pg_rewrite x JOIN c ON c.oid = x.ev_class"),
    "policies": ("1", "pg_policy x JOIN c ON c.oid = x.polrelid"),
    "inheritance": ("inhseqno", "pg_inherits x JOIN c ON c.oid = x.inhrelid"),
    "types": ("1", "pg_type x JOIN n ON n.oid = x.typnamespace"),
    "members": ("1", "pg_enum x"),
    "routines": ("1", "pg_proc x JOIN n ON n.oid = x.pronamespace"),
    "triggers": ("1", "pg_trigger x JOIN c ON c.oid = x.tgrelid WHERE NOT x.tgisinternal"),
    "comments": ("(objsubid + 1)", "pg_description x WHERE x.objoid >= 16384"),
    "foreign tables": ("1", "pg_foreign_table x"),
    "extensions": ("1", "pg_extension x"),
}


def _versions(name: str, weight: str, source: str) -> str:
    column = weight if weight[0] in "1(" else f"x.{weight}"
    return f"SELECT '{name}', {_VERSIONS.format(weight=column)} FROM pg_catalog.{source}"


# Of pg_class the contents count: TRUNCATE and VACUUM FULL write its rows anew.
STRUCTURE = f"""
WITH {_SCOPE}
SELECT 'place', oid::text, since::text, '' FROM place
UNION ALL
SELECT 'relations', count(*)::text,
       md5(string_agg(concat_ws(' ', c.oid, c.relnamespace, c.relname, c.relkind, c.relpersistence,
           c.relispartition, c.relispopulated, c.relowner, c.reloptions, c.relrowsecurity,
           c.relforcerowsecurity, c.relrowsecurity AND row_security_active(c.oid),
           CASE WHEN has_table_privilege(c.oid, 'SELECT') THEN 'all'
                WHEN has_any_column_privilege(c.oid, 'SELECT') THEN 'some' END),
           E'\\n' ORDER BY c.oid)), '' FROM c
UNION ALL
SELECT 'index names', count(*)::text, sum(hashtext(x.relname::text))::text, ''
FROM pg_catalog.pg_index i JOIN c ON c.oid = i.indrelid
JOIN pg_catalog.pg_class x ON x.oid = i.indexrelid
UNION ALL
SELECT 'schemas', current_schemas(false)::text, md5(string_agg(concat_ws(' ', n.oid, n.nspname,
       has_schema_privilege(n.oid, 'USAGE')), E'\\n' ORDER BY n.oid)),
       (SELECT md5(shobj_description(d.oid, 'pg_database')) FROM pg_catalog.pg_database d
        WHERE d.datname = current_database()) FROM n
UNION ALL {" UNION ALL ".join(_versions(name, *part) for name, part in _PARTS.items())}
ORDER BY 1
"""
"""Rows that change with the structure, comments, rights and names that need a schema."""

_ALONE = "now|transaction_timestamp|statement_timestamp|current_|has_|pg_|txid_|lastval|.*_descript"
# A table's counters go on through a clean restart. After a crash, or when someone resets them,
# they begin anew: the times of both are part of the stamp. TRUNCATE and REFRESH give a new file.
# A view is as its tables are, unless it asks a function or a system table that may change alone;
# of what belongs to the system, whose numbers are below 10,000, no dependency is recorded. What an
# immutable function does may call others, of which its text alone tells: any change of a function
# counts for the views that ask one (1 stands for all of them, 0 for what nobody can follow).
# So it is with the policies that hide rows: whom they hold for is part of the stamp, and functions
# are; what they ask but the row itself may change alone. The numbers 0–8 are the times that SQL
# has words for.
_OF_TABLES = f"""
WITH RECURSIVE {_SCOPE}, alone AS MATERIALIZED (
    SELECT ':relid [1-9][0-9]?[0-9]?[0-9]? |SQLVALUEFUNCTION :op [0-8] |:funcid ('
           || string_agg(f.oid::text, '|') || ') ' AS expression
    FROM pg_catalog.pg_proc f
    WHERE f.oid < 10000 AND (f.provolatile = 'v' OR f.provolatile = 's' AND (
        f.proname ~ '^({_ALONE})' OR f.proname = 'age' AND f.pronargs = 1))
), routines AS MATERIALIZED (
    SELECT concat_ws(' ', count(*), sum(x.xmin::text::bigint), max(x.xmin::text::bigint))
           AS versions
    FROM pg_catalog.pg_proc x JOIN n ON n.oid = x.pronamespace
), edge (above, below) AS (
    SELECT i.inhparent, i.inhrelid FROM pg_catalog.pg_inherits i
    UNION
    SELECT r.ev_class, CASE WHEN d.refclassid = 'pg_catalog.pg_class'::regclass THEN d.refobjid
                            WHEN p.provolatile = 'i' THEN 1::oid ELSE 0::oid END
    FROM c JOIN pg_catalog.pg_rewrite r ON r.ev_class = c.oid AND c.relkind = 'v'
    JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_rewrite'::regclass
         AND d.objid = r.oid AND d.refobjid <> r.ev_class
    LEFT JOIN pg_catalog.pg_operator o ON d.refclassid = 'pg_catalog.pg_operator'::regclass
         AND o.oid = d.refobjid
    LEFT JOIN pg_catalog.pg_proc p ON p.oid = CASE d.refclassid
        WHEN 'pg_catalog.pg_proc'::regclass THEN d.refobjid ELSE o.oprcode END
    WHERE d.refclassid = 'pg_catalog.pg_class'::regclass OR p.oid IS NOT NULL
    UNION
    SELECT r.ev_class, 0::oid FROM c JOIN pg_catalog.pg_rewrite r ON r.ev_class = c.oid
    WHERE c.relkind = 'v' AND r.ev_action::text ~ (SELECT expression FROM alone)
), reach (top, oid) AS (
    SELECT c.oid, c.oid FROM c WHERE NOT c.relispartition
    UNION SELECT r.top, e.below FROM reach r JOIN edge e ON e.above = r.oid
), policy AS MATERIALIZED (
    SELECT p.polrelid AS oid, string_agg(concat_ws(' ', p.oid, p.xmin), ' ' ORDER BY p.oid)
           AS versions, bool_or(p.polqual::text ~ 'SUBLINK |SQLVALUEFUNCTION :op [0-8] '
               OR EXISTS (SELECT FROM pg_catalog.pg_proc f
                          WHERE f.provolatile <> 'i' AND f.oid::text = ANY (ARRAY(
                              SELECT m[1] FROM regexp_matches(
                                  p.polqual::text, 'funcid ([0-9]+)', 'g') m)))) AS asks_others
    FROM c JOIN pg_catalog.pg_policy p ON p.polrelid = c.oid
    WHERE c.relrowsecurity GROUP BY p.polrelid
), shape AS MATERIALIZED (
    SELECT DISTINCT a.attrelid AS oid FROM pg_catalog.pg_attribute a
    JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
    JOIN pg_catalog.pg_type e
      ON e.oid = coalesce(nullif(t.typelem, 0), nullif(t.typbasetype, 0), t.oid)
    WHERE a.attnum > 0 AND e.typrelid IN (SELECT oid FROM composite)
), own AS (
    SELECT c.oid, c.relkind, c.relrowsecurity AND row_security_active(c.oid) AS is_hiding,
           coalesce(p.asks_others, false) AS asks_others,
           concat_ws(' ', c.oid, c.relfilenode,
               pg_stat_get_tuples_inserted(c.oid), pg_stat_get_tuples_updated(c.oid),
               pg_stat_get_tuples_deleted(c.oid),
               CASE WHEN c.relkind = 'v' THEN concat_ws(' ', c.relowner, c.reloptions) END,
               CASE WHEN c.relrowsecurity THEN concat_ws(' ', c.relowner, c.relforcerowsecurity,
                   row_security_active(c.oid), current_user, session_user, p.versions,
                   (SELECT versions FROM routines),
                   (SELECT concat_ws(' ', count(*), sum(m.xmin::text::bigint))
                    FROM pg_catalog.pg_auth_members m)) END,
               CASE WHEN c.oid IN (SELECT oid FROM shape) THEN
                   (SELECT concat_ws(' ', count(*), sum(x.xmin::text::bigint * x.attnum))
                    FROM pg_catalog.pg_attribute x JOIN composite k ON k.oid = x.attrelid) END
           ) AS counters
    FROM c LEFT JOIN policy p ON p.oid = c.oid
    UNION ALL
    SELECT 1, 'p', false, false, versions FROM routines
)
SELECT t.nspname::text, t.relname::text, coalesce(
       CASE WHEN bool_and(o.oid IS NOT NULL AND o.relkind <> 'f'
                          AND NOT (o.asks_others AND (o.is_hiding OR t.relkind = 'v')))
            THEN md5(concat_ws(' ', (SELECT p.oid FROM place p), (SELECT p.since FROM place p),
           (SELECT extract(epoch FROM s.stats_reset) FROM pg_catalog.pg_stat_database s
            WHERE s.datname = current_database()),
           string_agg(o.counters, ' ' ORDER BY o.oid))) END, %s)
FROM reach r JOIN c t ON t.oid = r.top LEFT JOIN own o ON o.oid = r.oid
WHERE current_setting('track_counts') = 'on' AND NOT pg_is_in_recovery()
GROUP BY t.oid, t.nspname, t.relname, t.relkind
ORDER BY t.nspname COLLATE "C", t.relname COLLATE "C"
"""
STAMPS = _OF_TABLES % "NULL"
"""Schema, name and stamp of every table and view; without a stamp the server can't tell.

A standby doesn't count, so it has no rows. What others changed shows within seconds, when their
sessions pass their counters on.
"""
CHANGES = _OF_TABLES % "CASE WHEN t.relkind = 'v' THEN (SELECT versions FROM routines) END"
"""The same, but of a view that may change alone it tells when a function was changed."""
