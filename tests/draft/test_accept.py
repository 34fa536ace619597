"""Suggestions are taken over into semantic.yaml: what people wrote wins, and drafts stay known."""

import json

import pytest
from hypothesis import given, settings

from pipeline import accept as accepting
from pipeline import artifacts, drafts
from pipeline.accept import Choice
from pipeline.authored import load_semantic
from pipeline.cards import cards
from pipeline.errors import NotFoundError, SettingError
from pipeline.kb import Kb
from schemas.models import Coverage, Graph
from tests.draft.shop import catalog_of, check_accept, meanings
from tests.yaml_edits import is_within

DAY = "2026-01-02"


@pytest.fixture
def shop(kb):
    """Return a function that accepts suggestions of the shop, whose semantic.yaml is `text`."""

    def accept(*targets, text=None, model="", **options):
        if text is not None or not (kb.folder / "catalog.json").exists():
            kb.build(text or "", drafts=model)
        dry_run = options.pop("dry_run", False)
        return accepting.accept(
            Kb(kb.folder), Choice(targets, **options), today=DAY, dry_run=dry_run
        )

    accept.kb = Kb(kb.folder)
    accept.rebuilt = lambda: kb.build(said(accept), drafts=accept.kb.drafts.read_text("utf-8"))
    return accept


def said(shop):
    return shop.kb.semantic.read_text(encoding="utf-8")


def made(outcome):
    return {(p.target, p.key): p.text for p in outcome.made}


@pytest.mark.req("SEM-02", part="accept")
def test_everything_that_is_suggested_is_taken_over_and_leaves_the_draft(shop):
    outcome = shop()

    semantic = load_semantic(shop.kb.semantic)
    assert semantic.tables["orders"].grain == "one row per id"
    assert semantic.tables["orders"].columns["id"].description == "Identifies the order."
    assert semantic.tables["order_lines"].description == "Connects orders and products."
    assert made(outcome)["orders", "grain"] == "one row per id"
    draft = shop.rebuilt()
    assert "Identifies the order." not in draft
    assert artifacts.read(shop.kb.coverage, Coverage).suggested == 0
    before = said(shop)
    assert shop().made == ()
    assert said(shop) == before


MINE = """\
# my notes
tables:
  ORDERS:   # all of them
    columns:
      # keys
      ID: The number on the invoice   # never reused
      customer_id: {synonyms: [buyer]}
      total: ''
      tax_rate: 'Share of tax'
  products: {columns: {sku: our code, price_cents: {unit: EUR cents}}}
"""


@pytest.mark.req("C17", part="accept")
@pytest.mark.req("B7", part="what a human wrote is never overwritten")
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_what_people_wrote_wins_to_the_byte(shop, newline):
    mine = MINE.replace("\n", newline)
    shop.kb.semantic.write_bytes(b"")

    shop(text=mine)

    after = shop.kb.semantic.read_bytes().decode()
    assert is_within(mine, after)
    assert "      # keys\n      ID: The number on the invoice   # never reused\n" in after.replace(
        "\r", ""
    )
    semantic = load_semantic(shop.kb.semantic)
    assert semantic.tables["ORDERS"].columns["ID"].description == "The number on the invoice"
    assert semantic.tables["ORDERS"].columns["customer_id"].synonyms == ("buyer",)
    assert semantic.tables["ORDERS"].columns["customer_id"].description
    assert semantic.tables["ORDERS"].grain == "one row per id"
    assert "orders" not in semantic.tables
    assert semantic.tables["products"].columns["price_cents"].unit == "EUR cents"
    assert semantic.tables["products"].columns["sku"].description == "our code"
    assert after.count("\r\n") in {0, after.count("\n")}


ORDERS = {"orders", "orders.id", "orders.customer_id", "orders.tax_rate"}


@pytest.mark.parametrize(
    ("targets", "options", "expected"),
    [
        pytest.param(["orders"], {}, ORDERS, id="table"),
        pytest.param(["ORDERS.ID"], {}, {"orders.id"}, id="column, in any case"),
        pytest.param(["order*.id", "customers.i?"], {}, {"orders.id", "customers.id"}, id="glob"),
        pytest.param(["orders"], {"kinds": ("grain",)}, {"orders"}, id="kind"),
        pytest.param(
            [], {"kinds": ("notes", "housekeeping")}, {""}, id="kinds of the whole database"
        ),
    ],
)
def test_targets_and_kinds_choose(shop, targets, options, expected):
    outcome = shop(*targets, **options)

    assert {p.target for p in outcome.made} == expected


def test_a_target_that_is_not_there_is_told_with_the_nearest_name(shop):
    with pytest.raises(NotFoundError) as caught:
        shop("orders.totl")

    assert "did you mean orders.total?" in caught.value.fix
    assert said(shop) == ""


def test_a_target_without_suggestions_is_told(shop):
    outcome = shop("orders.total")

    assert outcome.silent == ("orders.total",)
    assert said(shop) == ""


def test_places_for_words_can_be_made(shop):
    shop("orders", blanks=True)

    semantic = load_semantic(shop.kb.semantic)
    assert "      total:\n        description: ''\n        unit: ''\n" in said(shop)
    assert list(semantic.tables["orders"].columns)[:2] == ["id", "customer_id"]
    assert semantic.tables["orders"].columns["status"].values == {"N ": "", "P ": "", "S ": ""}
    shop.rebuilt()
    assert artifacts.read(shop.kb.coverage, Coverage).columns.done == 2


def test_a_dry_run_shows_the_diff_and_writes_nothing(shop):
    outcome = shop("orders", text="tables: {}  # mine\n", dry_run=True)

    assert "+    grain: one row per id\n" in outcome.diff
    assert said(shop) == "tables: {}  # mine\n"
    assert not shop.kb.drafts.read_bytes()


