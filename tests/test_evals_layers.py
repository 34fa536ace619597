"""The evals of the layers below the guard, and of what statements may cost: do they tell?"""

import json
import socket
from pathlib import Path

import pytest
import yaml

from evals import bounds, second_layer, throwaway
from evals.bounds_measure import Figures, _peak, _reset_peak
from evals.layers.marks import SECRET, Marks, shows_secret
from evals.second_layer import OWN, Skipped, judge, judge_item, judgement, read_items, read_setup

ENDLESS = "WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
SHORT = {
    "sqlite": "insert attach copy writefile readfile lock",
    "duckdb": "update csv host variable",
    "postgres": "stacked file lock",
}
"""The statements that are run here: each takes a session without layers and one for each layer."""


def short(dialect):
    ids = [f"{dialect}-{name}" for name in SHORT[dialect].split()]
    found = [item for item in read_items([OWN]) if item.id in ids]
    assert len(found) == len(ids)
    return found


@pytest.fixture
def marks(tmp_path):
    made = Marks(tmp_path)
    yield made
    made.close()


@pytest.fixture(scope="module")
def on_postgres():
    """Return what a few statements did on a PostgreSQL server of our own, and where that was."""
    items = short("postgres")
    try:
        with throwaway.workspace() as folder, throwaway.postgres(folder) as server:
            from evals.layers.postgres import PostgresBench

            bench = PostgresBench(Marks(folder), server)
            found = [verdict for item in items for verdict in judge_item(bench, item)]
            bench.close()
            return found, folder, server.port
    except throwaway.AbsentError as error:
        pytest.skip(str(error))


@pytest.mark.req("SAFE-03", part="our own statements, on throw-away databases")
@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_each_layer_of_a_file_stops_what_it_is_said_to_stop(tmp_path, dialect):
    items = short(dialect)

    found = list(judge(items, tmp_path))

    assert [v for v in found if isinstance(v, Skipped)] == []
    assert [v for v in found if v.judgement not in ("same", "stricter")] == []
    assert len(found) > len(items)


@pytest.mark.req("SAFE-03", part="our own statements, on throw-away databases")
def test_the_sessions_of_a_server_stop_what_they_are_said_to_stop(on_postgres):
    found, _, _ = on_postgres

    assert [v for v in found if isinstance(v, Skipped)] == []
    assert [v for v in found if v.judgement not in ("same", "stricter")] == []
    assert {v.found for v in found} == {"stopped", "not_stopped"}


def test_a_server_of_our_own_is_gone_afterwards_with_its_folder(on_postgres):
    _, folder, port = on_postgres

    assert not folder.exists()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), timeout=1)


def test_a_folder_of_our_own_is_gone_after_a_failure():
    found = []

    def fail():
        with throwaway.workspace() as folder:
            (folder / "left").touch()
            found.append(folder)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()

    assert not found[0].exists()


def test_a_layer_that_lets_more_through_than_is_said_fails_the_eval(tmp_path, capsys):
    corpus = tmp_path / "corpus.yaml"
    item = {"id": "a", "dialect": "sqlite", "effect": "file_out", "verified": True}
    sql = {"sql": "VACUUM INTO '/dblore_guard/out/a.db'", "second_layer": {"mode_ro": "stopped"}}
    corpus.write_text(yaml.safe_dump([item | sql]), encoding="utf-8")

    status = second_layer.main(["--refuse", str(corpus), "--json"])

    (verdict,) = json.loads(capsys.readouterr().out)["disagree"]
    assert status == 1
    assert (verdict["found"], verdict["effects"]) == ("not_stopped", ["file_out"])


def test_a_statement_without_an_effect_proves_nothing_and_is_left_out(tmp_path):
    corpus = tmp_path / "corpus.yaml"
    item = {"id": "a", "dialect": "sqlite", "effect": "state", "verified": True}
    sql = {"sql": "DELETE FROM nowhere", "second_layer": {"all": "stopped"}}
    corpus.write_text(yaml.safe_dump([item | sql]), encoding="utf-8")

    (found,) = judge(read_items([corpus]), tmp_path)

    assert found == Skipped("a", found.why)
    assert "no such table: nowhere" in found.why


@pytest.mark.parametrize(
    ("said", "found", "is_ours", "expected"),
    [
        pytest.param("stopped", "stopped", True, "same", id="as said"),
        pytest.param("not_stopped", "stopped", True, "stricter", id="our session stops more"),
        pytest.param("stopped", "not_stopped", True, "less", id="our session stops less"),
        pytest.param("not_stopped", "stopped", False, "other", id="a layer alone that stops more"),
    ],
)
def test_what_a_layer_did_is_judged_by_what_is_said_of_it(said, found, is_ours, expected):
    assert judgement(said, found, is_ours=is_ours) == expected


