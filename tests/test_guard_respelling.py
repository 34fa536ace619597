"""The guard on what the parser doesn't know: respelled for the parser, and judged as ever."""

import re
from pathlib import Path

import pytest
from sqlglot import exp

from evals.guard_tables import CATALOGS
from pipeline.database import guard
from pipeline.database.connect import open_database
from pipeline.database.masking import lineage
from pipeline.database.query import read
from pipeline.database.source import resolve
from pipeline.errors import RefusedError

SLOTS = [
    ("postgres", "SELECT @ {}"),
    ("postgres", "SELECT id FROM orders ORDER BY {} USING <, {} USING OPERATOR(pg_catalog.>)"),
    ("postgres", "SELECT XMLPARSE(DOCUMENT {} PRESERVE WHITESPACE)"),
    ("postgres", "SELECT XMLSERIALIZE(CONTENT {} AS text NO INDENT)"),
    ("postgres", "SELECT SUBSTRING({} SIMILAR {} ESCAPE {})"),
    ("postgres", "SELECT * FROM ONLY (orders) WHERE {} IS NULL"),
    ("postgres", "SELECT pg_catalog.date '2024-01-01', {}"),
    ("mysql", "SELECT {{d {}}}, {{fn {}}}"),
    ("mysql", "SELECT * FROM {{oj orders o LEFT JOIN customers c ON {}}}"),
    ("mysql", "VALUES (1, {}), ({}, 2)"),
    ("mysql", "VALUES (1), (2) ORDER BY {}"),
    ("mysql", "SELECT * FROM (VALUES ({})) v"),
    ("mysql", "SELECT * FROM JSON_TABLE({}, '$' COLUMNS (a INT PATH '$' NULL ON EMPTY)) t"),
    ("mysql", "SELECT * FROM JSON_TABLE('[]', '$' COLUMNS (a INT PATH '$' DEFAULT {} ON ERROR)) t"),
    ("mysql", "SELECT * FROM orders GROUP BY {} DESC, status ASC"),
    ("mysql", "SELECT SQL_CACHE {} FROM orders"),
    ("mysql", "SELECT SQL_SMALL_RESULT DISTINCT {} FROM orders"),
    ("mysql", r"SELECT \N, {}"),
    ("mysql", "SELECT * FROM orders LIMIT {} ROWS EXAMINED 10"),
    ("mysql", "SELECT * FROM orders LIMIT 1 ROWS EXAMINED {}"),
    ("duckdb", "SELECT apply([{}], LAMBDA x: {})"),
    ("duckdb", "PIVOT orders ON status USING max({}) ORDER BY {} LIMIT 2"),
    ("duckdb", "SELECT @ {}"),
    ("sqlite", "SELECT glob, {} FROM (SELECT {} AS glob) ORDER BY glob"),
    ("tsql", "SELECT PARSE({} AS int USING 'en-US')"),
    ("tsql", "SELECT PARSE('1' AS int USING {})"),
    ("tsql", "SELECT a FROM t WHERE b = {} OPTION (USE HINT('x'))"),
    ("tsql", "SELECT a FROM t OPTION (USE HINT({}))"),
    ("oracle", "SELECT {} FROM t VERSIONS BETWEEN SCN MINVALUE AND MAXVALUE"),
    ("oracle", "SELECT * FROM t VERSIONS BETWEEN SCN {} AND MAXVALUE"),
    ("bigquery", "SELECT a FROM d.t JOIN@{{join_method=hash_join}} d.u ON {}"),
    ("bigquery", "SELECT a FROM d.t JOIN@{{join_method={}}} d.u USING (a)"),
]
HOSTILE = {
    "postgres": ["pg_read_file('/etc/passwd')", "(SELECT pg_sleep(1))", "(TABLE pg_authid)"],
    "mysql": ["load_file('/etc/passwd')", "(SELECT sleep(1))", "(@a := 1)"],
    "duckdb": ["getenv('HOME')", "(SELECT content FROM read_text('/etc/passwd'))"],
    "sqlite": ["load_extension('x')", "(SELECT file FROM pragma_database_list)"],
    "tsql": ["dbo.evil(1)", "(SELECT 1 FROM OPENROWSET('a', 'b', 'c'))"],
    "oracle": ["utl_http.request('x')", "(SELECT dbms_lock.sleep(1) FROM dual)"],
    "bigquery": ["d.evil(1)", "(SELECT 1 FROM EXTERNAL_QUERY('a', 'b'))"],
}


