"""The approximate index as files: a cache with a stamp that is checked before anything loads."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from litscape.index.hnsw import HnswIndex

if TYPE_CHECKING:
    from collections.abc import Callable

    from litscape.index.base import Ids, Vectors

log = logging.getLogger(__name__)

FORMAT = 1
GRAPH, LABELS, STAMP = "hnsw.bin", "labels.npy", "stamp.json"
_CHUNK = 8192


@dataclass(frozen=True, slots=True)
class Stamp:
    """What the files must hold to be loaded; any difference means that they are made anew."""

    format: int
    kind: str
    model: str
    count: int
    dim: int
    content: str
    """Hash of the ids and vectors that the graph was built from."""
    graph: str
    labels: str
    """Hashes of the files beside the stamp."""


def content_hash(ids: Ids, matrix: Vectors) -> str:
    """A hash of ids (n,) and their vectors (n, d) that does not depend on their order."""
    order = np.argsort(ids, kind="stable")
    digest = hashlib.blake2b(np.ascontiguousarray(ids[order]).tobytes(), digest_size=16)
    in_order = bool((order[1:] > order[:-1]).all())
    for start in range(0, len(order), _CHUNK):
        rows = slice(start, start + _CHUNK) if in_order else order[start : start + _CHUNK]
        digest.update(np.ascontiguousarray(matrix[rows], dtype=np.float32).data)
    return digest.hexdigest()


def save(index: HnswIndex, folder: Path, model: str, content: str) -> None:
    """Write the index's files, each whole or not at all, the stamp last.

    A failure is logged and passed over: the files are a cache.

    Args:
        index: what to write.
        folder: the cache folder of this model version; made when missing.
        model: the model version of the vectors.
        content: :func:`content_hash` of what the index holds.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / STAMP).unlink(missing_ok=True)
        labels: list[Ids] = []
        _replace(folder / GRAPH, lambda path: labels.append(index.write_graph(path)))
        _replace(folder / LABELS, lambda path: _write_labels(path, labels[0]))
        stamp = Stamp(
            format=FORMAT,
            kind=index.kind,
            model=model,
            count=index.count,
            dim=index.dim,
            content=content,
            graph=_file_hash(folder / GRAPH),
            labels=_file_hash(folder / LABELS),
        )
        text = json.dumps(asdict(stamp), indent=1)
        _replace(folder / STAMP, lambda path: path.write_text(text, encoding="utf-8"))
    except (OSError, RuntimeError) as error:  # RuntimeError: hnswlib could not write
        log.warning("the search index could not be saved in %s: %s", folder, error)


def saved_content(folder: Path) -> str | None:
    """The content hash of the index saved in a folder; None where there is none."""
    try:
        return Stamp(**json.loads((folder / STAMP).read_text(encoding="utf-8"))).content
    except (OSError, ValueError, TypeError):
        return None


def load(
    folder: Path, model: str, ids: Ids, matrix: Vectors, content: str | None = None
) -> HnswIndex | None:
    """The saved index of exactly these vectors, or None where it has to be built.

    Nothing is handed to hnswlib before the stamp, the vectors and both files are found to agree.

    Args:
        folder: the cache folder of this model version.
        model: the model version that the vectors come from.
        ids: (n,) papers that have vectors.
        matrix: (n, d) their vectors.
        content: :func:`content_hash` of both, where it is known already.
    """
    try:
        stamp = Stamp(**json.loads((folder / STAMP).read_text(encoding="utf-8")))
        expected = (FORMAT, HnswIndex.kind, model, len(ids), int(matrix.shape[1]))
        if (stamp.format, stamp.kind, stamp.model, stamp.count, stamp.dim) != expected:
            return None
        if stamp.content != (content or content_hash(ids, matrix)):
            return None
        if stamp.graph != _file_hash(folder / GRAPH):
            return None
        if stamp.labels != _file_hash(folder / LABELS):
            return None
        labels = np.load(folder / LABELS, allow_pickle=False)
        index = HnswIndex(int(matrix.shape[1]))
        index.read_graph(folder / GRAPH, labels, _in_label_order(labels, ids, matrix))
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        log.info("no usable search index in %s: %s", folder, error)
        return None
    return index


def _in_label_order(labels: Ids, ids: Ids, matrix: Vectors) -> Vectors:
    if np.array_equal(labels, ids):
        return matrix
    order = np.argsort(ids, kind="stable")
    rows = np.zeros(len(labels), dtype=np.int64)
    rows[labels >= 0] = order[np.searchsorted(ids[order], labels[labels >= 0])]
    return np.ascontiguousarray(matrix[rows])


def _write_labels(path: Path, labels: Ids) -> None:
    with path.open("wb") as stream:
        np.save(stream, labels, allow_pickle=False)


def _file_hash(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _replace(target: Path, write: Callable[[Path], object]) -> None:
    handle, name = tempfile.mkstemp(prefix=target.name, suffix=".part", dir=target.parent)
    os.close(handle)
    temporary = Path(name)
    try:
        write(temporary)
        # "r+b": Windows flushes only files open for writing.
        with temporary.open("r+b") as stream:
            os.fsync(stream.fileno())
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
