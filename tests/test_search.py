"""Search, and the knowledge base it searches: any text, fused rankings, always the newest build."""

import logging
import subprocess
import sys
import threading

import pytest

from pipeline.errors import ArtifactError, NotFoundError, SettingError
from pipeline.kb import current_generation
from serve.context import context
from serve.knowledge import KnowledgeBase
from serve.search import fuse, search
from tests.shop_kb import SEMANTIC, make_kb, run


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    return KnowledgeBase.open(make_kb(tmp_path_factory.mktemp("search")))


@pytest.mark.req("IDX-01")
@pytest.mark.parametrize(
    ("query", "kind", "ref"),
    [
        pytest.param("order status", "column", "Order Header.status", id="a column"),
        pytest.param("purchase", "table", "Order Header", id="a table by its synonym"),
        pytest.param("turnover", "metric", "net sales", id="a metric by its synonym"),
        pytest.param("waiting backlog", "term", "backlog", id="a term"),
        pytest.param("northerner", "entity", "Nordic Customer", id="an entity"),
    ],
)
def test_the_best_hit_is_what_the_words_name(shop, query, kind, ref):
    best = search(shop, query, limit=1)[0]

    assert (best.kind, best.ref) == (kind, ref)


@pytest.mark.parametrize(
    "query",
    [
        "",
        " ",
        '"',
        "a-b",
        "col:",
        "NEAR(",
        "*",
        "年度売上",
        "😀",
        "\x00",
        "it's",
        "AND OR NOT",
        "\ud800",
    ],
)
def test_any_unicode_string_is_a_legal_query(shop, query):
    assert isinstance(search(shop, query), list)


@pytest.mark.req("SCAN-13", part="search")
def test_a_name_without_any_word_is_found(tmp_path, make_db):
    names = ["?", "%", "--", "😀", "::", "?%"]
    database = make_db(";".join(f'CREATE TABLE "{name}" (v INT)' for name in names))
    folder = tmp_path / "kb" / "odd"
    folder.mkdir(parents=True)
    text = f"name: odd\nsource: {database}\nembedder: none\n"
    (folder / "kb.yaml").write_text(text, encoding="utf-8")
    run(folder)

    found = [search(KnowledgeBase.open(folder), name, limit=1)[0].ref for name in names]

    assert found == names


def test_only_the_kinds_asked_for_are_found(shop):
    hits = search(shop, "ordered products", kinds=("example",))

    assert [hit.ref for hit in hits] == ["Which products were ordered most?"]


@pytest.mark.req("CTX-01", part="fusion")
def test_fusion_prefers_what_both_rankings_hold():
    fused = fuse([[1, 2, 3], [3, 4, 1]])

    assert [number for number, _ in fused] == [1, 3, 2, 4]


@pytest.mark.req("IDX-02", part="fastembed")
def test_vectors_find_what_shares_no_word(tmp_path):
    kb = KnowledgeBase.open(make_kb(tmp_path, embedder="fastembed"))

    refs = [hit.ref for hit in search(kb, "nation of the buyer", limit=5, kinds=("column",))]

    assert "customer.country" in refs


def test_vectors_of_another_model_are_not_searched(tmp_path, caplog):
    kb = KnowledgeBase.open(make_kb(tmp_path, embedder="fastembed"))
    kb.index.meta["digest"] = "of another model"

    with caplog.at_level(logging.WARNING, "dblore.serve"):
        hits = search(kb, "country", limit=1)

    assert hits[0].ref == "customer.country"
    assert "build it again: dblore build" in caplog.text


@pytest.mark.req("MCP-03", part="index")
def test_a_missing_index_is_built_at_the_first_question(tmp_path):
    kb = KnowledgeBase.open(make_kb(tmp_path, stages=("scan", "profile", "graph")))

    hits = search(kb, "customer")

    assert hits
    assert kb.kb.index.is_dir()


@pytest.mark.req("B3", part="a running server sees a new build")
@pytest.mark.req("C19")
def test_an_open_knowledge_base_serves_a_new_build(tmp_path):
    folder = make_kb(tmp_path)
    kb = KnowledgeBase.open(folder)
    before = (kb.revision, search(kb, "zebra"))
    text = SEMANTIC.replace("Orders that wait.", "Orders that wait, also called zebra.")
    (folder / "semantic.yaml").write_text(text, encoding="utf-8")
    run(folder)

    after = (kb.revision, [hit.ref for hit in search(kb, "zebra")])

    assert before[1] == []
    assert after[1] == ["backlog"]
    assert after[0] != before[0]


def test_threads_share_one_knowledge_base(shop):
    found = []

    def ask():
        found.append(search(shop, "customer country", limit=1)[0].ref)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert found == ["customer.country"] * 8


def test_an_unknown_table_offers_the_nearest_name(shop):
    with pytest.raises(NotFoundError) as caught:
        shop.table("costumer")

    assert caught.value.problem == "there is no table 'costumer'"
    assert caught.value.fix == "did you mean customer?"


