"""Which functions a statement may call, where sqlglot has no class for them.

`DENIED` wins over every list and over `allow_functions:` of kb.yaml.
"""

from __future__ import annotations

import re
from functools import lru_cache

from pipeline.database.guard import geometry
from pipeline.database.guard.function_names import ALLOWED
from pipeline.database.names import name_set

ALLOWED_PATTERNS: dict[str, re.Pattern[str]] = {
    "postgres": re.compile(rf"st_(3d|_)?({geometry.COMMON}|{geometry.POSTGIS})|h3_(?!raster)\w+"),
    "duckdb": re.compile(r"(icu_)?collate_\w+|stem|st_(?!read|drivers|list)\w+"),
    "sqlite": re.compile(rf"st_(3d)?({geometry.COMMON})|vec_(?!static)\w+"),
    "mysql": re.compile(r"st_\w+|mbr\w+"),
    "snowflake": re.compile(r"st_\w+|h3_\w+"),
    "bigquery": re.compile(r"st_(?!region)\w+"),
}
"""Families of pure functions: PostGIS and its kin without what reads files, collations."""

DENIED = re.compile(
    r"""
    # files, programs, other databases
    pg_read_\w* | pg_ls_\w* | pg_stat_file | pg_file_\w* | pg_logdir_ls | lo_\w+ | loread | lowrite
  | load_file | load_extension | readfile | writefile | fsdir | edit | sys_exec | sys_eval | sys_get
  | read_(csv|json|ndjson|parquet|text|blob|duckdb|xlsx|single)\w* | \w*_scan | scan_\w+
  | parquet_\w+ | sniff_csv | glob_files | copy_database
  | import_database | export_\w*database | sqlite_attach | postgres_attach | which_secret
  | st_read\w* | st_createoverview | (st_)?findextent | st_estimated_?extent | getenv
  | st_drivers | dblink\w* | postgres_query | mysql_query | sqlite_query | http_\w+
  | openrowset | openquery | opendatasource | xp_\w+ | sp_\w+
  | fn_(xe|trace|dump|dblog|get)\w* | utl_\w+ | dbms_\w+
  | httpuritype | dburitype | xdburitype | uritype | bfilename | external_query
    # SQL in a string
  | query_to_xml\w* | table_to_xml\w* | cursor_to_xml\w* | schema_to_xml\w* | database_to_xml\w*
  | ts_stat | ts_rewrite | crosstab\w* | connectby | xpath_table | query_table | json_execute_\w+
  | eval | execute\w* | exec\w*
    # sequences, locks, waiting
  | nextval | setval | currval | lastval | last_insert_id | pg_advisory_\w+ | pg_try_advisory_\w+
  | get_lock | release_lock | release_all_locks | is_free_lock | is_used_lock | pg_sleep\w* | sleep
  | sleep_ms | benchmark | \w+_pos_wait | \w+_gtid_wait | wait_for_\w+ | wsrep_\w+
    # sessions, servers, administration
  | set_config | setseed | pg_notify | pg_terminate_\w+ | pg_cancel_\w+ | pg_reload_\w+
  | pg_rotate_\w+ | pg_promote | pg_switch_\w+ | pg_create_\w+ | pg_drop_\w+ | pg_replication_\w+
  | pg_logical_\w+ | pg_backup_\w+ | pg_start_\w+ | pg_stop_\w+ | pg_stat_reset\w* | pg_import_\w+
  | pg_export_\w+ | pg_log_\w+ | pg_wal_\w+ | pg_extension_config_dump | pg_prewarm
  | pg_current_xact_id | txid_current | system\$(?!typeof\b)\w+ | pragma_optimize
  | fts3_tokenizer | sqlite_log
  | add_parquet_key | write_log | enable_\w+ | disable_\w+ | checkpoint | force_checkpoint
  | getvariable | duckdb_secrets | \w*grammar_extension | ml_\w+ | ai_\w+ | generate_text
    """,
    re.VERBOSE,
)
"""Names that are never allowed, whatever kb.yaml says."""

