"""Writing what was looked up: missing values, links and works outside, as one change."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from litscape.importers.links import SERVICE, more_references
from litscape.online.questions import FILLED, MESH
from litscape.paper import LibraryChanges, Reference
from litscape.store.candidates import find_identifiers
from litscape.store.citations import count_citations
from litscape.store.edits import begin
from litscape.store.history import Recorder, change_papers
from litscape.store.images import links, plain, user_edits
from litscape.store.linking import link_papers
from litscape.store.online import column, put_field_sources
from litscape.store.papers import get_papers

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import sqlalchemy as sa

    from litscape.jobs import JobContext
    from litscape.online.records import Work
    from litscape.paper import Paper, PaperId
    from litscape.store.database import Database

_OWN = ("doi", "pmid")
_CHUNK = 100
"""Papers in a transaction: others who write wait no longer than that takes."""
_SURE = 0.95
Answered = list[tuple[str, "Work"]]
"""What services know about one paper, in the order in which they were asked."""


@dataclass(slots=True)
class Written:
    """What a look-up changed."""

    filled: Counter[str] = field(default_factory=Counter)
    references: int = 0
    links: int = 0
    outside: int = 0
    changes: LibraryChanges = field(default_factory=LibraryChanges)


class Writer:
    """Writes answers in whole transactions of some hundred papers under one change."""

    def __init__(self, database: Database, title: str, ctx: JobContext, *, fill: bool) -> None:
        self._database = database
        self._title = title
        self._ctx = ctx
        self._fill = fill
        self._change: int | None = None
        self._answers: Mapping[PaperId, Answered] = {}
        self._named: Mapping[str, Reference] = {}
        self._links: Mapping[PaperId, Sequence[tuple[str, Work]]] = {}
        self.written = Written()

    def write(
        self,
        answers: Mapping[PaperId, Answered],
        named: Mapping[str, Reference],
        citing: Mapping[PaperId, Sequence[tuple[str, Work]]],
    ) -> Written:
        """Write values and identifiers first, so that references find all papers; then links.

        Args:
            answers: by paper.
            named: works cited that answers hold as ids alone, by id.
            citing: works whose ``cited_by`` says who cites a paper, with their service.
        """
        self._answers, self._named, self._links = answers, named, citing
        steps, done = 2 * len(answers) + len(citing), 0
        acts = ((self._values, answers), (self._references, answers), (self._citing, citing))
        for act, papers in acts:
            for part in _chunks(papers):
                self._ctx.progress(done, steps, "Writing what was found")
                with self._database.write() as conn:
                    recorder = self._recorder(conn)
                    act(recorder, part)
                    self._told(recorder)
                done += len(part)
        return self.written

    def _recorder(self, conn: sa.Connection) -> Recorder:
        if self._change is None:
            return begin(conn, self._title)
        return Recorder(conn, self._change)

    def _told(self, recorder: Recorder) -> None:
        """Keep what a transaction changed; a change that holds nothing so far is taken back."""
        told, before = recorder.flush(), self.written.changes
        self._change = told.change_id
        self.written.changes = replace(
            told,
            added=before.added | told.added,
            changed=before.changed | told.changed,
            removed=before.removed | told.removed,
            structure=before.structure or told.structure,
        )

    # -- values ----------------------------------------------------------------------------------

    def _values(self, recorder: Recorder, part: list[PaperId]) -> None:
        conn, answers = recorder.conn, self._answers
        kept = user_edits(conn, part)
        taken = find_identifiers(conn, _identifiers(answers[paper] for paper in part))
        values: dict[PaperId, dict[str, Any]] = {}
        rows: list[tuple[PaperId, str, str, Any]] = []
        for paper in get_papers(conn, part):
            found: dict[str, tuple[Any, str]] = {}
            if self._fill:
                found = _missing(paper, answers[paper.id], kept.get(paper.id, ()))
            found |= _own_identifiers(paper, answers[paper.id], kept.get(paper.id, ()), taken)
            told = {column(name): value for name, (value, _source) in found.items()}
            rows += [
                (paper.id, name, source, plain(column(name), value))
                for name, (value, source) in found.items()
            ]
            values[paper.id] = told
            if more := _identifier_map(paper, answers[paper.id]):
                values[paper.id]["identifiers"] = more
        changed = change_papers(recorder, {one: v for one, v in values.items() if v})
        put_field_sources(conn, rows)
        self.written.filled.update(name for _, name, _, _ in rows)
        if changed:
            # References that were there already may mean papers whose identifiers are known now.
            before = count_citations(conn)
            link_papers(recorder, sorted(changed), ())
            self.written.links += count_citations(conn) - before

    # -- references ------------------------------------------------------------------------------

    def _references(self, recorder: Recorder, part: list[PaperId]) -> None:
        conn = recorder.conn
        told = {paper: _cited(self._answers[paper], self._named) for paper in part}
        cited = {paper: found for paper, found in told.items() if found[1]}
        before, count = links(conn, cited), count_citations(conn)
        holders = find_identifiers(conn, {m for _, found in cited.values() for m in _marks(found)})
        values: dict[PaperId, dict[str, Any]] = {}
        for paper in get_papers(conn, sorted(cited)):
            source, references = cited[paper.id]
            there = {link[0]: tuple(link) for link in before.get(paper.id, [])}
            new, left = _parted_by_holder(paper.id, source, references, holders)
            both = {**new, **there}
            self.written.references += len(references)
            values[paper.id] = {
                "references": more_references(_unlinked(paper.references, references, left), left),
                "cites": tuple(both[one] for one in sorted(both)),
            }
            self.written.outside += len(values[paper.id]["references"]) - len(paper.references)
        touched = change_papers(recorder, values)
        by_identifier = count_citations(conn)
        link_papers(recorder, sorted(touched), ())  # what has no common identifier: by title
        self.written.outside -= count_citations(conn) - by_identifier
        self.written.links += count_citations(conn) - count

    # -- who cites -------------------------------------------------------------------------------

    def _citing(self, recorder: Recorder, part: list[PaperId]) -> None:
        conn = recorder.conn
        asked = {
            paper: [(s, one) for s, work in self._links[paper] for one in work.cited_by]
            for paper in part
        }
        pairs = {_parted(one) for found in asked.values() for _, one in found}
        holders = find_identifiers(conn, pairs)
        new: dict[PaperId, dict[PaperId, tuple[Any, ...]]] = {}
        for paper, found in asked.items():
            for source, one in found:
                for other in holders.get(_parted(one), ()):
                    if other != paper:
                        link = (paper, source, _parted(one)[0], 1.0)
                        new.setdefault(other, {}).setdefault(paper, link)
        there = links(conn, new)
        values = {}
        for other, made in new.items():
            known = {link[0]: tuple(link) for link in there.get(other, [])}
            both = {**made, **known}
            self.written.links += len(both) - len(known)
            values[other] = {"cites": tuple(both[one] for one in sorted(both))}
        change_papers(recorder, values)


def _chunks(papers: Iterable[PaperId]) -> Iterator[list[PaperId]]:
    left = iter(papers)
    while part := list(islice(left, _CHUNK)):
        yield part


def _parted(identifier: str) -> tuple[str, str]:
    scheme, _, value = identifier.partition(":")
    return scheme, value


def _missing(paper: Paper, answers: Answered, kept: Iterable[str]) -> dict[str, tuple[Any, str]]:
    """Values that a paper lacks, with the service of each: of the first one that has it.

    Subject headings go among the topics, those of the paper or those that come with them.
    """
    found: dict[str, tuple[Any, str]] = {}
    for name in FILLED:
        if getattr(paper, name) or name in kept or (name == "year" and paper.year_raw):
            continue
        if hit := _first(answers, name):
            found[name] = hit
    if "fields" not in kept and (hit := _first(answers, MESH)):
        topics = paper.fields or found.get("fields", ((), ""))[0]
        known = {one.casefold() for one in topics}
        if known.isdisjoint(one.casefold() for one in hit[0]):
            whole = (*topics, *hit[0])
            found[MESH] = (whole, hit[1])
            if "fields" in found:
                found["fields"] = (whole, found["fields"][1])
    return found


def _first(answers: Answered, name: str) -> tuple[Any, str] | None:
    """A value, and the first service that has it."""
    return next(((value, told) for told, one in answers if (value := getattr(one, name))), None)


def _identifiers(answers: Iterable[Answered]) -> set[tuple[str, str]]:
    return {
        (scheme, work.identifiers[scheme])
        for one in answers
        for _, work in one
        for scheme in _OWN
        if scheme in work.identifiers
    }


def _own_identifiers(
    paper: Paper,
    answers: Answered,
    kept: Iterable[str],
    taken: dict[tuple[str, str], list[PaperId]],
) -> dict[str, tuple[Any, str]]:
    """DOI and PubMed id where the paper has none, it is surely the work, and no other has them."""
    found: dict[str, tuple[Any, str]] = {}
    for scheme in _OWN:
        if getattr(paper, scheme) or scheme in kept:
            continue
        for source, work in answers:
            value = work.identifiers.get(scheme)
            if value and work.score >= _SURE and not taken.get((scheme, value)):
                found[scheme] = (value, source)
                taken[scheme, value] = [paper.id]
                break
    return found


def _identifier_map(paper: Paper, answers: Answered) -> dict[str, str]:
    """The identifiers of a paper with the services' own ids, by which others cite it."""
    more = {
        scheme: work.identifiers[scheme]
        for _, work in reversed(answers)
        for scheme in ("openalex", "s2")
        if scheme in work.identifiers
    }
    merged = {**more, **paper.identifiers}
    return merged if merged != dict(paper.identifiers) else {}


