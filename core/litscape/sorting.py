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


# Signs of scripts that set no blanks between words: Han, kana, Hangul (which sets some).
SIGN = (
    "\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
_SIGNS = re.compile(f"[{SIGN}]")
_BETWEEN = re.compile(rf"(?<=[{SIGN}])(?=\w)|(?<=\w)(?=[{SIGN}])")
_PIECE = re.compile(rf"(?P<signs>[{SIGN}]+)|[^\W{SIGN}]+")


def search_letters(text: str) -> str:
    """Text as the text index holds it: plain letters, each sign of Han, kana and Hangul apart.

    ``深度学习 BERT模型`` is ``深 度 学 习 bert 模 型``: where no blank shows what a word is, a word
    is found as signs that follow each other. Its own result does not change again.
    """
    if text.isascii():
        return text
    plain = plain_letters(text)
    return _BETWEEN.sub(" ", plain) if _SIGNS.search(plain) else plain


def has_signs(text: str) -> bool:
    """Whether a text holds signs of Han, kana or Hangul."""
    return not text.isascii() and _SIGNS.search(text) is not None


def parted(text: str) -> list[str]:
    """The words of a text, runs of Han, kana or Hangul as each two signs that are neighbours.

    Most words of these scripts have two signs, so that pairs stand for the words of a sentence.
    """
    words: list[str] = []
    for piece in _PIECE.finditer(text):
        run = piece[0]
        pairs = len(run) - 1 if piece["signs"] else 0
        words += [run[i : i + 2] for i in range(pairs)] or [run]
    return words


def sort_text(text: str) -> str:
    """Text in small :func:`plain_letters`, without marks or tags before its first word."""
    folded = plain_letters(text).lower()
    if folded and not folded[0].isalnum():
        cut = _LEADING.match(folded)
        if cut and cut.end() < len(folded):  # a text of marks only stays as it is
            folded = folded[cut.end() :]
    return folded


_QUOTES = str.maketrans('“”„‟«»″"', "'" * 8)


def same_value(text: str) -> str:
    """What makes two spellings of a name one: all but case, blanks and the kind of quotes.

    ``Nature  Physics`` and ``NATURE PHYSICS`` are one, ``Erdős`` and ``Erdos`` are two. Its own
    result does not change again.
    """
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    if not text.isascii() or '"' in text:
        text = text.translate(_QUOTES)
    folded = " ".join(text.casefold().split())
    return folded if folded.isascii() else unicodedata.normalize("NFC", folded)
