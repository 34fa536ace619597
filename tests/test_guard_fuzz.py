"""Refused statements stay refused, and allowed ones allowed, however they are written."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from evals.guard import refusal
from evals.guard_effect import effects
from evals.guard_engines import database
from evals.guard_fuzz import (
    MUTATIONS,
    Mutant,
    Seed,
    breaks,
    broken,
    harmless_mutants,
    hunt,
    is_refused,
    main,
    mutants,
    passes,
    seeds,
)
from evals.guard_tokens import read

STATEMENTS = Path(__file__).parent / "guard"
REFUSED = seeds([STATEMENTS / "refused.yaml", STATEMENTS / "refused_words.yaml"])
ALLOWED = seeds([STATEMENTS / "allowed.yaml"])
DIALECTS = sorted({seed.dialect for seed in REFUSED})


def fuzz(strategy, wrong, examples):
    """Judge the same examples in every run; return how many. The first wrong one is shrunk."""
    judged = []

    @settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def judge(mutant):
        judged.append(mutant.sql)
        found = wrong(mutant)
        assert found is None, f"{found}\n{mutant.sql}\nwas: {mutant.seed.sql} ({mutant.changes})"

    judge()
    return len(judged)


def of(dialect, statements):
    return [seed for seed in statements if seed.dialect == dialect]


@pytest.mark.req("SAFE-04", part="fuzzer")
@pytest.mark.req("B10", part="fuzzer")
@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_refused_statement_is_refused_in_other_words_too(dialect):
    assert fuzz(mutants(of(dialect, REFUSED)), passes, 60) == 60


@pytest.mark.req("SAFE-04", part="fuzzer")
@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_allowed_statement_passes_in_other_spellings_too(dialect):
    assert fuzz(harmless_mutants(of(dialect, ALLOWED)), is_refused, 20) == 20


@pytest.mark.req("SAFE-04", part="fuzzer")
@pytest.mark.parametrize("dialect", DIALECTS)
def test_broken_text_is_refused_or_passes_without_any_other_error(dialect):
    assert fuzz(broken(of(dialect, REFUSED + ALLOWED)), breaks, 20) == 20


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_another_spelling_means_the_same_to_the_engine(dialect, tmp_path):
    with database(dialect, tmp_path) as source, closing(_connect(source)) as connection:
        runs = {s: [_rows(connection, s.sql) for _ in range(3)] for s in of(dialect, ALLOWED)}
        statements = [s for s, (one, two, three) in runs.items() if one and one == two == three]

        def differs(mutant):
            before, after = (_rows(connection, sql) for sql in (mutant.seed.sql, mutant.sql))
            return None if before == after else f"{before} became {after}"

        fuzz(harmless_mutants(statements), differs, 40)

    assert len(statements) >= 15


@pytest.mark.req("SAFE-04", part="read as the engine reads")
@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("postgres", """SELECT 1 AS /*/**/ " */ b, pg_read_file('x') -- \""""),
        ("postgres", "SELECT /*/**/ ' */ pg_sleep(5) -- '"),
        ("postgres", "SELECT 1 /*x/**/*/, pg_sleep(5) -- */ */"),
        ("postgres", "SELECT 1 /*x/**/*/; DROP TABLE orders -- */ */"),
        ("duckdb", "SELECT 1 /*x/**/*/, sleep_ms(5000) -- */ */"),
        ("tsql", "SELECT 1 /*x/**/*/, dbo.f() -- */ */"),
        ("duckdb", """SELECT 1 AS /*/**/ " */ b, getenv('HOME') -- \""""),
        ("duckdb", "SELECT 1 AS `-- `, sleep_ms(5000)"),
        ("duckdb", "SELECT 1 AS `/*`, sleep_ms(5000) -- */"),
        ("tsql", "SELECT /*/**/ ' */ dbo.f() -- '"),
        ("sqlite", "SELECT 1 /*+ /* */, load_extension('x') -- */"),
        ("mysql", "SELECT 1 --sleep(5)"),
    ],
)
def test_code_is_not_taken_for_a_comment_or_a_string(dialect, sql):
    assert refusal(sql, dialect) is not None


