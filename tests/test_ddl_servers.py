"""DDL as the tools of database servers write it."""

import pytest

from schemas.models import Check, Index, Key
from tests.ddl_kit import columns, keys, read

SQL_SERVER = """\
USE [Shop]
GO
SET ANSI_NULLS ON
GO
IF NOT EXISTS (SELECT * FROM sys.schemas WHERE name = N'sales')
EXEC('CREATE SCHEMA [sales]')
GO
CREATE TYPE [dbo].[Name] FROM [nvarchar](50) NULL
GO
CREATE TABLE [dbo].[Customer](
	[CustomerID] [int] IDENTITY(1,1) NOT FOR REPLICATION NOT NULL,
	[Name] [dbo].[Name] NOT NULL,
	[Odd ]] name] [nvarchar](max) COLLATE Latin1_General_CI_AS NULL,
	[FullName]  AS (([Name]+' ')+isnull([Odd ]] name],'')) PERSISTED,
	[rowguid] [uniqueidentifier] ROWGUIDCOL  NOT NULL CONSTRAINT [DF_guid] DEFAULT (newid()),
	[Version] [timestamp] NOT NULL,
 CONSTRAINT [PK_Customer] PRIMARY KEY CLUSTERED
(
	[CustomerID] ASC
)WITH (PAD_INDEX = OFF, STATISTICS_NORECOMPUTE = OFF) ON [PRIMARY]
) ON [PRIMARY] TEXTIMAGE_ON [PRIMARY]
GO
CREATE TABLE [sales].[Order](
	[OrderID] [bigint] NOT NULL,
	[CustomerID] [int] NOT NULL,
	[Total] [money] NOT NULL,
	[Status] [tinyint] NOT NULL
) ON [PRIMARY]
CREATE UNIQUE NONCLUSTERED INDEX [AK_Order] ON [sales].[Order]
(
	[OrderID] ASC,
	[Status] DESC
)
INCLUDE ([Total]) WHERE ([Status]>(0)) WITH (ONLINE = OFF)
GO
INSERT [dbo].[Customer] ([Name]) VALUES (N'it''s; CREATE TABLE no (a int)')
INSERT [dbo].[Customer] ([Name]) VALUES (N'two')
GO
CREATE VIEW [sales].[vOrder]
AS
SELECT o.OrderID, c.[Name] AS Customer FROM sales.[Order] o
JOIN dbo.Customer c ON c.CustomerID = o.CustomerID;
GO
CREATE PROCEDURE [dbo].[AddOrder] @id int, @total money = 0
AS
BEGIN
	INSERT INTO sales.[Order] (OrderID) VALUES (@id);
	SELECT 1;
END
GO
ALTER TABLE [sales].[Order] ADD  CONSTRAINT [DF_Status]  DEFAULT ((1)) FOR [Status]
GO
ALTER TABLE [sales].[Order]  WITH CHECK ADD  CONSTRAINT [FK_Order] FOREIGN KEY([CustomerID])
REFERENCES [dbo].[Customer] ([CustomerID])
ON DELETE CASCADE
GO
ALTER TABLE [sales].[Order] CHECK CONSTRAINT [FK_Order]
GO
ALTER TABLE [sales].[Order]  WITH CHECK ADD  CONSTRAINT [CK_Total] CHECK  (([Total]>=(0.00)))
GO
EXEC sys.sp_addextendedproperty @name=N'MS_Description', @value=N'Who buys; isn''t a shop.' ,
 @level0type=N'SCHEMA',@level0name=N'dbo', @level1type=N'TABLE',@level1name=N'Customer'
GO
EXECUTE sp_addextendedproperty N'MS_Description', N'What it costs.', N'SCHEMA', N'sales', N'TABLE',
 N'Order', N'COLUMN', N'Total'
GO
"""


@pytest.mark.req("SCAN-15", part="SQL Server")
def test_scripts_of_sql_server_have_batches_brackets_and_extended_properties(tmp_path):
    found = read(tmp_path, "tsql", SQL_SERVER)

    customer, order = found.by_name["Customer"], found.by_name["sales.Order"]
    assert found.unreadable == ()
    assert set(found.by_name) == {"Customer", "sales.Order", "sales.vOrder"}
    assert columns(customer) == [
        ("CustomerID", "int", "integer", False),
        ("Name", "Name", "text", False),
        ("Odd ] name", "nvarchar(max)", "text", True),
        ("FullName", "", "other", True),
        ("rowguid", "uniqueidentifier", "uuid", False),
        ("Version", "timestamp", "binary", False),
    ]
    assert customer.columns[0].identity
    assert customer.columns[3].generated == "stored"
    assert customer.columns[4].default == "(newid())"
    assert customer.primary_key == Key(("CustomerID",), "PK_Customer")
    assert customer.comment == "Who buys; isn't a shop."
    assert order.column("Status").default == "((1))"
    assert order.column("Total").comment == "What it costs."
    assert order.checks == (Check("[Total]>=(0.00)", "CK_Total"),)
    assert order.indexes == (
        Index("AK_Order", ("OrderID", "Status"), unique=True, where="([Status]>(0))"),
    )
    assert keys(order) == [(("CustomerID",), "Customer", ("CustomerID",), "ok")]
    assert columns(found.by_name["sales.vOrder"]) == [
        ("OrderID", "bigint", "integer", True),
        ("Customer", "Name", "text", True),
    ]
    assert [(r.name, r.kind, r.arguments) for r in found.routines] == [
        ("AddOrder", "procedure", "@id int, @total money = 0")
    ]


