"""The clock of one running statement: stops it on the server at its deadline or when told to."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Literal

Reason = Literal["late", "cancelled"]

SLACK_SECONDS = 0.15
"""How long an engine's own time limit may react late before the statement is cancelled."""
_AGAIN_SECONDS = 0.25
_SEVER_AFTER_SECONDS = 1.5
_EARLY_SECONDS = 0.01  # clocks of two machines never agree


class Watch:
    """Watches one statement; `finish` ends the watch, after which nothing stops any other one."""

    def __init__(
        self, cancel: Callable[[], None], sever: Callable[[], None], seconds: float | None
    ) -> None:
        self.seconds = seconds
        self.told: Reason | None = None
        """What `stop` was told, by its own timer or another thread."""
        self._cancel = cancel
        self._sever = sever
        self._sending = threading.Lock()
        self._done = threading.Event()
        self._began = time.monotonic()
        self._timer: threading.Timer | None = None
        if seconds is not None:
            self._timer = threading.Timer(seconds + SLACK_SECONDS, self.stop, ["late"])
            self._timer.daemon = True
            self._timer.start()

    @property
    def reason(self) -> Reason | None:
        """Why the statement was stopped, or must count as such; None while all is well.

        An engine may cut a statement at its time limit and return what looks like a result, as
        MariaDB does with BENCHMARK: then the clock tells.
        """
        if self.told is None and self.seconds is not None:
            spent = time.monotonic() - self._began
            return "late" if spent >= self.seconds - _EARLY_SECONDS else None
        return self.told

    def stop(self, reason: Reason) -> None:
        """Stop the statement from another thread; returns at once."""
        with self._sending:
            if self.told is not None or self._done.is_set():
                return
            self.told = reason
        threading.Thread(target=self._stop_until_done, daemon=True).start()

    def finish(self) -> None:
        """End the watch; waits for a cancellation under way, lest it hit the next statement."""
        self._done.set()
        if self._timer is not None:
            self._timer.cancel()
        with self._sending:
            pass

    def _stop_until_done(self) -> None:
        """Cancel again and again: the first may reach the server before the statement does."""
        sever_at = time.monotonic() + _SEVER_AFTER_SECONDS
        while not self._done.is_set():
            with self._sending:
                if self._done.is_set():
                    return
                with suppress(Exception):  # the server may take no connection to cancel over
                    self._cancel()
                if time.monotonic() >= sever_at:
                    with suppress(Exception):
                        self._sever()
            self._done.wait(_AGAIN_SECONDS)
