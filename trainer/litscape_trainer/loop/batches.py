"""Examples to batches: each text once, who is who, and what must not be a negative."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from litscape.embed.text import paper_text
from litscape_trainer.objectives.records import BatchPlaces

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from litscape.embed.tokens import Tokens
    from litscape.models.card import ModelCard
    from litscape_trainer.examples.records import ExampleSet, KnownPositives, Likenesses

WHOLE = "paper"


class Numbered(Protocol):
    """Gives what stands for a paper a number."""

    def add(self, papers: NDArray[np.int64], side: str) -> None:
        """Number what is not numbered yet."""

    def places(self, papers: NDArray[np.int64], side: str) -> NDArray[np.int64]:
        """The numbers, in the shape of ``papers``; -1 where there is nothing."""


class Texts:
    """The texts of papers, numbered in the order of their first use; equal texts are one.

    Args:
        card: joins title and abstract.
        tokens: cut at the length of training.
        papers: title and abstract by paper.
    """

    def __init__(
        self,
        card: ModelCard,
        tokens: Tokens,
        papers: Mapping[int, tuple[str | None, str | None]],
    ) -> None:
        self._card = card
        self._tokens = tokens
        self._papers = papers
        self._number: dict[str, int] = {}
        self._places: dict[tuple[str, int], int] = {}
        self.rows: list[list[int]] = []

    def add(self, papers: NDArray[np.int64], side: str = WHOLE) -> None:
        """Number and tokenise the texts of papers, (n,), that are not known yet."""
        fresh: list[str] = []
        for paper in dict.fromkeys(papers.ravel().tolist()):
            if (side, paper) in self._places:
                continue
            text = self._text(paper, side)
            if text is None:
                self._places[side, paper] = -1
                continue
            if text not in self._number:
                self._number[text] = len(self._number)
                fresh.append(text)
            self._places[side, paper] = self._number[text]
        if fresh:
            self.rows += self._tokens.ids(fresh, "paper")

    def places(self, papers: NDArray[np.int64], side: str = WHOLE) -> NDArray[np.int64]:
        """The numbers of papers' texts, in the shape of ``papers``; -1 where there is none."""
        found = [self._places.get((side, paper), -1) for paper in papers.ravel().tolist()]
        return np.array(found, dtype=np.int64).reshape(papers.shape)

    def _text(self, paper: int, side: str) -> str | None:
        title, abstract = self._papers.get(paper, (None, None))
        if side == WHOLE:
            return paper_text(self._card, title, abstract)
        part = " ".join(((title if side == "title" else abstract) or "").split())
        return part or None


