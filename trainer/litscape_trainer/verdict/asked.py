"""What models are asked: queries of each task, out of what a split holds out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from litscape.evaluation.records import MOST_QUERIES, SEED, Question
from litscape.evaluation.tasks.base import drawn
from litscape.evaluation.tasks.citations import question
from litscape.evaluation.tasks.reranking import listed
from litscape.evaluation.tasks.titles import SHORTEST

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray

    from litscape.evaluation.material import Material
    from litscape.evaluation.records import Part
    from litscape_trainer.splits import TrainingSplit

CITATIONS: Final = "citations"
RERANKING: Final = "reranking"
TITLES: Final = "titles"
TASK_TITLES = {
    CITATIONS: "What a paper cites, in the whole library",
    RERANKING: "Cited or not, 5 among 25 others",
    TITLES: "By title, among abstracts",
}
CANDIDATES: Final = (
    "“In the whole library” ranks the papers that are dated no later than the one that is asked "
    "about."
)
"""What stands below every table of it."""
MOST_DOCUMENTS = 2000
"""Abstracts among which a title looks for its own: they are embedded anew for this."""
LEAST_TITLES = 100
_ENOUGH_HELD = 200


@dataclass(frozen=True, eq=False)
class Ask:
    """The queries of one task.

    Attributes:
        task: its name.
        questions: the queries.
        documents: papers of which nothing but the abstract may be found, int64 (n,); None where
            papers are found as they are.
    """

    task: str
    questions: tuple[Question, ...]
    documents: NDArray[np.int64] | None = None

    @property
    def title(self) -> str:
        """For people."""
        return TASK_TITLES[self.task]


def questions_of(
    material: Material, split: TrainingSplit, part: Part, most: int = MOST_QUERIES
) -> tuple[Question, ...]:
    """The held-out papers of one part as queries of the whole library."""
    queries = split.dev if part == "dev" else split.test
    asked = [question(material, one) for one in drawn(queries, most, SEED)]
    found = tuple(one for one in asked if one is not None)
    return tuple(_unlearnt(one, split) for one in found) if split.by == "edge" else found


def _unlearnt(asked: Question, split: TrainingSplit) -> Question:
    """A query without the papers that it is learnt to be linked with: they would stand on top.

    Only where links were hidden of papers that stay; elsewhere a query has no link to learn.
    """
    links = split.training
    known = np.concatenate(
        (links[links[:, 0] == asked.paper, 1], links[links[:, 1] == asked.paper, 0])
    )
    return replace(asked, candidates=asked.candidates[~np.isin(asked.candidates, known)])


def among_others(material: Material, questions: Collection[Question]) -> tuple[Question, ...]:
    """The same queries with short lists: five papers that are cited, 25 that are not."""
    linked: dict[int, set[int]] = {}
    for citing, cited in material.links.tolist():
        linked.setdefault(citing, set()).add(cited)
        linked.setdefault(cited, set()).add(citing)
    short = (listed(one, linked.get(one.paper or 0, set()), SEED) for one in questions)
    return tuple(one for one in short if one is not None)


def titles_of(
    material: Material,
    held_out: NDArray[np.int64],
    part: Part,
    *,
    strictly: bool = False,
    most: int = MOST_QUERIES,
) -> Ask:
    """Titles that look for abstracts; those of held-out papers, where these are enough.

    Half of them serve to choose, the other half to judge. ``strictly`` takes held-out papers
    alone, for recipes that learn from titles.
    """
    there = [p for p, text in sorted(material.texts.items()) if len(text.abstract) >= SHORTEST]
    titled = [p for p in there if len(material.texts[p].title.split()) > 1]
    outside = set(held_out.tolist())
    held = [p for p in titled if p in outside]
    asked = held if strictly or len(held) >= _ENOUGH_HELD else titled
    order = np.random.default_rng(SEED).permutation(len(asked))
    middle = (len(asked) + 1) // 2
    mine = order[:middle] if part == "dev" else order[middle:]
    chosen = sorted(asked[i] for i in mine[:most].tolist())
    rest = sorted(set(there) - set(chosen))
    documents = sorted([*chosen, *drawn(rest, max(MOST_DOCUMENTS - len(chosen), 0), SEED)])
    candidates = np.array(documents, dtype=np.int64)
    inside = set(documents)
    questions = tuple(
        Question(
            material.texts[paper].title,
            None,
            candidates,
            dict.fromkeys(sorted({paper, *material.twins(paper)} & inside), 1),
        )
        for paper in chosen
    )
    return Ask(TITLES, questions, candidates)


def asks(
    material: Material, split: TrainingSplit, part: Part, *, by_titles: bool = False
) -> tuple[Ask, ...]:
    """All tasks that there is enough for; ``by_titles`` where titles were learnt from."""
    whole = questions_of(material, split, part)
    found = [Ask(CITATIONS, whole), Ask(RERANKING, among_others(material, whole))]
    kept = [one for one in found if one.questions]
    titles = titles_of(material, split.held_out, part, strictly=by_titles)
    if len(titles.questions) >= LEAST_TITLES:
        kept.append(titles)
    return tuple(kept)


def with_held_titles(material: Material, split: TrainingSplit) -> TrainingSplit:
    """A split that holds out papers for known-item search, for recipes that learn from titles.

    A tenth of the papers with an abstract for each part, 100 at least and 500 at most; papers
    that are one work with them stay out, too.
    """
    there = [p for p, text in sorted(material.texts.items()) if len(text.abstract) >= SHORTEST]
    wanted = 2 * int(np.clip(len(there) // 10, LEAST_TITLES + 1, 500))
    order = np.random.default_rng(SEED).permutation(len(there))
    chosen = material.with_twins([there[i] for i in order[:wanted].tolist()])
    drawn_ = np.isin(split.ids, np.array(sorted(chosen), dtype=np.int64))
    same = split.ids[np.isin(split.works, split.works[drawn_])]
    held = np.union1d(split.held_out, same)
    free = ~np.isin(split.training, held).any(axis=1)
    name = f"{split.name}; {len(chosen):,} papers held out for their titles"
    return replace(split, name=name, held_out=held, training=split.training[free])
