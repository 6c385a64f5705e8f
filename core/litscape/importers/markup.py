"""Plain text out of text with HTML, JATS or MathML markup; what is no known tag stays."""

from __future__ import annotations

import html
import re

from litscape.importers.normalise import fold, fold_paragraphs

_INLINE = (
    "i|b|u|s|em|strong|sub|sup|span|a|font|small|big|tt|code|cite|q|abbr|acronym|inf|italic|bold"
    "|sc|ext-link|xref|named-content|styled-content|monospace|underline|roman|sans-serif"
    "|inline-formula|tex-math|math|mi|mo|mn|mrow|msub|msup|msubsup|mfrac|mtext|mspace|msqrt|mover"
    "|munder|semantics|annotation|alternatives|nobr|wbr|mark|del|ins"
)
_BLOCK = (
    "p|br|div|h[1-6]|li|ul|ol|dl|dt|dd|sec|section|title|table|tr|td|th|tbody|hr|blockquote|pre"
    "|abstract|list|list-item|disp-formula|html|body"
)
_PREFIX = r"(?:[a-z]+:)?"
_HIDDEN = re.compile(r"<(script|style|head)\b[^<>]*>.*?</\1\s*>|<!--.*?-->", re.I | re.S)
_COMMENT = re.compile(r"<!--.*?-->", re.S)
_INLINE_TAG = re.compile(rf"</?{_PREFIX}(?:{_INLINE})(?:\s[^<>]*)?/?>", re.I)
_BLOCK_TAG = re.compile(
    rf"</?{_PREFIX}(?:{_BLOCK}|script|style|iframe|object|img)(?:\s[^<>]*)?/?>",
    re.I,
)
_LINE_TAG = re.compile(rf"</?{_PREFIX}(?:{_BLOCK})(?:\s[^<>]*)?/?>", re.I)
_CDATA = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.S)
_ENTITY = re.compile(r"&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,30});", re.I)
_ENTITY_TAG = re.compile(rf"&lt;(/?{_PREFIX}(?:{_INLINE}|{_BLOCK})\s*/?)&gt;", re.I)
_PLACEHOLDER = re.compile(
    r"\W*(?:n\.?/?a\.?|none|null|nan|nil|tba|tbd|unknown|(?:no )?abstract|summary"
    r"|(?:there is )?no abstract(?: (?:is |was )?(?:available|provided|given|found|text))?\.?"
    r"(?: for this .*)?"
    r"|abstract (?:is )?(?:not|un) ?-?(?:available|provided|given|found)"
    r"|(?:no|without) (?:summary|description)(?: available)?)\W*",
    re.I,
)


def _entities(text: str) -> str:
    return _ENTITY.sub(lambda found: html.unescape(found[0]), text)


def _bare(text: str, block: str, hidden: re.Pattern[str], tags: re.Pattern[str]) -> str:
    if "&" in text:
        text = _ENTITY_TAG.sub(r"<\1>", text)
    if "<" in text:
        text = _CDATA.sub(r"\1", hidden.sub(" ", text))
        text = tags.sub(block, _INLINE_TAG.sub("", text))
    return _entities(text) if "&" in text else text


def plain(text: str) -> str:
    """One line of plain text: known tags gone, entities undone, white space folded.

    In a line there is no program: ``<script>`` in a title is what the title is about, and stays.
    """
    return fold(_bare(text, " ", _COMMENT, _LINE_TAG))


def plain_paragraphs(text: str) -> str:
    """Like :func:`plain`, with a paragraph break where a block ends or a blank line stands."""
    return fold_paragraphs(_bare(text, "\n\n", _HIDDEN, _BLOCK_TAG))


def abstract(text: str) -> str | None:
    """An abstract as plain paragraphs; None where there is only a placeholder such as ``NA``."""
    found = plain_paragraphs(text)
    if len(found) < 80 and (not any(map(str.isalnum, found)) or _PLACEHOLDER.fullmatch(found)):
        return None
    return found