class Epoch:
    """The examples of one epoch whose texts there are, in an order of its own.

    Args:
        examples: as a builder made them.
        texts: gets the texts that are new.
        known: which papers must not be negatives of each other.
        order: of the examples: the seed's random numbers.
        needs_negatives: leave out examples without explicit negatives.
        teacher: tells how alike the papers of a batch are, where an objective learns that.
    """

    def __init__(
        self,
        examples: ExampleSet,
        texts: Numbered,
        known: KnownPositives,
        order: np.random.Generator,
        needs_negatives: bool = False,
        teacher: Likenesses | None = None,
    ) -> None:
        self._known = known
        self._teacher = teacher
        left, right = examples.sides or (WHOLE, WHOLE)
        self._texts = texts
        self._right = right
        texts.add(examples.anchors, left)
        texts.add(examples.positives, right)
        texts.add(examples.negatives[examples.negatives >= 0], right)
        self._anchor_texts = texts.places(examples.anchors, left)
        self._positive_texts = texts.places(examples.positives, right)
        self._negative_texts = texts.places(examples.negatives, right)
        usable = (self._anchor_texts >= 0) & (self._positive_texts >= 0)
        usable &= self._anchor_texts != self._positive_texts
        if needs_negatives:
            usable &= (self._negative_texts >= 0).any(axis=1)
        self._examples = examples
        self.dropped = int((~usable).sum())
        right_texts = np.column_stack((self._positive_texts, self._negative_texts))[usable]
        self._log_shares = _log_shares(right_texts[right_texts >= 0])
        self._back_log_shares = _log_shares(self._anchor_texts[usable])
        self._order = order.permutation(np.flatnonzero(usable))
        self._own: dict[int, list[int]] = {}
        pairs = zip(examples.anchors.tolist(), examples.positives.tolist(), strict=True)
        for one, other in dict.fromkeys(pairs):
            self._own.setdefault(one, []).append(other)
            self._own.setdefault(other, []).append(one)

    def __len__(self) -> int:
        return len(self._order)

    def texts_of(self, batch: int) -> int:
        """How many texts a batch of so many examples has at most."""
        return batch * (2 + int(self._examples.negatives.shape[1]))

    def batches(self, size: int) -> int:
        """How many batches of ``size`` there are; what is left over is another epoch's."""
        return max(len(self) // size, 1) if len(self) else 0

    def batch(
        self, number: int, size: int, others: NDArray[np.int64] | None = None
    ) -> tuple[NDArray[np.int64], BatchPlaces]:
        """The texts of one batch, (u,), each once, and who is who among them.

        Args:
            number: of the batch.
            size: examples.
            others: papers that are candidates beside the batch's own, (k,).
        """
        import torch

        chosen = self._order[number * size : (number + 1) * size]
        anchors, positives = self._anchor_texts[chosen], self._positive_texts[chosen]
        negatives = self._negative_texts[chosen]
        there = negatives >= 0
        more = np.empty(0, dtype=np.int64) if others is None else others
        more_texts = self._texts.places(more, self._right)
        more, more_texts = more[more_texts >= 0], more_texts[more_texts >= 0]
        used, first, inverse = np.unique(
            np.concatenate((anchors, positives, negatives[there], more_texts)),
            return_index=True,
            return_inverse=True,
        )
        b = len(chosen)
        anchor, positive = inverse[:b], inverse[b : 2 * b]
        negative = np.full(negatives.shape, -1, dtype=np.int64)
        negative[there] = inverse[2 * b : 2 * b + int(there.sum())]
        papers = self._examples.anchors[chosen], self._examples.positives[chosen]
        away = np.concatenate((self._examples.negatives[chosen][there], more))
        candidates, targets = np.unique(inverse[b:], return_inverse=True)
        sources, back_targets = np.unique(anchor, return_inverse=True)
        barred = self._barred(
            papers[0], anchor, np.concatenate((papers[1], away)), targets, candidates
        )
        back = self._barred(papers[1], positive, papers[0], back_targets, sources)
        shares = self._log_shares[used[candidates]] if others is None else np.zeros(len(candidates))
        parts = (
            *(anchor, positive, negative, candidates, targets[:b], barred),
            *(sources, back_targets, back, self._examples.weights[chosen].astype(np.float32)),
            *(shares.astype(np.float32), self._back_log_shares[used[sources]]),
            self._likeness(np.concatenate((*papers, away))[first]),
        )
        return used, BatchPlaces(*(torch.from_numpy(np.ascontiguousarray(one)) for one in parts))

    def _likeness(self, papers: NDArray[np.int64]) -> NDArray[np.float32]:
        """The teacher's, of the papers whose texts a batch has, (u,): (u, u)."""
        if self._teacher is None:
            return np.empty((0, 0), dtype=np.float32)
        return self._teacher.likeness(papers)

    def _barred(
        self,
        rows: NDArray[np.int64],
        row_texts: NDArray[np.int64],
        columns: NDArray[np.int64],
        column_places: NDArray[np.int64],
        candidates: NDArray[np.int64],
    ) -> NDArray[np.bool_]:
        """Which candidates are no negatives of which papers: known positives and equal texts.

        Args:
            rows: papers asked for, (b,).
            row_texts: the places of their texts, (b,).
            columns: papers that stand behind the candidates, (m,), some twice.
            column_places: which candidate each is, (m,).
            candidates: the places of the candidates' texts, (c,).
        """
        barred: NDArray[np.bool_] = row_texts[:, None] == candidates[None, :]
        papers, first = np.unique(columns, return_index=True)
        asked, which = np.unique(rows, return_inverse=True)
        near = self._known.between(asked, papers)
        place = {paper: i for i, paper in enumerate(papers.tolist())}
        for i, paper in enumerate(asked.tolist()):
            for other in self._own.get(paper, ()):
                if other in place:
                    near[i, place[other]] = True
        column, found = column_places[first], near[which]
        if len(np.unique(column)) == len(column):
            barred[:, column] |= found
        else:  # two papers with one text are one candidate, barred if either is
            np.logical_or.at(barred.T, column, found.T)
        return barred


def _log_shares(texts: NDArray[np.int64]) -> NDArray[np.float32]:
    """By a text's number, the logarithm of its share of ``texts``; 0 where it is not there."""
    counts = np.bincount(texts)
    return np.log(np.where(counts, counts / max(len(texts), 1), 1)).astype(np.float32)


def order_of(seed: int, epoch: int) -> np.random.Generator:
    """The random numbers that order an epoch."""
    return np.random.default_rng([seed, epoch])
