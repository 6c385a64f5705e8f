"""Citations and BibTeX of chosen papers on the clipboard; worked out beside the window."""

from __future__ import annotations

import io
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog

from litscape_app.window.words import count

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.paper import PaperId
    from litscape_app.actions.command import Desk
    from litscape_app.window.session import Session

BIBTEX = "bibtex"
NAMES = {
    "apa": "APA",
    "chicago-author-date": "Chicago",
    "harvard": "Harvard",
    "ieee": "IEEE",
    "mla": "MLA",
    "vancouver": "Vancouver",
    BIBTEX: "BibTeX",
}
"""What can be copied, by style."""
MOST = 1000
"""More papers than that are a file, not something to paste."""


@dataclass(frozen=True, slots=True)
class Copied:
    """What goes on the clipboard, and what is said of it."""

    text: str
    html: str
    said: str


def copy(desk: Desk, style: str) -> None:
    """Copy citations of the chosen papers; an empty style is the one used last."""
    copy_ids(desk.session, desk.details, desk.chosen, style)


def choose_and_copy(desk: Desk) -> None:
    """The same in a style of the person's own, from a file."""
    file, _kind = QFileDialog.getOpenFileName(
        desk.details, "Citation style", "", "Citation styles (*.csl)"
    )
    if file:
        copy(desk, file)


def copy_ids(session: Session, parent: QWidget, ids: tuple[PaperId, ...], style: str) -> None:
    """Copy citations of papers as text and as formatted text, or their BibTeX."""
    if len(ids) > MOST:
        session.say(f"Choose at most {MOST:,} papers to copy; Export writes more into a file.")
        return
    chosen = style or session.settings.citation_style
    if chosen not in ("", BIBTEX, session.settings.citation_style):
        session.remember(replace(session.settings, citation_style=chosen))
    slot = session.slot(parent)

    def put(copied: Copied) -> None:
        slot.deleteLater()
        data = QMimeData()
        data.setText(copied.text)
        if copied.html:
            data.setHtml(copied.html)
        QGuiApplication.clipboard().setMimeData(data)
        session.say(copied.said)

    def failed(error: BaseException) -> None:
        slot.deleteLater()
        session.trouble(error, "Copy citations")

    slot.done.connect(put)
    slot.failed.connect(failed)
    session.read(slot, "Copy citations", lambda library, ctx: _written(library, ids, chosen, ctx))


def _written(library: Library, ids: tuple[PaperId, ...], style: str, ctx: JobContext) -> Copied:
    number = len(ids)
    if style == BIBTEX:
        stream = io.StringIO()
        library.export(BIBTEX, stream, ids, ctx=ctx)
        return Copied(stream.getvalue(), "", f"Copied the BibTeX of {count(number, 'paper')}")
    # Imported beside the window, for it takes longer than a frame.
    from litscape.citing.rendering import cite

    papers = library.papers.many(ids)
    plain = cite(papers, style, "text", ctx)
    marked = cite(papers, style, "html", ctx)
    name = NAMES.get(style, Path(style).stem)
    return Copied(plain.text, marked.html, f"Copied {count(number, 'citation')} in {name} style")
