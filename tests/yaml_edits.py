"""Edits of drawn YAML files, and what must hold of each: no byte beside the entry changes."""

import re
from pathlib import Path

import pytest
from hypothesis import strategies as st

from pipeline.authored.editing import Append, Put, Remove, edited
from pipeline.authored.filling import Habits, filled
from pipeline.authored.yaml_nodes import data_of, parse_bytes
from pipeline.errors import SettingError
from tests.yaml_books import LEAVES, TEXTS, VALUES, WORDS, documents

PATH = Path("semantic.yaml")
HABITS = Habits(lone="description", first=("description", "grain"))
VACANT = re.compile(r"""''|""|~|null|\{ ?\}|\[ ?\]""")


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


def check_edit(case):
    """Make an edit of a drawn file: only the entry changes, and to what was asked for."""
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
        assert outline(gone).strip("[]{}") in {"", "~", "null"}
    else:
        node_text = text[text.index(gone) :][: len(gone) + 1] if gone else ""
        assert all(f"# comment {n}." in node_text for n in lost)
    if isinstance(edit, Put):
        assert at(data_of(parse_bytes(after.encode(), PATH)), edit.place) == edit.value
    assert after.count("\r\n") in {0, after.count("\n")}


@st.composite
def gaps(draw):
    """Draw a file and texts and items to fill in, at places that are there, vacant, or new."""
    text, comments = draw(documents())
    data = data_of(parse_bytes(text.encode(), PATH))
    known = [place for place in places(data) if all(isinstance(name, str) for name in place)]
    found = []
    for _ in range(draw(st.integers(1, 8))):
        start = draw(st.sampled_from([(), *known]))
        place = (*start, *draw(st.lists(WORDS, min_size=0 if start else 1, max_size=2)))
        value = draw(TEXTS)
        is_text = draw(st.booleans())
        found.append(Put(place, value) if is_text else Append(place, value))
    return text, comments, found


def check_fill(case):
    """Fill gaps of a drawn file: what stood there stands there still, in its order."""
    text, comments, wanted = case
    result = filled(text.encode(), wanted, PATH, HABITS)
    after = result.data.decode()
    before, now = (data_of(parse_bytes(t.encode(), PATH)) for t in (text, after))
    assert keeps(before, now), (before, now)
    for gap in wanted:
        if not any(gap.place[: len(place)] == place for place, _ in result.left):
            assert is_filled(now, gap), gap
    assert is_within(text, after)
    assert not [n for n in range(1, comments + 1) if f"# comment {n}." not in after]
    assert after.count("\r\n") in {0, after.count("\n")}
    assert filled(result.data, wanted, PATH, HABITS).data == result.data


def is_vacant(value):
    return value is None or value in ({}, []) or (isinstance(value, str) and not value.strip())


def keeps(before, after):
    """Whether data says all that it said before; vacant places aside."""
    if is_vacant(before):
        return True
    if isinstance(before, dict) and isinstance(after, dict):
        order = [name for name in after if name in before]
        return order == list(before) and all(keeps(v, after[n]) for n, v in before.items())
    if isinstance(before, list):
        return isinstance(after, list) and after[: len(before)] == before
    if isinstance(after, dict):
        return next(iter(after.items())) == ("description", before)
    return before == after or (isinstance(after, list) and after[0] == before)


def is_filled(data, gap):
    """Whether something stands at the place of a gap, or something else stood on the way."""
    for name in gap.place:
        if not isinstance(data, dict):
            return True
        data = data[name]
    if isinstance(gap, Append) and isinstance(data, list):
        return gap.value in data
    return not is_vacant(data) or is_vacant(gap.value)


def is_within(before, after):
    """Whether every line of a text is in another one, in order; its vacant places may be gone."""
    at = 0
    for part in VACANT.split(before):
        for character in re.sub(r"\s", "", part):
            at = after.find(character, at) + 1
            if not at:
                return False
    return True
