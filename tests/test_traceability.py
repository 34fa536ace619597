"""The list of promises and the tests that prove them."""

from tests import traceability
from tests.traceability import Mark


def test_every_listed_promise_is_proven_and_every_mark_is_listed():
    said = traceability.problems(traceability.marks(), traceability.listed())

    assert said == []


def test_a_promise_without_a_test_is_told():
    said = traceability.problems([], {"SCAN-01": "whole"})

    assert said == ["SCAN-01: no test proves it"]


def test_a_promise_listed_as_whole_needs_more_than_parts():
    said = traceability.problems([Mark("SCAN-01", "SQLite", "t")], {"SCAN-01": "whole"})

    assert said == ["SCAN-01: listed as whole, proven only in part"]


def test_a_mark_with_an_unknown_id_is_told():
    said = traceability.problems([Mark("SCAM-01", None, "t")], {})

    assert said == ["SCAM-01: unknown ID, marked in t"]


def test_marks_are_found_on_functions_and_on_modules(tmp_path):
    (tmp_path / "test_x.py").write_text(
        "import pytest\n"
        "pytestmark = pytest.mark.req('B1')\n"
        "@pytest.mark.req('SCAN-01', part='SQLite')\n"
        "def test_y(): ...\n",
        encoding="utf-8",
    )

    found = traceability.marks(tmp_path)

    assert found == [
        Mark("B1", None, "test_x.py"),
        Mark("SCAN-01", "SQLite", "test_x.py::test_y"),
    ]
