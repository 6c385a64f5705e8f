"""More like these, less like those: do a few likes and dislikes bring up the rest of a topic?

``python benchmarks/plus_minus.py``. Somebody who has one paper of a topic looks at the best 15,
likes up to two that belong to it and dislikes up to three that do not, and asks again, three times.
Half of the topic is never shown; where it stands in the ranking is measured (average precision).
Topics of csopen up to 2020: papers that cite one paper. Of the example library: papers with one
keyword, or of one collection.

Compared are the mean of the likes less a part of that of the dislikes (Rocchio 1971), which the
program uses, a linear discriminant and ridge regression with the library's shrunk covariance,
logistic regression (scikit-learn) on the same vectors, and on TF-IDF with balanced classes, as
ASReview has it; last, what the program makes of it with all its signals.
"""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from corpora import CACHE, DATA, load, records
from litscape.alike.request import Examples, SimilarRequest
from litscape.evaluation.metrics import average_precision
from litscape.library import Library
from litscape.models.bundled import bundled_card
from litscape_resources import example_library
from similar import NAME, store_vectors, vectors

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    Ranker = Callable[[Sequence[int], Sequence[int]], "NDArray[np.float64]"]
    """From the rows liked and disliked to a score of every row."""

SEED, TOPICS, ROUNDS = 7, 40, 4
LOOKED_AT, LIKES, DISLIKES = 15, 2, 3
BACKGROUND = 300


def rankers(matrix: NDArray[np.float32], texts: list[str]) -> dict[str, Ranker]:
    mean, size = matrix.mean(axis=0), matrix.shape[1]
    spread = np.cov(matrix.T).astype(np.float32)
    unit = np.eye(size, dtype=np.float32) * np.trace(spread) / size
    inverse = np.linalg.inv(spread + 30 * unit)
    rng = np.random.default_rng(SEED)
    others = rng.choice(len(matrix), min(BACKGROUND, len(matrix)), replace=False)
    words = TfidfVectorizer(stop_words="english", sublinear_tf=True).fit_transform(texts)

    def rocchio(part: float) -> Ranker:
        def rank(liked: Sequence[int], unliked: Sequence[int]) -> Any:
            away = part * matrix[unliked].mean(axis=0) if unliked else 0
            return matrix @ (matrix[liked].mean(axis=0) - away)

        return rank

    def discriminant(liked: Sequence[int], unliked: Sequence[int]) -> Any:
        away = (10 * mean + matrix[unliked].sum(axis=0)) / (10 + len(unliked))
        return matrix @ (inverse @ (matrix[liked].mean(axis=0) - away))

    def ridge(liked: Sequence[int], unliked: Sequence[int]) -> Any:
        near, far = matrix[liked] - mean, matrix[unliked] - mean
        within = spread + 10 * unit + near.T @ near / len(near) + far.T @ far / max(1, len(far))
        return matrix @ np.linalg.solve(within, near.mean(axis=0))

    def logistic(values: Any, background: bool) -> Ranker:
        def rank(liked: Sequence[int], unliked: Sequence[int]) -> Any:
            # Dislikes alone are too few at the beginning: others stand for them.
            against = [*unliked, *(others.tolist() if background or not unliked else ())]
            rows = [*liked, *against]
            wanted = [1] * len(liked) + [0] * len(against)
            model = LogisticRegression(class_weight="balanced", max_iter=200)
            return model.fit(values[rows], wanted).decision_function(values)

        return rank

    return {
        "likes alone": rocchio(0.0),
        "less a quarter": rocchio(0.25),
        "less a half": rocchio(0.5),
        "discriminant": discriminant,
        "ridge": ridge,
        "logistic": logistic(matrix, background=True),
        "TF-IDF, logistic": logistic(words, background=False),
    }


def program(library: Library) -> Ranker:
    """All signals; papers that are no candidates stand last. Row i is paper i + 1."""
    papers = len(library.papers.ids())

    def rank(liked: Sequence[int], unliked: Sequence[int]) -> NDArray[np.float64]:
        like, unlike = (Examples(tuple(row + 1 for row in rows)) for rows in (liked, unliked))
        found = library.searcher.alike.scored(SimilarRequest(like, unlike, k=500))
        scores = np.full(papers, -np.inf)
        scores[found.ids - 1] = found.total
        return scores

    return rank


