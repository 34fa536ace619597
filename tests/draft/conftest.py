"""A shop whose facts are drafted from."""

import dataclasses

import pytest

from pipeline import artifacts, draft
from pipeline.authored import load_semantic
from schemas.models import Catalog, Coverage, Profile
from tests.draft.shop import write_facts


@pytest.fixture(scope="package")
def facts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("facts")
    write_facts(folder)
    return folder


@pytest.fixture
def kb(facts, tmp_path):
    class Drafted:
        catalog = artifacts.read(facts / "catalog.json", Catalog)
        profile = artifacts.read(facts / "profile.json", Profile)
        folder = tmp_path
        account = ""

        def build(self, text="", drafts=""):
            artifacts.write(tmp_path / "catalog.json", self.catalog)
            artifacts.write(tmp_path / "profile.json", self.profile)
            (tmp_path / "semantic.yaml").write_text(text, encoding="utf-8")
            (tmp_path / "drafts.jsonl").write_text(drafts, encoding="utf-8")
            self.account = draft.build(
                catalog=tmp_path / "catalog.json",
                profile=tmp_path / "profile.json",
                semantic=tmp_path / "semantic.yaml",
                drafts=tmp_path / "drafts.jsonl",
                out=tmp_path / "semantic.draft.yaml",
                coverage=tmp_path / "coverage.json",
            )
            return (tmp_path / "semantic.draft.yaml").read_text(encoding="utf-8")

        @property
        def semantic(self):
            return load_semantic(tmp_path / "semantic.draft.yaml")

        @property
        def coverage(self):
            return artifacts.read(tmp_path / "coverage.json", Coverage)

        def comment_on(self, table, text, column=None):
            """Give a table, or a column of it, a database comment."""
            tables = []
            for found in self.catalog.tables:
                changed = found
                if found.name == table and column is None:
                    changed = dataclasses.replace(found, comment=text)
                elif found.name == table:
                    columns = tuple(
                        dataclasses.replace(c, comment=text) if c.name == column else c
                        for c in found.columns
                    )
                    changed = dataclasses.replace(found, columns=columns)
                tables.append(changed)
            self.catalog = dataclasses.replace(self.catalog, tables=tuple(tables))

    return Drafted()
