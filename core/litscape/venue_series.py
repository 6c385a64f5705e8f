"""Names of journals and meetings without what tells one year's volume from the next.

Rules of how volumes are named, no list of venues: years, ordinals, volumes and parts are left out;
a joint meeting counts with the one that is named first; an acronym is one with the name that it
stands beside ("… (EMNLP)", "COLING, the …"), or whose initials it is.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_YEAR = re.compile(r"[’']\d\d(?!\d)|(?<!\w)(?:19|20)\d\d(?!\w)|\b\d+(?:st|nd|rd|th)\b", re.I)
_IN_FULL = re.compile(r"(?<!\w)(?:19|20)\d\d(?!\w)")
_MEETING = r"(?:conference|workshop|meeting|symposium|congress|international)"
_ORDINAL = re.compile(
    r"\b(?:(?:twenty|thirty|forty|fifty|sixty)[- ]?)?(?:first|second|third|fourth|fifth|sixth|"
    r"seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|"
    r"seventeenth|eighteenth|nineteenth|twentieth|thirtieth)\b"
    rf"(?=(?:\W+\w+){{0,3}}\W+{_MEETING}\b)",
    re.I,
)
_PROCEEDINGS = re.compile(r"^\s*(?:in:?\s+)?(?:conference\s+)?proceedings\s+of\s+(?:the\s+)?", re.I)
_PART = re.compile(r"[(:,–-]\s*(?:volume|vol\.|part|long papers|short papers)\b.*$", re.I)
_JOINT = re.compile(
    rf"\s*(?:,|\band\b|&|/)\s+(?:the\s+)?(?:[\w-]+\s+){{0,3}}?joint\s+(?:\w+\s+)?{_MEETING}\b"
    r".*?(?=\(|$)",
    re.I,
)
_UNDER = re.compile(r"^((?:\S+\s+){3,}\S+?)\s*:\s+\S.*$")
"""A name of several words, and what follows its colon."""
_BESIDE = re.compile(r"^(.{8,}?)\s*\(([A-Z][\w-]*[A-Z][\w-]*)\)$")
_BEFORE = re.compile(r"^([A-Z][\w-]*[A-Z][\w-]*)\s*,\s+the\s+(.{8,})$")
_ACRONYM = re.compile(r"^[A-Z][A-Za-z]*[A-Z][A-Za-z]*$")
_SMALL = frozenset(
    ("a", "an", "and", "at", "by", "for", "from", "in", "of", "on", "the", "to", "und", "der", "de",
     "la", "et")
)  # fmt: skip
_GENERAL = frozenset(
    ("annual", "international", "conference", "meeting", "workshop", "symposium", "congress",
     "proceedings")
)  # fmt: skip
_LEAST = 3


def series(venue: str) -> str:
    """A venue without what tells one year's from the next: ``ICLR 2018`` is of ``ICLR``."""
    bare = _PART.sub(" ", _PROCEEDINGS.sub("", venue))
    bare = _ORDINAL.sub(" ", _YEAR.sub(" ", bare))
    bare = _tidy(_JOINT.sub(" ", _tidy(bare)))
    under = _UNDER.match(bare)
    if under is not None:
        bare = _tidy(under[1])
    return bare or venue


def _tidy(text: str) -> str:
    text = re.sub(r"\(\s*\)", " ", text)
    text = " ".join(text.split()).replace(" )", ")").replace(" ,", ",")
    return text.strip(" ,;:-–")


def joined(venues: Iterable[str]) -> dict[str, str]:
    """The series of each of some names of venues, acronyms with the names that they stand for.

    Args:
        venues: as papers have them; one that many have may stand many times.
    """
    numbers = Counter(iter(venues))
    bare = {venue: series(venue) for venue in numbers}
    papers: Counter[str] = Counter()
    for venue, number in numbers.items():
        papers[_parted(bare[venue])[0]] += number
    # What a name says itself comes before what initials let one guess.
    stands = {acronym: full for full, acronym in map(_parted, bare.values()) if acronym}
    names = [name for name in papers if not _ACRONYM.match(name)]
    for name in papers:
        if _ACRONYM.match(name) and name not in stands:
            fits = {other.casefold(): other for other in names if initials_fit(name, other)}
            if len(fits) == 1:
                stands[name] = next(iter(fits.values()))
    found = {}
    for venue, name in bare.items():
        full, _acronym = _parted(name)
        found[venue] = stands.get(full, full)
    return found


def grouped(venues: Sequence[str], papers: Sequence[int]) -> tuple[list[str], list[int]]:
    """The series of some venues, in the order of the first of each, and which each is of.

    Args:
        venues: each once.
        papers: how many papers have it.
    """
    found = joined(itertools.chain.from_iterable(map(itertools.repeat, venues, papers)))
    places: dict[str, int] = {}
    of = [places.setdefault(found[venue], len(places)) for venue in venues]
    return list(places), of


def short_names(venues: Sequence[str]) -> list[str]:
    """What tells each of some venues from the others: its series with its year or number.

    "Proceedings of", volumes, joint meetings and what follows a colon are left out, unless two
    would be called the same by that.
    """
    short = [_short(venue) for venue in venues]
    told = Counter(name.casefold() for name in short)
    return [
        venue if told[name.casefold()] > 1 else name
        for name, venue in zip(short, venues, strict=True)
    ]


def _short(venue: str) -> str:
    bare = _tidy(_JOINT.sub(" ", _tidy(_PART.sub(" ", _PROCEEDINGS.sub("", venue)))))
    under = _UNDER.match(bare)
    bare = (_tidy(under[1]) if under is not None else bare) or venue
    years = _IN_FULL.findall(venue)
    return bare if not years or years[0] in bare else f"{bare} {years[0]}"


def _parted(name: str) -> tuple[str, str]:
    """A name and the acronym that it gives itself; empty where it gives none."""
    beside, before = _BESIDE.match(name), _BEFORE.match(name)
    if beside is not None:
        # Of "EMNLP-IJCNLP", a joint meeting, the first.
        return _tidy(beside[1]), beside[2].split("-")[0]
    if before is not None:
        return _tidy(before[2]), before[1]
    return name, ""


def initials_fit(acronym: str, name: str) -> bool:
    """Whether an acronym is made of the initials of a name, general words in it or not."""
    letters = "".join(one for one in acronym if one.isupper()).casefold()
    words = [word.casefold() for word in re.findall(r"[^\W\d_]+", name)]
    telling = [word for word in words if word not in _SMALL]
    if len(letters) < _LEAST or len(telling) < _LEAST:
        return False
    if "".join(word[0] for word in telling) == letters:
        return True
    own = [word[0] for word in telling if word not in _GENERAL]
    if len(own) < _LEAST or own[0] != letters[0] or own[-1] != letters[-1]:
        return False
    rest = iter(own)
    return len(letters) >= len(own) - 1 and all(letter in rest for letter in letters)
