"""Markdown as Pandoc, Quarto and R Markdown read it: ``[@one; @two]``, ``@one [p. 3]``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from litscape.manuscripts import latex
from litscape.manuscripts.parts import Citation, Cited, arrange, blanked

if TYPE_CHECKING:
    from collections.abc import Iterator

_FRONT = re.compile(r"\A---[ \t]*\n.*?\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.S)
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})[^\n]*\n.*?(?:^ {0,3}\1[`~]*[ \t]*$|\Z)", re.S | re.M)
_CODE = re.compile(r"(`+)(?!`)(?:(?!\n[ \t]*\n).)+?(?<!`)\1(?!`)", re.S)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.S)
_GROUP = re.compile(r"\[(?:[^\[\]]|\[[^\[\]]*\])*?(?<![\w\\])-?@(?:[^\[\]]|\[[^\[\]]*\])*\]")
_KEY = re.compile(r"(?<![\w\\@])-?@(?:\{([^{}\s]+)\}|(\w(?:[\w:.#$%&\-+?<>~/]*[\w/])?))")
_FIGURE = re.compile(r"(?:fig|tbl|tab|eq|sec|lst|thm|lem|alg|chap)[:\-].*", re.I)
"""Cross-references of Quarto and pandoc-crossref, which are written like citations."""
_HEADING = re.compile(r"^ {0,3}#{1,2}[ \t]|^[^\n]*\S[^\n]*\n {0,3}(?:=+|-{2,})[ \t]*$", re.M)
_PARAGRAPH = re.compile(
    r"\n[ \t]*\n\s*|\n(?= {0,3}(?:[-*+]|\d+[.)])[ \t])|^ {0,3}#{1,6}[ \t]", re.M
)


def cited(text: str) -> Iterator[Cited]:
    """What a Markdown text cites, in its order; LaTeX's commands count in it, code does not."""
    for hidden in (_FRONT, _FENCE, _COMMENT, _CODE):
        text = hidden.sub(blanked, text)
    citations = _citations(text)
    sections = [found.start() for found in _HEADING.finditer(text)]
    paragraphs = [found.end() for found in _PARAGRAPH.finditer(text)]
    return arrange(text, citations, sections, paragraphs)


def _citations(text: str) -> list[Citation]:
    groups = [found.span() for found in _GROUP.finditer(text)]
    alone = _GROUP.sub(blanked, text)
    found = [Citation(start, end, _keys(text[start:end])) for start, end in groups]
    found += [Citation(*one.span(), _keys(one[0])) for one in _KEY.finditer(alone)]
    found += latex.commands(alone)
    return sorted((one for one in found if one.keys), key=lambda one: one.start)


def _keys(text: str) -> tuple[str, ...]:
    keys = (found[1] or found[2] for found in _KEY.finditer(text))
    return tuple(key for key in keys if not _FIGURE.fullmatch(key))
