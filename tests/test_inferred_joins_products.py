"""Undeclared joins in the habits of public products, told by the evals' short notation."""

from pathlib import Path

import pytest

from evals import joins as evaluation
from evals.products import load, notation
from pipeline import artifacts
from schemas.models import Catalog
from tests.join_databases import profiled


@pytest.fixture
def score(tmp_path):
    """Return a function from tables in the notation to the score of what is inferred."""

    def infer(text):
        product = notation.read(text)
        load.load(product, str(tmp_path / "made.sqlite"))
        found = profiled(tmp_path / "made.sqlite", tmp_path)
        catalog = artifacts.read(tmp_path / "catalog.json", Catalog)
        return evaluation.compare(catalog, found.joins, product.gold())

    return infer


@pytest.mark.req("SCAN-06", part="SQLite")
@pytest.mark.parametrize(
    "tables",
    [
        pytest.param(
            """
users 90: id pk, name person
user_options 90: user_id >users uq, theme small(1|2); pk(user_id)
user_stats 90: user_id >users uq, days int(0..9); pk(user_id)
user_profiles 90: user_id >users uq, bio text; pk(user_id)
posts 400: id pk, acting_user_id >users, locked_by_id >users null=.5, created_by_id >users
""",
            id="tables that extend another are none that others refer to",
        ),
        pytest.param(
            """
users 90: id pk, name person
topics 300: id pk, featured_user1_id >users, featured_user2_id >users null=.3
replies 900: id pk, topic_id >topics, promoted_topic_id >topics null=.9,
  in_reply_to_id >replies null=.4
""",
            id="roles that no list has, numbered ones, rows above in few words",
        ),
        pytest.param(
            """
wiki_actor 200: actor_id pk, actor_user >wiki_user null=.3 uq, actor_name slug
wiki_user 180: user_id pk, user_name slug
wiki_page 300: page_id pk, page_latest int(1..900) uq, page_title title
wiki_revision 900: rev_id pk, rev_page >wiki_page, rev_actor >wiki_actor, rev_pages int(1..300)
wiki_newtalk 60: user_id >wiki_user, user_ip ip, user_time unix
wiki_group_member 80: gm_user >wiki_user, gm_group enum(a|b)
""",
            id="whole numbers called like a table, beside counts and other keys",
        ),
        pytest.param(
            """
benutzer 50: kuerzel seq(B) uq, vollname person; pk(kuerzel)
konto 120: kontonr ser(1000), gegenkonto_nr >konto.kontonr null=.5; pk(kontonr)
lieferant 90: lieferantennr ser(70000), angelegt_von >benutzer; pk(lieferantennr)
artikel 200: artikelnr seq(A) uq, hauptlieferant_nr >lieferant zero=.2,
  ersatzartikelnr >artikel.artikelnr null=.6, verfasser >benutzer; pk(artikelnr)
auftrag 300: jahr int(2022..2025), auftragsnr ser(1), projektleiter >benutzer; pk(jahr, auftragsnr)
datei 200: datei_id pk, auftragsjahr >auftrag.jahr g=1, auftragsnr >auftrag.auftragsnr g=1
bestellposition 200: id pk, auftrag_jahr >auftrag.jahr g=1, auftrag_nr >auftrag.auftragsnr g=1
""",
            id="compound nouns",
        ),
        pytest.param(
            """
page 400: id pk, namespace small(0|1|2), title title; uq(namespace, title)
watch 300: watch_id pk, namespace >page.namespace g=1 orphan=.2, title >page.title g=1 orphan=.2
""",
            id="a natural key with a title, some of whose references are to come",
        ),
    ],
)
def test_habits_of_products_are_understood(score, tables):
    found = score(tables)

    assert (found.missed, found.false) == ([], [])


@pytest.mark.req("B6", part="SQLite")
def test_a_number_that_ends_like_a_column_beside_it_is_no_key_of_its_table(score):
    found = score(
        "posts 500: id pk, post_number int(1..60), reply_to_post_number int(1..60) null=.5"
    )

    assert (found.missed, found.false) == ([], [])


@pytest.mark.req("B6", part="SQLite")
def test_references_beyond_a_key_without_gaps_belong_to_another(score):
    found = score(
        "uploads 400: id pk, url url\n"
        "user_avatars 250: id pk, kind small(1|2)\n"
        "user 300: id pk, uploaded_avatar_id >uploads null=.3"
    )

    assert found.false == []


@pytest.mark.parametrize("name", ["discourse", "hospital", "mediawiki", "warenwirtschaft"])
def test_every_product_can_be_read_and_its_references_are_of_its_columns(name):
    product = load.named(name)

    pairs = list(product.gold())

    assert len(product.tables) >= 40
    assert len(pairs) >= 60
    for sides in pairs:
        for table, columns in sides:
            assert {c.name for c in product.tables[table].columns} >= set(columns)
    assert Path(load.__file__).with_name(f"{name}.txt").stat().st_size < 40_000
