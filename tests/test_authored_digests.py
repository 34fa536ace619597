"""Digests of parts of people's files: what they see, and what leaves them as they were."""

import pytest

from pipeline.authored import part_digest, sensitive_marks_digest


@pytest.fixture
def write(tmp_path):
    def write(text, name="semantic.yaml"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def test_the_digest_of_a_part_sees_that_part_alone(write):
    before = part_digest(write("include: [a]\nname: x\n", "kb.yaml"), ("include", "exclude"))

    same = part_digest(
        write("name: y\n# why\ninclude:\n  - 'a'\n", "kb.yaml"), ("exclude", "include")
    )
    other = part_digest(write("include: [b]\n", "kb.yaml"), ("include", "exclude"))

    assert before == same
    assert before != other


def test_the_digest_of_marks_sees_marks_alone(write):
    marked = "tables: {t: {columns: {c: {sensitive: true, description: %s}}}}"

    first = sensitive_marks_digest(write(marked % "a"))
    second = sensitive_marks_digest(write(marked % "b"))
    other = sensitive_marks_digest(write((marked % "a").replace("true", "false")))
    none = sensitive_marks_digest(write("tables: {t: {description: sensitive matters}}"))

    assert first == second
    assert len({first, other, none}) == 3


def test_absent_and_silent_files_have_the_digest_of_nothing(write, tmp_path):
    absent = tmp_path / "absent.yaml"

    assert sensitive_marks_digest(absent) == sensitive_marks_digest(write("tables: {}"))
    assert part_digest(absent, ("a",)) == part_digest(write("b: 1"), ("a",))


@pytest.mark.parametrize("text", ["sensitive: [", b"sensitive: \xff", "- sensitive"])
def test_a_file_that_cannot_be_parsed_still_has_a_digest(write, text):
    path = write(text)

    assert len(part_digest(path, ("a",))) == 64
    assert len(sensitive_marks_digest(path)) == 64
