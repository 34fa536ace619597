"""DDL of warehouses, of which most is read by sqlglot's dialect alone."""

import pytest

from tests.ddl_kit import columns, keys, read

SNOWFLAKE = """\
create or replace TRANSIENT TABLE SHOP.PUBLIC.CUSTOMER cluster by (ID) (
	ID NUMBER(38,0) NOT NULL autoincrement start 1 increment 1 noorder COMMENT 'Its number',
	"lower" VARCHAR(16777216) COLLATE 'en-ci',
	DOC VARIANT,
	MADE TIMESTAMP_NTZ(9) DEFAULT CURRENT_TIMESTAMP(),
	primary key (ID)
)COMMENT='Who buys';
create or replace TABLE SHOP.PUBLIC.ORDERS (
	ID NUMBER(38,0),
	CUSTOMER NUMBER(38,0) WITH MASKING POLICY hide,
	constraint FK foreign key (CUSTOMER) references SHOP.PUBLIC.CUSTOMER(ID)
);
create or replace view SHOP.PUBLIC.V(
	ID COMMENT 'an id',
	N
) COMMENT='A view' as select id, count(*) from shop.public.orders group by id;
CREATE OR REPLACE PROCEDURE "P"("A" FLOAT) RETURNS VARCHAR LANGUAGE JAVASCRIPT AS '
var a = 1; // it; is
';
"""


@pytest.mark.req("SCAN-15", part="Snowflake")
def test_ddl_of_snowflake_has_three_parts_in_names(tmp_path):
    found = read(tmp_path, "snowflake", SNOWFLAKE)

    customer = found.by_name["CUSTOMER"]
    assert found.unreadable == ()
    assert columns(customer) == [
        ("ID", "NUMBER(38,0)", "integer", False),
        ("lower", "VARCHAR(16777216)", "text", True),
        ("DOC", "VARIANT", "json", True),
        ("MADE", "TIMESTAMP_NTZ(9)", "timestamp", True),
    ]
    assert customer.columns[0].identity
    assert (customer.comment, customer.columns[0].comment) == ("Who buys", "Its number")
    assert keys(found.by_name["ORDERS"]) == [(("CUSTOMER",), "CUSTOMER", ("ID",), "ok")]
    view = found.by_name["V"]
    assert [(c.name, c.family, c.comment) for c in view.columns] == [
        ("ID", "integer", "an id"),
        ("N", "integer", None),
    ]
    assert view.comment == "A view"


@pytest.mark.parametrize(
    ("dialect", "ddl", "expected"),
    [
        pytest.param(
            "bigquery",
            "CREATE TABLE `p.d.t` (id INT64 NOT NULL OPTIONS(description='It''s'), a ARRAY<STRING>)"
            " PARTITION BY DATE(x) OPTIONS(description='T');",
            [("id", "INT64", "integer", False), ("a", "ARRAY<STRING>", "array", True)],
            id="BigQuery",
        ),
        pytest.param(
            "databricks",
            "CREATE TABLE main.d.t (id BIGINT NOT NULL COMMENT 'x', m MAP<STRING, INT>) USING delta"
            " TBLPROPERTIES ('a' = 'b');",
            [("id", "BIGINT", "integer", False), ("m", "MAP<STRING, INT>", "other", True)],
            id="Databricks",
        ),
        pytest.param(
            "clickhouse",
            "CREATE TABLE d.t (`id` UInt64, `s` LowCardinality(String) CODEC(ZSTD(1)))"
            " ENGINE = MergeTree ORDER BY id SETTINGS index_granularity = 8192;",
            [("id", "UInt64", "integer", False), ("s", "LowCardinality(String)", "text", False)],
            id="ClickHouse",
        ),
        pytest.param(
            "redshift",
            "CREATE TABLE t (id INTEGER NOT NULL ENCODE az64 DISTKEY, s VARCHAR(9) ENCODE lzo)"
            " DISTSTYLE KEY SORTKEY (id);",
            [("id", "INTEGER", "integer", False), ("s", "VARCHAR(9)", "text", True)],
            id="Redshift",
        ),
        pytest.param(
            "teradata",
            "CREATE MULTISET TABLE t, NO FALLBACK (id INTEGER NOT NULL, s VARCHAR(9) CHARACTER SET"
            " LATIN NOT CASESPECIFIC) PRIMARY INDEX (id);",
            [("id", "INTEGER", "integer", False), ("s", "VARCHAR(9)", "text", True)],
            id="Teradata",
        ),
    ],
)
def test_other_dialects_of_sqlglot_are_read_too(tmp_path, dialect, ddl, expected):
    found = read(tmp_path, dialect, ddl)

    assert found.unreadable == ()
    assert [columns(table) for table in found.tables] == [expected]
