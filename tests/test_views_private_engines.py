"""Views of forty forms over one sensitive column, on each engine: its value gets nowhere."""

import logging

import pytest

from pipeline import artifacts
from pipeline.database.query import read
from pipeline.errors import DbloreError
from schemas.models import Catalog
from tests.profile_databases import ENGINES, made
from tests.profile_kit import Kit

PIECES = ("krzyz", "quux")
BASE = (
    "CREATE TABLE member (id INT PRIMARY KEY, full_name VARCHAR(40), city VARCHAR(40), born INT)",
    "CREATE TABLE orders (id INT PRIMARY KEY, member_id INT, total INT)",
    "INSERT INTO member SELECT 1, 'Krzyz Quux', 'Ulm', 1",
    "INSERT INTO member SELECT 2, 'Krzyz Quux', 'Ulm', 2",
    "INSERT INTO member SELECT 3, 'Krzyz Quux', 'Bern', 3",
    "INSERT INTO orders VALUES (1, 1, 5), (2, 2, 5), (3, 3, 7), (4, 1, 7)",
)
EVERYWHERE = """
SELECT full_name AS a FROM member
SELECT * FROM member
SELECT m.* FROM member m
SELECT upper(full_name) AS a, lower(full_name) AS b FROM member
SELECT substr(full_name, 1, 5) AS a FROM member
SELECT replace(full_name, 'z', 'x') AS a, trim(full_name) AS b FROM member
SELECT min(full_name) AS a, max(full_name) AS b, count(full_name) AS n FROM member
SELECT coalesce(full_name, city) AS a, nullif(full_name, '') AS b FROM member
SELECT CASE WHEN city = 'Ulm' THEN full_name ELSE city END AS a FROM member
SELECT CASE full_name WHEN 'x' THEN city ELSE full_name END AS a FROM member
SELECT o.id, (SELECT m.full_name FROM member m WHERE m.id = o.member_id) AS a FROM orders o
SELECT o.id, (SELECT full_name FROM member LIMIT 1) AS a FROM orders o
SELECT o.id, coalesce((SELECT max(full_name) FROM member), 'none') AS a FROM orders o
SELECT o.id, (SELECT (SELECT min(full_name) FROM member)) AS a FROM orders o
SELECT s.a FROM (SELECT full_name AS a FROM member) AS s
SELECT s.b FROM (SELECT t.a AS b FROM (SELECT full_name AS a FROM member) t) s
WITH c AS (SELECT full_name AS a FROM member) SELECT a FROM c
WITH c(x, y) AS (SELECT id, full_name FROM member) SELECT y AS a FROM c
WITH member2 AS (SELECT * FROM member), c AS (SELECT * FROM member2) SELECT * FROM c
WITH RECURSIVE r(a) AS (SELECT min(full_name) FROM member UNION SELECT a FROM r) SELECT a FROM r
SELECT full_name AS a FROM member UNION ALL SELECT city FROM member
SELECT city AS a FROM member UNION SELECT full_name FROM member
SELECT city AS a FROM member EXCEPT SELECT 'x' UNION ALL SELECT full_name FROM member
SELECT o.id, m.full_name AS a FROM orders o JOIN member m ON m.id = o.member_id
SELECT o.id, m.full_name AS a FROM orders o LEFT JOIN member m ON m.id = o.member_id
SELECT full_name FROM member NATURAL JOIN (SELECT id FROM orders) o
SELECT m.full_name AS a FROM member m JOIN orders o USING (id)
SELECT a.full_name AS x, b.full_name AS y FROM member a, member b
SELECT DISTINCT full_name AS a FROM member
SELECT full_name AS a, count(*) AS n FROM member GROUP BY full_name
SELECT first_value(full_name) OVER (ORDER BY id) AS a FROM member
SELECT lag(full_name) OVER (ORDER BY id) AS a, rank() OVER (ORDER BY full_name) AS n FROM member
SELECT max(full_name) OVER (PARTITION BY city) AS a FROM member
SELECT CAST(full_name AS CHAR(30)) AS a FROM member
SELECT a FROM (SELECT full_name AS a FROM member ORDER BY full_name LIMIT 2) q
SELECT a AS b FROM v1
SELECT count(*) AS n FROM member WHERE full_name LIKE 'K%'
SELECT EXISTS (SELECT full_name FROM member WHERE full_name = 'x') AS e
"""
OF_ONE = {
    "sqlite": """
SELECT full_name || '' AS a FROM member
SELECT group_concat(full_name) AS a FROM member
SELECT json_object('n', full_name) AS a FROM member
SELECT json_group_array(full_name) AS a FROM member
SELECT j.value AS a FROM member m, json_each(json_array(m.full_name)) j
SELECT printf('%s', full_name) AS a, quote(full_name) AS b FROM member
SELECT json_extract('{}', full_name) AS bad FROM member
SELECT full_name, city FROM member WHERE json_extract('{}', full_name) IS NULL
""",
    "duckdb": """
SELECT full_name || '' AS a FROM member
SELECT m AS a FROM member m
SELECT list(full_name) AS a, string_agg(full_name, ',') AS b FROM member
SELECT {'n': full_name} AS a FROM member
SELECT {'n': full_name}.n AS a FROM member
SELECT s.person.n AS a FROM (SELECT {'n': full_name} AS person FROM member) s
SELECT unnest([full_name, city]) AS a FROM member
SELECT COLUMNS('full.*') FROM member
SELECT COLUMNS(*) FROM member
SELECT * EXCLUDE (city) FROM member
SELECT * REPLACE (upper(full_name) AS full_name) FROM member
SELECT n, v FROM (UNPIVOT member ON full_name, city INTO NAME n VALUE v)
SELECT * FROM (PIVOT member ON city IN ('Ulm', 'Bern') USING max(full_name))
SELECT id, name_of(id) AS a FROM orders
SELECT * FROM names()
FROM member SELECT full_name.upper() AS a
SELECT histogram(full_name) AS a, mode(full_name) AS b FROM member
SELECT full_name::INT AS bad FROM member
SELECT strptime(full_name, '%Y') AS bad FROM member
SELECT count(*) AS n FROM member WHERE full_name::INT > 0
""",
    "postgres": """
SELECT full_name || '' AS a FROM member
SELECT m AS a FROM member m
SELECT m::text AS a FROM member m
SELECT to_jsonb(m) AS a, row_to_json(m) AS b FROM member m
SELECT to_jsonb(m) - 'id' AS a FROM member m
SELECT array_agg(full_name) AS a, string_agg(full_name, ',') AS b, json_agg(m) AS c FROM member m
SELECT l.a FROM member m, LATERAL (SELECT m.full_name AS a) l
SELECT v.a FROM member m, LATERAL (VALUES (m.full_name), (m.city)) v(a)
SELECT j.key, j.value FROM member m, jsonb_each_text(to_jsonb(m)) j
SELECT jsonb_path_query(to_jsonb(m), '$.full_name') AS a FROM member m
SELECT unnest(ARRAY[full_name, city]) AS a FROM member
SELECT x AS a FROM member m, unnest(string_to_array(m.full_name, ' ')) x
SELECT w AS a FROM member m, regexp_split_to_table(m.full_name, 'z') w
SELECT xmlforest(full_name)::text AS a FROM member
SELECT format('%s', full_name) AS a, concat(full_name, city) AS b FROM member
SELECT id, name_of(id) AS a FROM orders
SELECT * FROM names() n(a)
SELECT query_to_xml('SELECT * FROM member', true, true, '')::text AS a
SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY full_name) AS a FROM member
SELECT most_common_vals::text AS a FROM pg_stats WHERE tablename = 'member'
SELECT full_name::int AS bad FROM member
SELECT full_name::json AS bad FROM member
SELECT count(*) AS n FROM member WHERE full_name::int > 0
""",
    "mariadb": """
SELECT concat(full_name, '') AS a, concat_ws(' ', full_name, city) AS b FROM member
SELECT group_concat(full_name) AS a FROM member
SELECT json_object('n', full_name) AS a, json_arrayagg(full_name) AS b FROM member GROUP BY city
SELECT name_of(id) AS a FROM orders
SELECT j.a FROM member, JSON_TABLE(json_array(full_name), '$[*]' COLUMNS (a TEXT PATH '$')) j
SELECT hex(full_name) AS a, reverse(full_name) AS b FROM member
SELECT IF(city = 'Ulm', full_name, city) AS a, IFNULL(full_name, '') AS b FROM member
SELECT left(full_name, 10) AS a, CONVERT(full_name USING utf8mb4) AS b FROM member
""",
}  # fmt: skip
FUNCTIONS = {
    "duckdb": """
CREATE MACRO name_of(i) AS (SELECT max(full_name) FROM member WHERE id = i)
CREATE MACRO names() AS TABLE SELECT full_name FROM member
""",
    "postgres": """
CREATE FUNCTION name_of(i int) RETURNS text AS 'SELECT full_name FROM member' LANGUAGE sql
CREATE FUNCTION names() RETURNS SETOF text AS 'SELECT full_name FROM member' LANGUAGE sql
ANALYZE member
""",
    "mariadb": """
CREATE FUNCTION name_of(i INT) RETURNS TEXT RETURN (SELECT min(full_name) FROM member)
""",
}


