"""The ways out of a paper: its PDF, its addresses, Zotero, citations of it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, cast

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from litscape_app.window.citing import NAMES, copy_ids
from litscape_app.window.details.links import links_of, open_address, open_file
from litscape_app.window.widgets.basics import clear, tool_button
from litscape_app.window.widgets.flow import FlowLayout
from litscape_app.window.words import shorten

if TYPE_CHECKING:
    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.opening import Target, Way
    from litscape.paper import Paper, PaperId
    from litscape_app.actions.command import Desk
    from litscape_app.window.session import Session


class WaysRow(QWidget):
    """One button a way."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._flow = FlowLayout(self, gap=2)
        self.paper: Paper | None = None

    def show_paper(self, paper: Paper) -> None:
        """Show what there is of a paper."""
        self.paper = paper
        clear(self._flow)
        theme = self._session.theme
        if _has_pdf(paper):
            self._add("PDF", "file", "Open the PDF (Ctrl+Enter)", "pdf")
        for link in links_of(paper):
            button = tool_button(
                theme, link.icon, f"Open {link.address}",
                partial(self.open_address, link.address), text=link.title, token="accent",
                kind="link",
            )  # fmt: skip
            self._flow.addWidget(button)
        if paper.zotero_key:
            self._add("Zotero", "library", "Show the item in Zotero", "zotero")
        cite = tool_button(
            theme, "quote", "Copy a citation (Ctrl+Shift+B copies one in the style used last)",
            text="Cite", kind="quiet",
        )  # fmt: skip
        cite.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        cite.setMenu(self._cite_menu(cite))
        self._flow.addWidget(cite)
        copy = tool_button(
            theme, "copy", f"Copy the citekey {paper.citekey} (Ctrl+Shift+C)", self.copy_citekey,
            text=shorten(paper.citekey, 28), kind="quiet",
        )  # fmt: skip
        self._flow.addWidget(copy)
        self.updateGeometry()

    def _add(self, text: str, icon: str, name: str, way: str) -> None:
        button = tool_button(
            self._session.theme, icon, name, partial(self.open, way), text=text, token="accent",
            kind="link",
        )  # fmt: skip
        self._flow.addWidget(button)

    def _cite_menu(self, parent: QWidget) -> QMenu:
        menu = QMenu(parent)
        for style, title in NAMES.items():
            menu.addAction(title).triggered.connect(partial(self._cite, style))
        return menu

    def _cite(self, style: str, _checked: bool = False) -> None:
        if self.paper is not None:
            copy_ids(self._session, self, (self.paper.id,), style)

    def open(self, way: str) -> None:
        """Open the paper in one way; what keeps it from that is said."""
        if self.paper is not None:
            open_as(self._session, self, self.paper.id, way)

    def open_best(self) -> None:
        """Open the paper's PDF or first file, or else its most lasting address."""
        paper = self.paper
        if paper is None:
            return
        if _has_pdf(paper):
            self.open("pdf")
        elif paper.files:
            self.open_file(paper.files[0].path)
        elif links := links_of(paper):
            self.open_address(links[0].address)
        else:
            self._session.say("This paper has no file and no address to open.")

    def copy_citekey(self) -> None:
        """Put the citekey on the clipboard."""
        if self.paper is not None:
            QGuiApplication.clipboard().setText(self.paper.citekey)
            self._session.say(f"Copied {self.paper.citekey}")

    def open_address(self, address: str) -> None:
        """Open a page in the browser."""
        if not open_address(address):
            self._session.say(f"No browser opened {shorten(address, 60)}.")

    def open_file(self, path: str) -> None:
        """Open a document with its own program."""
        problem = open_file(path)
        if problem:
            self._session.say(problem)


def _has_pdf(paper: Paper) -> bool:
    return any(link.path.lower().endswith(".pdf") for link in paper.files)


def open_paper(desk: Desk, way: str) -> None:
    """Open the chosen paper in one way."""
    if len(desk.chosen) == 1:
        open_as(desk.session, desk.details, desk.chosen[0], way)


def open_as(session: Session, parent: QWidget, paper_id: PaperId, way: str) -> None:
    """Look for a paper's PDF, DOI or Zotero item beside the window, and open it."""
    slot = session.slot(parent)

    def fetch(library: Library, _ctx: JobContext) -> Target:
        from litscape.opening import target

        (paper,) = library.papers.many([paper_id])
        return target(library, paper, cast("Way", way))

    def hand_over(found: Target) -> None:
        slot.deleteLater()
        if found.way == "pdf":
            problem = open_file(found.address)
        elif found.way == "doi":
            problem = "" if open_address(found.address) else "No browser opened the DOI."
        else:
            problem = "" if _open_in_zotero(found.address) else "Zotero did not open: is it there?"
        if problem:
            session.say(problem)

    def failed(error: BaseException) -> None:
        slot.deleteLater()
        session.say(str(error))

    slot.done.connect(hand_over)
    slot.failed.connect(failed)
    session.read(slot, "Open the paper", fetch)


def _open_in_zotero(address: str) -> bool:
    from PySide6.QtCore import QUrl
    from PySide6.QtGui import QDesktopServices

    return address.startswith("zotero://select/") and QDesktopServices.openUrl(QUrl(address))
