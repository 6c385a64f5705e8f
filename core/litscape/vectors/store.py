"""The vectors of a library: files per model version, bookkeeping in the database."""

from __future__ import annotations

import hashlib
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from litscape.embed.plan import plan
from litscape.errors import UserError
from litscape.store import models as model_table
from litscape.store import vector_rows as table
from litscape.store.vector_rows import VectorRow
from litscape.vectors.file import VectorFile, checksums

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from litscape.models.card import ModelCard
    from litscape.store.database import Database
    from litscape.store.models import StoredModel

TEXT_BYTES = 16
_BLOCK = 4096


@dataclass(frozen=True, slots=True)
class VectorSnapshot:
    """The vectors of the live papers at one moment.

    Attributes:
        version: the model version that made them.
        ids: paper ids, int64 (n,).
        matrix: unit vectors, float32 (n, d), row i is that of ``ids[i]``; mapped from the file
            where the rows lie together, so treat it as read-only.
        revision: changes whenever ids or vectors do.
    """

    version: str
    ids: NDArray[np.int64]
    matrix: NDArray[np.float32]
    revision: str

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, slots=True)
class Marks:
    """What the stored vectors of a model version were made from.

    Attributes:
        sound: text fingerprint and backend of each vector that is as it was written, by paper id.
        damaged: papers whose vector is missing from the files or another, deleted papers included.
    """

    sound: dict[int, tuple[bytes, str]]
    damaged: tuple[int, ...]


class VectorStore:
    """Vectors below ``<library>/vectors/<model version>/``.

    A row counts only if the database, ``ids.npy`` and the row's checksum agree on it; anything
    else (a truncated, foreign or half-written file) is treated as not embedded.
    """

    def __init__(self, folder: Path, database: Database, dtype: str = "float32") -> None:
        self.folder = folder
        self._database = database
        self._dtype = dtype
        self._lock = threading.RLock()
        self._snapshots: dict[str, tuple[int, VectorSnapshot]] = {}
        self._verified: dict[str, dict[int, int]] = {}

    def snapshot(self, version: str) -> VectorSnapshot:
        """The vectors of all live papers under a model version; empty where there are none."""
        with self._lock:
            seen = self._database.data_version()
            known = self._snapshots.get(version)
            if known is None or known[0] != seen:
                known = (seen, self._read(version))
                self._snapshots[version] = known
            return known[1]

    def count(self, version: str) -> int:
        """How many live papers have a vector of a model version.

        A row that is damaged inside a file of the right length counts until a snapshot is taken.
        """
        known = self._snapshots.get(version)
        if known is not None and known[0] == self._database.data_version():
            return len(known[1])
        with self._database.read() as conn:
            model = model_table.find_model(conn, version)
            stored = table.count_live(conn, model.id) if model else 0
            last = table.last_row(conn, model.id) if model else -1
        if model is None or VectorFile(self.folder / version, model.dim).length() > last:
            return stored
        return len(self.snapshot(version))

    def lost(self, version: str) -> int:
        """How many live papers have a vector that the files hold no longer, or hold otherwise.

        Only as good as :meth:`count`: sure once a snapshot was taken.
        """
        with self._database.read() as conn:
            model = model_table.find_model(conn, version)
            stored = table.count_live(conn, model.id) if model else 0
        return max(0, stored - self.count(version)) if stored else 0

    def damaged(self, version: str) -> list[int]:
        """Papers whose stored vector is missing from the files or differs from what was written."""
        with self._database.read() as conn:
            model = model_table.find_model(conn, version)
            gone = set(table.gone_papers(conn, model.id)) if model else set()
        return [paper for paper in self.marks(version).damaged if paper not in gone]

    def forget(self, version: str, papers: Sequence[int]) -> None:
        """Take vectors of papers as not there, so that they are made anew."""
        with self._database.write() as conn:
            model = _known(model_table.find_model(conn, version), version)
            table.drop_rows(conn, model.id, papers)

    def pending(self, card: ModelCard) -> int:
        """How many live papers with a text have no vector of it under a model version."""
        return len(plan(self._database, self, card).todo)

    def write(
        self,
        version: str,
        ids: Sequence[int],
        vectors: NDArray[np.float32],
        fingerprints: Sequence[bytes],
        backend: str,
    ) -> None:
        """Store vectors and then, in one transaction, whose they are.

        Args:
            version: a registered model version.
            ids: paper ids, each once.
            vectors: unit vectors (n, d).
            fingerprints: 16 bytes for each text, see :func:`litscape.embed.text.fingerprint`.
            backend: what made them, as ``family/detail``; families never agree with each other.

        Raises:
            UserError: the version is not registered, or the width is another.
            EnvironmentFault: the disk is full or can't be written; nothing is lost.
        """
        if not len(ids):
            return
        with self._lock:
            with self._database.read() as conn:
                model = _known(model_table.find_model(conn, version), version)
                used = table.used_rows(conn, model.id)
            if vectors.shape != (len(ids), model.dim):
                raise UserError(
                    f"The model {version} gave vectors of {vectors.shape[-1]} numbers instead of "
                    f"{model.dim}; choose the model again in the settings."
                )
            file = VectorFile(self.folder / version, model.dim, self._dtype)
            rows = _free_rows(used, file.length(), len(ids))
            sums = file.write(rows, ids, vectors)
            with self._database.write() as conn:
                table.put_rows(
                    conn,
                    model.id,
                    (
                        VectorRow(paper, int(row), text[:TEXT_BYTES] + crc, backend)
                        for paper, row, text, crc in zip(ids, rows, fingerprints, sums, strict=True)
                    ),
                )

    def marks(self, version: str) -> Marks:
        """What the stored vectors were made from, every one held against the files."""
        with self._database.read() as conn:
            model = model_table.find_model(conn, version)
            rows = table.all_rows(conn, model.id) if model else []
        if model is None or not rows:
            return Marks({}, ())
        opened = VectorFile(self.folder / version, model.dim, self._dtype).open()
        if opened is None:
            return Marks({}, tuple(row.paper_id for row in rows))
        places = np.array([(row.row, row.paper_id) for row in rows], dtype=np.int64)
        sums = _stored_sums([row.fingerprint for row in rows])
        found = list(zip(rows, _sound(places, sums, *opened).tolist(), strict=True))
        return Marks(
            {row.paper_id: (row.fingerprint[:TEXT_BYTES], row.backend) for row, ok in found if ok},
            tuple(row.paper_id for row, ok in found if not ok),
        )

    def forget_deleted(self, version: str) -> int:
        """Free the rows of papers that will not come back; returns how many.

        What undo or redo brings back has its vector still, if its text is the same.
        """
        with self._database.read() as conn:
            model = model_table.find_model(conn, version)
            gone = table.unreachable_papers(conn, model.id) if model else []
        if model is None or not gone:
            return 0
        with self._database.write() as conn:
            table.drop_rows(conn, model.id, gone)
        return len(gone)

    def _read(self, version: str) -> VectorSnapshot:
        with self._database.read() as conn:
            model = model_table.find_model(conn, version)
            places, fingerprints = (
                table.live_rows(conn, model.id) if model else (np.empty((0, 2), np.int64), [])
            )
        dim = model.dim if model else 1
        opened = VectorFile(self.folder / version, dim, self._dtype).open() if len(places) else None
        if opened is None:
            empty = np.empty((0, dim), dtype=np.float32)
            return VectorSnapshot(version, np.empty(0, dtype=np.int64), empty, "empty")
        sums = _stored_sums(fingerprints)
        sound = self._checked(version, places, sums, *opened)
        places, sums = places[sound], sums[sound]
        rows, ids = places[:, 0], places[:, 1]
        matrix = opened[0]
        together = np.array_equal(rows, np.arange(len(rows)))
        chosen = matrix[: len(rows)] if together else matrix[rows]
        digest = hashlib.blake2b(digest_size=12)
        for part in (rows, ids, sums):
            digest.update(np.ascontiguousarray(part).data)
        return VectorSnapshot(
            version,
            np.ascontiguousarray(ids),
            chosen.astype(np.float32, copy=False),
            digest.hexdigest(),
        )

    def _checked(
        self,
        version: str,
        places: NDArray[np.int64],
        sums: NDArray[np.uint32],
        matrix: NDArray[np.floating[Any]],
        ids: NDArray[np.int64],
    ) -> NDArray[np.bool_]:
        """Which rows are sound; those already found so with the same sum are not read again."""
        known = self._verified.get(version, {})
        pairs = list(zip(places[:, 0].tolist(), sums.tolist(), strict=True))
        new = np.array([known.get(row) != crc for row, crc in pairs], dtype=bool)
        sound = ~new
        if new.any():
            sound[new] = _sound(places[new], sums[new], matrix, ids)
        self._verified[version] = {
            row: crc for (row, crc), good in zip(pairs, sound.tolist(), strict=True) if good
        }
        return sound


