"""Where the PDFs of papers lie on this computer."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from litscape.importers.file_there import local_path
from litscape.importers.zotero_files import BASE
from litscape.importers.zotero_find import find

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from litscape.paper import FileLink

_STORED = re.compile(r"(?:^|[/\\])storage[/\\](?P<inside>[A-Z0-9]{8}[/\\][^/\\]+)$")
_FEWEST_PARTS, _MOST_PARTS = 2, 4
AWAY = "It lies on another computer, which is not asked for it."


@dataclass(frozen=True, slots=True)
class Roots:
    """Folders that paths may start from.

    Attributes:
        sources: folders of the files that a paper was imported from.
        library: the folder of the library.
        zotero: data folders of Zotero on this computer.
        bases: folders that Zotero's linked files start from.
    """

    sources: tuple[str, ...] = ()
    library: Path | None = None
    zotero: tuple[Path, ...] = ()
    bases: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """Where a linked file is, or where it was looked for.

    Attributes:
        path: as the library has it.
        start: the source's folder that it starts from; empty where it starts elsewhere.
        file: the whole path; None where it may not be looked for.
        there: whether there is a file.
    """

    path: str
    start: str
    file: Path | None
    there: bool


def roots_of(library: Path) -> Roots:
    """What this computer has of folders that paths may start from, without those of sources."""
    zotero = find()
    bases = tuple(one.base for one in zotero if one.base is not None)
    return Roots((), library, tuple(one.folder for one in zotero), bases)


def where(link: FileLink, sources: Sequence[str], library: Path) -> Place:
    """Where one linked file of a paper is, by the folders of its sources."""
    return place_of(link, replace(roots_of(library), sources=tuple(sources)))


def is_pdf(link: FileLink) -> bool:
    """Whether a linked file is said to be a PDF."""
    return link.path.lower().endswith(".pdf") or link.mime == "application/pdf"


def place_of(link: FileLink, roots: Roots) -> Place:
    """Where a linked file is: as its path says, else where such a file may have been moved to."""
    path = local_path(link.path)
    if path.replace("\\", "/").startswith("//"):
        return Place(link.path, "", None, False)  # to look there would tell who reads it
    first: Place | None = None
    for start, whole in _candidates(os.path.expanduser(path), link.base, roots):
        place = Place(link.path, start, Path(os.path.normpath(whole)), os.path.isfile(whole))
        if place.there:
            return place
        first = first or place
    return first or Place(link.path, "", Path(path), False)


def _candidates(path: str, base: str | None, roots: Roots) -> Iterator[tuple[str, str]]:
    """Folders of sources, or nothing, with whole paths; the likeliest first."""
    if not os.path.isabs(path):
        if base == BASE:
            yield from (("", os.path.join(one, path)) for one in roots.bases)
        yield from ((one, os.path.join(one, path)) for one in roots.sources)
        if roots.library is not None:
            yield "", os.path.join(roots.library, path)
            yield "", os.path.join(roots.library.parent, path)
    else:
        yield "", path
        yield from _moved(path, roots)
    if stored := _STORED.search(path):
        inside = stored["inside"].replace("\\", "/")
        yield from (("", os.path.join(one, "storage", inside)) for one in roots.zotero)


def _moved(path: str, roots: Roots) -> Iterator[tuple[str, str]]:
    """Where a file is if it was moved together with the source or the library."""
    parts = Path(path).parts[1:]
    folders: Sequence[str | Path] = roots.sources
    if roots.library is not None:
        folders = (*folders, roots.library)
    for number in range(min(_MOST_PARTS, len(parts)), _FEWEST_PARTS - 1, -1):
        yield from (("", os.path.join(one, *parts[-number:])) for one in folders)
