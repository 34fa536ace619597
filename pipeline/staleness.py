"""Whether a stage must run, and why: its inputs, settings and outputs now against kb.lock.json."""

from __future__ import annotations

import json
import logging
import os
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline import VERSION
from pipeline import digests as hashing
from pipeline import lock as locks
from pipeline.digests import ABSENT, Digests
from pipeline.errors import DbloreError, SettingError, SourceError
from pipeline.kb import Kb, current_generation
from pipeline.rescan import is_due
from schemas import codec
from schemas.lock import Lock, StageRecord
from schemas.settings import KbSettings

if TYPE_CHECKING:
    from pipeline.database.source import Source

log = logging.getLogger("dblore.build")

UNKNOWN = "unknown"
"""Begins the fingerprint of a database that can't tell whether it changed."""
NOT_REACHED = "not reached"
"""Stands for the database in the record of a stage that ran without it."""
IN_PART = "read in part"
"""The same of one that another session kept from a part of the data: it tries again."""

_KINDS = ("structure", "data")


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage: what it reads, what it writes, and the function that does it."""

    name: str
    build: str
    """`module:function`, imported when the stage runs."""
    reads: dict[str, str]
    """Parameter of `build` to the file (an attribute of `Kb`) that is given for it."""
    writes: dict[str, str]
    """The same for outputs."""
    settings: tuple[str, ...] = ()
    """Keys of kb.yaml that change the result."""
    database: str | None = None
    """What of the database it depends on: `structure` or `data`."""
    extras: tuple[str, ...] = ()
    """More parameters that `build` takes: `source`, `settings`, `embedder`, `progress`, `cache`,
    `again` (tells that it could read only a part)."""
    version: int = 1
    """Raised when the code gives other results for the same inputs."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a stage is stale: which input or output, and what about it."""

    what: str
    how: str

    def __str__(self) -> str:
        """Return e.g. `semantic.yaml changed`."""
        return f"{self.what} {self.how}"


