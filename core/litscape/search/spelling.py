"""Words that no paper has, as words near to them that papers have.

A word is compared with the stems of the text index: by which letters they have first, then by the
number of letters to change, add, drop or exchange with a neighbour (the restricted distance of
Damerau and Levenshtein), for all stems at once.
"""

from __future__ import annotations

import re
import threading
from bisect import bisect_left
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from litscape.search.parts import AllOf, AnyOf, Not, fold
from litscape.search.words import completed, parted_terms
from litscape.sorting import has_signs, search_letters
from litscape.store import lexical
from litscape.store.lexical import Term
from litscape.store.vocabulary import counted, forms, read_stems, stems_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import sqlalchemy as sa
    from numpy.typing import NDArray

    from litscape.search.parts import Group, Leaf, Node
    from litscape.search.query import Query
    from litscape.store.database import Database

    Letters = NDArray[np.uint16]
    Numbers = NDArray[np.int64]

SMALL = 20_000
"""Papers of a library whose stems are read within a search, in some 0.1 s."""
_SHORTEST = 4
_TWO_SLIPS = 7
"""Letters of a word in which two slips are likely."""
_WIDTH = 20
_REMEMBERED = 1000
_MOST_TRIED = 8
"""Words of a query that are looked at for slips: a text with more is not in the library's words."""
_NAMED = 5
"""Words of groups that are named where no paper has them."""
_BEGUN, _ENDING = 4, 6
"""Letters at the end of a word, being typed or whole, that a stem may lack."""
_CANDIDATES = 8
_LOOSE = 6
"""Letters of a word that may have an ending which a slip hides from the stemmer."""
_DECADE = 0.35
"""Slips that ten times as many papers make up for: a rare word may be a slip itself."""
_STRANGE, _SHORT = 0.5, 0.3
"""What another first letter counts as, and a word that ends before what is typed."""
_WORD = re.compile(r"[^\W_]+")


def allowed(word: str) -> int:
    """How many slips a word may have: none in a short one, in a number, or in capitals."""
    if len(word) < _SHORTEST or not word.isalpha() or (word.isupper() and len(word) < 7):
        return 0
    return 1 if len(word) < _TWO_SLIPS else 2


@dataclass(frozen=True, slots=True)
class _Stems:
    words: list[str]
    counts: Numbers
    letters: Letters
    lengths: Numbers
    kinds: NDArray[np.uint64]
    papers: int

    def outgrown(self, papers: int) -> bool:
        """Whether they were read with clearly more or fewer papers than there are."""
        return abs(papers - self.papers) > self.papers // 200


