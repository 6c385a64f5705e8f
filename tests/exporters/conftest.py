"""Papers made for the writers, and reading back what they wrote."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import settings

from litscape.exporters.registry import exporter
from litscape.importers.base import SourceText
from litscape.importers.registry import importer
from litscape.paper import Paper, PaperDraft

settings.register_profile("no-deadline", deadline=None)
settings.load_profile("no-deadline")

_UNKNOWN: dict[str, Any] = {
    **dict.fromkeys(
        ("citekey_original", "type", "title", "year", "year_raw", "month", "month_raw", "day")
    ),
    **dict.fromkeys(("venue", "publisher", "volume", "issue", "pages", "doi", "arxiv", "pmid")),
    **dict.fromkeys(("isbn", "url", "abstract", "abstract_note", "library", "zotero_key")),
    **dict.fromkeys(("citekey_aliases", "authors", "keywords", "tags", "collections"), ()),
    **dict.fromkeys(("notes", "files", "cites", "references", "fields"), ()),
    "more_authors": False,
    "missing_in_source": False,
    "raw_fields": {},
    "identifiers": {},
    "added_at": "2026-01-01T00:00:00Z",
    "modified_at": "2026-01-01T00:00:00Z",
    "trashed_at": None,
}

MakePaper = Callable[..., Paper]
ReadBack = Callable[[str, Iterable[Paper]], list[PaperDraft]]


def make_paper(**known: Any) -> Paper:
    return Paper(**{"id": 1, "citekey": "key1", **_UNKNOWN, **known})


def written(kind: str, papers: Iterable[Paper]) -> str:
    stream = io.StringIO()
    exporter(kind).write(papers, stream)
    return stream.getvalue()


def read_back(kind: str, papers: Iterable[Paper]) -> list[PaperDraft]:
    source = SourceText("/x/export", written(kind, papers), "utf-8")
    outcome = list(importer(kind).read(source))
    return [one for one in outcome if isinstance(one, PaperDraft)]


@pytest.fixture(scope="session")
def paper() -> MakePaper:
    """Makes a stored paper of which only the given fields are known."""
    return make_paper


@pytest.fixture(scope="session")
def write() -> Callable[[str, Iterable[Paper]], str]:
    """Writes papers in a format."""
    return written


@pytest.fixture(scope="session")
def again() -> ReadBack:
    """Writes papers in a format and reads them back."""
    return read_back
