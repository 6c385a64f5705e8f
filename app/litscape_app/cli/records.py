"""The JSON shapes that several commands share."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from litscape.fulltext.records import Passage
    from litscape.library import Library
    from litscape.paper import ImportProblem, ImportReport, LibraryChanges, PaperRow
    from litscape.search.highlights import Shown
    from litscape.search.hits import SearchHit

Record = dict[str, Any]

CHANGE_KEYS: Mapping[str, str] = {
    "change": "number of the change for undo, null when nothing changed",
    "added": "ids of papers that came in or came back",
    "changed": "ids of papers of which a field changed",
    "removed": "ids of papers that left, into the trash too",
    "structure": "whether tags, collections or saved searches changed",
}
REPORT_KEYS: Mapping[str, str] = {
    "batch": "id of the import as one change, null when nothing changed",
    "records": "records in the sources; the sum of the next five",
    "added": "records that became new papers",
    "updated": "records that changed a paper that came from the same source",
    "merged": "records joined to another paper",
    "unchanged": "records that changed nothing",
    "skipped": "records not taken in, each with an issue",
    "issues": "list of {line, code, severity, message, citekey, zotero_key, index, raw, source}",
    "suggested_merges": "pairs of ids of papers that may be one work",
}
ROW_KEYS: Mapping[str, str] = {
    "id": "the paper's id",
    "citekey": "its citation key",
    "title": "its title or null",
    "authors": "its authors as one text",
    "year": "number or null",
    "venue": "text or null",
    "type": "text or null",
    "tags": "list of the user's tags",
    "collections": "names of its collections",
    "has_abstract": "whether it has an abstract",
    "added_at": "when it came in, UTC",
    "read_state": "`reading`, `read`, or null for unread",
    "rating": "1 to 5 stars or null",
    "colour": "text or null",
    "listed": "whether it is in the reading list",
}
_ISSUE_FIELDS = (
    "line", "code", "severity", "message", "citekey", "zotero_key", "index", "raw", "source",
)  # fmt: skip
_REPORT_COUNTS = ("records", "added", "updated", "merged", "unchanged", "skipped")


def change_record(changes: LibraryChanges) -> Record:
    """The object that every change prints; its keys are :data:`CHANGE_KEYS`."""
    return {
        "change": changes.change_id,
        "added": sorted(changes.added),
        "changed": sorted(changes.changed),
        "removed": sorted(changes.removed),
        "structure": changes.structure,
    }


def report_record(report: ImportReport) -> Record:
    """The object that an import prints; its keys are :data:`REPORT_KEYS`."""
    return {
        "batch": report.batch,
        **{name: getattr(report, name) for name in _REPORT_COUNTS},
        "issues": [issue_record(issue) for issue in report.issues],
        "suggested_merges": [list(pair) for pair in report.suggested_merges],
    }


def issue_record(issue: ImportProblem) -> Record:
    """One line of an import report."""
    return {name: getattr(issue, name) for name in _ISSUE_FIELDS}


def row_record(row: PaperRow) -> Record:
    """A paper as a line of a list; its keys are :data:`ROW_KEYS`."""
    record = dataclasses.asdict(row)
    return {name: _plain(record[name]) for name in ROW_KEYS}


def row_line(row: PaperRow) -> tuple[object, ...]:
    """The cells of a list for a person."""
    return (row.id, row.citekey, row.year or row.year_raw, short(row.authors, 30), row.title)


def passage_record(passage: Passage) -> Record:
    """Where words stand in a PDF."""
    return {
        "file": passage.file,
        "page": passage.page,
        "text": passage.text,
        "marks": [list(mark) for mark in passage.marks],
    }


def starred(passage: Passage) -> str:
    """A passage's text with stars around the words that were looked for."""
    pieces, end = [], 0
    for first, last in passage.marks:
        pieces += [passage.text[end:first], f"*{passage.text[first:last]}*"]
        end = last
    return "".join([*pieces, passage.text[end:]])


