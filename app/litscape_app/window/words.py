"""Numbers, times and names as the window writes them."""

from __future__ import annotations

import html
import math
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from litscape.models.card import ModelCard
    from litscape.paper import PaperRow

_OPENING = 120
_TAIL = 6


def count(number: int, noun: str, plural: str = "") -> str:
    """``1 paper``, ``4,180 papers``."""
    word = noun if number == 1 else (plural or f"{noun}s")
    return f"{number:,} {word}"


def time_left(seconds: float | None) -> str:
    """``20 s left``, ``2 min left``, ``1 h 10 min left``; empty while unknown."""
    if seconds is None or not math.isfinite(seconds):
        return ""
    if seconds < 60:
        return f"{max(5, math.ceil(seconds / 5) * 5)} s left"
    minutes = math.ceil(seconds / 60)
    if minutes < 60:
        return f"{minutes} min left"
    return f"{minutes // 60} h {minutes % 60} min left"


def told_apart(cards: Iterable[ModelCard]) -> dict[str, str]:
    """By version the name of each model; those of one name get the end of their version too."""
    known = list(cards)
    often = Counter(card.name for card in known)
    return {
        card.version: f"{card.name} ({card.version[-_TAIL:]})"
        if often[card.name] > 1
        else card.name
        for card in known
    }


def authors_line(authors: list[str] | tuple[str, ...], more: bool = False, most: int = 3) -> str:
    """``First, Second … Last (12)`` for long lists, all of them for short ones."""
    names = [name for name in authors if name]
    if len(names) <= most:
        line = ", ".join(names)
        return f"{line} et al." if more and line else line
    ending = f"{len(names)}+" if more else str(len(names))
    return f"{', '.join(names[: most - 1])} … {names[-1]} ({ending})"


def plain_tooltip(text: str, width: int = 420) -> str:
    """A tooltip that shows ``text`` as it is, wrapped; never as the markup it may contain."""
    safe = html.escape(text).replace("\n", "<br>")
    return f'<div style="max-width:{width}px">{safe}</div>' if safe else ""


def marked_html(text: str, marks: Iterable[tuple[int, int]]) -> str:
    """``text`` as markup that shows it as it is, with the marked parts in bold."""
    pieces, end = [], 0
    for first, last in marks:
        pieces += [html.escape(text[end:first]), f"<b>{html.escape(text[first:last])}</b>"]
        end = last
    return "".join([*pieces, html.escape(text[end:])])


def sentence(text: str) -> str:
    """``text`` with a full stop, unless it ends in one, or in dots, already."""
    return text if text.endswith((".", "…", "!", "?")) or not text else f"{text}."


def title_of(row: PaperRow) -> str:
    """A paper's title; without one how its abstract begins, else its citation key."""
    if row.title:
        return row.title
    opening = shorten(" ".join((row.opening or "").split()), _OPENING)
    return opening or f"Untitled ({row.citekey})"


def shorten(text: str, most: int = 80) -> str:
    """``text`` cut at a word to at most ``most`` characters."""
    if len(text) <= most:
        return text
    cut = text[: most - 1].rsplit(" ", 1)[0]
    return f"{cut or text[: most - 1]}…"
