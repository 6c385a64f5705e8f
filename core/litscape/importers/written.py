"""Title and year of a work cited on one line, in the usual styles: IEEE, APA, Vancouver, ACM, LNCS.

A title is told where the names before it can be read, or where it stands in quotes: what can't be
told is None, never the journal.
"""

from __future__ import annotations

import re
from functools import lru_cache

from litscape.importers.normalise import title_key

_YEAR = r"(?:1[5-9]\d\d|20\d\d)"
_DATED = re.compile(rf"\(({_YEAR})[a-z]?(?:,[^()]{{0,20}})?\)")
_ANY_YEAR = re.compile(rf"(?<![\d/.\-–:])({_YEAR})[a-z]?(?![\d/–]|\.\d|-\d)")
_IDS = re.compile(r"https?://\S+|10\.\d{4,}\S*|arxiv:\S+|\d{4}\.\d{4,5}", re.I)
_NUMBERED = re.compile(r"^\s*(?:\\bibitem(?:\[[^\]]*\])?\{[^}]*\}|\[\w{1,12}\]|\(?\d{1,4}[.)])\s*")
_TEX = re.compile(r"\\newblock\b|\\(?:em|it|bf|sc|textit|textbf|emph)\b|[{}]")
_QUOTED = re.compile(
    r"(?:^|[.,:;)]|\d)\s*(?:[“\"„«]|``)\s*([^”\"“»]{4,300}?)(?:[,.]\s*(?:[”\"“»]|'')"
    r"|(?<=[?!])(?:[”\"“»]|'')|(?:[”\"“»]|'')(?=\s*(?:[,.;]|in\b|$)))",
    re.I,
)
_LONG_QUOTED = re.compile(r"[“\"„«]\s*([^”\"“»]{15,300}?)[,.]?\s*[”\"“»]")
_WORD = r"[^\W\d_][\w'’-]*"
_UPPER = r"(?-i:[A-Z\u00c0-\u00de\u0100-\u024f\u0391-\u03a9\u0410-\u042f])"
_PARTICLES = r"(?:(?:von|van|der|den|de|del|della|di|da|dos|du|la|le|ter|ten|al|el|st\.?) )*"
_FAMILY = rf"{_PARTICLES}{_UPPER}[\w'’]*(?:-{_WORD})*"
_LETTERS = rf"{_UPPER}h?\.(?:[ -]?{_UPPER}h?\.)*"
_SUFFIX = r"(?:,? (?:Jr\.?|Sr\.?|II|III|IV))?"
_NAMES = (
    rf"{_FAMILY}(?: {_FAMILY})?, {_LETTERS}{_SUFFIX}",  # Breiman, L.
    rf"{_LETTERS} ?{_FAMILY}(?: {_FAMILY})?{_SUFFIX}",  # L. Breiman
    rf"{_FAMILY} {_LETTERS}",  # Breiman L.
    rf"{_FAMILY}(?: {_FAMILY})? {_UPPER}{{1,3}}(?=[,.;:]|\s\(|\sand\b|\set\b|\s&|$)",  # Breiman L
)
_FULL = (
    rf"{_FAMILY}, {_FAMILY}(?: {_UPPER}\.?)*",  # Breiman, Leo
    rf"{_FAMILY}(?: (?:{_FAMILY}|{_UPPER}\.)){{1,3}}",  # Leo Breiman, Michael I. Jordan
)
_AND = r"(?:\s*[,;]?\s*(?:&|\band\b|\bund\b|\bet\b(?!\s+al))\s*|\s*[,;]\s*)"
_OTHERS = r"(?:\s*,?\s*(?:and\s+|&\s*)?(?:et al\.?|others))?"
_EDITED = r"(?:,?\s*\(?eds?\.\)?)?"


def _people(*forms: str) -> re.Pattern[str]:
    one = "(?:" + "|".join(forms) + ")"
    return re.compile(rf"{one}(?:{_AND}(?:\.\.\.|…)?\s*{one}){{0,60}}{_OTHERS}{_EDITED}")