def test_the_eval_of_layers_takes_no_database(capsys):
    with pytest.raises(SystemExit):
        second_layer.main(["--postgres", "postgresql://127.0.0.1/shop"])

    assert "unrecognized arguments" in capsys.readouterr().err


def test_what_must_have_run_before_is_read_from_its_text():
    text = "CREATE INDEX i ON t(a); then SELECT a FROM t WHERE a = 1 in the same session"

    assert read_setup(text) == (("CREATE INDEX i ON t(a)",), ("SELECT a FROM t WHERE a = 1",))


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        pytest.param("COPY t TO '/srv/x/dblore_guard/o'", "COPY t TO '{here}/o'", id="a path"),
        pytest.param("SELECT '/srv/else'", "SELECT '/srv/else'", id="another path"),
        pytest.param("f('host=127.0.0.1 port=1')", "f('host=127.0.0.1 port=9')", id="a port"),
        pytest.param("f('http://127.0.0.1:1/r')", "f('http://127.0.0.1:9/r')", id="a URL"),
    ],
)
def test_statements_reach_for_our_own_folder_and_port(marks, sql, expected):
    assert marks.rewritten(sql, 9) == expected.format(here=marks.folder)


def test_a_path_in_hexadecimal_digits_is_ours_too(marks):
    sql = f"LOAD_FILE(0x{b'/srv/dblore_guard/secret.txt'.hex()})"

    written = marks.rewritten(sql, 9)

    assert written == f"LOAD_FILE(0x{f'{marks.folder}/secret.txt'.encode().hex()})"


@pytest.mark.parametrize(
    "cell",
    [SECRET, SECRET.encode(), SECRET.encode().hex(), ["/x/secret.txt"], len(SECRET) + 1],
    ids=["text", "bytes", "digits", "name", "size"],
)
def test_the_secret_is_known_in_whatever_form_it_comes(cell):
    assert shows_secret([(1, cell)])
    assert not shows_secret([(1, "another")])


@pytest.mark.parametrize(
    ("sql", "start", "length"),
    [
        pytest.param("SELECT ((((... 500 levels", "SELECT ((((((", 1_008, id="named levels"),
        pytest.param("SELECT (((((...", "SELECT ((((((", 10_008, id="levels"),
        pytest.param("SELECT 1,1,1...", "SELECT 1,1,1,1,1", 5_008, id="columns"),
        pytest.param("SELECT a IN (1000 constants)", "SELECT a IN (0, 1, 2", 4_902, id="constants"),
        pytest.param("SELECT 1", "SELECT 1", 8, id="nothing to write out"),
    ],
)
def test_a_statement_that_is_only_described_is_written_out(sql, start, length):
    written = bounds.expanded(sql)

    assert written.startswith(start)
    assert len(written) == length
    assert written.count("(") == written.count(")")


@pytest.mark.req("SAFE-02", part="time")
def test_an_endless_statement_ends_within_the_bar(tmp_path, capsys):
    file = tmp_path / "bounds.yaml"
    item = {"id": "a", "dialect": "sqlite", "kind": "cpu", "sql": ENDLESS}
    file.write_text(yaml.safe_dump([item]), encoding="utf-8")

    status = bounds.main([str(file), "--limit", "1", "--json"])

    result = json.loads(capsys.readouterr().out)
    assert (status, result["over"]) == (0, [])
    assert result["items"][0]["door"]["outcome"] == "failed"
    assert result["items"][0]["door"]["seconds"] >= 1


@pytest.mark.parametrize(
    ("figures", "why"),
    [
        pytest.param(Figures(3.6, 0, "rows", ""), "took 3.60 s", id="time"),
        pytest.param(Figures(1, 65, "rows", ""), "grew by 65 MiB", id="memory"),
        pytest.param(
            Figures(1, 0, "rows", "", is_left_running=True),
            "still runs on the server after 2 s",
            id="a statement left behind",
        ),
    ],
)
def test_what_is_beyond_the_bar_is_told(figures, why):
    measured = bounds.Measured("a", "sqlite", "cpu", figures, figures)

    assert [(o.way, o.why) for o in bounds.beyond(measured, 2)] == [
        ("door", why),
        ("without guard", why),
    ]


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="only Linux forgets a peak")
def test_memory_that_is_given_back_is_still_counted():
    before = _reset_peak()
    taken = bytearray(100 * 2**20)
    del taken

    assert _peak() - before > 90
