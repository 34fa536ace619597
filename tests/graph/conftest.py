"""What the tests of the graph stage build with."""

import pytest

from pipeline import artifacts, graph, scan
from pipeline.database import source
from schemas.models import Graph, KbSettings, Profile
from tests.graph.kit import DATABASE, ENTITIES, SHOP, Bench


@pytest.fixture
def bench(make_db, tmp_path):
    """Return a function that prepares the stage for a database built from SQL."""

    def prepare(sql=SHOP):
        return Bench(tmp_path, make_db(sql))

    return prepare


@pytest.fixture
def build(make_db, tmp_path):
    """Return a function that verifies relations, given as lines of YAML, and returns the graph."""
    database = source.resolve(str(make_db(DATABASE)), tmp_path, {})
    settings = KbSettings(name="shop", source=str(database.path))
    scan.build(source=database, settings=settings, out=tmp_path / "catalog.json")
    artifacts.write(tmp_path / "profile.json", Profile())

    def run(*relations):
        text = ENTITIES + "".join(f"  - {relation}\n" for relation in relations)
        (tmp_path / "knowledge_graph.yaml").write_text(text, encoding="utf-8")
        graph.build(
            catalog=tmp_path / "catalog.json",
            profile=tmp_path / "profile.json",
            semantic=tmp_path / "semantic.yaml",
            knowledge_graph=tmp_path / "knowledge_graph.yaml",
            out=tmp_path / "graph.json",
            source=database,
        )
        return artifacts.read(tmp_path / "graph.json", Graph)

    return run


@pytest.fixture
def relate(build):
    """Return a function that verifies one relation."""
    return lambda relation: build(relation).relations[0]
