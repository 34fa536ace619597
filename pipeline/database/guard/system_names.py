"""Which tables engines keep themselves: those that hold only structure are open to queries."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipeline.database.names import name_set

_INFORMATION_SCHEMA = name_set("""
    character_sets check_constraints collations columns constraint_column_usage
    constraint_table_usage domains element_types key_column_usage parameters partitions
    referential_constraints routines schemata sequences statistics table_constraints tables triggers
    view_column_usage view_table_usage views column_field_paths databases functions
    materialized_views procedures schemata_options table_options table_storage table_privileges
    column_privileges role_table_grants role_column_grants usage_privileges engines
    applicable_roles enabled_roles
    """)
_ORACLE_DICTIONARY = name_set(
    """
    col_comments cons_columns constraints ind_columns indexes mviews objects sequences synonyms
    tab_cols tab_columns tab_comments tables tab_partitions tab_identity_cols types views
    part_tables part_key_columns tab_subpartitions ind_partitions arguments procedures
    nested_tables xml_tables external_tables clusters updatable_columns
    """
)
_MADE_BY_MARIADB = re.compile(r"seq_\d+_to_\d+(_step_\d+)?")
"""Rows of numbers: https://mariadb.com/kb/en/sequence-storage-engine/."""
_HARMLESS: dict[str, frozenset[str]] = {
    "postgres": name_set("""
        pg_aggregate pg_am pg_attrdef pg_attribute pg_cast pg_class pg_collation pg_constraint
        pg_database pg_depend pg_description pg_enum pg_extension pg_index pg_indexes pg_inherits
        pg_language pg_matviews pg_namespace pg_opclass pg_operator pg_partitioned_table pg_proc
        pg_range pg_sequence pg_sequences pg_stat_all_tables pg_stat_user_indexes
        pg_stat_user_tables pg_statio_user_tables pg_tables pg_tablespace pg_timezone_names
        pg_trigger pg_type pg_views
        """),
    "mysql": frozenset(["dual"]),
    "sqlite": name_set("""
        sqlite_master sqlite_schema pragma_collation_list pragma_function_list
        pragma_module_list pragma_pragma_list pragma_table_list json_each json_tree
        """),
    "duckdb": name_set("""
        duckdb_columns duckdb_constraints duckdb_indexes duckdb_schemas duckdb_tables duckdb_types
        duckdb_views pg_attribute pg_class pg_constraint pg_description pg_enum pg_index pg_indexes
        pg_namespace pg_tables pg_type pg_views sqlite_master sqlite_schema
        """),
    "tsql": name_set("""
        all_columns all_objects all_views allocation_units check_constraints columns
        computed_columns databases dm_db_index_usage_stats dm_db_partition_stats
        default_constraints extended_properties foreign_key_columns foreign_keys identity_columns
        index_columns indexes key_constraints objects parameters partitions procedures schemas
        sequences sql_expression_dependencies sysobjects syscolumns tables triggers types views
        """),
    "oracle": frozenset(
        f"{whose}_{what}" for whose in ("all", "user") for what in _ORACLE_DICTIONARY
    )
    | {"dual", "v$version", "product_component_version", "nls_session_parameters"},
}
_SYSTEM_SCHEMAS = {
    "postgres": {"pg_catalog", "pg_toast"},
    "mysql": {"mysql", "performance_schema", "sys"},
    "duckdb": {"pg_catalog", "system"},
    "tsql": {"sys", "master", "msdb"},
    "oracle": {"sys", "system", "audsys", "xdb", "dbsnmp", "gsmadmin_internal", "lbacsys"},
    "snowflake": {"snowflake", "account_usage", "organization_usage"},
    "clickhouse": {"system"},
    "trino": {"system"},
}
# What else `all_` and `user_` stand before in Oracle's dictionary: values, others' SQL, sources.
_ORACLE_VIEWS = "|".join(
    name_set(r"""
    users db_links source\w* jobs credentials policies policy_\w+ directories triggers
    trigger_cols recyclebin password_limits resource_limits resumable resource_map
    \w+_privs(_\w+)? scheduler_\w+ \w*histograms \w*audit\w* \w*col_statistics \w*tab_statistics
    \w*ind_statistics \w*_stat_\w+ tab_stats\w* tab_pending_stats \w*_pending_stats sqlset\w*
    sqltune_\w+ advisor_\w+ addm_\w+ outlines outline_hints sql_\w+ sqlj_\w+ dv_\w+ java_\w+
    errors\w* identifiers statements plsql_\w+ queues queue_\w+ xs_\w+ xstream_\w+ xml_schemas
    xml_indexes apply_\w+ capture\w* propagation\w* goldengate_\w+ streams_\w+ logstdby_\w+
    registry\w* rewrite_\w+ refresh\w* registered_\w+ snapshot\w* internal_\w+ warning_settings
    stored_settings wrapped_\w+ warehouse_\w+ encrypted_columns sec_relevant_\w+ sa_\w+
    redaction_\w+ wallet_\w+ host_acls network_acl\w* mining_model\w* tsm_\w+ cq_\w+
    change_notification_\w+ subscr_\w+ datapump_\w+ exp_\w+ flashback_\w+ ts ts_quotas extents
    free_space segments objects_ae editioning_\w+ editions aw_\w+ cube_\w+
    """)
)
_SYSTEM_NAMES = {
    "postgres": re.compile(r"pg_\w+"),
    "redshift": re.compile(r"(pg|stl|stv|svl|svcs)_\w+"),
    "sqlite": re.compile(
        r"(sqlite|pragma)_\w+|dbstat|json_each|json_tree|fsdir|lsdir|zipfile|[cv]sv|bytecode"
        r"|tables_used|completion|carray|statement_vtab|memstat|vfsstat|fts[345]\w*|(un)?swarmvtab"
        r"|unionvtab|explain_vtab|btreeinfo|dbdata|dbptr|dbpage|recover_\w+"
    ),
    "duckdb": re.compile(r"(duckdb|pragma|pg)_\w+"),
    "tsql": re.compile(
        r"sys(logins|users|servers|processes|configures|curconfigs|databases|cacheobjects|xlogins"
        r"|remote_?logins|oledbusers|lockinfo|comments|protects|permissions|members|perfinfo"
        r"|(alt)?files|filegroups|devices|messages|jobs\w*|mail\w*|proxies|credentials|ssis\w*"
        r"|dts\w*|sub\w*systems|operators|alerts|schedules|trace\w*|maint\w*)"
    ),
    "oracle": re.compile(
        r"(dba|cdb)_\w+|g?v_?\$\w+|x\$\w+|\w+\$\w*|(session|role)_(privs|roles)|role_\w+_privs"
        r"|unified_audit_\w+|flashback_transaction_query|recyclebin|resource_map|stmt_audit_\w+"
        rf"|(all|user)_({_ORACLE_VIEWS})"
    ),
}