@pytest.mark.req("SAFE-04", part="respelled clauses")
@pytest.mark.parametrize(("dialect", "sql"), SLOTS)
def test_whatever_stands_in_a_respelled_clause_is_judged(dialect, sql):
    for hostile in [*HOSTILE[dialect], "1); DROP TABLE orders; SELECT (1"]:
        with pytest.raises(RefusedError):
            guard.check(sql.format(*[hostile] * 3), dialect, catalog=None)


@pytest.mark.parametrize(("dialect", "sql"), SLOTS)
def test_each_respelled_clause_passes_with_harmless_contents_or_is_a_value_of_its_own(dialect, sql):
    bare = "DEFAULT {}|EXAMINED {}|USING {}|HINT\\({}|SCN {}|method={}"
    fills = {"DEFAULT {}": "'x'", "EXAMINED {}": "5", "USING {}": "'en'", "SCN {}": "5"}
    found = re.search(bare, sql)
    fill = fills.get(found[0], "'x'") if found else "1"

    guard.check(sql.format(*[fill] * 3), dialect, catalog=None)


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        pytest.param("postgres", "SELECT 1 ORDER BY 1 USING OPERATOR(evil.<)", id="other schema"),
        pytest.param("postgres", "SELECT 1 ORDER BY 1 USING OPERATOR(evil.pg_catalog.<)", id="two"),
        pytest.param("postgres", "SELECT evil.date '2024-01-01'", id="type of a schema"),
        pytest.param("postgres", "SELECT evil.pg_catalog.date '1'", id="database and schema"),
        pytest.param("postgres", "SELECT * FROM ONLY (SELECT 1)", id="only of a query"),
        pytest.param("postgres", "SELECT * FROM ONLY (orders, pg_authid)", id="only of two"),
        pytest.param("postgres", "SELECT only(1)", id="a function called only"),
        pytest.param("postgres", "SELECT evil.xmlserialize(CONTENT 'a' AS text)", id="schema"),
        pytest.param("postgres", 'SELECT "xmlserialize"(CONTENT 1 AS text)', id="quoted name"),
        pytest.param("mysql", "SELECT {x 'a'}", id="no escape of ODBC"),
        pytest.param("mysql", "SELECT {d 'a'", id="open brace"),
        pytest.param("mysql", "SELECT @@session.`a b`", id="no plain name"),
        pytest.param("mysql", r"SELECT \ N", id="no null"),
        pytest.param("mysql", "SELECT sql_cache(1)", id="a function called sql_cache"),
        pytest.param("sqlite", "SELECT 'open /* comment", id="open quote"),
        pytest.param("duckdb", "SELECT 1 /* open", id="open comment elsewhere"),
        pytest.param("tsql", "SELECT x.PARSE(1 AS int USING 'en-US')", id="a method"),
        pytest.param("tsql", "SELECT a FROM t OPTION (USE HINT(x))", id="no text"),
        pytest.param("oracle", "SELECT 1 FROM t VERSIONS BETWEEN SCN 1 + 1 AND 2", id="computed"),
        pytest.param("bigquery", "SELECT 1 FROM t@{a=b, c}", id="half a hint"),
    ],
)
def test_what_is_spelled_nearly_like_it_is_refused(dialect, sql):
    with pytest.raises(RefusedError):
        guard.check(sql, dialect, catalog=None)


@pytest.mark.parametrize(
    ("dialect", "sql", "columns"),
    [
        ("mysql", "SELECT SQL_CACHE email FROM customers", 1),
        ("mysql", "SELECT DISTINCT SQL_CACHE name, email FROM customers", 2),
        ("mysql", "SELECT sql_cache, email FROM customers", 2),
        ("mysql", "SELECT c.sql_cache FROM customers c", 1),
        ("mysql", "VALUES (1, 2, 3), (4, 5, 6)", 3),
        ("mysql", "VALUES ROW(1, 2), ROW(3, 4)", 2),
        ("postgres", "SELECT @ amount, @id FROM orders", 2),
    ],
)
def test_the_tree_has_the_columns_that_the_engine_returns(dialect, sql, columns):
    tree = guard.check(sql, dialect, catalog=None)

    first = tree.find(exp.Select)
    assert len(first.expressions) == columns


