"""Names of people and bodies in plain text, as RIS, CSL and JSON sources write them."""

from __future__ import annotations

import re
from functools import lru_cache

from litscape.importers.normalise import fold
from litscape.paper import Author

_SUFFIX = re.compile(r"(?:Jr|Sr|Jnr|Snr|I{2,3}|IV|VI{0,3}|2nd|3rd|4th|Ph\.?D|M\.?D|Esq)\.?", re.I)
_INITIALS = re.compile(r"(?:[^\W\d_]\.?-?){1,4}")
_DOTTED = re.compile(r"(?:[^\W\d_]\.[ -]?)+(?:[^\W\d_]\.?)?")
_BODY = re.compile(
    # Words that are also family names (Press, Bank, Court) are left out: a person is likelier.
    r"\b(?:society|group|universit\w*|department|dept|institut\w*|association|committee|consortium"
    r"|council|centre|center|organi[sz]ation|ministry|office|agency|bureau|commission|foundation"
    r"|federation|network|team|project|collaboration|academy|college|hospital|museum|company"
    r"|corp(?:oration)?|inc|ltd|llc|gmbh|laborator\w*|services?|program(?:me)?|initiative"
    r"|task force|authority|administration|government|parliament|alliance|gesellschaft|verein"
    r"|verband|ministerium|societe|société|comité|instituto|universidad|ministère|for|of the)\b",
    re.I,
)
_AND = re.compile(r"\s+(?:and|und|et|y|&)\s+(?!al\b)|\s*;\s*", re.I)
_OTHERS = re.compile(r"(?:and\s+)?(?:et\.?\s*al\.?|others|u\.\s?a\.)", re.I)


def is_others(text: str) -> bool:
    """Whether a name says only that the list goes on (``et al.``, ``others``)."""
    return bool(_OTHERS.fullmatch(fold(text)))


def _particle(tokens: list[str]) -> int:
    """How many leading words of a family name are a particle (lower case, never the last word)."""
    count = 0
    while count < len(tokens) - 1 and tokens[count][:1].islower():
        count += 1
    return count


def from_parts(family: str | None, given: str | None, suffix: str | None = None) -> Author | None:
    """An author of name parts; a particle is taken off the family name; one part is a literal."""
    family, given, suffix = (fold(part) if part else "" for part in (family, given, suffix))
    if not given or not family:
        whole = " ".join(filter(None, (given or family, suffix)))
        return Author(literal=whole) if whole else None
    tokens = family.split(" ")
    lead = _particle(tokens)
    return Author(
        family=" ".join(tokens[lead:]),
        given=given,
        particle=" ".join(tokens[:lead]) or None,
        suffix=suffix or None,
    )


def _with_comma(text: str) -> Author | None:
    parts = [fold(part) for part in text.split(",")]
    if not parts[-1]:
        return Author(literal=fold(text.rstrip(", "))) if text.strip(", ") else None
    if len(parts) == 2:
        if _SUFFIX.fullmatch(parts[1]) and " " in parts[0]:
            person = _natural(parts[0])
            return Author(person.family, person.given, person.particle, parts[1], person.literal)
        return Author(literal=fold(text)) if _BODY.search(parts[1]) else from_parts(*parts)
    if len(parts) == 3:
        if _SUFFIX.fullmatch(parts[2]):
            return from_parts(parts[0], parts[1], parts[2])
        if _SUFFIX.fullmatch(parts[1]):
            return from_parts(parts[0], parts[2], parts[1])
        if _INITIALS.fullmatch(parts[2].replace(" ", "")):
            return from_parts(parts[0], f"{parts[1]} {parts[2]}")
    return Author(literal=fold(text))


def _natural(text: str) -> Author:
    """``Given particle Family Suffix``; a single word or a body is a literal."""
    tokens = text.split(" ")
    suffix = None
    if len(tokens) > 2 and _SUFFIX.fullmatch(tokens[-1]):
        suffix = tokens.pop()
    if len(tokens) == 1:
        return Author(literal=text)
    low = [n for n, token in enumerate(tokens[:-1]) if n and token[:1].islower()]
    start = low[0] if low else len(tokens) - 1
    last = low[-1] + 1 if low else start
    return Author(
        family=" ".join(tokens[last:]),
        given=" ".join(tokens[:start]),
        particle=" ".join(tokens[start:last]) or None,
        suffix=suffix,
    )


@lru_cache(maxsize=50_000)
def natural(text: str) -> Author:
    """One author in the order ``Given Family``, or ``Family, Given``; folded, not empty."""
    if "," in text:
        return _with_comma(text) or Author(literal=text)
    return Author(literal=text) if _BODY.search(text) else _natural(text)


@lru_cache(maxsize=50_000)
def inverted(text: str) -> Author:
    """One author of a format that writes ``Family, Given, Suffix``; folded, not empty.

    Without a comma: initials tell the order (``Fanning E.``, ``G. Kalbe``), else as spoken.
    """
    if "," in text:
        return _with_comma(text) or Author(literal=text)
    if _BODY.search(text):
        return Author(literal=text)
    tokens = text.split(" ")
    if len(tokens) > 1 and not _DOTTED.fullmatch(tokens[0]) and not _SUFFIX.fullmatch(tokens[-1]):
        last = tokens[-1]
        bare = len(tokens) == 2 and last.isupper() and len(last) <= 3 and not tokens[0].isupper()
        if _DOTTED.fullmatch(last) or bare:
            return from_parts(" ".join(tokens[:-1]), last) or Author(literal=text)
    return _natural(text)


def natural_list(text: str) -> list[Author]:
    """All authors of one text in spoken order, parted by ``and``, ``&`` or ``;``."""
    folded = fold(text)
    if not folded:
        return []
    if _BODY.search(folded):
        return [natural(folded)]
    return [natural(part) for part in _AND.split(folded) if part and not is_others(part)]
