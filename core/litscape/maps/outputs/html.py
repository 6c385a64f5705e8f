"""A map as one page to explore: search, cards, zoom, legend; nothing is loaded from elsewhere."""

from __future__ import annotations

import base64
import json
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from litscape.exporters.written import written_whole
from litscape.maps.colouring import BY
from litscape.maps.ground import fitted
from litscape_resources.palettes import PALETTES

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from litscape.maps.outputs.sheet import Sheet
    from litscape.maps.outputs.style import Style

_UNSAFE = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
"""What could end the element that the data stands in, as JSON writes it otherwise."""
_TURNING = dict.fromkeys([0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)])
"""Signs that turn the direction of writing: each text of the page has its own direction."""


def write(sheet: Sheet, path: Path, style: Style) -> None:
    """Write the page; it follows the reader's light or dark, whatever the style says.

    Raises:
        EnvironmentFault: the file can't be written.
    """
    with written_whole(path) as stream:
        stream.write(page(sheet, style))


def page(sheet: Sheet, style: Style) -> str:
    """The whole page."""
    folder = files("litscape.maps.outputs")
    html, css, script = (
        (folder / f"page.{suffix}").read_text(encoding="utf-8") for suffix in ("html", "css", "js")
    )
    # The data last: nothing in it is looked for.
    head, _, rest = html.replace("@@CSS@@", css.strip()).partition("@@DATA@@")
    return head + _safe(_values(sheet, style)) + rest.replace("@@JS@@", script.strip())


def _safe(values: dict[str, Any]) -> str:
    text = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
    for sign, written in _UNSAFE.items():
        text = text.replace(sign, written)
    return text


def _values(sheet: Sheet, style: Style) -> dict[str, Any]:
    papers = sheet.papers
    venues, venue = _numbered([paper.venue or "" for paper in papers])
    topics, topic = _topic_names(sheet)
    light, dark = PALETTES["light"], PALETTES["dark"]
    entries = sheet.colours.entries
    by_topic = sheet.colours.by == "topic"
    of_topic = {one.label: number for number, one in enumerate(entries) if by_topic}
    return {
        "title": _plain(sheet.title),
        "about": sheet.about,
        "by": BY[sheet.colours.by],
        "note": sheet.note,
        "caption": sheet.caption if style.caption else "",
        "extent": [round(one, 5) for one in fitted(sheet.xy)],
        "levels": [_packed(one.astype("<i4")) for one in _named(sheet)],
        "xy": _packed(np.ascontiguousarray(sheet.xy, dtype="<f4")),
        "group": _packed(sheet.colours.of.astype("<u2")),
        "groups": [
            {
                "name": _plain(entry.label),
                "light": entry.colour(light),
                "dark": entry.colour(dark),
                "papers": entry.papers,
            }
            for entry in entries
        ],
        "several": _several(sheet),
        "names": [
            {
                "name": _plain(one.text),
                "x": round(one.x, 5),
                "y": round(one.y, 5),
                "level": one.level,
                "parts": one.parts,
                "group": of_topic.get((sheet.topic_names or {}).get(one.coarse, ""), -1),
            }
            for one in sheet.names
        ],
        "topics": topics,
        "topic": _packed(topic.astype("<i4")),
        "titles": [_plain(paper.title or "") for paper in papers],
        "authors": [_short(paper.authors) for paper in papers],
        "years": [paper.year or 0 for paper in papers],
        "venues": venues,
        "venue": venue,
        "keys": [paper.citekey for paper in papers],
        "dois": [paper.doi or "" for paper in papers],
    }


def _named(sheet: Sheet) -> list[NDArray[np.int64]]:
    """For each level the number of each paper's name among those of the sheet; -1 for none."""
    found = []
    for level, topics in enumerate(sheet.topics):
        numbers = np.full(len(topics), -1, dtype=np.int64)
        for number, one in enumerate(sheet.names):
            if one.level == level:
                numbers[topics == one.topic] = number
        found.append(numbers)
    return found


def _several(sheet: Sheet) -> dict[int, list[int]]:
    """The groups of each paper that has several, the one that colours it last."""
    member = sheet.colours.member
    if member is None:
        return {}
    order = np.array(sheet.colours.rarest_last())
    rows = np.flatnonzero(member.sum(axis=1) > 1)
    return {int(row): order[member[row, order]].tolist() for row in rows}


def _packed(values: NDArray[Any]) -> str:
    return base64.b64encode(values.tobytes()).decode("ascii")


def _plain(text: str) -> str:
    return " ".join(text.translate(_TURNING).split())


def _short(authors: str) -> str:
    """The first three authors of ``Given Family; …``."""
    names = [name for name in map(str.strip, authors.split(";")) if name]
    more = " et al." if len(names) > 3 else ""
    return _plain(", ".join(names[:3]) + more)


def _numbered(texts: Sequence[str]) -> tuple[list[str], list[int]]:
    """Different texts, each once, and the number of each text among them."""
    numbers: dict[str, int] = {}
    places = [numbers.setdefault(_plain(text), len(numbers)) for text in texts]
    return list(numbers), places


def _topic_names(sheet: Sheet) -> tuple[list[str], NDArray[np.int64]]:
    """For each paper its topics from coarse to fine, as one text; -1 without any."""
    found = np.full(len(sheet.ids), -1, dtype=np.int64)
    known: dict[tuple[int, ...], int] = {}
    names = sheet.topic_names or {}
    if sheet.topics:
        for row, path in enumerate(zip(*(one.tolist() for one in sheet.topics), strict=True)):
            topics = tuple(dict.fromkeys(one for one in path if one >= 0))
            if topics:
                found[row] = known.setdefault(topics, len(known))
    return [_plain(" › ".join(names.get(one, "") for one in path)) for path in known], found
