"""The README shows what is: its commands parse, its stages and links are there."""

import re
import shlex
from pathlib import Path

from pipeline import tasks
from serve import cli

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_command_of_the_readme_is_one_that_dblore_takes():
    commands = re.findall(r"^\$ (dblore .*)$|`(dblore [^`]*)`", TEXT, flags=re.MULTILINE)
    lines = [shlex.split(one or other, comments=True)[1:] for one, other in commands]

    parsed = [cli.parser().parse_args(line).command for line in lines]

    assert {"init", "build", "context", "mcp"} <= set(parsed)


def test_the_session_shows_each_stage_in_order():
    shown = re.findall(r"^(\w+) +demo: ", TEXT, flags=re.MULTILINE)

    assert shown == [stage.name for stage in tasks.STAGES]


def test_every_link_of_the_readme_leads_to_a_file():
    targets = re.findall(r"\]\(([^)#]+)\)", TEXT)

    assert targets
    assert [target for target in targets if not (ROOT / target).exists()] == []


def test_the_set_up_lines_stand_first():
    first_block = TEXT.split("```")[1]

    assert "pip install -e . && doit" in first_block
    assert "pip install -e '.[test]' && pytest" in first_block
