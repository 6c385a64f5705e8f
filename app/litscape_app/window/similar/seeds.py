"""What the panel asks for, and the answer ready to be shown."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from litscape_app.window.similar.model import Neighbour
from litscape_app.window.words import authors_line, shorten, title_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from litscape.alike.explain import Explanation
    from litscape.alike.request import Examples, SimilarRequest
    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.paper import PaperId, PaperRow
    from litscape.search.hits import SearchHit

SHOWN = 30


@dataclass(frozen=True, slots=True)
class Given:
    """Something to be like that is no chosen paper: a text, records of a file, a collection.

    Attributes:
        name: what its chip says.
        examples: what it holds.
    """

    name: str
    examples: Examples


@dataclass(frozen=True, slots=True)
class Seeds:
    """What to be like: the chosen papers or what was given, more of them, and what not.

    Attributes:
        base: chosen papers that are compared.
        more: papers said to be liked.
        less: papers said not to be.
        given: texts, files, collections.
        beyond: chosen papers that are too many to be compared; they are not found either.
    """

    base: tuple[PaperId, ...] = ()
    more: tuple[PaperId, ...] = ()
    less: tuple[PaperId, ...] = ()
    given: tuple[Given, ...] = ()
    beyond: tuple[PaperId, ...] = ()

    @property
    def positive(self) -> tuple[PaperId, ...]:
        """All papers to be like."""
        return tuple(dict.fromkeys((*self.base, *self.more)))

    def __bool__(self) -> bool:
        return bool(self.base or self.given)

    def joined(self, given: Given) -> Seeds:
        """With something given besides: what was chosen stays, and each paper is named once."""
        papers = {*given.examples.papers}
        more, less = (tuple(x for x in one if x not in papers) for one in (self.more, self.less))
        chosen = tuple(one for one in self.base if one not in papers)
        others = tuple(one for one in self.given if one != given)
        if len(chosen) > 1:
            from litscape.alike.request import Examples

            named = f"{len(chosen):,} chosen papers"
            others = (*others, Given(named, Examples(papers=chosen)))
        else:
            more = (*chosen, *more)
        return Seeds((), more, less, (*others, given))


@dataclass(frozen=True, slots=True)
class Options:
    """How hits are limited and ranked.

    Attributes:
        after: only papers after this year.
        before: only papers before this year.
        within: a query that they must meet.
        elsewhere: none of a collection that they are to be like.
        diversity: 0 … 1.
        weights: what signals count for; None: as the library has it.
    """

    after: int | None = None
    before: int | None = None
    within: str = ""
    elsewhere: bool = False
    diversity: float = 0.0
    weights: Mapping[str, float] | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """Neighbours of seeds, with the titles of the seeds that were added.

    Attributes:
        seeds: what was asked for.
        hits: the papers as they are shown.
        titles: of papers said to be more or less like.
        learner: one sentence on how likes and dislikes were weighed.
        weights: what signals counted for.
        found: the hits by paper, to be explained.
        request: what was asked for, likewise.
        notes: what the reader should know.
        remarks: of these, what is to be said however far similarity is.
        nothing: why there is no hit, where limits or the examples are why.
        next_reading: whether these are papers to read next, for nothing is chosen.
        outside: whether these are works that are not in the library.
    """

    seeds: Seeds
    hits: tuple[Neighbour, ...]
    titles: dict[PaperId, str]
    learner: str = ""
    weights: Mapping[str, float] = field(default_factory=dict)
    found: Mapping[PaperId, SearchHit] = field(default_factory=dict)
    request: SimilarRequest | None = None
    notes: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    nothing: str = ""
    next_reading: bool = False
    outside: bool = False


def request_of(seeds: Seeds, options: Options) -> SimilarRequest:
    """What the core is asked for."""
    from litscape.alike.request import Examples, SimilarRequest

    given = [one.examples for one in seeds.given]
    collections = tuple(key for one in given for key in one.collections)
    like = Examples(
        papers=(*seeds.positive, *(paper for one in given for paper in one.papers)),
        texts=tuple(text for one in given for text in one.texts),
        drafts=tuple(draft for one in given for draft in one.drafts),
        collections=collections,
    )
    return SimilarRequest(
        like,
        Examples(papers=seeds.less),
        k=SHOWN,
        newer_than=options.after,
        older_than=options.before,
        within=options.within,
        not_in=collections if options.elsewhere else (),
        without=seeds.beyond,
        diversity=options.diversity,
        weights=options.weights,
    )


def neighbours(library: Library, seeds: Seeds, options: Options, ctx: JobContext) -> Answer:
    """The papers most like the seeds, ready to be shown."""
    request = request_of(seeds, options)
    result = library.similar(request)
    ctx.check()
    rows = {row.id: row for row in library.papers.rows([hit.paper_id for hit in result])}
    said = (*seeds.more, *seeds.less)
    titles = {row.id: row.title or row.citekey for row in library.papers.rows(said)}
    shown = [shown_as(rows[hit.paper_id], hit) for hit in result if hit.paper_id in rows]
    return Answer(
        seeds,
        tuple(shown),
        titles,
        learner=result.learner,
        weights=result.weights,
        found={hit.paper_id: hit for hit in result},
        request=request,
        notes=result.notes,
        remarks=(*_compared(seeds), *result.remarks),
        nothing=result.nothing,
    )


def _compared(seeds: Seeds) -> tuple[str, ...]:
    """How many of the chosen papers are compared, where these are not all."""
    if not seeds.beyond:
        return ()
    chosen = len(seeds.base) + len(seeds.beyond)
    return (f"Like the first {len(seeds.base):,} of {chosen:,} chosen papers.",)


def works_outside(library: Library, seeds: Seeds, options: Options, ctx: JobContext) -> Answer:
    """The works outside the library that fit best with the seeds."""
    found = library.searcher.alike.outside(request_of(seeds, options))
    ctx.check()
    shown = [
        Neighbour(
            -1 - place,
            f"{hit.score:.2f}",
            hit.title,
            " · ".join(
                part for part in (str(hit.work.reference.year or ""), hit.work.author) if part
            ),
            " · ".join(hit.why),
            hit.work.reference,
        )
        for place, hit in enumerate(found)
    ]
    rows = library.papers.rows((*seeds.more, *seeds.less))
    titles = {row.id: row.title or row.citekey for row in rows}
    return Answer(seeds, tuple(shown), titles, outside=True)


def next_reading(library: Library, ctx: JobContext) -> Answer:
    """Papers to read next; without hits where nothing says yet what is read."""
    from litscape.alike.reading import lately, read_next

    if not lately(library.database).liked:
        return Answer(Seeds(), (), {}, next_reading=True)
    found = read_next(library.searcher.alike, library.database, SHOWN)
    ctx.check()
    ids = [one.hit.paper_id for one in found.hits]
    rows = {row.id: row for row in library.papers.rows([*ids, *(one.near for one in found.hits)])}
    shown = []
    for one in found.hits:
        row, near = rows.get(one.hit.paper_id), rows.get(one.near)
        if row is not None and near is not None:
            why = f"like “{shorten(near.title or near.citekey, 60)}” ({one.because})"
            shown.append(shown_as(row, one.hit, why))
    return Answer(Seeds(), tuple(shown), {}, next_reading=True)


def shown_as(row: PaperRow, hit: SearchHit, why: str = "") -> Neighbour:
    """A hit as the list shows it."""
    names = [name.strip() for name in row.authors.split(";") if name.strip()]
    year = str(row.year) if row.year is not None else ""
    byline = " · ".join(part for part in (year, authors_line(names)) if part)
    # Without vectors there is only an order; a number would claim more. The number is what
    # they are ordered by; the cosine alone stands among the reasons.
    score = "" if hit.similarity is None else f"{hit.score:.2f}"
    title = title_of(row)
    reasons = why or " · ".join(hit.why).replace("meaning ", "meaning\u00a0")
    return Neighbour(row.id, score, title, byline, reasons)


@dataclass(frozen=True, slots=True)
class Told:
    """An explanation as it is shown.

    Attributes:
        paper_id: of what.
        sentence: of its abstract, or empty.
        lines: what speaks for it, one thing each.
        shares: (label, share) of the score.
    """

    paper_id: PaperId
    sentence: str
    lines: tuple[str, ...]
    shares: tuple[tuple[str, float], ...]


def explained(library: Library, request: SimilarRequest, hit: SearchHit, _ctx: JobContext) -> Told:
    """Why a hit is there, ready to be shown."""
    found = library.searcher.alike.explain(request, hit)
    others = (*found.path, *((found.cocited_by,) if found.cocited_by else ()))
    rows = {row.id: row for row in library.papers.rows(list(others))}
    named = {paper: shorten(row.title or row.citekey, 50) for paper, row in rows.items()}
    return Told(found.paper_id, found.sentence or "", tuple(_lines(found, named)), found.shares)


def _lines(found: Explanation, named: Mapping[PaperId, str]) -> list[str]:
    lines = []
    if found.path and all(paper in named for paper in found.path):
        lines.append(" → ".join(named[paper] for paper in found.path))
    if works := _listed([work.name for work in found.references], found.more_references):
        lines.append(f"Both cite {works}")
    if found.cocited_by is not None and found.cocited_by in named:
        lines.append(f"Cited together by {named[found.cocited_by]}")
    if found.authors:
        lines.append(f"Also by {', '.join(found.authors)}")
    if found.groups:
        lines.append(f"Both in {', '.join(found.groups)}")
    return lines


def _listed(names: Sequence[str], more: int) -> str:
    shown = [shorten(name, 60) for name in names[:3]]
    rest = len(names) - len(shown) + more
    return "; ".join(shown) + (f" and {rest} more" if rest and shown else "")
