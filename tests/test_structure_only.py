"""A knowledge base without a database: from DDL files, or from a colleague's catalogue."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from pipeline import artifacts, tasks
from pipeline.database.ddl import files
from pipeline.kb import Kb
from pipeline.profile import columns
from schemas.models import Catalog, Graph, Profile, Validation
from serve import cli
from tests import build_kb

DDL = """\
CREATE TABLE countries (code text PRIMARY KEY, name text NOT NULL);
CREATE TABLE customers (
    id integer PRIMARY KEY, email text, country text NOT NULL REFERENCES countries (code)
);
CREATE TABLE orders (
    id integer PRIMARY KEY, customer_id integer NOT NULL REFERENCES customers (id),
    status text NOT NULL, amount_cents integer NOT NULL
);
"""


@pytest.fixture
def kb(tmp_path):
    """Return a knowledge base over DDL files that was never built."""
    folder = tmp_path / "kb" / "shop"
    (folder / "schema").mkdir(parents=True)
    (folder / "schema" / "1.sql").write_text(DDL, encoding="utf-8")
    (folder / "kb.yaml").write_text(
        "name: shop\nddl: schema/*.sql\ndialect: postgresql\nembedder: none\n", encoding="utf-8"
    )
    (folder / "semantic.yaml").write_text(build_kb.SEMANTIC, encoding="utf-8")
    (folder / "knowledge_graph.yaml").write_text(build_kb.KNOWLEDGE_GRAPH, encoding="utf-8")
    return Kb(folder)


@pytest.fixture
def attempt(tmp_path, capsys, monkeypatch):
    """Run commands of `dblore` in an empty folder; return the last status and what was said."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DBLORE_DB", raising=False)

    def call(*commands):
        status = 0
        for command in commands:
            status = cli.main(list(command)) if status == 0 else status
        said = capsys.readouterr()
        return status, said.out, said.err

    return call


@pytest.mark.req("SCAN-15")
def test_every_stage_works_on_ddl_and_says_that_it_is_structure_only(kb):
    assert build_kb.stages_run(kb) == list(build_kb.ALL)

    catalog = artifacts.read(kb.catalog, Catalog)
    profile = artifacts.read(kb.profile, Profile)
    graph = artifacts.read(kb.graph, Graph)
    validation = artifacts.read(kb.validation, Validation)
    assert (catalog.dialect, catalog.read_from) == ("postgres", "ddl")
    assert catalog.notes == ("structure only: read from 1 DDL file (schema/*.sql)",)
    assert profile.notes == ("no data was read: structure only (from DDL)",)
    assert [c.column for c in profile.by_table["customers"].columns if c.sensitive] == ["email"]
    assert {item.status for item in graph.entities} == {"unverified"}
    assert {(link.table, link.to_table) for link in graph.links} == {
        ("customers", "countries"),
        ("orders", "customers"),
    }
    assert {item.status for item in validation.items} == {"skipped"}
    assert "no database to ask" in validation.items[0].cause
    assert "structure only (from DDL)" in (kb.docs / "README.md").read_text(encoding="utf-8")
    card = (kb.docs / "tables" / "orders.md").read_text(encoding="utf-8")
    assert "structure only (from DDL)" in card


def test_columns_are_named_once_and_files_are_read_once(kb, monkeypatch):
    named, read = Counter(), Counter()
    unread, lines = columns.unread, files.lines
    monkeypatch.setattr(columns, "unread", lambda t, *r: named.update([t.name]) or unread(t, *r))
    monkeypatch.setattr(files, "lines", lambda path: read.update([path.name]) or lines(path))

    build_kb.stages_run(kb)

    assert named == {"countries": 1, "customers": 1, "orders": 1}
    assert read == {"1.sql": 1}


@pytest.mark.req("SCAN-15", part="incremental")
def test_a_changed_or_added_file_makes_the_structure_stale(kb):
    build_kb.stages_run(kb)
    assert build_kb.stages_run(kb) == []

    first = kb.folder / "schema" / "1.sql"
    first.write_text(DDL + "-- nothing more\n", encoding="utf-8")
    assert build_kb.stages_run(kb)[0] == "scan"
    assert build_kb.stages_run(kb) == []

    second = "ALTER TABLE orders ADD note text;"
    (kb.folder / "schema" / "2.sql").write_text(second, encoding="utf-8")
    assert build_kb.stages_run(kb)[:2] == ["scan", "profile"]
    assert artifacts.read(kb.catalog, Catalog).by_name["orders"].column("note")


