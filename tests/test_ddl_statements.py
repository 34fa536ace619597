"""DDL files of any size: where statements end, what is passed over, how texts are encoded."""

import codecs
import tracemalloc

import pytest

from pipeline.database.ddl import catalog, files
from pipeline.database.ddl.lexing import Lexis
from pipeline.database.ddl.statements import Splitter
from pipeline.errors import SettingError, SourceError
from tests.ddl_kit import read


def heads(dialect, text):
    """Return the first words of the statements that are kept, and how many are passed over."""
    splitter = Splitter(Lexis(dialect), "x.sql")
    found = [
        (s.line, " ".join(s.text.split()[:3]))
        for s in splitter.split(text.splitlines(keepends=True))
    ]
    return found, dict(splitter.skipped)


@pytest.mark.parametrize(
    ("dialect", "text", "kept", "skipped"),
    [
        pytest.param("postgres", "CREATE TABLE a (x text DEFAULT ';');create table b (y int)",
                     [(1, "CREATE TABLE a"), (1, "create table b")], {}, id="quotes"),
        pytest.param("oracle", "-- a;\n/* b; /* */\nCREATE TABLE a ( -- ;'\n x int);",
                     [(3, "CREATE TABLE a")], {}, id="comments"),
        *(
            pytest.param(name, "/* n /* c */ ; */ CREATE TABLE a (x int);",
                         [(1, "CREATE TABLE a")], {}, id=f"nested comments of {name}")
            for name in ("postgres", "tsql", "duckdb")
        ),
        *(
            pytest.param(name, "/* n /* c */ CREATE TABLE a (x int);\nDROP TABLE a;",
                         [(1, "CREATE TABLE a"), (2, "DROP TABLE a")], {},
                         id=f"flat comments of {name}")
            for name in ("mysql", "oracle", "sqlite")
        ),
        pytest.param("postgres", "/* a\n/* b\n*/ ; DROP TABLE no;\n*/\nDROP TABLE a;",
                     [(5, "DROP TABLE a")], {}, id="nested comments of many lines"),
        *(
            pytest.param(name, "SELECT E'it\\'s; x', date'b\\', e'\n\\'; y';DROP TABLE a;",
                         [(2, "DROP TABLE a")], {"SELECT": 1}, id=f"announced escapes of {name}")
            for name in ("postgres", "duckdb")
        ),
        *(
            pytest.param("oracle", f"INSERT INTO a VALUES ({q}'{o}it's; {c}x\n; '{c}', 'q');\n"
                         "DROP TABLE a;", [(3, "DROP TABLE a")], {"INSERT": 1}, id=f"{q}{o}")
            for q in ("q", "Q", "nq")
            for o, c in ("[]", "{}", "()", "<>", "!!", "||", '""', "##")
        ),
        pytest.param("postgres", "CREATE TABLE a (x int);\nX; M 'b'; INSERT INTO a VALUES (1);",
                     [(1, "CREATE TABLE a")], {"other": 2, "INSERT": 1}, id="what is no SQL"),
        pytest.param("postgres", "\\connect x\nCOPY a FROM stdin;\nit's; C\n\\.\nDROP TABLE a;",
                     [(5, "DROP TABLE a")], {"COPY": 1}, id="psql and COPY"),
        pytest.param("postgres", "DO $x$ CREATE TABLE no; $x$;\nINSERT INTO a VALUES ('a\n;b');",
                     [], {"DO": 1, "INSERT": 1}, id="dollars"),
        pytest.param("mysql", "INSERT INTO a VALUES ('it\\'s;',\"b;\"); # c;\nDROP TABLE a;",
                     [(2, "DROP TABLE a")], {"INSERT": 1}, id="backslashes"),
        pytest.param("mysql", "DELIMITER //\nCREATE PROCEDURE p() BEGIN SELECT 1; END//\n"
                     "DELIMITER ;\nDROP TABLE a;",
                     [(2, "CREATE PROCEDURE p()"), (4, "DROP TABLE a")], {}, id="delimiters"),
        pytest.param("sqlite", "CREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT 1; END;"
                     " DROP TABLE a;",
                     [(1, "CREATE TRIGGER t"), (1, "DROP TABLE a")], {}, id="bodies"),
        pytest.param("tsql", "CREATE TABLE a (x int)\nCREATE TABLE [b;] (x int)\nGO\n"
                     "INSERT a VALUES (1)\nINSERT a VALUES (2)\nGO 5\n",
                     [(1, "CREATE TABLE a"), (2, "CREATE TABLE [b;]")], {"INSERT": 2},
                     id="batches"),
        pytest.param("oracle", "CREATE FUNCTION f IS a int; BEGIN NULL; END;\n/\nDROP TABLE a;",
                     [(1, "CREATE FUNCTION f"), (3, "DROP TABLE a")], {}, id="slashes"),
    ],
)  # fmt: skip
def test_where_statements_end(dialect, text, kept, skipped):
    assert heads(dialect, text) == (kept, skipped)


