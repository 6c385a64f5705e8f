"""By what points are coloured: which value each paper has, and the entries of the legend."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from litscape.maps.hues import coarse_of, spread_hues
from litscape.venue_series import grouped
from litscape_resources.palettes import HUES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from litscape.facets.index import FacetIndex
    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.topics.records import TopicTree
    from litscape_resources import Palette

    Entries = NDArray[np.int16]

BY = {
    "topic": "Topic",
    "year": "Year",
    "venue": "Venue",
    "type": "Type",
    "tag": "Tag",
    "collection": "Collection",
    "citations": "Citations",
    "read": "Read state",
    "score": "Search score",
    "none": "One colour",
}
"""What can be coloured by, and how a person calls it."""
_SERIES = "Each venue is a series: years, ordinals and volumes are left out of their names."
NO_TOPICS = "No topics have been found here yet: find them to colour papers by what they are about."
_MOST_TOPICS = 40
"""Topics that are shown by colour; values of other kinds as many as there are hues."""
_STEPS = 12
_READ = {"unread": "Unread", "reading": "Reading", "read": "Read"}
_CITED = (0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000)


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the legend.

    Attributes:
        label: the value, or a span of them.
        papers: how many have it.
        number: of its colour: a class, or a step of the ramp; -1 for those without a value.
        ramp: whether the number is a step of the ramp.
    """

    label: str
    papers: int
    number: int
    ramp: bool = False

    def colour(self, palette: Palette) -> str:
        """Its colour in a theme."""
        if self.ramp and self.number >= 0:
            return palette.ramp[min(self.number, len(palette.ramp) - 1)]
        return palette.of(self.number)


@dataclass(frozen=True, slots=True, eq=False)
class Colouring:
    """The colours of papers.

    Attributes:
        by: a key of :data:`BY`.
        entries: of the legend, in its order.
        of: of each paper, the number of its entry, (n,) int16.
        note: a sentence that explains; empty where there is nothing to say.
        member: where papers have several values, who has which, (n, entries) bool; else None.
    """

    by: str
    entries: tuple[Entry, ...]
    of: Entries
    note: str = ""
    member: NDArray[np.bool_] | None = None

    def among(self, shown: NDArray[np.bool_]) -> Entries:
        """The entry of each paper where only some are shown, (n,) int16; -1 for hidden papers.

        A paper with several values has the colour of the rarest of those that are shown: one that
        nearly all have would tell nothing.

        Args:
            shown: which entries, (entries,) bool.
        """
        if self.member is None:
            return np.where(shown[self.of], self.of, -1).astype(np.int16)
        found = np.full(len(self.of), -1, dtype=np.int16)
        for entry in self.rarest_last():
            if shown[entry]:
                found[self.member[:, entry]] = entry
        return found

    def rarest_last(self) -> list[int]:
        """The numbers of entries: what shares a colour, then the frequent ones, then the rare."""
        own = self.entries
        return sorted(
            range(len(own)), key=lambda one: (own[one].number >= 0, -own[one].papers, one)
        )


@dataclass(frozen=True, slots=True)
class Asked:
    """What colours are wanted of which papers.

    Attributes:
        by: a key of :data:`BY`.
        ids: the papers, (n,).
        scope: title of the scope that they are; None for the whole library.
        query, mode: of the search.
        xy: their places, (n, 2): topics near each other get different hues. None where they have
            none; then each topic has its own.
    """

    by: str
    ids: NDArray[np.int64] = field(repr=False)
    scope: str | None = None
    query: str = ""
    mode: str = "lexical"
    xy: NDArray[np.float32] | None = field(default=None, repr=False)


def colouring(library: Library, asked: Asked, ctx: JobContext) -> Colouring:
    """Find the value of each paper; to be called beside the window."""
    ids = asked.ids
    if asked.by == "topic":
        return _topics(library, asked)
    if asked.by == "citations":
        return _citations(library, ids)
    if asked.by == "score":
        return _scores(library, asked)
    if asked.by == "none":
        bare = topics_of(library, asked.scope, ids) is None
        return replace(one_colour(ids), note=NO_TOPICS if bare else "")
    index = library.facets.prepare(ctx)
    ctx.check()
    if asked.by == "year":
        return _years(index, ids)
    return _values(index, asked.by, ids)


def one_colour(ids: NDArray[np.int64]) -> Colouring:
    """All papers alike."""
    entry = Entry("Papers", len(ids), 0)
    return Colouring("none", (entry,), np.zeros(len(ids), dtype=np.int16))


# -- topics -----------------------------------------------------------------------------------


def topics_of(library: Library, scope: str | None, ids: NDArray[np.int64]) -> TopicTree | None:
    """The topics of a scope, else those of the whole library, that most of its papers have."""
    return library.topics.of_papers(scope, ids)


