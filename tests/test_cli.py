"""The command line, as a user types it."""

import io
import json
import logging
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from serve import cli
from serve.cli import checking

pytestmark = pytest.mark.req("CLI-01", part="build, read and serve commands of the first release")

SHOP = """
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, country TEXT NOT NULL);
CREATE TABLE orders (
    id INTEGER PRIMARY KEY,
    customer_id INTEGER NOT NULL REFERENCES customers(id),
    status TEXT NOT NULL,
    amount_cents INTEGER
);
INSERT INTO customers VALUES (1, 'Ann', 'GB'), (2, 'Bo', 'FI');
INSERT INTO orders VALUES (10, 1, 'open', 5), (11, 1, 'paid', 7), (12, 2, 'paid', NULL);
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The folder of a knowledge base that was made and built by the commands alone."""
    place = tmp_path_factory.mktemp("cli")
    with closing(sqlite3.connect(place / "shop.sqlite")) as connection:
        connection.executescript(SHOP)
    kb = place / "shop"
    assert cli.main(["init", "--db", str(place / "shop.sqlite"), "--kb", str(kb)]) == 0
    (kb / "semantic.yaml").write_text(
        "tables: {orders: {description: One row per order., "
        "columns: {status: {description: State, values: {open: not paid, paid: paid}}}}}\n"
        "examples: [{question: How many orders are paid?, "
        "sql: SELECT COUNT(*) FROM orders WHERE status = 'paid'}]\n",
        encoding="utf-8",
    )
    assert cli.main(["build", "--kb", str(kb)]) == 0
    return kb


@pytest.fixture
def run(folder, capsys):
    """Run a command on the built knowledge base; return status, stdout, stderr."""

    def call(*words):
        status = cli.main([*words, "--kb", str(folder)])
        said = capsys.readouterr()
        return status, said.out, said.err

    return call


def test_init_then_build_needs_no_yaml_from_the_user(tmp_path, make_db, capsys):
    kb = tmp_path / "plain"
    assert cli.main(["init", "--db", str(make_db()), "--kb", str(kb)]) == 0

    status = cli.main(["build", "--kb", str(kb)])

    assert status == 0
    assert {"catalog.json", "profile.json", "graph.json", "docs"} <= {p.name for p in kb.iterdir()}
    assert "next:" in capsys.readouterr().err


def test_context_prints_tables_codes_and_where_each_line_comes_from(run):
    status, out, _ = run("context", "Which customers have orders that are not paid?")

    assert status == 0
    assert "orders" in out
    assert "'open'" in out
    assert "orders.customer_id = customers.id" in out
    assert "[declared]" in out


@pytest.mark.req("CTX-05", part="Markdown and JSON of one pack")
def test_context_as_json_is_the_same_pack(run):
    status, out, _ = run("context", "Which orders are paid?", "--json")

    assert status == 0
    assert "orders" in json.dumps(json.loads(out))


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(("context", "paid orders"), id="context"),
        pytest.param(("search", "paid", "-k", "3"), id="search"),
        pytest.param(("table", "orders"), id="table"),
        pytest.param(("tables",), id="tables"),
        pytest.param(("path", "orders", "customers"), id="path"),
        pytest.param(("stats",), id="stats"),
        pytest.param(("status",), id="status"),
        pytest.param(("why", "graph.json"), id="why"),
        pytest.param(("validate",), id="validate"),
        pytest.param(("query", "SELECT * FROM orders"), id="query"),
    ],
)
@pytest.mark.req("CLI-02", part="--json on the reading commands that are there")
def test_a_reading_command_prints_text_and_with_json_nothing_but_json(run, words):
    status, text, _ = run(*words)
    as_json = run(*words, "--json")

    assert status == as_json[0] == 0
    assert text.strip()
    assert json.loads(as_json[1]) is not None


def test_search_finds_a_column_by_its_meaning(run):
    status, out, _ = run("search", "amount", "-k", "1")

    assert status == 0
    assert "orders.amount_cents" in out


def test_path_says_how_two_tables_join(run):
    status, out, _ = run("path", "customers", "orders")

    assert status == 0
    assert "JOIN orders ON orders.customer_id = customers.id" in out


def test_query_prints_rows_as_tab_separated_text(run):
    status, out, _ = run("query", "SELECT status, COUNT(*) AS n FROM orders GROUP BY status")

    assert status == 0
    assert out == "status\tn\nopen\t1\npaid\t2\n"


def test_query_refuses_what_is_not_a_read(run):
    status, out, err = run("query", "DELETE FROM orders")

    assert status == 2
    assert out == ""
    assert err.startswith("error: ")
    assert "fix: " in err


def test_query_works_on_a_database_without_a_knowledge_base(make_db, capsys, monkeypatch):
    monkeypatch.delenv("DBLORE_KB", raising=False)

    status = cli.main(["query", "SELECT COUNT(*) AS n FROM orders", "--db", str(make_db())])

    assert status == 0
    assert capsys.readouterr().out == "n\n3\n"


def test_a_misspelt_table_gets_near_names(run):
    status, _, err = run("table", "ordres")

    assert status == 2
    assert "did you mean orders?" in err


