"""Another session on the server, as a statement may disturb it."""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping
from contextlib import suppress

import psycopg

_WORD = re.compile(r"[A-Za-z_]\w*")
_NAME = re.compile(r"application_name\s*=\s*'(\w+)'")


class Victim:
    """A session that is busy, and one that listens to every channel that a statement may name."""

    def __init__(self, address: str, sql: str) -> None:
        named = _NAME.search(sql)
        self._busy = psycopg.connect(
            address, autocommit=True, application_name=named[1] if named else "guard_victim"
        )
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()
        self._heard: list[str] = []
        self._listener = psycopg.connect(address, autocommit=True)
        for word in sorted(set(_WORD.findall(sql))):
            self._listener.execute(f'LISTEN "{word}"')

    def world(self) -> Mapping[str, str]:
        """Return whether it still works, and what it was told."""
        with suppress(psycopg.Error):
            self._heard += [n.channel for n in self._listener.notifies(timeout=0.05)]
        is_well = self._thread.is_alive() and not self._listener.closed
        return {"sessions": str(is_well), "notifications": repr(self._heard)}

    def close(self) -> None:
        """End both sessions."""
        with suppress(psycopg.Error):
            self._busy.cancel_safe(timeout=2)
        self._thread.join(5)
        for connection in (self._busy, self._listener):
            connection.close()

    def _work(self) -> None:
        with suppress(psycopg.Error):
            self._busy.execute("SELECT pg_sleep(600)")