DENIED_IN: dict[str, re.Pattern[str]] = {
    "duckdb": re.compile(
        r"query|glob|histogram_values|duckdb_(settings|secret_types|logs\w*|variables|databases|extensions"
        r"|temporary_files|external\w*)|\w*external_resource\w*|truncate_\w+|python_map_function"
        r"|load_aws_\w+"
    ),
    "tsql": re.compile(r"dm_\w+|loginproperty|pwdencrypt|pwdcompare|decryptby\w+|openxml"),
    "snowflake": re.compile(
        r"identifier|result_scan|last_query_id|getnextval|to_file|infer_schema|get_presigned_url"
        r"|get_stage_location|build_(stage|scoped)_\w+|\w*_history|fl_\w+"
    ),
    "oracle": re.compile(r"urifactory|geturi|xmltype|\w+@\w+"),
    "mysql": re.compile(r"ps_\w+|lib_mysqludf\w+|wait_until_\w+"),
    "postgres": re.compile(r"binary_upgrade_\w+|pg_show_all_\w+|pg_hba_file_rules|heap_force_\w+"),
}
"""Names that are never allowed in one dialect, and may mean something harmless in others."""

DENIED_AS_TABLE: dict[str, frozenset[str]] = {"duckdb": frozenset(["histogram"])}
"""Aggregates that, read like a table, take the name of a table or a file as an argument."""

DENIED_SCHEMAS: dict[str, frozenset[str]] = {
    "bigquery": frozenset(["ml", "ai"]),
    "snowflake": frozenset(["cortex", "ml"]),
    "oracle": name_set("ctxsys ordsys xdb apex_web_service"),
}
"""Packages of functions that call models or other servers."""

PURE_SCHEMAS: dict[str, frozenset[str]] = {
    "postgres": frozenset(["pg_catalog"]),
    "duckdb": frozenset(["main", "system", "pg_catalog"]),
    "bigquery": frozenset(["safe", "net", "hll_count", "keys", "hll_quantiles", "kll_quantiles"]),
}
"""Schemas (or prefixes) of built-in functions; any other stands for a function of users."""

COMPLETE = frozenset(["postgres", "mysql", "sqlite", "duckdb"])
"""Dialects whose lists were held against the engine's own: a function that isn't on them is one
of users, even where sqlglot knows one of that name from another dialect."""

SETTINGS = name_set("""
    application_name bytea_output client_encoding datestyle default_text_search_config
    default_transaction_isolation default_transaction_read_only enable_seqscan extra_float_digits
    integer_datetimes intervalstyle is_superuser lc_collate lc_ctype lc_messages lc_monetary
    lc_numeric lc_time lock_timeout max_connections memory_limit role schema search_path
    server_encoding server_version server_version_num session_authorization
    standard_conforming_strings statement_timeout threads timezone transaction_isolation
    transaction_read_only work_mem
    """)
"""What `current_setting` may read; others hold paths and, some, passwords."""

MYSQL_VARIABLES = name_set("""
    auto_increment_increment auto_increment_offset autocommit big_tables character_set_client
    character_set_connection character_set_database character_set_filesystem
    character_set_results character_set_server character_set_system collation_connection
    collation_database collation_server cte_max_recursion_depth default_storage_engine
    default_week_format div_precision_increment error_count explicit_defaults_for_timestamp
    foreign_key_checks ft_max_word_len ft_min_word_len group_concat_max_len have_ssl identity
    innodb_ft_max_token_size innodb_ft_min_token_size innodb_lock_wait_timeout innodb_page_size
    innodb_version insert_id interactive_timeout join_buffer_size last_insert_id lc_messages
    lc_time_names license lock_wait_timeout lower_case_file_system lower_case_table_names
    max_allowed_packet max_connections max_execution_time max_heap_table_size
    max_join_size max_recursive_iterations max_sort_length max_statement_time net_read_timeout
    net_write_timeout ngram_token_size optimizer_switch protocol_version read_only
    regexp_stack_limit regexp_time_limit sort_buffer_size sql_auto_is_null sql_big_selects
    sql_mode sql_safe_updates sql_select_limit storage_engine super_read_only system_time_zone
    table_open_cache time_zone timestamp tmp_table_size transaction_isolation
    transaction_read_only tx_isolation tx_read_only unique_checks version version_comment
    version_compile_machine version_compile_os wait_timeout warning_count
    """)
