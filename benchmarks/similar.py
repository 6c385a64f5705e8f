"""Which blend finds the papers that a paper cites: chosen on dev, shown once on test.

``python benchmarks/similar.py`` prints the development figures; ``--test`` opens the test queries
too, for the finished choice only. Corpus csopen, split by year: dev 2020, test from 2021,
candidates dated no later than the query, text only.
"""

from __future__ import annotations

import argparse
import hashlib
from typing import TYPE_CHECKING

import numpy as np

from corpora import CACHE, DATA, load, records
from litscape.alike.signals import DEFAULTS
from litscape.evaluation.metrics import MEASURES
from litscape.evaluation.protocol import Evaluation, evaluate
from litscape.evaluation.splits import HeldOutPaper, by_year
from litscape.models.bundled import bundled_card
from litscape.models.registry import ModelRegistry
from litscape.paper import PaperFilter
from litscape.search import Searcher
from litscape.store.citations import edges
from litscape.store.database import Database
from litscape.vectors.store import VectorStore

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

NAME = "csopen"
VECTOR_WEIGHT = DEFAULTS["vector"]
CUT = 2019
WEIGHTS = (0.0, 0.3, 0.4, 0.5, 0.6, 1.0)
DEPTH = 200
NO_LINKS = 0
"""A year before all papers: no citation counts as of it."""


def vectors(folder: Path) -> NDArray[np.float32]:
    """Vectors of the corpus by the bundled model, (n, d), computed once."""
    card = bundled_card()
    file = folder / f"{card.version}.npy"
    if not file.exists():
        from litscape.embed.text import paper_text
        from litscape.embed.torch_encoder import TorchEncoder

        print("embedding the corpus, a few minutes …")
        texts = [paper_text(card, r["title"], r["abstract"]) or "" for r in records(NAME)]
        np.save(file, TorchEncoder(card, device="cpu").encode(texts))
    found: NDArray[np.float32] = np.load(file)
    return found


def store_vectors(database: Database, store: VectorStore, matrix: NDArray[np.float32]) -> None:
    """Give the library its vectors, once."""
    registry = ModelRegistry(database)
    version = registry.bundled().version
    registry.register(registry.bundled())
    if store.count(version) < len(matrix):
        marks = [hashlib.blake2b(row.tobytes(), digest_size=16).digest() for row in matrix]
        store.write(version, range(1, len(matrix) + 1), matrix, marks, "torch/bench")


def measure(
    searcher: Searcher,
    weight: float,
    queries: tuple[HeldOutPaper, ...],
    years: dict[int, int],
    as_of: int = NO_LINKS,
) -> Evaluation:
    def ranked(query: HeldOutPaper, _pool: NDArray[np.int64]) -> list[int]:
        flt = PaperFilter(year_to=query.year)
        found = searcher.similar([query.paper], DEPTH, flt=flt, weight=weight, as_of=as_of)
        return [hit.paper_id for hit in found]

    name = f"{weight:.1f} vectors" + (", votes" if as_of != NO_LINKS else "")
    return evaluate(name, ranked, queries, years)


def show(evaluation: Evaluation) -> None:
    figures = evaluation.estimates()
    cells = [
        f"{m} {100 * e.mean:5.1f} [{100 * e.low:.1f}, {100 * e.high:.1f}]"
        for m, e in figures.items()
    ]
    print(f"{evaluation.name:14s} {'  '.join(cells)}", flush=True)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--test", action="store_true", help="open the test queries")
    opened = arguments.parse_args()
    if not (DATA / NAME).is_dir():
        print(f"similar papers: skipped, there is no {DATA / NAME}")
        return
    folder = CACHE / NAME
    load(NAME, folder / "library", links=True)
    years = {i: record["year"] for i, record in enumerate(records(NAME), start=1)}
    with Database.open(folder / "library") as database:
        store = VectorStore(folder / "library" / "vectors", database)
        store_vectors(database, store, vectors(folder))
        with database.read() as conn:
            split = by_year(years, edges(conn), CUT)
        searcher = Searcher(database, store, ModelRegistry(database))
        print(f"{NAME}, {split.name}; dev n = {len(split.dev)}, test n = {len(split.test)}")
        dev = {w: measure(searcher, w, split.dev, years) for w in WEIGHTS}
        for evaluation in dev.values():
            show(evaluation)
        best = max(dev, key=lambda weight: float(dev[weight].values["nDCG@10"].mean()))
        print(f"best on dev: {best:.1f}; the program uses {VECTOR_WEIGHT:.1f}")
        votes = measure(searcher, VECTOR_WEIGHT, split.dev, years, CUT)
        show(votes)
        tell(votes, dev[VECTOR_WEIGHT])
        if opened.test:
            report(searcher, split.test, years)


def report(searcher: Searcher, queries: tuple[HeldOutPaper, ...], years: dict[int, int]) -> None:
    """The test figures of words alone, vectors alone and the program's blend."""
    print(f"test, n = {len(queries)}")
    words, meaning, blend = (
        measure(searcher, w, queries, years) for w in (0.0, 1.0, VECTOR_WEIGHT)
    )
    votes = measure(searcher, VECTOR_WEIGHT, queries, years, CUT)
    for evaluation in (words, meaning, blend, votes):
        show(evaluation)
    for base in (words, meaning):
        tell(blend, base)
    tell(votes, blend)


def tell(better: Evaluation, base: Evaluation) -> None:
    """What one ranking gains over another, on the same queries."""
    for m in MEASURES:
        c = better.against(base, m)
        d = c.difference
        print(
            f"{better.name} over {base.name}: {m} {100 * d.mean:+.1f} [{100 * d.low:+.1f}, "
            f"{100 * d.high:+.1f}], {c.wins} won, {c.ties} tied, {c.losses} lost, p {c.p:.4f}"
        )


if __name__ == "__main__":
    main()
