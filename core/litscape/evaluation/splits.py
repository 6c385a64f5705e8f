"""Which papers are queries for choosing and for the final figure, and which links may be learnt.

By year wherever there are enough queries: that is the real use and can't look ahead.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from litscape.paper import PaperId

MIN_TEST_QUERIES = 200
MIN_DEV_QUERIES = 50
MIN_TRAINING_LINKS = 500


@dataclass(frozen=True, slots=True)
class HeldOutPaper:
    """A paper used as a query: of its text alone, which papers does it cite?

    ``relevant`` are those that it cites and that are dated no later than it is.
    """

    paper: PaperId
    year: int
    relevant: frozenset[PaperId]


@dataclass(frozen=True, slots=True)
class Split:
    """Training links, queries to choose by, and queries to open once.

    Attributes:
        name: how the papers were parted, for a report.
        training: links (citing, cited) that may be learnt from, (n, 2) int64.
        dev: queries for every choice.
        test: queries for the final figure.
        cut: the last year that may be learnt from; None where papers were drawn.
    """

    name: str
    training: NDArray[np.int64]
    dev: tuple[HeldOutPaper, ...]
    test: tuple[HeldOutPaper, ...]
    cut: int | None = None


def by_year(years: Mapping[PaperId, int], links: NDArray[np.int64], cut: int) -> Split:
    """Train on links with both ends dated up to ``cut``; dev is the next year, test what follows.

    Args:
        years: year by paper; papers without one take no part.
        links: (citing, cited), (n, 2).
        cut: last year that may be learnt from.
    """
    cited = _references(years, links)
    training = [
        (int(a), int(b))
        for a, b in links
        if a in years and b in years and max(years[a], years[b]) <= cut
    ]
    return Split(
        name=f"by year: trained up to {cut}, dev {cut + 1}, test from {cut + 2}",
        training=np.array(training, dtype=np.int64).reshape(-1, 2),
        dev=_queries(cited, years, lambda year: year == cut + 1),
        test=_queries(cited, years, lambda year: year > cut + 1),
        cut=cut,
    )


def by_paper(
    years: Mapping[PaperId, int], links: NDArray[np.int64], share: float = 0.1, seed: int = 20
) -> Split:
    """Draw ``share`` of the citing papers for dev and as many for test.

    No link of a drawn paper, in either direction, is trained on.
    """
    cited = _references(years, links)
    order = np.random.default_rng(seed).permutation(np.array(sorted(cited), dtype=np.int64))
    size = int(np.ceil(share * len(order)))
    dev, test = set(order[:size].tolist()), set(order[size : 2 * size].tolist())
    free = ~np.isin(links, np.array(sorted(dev | test), dtype=np.int64)).any(axis=1)
    known = np.isin(links, np.array(sorted(years), dtype=np.int64)).all(axis=1)
    chosen = {paper: years[paper] for paper in cited}
    return Split(
        name=f"by paper: {len(dev)} for dev, {len(test)} for test, none of their links trained on",
        training=links[free & known],
        dev=_queries({p: r for p, r in cited.items() if p in dev}, chosen, lambda _year: True),
        test=_queries({p: r for p, r in cited.items() if p in test}, chosen, lambda _year: True),
    )


def split(
    years: Mapping[PaperId, int],
    links: NDArray[np.int64],
    min_test: int = MIN_TEST_QUERIES,
    min_links: int = MIN_TRAINING_LINKS,
    min_dev: int = MIN_DEV_QUERIES,
) -> Split:
    """By the latest year that leaves enough queries and training links, else by paper."""
    for cut in cuts(years):
        found = by_year(years, links, cut)
        if (
            len(found.test) >= min_test
            and len(found.dev) >= min_dev
            and len(found.training) >= min_links
        ):
            return found
    return by_paper(years, links)


def cuts(years: Mapping[PaperId, int]) -> list[int]:
    """The years to cut after, latest first: papers are dated in the year that follows."""
    return sorted({year - 1 for year in years.values()}, reverse=True)


def _references(
    years: Mapping[PaperId, int], links: NDArray[np.int64]
) -> dict[PaperId, set[PaperId]]:
    """What each paper cites that is dated no later than itself; those without are left out."""
    cited: dict[PaperId, set[PaperId]] = {}
    for a, b in links.tolist():
        if a != b and a in years and b in years and years[b] <= years[a]:
            cited.setdefault(a, set()).add(b)
    return cited


def _queries(
    cited: Mapping[PaperId, set[PaperId]],
    years: Mapping[PaperId, int],
    wanted: Callable[[int], bool],
) -> tuple[HeldOutPaper, ...]:
    return tuple(
        HeldOutPaper(paper, years[paper], frozenset(relevant))
        for paper, relevant in sorted(cited.items())
        if wanted(years[paper])
    )