def is_schema(schema: str, dialect: str) -> bool:
    """Whether the engine itself keeps what stands in that schema."""
    folded = schema.casefold()
    if folded == "information_schema" or folded in _SYSTEM_SCHEMAS.get(dialect, ()):
        return True
    return dialect == "postgres" and folded.startswith("pg_")


def is_system(parts: Sequence[str], dialect: str, written: str) -> bool:
    """Whether a name is one of the engine's own tables; `written` is the dialect's own name."""
    *above, name = [part.casefold() for part in parts]
    if any(is_schema(part, dialect) for part in above):
        return True
    pattern = _SYSTEM_NAMES.get(written) or _SYSTEM_NAMES.get(dialect)
    return pattern is not None and pattern.fullmatch(name) is not None


def is_harmless(parts: Sequence[str], dialect: str) -> bool:
    """Whether a system table shows neither data nor secrets."""
    *above, name = [part.casefold() for part in parts]
    if "information_schema" in above:
        return name in _INFORMATION_SCHEMA
    if dialect == "mysql" and not above and _MADE_BY_MARIADB.fullmatch(name):
        return True
    listed = name in _HARMLESS.get(dialect, frozenset())
    if dialect == "tsql":
        return listed and "sys" in above
    return listed and set(above) <= _SYSTEM_SCHEMAS.get(dialect, set()) | {"main"}
