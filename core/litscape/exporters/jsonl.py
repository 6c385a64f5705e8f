"""JSON lines with every key of a paper: what comes in from it is what went out."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TextIO

from litscape.paper import Author, FileLink, Paper, Reference
from litscape.reading import FIELDS as READING_FIELDS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from litscape.exporters.base import Part

_FILE_KEYS = ("path", "title", "mime", "base", "exists")
_REFERENCE_KEYS = ("raw", "doi", "title", "year", "source_id")


def _author(author: Author) -> dict[str, str]:
    if author.literal is not None:
        return {"literal": author.literal}
    parts = {
        "family": author.family,
        "given": author.given,
        "particle": author.particle,
        "suffix": author.suffix,
    }
    return {name: part for name, part in parts.items() if part is not None}


def _file(link: FileLink) -> dict[str, Any]:
    return {key: getattr(link, key) for key in _FILE_KEYS if getattr(link, key) is not None}


def _reference(reference: Reference) -> dict[str, Any]:
    known = {key: getattr(reference, key) for key in _REFERENCE_KEYS}
    return {**reference.extra, **{key: value for key, value in known.items() if value is not None}}


def _cited(paper: Paper) -> Reference:
    return Reference(raw=paper.citekey, doi=paper.doi, title=paper.title, year=paper.year)


def record(paper: Paper, part: Part | None = None) -> dict[str, Any]:
    """One paper as the object of a line; unknown is null, ``[]``, ``{}`` or false."""
    cites, references = list(paper.cites), list(paper.references)
    if part is not None:
        references += map(_cited, part.others([one for one in cites if one not in part.ids]))
        cites = [one for one in cites if one in part.ids]
    return {
        "id": paper.id,
        "citekey": paper.citekey,
        "citekey_original": paper.citekey_original,
        "citekey_aliases": list(paper.citekey_aliases),
        "type": paper.type,
        "title": paper.title,
        "authors": [_author(author) for author in paper.authors],
        "more_authors": paper.more_authors,
        "year": paper.year,
        "year_raw": paper.year_raw,
        "month": paper.month,
        "month_raw": paper.month_raw,
        "day": paper.day,
        "venue": paper.venue,
        "publisher": paper.publisher,
        "volume": paper.volume,
        "issue": paper.issue,
        "pages": paper.pages,
        "doi": paper.doi,
        "arxiv": paper.arxiv,
        "pmid": paper.pmid,
        "isbn": paper.isbn,
        "url": paper.url,
        "abstract": paper.abstract,
        "abstract_note": paper.abstract_note,
        "keywords": list(paper.keywords),
        "tags": list(paper.tags),
        "collections": [list(path) for path in paper.collections],
        "notes": list(paper.notes),
        "files": [_file(link) for link in paper.files],
        "raw_fields": dict(paper.raw_fields),
        "identifiers": dict(paper.identifiers),
        "cites": cites,
        "references": [_reference(one) for one in references],
        "fields": list(paper.fields),
        "library": paper.library,
        "zotero_key": paper.zotero_key,
        "missing_in_source": paper.missing_in_source,
        **{name: getattr(paper, name) for name in READING_FIELDS},
    }


class JsonlExporter:
    """Everything that is known of each paper, one JSON object a line."""

    kind = "jsonl"
    title = "Everything (JSON lines)"
    suffix = ".jsonl"

    def write(self, papers: Iterable[Paper], stream: TextIO, part: Part | None = None) -> int:
        """Write one line a paper; returns how many."""
        number = 0
        for paper in papers:
            number += 1
            stream.write(json.dumps(record(paper, part), ensure_ascii=False) + "\n")
        return number
