"""The files of the docs stage: names, links between them, equal bytes, none left over."""

import re

import pytest

from pipeline.docs import names
from tests.docs_books import ODD, SHOP, built, odd_database, without_code


@pytest.mark.parametrize(
    "known",
    [
        pytest.param(("Customer", "customer", "CUSTOMER"), id="case only"),
        pytest.param(("a/b", "a\\b", "a|b", "a b", "a-b"), id="separators"),
        pytest.param(("é", "e\u0301"), id="two encodings of one letter"),
        pytest.param(("con", "NUL", "aux.txt", "x.", ".x", " x", "x "), id="what Windows refuses"),
        pytest.param(("x" * 128, "x" * 127, "表" * 128, "😀", "?"), id="long and strange"),
        pytest.param(("..", ".", "../../etc/passwd", "", "a\nb", "a\0b"), id="paths"),
    ],
)
def test_file_names_are_safe_and_distinct_on_every_system(known):
    files = names.file_names(known)

    assert set(files) == set(known)
    assert len({file.casefold() for file in files.values()}) == len(known)
    for file in files.values():
        assert re.fullmatch(r"[\w-](?:[\w.-]*[\w-])?", file)
        assert len(file.encode()) <= 250
        assert file.partition(".")[0].upper() not in {"CON", "NUL", "AUX", "PRN"}


def test_a_plain_name_is_its_own_file_name():
    assert names.file_names(["Sales__Order", "Order Details", "表_顧客"]) == {
        "Sales__Order": "Sales__Order",
        "Order Details": "Order-Details",
        "表_顧客": "表_顧客",
    }


def test_links_between_pages_lead_to_files(make_db, tmp_path):
    folder = built(odd_database(make_db), tmp_path / "kb")

    links = [
        (page, target.partition("#")[0])
        for page in folder.rglob("*.md")
        for target in re.findall(
            r"(?<!\\)\]\(([^)]+)\)", without_code(page.read_text(encoding="utf-8"))
        )
    ]

    assert len(links) > 3 * len(ODD)
    for page, target in links:
        assert (page.parent / unquoted(target)).is_file(), (page, target)


def unquoted(target):
    from urllib.parse import unquote

    return unquote(target)


@pytest.mark.req("DOC-05", part="deterministic output")
def test_two_builds_are_equal_to_the_byte(make_db, tmp_path):
    database = odd_database(make_db)

    first = built(database, tmp_path / "one")
    second = built(database, tmp_path / "two")

    pages = sorted(p.relative_to(first) for p in first.rglob("*") if p.is_file())
    assert pages == sorted(p.relative_to(second) for p in second.rglob("*") if p.is_file())
    assert all((first / p).read_bytes() == (second / p).read_bytes() for p in pages)


def test_pages_of_dropped_tables_go_and_nothing_outside_is_touched(make_db, tmp_path):
    folder = built(make_db(SHOP), tmp_path / "kb")
    (tmp_path / "kb" / "notes.md").write_text("mine", encoding="utf-8")
    without = SHOP.replace("CREATE TABLE audit (id INTEGER PRIMARY KEY);", "")

    built(make_db(without, "later.sqlite"), tmp_path / "kb")

    assert not (folder / "tables" / "audit.md").exists()
    assert (folder / "tables" / "orders.md").exists()
    assert (tmp_path / "kb" / "notes.md").read_text(encoding="utf-8") == "mine"


def test_a_description_changes_only_the_pages_that_show_it(make_db, tmp_path):
    folder = built(make_db(SHOP), tmp_path / "kb")
    before = {p: p.stat().st_mtime_ns for p in folder.rglob("*.md")}

    built(make_db(SHOP, "same.sqlite"), tmp_path / "kb",
          semantic_yaml="tables:\n  orders: {description: Sold goods}\n")  # fmt: skip

    changed = {p.name for p, old in before.items() if p.stat().st_mtime_ns != old}
    assert changed == {"README.md", "orders.md"}
