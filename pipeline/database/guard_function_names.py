"""Functions that only compute, by dialect, where sqlglot has no class for them.

A name is listed when the engine's manual says that it computes from its arguments (or tells the
time, the version, the structure) and nothing else. Sources: pg_proc (volatility `i` and `s`) of
PostgreSQL 15 and the manuals of widespread extensions, `duckdb_functions()` of DuckDB 2.0,
`pragma_function_list` of SQLite 3.40, `information_schema.SQL_FUNCTIONS` of MariaDB 10.11, the
manuals of the others.
"""

from __future__ import annotations

_COMMON = """
abs acos asin atan atan2 avg ceil ceiling char_length character_length coalesce concat concat_ws
cos cot count cume_dist current_date current_time current_timestamp date degrees dense_rank exp
first_value floor greatest grouping grouping_id hour instr isnull lag last_value lead least left
length ln log log10 log2 lower lpad ltrim max min minute mod month nth_value ntile nullif
octet_length percent_rank percentile_cont percentile_disc pi position power quarter radians rank
replace reverse right round row_number rpad rtrim second sign sin sqrt stddev stddev_pop
stddev_samp substr substring sum tan trim upper user var_pop var_samp variance version week year
"""

_SQLITE = """
acosh asinh atanh bm25 changes char cosh datetime fts5_source_id glob group_concat hex highlight
ifnull iif json json_array json_array_length json_each json_error_position json_extract
json_group_array json_group_object json_insert json_object json_patch json_pretty json_quote
json_remove json_replace json_set json_tree json_type json_valid jsonb jsonb_array jsonb_each
jsonb_extract jsonb_group_array jsonb_group_object jsonb_insert jsonb_object jsonb_patch
jsonb_remove jsonb_replace jsonb_set jsonb_tree julianday last_insert_rowid like likelihood likely
matchinfo median octet_length offsets percentile pow printf format quote random randomblob
rtreedepth sinh snippet soundex sqlite_compileoption_get sqlite_compileoption_used
sqlite_source_id sqlite_version sqlite_offset string_agg strftime subtype tanh time timediff total
total_changes trunc typeof unhex unicode unistr unistr_quote unixepoch unlikely zeroblob match
geopoly_area geopoly_bbox geopoly_blob geopoly_contains_point geopoly_json geopoly_overlap
geopoly_svg geopoly_within concat if generate_series pragma_collation_list
pragma_foreign_key_list pragma_function_list pragma_index_info pragma_index_list
pragma_index_xinfo pragma_module_list pragma_pragma_list pragma_table_info pragma_table_list
pragma_table_xinfo
"""

