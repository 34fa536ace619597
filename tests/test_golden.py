"""`dblore test`: golden questions are asked, and what fails is told to people and to programs."""

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import jsonschema
import pytest

from serve import cli
from tests.shop_kb import make_kb

SCHEMA = Path(__file__).resolve().parent.parent / "schemas" / "test.schema.json"
QUESTIONS = """\
- id: sold
  question: How many pieces of each product were ordered?
  needs: [join]
  joins: [order_line.product_id = PRODUCT.product_id]
  sql: >-
    SELECT p.product_name, SUM(l.qty) AS n FROM order_line AS l
    JOIN product AS p ON p.product_id = l.product_id GROUP BY p.product_id
- id: cancelled
  question: How many orders were cancelled?
  needs: [code]
  tables: [Order Header]
  sql: SELECT COUNT(*) AS n FROM "Order Header" WHERE status = 6
  expect: {columns: [n], rows: 1}
- question: Which customers are in Norway?
  tables: [customer]
"""


@pytest.fixture(scope="module")
def kb(tmp_path_factory):
    folder = make_kb(tmp_path_factory.mktemp("golden"))
    (folder / "evaluation.yaml").write_text(QUESTIONS, encoding="utf-8")
    return folder


@pytest.fixture
def ask(kb, tmp_path, capsys):
    """Return a function that tests questions and gives status, JSON report and talk."""

    def test(*options, questions=None, answers=None):
        words = ["test", "--kb", str(kb), "--json", *options]
        if questions is not None:
            path = tmp_path / "questions.yaml"
            path.write_text(questions, encoding="utf-8")
            words += ["--questions", str(path)]
        if answers is not None:
            path = tmp_path / "answers.jsonl"
            lines = [json.dumps({"id": name, "sql": sql}) for name, sql in answers.items()]
            path.write_text("\n".join(lines), encoding="utf-8")
            words += ["--answers", str(path)]
        status = cli.main(words)
        out, err = capsys.readouterr()
        return status, json.loads(out) if out else None, err

    return test


def told(report):
    return {
        result["id"]: {c["name"]: (c["verdict"], c.get("detail", "")) for c in result["checks"]}
        for result in report["results"]
    }