@pytest.mark.req("B9", part="respelled clauses")
@pytest.mark.parametrize(
    ("dialect", "sql", "hidden"),
    [
        ("mysql", "SELECT SQL_CACHE email FROM customers", (True,)),
        ("mysql", "VALUES (1, 'x'), (2, (SELECT max(email) FROM customers))", (False, True)),
        ("mysql", "VALUES ROW(1, (SELECT max(email) FROM customers))", (False, True)),
        ("mysql", "SELECT {fn upper(email)}, {d '2024-01-01'} FROM customers", (True, False)),
        ("mysql", "SELECT id, email FROM customers GROUP BY id DESC", (False, True)),
        ("postgres", "SELECT @ length(email), id FROM customers", (True, False)),
        ("postgres", "SELECT id, XMLPARSE(CONTENT email) FROM customers", (False, True)),
        ("postgres", "SELECT SUBSTRING(email SIMILAR 'a' ESCAPE '#') FROM customers", (True,)),
        ("duckdb", "SELECT id, apply([email], LAMBDA x: upper(x)) FROM customers", (False, True)),
        ("sqlite", "SELECT glob, id FROM (SELECT id, email AS glob FROM customers)", (True, False)),
    ],
)
def test_sensitive_values_are_found_in_respelled_statements(dialect, sql, hidden):
    catalog = CATALOGS[dialect]
    tree = guard.check(sql, dialect, catalog=catalog)

    masks = lineage.find(tree, dialect, catalog=catalog, sensitive={"customers": ["email"]})

    assert masks.hidden == hidden


@pytest.mark.req("SAFE-04", part="functions called like keywords")
@pytest.mark.parametrize("word", ["load", "COPY", "delete", "over", "unknown", "apply", "regexp"])
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT {}(id) FROM orders",
        "SELECT ({} (id)), 1 FROM orders",
        "SELECT o.id FROM orders o, {}(id)",
        "SELECT * FROM public.{}(id)",
    ],
)
def test_a_function_of_users_that_is_called_like_a_keyword_is_refused(word, sql):
    with pytest.raises(RefusedError) as caught:
        guard.check(sql.format(word), "postgres", catalog=None)

    assert word.casefold() in caught.value.problem.casefold()


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("postgres", "SELECT load, copy, over FROM orders AS delete (load, copy, over)"),
        ("postgres", "SELECT sum(id) FILTER (WHERE true) OVER (ORDER BY id) FROM orders"),
        ("postgres", "SELECT status FROM orders GROUP BY GROUPING SETS ((status), ())"),
        ("postgres", "SELECT * FROM orders o (a, b) WHERE (a) IN (1) AND NOT (b = 2)"),
        ("duckdb", "SELECT * EXCLUDE (id) REPLACE (status AS amount) FROM orders"),
        ("spark", "SELECT posexplode(m) AS (k, v) FROM t"),
    ],
)
def test_words_that_stand_before_parentheses_and_are_no_call_pass(dialect, sql):
    guard.check(sql, dialect, catalog=None)


def test_places_in_a_respelled_statement_are_those_of_the_text():
    with pytest.raises(RefusedError) as caught:
        guard.check("SELECT\n  {d '2024-01-01'}, load_file('x')", "mysql", catalog=None)

    assert "load_file can reach beyond the query (line 2, column 21)" in caught.value.problem


def test_the_text_that_was_sent_runs(make_db):
    source = resolve(
        str(make_db("CREATE TABLE t (glob TEXT); INSERT INTO t VALUES ('a')")), Path(), {}
    )
    with open_database(source) as database:
        catalog = database.read_catalog()

    result = read(source, "SELECT glob, 1 AS n FROM t /* left open", catalog=catalog)

    assert [tuple(row) for row in result.rows] == [("a", 1)]
