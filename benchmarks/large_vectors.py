"""Embed the large reference corpus once, for the search benchmark (about 40 minutes on two cores).

``python benchmarks/large_vectors.py [--workers 2]`` writes ``.cache/bench/large/vectors.npy``
(float32, 114,337 x 384) and ``ids.json`` (the papers' ids by row). It can be stopped at any time
and goes on at the last finished part.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from litscape.embed.text import paper_text
from litscape.embed.torch_encoder import TorchEncoder
from litscape.models.bundled import bundled_card

ROOT = Path(__file__).resolve().parents[1]
CORPUS = ROOT.parent / "shared" / "data" / "large" / "papers.jsonl.gz"
CACHE = ROOT / ".cache" / "bench" / "large"
PART = 1024


def read_corpus() -> list[dict[str, Any]]:
    """All records of the corpus, in file order."""
    with gzip.open(CORPUS, "rt", encoding="utf-8") as stream:
        return [json.loads(line) for line in stream]


def part_file(folder: Path, start: int) -> Path:
    return folder / f"part-{start:06d}.npy"


def embed_parts(folder: Path, worker: int, workers: int) -> None:
    """Embed every part whose number falls to this worker and is not there yet."""
    papers = read_corpus()
    card = bundled_card()
    encoder = TorchEncoder(card, device="cpu", threads=1)
    starts = range(0, len(papers), PART)
    for start in [s for s in starts if (s // PART) % workers == worker]:
        target = part_file(folder, start)
        if target.exists():
            continue
        began = time.perf_counter()
        texts = [
            paper_text(card, paper["title"], paper["abstract"])
            for paper in papers[start : start + PART]
        ]
        vectors = encoder.encode([text or "" for text in texts])
        half = target.with_suffix(".half.npy")
        np.save(half, vectors)
        os.replace(half, target)
        speed = len(vectors) / (time.perf_counter() - began)
        print(f"{start + len(vectors):,} of {len(papers):,}, {speed:.0f} papers/s", flush=True)


def join(folder: Path) -> None:
    """Put the parts together and remove them."""
    papers = read_corpus()
    parts = [part_file(folder, start) for start in range(0, len(papers), PART)]
    vectors = np.concatenate([np.load(part) for part in parts])
    ids = [paper["id"] for paper in papers]
    if len(vectors) != len(ids):
        raise SystemExit(f"{len(vectors):,} vectors for {len(ids):,} papers: remove {folder}.")
    (folder / "ids.json").write_text(json.dumps(ids), encoding="utf-8")
    half = folder / "vectors.half.npy"
    np.save(half, vectors)
    os.replace(half, folder.parent / "vectors.npy")
    os.replace(folder / "ids.json", folder.parent / "ids.json")
    for part in parts:
        part.unlink()
    folder.rmdir()


def main() -> int:
    """Run the workers, then join their parts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--worker", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if not CORPUS.exists():
        print(f"{CORPUS} is not here, so there is nothing to embed.")
        return 0
    # The folder names the model version: vectors of another one are never mixed in.
    folder = CACHE / bundled_card().version
    if options.worker is not None:
        embed_parts(folder, options.worker, options.workers)
        return 0
    done = CACHE / "vectors.npy"
    if done.exists():
        print(f"{done} is there already.")
        return 0
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, __file__, "--workers", str(options.workers), "--worker"]
    children = [subprocess.Popen([*command, str(k)]) for k in range(options.workers)]
    codes = [child.wait() for child in children]
    if any(codes):
        print("A worker ended early; run the same command again to go on.")
        return 1
    join(folder)
    print(f"Written: {done}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
