"""A new knowledge base holds what a build needs, and no login."""

import re
import shutil
from pathlib import Path

import pytest

from pipeline import init
from pipeline.authored import load_semantic, load_settings
from pipeline.authored.writing import scalar
from pipeline.database.source import Source, resolve
from pipeline.errors import SettingError, SourceError
from schemas.models import ProfileSettings, Semantic


@pytest.fixture
def base(make_db, tmp_path):
    make_db()
    return tmp_path


@pytest.mark.req("CLI-01", part="init")
def test_a_relative_path_is_written_relative_to_the_new_folder(base):
    folder = base / "kb" / "shop"

    notes = init.create(folder, "source.sqlite", base=base, environ={})

    settings = load_settings(folder / "kb.yaml")
    assert settings.source == "../../source.sqlite"
    assert resolve(settings.source, folder, {}).path == base / "source.sqlite"
    assert settings.name == "shop"
    assert notes == ()


def test_an_absolute_path_outside_the_folder_stays_absolute(base):
    folder = base / "kb"

    init.create(folder, str(base / "source.sqlite"), base=base, environ={})

    assert load_settings(folder / "kb.yaml").source == str(base / "source.sqlite")


def test_a_file_in_the_folder_is_written_relative_so_that_both_can_move(base):
    folder = base / "kb"
    folder.mkdir()
    shutil.copy(base / "source.sqlite", folder)

    init.create(folder, str(folder / "source.sqlite"), base=base, environ={})

    assert load_settings(folder / "kb.yaml").source == "source.sqlite"


def test_the_other_files_are_written_and_say_nothing_yet(base):
    folder = base / "kb"

    init.create(folder, "source.sqlite", base=base, environ={})

    ignored = (folder / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert {"build/", "private/"} <= set(ignored)
    assert load_semantic(folder / "semantic.yaml") == Semantic()
    first = (folder / "kb.yaml").read_text(encoding="utf-8").splitlines()[0]
    schema = first.removeprefix("# yaml-language-server: $schema=")
    assert (folder / schema).is_file()


def test_settings_given_are_written_and_the_others_stay_as_comments(base):
    folder = base / "kb"
    given = {
        "include": ["sales_*", "it, too"],
        "profile.rows": 1000,
        "profile.values": False,
        "profile.sensitive": ["(?i)mail"],
        "name": "NO",
        "rescan": "1d",
    }

    init.create(folder, "source.sqlite", given, base=base, environ={})

    settings = load_settings(folder / "kb.yaml")
    assert settings.include == ("sales_*", "it, too")
    assert settings.profile == ProfileSettings(
        values=False, rows=1000, stated=True, sensitive=("(?i)mail",)
    )
    assert (settings.name, settings.rescan, settings.exclude) == ("NO", "1d", ())


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://reader:s3cret@host/shop",
        "postgresql://reader@host/shop",
        "mssql://host/shop?access_token=s3cret",
        "odbc:Driver={ODBC Driver 18 for SQL Server};Server=host;UID=reader;PWD=s3cret",
    ],
)
def test_a_login_is_never_written(url, tmp_path):
    source = resolve(url, tmp_path, {})

    assert init.source_line(url, source, tmp_path / "kb", tmp_path) == "${DBLORE_DB}"
    (note,) = init._notes("${DBLORE_DB}", source, url)
    assert "s3cret" not in note
    assert "export DBLORE_DB=" in note


@pytest.mark.parametrize("url", ["postgresql://host/shop", "postgresql://${DB_USER}@host/shop"])
def test_a_url_without_a_login_is_written_as_given(url, tmp_path):
    source = resolve(url, tmp_path, {"DB_USER": "reader"})

    assert init.source_line(url, source, tmp_path / "kb", tmp_path) == url


@pytest.mark.parametrize("path", [r"C:\data\new\shop.db", r"\\server\share\it's.db", "a: b #c.db"])
def test_any_path_survives_the_way_through_yaml(path, tmp_path):
    (tmp_path / "kb.yaml").write_text(f"source: {scalar(path)}\n", encoding="utf-8")

    assert load_settings(tmp_path / "kb.yaml").source == path


def test_a_windows_path_is_written_as_it_is(tmp_path):
    path = Path(r"C:\data\shop.db")
    source = Source(url="sqlite:///C:/data/shop.db", dialect="sqlite", path=path, shown=str(path))

    assert init.source_line(str(path), source, tmp_path / "kb", tmp_path / "elsewhere") == str(path)


def test_a_knowledge_base_that_is_there_is_left_alone(base):
    folder = base / "kb"
    init.create(folder, "source.sqlite", base=base, environ={})
    before = (folder / "kb.yaml").read_bytes()

    with pytest.raises(SettingError) as caught:
        init.create(folder, "source.sqlite", {"name": "other"}, base=base, environ={})

    assert "is there already" in caught.value.problem
    assert "dblore build --kb" in caught.value.fix
    assert (folder / "kb.yaml").read_bytes() == before


def test_a_source_that_is_not_there_leaves_nothing_behind(base):
    with pytest.raises(SourceError):
        init.create(base / "kb", "absent.sqlite", base=base, environ={})

    assert not (base / "kb").exists()


def test_an_unknown_setting_is_refused(base):
    with pytest.raises(SettingError) as caught:
        init.create(base / "kb", "source.sqlite", {"profile.row": 1}, base=base, environ={})

    assert "profile.row" in caught.value.problem


@pytest.mark.parametrize(
    ("key", "value"),
    [("profile.rows", -5), ("profile.workers", 0), ("profile.sensitive", ["("]), ("rescan", "6x")],
)
def test_a_setting_that_no_build_could_read_is_refused_before_anything_is_written(base, key, value):
    folder = base / "kb"

    with pytest.raises(SettingError) as caught:
        init.create(folder, "source.sqlite", {key: value}, base=base, environ={})

    assert caught.value.problem.startswith(
        f"no kb.yaml was written, since a setting is wrong: {key}"
    )
    assert caught.value.fix
    assert not folder.exists()


@pytest.mark.parametrize("name", ["catalog.json", "docs/guide.md"])
def test_a_folder_with_files_that_a_build_would_write_is_refused(tmp_path, make_db, name):
    path = tmp_path / "kb" / name
    path.parent.mkdir(parents=True)
    path.write_text("precious", encoding="utf-8")

    with pytest.raises(SettingError) as caught:
        init.create(tmp_path / "kb", str(make_db()))

    assert name.split("/")[0] in caught.value.problem
    assert path.read_text(encoding="utf-8") == "precious"
    assert not (tmp_path / "kb" / "kb.yaml").exists()


def test_the_comment_on_schemas_tells_the_default_that_the_reference_tells(base):
    init.create(base / "kb", "source.sqlite", base=base, environ={})

    page = (Path(__file__).parent.parent / "docs/reference/settings.md").read_text(encoding="utf-8")
    default = re.search(r"\| `schemas` \| ([^|]+) \|", page)[1]
    line = re.search(r"# schemas: .*", (base / "kb/kb.yaml").read_text(encoding="utf-8"))[0]
    assert default == "all that users made, or the one of the URL"
    assert line.endswith(f"left out: {default}")
