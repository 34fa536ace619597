"""From what all DDL files say to a catalogue."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from pipeline.database.ddl import files, sqlite_dumps
from pipeline.database.ddl.alter import Alteration
from pipeline.database.ddl.change import Change
from pipeline.database.ddl.create import Creation, created
from pipeline.database.ddl.drafts import Draft, Name, Reference, Script, UnreadError
from pipeline.database.ddl.lexing import Lexis
from pipeline.database.ddl.native_types import POSTGRES, alias_checks, members_of, with_fields
from pipeline.database.ddl.reader import Reader
from pipeline.database.ddl.statements import Splitter, Statement
from pipeline.database.ddl.terms import settle_prefixes
from pipeline.database.ddl.views import comments_of, find_columns
from pipeline.database.names import is_servers_own, table_id
from pipeline.database.servers import mysql_text
from pipeline.database.sqlite_catalog import SHADOWS
from pipeline.errors import SettingError
from pipeline.text import counted
from schemas.facts import Catalog, Check, Column, Key, Link, LinkState, Routine, Table, Unreadable

_DEFAULTS = {
    "postgres": "public",
    "redshift": "public",
    "materialize": "public",
    "risingwave": "public",
    "tsql": "dbo",
    "fabric": "dbo",
    "duckdb": "main",
    "sqlite": "main",
}
_SHOWN = 5
_ERROR = "UnreadDdl"
_MATTERS = ("table", "view")


def read(
    paths: Sequence[Path], dialect: str, database: str, schemas: Sequence[str] = ()
) -> Catalog:
    """Return the structure that the statements in `paths`, read in that order, bring about.

    Args:
        paths: the DDL files.
        dialect: sqlglot's name of theirs.
        database: what to call it.
        schemas: the ones to take; none: all.

    Raises:
        SettingError: there is no such dialect, or no file creates anything.
        SourceError: a file can't be read.
    """
    script = run(paths, dialect)
    if not script.tables and all(lost.kind == "file" for lost in script.unreadable):
        raise SettingError(
            f"no statement in {_named(paths)} creates a table",
            fix="name the files with CREATE TABLE statements, and their `dialect:`",
        )
    return _Catalogue(script, dialect, schemas).build(database)


def run(paths: Sequence[Path], dialect: str) -> Script:
    """Return what the statements say."""
    lexis = Lexis(dialect)
    default = _DEFAULTS.get(dialect)
    folds = lexis.folding in ("LOWERCASE", "UPPERCASE")
    has_twins = folds or lexis.folding == "CASE_SENSITIVE"
    script = Script(folds=folds, has_twins=has_twins, schema=default)
    verbs = _verbs(script, default)
    for path in paths:
        splitter = Splitter(lexis, path.name)
        lines = files.lines(path)
        if dialect == "sqlite":
            lines = sqlite_dumps.with_virtual_tables(lines)
        for statement in splitter.split(lines):
            files.refuse_undecoded(statement.text, path, statement.line)
            _read(statement, lexis, script, verbs)
        script.skipped += splitter.skipped
        if splitter.unclosed is not None:
            problem = f"{path.name}:{splitter.unclosed}: what is quoted there never ends"
            script.unreadable.append(Unreadable(path.name, "file", _ERROR, problem))
    return script


def _verbs(script: Script, default: str | None) -> dict[str, Callable[[Reader], bool]]:
    """Return what reads a statement, by its first word; False: it says nothing of structure."""
    change = Change(script, default)
    return {
        "CREATE": Creation(script, default).read,
        "ALTER": Alteration(script, default).read,
        "DROP": change.drop,
        "COMMENT": change.comment,
        "RENAME": change.rename,
        "EXEC": change.execute,
        "EXECUTE": change.execute,
        "USE": change.settle,
        "SET": change.settle,
    }


def _read(
    statement: Statement,
    lexis: Lexis,
    script: Script,
    verbs: dict[str, Callable[[Reader], bool]],
) -> None:
    reader = Reader(lexis, statement.text)
    word = reader.word
    try:
        verb = verbs.get(word)
        if verb is None or not verb(reader):
            script.skipped[word or "other"] += 1
    except UnreadError as error:
        _lose(statement, str(error), reader, script)


def _lose(statement: Statement, problem: str, reader: Reader, script: Script) -> None:
    """Record a table or view that can't be read; what only adds to tables is noted."""
    kind, name = created(reader)
    if kind in _MATTERS:
        problem = f"{statement.place}: {problem}"
        shown = table_id(name[1], None if name[0] == script.schema else name[0]) if name else ""
        script.unreadable.append(Unreadable(shown or statement.place, kind, _ERROR, problem))
        return
    head = " ".join(token.text for token in reader.tokens[:3])
    script.notes.append(f"{statement.place}: {head} … isn't taken over: {problem}")


