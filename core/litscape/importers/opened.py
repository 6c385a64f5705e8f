"""Open sources: a decoded text with its importer, as most are, and records that are at hand."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from litscape.importers.decode import source_problems

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from litscape.importers.base import Before, Found, Importer, SourceText, Told
    from litscape.paper import ImportProblem, PaperDraft

_BEGINNING = 1 << 18
_LINEWISE = frozenset({"bibtex", "ris", "jsonl"})
"""Kinds of which a part can be read."""


@dataclass(frozen=True, slots=True)
class TextSource:
    """A file or pasted text."""

    text: SourceText
    importer: Importer

    @property
    def location(self) -> str:
        """The file's path, or what stands for pasted text."""
        return self.text.location

    @property
    def kind(self) -> str:
        """The importer's name."""
        return self.importer.kind

    @property
    def title(self) -> str:
        """What a person calls the kind."""
        return self.importer.title

    @property
    def encoding(self) -> str:
        """How the text was decoded."""
        return self.text.encoding

    @property
    def guessed(self) -> bool:
        """Whether the encoding was guessed."""
        return self.text.guessed

    @property
    def state(self) -> str | None:
        """None: a text is always read whole."""
        return None

    def read(self, progress: Told | None = None, before: Before | None = None) -> Iterator[Found]:
        """Yield what is to be said of the whole text, then every record."""
        yield from source_problems(self.text)
        yield from self.importer.read(self.text, progress)

    def beginning(self) -> Iterator[PaperDraft | ImportProblem]:
        """Yield the records of the first part."""
        yield from source_problems(self.text)
        yield from self.importer.read(self._cut())

    def _cut(self) -> SourceText:
        whole = self.text.text
        if self.kind not in _LINEWISE or len(whole) <= _BEGINNING:
            return self.text
        # Cut at a line; what the cut breaks lies behind the records that are shown.
        cut = whole.rfind("\n", 0, _BEGINNING)
        return replace(self.text, text=whole[: max(cut, 0) or _BEGINNING])


@dataclass(frozen=True, slots=True)
class RecordsAtHand:
    """Records that need no reading, and what the report calls their origin."""

    location: str
    kind: str
    drafts: Iterable[PaperDraft | ImportProblem]
    title: str = "Records"
    encoding: str = "utf-8"
    guessed: bool = False
    state: str | None = None

    def read(self, progress: Told | None = None, before: Before | None = None) -> Iterator[Found]:
        """Yield them."""
        yield from self.drafts

    def beginning(self) -> Iterator[PaperDraft | ImportProblem]:
        """Yield them."""
        yield from self.drafts
