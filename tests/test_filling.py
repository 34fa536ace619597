"""Gaps of people's YAML are filled at once; what people wrote always wins."""

import pytest
from hypothesis import given, settings

from tests.yaml_edits import check_fill, gaps


@pytest.mark.req("SEM-02", part="gaps are filled, people's bytes stay")
@pytest.mark.req("C17", part="suggestions")
@settings(max_examples=100, deadline=None, database=None, derandomize=True)
@given(gaps())
def test_what_people_wrote_stays_when_gaps_are_filled(case):
    check_fill(case)
