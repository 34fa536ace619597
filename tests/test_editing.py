"""One entry of people's YAML is changed and no byte beside it."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.authored.editing import Append, Put, Remove, edit_file, edited
from pipeline.authored.yaml_nodes import data_of, parse_bytes
from pipeline.errors import SettingError
from tests.yaml_books import LEAVES, VALUES, WORDS, documents

PATH = Path("semantic.yaml")


def places(data, place=()):
    """Return every place in the data, the root aside."""
    found = [place] if place else []
    if isinstance(data, dict | list):
        for key, item in data.items() if isinstance(data, dict) else enumerate(data):
            found += places(item, (*place, key))
    return found


def at(data, place):
    for key in place:
        data = data[key]
    return data


@st.composite
def edits(draw):
    text, comments = draw(documents())
    data = data_of(parse_bytes(text.encode(), PATH))
    known = places(data)
    maps = [(), *(p for p in known if isinstance(at(data, p), dict) or at(data, p) is None)]
    lists = [p for p in known if isinstance(at(data, p), list)]
    kind = draw(st.sampled_from(["new", "change", "append", "remove"]))
    value = draw(VALUES | LEAVES)
    if kind == "append" and lists:
        return text, comments, Append(draw(st.sampled_from(lists)), value)
    if kind == "remove" and known:
        return text, comments, Remove(draw(st.sampled_from(known)))
    if kind == "change" and known:
        return text, comments, Put(draw(st.sampled_from(known)), value)
    new = draw(st.lists(WORDS, min_size=1, max_size=2))
    return text, comments, Put((*draw(st.sampled_from(maps)), *new), value)


def has_place(data, edit):
    """Whether no text, number or list stands where a map must be."""
    for key in edit.place:
        if isinstance(data, list) and isinstance(key, str):
            return False
        if not isinstance(data, dict | list):
            return data is None
        if isinstance(data, dict) and key not in data:
            return True
        data = data[key]
    return True


def removed(before, after):
    """Return what of the text before is gone, when one stretch of it was exchanged."""
    start = next(
        (i for i, (a, b) in enumerate(zip(before, after, strict=False)) if a != b),
        min(len(before), len(after)),
    )
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    return before[start : len(before) - end]


def outline(text):
    """Return the text without comments and blanks."""
    return re.sub(r"# comment \d+\.|\s", "", text)


@pytest.mark.req("SEM-02", part="edits in place")
@settings(max_examples=100, deadline=None, database=None, derandomize=True)
@given(edits())
def test_no_byte_beside_the_entry_changes(case):
    text, comments, edit = case
    before = data_of(parse_bytes(text.encode(), PATH))

    if not has_place(before, edit):
        with pytest.raises(SettingError, match="there is no place for"):
            edited(text.encode(), [edit], PATH)
        return
    after = edited(text.encode(), [edit], PATH).decode()

    gone = removed(text, after)
    lost = [n for n in range(1, comments + 1) if f"# comment {n}." not in after]
    if isinstance(edit, Append) or (isinstance(edit, Put) and edit.place not in places(before)):
        assert not lost
        assert outline(gone) in {"", "{}", "[]", "~", "null"}
    else:
        node_text = text[text.index(gone) :][: len(gone)] if gone else ""
        assert all(f"# comment {n}." in node_text for n in lost)
    if isinstance(edit, Put):
        assert at(data_of(parse_bytes(after.encode(), PATH)), edit.place) == edit.value
    assert after.count("\r\n") in {0, after.count("\n")}


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
