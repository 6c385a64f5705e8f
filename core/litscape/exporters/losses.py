"""What of the exported papers a format has no place for, counted while they are written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from litscape.exporters.registry import exporter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from litscape.paper import Paper

_HAS: dict[str, Callable[[Paper], object]] = {
    "tags": lambda paper: paper.tags,
    "collections": lambda paper: paper.collections,
    "files": lambda paper: paper.files,
    "citations": lambda paper: paper.cites,
    "references": lambda paper: paper.references,
    "topics": lambda paper: paper.fields,
    "further identifiers": lambda paper: paper.identifiers.keys() - {"issn"},
    "other citation keys": lambda paper: paper.citekey_aliases,
}
"""What a paper may have that not every format can say, by its name for a person."""
_NO_PLACE = {
    "bibtex": ("references", "topics", "further identifiers"),
    "ris": (
        "collections",
        "citations",
        "topics",
        "further identifiers",
        "other citation keys",
    ),
    "csl-json": tuple(_HAS),
}


@dataclass(frozen=True, slots=True)
class LeftOut:
    """One kind of thing that a format has no place for.

    Attributes:
        what: as a person calls it: ``tags``, ``citations`` ….
        papers: how many of the exported papers have such.
    """

    what: str
    papers: int


class Losses:
    """Looks at papers as they go by to be written in a format.

    Hand it to :meth:`litscape.library.Library.export` and ask for :meth:`sentence` afterwards.
    """

    def __init__(self, kind: str) -> None:
        """Watch an export.

        Raises:
            UserError: there is no such format.
        """
        writer = exporter(kind)
        self._title = writer.title
        self._counts = dict.fromkeys(_NO_PLACE.get(writer.kind, ()), 0)

    def watch(self, papers: Iterable[Paper]) -> Iterator[Paper]:
        """The papers, one by one, counted."""
        for paper in papers:
            for what in self._counts:
                self._counts[what] += bool(_HAS[what](paper))
            yield paper

    @property
    def found(self) -> tuple[LeftOut, ...]:
        """What was left out; nothing where the format holds all that the papers have."""
        return tuple(LeftOut(what, n) for what, n in self._counts.items() if n)

    def sentence(self) -> str:
        """What was left out in one sentence; empty where nothing was."""
        found = self.found
        if not found:
            return ""
        parts = [
            f"{one.what} ({one.papers:,} paper{'' if one.papers == 1 else 's'})" for one in found
        ]
        listed = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
        return (
            f"{self._title} has no place for {listed}: they were left out; "
            "a table (CSV) or JSON lines hold them."
        )
