"""docs/reference/guard.md says what the guard does, and renders as tables."""

import re
from pathlib import Path

import pytest

from evals.yaml_files import read_yaml
from tests import guard_page

WRITTEN = Path(__file__).resolve().parent.parent / "docs" / "reference" / "guard.md"


@pytest.fixture(scope="module")
def text():
    return guard_page.page()


@pytest.mark.req("B10", part="the page")
def test_the_page_of_the_guard_is_as_the_tests_are(text):
    written = WRITTEN.read_text(encoding="utf-8")

    assert written == text, "run: python -m tests.reference_pages"


@pytest.mark.req("B10", part="the page")
def test_the_page_shows_or_counts_every_statement(text):
    refused, words, allowed = (
        read_yaml(guard_page.STATEMENTS / name)
        for name in ("refused.yaml", "refused_words.yaml", "allowed.yaml")
    )
    refused += words

    tables = re.findall(r"^Refused:\n\n((?:\|.*\n)+)", text, re.MULTILINE)
    rows = sum(len(table.splitlines()) - 2 for table in tables)
    left_out = [int(n) for n in re.findall(r"… and (\d+) more", text)]
    assert rows - len(left_out) + sum(left_out) == len(refused)
    assert all(guard_page.code(i["sql"]) in text for i in refused if i.get("class") == "text")
    assert f"| **all** | **{len(refused)}** | **{len(allowed)}** |" in text


def test_every_class_of_refusal_is_explained(text):
    rows = re.findall(r"^\| (\w[^|]*) \| ([^|]*) \| \d+ \|$", text, re.MULTILINE)

    assert len(rows) > 10
    assert [name for name, why in rows if not why.strip()] == []


def test_every_row_of_a_table_has_as_many_cells_as_its_head(text):
    for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        counts = {len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()}
        assert len(counts) == 1, table


@pytest.mark.parametrize(
    ("sql", "shown"),
    [
        pytest.param("a || b", r"`a \|\| b`", id="bars"),
        pytest.param("select `a`", "`` select `a` ``", id="backticks"),
        pytest.param("a\nb\tc\rd", "`a↵b→c␍d`", id="blanks"),
        pytest.param("a\u00a0b", "`a[U+00A0]b`", id="odd blanks"),
        pytest.param("x" * 200, f"`{'x' * 109}…`", id="long"),
    ],
)
def test_a_statement_is_shown_as_code_in_a_cell(sql, shown):
    assert guard_page.code(sql) == shown


def test_plain_text_is_shown_as_it_is():
    assert guard_page.text("*/ a_b_c <x> |") == r"\*/ a_b_c \<x\> \|"
