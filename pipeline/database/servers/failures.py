"""What a driver's error means to the reader: one of ours, with what to do, without credentials."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.database.servers.server import Kind, Server
from pipeline.database.servers.watch import Reason, Watch
from pipeline.database.source import Source
from pipeline.errors import DbloreError, PassingError, QueryError, SourceError, late

_OPENING: dict[Kind, tuple[str, str]] = {
    "login": (
        "doesn't take this login",
        "correct user and password in `source:`, or ask who runs the server for access",
    ),
    "database": (
        "can't be opened",
        "correct the name of the database in `source:`, or ask for the right to read it",
    ),
    "full": (
        "has no connection left",
        "wait until others have closed theirs, or ask for a login that may have more of them",
    ),
    "driver": (
        "names an ODBC driver or a data source that isn't there",
        "install the driver that `Driver=` names: `odbcinst -q -d` lists those that are there",
    ),
    "tls": (
        "and this connection don't agree on encryption",
        "say so in the URL: ?sslmode=require (PostgreSQL), ?ssl_ca=/path/to/ca.pem (MySQL)",
    ),
}
_UNREACHABLE = (
    "can't be reached",
    "check that the server runs, and host, port, database and login of `source:`",
)
_FEWER = "read fewer rows: filter earlier, aggregate, or add a LIMIT"
_RUNNING: dict[Kind, tuple[str, str]] = {
    "late": ("the server stopped the statement", _FEWER),
    "space": ("the statement takes more memory or disk than it may", _FEWER),
}

_PASSING: dict[Kind, tuple[str, str]] = {
    "stopped": ("the server stopped the statement", "run it again, or ask who runs the server"),
    "locked": (
        "another session locks what the statement reads",
        "run it again when that session is done",
    ),
}
"""What says nothing of the statement or of what it reads."""


@dataclass(frozen=True, slots=True)
class Failures:
    """Makes errors of ours from those of one database's driver."""

    source: Source
    server: Server

    def of_connecting(self, error: BaseException) -> SourceError:
        """Return why there is no connection."""
        cause = getattr(error, "orig", None) or error
        kind = self.server.kind(cause)
        what, fix = _OPENING.get(kind, _UNREACHABLE) if kind else _UNREACHABLE
        return SourceError(f"{self.source.shown} {what}: {self.words(cause)}", fix=fix)

    def of_statement(self, error: BaseException, watch: Watch) -> DbloreError:
        """Return why a statement brought no result."""
        cause = getattr(error, "orig", None) or error
        kind = self.server.kind(cause)
        if watch.told is not None:
            return stopped(watch.told, watch.seconds)
        if kind in ("late", "stopped") and watch.reason is not None:
            return stopped(watch.reason, watch.seconds)
        if isinstance(error, UnicodeError):
            return QueryError(
                "the statement, or a value that it returns, isn't valid Unicode text",
                fix="write it without lone surrogates; of a value, select its bytes, e.g. by HEX()",
            )
        text = self.words(cause)
        if kind == "broken" or getattr(error, "connection_invalidated", False):
            return PassingError(
                f"the connection to {self.source.shown} broke: {text}",
                fix="check that the server runs, then run the same command again",
            )
        if kind in _PASSING:
            what, fix = _PASSING[kind]
            return PassingError(f"{what}: {text}", fix=fix)
        what, fix = "the database says", "correct the statement"
        if kind in _RUNNING:
            what, fix = _RUNNING[kind]
        return QueryError(f"{what}: {text}", fix=fix)

    def words(self, cause: BaseException) -> str:
        """Return the server's own words on one line, without SQL text, links and credentials."""
        return self.source.safe(" ".join(self.server.said(cause).split()))


def stopped(reason: Reason, seconds: float | None) -> QueryError:
    """Return the error of a statement that was stopped for this reason."""
    if reason == "cancelled":
        return QueryError("the statement was cancelled", fix="run it again if it is needed")
    return late(seconds)
