"""Columns of views that show a sensitive column in forms that a reader of views may overlook."""

import pytest

from pipeline.profile import views
from schemas.facts import Catalog, Column, ColumnProfile, Routine, Table, TableProfile


def table(name, columns, **more):
    kinds = [Column(column, "", "text") for column in columns.split()]
    return Table(name, name, columns=tuple(kinds), **more)


MEMBER = table("member", "id full_name city person")
ORDERS = table("orders", "id member_id total")


def told(dialect, columns, definition, *, sensitive=("full_name", "person"), more=(), routines=()):
    view = table("v", columns, kind="view", definition=definition)
    tables = (MEMBER, ORDERS, *more, view)
    catalog = Catalog(dialect=dialect, database="d", tables=tables, routines=routines)
    marks = [
        ColumnProfile(c.name, sensitive=c.name in sensitive, sensitive_why="")
        for c in MEMBER.columns
    ]
    found = views.shown(catalog, {"member": TableProfile("member", columns=tuple(marks))})
    return {column: why for (table, column), why in found.items() if table == "v"}


EVERY = ("sqlite", "duckdb", "postgres", "mysql")
FORMS = """
id who | who | SELECT o.id, (SELECT full_name FROM member m WHERE m.id = o.member_id) FROM orders o
id who | who | SELECT o.id, (SELECT full_name FROM member LIMIT 1) FROM orders o
id who | who | SELECT o.id, coalesce((SELECT max(full_name) FROM member), 'x') FROM orders o
id who | who | SELECT o.id, (SELECT (SELECT full_name FROM member LIMIT 1)) FROM orders o
id n | | SELECT o.id, (SELECT count(m.full_name) FROM member m) FROM orders o
id e | | SELECT o.id, EXISTS (SELECT m.full_name FROM member m) FROM orders o
id | | SELECT id FROM orders WHERE id IN (SELECT id FROM member WHERE full_name = 'x')
x | | WITH c(x) AS (SELECT city FROM member) SELECT x FROM c
id n | n | SELECT o.id, full_name FROM ((orders o JOIN member m ON (o.id = 1)) CROSS JOIN orders x)
"""
OF_ONE = """
postgres | id who | who | SELECT p.id, l.full_name FROM member p, LATERAL (SELECT p.full_name) l
postgres | id a | a | SELECT p.id, v.a FROM member p, LATERAL (VALUES (p.full_name), (p.city)) v(a)
postgres | k v | k v | SELECT j.k, j.v FROM member p, LATERAL jsonb_each_text(to_jsonb(p.*)) j(k, v)
postgres | id j | j | SELECT p.id, row_to_json(p.*) FROM member p
postgres | id j | j | SELECT p.id, (p.*)::text FROM member p
postgres | id j | j | SELECT p.id, to_jsonb(p.*) - 'id'::text FROM member p
postgres | id j | | SELECT p.id, p.id - 1 FROM member p
postgres | n a | a | SELECT count(*), array_agg(p.*) FROM member p
postgres | c s | s | SELECT city, string_agg(full_name, ',') FROM member GROUP BY city
mysql | c s | s | SELECT city, group_concat(full_name) FROM member GROUP BY city
duckdb | id q | q | SELECT id, person.full_name FROM member
duckdb | id q | q | SELECT id, member.person.full_name FROM member
duckdb | n v | n v | SELECT n, v FROM (UNPIVOT member ON full_name, city INTO NAME n VALUE v)
duckdb | id full_name city person | full_name person | SELECT COLUMNS(*) FROM member
"""


def _cases():
    lines = [f"{dialect} | {line}" for dialect in EVERY for line in FORMS.strip().splitlines()]
    for number, line in enumerate((*lines, *OF_ONE.strip().splitlines())):
        dialect, columns, hidden, definition = (part.strip() for part in line.split("|", 3))
        yield pytest.param(
            dialect, columns, definition, set(hidden.split()), id=f"{dialect} {number}"
        )


@pytest.mark.req("PROF-03", part="views")
@pytest.mark.parametrize(("dialect", "columns", "definition", "hidden"), [*_cases()])
def test_a_view_shows_what_its_text_lets_through(dialect, columns, definition, hidden):
    assert set(told(dialect, columns, definition)) == hidden


@pytest.mark.req("PROF-03", part="views")
@pytest.mark.parametrize(
    ("definition", "expected"),
    [
        pytest.param(
            "SELECT o.id, name_of(o.member_id) AS who FROM orders o",
            {"who": "may show a sensitive column: what name_of() reads isn't known"},
            id="a function",
        ),
        pytest.param(
            "SELECT o.id, public.name_of(o.member_id) AS who FROM orders o",
            {"who": "may show a sensitive column: what name_of() reads isn't known"},
            id="a function of a schema",
        ),
        pytest.param(
            "SELECT o.id, f.x AS who FROM orders o, LATERAL name_of(o.id) f(x)",
            {"who": "may show a sensitive column: what name_of() reads isn't known"},
            id="a function in FROM",
        ),
        pytest.param(
            "SELECT id, query_to_xml('select * from member', true, true, '') FROM orders",
            {"who": "may show a sensitive column: what query_to_xml() reads isn't known"},
            id="a function that runs a text",
        ),
        pytest.param(
            "SELECT o.id, s.most_common_vals AS who FROM orders o JOIN pg_stats s ON true",
            {"who": "may show a sensitive column: pg_stats wasn't scanned"},
            id="the engine's statistics",
        ),
        pytest.param(
            "SELEKT id, full_name FROM member",
            dict.fromkeys(
                ("id", "who"), "may show a sensitive column: the text of the view can't be followed"
            ),
            id="no SQL",
        ),
    ],
)
def test_what_nobody_can_follow_counts_as_sensitive_and_says_so(definition, expected):
    routines = (Routine("name_of", "function"),)

    assert told("postgres", "id who", definition, routines=routines) == expected


def test_nothing_is_marked_where_nothing_is_sensitive():
    assert told("postgres", "a", "SELEKT 1", sensitive=()) == {}