def simulate(
    rank: Ranker, pool: NDArray[np.int64], topics: Sequence[list[int]]
) -> tuple[NDArray[np.float64], float]:
    """Average precision by topic and round, (t, r), and milliseconds a ranking."""
    found, took, times = np.zeros((len(topics), ROUNDS)), 0.0, 0
    for place, topic in enumerate(topics):
        half = len(topic) // 2
        shown, hidden = set(topic[:half]), set(topic[half:])
        liked: list[int] = [topic[0]]
        unliked: list[int] = []
        for turn in range(ROUNDS):
            began = time.perf_counter()
            scores = rank(liked, unliked)
            took, times = took + time.perf_counter() - began, times + 1
            rest = pool[~np.isin(pool, liked + unliked)]
            order = rest[np.argsort(-scores[rest], kind="stable")]
            found[place, turn] = average_precision(
                order[~np.isin(order, list(shown))], hidden, len(order)
            )
            seen = [int(row) for row in order if row not in hidden][:LOOKED_AT]
            liked += [row for row in seen if row in shown][:LIKES]
            unliked += [row for row in seen if row not in shown][:DISLIKES]
    return found, 1000 * took / times


def report(name: str, library: Library, texts: list[str], pool: list[int], topics: Any) -> None:
    rng = np.random.default_rng(SEED)
    large = sorted(sorted(topic) for topic in topics if 12 <= len(topic) <= 150)
    chosen = [large[i] for i in rng.choice(len(large), min(TOPICS, len(large)), replace=False)]
    shuffled = [[int(row) for row in rng.permutation(topic)] for topic in chosen]
    snapshot = library.vectors()
    matrix = snapshot.matrix[np.argsort(snapshot.ids)]
    print(f"{name}: {len(shuffled)} topics, average precision of the hidden half, by round")
    for label, rank in {**rankers(matrix, texts), "the program": program(library)}.items():
        values, each = simulate(rank, np.array(pool), shuffled)
        figures = " ".join(f"{100 * value:5.1f}" for value in values.mean(axis=0))
        print(f"  {label:18s} {figures}   {each:6.1f} ms", flush=True)


def csopen(folder: Path) -> None:
    load(NAME, folder, links=True)
    found = list(records(NAME))
    number = {one["id"]: row for row, one in enumerate(found)}
    with Library.open(folder) as library:
        store_vectors(library.database, library.vector_store, vectors(CACHE / NAME))
        topics: dict[int, set[int]] = {}
        for row, one in enumerate(found):
            for other in one["cites"]:
                if one["year"] <= 2020 and other in number:
                    topics.setdefault(number[other], set()).add(row)
        pool = [row for row, one in enumerate(found) if one["year"] <= 2020]
        texts = [f"{one['title']} {one['abstract']}" for one in found]
        report(NAME, library, texts, pool, topics.values())


def example(folder: Path) -> None:
    lines = example_library().read_text(encoding="utf-8").splitlines()
    found = [json.loads(line) for line in lines]
    with Library.open(folder) as library:
        if not len(library.papers.ids()):
            library.import_file(example_library())
        file = folder / f"{bundled_card().version}.npy"
        if not file.exists():
            library.embed()
            snapshot = library.vectors()
            np.save(file, snapshot.matrix[np.argsort(snapshot.ids)])
        topics: dict[str, set[int]] = {}
        for row, one in enumerate(found):
            for name in (*one["keywords"], f"in {one['collections'][0][0]}"):
                topics.setdefault(name, set()).add(row)
        texts = [f"{one['title']} {one['abstract']}" for one in found]
        report("example library", library, texts, list(range(len(found))), topics.values())


def main() -> None:
    example(CACHE / "plus-minus")
    if (DATA / NAME).is_dir():
        csopen(CACHE / NAME / "library")


if __name__ == "__main__":
    main()