def _known(model: StoredModel | None, version: str) -> StoredModel:
    if model is None:
        raise UserError(f"The model version {version} is not registered in this library.")
    return model


def _stored_sums(fingerprints: Sequence[bytes]) -> NDArray[np.uint32]:
    """The checksum part of stored fingerprints, uint32 (n,)."""
    tails = (mark[TEXT_BYTES:].ljust(4, b"\0")[:4] for mark in fingerprints)
    return np.frombuffer(b"".join(tails), dtype="<u4")


def _sound(
    places: NDArray[np.int64],
    sums: NDArray[np.uint32],
    matrix: NDArray[np.floating[Any]],
    ids: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """Whether the file has each (row, paper id) with the stored checksum."""
    sound = places[:, 0] < len(ids)
    rows = places[sound, 0]
    sound[sound] = ids[rows] == places[sound, 1]
    rows = places[sound, 0]
    found = np.frombuffer(b"".join(_row_sums(matrix, rows)), dtype="<u4")
    sound[sound] = found == sums[sound]
    return sound


def _row_sums(matrix: NDArray[np.floating[Any]], rows: NDArray[np.int64]) -> Iterator[bytes]:
    for start in range(0, len(rows), _BLOCK):
        yield from checksums(matrix[rows[start : start + _BLOCK]])


def _free_rows(used: NDArray[np.int64], length: int, wanted: int) -> NDArray[np.int64]:
    """``wanted`` rows that nobody uses: holes first, then past the end."""
    holes = np.setdiff1d(np.arange(length, dtype=np.int64), used, assume_unique=True)[:wanted]
    more = np.arange(length, length + wanted - len(holes), dtype=np.int64)
    return np.concatenate([holes, more])
