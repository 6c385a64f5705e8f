"""Papers and links made in memory, as a library would have been read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from litscape.evaluation.material import Material, or_one_time
from litscape.graph.csr import Rows
from litscape.graph.model import build
from litscape.graph.weak import WeakLinks
from litscape.store.graph_reads import NO_YEAR
from litscape.store.lexical import Text
from litscape_trainer.examples.gathering import gather
from litscape_trainer.source import Source, twins_of
from litscape_trainer.splits import split_source

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from litscape.graph.weak import WeakKind
    from litscape_trainer.examples.material import TrainingMaterial
    from litscape_trainer.splits import HeldBy, TrainingSplit

SUBJECTS = ("coral", "glacier", "violin", "harbour", "meteor", "orchid", "turbine", "falcon")


@dataclass(frozen=True)
class Recipe:
    """What builders and splits look at in a recipe."""

    positives: int = 5
    hard_negatives: int = 1
    easy_negatives: int = 0
    as_of: int | None = None
    collections: tuple[str, ...] = ()


def source(
    years: Sequence[int | None],
    links: Sequence[tuple[int, int]],
    *,
    titles: Mapping[int, str] | None = None,
    abstracts: Mapping[int, str] | None = None,
    shared: Sequence[tuple[str, int]] = (),
    related: Sequence[tuple[int, int]] = (),
    groups: Mapping[WeakKind, Sequence[tuple[int, int]]] | None = None,
    collections: Mapping[str, frozenset[int]] | None = None,
    works: Sequence[tuple[int, int]] = (),
) -> Source:
    """A source of papers 1 … n with these years and (citing, cited) links.

    ``groups`` are (paper, group) by kind; ``works`` are (citing paper, number of a work outside).
    """
    ids = np.arange(1, len(years) + 1, dtype=np.int64)
    dated = np.array([NO_YEAR if year is None else year for year in years], dtype=np.int64)
    ends = np.array(sorted(set(links)), dtype=np.int64).reshape(-1, 2)
    cited = np.array(sorted(set(works)), dtype=np.int64).reshape(-1, 2)
    zeros = np.zeros(len(cited), dtype=np.int64)
    graph = build(
        (ids, dated),
        (ends[:, 0], ends[:, 1]),
        (cited[:, 0], cited[:, 1], zeros + 1990, zeros, zeros),
    )
    texts = {
        paper: Text(
            (titles or {}).get(paper, f"{_subject(paper)} number {paper} of a long series"),
            (abstracts or {}).get(
                paper, f"We study the {_subject(paper)} and its {_subject(paper // 8)} at length."
            ),
            "",
        )
        for paper in ids.tolist()
    }
    known = {p: int(y) for p, y in zip(ids.tolist(), dated.tolist(), strict=True) if y != NO_YEAR}
    material = Material(texts, or_one_time(ids, known), graph.edges())
    return Source(
        material=material,
        graph=graph,
        twins=twins_of(material, shared),
        related=np.array(related, dtype=np.int64).reshape(-1, 2),
        weak={kind: _weak(kind, rows) for kind, rows in (groups or {}).items()},
        collections=collections or {},
    )


def _subject(paper: int) -> str:
    return SUBJECTS[paper % len(SUBJECTS)]


def _weak(kind: WeakKind, rows: Sequence[tuple[int, int]]) -> WeakLinks:
    pairs = np.array(sorted(rows), dtype=np.int64).reshape(-1, 2)
    ids, place = np.unique(pairs[:, 0], return_inverse=True)
    return WeakLinks(
        kind, ids, Rows.of(place.astype(np.int32), pairs[:, 1].astype(np.int32), len(ids))
    )


def prepared(
    read: Source, recipe: Recipe | None = None, by: HeldBy | None = "paper"
) -> tuple[TrainingSplit, TrainingMaterial]:
    """The split and the material of a source."""
    recipe = recipe or Recipe()
    split = split_source(read, recipe, by)
    return split, gather(read, recipe, split)


def everything(read: Source) -> TrainingMaterial:
    """All papers and links as material, nothing held out."""
    from dataclasses import replace

    split = split_source(read, Recipe(), "paper")
    nobody = np.empty(0, dtype=np.int64)
    free = replace(
        split, dev=(), test=(), held_out=nobody, training=read.material.links, hidden=nobody[:0]
    )
    return gather(read, Recipe(), free)


def field(papers: int, seed: int = 0, years: int = 12) -> tuple[list[int], list[tuple[int, int]]]:
    """Years and links of a field in which papers mostly cite others of their subject."""
    rng = np.random.default_rng(seed)
    links = set()
    for paper in range(2, papers + 1):
        for _ in range(int(rng.integers(0, 7))):
            near = [one for one in range(1, paper) if one % 4 == paper % 4]
            pool = near if near and rng.random() < 0.8 else list(range(1, paper))
            links.add((paper, int(rng.choice(pool))))
    return [2000 + years * n // papers for n in range(papers)], sorted(links)
