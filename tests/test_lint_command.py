"""`dblore lint`: formats, exit status, baseline, ignores, and what it says of old files."""

import json

import pytest

from pipeline import drafts, tasks
from pipeline.drafts import Draft
from pipeline.lint import RULES, lint
from serve import cli

FAULTY = """\
tables:
  orders:
    description: One row per order, unlike order_lines.
    grain: one row per order
    columns:
      status: 1 = open, 2 = paid
      amount_cents: TODO
      customer_id: Who ordered; see customers.nam.
  customers: {description: Who buys.}
  countries: {description: Where they live.}
"""


@pytest.fixture
def kb(built):
    """The shop with semantic.yaml of this file: DL101 and DL006, both warnings."""
    built.semantic.write_text(FAULTY, encoding="utf-8")
    return built


def run(kb, *options):
    return cli.main(["lint", "--kb", str(kb.folder), *options])


def rules(kb, *names):
    return [finding.rule.id for finding in lint(kb, tasks.stale(kb), names).findings]


@pytest.mark.req("B14", part="text")
def test_a_finding_begins_with_a_place_that_editors_open_and_ends_with_what_to_do(kb, capsys):
    status = run(kb)

    out = capsys.readouterr().out.splitlines()
    assert status == 0
    what = "the description of orders.amount_cents is a placeholder: `TODO`"
    assert out[:2] == [
        f"{kb.semantic}:7:7 warning DL101 {what}",
        "  fix: say what it means to the business, or remove the line: the draft will ask again",
    ]
    assert out[2].startswith(
        f"{kb.semantic}:8:37 warning DL006 orders.customer_id: table customers"
    )
    assert out[-1] == "2 warnings"


@pytest.mark.req("SEM-06", part="thresholds")
@pytest.mark.parametrize(
    ("options", "status"),
    [
        pytest.param((), 0, id="warnings pass by default"),
        pytest.param(("--fail-on", "warning"), 1, id="not at the threshold"),
        pytest.param(("--fail-on", "info"), 1, id="nor above it"),
        pytest.param(("--fail-on", "warning", "--rule", "DL201"), 0, id="other rules don't count"),
        pytest.param(("--fail-on", "warning", "--rule", "dl101"), 1, id="a rule by id, any case"),
        pytest.param(
            ("--fail-on", "warning", "--rule", "placeholder-description"), 1, id="a rule by name"
        ),
    ],
)
def test_the_exit_status_says_whether_something_is_bad_enough(kb, options, status):
    assert run(kb, *options) == status


def test_an_unknown_rule_is_refused_with_the_nearest(kb, capsys):
    assert run(kb, "--rule", "placeholder-descripton") == 2

    assert "did you mean placeholder-description" in capsys.readouterr().err


@pytest.mark.req("B14", part="JSON")
def test_json_has_all_that_the_text_has(kb, capsys):
    assert run(kb, "--format", "json") == 0

    found = json.loads(capsys.readouterr().out)
    assert [(f["rule"], f["severity"], f["target"]) for f in found] == [
        ("DL101", "warning", "orders.amount_cents"),
        ("DL006", "warning", "orders.customer_id"),
    ]
    assert all(f["file"] == "semantic.yaml" and f["fix"] and f["message"] for f in found)


