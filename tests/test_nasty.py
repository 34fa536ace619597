"""Nasty databases: what each engine permits is built whole, and told as it is.

One assertion an entry of the manifest and engine. Each engine has some of the odd names as tables
here, all as columns; `python -m evals.nasty --own ENGINE --names` has all, and `--db` checks
databases of other people.
"""

from contextlib import ExitStack
from pathlib import Path

import pytest

from evals.nasty import checks, names, world
from tests.nasty.building import nasty
from tests.nasty.core import ENGINES

ENTRIES = checks.read_manifest(Path(__file__).parent / "nasty" / "manifest.json")
LEAST = {"sqlite": 37, "duckdb": 25, "postgres": 34, "mariadb": 34}
"""Entries that must apply."""


@pytest.fixture(scope="module")
def worlds(tmp_path_factory, request):
    """Return what gives the nasty world of an engine, built once."""
    required = request.config.getoption("--require-engines")
    made = {}
    with ExitStack() as stack:

        def of(engine):
            if engine not in made:
                folder = tmp_path_factory.mktemp(engine)
                url = stack.enter_context(nasty(engine, folder, required=required, every=8))
                made[engine] = world.build(url, folder / "kb" / "nasty")
                stack.callback(made[engine].close)
            return made[engine]

        yield of


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.req("SCAN-10")
def test_every_stage_of_a_nasty_database_ends_well(worlds, engine):
    built = worlds(engine)

    applicable = [entry for entry in ENTRIES if entry.targets(built.listing)]

    assert built.problems == []
    assert len(applicable) >= LEAST[engine]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.difficulty)
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.req("SCAN-12")
@pytest.mark.req("SCAN-13")
def test_an_entry_of_the_manifest_holds(worlds, engine, entry):
    outcome = checks.judge(worlds(engine), entry)

    assert outcome.problems == ()


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.req("SCAN-13")
@pytest.mark.req("C4")
def test_every_name_goes_round_and_every_statement_runs(worlds, engine):
    assert names.everything(worlds(engine)) == []
