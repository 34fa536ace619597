"""What can't be used in people's files is refused with the place and the remedy."""

import pytest

from pipeline.authored import (
    load_knowledge_graph,
    load_semantic,
    load_settings,
    read_evaluation,
)
from pipeline.errors import SettingError


@pytest.fixture
def write(tmp_path):
    def write(text, name="semantic.yaml"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


REFUSED = [
    pytest.param(
        "tables: {orders: {started_at: {description: x}}}",
        "tables.orders: unknown key `started_at`",
        "`started_at` is a column: put it under `columns:`",
        id="column one level too high",
    ),
    pytest.param(
        "tables: {orders: {started_at: When.}}",
        "tables.orders: unknown key `started_at`",
        "; if it is a column, put it under `columns:`",
        id="text of a column one level too high",
    ),
    pytest.param(
        "tables: {orders: {colums: {id: x}}}", "`colums`", "did you mean columns?", id="columns"
    ),
    pytest.param(
        "metrics: [{name: m, query: SELECT 1 FROM t}]",
        "metrics[1]: unknown key `query`",
        "did you mean sql?",
        id="SQL under another key",
    ),
    pytest.param(
        "examples: [{sql: SELECT 1, ask: x}]",
        "examples[1]: unknown key `ask`",
        "; `question` is missing",
        id="what is missing",
    ),
    pytest.param(
        "tables:\n  orders:\n    descripton: x\n",
        "semantic.yaml:3:5: tables.orders: unknown key `descripton`",
        "did you mean description?",
        id="misspelt key",
    ),
    pytest.param(
        "metric: []\n", ":1:1: unknown key `metric`", "did you mean metrics?", id="top-level key"
    ),
    pytest.param(
        "tables:\n  a: {}\n  b: {}\n  a: {}\n",
        ":4:3: tables: the key `a` stands in line 2 too",
        "keep one of the two, or merge them",
        id="key twice",
    ),
    pytest.param(
        "tables: {t: {columns: {c: {values: {1: a, '1': b}}}}}",
        "tables.t.columns.c.values: the key `1` stands in line 1 too",
        "keep one",
        id="code twice",
    ),
    pytest.param(
        "tables:\n- a\n", ":2:1: tables: expected a map", "write a map", id="list for a map"
    ),
    pytest.param(
        "tables: {t: {columns: {c: [x]}}}",
        "tables.t.columns.c: expected a map with keys such as description, synonyms, values, "
        "found a list",
        "write a map",
        id="list for a column",
    ),
    pytest.param(
        "examples: {question: a, sql: b}", "expected a list", "begin each entry with `- `", id="map"
    ),
    pytest.param(
        "examples:\n- {question: a}\n", "examples[1]: lacks `sql`", "add `sql: …`", id="lacks a key"
    ),
    pytest.param(
        "tables: {t: {hidden: yes}}", "expected true or false, found `yes`", "write true", id="yes"
    ),
    pytest.param(
        "relationships: [{from: a.x, to: [b.x, b.y]}]",
        "`from` has 1 columns, `to` has 2",
        "pairwise",
        id="sides of unequal length",
    ),
    pytest.param(
        "relationships: [{from: orders, to: b.x}]",
        "expected `table.column`, found `orders`",
        "a dot",
        id="no column",
    ),
    pytest.param("a:\n\tb: 1\n", ":2:1 is no YAML", "not tabs", id="tab"),
    pytest.param("a: b: c\n", ":1:5 is no YAML", "quotes around a text", id="colon in a text"),
    pytest.param("a: 'x\n", ":1:4 is no YAML", "close the quote", id="open quote"),
    pytest.param("a: [1\n", "is no YAML", "indentation or quotes", id="open bracket"),
    pytest.param("a: *x\n", "undefined alias", "begins with *", id="unknown alias"),
    pytest.param("{}\n---\n{}\n", "another document", "remove the line `---`", id="two documents"),
    pytest.param(
        "a: \x01\n", ":1:4 is no YAML: control", "delete the character", id="control code"
    ),
    pytest.param("[" * 5000, "nesting", "nest less deeply", id="deep nesting"),
    pytest.param(
        b"tables: {}\n# \xff\n",
        ":2: byte 14 of the file (0xff)",
        "save the file as UTF-8",
        id="bytes",
    ),
    pytest.param(
        "a: \x01\n", ":1:4 is no YAML", "delete the character", id="column of a character"
    ),
    pytest.param("tables: {}".encode("utf-16"), "is UTF-16", "as UTF-8", id="UTF-16"),
    pytest.param("tables: {}".encode("utf-16-le"), "is UTF-16", "as UTF-8", id="UTF-16 unmarked"),
    pytest.param("a:\n<<<<<<< HEAD\n", ":2:1 is no YAML: two versions", "settle", id="conflict"),
    pytest.param("%YAML 9.9\n---\na: b\n", ":1:1 is no YAML", "remove the line", id="version"),
    pytest.param("a: &x b\nc: &x d\n", "duplicate anchor", "a name of its own", id="two anchors"),
    pytest.param(
        "tables: {t: &t {grain: g}, u: {<<: *t}}",
        "unknown key `<<`",
        "aren't merged",
        id="merge key",
    ),
    pytest.param("\u00a0zz: {}\n", "`\\u00a0zz`", "use one of", id="blank of another kind"),
    pytest.param(
        "tables: !vault {a: {}}", "the tag `!vault` isn't understood", "delete the tag", id="tag"
    ),
    pytest.param(
        "tables: {t: {description: !!python/name:os.system ''}}",
        "isn't understood",
        "delete the tag",
        id="Python tag",
    ),
    pytest.param(
        "tables: &a {b: {columns: *a}}", "stands inside what it repeats", "instead of", id="loop"
    ),
    pytest.param(
        "tables: {[a]: {}}", "expected a key, found a list", "name or code", id="list key"
    ),
]


@pytest.mark.req("SEM-05", part="errors")
@pytest.mark.parametrize(("text", "problem", "fix"), REFUSED)
def test_what_cannot_be_used_is_named_with_its_place_and_a_remedy(write, text, problem, fix):
    with pytest.raises(SettingError) as caught:
        load_semantic(write(text))

    assert problem in caught.value.problem
    assert fix in caught.value.fix


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        pytest.param("rescan: hourly", "expected on-change, always, never", id="rescan"),
        pytest.param("profile: {rows: many}", "expected a whole number above 0", id="rows"),
        pytest.param("profile: {rows: 0}", "expected a whole number above 0", id="no rows"),
        pytest.param("profile: {sensitive: '('}", "is no regular expression", id="pattern"),
        pytest.param("profile: off", "expected a map with rows", id="profile"),
        pytest.param("sorce: x", "unknown key `sorce`", id="misspelt key"),
    ],
)
def test_a_setting_that_cannot_be_used_is_refused(write, text, problem):
    with pytest.raises(SettingError) as caught:
        load_settings(write(text, "kb.yaml"))

    assert problem in caught.value.problem
    assert "kb.yaml:1:" in caught.value.problem


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        pytest.param("entities: [{name: A}]", "entities[1]: lacks `table`", id="no table"),
        pytest.param(
            "entities: [{name: A, table: t, kind: cor}]", "expected one of core", id="kind"
        ),
        pytest.param(
            "relations: [{subject: A, predicate: b}]", "relations[1]: lacks `object`", id="object"
        ),
        pytest.param(
            "relations: [{subject: A, predicate: b, polymorphic: {column: c, type_column: d}}]",
            "polymorphic: lacks `targets`",
            id="targets",
        ),
    ],
)
def test_an_entity_or_relation_that_lacks_something_is_refused(write, text, problem):
    with pytest.raises(SettingError) as caught:
        load_knowledge_graph(write(text, "knowledge_graph.yaml"))

    assert problem in caught.value.problem