_PEOPLE = _people(*_NAMES)
_FULL_PEOPLE = _people(*_FULL, *_NAMES[:2])
_BEHIND = re.compile(
    rf"\s*(?P<mark>[.,:;]?)\s*(?P<year>\(?{_YEAR}[a-z]?(?:,[^()]{{0,20}})?\)?\s*[.,:]?\s+)?"
)
_END = re.compile(r"(?<=[^\W\d_]{2})[.]\s+(?=\S)|(?<=[\d)])\.\s+(?=[^\W\d_])|\.\s*$|[?!]\s+|$")
_PLACED = re.compile(
    r"\b\d+\s*\(\d+\)|\b\d+\s*:\s*e?\d+|\bvol\.?\s*\d|\bpp?\.\s*\d|\b[VP]\d+\b|\d\s*[-–]{1,2}\s*\d+"
    rf"\s*(?:,|\(|$)|\({_YEAR}\)|,\s*{_YEAR}\W*$|\bdoi\b|https?://",
    re.I,
)
_PLACE_ALONE = re.compile(r"(?:vol|no|pp?|art)\.|[\d(]", re.I)
_NO_TITLE_WORDS = (
    "editorial introduction preface foreword erratum corrigendum correction comment reply response"
    " discussion conclusion conclusions letter letters bookreview lettertotheeditor obituary"
    " proceedings abstract abstracts"
)
_NO_TITLES = frozenset(_NO_TITLE_WORDS.split())
_LEAST = 8
"""Letters that a title has that is read from a text."""


def plain_text(text: str) -> str:
    """A reference without its number and without LaTeX, spaces folded."""
    found = text
    if "\\" in found or "{" in found or "~" in found:
        from litscape.importers.latex import to_unicode  # seldom needed

        found = _TEX.sub(" ", _NUMBERED.sub("", found, count=1).replace("~", " "))
        found = to_unicode(found) if "\\" in found else found
    return re.sub(r" (?=[.,:;])", "", " ".join(_NUMBERED.sub("", found, count=1).split()))


def begins_with_names(text: str) -> bool:
    """Whether a text begins as names are written."""
    return bool(_PEOPLE.match(text) or _FULL_PEOPLE.match(text))


@lru_cache(maxsize=4096)
def year_in(text: str) -> int | None:
    """The year of a reference: the last one in brackets, else the last that is no page."""
    bare = _IDS.sub(" ", text)
    years = _DATED.findall(bare) or _ANY_YEAR.findall(bare)
    return int(years[-1]) if years else None


@lru_cache(maxsize=4096)
def title_in(text: str) -> str | None:
    """The title that stands in a reference; None where it can't be told for sure."""
    whole = plain_text(text[:4000])
    quoted = _QUOTED.search(whole) or _LONG_QUOTED.search(whole)
    if quoted:
        return _sound(quoted[1])
    for people in (_PEOPLE, _FULL_PEOPLE):
        named = people.match(whole)
        if named is None:
            continue
        behind = _BEHIND.match(whole, named.end())
        if behind is None or not (behind["mark"] or behind["year"]):
            # A name that ends in a full stop needs no other mark: "Breiman, L. Random forests."
            if whole[named.end() - 1] != ".":
                continue
            behind = None
        start = behind.end() if behind else named.end()
        commas = bool(behind and behind["mark"] == "," and not behind["year"])
        rest = whole[start:].strip()
        return _sound(_between_commas(rest) if commas else rest[: _ended(rest)])
    return None


def _ended(rest: str) -> int:
    found = _END.search(rest)
    return found.start() if found and found[0] else len(rest)


def _between_commas(rest: str) -> str:
    """``Random forests, Mach. Learn. 45 (2001) 5``: what stands before the journal."""
    parts = rest.split(", ")
    placed = next((n for n, part in enumerate(parts) if re.search(r"\d", part)), len(parts))
    if placed < len(parts) and _PLACE_ALONE.match(parts[placed]):
        placed -= 1
    return ", ".join(parts[: max(placed, 0)]) if placed < len(parts) else ""


def is_placed(text: str) -> bool:
    """Whether a text says volume, pages or year: it is no title then."""
    return bool(_PLACED.search(text))


def _sound(title: str) -> str | None:
    """A title without marks at its ends; None where it is none or says nothing."""
    found = title.strip(" .,;:")
    key = title_key(found)
    if (len(key) < _LEAST and key.isascii()) or key in _NO_TITLES or is_placed(found):
        return None
    return found or None
