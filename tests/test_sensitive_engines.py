"""What people say about a column wins over the detector on every engine."""

import pytest

from tests.profile_databases import ENGINES, made
from tests.profile_kit import Kit

_TABLE = """
    CREATE TABLE customer
        (email VARCHAR(40), phone VARCHAR(40), shoe VARCHAR(40), note VARCHAR(40), tag VARCHAR(40))
"""
_ROWS = """
    INSERT INTO customer VALUES
        ('a@x.test', '+1 202-555-0143', 'size 42', 'plain words', 'red'),
        ('b@x.test', '+1 202-555-0144', 'size 43', 'more words', 'red')
"""
_MARKS = """
tables:
  customer:
    columns:
      email: {sensitive: false}
      shoe: {sensitive: true}
      note: {sensitive: false}
"""


@pytest.mark.req("PROF-03", part="overridden")
@pytest.mark.parametrize("engine", ENGINES)
def test_marks_win_over_patterns_and_both_over_the_detector(engine, tmp_path, request):
    required = request.config.getoption("--require-engines")
    with made(engine, tmp_path, _TABLE, _ROWS, required=required) as database:
        kit = Kit(tmp_path, database)
        kit.semantic.write_text(_MARKS, encoding="utf-8")

        found = kit.build(sensitive=("^tag$", r"customer\.note")).tables[0]

    assert {c.column: c.sensitive_why for c in found.columns if c.sensitive} == {
        "phone": "phone number: the name says so (phone)",
        "shoe": "marked in semantic.yaml",
        "tag": "matches ^tag$ of profile.sensitive",
    }
    stored = kit.out.read_text(encoding="utf-8")
    assert "a@x.test" in stored
    assert "plain words" in stored
    assert not any(hidden in stored for hidden in ("size 4", "555-01", '"red"'))
