"""A database, its catalogue and its profile, for tests of profiles."""

from pathlib import Path

from pipeline import artifacts, scan
from pipeline.database.source import resolve
from pipeline.profile import build
from schemas.models import Profile
from schemas.settings import KbSettings, ProfileSettings


class Kit:
    """A database, its catalogue and what `build` makes of it."""

    def __init__(self, folder, database):
        is_path = isinstance(database, str | Path)
        self.source = resolve(str(database), Path(), {}) if is_path else database
        self.catalog = folder / "catalog.json"
        self.out = folder / "profile.json"
        self.semantic = folder / "semantic.yaml"
        scan.build(source=self.source, settings=KbSettings(name="test"), out=self.catalog)

    def build(self, cache=None, progress=lambda *_: None, **settings):
        self.account = build(
            source=self.source,
            settings=KbSettings(name="test", profile=ProfileSettings(**settings)),
            catalog=self.catalog,
            semantic=self.semantic,
            out=self.out,
            progress=progress,
            cache=cache,
        )
        return artifacts.read(self.out, Profile)

    def column(self, name="v", table="t", **settings):
        return self.build(**settings).by_table[table].column(name)
