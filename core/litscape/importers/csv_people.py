"""Names in one cell of a table, in the ways in which programs list them."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from litscape.importers.medline import short_name
from litscape.importers.normalise import fold
from litscape.importers.people import inverted, is_others, natural, natural_list

if TYPE_CHECKING:
    from litscape.paper import Author

_NOBODY = re.compile(
    r"\[?no author(?:s| name| names)?(?: available| listed)?\]?|n/?a|anonymous", re.I
)
_NUMBER = re.compile(r"\s*\(\d{4,}\)$")
_SUFFIX = r"(?:,? ?(?:Jr\.?|Sr\.?|II|III|IV))?"
_DOTTED = re.compile(rf".*[^\W\d_]{_SUFFIX} (?:[^\W\d_]{{1,2}}\.[- ]?)+{_SUFFIX}", re.I)
_BARE = re.compile(r"[^\W\d_].*[^\W\d_] [A-Z]{1,3}(?: (?:Jr|Sr|2nd|3rd|II|III))?\.?")
_INITIALS = re.compile(rf"(?:[^\W\d_]{{1,2}}\.[- ]?)+{_SUFFIX}|[A-Z]{{1,3}}")
_AND = re.compile(r",? +(?:and|&) +")
_GLUE = re.compile(r"(?<=[^\W\d_])(?=[^\W\d_])")
_TITLE = re.compile(
    r"^(?:(?:Prof|Dr|PD|Mag|Ing|Dipl|Assoc|Asst)\b\.?[ -]*|(?:rer|nat|med|habil)\. )+"
)
_PREFIXES = frozenset({"mc", "mac", "de", "di", "da", "du", "la", "le", "el", "al", "van", "von"})
_PREFIXES_MORE = frozenset({"fitz", "del", "des", "ben", "ter", "ten", "vander", "o", "d", "st"})
_MAX_LIST = 200_000
_LONGEST = 120
"""Characters of a name."""


def as_list(text: str) -> list[str] | None:
    """The texts of a list written as a program's own: ``['a', 'b']``; None where it is none."""
    if not (text.startswith("[") and text.endswith("]")) or len(text) > _MAX_LIST:
        return None
    try:
        found = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        return None
    return [fold(one) for one in found]


def _by_and(text: str) -> list[Author]:
    """``Gull, Pia and Tern, Lou`` and ``Gull, P., Tern, L. & Knot, A.``; else nobody."""
    parts = _AND.split(text)
    if len(parts) > 1 and all(part.count(",") == 1 for part in parts):
        return [inverted(part) for part in parts]
    cells = [cell for cell in map(fold, ",".join(parts).split(",")) if cell]
    if len(parts) > 1 and len(cells) % 2 == 0 and all(map(_INITIALS.fullmatch, cells[1::2])):
        pairs = zip(cells[::2], cells[1::2], strict=True)
        return [inverted(f"{family}, {given}") for family, given in pairs]
    return []


def _by_commas(text: str) -> list[Author]:
    """``Gull P., Tern L.``, ``Gull, P., Tern, L.``, ``Pia Gull, Lou Tern`` or one person."""
    if found := _by_and(text):
        return found
    parts = [part for part in map(fold, text.split(",")) if part]
    if all(_DOTTED.fullmatch(part) for part in parts):
        return [inverted(part) for part in parts]
    if all(_BARE.fullmatch(part) for part in parts):
        return [one for part in parts if (one := short_name(part.rstrip(".")))]
    if len(parts) % 2 == 0 and all(_INITIALS.fullmatch(part) for part in parts[1::2]):
        pairs = zip(parts[::2], parts[1::2], strict=True)
        return [inverted(f"{family}, {given}") for family, given in pairs]
    if len(parts) > 1 and all(" " in part for part in parts):
        return [natural(part) for part in parts]
    return [inverted(text)]


def people(text: str) -> tuple[tuple[Author, ...], bool]:
    """The authors of a cell, and whether it says that there are more."""
    folded = fold(text)
    if not folded or _NOBODY.fullmatch(folded):
        return (), False
    listed = as_list(folded)
    if listed is None and ";" in folded:
        listed = [_NUMBER.sub("", fold(part)) for part in folded.split(";")]
    if listed is not None:
        names = [name for name in listed if name]
        found = [inverted(name) for name in names if not is_others(name)]
        return tuple(found), len(found) < len(names)
    folded = _NUMBER.sub("", folded)
    shorter = re.sub(r",?\s+et\.?\s+al\b\.?$", "", folded, flags=re.I)
    if "," in shorter:
        return tuple(_by_commas(shorter)), shorter != folded
    spoken, more = natural_list(folded)
    return (tuple(spoken), more) if len(spoken) != 1 else ((inverted(shorter),), more)


def glued(text: str) -> tuple[tuple[Author, ...], bool]:
    """The authors of a cell in which nothing parts them: ``Pia GullLou A. Tern``.

    Returns:
        The authors, and whether the places where one ends had to be guessed.
    """
    names, start = [], 0
    for place in _GLUE.finditer(text):
        position = place.start()
        if not (text[position - 1].islower() and text[position].isupper()):
            continue
        before = text[max(start, position - _LONGEST) : position]
        word = before.rsplit(" ", 1)[-1].rsplit("-", 1)[-1].lower()
        whole = " " in before.strip() and " " in text[position : position + _LONGEST]
        if whole and not _is_prefix(word):
            names.append(text[start:position])
            start = position
    names.append(text[start:])
    bare = (_TITLE.sub("", fold(name)) for name in names)
    return tuple(natural(name) for name in bare if name), len(names) > 1


def _is_prefix(word: str) -> bool:
    """Whether a word is the beginning of a name such as McDonald."""
    return word in _PREFIXES or word in _PREFIXES_MORE
