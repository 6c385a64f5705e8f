"""Search by words: all of them first, then as many as there are; fast whatever the words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from litscape.search.groups import expressions, loose
from litscape.search.parts import AllOf, fold
from litscape.search.stopwords import STOP_WORDS
from litscape.sorting import has_signs, parted
from litscape.store import lexical
from litscape.store.letters import standing, stands
from litscape.store.lexical import Term

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import sqlalchemy as sa

    from litscape.paper import PaperId
    from litscape.search.parts import Group, Leaf, Not
    from litscape.search.query import Query
    from litscape.store.lexical import Scope

BUDGET = 45_000
"""Most papers scored for one query. Scoring costs about a microsecond each: 100,000 are felt."""
TYPING_SHARE = 3
"""While a word is being typed, the budget is smaller by this factor: its forms are merged too."""
MAX_TERMS = 48
"""A pasted text is searched for so many of its words."""
_PLACES: dict[str, str] = {
    "title": "title", "abstract": "abstract", "authors_text": "authors", "venue": "venue",
    "keywords_text": "keywords", "heading": "title or keywords",
}  # fmt: skip
_SHORTEST_STEM = 4
_LONGEST_WORD = 60


@dataclass(frozen=True, slots=True)
class WordHits:
    """Papers found by words, best first, with BM25 scores that never rise.

    Attributes:
        hits: paper and score.
        complete: whether each paper has all the words.
        notes: what was done differently from what was asked.
        partial: those of the papers that have only some of the words, where that is known.
        best: the score that no paper can pass for these words.
    """

    hits: tuple[tuple[PaperId, float], ...] = ()
    complete: bool = True
    notes: tuple[str, ...] = ()
    partial: frozenset[PaperId] = frozenset()
    best: float = 0.0


@dataclass(frozen=True, slots=True)
class _Rest:
    """What a query asks for besides its plain words.

    Attributes:
        without: words that must not be there.
        groups: the expression for the groups of words; empty where there are none.
        choices: the words in them.
        loose: words of other groups: they need not be there, but make a paper rank higher.
    """

    without: tuple[Term, ...] = ()
    groups: str = ""
    choices: tuple[Term, ...] = ()
    loose: tuple[Term, ...] = ()

    def with_all(self, terms: Sequence[Term]) -> str:
        """The expression for papers with all of some words; empty where nothing is asked for."""
        wanted = lexical.both(lexical.all_of(terms), self.groups)
        if wanted and self.loose:
            # The first is true of every paper that is found: the others only add to its score.
            there = lexical.all_of(terms[:1]) or self.groups
            wanted = lexical.both(wanted, lexical.either(there, lexical.any_of(self.loose)))
        return lexical.but_not(wanted, lexical.any_of(self.without)) if wanted else ""

    def with_any(self, terms: Sequence[Term]) -> str:
        """The expression for papers with one of some words."""
        wanted = lexical.both(lexical.any_of(terms), self.groups)
        return lexical.but_not(wanted, lexical.any_of(self.without))


def _rest(query: Query) -> _Rest:
    if not query.groups:
        return _Rest(query.without)
    return _Rest(query.without, expressions(query), query.choices, loose(query))


def search_words(conn: sa.Connection, query: Query, k: int, scope: Scope) -> WordHits:
    """The ``k`` best papers for the words of a query, of those in ``scope``.

    Papers with all words come first; where there is none, words that no paper has are dropped,
    and then papers with some of the words are ranked. Groups have to hold in any case.
    """
    rest = _rest(query)
    terms = required(query.terms)
    if not terms:
        return WordHits(_best(conn, terms, rest, k, scope))
    terms, said = parted_terms(conn, terms)
    terms = completed(conn, terms)
    scope = as_written(conn, scope, terms)
    hits = _best(conn, terms, rest, k, scope)
    if hits:
        return WordHits(hits, not said, said)
    other = _other_forms(conn, terms)
    if other or (len(terms) == 1 and not query.groups):
        return WordHits(notes=(*missing(conn, terms), *other))
    counts = lexical.document_counts(conn, terms, BUDGET + 1)
    known = [(n, term) for n, term in zip(counts, terms, strict=True) if n]
    notes = _absent(term for n, term in zip(counts, terms, strict=True) if not n)
    if not known:
        hits = _best(conn, (), rest, k, scope) if query.groups else ()
        return WordHits(hits, complete=False, notes=_absent(terms, all_of_them=not hits))
    if notes:
        hits = _best(conn, [term for _, term in known], rest, k, scope)
        if hits:
            return WordHits(hits, complete=False, notes=notes)
    hits = _some(conn, known, rest, k, scope)
    if hits and said:
        notes = said
    elif hits:
        notes = ("No paper has all the words; these have some of them.",)
    return WordHits(hits, complete=False, notes=notes)


def as_written(conn: sa.Connection, scope: Scope, terms: Iterable[Term]) -> Scope:
    """A scope in which the words in quotes stand as they are written.

    Those of which no paper has any form are dropped as other words are.
    """
    quoted = [term for term in terms if term.written]
    there = [term for term in quoted if lexical.count(conn, lexical.all_of([term]), 1)]
    conditions = tuple(standing(term) for term in there)
    return replace(scope, conditions=(*scope.conditions, *conditions)) if there else scope


def rank_words(conn: sa.Connection, query: Query, k: int, scope: Scope, papers: int) -> WordHits:
    """The ``k`` best papers by words as one of two measures: papers with some of them count too.

    Where fewer than ``k`` papers have all the words, all that have any are ranked together: one
    paper that happens to have every word of a question is no better than its score says.

    Args:
        conn: a connection.
        query: the query; words asked for in a field must be there, and groups must hold.
        k: how many.
        scope: which papers may be found.
        papers: how many the library has.
    """
    rest = _rest(query)
    terms, said = parted_terms(conn, required(query.terms))
    terms = completed(conn, terms)
    scope = as_written(conn, scope, terms)
    counts = lexical.document_counts(conn, terms, BUDGET + 1)
    known = [(n, term) for n, term in zip(counts, terms, strict=True) if n]
    notes = _absent(term for n, term in zip(counts, terms, strict=True) if not n)
    if not known and not query.groups:
        return WordHits(notes=_absent(terms, all_of_them=True))
    notes = (*said, *notes, *_other_forms(conn, terms))
    best = lexical.best_score((n for n, _ in known), papers) + _best_of_groups(conn, query, papers)
    whole = _best(conn, [term for _, term in known], rest, k, scope)
    if len(whole) >= k or len(known) < 2:
        return WordHits(whole, not notes, notes, best=best)
    scores = dict(_some(conn, known, rest, k, scope))
    for paper, score in whole:
        scores[paper] = max(score, scores.get(paper, score))
    ranked = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))[:k]
    partial = frozenset(scores) - {paper for paper, _ in whole}
    return WordHits(tuple(ranked), not (notes or partial), notes, partial, best)


def _best_of_groups(conn: sa.Connection, query: Query, papers: int) -> float:
    """What groups can add to a score: of several choices, that of the rarest word."""

    def leaf(part: Leaf | Not) -> float:
        if not isinstance(part, Term):
            return 0.0
        return lexical.best_score(lexical.document_counts(conn, [part], BUDGET + 1), papers)

    def join(group: Group, values: list[float]) -> float:
        return sum(values) if isinstance(group, AllOf) else max(values)

    return sum(fold(group, leaf, join) for group in query.groups)


def required(terms: Sequence[Term]) -> tuple[Term, ...]:
    """The terms that a paper must have: without stop words, unless there is nothing else.

    A word asked for in a field, a phrase and a beginning always count.
    """
    kept = [term for term in terms if not _optional(term)]
    chosen = kept or list(terms)
    if len(chosen) > MAX_TERMS:
        chosen = sorted(chosen, key=lambda term: -len(term.text))[:MAX_TERMS]
    return tuple(chosen)


def _optional(term: Term) -> bool:
    if term.prefix or term.exact or term.column is not None:
        return False
    return term.text.casefold() in STOP_WORDS


def _best(
    conn: sa.Connection, terms: Sequence[Term], rest: _Rest, k: int, scope: Scope
) -> tuple[tuple[PaperId, float], ...]:
    """The best papers with all terms; where very many have them, those with one in the title."""
    wanted = (*terms, *rest.choices)
    budget = BUDGET // TYPING_SHARE if any(term.prefix for term in wanted) else BUDGET
    expression = rest.with_all(terms)
    if not expression:
        return _by_conditions(conn, rest, k, scope, budget)
    if lexical.count(conn, expression, budget + 1) <= budget:
        return tuple(lexical.rank(conn, expression, k, scope))
    in_title = _in_title(terms, rest)
    hits = lexical.rank(conn, in_title, k, scope, newest=budget) if in_title else []
    if len(hits) < k:
        hits = _then(hits, lexical.rank(conn, expression, k, scope, newest=budget, listed=True), k)
    return tuple(hits)


def _in_title(terms: Sequence[Term], rest: _Rest) -> str:
    """The expression for papers with all terms, one of them in the title; empty: not needed."""
    wanted = (*terms, *rest.choices)
    titled = [replace(term, column="title") for term in wanted if term.column in (None, "title")]
    if len(wanted) == 1:
        return lexical.any_of(titled, rest.without)
    return lexical.both(rest.with_all(terms), lexical.any_of(titled)) if titled else ""


def _by_conditions(
    conn: sa.Connection, rest: _Rest, k: int, scope: Scope, budget: int
) -> tuple[tuple[PaperId, float], ...]:
    """The papers in scope, first those with words that none of them needs to have."""
    if not rest.loose:
        return ()
    expression = lexical.any_of(rest.loose, rest.without)
    many = lexical.count(conn, expression, budget + 1) > budget
    hits = lexical.rank(conn, expression, k, scope, newest=budget if many else None)
    if len(hits) < k:
        there = {paper for paper, _ in hits}
        without = lexical.any_of(rest.without)
        others = lexical.listing(conn, k + len(hits), scope, without)
        hits += [(paper, 0.0) for paper in others if paper not in there]
    return tuple(hits[:k])


def _some(
    conn: sa.Connection,
    known: Sequence[tuple[int, Term]],
    rest: _Rest,
    k: int,
    scope: Scope,
) -> tuple[tuple[PaperId, float], ...]:
    """The best papers with any of the terms, the rarest that together fit into the budget.

    Terms of a field are required as long as there are others.
    """
    total = 0
    chosen: list[Term] = []
    for n, term in sorted(known, key=lambda pair: (pair[1].column is None, pair[0])):
        total += n if term.column is None else 0
        if chosen and total > BUDGET:
            break
        chosen.append(term)
    if len(chosen) == 1:
        return _best(conn, chosen, rest, k, scope)
    fields = [term for term in chosen if term.column]
    anywhere = [term for term in chosen if not term.column]
    expression = rest.with_any(anywhere or fields)
    if fields and anywhere:
        expression = lexical.both(expression, lexical.all_of(fields))
    return tuple(lexical.rank(conn, expression, k, scope))


def _then(
    first: list[tuple[PaperId, float]], more: list[tuple[PaperId, float]], k: int
) -> list[tuple[PaperId, float]]:
    """First hits followed by those of ``more`` that are not among them, scores never rising."""
    there = {paper for paper, _ in first}
    ceiling = first[-1][1] if first else float("inf")
    rest = [(paper, min(score, ceiling)) for paper, score in more if paper not in there]
    return (first + rest)[:k]


def completed(conn: sa.Connection, terms: tuple[Term, ...]) -> tuple[Term, ...]:
    """The terms with the last one, if it is the start of a word, as a word that begins with it.

    Words are indexed by their stems, so that “generaliz” begins no indexed word although
    “generalization” is there (as “gener”). A shorter start finds papers to look for such a word
    in; other words that it begins (“quar”, typed as “quarks”: “quarterly”) are not meant.
    """
    if not terms or not terms[-1].prefix or has_signs(terms[-1].text):
        return terms
    if len(terms[-1].text) > _LONGEST_WORD:
        return terms
    *before, last = terms
    if lexical.count(conn, lexical.all_of([last]), 1):
        return terms
    for length in range(len(last.text) - 1, _SHORTEST_STEM - 1, -1):
        shorter = replace(last, text=last.text[:length])
        word = None if shorter.empty else lexical.word_begun(conn, last.text, shorter)
        if word:
            return (*before, replace(last, text=word, prefix=False))
    return terms


def parted_terms(
    conn: sa.Connection, terms: tuple[Term, ...]
) -> tuple[tuple[Term, ...], tuple[str, ...]]:
    """The terms, those in Han, kana or Hangul that no paper has as pairs of their signs; notes.

    Such a run of signs may be a whole sentence: no blank shows its words. Pairs that no paper has
    are none of them.
    """
    found: list[Term] = []
    notes: list[str] = []
    for term in terms:
        if not has_signs(term.text) or lexical.count(conn, lexical.all_of([term]), 1):
            found.append(term)
            continue
        parts = [replace(term, text=word, prefix=False) for word in parted(term.text)]
        counts = lexical.document_counts(conn, parts, 1)
        known = [part for n, part in zip(counts, parts, strict=True) if n]
        found += known or [term]
        if len(known) > 1 or (known and known != [term]):
            notes.append(f"No paper has “{term.text}” as it stands; these have parts of it.")
    return tuple(dict.fromkeys(found))[:MAX_TERMS], tuple(notes)


def missing(conn: sa.Connection, terms: Sequence[Term]) -> tuple[str, ...]:
    """That no paper has some terms; nothing where all of them are there."""
    counts = lexical.document_counts(conn, terms, 1)
    gone = [term for n, term in zip(counts, terms, strict=True) if not n]
    return _absent(gone, all_of_them=True)


def _other_forms(conn: sa.Connection, terms: Sequence[Term]) -> tuple[str, ...]:
    """That words in quotes stand in no paper as they are written, though other forms do."""
    gone = [
        term
        for term in terms
        if term.written
        and lexical.count(conn, lexical.all_of([term]), 1)
        and not stands(conn, term)
    ]
    if not gone:
        return ()
    which = "other forms of it are" if len(gone) == 1 else "other forms of them are"
    names = " or ".join(map(shown_name, gone))
    return (f"No paper has {names} in just this form; without quotes {which} found.",)


def _absent(terms: Iterable[Term], *, all_of_them: bool = False) -> tuple[str, ...]:
    names = list(map(shown_name, terms))
    if not names:
        return ()
    sentence = f"No paper has {' or '.join(names)}"
    if all_of_them:
        return (f"{sentence}.",)
    return (f"{sentence}; searched without {'it' if len(names) == 1 else 'them'}.",)


def shown_name(term: Term) -> str:
    """A term in a sentence, a very long one cut."""
    text = term.text if len(term.text) <= _LONGEST_WORD else f"{term.text[:_LONGEST_WORD]}…"
    name = f"“{text}”"
    return f"{name} in its {_PLACES[term.column]}" if term.column else name
