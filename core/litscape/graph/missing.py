"""Works outside the library that several of its papers cite: what one probably wants to have."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from litscape.graph.cited import Cited, Known, first_author, fit
from litscape.store.graph_reads import read_blocks
from litscape.store.link_reads import representatives

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import sqlalchemy as sa
    from numpy.typing import NDArray

    from litscape.graph.model import CitationGraph
    from litscape.jobs import JobContext
    from litscape.paper import PaperId, Reference

LEAST = 2
MOST_COMPARED = 20_000
"""Works that are looked at where no more are asked for: the most cited ones."""
_LARGE = 30
"""Blocks with more works than that are not looked through for one work under two names."""


@dataclass(frozen=True, slots=True)
class MissingWork:
    """A work that papers of the library cite and that is not in it.

    Attributes:
        cited_by: ids of the papers that cite it, ascending.
        reference: the reference to it that tells most.
        author: the family name of its first author, where that is known.
    """

    cited_by: tuple[PaperId, ...]
    reference: Reference
    author: str | None


def missing_works(
    conn: sa.Connection, graph: CitationGraph, least: int, limit: int | None, ctx: JobContext
) -> tuple[MissingWork, ...]:
    """Works that at least so many papers of the graph cite, those of most papers first.

    References mean one work where an identifier, or else title, first author and year, are equal;
    a work that is cited by an identifier and elsewhere without is one where these fit.
    """
    ctx.progress(0, 3, "Counting works outside the library")
    numbers = graph.works_cited_by.lengths()
    together = _maybe_one(conn, graph, numbers, least)
    often = np.flatnonzero(numbers >= least)
    chosen = np.union1d(often, np.concatenate([*together, often[:0]]))
    most = max(MOST_COMPARED, limit or 0)
    if len(chosen) > most:
        chosen = np.sort(chosen[np.argsort(-numbers[chosen], kind="stable")[:most]])
    ctx.progress(1, 3, "Reading what these works are")
    known = _known(conn, graph, chosen)
    ctx.progress(2, 3, "Putting equal works together")
    works = []
    for group in _groups(known, together, numbers):
        papers = np.unique(graph.works_cited_by.gather(np.array(group, dtype=np.int32))[0])
        if len(papers) >= least:
            best = told_by([known[work] for work in group])
            works.append(
                MissingWork(
                    tuple(graph.ids[papers].tolist()), best, first_author(best.raw, best.extra)
                )
            )
    works.sort(key=lambda one: (-len(one.cited_by), one.cited_by, _named(one.reference)))
    ctx.progress(3, 3, "Putting equal works together")
    return tuple(works[:limit])


def _known(
    conn: sa.Connection, graph: CitationGraph, works: NDArray[np.int64]
) -> dict[int, Reference]:
    """What references say of works, by number; what is dated later than the graph is not said."""
    outside = graph.outside
    wanted = np.isin(outside.columns, works)
    read = representatives(conn, outside.numbers[wanted].tolist(), graph.ids.tolist())
    said: dict[int, list[Reference]] = {}
    numbers, columns = outside.numbers[wanted].tolist(), outside.columns[wanted].tolist()
    for number, work in zip(numbers, columns, strict=True):
        if number in read:
            # What stands for the work comes first: it has the identifier.
            own = number == int(graph.work_keys[work])
            said.setdefault(work, []).insert(0 if own else len(said[work]), read[number])
    found = {work: told_by(references) for work, references in said.items()}
    if graph.year is None:
        return found
    dated = graph.work_years
    return {work: replace(one, year=int(dated[work])) for work, one in found.items()}


def told_by(references: Sequence[Reference]) -> Reference:
    """The first of several references to one work, with what it lacks from the others."""
    best = references[0]
    for other in references[1:]:
        lacks = {
            name: value
            for name in ("doi", "title", "year", "raw", "source_id")
            if getattr(best, name) is None and (value := getattr(other, name)) is not None
        }
        if other.extra and not best.extra:
            lacks["extra"] = other.extra
        best = replace(best, **lacks) if lacks else best
    return best


def _maybe_one(
    conn: sa.Connection, graph: CitationGraph, numbers: NDArray[np.int64], least: int
) -> list[NDArray[np.int64]]:
    """Works that may be one, some of them without identifier, and are cited enough together."""
    if not len(graph.work_keys):
        return []
    numbers_read, blocks = read_blocks(conn)
    place = graph.outside.columns_of(numbers_read)
    there = (blocks != 0) & (place >= 0)
    order = np.argsort(blocks[there], kind="stable")
    works, block = place[there][order], blocks[there][order]
    bounds = np.append(0, np.flatnonzero(np.diff(block)) + 1)
    starts, stops = bounds, np.append(bounds[1:], len(block))
    found = []
    for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
        if 1 < stop - start <= _LARGE:
            members = np.unique(works[start:stop])
            nameless = graph.work_keys[members] % 2 == 0
            if len(members) > 1 and nameless.any() and numbers[members].sum() >= least:
                found.append(members)
    return found


def _groups(
    known: Mapping[int, Reference],
    together: list[NDArray[np.int64]],
    numbers: NDArray[np.int64],
) -> Iterator[list[int]]:
    """The works, those that fit put together; of each group the best known one first."""
    leader = {work: work for work in known}

    def top(work: int) -> int:
        while leader[work] != work:
            work = leader[work]
        return work

    for members in together:
        there = [work for work in members.tolist() if work in known]
        # Those with an identifier first: the others may fit one of them, but never join two.
        there.sort(
            key=lambda work: (not _identified(known[work]), -numbers[work], _named(known[work]))
        )
        for place, work in enumerate(there):
            if _identified(known[work]) or top(work) != work:
                continue
            for other in there[:place]:
                if _fits(known[work], known[other]):
                    leader[work] = top(other)
                    break
    groups: dict[int, list[int]] = {}
    for work in known:
        groups.setdefault(top(work), []).append(work)
    for first, own in groups.items():
        yield [first, *(work for work in own if work != first)]


def _identified(reference: Reference) -> bool:
    return bool(reference.doi or reference.source_id)


def _named(reference: Reference) -> str:
    """A text of any reference, to put them in an order that does not depend on chance."""
    return reference.doi or reference.source_id or reference.title or reference.raw or ""


def _fits(one: Reference, other: Reference) -> bool:
    author = first_author(other.raw, other.extra)
    paper = Known(
        0,
        other.title,
        other.year,
        (author,) if author else (),
        other.extra.get("volume"),
        other.extra.get("page") or other.extra.get("pages"),
        frozenset({other.doi} if other.doi else ()),
    )
    return fit(Cited(one.title, one.year, one.doi, one.raw, one.extra), paper) is not None
