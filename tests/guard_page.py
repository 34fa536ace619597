"""Write docs/reference/guard.md from the statements that the guard is tested with."""

import re
from collections import Counter
from pathlib import Path

from evals.guard_tables import CATALOGS
from evals.yaml_files import read_yaml
from pipeline.database import guard
from pipeline.database.guard import text as guard_text
from pipeline.errors import RefusedError

STATEMENTS = Path(__file__).parent / "guard"
LONGEST = 110
"""Characters of a statement in a table."""

MOST = 10
"""Statements of one class that are shown for one dialect."""

DIALECTS = {
    "postgres": "PostgreSQL",
    "mysql": "MySQL and MariaDB",
    "sqlite": "SQLite",
    "duckdb": "DuckDB",
    "tsql": "SQL Server",
    "oracle": "Oracle",
    "snowflake": "Snowflake",
    "bigquery": "BigQuery",
}
RUN_BY_TESTS = {"postgres", "mysql", "sqlite", "duckdb"}
SHOWN = "SELECT name,\n  load_extension('x') FROM customers"

HEAD = """\
# The guard

All SQL that an agent or a person writes passes the guard before it reaches the database: the tool
`run_sql`, and the filters, joins, metrics and examples of `semantic.yaml`. It lets one statement
pass that only reads, and refuses everything else. This page is written from the statements that
the guard is tested with; a test fails when it isn't up to date.

## How it judges

| step | what is refused |
|---|---|
| text | more than {longest:,} characters, control characters, blanks that aren't plain, comments \
that an engine runs, escapes that hide a name |
| statement | a second statement; a first word that begins no query |
| syntax | what can't be parsed in the dialect of the connection; every kind of syntax that isn't \
on the list of those that read |
| functions | every function that isn't on the list of the dialect, wherever it stands: in FROM, \
in ORDER BY, quoted, behind a schema, in a subquery |
| tables | every table that isn't in the catalogue, in a CTE, or among the system views that tell \
structure; files, stages, links to other servers; system objects that hold secrets |

What stands on no list is refused. So a construct that nobody thought of is refused, too. The text
that was checked is the text that runs: nothing is written anew.

Below the guard, the session is read-only where the engine can, every statement is rolled back,
and rows, bytes and time are limited ([settings](settings.md)).

## What a refusal looks like

It says what was found, where, and what to write instead:

```sql
{shown}
```

```text
{refusal}
```

## How to allow more

Functions and tables that the guard doesn't know can be allowed in `kb.yaml`:

```yaml
allow_functions: [my_score, analytics.rank_of]
allow_tables: [staging.orders_raw]
```

A name without a schema stands for the function called without one. What a function does inside
isn't judged: allow only those that read. Functions that reach beyond the query (files, other
servers, sequences, locks, waiting, administration) stay refused, whatever `kb.yaml` says.

## Statements in the tests

{figures}
The statements of the dialects that are marked also run, in the tests, on an engine: those that are
allowed have to return. For the others, the rules are tested and nothing is run. Each refused
statement is also tried in thousands of other spellings and surroundings (`evals/guard_fuzz.py`).
The tables below show some of each class; all are in `tests/guard/`.
"""
WHY = {
    "a second statement": "what follows a semicolon would run, too",
    "clause or value": "it writes, locks, or stands for a value that isn't there",
    "executable comment": "some engines run what stands in such a comment",
    "function": "it isn't known to compute only from its arguments",
    "function in disguise": "it reads like a column, and is a call",
    "hint": "it locks rows or changes the session",
    "no query": "it isn't a statement that returns rows by reading",
    "no table of the database": "a file, a stage, another server, or a variable of the host",
    "sequence": "reading it moves it on",
    "statement word": "T-SQL needs nothing between two statements",
    "syntax": "what can't be read can't be judged",
    "system object": "it holds secrets, or shows what others do",
    "text": "parser and engine would read it in different ways",
}
FREE_HEAD = """\
## What passes here and is often refused elsewhere

Guards that look for words in the text refuse reads like these. All of them pass here:

"""
FREE = [
    ("a function that is called like a verb", "mysql",
     "SELECT REPLACE(name, 'a', 'b'), INSERT(name, 1, 1, 'X') FROM customers"),
    ("verbs in text", "postgres", "SELECT count(*) FROM audit_log WHERE action = 'DELETE'"),
    ("a semicolon in text", "sqlite", "SELECT 'a; DROP TABLE b' AS said"),
    ("columns named like statements", "postgres", 'SELECT "update", "delete" FROM audit_log'),
    ("names that hold a verb", "tsql", "SELECT last_update, is_deleted FROM dbo.jobs"),
    ("a CTE named like a verb", "postgres",
     "WITH deleted AS (SELECT id FROM orders) SELECT count(*) FROM deleted"),
    ("a verb in a comment", "mysql", "SELECT 1 /* don't UPDATE */"),
    ("a comment first, a semicolon last", "duckdb", "-- totals\nSELECT count(*) FROM orders;"),
    ("WITH, VALUES, FROM as the first word", "duckdb", "FROM orders SELECT count(*)"),
    ("ordered-set aggregates", "postgres",
     "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY amount) FROM orders"),
    ("functions of widespread extensions", "postgres",
     "SELECT similarity(name, 'x') FROM customers"),
    ("recursion", "sqlite",
     "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9) SELECT i FROM n"),
    ("system views that tell structure", "mysql",
     "SELECT table_name FROM information_schema.tables"),
]  # fmt: skip
TAIL = """\
## What only a read-only login stops

The guard refuses what follows by name. Were there a hole in it, a read-only session would not help,
since these aren't writes to the database, or undo the session's settings:

| engine | what a login with too many rights could do in a read-only session |
|---|---|
| PostgreSQL | as superuser: read and write files of the server, start programs, end other \
sessions, read password hashes, write through `dblink` |
| MySQL, MariaDB | with FILE: read and write files of the server; with rights on `mysql`: read \
password hashes; as anyone: take named locks, change session variables |
| SQL Server, Oracle, Snowflake, BigQuery | everything that the login may do: they have no \
read-only session |
| SQLite, DuckDB | nothing known but waiting, which the time limit ends: the file is opened \
read-only, and the session lets neither files nor extensions be reached |

So give dblore a login that may do nothing but SELECT
([connect a database](../how-to/connect-a-database.md)); where the login can do more, dblore says so
when it connects. Two things no login stops: statements that take long (they are ended after a time
limit), and what a view or a function of users does inside.
"""
KINDS = {
    "system views that tell structure":
        r"information_schema|\bpg_(class|stat|tables|attr|proc)|sqlite_[ms]|pragma_|duckdb_|"
        r"\bsys\.|\b(all|user)_t",
    "comments": r"--|/\*|^#",
    "pivot, unpivot": r"\b(un)?pivot\b",
    "with": r"\bwith\s+(recursive\s+)?\w+\s*(\([^)]*\)\s*)?as\s*(not\s+|materialized\s*)*\(",
    "windows": r"\bover\b|\bqualify\b",
    "set operations": r"\b(union|except|intersect|minus)\b(?!\s*\()",
    "JSON and XML": r"json|->|\bxml|payload",
    "lists, arrays, structs": r"\[|\barray|struct|list_|unnest|flatten",
    "dates and times": r"\bdate|_date|interval|timestamp|extract\(|now\(\)|\btime\b|\bage\(",
    "text and patterns": r"like|regexp|substr|concat|replace|trim|upper|match",
    "joins": r"\bjoin\b|\bapply\b|lateral",
    "grouping": r"group by|\b(sum|count|avg|max|min)\s*\(",
    "other reading": r"",
}  # fmt: skip


