"""What is said of PDFs."""

from __future__ import annotations

from dataclasses import dataclass, field

from litscape.paper import LibraryChanges, PaperId


@dataclass(frozen=True, slots=True)
class UnreadPdf:
    """A file of which no reference was taken, and why."""

    paper: PaperId
    path: str
    why: str


@dataclass(frozen=True, slots=True)
class PdfReport:
    """What reading PDFs gave.

    Attributes:
        read: files read.
        papers: papers that have references now which they had not.
        references: works cited in these files.
        links: how many of them are papers of the library, and were not linked before.
        unread: files of which nothing was taken.
        changes: what changed, as one step of undo.
    """

    read: int = 0
    papers: int = 0
    references: int = 0
    links: int = 0
    unread: tuple[UnreadPdf, ...] = ()
    changes: LibraryChanges = field(default_factory=LibraryChanges)
