"""Text and identifiers brought to the one form that is stored and compared.

Every function here gives its own result back unchanged when fed with it.
"""

from __future__ import annotations

import html
import re
import unicodedata
from urllib.parse import unquote

_CONTROLS = re.compile("[\x00-\x08\x0e-\x1b\x7f\ufeff\ufffe\uffff]")
_SURROGATES = re.compile("[\ud800-\udfff]")
_PARAGRAPH = re.compile(r"(?:\r\n|\r|\n|\u2029)[^\S\r\n]*(?:\r\n|\r|\n|\u2029)\s*")

_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"))
_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212"), "-")
_LATEX_ESCAPE = re.compile(r"\\([_%&#{}~$<>])|\{\\textless\}|\{\\textgreater\}")
_DOI = re.compile(r"(?<![\d.])10\.\d{4,9}(?:\.\d+)*\s*/\s*\S+")
_DOI_WHOLE = re.compile(
    r"(?:(?:https?://)?(?:dx\.|www\.)?doi\.org/|(?:urn:|info:)?doi\s*[:=/]?\s*)*(10\.\S+)", re.I
)
_DOI_HOST = re.compile(r"^(?:https?://)?(?:[\w-]+\.)*doi\.org/", re.I)
_URL = re.compile(r"^(?:https?|ftp)://", re.I)
_LANDING = re.compile(
    r"(?:/(?:full|fulltext|full-text|abstract|abs|pdf|epdf|pdfdirect|epub|html|meta|summary|references|issuetoc)"
    r"|\.pdf|\.full|\.abstract|\.html?)+$"
)
_PAIRS = {")": "(", "]": "[", "}": "{", ">": "<"}

_ARXIV_NEW = r"(\d{2}(?:0[1-9]|1[0-2])\.\d{4,5})"
_ARXIV_OLD = (
    r"(astro-ph|cond-mat|gr-qc|hep-ex|hep-lat|hep-ph|hep-th|math-ph|nlin|nucl-ex|nucl-th|physics|quant-ph|math|cs"
    r"|q-bio|q-fin|stat|acc-phys|adap-org|alg-geom|ao-sci|atom-ph|bayes-an|chao-dyn|chem-ph|cmp-lg|comp-gas|dg-ga"
    r"|funct-an|mtrl-th|patt-sol|plasm-ph|q-alg|solv-int|supr-con)"
    r"(?:\.[a-z]{2})?/(\d{2}(?:0[1-9]|1[0-2])\d{3})"
)
_ARXIV_BARE = re.compile(
    rf"(?:(?:corr,?\s*)?abs/)?(?:{_ARXIV_NEW}|{_ARXIV_OLD})(?:v\d+)?(?:\s*\[[\w.\- ]+\])?", re.I
)
_ARXIV_NAMED = re.compile(
    r"(?:arxiv(?:\.org)?\s*[:./]\s*(?:(?:abs|pdf|html|format|e-print)/)?|10\.48550/arxiv\.)\s*"
    rf"(?:{_ARXIV_NEW}|{_ARXIV_OLD})(?!\d)",
    re.I,
)
_PMID = re.compile(
    r"(?:(?:https?://)?(?:www\.)?(?:pubmed\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/(?:m/)?pubmed)/"
    r"|(?:pmid|pubmed(?:\s+id)?)\s*[:=]?\s*)?0*([1-9]\d{0,8})/?(?:\s*\[pmid\]|\s*\[uid\])?\.?",
    re.I,
)
_ISBN = re.compile(r"(?<![\dXx])(?:97[89][- ]?)?\d(?:[- ]?\d){8}[- ]?[\dXx](?![\dXx])")
_ISSN = re.compile(r"(?<![\dXx-])(\d{4})-?(\d{3}[\dXx])(?![\dXx-])")

_TAGS = re.compile(r"</?[a-zA-Z][\w:-]*(?:\s+[\w:.-]+\s*=[^<>]*)?\s*/?>")
_STROKES = str.maketrans(
    {"ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ħ": "h"}
)
_MARKS = re.compile("[\u0300-\u036f]")
_BLANK_LINES = re.compile(r"\n{3,}")
_NO_LETTER = re.compile(r"[\W_]+")
_ASCII_LETTERS = {code: None for code in range(128) if not chr(code).isalnum()}


def _clean(text: str) -> str:
    """NFC, without control characters, and with lone surrogates replaced (no UTF-8 holds them)."""
    text = _CONTROLS.sub("", text)
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", _SURROGATES.sub("\ufffd", text))


def _is_folded(text: str) -> bool:
    """Whether there is nothing to fold, found at the speed of C: so it is with most texts."""
    return (
        text.isprintable()
        and "  " not in text
        and text[:1] != " "
        and text[-1:] != " "
        and (text.isascii() or unicodedata.is_normalized("NFC", text))
    )


def fold(text: str) -> str:
    """The text in NFC with every run of white space as one blank and none at its ends."""
    if _is_folded(text):
        return text
    return " ".join(_clean(text).split())


def fold_lines(text: str) -> str:
    """Like :func:`fold`, but every line stays one; blank ones stand alone (for notes)."""
    if _is_folded(text):
        return text
    lines = "\n".join(map(fold, _clean(text).splitlines())).strip("\n")
    return _BLANK_LINES.sub("\n\n", lines)


