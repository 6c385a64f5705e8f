"""Tables of works: Scopus, IEEE Xplore, Springer, Embase, Web of Science, Zotero and others."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from litscape.importers import wos_fields
from litscape.importers.csv_columns import is_wos, known, plain_heading, roles
from litscape.importers.csv_details import HEADING, completed, is_own
from litscape.importers.csv_fields import draft_of
from litscape.importers.csv_rows import Row, rows, unguarded
from litscape.importers.outcome import Complaint, Piece, told

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from litscape.importers.base import SourceText
    from litscape.paper import ImportProblem, PaperDraft

_FEW = 200
_LINE_ROLE = {
    "issn": re.compile(r"[\dXx]{8}|\d{4}-[\dXx]{4}"),
    "isbn": re.compile(r"97[89][\d-]{10,14}(?:;.*)?|[\dXx-]{10,13}"),
    "eid": re.compile(r"2-s2\.0-\d+"),
    "doi": re.compile(r"10\.\d{4,9}/\S+"),
    "pmid": re.compile(r"[1-9]\d{0,8}"),
    "year": re.compile(r"\d{4}"),
    "url": re.compile(r"https?://\S+"),
    "source": re.compile(r"Scopus"),
    "raw:publication stage": re.compile(r"Final|Article in Press", re.I),
    "raw:language of original document": re.compile(r"[A-Z][a-z]+(?:; [A-Z][a-z]+)*"),
    "references": re.compile(r".*\((?:1[89]|20)\d\d\).*", re.S),
}
_DOCUMENTS = re.compile(
    r"Article|Review|Conference (?:Paper|Review)|Book(?: Chapter)?|Editorial|Letter|Note|Erratum"
    r"|Short Survey|Data Paper|Retracted|Report",
    re.I,
)
_MANY_TAGS = frozenset({"AU", "AF", "BA", "BF", "BE", "CA", "GP", "CR"})


class CsvImporter:
    """Rows under a heading, parted by commas, semicolons or tabs."""

    kind = "csv"
    title = "Table (CSV): Scopus, IEEE, Springer …"
    suffixes = (".csv", ".tsv", ".tab", ".txt")

    def recognises(self, head: str) -> float:
        """How many of the headings in the first line are those of works."""
        start = head.lstrip("\ufeff \t\r\n")
        if start[:1] in ("{", "[", "<", "@", "%"):
            return 0.0
        first = next(rows(head), None)
        if first is None or len(first.cells) < 2:
            return 0.0
        if is_wos(first.cells):
            return 0.92
        count, titled = known(first.cells)
        if count > 3:
            return 0.9
        return 0.7 if count > 2 or (titled and count > 1) else 0.0

    def read(
        self, source: SourceText, progress: Callable[[int, int], None] | None = None
    ) -> Iterator[PaperDraft | ImportProblem]:
        """Yield each row as a draft, then what is amiss, with its line and index."""
        table = rows(source.text)
        heading = next(table, None)
        if heading is None:
            return
        done, total = 0, len(source.text)
        reader = _Reader(heading)
        for index, row in enumerate(table):
            done += len(row.raw) + 1
            if progress and index % _FEW == 0:
                progress(min(done, total), total)
            piece = Piece(source.location, row.raw, row.line, index)
            draft, complaints = reader.draft_of(row, piece)
            if draft is not None and not reader.own:
                draft = replace(draft, citekey_original=draft.citekey)
            yield from told(piece, draft, complaints)


class _Reader:
    """Reads rows by one heading."""

    def __init__(self, heading: Row) -> None:
        self._headings = [cell.strip("\ufeff ") for cell in heading.cells]
        self._wos = is_wos(self._headings)
        self._ours = self._headings[:2] == ["id", "citekey"]
        self.own = is_own(self._headings)
        self._roles = roles(self._headings)
        pairs = zip(self._roles, self._headings, strict=True)
        self._names = {role: name.lower() for role, name in reversed(list(pairs)) if name.strip()}
        self._together = "item title" in map(plain_heading, self._headings)

    def draft_of(self, row: Row, piece: Piece) -> tuple[PaperDraft | None, Sequence[Complaint]]:
        complaints: list[Complaint] = []
        if row.mended:
            message = "A quote is never closed; the row was ended with its line."
            complaints.append(("repaired-entry", message))
        cells, extra = list(row.cells), ""
        if self._ours:
            cells = [unguarded(cell) for cell in cells]
        while len(cells) > len(self._roles) and not cells[-1].strip():
            cells.pop()
        if len(cells) > len(self._roles):
            count = len(cells)
            cells, extra = self._aligned(cells)
            message = (
                f"The row has {count} cells for {len(self._roles)} columns;"
                " they were aligned by what they hold."
            )
            complaints.append(("repaired-entry", message))
        if self._wos:
            return wos_fields.draft_of(self._tagged(cells), piece), complaints
        named = [*zip(self._roles, cells, strict=False), ("raw:extra", extra)]
        if self._ours:
            del named[0]  # the paper's number in the library that it was written from
        named = [one for one in named if one[0] != f"raw:{HEADING}" or not self.own]
        draft, guesses = draft_of(named, piece, self._names, together=self._together)
        if draft is not None and self.own:
            by_name = dict(zip(self._headings, cells, strict=False))
            draft = replace(draft, citekey_original=draft.citekey)
            draft, told_besides = completed(draft, by_name.get(HEADING, ""), by_name)
            complaints += told_besides
        return draft, [*complaints, *guesses]

    def _tagged(self, cells: Sequence[str]) -> Iterator[tuple[str, Sequence[str]]]:
        for tag, cell in zip(self._headings, cells, strict=False):
            if cell.strip():
                yield tag, re.split(r";\s+", cell) if tag in _MANY_TAGS else [cell]

    def _aligned(self, cells: list[str]) -> tuple[list[str], str]:
        """The cells without those that are too many, and these.

        They are left out where most of the others then are what their columns say.
        """
        extra = len(cells) - len(self._roles)
        best, place = -1, len(self._roles)
        for at in range(len(self._roles), 0, -1):
            score = self._score(cells[:at] + cells[at + extra :])
            if score > best:
                best, place = score, at
        left = cells[place : place + extra]
        return cells[:place] + cells[place + extra :], "; ".join(filter(None, left))

    def _score(self, cells: Sequence[str]) -> int:
        score = 0
        for role, cell in zip(self._roles, cells, strict=True):
            pattern = _DOCUMENTS if role == "type" else _LINE_ROLE.get(role)
            if pattern is not None and cell.strip():
                score += 1 if pattern.fullmatch(cell.strip()) else -1
        return score
