"""Vectors on disk: mapped, vouched for by the database, never wrong."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from litscape.errors import EnvironmentFault, UserError
from litscape.models import ModelCard, ModelRegistry
from litscape.paper import PaperDraft
from litscape.store.bulk import NewPaper, insert_papers
from litscape.store.database import Database
from litscape.vectors import VectorStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

DIM = 24
TINY = Path(__file__).resolve().parents[1] / "data" / "tiny-encoder"


class Shelf:
    """A library of twelve papers, a small model and its vectors."""

    def __init__(self, folder: Path, database: Database, dtype: str = "float32") -> None:
        self.database = database
        self.card: ModelCard = ModelRegistry(database).add_folder(TINY)
        self.folder = folder / "vectors" / self.card.version
        self.dtype = dtype
        self.store = self.reopened()

    def reopened(self) -> VectorStore:
        return VectorStore(self.folder.parent, self.database, self.dtype)

    def write(self, ids: Sequence[int], vectors: NDArray[np.float32], text: str = "text") -> None:
        marks = [f"{text} {number}".encode().ljust(16)[:16] for number in ids]
        self.store.write(self.card.version, ids, vectors, marks, "float/test")

    def read(self) -> dict[int, NDArray[np.float32]]:
        snapshot = self.reopened().snapshot(self.card.version)
        return dict(zip(snapshot.ids.tolist(), snapshot.matrix, strict=True))

    def run(self, sql: str, *values: Any) -> None:
        with self.database.write() as conn:
            conn.exec_driver_sql(sql, values)


def vectors(n: int, seed: int = 0) -> NDArray[np.float32]:
    found = np.random.default_rng(seed).normal(size=(n, DIM)).astype(np.float32)
    unit: NDArray[np.float32] = found / np.linalg.norm(found, axis=1, keepdims=True)
    return unit


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with Database.open(tmp_path / "library") as database:
        with database.write() as conn:
            drafts = [PaperDraft(title=f"Paper {n}") for n in range(1, 13)]
            insert_papers(conn, [NewPaper(n, f"p{n}", d) for n, d in enumerate(drafts, 1)])
        yield Shelf(tmp_path / "library", database)


def test_what_was_written_comes_back(shelf: Shelf) -> None:
    first = vectors(5)
    shelf.write([9, 2, 5, 1, 7], first)
    snapshot = shelf.store.snapshot(shelf.card.version)
    assert snapshot.ids.tolist() == [9, 2, 5, 1, 7]
    assert snapshot.matrix.dtype == np.float32
    assert np.array_equal(snapshot.matrix, first)
    assert isinstance(snapshot.matrix.base, np.memmap | np.ndarray)
    assert shelf.store.count(shelf.card.version) == 5
    assert snapshot.version == shelf.card.version


def test_no_vectors_yet(shelf: Shelf) -> None:
    snapshot = shelf.store.snapshot(shelf.card.version)
    assert (len(snapshot), snapshot.matrix.shape) == (0, (0, DIM))
    assert shelf.store.snapshot("never heard of").matrix.shape[0] == 0
    assert shelf.store.pending(shelf.card) == 12


def test_revision_changes_with_vectors_and_with_live_papers(shelf: Shelf) -> None:
    seen = []
    acts: list[Callable[[], None]] = [
        lambda: shelf.write([1, 2, 3], vectors(3)),
        lambda: shelf.write([4], vectors(1, 1)),
        lambda: shelf.write([2], vectors(1, 2)),
        lambda: shelf.run("UPDATE papers SET trashed_at = 'now' WHERE id = 1"),
        lambda: shelf.run("DELETE FROM papers WHERE id = 3"),
    ]
    for act in acts:
        act()
        seen.append(shelf.store.snapshot(shelf.card.version).revision)
    assert len(set(seen)) == 5
    shelf.run("UPDATE papers SET trashed_at = NULL WHERE id = 1")
    ids = shelf.store.snapshot(shelf.card.version).ids
    assert sorted(ids.tolist()) == [1, 2, 4]


def test_unrelated_commit_keeps_the_revision(shelf: Shelf) -> None:
    shelf.write([1, 2], vectors(2))
    before = shelf.store.snapshot(shelf.card.version)
    shelf.run("UPDATE papers SET venue = 'elsewhere' WHERE id = 1")
    assert shelf.store.snapshot(shelf.card.version).revision == before.revision


def test_rewriting_a_paper_keeps_older_snapshots_whole(shelf: Shelf) -> None:
    shelf.write([1, 2, 3], vectors(3))
    old = shelf.store.snapshot(shelf.card.version)
    shelf.write([2], vectors(1, 7))
    assert np.array_equal(old.matrix, vectors(3))
    assert np.array_equal(shelf.read()[2], vectors(1, 7)[0])


def test_rows_of_deleted_papers_are_used_again(shelf: Shelf) -> None:
    shelf.write([1, 2, 3], vectors(3))
    size = (shelf.folder / "vectors.npy").stat().st_size
    shelf.run("DELETE FROM papers WHERE id IN (1, 3)")
    assert shelf.store.forget_deleted(shelf.card.version) == 2
    shelf.write([8, 9], vectors(2, 3))
    assert (shelf.folder / "vectors.npy").stat().st_size == size
    found = shelf.read()
    assert sorted(found) == [2, 8, 9]
    assert np.array_equal(found[9], vectors(2, 3)[1])


def test_rows_of_papers_that_redo_brings_back_are_kept(shelf: Shelf) -> None:
    shelf.write([1, 2, 3], vectors(3))
    shelf.run("INSERT INTO changes VALUES (1, '', 'Import', 'import', 'undone')")
    shelf.run("INSERT INTO change_items VALUES (1, 0, 'paper', 1, NULL, NULL)")
    shelf.run("DELETE FROM papers WHERE id IN (1, 3)")
    assert shelf.store.forget_deleted(shelf.card.version) == 1
    shelf.run("UPDATE changes SET state = 'dropped'")
    assert shelf.store.forget_deleted(shelf.card.version) == 1


def test_files_are_plain_npy(shelf: Shelf) -> None:
    for start in range(1, 13, 3):
        shelf.write([start, start + 1, start + 2], vectors(3, start))
    assert np.load(shelf.folder / "vectors.npy").shape == (12, DIM)
    assert np.load(shelf.folder / "ids.npy").tolist() == list(range(1, 13))


def test_half_the_room(tmp_path: Path, shelf: Shelf) -> None:
    half = Shelf(tmp_path / "half", shelf.database, "float16")
    half.write([1, 2, 3], vectors(3))
    assert np.load(half.folder / "vectors.npy").dtype == np.float16
    snapshot = half.reopened().snapshot(half.card.version)
    assert snapshot.matrix.dtype == np.float32
    assert np.allclose(snapshot.matrix, vectors(3), atol=1e-3)


@pytest.mark.parametrize("name", ["vectors.npy", "ids.npy"])
@pytest.mark.parametrize("kept", [0, 40, 128, 128 + DIM * 4 * 2])
def test_truncated_file_counts_as_not_embedded(shelf: Shelf, name: str, kept: int) -> None:
    shelf.write(list(range(1, 13)), vectors(12))
    path = shelf.folder / name
    os.truncate(path, min(kept, path.stat().st_size - 1))
    assert shelf.read() == {}
    assert shelf.reopened().pending(shelf.card) == 12
    assert shelf.reopened().count(shelf.card.version) == 0
    assert shelf.reopened().damaged(shelf.card.version) == list(range(1, 13))
    shelf.store = shelf.reopened()
    shelf.write([3, 4], vectors(2, 5))
    assert sorted(shelf.read()) == [3, 4]


def test_file_of_another_library_is_never_believed(shelf: Shelf, tmp_path: Path) -> None:
    shelf.write([1, 2, 3], vectors(3))
    with Database.open(tmp_path / "other") as database:
        other = Shelf(tmp_path / "other", database)
        other.write([1, 2, 3], vectors(3, 99))
        shutil.copy(other.folder / "vectors.npy", shelf.folder / "vectors.npy")
    assert shelf.read() == {}
    assert shelf.reopened().marks(shelf.card.version).sound == {}


def test_one_damaged_row_costs_one_vector(shelf: Shelf) -> None:
    shelf.write([1, 2, 3], vectors(3))
    with open(shelf.folder / "vectors.npy", "r+b") as stream:
        stream.seek(128 + DIM * 4)
        stream.write(b"\xff\xff")
    assert sorted(shelf.read()) == [1, 3]
    assert shelf.store.damaged(shelf.card.version) == [2]
    shelf.store.forget(shelf.card.version, [2])
    assert shelf.store.damaged(shelf.card.version) == []
    assert shelf.store.count(shelf.card.version) == 2


def test_file_of_another_width(shelf: Shelf) -> None:
    shelf.write([1, 2, 3], vectors(3))
    np.save(shelf.folder / "vectors.npy", np.ones((3, 99), np.float32))
    assert shelf.read() == {}


def test_pickled_arrays_are_not_loaded(shelf: Shelf) -> None:
    shelf.write([1, 2], vectors(2))
    np.save(shelf.folder / "vectors.npy", np.array([{}, {}], dtype=object), allow_pickle=True)
    assert shelf.read() == {}


def test_model_of_another_width_is_refused(shelf: Shelf) -> None:
    with pytest.raises(UserError, match="vectors of 99 numbers instead of 24"):
        shelf.write([1], np.ones((1, 99), np.float32))
    with pytest.raises(UserError, match="is not registered"):
        shelf.store.write("unknown", [1], vectors(1), [b"x" * 16], "float/test")


def test_full_disk_loses_nothing(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf.write([1, 2], vectors(2))

    def full(_fd: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(EnvironmentFault, match="No space left on device"):
            shelf.write([3, 4], vectors(2, 1))
    assert sorted(shelf.read()) == [1, 2]
    shelf.write([3, 4], vectors(2, 1))
    assert sorted(shelf.read()) == [1, 2, 3, 4]


def test_data_without_a_commit_is_not_seen(shelf: Shelf) -> None:
    """What a crash between the file and the database leaves behind."""
    shelf.write([1, 2], vectors(2))
    shelf.write([3], vectors(1, 1))
    shelf.run("DELETE FROM vector_rows WHERE paper_id = 3")
    assert sorted(shelf.read()) == [1, 2]
    shelf.write([5], vectors(1, 2))
    assert np.load(shelf.folder / "ids.npy").tolist() == [1, 2, 5]