def test_a_hidden_table_is_not_there(shop):
    with pytest.raises(NotFoundError):
        shop.table("secret_log")


def test_a_folder_that_was_never_built_says_how_to_build_it(tmp_path):
    (tmp_path / "kb.yaml").write_text("name: x\nsource: x.sqlite\n", encoding="utf-8")
    kb = KnowledgeBase.open(tmp_path)

    with pytest.raises(ArtifactError) as caught:
        search(kb, "anything")

    assert caught.value.problem.endswith("catalog.json does not exist")
    assert caught.value.fix == f"build it: dblore build --kb {tmp_path}"


def test_the_folder_of_a_knowledge_base_must_be_there(tmp_path):
    with pytest.raises(NotFoundError) as caught:
        KnowledgeBase.open(tmp_path / "nowhere")

    assert "dblore init" in caught.value.fix


def test_opening_a_knowledge_base_imports_nothing_heavy():
    heavy = ["sqlalchemy", "networkx", "fastembed", "numpy", "jsonschema", "doit", "sqlglot"]
    program = f"import sys, serve.knowledge; print([m for m in {heavy} if m in sys.modules])"

    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert result.stdout.strip() == "[]"


DAMAGED = [
    pytest.param(b"", id="nothing"),
    pytest.param(b"\xff\xfe\x00", id="no text"),
    pytest.param(b"0123456789abcde\x00\n", id="a NUL"),
    pytest.param(b"a" * 5_000, id="far too long"),
    pytest.param(b"../..\n", id="a way out"),
    pytest.param(b"0123456789abcdef\n", id="a generation that isn't there"),
]


@pytest.mark.parametrize("content", DAMAGED)
def test_a_damaged_pointer_to_the_index_counts_as_none(tmp_path, content):
    (tmp_path / "current").write_bytes(content)

    assert current_generation(tmp_path) == ""


def test_a_generation_that_is_a_link_is_not_followed(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "index.db").touch()
    index = tmp_path / "index"
    index.mkdir()
    (index / "0123456789abcdef").symlink_to(tmp_path / "elsewhere")
    (index / "current").write_text("0123456789abcdef\n", encoding="utf-8")

    assert current_generation(index) == ""


@pytest.mark.parametrize("content", DAMAGED)
def test_a_question_mends_a_damaged_pointer_to_the_index(tmp_path, content):
    folder = make_kb(tmp_path)
    (folder / "build" / "index" / "current").write_bytes(content)

    hits = search(KnowledgeBase.open(folder), "customer country", limit=1)

    assert hits[0].ref == "customer.country"


@pytest.mark.parametrize("kept", [0, 200], ids=["nothing left", "half left"])
def test_damaged_vectors_leave_search_by_words(tmp_path, caplog, kept):
    kb = KnowledgeBase.open(make_kb(tmp_path, embedder="fastembed"))
    vectors = kb.index.folder / "vectors.npy"
    vectors.write_bytes(vectors.read_bytes()[:kept])

    with caplog.at_level(logging.WARNING, "dblore.serve"):
        hits = [search(kb, "customer country", limit=1)[0].ref for _ in range(2)]

    assert hits == ["customer.country"] * 2
    assert [r.message[:24] for r in caplog.records] == ["searching by words only:"]


BROKEN = "tables:\n  customer: {description: [\n"


def test_a_running_server_goes_on_with_the_words_before_a_slip(tmp_path, caplog):
    folder = make_kb(tmp_path)
    kb = KnowledgeBase.open(folder)
    known = kb.table("Order Header").description
    (folder / "semantic.yaml").write_text(BROKEN, encoding="utf-8")

    with caplog.at_level(logging.WARNING, "dblore.serve"):
        after = [kb.table("Order Header").description for _ in range(2)]
        pack = context(kb, "How many orders were shipped?").markdown()

    assert after == [known, known]
    assert "How far it has come." in pack
    assert sum("serving what was read before" in r.message for r in caplog.records) == 1


def test_a_slip_that_was_mended_is_read_again(tmp_path):
    folder = make_kb(tmp_path)
    kb = KnowledgeBase.open(folder)
    assert kb.table("customer").description == ""
    (folder / "semantic.yaml").write_text(BROKEN, encoding="utf-8")
    assert kb.table("customer").description == ""

    mended = "tables: {customer: {description: Who buys.}}\n"
    (folder / "semantic.yaml").write_text(mended, encoding="utf-8")

    assert kb.table("customer").description == "Who buys."


def test_a_fresh_reader_tells_the_slip_and_nothing_else(tmp_path, caplog):
    folder = make_kb(tmp_path)
    (folder / "semantic.yaml").write_text(BROKEN, encoding="utf-8")

    with caplog.at_level(logging.WARNING, "dblore"), pytest.raises(SettingError) as caught:
        context(KnowledgeBase.open(folder), "How many orders were shipped?")

    assert "semantic.yaml" in caught.value.problem
    assert not caplog.records
