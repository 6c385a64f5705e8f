"""Names of people and bodies in plain text, as RIS, CSL and JSON sources write them."""

from __future__ import annotations

import re
from functools import lru_cache

from litscape.importers.normalise import fold
from litscape.paper import Author

_SUFFIX = re.compile(r"(?:Jr|Sr|Jnr|Snr|I{2,3}|IV|VI{0,3}|2nd|3rd|4th|Ph\.?D|M\.?D|Esq)\.?", re.I)
_INITIALS = re.compile(r"(?:[^\W\d_]\.?-?){1,4}")
_DOTTED = re.compile(r"(?:[^\W\d_]\.[ -]?)+(?:[^\W\d_]\.?)?")
_BODY_NAMES = (
    # Words that are also family names (Press, Bank, Court) are left out: a person is likelier.
    "society group department dept association committee consortium council centre center"
    " organization organisation ministry office agency bureau commission foundation federation"
    " network team project collaboration academy college hospital museum company corp corporation"
    " inc ltd llc gmbh service services program programme initiative authority administration"
    " government parliament alliance gesellschaft verein verband ministerium societe société comité"
    " ministère for"
)
_BODY_WORDS = frozenset(_BODY_NAMES.split())
_BODY_STEMS = ("universi", "institut", "laborator", " of the ")
_BODY_STEMS_INSIDE = ("niversi", "nstitut", "aborator")
_AND = re.compile(r"\s+(?:and|&)\s+|\s*;\s*", re.I)
_AND_SIGN = re.compile(r"[&;]| and ", re.I)
_ET_AL = re.compile(r",?\s+et\.?\s+al\b\.?$", re.I)
_OTHERS = re.compile(r"(?:and\s+)?(?:et\.?\s*al\.?|others|u\.\s?a\.)", re.I)


def plain_person(text: str) -> Author | None:
    """The person where a name is two to four capitalised words and nothing else, as most are."""
    if not text.replace(" ", "").replace(".", "").replace("-", "").isalpha():
        return None
    tokens = text.split(" ")
    last = tokens[-1]
    if not 2 <= len(tokens) <= 4 or (len(last) <= 4 and _SUFFIX.fullmatch(last)):
        return None
    for token in tokens:
        if not token[:1].isupper() or token.lower() in _BODY_WORDS:
            return None
    if any(stem in text for stem in _BODY_STEMS_INSIDE):
        return None
    return Author(last, text[: -len(last) - 1])


def is_body(text: str) -> bool:
    """Whether a name has a word that names a body and no person."""
    low = text.lower()
    if not _BODY_WORDS.isdisjoint(low.replace(",", " ").replace(".", " ").split()):
        return True
    return any(stem in low for stem in _BODY_STEMS)


def is_others(text: str) -> bool:
    """Whether a name says only that the list goes on (``et al.``, ``others``)."""
    return len(text) < 15 and bool(_OTHERS.fullmatch(fold(text)))


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
        return Author(literal=fold(text)) if is_body(parts[1]) else from_parts(*parts)
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


def natural(text: str) -> Author:
    """One author in the order ``Given Family``, or ``Family, Given``; folded, not empty."""
    plain = plain_person(text)
    if plain is not None:
        return plain
    if "," in text:
        return _with_comma(text) or Author(literal=text)
    return Author(literal=text) if is_body(text) else _natural(text)


@lru_cache(maxsize=50_000)
def inverted(text: str) -> Author:
    """One author of a format that writes ``Family, Given, Suffix``; folded, not empty.

    Without a comma: initials tell the order (``Fanning E.``, ``G. Kalbe``), else as spoken.
    """
    if "," in text:
        return _with_comma(text) or Author(literal=text)
    if is_body(text):
        return Author(literal=text)
    tokens = text.split(" ")
    if len(tokens) > 1 and not _DOTTED.fullmatch(tokens[0]) and not _SUFFIX.fullmatch(tokens[-1]):
        last = tokens[-1]
        bare = len(tokens) == 2 and last.isupper() and len(last) <= 3 and not tokens[0].isupper()
        if _DOTTED.fullmatch(last) or bare:
            return from_parts(" ".join(tokens[:-1]), last) or Author(literal=text)
    return _natural(text)


def natural_list(text: str) -> tuple[list[Author], bool]:
    """The authors of one text in spoken order, and whether it says that there are more.

    Several are parted by ``and``, ``&`` or ``;``; the name of a body is never parted.
    """
    folded = fold(text)
    if not folded:
        return [], False
    if folded.endswith(("al", "al.")) and _ET_AL.search(folded):
        return natural_list(_ET_AL.sub("", folded))[0], True
    if not _AND_SIGN.search(folded) and not is_others(folded):
        return [natural(folded)], False
    if is_body(folded):
        return [natural(folded)], False
    parts = [part for part in _AND.split(folded) if part]
    people = [natural(part) for part in parts if not is_others(part)]
    return people, len(people) < len(parts)
