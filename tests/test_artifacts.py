"""Reading and writing files: atomic, typed, only on change."""

import subprocess
import sys
import textwrap

import pytest

from pipeline import artifacts
from pipeline.errors import ArtifactError
from schemas.models import Catalog

CATALOG = Catalog("sqlite", "shop")


def test_an_equal_result_keeps_the_file_and_its_time(tmp_path):
    path = tmp_path / "catalog.json"
    artifacts.write(path, CATALOG)
    before = path.stat().st_mtime_ns

    changed = artifacts.write(path, CATALOG)

    assert not changed
    assert path.stat().st_mtime_ns == before


def test_what_is_written_reads_back(tmp_path):
    path = tmp_path / "deep" / "catalog.json"

    artifacts.write(path, CATALOG)

    assert artifacts.read(path, Catalog) == CATALOG
    assert path.read_bytes().endswith(b"\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(None, "does not exist", id="missing"),
        pytest.param("{", "can't be read", id="no JSON"),
        pytest.param('{"format": "dblore.catalog/9"}', "'dblore.catalog/9'", id="another version"),
        pytest.param('{"format": "dblore.catalog/1"}', "is damaged", id="fields missing"),
        pytest.param("[]", "format None", id="no object"),
    ],
)
def test_a_file_that_cannot_be_used_says_so_and_how_to_build_it(tmp_path, text, said):
    path = tmp_path / "catalog.json"
    if text is not None:
        path.write_text(text, encoding="utf-8")

    with pytest.raises(ArtifactError) as caught:
        artifacts.read(path, Catalog)

    assert said in caught.value.problem
    assert f"dblore build --kb {tmp_path}" in caught.value.fix


@pytest.mark.req("BLD-05", part="a full disk")
def test_a_full_disk_leaves_the_old_file_whole_and_no_other(tmp_path):
    path = tmp_path / "notes.txt"
    artifacts.write_text(path, "old\n")
    code = """
        import resource, signal, sys
        from pathlib import Path
        from pipeline import artifacts
        from pipeline.errors import ArtifactError
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        try:
            artifacts.write_text(Path(sys.argv[1]), "new " * 100_000)
        except ArtifactError as error:
            print(error.problem)
    """

    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), str(path)],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )

    assert "notes.txt can't be written: File too large" in done.stdout
    assert path.read_text(encoding="utf-8") == "old\n"
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_a_folder_that_cannot_be_written_is_told_and_left_alone(tmp_path):
    folder = tmp_path / "file"
    folder.write_text("in the way", encoding="utf-8")

    with pytest.raises(ArtifactError) as caught:
        artifacts.write_text(folder / "notes.txt", "new")

    assert "can't be written" in caught.value.problem
    assert "unchanged" in caught.value.fix


def test_other_files_of_a_generated_folder_go_and_empty_folders_with_them(tmp_path):
    artifacts.write_folder(tmp_path, {"b/old.md": "text"})

    artifacts.write_folder(tmp_path, {"a/kept.md": "text"})

    files = {p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*") if p.is_file()}
    assert files == {"a/kept.md", ".dblore"}
    assert not (tmp_path / "b").exists()


@pytest.mark.parametrize("name", ["guide.md", "README.md"])
def test_files_of_others_are_neither_deleted_nor_overwritten(tmp_path, name):
    artifacts.write_text(tmp_path / name, "precious")

    with pytest.raises(ArtifactError) as caught:
        artifacts.write_folder(tmp_path, {"README.md": "text"})

    assert name in caught.value.problem
    assert (tmp_path / name).read_text(encoding="utf-8") == "precious"


def test_pages_that_came_without_the_marker_are_taken_as_ours_when_they_are_the_same(tmp_path):
    artifacts.write_text(tmp_path / "README.md", "text")

    artifacts.write_folder(tmp_path, {"README.md": "text", "er.md": "text"})

    assert (tmp_path / "er.md").exists()


def test_a_generated_folder_that_is_a_link_is_left_alone(tmp_path):
    precious = tmp_path / "precious" / "thesis.txt"
    artifacts.write_text(precious, "text")
    (tmp_path / "docs").symlink_to(precious.parent)

    with pytest.raises(ArtifactError) as caught:
        artifacts.write_folder(tmp_path / "docs", {"README.md": "text"})

    assert "thesis.txt" in caught.value.problem
    assert [p.name for p in precious.parent.iterdir()] == ["thesis.txt"]


def test_json_puts_one_innermost_object_on_a_line_with_sorted_keys():
    text = artifacts.dumps({"b": [{"y": 1, "x": [1, 2]}, {"x": None}], "a": "ü"})

    assert (
        text
        == '{\n "a": "ü",\n "b": [\n  {\n   "x": [1, 2],\n   "y": 1\n  },\n  {"x": null}\n ]\n}\n'
    )
