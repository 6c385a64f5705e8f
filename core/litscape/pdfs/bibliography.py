"""The list of references in a text: where it stands, and its entries."""

from __future__ import annotations

import re
from statistics import median
from typing import TYPE_CHECKING

from litscape.importers.cited import plain_reference

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litscape.paper import Reference
    from litscape.pdfs.pages import Line

_HEADING = re.compile(
    r"(?:(?:\d+|[IVX]+|[A-Z])\.?\s+)?(?:references(?:\s+and\s+notes)?|references\s+cited"
    r"|bibliography|works\s+cited|literature(?:\s+cited)?|literatur(?:verzeichnis)?|r[ée]f[ée]rences"
    r"|bibliographie|referencias|bibliograf[ií]a|riferimenti|referências|参考文献|參考文獻)\s*:?",
    re.I,
)
_AFTER = re.compile(
    r"(?:(?:\d+|[IVX]+|[A-Z])\.?\s+)?(?:appendi(?:x|ces)\b.{0,60}|supplement(?:ary|al)?\b.{0,60}"
    r"|acknowledge?ments?|author contributions?|about the authors?|figure legends?|tables?"
    r"|conflicts? of interest|funding|checklist|anhang|annexe)\s*:?",
    re.I,
)
_NUMBER = re.compile(r"(?:\[(\d{1,4})\]|\((\d{1,4})\)|(\d{1,4})\.(?=\s|[^\W\d_]))\s*")
_LABEL = re.compile(r"\[[^\W\d_][\w+’' .&,-]{1,40}\d{2,4}[a-z]?\]\s*")
_PAGE_NUMBER = re.compile(r"(?:page\s+)?\d{1,4}(?:\s*(?:of|/)\s*\d{1,4})?", re.I)
_YEAR = re.compile(r"(?<![\d/.\-–])(1[5-9]\d\d|20\d\d)[a-z]?(?![\d/–]|\.\d)")
_BEGINS = re.compile(
    r"(?:(?:van|von|de|der|den|del|della|di|da|dos|du|la|le|al|el|bin|ter|ten)\s+){0,3}"
    r"[^\W\d_a-z][^\W\d_’'-]+,?\s"
)
_HYPHEN = re.compile(r"(\w)(?:\u00ad|-)$")
_FEWEST = 3
_LONGEST = 1500


def find_references(lines: Sequence[Line]) -> list[Reference]:
    """The works of a text's list of references, in its order; empty where there is no list."""
    return [plain_reference(text) for text in entries(section(lines))]


def section(lines: Sequence[Line]) -> list[Line]:
    """The lines of the last list of references, without what is repeated on every page."""
    heads = [n for n, line in enumerate(lines) if _HEADING.fullmatch(line.text)]
    for head in reversed(heads):
        body = _until_next(_without_repeated(lines, head + 1))
        if len(body) >= _FEWEST and sum(bool(_YEAR.search(line.text)) for line in body) >= _FEWEST:
            return body
    return []


def _without_repeated(lines: Sequence[Line], start: int) -> list[Line]:
    """Running heads and page numbers are no part of any entry."""
    seen: dict[str, set[int]] = {}
    for line in lines:
        seen.setdefault(_plain(line.text), set()).add(line.page)
    return [
        line
        for line in lines[start:]
        if not _PAGE_NUMBER.fullmatch(line.text) and len(seen[_plain(line.text)]) < _FEWEST
    ]


def _plain(text: str) -> str:
    return re.sub(r"\d+", "#", text).casefold()


def _until_next(lines: Sequence[Line]) -> list[Line]:
    end = next((n for n, line in enumerate(lines) if _AFTER.fullmatch(line.text)), len(lines))
    return list(lines[:end])


def entries(lines: Sequence[Line]) -> list[str]:
    """The entries of a list, each as one text.

    Told apart by their numbers, else by labels, else by hanging indents, else by how they end.
    """
    if not lines:
        return []
    starts = _numbered(lines) or _labelled(lines) or _hanging(lines) or _by_form(lines)
    ends = [*starts[1:], len(lines)]
    joined = (_join(lines[a:b]) for a, b in zip(starts, ends, strict=True))
    texts = (_bare(text) for text in joined)
    return [text for text in texts if 10 < len(text) <= _LONGEST]


def _bare(text: str) -> str:
    """An entry without its number or label."""
    found = _NUMBER.match(text) or _LABEL.match(text)
    return text[found.end() :].strip() if found else text


def _numbered(lines: Sequence[Line]) -> list[int]:
    """Lines that begin with numbers that count up by one."""
    starts: list[int] = []
    wanted: int | None = None
    for place, line in enumerate(lines):
        found = _NUMBER.match(line.text)
        number = int(next(part for part in found.groups() if part)) if found else None
        if number is not None and (number == wanted or (wanted is None and number <= _FEWEST)):
            starts.append(place)
            wanted = number + 1
    return starts if len(starts) >= _FEWEST else []


def _labelled(lines: Sequence[Line]) -> list[int]:
    """Lines that begin with a label such as ``[Gul19]``."""
    starts = [n for n, line in enumerate(lines) if _LABEL.match(line.text)]
    return starts if len(starts) >= _FEWEST else []


def _hanging(lines: Sequence[Line]) -> list[int]:
    """Lines that begin left of those that follow; in each column and page on its own."""
    starts: list[int] = []
    block: list[int] = []
    for place in range(len(lines) + 1):
        jumps = place == len(lines) or (
            block
            and (
                lines[place].page != lines[block[-1]].page
                or abs(lines[place].left - lines[block[-1]].left) > 100
            )
        )
        if jumps and block:
            found = _outdented(lines, block)
            if found is None:
                return []
            starts += found
            block = []
        if place < len(lines):
            block.append(place)
    return starts if len(starts) >= _FEWEST and starts[0] == 0 else []


def _outdented(lines: Sequence[Line], block: Sequence[int]) -> list[int] | None:
    """The lines at the left of a block; None where all begin at the same place."""
    lefts = [lines[n].left for n in block]
    edge = min(lefts)
    out = [n for n in block if lines[n].left < edge + 4]
    inner = [left for left in lefts if left >= edge + 4]
    if not inner:
        return None if len(block) > 3 else []
    return out if 4 <= median(inner) - edge <= 60 else None


def _by_form(lines: Sequence[Line]) -> list[int]:
    """A line begins an entry where the one before ends a sentence and a name begins this one."""
    starts = [0]
    for place in range(1, len(lines)):
        before, text = lines[place - 1].text, lines[place].text
        since = " ".join(line.text for line in lines[starts[-1] : place])
        ended = before.endswith((".", ".)", "]")) or bool(re.search(r"\d$", before))
        if ended and _BEGINS.match(text) and _YEAR.search(since):
            starts.append(place)
    return starts


def _join(lines: Sequence[Line]) -> str:
    """The lines as one text; a word that was parted is whole again."""
    text = ""
    for line in lines:
        parted = _HYPHEN.search(text)
        address = parted and re.search(r"(?:https?://|doi|10\.\d{4})\S*$", text, re.I)
        if parted and address:
            text = text.replace("\u00ad", "-") + line.text
        elif parted and line.text[:1].islower():
            text = text[: parted.end(1)] + line.text
        elif text.endswith(("/", "_")) or (parted and not address):
            text = text.replace("\u00ad", "-") + line.text
        else:
            text = f"{text} {line.text}" if text else line.text
    return " ".join(text.replace("\u00ad", "").split())
