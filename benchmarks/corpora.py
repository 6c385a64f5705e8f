"""The reference corpora beside the checkout, read and loaded into libraries for measuring."""

from __future__ import annotations

import gzip
import json
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litscape.paper import Author, PaperDraft
from litscape.store import bulk
from litscape.store.database import Database

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT.parent / "shared" / "data"
CACHE = ROOT / ".cache" / "bench"
_BATCH = 2000


def records(name: str) -> Iterator[dict[str, Any]]:
    """The records of a corpus: one JSON object a line, gzipped or not."""
    path = DATA / name / "papers.jsonl"
    stream = path.open(encoding="utf-8") if path.exists() else _unzip(path)
    with stream:
        for line in stream:
            yield json.loads(line)


def _unzip(path: Path) -> Any:
    return gzip.open(path.with_name(path.name + ".gz"), "rt", encoding="utf-8")


def draft(record: dict[str, Any]) -> PaperDraft:
    """What search reads of a record."""
    return PaperDraft(
        title=record["title"],
        abstract=record["abstract"],
        year=record["year"],
        venue=record["venue"],
        authors=tuple(Author(literal=name) for name in record["authors"]),
    )


def load(name: str, folder: Path, *, links: bool = False) -> list[str]:
    """Make a library of a corpus; paper i + 1 is record i. Returns the records' ids.

    A library that an earlier, whole run has made is used again.
    """
    done = folder / "corpus.json"
    if done.exists():
        keys: list[str] = json.loads(done.read_text(encoding="utf-8"))
        return keys
    folder.mkdir(parents=True, exist_ok=True)
    for stale in folder.glob("library.sqlite*"):
        stale.unlink()
    keys, cites = [], []
    with Database.open(folder) as database:
        source = enumerate(records(name), start=1)
        while batch := list(islice(source, _BATCH)):
            papers = [bulk.NewPaper(i, record["id"], draft(record)) for i, record in batch]
            with database.write() as conn:
                bulk.insert_papers(conn, papers)
            keys += [record["id"] for _, record in batch]
            cites += [(record["id"], other) for _, record in batch for other in record["cites"]]
        if links:
            number = {key: i for i, key in enumerate(keys, start=1)}
            pairs = {(number[a], number[b]) for a, b in cites if b in number and a != b}
            with database.write() as conn:
                bulk.insert_citations(conn, [(a, b, "corpus") for a, b in sorted(pairs)])
    done.write_text(json.dumps(keys), encoding="utf-8")
    return keys
