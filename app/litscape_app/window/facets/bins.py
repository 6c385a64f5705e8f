"""Years in bins that fit the width of a histogram."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litscape.facets import FacetValue

_FEW = 0.02
"""Years before which so few of the papers lie share the first bin, if they would take much room."""
_ROOM = 0.35
_WIDTHS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 10_000)


@dataclass(frozen=True, slots=True)
class Bin:
    """The years of one bar and how many papers are of them."""

    first: int
    last: int
    papers: int

    @property
    def name(self) -> str:
        """``2018``, ``2015–2019``."""
        return str(self.first) if self.first == self.last else f"{self.first}–{self.last}"


def bins_of(values: Sequence[FacetValue], most: int) -> list[Bin]:
    """At most so many bins, as wide as each other, but the first takes in stray early years."""
    if not values:
        return []
    counts = {int(one.value): one.papers for one in values}
    first, last = min(counts), max(counts)
    start = _start(counts, first, last)
    width = next(w for w in _WIDTHS if last // w - start // w < max(1, most))
    bins = []
    for low in range(start - start % width, last + 1, width):
        begin = first if low <= start else low
        high = min(low + width - 1, last)
        bins.append(Bin(begin, high, sum(counts.get(year, 0) for year in range(begin, high + 1))))
    return bins


def _start(counts: dict[int, int], first: int, last: int) -> int:
    """The year from which on years have bins of their own."""
    few, seen = _FEW * sum(counts.values()), 0
    for year in sorted(counts):
        seen += counts[year]
        if seen > few:
            return year if year - first > _ROOM * (last - first) else first
    return first


def first_name(bins: Sequence[Bin]) -> str:
    """Where the years begin: ``1990``, or ``≤ 1990`` where the first bin takes in stray years."""
    first = bins[0]
    stray = len(bins) > 1 and first.last - first.first > bins[1].last - bins[1].first
    return f"≤ {first.last}" if stray else str(first.first)


def within(bins: Sequence[Bin], first: int | None, last: int | None) -> tuple[int, int] | None:
    """The first and the last bin that years fall into; None where they lie outside of all."""
    found = [
        place
        for place, one in enumerate(bins)
        if (last is None or one.first <= last) and (first is None or one.last >= first)
    ]
    return (found[0], found[-1]) if found else None
