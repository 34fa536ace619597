"""`rescan:` of kb.yaml: when a build looks at the database again."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from pipeline.errors import SettingError

_INTERVAL = re.compile(r"(\d+)([smhdw])")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def is_due(policy: str, last: str | None) -> bool:
    """Whether the policy of `rescan:` asks to look at the database now.

    Args:
        policy: the setting.
        last: when the stage in question measured last.
    """
    if policy == "on-change":
        return True
    if policy == "never":
        return False
    match = _INTERVAL.fullmatch(policy.strip())
    if match is None:
        raise SettingError(
            f"kb.yaml: rescan: {policy!r} is no policy",
            fix="write on-change, always, never, or an interval such as 30m, 6h, 1d or 1w",
        )
    interval = timedelta(**{_UNITS[match[2]]: int(match[1])})
    if last is None:
        return True
    return datetime.now(UTC) - datetime.fromisoformat(last) >= interval