_POSTGRES = """
acosd acosh age area array_agg array_append array_cat array_dims array_fill array_length
array_lower array_ndims array_position array_positions array_prepend array_remove array_replace
array_sample array_shuffle array_to_json array_to_string array_to_tsvector array_upper ascii asind
asinh atan2d atand atanh avg bit_and bit_count bit_length bit_or bit_xor bool bool_and bool_or box
bpchar broadcast btrim cardinality cbrt center char chr cidr circle clock_timestamp
col_description convert convert_from convert_to corr cosd cosh cotd covar_pop covar_samp
current_catalog current_database current_query current_role current_schema current_schemas
current_setting current_user date_add date_bin date_part date_subtract date_trunc datemultirange
daterange decode diagonal diameter div encode enum_first enum_last enum_range erf erfc every
extract factorial family float4 float8 format format_type gcd gen_random_uuid generate_series
generate_subscripts get_bit get_byte get_current_ts_config getdatabaseencoding
has_any_column_privilege has_column_privilege has_database_privilege has_function_privilege
has_schema_privilege has_sequence_privilege has_table_privilege has_type_privilege height host
hostmask inet_client_addr inet_client_port inet_merge inet_same_family inet_server_addr
inet_server_port initcap int2 int4 int4multirange int4range int8 int8multirange int8range interval
is_normalized isclosed isempty isfinite ishorizontal isopen isparallel isperp isvertical json_agg
json_agg_strict json_array json_array_elements json_array_elements_text json_array_length
json_arrayagg json_build_array json_build_object json_each json_each_text json_exists
json_extract_path json_extract_path_text json_object json_object_agg json_object_agg_strict
json_object_agg_unique json_object_keys json_objectagg json_populate_record
json_populate_recordset json_query json_scalar json_serialize json_strip_nulls json_table
json_to_record json_to_recordset json_to_tsvector json_typeof json_value jsonb_agg
jsonb_agg_strict jsonb_array_elements jsonb_array_elements_text jsonb_array_length
jsonb_build_array jsonb_build_object jsonb_contains jsonb_each jsonb_each_text jsonb_exists
jsonb_extract_path jsonb_extract_path_text jsonb_insert jsonb_object jsonb_object_agg
jsonb_object_keys jsonb_path_exists jsonb_path_exists_tz jsonb_path_match jsonb_path_match_tz
jsonb_path_query jsonb_path_query_array jsonb_path_query_array_tz jsonb_path_query_first
jsonb_path_query_first_tz jsonb_path_query_tz jsonb_populate_record jsonb_populate_recordset
jsonb_pretty jsonb_set jsonb_set_lax jsonb_strip_nulls jsonb_to_record jsonb_to_recordset
jsonb_to_tsvector jsonb_typeof justify_days justify_hours justify_interval lcm line localtime
localtimestamp lower_inc lower_inf lseg macaddr macaddr8 make_date make_interval make_time
make_timestamp make_timestamptz masklen md5 min_scale mode money multirange name netmask network
normalize notlike now npoints num_nonnulls num_nulls numeric numnode numrange nummultirange
obj_description oid overlaps overlay parse_ident path pclose pg_backend_pid pg_client_encoding
pg_collation_for pg_column_compression pg_column_size pg_database_size pg_encoding_to_char
pg_function_is_visible pg_get_constraintdef pg_get_expr pg_get_function_arguments
pg_get_function_identity_arguments pg_get_function_result pg_get_functiondef pg_get_indexdef
pg_get_keywords pg_get_partkeydef pg_get_ruledef pg_get_serial_sequence pg_get_triggerdef
pg_get_userbyid pg_get_viewdef pg_has_role pg_indexes_size pg_input_is_valid pg_is_in_recovery
pg_lsn pg_partition_ancestors pg_partition_root pg_partition_tree pg_postmaster_start_time
pg_relation_size pg_size_bytes pg_size_pretty pg_table_is_visible pg_table_size
pg_tablespace_location pg_total_relation_size pg_type_is_visible pg_typeof phraseto_tsquery
plainto_tsquery point polygon popen querytree quote_ident quote_literal quote_nullable radius
random range_agg range_intersect_agg range_merge regclass regexp_count regexp_instr regexp_like
regexp_match regexp_matches regexp_replace regexp_split_to_array regexp_split_to_table
regexp_substr regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy
regr_syy repeat row row_security_active row_to_json scale session_user set_bit set_byte
set_masklen setweight sha224 sha256 sha384 sha512 shobj_description sind sinh slope split_part
starts_with statement_timestamp string_agg string_to_array string_to_table strip strpos substring
tand tanh text timeofday timestamptz timetz timezone to_ascii to_bin to_char to_date to_hex
to_json to_jsonb to_number to_oct to_regclass to_regnamespace to_regproc to_regrole to_regtype
to_timestamp to_tsquery to_tsvector transaction_timestamp translate trim_array trim_scale trunc
ts_debug ts_delete ts_filter ts_headline ts_lexize ts_parse ts_rank ts_rank_cd ts_token_type
tsmultirange tsquery_phrase tsrange tstzmultirange tstzrange tsvector_to_array unistr unnest
upper_inc upper_inf uuid_extract_timestamp uuid_extract_version uuidv4 uuidv7 values varbit
varchar websearch_to_tsquery width width_bucket xml xml_is_well_formed xml_is_well_formed_content
xml_is_well_formed_document xmlagg xmlattributes xmlcomment xmlconcat xmlelement xmlexists
xmlforest xmlparse xmlpi xmlroot xmlserialize xmltable xpath xpath_exists similarity
word_similarity strict_word_similarity show_trgm unaccent levenshtein levenshtein_less_equal
metaphone dmetaphone dmetaphone_alt daitch_mokotoff soundex difference crypt digest hmac
uuid_generate_v1 uuid_generate_v3 uuid_generate_v4 uuid_generate_v5 uuid_nil akeys avals skeys
svals hstore hstore_to_array hstore_to_json hstore_to_jsonb slice exist defined cosine_distance
inner_product l1_distance l2_distance l2_norm l2_normalize vector_dims vector_norm
hamming_distance jaccard_distance subvector time_bucket time_bucket_gapfill locf interpolate first
last histogram approximate_row_count earth_distance earth_box ll_to_earth latitude longitude cube
cube_distance nlevel subpath subltree lca ltree2text text2ltree isn_weak normal_rand median
"""

