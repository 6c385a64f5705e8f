"""The two ways to join words and meaning, on queries that played no part in choosing one.

Papers asked for come from the second half of the corpus "large", of which nothing was looked at
when the share of meaning was chosen (docs/decisions). Known items: a sentence of the abstract,
three words of the title, an author with a word of the title, the title.
"""

from __future__ import annotations

import random
import re
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from corpora import CACHE, DATA, load, records
from litscape.embed.text import query_text
from litscape.embed.torch_encoder import TorchEncoder
from litscape.evaluation.bootstrap import estimate
from litscape.evaluation.metrics import ndcg
from litscape.models.bundled import bundled_card
from litscape.models.registry import ModelRegistry
from litscape.search import Searcher
from litscape.store.database import Database
from litscape.vectors.store import VectorStore
from similar import store_vectors

if TYPE_CHECKING:
    from litscape.search.hits import Mode

NAME = "large"
FIRST = 57_344
"""The first row of the part that is held out."""
EACH = 200
WAYS: tuple[tuple[str, Mode, str], ...] = (
    ("words", "lexical", "scores"),
    ("meaning", "semantic", "scores"),
    ("reciprocal ranks", "hybrid", "ranks"),
    ("scores", "hybrid", "scores"),
)
Asked = tuple[str, int]
"""A query and the paper asked for."""


def held_out_queries() -> dict[str, list[Asked]]:
    rng = random.Random(20)
    found = list(records(NAME))
    kinds: dict[str, list[Asked]] = {}

    def ask(kind: str, text: str, paper: int) -> None:
        asked = kinds.setdefault(kind, [])
        if len(asked) < EACH:
            asked.append((text, paper))

    for place in rng.sample(range(FIRST, len(found)), 4 * EACH):
        record, paper = found[place], place + 1
        sentences = re.split(r"(?<=[.?!]) ", record["abstract"] or "")[1:]
        long = [one for one in sentences if 8 <= len(one.split()) <= 40]
        words = re.findall(r"\w+", record["title"] or "")
        if not long or len(words) < 5 or not record["authors"]:
            continue
        ask("sentence", rng.choice(long), paper)
        start = rng.randrange(len(words) - 3)
        ask("title part", " ".join(words[start : start + 3]), paper)
        ask("author", f"{record['authors'][0].split()[-1]} {max(words, key=len)}", paper)
        ask("title", record["title"], paper)
    return kinds


def main() -> None:
    folder = CACHE / NAME
    if not (folder / "vectors.npy").exists():
        print("fusion: skipped without vectors; python benchmarks/large_vectors.py makes them")
        return
    if not (DATA / NAME).is_dir():
        print(f"fusion: skipped, there is no {DATA / NAME}")
        return
    card = bundled_card()
    encoder = TorchEncoder(card, device="cpu")
    library = folder / "library"
    load(NAME, library)
    kinds = held_out_queries()

    @cache
    def encode(query: str) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
        vector: np.ndarray[tuple[int], np.dtype[np.float32]]
        vector = encoder.encode([query_text(card, query)], kind="query")[0]
        return vector

    with Database.open(library) as database:
        store = VectorStore(library / "vectors", database)
        store_vectors(database, store, np.load(folder / "vectors.npy"))
        registry = ModelRegistry(database)
        print("held-out queries, nDCG@10 with 95 % interval")
        for kind, asked in kinds.items():
            values = {}
            for name, mode, fusion in WAYS:
                searcher = Searcher(database, store, registry, encode, fusion=fusion)
                values[name] = measure(searcher, asked, mode)
            cells = [f"{name} {100 * estimate(got).mean:.1f}" for name, got in values.items()]
            gain = estimate(values["scores"] - values["reciprocal ranks"])
            change = f"{100 * gain.mean:+.1f} [{100 * gain.low:+.1f}, {100 * gain.high:+.1f}]"
            print(f"{kind:10s} n {len(asked):3d}  {'  '.join(cells)}  gain {change}", flush=True)


def measure(
    searcher: Searcher, asked: list[Asked], mode: Mode
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    values = []
    for text, paper in asked:
        hits = [hit.paper_id for hit in searcher.search(text, mode, 10)]
        values.append(ndcg(hits, frozenset({paper}), 10))
    return np.array(values)


if __name__ == "__main__":
    main()
