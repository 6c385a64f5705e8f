"""Text made alike for sorting and for finding: no case, no accents, plain letters."""

from __future__ import annotations

import re
import unicodedata

_LEADING = re.compile(r"(?:</?\w+[^<>]*>|[\W_])+")
# Letters that Unicode does not take apart into a plain letter and a mark, and what is not seen:
# soft hyphens and the like stand inside words of pasted and printed text.
_PLAIN = {
    "ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ŧ": "t",
    "ŋ": "n", "ı": "i", "ĸ": "k", "ɨ": "i", "ɓ": "b", "ɗ": "d", "ɛ": "e", "ɔ": "o", "ə": "e",
    "ƒ": "f", "ƙ": "k", "ɣ": "g", "ƴ": "y", "ŀ": "l",
    "\u00ad": "", "\u200b": "", "\u200c": "", "\u200d": "", "\u2060": "", "\ufeff": "",
}  # fmt: skip
# Marks of European letters, Hebrew points, Arabic vowels. A class of every mark of Unicode would be
# a hundred times slower.
_MARKS = "\u0300-\u036f\u0591-\u05bd\u064b-\u065f\u0670"
_UNPLAIN = re.compile(f"[{''.join(_PLAIN)}{_MARKS}]")


def plain_letters(text: str) -> str:
    """Text as it is compared in search: ``Łukasz Straße`` is ``lukasz strasse``, CO₂ is ``co2``.

    Casefolded, without accents, each letter and digit as its plain form. ASCII stays as it is, case
    included: the text index folds that itself. Its own result does not change again.
    """
    if text.isascii():
        return text
    parts = unicodedata.normalize("NFKD", text).casefold()
    if parts.isascii():
        return parts
    # Folding case can make letters that have parts again (ẛ).
    parts = unicodedata.normalize("NFKD", parts)
    plain = _UNPLAIN.sub(lambda found: _PLAIN.get(found[0], ""), parts)
    return unicodedata.normalize("NFC", plain)


def sort_text(text: str) -> str:
    """Text in small :func:`plain_letters`, without marks or tags before its first word."""
    folded = plain_letters(text).lower()
    if folded and not folded[0].isalnum():
        cut = _LEADING.match(folded)
        if cut and cut.end() < len(folded):  # a text of marks only stays as it is
            folded = folded[cut.end() :]
    return folded
