"""What facets and their values are called in the window."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

TITLES = {
    "year": "Years",
    "venue": "Venues",
    "author": "Authors",
    "topic": "Topics",
    "keyword": "Keywords",
    "tag": "Tags",
    "collection": "Collections",
    "type": "Types",
    "read": "Reading",
    "rating": "Rating",
    "colour": "Colour",
    "source": "Imported from",
}
"""The facets in the order in which they stand."""
_ONE = {
    "year": "Year", "venue": "Venue", "author": "Author", "keyword": "Keyword", "tag": "Tag",
    "topic": "Topic", "collection": "In", "type": "Type", "read": "", "rating": "Rating",
    "colour": "Colour", "source": "From",
}  # fmt: skip
_STARS = 5
_SIGNS = "[\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]+"
_EAST_ASIAN = re.compile(f"{_SIGNS}, {_SIGNS}")


def value_name(facet: str, value: str) -> str:
    """A value as it is shown: stars for a rating, words with a capital for what is our own."""
    if facet == "rating" and value.isdigit():
        return "★" * int(value) + "☆" * (_STARS - int(value))
    if facet == "author" and _EAST_ASIAN.fullmatch(value):
        return value.replace(", ", "")
    if facet == "collection":
        return value.replace("/", " › ")
    return value.capitalize() if facet in ("read", "colour") else value


def value_names(facet: str, values: Sequence[str]) -> list[str]:
    """Values of one list as they are shown: venues by their series, as long as each is another."""
    if facet == "venue":
        from litscape.venue_series import short_names

        return short_names(values)
    return [value_name(facet, value) for value in values]


def choice_name(facet: str, value: str, *, left_out: bool = False) -> str:
    """A choice in words: ``Venue Nature``, ``Not: Venue Nature``."""
    shown = value.replace("..", "–") if facet == "year" else value_name(facet, value)
    text = f"{_ONE[facet]} {shown}".strip()
    return f"Not: {text}" if left_out else text
