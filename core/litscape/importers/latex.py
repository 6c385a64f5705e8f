r"""LaTeX markup to Unicode that never loses text.

Most fields hold no LaTeX and many only braces or an accent: those never reach the parser
(pylatexenc takes 2 ms an abstract). What does reach it is escaped first, because as LaTeX a bare
``%`` ends the text, ``$5`` opens a formula and ``C:\Users`` is an unknown command.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

from litscape.importers.latex_engine import convert

_SPECIAL = re.compile(r"[\\{}$~]|--|``|''")
_LIGATURES = (("---", "—"), ("--", "–"), ("``", "“"), ("''", "”"))

_COMBINING = {
    "`": "\u0300",
    "'": "\u0301",
    "^": "\u0302",
    "~": "\u0303",
    '"': "\u0308",
    "=": "\u0304",
    ".": "\u0307",
    "u": "\u0306",
    "v": "\u030c",
    "H": "\u030b",
    "c": "\u0327",
    "k": "\u0328",
    "r": "\u030a",
    "d": "\u0323",
    "b": "\u0331",
}
_BASE = (
    r"(?:\{\s*(?:\\([ij])(?![A-Za-z])\s*(?:\{\})?|([^\W\d_]))\s*\}"
    r"|\\([ij])(?![A-Za-z])(?:\{\}|[ ])?|([^\W\d_]))"
)
_ACCENT = re.compile(
    r"\\(?:([`'^\"~=.])\s*|([uvHckrdb])"
    r"(?:\s+(?=[\\A-Za-z])|\s*(?=\{)|(?=[^\x00-\x7f])|(?=\\[ij](?![A-Za-z]))))" + _BASE
)
_LETTERS = {
    "ss": "ß",
    "o": "ø",
    "O": "Ø",
    "l": "ł",
    "L": "Ł",
    "ae": "æ",
    "AE": "Æ",
    "oe": "œ",
    "OE": "Œ",
    "aa": "å",
    "AA": "Å",
    "i": "ı",
    "j": "ȷ",
    "th": "þ",
    "TH": "Þ",
    "dh": "ð",
    "DH": "Ð",
    "dj": "đ",
    "DJ": "Đ",
    "ng": "ŋ",
    "NG": "Ŋ",
}
_LETTER = re.compile(
    r"\\(ss|[oO]|[lL]|ae|AE|oe|OE|aa|AA|th|TH|dh|DH|dj|DJ|ng|NG)(?![A-Za-z])"
    r"(?:\s*\{\}|[ ]+(?=[^\W\d_])|[ ]*)"
)
_ESCAPED = re.compile(r"\\([&%#_$])")
_ACCENTED_ALREADY = re.compile(r"\\(?=[^\W\d_a-zA-Z])")
_DRIVE = re.compile(r"(?<![A-Za-z])[A-Za-z]:\\(?=[\w.])")


def _accented(found: re.Match[str]) -> str:
    mark = _COMBINING[found[1] or found[2]]
    letter = found[3] or found[4] or found[5] or found[6]
    return unicodedata.normalize("NFC", letter + mark)


def _accents(text: str) -> str:
    r"""Replace accent commands and letters, from the inside out (``{\~{\^e}}`` is stacked)."""
    for _ in range(4):
        replaced = _ACCENT.sub(_accented, text)
        if "\\" in replaced:
            # ``{\"O}`` leaves braces round one letter; an outer accent needs to see the letter.
            replaced = re.sub(r"(\\[`'^\"~=.uvHckrdb])\{\{([^\W\d_])\}\}", r"\1{\2}", replaced)
        if replaced == text:
            break
        text = replaced
    return _LETTER.sub(lambda found: _LETTERS[found[1]], text) if "\\" in text else text


def _ligatures(text: str) -> str:
    for ascii_form, char in _LIGATURES:
        text = text.replace(ascii_form, char)
    return text


def _without_ties(text: str) -> str:
    """Ties to blanks, but not in an address (``/~user``)."""
    return re.sub(r"(?<!/)~", " ", text) if "~" in text else text


_TO_NOTHING = {ord("{"): None, ord("}"): None}


@lru_cache(maxsize=4096)
def _slow(text: str) -> str:
    if "\\" in text:
        if not _DRIVE.search(text):
            # Half of a conversion, ``{\ü}``: the accent is there already.
            text = _accents(_ACCENTED_ALREADY.sub("", text))
        if "$" not in text and "\\" in text and not re.search(r"\\[^&%#_]", text):
            # Only escaped signs are left.
            plain = _ligatures(_without_ties(text)).translate(_TO_NOTHING)
            return _ESCAPED.sub(r"\1", plain)
    if "\\" not in text and "$" not in text:
        return _ligatures(_without_ties(text)).translate(_TO_NOTHING)
    return convert(text)


def to_unicode(text: str) -> str:
    """The text with LaTeX markup undone, in NFC; white space is left to the caller.

    Braces and formatting commands go, their content stays. Formulas become Unicode where that
    is plain to read and stay TeX source where not. Unknown commands without an argument stay.
    """
    if not _SPECIAL.search(text):
        return text
    return unicodedata.normalize("NFC", _slow(text))


@cache
def _verbatim_patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    return (
        (re.compile(r"\\(?:url|nolinkurl|path|href)\s*\{([^{}]*)\}(?:\s*\{[^{}]*\})?"), r"\1"),
        (re.compile(r"\$\\sim\$|\{?\\textasciitilde(?:\{\}|\s|\})?|\\~\{\}|\{\\~\}"), "~"),
        (re.compile(r"\{\\textunderscore\}|\\textunderscore(?:\{\}|\s)|\\_"), "_"),
        (re.compile(r"\{?\\&amp;\}?"), "&"),
        (re.compile(r"\\([&%#$~])"), r"\1"),
    )


def verbatim(text: str) -> str:
    """A url, DOI or identifier: only its escapes are undone, never read as LaTeX."""
    if "\\" in text or "$" in text:
        for pattern, plain in _verbatim_patterns():
            text = pattern.sub(plain, text)
    if "{" in text or "}" in text:
        text = text.translate(_TO_NOTHING)
    return text
