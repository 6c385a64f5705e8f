"""Which PDFs there are, and which of them are new or changed."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from litscape.pdfs.places import AWAY, place_of, roots_of
from litscape.store.pdfs import folders_of, linked_pdfs

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import sqlalchemy as sa

    from litscape.jobs import JobContext
    from litscape.paper import FileLink, PaperId
    from litscape.pdfs.places import Place
    from litscape.store.fulltext import KnownFile

_CHECK_EVERY = 200


@dataclass(frozen=True, slots=True)
class Found:
    """A linked PDF as it is now.

    Attributes:
        location: whole path.
        size: bytes; None where there is no file.
        changed: time of its last change in nanoseconds; None likewise.
        problem: why it can't be read, where that is known without reading it.
    """

    location: str
    size: int | None = None
    changed: int | None = None
    problem: str | None = None

    def is_known(self, known: KnownFile | None, *, again: bool) -> bool:
        """Whether it was read, or found unreadable, as it is now; ``again``: only the first."""
        if known is None or (known.document is None and known.problem is None):
            return False
        if (known.size, known.changed) != (self.size, self.changed):
            return False
        return known.document is not None or not again or self.problem is not None


@dataclass(slots=True)
class Linked:
    """The PDFs of a library.

    Attributes:
        places: whole paths by path and start as the library has them.
        files: the files by whole path.
        papers: the papers outside the trash, by whole path.
    """

    places: dict[tuple[str, str], str] = field(default_factory=dict)
    files: dict[str, Found] = field(default_factory=dict)
    papers: dict[str, tuple[PaperId, ...]] = field(default_factory=dict)

    def todo(self, known: Mapping[str, KnownFile], *, again: bool = False) -> list[Found]:
        """The files that are new or changed."""
        return [
            one
            for one in self.files.values()
            if not one.is_known(known.get(one.location), again=again)
        ]


def linked(conn: sa.Connection, library: Path, ctx: JobContext) -> Linked:
    """Look for all PDFs that papers are linked to, those in the trash included."""
    links = linked_pdfs(conn)
    folders = folders_of(conn, {paper for paper, _live, _link in links})
    roots = roots_of(library)
    found = Linked()
    looked: dict[tuple[str, str | None, tuple[str, ...]], Place] = {}
    for number, (paper, live, link) in enumerate(links):
        if number % _CHECK_EVERY == 0:
            ctx.check()
        sources = tuple(folders.get(paper, ()))
        key = (link.path, link.base, sources)
        if key not in looked:
            looked[key] = place_of(link, replace(roots, sources=sources))
        _take(found, paper if live else None, link, looked[key])
    return found


def _take(found: Linked, paper: PaperId | None, link: FileLink, place: Place) -> None:
    location = str(place.file) if place.file is not None else link.path
    # A name that is no text can't be kept, so that its file is as good as missing.
    location = location.encode("utf-8", "replace").decode()
    found.places[link.path, place.start] = location
    if location not in found.files:
        found.files[location] = _found(location, place)
    if paper is not None:
        papers = found.papers.get(location, ())
        found.papers[location] = (*papers, paper) if paper not in papers else papers


def _found(location: str, place: Place) -> Found:
    if place.file is None:
        return Found(location, problem=AWAY)
    try:
        seen = os.stat(location)
    except OSError:
        return Found(location, problem=f"There is no file {location}.")
    return Found(location, seen.st_size, seen.st_mtime_ns)
