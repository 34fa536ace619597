"""What a PostgreSQL role could do beyond reading, in one query."""

from __future__ import annotations

from pipeline.database.servers.server import Ask
from pipeline.text import counted

_SQL = """
WITH own AS (
  SELECT c.oid, c.relowner FROM pg_catalog.pg_class c
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
    AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'
)
SELECT r.rolsuper,
  (SELECT count(*) FROM own WHERE pg_has_role(relowner, 'USAGE')),
  (SELECT count(*) FROM own WHERE NOT pg_has_role(relowner, 'USAGE')
     AND (has_table_privilege(oid, 'DELETE, TRUNCATE')
          OR has_any_column_privilege(oid, 'INSERT, UPDATE'))),
  ARRAY(SELECT rolname::text FROM pg_catalog.pg_roles WHERE pg_has_role(oid, 'USAGE')
     AND rolname IN ('pg_read_server_files', 'pg_write_server_files', 'pg_write_all_data',
                     'pg_execute_server_program', 'pg_signal_backend', 'pg_maintain',
                     'pg_checkpoint', 'pg_create_subscription')
     ORDER BY rolname),
  ARRAY(SELECT nspname::text FROM pg_catalog.pg_namespace
        WHERE nspname <> 'information_schema' AND nspname NOT LIKE 'pg\\_%'
          AND has_schema_privilege(oid, 'CREATE') ORDER BY nspname LIMIT 4),
  has_database_privilege(current_database(), 'CREATE'),
  r.rolcreaterole, r.rolcreatedb, r.rolreplication
FROM pg_catalog.pg_roles r WHERE r.rolname = current_user
"""
_RIGHTS = ("may create schemas", "may create roles", "may create databases", "may replicate")
_MOST_NAMES = 3


def powers(ask: Ask) -> list[str]:
    """Return what the role may do besides reading, as verb phrases."""
    rows = ask(_SQL)
    if not rows:
        return []
    is_super, owned, written, roles, schemas, *rights = rows[0]
    if is_super:
        return ["is a superuser, who may also read and write files of the server"]
    more = ", …" if len(schemas) > _MOST_NAMES else ""
    found = {
        f"owns {counted(owned, 'table')}": owned,
        f"may change rows of {counted(written, 'table')}": written,
        f"is a member of {', '.join(roles)}": roles,
        f"may create objects in {', '.join(schemas[:_MOST_NAMES])}{more}": schemas,
        **dict(zip(_RIGHTS, rights, strict=True)),
    }
    return [phrase for phrase, is_so in found.items() if is_so]