_MYSQL = """
acosh add_months adddate addtime aes_decrypt aes_encrypt any_value ascii asinh bin bin_to_uuid
bit_and bit_count bit_length bit_or bit_xor cast char charset chr coercibility collation
column_check column_exists column_get column_json column_list compress connection_id conv convert
convert_tz crc32 crc32c curdate current_role current_user curtime database date_add date_format
date_sub datediff day dayname dayofmonth dayofweek dayofyear decode_histogram des_decrypt
des_encrypt distance elt encode export_set extract extractvalue field find_in_set format
format_bytes format_pico_time found_rows from_base64 from_days from_unixtime get_format
group_concat hex if ifnull inet6_aton inet6_ntoa inet_aton inet_ntoa insert interval is_ipv4
is_ipv4_compat is_ipv4_mapped is_ipv6 is_uuid json_array json_array_append json_array_insert
json_arrayagg json_compact json_contains json_contains_path json_depth json_detailed json_equals
json_exists json_extract json_insert json_keys json_length json_loose json_merge json_merge_patch
json_merge_preserve json_normalize json_object json_object_filter_keys json_object_to_array
json_objectagg json_overlaps json_pretty json_query json_quote json_remove json_replace
json_schema_valid json_schema_validation_report json_search json_set json_storage_free
json_storage_size json_table json_type json_unquote json_valid json_value last_day lcase lengthb
localtime localtimestamp locate lower make_set makedate maketime match md5 median microsecond mid
monthname name_const natural_sort_key now nvl nvl2 oct old_password ord password period_add
period_diff pow quote rand random_bytes regexp_instr regexp_like regexp_replace regexp_substr
repeat row row_count schema sec_to_time session_user sformat sha sha1 sha2 soundex space std
strcmp str_to_date subdate substring_index subtime sysdate sys_guid system_user time time_format
time_to_sec timediff timestamp timestampadd timestampdiff to_base64 to_char to_date to_days
to_number to_seconds trunc truncate ucase uncompress uncompressed_length unhex unix_timestamp
updatexml utc_date utc_time utc_timestamp uuid uuid_short uuid_to_bin validate_password_strength
vec_distance vec_distance_cosine vec_distance_euclidean vec_fromtext vec_totext weekday weekofyear
weight_string xor yearweek
"""

