"""The frame of exporting: what a writer is, and what it is told of a part of a library."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TextIO

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from litscape.paper import Paper, PaperId


@dataclass(frozen=True, slots=True)
class Part:
    """Which papers an export holds, where that is not the whole library.

    Links to papers outside the part would lead nowhere: writers turn them into references.

    Attributes:
        ids: the papers of the export.
        others: reads papers that are not in it.
        citekeys: reads the citation keys of papers.
    """

    ids: frozenset[PaperId]
    others: Callable[[Iterable[PaperId]], Iterable[Paper]]
    citekeys: Callable[[Iterable[PaperId]], Mapping[PaperId, str]]


def as_given(
    paper: Paper, name: str, value: str | None, form: Callable[[str], str | None]
) -> str | None:
    """The source's own text of an identifier where it says more than the stored form."""
    raw = paper.raw_fields.get(name)
    return raw if raw and form(raw) == value else value


class Exporter(Protocol):
    """A writer of one kind of file."""

    kind: str
    """Short name used on the command line: ``bibtex``, ``ris`` …"""
    title: str
    """What a person calls it: ``BibTeX / biblatex``."""
    suffix: str

    def write(self, papers: Iterable[Paper], stream: TextIO, part: Part | None = None) -> int:
        """Write the papers one by one as they come.

        Args:
            papers: whole papers.
            stream: where the text goes; UTF-8.
            part: given where the papers are not the whole library.

        Returns:
            How many were written.
        """
        ...
