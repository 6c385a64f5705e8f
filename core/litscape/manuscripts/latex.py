"""LaTeX: what a ``.tex`` file cites, by the commands of LaTeX, natbib, biblatex and their kin."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from litscape.manuscripts.parts import BLANK, Citation, Cited, arrange, blank, blanked

if TYPE_CHECKING:
    from collections.abc import Iterator

_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%[^\n]*")
_BLIND = re.compile(
    r"\\begin\s*\{(verbatim\*?|Verbatim|lstlisting|minted|comment|filecontents\*?)\}"
    r".*?(?:\\end\s*\{\1\}|\Z)|\\iffalse\b.*?(?:\\fi\b|\Z)",
    re.S,
)
_VERB = re.compile(r"\\(?:verb|lstinline)\*?([^\sA-Za-z*{])[^\n]*?\1")
_BODY = re.compile(r"\\begin\s*\{document\}")
_TAIL = re.compile(r"\\end\s*\{document\}")
_CITE = re.compile(r"\\([A-Za-z]*[cC]ite[A-Za-z]*)\*?")
_NO_CITATION = re.compile(
    r"nocite.*|.*citestyle|setcite.*|citesetup|bibcite|defcite.*|citereset.*|declarecite.*"
    r"|renewcite.*|newcite.*|ifcite.*|citeindex.*|citetrackerfalse|citetrackertrue",
    re.I,
)
_MANY = re.compile(r"[A-Za-z]*cites", re.I)
_SECTION = re.compile(r"\\(?:part|chapter|section|addchap|addsec)\*?\s*[\[{]")
_PARAGRAPH = re.compile(r"\n[ \t]*\n\s*|\\par\b|\\item\b|\\(?:sub)+section\*?|\\paragraph\*?")
_KEY = re.compile(r"[^\s\\{}#,%~]+")
_SPACE = re.compile(r"\s*")
_BRACKET = re.compile(r"\\.|[\[\](){}]|\n[ \t]*\n", re.S)
_LONGEST = 20_000
"""Letters within which the brackets of one command must close."""


def cited(text: str) -> Iterator[Cited]:
    """What a LaTeX text cites, in its order; comments, code and the preamble are left out."""
    text = _readable(text)
    citations = list(commands(text))
    sections = [found.start() for found in _SECTION.finditer(text)]
    paragraphs = [found.end() for found in _PARAGRAPH.finditer(text)]
    return arrange(text, citations, sections, paragraphs)


def _readable(text: str) -> str:
    """The text, as long and on as many lines, without what is none."""
    # A line with a comment alone ends no paragraph: something stays on it.
    text = _COMMENT.sub(lambda found: found[1] + blank(found[0][len(found[1]) :]), text)
    text = _BLIND.sub(blanked, text)
    text = _VERB.sub(blanked, text)
    body, tail = _BODY.search(text), _TAIL.search(text)
    start = body.end() if body else 0
    end = tail.start() if tail and tail.start() >= start else len(text)
    return blank(text[:start]) + text[start:end] + blank(text[end:])


def commands(text: str) -> Iterator[Citation]:
    """The citations of a text by commands, by place."""
    done = 0
    for found in _CITE.finditer(text):
        if found.start() < done or _NO_CITATION.fullmatch(found[1]):
            continue
        keys, end = _arguments(text, found.end(), many=bool(_MANY.fullmatch(found[1])))
        if keys:
            done = end
            yield Citation(found.start(), end, keys)


def _arguments(text: str, start: int, *, many: bool) -> tuple[tuple[str, ...], int]:
    """The keys that follow a command, and where its arguments end."""
    keys: list[str] = []
    place = start
    while True:
        after = _past_notes(text, place)
        closed = _closing(text, after, "{", "}")
        if closed is None:
            return tuple(keys), place
        keys += _keys(text[after + 1 : closed])
        place = closed + 1
        if not many:
            return tuple(keys), place


def _past_notes(text: str, place: int) -> int:
    """Behind the notes before and after a citation: ``[see][p. 3]``, ``(see)(p. 3)``."""
    while True:
        after = _SPACE.match(text, place)
        place_after = after.end() if after else place
        for opening, closing in (("[", "]"), ("(", ")")):
            closed = _closing(text, place_after, opening, closing)
            if closed is not None:
                place = closed + 1
                break
        else:
            return place_after


def _closing(text: str, start: int, opening: str, closing: str) -> int | None:
    """Where a bracket that opens at ``start`` closes; None where none opens or it never does."""
    if not text.startswith(opening, start):
        return None
    depth = 0
    for found in _BRACKET.finditer(text, start, start + _LONGEST):
        letter = found[0]
        if letter == opening:
            depth += 1
        elif letter == closing:
            depth -= 1
            if depth == 0:
                return found.start()
        elif letter.startswith("\n"):
            return None  # no argument holds an empty line
    return None


def _keys(argument: str) -> list[str]:
    parts = (part.replace(BLANK, " ").strip() for part in argument.split(","))
    return [part for part in parts if _KEY.fullmatch(part)]
