"""Databases whose joins are inferred, and their profiles."""

from pathlib import Path

from pipeline import artifacts, scan
from pipeline.database.source import resolve
from pipeline.profile import build
from schemas.models import Profile
from schemas.settings import KbSettings

SETTINGS = KbSettings(name="test")


def profiled(path, folder, settings=SETTINGS):
    """Return the profile of a database file."""
    return profiled_source(resolve(str(path), Path(), {}), folder, settings)


def profiled_source(source, folder, settings=SETTINGS):
    """Return the profile of a database, made by the two stages."""
    scan.build(source=source, settings=settings, out=folder / "catalog.json")
    build(
        source=source,
        settings=settings,
        catalog=folder / "catalog.json",
        semantic=folder / "semantic.yaml",
        out=folder / "profile.json",
    )
    return artifacts.read(folder / "profile.json", Profile)


def rows(table, count, *columns):
    """Return an INSERT of `count` rows, ids 1…count; `columns` are SQL over `i`."""
    values = ", ".join(["i", *columns])
    return (
        f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count}) "
        f"INSERT INTO {table} SELECT {values} FROM n;"
    )