def _connect(source):
    if source.dialect == "sqlite":
        return sqlite3.connect(source.path)
    import duckdb

    return duckdb.connect(str(source.path), config={"threads": 1})  # so that order is the same


def _rows(connection, sql):
    """Return the rows, where they are the same in every run; None where it fails.

    In small letters: a bare name may end up in a value, as the field of a struct.
    """
    if any(word in sql.lower() for word in ("random", "sample", "now", "current_", "uuid")):
        return None
    try:
        rows = connection.execute(sql).fetchall()
    except Exception:  # noqa: BLE001 - what this engine lacks is none of this test's business
        return None
    return sorted(repr(row).lower() for row in rows)


@pytest.mark.parametrize(
    ("change", "dialect", "sql", "expected"),
    [
        ("letter case", "sqlite", "select 'a' from t", "SELECT 'a' FROM T"),
        ("blanks", "mysql", "select sleep(1)", "\nselect\n sleep\n(\n1\n)"),
        ("comments", "postgres", "select f()", " /**/ select /**/ f /**/ ( /**/ ) "),
        ("quoting", "postgres", "select PG_SLEEP(1)", 'select "pg_sleep"(1)'),
        ("quoting", "oracle", "select f(1) from dual", 'select "F"(1) from "DUAL"'),
        ("schema", "postgres", "select pg_sleep(1)", "select pg_catalog.pg_sleep(1)"),
        ("strings", "duckdb", "select f('abc')", "select f(('abc'))"),
        ("nesting", "postgres", "select f()", "(select f())"),
        ("concatenation", "mysql", "drop table t", "SELECT 1; drop table t"),
        ("write in a query", "postgres", "delete from t",
         "WITH w AS (delete from t RETURNING *) SELECT * FROM w"),
        ("call", "sqlite", "select f(1), 2", "select (f(1)), 2"),
        ("call form", "postgres", "select f('a')", "select f ('a')"),
        ("aliases", "sqlite", "select * from t", "select * from t w"),
    ],
)  # fmt: skip
def test_a_mutation_changes_how_a_statement_is_written(change, dialect, sql, expected):
    text = read(sql, dialect)

    changed = MUTATIONS[change](text, lambda options: options[0])

    assert changed.strip() == expected.strip()


def test_a_hole_is_found_shrunk_to_one_change_and_noted_once_per_kind():
    seed = Seed("S1", "sqlite", "select load_extension('x') from orders")

    strategy = mutants([seed], ("letter case", "blanks", "comments"))

    tally = hunt(strategy, lambda mutant: "hole" if "/**/" in mutant.sql else None, 120, 1)

    assert ("comments",) in [find["changes"] for find in tally.finds]
    assert tally.finds[0]["was"] == seed.sql
    assert tally.examples >= 120
    kinds = [tuple(sorted(set(find["changes"]))) for find in tally.finds]
    assert len(kinds) == len(set(kinds))


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_what_an_engine_does_with_a_find_is_told_from_what_it_rejects(dialect):
    ran, failed = effects(dialect, ["SELECT count(*) FROM orders", "SELECT nothing FROM orders"])

    assert ran.startswith("runs: [(4,)]")
    assert failed.startswith("fails: ")


def test_an_error_that_is_no_refusal_is_a_find():
    seed = Seed("S1", "klingon", "SELECT 1")

    assert breaks(Mutant(seed, ("cut",), seed.sql)).startswith("SettingError")


def test_the_eval_reports_what_it_did(tmp_path, capsys):
    corpus = tmp_path / "refuse.yaml"
    corpus.write_text("- {id: R1, dialect: sqlite, sql: DROP TABLE orders}\n", encoding="utf-8")

    status = main(["--refuse", str(corpus), "--examples", "20", "--json"])

    report = json.loads(capsys.readouterr().out)
    assert status == 0
    assert set(report["by"]) == {"refuse sqlite", "broken sqlite"}
    assert report["by"]["refuse sqlite"]["examples"] >= 20
    assert report["by"]["refuse sqlite"]["finds"] == []