_DUCKDB = """
acosh add age aggregate ago alias any_value apply approx_count_distinct approx_quantile
approx_top_k arbitrary arg_max arg_max_null arg_min arg_min_null argmax argmin array_agg
array_aggr array_aggregate array_append array_apply array_cat array_concat array_contains
array_cosine_distance array_cosine_similarity array_cross_product array_distance array_distinct
array_dot_product array_extract array_filter array_grade_up array_has array_has_all array_has_any
array_indexof array_inner_product array_intersect array_length array_negative_dot_product
array_negative_inner_product array_pop_back array_pop_front array_position array_prepend
array_push_back array_push_front array_reduce array_resize array_reverse array_reverse_sort
array_select array_slice array_sort array_to_json array_to_string array_to_string_comma_default
array_transform array_unique array_value array_where array_zip ascii asinh atanh bar base64 bin
bit_and bit_count bit_length bit_or bit_position bit_xor bitstring bitstring_agg bool_and bool_or
cardinality cast_to_type cbrt century chr col_description columns contains corr cosh count_if
count_star countif covar_pop covar_samp current_catalog current_database current_localtime
current_localtimestamp current_query current_role current_schema current_schemas current_user
damerau_levenshtein date_add date_diff date_part date_sub date_trunc datediff datepart datesub
datetrunc day dayname dayofmonth dayofweek dayofyear days_in_month decade decode divide editdist3
element_at encode ends_with entropy enum_code enum_first enum_last enum_range enum_range_boundary
epoch epoch_ms epoch_ns epoch_us equi_width_bins era even exclude extract factorial favg fdiv
filter first flatten fmod format format_bytes formatreadabledecimalsize formatreadablesize
from_base64 from_binary from_hex from_json from_json_strict fsum gamma gcd gen_random_uuid
generate_series generate_subscripts geomean geometric_mean get_bit get_current_time
get_current_timestamp grade_up greatest_common_divisor group_concat hamming hash hex histogram
histogram_exact histogram_values if ifnull in_search_path inet_client_addr isfinite isinf isnan
isodow isoyear jaccard jaro_similarity jaro_winkler_similarity json json_array json_array_length
json_contains json_deep_merge json_each json_exists json_extract json_extract_path
json_extract_path_text json_extract_string json_group_array json_group_object json_group_structure
json_insert json_keys json_merge_patch json_merge_patch_diff json_normalize json_object
json_pretty json_quote json_remove json_replace json_serialize_sql json_set json_structure
json_transform json_transform_strict json_tree json_type json_valid json_value julian kahan_sum
kurtosis kurtosis_pop last last_day lcase lcm least_common_multiple left_grapheme len
length_grapheme levenshtein lgamma list list_aggr list_aggregate list_any_value list_append
list_apply list_approx_count_distinct list_avg list_bit_and list_bit_or list_bit_xor list_bool_and
list_bool_or list_cat list_concat list_contains list_cosine_distance list_cosine_similarity
list_count list_distance list_distinct list_dot_product list_element list_entropy list_extract
list_filter list_first list_grade_up list_has list_has_all list_has_any list_histogram
list_indexof list_inner_product list_intersect list_kurtosis list_kurtosis_pop list_last list_mad
list_max list_median list_min list_mode list_negative_dot_product list_negative_inner_product
list_pack list_position list_prepend list_product list_reduce list_resize list_reverse
list_reverse_sort list_select list_sem list_skewness list_slice list_sort list_stddev_pop
list_stddev_samp list_string_agg list_sum list_transform list_unique list_value list_var_pop
list_var_samp list_where list_zip listagg lttb mad make_date make_time make_timestamp
make_timestamp_ms make_timestamp_ns make_timestamptz map map_concat map_contains
map_contains_entry map_contains_value map_entries map_extract map_extract_value map_from_entries
map_keys map_values max_by md5 md5_number md5_number_lower md5_number_upper mean median
microsecond millennium millisecond min_by mismatches mode monthname multiply nanosecond nextafter
nfc_normalize normalized_interval not_ilike_escape not_like_escape now obj_description ord
parse_dirname parse_dirpath parse_filename parse_formatted_bytes parse_path path_join
pg_get_viewdef pg_size_pretty pg_typeof pow prefix printf product quantile quantile_cont
quantile_disc random range rank_dense reduce regexp_escape regexp_extract regexp_extract_all
regexp_full_match regexp_matches regexp_replace regexp_split_to_array regexp_split_to_table
regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy repeat
reservoir_quantile right_grapheme round_even roundbankers row row_to_json sem sha1 sha256 signbit
sinh skewness split split_part st_asbinary st_asgeojson st_astext st_aswkb st_aswkt st_crs
st_geomfromgeojson st_geomfromwkb st_intersects_extent starts_with str_split str_split_regex
strftime string_agg string_split string_split_regex string_to_array strip_accents strlen strpos
strptime struct_concat struct_contains struct_extract struct_extract_at struct_has struct_indexof
struct_insert struct_keys struct_pack struct_position struct_update struct_values
substring_grapheme subtract suffix sum_no_overflow sumkahan tanh time_bucket timezone
timezone_hour timezone_minute to_base to_base64 to_binary to_centuries to_days to_decades to_hex
to_hours to_json to_microseconds to_millennia to_milliseconds to_minutes to_months to_quarters
to_seconds to_timestamp to_weeks to_years today transaction_timestamp translate trunc try_cast
try_strptime typeof ucase unbin unhex unicode union_extract union_tag union_value unnest unpivot
url_decode url_encode uuid uuid_extract_timestamp uuid_extract_version uuidv4 uuidv7
variant_extract variant_typeof wavg weekday weekofyear weighted_avg xor yearweek row_number fill
vector_type try duckdb_columns duckdb_constraints duckdb_databases duckdb_indexes duckdb_keywords
duckdb_schemas duckdb_tables duckdb_types duckdb_views pragma_table_info pragma_version table_info
"""