@pytest.mark.req("B7", part="accepted drafts")
def test_an_accepted_text_is_known_as_a_draft_until_somebody_changes_it(shop, kb):
    entry = {"target": "orders.total", "field": "description", "text": "What is paid", "model": "m",
             "date": "2026-01-01"}  # fmt: skip
    shop("orders", model=json.dumps(entry))

    def origins():
        accepted = drafts.read(shop.kb.drafts).accepted()
        semantic = load_semantic(shop.kb.semantic)
        found = cards(kb.catalog, kb.profile, semantic, Graph(), accepted)["orders"]
        texts = (found.column("id"), found.column("total"))
        return [found.grain_origin, *((c.description_origin, c.description_source) for c in texts)]

    assert origins() == [
        "accepted draft",
        ("accepted draft", "guessed: it is the primary key"),
        ("accepted draft", "drafted by m on 2026-01-01"),
    ]
    lines = [json.loads(line) for line in shop.kb.drafts.read_text("utf-8").splitlines()]
    assert lines[0] == {**entry, "accepted": DAY}

    shop.kb.semantic.write_text(
        said(shop).replace("Identifies the order.", "The number on the invoice."), encoding="utf-8"
    )

    assert origins()[1] == ("human", "")
    assert origins()[2] == ("accepted draft", "drafted by m on 2026-01-01")


def test_comments_of_the_database_are_copied_only_when_asked_for(shop, kb):
    kb.comment_on("orders", "What customers bought")

    shop("orders")
    assert "What customers bought" not in said(shop)

    shop("orders", kinds=("comments",))
    assert "    description: What customers bought\n" in said(shop)


def test_a_file_that_somebody_saved_meanwhile_is_left_as_it_is(shop, monkeypatch):
    kb = shop.kb
    shop("orders.id", dry_run=True)
    fill = accepting.filled

    def saved_meanwhile(*arguments):
        kb.semantic.write_text("# somebody was here\n", encoding="utf-8")
        return fill(*arguments)

    monkeypatch.setattr(accepting, "filled", saved_meanwhile)

    with pytest.raises(SettingError, match="changed by somebody else"):
        shop("orders")
    assert said(shop) == "# somebody was here\n"
    assert not kb.drafts.read_bytes()


def test_what_cannot_be_written_is_left_with_the_reason(shop):
    text = "tables:\n  orders:\n    columns:\n      total: |\n        two\n        lines\n"
    entry = {"target": "orders.total", "field": "unit", "text": "EUR", "model": "m"}

    outcome = shop("orders", text=text, model=json.dumps(entry))

    ((proposal, why),) = outcome.left
    assert (proposal.target, proposal.key, why) == (
        "orders.total",
        "unit",
        "its text is written over several lines",
    )
    assert load_semantic(shop.kb.semantic).tables["orders"].grain == "one row per id"


def test_a_semantic_yaml_that_is_not_there_is_made_with_its_schema(shop):
    shop(text="")
    shop.kb.semantic.unlink()

    shop("orders.id")

    assert said(shop).startswith("# yaml-language-server: $schema=.schemas/semantic.schema.json\n")
    assert load_semantic(shop.kb.semantic).tables["orders"].columns["id"].description


@pytest.mark.req("C17", part="accept on drawn files")
def test_drawn_files_keep_their_bytes(facts):
    @settings(max_examples=25, deadline=None, database=None, derandomize=True)
    @given(meanings(catalog_of(facts)))
    def check(case):
        check_accept(facts, case)

    check()


EDITED = """\
database: {dialect_notes: [Totals are in euro.]}
tables:
  orders:
    grain: one row per id
    synonyms: [sale]
    columns:
      total: {description: What is paid, unit: EUR, sensitive: true}
      id: not this one
  products: {hidden: true}
metrics:
- {name: sales, sql: SELECT SUM(total) FROM orders}
"""


def test_words_of_another_file_are_taken_over(shop, tmp_path):
    (tmp_path / "other.yaml").write_text(EDITED, encoding="utf-8")
    mine = "tables: {orders: {columns: {id: The number on the invoice}}}\n"

    assert shop(text=mine, file=tmp_path / "other.yaml", kinds=("joins",)).made == ()
    shop(text=mine, file=tmp_path / "other.yaml")

    semantic = load_semantic(shop.kb.semantic)
    orders = semantic.tables["orders"]
    assert orders.columns["id"].description == "The number on the invoice"
    assert (orders.grain, orders.synonyms) == ("one row per id", ("sale",))
    assert orders.columns["total"].sensitive is True
    assert semantic.tables["products"].hidden
    assert semantic.dialect_notes == ("Totals are in euro.",)
    assert semantic.metrics[0].name == "sales"
    accepted = drafts.read(shop.kb.drafts).accepted()
    assert accepted.origin("orders", "grain", "one row per id") == "from: primary key"
    assert not accepted.origin("orders.total", "description", "What is paid")


@pytest.mark.req("C17", part="an edited draft")
def test_a_draft_that_somebody_edited_is_kept(shop, kb, caplog):
    written = kb.build()
    edited = written.replace("      id: Identifies the order.", "      id: The number.", 1)
    (kb.folder / "semantic.draft.yaml").write_text(edited, encoding="utf-8")

    assert kb.build() == written

    kept = kb.folder / "semantic.edited.yaml"
    assert kept.read_text(encoding="utf-8") == edited
    assert f"dblore accept --kb {kb.folder} --from {kept}" in caplog.text
    shop(file=kept)
    assert load_semantic(shop.kb.semantic).tables["orders"].columns["id"].description == (
        "The number."
    )
    caplog.clear()
    kb.build()
    assert not caplog.records
