"""How right the claims of a profile are on labelled columns: the short form of an eval."""

import pytest

from evals.profile_columns import COLUMNS, LATER
from evals.profile_facts import BAR, figures


@pytest.mark.req("PROF-01", part="what claims are worth")
@pytest.mark.parametrize(
    "columns", [pytest.param(COLUMNS, id="columns"), pytest.param(LATER, id="later ones")]
)
def test_claims_about_units_formats_sentinels_and_bookkeeping_are_right(columns):
    found = figures(columns)

    assert {kind: told for kind, told in found.items() if told["precision"] < BAR} == {}
    assert {kind: told for kind, told in found.items() if told["recall"] < BAR} == {}