MYSQL = """\
-- MySQL dump 10.13
/*M!999999\\- enable the sandbox mode */
/*!40101 SET NAMES utf8mb4 */;
CREATE TABLE `customer` (
  `id` int(10) unsigned NOT NULL AUTO_INCREMENT,
  `kind` enum('shop','it''s; a','c\\'d') NOT NULL DEFAULT 'shop' COMMENT 'What it is; a code',
  `is_new` tinyint(1) DEFAULT NULL,
  `doc` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL CHECK (json_valid(`doc`)),
  `made` timestamp NOT NULL DEFAULT current_timestamp() ON UPDATE current_timestamp(),
  `total` decimal(10,2) GENERATED ALWAYS AS (`id` * 2) STORED,
  PRIMARY KEY (`id`),
  UNIQUE KEY `by_kind` (`kind`,`is_new`),
  KEY `docs` (`doc`(10),`made` DESC),
  FULLTEXT KEY `words` (`doc`)
) ENGINE=InnoDB AUTO_INCREMENT=7 DEFAULT CHARSET=utf8mb4 COMMENT='Who buys';
INSERT INTO `customer` VALUES (1,'a;b','it\\'s'),(2,'CREATE TABLE no (a int);','');
CREATE TABLE `orders` (
  `id` bigint(20) NOT NULL,
  `customer_id` int(10) unsigned DEFAULT NULL,
  PRIMARY KEY (`id`),
  KEY `of` (`customer_id`),
  CONSTRAINT `fk` FOREIGN KEY (`customer_id`) REFERENCES `customer` (`id`) ON DELETE SET NULL
) ENGINE=MyISAM
/*!50100 PARTITION BY RANGE (`id`)
(PARTITION p0 VALUES LESS THAN (10) ENGINE = MyISAM,
 PARTITION p1 VALUES LESS THAN MAXVALUE ENGINE = MyISAM) */;
/*!50001 CREATE VIEW `v` AS SELECT 1 AS `id`, 1 AS `n` */;
DELIMITER ;;
/*!50003 CREATE*/ /*!50017 DEFINER=`root`@`localhost`*/ /*!50003 TRIGGER `stamp` BEFORE INSERT ON
 `orders` FOR EACH ROW BEGIN SET NEW.id = 1; SET NEW.id = 2; END */;;
CREATE DEFINER=`root`@`localhost` PROCEDURE `tidy`(IN days INT)
BEGIN
  IF days > 1 THEN DELETE FROM orders; END IF;
END ;;
DELIMITER ;
/*!50001 DROP VIEW IF EXISTS `v`*/;
/*!50001 CREATE ALGORITHM=UNDEFINED */
/*!50013 DEFINER=`root`@`localhost` SQL SECURITY DEFINER */
/*!50001 VIEW `v` AS select `o`.`id` AS `id`,count(0) AS `n` from `orders` `o` group by `o`.`id` */;
"""


@pytest.mark.req("SCAN-15", part="MySQL")
def test_dumps_of_mysql_have_executable_comments_and_delimiters(tmp_path):
    found = read(tmp_path, "mysql", MYSQL)

    customer, orders, view = (found.by_name[name] for name in ("customer", "orders", "v"))
    assert found.unreadable == ()
    assert columns(customer) == [
        ("id", "int(10) unsigned", "integer", False),
        ("kind", "enum('shop','it''s; a','c\\'d')", "enum", False),
        ("is_new", "tinyint(1)", "boolean", True),
        ("doc", "longtext", "json", True),
        ("made", "timestamp", "timestamp", False),
        ("total", "decimal(10,2)", "decimal", True),
    ]
    assert customer.columns[0].identity
    assert customer.columns[1].enum_members == ("shop", "it's; a", "c'd")
    assert customer.columns[1].comment == "What it is; a code"
    assert customer.columns[4].default == "current_timestamp()"
    assert customer.columns[5].expression == "`id` * 2"
    assert customer.comment == "Who buys"
    assert customer.unique == (Key(("kind", "is_new"), "by_kind"),)
    assert customer.indexes == (Index("docs", ("doc(10)", "made DESC")), Index("words", ("doc",)))
    assert orders.partitions == 2
    assert orders.column("customer_id").nullable
    assert keys(orders) == [(("customer_id",), "customer", ("id",), "ok")]
    assert [(c.name, c.family) for c in view.columns] == [("id", "integer"), ("n", "integer")]
    assert [(r.name, r.kind, r.arguments, r.table) for r in found.routines] == [
        ("tidy", "procedure", "IN days INT", None),
        ("stamp", "trigger", "BEFORE INSERT", "orders"),
    ]


