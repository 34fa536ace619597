"""Make everything that is known findable: words, vectors and stored values.

Reads   catalog.json, profile.json, semantic.yaml, graph.json
Writes  build/index/<generation>/{index.db,vectors.npy} and build/index/current, which names one

A generation is written whole beside the others, then `current` is replaced: whoever searches
meanwhile sees the one before. Its name is the hash of all that went into it.
"""

from __future__ import annotations

import hashlib
import io
import logging
import os
import shutil
import sqlite3
import tempfile
from pathlib import Path

from pipeline import artifacts, authored
from pipeline.cards import TableCard, cards
from pipeline.errors import ModelError
from pipeline.index import chunks, dictionary, store, vectors
from pipeline.kb import current_generation
from pipeline.kept import Kept
from pipeline.references import as_document, references
from pipeline.statements import readable
from schemas.models import Catalog, Graph, Profile, Use

log = logging.getLogger("dblore.index")

__all__ = ["build"]


def build(
    *,
    catalog: Path,
    profile: Path,
    semantic: Path,
    graph: Path,
    out: Path,
    embedder: str,
    kept: Path | None = None,
) -> str:
    """Build the search index in the folder `out`.

    An embedder that can't be had leaves an index that searches by words, with one line that
    says so. What statements use is taken from the file `kept` where they are what they were.

    Raises:
        ArtifactError: an input is missing or `out` can't be written; the index before stays.
        SettingError: there is no embedder of that name.
    """
    facts = artifacts.read(catalog, Catalog)
    document = authored.read_semantic(semantic)
    meaning = readable(document.semantic, facts.dialect)
    links = artifacts.read(graph, Graph)
    merged = cards(facts, artifacts.read(profile, Profile), meaning, links)
    shown = {name: card for name, card in merged.items() if not card.hidden}
    entries = chunks.entries(facts, shown, meaning, links)
    embedded = _embed(entries, out, embedder)
    meta = {
        "format": store.FORMAT,
        "embedder": embedder,
        "model": "",
        "digest": "",
        "dimension": "0",
    }
    if embedded:
        model = embedded.model
        meta |= {"model": model.name, "digest": model.digest, "dimension": str(model.dimension)}
    contents = store.Contents(
        meta,
        entries,
        [vectors.content_hash(entry.dense) for entry in entries],
        dictionary.dictionary_words(shown),
        dictionary.dictionary_values(shown),
        _uses(facts, document, links, kept, {n for n, card in merged.items() if card.hidden}),
    )
    _publish(out, contents, embedded)
    return _account(entries, shown, embedded)


def _uses(
    catalog: Catalog, document: authored.Document, graph: Graph, kept: Path | None, hidden: set[str]
) -> list[Use]:
    """Return what uses what, but for hidden tables and what is said of them."""
    found = references(
        catalog, document, as_document(graph), measured=graph, kept=Kept(kept) if kept else None
    )
    at_home = {u.item for u in found.uses if u.table in hidden and u.by == "place"}
    return [
        use
        for use in found.uses
        if use.table not in hidden
        and (use.item not in at_home or use.item.kind == "domain")
        and not (use.item.kind == "view" and use.item.name in hidden)
    ]


def _embed(entries: list[chunks.Entry], out: Path, name: str) -> vectors.Embedded | None:
    model = vectors.load(name)
    if model is None:
        return None
    texts = [entry.dense for entry in entries]
    hashes = [vectors.content_hash(text) for text in texts]
    try:
        return vectors.embed(model, texts, hashes, _generations(out))
    except ModelError as error:
        log.warning("searching by words only: %s (%s)", error.problem, error.fix)
        return None


def _generations(out: Path) -> list[Path]:
    """Return the folders of whole generations, the current one last."""
    named = current_generation(out)
    found = [p for p in sorted(out.glob("*/")) if (p / "index.db").is_file()]
    return sorted(found, key=lambda p: p.name == named)


def _publish(out: Path, contents: store.Contents, embedded: vectors.Embedded | None) -> None:
    """Write a generation beside its place, rename it, and let `current` name it."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        for left in out.glob(".making-*"):
            shutil.rmtree(left, ignore_errors=True)  # of a build that was killed
        making = Path(tempfile.mkdtemp(prefix=".making-", dir=out))
        try:
            store.write(making / "index.db", contents)
            if embedded:
                _write_vectors(making / "vectors.npy", embedded)
            for file in making.iterdir():
                _sync(file)
            generation = _name(making)
            if not (out / generation).is_dir():
                making.chmod(0o755)
                making.rename(out / generation)
        finally:
            shutil.rmtree(making, ignore_errors=True)
    except (OSError, sqlite3.Error) as error:
        cause = error if isinstance(error, OSError) else OSError(str(error))
        raise artifacts.unwritable(out, cause) from error
    before = current_generation(out)
    artifacts.write_text(out / "current", generation + "\n")
    for folder in _generations(out):
        if folder.name not in {generation, before}:
            shutil.rmtree(folder, ignore_errors=True)


def _write_vectors(path: Path, embedded: vectors.Embedded) -> None:
    import numpy as np

    buffer = io.BytesIO()
    np.save(buffer, embedded.vectors, allow_pickle=False)
    path.write_bytes(buffer.getvalue())


def _sync(path: Path) -> None:
    path.chmod(0o644)
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _name(folder: Path) -> str:
    digest = hashlib.sha256()
    for file in sorted(folder.iterdir()):
        digest.update(f"{file.name} {artifacts.sha256(file)}\n".encode())
    return digest.hexdigest()[:16]


def _account(
    entries: list[chunks.Entry], shown: dict[str, TableCard], embedded: vectors.Embedded | None
) -> str:
    said = f"{len(entries):,} chunks of {len(shown):,} tables"
    return f"{said}, {embedded.fresh:,} embedded" if embedded else f"{said}, words only"
