"""The same searches by others, in one run: 300 fixed queries and 20 labels at 114,337 papers.

Search by words: SQLite's FTS5 as it comes, rank_bm25, bm25s and Tantivy, each over titles and
abstracts with its own defaults, the 50 best wanted. Re-ranking after one label more: the default
learner of ASReview 3 (ELAS u4: TF-IDF of words and pairs, linear SVM, weights balanced 9.8) and its
former one (u3: TF-IDF, naive Bayes), put together from scikit-learn with ASReview's parameters,
since the package itself would bring forty others; they give an order without reasons. Peers that
are not installed are left out with a sentence. Times are the best of two; what is told is each
peer's 95th percentile as a multiple of Litscape's.
"""

from __future__ import annotations

import argparse
import importlib.util
import re
import shutil
import sqlite3
import time
from contextlib import closing
from typing import TYPE_CHECKING, Any

import numpy as np

from corpora import CACHE, DATA, load, records
from litscape.alike.request import Examples, SimilarRequest
from litscape.engine import Engine
from litscape.models.registry import ModelRegistry
from litscape.search import Searcher
from litscape.store.database import Database
from litscape.vectors.store import VectorStore
from search import NAME, queries
from similar import store_vectors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Run = Callable[[Any], object]

WANTED = 50
SLOW_EVERY = 10
"""What looks at very many papers for every word gets one query in ten."""
LABELS = 20
DISLIKED = 4
ROUNDS = 10
_WORD = re.compile(r"\w+")


def percentiles(run: Run, inputs: list[Any], repeats: int = 2) -> tuple[float, float]:
    """Median and 95th percentile in milliseconds of the best of some runs of each input."""
    wall = np.full(len(inputs), np.inf)
    for _ in range(repeats):
        for i, one in enumerate(inputs):
            began = time.perf_counter()
            run(one)
            wall[i] = min(wall[i], time.perf_counter() - began)
    p50, p95 = np.percentile(1000 * wall, [50, 95])
    return float(p50), float(p95)


def told(name: str, figures: tuple[float, float], base: float | None, extra: str = "") -> None:
    p50, p95 = figures
    ratio = "" if base is None else f"  {p95 / base:6.1f} times Litscape's"
    print(f"{name:34s} p50 {p50:8.1f} ms  p95 {p95:8.1f} ms{ratio}{extra}", flush=True)


def there(module: str) -> bool:
    """Whether a peer is installed; says so where it is not."""
    if importlib.util.find_spec(module) is not None:
        return True
    print(f"{module}: left out, it is not installed")
    return False


def texts() -> Iterator[str]:
    for record in records(NAME):
        yield f"{record['title']} {record['abstract']}"


# -- search by words -------------------------------------------------------------------------------


def fts5(base: float, asked: list[str]) -> None:
    """FTS5 with its own tokeniser and ranking; all words asked for."""
    file = CACHE / NAME / "peer-fts5.sqlite"
    with closing(sqlite3.connect(file)) as connection:
        began = time.perf_counter()
        if not connection.execute("SELECT 1 FROM sqlite_master").fetchone():
            connection.execute("CREATE VIRTUAL TABLE papers USING fts5(title, abstract)")
            rows = ((record["title"], record["abstract"]) for record in records(NAME))
            connection.executemany("INSERT INTO papers(title, abstract) VALUES (?, ?)", rows)
            connection.commit()
        built = time.perf_counter() - began

        def search(query: str) -> object:
            words = " ".join(f'"{word}"' for word in _WORD.findall(query))
            return connection.execute(
                "SELECT rowid FROM papers WHERE papers MATCH ? ORDER BY rank LIMIT ?",
                (words, WANTED),
            ).fetchall()

        told("SQLite FTS5 raw, all words", percentiles(search, asked), base, _built(built))

        def any_of(query: str) -> object:
            words = " OR ".join(f'"{word}"' for word in _WORD.findall(query))
            return connection.execute(
                "SELECT rowid FROM papers WHERE papers MATCH ? ORDER BY rank LIMIT ?",
                (words, WANTED),
            ).fetchall()

        told("SQLite FTS5 raw, any word", percentiles(any_of, asked[::SLOW_EVERY], 1), base)


def bm25s_peer(base: float, asked: list[str]) -> None:
    import bm25s

    began = time.perf_counter()
    index = bm25s.BM25()
    index.index(bm25s.tokenize(list(texts()), show_progress=False), show_progress=False)
    built = time.perf_counter() - began

    def search(query: str) -> object:
        words = bm25s.tokenize([query], show_progress=False)
        return index.retrieve(words, k=WANTED, show_progress=False)

    told("bm25s", percentiles(search, asked), base, _built(built))


def rank_bm25_peer(base: float, asked: list[str]) -> None:
    from rank_bm25 import BM25Okapi

    began = time.perf_counter()
    index = BM25Okapi([_WORD.findall(text.lower()) for text in texts()])
    built = time.perf_counter() - began

    def search(query: str) -> object:
        scores = index.get_scores(_WORD.findall(query.lower()))
        return np.argpartition(-scores, WANTED)[:WANTED]

    told("rank_bm25", percentiles(search, asked[::SLOW_EVERY], 1), base, _built(built))


