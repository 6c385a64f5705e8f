"""The index's files are a cache: whole and of these vectors, or made anew."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

import numpy as np
import pytest

from litscape.errors import UserError
from litscape.index import HnswIndex, choose, files
from litscape.index import choice as choosing

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

hnswlib = pytest.importorskip("hnswlib")
DIM = 16


def data(n: int = 400, seed: int = 0) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    x = np.random.default_rng(seed).standard_normal((n, DIM)).astype(np.float32)
    return np.arange(1, n + 1) * 3, x / np.linalg.norm(x, axis=1, keepdims=True)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    ids, matrix = data()
    index = HnswIndex(DIM)
    index.build(ids, matrix)
    files.save(index, tmp_path, "model-1", files.content_hash(ids, matrix))
    return tmp_path


def test_a_saved_index_comes_back_the_same(saved: Path) -> None:
    ids, matrix = data()
    index = files.load(saved, "model-1", ids, matrix)
    assert index is not None
    assert index.count == 400
    found, scores = index.search(matrix[:20], 1)
    np.testing.assert_array_equal(found[:, 0], ids[:20])
    np.testing.assert_allclose(scores[:, 0], 1, atol=1e-5)
    assert sorted(p.name for p in saved.iterdir()) == ["hnsw.bin", "labels.npy", "stamp.json"]


def test_changes_survive_saving_whatever_the_order_of_the_vectors(tmp_path: Path) -> None:
    ids, matrix = data()
    index = HnswIndex(DIM, exact_below=0)
    index.build(ids, matrix)
    new = -matrix[:10]
    index.remove(ids[300:])
    index.add(ids[:10], new)
    ids, matrix = ids[:300], np.concatenate([new, matrix[10:300]])
    shuffled = np.random.default_rng(3).permutation(300)
    files.save(index, tmp_path, "m", files.content_hash(ids, matrix))
    loaded = files.load(tmp_path, "m", ids[shuffled], matrix[shuffled])
    assert loaded is not None
    assert loaded.count == 300
    found, scores = loaded.search(matrix, 1)
    np.testing.assert_array_equal(found[:, 0], ids)
    np.testing.assert_allclose(scores[:, 0], 1, atol=1e-5)
    loaded.add(np.array([7777]), matrix[:1])
    assert loaded.count == 301


def test_the_content_hash_does_not_depend_on_order_but_on_every_number() -> None:
    ids, matrix = data()
    order = np.random.default_rng(1).permutation(len(ids))
    assert files.content_hash(ids, matrix) == files.content_hash(ids[order], matrix[order])
    changed = matrix.copy()
    changed[7, 3] += 1e-6
    assert files.content_hash(ids, matrix) != files.content_hash(ids, changed)
    assert files.content_hash(ids, matrix) != files.content_hash(ids + 1, matrix)


@pytest.mark.parametrize("name", [files.GRAPH, files.LABELS, files.STAMP])
@pytest.mark.parametrize("damage", ["missing", "empty", "truncated", "longer", "bit", "foreign"])
def test_a_damaged_file_is_never_loaded(
    saved: Path, name: str, damage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = saved / name
    content = path.read_bytes()
    middle = len(content) // 2
    if damage == "missing":
        path.unlink()
    else:
        flipped = content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]
        changed = {
            "empty": b"",
            "truncated": content[:middle],
            "longer": content + b"\0",
            "bit": flipped,
            "foreign": b"SQLite format 3\0" * 40,
        }
        path.write_bytes(changed[damage])
    handed_over: list[Path] = []

    def watch(self: HnswIndex, path: Path, *_rest: object) -> None:
        handed_over.append(path)

    monkeypatch.setattr(HnswIndex, "read_graph", watch)
    assert files.load(saved, "model-1", *data()) is None
    assert handed_over == []


def test_every_entry_of_the_stamp_counts(saved: Path) -> None:
    ids, matrix = data()
    stamp = files.Stamp(**json.loads((saved / files.STAMP).read_text()))
    wrong = {
        "format": files.FORMAT + 1,
        "kind": "exact",
        "model": "model-2",
        "count": 399,
        "dim": DIM + 1,
        "content": "0" * 32,
        "graph": "0" * 64,
        "labels": "0" * 64,
    }
    assert wrong.keys() == asdict(stamp).keys()
    for key, value in wrong.items():
        (saved / files.STAMP).write_text(json.dumps({**asdict(stamp), key: value}))
        assert files.load(saved, "model-1", ids, matrix) is None, key
    (saved / files.STAMP).write_text(json.dumps({**asdict(stamp), "more": 1}))
    assert files.load(saved, "model-1", ids, matrix) is None
    (saved / files.STAMP).write_text(json.dumps(asdict(stamp)))
    assert files.load(saved, "model-1", ids, matrix) is not None


def test_stale_files_are_not_loaded(saved: Path) -> None:
    ids, matrix = data()
    assert files.load(saved, "model-2", ids, matrix) is None
    assert files.load(saved, "model-1", ids[:-1], matrix[:-1]) is None
    assert files.load(saved, "model-1", *data(seed=1)) is None


def test_a_failed_save_leaves_nothing_to_load(
    saved: Path, caplog: pytest.LogCaptureFixture
) -> None:
    ids, matrix = data()
    (saved / files.LABELS).unlink()
    (saved / files.LABELS).mkdir()  # a name that can't be replaced by a file
    index = HnswIndex(DIM)
    index.build(ids, matrix)
    files.save(index, saved, "model-1", files.content_hash(ids, matrix))
    assert "could not be saved" in caplog.text
    assert files.load(saved, "model-1", ids, matrix) is None
    assert not list(saved.glob("*.part"))


def test_the_choice_follows_size_and_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    assert choose(114_337, 384).kind == "exact"
    assert choose(200_000, 384).kind == "hnsw"
    assert choose(100_000, 768).kind == "hnsw"
    assert choose(10, 384, "hnsw").kind == "hnsw"
    assert choose(10**7, 384, "exact") == choosing.IndexChoice("exact")
    with pytest.raises(UserError, match="faiss"):
        choose(1, 1, "faiss")
    monkeypatch.setattr(choosing, "available", lambda: False)
    missing = choose(10**6, 384)
    assert missing.kind == "exact"
    assert missing.note is not None
    assert "hnswlib" in missing.note
    assert choose(10, 384).note is None
