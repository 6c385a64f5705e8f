"""Works outside the library that are cited in several ways: which references mean one work.

A reference has three numbers (see :mod:`litscape.graph.cited`): its work, the name by which one
knows that work without its identifier, and a further identifier. They are compared without reading
texts: once by DOI, once by title is one work, and so is once by DOI and once by a service's id,
where some reference has both. Two identifiers are never joined by a title.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from litscape.graph.cited import AUTHOR_BITS
from litscape.graph.csr import Rows
from litscape.store.graph_reads import NO_YEAR

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

_AUTHOR = (1 << AUTHOR_BITS) - 1
NONE = 0
"""Stands for a name or identifier that a reference has not."""


@dataclass(frozen=True)
class Cited:
    """References to works outside the library, a row each.

    Attributes:
        owners: (m,) int32: numbers of the papers that cite.
        works, names, also: (m,) int64; :data:`NONE` where there is no name or identifier.
        years: (m,) int32: what each says of the work's year.
    """

    owners: NDArray[np.int32]
    works: NDArray[np.int64]
    years: NDArray[np.int32]
    names: NDArray[np.int64]
    also: NDArray[np.int64]

    def kept(self, papers: NDArray[np.bool_]) -> Cited:
        """The references of some papers, which are counted anew."""
        stay = papers[self.owners]
        number = (np.cumsum(papers) - 1).astype(np.int32)
        return Cited(
            number[self.owners[stay]],
            self.works[stay],
            self.years[stay],
            self.names[stay],
            self.also[stay],
        )


@dataclass(frozen=True)
class Works:
    """Works outside the library, numbered by their keys, and who cites them.

    Attributes:
        keys: (w,) int64, ascending: the number of each work, by its identifier where one is known.
        years: (w,) int32: the earliest year that a reference gives it.
        cited: works that each paper cites.
        numbers: (r,) int64, ascending: all numbers that references have.
        columns: (r,) int32: the work that each of these means; -1 for one that is left out.
    """

    keys: NDArray[np.int64]
    years: NDArray[np.int32]
    cited: Rows
    numbers: NDArray[np.int64]
    columns: NDArray[np.int32]

    def columns_of(self, numbers: NDArray[np.int64]) -> NDArray[np.int32]:
        """Which work each of some numbers means; -1 where none."""
        if not len(self.numbers):
            return np.full(len(numbers), -1, dtype=np.int32)
        place = np.minimum(np.searchsorted(self.numbers, numbers), len(self.numbers) - 1)
        found: NDArray[np.int32] = np.where(
            self.numbers[place] == numbers, self.columns[place], -1
        ).astype(np.int32)
        return found

    def up_to(self, year: int) -> Works:
        """Without works that are dated later, or not at all."""
        stay = self.years <= year
        number = np.where(stay, np.cumsum(stay) - 1, -1).astype(np.int32)
        known = self.columns >= 0
        columns = np.full(len(self.columns), -1, dtype=np.int32)
        columns[known] = number[self.columns[known]]
        everyone = np.ones(len(self.cited), dtype=np.bool_)
        return Works(
            self.keys[stay], self.years[stay], self.cited.kept(everyone, stay),
            self.numbers, columns,
        )  # fmt: skip


def works_of(cited: Cited, papers: int) -> Works:
    """The works that references of so many papers mean; each once a paper."""
    numbers, which = np.unique(cited.works, return_inverse=True)
    leaders = _leaders(numbers, which, cited)
    first, column = np.unique(leaders, return_inverse=True)
    columns = column.astype(np.int32)
    years = np.full(len(first), NO_YEAR, dtype=np.int32)
    np.minimum.at(years, columns[which], cited.years)
    size = max(1, len(first))
    # A work that stands twice in a list is cited once.
    pairs = np.sort(cited.owners.astype(np.int64) * size + columns[which])
    # ``np.unique`` by itself lets no other thread run.
    pairs = pairs[np.append(np.ones(1, dtype=np.bool_), pairs[1:] != pairs[:-1])[: len(pairs)]]
    rows = Rows.of_sorted((pairs // size).astype(np.int32), (pairs % size).astype(np.int32), papers)
    return Works(numbers[first], years, rows, numbers, columns)


def joined(
    works: NDArray[np.int64], names: NDArray[np.int64], also: NDArray[np.int64]
) -> NDArray[np.int64]:
    """For each reference a number that is equal where two mean one work, (m,)."""
    numbers, which = np.unique(works, return_inverse=True)
    nobody = np.zeros(len(works), dtype=np.int32)
    cited = Cited(nobody, works, nobody, names, also)
    found: NDArray[np.int64] = numbers[_leaders(numbers, which, cited)[which]]
    return found


def _leaders(
    numbers: NDArray[np.int64], which: NDArray[np.int64], cited: Cited
) -> NDArray[np.int64]:
    """For each number the place of the one that stands for its work."""
    leader = np.arange(len(numbers))
    if not len(numbers):
        return leader
    _by_identifier(leader, numbers, which, cited.also)
    _by_name(leader, numbers, which, cited.names)
    return leader[leader]


def _by_identifier(
    leader: NDArray[np.int64],
    numbers: NDArray[np.int64],
    which: NDArray[np.int64],
    also: NDArray[np.int64],
) -> None:
    """A further identifier means the work that has it, where that is one alone."""
    there = also != NONE
    if not there.any():
        return
    (known_as, owners), _often = _distinct(also[there], which[there])
    marks, start, number = np.unique(known_as, return_index=True, return_counts=True)
    alone = number == 1
    marks, owner = marks[alone], owners[start[alone]]
    place = np.minimum(np.searchsorted(numbers, marks), len(numbers) - 1)
    known = numbers[place] == marks
    leader[place[known]] = owner[known]


def _by_name(
    leader: NDArray[np.int64],
    numbers: NDArray[np.int64],
    which: NDArray[np.int64],
    names: NDArray[np.int64],
) -> None:
    """What has no identifier means what has one and the same name, else what says more of it."""
    there = names != NONE
    if not there.any():
        return
    (name, place, author), often = _distinct(
        names[there] >> AUTHOR_BITS, leader[which[there]], names[there] & _AUTHOR
    )
    bounds = np.flatnonzero(np.diff(name)) + 1
    starts, stops = np.append(0, bounds), np.append(bounds, len(name))
    several = stops - starts > 1
    for start, stop in zip(starts[several].tolist(), stops[several].tolist(), strict=True):
        part = slice(start, stop)
        group = [
            _Named(column, who, number, bool(numbers[column] % 2))
            for column, who, number in zip(
                place[part].tolist(), author[part].tolist(), often[part].tolist(), strict=True
            )
        ]
        for one, other in _meant(group):
            leader[one] = other


def _distinct(
    *columns: NDArray[np.int64],
) -> tuple[tuple[NDArray[np.int64], ...], NDArray[np.int64]]:
    """The distinct rows of columns, ascending, and how often each is there.

    As ``np.unique`` does with an axis, which is slow and lets no other thread run.
    """
    order = np.lexsort(columns[::-1])
    ordered = tuple(column[order] for column in columns)
    new = np.ones(len(order), dtype=np.bool_)
    new[1:] = np.logical_or.reduce([column[1:] != column[:-1] for column in ordered])
    starts = np.flatnonzero(new)
    return tuple(column[starts] for column in ordered), np.diff(np.append(starts, len(order)))


@dataclass(frozen=True, slots=True)
class _Named:
    """A work under a name: its place, its first author (0: not said), how often, by identifier."""

    column: int
    author: int
    often: int
    identified: bool


def _meant(group: list[_Named]) -> Iterable[tuple[int, int]]:
    """Which works of one name mean which other one of it."""
    known = [one for one in group if one.identified]
    nameless = [one for one in group if not one.identified]
    authors = {one.author for one in group if one.author}
    for one in nameless:
        fits = known or [other for other in nameless if other.author and not one.author]
        # Works of several authors under one title are told by them alone.
        same = [other for other in fits if other.author == one.author and one.author]
        fits = same if same or len(authors) > 1 else fits
        if fits:
            best = min(fits, key=lambda other: (-other.often, other.column))
            yield one.column, best.column
