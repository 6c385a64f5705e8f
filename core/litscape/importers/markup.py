"""Plain text out of text with HTML, JATS or MathML markup; what is no known tag stays.

``p<i and q>r`` has no tag: a tag is a known name and then its end or attributes with values. A tag
that comes in pairs counts only where its other half is there, and none counts inside ``$…$``.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from litscape.importers.normalise import fold, fold_paragraphs

if TYPE_CHECKING:
    from collections.abc import Iterator

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
_VALUE = r"""(?:"[^"<]*"|'[^'<]*'|[^\s"'<>]+)"""
_ATTRIBUTES = (
    rf"(?:\s+(?:[\w:.-]+\s*=\s*{_VALUE}|nowrap|noshade|async|defer|hidden|disabled|compact)"
    r"(?=[\s/>]))*"
)
_HIDDEN = re.compile(rf"<(script|style|head)\b{_ATTRIBUTES}\s*>.*?</\1\s*>|<!--.*?-->", re.I | re.S)
_COMMENT = re.compile(r"<!--.*?-->", re.S)


def _tag(names: str) -> re.Pattern[str]:
    """A tag: 1 the stroke of a closing one, 2 prefix, 3 name, 4 attributes, 5 end."""
    return re.compile(rf"<(/?)({_PREFIX})({names})({_ATTRIBUTES})(\s*/?>)", re.I)


_LINE_TAG = _tag(f"{_INLINE}|{_BLOCK}")
_BLOCK_TAG = _tag(f"{_INLINE}|{_BLOCK}|script|style|iframe|object|img")
_INLINE_NAME = re.compile(_INLINE, re.I)
_ALONE = frozenset({"br", "wbr", "img"})
"""Tags without another half."""
_OFTEN_ALONE = frozenset({"p", "hr", "li", "dt", "dd", "tr", "td", "th"})
"""Tags whose other half may be missing; their names are also those of variables."""
_KNOWN_PREFIXES = frozenset({"jats:", "mml:"})
_MATH = re.compile(
    # As Pandoc tells math from money: no blank within the signs, no digit behind them.
    r"(?<![\\$])\$\$(?:(?!</(?:\w+:)?(?:p|div|sec|li|td)\b)[^$])+\$\$"
    r"|(?<![\\$])\$(?![\s$])(?:(?!</(?:\w+:)?(?:p|div|sec|li|td)\b)[^$]){1,2000}(?<!\s)\$(?![\d$])",
    re.I,
)
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


def _outside_math(text: str, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """What a pattern finds, but for what begins inside a formula."""
    spans = [found.span() for found in _MATH.finditer(text)] if "$" in text else []
    starts = [start for start, _ in spans]
    for found in pattern.finditer(text):
        place = bisect_right(starts, found.start()) - 1
        if place < 0 or found.start() >= spans[place][1]:
            yield found


def _halves(tags: list[re.Match[str]]) -> set[int]:
    """The places of the opening tags that a closing one belongs to."""
    paired: set[int] = set()
    waiting: dict[str, list[int]] = {}
    for place, tag in enumerate(tags):
        name = f"{tag[2]}{tag[3]}".lower()
        if not tag[1]:
            waiting.setdefault(name, []).append(place)
        elif waiting.get(name):
            paired.add(waiting[name].pop())
    return paired


def _stands_alone(text: str, tag: re.Match[str]) -> bool:
    """Whether a tag is one also without its other half."""
    name, end = tag[3].lower(), tag[5]
    if tag[1] or end == "/>" or tag[2].lower() in _KNOWN_PREFIXES or name in _ALONE:
        return True
    if name not in _OFTEN_ALONE or (not tag[4] and end != ">"):
        return False
    # "n<p>q" and "n <p> q" compare; "End.<p>Then" and "<p>Begin" do not
    before = text[max(0, tag.start() - 20) : tag.start()].rstrip()[-1:]
    after = text[tag.end() : tag.end() + 20].lstrip()[:1]
    return bool(tag[4]) or not (_is_operand(before) and _is_operand(after))


def _is_operand(sign: str) -> bool:
    return sign.isalnum() or (sign != "" and sign in "()[]{}|$\\+-'_^")


def _without_tags(text: str, block: str, pattern: re.Pattern[str]) -> str:
    """The text without its tags; a block's is replaced by ``block``."""
    tags = [*_outside_math(text, pattern)]
    paired = _halves(tags)
    parts, end = [], 0
    for place, tag in enumerate(tags):
        if place not in paired and not _stands_alone(text, tag):
            continue
        parts += [text[end : tag.start()], "" if _INLINE_NAME.fullmatch(tag[3]) else block]
        end = tag.end()
    return "".join((*parts, text[end:]))


def _bare(text: str, block: str, hidden: re.Pattern[str], tags: re.Pattern[str]) -> str:
    if "&" in text:
        text = _ENTITY_TAG.sub(r"<\1>", text)
    if "<" in text:
        text = _CDATA.sub(r"\1", hidden.sub(" ", text))
        text = _without_tags(text, block, tags)
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
