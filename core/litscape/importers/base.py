"""The frame of importing: what a reader is, and how its kind is found from content."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from litscape.paper import ImportProblem, PaperDraft


@dataclass(frozen=True, slots=True)
class SourceText:
    """A source file decoded: the text, and what was found out on the way.

    Attributes:
        location: absolute path or address, as the report names it.
        text: the whole file, line ends as written.
        encoding: the codec's name.
        guessed: whether the encoding was guessed (neither UTF-8, a BOM nor declared).
        lossy: whether some bytes could not be decoded and were replaced.
        truncated: whether a packed file ended before its end mark.
    """

    location: str
    text: str
    encoding: str
    guessed: bool = False
    lossy: bool = False
    truncated: bool = False


class Importer(Protocol):
    """A reader of one kind of file; a bad entry never ends an import."""

    @property
    def kind(self) -> str:
        """Short name used on the command line: ``bibtex``, ``ris`` and so on."""
        ...

    @property
    def title(self) -> str:
        """What a person calls it: ``BibTeX / biblatex``."""
        ...

    @property
    def suffixes(self) -> tuple[str, ...]:
        """Ends of file names, in lower case with the dot."""
        ...

    def recognises(self, head: str) -> float:
        """How surely the first 64 kB of text are of this kind, 0 to 1."""
        ...

    def read(
        self, source: SourceText, progress: Callable[[int, int], None] | None = None
    ) -> Iterator[PaperDraft | ImportProblem]:
        """Yield every record as a draft or a problem, and every repair as a problem besides.

        ``progress(done, total)`` is told characters read; it may raise to cancel.
        """
        ...