def test_a_build_with_nothing_to_do_imports_neither_sqlglot_nor_the_reader(kb):
    build_kb.stages_run(kb)
    code = (
        "import sys; from pathlib import Path\n"
        "from pipeline import tasks; from pipeline.kb import Kb\n"
        f"done = tasks.run(Kb(Path({str(kb.folder)!r})), quiet=True).done\n"
        "print(done, [m for m in sys.modules if m == 'sqlglot' or m.endswith('ddl.catalog')])"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "() []"


@pytest.mark.req("SCAN-15", part="commands")
def test_init_writes_the_globs_and_nothing_can_be_asked(tmp_path, attempt):
    (tmp_path / "schema").mkdir()
    (tmp_path / "schema" / "a.sql").write_text(DDL, encoding="utf-8")

    status, _, err = attempt(
        ["init", "--ddl", "schema/*.sql", "--dialect", "postgres", "--kb", "kb"]
    )
    written = (tmp_path / "kb" / "kb.yaml").read_text(encoding="utf-8")
    (tmp_path / "kb" / "kb.yaml").write_text(written + "embedder: none\n", encoding="utf-8")
    status, out, err = attempt(
        ["build", "--kb", "kb"],
        ["table", "orders", "--kb", "kb"],
    )
    asked = attempt(["query", "--kb", "kb", "SELECT 1"])

    assert status == 0, err
    assert "ddl: [../schema/*.sql]\ndialect: postgres\n" in written.replace("'", "")
    assert "\nsource:" not in written
    assert "structure only (from DDL)" in out
    assert asked[0] == 4
    assert asked[2].count("error: ") == 1
    assert "no database to ask" in asked[2]


@pytest.mark.req("SCAN-15", part="catalogue")
def test_a_catalogue_of_another_scan_is_a_source(tmp_path, built, attempt):
    given = tmp_path / "theirs.json"
    given.write_bytes(built.catalog.read_bytes())

    status, _, err = attempt(
        ["init", "--db", "theirs.json", "--exclude", "countries", "--kb", "mine"],
        ["scan", "--kb", "mine"],
    )

    found = artifacts.read(tmp_path / "mine" / "catalog.json", Catalog)
    theirs = artifacts.read(given, Catalog)
    assert status == 0, err
    assert (found.dialect, found.read_from, found.database) == ("sqlite", "catalog", "source")
    assert [t.name for t in found.tables] == ["customers", "orders"]
    assert found.external == ("countries",)
    assert found.by_name["orders"] == theirs.by_name["orders"]
    assert found.notes == ("structure only: read from the catalogue theirs.json",)
    assert "source: ../theirs.json" in (tmp_path / "mine" / "kb.yaml").read_text(encoding="utf-8")
    built_from = tasks.run(built, database=str(given), quiet=True)
    assert built_from.error is None


def test_a_catalogue_cannot_be_its_own_source(built):
    result = tasks.run(built, ("scan",), database=str(built.catalog), quiet=True)

    assert "what scan writes" in result.error.problem


def _changed(**parts):
    table = {"name": "a", "object_name": "a", "columns": [
        {"name": "id", "native_type": "int", "family": "integer"}]}  # fmt: skip
    whole = {
        "format": "dblore.catalog/1", "dialect": "sqlite", "database": "x", "tables": [table]
    }  # fmt: skip
    return json.dumps({**whole, **parts})


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param("{", "isn't JSON", id="cut off"),
        pytest.param("{" * 100_000, "isn't JSON", id="deep"),
        pytest.param("[]", "is no catalogue", id="a list"),
        pytest.param("garbage", "is no catalogue", id="no JSON at all"),
        pytest.param("{}", "names no format", id="another JSON"),
        pytest.param(_changed(format="dblore.catalog/2"), "dblore.catalog/2", id="a later version"),
        pytest.param(_changed(tables=[{"name": 1}]), "isn't as catalogues are", id="wrong types"),
        pytest.param(_changed(extra=1), "isn't as catalogues are", id="unknown keys"),
        pytest.param(_changed(database="\ud800"), "isn't as catalogues are", id="half a character"),
        pytest.param(_changed(tables=[]), "has no tables", id="no tables"),
        pytest.param(
            _changed(tables=json.loads(_changed())["tables"] * 2), "twice", id="a table twice"
        ),
    ],
)
def test_a_catalogue_that_is_none_is_one_error(tmp_path, attempt, content, said):
    (tmp_path / "theirs.json").write_text(content, encoding="utf-8")

    status, _, err = attempt(
        ["init", "--db", "theirs.json", "--kb", "mine"], ["scan", "--kb", "mine"]
    )

    assert status in {2, 4}
    assert err.count("error: ") == 1
    assert said in err
    assert "fix: " in err
    assert "Traceback" not in err