def test_a_failing_example_makes_validate_exit_1(tmp_path, make_db, capsys):
    kb = tmp_path / "shop"
    cli.main(["init", "--db", str(make_db()), "--kb", str(kb)])
    (kb / "semantic.yaml").write_text(
        "examples: [{question: How many?, sql: SELECT COUNT(*) FROM ordres}]\n", encoding="utf-8"
    )

    built = cli.main(["build", "--kb", str(kb)])
    status = cli.main(["validate", "--kb", str(kb)])

    assert built == 0
    assert status == 1
    out, err = capsys.readouterr()
    account = "0 of 1 check passed, 1 failed"
    cause = "refused: the catalogue has no table ordres"
    assert out.splitlines()[1:] == [
        f"{kb}/semantic.yaml:1:60 failed: example How many?: {cause}",
        "  fix: did you mean orders?",
        account,
    ]
    assert f"{account}: see {kb}/validation.md" in err
    steps = err[err.rindex("next:\n") :].splitlines()
    assert [step.strip() for step in steps[1:3]] == [
        "see what failed, and mend it:",
        f"dblore validate --kb {kb}",
    ]


def test_a_check_that_cannot_reach_the_database_is_no_success(tmp_path, make_db, capsys):
    kb = tmp_path / "shop"
    source = make_db()
    cli.main(["init", "--db", str(source), "--kb", str(kb)])
    (kb / "semantic.yaml").write_text(
        "examples: [{question: How many?, sql: SELECT COUNT(*) FROM ordres}]\n", encoding="utf-8"
    )
    cli.main(["build", "--kb", str(kb)])
    before = (kb / "validation.json").read_text(encoding="utf-8")
    source.unlink()

    statuses = [cli.main([command, "--kb", str(kb)]) for command in ("validate", "scan", "build")]

    assert statuses == [4, 4, 0]
    assert (kb / "validation.json").read_text(encoding="utf-8") == before
    assert "source.sqlite" in capsys.readouterr().err


@pytest.mark.req("B12", part="status, why, dry-run on one knowledge base")
def test_why_says_what_changed_and_what_follows(folder, run):
    semantic = folder / "semantic.yaml"
    text = semantic.read_text(encoding="utf-8")
    semantic.write_text(text + "# a remark\n", encoding="utf-8")

    status, out, _ = run("why", "docs")
    _, dry, _ = run("build", "--dry-run")
    semantic.write_text(text, encoding="utf-8")

    assert status == 0
    assert "docs must run: semantic.yaml changed" in out
    assert "docs      runs: semantic.yaml changed" in dry
    assert "scan      up to date" in dry


def test_frozen_fails_when_something_committed_is_stale(folder, run):
    semantic = folder / "semantic.yaml"
    text = semantic.read_text(encoding="utf-8")
    good, _, _ = run("build", "--frozen")
    semantic.write_text(text + "# a remark\n", encoding="utf-8")

    status, _, err = run("build", "--frozen")
    semantic.write_text(text, encoding="utf-8")

    assert good == 0
    assert status == 1
    assert "draft: semantic.yaml changed" in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param(["build"], "no knowledge base given", id="no folder"),
        pytest.param(
            ["build", "--kb", "nowhere"], "there is no folder nowhere", id="missing folder"
        ),
        pytest.param(["init", "--kb", "new"], "no database given", id="no database"),
        pytest.param(
            ["init", "--kb", "new", "--db", "gone.sqlite"], "gone.sqlite", id="no such file"
        ),
    ],
)
def test_bad_input_is_one_error_that_says_what_to_do(words, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DBLORE_KB", raising=False)
    monkeypatch.delenv("DBLORE_DB", raising=False)
    monkeypatch.setattr(sys, "stdin", io.StringIO())

    status = cli.main(words)

    err = capsys.readouterr().err
    assert status in {2, 4}
    assert said in err
    assert "fix: " in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("question", ["", "   ", "x" * 10_001], ids=["none", "blank", "too long"])
def test_a_question_that_cannot_be_answered_is_told(run, question):
    status, out, err = run("context", question)

    assert status == 2
    assert out == ""
    assert "question" in err


@pytest.mark.req("SCAN-08", part="init, build, errors")
def test_no_credential_reaches_a_file_or_a_message(tmp_path, capsys, monkeypatch):
    url = "postgresql+psycopg://reporter:hunter2hunter2@127.0.0.1:1/shop"
    kb = tmp_path / "shop"
    refused = cli.main(["init", "--db", url, "--kb", str(kb)])
    kb.mkdir()
    (kb / "kb.yaml").write_text("name: shop\nsource: ${SHOP_URL}\n", encoding="utf-8")
    monkeypatch.setenv("SHOP_URL", url)

    status = cli.main(["build", "--kb", str(kb)])

    said = capsys.readouterr()
    assert refused == 4
    files = "".join(p.read_text("utf-8", "replace") for p in kb.rglob("*") if p.is_file())
    assert status == 4
    assert "hunter2" not in said.out + said.err + files
    assert "reporter" not in said.out + said.err + files


def test_output_to_a_closed_pipe_ends_quietly(folder):
    command = [sys.executable, "-m", "serve.cli", "tables", "--kb", str(folder)]

    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        said = process.stderr.read()

    assert said == b""
    assert process.returncode == 0


def test_every_command_tells_warnings_as_such(monkeypatch, capsys):
    def warn(options):
        logging.getLogger("dblore.database").warning("mind the step")
        return 0

    monkeypatch.setattr(checking, "run_lint", warn)

    assert cli.main(["lint"]) == 0

    assert capsys.readouterr().err == "warning: mind the step\n"
