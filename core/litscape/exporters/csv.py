"""A table for spreadsheets: one row a paper, lists parted by semicolons."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, TextIO

from litscape.importers.csv_people import people
from litscape.importers.csv_rows import guarded

if TYPE_CHECKING:
    from collections.abc import Iterable

    from litscape.exporters.base import Part
    from litscape.paper import Author, Paper

COLUMNS = (
    "id",
    "citekey",
    "type",
    "title",
    "authors",
    "year",
    "month",
    "day",
    "venue",
    "publisher",
    "volume",
    "issue",
    "pages",
    "doi",
    "arxiv",
    "pmid",
    "isbn",
    "url",
    "abstract",
    "keywords",
    "tags",
    "collections",
    "notes",
    "files",
)


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
            writer.writerow([guarded(_cell(paper, column)) for column in COLUMNS])
        return number
