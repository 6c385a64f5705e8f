"""What is said of the text of PDFs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from litscape.paper import PaperId
    from litscape.store.fulltext_reads import TextCounts


@dataclass(frozen=True, slots=True)
class Passage:
    """Where words stand in a PDF of a paper.

    Attributes:
        file: the PDF's whole path.
        page: from 1, in the order of the file.
        text: what stands around the words; empty where it was not asked for.
        marks: where the words stand in ``text``: from, to.
    """

    file: str
    page: int
    text: str = ""
    marks: tuple[tuple[int, int], ...] = ()

    @property
    def where(self) -> str:
        """In words."""
        return f"in its PDF, page {self.page:,}"


@dataclass(frozen=True, slots=True)
class TextHit:
    """A paper whose PDF has the words that were asked for.

    Attributes:
        paper: the paper.
        document: number of the text.
        passage: the best page, without its text.
        score: BM25 of that page; 0 where the words stand on several pages.
    """

    paper: PaperId
    document: int
    passage: Passage
    score: float


@dataclass(frozen=True, slots=True)
class UnreadFile:
    """A PDF without text, whose it is, and why."""

    papers: tuple[PaperId, ...]
    file: str
    why: str


@dataclass(frozen=True, slots=True)
class TextReport:
    """What a build did.

    Attributes:
        files: PDFs that are linked.
        read: files that were read now.
        known: files whose text was there, from an earlier build or another file.
        pages: pages that were read now.
        unread: files that have no text, and why.
        anew: whether what was there was damaged, so that all was read anew.
        seconds: how long it took.
    """

    files: int
    read: int
    known: int
    pages: int
    unread: tuple[UnreadFile, ...]
    anew: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class TextStatus:
    """How far the text of PDFs is read.

    Attributes:
        linked: PDFs that papers of the library are linked to, outside the trash.
        counts: what was read.
        pending: files that are new or changed since.
        bytes: size on disk.
        unread: files that have no text, and why.
        damaged: whether what was read can't be used.
        running: whether it is being built, here or by another program.
    """

    linked: int
    counts: TextCounts
    pending: int
    bytes: int
    unread: tuple[UnreadFile, ...] = ()
    damaged: bool = False
    running: bool = False

    @property
    def sentence(self) -> str:
        """In one line."""
        if self.damaged:
            return "The text of PDFs is damaged; build it anew"
        if not self.linked:
            return "No paper has a PDF"
        counts = self.counts
        text = f"Full text of {counts.read:,} of {max(counts.files, self.linked):,} PDFs"
        if not counts.read:
            return text
        text += f", {counts.pages:,} page{'s'[: counts.pages != 1]}"
        return f"{text}, {max(self.bytes / 1e6, 0.1):,.1f} MB"


@dataclass(frozen=True, slots=True)
class PaperText:
    """What is known of a linked PDF of a paper.

    Attributes:
        path: as the library has it.
        file: its whole path; where it was looked for, if it is not there.
        pages: pages of the file; 0 where it has no text here.
        read: pages that were read.
        bare: of these, pages without text.
        problem: why it has no text; empty where it has, or was not looked at yet.
    """

    path: str
    file: str
    pages: int = 0
    read: int = 0
    bare: int = 0
    problem: str = ""

    @property
    def sentence(self) -> str:
        """In one line."""
        if self.problem:
            why = self.problem.replace(self.file, "it") if self.file else self.problem
            return f"No full text: {why[0].lower()}{why[1:]}"
        if not self.pages:
            return "Full text: not read yet"
        read = f"{self.pages:,} page{'s'[: self.pages != 1]} indexed"
        if self.read < self.pages:
            read = f"the first {self.read:,} of {self.pages:,} pages indexed"
        if self.bare:
            read += f", {self.bare:,} of them without text"
        return f"Full text: {read}"