def page():
    """Return docs/reference/guard.md."""
    refused = _items("refused.yaml") + _items("refused_words.yaml")
    allowed = _items("allowed.yaml")
    dialects = list(DIALECTS) + sorted({i["dialect"] for i in refused} - DIALECTS.keys())
    blocks = [
        HEAD.format(
            longest=guard_text.LONGEST,
            shown=SHOWN,
            refusal=_refusal(SHOWN, "sqlite"),
            figures=_figures(dialects, refused, allowed),
        ),
        _free(),
        "## What is refused, and why\n",
        _table(("class", "why", "statements"), _classes(refused)),
    ]
    for dialect in dialects:
        blocks.append(f"## {DIALECTS.get(dialect, dialect)}\n")
        blocks.append("Refused:\n")
        blocks.append(_refused([i for i in refused if i["dialect"] == dialect]))
        blocks.append("Allowed:\n")
        blocks.append(_allowed([i for i in allowed if i["dialect"] == dialect]))
    return "\n".join([*blocks, TAIL])


def _items(name):
    return read_yaml(STATEMENTS / name)


def _refusal(sql, dialect):
    try:
        guard.check(sql, dialect, catalog=CATALOGS.get(dialect))
    except RefusedError as error:
        return str(error)
    return None


def _figures(dialects, refused, allowed):
    counts = [Counter(item["dialect"] for item in items) for items in (refused, allowed)]
    rows = [
        (DIALECTS.get(d, d) + (" (run)" if d in RUN_BY_TESTS else ""), *(str(c[d]) for c in counts))
        for d in dialects
    ]
    rows.append(("**all**", *(f"**{c.total()}**" for c in counts)))
    return _table(("dialect", "refused", "allowed"), rows)


