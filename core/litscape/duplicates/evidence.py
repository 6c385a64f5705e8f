"""What speaks for and against two papers being one work, in words and as a score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from litscape.importers.matching import (
    SCHEME_NAMES,
    ids_conflict,
    kinds_agree,
    maybe_one,
    numbers,
    one_by_identifier,
    one_by_isbn,
    people_agree,
    placed_apart,
    shared_scheme,
    titles_agree,
    twins,
)
from litscape.importers.normalise import title_key

if TYPE_CHECKING:
    from litscape.importers.matching import Brief

CERTAIN = 0.9
"""Scores from here on are of pairs that may be merged without a look at each."""
_SHORT = 12
_NOBODY = frozenset({"anonymous", "anon", "unknown", "na", "nn", "editor", "editors", "editorial"})
_PREPRINT_TYPES = frozenset({"preprint", "unpublished", "posted-content"})
_PREPRINT_VENUES = ("arxiv", "biorxiv", "medrxiv", "chemrxiv", "ssrn", "preprint", "researchsquare")
_PREPRINT_DOIS = ("10.48550/", "10.1101/", "10.21203/", "10.2139/ssrn", "10.31234/", "10.26434/")


@dataclass(frozen=True, slots=True)
class Evidence:
    """How likely two papers are one work.

    Attributes:
        score: from 0 to 1; from :data:`CERTAIN` on they may be merged by themselves.
        why: what speaks for it and against it, in words.
    """

    score: float
    why: tuple[str, ...]

    @property
    def certain(self) -> bool:
        """Whether nothing speaks against merging the two unseen."""
        return self.score >= CERTAIN


def is_preprint(brief: Brief) -> bool:
    """Whether a paper is a preprint, by its type, venue or DOI."""
    if (brief.type or "") in _PREPRINT_TYPES or (brief.doi or "").startswith(_PREPRINT_DOIS):
        return True
    venue = title_key(brief.place[0])
    if venue:
        return any(word in venue for word in _PREPRINT_VENUES)
    return "arxiv" in brief.ids and brief.doi is None


def is_certain(a: Brief, b: Brief) -> bool:
    """Whether two papers are one work beyond doubt; never so with two different DOIs."""
    if ids_conflict(a, b):
        return False
    if shared_scheme(a, b) is not None:
        return one_by_identifier(a, b)
    return one_by_isbn(a, b) or _identical(a, b)


def _identical(a: Brief, b: Brief) -> bool:
    """Whether all that is known of both is equal, and that is enough to tell a work."""
    venue, other = title_key(a.place[0]), title_key(b.place[0])
    schemes = a.ids.keys() & b.ids.keys()
    return (
        twins(a, b)
        and len(a.key) > _SHORT
        and bool(a.families - _NOBODY)
        and a.families == b.families
        and a.year is not None
        and a.year == b.year
        and a.type == b.type
        and (not venue or not other or venue == other)
        and (not a.isbns or not b.isbns or not a.isbns.isdisjoint(b.isbns))
        and all(a.ids[scheme] == b.ids[scheme] for scheme in schemes)
        and is_preprint(a) == is_preprint(b)
        and not placed_apart(a, b)
    )


def weigh(a: Brief, b: Brief, *, noticed: bool = False) -> Evidence | None:
    """The evidence of a pair; None where nothing says that a person should look.

    Args:
        a: a paper.
        b: another one.
        noticed: whether an import suggested the pair.
    """
    if not noticed and not maybe_one(a, b):
        return None
    points = [_identifiers(a, b), _titles(a, b), _people(a, b), _years(a, b), _kinds(a, b)]
    score = 0.15 + sum(value for value, _word in points)
    why = tuple(word for _value, word in points if word)
    if is_certain(a, b):
        return Evidence(round(max(score, CERTAIN) if score <= 1 else 1.0, 2), why)
    return Evidence(round(min(max(score, 0.05), CERTAIN - 0.01), 2), why)


_Point = tuple[float, str]


def _identifiers(a: Brief, b: Brief) -> _Point:
    scheme = shared_scheme(a, b)
    if scheme is not None:
        return 0.4, f"same {SCHEME_NAMES.get(scheme, scheme)}"
    if ids_conflict(a, b):
        return -0.15, "different DOIs"
    if not a.isbns.isdisjoint(b.isbns):
        return 0.2, "same ISBN"
    return 0.0, ""


def _titles(a: Brief, b: Brief) -> _Point:
    if not a.key or not b.key:
        return 0.0, "without title" if not a.key and not b.key else "one without title"
    if numbers(a.title) != numbers(b.title):
        return -0.3, "other numbers in the title"
    if a.key == b.key:
        return 0.35, "same title"
    short, long = sorted((a.key, b.key), key=len)
    if long.startswith(short):
        return 0.25, "one title is longer"
    return (0.25, "similar title") if titles_agree(a, b) else (-0.3, "different titles")


def _people(a: Brief, b: Brief) -> _Point:
    if not a.families or not b.families:
        return 0.0, "authors unknown" if not a.families and not b.families else ""
    if a.families == b.families:
        return 0.2, "same authors"
    return (0.15, "authors in common") if people_agree(a, b) else (-0.3, "different authors")


def _years(a: Brief, b: Brief) -> _Point:
    if a.year is None or b.year is None:
        return 0.0, ""
    if a.year == b.year:
        return 0.1, "same year"
    first, last = sorted((a.year, b.year))
    return -0.05 * min(last - first, 4), f"years differ: {first}, {last}"


def _kinds(a: Brief, b: Brief) -> _Point:
    if not kinds_agree(a, b):
        return -0.2, "a book and a part of one"
    if is_preprint(a) != is_preprint(b):
        return 0.0, "preprint and published version"
    return (-0.1, "other pages of one venue") if placed_apart(a, b) else (0.0, "")