@pytest.mark.req("B11", part="tables and joins")
def test_what_a_context_shows_is_compared_with_what_answers_need(ask):
    status, report, _ = ask()

    jsonschema.validate(report, json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert (status, report["passed"], report["share"], report["recall"]) == (0, 3, 100.0, 1.0)
    assert 0 < report["precision"] <= 1
    assert told(report)["sold"] == {
        "tables": ("passed", ""), "joins": ("passed", ""), "sql": ("passed", ""),
    }  # fmt: skip
    sold, _, last = report["results"]
    assert set(sold["tables"]) == {"order_line", "product"}
    assert (last["id"], last["file"], last["line"]) == ("3", "evaluation.yaml", 14)


@pytest.mark.req("B11", part="failures")
@pytest.mark.parametrize(
    ("known", "check", "detail"),
    [
        pytest.param("tables: [customer, product]", "tables", "missing product; shown", id="table"),
        pytest.param(
            "tables: [costumer]",
            "tables",
            "no table costumer: did you mean customer?",
            id="unknown",
        ),
        pytest.param("tables: [secret_log]", "tables", "hidden in semantic.yaml", id="hidden"),
        pytest.param(
            "joins: [customer.rep_id = person.person_id]",
            "joins",
            "missing customer.rep",
            id="join",
        ),
        pytest.param(
            "joins: [customer.rep = person.person_id]", "joins", "no column customer.rep", id="side"
        ),
        pytest.param("sql: SELECT nothing FROM customer", "sql", "nothing", id="statement"),
        pytest.param(
            "sql: DROP TABLE customer", "sql", "DROP TABLE customer is no query", id="write"
        ),
        pytest.param(
            "{sql: SELECT 1 AS a, expect: {rows: 2}}", "sql", "the result has 1 row", id="pinned"
        ),
    ],
)
def test_a_question_that_fails_says_what_is_wrong(ask, known, check, detail):
    known = known[1:-1].replace(", expect", "\n  expect") if known.startswith("{") else known

    status, report, talk = ask(questions=f"- question: Which customers are there?\n  {known}\n")

    assert status == 1
    assert "0 % passed, 100 % must pass" in talk
    verdict, text = told(report)["1"][check]
    assert verdict == "failed"
    assert detail in text


@pytest.mark.req("B11", part="execution match")
@pytest.mark.parametrize(
    ("answer", "detail"),
    [
        pytest.param('SELECT 2 AS "other name"', "", id="same value"),
        pytest.param("SELECT 2.0", "", id="same number"),
        pytest.param("SELECT 3", "gives other values", id="value"),
        pytest.param("SELECT 2, 2", "2 columns, 1 column are right", id="columns"),
        pytest.param("SELECT 2 UNION ALL SELECT 2", "2 rows, 1 are right", id="rows"),
        pytest.param("SELECT FROM", "can't be read", id="no SQL"),
        pytest.param("UPDATE product SET size = 1", "UPDATE is no query", id="write"),
        pytest.param("SELECT 2; SELECT 2", "a second statement", id="two"),
        pytest.param("", "there is no statement", id="empty"),
        pytest.param(None, "there is no answer to it", id="none"),
    ],
)
def test_an_answer_matches_when_it_gives_the_same_result(ask, answer, detail):
    answers = {} if answer is None else {"cancelled": answer}

    status, report, _ = ask("--filter", "cancelled", answers=answers)

    verdict, text = told(report)["cancelled"]["execution"]
    assert (status, verdict) == ((1, "failed") if detail else (0, "passed"))
    assert detail in text


def test_the_order_of_rows_counts_where_the_right_statement_ends_in_order_by(ask):
    question = "- {{id: a, question: Which customers?, sql: SELECT company FROM customer{end}}}\n"
    answers = {"a": "SELECT company FROM customer ORDER BY company DESC"}

    loose, _, _ = ask(questions=question.format(end=""), answers=answers)
    strict, report, _ = ask(questions=question.format(end=" ORDER BY company"), answers=answers)

    assert (loose, strict) == (0, 1)
    assert "or another order" in told(report)["a"]["execution"][1]


def test_an_answer_is_compared_with_a_pinned_result_where_no_statement_is_known(ask):
    question = "- {id: a, question: Which customers?, expect: {columns: [x], rows: 3}}\n"

    assert ask(questions=question, answers={"a": "SELECT company FROM customer"})[0] == 0
    assert ask(questions=question, answers={"a": "SELECT 1"})[0] == 1


@pytest.mark.req("B11", part="--fail-under")
def test_a_share_of_questions_may_be_enough(ask):
    questions = "- {question: Which customers?, tables: [customer]}\n" * 3
    questions += "- {question: Which customers?, tables: [secret_log]}\n"

    assert [ask("--fail-under", n, questions=questions)[0] for n in ("75", "75.1")] == [0, 1]
    assert ask("--fail-under", "101")[0] == 2


def test_without_the_database_tables_and_joins_are_tested(ask, kb):
    status, report, _ = ask("--offline")
    away, _, talk = ask("--db", str(kb / "away.sqlite"))

    assert (status, away) == (0, 0)
    assert told(report)["sold"]["sql"] == ("skipped", "the database isn't used")
    assert "no statement is run" in talk
    assert ask("--db", str(kb / "away.sqlite"), answers={"sold": "SELECT 1"})[0] == 4
    assert ask("--offline", questions="- {question: a, sql: SELECT 1}\n")[0] == 1


@pytest.mark.parametrize(
    ("question", "check", "detail"),
    [
        pytest.param(
            "tables: [customer], sql: SELECT compny FROM customer",
            "sql",
            "table customer has no column `compny` (did you mean company?)",
            id="a statement's column",
        ),
        pytest.param(
            "joins: [order_line.prod = product.product_id]",
            "joins",
            "there is no column order_line.prod (in order_line.prod = product.product_id): "
            "did you mean order_line.product_id?",
            id="a join's column",
        ),
        pytest.param(
            "joins: [ordr_line.product_id = product.product_id]",
            "joins",
            "did you mean order_line?",
            id="a join's table",
        ),
    ],
)
def test_a_name_that_is_gone_fails_without_the_database_and_the_nearest_is_offered(
    ask, question, check, detail
):
    status, report, _ = ask("--offline", questions=f"- {{question: Customers?, {question}}}\n")

    verdict, text = told(report)["1"][check]
    assert (status, verdict) == (1, "failed")
    assert detail in text


@pytest.mark.parametrize("pattern", ["COD*", "cancelled", "how many orders*"])
def test_questions_are_chosen_by_id_text_or_what_they_need(ask, pattern):
    _, report, _ = ask("--filter", pattern)

    assert [result["id"] for result in report["results"]] == ["cancelled"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        pytest.param(["--filter", "canceled"], "did you mean cancelled?", id="filter"),
        pytest.param(["--questions", "nowhere.yaml"], "nowhere.yaml doesn't exist", id="questions"),
        pytest.param(["--answers", "nowhere.jsonl"], "there is no file nowhere", id="answers"),
        pytest.param(["--offline", "--answers", "a"], "leave one of them out", id="both"),
    ],
)
def test_bad_options_are_told(ask, options, said):
    status, report, talk = ask(*options)

    assert (status, report) == (2, None)
    assert said in talk


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        pytest.param("a.jsonl", '{"id": "a"}', "a.jsonl:1: an answer is a map", id="no SQL"),
        pytest.param("a.jsonl", '\n{"id"', "a.jsonl:2 is no JSON", id="no JSON"),
        pytest.param("a.json", "[" * 100_000, "is no JSON", id="nested"),
        pytest.param("a.yaml", "cancelled: [1]", "both texts", id="list"),
        pytest.param("a.yaml", "", "holds no answers", id="empty"),
        pytest.param(
            "a.json", '[{"id": "a", "sql": "x"}, {"id": "a", "sql": "y"}]', "second", id="twice"
        ),
    ],
)
def test_a_file_of_answers_that_cannot_be_used_is_told(ask, tmp_path, name, text, said):
    (tmp_path / name).write_text(text, encoding="utf-8")

    status, _, talk = ask("--answers", str(tmp_path / name))

    assert status == 2
    assert said in talk


