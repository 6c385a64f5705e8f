"""Which shared words to show for two papers: those that tell a subject, as they are written."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from litscape.search.profile import WORD
from litscape.search.stopwords import GENERAL_WORDS, STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Mapping, Sequence

    from litscape.store.lexical import Column, Text

    Counts = Callable[[Iterable[str], Column | None], Mapping[str, int]]
    """From terms and where they have to stand (anywhere: None) to the number of papers with each,
    by the term."""


@lru_cache(maxsize=1 << 16)
def singular(word: str) -> str:
    """An English word in small letters without its plural (Harman 1991)."""
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "sses", "xes", "zes")):
        return word[:-2]
    return word[:-1]


@lru_cache(maxsize=1 << 16)
def _stem(word: str) -> str | None:
    """A word in small letters without plural, None for a stop word."""
    low = word.lower()
    return None if low in STOP_WORDS else singular(low)


MAX_SHOWN = 4
LONGEST = 3
_RARE = 0.05
_RARE_PHRASE = 0.2
"""A word, and a phrase, may be shown if at most this share of the papers has it."""
_HEADED = 0.15
"""At least this share of the papers with a term has it in the title or the keywords: subjects are
named there, while what is said of any subject ("quickly", "greater") is not."""
_IN_HEADING = 2.0
_PHRASE = 2.0
_GENERAL = frozenset(singular(word) for word in GENERAL_WORDS)
_BETWEEN = re.compile(r"[ -]")


@dataclass(frozen=True, slots=True)
class Terms:
    """The words and phrases of one or more papers, by their forms without plural.

    Attributes:
        counts: how often each stands there.
        written: how it is mostly written.
        headed: those in a title or keywords.
    """

    counts: Mapping[str, int]
    written: Mapping[str, str]
    headed: frozenset[str]

    @classmethod
    def of(cls, papers: Sequence[Text], among: Container[str] | None = None) -> Terms:
        """The terms of the papers' titles, keywords and abstracts.

        Of some words alone where these are given; then not how they are written.
        """
        counts: Counter[str] = Counter()
        forms: dict[str, Counter[str]] = {}
        headed: set[str] = set()
        for paper in papers:
            for heading, text in (
                (True, paper.title),
                (True, paper.keywords),
                (False, paper.abstract),
            ):
                for term, form in _terms(text, among):
                    counts[term] += 1
                    if heading:
                        headed.add(term)
                    if among is None:
                        forms.setdefault(term, Counter())[form] += 1
        written = {term: found.most_common(1)[0][0] for term, found in forms.items()}
        return cls(counts, written, frozenset(headed))


def shared_terms(
    own: Terms, others: Sequence[Text], counts: Counts, papers: int
) -> list[tuple[str, ...]]:
    """For each of the others, up to four terms that it shares with some papers, best first.

    Args:
        own: the terms of these papers; they are shown as written there.
        others: the other papers.
        counts: in how many papers of the library terms stand.
        papers: how many papers the library has.
    """
    theirs = [Terms.of([other], own.counts) for other in others]
    shared = [
        {term for term in own.counts.keys() & found.counts.keys() if _subject(term, own, found)}
        for found in theirs
    ]
    headings = own.headed.union(*(found.headed for found in theirs))
    salient = _salience(set().union(*shared), headings, counts, papers)
    return [
        tuple(own.written[term] for term in _best(terms & salient.keys(), own, found, salient))
        for terms, found in zip(shared, theirs, strict=True)
    ]


def _subject(term: str, own: Terms, their: Terms) -> bool:
    """Whether a term may be a subject: not "greater", but "large language model" of a title."""
    general = _GENERAL.intersection(term.split())
    return not general or (
        " " in term and len(general) < 1 + term.count(" ")
        and (term in own.headed or term in their.headed)
    )  # fmt: skip


def _salience(
    terms: set[str], headings: frozenset[str], counts: Counts, papers: int
) -> dict[str, float]:
    """What each term that tells a subject counts for."""
    single = {term for term in terms if " " not in term}
    found = dict(counts(single, None))
    rare = {word for word in single if found[word] <= max(2, _RARE * papers)}
    # Other phrases, of words that are everywhere, tell little and are long in counting.
    phrases = {
        term for term in terms - single if term in headings or rare.intersection(term.split())
    }
    found.update(counts(phrases, None))
    rare |= {term for term in phrases if found[term] <= max(2, _RARE_PHRASE * papers)}
    headed = counts(rare, "heading")
    return {
        term: (math.log((1 + papers) / (1 + found[term])) + 1) * math.sqrt(headed[term])
        / math.sqrt(max(1, found[term]))
        for term in rare
        if headed[term] >= max(1, _HEADED * found[term])
    }  # fmt: skip


def _best(
    terms: Iterable[str], own: Terms, their: Terms, salient: Mapping[str, float]
) -> list[str]:
    """The most telling of the terms; no word is shown twice, nor a form of it."""

    def gain(term: str) -> float:
        value = salient[term] * (1 + math.log(own.counts[term] * their.counts[term]) / 2)
        if term in own.headed or term in their.headed:
            value *= _IN_HEADING
        return value * _PHRASE ** term.count(" ")

    chosen: list[str] = []
    used: list[str] = []
    for term in sorted(terms, key=lambda term: (-gain(term), term)):
        words = term.split()
        if not any(_same_stem(word, other) for word in words for other in used):
            chosen.append(term)
            used += words
    return chosen[:MAX_SHOWN]


def _same_stem(first: str, second: str) -> bool:
    """Whether two words are forms of one, as far as their beginnings tell."""
    length = max(4, min(len(first), len(second)) - 2)
    return first[:length] == second[:length]


def _terms(text: str, among: Container[str] | None) -> Iterable[tuple[str, str]]:
    """The words and phrases of a text: without plural in small letters, and as written.

    A stop word ends a phrase, as everything but a blank or hyphen does, and a word not ``among``
    those that are looked for.
    """
    run: list[tuple[str, int, int]] = []
    for word in WORD.finditer(text):
        stem = _stem(word[0])
        if stem is None or (among is not None and stem not in among):
            run = []
            continue
        start, end = word.span()
        if run and not _BETWEEN.fullmatch(text, run[-1][2], start):
            run = []
        run = [*run, (stem, start, end)][-LONGEST:]
        term = ""
        for stem, start, _ in reversed(run):
            term = f"{stem} {term}" if term else stem
            yield term, text[start:end]
