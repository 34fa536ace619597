"""The index stage: what is findable, reproducible, incremental, and what stays out."""

import json
import logging
import sqlite3
from contextlib import closing

import pytest

from pipeline import embedding, index
from pipeline.authored import load_semantic
from pipeline.errors import ArtifactError, ModelError
from pipeline.kb import Kb
from tests.shop_kb import SEMANTIC, make_kb, run


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    return make_kb(tmp_path_factory.mktemp("index"))


def build(folder, out, embedder="none"):
    kb = Kb(folder)
    return index.build(
        catalog=kb.catalog,
        profile=kb.profile,
        semantic=kb.semantic,
        graph=kb.graph,
        out=out,
        embedder=embedder,
    )


def generation(out):
    return out / (out / "current").read_text(encoding="utf-8").strip()


def rows(out, sql):
    with closing(sqlite3.connect(generation(out) / "index.db")) as db:
        return db.execute(sql).fetchall()


@pytest.mark.req("IDX-01")
def test_every_kind_of_thing_has_about_one_chunk(shop, tmp_path):
    build(shop, tmp_path)

    kinds = dict(rows(tmp_path, "SELECT kind, COUNT(*) FROM chunk GROUP BY kind"))

    assert kinds == {
        "table": 6, "column": 23, "metric": 1, "term": 1, "example": 1, "entity": 3, "relation": 1,
    }  # fmt: skip


@pytest.mark.req("IDX-01")
@pytest.mark.parametrize(
    ("words", "ref"),
    [
        pytest.param('"order"', "Order Header", id="a part of a name"),
        pytest.param('"commissions"', "sales_rep.commission", id="an inflected word"),
        pytest.param('"quantity"', "order_line.qty", id="what an abbreviation means"),
    ],
)
def test_names_are_found_by_the_words_they_are_made_of(shop, tmp_path, words, ref):
    build(shop, tmp_path)

    found = rows(
        tmp_path,
        "SELECT ref FROM chunk WHERE id IN "
        f"(SELECT rowid FROM chunk_words WHERE chunk_words MATCH '{words}')",
    )

    assert (ref,) in found


@pytest.mark.req("PROF-03", part="search index")
def test_hidden_tables_bookkeeping_and_sensitive_values_stay_out(shop, tmp_path):
    build(shop, tmp_path)

    everything = (generation(tmp_path) / "index.db").read_bytes()

    assert b"secret_log" not in everything
    assert b"modified_date" not in everything
    assert b"Zweig" not in everything


@pytest.mark.req("BLD-04", part="index")
def test_two_clean_builds_are_byte_identical(shop, tmp_path):
    for name in ("one", "two"):
        build(shop, tmp_path / name, "fastembed")

    files = [
        {p.relative_to(tmp_path / n): p.read_bytes() for p in (tmp_path / n).rglob("*.*")}
        for n in ("one", "two")
    ]

    assert files[0] == files[1]
    assert {p.name for p in files[0]} == {"index.db", "vectors.npy"}


@pytest.mark.req("IDX-02", part="fastembed, none")
@pytest.mark.req("BLD-02", part="index")
def test_one_edited_description_embeds_one_text(tmp_path):
    folder = make_kb(tmp_path, embedder="fastembed")
    edited = SEMANTIC.replace("How far it has come.", "The state of the order.")
    (folder / "semantic.yaml").write_text(edited, encoding="utf-8")

    account = run(folder, ("index",))["index"]

    assert account == "36 chunks of 6 tables, 1 embedded"


def test_an_index_of_words_holds_no_vectors(shop, tmp_path):
    account = build(shop, tmp_path, "none")

    assert account == "36 chunks of 6 tables, words only"
    assert not (generation(tmp_path) / "vectors.npy").exists()


@pytest.mark.req("IDX-03", part="a damaged or missing model")
def test_a_model_that_cannot_be_had_leaves_an_index_of_words_and_one_line(
    shop, tmp_path, monkeypatch, caplog
):
    def broken(name):
        raise ModelError("the model is damaged", fix="reinstall it")

    monkeypatch.setattr(embedding, "embedder", broken)

    with caplog.at_level(logging.WARNING, "dblore.index"):
        account = build(shop, tmp_path, "fastembed")

    assert account.endswith("words only")
    assert caplog.messages == ["searching by words only: the model is damaged (reinstall it)"]


@pytest.mark.req("BLD-05", part="index")
def test_a_build_keeps_the_generation_before_and_no_older_one(tmp_path):
    folder, out = make_kb(tmp_path / "kb"), tmp_path / "out"
    generations = []
    for text in ("One.", "Two.", "Three."):
        edited = SEMANTIC.replace("How far it has come.", text)
        (folder / "semantic.yaml").write_text(edited, encoding="utf-8")
        build(folder, out)
        generations.append(generation(out).name)

    kept = {path.name for path in out.iterdir()}

    assert kept == {*generations[1:], "current"}


def test_an_index_that_cannot_be_written_leaves_the_one_before(shop, tmp_path):
    build(shop, tmp_path / "index")
    blocked = tmp_path / "file"
    blocked.write_text("no folder", encoding="utf-8")

    with pytest.raises(ArtifactError) as caught:
        build(shop, blocked)

    assert "can't be written" in caught.value.problem
    assert generation(tmp_path / "index").is_dir()


def test_codes_lead_from_their_meaning_to_the_stored_value(shop, tmp_path):
    build(shop, tmp_path)

    found = rows(
        tmp_path, 'SELECT "table", "column", value FROM value WHERE folded = \'cancelled\''
    )

    assert [(t, c, json.loads(v)) for t, c, v in found] == [("Order Header", "status", 6)]


@pytest.mark.req("B0", part="the index")
def test_the_index_tells_what_uses_a_column(shop, tmp_path):
    build(shop, tmp_path)

    found = rows(tmp_path, 'SELECT "table", "column", path, kind, "by" FROM uses')

    assert {row[3] for row in found} >= {"table", "column", "metric", "example", "relation"}
    hidden = {
        name for name, table in load_semantic(shop / "semantic.yaml").tables.items() if table.hidden
    }
    assert hidden
    assert not {row[0] for row in found} & hidden
    assert not [row for row in found if row[2].split(".")[1:2] == sorted(hidden)[:1]]
    metrics = load_semantic(shop / "semantic.yaml").metrics
    assert {row[2] for row in found if row[3] == "metric"} == {
        f"metrics[{number}]" for number in range(1, len(metrics) + 1)
    }
