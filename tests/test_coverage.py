"""`dblore coverage`: what is counted, the overall figure, and when it fails."""

import json

import pytest

from pipeline import artifacts, coverage, summary, tasks
from schemas.models import Coverage
from serve import cli
from tests import build_kb


def run(kb, *options):
    return cli.main(["coverage", "--kb", str(kb.folder), *options])


@pytest.mark.req("B8", part="the six parts")
@pytest.mark.req("SEM-06", part="coverage")
def test_it_adds_joins_and_statements_to_what_the_draft_counts(built):
    counted = artifacts.read(built.coverage, Coverage)

    parts = coverage.measure(built, tasks.stale(built)).parts

    for name in ("tables", "columns", "codes", "units"):
        share, part = getattr(counted, name), getattr(parts, name)
        assert (part.done, part.total) == (share.done, share.total)
    assert (parts.joins.done, parts.joins.total) == (1, 1)
    assert (parts.statements.done, parts.statements.total) == (2, 2)


@pytest.mark.req("B8", part="joins measured, statements verified")
def test_what_was_changed_since_it_was_measured_counts_as_open(built):
    semantic = build_kb.SEMANTIC.replace("status = 'O'", "status <> 'P'")
    built.semantic.write_text(semantic, encoding="utf-8")
    graph = build_kb.KNOWLEDGE_GRAPH.replace("placed_by", "came_from")
    built.knowledge_graph.write_text(graph, encoding="utf-8")

    parts = coverage.measure(built, tasks.stale(built)).parts

    assert (parts.joins.done, parts.joins.total) == (0, 1)
    assert (parts.statements.done, parts.statements.total) == (1, 2)


@pytest.mark.req("B8", part="weighted by use")
def test_describing_what_is_used_moves_the_figure_more(built):
    described = {}
    for table in ("customers", "countries"):
        text = build_kb.SEMANTIC.replace(
            "metrics:", f"  {table}: {{description: Said.}}\nmetrics:", 1
        )
        built.semantic.write_text(text, encoding="utf-8")
        described[table] = coverage.measure(built, tasks.stale(built))

    assert described["customers"].parts.tables.done == described["countries"].parts.tables.done
    assert described["customers"].overall > described["countries"].overall


@pytest.mark.req("B8", part="the next to document")
def test_the_next_to_document_are_named_with_what_is_missing(built, capsys):
    assert run(built) == 0

    out = capsys.readouterr().out
    assert "it pays most to document:\n  customers: description  (used " in out
    assert "all  1/3 33 %" in out


@pytest.mark.req("B8", part="fail-under")
@pytest.mark.req("SEM-06", part="thresholds")
@pytest.mark.parametrize(
    ("least", "status"),
    [
        pytest.param("5", 0, id="above"),
        pytest.param("99", 1, id="below"),
        pytest.param("101", 2, id="no share"),
    ],
)
def test_it_fails_under_a_figure(built, capsys, least, status):
    assert run(built, "--fail-under", least) == status

    assert ("error:" in capsys.readouterr().err) == bool(status)


@pytest.mark.req("B8", part="fail-compare")
def test_a_meaning_that_is_taken_away_is_a_fall_in_a_small_column_too(built, tmp_path, capsys):
    assert run(built, "--json") == 0
    file = tmp_path / "before.json"
    file.write_text(capsys.readouterr().out, encoding="utf-8")
    fewer = build_kb.SEMANTIC.replace(", C: cancelled", "")
    built.semantic.write_text(fewer, encoding="utf-8")

    status = run(built, "--fail-compare", str(file))

    assert status == 1
    assert "codes fell from 100.0 % to 0.0 %" in "".join(capsys.readouterr())


@pytest.mark.req("B8", part="fail-compare")
@pytest.mark.parametrize(
    ("saved", "fell"),
    [
        pytest.param("report", "tables fell from 33.3 % to 0.0 %", id="a report"),
        pytest.param("coverage.json", "tables fell from 33.3 % to 0.0 %", id="coverage.json"),
    ],
)
def test_it_fails_where_a_share_is_lower_than_it_was(built, tmp_path, capsys, saved, fell):
    file = built.coverage
    if saved == "report":
        assert run(built, "--json") == 0
        file = tmp_path / "before.json"
        file.write_text(capsys.readouterr().out, encoding="utf-8")
    assert run(built, "--fail-compare", str(file)) == 0
    built.semantic.write_text(
        build_kb.SEMANTIC.replace("    description: One row per order.\n", ""), encoding="utf-8"
    )

    assert run(built, "--fail-compare", str(file)) == 1

    assert f"error: {fell}" in capsys.readouterr().err


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("{", id="no JSON"),
        pytest.param('{"format": "dblore.catalog/1"}', id="another artifact"),
        pytest.param('{"format": "dblore.coverage-report/1", "parts": 3}', id="damaged"),
    ],
)
def test_a_file_to_compare_with_that_is_none_is_refused(built, tmp_path, capsys, text):
    (tmp_path / "before.json").write_text(text, encoding="utf-8")

    assert run(built, "--fail-compare", str(tmp_path / "before.json")) == 2

    assert f"dblore coverage --kb {built.folder} --json >" in capsys.readouterr().err


def test_json_is_read_back_as_it_was_written(built, tmp_path, capsys):
    assert run(built, "--json") == 0

    file = tmp_path / "report.json"
    file.write_text(capsys.readouterr().out, encoding="utf-8")
    assert (
        coverage.fallen(
            coverage.measure(built, tasks.stale(built)), coverage.read(file, built.folder)
        )
        == []
    )
    assert json.loads(file.read_text("utf-8"))["parts"]["tables"]["total"] == 3


def test_what_pays_most_is_what_the_draft_names_first_and_the_command_for_it_is_told(built, capsys):
    named = artifacts.read(built.coverage, Coverage).next

    run(built)

    assert tuple(step.target for step in coverage.measure(built, tasks.stale(built)).next) == named
    err = capsys.readouterr().err
    assert f"dblore accept --kb {built.folder} {named[0].partition('.')[0]} --blank" in err


@pytest.mark.parametrize("command", ["draft", "status", "lint"])
def test_each_command_that_says_how_far_it_is_names_coverage(built, capsys, command):
    cli.main([command, "--kb", str(built.folder)])

    said = "".join(capsys.readouterr())
    assert f"dblore coverage --kb {built.folder}" in said
    assert f"dblore coverage --kb {built.folder}" in [step for step, _ in summary.next_steps(built)]
