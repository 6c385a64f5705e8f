"""Lists of links: two columns, who cites and who is cited."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

from litscape.errors import UserError
from litscape.importers.decode import read_source

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

CITING = frozenset(
    {*("citing", "citing_id", "citing_doi", "citing_work", "source", "from", "src", "paper")}
)
CITED = frozenset(
    {*("cited", "cited_id", "cited_doi", "cited_work", "target", "to", "dst", "reference", "cites")}
)
_DELIMITERS = ("\t", ",", ";")
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the list; ``line`` counts from 1 in the file."""

    line: int
    citing: str
    cited: str


@dataclass(frozen=True, slots=True)
class SkippedLine:
    """A line that made no link, and why."""

    line: int
    text: str
    why: str


def read_table(path: Path | str) -> tuple[str, list[Line], list[SkippedLine]]:
    """The file's name, its lines, and those that can't be read as two columns.

    Columns are parted by tabs, commas or semicolons. A first line of names ("citing", "cited", in
    whichever order) says which column is which; lines that begin with ``#`` are passed over.

    Raises:
        UserError: the file can't be read, is no text, or holds no two columns.
    """
    source = read_source(path)
    delimiter = _delimiter(source.text)
    reader = csv.reader(io.StringIO(source.text), delimiter=delimiter, skipinitialspace=True)
    lines: list[Line] = []
    skipped: list[SkippedLine] = []
    first, second = 0, 1
    begun = False
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if not any(cells) or cells[0].startswith("#"):
                continue
            if not begun:
                begun = True
                if (columns := _header(cells)) is not None:
                    first, second = columns
                    continue
            if len(cells) <= max(first, second) or not cells[first] or not cells[second]:
                text = delimiter.join(row)
                skipped.append(SkippedLine(reader.line_num, _cut(text), "it has no two columns"))
            else:
                lines.append(Line(reader.line_num, cells[first], cells[second]))
    except csv.Error as error:
        where = f"line {reader.line_num} of {path}"
        raise UserError(f"The list of links can't be read at {where}: {error}.") from error
    if not lines:
        raise UserError(
            f"{path} holds no links: each line names the citing and the cited paper, "
            "parted by a comma or a tab."
        )
    return source.location.replace("\\", "/").rpartition("/")[2], lines, skipped


def _delimiter(text: str) -> str:
    """The sign that most of the first lines have; a tab before commas before semicolons."""
    head = [line for line in text.splitlines()[:50] if line.strip() and not line.startswith("#")]
    counts = [sum(sign in line for line in head) for sign in _DELIMITERS]
    return _DELIMITERS[counts.index(max(counts))]


def _header(cells: Sequence[str]) -> tuple[int, int] | None:
    names = [cell.lower().replace(" ", "_") for cell in cells]
    citing = next((n for n, name in enumerate(names) if name in CITING), None)
    cited = next((n for n, name in enumerate(names) if name in CITED), None)
    return None if citing is None or cited is None else (citing, cited)


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