def lines(text):
    return text.strip().splitlines()


@pytest.fixture(scope="module", params=ENGINES)
def built(request, tmp_path_factory):
    """Return a scanned and profiled database of views, and what was said meanwhile."""
    engine = request.param
    folder = tmp_path_factory.mktemp(engine)
    forms = [*lines(EVERYWHERE), *lines(OF_ONE[engine])]
    named = {f"v{i}": form for i, form in enumerate(forms, start=1)}
    views = [f"CREATE VIEW {name} AS {form}" for name, form in named.items()]
    required = request.config.getoption("--require-engines")
    said = []
    handler = logging.Handler()
    handler.emit = lambda record: said.append(record.getMessage())
    logging.getLogger("dblore").addHandler(handler)
    made_of = (*BASE, *lines(FUNCTIONS.get(engine, "")), *views)
    with made(engine, folder, *made_of, required=required) as source:
        kit = Kit(folder, source)
        profile = kit.build(workers=1)
        yield (
            kit,
            profile,
            dict(zip((f"v{i}" for i in range(1, len(views) + 1)), forms, strict=True)),
            said,
        )
    logging.getLogger("dblore").removeHandler(handler)


def leaking(texts):
    """Return which texts hold a piece of the value."""
    return {name: t for name, t in texts.items() if any(p in str(t).casefold() for p in PIECES)}


