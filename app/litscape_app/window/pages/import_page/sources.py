"""What is about to be imported: files or pasted text, each with a look into it."""

from __future__ import annotations

import itertools
import logging
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from litscape.errors import LitscapeError
from litscape.jobs import JobCancelledError
from litscape_app.window.troubles import explain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QMimeData

    from litscape.importers.session import ImportPreview
    from litscape.jobs import JobContext

log = logging.getLogger(__name__)
_numbers = itertools.count()


@dataclass(frozen=True, slots=True)
class ImportSource:
    """One thing to import.

    Attributes:
        location: absolute path, or what stands for pasted text.
        text: the pasted text; None for a file.
        kind, encoding: as the person said; None where the content decides.
        preview: the first records; None while they are read, or when they can't be.
        problem: why it can't be read, in a sentence.
        label: what a person calls it, where that is not the file's name.
        key: tells it from others.
    """

    location: str
    text: str | None = None
    kind: str | None = None
    encoding: str | None = None
    preview: ImportPreview | None = None
    problem: str = ""
    label: str = ""
    key: int = field(default_factory=lambda: next(_numbers))

    @property
    def name(self) -> str:
        """What a person calls it."""
        if self.label:
            return self.label
        return "Pasted text" if self.text is not None else Path(self.location).name

    @property
    def waiting(self) -> bool:
        """Whether nobody looked into it yet."""
        return self.preview is None and not self.problem

    def read_as(self, kind: str | None, encoding: str | None) -> ImportSource:
        """The same to be read in another way."""
        return replace(self, kind=kind, encoding=encoding, preview=None, problem="")


def look_into(sources: Sequence[ImportSource], ctx: JobContext) -> None:
    """Read the beginning of each source; every one is told by ``ctx.partial`` as it is done."""
    for source in sources:
        ctx.check()
        try:
            looked = _looked(source)
        except BaseException as error:  # no end of a reader may leave its row waiting
            if isinstance(error, JobCancelledError) and ctx.cancelled:
                raise
            log.exception("no preview of %s", source.location)
            looked = unread(source, error)
        ctx.partial(looked)


def unread(source: ImportSource, error: BaseException) -> ImportSource:
    """A source whose look ended with an error: the sentence on it stands in its row."""
    return replace(source, problem=explain(error, f"Reading {source.name}").sentence)


def _looked(source: ImportSource) -> ImportSource:
    # Readers are loaded here, beside the window's thread: that takes longer than a frame.
    from litscape.importers.session import Imports

    try:
        if source.text is not None:
            found = Imports.preview_text(source.text, kind=source.kind)
        else:
            found = Imports.preview(source.location, kind=source.kind, encoding=source.encoding)
    except LitscapeError as error:
        return replace(source, problem=str(error))
    return replace(source, preview=found)


def local_files(data: QMimeData) -> list[Path]:
    """The files that were dragged or copied."""
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
