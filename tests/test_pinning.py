"""Results of examples are pinned in semantic.yaml, and nothing else in it changes."""

import sqlite3
from contextlib import closing

import pytest

from pipeline import tasks
from pipeline.authored import load_semantic
from pipeline.errors import NotFoundError, QueryError
from pipeline.kb import Kb
from pipeline.pinning import pin
from pipeline.staleness import Situation
from serve import cli

HEAD = """\
# What people wrote; their blanks and quotes stay.
tables:
  customers:   {columns: {email: {sensitive: true}}}
examples:
"""
PLAIN = (
    "- question: How many per status?\n  sql: SELECT status, COUNT(*) AS n FROM orders GROUP BY 1\n"
)


@pytest.fixture
def shop(tmp_path, make_db):
    make_db()
    folder = tmp_path / "kb"
    folder.mkdir()
    (folder / "kb.yaml").write_text("source: ../source.sqlite\n", encoding="utf-8")
    assert tasks.run(Kb(folder), ("scan", "profile", "graph"), quiet=True).error is None

    class Shop:
        kb = Kb(folder)

        def pin(self, examples, *targets, **options):
            self.kb.semantic.write_text(HEAD + examples, encoding="utf-8")
            return self.again(*targets, **options)

        def again(self, *targets, **options):
            return pin(self.kb, Situation(self.kb).source(), targets, **options)

        def text(self):
            return self.kb.semantic.read_text(encoding="utf-8").removeprefix(HEAD)

        def change(self, sql):
            with closing(sqlite3.connect(tmp_path / "source.sqlite")) as connection:
                connection.executescript(sql)

    return Shop()


def one(sql):
    return f'- {{question: "a", sql: "{sql}"}} # why\n'


@pytest.mark.req("VAL-03")
def test_a_pin_holds_until_a_result_changes_and_is_renewed_only_when_asked(shop, capsys):
    shop.pin(PLAIN)
    pinned = shop.text()
    assert pinned.startswith(f"{PLAIN}  expect:\n    columns:\n")
    assert "    rows: 2\n    checksum: v1-" in pinned
    assert cli.main(["validate", "--kb", str(shop.kb.folder)]) == 0

    shop.change("INSERT INTO orders VALUES (13, 2, 'paid', NULL)")
    assert cli.main(["validate", "--kb", str(shop.kb.folder)]) == 1
    assert "the values aren't those that are pinned; it reads orders" in capsys.readouterr().out

    assert shop.again() == []
    assert shop.text() == pinned
    assert cli.main(["validate", "--kb", str(shop.kb.folder), "--pin", "how many*"]) == 0
    assert shop.text().partition("checksum")[0] == pinned.partition("checksum")[0]
    assert shop.text() != pinned
    assert "1 example pinned in" in capsys.readouterr().err


def test_a_pin_is_written_into_a_map_on_one_line_too(shop):
    shop.pin(one("SELECT id FROM orders WHERE id = 10") + PLAIN, "a")

    assert shop.text().startswith(
        '- {question: "a", sql: "SELECT id FROM orders WHERE id = 10", '
        "expect: {columns: [id], rows: 1, checksum: v1-"
    )
    assert shop.text().endswith(f"}} # why\n{PLAIN}")


@pytest.mark.parametrize(
    ("sql", "written", "note"),
    [
        pytest.param(
            "SELECT random() AS r FROM orders",
            "{columns: [r]}",
            "rand gives something",
            id="chance",
        ),
        pytest.param(
            "SELECT id FROM orders WHERE note < date('now')",
            "{columns: [id]}",
            "'now' gives something else",
            id="clock",
        ),
        pytest.param(
            "SELECT id FROM orders LIMIT 1",
            "{columns: [id], rows: 1}",
            "LIMIT without ORDER BY",
            id="loose",
        ),
        pytest.param(
            "SELECT email FROM customers",
            "{columns: [email], rows: 2}",
            "every column is sensitive",
            id="sensitive",
        ),
        pytest.param(
            "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 100001) "
            "SELECT n AS number FROM r",
            "{columns: [number], rows: {min: 100000}}",
            "more than 100,000 rows",
            id="large",
        ),
    ],
)
def test_what_would_fail_tomorrow_or_tell_too_much_is_not_pinned(shop, sql, written, note):
    (done,) = shop.pin(one(sql))

    assert f", expect: {written}}} # why" in shop.text()
    assert note in done.notes[0]