HOSTILE = ["../../x", "a\nb", "<script>", "CON", "'; DROP TABLE x; --", "\u202eabc", "", "x" * 300]


def test_hostile_names_in_a_catalogue_stay_names(tmp_path, attempt):
    tables = [
        {"name": name or "none", "object_name": name or "none", "columns": [
            {"name": name or "none", "native_type": "text", "family": "text", "comment": name}]}
        for name in HOSTILE
    ]  # fmt: skip
    text = _changed(tables=sorted(tables, key=lambda t: t["name"]))
    (tmp_path / "theirs.json").write_text(text, encoding="utf-8")

    status, _, err = attempt(["init", "--db", "theirs.json", "--kb", "mine"])
    with (tmp_path / "mine" / "kb.yaml").open("a", encoding="utf-8") as settings:
        settings.write("embedder: none\n")
    status, _, err = attempt(["build", "--kb", "mine"])

    outside = [p for p in tmp_path.iterdir() if p.name not in {"theirs.json", "mine"}]
    assert status == 0, err
    assert outside == []
    assert len(artifacts.read(tmp_path / "mine" / "catalog.json", Catalog).tables) == len(HOSTILE)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        pytest.param("ddl: none/*.sql\ndialect: mysql", "matches no file", id="no file"),
        pytest.param("ddl: schema\ndialect: mysql", "names a folder", id="a folder"),
        pytest.param("ddl: [schema/*.sql]", "names no dialect", id="no dialect"),
        pytest.param("ddl: schema/*.sql\ndialect: klingon", "is no dialect", id="unknown dialect"),
        pytest.param("ddl: schema/*.sql\ndialect: mysql\nsource: x", "both", id="two sources"),
        pytest.param("source: schema/1.sql", "write `ddl:", id="SQL as a source"),
        pytest.param(
            "ddl: brackets.sql\ndialect: postgres", "check `dialect:`", id="wrong dialect"
        ),
    ],
)
def test_wrong_settings_are_one_error(kb, attempt, settings, said):
    text = f"name: shop\n{settings}\n"
    (kb.folder / "kb.yaml").write_text(text, encoding="utf-8")
    brackets = "CREATE TABLE [a b] ([id] [int]);\nGO\nCREATE TABLE [c] ([id] [int]);\nGO\n"
    (kb.folder / "brackets.sql").write_text(brackets, encoding="utf-8")

    status, _, err = attempt(["build", "--kb", str(kb.folder)])

    assert status in {2, 4}
    assert err.count("error: ") == 1
    assert said in err
    assert "Traceback" not in err


def test_the_missing_dialect_is_guessed_from_what_wrote_the_dump(kb, attempt):
    dump = f"--\n-- PostgreSQL database dump\n--\n{DDL}"
    (kb.folder / "schema" / "1.sql").write_text(dump, encoding="utf-8")
    (kb.folder / "kb.yaml").write_text("ddl: schema/*.sql\n", encoding="utf-8")

    _, _, err = attempt(["build", "--kb", str(kb.folder)])

    assert "it looks like postgres" in err
    assert "snowflake" in err


def test_a_table_that_cannot_be_read_is_counted_and_strict_fails(kb, attempt):
    broken = "CREATE TABLE broken (id integer,, x text);"
    (kb.folder / "schema" / "2.sql").write_text(broken, encoding="utf-8")

    status, _, err = attempt(["build", "--strict", "--kb", str(kb.folder)])

    assert status == 3
    assert "table broken can't be read" in err
    assert Path(kb.docs / "tables" / "orders.md").exists()
