"""The figure that a training chooses by: nDCG@10 of development queries, quick to ask again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from litscape.embed.text import paper_text
from litscape.evaluation.metrics import ndcg
from litscape.evaluation.records import SEED
from litscape.evaluation.tasks.base import drawn
from litscape_trainer.verdict.asked import questions_of, titles_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from litscape.evaluation.material import Material
    from litscape.evaluation.records import Question
    from litscape.models.card import ModelCard
    from litscape_trainer.splits import TrainingSplit

    Encode = Callable[[Sequence[str]], NDArray[np.float32]]
    Apply = Callable[[NDArray[np.float32]], NDArray[np.float32]]
MOST_QUERIES, MOST_TEXTS = 200, 1000
"""What an encoder reads each time: the relevant papers, and others drawn up to so many."""


@dataclass(frozen=True, eq=False)
class Development:
    """Queries with their candidates among a pool of texts.

    Attributes:
        texts: what is read, (t,).
        asked: (q,) place of each query in ``texts``.
        candidates: (q,) places of each query's candidates.
        relevant: (q,) which places are relevant.
    """

    texts: tuple[str, ...]
    asked: tuple[int, ...]
    candidates: tuple[NDArray[np.int64], ...]
    relevant: tuple[frozenset[int], ...]

    def __len__(self) -> int:
        return len(self.asked)

    def figure(self, vectors: NDArray[np.float32]) -> NDArray[np.float64]:
        """NDCG@10 of each query, 0 … 1, (q,), by unit vectors (t, d) of the texts."""
        values = []
        for query, candidates, relevant in zip(
            self.asked, self.candidates, self.relevant, strict=True
        ):
            scores = vectors[candidates] @ vectors[query]
            values.append(ndcg(candidates[np.lexsort((candidates, -scores))[:10]], relevant, 10))
        return np.array(values, dtype=np.float64)

    def by_encoder(self, encode: Encode) -> NDArray[np.float64]:
        """The same of an encoder as it is at that moment."""
        return self.figure(encode(self.texts))


def for_encoder(material: Material, split: TrainingSplit, card: ModelCard) -> Development:
    """Development queries among the papers that they cite and others that are drawn."""
    questions = questions_of(material, split, "dev", MOST_QUERIES)
    needed = {one.paper for one in questions if one.paper is not None}
    needed |= {paper for one in questions for paper in one.relevant}
    rest = sorted(set(material.ids.tolist()) - needed)
    pool = sorted(needed | set(drawn(rest, max(MOST_TEXTS - len(needed), 0), SEED)))
    texts = {}
    for paper in pool:
        told = material.texts[paper]
        text = paper_text(card, told.title, told.abstract)
        if text is not None:
            texts[paper] = text
    return _among(questions, texts)


def for_titles(material: Material, split: TrainingSplit, card: ModelCard) -> Development:
    """Titles that look for abstracts, for recipes that learn from these."""
    asked = titles_of(material, split.held_out, "dev", strictly=True, most=MOST_QUERIES)
    documents = asked.documents if asked.documents is not None else np.empty(0, np.int64)
    needed = {paper for one in asked.questions for paper in one.relevant}
    rest = sorted(set(documents.tolist()) - needed)
    pool = sorted(needed | set(drawn(rest, max(MOST_TEXTS - len(needed), 0), SEED)))
    bodies = [paper_text(card, None, material.texts[paper].abstract) or "" for paper in pool]
    titles = [paper_text(card, one.text, None) or "" for one in asked.questions]
    place = {paper: n for n, paper in enumerate(pool)}
    everything = np.arange(len(pool), dtype=np.int64)
    return Development(
        texts=(*bodies, *titles),
        asked=tuple(range(len(pool), len(pool) + len(titles))),
        candidates=tuple(everything for _one in titles),
        relevant=tuple(
            frozenset(place[paper] for paper in one.relevant if paper in place)
            for one in asked.questions
        ),
    )


def _among(questions: Sequence[Question], texts: Mapping[int, str]) -> Development:
    ids = np.array(sorted(texts), dtype=np.int64)
    place = {paper: n for n, paper in enumerate(ids.tolist())}
    kept = [one for one in questions if one.paper in place]
    return Development(
        texts=tuple(texts[paper] for paper in ids.tolist()),
        asked=tuple(place[one.paper or 0] for one in kept),
        candidates=tuple(np.flatnonzero(np.isin(ids, one.candidates)) for one in kept),
        relevant=tuple(
            frozenset(place[paper] for paper in one.relevant if paper in place) for one in kept
        ),
    )


def for_head(material: Material, split: TrainingSplit, ids: NDArray[np.int64]) -> Development:
    """Development queries among all papers that have a stored vector; texts are not read.

    Args:
        material: the papers.
        split: whose development queries are asked.
        ids: papers with a vector, ascending: the rows that :meth:`Development.figure` is given.
    """
    questions = questions_of(material, split, "dev")
    return _among(questions, dict.fromkeys(ids.tolist(), ""))
