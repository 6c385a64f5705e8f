"""What the notes of papers add to a search: those that only a note finds come behind the others."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from litscape.search.groups import expression
from litscape.search.hits import SearchHit
from litscape.search.parts import Not, leaves
from litscape.search.scope import scope_of
from litscape.search.words import required
from litscape.store import lexical
from litscape.store.conditions import inverse, matching
from litscape.store.functions import has_word
from litscape.store.letters import the_word
from litscape.store.lexical import Term
from litscape.store.note_index import notes_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import sqlalchemy as sa

    from litscape.paper import PaperFilter, PaperId
    from litscape.search.hits import SearchResult
    from litscape.search.marks import Inside
    from litscape.search.parts import Group
    from litscape.search.query import Query
    from litscape.store.note_index import NoteIndex

WHY = "in your note"
MOST = 1000
NONE_HAS = re.compile("^No paper has (?=“|all )")
"""What is said of words that no paper has, where notes or PDFs have them."""
ELSEWHERE = "No title, abstract or keyword has "


def find_noted(
    conn: sa.Connection,
    index: NoteIndex,
    version: int,
    query: Query,
    flt: PaperFilter | None,
    inside: Inside | None,
) -> list[PaperId]:
    """The papers whose notes have the plain words of a query, of those it lets through otherwise.

    A choice between words (``a OR b``) is looked for in the notes as well; one in which there is
    anything else has to hold for the paper itself.

    Args:
        conn: a connection.
        index: the notes.
        version: as :meth:`NoteIndex.find` takes it.
        query: what is asked for.
        flt: which papers may be found.
        inside: finds papers by the text of their PDFs.
    """
    words = [term for term in required(query.terms) if not term.column]
    choices = {group: expression(group) for group in query.groups if _only_words(group)}
    wanted = lexical.both(lexical.all_of(words), *(one for one in choices.values() if one))
    if not wanted:
        return []
    found = index.find(conn, version, wanted, MOST)
    if quoted := [the_word(term) for term in words if term.written]:
        texts = notes_of(conn, found)
        found = [one for one in found if all(has_word(word, texts[one]) for word in quoted)]
    if not found:
        return []
    scope, _notes = scope_of(conn, query, flt, inside)
    conditions = list(scope.conditions)
    fields = lexical.all_of(term for term in query.terms if term.column)
    others = (expression(group) for group in query.groups if group not in choices)
    if own := lexical.both(fields, *(one for one in others if one)):
        conditions.append(matching(own))
    if hidden := lexical.any_of(query.without):
        conditions.append(inverse(matching(hidden)))
    return lexical.among(conn, found, replace(scope, conditions=tuple(conditions)))


def _only_words(group: Group) -> bool:
    """Whether there is nothing in a group but words that may stand anywhere."""
    plain = (leaf.leaf if isinstance(leaf, Not) else leaf for leaf in leaves(group))
    return expression(group) is not None and all(
        isinstance(leaf, Term) and not leaf.column for leaf in plain
    )


def with_noted(found: SearchResult, noted: Sequence[PaperId], k: int) -> SearchResult:
    """A result with the papers whose notes have the words, behind those whose records have them.

    A paper that both find says so. Scores never rise.
    """
    if not noted:
        return found
    whole = [hit.lexical_rank is not None and not hit.partial for hit in found.hits]
    place = max((i for i, one in enumerate(whole, start=1) if one), default=0)
    first = [
        replace(hit, why=(*hit.why, WHY)) if one and hit.paper_id in noted else hit
        for hit, one in zip(found.hits[:place], whole, strict=False)
    ]
    there = {hit.paper_id for hit, one in zip(found.hits, whole, strict=True) if one}
    known = {hit.paper_id: hit for hit in found}
    more = [
        _noted(known.get(paper), paper, place + rank)
        for rank, paper in enumerate((one for one in noted if one not in there), start=1)
    ]
    moved = {hit.paper_id for hit in more}
    ordered = [
        *(hit for hit in first if hit.paper_id not in moved),
        *more,
        *(hit for hit in found.hits[place:] if hit.paper_id not in moved),
    ]
    ceiling = max((hit.score for hit in found.hits), default=0.0)
    falling = []
    for hit in ordered:
        ceiling = min(ceiling, hit.score) if hit.paper_id not in moved else ceiling
        falling.append(replace(hit, score=ceiling))
    said = tuple(NONE_HAS.sub(ELSEWHERE, note) for note in found.notes)
    return replace(found, hits=tuple(falling[:k]), notes=said)


def _noted(known: SearchHit | None, paper: PaperId, rank: int) -> SearchHit:
    hit = known or SearchHit(paper, 0.0)
    return replace(hit, lexical_rank=rank, partial=False, why=(WHY, *hit.why))