POSTGRES = """\
\\restrict abc
SET search_path = '';
CREATE TYPE public.mood AS ENUM ('sad', 'ok');
CREATE DOMAIN public.code AS character varying(5) NOT NULL DEFAULT 'x'
	CONSTRAINT short CHECK ((length((VALUE)::text) < 5));
CREATE FUNCTION public.total(a integer, b text DEFAULT ';'::text) RETURNS numeric
    LANGUAGE plpgsql
    AS $_$ BEGIN; CREATE TABLE no (a int); RETURN 'it''s'; END; $_$;
COMMENT ON FUNCTION public.total(a integer, b text) IS 'Adds up';
CREATE TABLE public.person (
    id integer NOT NULL,
    "Full Name" text COLLATE "C" DEFAULT 'a;b'::text,
    mood public.mood DEFAULT 'ok'::public.mood,
    code public.code,
    tags text[] DEFAULT '{}'::text[] NOT NULL,
    state text,
    twice integer GENERATED ALWAYS AS ((id * 2)) STORED,
    at timestamp with time zone DEFAULT now(),
    CONSTRAINT states CHECK (((state)::text = ANY ((ARRAY['a'::character varying])::text[]))),
    EXCLUDE USING gist (at WITH =)
);
ALTER TABLE public.person ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.person_id_seq START WITH 1
);
COPY public.person (id, "Full Name") FROM stdin;
1	it's; CREATE TABLE no (a int);
\\.
CREATE TABLE public.child (extra bit varying(4)) INHERITS (public.person);
CREATE TABLE log (at date NOT NULL, n int) PARTITION BY RANGE (at);
CREATE TABLE log_1 PARTITION OF log FOR VALUES FROM ('2025-01-01') TO ('2026-01-01');
CREATE TABLE log_2 (at date NOT NULL, n int);
ALTER TABLE ONLY log ATTACH PARTITION log_2 DEFAULT;
ALTER TABLE ONLY public.person ADD CONSTRAINT person_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX by_name ON public.person USING btree (lower("Full Name"), id DESC)
 WHERE (id > 0);
CREATE MATERIALIZED VIEW public.moods AS
 SELECT p.mood, count(*) AS n FROM public.person p GROUP BY p.mood
  WITH NO DATA;
CREATE TRIGGER touch BEFORE INSERT OR UPDATE OF at ON public.person FOR EACH ROW
 EXECUTE FUNCTION public.total();
COMMENT ON COLUMN public.person."Full Name" IS E'First\\nand last';
COMMENT ON TABLE public.person IS 'People''s table';
GRANT SELECT ON public.person TO reader;
"""


@pytest.mark.req("SCAN-15", part="PostgreSQL")
def test_dumps_of_postgresql_have_types_copy_data_and_later_constraints(tmp_path):
    found = read(tmp_path, "postgres", POSTGRES)

    person = found.by_name["person"]
    assert found.unreadable == ()
    assert set(found.by_name) == {"person", "child", "log", "moods"}
    assert columns(person) == [
        ("id", "integer", "integer", False),
        ("Full Name", "text", "text", True),
        ("mood", "mood", "enum", True),
        ("code", "code", "text", False),
        ("tags", "text[]", "array", False),
        ("state", "text", "text", True),
        ("twice", "integer", "integer", True),
        ("at", "timestamp with time zone", "timestamp", True),
    ]
    assert person.columns[0].identity
    assert person.columns[1].default == "'a;b'::text"
    assert person.columns[1].comment == "First\nand last"
    assert person.columns[2].enum_members == ("sad", "ok")
    assert person.columns[2].default == "'ok'::mood"
    assert person.columns[3].default == "'x'"
    assert person.columns[5].enum_members == ("a",)
    assert person.columns[6].expression == "(id * 2)"
    assert Check("length((code)::text) < 5", "short") in person.checks
    assert person.primary_key == Key(("id",), "person_pkey")
    assert person.indexes == (
        Index("by_name", ('lower("Full Name")', "id"), unique=True, where="id > 0"),
    )
    assert person.comment == "People's table"
    assert [c.name for c in found.by_name["child"].columns][-2:] == ["at", "extra"]
    assert found.by_name["log"].partitions == 2
    assert found.by_name["moods"].kind == "materialized_view"
    assert columns(found.by_name["moods"])[0] == ("mood", "mood", "enum", True)
    assert [(r.name, r.kind, r.arguments, r.returns, r.comment) for r in found.routines] == [
        ("total", "function", "a integer, b text DEFAULT ';'::text", "numeric", "Adds up"),
        ("touch", "trigger", "BEFORE INSERT OR UPDATE OF at", None, None),
    ]


