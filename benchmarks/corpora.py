"""The reference corpora beside the checkout, read and loaded into libraries for measuring."""

from __future__ import annotations

import gzip
import json
import re
from itertools import cycle, islice, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litscape.paper import Author, PaperDraft
from litscape.store import bulk
from litscape.store.database import Database

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT.parent / "shared" / "data"
FILES = ROOT.parent / "shared" / "imports" / "files"
CACHE = ROOT / ".cache" / "bench"
JOINED = 20_000
_BATCH = 2000
_ENTRY = re.compile(r"^(@(?!string|preamble|comment)\w+\s*\{)\s*", re.M | re.I)


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


def joined_bibliography(size: int = JOINED) -> Path | None:
    """A .bib of so many entries: real large files one after the other, their keys with a prefix.

    Entries beyond those of all files are the first ones again, under other keys.

    Returns:
        The file, kept from the first time on; None where the files are not there.
    """
    sources = sorted((FILES / "bibtex" / "glottolog__glottolog").glob("*.bib"))
    if not sources:
        return None
    path = CACHE / f"joined-{size}.bib"
    if not path.exists():
        texts = [source.read_text(encoding="utf-8") for source in sources]
        entries = islice(_entries_again_and_again(texts), size)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n\n".join(entries) + "\n", encoding="utf-8")
    return path


def _entries_again_and_again(texts: list[str]) -> Iterator[str]:
    for turn, text in enumerate(cycle(texts), start=1):
        starts = [found.start() for found in _ENTRY.finditer(text)]
        for start, stop in pairwise([*starts, len(text)]):
            yield _ENTRY.sub(rf"\g<1>f{turn}-", text[start:stop].strip(), count=1)