_TSQL = """
app_name approx_count_distinct approx_percentile_cont approx_percentile_disc ascii atn2 bit_count
cast char charindex checksum checksum_agg choose collationproperty col_length col_name
columnproperty compress convert count_big current_timezone current_user databasepropertyex
datalength date_bucket dateadd datediff datediff_big datefromparts datename datepart
datetime2fromparts datetimefromparts datetimeoffsetfromparts datetrunc day db_id db_name
decompress difference edge_id_from_parts eomonth exist floor format generate_series get_bit
getansinull getdate getutcdate greatest hashbytes host_name iif index_col indexkey_property isdate
isjson isnumeric json_array json_arrayagg json_contains json_modify json_object json_objectagg
json_path_exists json_query json_value least left_shift len log nchar newid nodes
object_definition object_id object_name object_schema_name objectproperty objectpropertyex
openjson original_login parse parsename patindex permissions quotename rand regexp_count
regexp_instr regexp_like regexp_matches regexp_replace regexp_split_to_table regexp_substr
replicate right_shift schema_id schema_name scope_identity serverproperty session_user
sessionproperty set_bit smalldatetimefromparts soundex space square stats_date stdev stdevp str
string_agg string_escape string_split stuff suser_name suser_sname switchoffset sysdatetime
sysdatetimeoffset system_user sysutcdatetime tertiary_weights timefromparts todatetimeoffset
translate trigger_nestlevel try_cast try_convert try_parse type_id type_name typeproperty unicode
user_id user_name value var varp vector_distance xact_state stasbinary stastext starea stcontains
stdistance stequals stintersects stlength stsrid stwithin stx sty query tostring
"""

_ORACLE = """
add_months any_value approx_count approx_count_distinct ascii asciistr bin_to_num bitand
cardinality cast chartorowid chr collect compose connect_by_root convert corr cosh covar_pop
covar_samp current_date cv dbtimezone decode decompose dump empty_blob empty_clob existsnode
extract extractvalue feature_id from_tz group_id hextoraw initcap instr2 instr4 instrb instrc
iteration_number json_array json_arrayagg json_exists json_mergepatch json_object json_objectagg
json_query json_scalar json_serialize json_table json_value last_day length2 length4 lengthb
lengthc listagg lnnvl localtimestamp median months_between nanvl nchr new_time next_day
nls_initcap nls_lower nls_upper nlssort numtodsinterval numtoyminterval nvl nvl2 ora_hash path
presentnnv presentv previous ratio_to_report rawtohex rawtonhex regexp_count regexp_instr
regexp_like regexp_replace regexp_substr regr_avgx regr_avgy regr_count regr_intercept regr_r2
regr_slope regr_sxx regr_sxy regr_syy remainder rowidtochar sessiontimezone sinh soundex
standard_hash stats_mode substr2 substrb substrc sys_connect_by_path sys_context sys_extract_utc
sys_guid sysdate systimestamp tanh to_binary_double to_binary_float to_blob to_char to_clob
to_date to_dsinterval to_lob to_multi_byte to_nchar to_nclob to_number to_single_byte to_timestamp
to_timestamp_tz to_yminterval translate treat trunc tz_offset uid unistr userenv
validate_conversion vsize width_bucket xmlagg xmlcast xmlelement xmlexists xmlforest xmlquery
xmlserialize xmltable getclobval getstringval
"""

