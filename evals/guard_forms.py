"""Surroundings for statements and calls: `{0}` is what is put into them."""

from __future__ import annotations

SHELLS = [
    "({0})",
    "(({0}))",
    "SELECT * FROM ({0}) w",
    "WITH w AS ({0}) SELECT * FROM w",
    "SELECT ({0})",
    "SELECT 1 UNION ALL ({0})",
    "({0}) UNION SELECT 1",
    "SELECT 1 UNION ALL SELECT * FROM ({0}) w",
    "SELECT * FROM ({0}) w INTERSECT SELECT 1",
    "SELECT CASE WHEN 1 = 1 THEN ({0}) END",
    "SELECT CASE ({0}) WHEN 1 THEN 2 ELSE 3 END",
    "SELECT 1 WHERE EXISTS ({0})",
    "SELECT 1 WHERE 1 IN ({0})",
    "SELECT 1 WHERE (1, 2) NOT IN (({0}), 3)",
    "SELECT 1 WHERE 1 = ANY ({0})",
    "SELECT id FROM orders WHERE id BETWEEN 0 AND ({0})",
    "SELECT id FROM orders ORDER BY ({0})",
    "SELECT count(*) FROM orders GROUP BY ({0})",
    "SELECT count(*) FROM orders GROUP BY id HAVING ({0}) IS NOT NULL",
    "SELECT id FROM orders LIMIT ({0})",
    "SELECT id FROM orders LIMIT 1 OFFSET ({0})",
    "SELECT o.id FROM orders o JOIN customers c ON ({0}) IS NOT NULL",
    "SELECT o.id FROM orders o LEFT JOIN ({0}) w ON 1 = 1",
    "SELECT o.id FROM orders o CROSS JOIN ({0}) w",
    "SELECT coalesce(({0}), NULL)",
    "SELECT max(coalesce(({0}), 0)) FROM orders",
    "SELECT sum(1) OVER (PARTITION BY ({0}) ORDER BY id) FROM orders",
    "SELECT sum(1) OVER w FROM orders WINDOW w AS (ORDER BY ({0}))",
    "VALUES (({0}))",
    "WITH a AS (SELECT 1 AS x), b AS ({0}) SELECT * FROM a, b",
    "WITH RECURSIVE w AS ({0}) SELECT * FROM w",
    "SELECT * FROM (WITH v AS ({0}) SELECT * FROM v) w",
]
"""Where a query may stand in another; by dialect below."""

OWN_SHELLS = {
    "postgres": [
        "SELECT ARRAY({0})",
        "SELECT 1 FROM orders o, LATERAL ({0}) w",
        "SELECT 1 FROM orders o LEFT JOIN LATERAL ({0}) w ON true",
        "SELECT count(*) FILTER (WHERE ({0}) IS NULL) FROM orders",
        "WITH w AS MATERIALIZED ({0}) TABLE w",
        "SELECT row_to_json(w) FROM ({0}) w",
        "SELECT DISTINCT ON (({0})) id FROM orders",
        "SELECT id FROM orders FETCH FIRST (({0})) ROWS ONLY",
    ],
    "duckdb": [
        "FROM ({0})",
        "SELECT [x FOR x IN [({0})]]",
        "SELECT {{'a': ({0})}}",
        "SELECT list_transform([1], lambda x: ({0}))",
        "SELECT 1 FROM orders o, LATERAL ({0}) w",
        "FROM orders SELECT ({0})",
        "SELECT id FROM orders QUALIFY ({0}) IS NULL",
        "SELECT * FROM (PIVOT ({0}) ON 1 USING count(*))",
        "SELECT * FROM (SUMMARIZE {0})",
        "SELECT * FROM (DESCRIBE {0})",
        "SELECT COLUMNS(c -> ({0}) IS NULL) FROM orders",
    ],
    "mysql": ["SELECT 1 FROM orders o WHERE o.id = SOME ({0})", "SELECT DISTINCT ({0}) FROM DUAL"],
    "tsql": ["SELECT 1 FROM orders o CROSS APPLY ({0}) w", "SELECT TOP (({0})) id FROM orders"],
    "oracle": ["SELECT 1 FROM dual, LATERAL ({0}) w", "SELECT CURSOR({0}) FROM dual"],
    "snowflake": ["SELECT 1 FROM orders o, LATERAL ({0}) w"],
    "bigquery": ["SELECT ARRAY({0})", "SELECT STRUCT(({0}))", "FROM ({0}) |> SELECT *"],
}
FIRSTS = [
    "SELECT 1; {0}",
    "SELECT 1;{0};",
    ";{0}",
    "{0}; SELECT 1",
    "SELECT 1;;\n{0}",
    "SELECT ';' ;{0}",
    "SELECT 1 -- ;\n; {0}",
    "COMMIT; {0}",
    "BEGIN; {0}; COMMIT",
    "SELECT 1\n;\n{0}\n;",
    "(SELECT 1); {0}",
    "WITH w AS (SELECT 1) SELECT * FROM w; {0}",
]
"""What a statement may be put beside."""