class _Catalogue:
    """Builds the tables of a script."""

    def __init__(self, script: Script, dialect: str, schemas: Sequence[str]) -> None:
        self._script, self._dialect = script, dialect
        self._wanted = {name.casefold() for name in schemas}
        self._notes: list[str] = []
        if dialect == "sqlite":
            self._leave_out_own()
        names = {draft.name[0] for draft in script.tables.values()}
        self._default = _DEFAULTS.get(dialect)
        if self._default is None and len(names) == 1:
            self._default = names.pop()
        self._folded = self._fold_partitions()
        self._inherit()
        lost = find_columns(script, dialect)
        if lost:
            self._note([self._id(d.name) for d in lost], "the columns of {} can't be told")

    def build(self, database: str) -> Catalog:
        """Return the catalogue."""
        tables = [self._table(draft) for draft in self._shown()]
        known = {table.name for table in tables}
        links = (link for table in tables for link in table.foreign_keys)
        skipped = self._script.skipped
        if skipped:
            some = ", ".join(f"{word} {n}" for word, n in skipped.most_common(_SHOWN))
            more = ", …" if len(skipped) > _SHOWN else ""
            total = counted(sum(skipped.values()), "statement")
            self._notes.append(f"{total} passed over that say nothing of structure: {some}{more}")
        return Catalog(
            dialect=self._dialect,
            database=database,
            default_schema=None if self._dialect == "sqlite" else self._default,
            comment=self._script.comment or None,
            tables=tuple(sorted(tables, key=lambda t: t.name)),
            external=tuple(sorted({k.to_table for k in links if k.state == "external"})),
            routines=self._routines(known),
            unreadable=tuple(sorted(self._script.unreadable, key=lambda u: (u.name, u.problem))),
            notes=(*_limited(self._notes), *_limited(self._script.notes)),
        )

    def _routines(self, known: set[str]) -> tuple[Routine, ...]:
        """Return routines, and triggers of the tables that are known."""
        found = []
        for (name, _, table), routine in self._script.routines.items():
            if isinstance(table, tuple):
                of = self._id(table)
                found += [replace(routine, table=of)] if of in known else []
            else:
                found.append(replace(routine, name=self._id(name)))
        return tuple(
            sorted(found, key=lambda r: (r.kind == "trigger", r.table or "", r.name, r.arguments))
        )

    def _leave_out_own(self) -> None:
        """Leave out what SQLite makes for itself and `.schema` shows all the same."""
        shadows = {
            f"{draft.name[1]}_{suffix}".casefold()
            for draft in self._script.tables.values()
            if draft.kind == "virtual_table"
            for suffix in SHADOWS.get(draft.options[0], ())
        }
        for name in list(self._script.tables):
            own = name[1].casefold()
            if own.startswith("sqlite_") or own in shadows:
                self._script.drop(name)

    def _shown(self) -> list[Draft]:
        drafts = [d for d in self._script.tables.values() if d.name not in self._folded]
        if not self._wanted:
            return drafts
        return [d for d in drafts if (d.name[0] or "").casefold() in self._wanted]

    def _schema(self, schema: str | None, own: str) -> str | None:
        is_plain = schema == self._default and not self._wanted
        return None if is_plain and not is_servers_own(own, self._dialect) else schema

    def _id(self, name: Name) -> str:
        return table_id(name[1], self._schema(*name))

    def _note(self, names: Sequence[str], text: str) -> None:
        more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
        self._notes.append(text.format(", ".join(sorted(names)[:_SHOWN]) + more))

    def _fold_partitions(self) -> dict[Name, Name]:
        """Return partitions with the table at their root, and count them there."""
        tables = self._script.tables
        parents = {n: d.partition_of for n, d in tables.items() if d.partition_of is not None}
        roots: dict[Name, Name] = {}
        for name in parents:
            root, seen = name, {name}
            while (above := parents.get(root)) is not None and above not in seen:
                root = above
                seen.add(root)
            roots[name] = root
        inner = set(parents.values())
        counts = Counter(root for name, root in roots.items() if name not in inner)
        for root, count in counts.items():
            if root in tables:
                tables[root].partitions = count
        return roots

    def _inherit(self) -> None:
        """Give tables the columns and checks of those that they inherit from."""
        tables, done = self._script.tables, set[Name]()

        def complete(draft: Draft) -> None:
            if draft.name in done:
                return
            done.add(draft.name)
            for name in draft.parents:
                parent = tables.get(name)
                if parent is None:
                    continue
                complete(parent)
                own = {column.name for column in draft.columns}
                at = sum(len(tables[p].columns) for p in draft.parents[: draft.parents.index(name)])
                new = [c for c in parent.columns if c.name not in own]
                draft.columns[at:at] = new
                draft.checks += [c for c in parent.checks if c not in draft.checks]
                draft.options.append(f"INHERITS {self._id(name)}")
                parent.options.append(f"INHERITED BY {self._id(draft.name)}")

        for draft in list(tables.values()):
            complete(draft)

    def _table(self, draft: Draft) -> Table:
        comments_of(draft, draft.column_comments)
        if self._dialect == "mysql":
            settle_prefixes(draft)
        self._leave_out_keys(draft)
        links: dict[object, Link] = {}
        for link in map(self._link(draft), sorted(draft.references, key=lambda r: r.name or "")):
            links.setdefault(link.key, link)  # the same key twice is one
        of_types = (k for c in draft.columns for k in alias_checks(c, self._script))
        checks = dict.fromkeys([*draft.checks, *of_types])
        refers = {column for link in links.values() for column in link.columns}
        columns = tuple(self._columns(draft, list(checks), refers))
        return Table(
            name=self._id(draft.name),
            object_name=draft.name[1],
            schema=self._schema(*draft.name),
            kind=draft.kind,
            columns=columns,
            primary_key=draft.primary_key,
            unique=tuple(sorted(set(draft.unique), key=lambda k: (k.columns, k.name or ""))),
            foreign_keys=tuple(
                sorted(links.values(), key=lambda k: (k.columns, k.to_table, k.to_columns))
            ),
            checks=tuple(sorted(checks, key=lambda c: (c.expression, c.name or ""))),
            indexes=tuple(sorted(draft.indexes, key=lambda i: i.name)),
            comment=draft.comment,
            definition=draft.definition,
            partitions=draft.partitions,
            options=tuple(draft.options),
        )

    def _leave_out_keys(self, draft: Draft) -> None:
        """Leave out keys of columns that the table doesn't have, and say so."""
        own = {column.name for column in draft.columns}

        def fits(key: Key | Reference) -> bool:
            lacking = [name for name in key.columns if name not in own]
            if lacking:
                where = self._id(draft.name)
                self._notes.append(f"a key of {where} names {lacking[0]}, which isn't there")
            return not lacking

        draft.unique = [key for key in draft.unique if fits(key)]
        draft.references = [link for link in draft.references if fits(link)]
        if draft.primary_key is not None and not fits(draft.primary_key):
            draft.primary_key = None

    def _columns(self, draft: Draft, checks: Sequence[Check], refers: set[str]) -> Iterable[Column]:
        members = dict(filter(None, (members_of(check.expression) for check in checks)))
        json = {mysql_text.json_column(check.expression) for check in checks}
        key = set(draft.primary_key.columns if draft.primary_key else ())
        is_sqlite = self._dialect == "sqlite"
        has_rowid = is_sqlite and "WITHOUT ROWID" not in draft.options
        for column in draft.columns:
            found = column
            if column.name in key and not has_rowid:
                found = replace(found, nullable=False)
            is_rowid = has_rowid and key == {column.name}
            if is_rowid and column.native_type.upper() == "INTEGER":
                found = replace(found, nullable=False, identity=column.name not in refers)
            if column.name in json and self._dialect == "mysql":
                found = replace(found, family="json")
            if not found.enum_members:
                listed = members.get(column.name) or members.get(column.name.casefold(), ())
                found = replace(found, enum_members=listed)
            if self._script.parts and self._dialect in POSTGRES:
                native = with_fields(column.native_type, self._script)
                found = replace(found, native_type=native)
            yield found

    def _link(self, draft: Draft) -> Callable[[Reference], Link]:
        def link(reference: Reference) -> Link:
            target = self._target(reference.target)
            to_columns, state = reference.to_columns, self._state(target)
            if target is not None:
                key = target.primary_key or Key(())
                written = to_columns or key.columns
                to_columns = target.own(written)
                there = {column.name for column in target.columns}
                if not there.issuperset(to_columns) or len(written) != len(reference.columns):
                    state = "missing_column"
            return Link(
                table=self._id(draft.name),
                columns=reference.columns,
                to_table=self._id(target.name if target else reference.target),
                to_columns=to_columns,
                name=reference.name,
                state=state,
            )

        return link

    def _target(self, name: Name) -> Draft | None:
        found = self._script.find(name)
        root = self._folded.get(found.name) if found else None
        return self._script.tables.get(root, found) if root else found

    def _state(self, target: Draft | None) -> LinkState:
        if target is None:
            return "missing_table"
        if self._wanted and (target.name[0] or "").casefold() not in self._wanted:
            return "external"
        return "ok"


def _limited(notes: Sequence[str]) -> list[str]:
    if len(notes) <= 2 * _SHOWN:
        return list(notes)
    return [*notes[: 2 * _SHOWN], f"{len(notes) - 2 * _SHOWN} more such notes are left out"]


def _named(paths: Sequence[Path]) -> str:
    names = [path.name for path in paths[:3]]
    return ", ".join(names) + (", …" if len(paths) > 3 else "")