"""What `@@…` may read of MySQL and MariaDB."""

SETTING_READERS = {
    "current_setting": SETTINGS,
    "sys_context": frozenset(["userenv", "sys_session_roles"]),
}
"""By function, what its first argument may name."""

ORACLE_VALUES = name_set("""
    column_value connect_by_iscycle connect_by_isleaf current_date current_timestamp dbtimezone
    dummy level localtimestamp object_value ora_rowscn rowid rownum sessiontimezone sysdate
    systimestamp uid user
    """)
"""What Oracle reads like a column though no table has it."""

METHODS: dict[str, dict[str, int]] = {
    "tsql": {
        "value": 2, "query": 1, "exist": 1, "nodes": 1, "tostring": 0, "getlevel": 0,
        "getancestor": 1, "isdescendantof": 1, "stasbinary": 0, "stastext": 0, "starea": 0,
        "stcontains": 1, "stdistance": 1, "stequals": 1, "stintersects": 1, "stlength": 0,
        "stsrid": 0, "stwithin": 1, "stx": 0, "sty": 0,
    },
    "oracle": {"getclobval": 0, "getstringval": 0, "getnumberval": 0},
}  # fmt: skip
"""Functions that are called on a column, `c.value('…', '…')`, with how many arguments they have."""

PURE_PACKAGES: dict[str, dict[str, frozenset[str]]] = {
    "oracle": {
        "dbms_lob": name_set("compare getlength instr substr"),
        "utl_raw": name_set(
            "bit_and bit_or bit_xor cast_from_number cast_to_number cast_to_nvarchar2 cast_to_raw "
            "cast_to_varchar2 compare concat length reverse substr"
        ),
        "utl_i18n": name_set("raw_to_char string_to_raw"),
        "utl_match": name_set(
            "edit_distance edit_distance_similarity jaro_winkler jaro_winkler_similarity"
        ),
        "sys": name_set("odcidatelist odcinumberlist odcivarchar2list"),
    },
    "bigquery": {"ml": frozenset(["distance"])},
}
"""By package, the functions in it that only compute; its others can't be called."""


@lru_cache(maxsize=4096)
def is_denied(name: str, dialect: str = "") -> bool:
    """Whether the function may never be called."""
    folded = name.casefold()
    if folded.startswith("pragma_") and folded not in listed(dialect):
        return True
    own = DENIED_IN.get(dialect)
    if own is not None and own.fullmatch(folded):
        return True
    return DENIED.fullmatch(folded) is not None


@lru_cache(maxsize=1024)
def is_denied_schema(schema: str, dialect: str) -> bool:
    """Whether no function of that schema or package may be called."""
    return schema.casefold() in DENIED_SCHEMAS.get(dialect, ()) or is_denied(schema, dialect)


def is_in_pure_package(package: str, name: str, dialect: str) -> bool:
    """Whether a function of a package only computes, whatever the package's others do."""
    packages = PURE_PACKAGES.get(dialect)
    if packages is None:
        return False
    return name.casefold() in packages.get(package.casefold(), ())


def is_listed(name: str, dialect: str) -> bool:
    """Whether the function is known to be free of side effects in that dialect."""
    folded = name.casefold()
    pattern = ALLOWED_PATTERNS.get(dialect)
    return folded in listed(dialect) or bool(pattern and pattern.fullmatch(folded))


def listed(dialect: str) -> frozenset[str]:
    """Return the names that `is_listed` knows one by one."""
    return ALLOWED.get(dialect, ALLOWED[""])
