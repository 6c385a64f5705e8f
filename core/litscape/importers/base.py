"""The frame of importing: what a reader is, and how its kind is found from content."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from litscape.paper import ImportProblem, PaperDraft

Told = Callable[[int, int], None]
"""``progress(done, total)``; it may raise to cancel."""


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
        self, source: SourceText, progress: Told | None = None
    ) -> Iterator[PaperDraft | ImportProblem]:
        """Yield every record as a draft or a problem, and every repair as a problem besides.

        ``progress(done, total)`` is told characters read; it may raise to cancel.
        """
        ...


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What a person says of the sources of an import, where they should not decide themselves.

    Attributes:
        encoding: of text, the codec to use.
        zotero_libraries: of Zotero, the libraries to take: ``user``, ``group:N``; empty for all.
        zotero_collections: of Zotero, the collections to take, with those below, as
            ``user/KEY`` or ``group:N/KEY``; empty for everything in the libraries.
        zotero_group_names: of Zotero, whether the papers of a group go into a collection with the
            group's name, its collections below that; else equal names become one collection.
    """

    encoding: str | None = None
    zotero_libraries: tuple[str, ...] = ()
    zotero_collections: tuple[str, ...] = ()
    zotero_group_names: bool = False


@dataclass(frozen=True, slots=True)
class Before:
    """What the library knows of a source from reading it last.

    Attributes:
        keys: what the source calls the records that it had and that are papers still.
        state: what :attr:`OpenSource.state` was then, None where nothing can be said from it.
    """

    keys: frozenset[str] = frozenset()
    state: str | None = None


@dataclass(frozen=True, slots=True)
class StillThere:
    """A record that the source has as it had before, and that was not read again.

    ``counted`` is False where it was not to be read: it counts neither as a record nor as gone.
    """

    key: str
    counted: bool = True


Found = PaperDraft | ImportProblem | StillThere


class OpenSource(Protocol):
    """A source that can be read: a text with its importer, a database, an address."""

    @property
    def location(self) -> str:
        """Absolute path or address; by it the source is known again."""
        ...

    @property
    def kind(self) -> str:
        """Short name of its kind."""
        ...

    @property
    def title(self) -> str:
        """What a person calls the kind."""
        ...

    @property
    def encoding(self) -> str:
        """How its text was decoded."""
        ...

    @property
    def guessed(self) -> bool:
        """Whether the encoding was guessed."""
        ...

    @property
    def state(self) -> str | None:
        """After a whole read: what the next one needs to read only what changed since."""
        ...

    def read(self, progress: Told | None = None, before: Before | None = None) -> Iterator[Found]:
        """Yield every record as a draft, a problem or, where it was read before, as still there.

        Never raises for a bad record.

        Raises:
            UserError: the source can't be read any further.
        """
        ...

    def beginning(self) -> Iterator[PaperDraft | ImportProblem]:
        """The same for a look into it: what comes first is right, the rest may be cut off."""
        ...


class SourceReader(Protocol):
    """Opens the sources of one kind that are no text files."""

    @property
    def kind(self) -> str:
        """Short name of the kind."""
        ...

    @property
    def title(self) -> str:
        """What a person calls it."""
        ...

    def recognises(self, location: str, head: bytes) -> bool:
        """Whether a path or address is of this kind; ``head`` are a file's first 4 kB."""
        ...

    def open(self, location: str, options: ReadOptions) -> OpenSource:
        """Open a source; nothing of it is ever written or locked.

        Raises:
            UserError: it can't be read, or an option names what it does not have.
        """
        ...