class Situation:
    """One knowledge base as it is now. Every digest is taken at most once until `refresh`."""

    def __init__(self, kb: Kb, *, database: str | None = None, offline: bool = False) -> None:
        """See the class.

        Args:
            kb: The knowledge base.
            database: A path or URL that replaces the source in kb.yaml for this run.
            offline: Don't touch the database: what was measured stays.
        """
        self.kb = kb
        self._override = database
        self.digests = Digests(kb)
        self.unreachable: DbloreError | None = None
        """Why the database can't be read, once that was tried."""
        if offline:
            self.unreachable = SourceError("the database is not to be used (--offline)", fix="")
        self._settings: KbSettings | None = None
        self._database: dict[str, str] = {}
        self._warned = False
        self._used_database = False
        self._said_unknown = False
        self._in_part: set[str] = set()

    def settings(self) -> KbSettings:
        """Return the settings in kb.yaml.

        Raises:
            SettingError: it is missing or not as its schema says.
        """
        if self._settings is None:
            if not self.kb.settings.is_file():
                raise SettingError(
                    f"{self.kb.folder} is no knowledge base: it has no kb.yaml",
                    fix=f"make one: dblore init --db URL --kb {self.kb.folder}",
                )
            text = self.digests.derived(self.kb.settings, "settings", _settings_text)
            self._settings = codec.from_json(KbSettings, json.loads(text))
        return self._settings

    def source(self) -> Source:
        """Return the database to read.

        Raises:
            DbloreError: kb.yaml names none, or one that isn't there.
        """
        from pipeline.database.source import resolve

        if self._override:
            named = resolve(self._override, Path.cwd(), os.environ)
            return _allowing(named, self.settings()) if self.kb.settings.is_file() else named
        settings = self.settings()
        if settings.ddl:
            return self._ddl(settings)
        text = settings.source or os.environ.get("DBLORE_DB", "")
        if not text:
            raise SettingError(
                f"{self.kb.settings} names no source",
                fix="write `source:` with a path or a database URL, give --db, or set DBLORE_DB; "
                "without a database, write `ddl:`",
            )
        return _allowing(resolve(text, self.kb.folder, os.environ), settings)

    def _ddl(self, settings: KbSettings) -> Source:
        from pipeline.database.source import resolve_ddl

        if settings.source:
            raise SettingError(
                f"{self.kb.settings} names both `source:` and `ddl:`",
                fix="keep the one that is to be read",
            )
        return resolve_ddl(settings.ddl, settings.dialect, self.kb.folder)

    def inputs(self, stage: Stage, lock: Lock | None = None) -> dict[str, str]:
        """Return the digest of everything that `stage` depends on.

        Raises:
            DbloreError: kb.yaml can't be used, or the database can't be read for the first time.
        """
        found = {"code": f"dblore {VERSION}, stage version {stage.version}"}
        for attribute in stage.reads.values():
            if attribute == "semantic" and "marks" in stage.extras:
                found["semantic.yaml (sensitive marks)"] = self._marks()
            else:
                path: Path = getattr(self.kb, attribute)
                found[path.name] = self.digests.file(path)
        if stage.settings:
            chosen = {key: getattr(self.settings(), key) for key in stage.settings}
            found[f"kb.yaml ({', '.join(stage.settings)})"] = hashing.of(_plain(chosen))
        if stage.database:
            digest = self._database_digest(stage, lock or locks.read(self.kb))
            found[f"database {stage.database}"] = digest
        return found

    def outputs(self, stage: Stage) -> dict[str, str]:
        """Return the digest of what `stage` wrote, as it is on disk."""
        found = {}
        for attribute in stage.writes.values():
            path: Path = getattr(self.kb, attribute)
            if attribute == "index":
                found["build/index"] = self._index_digest(path)
            elif path.suffix:
                found[path.name] = self.digests.file(path)
            else:
                found[path.name] = self.digests.folder(path)
        return found

    def reasons(self, stage: Stage, lock: Lock | None = None) -> tuple[Reason, ...]:
        """Return why `stage` is stale; empty when it is up to date."""
        lock = lock or locks.read(self.kb)
        known = lock.stages.get(stage.name)
        if known is None:
            return (Reason("it", "never ran"),)
        found = []
        try:
            inputs = self.inputs(stage, lock)
        except DbloreError as error:
            return (Reason("it", f"can't be checked: {error.problem}"),)
        for name in sorted({*inputs, *known.inputs}):
            found += _difference(name, known.inputs.get(name), inputs.get(name))
        for name, digest in self.outputs(stage).items():
            if digest == ABSENT:
                found.append(Reason(name, "is missing"))
            elif digest != known.outputs.get(name):
                found.append(Reason(name, "was changed by hand or by an unfinished run"))
        return tuple(found)

    def finished(self, stage: Stage, inputs: dict[str, str]) -> None:
        """Write to the lock that `stage` ran on `inputs`, taken before it began.

        One that had to do without the database is recorded such that it runs when there is one.
        """
        measured = stage.database is not None and self.unreachable is None
        if stage.database is not None and not measured:
            inputs = {**inputs, f"database {stage.database}": NOT_REACHED}
        elif stage.name in self._in_part:
            inputs = {**inputs, f"database {stage.database}": IN_PART}
            self._in_part.discard(stage.name)
        self._used_database |= measured
        if measured and inputs[f"database {stage.database}"].startswith(UNKNOWN):
            self._warn_unknown()
        record = StageRecord(inputs, self.outputs(stage))
        locks.record(self.kb, stage.name, record, measured=measured)
        self.digests.save()

    def read_in_part(self, stage: Stage) -> None:
        """Note that `stage` could read only a part, for a reason that passes."""
        self._in_part.add(stage.name)

    def facts_age(self) -> str:
        """Return when the committed facts were measured, for people."""
        times = locks.read(self.kb).measured
        return times.get("profile") or times.get("scan") or "an unknown time"

    def warn_unreachable(self, error: DbloreError) -> None:
        """Say once that the database can't be read and how old the facts are that stay."""
        self.unreachable = error
        if not self._warned:
            self._warned = True
            log.warning("%s; keeping the facts of %s", error.problem, self.facts_age())

    def warn_changed(self) -> None:
        """Say so when the database isn't any more what a stage of this run found."""
        if not self._used_database:
            return
        with suppress(DbloreError):  # gone now; the next run will say so
            now, then = self._fingerprints(tuple(self._database)), self._database
            if [_sure(now[kind]) for kind in now] != [_sure(then[kind]) for kind in now]:
                log.warning("the database changed while it was read: build again")
            elif now != then:
                self._warn_untold()

    def _warn_unknown(self) -> None:
        """Say once that every build reads the database, and how that is changed."""
        if not self._said_unknown and self.settings().rescan == "on-change":
            self._said_unknown = True
            log.warning(
                "%s doesn't tell whether it changed: every build reads it again; `rescan: 1d` in "
                "kb.yaml does so once a day, `rescan: never` only for `dblore scan`",
                self.source().shown,
            )

    def _warn_untold(self) -> None:
        """Name the tables that are read again whenever any other one is written to."""
        from pipeline.database import fingerprint

        tables = fingerprint.unsure_tables(self.source())
        if tables:
            more = f" and {len(tables) - 1} more" if len(tables) > 1 else ""
            log.warning(
                "the server can't tell whether %s%s changed: a change of any table counts as one",
                tables[0],
                more,
            )

    def _marks(self) -> str:
        if not self.kb.semantic.exists():
            return ABSENT
        return self.digests.derived(self.kb.semantic, "marks", _marks_digest)

    def _index_digest(self, folder: Path) -> str:
        generation = current_generation(folder)
        return self.digests.folder(folder / generation) if generation else ABSENT

    def _database_digest(self, stage: Stage, lock: Lock) -> str:
        """Return the database's fingerprint, or the recorded one when that is what counts."""
        kind = stage.database or ""
        known = lock.stages.get(stage.name, StageRecord()).inputs.get(f"database {kind}")
        policy = self.settings().rescan
        is_settled = known not in {None, NOT_REACHED, IN_PART} and policy != "always"
        if known is not None and is_settled and not is_due(policy, lock.measured.get(stage.name)):
            return known
        if self.unreachable is not None and known is not None:
            return known
        if kind not in self._database:
            try:
                self._database |= self._fingerprints(self._asked_with(kind))
            except (SourceError, SettingError) as error:
                if known is None:
                    raise
                self.warn_unreachable(error)
                return known
        found = self._database[kind]
        if policy == "always":
            return f"{found} (rescan: always, {datetime.now(UTC).isoformat()})"
        if found == UNKNOWN:
            return f"{found} ({datetime.now(UTC).isoformat()})"
        return found

    def _asked_with(self, kind: str) -> tuple[str, ...]:
        """Return what is asked at one go: a server is connected to once for all it tells."""
        return (kind,) if self.source().path is not None else _KINDS

    def _fingerprints(self, kinds: tuple[str, ...]) -> dict[str, str]:
        source = self.source()
        if source.kind != "database":
            read = [(path.name, self.digests.file(path)) for path in source.files]
            return dict.fromkeys(kinds, hashing.of([source.kind, source.dialect, read]))
        if source.path is not None:
            return {kind: self._of_file(source, source.path, kind) for kind in kinds}
        return _ask(source, kinds, self.settings())

    def _of_file(self, source: Source, path: Path, kind: str) -> str:
        return self.digests.derived(path, kind, lambda _path: _ask(source, (kind,))[kind])