def test_all_faults_of_a_file_are_told_at_once(write):
    path = write("tables:\n  a: {descripton: x}\n  b: {hidden: 3}\nfoo: 1\n")

    with pytest.raises(SettingError) as caught:
        load_semantic(path)

    assert "has 3 faults" in caught.value.problem
    assert "semantic.yaml:2:7" in caught.value.problem
    assert "semantic.yaml:3:15" in caught.value.problem
    assert "semantic.yaml:4:1" in caught.value.problem


def test_aliases_cannot_multiply_a_small_file_into_a_huge_one(write):
    lines = ["x0: &x0 [" + ", ".join(["a"] * 20) + "]"]
    lines += [f"x{n}: &x{n} [{', '.join([f'*x{n - 1}'] * 20)}]" for n in range(1, 9)]

    with pytest.raises(SettingError) as caught:
        load_semantic(write("\n".join(lines)))

    assert "its aliases repeat" in caught.value.problem


def test_a_file_that_cannot_be_opened_is_one_clear_error(tmp_path):
    (tmp_path / "semantic.yaml").mkdir()

    with pytest.raises(SettingError) as caught:
        load_semantic(tmp_path / "semantic.yaml")

    assert "can't be read" in caught.value.problem


def test_a_question_whose_sql_stands_under_another_key_is_told_that_alone(tmp_path):
    path = tmp_path / "evaluation.yaml"
    path.write_text("- {question: How many?, query: SELECT COUNT(*) FROM t}\n", encoding="utf-8")

    with pytest.raises(SettingError) as caught:
        read_evaluation(path)

    assert caught.value.problem.endswith("unknown key `query`")
    assert caught.value.fix == "did you mean sql?"
