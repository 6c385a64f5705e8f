"""What a pasted text, a DOI or a dropped file gives to be like."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from litscape.errors import UserError
from litscape_app.window.similar.seeds import Given
from litscape_app.window.words import count, shorten

if TYPE_CHECKING:
    from collections.abc import Callable

    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape_app.window.session import Session

    Fetch = Callable[[Library, JobContext], Given]

_IDENTIFIER = re.compile(
    r"(?:https?://\S*|doi:|arxiv:)?\s*(?:10\.\d{4,9}/\S+|\d{4}\.\d{4,5}(?:v\d+)?|[a-z-]+/\d{7})",
    re.I,
)
_NAME = 40


def to_be_added(keys: Qt.KeyboardModifier) -> bool:
    """Whether something given joins what was given before, by the keys that are held."""
    return bool(keys & Qt.KeyboardModifier.ShiftModifier)


def from_text(text: str, session: Session) -> Fetch:
    """What reads a pasted text: a DOI or arXiv id is looked for in the library, then online."""
    settings = session.settings

    def read(library: Library, _ctx: JobContext) -> Given:
        from litscape.alike.request import Examples

        if not _IDENTIFIER.fullmatch(text):
            return Given(f"“{shorten(text, _NAME)}”", Examples(texts=(text,)))
        from litscape.alike.drafts import examples_of, known_by

        paper = known_by(library.database, text)
        if paper is not None:
            row = library.papers.rows([paper])[0]
            return Given(shorten(row.title or row.citekey, _NAME), Examples(papers=(paper,)))
        if not settings.lookup_consent:
            raise UserError(
                f"{text} is not in the library. To look it up at Crossref or arXiv, allow looking "
                "up in the settings."
            )
        from litscape.lookup import lookup

        draft = lookup(text, mail=settings.mail)
        name = shorten(draft.title or text, _NAME)
        return Given(name, examples_of(library.database, [draft]))

    return read


def from_file(path: str) -> Fetch:
    """What reads a dropped file of records; nothing of it is imported."""

    def read(library: Library, ctx: JobContext) -> Given:
        from litscape.alike.drafts import every_nth, examples_of, read_drafts

        drafts = read_drafts(path, ctx)
        name = f"{Path(path).name} ({count(len(drafts), 'record')})"
        return Given(name, examples_of(library.database, every_nth(drafts)))

    return read