def _allowing(source: Source, settings: KbSettings) -> Source:
    return replace(
        source,
        allow_functions=tuple(settings.allow_functions),
        allow_tables=tuple(settings.allow_tables),
    )


def _ask(
    source: Source, kinds: tuple[str, ...], settings: KbSettings | None = None
) -> dict[str, str]:
    """Return fingerprints; of data, those tables count that the settings let statements read."""
    from pipeline.database import fingerprint

    scope = fingerprint.EVERYTHING
    if settings is not None and not settings.allow_tables:
        scope = fingerprint.Scope(settings.schemas, settings.include, settings.exclude)
    return fingerprint.fingerprints(source, kinds, scope)


def _sure(fingerprint: str) -> str:
    """Return the part of a fingerprint that only moves with a change."""
    return fingerprint.partition(" ")[0]


def _marks_digest(path: Path) -> str:
    from pipeline.authored import sensitive_marks_digest

    marks = sensitive_marks_digest(path)
    return ABSENT if marks == sensitive_marks_digest(path.with_name("no such file")) else marks


def _settings_text(path: Path) -> str:
    from pipeline.authored import load_settings

    return json.dumps(codec.to_json(load_settings(path)))


def _plain(chosen: dict[str, object]) -> dict[str, object]:
    from dataclasses import asdict, is_dataclass

    return {
        key: asdict(value) if is_dataclass(value) and not isinstance(value, type) else value
        for key, value in chosen.items()
    }


def _difference(name: str, before: str | None, now: str | None) -> list[Reason]:
    if before == now:
        return []
    if name == "code":
        return [Reason("dblore", "is another version")]
    if now == ABSENT:
        return [Reason(name, "is gone")]
    if now is not None and now.startswith(UNKNOWN):
        return [
            Reason(
                "the database", f"doesn't tell whether its {name.removeprefix('database ')} changed"
            )
        ]
    if before == NOT_REACHED:
        return [Reason("the database", "was not reached when it ran last")]
    if before == IN_PART:
        return [Reason("the database", "was locked in part when it ran last")]
    if before in {None, ABSENT}:
        return [Reason(name, "is new")]
    return [Reason(name, "changed")]
