"""The calendar of the demo: when trading took place, and local time from UTC.

No time-zone data of the machine is read, so the same bytes come out everywhere.
"""

from datetime import date, datetime, time, timedelta
from random import Random

OPENING = date(2023, 1, 9)
"""The first goods arrive; customers can order a week later."""
START = date(2023, 1, 16)
END = date(2025, 12, 31)
NEVER = "9999-12-31"
"""How this company writes "no end" in a date column."""

_HOURS = {"WET": 0, "CET": 1, "EET": 2, "EST": -5, "CST": 8}


def stamp(moment: datetime) -> str:
    """Write a moment the way the database stores it."""
    return moment.strftime("%Y-%m-%d %H:%M:%S")


def local(moment: datetime, zone: str) -> datetime:
    """Convert UTC to the wall-clock time of `zone` (WET, CET, EET, EST or China's CST)."""
    return moment + timedelta(hours=_HOURS[zone] + _is_summer(moment.date(), zone))


def at_work(day: date, random: Random) -> datetime:
    """Pick a second within a working day, UTC."""
    return datetime.combine(day, time(6)) + timedelta(seconds=random.randrange(11 * 3600))


def month_of(day: date) -> str:
    """Name the first day of `day`'s month."""
    return day.replace(day=1).isoformat()


def _is_summer(day: date, zone: str) -> bool:
    if zone == "CST":
        return False
    if zone == "EST":
        return _sunday(day.year, 3, 8) <= day < _sunday(day.year, 11, 1)
    return _sunday(day.year, 3, 25) <= day < _sunday(day.year, 10, 25)


def _sunday(year: int, month: int, first: int) -> date:
    day = date(year, month, first)
    return day + timedelta(days=6 - day.weekday())
