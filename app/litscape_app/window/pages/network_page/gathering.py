"""What the citation view draws: papers around the chosen ones, their places, their links."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np

from litscape.store.graph_reads import NO_YEAR
from litscape_app.window.words import authors_line, title_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape.graph.model import CitationGraph
    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.paper import PaperId, PaperRow

FEW, MANY = 200, 2_000
COCITED = 30
"""Papers cited together with a chosen one that are drawn beside."""
MOST_LINKS = 6_000
"""Links that are drawn; beyond, only those of chosen papers."""
_CHUNK = 500
_STEP = 0.5
_STACKED, _STACKS = 40, 7
"""Papers in one stack, stacks in one year."""
_ASIDE, _YEAR = 0.2, 0.84
"""Years between two stacks, and those that all stacks of one year take, at most."""


class Part(IntEnum):
    """What a drawn paper is to the chosen ones."""

    CHOSEN = 0
    CITED = 1
    CITING = 2
    COCITED = 3


@dataclass(frozen=True)
class Network:
    """Papers and links as they are drawn.

    Attributes:
        chosen: the papers around which it is.
        ids: (n,) int64, those that matter most first.
        parts: (n,) int8, :class:`Part`.
        places: (n, 2) float64: year and height.
        cited: (n,) int64: how many papers of the library cite each.
        links: (m, 2) int32: numbers of citing and cited papers.
        labels: first author and year.
        titles: title, authors and year, for the pointer.
        undated: where papers without a year stand; None where all have one.
        there: how many papers there are before the limit.
        linked: whether anything cites, or is cited by, a chosen paper, drawn or not.
        hidden_links: links between drawn papers that are too many to be drawn.
    """

    chosen: tuple[PaperId, ...]
    ids: NDArray[np.int64]
    parts: NDArray[np.int8]
    places: NDArray[np.float64]
    cited: NDArray[np.int64]
    links: NDArray[np.int32]
    labels: tuple[str, ...]
    titles: tuple[str, ...]
    undated: float | None
    there: int
    linked: bool
    hidden_links: int = 0

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def aside(self) -> float:
        """The fewest years between two stacks of papers."""
        apart = np.diff(np.unique(self.places[:, 0].round(6)))
        return float(apart.min()) if len(apart) else 1.0


def gather(library: Library, chosen: tuple[PaperId, ...], most: int, ctx: JobContext) -> Network:
    """The chosen papers, what they cite and what cites them, and what is cited beside them.

    Args:
        library: asked in the reading lane.
        chosen: ids of papers.
        most: papers that are drawn, those chosen and then those cited most.
        ctx: may ask for the end.
    """
    graph = library.citations.graph()
    ctx.check()
    own = np.array(
        [place for one in chosen if (place := graph.index_of(one)) is not None], dtype=np.int64
    )
    cited = graph.into.lengths()
    degrees = cited + graph.out.lengths()
    numbers, parts, there = _around(graph, own, cited, most)
    links, hidden = _links(graph, numbers, parts)
    places, undated = _places(graph.years[numbers], parts)
    ctx.check()
    ids = graph.ids[numbers]
    rows = _rows(library, ids, ctx)
    return Network(
        chosen,
        ids,
        parts,
        places,
        cited[numbers],
        links,
        tuple(_label(rows.get(one)) for one in ids.tolist()),
        tuple(_title(rows.get(one)) for one in ids.tolist()),
        undated,
        there,
        bool(degrees[own].any()),
        hidden,
    )


def _around(
    graph: CitationGraph, own: NDArray[np.int64], cited: NDArray[np.int64], most: int
) -> tuple[NDArray[np.int64], NDArray[np.int8], int]:
    """Numbers of the papers drawn, what they are, and how many there would be."""
    part = np.full(len(graph), -1, dtype=np.int8)
    if len(own) == 1:
        near = _cocited(graph, int(own[0]))
        part[near] = Part.COCITED
    rows = own.astype(np.int32)
    part[graph.into.gather(rows)[0]] = Part.CITING
    part[graph.out.gather(rows)[0]] = Part.CITED
    part[own] = Part.CHOSEN
    found = np.flatnonzero(part >= 0)
    # Chosen ones first, then direct links before what is only cited beside; last what has none.
    rank = np.where(part[found] == Part.CHOSEN, 0, np.where(part[found] == Part.COCITED, 2, 1))
    rank[(part[found] == Part.CHOSEN) & (cited + graph.out.lengths() == 0)[found]] = 3
    if len(found) > most:
        beside = np.flatnonzero(rank == 2)
        rank[beside] = 1  # a few of them are worth more than the least cited of the others
    order = np.lexsort((found, -cited[found], rank))
    numbers = found[order][:most]
    return numbers, part[numbers], len(found)


def _cocited(graph: CitationGraph, number: int) -> NDArray[np.int64]:
    from litscape.graph.neighbours import cocited

    near = cocited(graph, int(graph.ids[number]), COCITED)
    found: NDArray[np.int64] = np.searchsorted(graph.ids, near.ids)
    return found


def _links(
    graph: CitationGraph, numbers: NDArray[np.int64], parts: NDArray[np.int8]
) -> tuple[NDArray[np.int32], int]:
    """Links between the papers drawn; those of chosen papers where there are too many."""
    place = np.full(len(graph), -1, dtype=np.int32)
    place[numbers] = np.arange(len(numbers), dtype=np.int32)
    members, lengths = graph.out.gather(numbers.astype(np.int32))
    citing = np.repeat(np.arange(len(numbers), dtype=np.int32), lengths)
    cited = place[members]
    inside = cited >= 0
    links = np.column_stack((citing[inside], cited[inside])).astype(np.int32)
    if len(links) <= MOST_LINKS:
        return links, 0
    near = (parts[links] == Part.CHOSEN).any(axis=1)
    kept = links[near][:MOST_LINKS]
    return kept, len(links) - len(kept)


def _places(
    years: NDArray[np.int32], parts: NDArray[np.int8]
) -> tuple[NDArray[np.float64], float | None]:
    """Year and height: most cited nearest the middle, what is cited beside the chosen one below."""
    places = np.zeros((len(years), 2))
    dated = years != NO_YEAR
    undated = None
    x = years.astype(np.float64)
    if not dated.all():
        undated = float(years[dated].min()) - 2 if dated.any() else 0.0
        x[~dated] = undated
    beside = parts == Part.COCITED
    places[~beside] = _stacked(x[~beside], from_middle=True)
    floor = float(places[~beside, 1].min()) if not beside.all() else 0.0
    below = _stacked(x[beside], from_middle=False)
    places[beside] = np.column_stack((below[:, 0], floor - 2.0 - below[:, 1]))
    return places, undated


def _stacked(years: NDArray[np.float64], *, from_middle: bool) -> NDArray[np.float64]:
    """Places in each year, in the order given: up from 0, or up and down by turns.

    What is too many for one stack stands in several beside each other, within its year.
    """
    places = np.zeros((len(years), 2))
    known, which, numbers = np.unique(years, return_inverse=True, return_counts=True)
    taken = [0] * len(known)
    for number, (year, kind) in enumerate(zip(years.tolist(), which.tolist(), strict=True)):
        stacks = min(_STACKS, -(-int(numbers[kind]) // _STACKED))
        slot, stack = divmod(taken[kind], stacks)
        taken[kind] += 1
        height = (slot + 1) // 2 * (1 if slot % 2 else -1) if from_middle else slot
        # Years beside each other are set off, so that names have room between their marks.
        places[number, 1] = height + (_STEP if int(year) % 2 else 0.0)
        aside = min(_ASIDE, _YEAR / stacks)
        places[number, 0] = year + (stack - (stacks - 1) / 2) * aside
    return places


def _rows(library: Library, ids: NDArray[np.int64], ctx: JobContext) -> dict[PaperId, PaperRow]:
    found: dict[PaperId, PaperRow] = {}
    for start in range(0, len(ids), _CHUNK):
        ctx.check()
        found |= {row.id: row for row in library.papers.rows(ids[start : start + _CHUNK].tolist())}
    return found


def _label(row: PaperRow | None) -> str:
    if row is None:
        return ""
    first = next((name.strip() for name in row.authors.split(";") if name.strip()), "")
    family = first.split(",")[0] if "," in first else first.rpartition(" ")[2]
    name = (family or row.title or row.citekey)[:24]
    return f"{name} {row.year}" if row.year is not None else name


def _title(row: PaperRow | None) -> str:
    if row is None:
        return ""
    names = [name.strip() for name in row.authors.split(";") if name.strip()]
    year = str(row.year) if row.year is not None else (row.year_raw or "no year")
    byline = " · ".join(part for part in (authors_line(names), year, row.venue or "") if part)
    return f"{title_of(row)}\n{byline}"