def tantivy_peer(base: float, asked: list[str]) -> None:
    import tantivy

    folder = CACHE / NAME / "peer-tantivy"
    schema = tantivy.SchemaBuilder()
    for field in ("title", "abstract"):
        schema.add_text_field(field, stored=False)
    built_schema = schema.build()
    began = time.perf_counter()
    if not (folder / "whole").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        index = tantivy.Index(built_schema, path=str(folder))
        writer = index.writer()
        for record in records(NAME):
            writer.add_document(
                tantivy.Document(title=record["title"] or "", abstract=record["abstract"] or "")
            )
        writer.commit()
        writer.wait_merging_threads()
        (folder / "whole").touch()
    index = tantivy.Index(built_schema, path=str(folder))
    built = time.perf_counter() - began
    index.reload()
    searcher = index.searcher()

    def search(query: str) -> object:
        words = " ".join(_WORD.findall(query))
        return searcher.search(index.parse_query(words, ["title", "abstract"]), WANTED).hits

    told("Tantivy, any word", percentiles(search, asked), base, _built(built))


def _built(seconds: float) -> str:
    return f"  (made in {seconds:.0f} s)" if seconds > 1 else ""


# -- re-ranking ------------------------------------------------------------------------------------


class Learner:
    """Trains on some labels and puts all papers in order, as ASReview does after each label."""

    def __init__(self, vectorizer: Any, make: Callable[[], Any], ratio: float) -> None:
        """``ratio`` is that of the weights of liked and disliked papers."""
        began = time.perf_counter()
        self.matrix = vectorizer.fit_transform(texts())
        self.built = time.perf_counter() - began
        self._make, self._ratio = make, ratio

    def rerank(self, labelled: tuple[list[int], list[int]]) -> object:
        """All papers, best first."""
        liked, disliked = labelled
        rows = np.array([*liked, *disliked]) - 1
        marks = np.array([1] * len(liked) + [0] * len(disliked))
        weights = np.where(marks == 1, 1.0, len(liked) / (self._ratio * len(disliked)))
        weights *= len(marks) / weights.sum()
        learner = self._make().fit(self.matrix[rows], marks, sample_weight=weights)
        if hasattr(learner, "decision_function"):
            return np.argsort(-learner.decision_function(self.matrix))
        return np.argsort(-learner.predict_proba(self.matrix)[:, 1])


def asreview(base: float, labelled: list[tuple[list[int], list[int]]]) -> None:
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.naive_bayes import MultinomialNB
    from sklearn.svm import LinearSVC

    pairs = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, max_df=0.95)
    svm = Learner(pairs, lambda: LinearSVC(loss="squared_hinge", C=0.11), 9.8)
    told("ASReview u4 (SVM)", percentiles(svm.rerank, labelled, 1), base, _built(svm.built))
    del svm, pairs
    bayes = Learner(TfidfVectorizer(stop_words="english"), lambda: MultinomialNB(alpha=3.822), 1.2)
    figures = percentiles(bayes.rerank, labelled, 1)
    told("ASReview u3 (naive Bayes)", figures, base, _built(bayes.built))


def labels(count: int) -> list[tuple[list[int], list[int]]]:
    """Papers that are liked and disliked, drawn; the same every time."""
    rng = np.random.default_rng(20)
    drawn = [rng.choice(count, LABELS, replace=False) + 1 for _ in range(ROUNDS)]
    return [(one[:-DISLIKED].tolist(), one[-DISLIKED:].tolist()) for one in drawn]


# --------------------------------------------------------------------------------------------------


def by_words(searcher: Searcher, asked: list[str]) -> None:
    words = percentiles(lambda query: searcher.search(query, "lexical"), asked)
    told("Litscape, words", words, None)
    for mode in ("semantic", "hybrid"):
        mine = percentiles(lambda query, mode=mode: searcher.search(query, mode), asked)
        told(f"Litscape, {'meaning' if mode == 'semantic' else 'both'}", mine, None)
    for module, peer in (
        ("sqlite3", fts5),
        ("bm25s", bm25s_peer),
        ("tantivy", tantivy_peer),
        ("rank_bm25", rank_bm25_peer),
    ):
        if there(module):
            peer(words[1], asked)


def by_labels(searcher: Searcher, count: int) -> None:
    drawn = labels(count)
    searcher.similar(drawn[0][0])
    mine = percentiles(lambda both: searcher.similar(both[0], negatives=both[1]), drawn)
    told(f"Litscape, {LABELS} labels, with reasons", mine, None)

    def ranked(both: tuple[list[int], list[int]]) -> object:
        liked, disliked = (Examples(tuple(papers)) for papers in both)
        return searcher.alike.scored(SimilarRequest(liked, disliked))

    bare = percentiles(ranked, drawn)
    told(f"Litscape, {LABELS} labels, order alone", bare, None)
    if there("sklearn"):
        asreview(bare[1], drawn)


def open_library(folder: Path, every: int) -> None:
    count = len(load(NAME, folder / "library"))
    asked = [text for part in queries(folder).values() for text in part][::every]
    with Database.open(folder / "library") as database, Engine() as engine:
        store = VectorStore(folder / "library" / "vectors", database)
        store_vectors(database, store, np.load(folder / "vectors.npy"))
        registry = ModelRegistry(database)
        engine.export(registry.active())
        searcher = Searcher(database, store, registry, engine.query(registry.active()).encode)
        print(f"{count:,} papers, {len(asked)} queries, the {WANTED} best")
        by_words(searcher, asked)
        print(f"re-ranking by {LABELS - DISLIKED} liked and {DISLIKED} disliked papers")
        by_labels(searcher, count)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=1, help="ask only each so many-th query")
    every = parser.parse_args().every
    folder = CACHE / NAME
    if not (DATA / NAME).is_dir():
        print(f"peers: skipped, there is no {DATA / NAME}")
        return
    if not (folder / "vectors.npy").exists():
        print("peers: skipped without vectors; python benchmarks/large_vectors.py makes them")
        return
    open_library(folder, every)


if __name__ == "__main__":
    main()