OWN_FIRSTS = {
    "postgres": ["SELECT $$;$$; {0}", "EXPLAIN ANALYZE {0}", "PREPARE p AS {0}"],
    "duckdb": ["SELECT $$;$$; {0}", "EXPLAIN ANALYZE {0}", "PREPARE p AS {0}"],
    "mysql": ["/*! {0} */", "/*!50000 {0} */", "/*M!100000 {0} */", "SELECT '\\''; {0}"],
    "sqlite": ["EXPLAIN {0}"],
    "tsql": ["SELECT 1 {0}", "SELECT 1 AS a {0}", "SELECT a FROM t\n{0}", "SELECT 1\nGO\n{0}"],
    "snowflake": ["SELECT $$;$$; {0}"],
}
AROUND = [
    "({0})",
    "coalesce({0}, {0})",
    "CASE WHEN {0} IS NULL THEN 1 END",
    "(SELECT {0})",
    "nullif({0}, NULL)",
    "concat('a', {0})",
    "max({0}) OVER ()",
    "NOT ({0} IS NULL)",
    "{0} AS alias_1",
    "1, {0}",
    "{0}, {0}",
    "-(-{0})",
    "{0} = {0}",
    "1 IN (1, {0})",
]
"""Where a call may stand."""

OWN_AROUND = {
    "postgres": [
        "{0}::text", "CAST({0} AS text)", "ARRAY[{0}]", "ROW({0})", "({0})::text::text",
        "xmlelement(name a, {0})", "json_build_object('a', {0})", '{0} COLLATE "C"',
        "'\\', {0} -- '", "$_1$'$_1$, {0} -- '", "E'\\'', {0} -- '", "1 AS a$b$, {0}, 2 AS c$b$",
        '1 AS "a""", {0} -- "', "E'\\\\', {0} -- '",
    ],
    "duckdb": [
        "{0}::VARCHAR", "TRY_CAST({0} AS VARCHAR)", "[{0}]", "{{'a': {0}}}", "MAP {{'a': {0}}}",
        "struct_pack(a := {0})", "'\\', {0} -- '", "$$'$$, {0} -- '", "E'\\'', {0} -- '",
        "a: {0}", "list_value({0})[1]",
        "1 AS `-- `, {0}", "1 AS `/*`, {0} -- */", "1 AS `'`, {0} -- '",
    ],
    "sqlite": [
        "CAST({0} AS TEXT)", "'\\', {0} -- '", '1 AS [a"], {0} -- "', '1 AS `a"`, {0} -- "',
        "json_array({0})", "iif(1, {0}, 0)", "{0} COLLATE NOCASE",
        "1 AS `-- `, {0}", "1 AS [/*], {0} -- */",
    ],
    "mysql": [
        "CAST({0} AS CHAR)", "CONVERT({0} USING utf8mb4)", "IF(1, {0}, 0)", "'\\'', {0} -- '",
        '"\\"", {0} -- "', "1 --{0}", "1 AS `\\`, {0} -- `", "N'\\'', {0} # '", "BINARY {0}",
        "'\\\\', {0} -- '", "GROUP_CONCAT({0})", "1 DIV {0}", "1 XOR {0}", "1 AS `-- `, {0}",
    ],
    "tsql": ["CAST({0} AS varchar(9))", "1 AS [a'], {0} --'", "'\\', {0} --'", "IIF(1=1, {0}, 0)"],
    "oracle": ["q'[']', {0} --'", "nq'!'!', {0} --'", "NVL({0}, {0})", "'\\', {0} --'"],
    "snowflake": ["{0}::varchar", "'\\'', {0} --'", "$$'$$, {0} --'", "1 AS a$$, {0}, 2 AS b$$"],
    "bigquery": [
        "r'\\'', {0} --'", "'''a'b''', {0} --'", '"""a"b""", {0} --"', "[{0}]", "STRUCT({0} AS a)",
        "SAFE_CAST({0} AS STRING)", "'\\'', {0} #'",
    ],
}  # fmt: skip
SOURCES = ["{0} AS w", "(SELECT * FROM {0}) w", "{0} AS w CROSS JOIN orders", "orders o, {0}"]
"""Where a call in FROM may stand."""

OWN_SOURCES = {
    "postgres": [
        "LATERAL {0} w", "ROWS FROM ({0}) w", "{0} WITH ORDINALITY", "{0} AS w(a)",
        "ROWS FROM ({0}, generate_series(1, 2)) w", "orders o LEFT JOIN LATERAL {0} w ON true",
    ],
    "duckdb": ["LATERAL {0}", "({0})", "w: {0}", "{0} TABLESAMPLE 50%", "{0} AS w(a)"],
    "snowflake": ["TABLE({0})", "LATERAL {0}"],
    "oracle": ["TABLE({0})"],
    "tsql": ["orders o CROSS APPLY {0}"],
}  # fmt: skip