@pytest.mark.req("B14", part="SARIF")
def test_sarif_names_files_from_the_root_of_the_repository(kb, capsys):
    (kb.folder / "../../.git").mkdir()

    assert run(kb, "--format", "sarif") == 0

    log = json.loads(capsys.readouterr().out)
    (job,) = log["runs"]
    known = job["tool"]["driver"]["rules"]
    assert log["version"] == "2.1.0"
    assert [rule["id"] for rule in known] == [rule.id for rule in RULES]
    assert [known[r["ruleIndex"]]["id"] for r in job["results"]] == ["DL101", "DL006"]
    assert {r["level"] for r in job["results"]} == {"warning"}
    place = job["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "kb/shop/semantic.yaml"
    assert place["region"] == {"startLine": 7, "startColumn": 7}
    assert len({r["partialFingerprints"]["dbloreLint/v1"] for r in job["results"]}) == 2


@pytest.mark.req("B14", part="baseline")
def test_only_what_is_not_in_the_baseline_is_reported_wherever_lines_have_moved(
    kb, tmp_path, capsys
):
    file = str(tmp_path / "baseline.json")
    assert run(kb, "--write-baseline", file) == 0
    moved = "# a new line\n" + FAULTY.replace("Who buys.", "tbd")
    kb.semantic.write_text(moved, encoding="utf-8")
    capsys.readouterr()

    assert run(kb, "--fail-on", "warning", "--baseline", file) == 1

    out = capsys.readouterr().out
    assert out.count("DL101") == 1
    assert "customers" in out
    assert out.endswith("1 warning; 2 in the baseline\n")


def test_findings_of_the_baseline_that_are_gone_are_counted(kb, tmp_path, capsys):
    file = str(tmp_path / "baseline.json")
    run(kb, "--write-baseline", file)
    kb.semantic.write_text(FAULTY.replace("TODO", "What is owed, in cents."), encoding="utf-8")

    assert run(kb, "--fail-on", "warning", "--baseline", file) == 0

    assert "1 finding of the baseline is gone" in capsys.readouterr().err


@pytest.mark.parametrize(
    "text", [pytest.param("{", id="no JSON"), pytest.param('{"format": "x"}', id="another file")]
)
def test_a_baseline_that_is_none_is_refused_with_what_to_do(kb, tmp_path, capsys, text):
    (tmp_path / "baseline.json").write_text(text, encoding="utf-8")

    assert run(kb, "--baseline", str(tmp_path / "baseline.json")) == 2

    assert f"dblore lint --kb {kb.folder} --write-baseline" in capsys.readouterr().err


@pytest.mark.req("B14", part="ignore with a reason")
@pytest.mark.parametrize(
    ("old", "new", "left"),
    [
        pytest.param("TODO", "TODO # dblore: ignore DL101 because so", ["DL006"], id="beside it"),
        pytest.param(
            "      amount_cents",
            "      # dblore: ignore DL101, DL203 because so\n      amount_cents",
            ["DL901", "DL006"],
            id="above it; a rule that finds nothing is told",
        ),
        pytest.param(
            "  orders:\n", "  orders: # dblore: ignore DL101,DL006 because so\n", [], id="all below"
        ),
        pytest.param(
            "tables:\n",
            "# dblore: ignore DL101 on orders.* because so\ntables:\n",
            ["DL006"],
            id="by target, anywhere in the file",
        ),
        pytest.param(
            "TODO",
            "TODO # dblore: ignore DL101",
            ["DL902", "DL101", "DL006"],
            id="without a reason",
        ),
        pytest.param(
            "TODO",
            "TODO # dblore: ignore because so",
            ["DL902", "DL101", "DL006"],
            id="without a rule",
        ),
        pytest.param(
            "Where they live.",
            '"Say # dblore: ignore DL101 because so"',
            ["DL101", "DL006"],
            id="in a text it is a text",
        ),
    ],
)
def test_a_comment_leaves_out_what_it_is_about(kb, old, new, left):
    kb.semantic.write_text(FAULTY.replace(old, new, 1), encoding="utf-8")

    assert rules(kb) == left


@pytest.mark.req("B14", part="old facts")
def test_it_needs_no_database_and_says_which_files_are_old(kb, capsys):
    (kb.folder / "../../source.sqlite").unlink()

    assert run(kb) == 0

    told = capsys.readouterr().err
    assert "note: graph.json is stale: semantic.yaml changed" in told
    assert "profile.json" not in told


def test_without_profile_and_graph_it_judges_what_it_can_and_says_so(kb, capsys):
    for path in (kb.profile, kb.graph, kb.validation):
        path.unlink()

    assert run(kb) == 0

    shown = capsys.readouterr()
    assert "DL101" in shown.out
    assert "profile.json is missing" in shown.err
    assert "graph.json is missing" in shown.err


def test_without_a_catalog_it_says_what_to_build(shop, capsys):
    assert run(shop) == 2

    assert f"dblore build --kb {shop.folder}" in capsys.readouterr().err


def test_the_worst_stand_first_and_the_last_lines_are_commands_to_run_next(kb, capsys):
    faults = "  order: {description: Gone.}\n"
    kb.semantic.write_text(FAULTY.replace("  countries: {", "  # {") + faults, encoding="utf-8")

    run(kb)

    out, err = capsys.readouterr()
    bad = [line.split()[1] for line in out.splitlines() if line.startswith(str(kb.semantic))]
    assert bad == ["error", "warning", "warning", "info"]
    assert f"dblore accept --kb {kb.folder} countries --blank; hide it" in out
    steps = [line.strip() for line in err.partition("next:")[2].splitlines() if "dblore" in line]
    assert steps[0] == f"dblore lint --kb {kb.folder}"
    assert steps[1].startswith(f"dblore accept --kb {kb.folder} ")
    assert steps[1].endswith(" --blank")
    assert steps[2] == f"dblore coverage --kb {kb.folder}"


def test_what_a_model_drafted_for_a_table_is_offered_to_be_taken_over(kb):
    kb.semantic.write_text(FAULTY.replace("  countries: {", "  # {"), encoding="utf-8")
    draft = Draft("countries", "description", "Where they live.", model="m")
    drafts.record(kb.drafts, [draft])

    fixes = [finding.fix for finding in lint(kb, tasks.stale(kb), ["DL103"]).findings]

    command = f"dblore accept --kb {kb.folder} countries"
    assert [fix.partition("; ")[0] for fix in fixes] == [f"take over what is suggested: {command}"]


@pytest.mark.parametrize(
    ("sql", "place", "message", "fix"),
    [
        pytest.param(
            "DELETE FROM orders",
            "6:5",
            "the SQL of the metric m is refused: DELETE is no query",
            "only SELECT (or WITH … SELECT) runs here; the data can't be changed",
            id="no query",
        ),
        pytest.param(
            "sum(amount_cents)",
            "6:5",
            "the metric m: its SQL is no query",
            "write the whole SELECT",
            id="an expression",
        ),
    ],
)
def test_sql_that_is_no_query_is_told_as_validation_tells_it(
    built, capsys, sql, place, message, fix
):
    text = f"metrics:\n- name: m\n  # why\n    \n  sql: >-\n    {sql}\n"
    built.semantic.write_text(text, encoding="utf-8")

    assert run(built, "--rule", "DL601") == 1
    out = capsys.readouterr().out
    assert out.startswith(f"{built.semantic}:{place} error DL601 {message}\n  fix: {fix}")