_SNOWFLAKE = """
any_value approx_count_distinct approx_percentile approx_top_k array_agg array_append array_cat
array_compact array_construct array_contains array_distinct array_except array_flatten
array_generate_range array_insert array_intersection array_max array_min array_position
array_prepend array_remove array_remove_at array_reverse array_size array_slice array_sort
array_to_string array_union_agg array_unique_agg arrays_overlap arrays_to_object arrays_zip
as_array as_char as_date as_decimal as_double as_integer as_object as_varchar ascii
base64_decode_string base64_encode bitand bitor bitxor bitand_agg bitor_agg booland booland_agg
boolor boolor_agg boolxor charindex check_json chr collate collation compress
conditional_change_event conditional_true_event contains convert_timezone corr count_if covar_pop
covar_samp current_account current_client current_database current_region current_role
current_schema current_user current_version current_warehouse date_from_parts date_part date_trunc
dateadd datediff dayname dayofmonth dayofweek dayofweekiso dayofyear decode div0 div0null
editdistance endswith equal_null extract factorial filter flatten generator get get_path getbit
getdate h3_cell_to_boundary hash hash_agg haversine hex_decode_string hex_encode hll iff ifnull
ilike initcap insert is_array is_boolean is_date is_decimal is_double is_integer is_null_value
is_object is_timestamp is_varchar jarowinkler_similarity kurtosis last_day len like listagg
localtime localtimestamp md5 md5_hex median minhash mode monthname months_between next_day nvl
nvl2 object_agg object_construct object_construct_keep_null object_delete object_insert
object_keys object_pick parse_ip parse_json parse_url previous_day randstr random range
ratio_to_report reduce regexp_count regexp_instr regexp_like regexp_replace regexp_substr
regexp_substr_all regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope repeat rlike
rtrimmed_length seq1 seq2 seq4 seq8 sha1 sha1_hex sha2 sha2_hex skew soundex space split
split_part split_to_table square st_area st_asgeojson st_astext st_contains st_distance st_dwithin
st_geographyfromwkt st_intersects st_makepoint st_point st_within st_x st_y startswith
strip_null_value strtok strtok_split_to_table strtok_to_array sysdate time time_from_parts
time_slice timeadd timediff timestamp_from_parts timestampadd timestampdiff to_array to_binary
to_boolean to_char to_date to_decimal to_double to_geography to_json to_number to_numeric
to_object to_time to_timestamp to_timestamp_ltz to_timestamp_ntz to_timestamp_tz to_varchar
to_variant to_xml transform translate trunc truncate try_cast try_parse_json try_to_boolean
try_to_date try_to_decimal try_to_double try_to_number try_to_time try_to_timestamp typeof unicode
uniform uuid_string values weekiso weekofyear width_bucket xmlget year yearofweek zeroifnull
nullifzero zipf div array_construct_compact object_transform table
"""

_BIGQUERY = """
any_value approx_count_distinct approx_quantiles approx_top_count approx_top_sum array array_agg
array_concat array_concat_agg array_first array_filter array_includes array_last array_length
array_reverse array_slice array_sum array_to_string array_transform ascii bit_and bit_count bit_or
bit_xor bool byte_length bytes cast cbrt chr code_points_to_bytes code_points_to_string collate
contains_substr corr cosh countif covar_pop covar_samp csc current_datetime date_add date_bucket
date_diff date_from_unix_date date_sub date_trunc datetime datetime_add datetime_bucket
datetime_diff datetime_sub datetime_trunc div edit_distance ends_with euclidean_distance
cosine_distance extract farm_fingerprint float64 format format_date format_datetime format_time
format_timestamp from_base32 from_base64 from_hex generate_array generate_date_array
generate_timestamp_array generate_uuid ieee_divide if ifnull initcap int64 is_inf is_nan
json_array json_array_append json_array_insert json_extract json_extract_array json_extract_scalar
json_extract_string_array json_flatten json_keys json_object json_query json_query_array
json_remove json_set json_strip_nulls json_type json_value json_value_array justify_days
justify_hours justify_interval lax_bool lax_float64 lax_int64 lax_string last_day logical_and
logical_or make_interval md5 normalize normalize_and_casefold parse_bignumeric parse_date
parse_datetime parse_json parse_numeric parse_time parse_timestamp pow rand range range_bucket
range_contains range_overlaps regexp_contains regexp_extract regexp_extract_all regexp_instr
regexp_replace regexp_substr repeat safe_add safe_cast safe_convert_bytes_to_string safe_divide
safe_multiply safe_negate safe_subtract sec sech session_user sha1 sha256 sha512 sinh soundex
split st_area st_asgeojson st_astext st_centroid st_contains st_distance st_dwithin
st_geogfromtext st_geogpoint st_intersects st_within st_x st_y starts_with string string_agg
strpos struct tanh time time_add time_diff time_sub time_trunc timestamp timestamp_add
timestamp_bucket timestamp_diff timestamp_micros timestamp_millis timestamp_seconds timestamp_sub
timestamp_trunc to_base32 to_base64 to_code_points to_hex to_json to_json_string translate trunc
unicode unix_date unix_micros unix_millis unix_seconds unnest appends gap_fill merge merge_partial
extract_partial init
"""

ALLOWED: dict[str, frozenset[str]] = {
    dialect: frozenset((_COMMON + names).split())
    for dialect, names in {
        "": "",
        "sqlite": _SQLITE,
        "postgres": _POSTGRES,
        "redshift": _POSTGRES,
        "mysql": _MYSQL,
        "duckdb": _DUCKDB,
        "tsql": _TSQL,
        "fabric": _TSQL,
        "oracle": _ORACLE,
        "snowflake": _SNOWFLAKE,
        "bigquery": _BIGQUERY,
    }.items()
}
"""By dialect; `''` is what all have."""