def _cited(answers: Answered, named: Mapping[str, Reference]) -> tuple[str, list[Reference]]:
    """What a paper cites, by the first service that tells."""
    for source, work in answers:
        if work.references:
            told = (named.get(one.source_id or "", one) for one in work.references)
            return source, [replace(one, extra={**one.extra, SERVICE: source}) for one in told]
    return "", []


def _marks(references: Iterable[Reference]) -> Iterator[tuple[str, str]]:
    """The identifiers of works cited, as (scheme, value)."""
    for reference in references:
        if reference.doi:
            yield "doi", reference.doi
        if reference.source_id and ":" in reference.source_id:
            yield _parted(reference.source_id)


def _unlinked(
    have: Sequence[Reference], told: Iterable[Reference], left: Iterable[Reference]
) -> list[Reference]:
    """References of a paper without those that become links by what is told of them now."""
    known = set(_marks(told)) - set(_marks(left))
    return [one for one in have if known.isdisjoint(_marks([one]))]


def _parted_by_holder(
    paper: PaperId,
    source: str,
    references: Iterable[Reference],
    holders: Mapping[tuple[str, str], list[PaperId]],
) -> tuple[dict[PaperId, tuple[Any, ...]], list[Reference]]:
    """Works cited that papers of the library are, as links by paper; and the others."""
    found: dict[PaperId, tuple[Any, ...]] = {}
    left: list[Reference] = []
    for reference in references:
        hits = ((mark, one) for mark in _marks([reference]) for one in holders.get(mark, ()))
        hit = next(((mark, one) for mark, one in hits if one != paper), None)
        if hit is None:
            left.append(reference)
        else:
            found.setdefault(hit[1], (hit[1], source, hit[0][0], 1.0))
    return found, left
