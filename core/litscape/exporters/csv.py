"""A table for spreadsheets: one row a paper, lists parted by semicolons.

The last column holds what the others can't, so that a table that is read back has lost nothing.
"""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, TextIO

from litscape.exporters.jsonl import record
from litscape.importers.csv_details import HEADING, OWN_COLUMNS, details, plain_draft
from litscape.importers.csv_people import people
from litscape.importers.csv_rows import guarded
from litscape.importers.outcome import Piece
from litscape.paper import PaperDraft

if TYPE_CHECKING:
    from collections.abc import Iterable

    from litscape.exporters.base import Part
    from litscape.paper import Author, Paper

COLUMNS = (*OWN_COLUMNS, HEADING)
_NOWHERE = Piece("", "", None, 0)


def _name(author: Author) -> str:
    if author.literal:
        return author.literal
    return ", ".join(filter(None, (author.short, author.suffix, author.given)))


def _authors(paper: Paper) -> str:
    """Names parted by semicolons; one alone keeps one at its end where it would be read as two."""
    names = [*map(_name, paper.authors), *(["et al."] if paper.more_authors else [])]
    text = "; ".join(names)
    if len(names) == 1 and len(people(text)[0]) > 1:
        return f"{text};"
    return text


def _cell(paper: Paper, column: str) -> str:
    if column == "authors":
        return _authors(paper)
    if column == "collections":
        return "; ".join("/".join(path) for path in paper.collections)
    if column == "files":
        return "; ".join(link.path for link in paper.files)
    value = getattr(paper, column)
    if value is None and column in ("year", "month"):
        value = getattr(paper, f"{column}_raw")
    if isinstance(value, tuple):
        return "; ".join(value)
    return "" if value is None else str(value)


def _row(paper: Paper, part: Part | None) -> list[str]:
    cells = {column: _cell(paper, column) for column in OWN_COLUMNS}
    draft = plain_draft(cells, _NOWHERE) or PaperDraft()
    cells[HEADING] = details(record(paper, part), draft, paper, cells)
    return [guarded(cells[column]) for column in COLUMNS]


class CsvExporter:
    """A heading and one row a paper; no cell is a formula to a spreadsheet."""

    kind = "csv"
    title = "Table (CSV)"
    suffix = ".csv"

    def write(self, papers: Iterable[Paper], stream: TextIO, part: Part | None = None) -> int:
        """Write the heading and the rows; returns how many papers."""
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(COLUMNS)
        number = 0
        for paper in papers:
            number += 1
            writer.writerow(_row(paper, part))
        return number
