"""Vectors of all chunks: those of the generations before are kept, only new texts are embedded."""

from __future__ import annotations

import hashlib
import logging
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline import embedding
from pipeline.errors import ModelError

if TYPE_CHECKING:  # numpy is loaded only when there is something to embed
    from pipeline.embedding import Embedder, Vectors

log = logging.getLogger("dblore.index")


@dataclass(frozen=True, slots=True)
class Embedded:
    """The vectors of a generation, one row per text, and what made them."""

    model: Embedder
    vectors: Vectors
    fresh: int
    """Texts that were embedded now; the others' vectors were known."""


def load(name: str) -> Embedder | None:
    """Return the embedder of that name; None for `none`, and for one that can't be had."""
    try:
        return embedding.embedder(name)
    except ModelError as error:
        log.warning("searching by words only: %s (%s)", error.problem, error.fix)
        return None


def content_hash(text: str) -> str:
    """Return what names a text among known vectors."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def embed(
    model: Embedder, texts: Sequence[str], hashes: Sequence[str], generations: Iterable[Path]
) -> Embedded:
    """Return the vectors of `texts`, taking those that one of the `generations` holds.

    Distinct new texts are embedded once, in one list, so that clean builds agree to the byte.

    Raises:
        ModelError: the model fails.
    """
    import numpy as np

    known = _known(generations, model.digest, model.dimension)
    missing = {h: text for h, text in zip(hashes, texts, strict=True) if h not in known}
    if missing:
        known.update(zip(missing, model.embed(list(missing.values())), strict=True))
    vectors = np.zeros((len(texts), model.dimension), dtype=np.float32)
    for row, key in enumerate(hashes):
        vectors[row] = known[key]
    return Embedded(model, vectors, len(missing))


def _known(generations: Iterable[Path], digest: str, dimension: int) -> dict[str, Vectors]:
    """Return vectors by content hash, of the generations that this very model made."""
    import numpy as np

    known: dict[str, Vectors] = {}
    for folder in generations:
        try:
            with closing(
                sqlite3.connect(f"{(folder / 'index.db').resolve().as_uri()}?mode=ro", uri=True)
            ) as db:
                meta = dict(db.execute("SELECT key, value FROM meta"))
                keys = [row[0] for row in db.execute("SELECT dense FROM chunk ORDER BY id")]
            if meta.get("digest") != digest:
                continue
            vectors = np.load(folder / "vectors.npy", allow_pickle=False)
        except (sqlite3.Error, OSError, ValueError, EOFError):
            continue  # a damaged generation is no source of vectors; this build replaces it
        if vectors.shape == (len(keys), dimension):
            known.update(zip(keys, vectors, strict=True))
    return known
