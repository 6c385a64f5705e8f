"""The lines of a paper that are put together of several fields, and taken apart again."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from litscape.paper import Paper

AUTHORS_SHOWN = 8
"""So many authors are named."""


def editable_names(paper: Paper) -> list[str]:
    """Names as they are edited: family names first, those of groups in braces."""
    names = []
    for author in paper.authors:
        if author.literal:
            names.append(f"{{{author.literal}}}" if " " in author.literal else author.literal)
        else:
            family = " ".join(part for part in (author.particle, author.family) if part)
            rest = ", ".join(part for part in (author.suffix, author.given) if part)
            names.append(f"{family}, {rest}" if rest else family)
    return names


def author_line(names: list[str], more: bool) -> str:
    """Names as they are read; of very many, the first and the last."""
    if len(names) > AUTHORS_SHOWN:
        number = f"{len(names)}+" if more else f"{len(names)}"
        return f"{', '.join(names[: AUTHORS_SHOWN - 1])} … {names[-1]} ({number} authors)"
    line = ", ".join(names)
    return f"{line} et al." if more and line else line


def byline(paper: Paper) -> str:
    """Year, venue, volume and pages."""
    year = str(paper.year) if paper.year is not None else (paper.year_raw or "")
    issue = f"({paper.issue})" if paper.issue else ""
    volume = f"{paper.volume or ''}{issue}"
    pages = f"pp. {paper.pages}" if paper.pages else ""
    return " · ".join(part for part in (year, paper.venue or "", volume, pages) if part)


def fact_fields(key: str, text: str) -> dict[str, object]:
    """A year that is no number is kept as the words it is."""
    if key == "year" and text and not text.lstrip("-").isdigit():
        return {"year": None, "year_raw": text}
    return {key: text}
