"""The guard: statements of every kind, per dialect, that must be refused or must pass."""

import re
from pathlib import Path

import pytest
import yaml

from evals import guard_speed
from evals.guard import judge
from evals.guard import main as measure
from evals.guard_tables import CATALOGS
from evals.yaml_files import read_yaml
from pipeline.database import guard
from pipeline.database.connect import open_database
from pipeline.database.source import resolve
from pipeline.errors import RefusedError, SettingError
from schemas.facts import Catalog, Column, Routine, Table

STATEMENTS = Path(__file__).parent / "guard"
REFUSED = [
    item for name in ("refused.yaml", "refused_words.yaml") for item in read_yaml(STATEMENTS / name)
]
ALLOWED = read_yaml(STATEMENTS / "allowed.yaml")
SHOP = Catalog(
    dialect="sqlite",
    database="shop",
    tables=(
        Table("orders", "orders", columns=(Column("id", "INTEGER", "integer"),)),
        Table('"a.b"', "a.b", columns=(Column("id", "INTEGER", "integer"),)),
    ),
)


def refusal(sql, dialect="sqlite", **options):
    with pytest.raises(RefusedError) as caught:
        guard.check(sql, dialect, **{"catalog": SHOP, **options})
    return caught.value


def groups(items, *fields):
    """Return the items by the values of some fields, one test parameter for each group."""
    found = {}
    for item in items:
        found.setdefault(", ".join(item[field] for field in fields), []).append(item)
    return [pytest.param(group, id=name) for name, group in found.items()]


@pytest.mark.req("SAFE-01")
@pytest.mark.req("SAFE-04", part="our own statements")
@pytest.mark.req("B10", part="our own statements")
@pytest.mark.parametrize("items", groups(REFUSED, "dialect", "class"))
def test_a_statement_that_does_more_than_read_is_refused_by_name(items):
    for item in items:
        with pytest.raises(RefusedError) as caught:
            guard.check(item["sql"], item["dialect"], catalog=CATALOGS.get(item["dialect"]))

        problem = caught.value.problem
        assert item["names"].casefold() in problem.casefold(), item["id"]
        assert re.search(r"line \d+, column \d+", problem), item["id"]
        assert caught.value.fix, item["id"]


@pytest.mark.req("SAFE-01")
@pytest.mark.req("SAFE-04", part="our own statements")
@pytest.mark.req("B10", part="our own statements")
@pytest.mark.parametrize("items", groups(ALLOWED, "dialect"))
def test_a_statement_that_only_reads_passes(items):
    for item in items:
        guard.check(item["sql"], item["dialect"], catalog=CATALOGS.get(item["dialect"]))


def test_every_dialect_and_class_of_refusal_has_statements():
    dialects = {item["dialect"] for item in REFUSED}
    classes = {item["class"] for item in REFUSED}

    assert dialects == {item["dialect"] for item in ALLOWED}
    assert {"postgres", "mysql", "sqlite", "duckdb", "tsql", "oracle"} <= dialects
    assert {"no query", "a second statement", "function", "system object"} <= classes
    assert {"executable comment", "no table of the database", "text"} <= classes


def test_a_refusal_says_what_where_and_what_instead():
    error = refusal("SELECT 1,\n  load_extension('x')")

    assert (
        error.problem == "the function load_extension can reach beyond the query (line 2, column 3)"
    )
    assert error.fix == "leave it out; it can't be allowed"


def test_an_unknown_table_is_refused_with_the_nearest_name():
    error = refusal("SELECT * FROM order_")

    assert error.problem == "the catalogue has no table order_ (line 1, column 15)"
    assert error.fix == "did you mean orders?"


def test_a_second_statement_is_named():
    error = refusal("SELECT 1; DROP TABLE orders")

    assert error.problem.startswith(
        "a second statement (DROP TABLE orders) follows the first (line 1, column 11)"
    )


def test_a_table_with_a_dot_in_its_name_is_found_by_its_quoted_name():
    guard.check('SELECT * FROM "a.b"', "sqlite", catalog=SHOP)


@pytest.mark.parametrize(
    ("sql", "passes"),
    [
        pytest.param("WITH x AS (SELECT 1 a) SELECT * FROM x", True, id="cte"),
        pytest.param("SELECT * FROM (WITH x AS (SELECT 1 a) SELECT * FROM x) s", True, id="inner"),
        pytest.param(
            "SELECT * FROM (WITH x AS (SELECT 1 a) SELECT 1), x", False, id="out of sight"
        ),
        pytest.param(
            "WITH y AS (SELECT * FROM x), x AS (SELECT 1) SELECT 1", True, id="a later one"
        ),
        pytest.param("WITH X AS (SELECT 1 a) SELECT * FROM x", True, id="other case"),
    ],
)
def test_a_cte_stands_for_a_table_only_where_it_can_be_seen(sql, passes):
    if passes:
        guard.check(sql, "sqlite", catalog=SHOP)
    else:
        assert "no table x" in refusal(sql).problem


