"""Text of PDFs made readable: words that a line's end parted are whole, letters are letters."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from typing import TYPE_CHECKING

from litscape.sorting import has_signs

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# PDFium gives U+FFFE or U+0002 for a hyphen at a line's end, mostly without the end; some files
# have a soft hyphen there, or a plain one that PDFium took for a part of the word.
_PARTED = re.compile(r"(?:[\ufffe\x02][ \t]*(?:\r?\n)?|[-\u2010\u00ad][ \t]*\r?\n)[ \t]*")
_LAST, _NEXT = re.compile(r"[^\W\d_]+$"), re.compile(r"[^\W\d_]+")
_LONGEST = 60
# Letters that are signs of printing: ligatures, forms of Arabic letters by their neighbours.
_FORMS = re.compile("[\ufb00-\ufb06\ufb50-\ufdff\ufe70-\ufefc]+")
_BLANKS = re.compile(r"[\s\x00-\x1f\x7f-\x9f]+")
_END = re.compile(r"(\S)[ \t]*\r?\n[ \t]*(?=(\S))")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


def readable(pages: Sequence[str]) -> list[str]:
    """The texts of a file's pages, each as one line.

    A word that a line's end parted is joined, unless the file has it with a hyphen elsewhere:
    ``wind-ing`` is ``winding``, and ``graph-based`` stays where the file says ``graph-based`` more
    often than ``graphbased``.
    """
    pages = [page.encode("utf-8", "ignore").decode() for page in pages]  # no half surrogate pairs
    known = _words(pages)
    return [_readable(page, known) for page in pages]


def _words(pages: Iterable[str]) -> Counter[str]:
    """How often words, plain or with a hyphen, stand whole in the pages."""
    found: Counter[str] = Counter()
    for page in pages:
        found.update(_WORD.findall(_PARTED.sub(" ", page).casefold()))
    return found


def _readable(page: str, known: Counter[str]) -> str:
    text = page
    if not text.isascii():
        text = _FORMS.sub(lambda found: unicodedata.normalize("NFKC", found[0]), text)
    text = _PARTED.sub(lambda found: _hyphen(found, known), text).replace("\u00ad", "")
    if has_signs(text):
        text = _END.sub(_without_end, text)
    return unicodedata.normalize("NFC", _BLANKS.sub(" ", text).strip())


def _hyphen(parted: re.Match[str], known: Counter[str]) -> str:
    """What stands between the two parts of a word that was parted: nothing, or a hyphen."""
    start, end = parted.span()
    before = _LAST.search(parted.string[max(0, start - _LONGEST) : start])
    after = _NEXT.match(parted.string[end : end + _LONGEST])
    if before is None or after is None or not (after[0][0].islower() or before[0].isupper()):
        return "-"
    whole, compound = f"{before[0]}{after[0]}".casefold(), f"{before[0]}-{after[0]}".casefold()
    return "-" if known[compound] > known[whole] else ""


def _without_end(found: re.Match[str]) -> str:
    """Signs of Han, kana or Hangul go on in the next line without a blank."""
    return found[1] if has_signs(found[1]) and has_signs(found[2]) else f"{found[1]} "
