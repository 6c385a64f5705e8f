"""``litscape info``: what a library holds and how far it is embedded."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from litscape_app.cli.command import Answer, Command
from litscape_app.cli.output import columns

if TYPE_CHECKING:
    from litscape.library import LibraryInfo
    from litscape_app.cli.session import Session

_KEYS = {
    "folder": "the library's folder",
    "papers": "live papers",
    "with_abstract": "of these, papers with an abstract",
    "citations": "links from paper to paper inside the library",
    "references": "works cited that are not in the library",
    "embedded": "papers that have a vector of the model in use",
    "model": "version of the model in use",
    "index_kind": "exact or hnsw",
    "index_state": "whether the index is built",
    "trashed": "papers in the trash",
    "last_import": "when the last import began, UTC, or null",
    "notes": "list of sentences on what is worth knowing",
}


def _info(session: Session) -> Answer:
    with session.library() as library:
        info = library.info()
    notes = _notes(info)
    record = {**_plain(info), "notes": notes}
    rows = [(name, _words(record[name])) for name in _KEYS if name != "notes"]
    return Answer(record, "\n".join([columns(rows), *notes]))


def _plain(info: LibraryInfo) -> dict[str, Any]:
    record = dataclasses.asdict(info)
    return {name: str(value) if name == "folder" else value for name, value in record.items()}


def _notes(info: LibraryInfo) -> list[str]:
    if not info.papers:
        return ["The library is empty; `litscape import FILE` fills it."]
    notes = []
    if not info.with_abstract:
        notes.append("No paper has an abstract: similarity is by title only.")
    if info.embedded < info.papers:
        missing = info.papers - info.embedded
        notes.append(f"{missing:,} of {info.papers:,} papers are not embedded; `litscape embed`.")
    return notes


def _words(value: object) -> str:
    return "none" if value is None else f"{value:,}" if type(value) is int else str(value)


INFO = Command("info", "print what the library holds", _info, keys=_KEYS)
