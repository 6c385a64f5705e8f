"""Lists of links: two columns, who cites and who is cited."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from litscape.errors import UserError
from litscape.importers.decode import read_source
from litscape.importers.patentsview import patent_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

CITING = frozenset(
    {
        *(
            "source",
            "from",
            "src",
            "paper",
            "id",
            "doi",
            "pmid",
            "arxiv",
            "key",
            "citekey",
            "paper_id",
        )
    }
)
CITED = frozenset(
    {*("target", "to", "dst", "reference", "references", "ref", "cites", "reference_id")}
)
"""Names of columns; so are all that begin with ``citing`` and ``cited``."""
_PUBLISHED = {
    "patent_id": "patent",
    "patent": "patent",
    "citation_patent_id": "patent",
    "citation_document_number": "patent",
    "citation_id": "patent",
    "oaid": "openalex",
    "magid": "mag",
    "doi": "",
    "pmid": "pmid",
    "other_reference_text": "text",
}
"""Columns of PatentsView's lists of citations and of Reliance on Science, and what they hold."""
_CITING_PUBLISHED = ("patent_id", "patent")
_DELIMITERS = ("\t", ",", ";")
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the list; ``line`` counts from 1 in the file.

    Attributes:
        citing, cited: how the works are named.
        score: how sure the list is of it, 0 … 1.
        is_text: whether ``cited`` is a reference's text and no name.
    """

    line: int
    citing: str
    cited: str
    score: float = 1.0
    is_text: bool = False


@dataclass(frozen=True, slots=True)
class SkippedLine:
    """A line that made no link, and why."""

    line: int
    text: str
    why: str


def read_table(path: Path | str) -> tuple[str, list[Line], list[SkippedLine]]:
    """The file's name, its lines, and those that can't be read as two columns.

    Columns are parted by tabs, commas or semicolons. A first line of names ("citing", "cited", in
    whichever order) says which column is which; lines that begin with ``#`` are passed over. So do
    the headings of PatentsView's lists (patents and texts that patents cite) and of Reliance on
    Science (papers that patents cite, Marx and Fuegi 2020).

    Raises:
        UserError: the file can't be read, is no text, or holds no two columns.
    """
    source = read_source(path)
    delimiter = _delimiter(source.text)
    lines: list[Line] = []
    skipped: list[SkippedLine] = []
    read: Callable[[int, Sequence[str]], Line | None] | None = None
    number = 0
    try:
        for number, row in _rows(source.text, delimiter):
            cells = [cell.strip() for cell in row]
            if not any(cells) or cells[0].startswith("#"):
                continue
            if read is None:
                read = _published(cells) or _header(cells)
                if read is not None:
                    continue
                read = _Columns(0, 1)
            line = read(number, cells)
            if line is None:
                text = delimiter.join(row)
                skipped.append(SkippedLine(number, _cut(text), "it has no two columns"))
            else:
                lines.append(line)
    except csv.Error as error:
        where = f"line {number + 1} of {path}"
        raise UserError(f"The list of links can't be read at {where}: {error}.") from error
    if not lines:
        raise UserError(
            f"{path} holds no links: each line names the citing and the cited paper, "
            "parted by a comma or a tab."
        )
    return source.location.replace("\\", "/").rpartition("/")[2], lines, skipped


def _rows(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Each row with its last line.

    A line is a row, so that a quote that is never closed costs its own line alone; only texts that
    patents cite go over several lines.
    """
    lines = io.StringIO(text, newline=None).readlines()
    first = next((n for n, line in enumerate(lines) if line.strip()), 0)

    def reader(some: list[str]) -> Any:
        return csv.reader(some, delimiter=delimiter, skipinitialspace=True)

    if lines and _published(next(reader(lines[first : first + 1]))) is not None:
        rows = reader(lines)
        for row in rows:
            yield rows.line_num, row
        return
    for number, line in enumerate(lines, 1):
        for row in reader([line]):
            yield number, row


@dataclass(frozen=True, slots=True)
class _Columns:
    """Reads two columns as they are."""

    citing: int
    cited: int

    def __call__(self, number: int, cells: Sequence[str]) -> Line | None:
        if len(cells) <= max(self.citing, self.cited):
            return None
        citing, cited = cells[self.citing], cells[self.cited]
        return Line(number, citing, cited) if citing and cited else None


@dataclass(frozen=True, slots=True)
class _Published:
    """Reads a list of patents' citations by its headings; the first name that is there counts."""

    citing: int
    cited: tuple[tuple[int, str], ...]
    confidence: int | None

    def __call__(self, number: int, cells: Sequence[str]) -> Line | None:
        row = dict(enumerate(cells))
        citing = _named("patent", row.get(self.citing, ""))
        score = row.get(self.confidence, "") if self.confidence is not None else ""
        sure = min(int(score), 10) / 10 if score.isdigit() else 1.0
        for place, kind in self.cited:
            if cited := row.get(place, ""):
                name = cited if kind == "text" else _named(kind, cited)
                return Line(number, citing, name, sure, kind == "text") if citing else None
        return None


def _named(kind: str, value: str) -> str:
    """A work's name in a list of links: its scheme and what it is there."""
    if kind == "patent":
        number = patent_number(value)
        return f"patent:{number}" if number else value
    if kind == "openalex":
        return f"openalex:W{value.lstrip('Ww')}"
    return f"{kind}:{value}" if kind else value


def _published(cells: Sequence[str]) -> _Published | None:
    names = [cell.lower() for cell in cells]
    citing = next((names.index(one) for one in _CITING_PUBLISHED if one in names), None)
    cited = [
        (names.index(name), kind)
        for name, kind in _PUBLISHED.items()
        if name in names and name not in _CITING_PUBLISHED
    ]
    if citing is None or not cited:
        return None
    # DOIs and PubMed ids are known to more libraries than the other numbers.
    cited.sort(key=lambda one: ("", "pmid", "openalex", "mag", "patent", "text").index(one[1]))
    confidence = names.index("confscore") if "confscore" in names else None
    return _Published(citing, tuple(cited), confidence)


def _delimiter(text: str) -> str:
    """The sign that most of the first lines have; a tab before commas before semicolons."""
    head = [line for line in text.splitlines()[:50] if line.strip() and not line.startswith("#")]
    counts = [sum(sign in line for line in head) for sign in _DELIMITERS]
    return _DELIMITERS[counts.index(max(counts))]


def _header(cells: Sequence[str]) -> _Columns | None:
    names = [cell.lower().replace(" ", "_") for cell in cells]
    citing, cited = _place(names, "citing", CITING), _place(names, "cited", CITED)
    return None if citing is None or cited is None else _Columns(citing, cited)


def _place(names: Sequence[str], word: str, others: frozenset[str]) -> int | None:
    """The column of a name that begins with a word, else of another name for it."""
    plain = next((n for n, name in enumerate(names) if name.startswith(word)), None)
    if plain is not None:
        return plain
    return next((n for n, name in enumerate(names) if name in others), None)


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