def test_answers_come_as_a_map_too(ask, tmp_path):
    (tmp_path / "a.yaml").write_text("cancelled: SELECT 2\nother: SELECT 1\n", encoding="utf-8")

    status, _, talk = ask("--filter", "cancelled", "--answers", str(tmp_path / "a.yaml"))

    assert status == 0
    assert "no question has the id other of an answer" in talk


@pytest.mark.req("B11", part="JUnit")
def test_junit_is_xml_whatever_questions_hold(kb, tmp_path, capsys):
    odd = 'a\x1b[31m <b>&\\"\\u0001\\uffff'
    (tmp_path / "repository" / ".git").mkdir(parents=True)
    path = tmp_path / "repository" / "kb" / "odd.yaml"
    path.parent.mkdir()
    question = f'- {{question: "{odd}", id: "<\\n>", tables: [secret_log]}}\n'.replace(
        "\x1b", "\\e"
    )
    path.write_text(f"{question}- {{question: b, sql: SELECT 1}}\n", encoding="utf-8")

    status = cli.main(
        ["test", "--kb", str(kb), "--questions", str(path), "--format", "junit", "--offline"]
    )

    root = ET.fromstring(capsys.readouterr().out)  # noqa: S314 - our own
    assert status == 1
    assert float(root.attrib.pop("time")) > 0
    assert root.attrib == {
        "name": "dblore test", "tests": "2", "failures": "1", "errors": "0", "skipped": "1",
    }  # fmt: skip
    failed, skipped = root.iter("testcase")
    assert (failed.attrib["file"], failed.attrib["line"]) == ("kb/odd.yaml", "1")
    assert float(failed.attrib["time"]) >= 0
    assert failed.attrib["name"] == '<\n>: a\ufffd[31m <b>&"\ufffd\ufffd'
    assert failed.find("failure").attrib["type"] == "tables"
    assert skipped.find("skipped").attrib["message"] == "the database isn't used"


def test_the_text_has_a_line_a_question_and_no_control_characters(kb, tmp_path, capsys):
    path = tmp_path / "odd.yaml"
    path.write_text('- {question: "a\\e[31mb", tables: [secret_log]}\n', encoding="utf-8")

    cli.main(["test", "--kb", str(kb), "--questions", str(path)])

    out = capsys.readouterr().out
    assert out.startswith("failed  1  a [31mb\n        tables: missing secret_log; shown ")
    assert f"\n        {path}:1\n" in out
    assert out.endswith("0 of 1 question pass; tables: recall 0%, precision 0%\n")
