"""Looks whether anything that is asked later was learnt from; run at the start of every real run.

It works everything out anew from the queries, the years and the works that papers are, and trusts
nothing that a split or a builder says of itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from litscape_trainer.examples import kinds
from litscape_trainer.examples.records import NOBODY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from litscape_trainer.examples.material import TrainingMaterial
    from litscape_trainer.examples.records import ExampleSet, Kind
    from litscape_trainer.splits import TrainingSplit


class LeakError(RuntimeError):
    """Training would have seen what it is judged by: a fault of the program."""


def refuse_leaks(
    examples: ExampleSet, split: TrainingSplit, material: TrainingMaterial | None = None
) -> None:
    """Stop a run that would learn from what it is asked.

    Raises:
        LeakError: it would.
    """
    found = leaks(examples, split, material)
    if found:
        raise LeakError(" ".join(found))


def leaks(
    examples: ExampleSet | None, split: TrainingSplit, material: TrainingMaterial | None = None
) -> tuple[str, ...]:
    """What of the held-out papers and links is learnt from, a sentence each; empty if nothing is.

    Args:
        examples: what is to be learnt; None: look at the split and the material alone.
        split: by what it is judged.
        material: what the examples were made from.
    """
    barred = _barred(split)
    found = list(_of_links(split, barred))
    if examples is not None:
        found += _of_examples(examples, split, barred)
    if material is not None:
        found += _of_material(material, split, barred)
    return tuple(found)


def _barred(split: TrainingSplit) -> NDArray[np.bool_]:
    """(n,) the papers that may take part in no role, by the order of ``split.ids``."""
    out = np.isin(split.ids, split.held_out)
    if split.last is not None:
        out |= split.years > split.last
    if split.by != "edge":
        out |= np.isin(split.ids, [one.paper for one in (*split.dev, *split.test)])
    barred: NDArray[np.bool_] = np.isin(split.works, split.works[out])
    return barred


def _of_links(split: TrainingSplit, barred: NDArray[np.bool_]) -> Iterator[str]:
    if number := np.count_nonzero(_any_barred(split, barred, split.training)):
        yield f"{number:,} links of held-out papers are among those to learn."
    asked = np.array(
        [(one.paper, other) for one in (*split.dev, *split.test) for other in one.relevant],
        dtype=np.int64,
    ).reshape(-1, 2)
    if number := np.count_nonzero(np.isin(_works(split, split.training), _works(split, asked))):
        yield f"{number:,} links that are asked for are among those to learn."
    if number := np.count_nonzero(
        np.isin(_works(split, split.training), _works(split, split.hidden))
    ):
        yield f"{number:,} hidden links are among those to learn."


def _of_examples(
    examples: ExampleSet, split: TrainingSplit, barred: NDArray[np.bool_]
) -> Iterator[str]:
    roles = {
        "anchors": examples.anchors,
        "positives": examples.positives,
        "negatives": examples.negatives[examples.negatives != NOBODY],
    }
    for role, papers in roles.items():
        if number := np.count_nonzero(_any_barred(split, barred, papers[:, None])):
            yield f"{number:,} {role} are held-out papers, or one work with them."
    links = _Links(split)
    pairs = {
        name: np.column_stack((examples.anchors, examples.positives))[examples.kinds == place]
        for place, name in enumerate(examples.names)
    }
    for place, name in enumerate(examples.names):
        rows, columns = np.nonzero(examples.negative_kinds == place)
        away = np.column_stack((examples.anchors[rows], examples.negatives[rows, columns]))
        pairs[name] = np.concatenate((pairs[name], away))
    for name, some in pairs.items():
        if len(some) and (number := np.count_nonzero(~links.bear_out(name, some))):
            yield f"{number:,} pairs ({name.name}) need a link that may not be learnt."


def _of_material(
    material: TrainingMaterial, split: TrainingSplit, barred: NDArray[np.bool_]
) -> Iterator[str]:
    if number := np.count_nonzero(_any_barred(split, barred, material.ids[:, None])):
        yield f"{number:,} held-out papers are among those to learn from."
    edges = material.graph.edges()
    if number := np.count_nonzero(~np.isin(_keys(edges), _keys(split.training))):
        yield f"{number:,} links of the training graph may not be learnt."
    for name, kept in material.kept.items():
        if name.startswith("node vectors"):
            held = _any_barred(split, barred, material.ids[kept.nodes][:, None])
            if number := np.count_nonzero(held):
                yield f"{number:,} held-out papers have a place in the embedding of the graph."


def _any_barred(
    split: TrainingSplit, barred: NDArray[np.bool_], papers: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """(m,) whether any paper of a row, (m, k), is barred or not among the papers at all."""
    if not len(split.ids):
        return np.ones(len(papers), dtype=np.bool_)
    place = np.minimum(np.searchsorted(split.ids, papers), len(split.ids) - 1)
    found: NDArray[np.bool_] = ((split.ids[place] != papers) | barred[place]).any(axis=1)
    return found


def _works(split: TrainingSplit, links: NDArray[np.int64]) -> NDArray[np.int64]:
    """(m,) a number for the two works of each link, whatever its direction."""
    place = np.minimum(np.searchsorted(split.ids, links), max(len(split.ids) - 1, 0))
    both = np.sort(split.works[place].astype(np.int64), axis=1)
    return _keys(both)


def _keys(links: NDArray[np.int64]) -> NDArray[np.int64]:
    return links[:, 0] * (1 << 32) + links[:, 1]


class _Links:
    """The links that may be learnt, and whether they bear out why a pair was chosen."""

    def __init__(self, split: TrainingSplit) -> None:
        from scipy.sparse import csr_matrix

        self._ids = split.ids
        self._cites: Any = csr_matrix(
            (
                np.ones(len(split.training), dtype=np.float32),
                tuple(np.searchsorted(split.ids, split.training).T),
            ),
            shape=(len(split.ids), len(split.ids)),
        )
        self._cited: Any = self._cites.T.tocsr()
        self._either: Any = (self._cites + self._cited).tocsr()

    def bear_out(self, kind: Kind, pairs: NDArray[np.int64]) -> NDArray[np.bool_]:
        """(m,) whether a link, or two, are there for each pair; true where none is needed."""
        place = np.minimum(np.searchsorted(self._ids, pairs), len(self._ids) - 1)
        one, other = place.T
        if kind in (kinds.CITED, kinds.CITING):
            rows = self._cites if kind is kinds.CITED else self._cited
            return np.asarray(rows[one, other]).ravel() > 0
        ways = {
            kinds.BEYOND: (self._cites, self._cited),
            kinds.TWO_LINKS: (self._either, self._either),
            kinds.COCITED: (self._cited, self._cited),
        }
        if kind not in ways:
            return np.ones(len(pairs), dtype=np.bool_)
        first, last = ways[kind]
        step = 50_000
        return np.concatenate(
            [
                np.asarray(
                    first[one[n : n + step]].multiply(last[other[n : n + step]]).sum(axis=1)
                ).ravel()
                > 0
                for n in range(0, len(pairs), step)
            ]
        )