@pytest.mark.req("PROF-03", part="views")
def test_no_form_of_a_view_stores_or_tells_a_sensitive_value(built):
    _, profile, forms, said = built

    assert leaking({forms.get(table.table, table.table): table for table in profile.tables}) == {}
    assert leaking(dict(enumerate(said))) == {}


def test_what_is_next_to_it_is_stored(built):
    _, profile, forms, _ = built
    star = next(name for name, form in forms.items() if form == "SELECT * FROM member")

    assert [v.value for v in profile.by_table[star].column("city").values] == ["Ulm", "Bern"]
    assert profile.by_table["member"].column("full_name").sensitive


def test_no_form_of_a_view_answers_with_a_sensitive_value(built):
    kit, profile, forms, _ = built
    catalog = artifacts.read(kit.catalog, Catalog)
    sensitive = {
        table.table: tuple(c.column for c in table.columns if c.sensitive)
        for table in profile.tables
    }
    told = {}
    for name, form in forms.items():
        if form in lines(EVERYWHERE):  # which `test_masking` and its fuzz ask by the hundred
            continue
        try:
            told[form] = read(
                kit.source, f"SELECT * FROM {name}", catalog=catalog, sensitive=sensitive
            ).rows
        except DbloreError as error:
            told[form] = str(error)

    assert leaking(told) == {}