@pytest.mark.parametrize(
    ("sql", "dialect", "passes"),
    [
        pytest.param("SELECT * FROM anything", "sqlite", True, id="one part"),
        pytest.param("SELECT * FROM a.b.c", "tsql", True, id="three parts"),
        pytest.param("SELECT * FROM a.b.c.d", "tsql", False, id="four parts"),
        pytest.param("SELECT * FROM 'x.csv'", "duckdb", False, id="a file"),
        pytest.param('SELECT * FROM "x/y.parquet"', "duckdb", False, id="a path"),
        pytest.param("SELECT * FROM t@remote", "oracle", False, id="a link"),
        pytest.param("SELECT * FROM @stage", "snowflake", False, id="a stage"),
        pytest.param("SELECT * FROM pg_authid", "postgres", False, id="secrets"),
    ],
)
def test_without_a_catalogue_plain_names_pass_and_files_links_and_secrets_do_not(
    sql, dialect, passes
):
    if passes:
        guard.check(sql, dialect, catalog=None)
    else:
        refusal(sql, dialect, catalog=None)


def test_kb_yaml_can_allow_a_function_and_a_table():
    guard.check(
        "SELECT my_score(id) FROM other",
        "sqlite",
        catalog=SHOP,
        allow_functions=["MY_SCORE"],
        allow_tables=["other"],
    )

    assert "my_score" in refusal("SELECT my_score(id) FROM orders").problem


def test_kb_yaml_cannot_allow_what_reaches_beyond_the_query():
    error = refusal("SELECT load_extension('x')", allow_functions=["load_extension"])

    assert "load_extension" in error.problem


def test_an_allowed_function_of_a_schema_is_allowed_there_alone():
    sql = "SELECT {}.score(id) FROM orders"
    allow = {"allow_functions": ["app.score"], "catalog": None}

    guard.check(sql.format("app"), "postgres", **allow)

    assert "other.score" in refusal(sql.format("other"), "postgres", **allow).problem


@pytest.mark.parametrize(
    ("sql", "dialect"),
    [("SELECT * FROM pg_authid", "postgres"), ("SELECT * FROM mysql.user", "mysql")],
)
def test_kb_yaml_cannot_open_what_holds_secrets(sql, dialect):
    table = sql.rpartition(" ")[2]

    error = refusal(sql, dialect, catalog=None, allow_tables=[table])

    assert error.problem.startswith(f"{table} is a system object")


def test_the_gravest_of_several_faults_is_named():
    error = refusal("SELECT unheard_of(1), load_extension('x') FROM nowhere")

    assert error.problem.startswith("the function load_extension can reach beyond the query")


def test_every_statement_of_a_text_is_named():
    error = refusal("COMMIT; SET x = 1; DELETE FROM orders")

    assert error.problem == (
        "COMMIT is no query, and a second statement (SET x; then DELETE) follows it "
        "(line 1, column 9)"
    )


def test_each_catalogue_is_looked_up_for_itself():
    for name in ("first", "second"):
        shop = Catalog("sqlite", "shop", tables=(Table(name, name),))

        guard.check(f"SELECT * FROM {name}", "sqlite", catalog=shop)

    assert "no table first" in refusal("SELECT * FROM first", catalog=shop).problem


def test_a_function_of_users_that_is_called_like_a_known_one_is_refused():
    shop = Catalog("postgres", "shop", routines=(Routine("flatten", "function"),))

    error = refusal("SELECT flatten(1)", "postgres", catalog=shop)

    assert error.problem.startswith("the function flatten is a user-defined function")


@pytest.mark.parametrize(
    "sql",
    [
        pytest.param("SELECT 1" + " + 1" * 6_000, id="too long"),
        pytest.param("SELECT " + "(" * 800 + "1" + ")" * 800, id="too deep"),
        pytest.param("SELECT 1\x00", id="NUL"),
        pytest.param("SELECT '\ud800'", id="half a character"),
        pytest.param("", id="nothing"),
        pytest.param("-- nothing", id="a comment alone"),
        pytest.param("SELECT 'open", id="an open quote"),
        pytest.param("SELECT FROM WHERE", id="no SQL"),
    ],
)
def test_text_that_cannot_be_judged_is_refused(sql):
    error = refusal(sql)

    assert error.problem
    assert error.fix


def test_an_unknown_dialect_is_a_setting_error():
    with pytest.raises(SettingError) as caught:
        guard.check("SELECT 1", "klingon", catalog=None)

    assert "klingon" in caught.value.problem


@pytest.fixture
def write_corpus(tmp_path):
    def write(name, *items):
        path = tmp_path / name
        path.write_text(yaml.safe_dump(list(items)), encoding="utf-8")
        return path

    return write


