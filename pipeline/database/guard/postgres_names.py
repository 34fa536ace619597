"""PostgreSQL's functions of one value, which a dotted name may call, and what functions return.

`a.f` and `(x).f` call f wherever the left side has no such column
(https://www.postgresql.org/docs/current/xfunc-sql.html#XFUNC-SQL-COMPOSITE-FUNCTIONS), so no
parenthesis tells the call. Sources: pg_proc of PostgreSQL 15, the manuals of later versions and of
widespread extensions.
"""

from __future__ import annotations

import re

from pipeline.database.guard import functions
from pipeline.database.names import name_set

_FAMILIES = re.compile(
    r"(pg|lo|fmgr|txid|dblink|timescaledb|postgis|citus|pgmq|binary_upgrade)_\w+|loread|lowrite"
)
"""Prefixes of functions that columns hardly have; those on the list of pure ones are exempt."""

# Volatile or stable ones that take one argument; then those of widespread extensions.
_ACTING = name_set("""
    aclitemin aclitemout amvalidate brin_summarize_new_values currval current_setting
    cursor_to_xml cursor_to_xmlschema database_to_xml database_to_xml_and_xmlschema
    database_to_xmlschema gin_clean_pending_list lastval nextval plpgsql_validator query_to_xml
    query_to_xml_and_xmlschema query_to_xmlschema schema_to_xml schema_to_xml_and_xmlschema
    schema_to_xmlschema setseed setval set_config table_to_xml table_to_xml_and_xmlschema
    table_to_xmlschema ts_rewrite ts_stat
    add_job addauth addgeometrycolumn alter_job approximate_row_count bt_index_check
    bt_index_parent_check bt_metap bt_multi_page_stats bt_page_items bt_page_stats checkauth
    compress_chunk connectby convert_to_columnstore convert_to_rowstore copy_chunk
    create_distributed_table create_graph create_hypertable create_reference_table
    crosstab crosstab2 crosstab3 crosstab4
    cypher dblink decompress_chunk delete_job detach_chunk disablelongtransactions
    drop_chunks drop_graph dropgeometrycolumn dropgeometrytable enablelongtransactions
    fsm_page_contents gen_salt get_raw_page gin_leafpage_items gin_metapage_info
    gin_page_opaque_info gist_page_items gist_page_items_bytea gist_page_opaque_info
    hash_bitmap_info hash_metapage_info hash_page_items hash_page_stats hash_page_type
    heap_force_freeze heap_force_kill heap_page_item_attrs heap_page_items http http_delete
    http_get http_head http_header http_list_curlopt http_patch http_post http_put
    http_reset_curlopt http_set_curlopt hypopg_create_index hypopg_drop_index hypopg_hide_index
    hypopg_reset hypopg_unhide_index lockrow move_chunk page_checksum page_header pgrowlocks
    pgstatginindex pgstathashindex pgstatindex pgstattuple pgstattuple_approx
    plperl_call_handler plpython3_call_handler populate_geometry_columns postgres_fdw_disconnect
    postgres_fdw_disconnect_all postgres_fdw_get_connections recompress_chunk
    refresh_continuous_aggregate remove_compression_policy remove_retention_policy run_job
    run_command_on_all_nodes run_command_on_shards run_command_on_workers set_limit show_chunks
    show_limit ssl_extension_info ssl_issuer_field tuple_data_split undistribute_table unlockrows
    updategeometrysrid verify_heapam xpath_nodeset xpath_table
    """)


def may_act(name: str) -> bool:
    """Whether a function of that name, called with one value, may do more than compute."""
    folded = name.casefold()
    if folded in _ACTING:
        return True
    return _FAMILIES.fullmatch(folded) is not None and not functions.is_listed(folded, "postgres")


RECORDS: dict[str, tuple[str, ...]] = {
    name: tuple(columns.split())
    for name, columns in {
        "aclexplode": "grantor grantee privilege_type is_grantable",
        "each": "key value",
        "json_array_elements": "value",
        "json_array_elements_text": "value",
        "json_each": "key value",
        "json_each_text": "key value",
        "jsonb_array_elements": "value",
        "jsonb_array_elements_text": "value",
        "jsonb_each": "key value",
        "jsonb_each_text": "key value",
        "pg_get_keywords": "word catcode barelabel catdesc baredesc",
        "pg_identify_object": "type schema name identity",
        "pg_options_to_table": "option_name option_value",
        "pg_partition_ancestors": "relid",
        "pg_partition_tree": "relid parentrelid isleaf level",
        "pg_timezone_abbrevs": "abbrev utc_offset is_dst",
        "pg_timezone_names": "name abbrev utc_offset is_dst",
        "ts_debug": "alias description token dictionaries dictionary lexemes",
        "ts_parse": "tokid token",
        "ts_token_type": "tokid alias description",
    }.items()
}
"""The columns of what a function returns, in their order, where these have names of their own."""

OPEN = name_set("""
    unnest json_populate_record json_populate_recordset json_to_record json_to_recordset
    jsonb_populate_record jsonb_populate_recordset jsonb_to_record jsonb_to_recordset first_value
    last_value nth_value lag lead mode percentile_disc max min any_value array_agg row coalesce
    greatest least nullif lower upper first last histogram
    """)
"""Functions that may return a composite whose columns nobody but the statement's writer knows."""
