"""``litscape info``: what a library holds and how far it is embedded."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from litscape_app.cli.command import Answer, Command
from litscape_app.cli.output import columns

if TYPE_CHECKING:
    from litscape_app.cli.session import Session

_KEYS = {
    "folder": "the library's folder",
    "papers": "live papers",
    "with_abstracts": "of these, papers with an abstract",
    "trashed": "papers in the trash",
    "citations": "links from paper to paper inside the library",
    "collections": "collections in the tree",
    "tags": "tags in use",
    "references": "works cited that are not in the library",
    "embedded": "live papers that have a vector of the model in use",
    "pending": "live papers still to be embedded",
    "without_text": "live papers with neither title nor abstract, which can't be compared",
    "damaged": "of these, papers whose vector is damaged; `embed` makes it anew",
    "model": "name of the model in use",
    "model_version": "its version",
    "index_kind": "exact or hnsw",
    "index_state": "empty, partial or ready",
    "last_import": "when the last import began, UTC, or null",
    "notes": "list of sentences on what is worth knowing",
}


def _info(session: Session) -> Answer:
    with session.library(reading=True) as library:
        library.vectors()  # looks at every row, so that only sound vectors are counted
        record = dataclasses.asdict(library.info())
        batches = library.imports.batches()
    record["folder"] = str(session.folder)
    record["last_import"] = batches[0].started_at if batches else None
    record["notes"] = list(record["notes"])
    ordered = {name: record[name] for name in _KEYS}
    rows = [(name, _words(value)) for name, value in ordered.items() if name != "notes"]
    return Answer(ordered, "\n".join([columns(rows, whole=True), *record["notes"]]))


def _words(value: object) -> str:
    return "none" if value is None else f"{value:,}" if type(value) is int else str(value)


INFO = Command("info", "print what the library holds", _info, keys=_KEYS)