def test_the_eval_counts_hits_and_lists_misses(write_corpus, capsys):
    passes = {"id": "R1", "dialect": "sqlite", "sql": "SELECT 1"}
    misnamed = {"id": "R2", "dialect": "sqlite", "sql": "VACUUM", "names": "ATTACH"}
    named = {"id": "R3", "dialect": "sqlite", "sql": "VACUUM", "names": "vacuum"}
    refuse = write_corpus("refuse.yaml", passes, misnamed, named)
    allow = write_corpus("allow.yaml", {"id": "A1", "dialect": "sqlite", "sql": "SELECT 1"})

    status = measure(["--refuse", str(refuse), "--allow", str(allow), "--json"])

    report = yaml.safe_load(capsys.readouterr().out)
    assert status == 1
    assert [miss["id"] for miss in report["refuse"]["misses"]] == ["R1", "R2"]
    assert report["allow"] == {"total": 1, "allowed": 1, "misses": []}


def test_the_eval_can_judge_one_dialect_alone(write_corpus):
    corpus = write_corpus(
        "allow.yaml",
        {"id": "A1", "dialect": "oracle", "sql": "SELECT 1 FROM dual"},
        {"id": "A2", "dialect": "sqlite", "sql": "SELECT 1"},
    )

    judged = judge([corpus], "oracle")

    assert [item["id"] for item in judged] == ["A1"]


def test_the_cost_of_a_check_is_measured_by_dialect_and_size_of_the_catalogue():
    found = guard_speed.measure(rounds=1)

    assert {"postgres, 10 tables", "duckdb, 1000 tables"} <= set(found["median_milliseconds"])
    assert found["largest"] == max(found["median_milliseconds"].values()) > 0


QUOTED = """
CREATE TABLE album (id INTEGER PRIMARY KEY, title TEXT, artist_id INT, "odd name" TEXT);
CREATE TABLE artist (id INTEGER PRIMARY KEY, name TEXT);
CREATE VIRTUAL TABLE notes USING fts5(body);
"""


@pytest.fixture
def music(make_db):
    with open_database(resolve(str(make_db(QUOTED)), Path(), {})) as database:
        return database.read_catalog()


@pytest.mark.parametrize(
    ("sql", "fix"),
    [
        ("SELECT id FROM album WHERE \"Titel\" = 'x'", "did you mean title?"),
        ('SELECT "Titel" AS "Titel" FROM album', "did you mean title?"),
        ('SELECT id FROM album WHERE title = "Abbey Road"', "single quotes: 'Abbey Road'"),
        ('SELECT id FROM album WHERE title IN ("a", "b")', "single quotes: 'a'"),
        ('SELECT strftime("%Y", title) FROM album', "single quotes: '%Y'"),
        ('SELECT id FROM album ORDER BY "titles"', "did you mean title?"),
        ('SELECT id FROM artist WHERE id IN (SELECT artist_id FROM album WHERE "nam" = 1)', "name"),
        ('SELECT id FROM artist WHERE "title" = 1', "single quotes: 'title'"),
        ('WITH c AS (SELECT id FROM album) SELECT "Titel" FROM c', "did you mean title?"),
    ],
)
def test_a_name_in_double_quotes_that_is_no_column_is_refused(music, sql, fix):
    with pytest.raises(RefusedError) as caught:
        guard.check(sql, "sqlite", catalog=music)

    assert "SQLite would take it for text" in caught.value.problem
    assert fix in caught.value.fix


@pytest.mark.parametrize(
    "sql",
    [
        'SELECT "ID", "Title", "odd name", "rowid" FROM "album"',
        'SELECT title AS "the title" FROM album ORDER BY "the title"',
        'SELECT count(*) AS "n" FROM album GROUP BY "artist_id" HAVING "n" > 1',
        'WITH c("x y") AS (SELECT title FROM album) SELECT "x y" FROM c',
        'SELECT "n" FROM (SELECT count(*) AS "n" FROM album) WHERE "n" > 1',
        'SELECT "count(*)" FROM (SELECT count(*) FROM album)',
        'SELECT id FROM artist WHERE EXISTS (SELECT 1 FROM album WHERE artist_id = "name")',
        'SELECT "a"."title", b."name" FROM album "a" JOIN artist b ON "artist_id" = b."id"',
        'SELECT id AS "k" FROM album UNION SELECT id FROM artist ORDER BY "k"',
        "SELECT [title], `title` FROM album",
        'SELECT "key", "value" FROM json_each(\'[1]\')',
        'SELECT "body" FROM notes WHERE "notes" MATCH \'x\' ORDER BY "rank"',
        'SELECT "column1" FROM (VALUES (1))',
        'SELECT title AS "Titel" FROM album WHERE "Titel" = \'x\'',
        'SELECT \'"Titel"\' FROM album -- "Titel"',
        'SELECT sum("id") OVER (PARTITION BY "artist_id" ORDER BY "title") FROM album',
    ],
)
def test_a_column_in_double_quotes_passes(music, sql):
    guard.check(sql, "sqlite", catalog=music)


def test_other_dialects_leave_double_quotes_to_the_engine(music):
    guard.check('SELECT "Titel" FROM album', "duckdb", catalog=music)


@pytest.mark.req("SAFE-01", part="SQLite")
def test_where_the_file_lies_is_not_told(music):
    with pytest.raises(RefusedError) as caught:
        guard.check("SELECT file FROM pragma_database_list", "sqlite", catalog=music)

    assert "pragma_database_list is a system object" in caught.value.problem