def _free():
    rows = []
    for what, dialect, sql in FREE:
        assert _refusal(sql, dialect) is None, f"the page says that this passes: {sql}"
        rows.append((what, DIALECTS[dialect], code(sql)))
    return FREE_HEAD + _table(("what", "for example in", "statement"), rows)


def _classes(refused):
    counts = Counter(_class(item) for item in refused)
    return [(name, WHY.get(name, ""), str(count)) for name, count in sorted(counts.items())]


def _class(item):
    return item.get("class") or "other"


def _refused(items):
    rows = []
    for name in sorted({_class(item) for item in items}):
        own = [item for item in items if _class(item) == name]
        shown = _different(own)
        rows += [(name, code(item["sql"]), _said(item)) for item in shown]
        if len(own) > len(shown):
            rows.append((name, f"… and {len(own) - len(shown)} more", ""))
    return _table(("class", "statement", "the refusal says"), rows)


def _different(items):
    """Return some of the items, first one for each thing that is refused."""
    first = {}
    for item in items:
        first.setdefault(str(item.get("names", item["sql"])).casefold(), item["id"])
    chosen = [i for i in items if i["id"] in first.values()][:MOST]
    chosen += [i for i in items if i not in chosen][: MOST - len(chosen)]
    return [item for item in items if item in chosen]


def _said(item):
    refusal = _refusal(item["sql"], item["dialect"])
    assert refusal is not None, f"{item['id']} isn't refused"
    place = r" ?\(line \d+, column \d+\)|, line \d+, column \d+"
    problem = re.sub(place, "", refusal.splitlines()[0])
    return text(problem if len(problem) <= LONGEST else problem[: LONGEST - 1] + "…")


def _allowed(items):
    kinds = {}
    for item in items:
        kinds.setdefault(item.get("class") or _kind(item["sql"]), []).append(item["sql"])
    order = {name: i for i, name in enumerate(KINDS)}
    rows = [
        (kind, str(len(found)), code(min(found, key=lambda sql: abs(len(sql) - 60))))
        for kind, found in sorted(kinds.items(), key=lambda kind: (order.get(kind[0], 99), kind[0]))
    ]
    return _table(("kind", "statements", "for example"), rows)


def _kind(sql):
    return next(kind for kind, pattern in KINDS.items() if re.search(pattern, sql, re.IGNORECASE))


def code(sql):
    """Return a statement as code that fits into a cell of a Markdown table."""
    shown = sql.replace("\r\n", "↵").replace("\n", "↵").replace("\r", "␍").replace("\t", "→")
    shown = re.sub(r"[^\S ]|[\x00-\x1f]", lambda m: f"[U+{ord(m[0]):04X}]", shown)
    if len(shown) > LONGEST:
        shown = shown[: LONGEST - 1] + "…"
    fence = "`" * (max(map(len, re.findall("`+", shown)), default=0) + 1)
    space = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{fence}{space}{shown}{space}{fence}".replace("|", "\\|")


def text(plain):
    """Return plain text that Markdown shows as it is, in a cell of a table."""
    return re.sub(r"([\\`*\[\]<>|~#]|\b_|_\b)", r"\\\1", plain)


def _table(heads, rows):
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(row)} |\n" for row in lines)