def hit_record(
    row: PaperRow, score: float, why: tuple[str, ...], passage: Passage | None = None
) -> Record:
    """A paper found by ``search`` or ``similar``."""
    return {
        "id": row.id,
        "citekey": row.citekey,
        "title": row.title,
        "year": row.year,
        "score": round(score, 6),
        "why": list(why),
        "inside": None if passage is None else passage_record(passage),
    }


HIT_KEYS: Mapping[str, str] = {
    "id": "the paper's id",
    "citekey": "its citation key",
    "title": "its title or null",
    "year": "number or null",
    "score": "higher is better; comparable within one answer only; 0 in a list without ranking",
    "why": "list of short reasons",
    "inside": "{file, page, text, marks} where its PDF has the words, or null",
}


def found_record(row: PaperRow, hit: SearchHit, match: Shown) -> Record:
    """A paper found by ``search``; its keys are :data:`FOUND_KEYS`."""
    snippet = match.snippet
    return {
        **hit_record(row, hit.score, hit.why, hit.passage),
        "similarity": None if hit.similarity is None else round(hit.similarity, 4),
        "matched": list(match.words),
        "snippet": None
        if snippet is None
        else {"text": snippet.text, "marks": [list(span) for span in snippet.spans]},
    }


FOUND_KEYS: Mapping[str, str] = {
    **HIT_KEYS,
    "similarity": "cosine of its meaning with the query's, null where that was not searched",
    "matched": "the query's words in title and abstract, and the authors it asks for, as they are "
    "written there",
    "snippet": "{text, marks} of the abstract where the title has none of the words, or else of "
    "notes or of many authors, or null",
}


def rows_of(library: Library, ids: list[int]) -> dict[int, PaperRow]:
    """The table rows of papers by id."""
    return {row.id: row for row in library.papers.rows(ids)}


def short(text: str | None, width: int) -> str:
    """``text`` cut to ``width`` characters."""
    text = text or ""
    return text if len(text) <= width else text[: width - 1] + "…"


PAPER_KEYS: Mapping[str, str] = {
    "id": "stable, one paper only",
    "citekey": "the stored citation key",
    "citekey_original": "the key as the source writes it, or null",
    "citekey_aliases": "other keys under which records of this paper came in",
    "type": "`article`, `book`, `thesis` … or null",
    "title": "with its subtitle, or null",
    "authors": "list of {family, given, particle, suffix} or {literal}",
    "more_authors": "whether the list was cut (`et al.`)",
    "year": "number or null",
    "year_raw": "the year as written, where it is no plain number",
    "month": "number or null",
    "month_raw": "the month as written, where it is no plain number",
    "day": "number or null",
    "venue": "journal, proceedings or book that it appeared in",
    "publisher": "text or null",
    "volume": "text or null",
    "issue": "text or null",
    "pages": "text or null",
    "doi": "bare and in lower case, or null",
    "arxiv": "bare, or null",
    "pmid": "bare, or null",
    "isbn": "without hyphens, or null",
    "url": "text or null",
    "abstract": "text or null",
    "abstract_note": "what stood in its place, such as a placeholder, or null",
    "keywords": "list of the authors' or the source's keywords",
    "tags": "list of the user's tags",
    "collections": "list of paths, each a list of names from the top",
    "notes": "list of plain texts",
    "files": "list of {path, title, mime, base, exists}",
    "raw_fields": "object of the source's fields that have no key here",
    "identifiers": "object of further identifiers by scheme",
    "cites": "ids of the papers of this library that it cites",
    "references": "list of works it cites that are not in the library",
    "fields": "list of topics given by the source",
    "library": "`user` or `group:N` for papers from Zotero",
    "zotero_key": "text or null",
    "missing_in_source": "whether its source had it no more when last read whole",
    "read_state": "`reading`, `read`, or null for unread",
    "read_at": "when it was marked as read, UTC, or null",
    "rating": "1 to 5 stars or null",
    "colour": "`red`, `orange`, `yellow`, `green`, `blue`, `purple`, `grey` or null",
    "list_position": "sorts the reading list; null outside it",
}


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
