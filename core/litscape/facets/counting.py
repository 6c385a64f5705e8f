"""Counting facets of a result: all papers, a place, or what a query finds."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, cast

import numpy as np

from litscape.errors import UserError
from litscape.facets.choices import DIGITS, SINGLE, Choices, read_choices, without_choice
from litscape.facets.index import build
from litscape.facets.results import result_ids
from litscape.memory import give_back
from litscape.reading import STATES
from litscape.search.numbers import read_span
from litscape.store.facets import PAIRS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from litscape.facets.index import Facet, FacetIndex, Mask
    from litscape.jobs import JobContext
    from litscape.paper import PaperFilter
    from litscape.search.hits import Mode
    from litscape.search.numbers import Span
    from litscape.search.searcher import Searcher
    from litscape.store.database import Database

FACETS = tuple(PAIRS)
"""The names of all facets."""
TOP = 8
"""Values counted of each facet unless more are asked for; years are always all."""


@dataclass(frozen=True, slots=True)
class FacetValue:
    """A value of a facet and how many papers of the result have it.

    ``chosen`` says that the query asks for it, ``left_out`` that it asks for others.
    """

    value: str
    papers: int
    chosen: bool = False
    left_out: bool = False


@dataclass(frozen=True, slots=True)
class FacetCounts:
    """A facet of a result.

    Attributes:
        name: one of :data:`FACETS`.
        values: years ascending, ratings descending; else chosen ones first, then by number.
        distinct: how many values papers of the result have, also those that are not in ``values``.
        without: how many papers of the result have none.
        span: the chosen years or ratings, first and last, None where open or not chosen.
    """

    name: str
    values: tuple[FacetValue, ...] = ()
    distinct: int = 0
    without: int = 0
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class FacetReport:
    """The facets of one result.

    Attributes:
        papers: how many there are in the result.
        facets: in the order asked for.
        choices: what the query chooses.
        current: False where the library has changed since its facets were read.
    """

    papers: int
    facets: tuple[FacetCounts, ...]
    choices: Choices
    current: bool = True

    def __getitem__(self, name: str) -> FacetCounts:
        return next(one for one in self.facets if one.name == name)


@dataclass(frozen=True, slots=True)
class FacetRequest:
    """What is to be counted.

    Attributes:
        query: as in search; all papers where empty.
        mode: lexical: all papers with the words; else the best hits by meaning.
        flt: which papers; the live ones where None.
        names: which facets.
        top: how many values of each; :data:`TOP` where not said. Years and ratings are all.
        containing: texts that the values of facets must contain.
        hits: the whole result, (n,) ids, where it is known.
        as_you_type: the last word may be the start of one.
    """

    query: str = ""
    mode: Mode = "lexical"
    flt: PaperFilter | None = None
    names: Sequence[str] = FACETS
    top: Mapping[str, int] = field(default_factory=dict)
    containing: Mapping[str, str] = field(default_factory=dict)
    hits: Sequence[int] | NDArray[np.int64] | None = None
    as_you_type: bool = False


class Facets:
    """The facets of one library, from any thread; read when first asked for."""

    def __init__(self, database: Database, searcher: Callable[[], Searcher]) -> None:
        self._database = database
        self._searcher = searcher
        self._building = threading.Lock()
        self._index: FacetIndex | None = None

    def prepare(self, ctx: JobContext | None = None) -> FacetIndex:
        """Read the facets as they are now, unless that is done: some 2 s for 580,000 authorships.

        Raises:
            JobCancelledError: ``ctx`` asked for the end.
        """
        with self._building:
            version = self._database.data_version()
            index = self._index
            if index is None or index.version != version:
                with self._database.read() as conn:
                    index = build(conn, version, ctx)
                self._index = index
                give_back()
            return index

    def count(
        self, asked: FacetRequest, *, wait: bool = True, ctx: JobContext | None = None
    ) -> FacetReport | None:
        """How many papers of a result have which values.

        A facet of which a paper has one value (:data:`~litscape.facets.choices.SINGLE`) is counted
        without the query's own choice in it, so that it shows what else could be chosen; of the
        others a further choice narrows, and they are counted with it.

        Args:
            asked: which result and which facets.
            wait: read the facets anew where the library has changed, or for the first time. Else
                the last ones serve, and there is no answer without them.
            ctx: asked between the steps whether to end.

        Raises:
            UserError: there is no such facet.
            JobCancelledError: ``ctx`` asked for the end.
        """
        for name in asked.names:
            if name not in PAIRS:
                raise UserError(f"There is no facet “{name}”; use {', '.join(PAIRS)}.")
        index = self.prepare(ctx) if wait else self._index
        if index is None:
            return None
        choices = read_choices(asked.query, FACETS)
        result = _Result(index, choices, asked, partial(self._find, index, asked))
        papers = result.all() if asked.hits is None else index.mask(asked.hits)
        found = []
        for name in asked.names:
            if ctx is not None:
                ctx.check()
            among = result.without(name, papers)
            top, text = asked.top.get(name, TOP), asked.containing.get(name, "")
            found.append(counted(index.facets[name], among, choices, top, text))
        current = wait or index.version == self._database.data_version()
        return FacetReport(int(papers.sum()), tuple(found), choices, current)

    def _find(self, index: FacetIndex, asked: FacetRequest, query: str) -> Mask:
        """The papers that a query finds where and how it is asked."""
        if not query.strip() and asked.flt is None:
            return index.live
        searcher, typing = self._searcher(), asked.as_you_type
        ids = result_ids(self._database, searcher, query, asked.mode, asked.flt, as_you_type=typing)
        papers = index.mask(ids)
        return papers & index.live if asked.flt is None else papers


@dataclass
class _Result:
    """The papers that a query finds, whole and without its choice in one facet."""

    index: FacetIndex
    choices: Choices
    asked: FacetRequest
    find: Callable[[str], Mask]
    rest: Mask | None = None

    @property
    def _single(self) -> list[str]:
        return [name for name in SINGLE if name in self.choices.wanted]

    @property
    def _by_meaning(self) -> bool:
        """Whether what is nearest depends on which papers may be found."""
        return self.asked.mode != "lexical" and bool(self.choices.rest)

    def all(self) -> Mask:
        """The papers that the query finds."""
        if self._by_meaning or not self._single:
            return self.find(self.asked.query)
        return self._narrowed(self._single)

    def without(self, name: str, papers: Mask) -> Mask:
        """The papers among which a facet is counted, of those that the query finds."""
        if name not in self._single:
            return papers
        if self._by_meaning:
            return self.find(without_choice(self.asked.query, name, self.choices.wanted[name]))
        return self._narrowed(other for other in self._single if other != name)

    def _narrowed(self, names: Iterable[str]) -> Mask:
        """What is found without any choice, narrowed by the choices in some facets."""
        if self.rest is None:
            self.rest = self.find(self.choices.rest)
        papers = self.rest
        for name in names:
            papers = papers & self._chosen(name)
        return papers

    def _chosen(self, name: str) -> Mask:
        values: Sequence[str] = self.choices.wanted[name]
        part = self.index.facets[name]
        if name in DIGITS:
            values = _within(part, span_of(name, values))
        return part.having(values, len(self.index))


def span_of(name: str, values: Sequence[str]) -> Span | None:
    """The first and last year or rating of a choice."""
    return read_span(values[0], DIGITS[name]) if values else None


def _within(part: Facet, span: Span | None) -> list[str]:
    values = (part.label(code) for code in range(len(part)))
    return [one for one in values if span is None or _inside(int(one), span)]


def _inside(number: int, span: Span) -> bool:
    first, last = span
    return (first is None or number >= first) and (last is None or number <= last)


def _numbered(
    part: Facet, counts: NDArray[np.int64], result: FacetCounts, span: Span | None
) -> FacetCounts:
    """Years from the first, ratings from the best, all of them."""
    numbers = sorted(
        ((int(part.label(code)), int(counts[code])) for code in np.flatnonzero(counts).tolist()),
        reverse=part.name == "rating",
    )
    values = tuple(
        FacetValue(str(number), papers, chosen=span is not None and _inside(number, span))
        for number, papers in numbers
    )
    return replace(result, values=values, span=span)


def counted(part: Facet, papers: Mask, choices: Choices, top: int, text: str = "") -> FacetCounts:
    """The values of a facet among some papers."""
    counts = part.counts(papers)
    there = np.flatnonzero(counts)
    without = int(papers.sum() - (papers & part.any_value(len(papers))).sum())
    result = FacetCounts(part.name, distinct=len(there), without=without)
    wanted = choices.wanted.get(part.name, ())
    if part.name in DIGITS:
        return _numbered(part, counts, result, span_of(part.name, wanted))
    if text:
        there = there[np.isin(there, part.containing(text), assume_unique=True)]
    best = {part.label(code): int(counts[code]) for code in _most(there, counts, top)}
    if part.name == "read":
        best = {state: best[state] for state in STATES if state in best}
    first = _named(part, counts, wanted, left_out=False)
    first += _named(part, counts, choices.unwanted.get(part.name, ()), left_out=True)
    known = {one.value for one in first}
    rest = [FacetValue(value, number) for value, number in best.items() if value not in known]
    return replace(result, values=(*first, *rest))


def _named(
    part: Facet, counts: NDArray[np.int64], values: Sequence[str], *, left_out: bool
) -> list[FacetValue]:
    """Values that a query names, as they are written in the library."""
    found = []
    for value in values:
        code = part.code(value)
        shown = value if code is None else part.label(code)
        number = 0 if code is None else int(counts[code])
        found.append(FacetValue(shown, number, chosen=not left_out, left_out=left_out))
    return found


def _most(codes: NDArray[np.int64], counts: NDArray[np.int64], top: int) -> list[int]:
    """The codes with the highest counts, those with equal ones in their own order."""
    if len(codes) > 4 * top > 0:
        numbers = counts[codes]
        codes = codes[numbers >= np.partition(numbers, -top)[-top]]
    order = np.argsort(-counts[codes], kind="stable")[:top]
    return cast("list[int]", codes[order].tolist())
