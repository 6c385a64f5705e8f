"""The columns of a map as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from litscape.maps.outputs.sheet import Sheet

Column = list[int | None] | list[float] | list[str] | list[str | None]


def columns(sheet: Sheet) -> dict[str, Column]:
    """Each column by its name, the values in the order of the map's papers.

    ``topic`` and ``topic_name`` are the coarsest, ``topic_2`` the next level, and so on; ``colour``
    is the value that the map is coloured by.
    """
    papers, names = sheet.papers, sheet.topic_names or {}
    found: dict[str, Column] = {
        "id": sheet.ids.tolist(),
        "citekey": [paper.citekey for paper in papers],
        "doi": [paper.doi for paper in papers],
        "title": [paper.title for paper in papers],
        "year": [paper.year for paper in papers],
        "venue": [paper.venue for paper in papers],
        "cited": sheet.cited.tolist(),
        # The shortest text that gives the same float32 again.
        "x": [float(str(value)) for value in sheet.places[:, 0]],
        "y": [float(str(value)) for value in sheet.places[:, 1]],
    }
    for level, topics in enumerate(sheet.topics):
        end = f"_{level + 1}" if level else ""
        numbers = topics.tolist()
        found[f"topic{end}"] = [one if one >= 0 else None for one in numbers]
        found[f"topic_name{end}"] = [names.get(one) for one in numbers]
    entries = sheet.colours.entries
    found["colour"] = [entries[one].label for one in sheet.colours.of.tolist()]
    return found