def test_columns_of_any_name_are_pinned_so_that_the_file_stays_readable(shop):
    odd = ["", " ", "NO", "012", "a: b # c", "a", "a", "-", "é", "'\"{["]
    named = ", ".join('{} AS "{}"'.format(n, name.replace('"', '""')) for n, name in enumerate(odd))
    text = f"- question: a\n  sql: |-\n    SELECT {named} FROM orders\n"

    (done,) = shop.pin(text)

    assert done.error is None
    assert load_semantic(shop.kb.semantic).examples[0].expect == done.expect
    assert done.expect.columns == tuple(odd)


def test_values_of_sensitive_columns_do_not_enter_a_checksum(shop):
    (before,) = shop.pin(one("SELECT id, email FROM customers ORDER BY id"))
    shop.change("UPDATE customers SET email = 'other@x.test' WHERE id = 1")
    (after,) = shop.again("a")
    shop.change("UPDATE customers SET email = NULL WHERE id = 1")
    (without,) = shop.again("a")

    assert before.notes == ("values of email don't enter the checksum: they are sensitive",)
    assert before.expect == after.expect
    assert after.expect.checksum != without.expect.checksum


def test_no_checksum_is_kept_where_no_values_may_be(shop):
    (done,) = shop.pin(PLAIN, values=False)

    assert (done.expect.rows.min, done.expect.checksum) == (2, None)


def test_a_statement_that_fails_is_told_and_the_others_are_pinned(shop, capsys):
    broken, fine = shop.pin(one("SELECT nothing_such FROM orders") + PLAIN)

    assert isinstance(broken.error, QueryError)
    assert (broken.expect, broken.place) == (None, f"{shop.kb.semantic}:5:3")
    assert fine.expect.rows.min == 2
    assert cli.main(["validate", "--kb", str(shop.kb.folder), "--pin", "a"]) == 1
    assert f"not pinned: {shop.kb.semantic}:5:3: a: " in capsys.readouterr().err


def test_a_question_that_no_example_has_offers_the_nearest(shop):
    with pytest.raises(NotFoundError) as failure:
        shop.pin(PLAIN, "How many per state?")

    assert failure.value.fix == "did you mean How many per status??"


TIES = "no checksum: rows tie at the cut of LIMIT"
MAYBE = "rows may tie at the cut of LIMIT"


@pytest.mark.parametrize(
    ("sql", "told"),
    [
        pytest.param("SELECT id, status FROM orders ORDER BY status LIMIT {}", TIES, id="tie"),
        pytest.param("SELECT id, status FROM orders ORDER BY status, id LIMIT {}", "", id="total"),
        pytest.param("SELECT id FROM orders ORDER BY status LIMIT {}", MAYBE, id="hidden key"),
        pytest.param("SELECT status FROM orders ORDER BY 1 LIMIT 1000", "", id="nothing is cut"),
        pytest.param("SELECT id, 1 AS x FROM orders ORDER BY x LIMIT {}", TIES, id="all alike"),
    ],
)
def test_ties_at_the_cut_are_told(shop, sql, told):
    rows = ", ".join(f"({n}, 1, 'open', NULL)" for n in (1, 2, 3))
    shop.change(f"DELETE FROM orders; INSERT INTO orders VALUES {rows}")

    (done,) = shop.pin(one(sql.format(2)))

    assert "; ".join(done.notes).startswith(told)
    assert bool(done.notes) == bool(told)
    assert (done.expect.checksum is None) == (told == TIES)


def test_after_a_pin_lint_calls_nothing_stale_and_the_next_step_is_told(shop, capsys):
    shop.kb.semantic.write_text(HEAD + PLAIN, encoding="utf-8")
    folder = str(shop.kb.folder)
    stages = ("profile", "graph", "validate")
    assert tasks.run(shop.kb, stages, quiet=True).error is None

    assert cli.main(["validate", "--kb", folder, "--pin"]) == 0
    assert capsys.readouterr().err.splitlines()[-1].startswith(f"next: dblore build --kb {folder}")
    cli.main(["lint", "--kb", folder])
    assert "is stale" not in capsys.readouterr().err
