"""What must hold of kb/demo: its generated database, people's files and evaluation questions."""

import re
import sqlite3
import time
from contextlib import closing
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from sqlglot import exp, parse_one

from evals.yaml_files import read_yaml

ROOT = Path(__file__).resolve().parents[1]
DEMO = ROOT / "kb" / "demo"


SEMANTIC = read_yaml(DEMO / "semantic.yaml")
GRAPH = read_yaml(DEMO / "knowledge_graph.yaml")
QUESTIONS = read_yaml(ROOT / "evals" / "demo" / "questions.yaml")
STATEMENTS = [
    pytest.param(
        item["sql"], id=f"{kind}: {item.get('term') or item.get('name') or item['question']}"
    )
    for kind in ("glossary", "metrics", "examples")
    for item in SEMANTIC[kind]
    if "sql" in item
]


@pytest.fixture(scope="module")
def generate():
    spec = spec_from_file_location("demo_generate", DEMO / "generate.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def source_file(generate, tmp_path_factory):
    path = tmp_path_factory.mktemp("demo") / "source.sqlite"
    generate.build(path)
    return path


@pytest.fixture(scope="module")
def source(source_file):
    with closing(sqlite3.connect(f"file:{source_file}?mode=ro", uri=True)) as connection:
        yield connection


@pytest.fixture(scope="module")
def columns(source):
    """Each table's and view's columns."""
    names = source.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")
    return {
        name: [row[1] for row in source.execute(f"PRAGMA table_info({name})")]
        for (name,) in names.fetchall()
    }


def one(source, sql):
    return source.execute(sql).fetchone()[0]


def count(source, table):
    return one(source, f"SELECT COUNT(*) FROM {table}")


def tables_of(sql):
    tree = parse_one(sql, dialect="sqlite")
    named_here = {cte.alias for cte in tree.find_all(exp.CTE)}
    return sorted({table.name for table in tree.find_all(exp.Table)} - named_here)


# ── The generator ──


def test_a_second_build_replaces_the_old_file_by_the_same_bytes_and_leaves_nothing_beside_it(
    generate, source_file, tmp_path
):
    out = tmp_path / "source.sqlite"
    out.write_text("not a database", encoding="utf-8")

    generate.build(out)

    assert out.read_bytes() == source_file.read_bytes()
    assert list(tmp_path.iterdir()) == [out]


def test_every_foreign_key_holds(source):
    broken = source.execute("PRAGMA foreign_key_check").fetchall()

    assert broken == []


def test_the_source_has_about_sixty_thousand_rows_in_twenty_nine_tables(source):
    names = source.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()

    rows = sum(count(source, name) for (name,) in names)

    assert len(names) == 29
    assert 55_000 <= rows <= 70_000


# ── What makes it hard ──

# Each counts rows, and must find some.
TRAITS = {
    "some go elsewhere than the bill": "sales_order WHERE bill_to_address_id <> ship_to_address_id",
    "most go where the bill goes": "sales_order WHERE bill_to_address_id = ship_to_address_id",
    "codes are padded": "country WHERE region_code = 'EU  '",
    "short codes are padded": "shipment WHERE carrier_code = 'H   '",
    "open periods end in the year 9999": "product_price WHERE valid_to = '9999-12-31'",
    "some employees have left": "employee WHERE left_on < '9999-12-31'",
    "some customers are soft-deleted": "customer WHERE deleted_at IS NOT NULL",
    "orphaned notes": "legacy_crm_notes WHERE cust_no NOT IN (SELECT cust_no FROM customer)",
    "local time differs from UTC": "sales_order WHERE ordered_at_local <> ordered_at_utc",
}


@pytest.mark.parametrize("trait", TRAITS.values(), ids=TRAITS.keys())
def test_the_source_holds_a_trait_of_real_databases(source, trait):
    assert count(source, trait) > 0


@pytest.mark.parametrize(
    ("kind", "table", "key"),
    [
        pytest.param("S", "sales_order", "order_id", id="sales"),
        pytest.param("P", "purchase_order", "po_id", id="purchases"),
        pytest.param("T", "stock_transfer", "transfer_id", id="transfers"),
    ],
)
def test_a_movements_reference_is_told_apart_by_its_type_only(source, kind, table, key):
    unmatched = one(
        source,
        f"SELECT COUNT(*) FROM inv_mvmt WHERE mvmt_type = '{kind}' "
        f"AND reference_id NOT IN (SELECT {key} FROM {table})",
    )
    of_other_types = one(
        source,
        f"SELECT COUNT(*) FROM inv_mvmt WHERE mvmt_type <> '{kind}' "
        f"AND reference_id IN (SELECT {key} FROM {table})",
    )

    assert unmatched == 0
    assert of_other_types > 100


@pytest.mark.parametrize(
    ("table", "column", "distinct"),
    [
        pytest.param("sales_order", "legacy_ref", 0, id="legacy_ref is always null"),
        pytest.param("address", "line3", 0, id="line3 is always null"),
        pytest.param("sales_order", "currency_code", 1, id="the currency is always the same"),
    ],
)
def test_a_column_without_information_is_there(source, table, column, distinct):
    found = one(source, f"SELECT COUNT(DISTINCT {column}) FROM {table}")

    assert found == distinct


def test_one_table_was_never_used(source):
    assert count(source, "gift_voucher") == 0


def test_every_mail_address_is_in_a_reserved_domain(source):
    mails = source.execute(
        "SELECT email FROM customer UNION SELECT work_email FROM employee "
        "UNION SELECT contact_email FROM supplier UNION SELECT email FROM customer_bak_2023"
    ).fetchall()

    real = [
        mail for (mail,) in mails if not re.search(r"@(example\.(com|org|net)|.+\.test)$", mail)
    ]

    assert real == []


# ── Rules of the business ──

# Each counts violations.
RULES = {
    "an order's goods are the sum of its lines": """
        SELECT COUNT(*) FROM sales_order AS o WHERE goods_cents <> (SELECT SUM(line_total_cents)
        FROM sales_order_line AS l WHERE l.order_id = o.order_id)""",
    "delivered means that every parcel has arrived": """
        SELECT COUNT(*) FROM sales_order AS o WHERE (order_status = 5) <> (EXISTS (SELECT 1 FROM
        shipment AS s WHERE s.order_id = o.order_id) AND NOT EXISTS (SELECT 1 FROM
        sales_order_line AS l LEFT JOIN shipment AS s USING (shipment_id) WHERE l.order_id =
        o.order_id AND s.shipment_status IS NOT 'D'))""",
    "only cancelled orders have a time of cancellation": """
        SELECT COUNT(*) FROM sales_order WHERE (order_status = 9) <> (cancelled_at_utc IS NOT
        NULL)""",
    "nothing is shipped before it is ordered and confirmed": """
        SELECT COUNT(*) FROM shipment AS s JOIN sales_order AS o USING (order_id) WHERE
        o.order_status IN (1, 2, 9) OR s.shipped_at_utc < o.ordered_at_utc""",
    "a line travels in a parcel of its own order": """
        SELECT COUNT(*) FROM sales_order_line AS l JOIN shipment AS s USING (shipment_id) WHERE
        s.order_id <> l.order_id""",
    "shops, and only shops, buy on invoice": """
        SELECT COUNT(*) FROM payment AS p JOIN sales_order AS o USING (order_id) JOIN customer
        AS c USING (customer_id) WHERE (p.method_code = 'IN') <> (c.customer_type = 'B')""",
    "only what was shipped can come back": """
        SELECT COUNT(*) FROM return_item AS r JOIN sales_order_line AS l ON l.order_id =
        r.order_id AND l.line_no = r.line_no WHERE r.qty > l.qty OR l.line_status <> 'S'""",
    "refunds paid are refunds granted": """
        SELECT ABS((SELECT SUM(refund_cents) FROM return_item) - (SELECT SUM(amount_cents) FROM
        payment WHERE payment_status = 'R'))""",
    "a line's price is the list price of its day": """
        SELECT COUNT(*) FROM sales_order_line AS l JOIN sales_order AS o USING (order_id) JOIN
        customer AS c USING (customer_id) LEFT JOIN product_price AS p ON p.product_id =
        l.product_id AND date(o.ordered_at_utc) BETWEEN valid_from AND valid_to AND p.price_list
        = CASE c.customer_type WHEN 'P' THEN 'R' ELSE 'W' END WHERE p.price_cents IS NOT
        l.unit_price_cents""",
    "stock is the sum of its movements": """
        SELECT COUNT(*) FROM stock_level AS s WHERE on_hand <> (SELECT SUM(qty_delta) FROM
        inv_mvmt AS m WHERE m.whs_id = s.whs_id AND m.product_id = s.product_id)""",
    "stock never falls below zero": """
        SELECT COUNT(*) FROM (SELECT SUM(qty_delta) OVER (PARTITION BY whs_id, product_id ORDER
        BY moved_at_utc, mvmt_id) AS stock FROM inv_mvmt) WHERE stock < 0""",
    "phone_orders counts the orders by telephone": """
        SELECT COUNT(*) FROM customer AS c WHERE phone_orders <> (SELECT COUNT(*) FROM
        sales_order AS o WHERE o.customer_id = c.customer_id AND channel_code = 'TEL')""",
    "customers order while their account is open": """
        SELECT COUNT(*) FROM sales_order AS o JOIN customer AS c USING (customer_id) WHERE
        o.ordered_at_utc > c.deleted_at OR o.ordered_at_utc < c.created_at""",
}


@pytest.mark.parametrize("violations", RULES.values(), ids=RULES.keys())
def test_the_data_keeps_a_rule_of_the_business(source, violations):
    assert one(source, violations) == 0


# ── People's files ──


def test_semantic_names_only_tables_and_columns_that_exist(columns):
    unknown = [
        f"{table}.{column}"
        for table, told in SEMANTIC["tables"].items()
        for column in told["columns"]
        if column not in columns.get(table, [])
    ]

    assert unknown == []


def test_semantic_describes_every_table_and_every_column_but_housekeeping(columns):
    housekeeping = set(SEMANTIC["database"]["housekeeping_columns"])
    told = SEMANTIC["tables"]

    silent = [
        f"{table}.{column}"
        for table, names in columns.items()
        for column in names
        if column not in housekeeping and column not in told.get(table, {}).get("columns", {})
    ]

    assert silent == []


def test_semantic_explains_exactly_the_codes_in_the_data(source):
    stated, stored = {}, {}
    for table, told in SEMANTIC["tables"].items():
        for column, about in told["columns"].items():
            if isinstance(about, dict) and "values" in about:
                sql = f"SELECT DISTINCT {column} FROM {table} WHERE {column} IS NOT NULL"
                stored[table, column] = {str(value) for (value,) in source.execute(sql)}
                stated[table, column] = set(about["values"])

    assert stated == stored


def test_semantic_puts_every_table_into_a_domain_that_is_described():
    domains = {told["domain"] for told in SEMANTIC["tables"].values()}

    assert domains == set(SEMANTIC["domains"])


@pytest.mark.parametrize("sql", STATEMENTS)
def test_sql_of_the_semantic_layer_runs_and_finds_something(source, columns, sql):
    rows = source.execute(sql).fetchall()

    assert rows
    assert set(tables_of(sql)) <= set(columns)


def test_glossary_names_the_tables_of_its_sql():
    wrong = [
        term["term"]
        for term in SEMANTIC["glossary"]
        if "sql" in term and tables_of(term["sql"]) != term["tables"]
    ]

    assert wrong == []


def test_relationships_join_columns_that_exist(columns):
    ends = [
        end
        for link in SEMANTIC["relationships"]
        for side in (link["from"], link["to"])
        for end in ([side] if isinstance(side, str) else side)
    ]

    unknown = [end for end in ends if end.split(".")[1] not in columns.get(end.split(".")[0], [])]

    assert unknown == []


def test_entities_map_to_tables_columns_and_filters_that_find_rows(source, columns):
    empty, unknown = [], []
    for entity in GRAPH["entities"]:
        table = entity["table"]
        named = [*entity.get("key", []), *entity.get("attributes", [])]
        named += [entity["label"]] if "label" in entity else []
        unknown += [f"{entity['name']}: {name}" for name in named if name not in columns[table]]
        if not one(source, f"SELECT COUNT(*) FROM {table} WHERE {entity.get('filter', '1 = 1')}"):
            empty.append(entity["name"])

    assert (unknown, empty) == ([], [])


def test_relations_join_entities_that_are_defined_by_columns_that_exist(columns):
    entities = {entity["name"] for entity in GRAPH["entities"]}
    used, picked = set(), []
    for relation in GRAPH["relations"]:
        targets = relation.get("polymorphic", {}).get("targets", [])
        used |= {relation["subject"], *(target["object"] for target in targets)}
        used |= {relation["object"]} if "object" in relation else set()
        picked += relation.get("via", [])

    unknown = [name for name in picked if name.split(".")[1] not in columns[name.split(".")[0]]]

    assert used <= entities
    assert unknown == []
    assert 15 <= len(GRAPH["entities"]) <= 25
    assert 15 <= len(GRAPH["relations"]) <= 25


# ── Evaluation questions ──


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in QUESTIONS])
def test_gold_sql_answers_its_question_quickly_from_the_tables_it_declares(source, case):
    started = time.perf_counter()
    rows = source.execute(case["sql"]).fetchall()
    seconds = time.perf_counter() - started

    assert any(value is not None for row in rows for value in row)
    assert seconds < 1
    assert tables_of(case["sql"]) == case["tables"]


def test_a_question_marked_unnamed_names_no_table_and_no_column(columns):
    names = {*columns, *(name for table in columns.values() for name in table)}
    words = {name.replace("_", " ") for name in names}
    forms = {form for word in words for form in (word, f"{word}s", f"{word[:-1]}ies")}

    naming = [
        (case["id"], form)
        for case in QUESTIONS
        if "unnamed" in case["needs"]
        for form in sorted(forms)
        if re.search(rf"\b{re.escape(form)}\b", case["question"].lower())
    ]

    assert naming == []
