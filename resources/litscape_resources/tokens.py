"""The colours of the window in one place: a light and a dark reading room.

Text tokens reach a contrast of 4.5 on every ground they are set on, marks one of 3; a test
checks both themes.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tokens:
    """One theme's colours, each ``#rrggbb``.

    Attributes:
        background: the room: side columns, bars, the foot.
        surface: what is read: table, details.
        raised: buttons, chips, popups.
        hover: a row or button under the pointer.
        line: hairlines between areas.
        mark: outlines and icons that must be seen.
        text: words.
        muted: words that step back.
        accent: links, the chosen, the focused.
        on_accent: words on the accent.
        selection: the ground of chosen rows.
        found: the ground of words that a search found.
        good: a good outcome, in words.
        warn: a warning, in words.
        bad: an error, in words.
    """

    name: str
    background: str
    surface: str
    raised: str
    hover: str
    line: str
    mark: str
    text: str
    muted: str
    accent: str
    on_accent: str
    selection: str
    found: str
    good: str
    warn: str
    bad: str


LIGHT = Tokens(
    name="light",
    background="#f5f3ef",
    surface="#fdfcfa",
    raised="#ebe8e2",
    hover="#f1eeea",
    line="#dfdbd3",
    mark="#86807a",
    text="#24221f",
    muted="#625d56",
    accent="#215f8b",
    on_accent="#ffffff",
    selection="#dbe7f0",
    found="#f1d36b",
    good="#22683f",
    warn="#815400",
    bad="#ab2b20",
)

DARK = Tokens(
    name="dark",
    background="#1a1b1d",
    surface="#202124",
    raised="#2d2f33",
    hover="#27292c",
    line="#36383c",
    mark="#85888d",
    text="#e7e4de",
    muted="#b2aea6",
    accent="#86b8e0",
    on_accent="#10202d",
    selection="#293d4f",
    found="#574a16",
    good="#82c79c",
    warn="#e2b75c",
    bad="#f49a90",
)
