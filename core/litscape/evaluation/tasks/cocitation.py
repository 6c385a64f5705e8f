"""Co-citation: which papers will others cite together with this one?"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from litscape.evaluation.records import Question
from litscape.evaluation.tasks.base import LinkTask, Pair, Prepared, drawn

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from litscape.evaluation.material import Material
    from litscape.evaluation.records import Wanted
    from litscape.library import Library
    from litscape.paper import PaperId

LEAST_TOGETHER = 2
"""Cited together by at least so many papers held out."""
LEAST_CITED = 3
"""Both papers of a pair are cited by at least so many."""
LEAST_PAIRS = 300
MOST_PAIRS = 1000


class CoCitation(LinkTask):
    """Relevance comes from citing papers that are held out; whoever is cited may be known."""

    name: ClassVar[str] = "cocitation"
    title: ClassVar[str] = "Cited together"
    about: ClassVar[str] = (
        "Given the text of a paper, find the papers that two or more later or held-out papers cite "
        "together with it; and tell such pairs from others (pair AUC)."
    )
    things: ClassVar[str] = "papers cited together with it"

    def prepare(self, _library: Library, material: Material, wanted: Wanted) -> Prepared:
        """Papers cited together by held-out papers as queries."""
        split = self.split(material, wanted.held)
        citing = {one.paper: one.relevant for one in self.part(split, wanted)}
        together = _together(citing.values())
        last = max((material.years[paper] for paper in citing), default=0)
        questions = self._questions(material, together, last)
        chosen = drawn(questions, wanted.most, wanted.seed)
        self.enough(len(chosen), self.lack)
        pairs = _pairs(material, questions, together, wanted.seed)
        notes: tuple[str, ...] = ()
        if len(pairs) < LEAST_PAIRS:
            notes = (
                f"No pair AUC: {len(pairs):,} pairs of papers that are cited {LEAST_CITED} times "
                f"each, and fewer than {LEAST_PAIRS} say nothing.",
            )
            pairs = ()
        return Prepared(chosen, split.name, self.change(material, split), notes=notes, pairs=pairs)

    def _questions(
        self, material: Material, together: Counter[tuple[PaperId, PaperId]], last: int
    ) -> list[Question]:
        partners: dict[PaperId, dict[PaperId, int]] = {}
        for (a, b), times in together.items():
            if times >= LEAST_TOGETHER:
                partners.setdefault(a, {})[b] = 1
                partners.setdefault(b, {})[a] = 1
        dated = material.dated(last)
        questions = []
        for paper, relevant in sorted(partners.items()):
            same = {paper, *material.twins(paper)}
            wanted = {one: 1 for one in sorted(relevant) if one not in same}
            text = material.texts[paper].prose.strip()
            if wanted and text:
                candidates = dated[~np.isin(dated, np.array(sorted(same), dtype=np.int64))]
                until = material.until(last)
                questions.append(Question(text, paper, candidates, wanted, year_to=until))
        return questions


def _together(lists: Iterable[Collection[PaperId]]) -> Counter[tuple[PaperId, PaperId]]:
    found: Counter[tuple[PaperId, PaperId]] = Counter()
    for cited in lists:
        found.update(combinations(sorted(cited), 2))
    return found


def _pairs(
    material: Material,
    questions: list[Question],
    together: Counter[tuple[PaperId, PaperId]],
    seed: int,
) -> tuple[Pair, ...]:
    """As many pairs never cited together as pairs that are, of papers that are cited enough."""
    cited = Counter(material.links[:, 1].tolist())
    rng = np.random.default_rng(seed)
    ever: dict[PaperId, set[PaperId]] = {}
    for a, b in together:
        ever.setdefault(a, set()).add(b)
        ever.setdefault(b, set()).add(a)
    known = np.array(sorted(p for p, n in cited.items() if n >= LEAST_CITED), dtype=np.int64)
    pairs: list[Pair] = []
    for question in questions:
        anchor = question.paper or 0
        partners = [p for p in question.relevant if p > anchor and cited[p] >= LEAST_CITED]
        if cited[anchor] < LEAST_CITED or not partners:
            continue
        others = np.setdiff1d(
            known[np.isin(known, question.candidates)],
            np.array(sorted(ever.get(anchor, set())), dtype=np.int64),
        )
        if len(others) < len(partners):
            continue
        negatives = rng.choice(others, len(partners), replace=False).tolist()
        listed = replace(
            question,
            candidates=np.array(sorted({*partners, *negatives}), dtype=np.int64),
            relevant=dict.fromkeys(partners, 1),
            listed=True,
        )
        pairs += [Pair(listed, p, int(n)) for p, n in zip(partners, negatives, strict=True)]
    return drawn(pairs, MOST_PAIRS, seed)
