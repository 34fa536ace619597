"""One entry of people's YAML is changed and no byte beside it."""

import re

import pytest
from hypothesis import given, settings

from pipeline.authored.editing import Append, Put, Remove, edit_file, edited
from pipeline.errors import SettingError
from tests.yaml_edits import PATH, check_edit, edits


@pytest.mark.req("SEM-02", part="edits in place")
@settings(max_examples=100, deadline=None, database=None, derandomize=True)
@given(edits())
def test_no_byte_beside_the_entry_changes(case):
    check_edit(case)


BOOK = """\
# what the tables of the shop mean
database:   # the db
  name: Shop
tables:
  orders:
    description: >-
      All orders
      of the shop

    # about columns
    columns:
      id: key   # c1
      status:
        values: {N: new, "P ": 'paid'}  # c2
      note: |
        one
        two
  empty:
relationships:
- from: a.b  # c3
  to: c.d

- from: [x.y, x.z]
  to: [q.y, q.z]
# tail
"""


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("edit", "old", "new"),
    [
        (Put(("tables", "orders", "description"), "New: text"),
         "description: >-\n      All orders\n      of the shop\n", "description: 'New: text'\n"),
        (Put(("tables", "orders", "columns", "id"), {"description": "key", "unit": "no."}),
         "id: key   # c1\n",
         "id:   # c1\n        description: key\n        unit: no.\n"),
        (Put(("tables", "orders", "columns", "status", "values", "S"), "sent, a"),
         "'paid'}", "'paid', S: 'sent, a'}"),
        (Put(("tables", "orders", "columns", "total"), {"unit": "EUR"}),
         "        two\n", "        two\n      total:\n        unit: EUR\n"),
        (Put(("tables", "empty", "description"), "two\nlines"),
         "  empty:\n", "  empty:\n    description: |-\n      two\n      lines\n"),
        (Put(("glossary",), [{"term": "order", "synonyms": ["a", "b"]}]),
         "  to: [q.y, q.z]\n",
         "  to: [q.y, q.z]\nglossary:\n  - term: order\n    synonyms:\n      - a\n      - b\n"),
        (Append(("relationships",), {"from": "p.q", "to": "r.s"}),
         "  to: [q.y, q.z]\n", "  to: [q.y, q.z]\n- from: p.q\n  to: r.s\n"),
        (Remove(("relationships", 0)), "- from: a.b  # c3\n  to: c.d\n", ""),
        (Remove(("relationships", 0, "from")), "- from: a.b  # c3\n  to", "- to"),
        (Remove(("database", "name")), "database:   # the db\n  name: Shop\n",
         "database: {}   # the db\n"),
        (Remove(("tables", "orders", "columns", "note")),
         "      note: |\n        one\n        two\n", ""),
        (Put(("tables", "orders", "columns", "id"), "012"), "id: key ", "id: '012' "),
    ],
)  # fmt: skip
def test_an_edit_exchanges_exactly_this(newline, edit, old, new):
    assert BOOK.count(old) == 1

    after = edited(BOOK.replace("\n", newline).encode(), [edit], PATH)

    assert after.decode() == BOOK.replace(old, new).replace("\n", newline)


@pytest.mark.parametrize("text", ["", "# only a comment", "---\n", "{}\n", "﻿# bom\n"])
def test_a_file_that_says_nothing_gets_its_first_entry(text):
    after = edited(text.encode(), [Put(("tables", "t", "description"), "x")], PATH).decode()

    assert after.endswith("tables:\n  t:\n    description: x\n")
    assert after.startswith(text.strip().removesuffix("{}"))


@pytest.mark.parametrize(
    ("text", "edit", "said"),
    [
        ("a: &x {b: c}\nd: *x\n", Put(("d", "b"), "e"), "an alias"),
        ("a: text\n", Put(("a", "b"), "c"), "there is no place for a.b"),
        ("a: [x]\n", Remove(("a", 3)), "there is no place for a[4]"),
        ("null\n", Put(("a",), {"c": "d"}), "a can't be edited"),
        ("a: b\n", Put(("c",), "\ud800"), "c can't be edited"),
        ("- a\n", Put(("c",), "d"), "there is no place for c"),
        ("a: [\n", Put(("c",), "d"), "is no YAML"),
    ],
)
def test_what_cannot_be_edited_says_so(text, edit, said):
    with pytest.raises(SettingError, match=re.escape(said)):
        edited(text.encode(), [edit], PATH)


def test_all_edits_of_a_file_are_made_or_none(tmp_path):
    path = tmp_path / "semantic.yaml"
    path.write_bytes(BOOK.encode())

    with pytest.raises(SettingError):
        edit_file(path, [Put(("database", "name"), "Other"), Remove(("nowhere",))])
    assert path.read_bytes() == BOOK.encode()

    assert edit_file(path, [Put(("database", "name"), "Other"), Remove(("relationships", 1))])
    assert b"name: Other\n" in path.read_bytes()
    assert not edit_file(path, [Put(("database", "name"), "Other")])


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real.yaml").write_text("a: b\n", encoding="utf-8")
    link = tmp_path / "semantic.yaml"
    link.symlink_to("real.yaml")

    edit_file(link, [Put(("a",), "c")])

    assert link.is_symlink()
    assert (tmp_path / "real.yaml").read_text(encoding="utf-8") == "a: c\n"