def fold_paragraphs(text: str) -> str:
    """Like :func:`fold`, but blank lines stay as one paragraph break (for abstracts)."""
    if _is_folded(text):
        return text
    return "\n\n".join(part for part in map(fold, _PARAGRAPH.split(_clean(text))) if part)


def _until_stable(text: str) -> str:
    """Undo LaTeX and percent escapes and HTML entities, also nested ones."""
    for _ in range(8):
        undone = text.translate(_INVISIBLE).translate(_DASHES) if not text.isascii() else text
        if "\\" in undone:
            undone = _LATEX_ESCAPE.sub(lambda m: m[1] or ("<" if "less" in m[0] else ">"), undone)
        if "%" in undone or "&" in undone:
            undone = html.unescape(unquote(undone))
        if undone == text:
            break
        text = undone
    return text


def _trim(text: str) -> str:
    """Cut sentence punctuation, and closing brackets never opened, from the end of a DOI."""
    while text:
        last = text[-1]
        if last in _PAIRS:
            if text.count(last) <= text.count(_PAIRS[last]):
                break
        elif last not in ".,;:'\"*`|\\([{<”’»…":
            break
        text = text[:-1]
    return text


def doi(text: str) -> str | None:
    """The first DOI in a text: bare and in lower case; None where there is none.

    Takes URLs, ``doi:`` prefixes, percent, HTML and LaTeX escapes and SICI codes.
    """
    if "10." not in text and "%2" not in text:
        return None
    folded = fold(_until_stable(fold(text)))
    found = _DOI.search(folded)
    if not found:
        return None
    value = re.sub(r"\s*/\s*", "/", found[0], count=1)
    if _URL.match(folded) or _DOI_HOST.match(folded):
        value = re.split(r"[?#]", value, maxsplit=1)[0]
        if not _DOI_HOST.match(folded):
            value = _LANDING.sub("", value)
    value = _trim(fold(value.lower()))
    return value if _DOI.fullmatch(value) else None


def doi_only(text: str) -> str | None:
    """The DOI where the text is nothing else (a DOI, a doi.org address, ``doi: …``), else None.

    For fields that may hold anything: a DOI inside a sentence is somebody else's.
    """
    folded = fold(_until_stable(fold(text)))
    if not _DOI_WHOLE.fullmatch(folded):
        return None
    return doi(folded)


def _arxiv_parts(found: re.Match[str]) -> str:
    new, archive, number = found.group(1, 2, 3)
    return str(new) if new else f"{archive.lower()}/{number}"


def arxiv(text: str, archive: str | None = None) -> str | None:
    """The arXiv id without version or subject class: ``1903.00001``, ``hep-th/9901001``.

    Args:
        text: a bare id, or anything that names arXiv before the id (URL, DOI, ``arXiv:…``).
        archive: the archive (``hep-th``), for old ids that are written without it.
    """
    folded = fold(text).translate(_DASHES)
    whole = _ARXIV_BARE.fullmatch(folded)
    if whole:
        return _arxiv_parts(whole)
    named = _ARXIV_NAMED.search(folded)
    if named:
        return _arxiv_parts(named)
    if archive and re.fullmatch(r"\d{7}(?:v\d+)?", folded):
        return arxiv(f"{archive}/{folded}")
    return None


def pmid(text: str) -> str | None:
    """The PubMed id as bare digits, from digits, ``PMID: …`` or a PubMed address."""
    found = _PMID.fullmatch(fold(text))
    return found[1] if found else None


def _isbn_sound(digits: str) -> bool:
    if len(digits) == 13:
        return sum(int(d) * (1, 3)[i % 2] for i, d in enumerate(digits)) % 10 == 0
    return sum((10 if d == "X" else int(d)) * (10 - i) for i, d in enumerate(digits)) % 11 == 0


def isbn(text: str) -> str | None:
    """The first ISBN without hyphens, one with a right check digit before others.

    A wrong check digit is kept: such numbers are printed in real books.
    """
    found = [
        re.sub(r"[- ]", "", match).upper() for match in _ISBN.findall(fold(text).translate(_DASHES))
    ]
    shaped = [d for d in found if len(d) in (10, 13) and (len(d) == 10 or d.isdigit())]
    return next(filter(_isbn_sound, shaped), shaped[0] if shaped else None)


def issn(text: str) -> str | None:
    """The first ISSN as ``1234-567X``; None where there is none."""
    found = _ISSN.search(fold(text).translate(_DASHES))
    return f"{found[1]}-{found[2].upper()}" if found else None


def pages(text: str) -> str:
    """A range of pages with one hyphen: ``10--20`` and ``10 – 20`` are ``10-20``."""
    return re.sub(r"\s*-+\s*", "-", fold(text).translate(_DASHES)).strip("- ")


def title_key(title: str | None) -> str:
    """A title as it is compared: no markup, accents, case, punctuation or blanks; may be empty."""
    text = title or ""
    if "<" in text:
        text = _TAGS.sub("", text)
    if "&" in text:
        text = html.unescape(text)
    if text.isascii():
        return text.lower().translate(_ASCII_LETTERS)
    text = unicodedata.normalize("NFKD", text.translate(_INVISIBLE)).casefold()
    text = unicodedata.normalize("NFKC", _MARKS.sub("", unicodedata.normalize("NFKD", text)))
    return _NO_LETTER.sub("", text.casefold().translate(_STROKES))
