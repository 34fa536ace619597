"""What the command line prints of a database that anyone may have written to."""

import sqlite3
from contextlib import closing

import pytest

from serve import cli
from serve.stats import model

SQL = """
CREATE TABLE "bad\x1b[2Jname
orders  9  all is well [human]" ("Item\x1b[1mNo" INTEGER PRIMARY KEY, note TEXT);
INSERT INTO "bad\x1b[2Jname
orders  9  all is well [human]" VALUES (1, 'a\x1b[31mb');
CREATE TABLE visit (id INTEGER PRIMARY KEY, place TEXT);
CREATE VIEW places AS SELECT place FROM visit;
INSERT INTO visit VALUES (1, 'here');
"""
SEMANTIC = """
tables:
  visit:
    description: "When it took place.\\e[2J"
    columns:
      place: {description: Where it took place., unit: by the patient}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("text")
    with closing(sqlite3.connect(place / "bad.sqlite")) as connection:
        connection.executescript(SQL)
    kb = place / "kb"
    assert cli.main(["init", "--db", str(place / "bad.sqlite"), "--kb", str(kb)]) == 0
    with (kb / "kb.yaml").open("a", encoding="utf-8") as file:
        file.write("embedder: none\n")
    (kb / "semantic.yaml").write_text(SEMANTIC, encoding="utf-8")
    assert cli.main(["build", "--kb", str(kb)]) == 0
    return kb


@pytest.fixture
def run(folder, capsys):
    """Run a command on the built knowledge base; return stdout."""

    def call(*words):
        assert cli.main([*words, "--kb", str(folder)]) == 0
        return capsys.readouterr().out

    return call


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(("tables",), id="tables"),
        pytest.param(("search", "name took place orders"), id="search"),
        pytest.param(("table", "visit"), id="table"),
        pytest.param(("context", "bad name orders and visits by place"), id="context"),
        pytest.param(("query", "SELECT place || char(27) || '[2J' AS note FROM visit"), id="query"),
        pytest.param(("stats",), id="stats"),
    ],
)
def test_no_control_character_reaches_the_terminal(run, words):
    out = run(*words)

    assert not [c for c in out if not c.isprintable() and c not in "\n\t"]
    assert not [line for line in out.splitlines() if line.startswith("orders  9")]


def test_a_table_takes_one_line_of_a_list(run):
    lines = run("tables").splitlines()

    assert len(lines) == 3
    assert lines[0].startswith(r"bad\x1b[2Jname\norders  9")


def test_a_hit_has_one_full_stop_at_the_end_of_a_sentence(run):
    out = run("search", "where took place", "--kind", "column", "-k", "1")

    assert "Where it took place. by the patient" in out


def test_a_hit_without_text_takes_one_line(run):
    out = run("search", "bad name", "-k", "9")

    assert out.strip()
    assert all(line.strip() for line in out.splitlines())


def test_stats_counts_tables_with_their_nouns(run):
    lines = dict(line.split(maxsplit=1) for line in run("stats").splitlines())

    assert lines["tables"] == "2 tables, 1 view"
    assert lines["index"] == "words only"
    assert lines["links"] == "none"


def test_stats_names_the_model_of_the_vectors():
    shown = model({"embedder": "fastembed", "digest": "d"})
    named = model({"embedder": "fastembed:BAAI/bge-small-en", "digest": "d"})

    assert (shown, named) == ("all-MiniLM-L6-v2 int8", "BAAI/bge-small-en")
