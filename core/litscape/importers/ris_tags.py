"""Which keywords of a RIS record are tags: this program writes tags as keywords and says so."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING

from litscape.importers.normalise import fold

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

TAGS_SIGN = "tags: "
"""What the line begins with that names those of the keywords that are tags, as a list."""


def tags_line(tags: Sequence[str]) -> str:
    """The line that names tags; blanks in them stay as many as they are."""
    return TAGS_SIGN + json.dumps(list(tags)).replace("  ", " \\u0020")


def read_tags_line(text: str) -> list[str]:
    """The tags of a line of :func:`tags_line`; none where it is no such line."""
    if not text.startswith(TAGS_SIGN):
        return []
    with suppress(ValueError, RecursionError):
        names = json.loads(text.removeprefix(TAGS_SIGN))
        if isinstance(names, list) and all(isinstance(name, str) for name in names):
            return names
    return []


def parted(
    values: Iterable[str], named: Iterable[str], passed: Collection[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Tags and keywords, each once.

    A tag whose keywords are no longer there was taken out by somebody else. What is both stands
    there twice.

    Args:
        values: all keywords, parted at semicolons.
        named: the names that are tags.
        passed: keywords, casefolded, that are no values and never read.
    """
    rest = list(values)
    tags: list[str] = []
    for name in named:
        parts = [part for part in map(fold, name.split(";")) if part.casefold() not in passed]
        left = list(rest)
        with suppress(ValueError):
            for part in parts:
                # The last: keywords are written before tags.
                del left[len(left) - 1 - left[::-1].index(part)]
            rest = left
            tags.append(name)
    return tuple(dict.fromkeys(tags)), tuple(dict.fromkeys(value for value in rest if value))


def entries(tag: str, lines: Sequence[str]) -> list[str]:
    """The values of one tagged line and the text under it; a list of keywords may go on there."""
    if tag == "KW":
        groups: list[str] = []
        for line in lines:
            if groups and line[:1].isspace():
                groups[-1] += " " + line
            else:
                groups.append(line)
        return [fold(part) for group in groups for part in group.split(";")]
    if tag in ("AB", "N2", "N1", "RN"):
        return ["\n".join(lines).strip()]
    return [fold(" ".join(lines))]