class Speller:
    """The stems of one library, read when they are first needed and again as it grows."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._stems: _Stems | None = None
        self._known: dict[tuple[str, bool], list[str]] = {}

    def prepare(self, papers: int) -> None:
        """Read the stems unless that was done with about as many papers.

        Args:
            papers: how many there are now.
        """
        with self._lock:
            known = self._stems
            if known is None or known.outgrown(papers):
                words, counts = read_stems(self._database)
                letters = _letters(words)
                lengths = np.count_nonzero(letters, axis=1)
                self._stems = _Stems(words, counts, letters, lengths, _kinds(letters), papers)
                self._known = {}

    def counts(self, words: Sequence[str], papers: int) -> dict[str, int]:
        """In how many papers words stand, of those that the stems tell; no library is asked.

        Args:
            words: in small letters.
            papers: how many the library has; none is told where the stems are of another number.
        """
        stems = self._stems
        if stems is None or stems.outgrown(papers):
            return {}
        found = {}
        for word, made in stems_of(words).items():
            if len(made) == 1 and counted(made[0]):
                place = bisect_left(stems.words, made[0])
                there = place < len(stems.words) and stems.words[place] == made[0]
                found[word] = int(stems.counts[place]) if there else 0
        return found

    def near(self, word: str, papers: int, *, begun: bool = False) -> list[str]:
        """Words of papers that one is most likely a slip of, best first.

        Args:
            word: one word; accents and capitals do not count.
            papers: how many the library has.
            begun: it is still being typed, so that what is near may go on; in a large library
                nothing is near until the stems have been read.
        """
        plain = search_letters(word).casefold()
        slips = allowed(word) if plain.isalpha() else 0
        if not slips:
            return []
        if not (begun and papers > SMALL):
            self.prepare(papers)
        stems = self._stems
        if stems is None:
            return []
        key = (plain, begun)
        if key not in self._known:
            if len(self._known) > _REMEMBERED:
                self._known.clear()
            self._known[key] = self._found(stems, plain, slips, begun=begun)
        return self._known[key]

    def _found(self, stems: _Stems, plain: str, slips: int, *, begun: bool) -> list[str]:
        if begun:
            chosen = _nearest(stems, plain, slips, _BEGUN, begun=True)
            return self._mended(stems, plain, slips, chosen, begun=True)
        own = "".join(stems_of([plain])[plain]) or plain
        chosen = _nearest(stems, own, slips)
        if len(plain) >= _LOOSE:
            chosen += _nearest(stems, plain, slips, _ENDING)
        return self._mended(stems, plain, slips, list(dict.fromkeys(chosen)))

    def _mended(
        self, stems: _Stems, plain: str, slips: int, chosen: list[int], *, begun: bool = False
    ) -> list[str]:
        """The words of some stems that a few slips lead to, best first."""
        longest = 100 if begun else len(plain) + slips
        found = forms(self._database, [stems.words[i] for i in chosen], len(plain) - slips, longest)
        counts = {stems.words[i]: int(stems.counts[i]) for i in chosen}
        ranked = [
            (counts[stem], often, form)
            for stem, its in found.items()
            for form, often in its.items()
        ]
        if not ranked:
            return []
        far = distances(plain, _letters([form for _n, _often, form in ranked]), begun=begun)
        short = len(plain) if begun else 0
        weights = _frequent(np.array([n for n, _often, _form in ranked]))
        keyed = sorted(
            (
                d - more + _STRANGE * (form[:1] != plain[:1]) + _SHORT * (len(form) < short),
                -often,
                form,
            )
            for d, more, (_n, often, form) in zip(
                far.tolist(), weights.tolist(), ranked, strict=True
            )
            if d <= slips
        )
        return [form for *_key, form in keyed]


def _nearest(
    stems: _Stems, own: str, slips: int, ending: int = 0, *, begun: bool = False
) -> list[int]:
    """The stems nearest to a word, the most frequent first among equals.

    Args:
        stems: all stems.
        own: the word, or its stem.
        slips: how many slips it may be away.
        ending: letters at the word's end that a stem may lack.
        begun: whether stems may go on.
    """
    size = min(len(own) + slips, _WIDTH)
    mine = _letters([own])
    same = stems.letters[:, 0] == mine[0, 0]
    fits = stems.lengths >= max(_SHORTEST - 1, len(own) - ending - slips)
    fits &= same if ending else fits
    if not begun:
        fits &= stems.lengths <= size
    rows = np.flatnonzero(fits)
    kinds = _kinds(stems.letters[rows, :size]) if begun else stems.kinds[rows]
    # A slip brings in one letter at most that the word lacks.
    rows = rows[np.bitwise_count(kinds & ~_kinds(mine)) <= (2 * slips if begun else slips)]
    far = distances(own, stems.letters[rows, :size], begun=begun, ending=ending)
    close = (far <= slips) & (same[rows] | (far < 2) & (len(own) > _SHORTEST))
    near, far, same = rows[close], far[close], same[rows[close]]
    odds = far + _STRANGE * ~same - _frequent(stems.counts[near])
    return [int(near[i]) for i in np.argsort(odds, kind="stable")[:_CANDIDATES]]


def _frequent(papers: Numbers) -> NDArray[np.float64]:
    """What the number of papers of a word makes up for, in slips."""
    return np.asarray(_DECADE * np.log10(papers + 1.0))


def _letters(words: Sequence[str]) -> Letters:
    """(n, 20) the letters of words as numbers, 0 after their ends."""
    text = "".join(word[:_WIDTH].ljust(_WIDTH, "\0") for word in words)
    found = np.frombuffer(text.encode("utf-32-le", "replace"), dtype=np.uint32)
    return np.minimum(found, 0xFFFF).astype(np.uint16).reshape(-1, _WIDTH)


def _kinds(letters: Letters) -> NDArray[np.uint64]:
    """(n,) which letters words have, as bits."""
    bits = np.uint64(1) << (letters % 64).astype(np.uint64)
    bits[letters == 0] = 0
    return np.asarray(np.bitwise_or.reduce(bits, axis=1), dtype=np.uint64)


def distances(word: str, letters: Letters, *, begun: bool = False, ending: int = 0) -> Numbers:
    """(n,) how many slips lie between a word and others.

    Args:
        word: one word.
        letters: (n, 20) the others.
        begun: to the nearest beginning of each instead.
        ending: letters that may end the begun word and not be compared, for stems lack theirs.
    """
    rows, width = letters.shape
    own = _letters([word])[0]
    size = min(len(word), _WIDTH)
    columns = np.ascontiguousarray(letters.T)
    lengths = np.count_nonzero(letters, axis=1)
    whole = np.full(rows, width, dtype=np.int8)
    before = np.zeros((width + 1, rows), dtype=np.int8)
    last = np.repeat(np.arange(width + 1, dtype=np.int8)[:, None], rows, axis=1)
    for i in range(1, size + 1):
        now = np.empty_like(last)
        now[0] = i
        for j in range(1, width + 1):
            cost = columns[j - 1] != own[i - 1]
            best = np.minimum(np.minimum(last[j], now[j - 1]) + 1, last[j - 1] + cost)
            if i > 1 and j > 1:
                crossed = (columns[j - 2] == own[i - 1]) & (columns[j - 1] == own[i - 2])
                best = np.where(crossed, np.minimum(best, before[j - 2] + 1), best)
            now[j] = best
        before, last = last, now
        if ending and i >= size - ending:
            whole = np.minimum(whole, last[lengths, np.arange(rows)])
    found = np.minimum(last[lengths, np.arange(rows)], whole)
    if begun:
        inside = np.arange(width + 1)[:, None] <= lengths
        found = np.minimum(found, np.where(inside, last, width).min(axis=0))
    return np.asarray(found, dtype=np.int64)


@dataclass(slots=True)
class _Corrector:
    """Makes one query's words ones that papers have, and notes what it changed."""

    conn: sa.Connection
    speller: Speller
    papers: int
    notes: list[str]
    changed: dict[str, str]
    absent: dict[str, None]
    tried: int = 0

    def term(self, term: Term) -> Term:
        """A wanted word, or the one that was most likely meant."""
        if term.exact or has_signs(term.text):
            return term
        # Whether a short start of a word is there costs most, and nothing is near to it.
        if not any(allowed(word) for word in _WORD.findall(term.text)):
            return term
        if self._there(replace(term, column=None)):
            return term
        if term.prefix and completed(self.conn, (term,)) != (term,):
            return term  # it begins a word, beyond its stem
        text = _WORD.sub(lambda found: self._word(found[0], term), term.text)
        if text == term.text:
            return term
        meant = Term(text, term.column, exact=True)
        self.changed[f"“{term.text}{'…' if term.prefix else ''}”"] = f"“{text}”"
        return meant

    def said(self) -> tuple[str, ...]:
        """What was searched in place of what, and what else there is to say."""
        if self.absent:
            names, more = list(self.absent)[:_NAMED], len(self.absent) - _NAMED
            others = f" or {more:,} others" if more > 0 else ""
            self.notes.append(f"No paper has {' or '.join(names)}{others}.")
        if not self.changed:
            return tuple(dict.fromkeys(self.notes))
        it = "they are" if len(self.changed) > 1 else "it is"
        note = (
            f"No paper has {' or '.join(self.changed)}: searched"
            f" {', '.join(self.changed.values())} instead; in quotes {it} not corrected."
        )
        return tuple(dict.fromkeys((note, *self.notes)))

    def _word(self, word: str, term: Term) -> str:
        if self.tried >= _MOST_TRIED or self._there(Term(word, prefix=term.prefix)):
            return word
        self.tried += 1
        near = self.speller.near(word, self.papers, begun=term.prefix)
        return next((one for one in near if self._there(Term(one, term.column))), word)

    def _there(self, term: Term) -> bool:
        return lexical.count(self.conn, lexical.all_of([term]), 1) > 0

    # -- groups ----------------------------------------------------------------------------------

    def group(self, group: AnyOf) -> Node:
        """A group with its words settled."""
        return fold(group, self._leaf, _rebuilt)

    def _leaf(self, leaf: Leaf | Not) -> Node:
        if not isinstance(leaf, Term):
            return leaf
        (term,) = completed(self.conn, (self.term(leaf),))
        terms, said = parted_terms(self.conn, (term,))
        self.notes += said
        if not self._there(term) and not said:
            self.absent[f"“{term.text}”"] = None
        return AllOf(terms) if len(terms) > 1 else terms[0]


def _rebuilt(group: Group, parts: list[Node]) -> Node:
    return type(group)(tuple(parts))


def corrected(
    conn: sa.Connection, query: Query, speller: Speller, papers: int
) -> tuple[Query, tuple[str, ...]]:
    """A query with words that papers have, and what was searched in place of what.

    Words in quotes, in signs of Han and the like, and those left out stay as they are typed.
    """
    corrector = _Corrector(conn, speller, papers, [], {}, {})
    terms = tuple(dict.fromkeys(corrector.term(term) for term in query.terms))
    groups = tuple(corrector.group(group) for group in query.groups)
    kept = tuple(one for one in groups if isinstance(one, AnyOf))
    return replace(query, terms=terms, groups=kept), corrector.said()
