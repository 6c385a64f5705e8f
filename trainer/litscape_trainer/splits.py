"""Which papers and links a run may learn from, and by which queries it is judged.

The queries are those of :mod:`litscape.evaluation.splits`, so that a model is measured by the same
ones as every other ranking. Held-out papers, and papers that are one work with them, take no part
in training in any role.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

import numpy as np

from litscape.evaluation import splits as core
from litscape.evaluation.tasks.base import LEAST, TRUSTED
from litscape_trainer.splits_by_edge import hide_edges

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from litscape.evaluation.splits import HeldOutPaper, Split
    from litscape_trainer.source import Source

HeldBy = Literal["year", "paper", "edge"]
"""How queries are held out."""


class Asked(Protocol):
    """What of a training recipe a split follows."""

    @property
    def as_of(self) -> int | None:
        """Nothing dated later is learnt from."""

    @property
    def collections(self) -> tuple[str, ...]:
        """Paths of the collections to learn from; empty: all papers."""


@dataclass(frozen=True, eq=False)
class TrainingSplit:
    """What is learnt, what chooses, what judges.

    Attributes:
        by: how it was parted.
        name: the same in words, for a report.
        training: links (citing, cited) that may be learnt, (m, 2) int64.
        dev: queries for every choice.
        test: queries for the final figure.
        held_out: (k,) int64 ids, ascending: papers that take no part in training in any role.
        hidden: (h, 2) int64: links that were taken away from papers that stay (by edge).
        cut: the last year that may be learnt from; None where it was not parted by year.
        as_of: nothing dated later is in it at all; None: everything may be.
        ids: (n,) int64, ascending: all papers that there are.
        works: (n,) int32: those of one number are one work.
        years: (n,) int32: ``NO_YEAR`` of the store, later than all, where a paper has none.
        sentences: what a person should know.
    """

    by: HeldBy
    name: str
    training: NDArray[np.int64]
    dev: tuple[HeldOutPaper, ...]
    test: tuple[HeldOutPaper, ...]
    held_out: NDArray[np.int64]
    hidden: NDArray[np.int64]
    cut: int | None
    as_of: int | None
    ids: NDArray[np.int64]
    works: NDArray[np.int32]
    years: NDArray[np.int32]
    sentences: tuple[str, ...]

    @property
    def last(self) -> int | None:
        """The last year of what may be learnt from; None: any."""
        return self.as_of if self.cut is None else self.cut


def split_source(source: Source, recipe: Asked, by: HeldBy | None = None) -> TrainingSplit:
    """Part what was read of a library into what is learnt and what is asked.

    By year where that leaves 200 queries for the test and 500 links to learn; else by paper; where
    that leaves fewer than 50 queries for the test, by edge if it leaves more. A recipe that learns
    as of a year is judged by what came after that year, if enough did; else by what it may see.

    Args:
        source: what was read.
        recipe: whose year counts.
        by: hold out in this way, whatever results.
    """
    years: Mapping[int, int] = source.material.years
    links = source.material.links
    cut = recipe.as_of
    if cut is not None:
        later = core.by_year(years, links, cut)
        if by in (None, "year") and min(len(later.dev), len(later.test)) >= LEAST:
            return _whole(source, later, "year", cut)
        years = {paper: year for paper, year in years.items() if year <= cut}
        dated = np.array(sorted(years), dtype=np.int64)
        links = links[np.isin(links, dated).all(axis=1)]
    if by is None:
        found, by = _best(source, years, links)
    else:
        found = _parted(source, years, links, by)
    return _whole(source, found, by, cut)


def _best(
    source: Source, years: Mapping[int, int], links: NDArray[np.int64]
) -> tuple[Split, HeldBy]:
    cut = latest_cut(years, links)
    if cut is not None:
        return core.by_year(years, links, cut), "year"
    found = core.by_paper(years, links)
    if len(found.test) >= LEAST:
        return found, "paper"
    hidden = hide_edges(years, links, source.material.ids, source.twins)
    return (hidden, "edge") if len(hidden.test) >= LEAST else (found, "paper")


def _parted(
    source: Source, years: Mapping[int, int], links: NDArray[np.int64], by: HeldBy
) -> Split:
    if by == "paper":
        return core.by_paper(years, links)
    if by == "edge":
        return hide_edges(years, links, source.material.ids, source.twins)
    for least in (TRUSTED, LEAST, 1):
        cut = latest_cut(years, links, min_test=least, min_links=1, min_dev=min(least, LEAST))
        if cut is not None:
            return core.by_year(years, links, cut)
    return core.by_paper({}, links[:0])


def latest_cut(
    years: Mapping[int, int],
    links: NDArray[np.int64],
    min_test: int = core.MIN_TEST_QUERIES,
    min_links: int = core.MIN_TRAINING_LINKS,
    min_dev: int = core.MIN_DEV_QUERIES,
) -> int | None:
    """The year that :func:`litscape.evaluation.splits.split` would cut after; None: by paper.

    It counts all years at once, for a million links.
    """
    if not years or not len(links):
        return None
    ids = np.array(sorted(years), dtype=np.int64)
    dates = np.array([years[paper] for paper in ids.tolist()], dtype=np.int64)
    there = np.isin(links, ids).all(axis=1)
    citing, cited = links[there].T
    citing_years, cited_years = (dates[np.searchsorted(ids, some)] for some in (citing, cited))
    valid = (citing != cited) & (cited_years <= citing_years)
    queries = dates[np.searchsorted(ids, np.unique(citing[valid]))]
    ends = np.maximum(citing_years, cited_years)
    for cut in core.cuts(years):
        if (
            np.count_nonzero(queries > cut + 1) >= min_test
            and np.count_nonzero(queries == cut + 1) >= min_dev
            and np.count_nonzero(ends <= cut) >= min_links
        ):
            return cut
    return None


def _whole(source: Source, found: Split, by: HeldBy, as_of: int | None) -> TrainingSplit:
    """A split with all that must stay out for it, and what hangs on that."""
    ids = source.material.ids
    out = np.zeros(len(ids), dtype=np.bool_)
    last = as_of if found.cut is None else found.cut
    if last is not None:
        out |= source.graph.years > last
    if by != "edge":
        out |= np.isin(ids, [one.paper for one in (*found.dev, *found.test)])
    # Whatever is one work with a paper that stays out stays out too.
    twins = source.twins
    held = np.isin(twins, twins[out])
    held_out = ids[held]
    training = found.training[~np.isin(found.training, held_out).any(axis=1)]
    links = source.material.links
    hidden = links[:0]
    if by == "edge":
        among = links[~np.isin(links, held_out).any(axis=1)]
        hidden = among[~np.isin(_keys(among), _keys(training))]
    told = _told_years(source, by)
    if more := int(np.count_nonzero(held & ~out)):
        told.append(
            f"{more:,} papers stay out of training because a held-out paper is the same work: a "
            "preprint, or another record of it."
        )
    if by == "edge":
        told.append(
            f"{len(hidden):,} links are hidden from training; the papers at their ends stay, so "
            "the figures are of links that are missing, not of new papers."
        )
    return TrainingSplit(
        by=by,
        name=found.name,
        training=training,
        dev=found.dev,
        test=found.test,
        held_out=held_out,
        hidden=hidden,
        cut=found.cut,
        as_of=as_of,
        ids=ids,
        works=twins,
        years=source.graph.years,
        sentences=tuple(told),
    )


def _told_years(source: Source, by: HeldBy) -> list[str]:
    """What follows from papers that have no year."""
    material = source.material
    papers = len(material.ids)
    if material.timeless:
        return [
            "No paper here has a year, so all count as of one time: what is held out is drawn, and "
            "all papers are candidates."
        ]
    undated = papers - len(material.years)
    if not undated:
        return []
    links = "" if by == "edge" else ", and their links are not learnt"
    return [
        f"{undated:,} of {papers:,} papers have no year: they are neither asked about nor "
        f"candidates{links}."
    ]


def _keys(links: NDArray[np.int64]) -> NDArray[np.int64]:
    return links[:, 0] * (1 << 32) + links[:, 1]
