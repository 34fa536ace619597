"""What DuckDB may use in a build: memory and a folder of its own to spill into."""

import os
import subprocess
import sys

import pytest

BUILD = """
import os, signal, sys
from pathlib import Path
from pipeline.database.connect import open_database
from pipeline.database.source import resolve
source = resolve(sys.argv[1], Path(), {})
first, second = open_database(source), open_database(source)
distinct = "count(DISTINCT repeat(md5(i::VARCHAR), 8))"
rows = first.fetch(f"SELECT {distinct} FROM range({sys.argv[2]}) t(i)")
settings = dict(second.fetch("SELECT name, value FROM duckdb_settings()"))
spilled = Path(settings["temp_directory"])
print(rows[0][0], settings["memory_limit"], spilled.parent.stat().st_mode & 0o777, flush=True)
print(spilled.parent.parent, any(spilled.glob("*")), flush=True)
if sys.argv[3:]:
    os.kill(os.getpid(), signal.SIGKILL)
"""


def build(path, temporary, *arguments):
    """Open a file as a build does, from a script: DuckDB draws on the output of `python -c`."""
    script = temporary.parent / "build.py"
    script.write_text(BUILD, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(script), str(path), *arguments],
        env={"TMPDIR": str(temporary), "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        check=False,
    )
    return done.stdout.splitlines()


@pytest.fixture
def file(tmp_path):
    import duckdb  # an absent driver is a failure

    folder = tmp_path / "data"
    folder.mkdir()
    with duckdb.connect(str(folder / "t.duckdb")) as connection:
        connection.execute("CREATE TABLE t AS SELECT 1 AS a")
    return folder / "t.duckdb"


def test_a_build_spills_what_is_too_much_into_a_folder_of_its_own_that_goes(file, tmp_path):
    temporary = tmp_path / "temporary"
    temporary.mkdir()

    killed = build(file, temporary, "10", "kill")
    left = [folder.name for folder in temporary.iterdir()]
    done = build(file, temporary, "700000")

    assert killed == ["10 152.5 MiB 448", f"{temporary} False"]  # 448 is 0o700
    assert done == ["700000 152.5 MiB 448", f"{temporary} True"]
    assert len(left) == 1
    assert left[0].startswith("dblore-duckdb-")
    assert list(temporary.iterdir()) == []
    assert [path.name for path in file.parent.iterdir()] == ["t.duckdb"]


def test_without_a_temporary_folder_a_build_says_what_to_do(file, monkeypatch):
    from pipeline.database import duckdb_limits
    from pipeline.errors import SettingError

    def full(**_options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(duckdb_limits.tempfile, "mkdtemp", full)
    duckdb_limits._own_folder.cache_clear()
    with pytest.raises(SettingError) as caught:
        duckdb_limits.of_build()
    duckdb_limits._own_folder.cache_clear()

    assert "No space left on device" in caught.value.problem
    assert "TMPDIR" in caught.value.fix
