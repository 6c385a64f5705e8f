"""Query to results at 114,337 papers: 300 fixed queries, by words, by meaning and by both.

Needs the real vectors of the corpus: ``python benchmarks/large_vectors.py`` makes them once.
The library is made from the corpus by the program's own bulk writer, once, below ``.cache/bench``.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from corpora import CACHE, DATA, load, records
from litscape.engine import Engine
from litscape.models.registry import ModelRegistry
from litscape.search import Searcher
from litscape.store.database import Database
from litscape.vectors.store import VectorStore
from similar import store_vectors

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

NAME = "large"
EACH = 100
LIMITS = {
    "lexical": 80,
    "semantic": 60,
    "hybrid": 140,
    "similar": 80,
    "20 seeds": 500,
    "as you type": 100,
}
"""Milliseconds that the 95th percentile may take."""
_WORD = re.compile(r"[a-z]{3,}")


def queries(folder: Path) -> dict[str, list[str]]:
    """The same 100 titles, 100 phrases from abstracts and 100 words every time.

    The words are spread evenly over document frequency, half of them on a linear and half on a
    logarithmic scale, so that both the most and the least frequent are there.
    """
    file = folder / "queries.json"
    if not file.exists():
        rng = np.random.default_rng(20)
        found = list(records(NAME))
        chosen = rng.choice(len(found), 2 * EACH, replace=False)
        phrases = []
        for i in chosen[EACH:]:
            words = found[i]["abstract"].split()
            size = int(rng.integers(3, 8))
            start = int(rng.integers(0, max(1, len(words) - size)))
            phrases.append(" ".join(words[start : start + size]))
        made = {
            "titles": [found[i]["title"] for i in chosen[:EACH]],
            "phrases": phrases,
            "words": spread_words([f"{r['title']} {r['abstract']}" for r in found]),
        }
        file.write_text(json.dumps(made, indent=1, ensure_ascii=False), encoding="utf-8")
    fixed: dict[str, list[str]] = json.loads(file.read_text(encoding="utf-8"))
    return fixed


def spread_words(texts: list[str]) -> list[str]:
    counts = Counter(word for text in texts for word in set(_WORD.findall(text.lower())))
    ordered = sorted(counts, key=lambda word: (counts[word], word))
    frequency = np.array([counts[word] for word in ordered])
    top = int(frequency[-1])
    targets = [*np.linspace(1, top, EACH // 2), *np.geomspace(1, top, EACH - EACH // 2)]
    chosen: dict[str, None] = {}
    for target in targets:
        for place in np.argsort(np.abs(frequency - target), kind="stable"):
            if ordered[place] not in chosen:
                chosen[ordered[place]] = None
                break
    return list(chosen)


def timed(name: str, run: Callable[[str], object], inputs: list[str], repeats: int) -> None:
    """Print percentiles of the best of ``repeats`` runs of each input.

    The limits are for the wall clock of an idle machine; the CPU says what a busy one would do.
    """
    wall, cpu = np.full(len(inputs), np.inf), np.full(len(inputs), np.inf)
    for _ in range(repeats):
        for i, text in enumerate(inputs):
            began, spent = time.perf_counter(), time.thread_time()
            run(text)
            wall[i] = min(wall[i], time.perf_counter() - began)
            cpu[i] = min(cpu[i], time.thread_time() - spent)
    p50, p95 = np.percentile(1000 * wall, [50, 95])
    limit = LIMITS.get(name.split(",")[0])
    bound = f"  (limit {limit} ms: {'kept' if p95 <= limit else 'MISSED'})" if limit else ""
    print(
        f"{name:24s} n {len(inputs):3d}  p50 {p50:6.1f} ms  p95 {p95:6.1f} ms  "
        f"CPU p95 {1000 * np.percentile(cpu, 95):6.1f} ms{bound}",
        flush=True,
    )


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--repeats", type=int, default=2, help="runs of each query, best counts")
    arguments.add_argument(
        "--random-vectors", action="store_true", help="time with made-up vectors (no real ones)"
    )
    options = arguments.parse_args()
    folder = CACHE / NAME
    if not (DATA / NAME).is_dir():
        print(f"search: skipped, there is no {DATA / NAME}")
        return
    real = folder / "vectors.npy"
    if not real.exists() and not options.random_vectors:
        print(f"search: skipped, there is no {real}; python benchmarks/large_vectors.py makes it")
        return
    library = folder / ("library-random" if options.random_vectors else "library")
    count = len(load(NAME, library))
    fixed = queries(folder)
    with Database.open(library) as database, Engine() as engine:
        registry = ModelRegistry(database)
        card = registry.active()
        store = VectorStore(library / "vectors", database)
        store_vectors(
            database,
            store,
            np.load(real) if not options.random_vectors else made_up(count, card.dim),
        )
        engine.export(card)
        searcher = Searcher(database, store, registry, engine.query(card).encode)
        measure(searcher, fixed, count, options.repeats, engine.query(card).encode)


def made_up(count: int, dim: int) -> np.ndarray:
    matrix = np.random.default_rng(20).standard_normal((count, dim), dtype=np.float32)
    return matrix / np.linalg.norm(matrix, axis=1, keepdims=True)


def measure(
    searcher: Searcher,
    fixed: dict[str, list[str]],
    count: int,
    repeats: int,
    encode: Callable[[str], object],
) -> None:
    everything = [text for part in fixed.values() for text in part]
    print(f"{count:,} papers, {len(everything)} queries, k = 50, {searcher.info().kind} index")
    for mode in ("lexical", "semantic", "hybrid"):
        timed(mode, lambda q, m=mode: searcher.search(q, m), everything, repeats)
        for part, texts in fixed.items():
            timed(f"  {mode}, {part}", lambda q, m=mode: searcher.search(q, m), texts, repeats)
    typed = [text[: max(3, len(text) - 2)] for text in fixed["titles"] + fixed["words"]]
    timed(
        "as you type, lexical",
        lambda q: searcher.search(q, "lexical", as_you_type=True),
        typed,
        repeats,
    )
    timed("query encoding", encode, everything, repeats)
    seeds = [str(i) for i in np.random.default_rng(20).integers(1, count, EACH)]
    searcher.prepare_words()  # as the window does after it opened a library
    timed("similar, one seed", lambda i: searcher.similar([int(i)]), seeds, repeats)
    many = [" ".join(seeds[i : i + 20]) for i in range(0, 80, 4)]
    timed(
        "20 seeds, 4 of them unlike",
        lambda i: searcher.similar(
            [int(x) for x in i.split()[:16]], negatives=[int(x) for x in i.split()[16:]]
        ),
        many,
        repeats,
    )


if __name__ == "__main__":
    main()
