"""Search inside PDFs joined with a search of what the library says of papers.

Papers with all words in title, abstract and the like come first, then those with all of them in a
PDF, then those with some of the words. Papers that are alike in meaning take turns with the PDFs.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from litscape.fulltext.facade import as_term
from litscape.search.forms import read
from litscape.search.fusion import reciprocal_ranks
from litscape.search.groups import expression
from litscape.search.hits import SearchHit
from litscape.search.in_notes import ELSEWHERE, NONE_HAS
from litscape.search.parts import Mark, leaves
from litscape.search.query import parse
from litscape.search.scope import scope_of
from litscape.search.words import required
from litscape.store import lexical
from litscape.store.conditions import inverse, matching
from litscape.store.fulltext import DamagedTextError
from litscape.store.lexical import Term

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import sqlalchemy as sa

    from litscape.fulltext import FullText
    from litscape.fulltext.records import TextHit
    from litscape.paper import PaperFilter, PaperId
    from litscape.search.hits import SearchResult
    from litscape.search.parts import AnyOf
    from litscape.search.query import Query
    from litscape.store.database import Database
    from litscape.store.lexical import Scope

    Meant = Callable[[str], Sequence[str]]
    Notes = tuple[str, ...]
    Search = Callable[[int], SearchResult]
    """The search of the library, for so many papers."""
_ALL = 1_000_000
_INSTEAD = "No PDF that was read has “{}”: searched “{}” instead."
NOT_READ = "The text of PDFs has not been read, so that nothing is found inside them."


class InsidePdfs:
    """What the text of PDFs adds to a search."""

    def __init__(self, database: Database, fulltext: FullText, meant: Meant | None = None) -> None:
        """Set up.

        Args:
            database: the library.
            fulltext: the text of its PDFs.
            meant: words that papers have near to one that they lack; None: no slip is mended.
        """
        self._database = database
        self._fulltext = fulltext
        self._meant = meant
        self._said: Notes = ()

    def mended(self, query: str) -> str:
        """A query with other words after ``text:`` where no PDF has these: most likely a slip.

        The next search says so.
        """
        said: list[str] = []
        if self._meant is None or not isinstance(query, str):
            return query
        for value in dict.fromkeys(one.value for one in parse(query).marks if one.field == "text"):
            near = self._mended(value)
            if near != value and self._lacked(value) and not self._lacked(near):
                typed = re.compile(rf'(text:\s*"?){re.escape(value)}', re.IGNORECASE)
                query = typed.sub(partial(_put_in, near), query)
                said.append(_INSTEAD.format(value, near))
        self._said = tuple(said)
        return query

    def _mended(self, text: str) -> str:
        """A text with each word that no paper has as one that papers have."""
        if self._meant is None:
            return text
        words = text.split()
        near = ("" if '"' in word else next(iter(self._meant(word)), "") for word in words)
        return " ".join(one or word for one, word in zip(near, words, strict=True))

    def _lacked(self, text: str) -> bool:
        """Whether no PDF that was read has words."""
        try:
            with self._database.read() as conn:
                return not self._fulltext.papers_with(conn, text)
        except DamagedTextError:  # the search says so
            return True

    def search(
        self,
        query: str,
        k: int,
        flt: PaperFilter | None,
        search: Search,
        *,
        also: bool,
        as_you_type: bool = False,
    ) -> SearchResult:
        """A search with what PDFs say.

        Args:
            query: as typed.
            k: how many papers.
            flt: which may be found.
            search: the search of the library.
            also: look for the words of the query inside PDFs too; ``text:`` is looked for there in
                any case.
            as_you_type: the last word may be the start of one.
        """
        if not isinstance(query, str):
            return search(k)  # which says so
        parsed = read(self._database, query, as_you_type=as_you_type)
        marked = [as_term(mark.value) for mark in parsed.marks if mark.field == "text"]
        choices = [as_term(mark.value) for mark in _choices(parsed)]
        listed = bool(marked) and not parsed.wanted
        found = search(_ALL if listed else k)
        found = replace(found, notes=(*self._said, *found.notes))
        try:
            with self._database.read() as conn:
                if marked and found.hits:
                    found = self._explained(conn, found, marked, k, listed=listed)
                for one in choices:
                    found = self._explained(conn, found, [one], k)
                if also and parsed.wanted:
                    found = self._joined(conn, found, parsed, k, flt)
        except DamagedTextError as error:
            return replace(found, hits=found.hits[:k], notes=(*found.notes, str(error)))
        return found

    def alone(
        self, query: str, k: int, flt: PaperFilter | None = None
    ) -> tuple[list[TextHit], tuple[str, ...]]:
        """The ``k`` best papers whose PDFs have the words of a query, and notes.

        What a query asks for besides plain words, the library must say of a paper.

        Raises:
            DamagedTextError: what was read is damaged.
        """
        hits, notes = self._alone(query, k, flt)
        near = query if hits else self._mended(query)
        if near != query and (others := self._alone(near, k, flt)[0]):
            return others, (_INSTEAD.format(query, near), *notes)
        return hits, notes

    def _alone(self, query: str, k: int, flt: PaperFilter | None) -> tuple[list[TextHit], Notes]:
        parsed = read(self._database, query)
        with self._database.read() as conn:
            scope, notes = _scope(conn, parsed, flt, self._fulltext.papers_with)
            return self._inside(conn, parsed, scope, k), (*parsed.notes, *notes)

    def _inside(
        self, conn: sa.Connection, query: Query, scope: Scope, k: int, *, one_page: bool = False
    ) -> list[TextHit]:
        groups = [one for group in query.groups if (one := _plain(group)) is not None]
        return self._fulltext.find(
            conn,
            [term for term in required(query.terms) if not term.column],
            k,
            lambda ids: lexical.among(conn, ids, scope),
            groups=groups,
            shown=query.choices if groups else (),
            one_page=one_page,
        )

    def _explained(
        self,
        conn: sa.Connection,
        found: SearchResult,
        terms: list[Term],
        k: int,
        *,
        listed: bool = False,
    ) -> SearchResult:
        """The hits with the pages that have what ``text:`` asks for; ``listed``: in their order."""
        hits = {hit.paper_id: hit for hit in found}
        most = k if listed else len(hits)
        inside = self._fulltext.find(conn, terms, most, hits.keys().__and__)
        pages = {one.paper: one for one in inside}
        if listed:
            best = {one.paper: replace(hits[one.paper], score=one.score) for one in inside}
            hits = best | hits if len(best) < k else best
        kept = islice(hits.values(), k)
        return replace(found, hits=tuple(_with_page(hit, pages.get(hit.paper_id)) for hit in kept))

    def _joined(
        self,
        conn: sa.Connection,
        found: SearchResult,
        query: Query,
        k: int,
        flt: PaperFilter | None,
    ) -> SearchResult:
        """The hits and the papers that have the words in a PDF."""
        if not self._fulltext.exists:
            return replace(found, notes=(*found.notes, NOT_READ))
        scope, _notes = _scope(conn, query, flt, self._fulltext.papers_with)
        one_page = found.mode_used != "lexical"
        inside = self._inside(conn, query, scope, k, one_page=one_page)
        if not inside and found.words and not query.groups:
            spelled = replace(query, terms=found.words)  # as the library has the words
            inside = self._inside(conn, spelled, scope, k, one_page=one_page)
        notes = found.notes
        if inside:
            notes = tuple(NONE_HAS.sub(ELSEWHERE, note) for note in notes)
        return replace(found, hits=in_tiers(found.hits, inside)[:k], notes=notes)


def _put_in(word: str, found: re.Match[str]) -> str:
    return found[1] + word


def inside_terms(query: str, *, as_you_type: bool = False) -> list[Term]:
    """All that a query looks for inside PDFs: words that may stand anywhere, and ``text:``."""
    parsed = parse(query, as_you_type=as_you_type)
    words = [term for term in required(parsed.wanted) if not term.column]
    marks = [mark for mark in parsed.marks if mark.field == "text"]
    return [*words, *(as_term(mark.value) for mark in (*marks, *_choices(parsed)))]


def _choices(query: Query) -> list[Mark]:
    """What ``text:`` asks for in groups, where one may do."""
    found = [leaf for group in query.groups for leaf in leaves(group)]
    return [leaf for leaf in found if isinstance(leaf, Mark) and leaf.field == "text"]


def _plain(group: AnyOf) -> str | None:
    """The expression of a group of words that may stand anywhere; None for another group."""
    found = expression(group)
    words = [leaf for leaf in leaves(group) if isinstance(leaf, Term)]
    return None if any(word.column for word in words) else found


def _scope(
    conn: sa.Connection,
    query: Query,
    flt: PaperFilter | None,
    papers_with: Callable[[sa.Connection, str], frozenset[PaperId] | None],
) -> tuple[Scope, tuple[str, ...]]:
    """What the library itself must say of a paper that is found by its PDF, and notes."""
    scope, notes = scope_of(conn, query, flt, papers_with)
    conditions = list(scope.conditions)
    if fields := lexical.all_of(term for term in query.terms if term.column):
        conditions.append(matching(fields))
    if hidden := lexical.any_of(query.without):
        conditions.append(inverse(matching(hidden)))
    for group in query.groups:
        if _plain(group) is None and (one := expression(group)) is not None:
            conditions.append(matching(one))
    return replace(scope, conditions=tuple(conditions)), notes


def in_tiers(hits: Sequence[SearchHit], inside: Sequence[TextHit]) -> tuple[SearchHit, ...]:
    """All words in the record, then all words in a PDF, then the rest; scores never rise.

    Where meaning found some of the rest, it and the PDFs are joined by their places in both lists:
    neither all of the one nor all of the other is better.
    """
    known = {hit.paper_id: hit for hit in hits}
    pages = {one.paper: one for one in inside}
    whole = [hit for hit in hits if hit.lexical_rank is not None and not hit.partial]
    first = {hit.paper_id for hit in whole}
    second = [
        known.get(one.paper) or SearchHit(one.paper, one.score)
        for one in inside
        if one.paper not in first
    ]
    rest = [hit for hit in hits if hit.paper_id not in first]
    if any(hit.semantic_rank is not None for hit in rest):
        second = _by_places(second, rest)
    there = {hit.paper_id for hit in second}
    ordered: list[SearchHit] = []
    ceiling = float("inf")
    for hit in (*whole, *second, *(hit for hit in rest if hit.paper_id not in there)):
        ceiling = min(ceiling, hit.score)
        ordered.append(replace(_with_page(hit, pages.get(hit.paper_id)), score=ceiling))
    return tuple(ordered)


def _by_places(one: Sequence[SearchHit], other: Sequence[SearchHit]) -> list[SearchHit]:
    """Two lists as one, by reciprocal ranks."""
    hits = {hit.paper_id: hit for hit in (*other, *one)}
    ids = np.fromiter(hits, dtype=np.int64)
    rankings = [[hit.paper_id for hit in some] for some in (one, other)]
    scores = reciprocal_ranks(rankings, ids)
    return [hits[int(ids[i])] for i in np.lexsort((ids, -scores)).tolist()]


def _with_page(hit: SearchHit, found: TextHit | None) -> SearchHit:
    """A hit with the page of its PDF; what its record has is said first."""
    if found is None or hit.passage is not None:
        return hit
    where = found.passage.where
    in_record = hit.lexical_rank is not None and not hit.partial
    why = (*hit.why, where) if in_record else (where, *hit.why)
    return replace(hit, passage=found.passage, why=why)