ORACLE = """\
SET DEFINE OFF
PROMPT making tables
CREATE TABLE hr.employees (
  employee_id NUMBER(6) GENERATED BY DEFAULT ON NULL AS IDENTITY,
  last_name VARCHAR2(25 BYTE) CONSTRAINT emp_last_name_nn NOT NULL ENABLE,
  "Mixed" DATE DEFAULT SYSDATE,
  salary NUMBER(8,2),
  manager_id NUMBER(6),
  yearly AS (salary * 12),
  CONSTRAINT emp_pk PRIMARY KEY (employee_id) USING INDEX TABLESPACE users ENABLE,
  CONSTRAINT emp_manager FOREIGN KEY (manager_id) REFERENCES hr.employees (employee_id) ENABLE
) SEGMENT CREATION IMMEDIATE PCTFREE 10 STORAGE (INITIAL 65536 NEXT 1048576) TABLESPACE "USERS";
COMMENT ON COLUMN hr.employees.salary IS 'Monthly; gross';
CREATE OR REPLACE PROCEDURE hr.raise_all (by_how_much IN NUMBER) IS
  n NUMBER;
BEGIN
  UPDATE employees SET salary = salary + by_how_much;
END raise_all;
/
ALTER TABLE hr.employees MODIFY (salary NOT NULL);
ALTER TABLE hr.employees ADD (email VARCHAR2(50), phone VARCHAR2(20) DEFAULT '0');
CREATE UNIQUE INDEX hr.emp_email_ix ON hr.employees (email) TABLESPACE users;
CREATE OR REPLACE FORCE EDITIONABLE VIEW hr.names ("LAST_NAME", "N") AS
  SELECT e.last_name, 1 FROM hr.employees e WITH READ ONLY;
"""


@pytest.mark.req("SCAN-15", part="Oracle")
def test_scripts_of_oracle_fold_to_capitals_and_end_routines_with_a_slash(tmp_path):
    found = read(tmp_path, "oracle", ORACLE)

    table = found.by_name["EMPLOYEES"]
    assert found.unreadable == ()
    assert (found.default_schema, table.object_name) == ("HR", "EMPLOYEES")
    assert columns(table) == [
        ("EMPLOYEE_ID", "NUMBER(6)", "integer", False),
        ("LAST_NAME", "VARCHAR2(25 BYTE)", "text", False),
        ("Mixed", "DATE", "date", True),
        ("SALARY", "NUMBER(8,2)", "decimal", False),
        ("MANAGER_ID", "NUMBER(6)", "integer", True),
        ("YEARLY", "", "other", True),
        ("EMAIL", "VARCHAR2(50)", "text", True),
        ("PHONE", "VARCHAR2(20)", "text", True),
    ]
    assert table.column("SALARY").comment == "Monthly; gross"
    assert table.column("PHONE").default == "'0'"
    assert keys(table) == [(("MANAGER_ID",), "EMPLOYEES", ("EMPLOYEE_ID",), "ok")]
    assert table.indexes[0].columns == ("EMAIL",)
    assert [c.name for c in found.by_name["NAMES"].columns] == ["LAST_NAME", "N"]
    assert [(r.name, r.kind) for r in found.routines] == [("RAISE_ALL", "procedure")]


@pytest.mark.req("SCAN-15")
def test_composite_types_are_spelled_with_their_fields(tmp_path):
    found = read(
        tmp_path,
        "postgres",
        'CREATE TYPE addr AS (street text, "Zip Code" character /* as is */ varying(10));'
        "CREATE TYPE who AS (name text, homes addr[]);"
        "CREATE DOMAIN place AS public.addr;"
        "CREATE TABLE emp (id integer, home addr, w who, ps place[]);",
    )

    fields = 'ROW(street text, "Zip Code" character varying(10))'
    assert [column.native_type for column in found.tables[0].columns] == [
        "integer",
        f"addr {fields}",
        f"who ROW(name text, homes {fields}[])",
        f"place[] {fields}[]",
    ]
