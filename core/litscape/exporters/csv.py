"""A table for spreadsheets: one row a paper, lists parted by semicolons."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, TextIO

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


def _cell(paper: Paper, column: str) -> str:
    if column == "authors":
        others = ["et al."] if paper.more_authors else []
        return "; ".join([*map(_name, paper.authors), *others])
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
    """A heading and one row a paper."""

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
            writer.writerow([_cell(paper, column) for column in COLUMNS])
        return number
