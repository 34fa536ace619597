"""The way from an undescribed database to a described one is told step by step."""

import pytest

from evals.newcomer import travel


@pytest.mark.req("SEM-02", part="every step is told")
def test_whoever_follows_what_is_said_next_describes_a_database(make_db, tmp_path):
    journey = travel(make_db(), tmp_path / "new", goal=60)

    assert journey.coverage >= 60
    assert journey.lint_errors == 0
    words = [step.split()[1] if " " in step else "editor" for step in journey.steps]
    assert words == ["init", "build", "accept", "accept", "accept", "editor", "build"]
