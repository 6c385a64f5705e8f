"""What each signal of similar papers adds: chosen on dev, shown once on test.

``python benchmarks/similar.py`` prints the development figures; ``--test`` opens the test queries
too, for the finished choice only. Corpus csopen, split by year: dev 2020, test from 2021. A query
known by its text alone: which papers does it cite? A known paper of before: which are cited
together with it by two or more later ones?
"""

from __future__ import annotations

import argparse
import hashlib
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from corpora import CACHE, DATA, load, records
from litscape.alike.learning import together
from litscape.alike.request import Examples, SimilarRequest
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
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

NAME = "csopen"
CUT = 2019
DEPTH = 200
_NONE = dict.fromkeys(DEFAULTS, 0.0)


def _of(*names: str) -> dict[str, float]:
    """The default weights of some signals, and 0 for the others."""
    return _NONE | {name: DEFAULTS[name] for name in names}


TEXTS = {
    "words": _of("lexical"),
    "vectors": _of("vector"),
    "both": _of("lexical", "vector"),
    "and votes": _of("lexical", "vector", "votes"),
    "and smoothed": _of("lexical", "vector", "votes", "smoothed"),
}
KNOWN = {
    "both": _of("lexical", "vector"),
    "and smoothed": _of("lexical", "vector", "votes", "smoothed"),
    "and direct": _of("lexical", "vector", "votes", "smoothed", "direct"),
    "and cocitation": _of("lexical", "vector", "votes", "smoothed", "direct", "cocitation"),
    "all": dict(DEFAULTS),
}


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
    name: str,
    weights: Mapping[str, float],
    queries: tuple[HeldOutPaper, ...],
    years: Mapping[int, int],
    *,
    text_only: bool = True,
) -> Evaluation:
    """Rank by some weights; where not ``text_only``, the queries' own links up to the cut count."""

    def ranked(query: HeldOutPaper, _pool: NDArray[np.int64]) -> NDArray[np.int64]:
        request = SimilarRequest(
            Examples((query.paper,)),
            k=DEPTH,
            flt=PaperFilter(year_to=query.year),
            weights=weights,
            as_of=CUT,
            text_only=text_only,
        )
        return searcher.alike.scored(request).ids[:DEPTH]

    return evaluate(name, ranked, queries, years)


def known_papers(held: Sequence[HeldOutPaper]) -> tuple[HeldOutPaper, ...]:
    """Papers up to the cut as queries: what do later papers cite together with each?"""
    return tuple(
        HeldOutPaper(paper, CUT, frozenset(others)) for paper, others in together(held).items()
    )


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
        texts = {name: measure(searcher, name, w, split.dev, years) for name, w in TEXTS.items()}
        chain(texts)
        old = {paper: year for paper, year in years.items() if year <= CUT}
        known = tuple(
            replace(one, relevant=one.relevant & old.keys())
            for one in known_papers(split.dev)
            if one.paper in old and one.relevant & old.keys()
        )
        print(f"what is cited together with known papers, n = {len(known)}")
        chain(
            {
                name: measure(searcher, name, w, known, old, text_only=False)
                for name, w in KNOWN.items()
            }
        )
        if opened.test:
            print(f"test, n = {len(split.test)}")
            chain({n: measure(searcher, n, w, split.test, years) for n, w in TEXTS.items()})


def chain(evaluations: Mapping[str, Evaluation]) -> None:
    """Show each, and what each but the first two gains over the one before it."""
    for evaluation in evaluations.values():
        show(evaluation)
    for before, after in pairwise(list(evaluations.values())[1:]):
        tell(after, before)


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