@pytest.mark.req("SCAN-15", part="huge dumps")
def test_data_is_passed_over_in_little_memory(tmp_path):
    row = "(1,'it\\'s; CREATE TABLE no (a int);','" + "x" * 100 + "')"
    insert = "INSERT INTO `a` VALUES " + ",".join([row] * 2_000) + ";\n"
    path = tmp_path / "dump.sql"
    with path.open("w", encoding="utf-8") as file:
        file.write("CREATE TABLE `a` (`id` int);\n")
        file.writelines(insert for _ in range(30))
        file.write("CREATE TABLE `b` (`id` int);\n")
    catalog.read([tmp_path / "dump.sql"], "mysql", "warm")

    tracemalloc.start()
    found = catalog.read([path], "mysql", "x")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert [t.name for t in found.tables] == ["a", "b"]
    assert found.notes == ("30 statements passed over that say nothing of structure: INSERT 30",)
    assert peak < path.stat().st_size / 4


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        pytest.param(b"", "utf-8", id="UTF-8"),
        pytest.param(codecs.BOM_UTF8, "utf-8", id="with a mark"),
        pytest.param(codecs.BOM_UTF16_LE, "utf-16-le", id="UTF-16"),
        pytest.param(codecs.BOM_UTF16_BE, "utf-16-be", id="the other UTF-16"),
    ],
)
def test_encodings_that_a_mark_tells(tmp_path, mark, encoding):
    path = tmp_path / "a.sql"
    path.write_bytes(mark + 'CREATE TABLE "Größe" (id int);\r\n'.encode(encoding))

    assert [t.name for t in catalog.read([path], "postgres", "x").tables] == ["Größe"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param("CREATE TABLE Größe (id int);".encode("latin-1"), "isn't UTF-8", id="latin-1"),
        pytest.param(b"PGDMP\x01\x0e", "pg_dump's own format", id="a custom dump"),
        pytest.param(b"\x1f\x8b\x08\x00", "compressed", id="gzip"),
        pytest.param(b"SQLite format 3\0", "a SQLite database", id="a database"),
        pytest.param(b"\x00\x01\x02" * 100, "zero bytes", id="binary"),
        pytest.param("CREATE".encode("utf-16-le"), "byte order mark", id="UTF-16 without a mark"),
    ],
)
def test_a_file_that_is_no_text_is_one_error(tmp_path, content, said):
    path = tmp_path / "a.sql"
    path.write_bytes(content)

    with pytest.raises(SourceError) as caught:
        catalog.read([path], "postgres", "x")

    assert "a.sql" in caught.value.problem
    assert said in str(caught.value)


@pytest.mark.req("SCAN-15")
def test_binary_data_among_the_rows_of_a_dump_is_passed_over(tmp_path):
    path = tmp_path / "dump.sql"
    path.write_bytes(
        b"CREATE TABLE `file` (`id` int NOT NULL, `pic` blob, PRIMARY KEY (`id`));\n"
        b"INSERT INTO `file` VALUES\n(1,'\x89PNG\r\xff\\'\xfe;\nCREATE TABLE z'),\n"
        b"(2,_binary '\xc3');\n"
        b"CREATE TABLE `next` (`id` int);\n"
    )

    found = catalog.read([path], "mysql", "x")

    assert [table.name for table in found.tables] == ["file", "next"]
    assert not found.unreadable


@pytest.mark.parametrize("before", [0, 1, 5_000])
def test_bytes_that_are_no_utf8_are_told_by_their_line(tmp_path, before):
    path = tmp_path / "a.sql"
    path.write_bytes(b"-- one\n" * before + "CREATE TABLE Größe (id int);\n".encode("latin-1"))

    with pytest.raises(SourceError, match=f"as line {before + 1} shows"):
        catalog.read([path], "postgres", "x")


@pytest.mark.parametrize(
    "content",
    [
        pytest.param("", id="empty"),
        pytest.param("Dear Ann,\nit's about the tables; please call.\n", id="a letter"),
        pytest.param("id,name\n1,Ann\n", id="a CSV file"),
        pytest.param("INSERT INTO a VALUES (1);", id="data alone"),
    ],
)
def test_files_that_create_nothing_are_one_error(tmp_path, content):
    with pytest.raises(SettingError, match="creates a table"):
        read(tmp_path, "postgres", content)


def test_a_quote_that_nothing_closes_is_named_with_its_line(tmp_path):
    found = read(tmp_path, "postgres", "CREATE TABLE a (id int);\nINSERT INTO a VALUES ('x);\n")

    assert [t.name for t in found.tables] == ["a"]
    assert [(u.kind, u.problem) for u in found.unreadable] == [
        ("file", "001.sql:2: what is quoted there never ends")
    ]


def test_an_unknown_dialect_is_told_which_there_are():
    with pytest.raises(SettingError) as caught:
        Lexis("postgress")

    assert "did you mean postgres?" in caught.value.fix


def test_globs_are_relative_to_the_folder_and_give_each_file_once(tmp_path):
    (tmp_path / "ddl" / "more").mkdir(parents=True)
    for name in ("ddl/2.sql", "ddl/10.sql", "ddl/more/1.sql", "ddl/notes.txt"):
        (tmp_path / name).write_text("x", encoding="utf-8")

    found = files.matching(["ddl/**/*.sql", "ddl/*.sql", str(tmp_path / "ddl/2.sql")], tmp_path)

    assert [p.relative_to(tmp_path).as_posix() for p in found] == [
        "ddl/10.sql",
        "ddl/2.sql",
        "ddl/more/1.sql",
    ]
