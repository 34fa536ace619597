"""The pages in docs/: what they say exists, and what exists is said."""

import dataclasses
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest

from pipeline import authored, errors, tasks
from pipeline.graph.codes import CODES
from pipeline.kb import Kb
from schemas.models import KbSettings, ProfileSettings
from tests import lint_page, reference_pages

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))


def page(name):
    return (DOCS / name).read_text(encoding="utf-8")


def first_cells(text):
    """Return what stands in backticks at the start of each table row."""
    return set(re.findall(r"^\| `([^`]+)`", text, re.MULTILINE))


def blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_every_setting_is_documented_and_none_is_stale():
    top, below = page("reference/settings.md").partition("Under `profile:`")[::2]

    documented = first_cells(top), first_cells(below.partition("## Environment")[0])

    known = [{field.name for field in dataclasses.fields(m)} for m in (KbSettings, ProfileSettings)]
    known[1].remove("stated")  # whether `profile:` is there at all
    assert list(documented) == known


def test_every_environment_variable_that_is_read_is_documented():
    sources = [p.read_text(encoding="utf-8") for p in ROOT.glob("serve/**/*.py")]
    read = {name for text in sources for name in re.findall(r"environ[^\n]*?\b(DBLORE_\w+)", text)}

    documented = first_cells(page("reference/settings.md").partition("## Environment")[2])

    assert read <= documented == {"DBLORE_KB", "DBLORE_DB"}


def test_every_error_class_and_its_exit_status_is_documented():
    family = errors.DbloreError.__subclasses__()
    known = {(c.__name__, str(c.exit_status)) for c in family}

    rows = re.findall(
        r"^\| `(\w+Error)` \|.*\| (\d) \|$", page("reference/errors.md"), re.MULTILINE
    )

    assert set(rows) == known


def test_every_problem_code_of_the_graph_is_documented():
    documented = {
        c for c in first_cells(page("reference/knowledge-graph.md")) if c.startswith("KG")
    }

    assert documented == set(CODES)


def test_every_artifact_is_documented_with_its_stage():
    text = page("reference/artifacts.md")

    for stage in tasks.STAGES:
        for attribute in stage.writes.values():
            path = getattr(Kb(Path("kb")), attribute).relative_to("kb").as_posix()
            row = next(r for r in text.splitlines() if r.startswith("| `") and f"`{path}" in r)
            assert f"| {stage.name} |" in row


def questions(path):
    return authored.read_evaluation(path).questions


@pytest.mark.parametrize(
    ("name", "load"),
    [
        pytest.param("reference/semantic.md", authored.load_semantic, id="semantic.yaml"),
        pytest.param("reference/evaluation.md", questions, id="evaluation.yaml"),
        pytest.param(
            "reference/knowledge-graph.md", authored.load_knowledge_graph, id="knowledge_graph.yaml"
        ),
        pytest.param("tutorial.md", authored.load_semantic, id="tutorial"),
    ],
)
def test_yaml_in_the_docs_is_what_the_loader_takes(tmp_path, name, load):
    (example,) = blocks(page(name), "yaml")
    (tmp_path / "example.yaml").write_text(example, encoding="utf-8")

    found = load(tmp_path / "example.yaml")

    assert found != type(found)()


@pytest.mark.parametrize(
    ("name", "write"),
    [
        pytest.param("cli.md", reference_pages.cli_page, id="every command and option"),
        pytest.param("tools.md", reference_pages.tools_page, id="every tool and argument"),
        pytest.param("lint.md", lint_page.page, id="every rule"),
    ],
)
def test_the_generated_pages_are_as_the_code_is(name, write):
    assert page(f"reference/{name}") == write(), "run: python -m tests.reference_pages"


def test_relative_links_lead_to_files_and_headings():
    for path in PAGES:
        text = re.sub(
            r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
        )
        text = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", text)  # code may look like a link
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            if "://" in target:
                continue
            file, _, anchor = unquote(target).partition("#")
            found = path if not file else (path.parent / file)
            assert found.exists(), f"{path.relative_to(ROOT)}: {target}"
            if anchor:
                headings = re.findall(r"^#+ (.*)$", found.read_text(encoding="utf-8"), re.MULTILINE)
                anchors = {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in headings}
                assert anchor in anchors, f"{path.relative_to(ROOT)}: {target}"


def test_every_page_is_reached_from_the_index():
    reached = set(re.findall(r"\]\(([^)]+\.md)\)", page("README.md")))

    written = {p.relative_to(DOCS).as_posix() for p in PAGES}
    assert {p for p in written if not p.startswith("decisions/")} - reached == {"README.md"}


def test_the_tutorial_does_what_it_shows(tmp_path):
    """Run its commands in order; each line of output that it shows must come, in that order."""
    text = page("tutorial.md")
    script, semantic = blocks(text, "python")[0], blocks(text, "yaml")[0]
    (tmp_path / "make_shop.py").write_text(script, encoding="utf-8")
    python, dblore = [sys.executable], [sys.executable, "-m", "serve.cli"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}

    for number, block in enumerate(blocks(text, "console")):
        if number == 3:  # after the semantic layer was written
            (tmp_path / "kb/shop/semantic.yaml").write_text(semantic, encoding="utf-8")
        for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
            first, *rest = shlex.split(command)
            done = subprocess.run(
                [*(dblore if first == "dblore" else python), *rest],
                cwd=tmp_path,
                env=environment,
                capture_output=True,
                encoding="utf-8",
                check=False,
            )
            come = (done.stdout + done.stderr).splitlines()
            for line in shown.splitlines():
                if line != "…":
                    assert line in come, f"{command}\n{done.stdout}\n{done.stderr}"
                    come = come[come.index(line) + 1 :]