def _topics(library: Library, asked: Asked) -> Colouring:
    tree = topics_of(library, asked.scope, asked.ids)
    if tree is None:
        return Colouring(
            "topic",
            one_colour(asked.ids).entries,
            np.zeros(len(asked.ids), dtype=np.int16),
            NO_TOPICS,
        )
    topics = tree.at(0)
    of = coarse_of(tree, asked.ids)
    hues = [topic.colour % HUES for topic in topics]
    if asked.xy is not None:
        hues = spread_hues(hues, of, asked.xy)
    labelled = [(topic.name, hue) for topic, hue in zip(topics, hues, strict=True)]
    share = tree.unassigned(0)
    note = f"{share:.0%} of the papers belong to no topic." if share >= 0.005 else ""
    return _classes("topic", labelled, of, "No topic", note, _MOST_TOPICS)


def _matched(
    known: NDArray[np.int64], values: NDArray[np.int64], ids: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Values of papers, by ascending ids, for others; -1 where there is none."""
    if not len(known):
        return np.full(len(ids), -1, dtype=np.int64)
    at = np.minimum(np.searchsorted(known, ids), len(known) - 1)
    return np.where(known[at] == ids, values[at], -1)


# -- values -----------------------------------------------------------------------------------


def _values(index: FacetIndex, by: str, ids: NDArray[np.int64]) -> Colouring:
    """Values of a facet: the most frequent ones have colours; of several the rarest is drawn."""
    facet = index.facets[by]
    counts = facet.counts(index.mask(ids))
    codes = np.flatnonzero(counts)
    labels = [facet.label(int(code)) for code in codes]
    of = np.arange(len(codes))
    if by == "venue":  # its volumes together
        labels, found_of = grouped(labels, counts[codes].tolist())
        of = np.array(found_of, dtype=np.int64)
    order = np.argsort(-np.bincount(of, counts[codes], len(labels)), kind="stable")
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    rank = np.full(len(facet), len(order), dtype=np.int64)
    rank[codes] = place[of]
    best = np.full(len(index), len(order), dtype=np.int64)
    np.minimum.at(best, facet.rows, rank[facet.codes])
    own = _matched(index.ids, np.where(best < len(order), best, -1), ids)
    labels = [labels[one] for one in order[:HUES]]
    if by == "read":
        labels = [_READ.get(label, label) for label in labels]
    labelled = [(label, number) for number, label in enumerate(labels)]
    found = _classes(by, labelled, own, f"No {by}", _SERIES if len(place) < len(codes) else "")
    if len(facet.rows) == len(np.unique(facet.rows)):
        return found
    return _several(found, ids, index.ids[facet.rows], rank[facet.codes])


def _several(
    found: Colouring, ids: NDArray[np.int64], papers: NDArray[np.int64], ranks: NDArray[np.int64]
) -> Colouring:
    """The same for papers that may have several values: each is counted with all of its papers.

    Args:
        found: with the entries, coloured by the most frequent value.
        ids: of the papers, (n,).
        papers: one for each value of a paper.
        ranks: of those values.
    """
    named = sum(entry.number >= 0 for entry in found.entries)
    others = next(
        (at for at, one in enumerate(found.entries) if (one.label, one.number) == ("Others", -1)),
        named,
    )
    member = np.zeros((len(ids), len(found.entries)), dtype=bool)
    order = np.argsort(ids, kind="stable")
    at = np.minimum(np.searchsorted(ids, papers, sorter=order), max(0, len(ids) - 1))
    rows = order[at] if len(ids) else at
    there = ids[rows] == papers if len(ids) else np.zeros(len(papers), dtype=bool)
    columns = np.where(ranks < named, ranks, others)
    there &= columns < len(found.entries)
    member[rows[there], columns[there]] = True
    bare = ~member.any(axis=1)
    member[bare, found.of[bare]] = True
    entries = tuple(
        replace(entry, papers=int(number))
        for entry, number in zip(found.entries, member.sum(axis=0), strict=True)
    )
    if (member.sum(axis=1) > 1).any():
        note = "Papers with several count under each, in the colour of the rarest that is shown."
        made = Colouring(found.by, entries, found.of, note, member)
        return replace(made, of=made.among(np.ones(len(entries), dtype=bool)))
    return found


def _classes(
    by: str, labelled: Sequence[tuple[str, int]], of: NDArray[np.int64], none: str, note: str,
    most: int = HUES,
) -> Colouring:  # fmt: skip
    """Entries for named values in order; what is beyond them is other, what has none is last."""
    named = labelled[:most]
    sizes = np.bincount(of[(of >= 0) & (of < len(named))], minlength=len(named))
    entries = [
        Entry(label, int(size), number)
        for (label, number), size in zip(named, sizes.tolist(), strict=True)
    ]
    numbers = of.copy()
    others, missing = of >= len(named), of < 0
    if others.any():
        entries.append(Entry("Others", int(others.sum()), -1))
        numbers[others] = len(entries) - 1
    if missing.any() or not entries:
        entries.append(Entry(none, int(missing.sum()), -1))
        numbers[missing] = len(entries) - 1
    return Colouring(by, tuple(entries), numbers.astype(np.int16), note)


# -- numbers ----------------------------------------------------------------------------------


def paper_years(index: FacetIndex, ids: NDArray[np.int64]) -> NDArray[np.int32]:
    """The year of each paper, (n,) int32, 0 where it has none."""
    facet = index.facets["year"]
    numbers = np.array([_year(facet.label(code)) for code in range(len(facet))], dtype=np.int64)
    years = np.zeros(len(index), dtype=np.int64)
    if len(facet):
        years[facet.rows] = numbers[facet.codes]
    return np.maximum(_matched(index.ids, years, ids), 0).astype(np.int32)


def _year(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        return 0


def _years(index: FacetIndex, ids: NDArray[np.int64]) -> Colouring:
    years = paper_years(index, ids)
    known = years[years > 0]
    if not len(known):
        return _ramp("year", (), np.full(len(ids), -1), "No year")
    edges = spans(known)
    of = np.searchsorted(edges, years, side="right") - 1
    of[years <= 0] = -1
    labels = []
    ends = [*(edges[1:] - 1).tolist(), int(known.max())]
    for number, (first, last) in enumerate(zip(edges.tolist(), ends, strict=True)):
        first = int(known.min()) if number == 0 else first
        labels.append(str(first) if first >= last else f"{first}–{last}")
    return _ramp("year", labels, of, "No year")


def spans(years: NDArray[np.integer]) -> NDArray[np.int64]:
    """First years of at most twelve spans, with about as many papers in each."""
    distinct = np.unique(years)
    if len(distinct) <= _STEPS:
        return distinct.astype(np.int64)
    marks = np.quantile(years, np.linspace(0, 1, _STEPS + 1)[:-1], method="nearest")
    return np.unique(marks).astype(np.int64)


def _citations(library: Library, ids: NDArray[np.int64]) -> Colouring:
    cited = times_cited(library, ids)
    most = int(cited.max()) if len(cited) else 0
    edges = np.array([edge for edge in _CITED if edge <= most] or [0])
    of = np.searchsorted(edges, cited, side="right") - 1
    ends = [*(edges[1:] - 1).tolist(), None]
    labels = [
        f"{first:,} or more" if last is None and first else f"{first:,}"
        if last is None or first == last else f"{first:,}–{last:,}"
        for first, last in zip(edges.tolist(), ends, strict=True)
    ]  # fmt: skip
    note = "Citations from papers of this library."
    if not most:
        note = "No paper here is cited by another of this library."
    return _ramp("citations", labels, of, "", note)


def times_cited(library: Library, ids: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many papers of the library cite each, (n,)."""
    graph = library.citations.graph()
    return np.maximum(_matched(graph.ids, graph.in_degrees(), ids), 0)


def _scores(library: Library, asked: Asked) -> Colouring:
    if not asked.query.strip():
        none = np.full(len(asked.ids), -1)
        return _ramp("score", (), none, "Not found", "Search for something to see its scores here.")
    mode = asked.mode if asked.mode in ("lexical", "semantic", "hybrid") else "hybrid"
    result = library.search(asked.query, mode, 1000)  # type: ignore[arg-type]
    found = {hit.paper_id: hit.score for hit in result.hits}
    scores = np.array([found.get(int(one), -np.inf) for one in asked.ids.tolist()])
    there = np.isfinite(scores)
    of = np.full(len(asked.ids), -1)
    labels: list[str] = []
    if there.any():
        edges = np.unique(np.quantile(scores[there], (0, 0.25, 0.5, 0.75, 0.9)))
        of[there] = np.searchsorted(edges, scores[there], side="right") - 1
        labels = score_spans(edges)
    return _ramp("score", labels, of, "Not found", "How well papers match the search.")


def score_spans(edges: NDArray[np.floating]) -> list[str]:
    """Names of the spans between scores; the last is open."""
    texts = [f"{edge:.2f}" for edge in edges.tolist()]
    spans_ = [f"{low} up to {high}" for low, high in itertools.pairwise(texts)]
    return [*spans_, f"{texts[-1]} or more"]


def _ramp(
    by: str, labels: Sequence[str], of: NDArray[np.integer], none: str, note: str = ""
) -> Colouring:
    """Entries from least to most over the whole ramp."""
    sizes = np.bincount(of[of >= 0], minlength=len(labels)).tolist()
    last = max(1, len(labels) - 1)
    entries = [
        Entry(label, size, round(number * (_STEPS - 1) / last), ramp=True)
        for number, (label, size) in enumerate(zip(labels, sizes, strict=True))
    ]
    numbers = np.asarray(of, dtype=np.int64).copy()
    missing = numbers < 0
    if missing.any() or not entries:
        entries.append(Entry(none, int(missing.sum()), -1))
        numbers[missing] = len(entries) - 1
    return Colouring(by, tuple(entries), numbers.astype(np.int16), note)
