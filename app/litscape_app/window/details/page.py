"""One paper: read at the top, edited where it stands, its tags, collections, notes and files."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QScrollArea, QWidget

from litscape_app.window.details.citations import CitationsPart
from litscape_app.window.details.editable import Editable
from litscape_app.window.details.facts import Facts
from litscape_app.window.details.links import links_of, open_address, open_file
from litscape_app.window.details.prose import READING
from litscape_app.window.details.tags_row import ChipsRow
from litscape_app.window.widgets.basics import (
    clear,
    ground,
    heading,
    horizontal,
    label,
    tool_button,
    vertical,
)
from litscape_app.window.widgets.chip import Chip
from litscape_app.window.widgets.flow import FlowLayout
from litscape_app.window.words import plain_tooltip, shorten

if TYPE_CHECKING:
    from collections.abc import Mapping

    from litscape.paper import Paper
    from litscape_app.window.session import Session

MEASURE = 620
"""Widest text in pixels: about 80 characters."""
_AUTHORS_SHOWN = 8


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Names to complete from, and what is known about a paper beside its fields.

    Attributes:
        looked_up: which of its values were looked up, and where; empty where none was.
    """

    tags: tuple[str, ...] = ()
    collections: tuple[tuple[str, ...], ...] = ()
    looked_up: str = ""


class PaperPage(QScrollArea):
    """Shows a :class:`Paper`; every edit is told, and shown when the library has made it."""

    edited = Signal(object, object)
    """Paper id, and a mapping of new field values."""
    tagged = Signal(object, str)
    untagged = Signal(object, str)
    filed = Signal(object, object)
    unfiled = Signal(object, object)
    left = Signal()
    """Writing that was begun from elsewhere ended: the keyboard can go back to the list."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.paper: Paper | None = None
        theme = session.theme
        small = theme.font("small")
        self.title = Editable(
            theme, "Title", long=True, prose=100, empty="Untitled",
            font=theme.font("title"),
        )  # fmt: skip
        self.authors = Editable(theme, "Authors", long=True, empty="No authors")
        self.byline = label(tone="muted", wrap=True, select=True)
        self._links = QWidget()
        self._link_flow = FlowLayout(self._links, gap=2)
        self.abstract = Editable(
            theme, "Abstract", long=True, breaks="paragraphs", prose=READING, empty="No abstract."
        )
        self.note_on_abstract = label(tone="muted", wrap=True)
        self.note_on_abstract.setFont(small)
        self._keywords = QWidget()
        self._keyword_flow = FlowLayout(self._keywords)
        self.tags = ChipsRow(theme, "Add a tag", "tag")
        self.collections = ChipsRow(theme, "Add to a collection", "collection")
        self._notes = QWidget()
        self._note_list = vertical(self._notes, spacing=6)
        self.add_note = tool_button(
            theme, "plus", "Add a note (N)", self.write_note, "Add a note", kind="quiet"
        )
        self._files = QWidget()
        self._file_list = vertical(self._files, spacing=2)
        self.citations = CitationsPart(session)
        self.facts = Facts(theme)
        self._build()
        self._connect()

    def _build(self) -> None:
        theme = self._session.theme
        self._keyword_heading = heading(theme, "Keywords")
        self._file_heading = heading(theme, "Files")
        inner = QWidget()
        ground(inner, "reading")
        column = QWidget()
        column.setMaximumWidth(MEASURE)
        vertical(
            column,
            self.title, self.authors, self.byline, self._links, 8,
            self.abstract, self.note_on_abstract, 8,
            heading(theme, "Tags"), self.tags, 8,
            heading(theme, "Collections"), self.collections, 8,
            heading(theme, "Notes"), self._notes, horizontal(None, self.add_note, 0), 8,
            self._file_heading, self._files,
            self.citations,
            self._keyword_heading, self._keywords, 8,
            heading(theme, "Details"), self.facts, 0,
            margins=(16, 14, 10, 16), spacing=4,
        )  # fmt: skip
        row = horizontal(inner, spacing=0)
        row.addWidget(column, 1)
        self.setWidget(inner)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QScrollArea.Shape.NoFrame)

    def _connect(self) -> None:
        for key, part in (
            ("title", self.title),
            ("authors", self.authors),
            ("abstract", self.abstract),
        ):
            part.committed.connect(lambda text, one=key: self._edit({one: text}))
        for line in (self.title, self.authors, self.abstract, self.tags, self.collections):
            line.left.connect(self.left.emit)
        for _name, value in self.facts.rows.values():
            value.left.connect(self.left.emit)
        self.facts.committed.connect(lambda key, text: self._edit(_fact(key, text)))
        self.tags.added.connect(lambda name: self._tell(self.tagged, name))
        self.tags.removed.connect(lambda name: self._tell(self.untagged, name))
        self.collections.added.connect(self._file)
        self.collections.removed.connect(self._unfile)

    def _tell(self, signal: Any, value: object) -> None:
        if self.paper is not None:
            signal.emit(self.paper.id, value)

    def _edit(self, fields: Mapping[str, object]) -> None:
        self._tell(self.edited, fields)

    # -- showing -----------------------------------------------------------------------------

    def show_paper(self, paper: Paper, around: Surroundings) -> None:
        """Show a paper; what is being written in the same one stays."""
        same = self.paper is not None and self.paper.id == paper.id
        self.paper = paper
        names = [author.display for author in paper.authors]
        self._put(self.title, paper.title or "", None, same)
        # Edited as given names before family names, between semicolons.
        self._put(
            self.authors, "; ".join(_editable(paper)), _author_line(names, paper.more_authors), same
        )
        self.authors.setToolTip(
            plain_tooltip(", ".join(names)) if len(names) > _AUTHORS_SHOWN else ""
        )
        self.byline.setText(_byline(paper))
        self.byline.setVisible(bool(self.byline.text()))
        self._put(self.abstract, paper.abstract or "", None, same)
        self.note_on_abstract.setText(paper.abstract_note or "")
        self.note_on_abstract.setVisible(bool(paper.abstract_note))
        self._show_links(paper)
        self._show_keywords(paper)
        self.tags.show_names(paper.tags)
        self.tags.line.offer(around.tags)
        self.collections.show_names(tuple("/".join(path) for path in paper.collections))
        self.collections.line.offer("/".join(path) for path in around.collections)
        self._show_notes(paper.notes)
        self._show_files(paper)
        self.facts.show_paper(paper, around.looked_up)
        self.citations.show_paper(paper.id)
        if not same:
            self.verticalScrollBar().setValue(0)

    @staticmethod
    def _put(part: Editable, value: str, shown: str | None, same: bool) -> None:
        if not (same and part.editing):
            part.show_value(value, shown)

    def _show_links(self, paper: Paper) -> None:
        clear(self._link_flow)
        theme = self._session.theme
        for link in links_of(paper):
            button = tool_button(
                theme,
                link.icon,
                f"Open {link.address}",
                partial(self._open_address, link.address),
                text=link.title,
                token="accent",
                kind="link",
            )
            self._link_flow.addWidget(button)
        copy = tool_button(
            theme, "copy", f"Copy the citekey {paper.citekey} (Ctrl+Shift+C)", self.copy_citekey,
            text=shorten(paper.citekey, 28), kind="quiet",
        )  # fmt: skip
        self._link_flow.addWidget(copy)
        self._links.updateGeometry()

    def _show_keywords(self, paper: Paper) -> None:
        clear(self._keyword_flow)
        for word in paper.keywords:
            self._keyword_flow.addWidget(Chip(self._session.theme, word))
        for part in (self._keywords, self._keyword_heading):
            part.setVisible(bool(paper.keywords))
        self._keywords.updateGeometry()

    def _note(self, *, new: bool = False) -> Editable:
        theme = self._session.theme
        return Editable(theme, "Note", long=True, new=new, breaks="lines", prose=READING)

    def _show_notes(self, notes: tuple[str, ...]) -> None:
        clear(self._note_list)
        for number, text in enumerate(notes):
            note = self._note()
            note.show_value(text)
            note.committed.connect(lambda new, one=number: self._change_note(one, new))
            note.left.connect(self.left.emit)
            self._note_list.addWidget(note)
        self._notes.setVisible(bool(notes))

    def _show_files(self, paper: Paper) -> None:
        clear(self._file_list)
        for file in paper.files:
            name = file.title or file.path.replace("\\", "/").rsplit("/", 1)[-1]
            button = tool_button(
                self._session.theme,
                "file",
                f"Open {file.path}",
                partial(self._open_file, file.path),
                text=shorten(name, 44),
                token="accent",
                kind="link",
            )
            row = horizontal(None, button, 0)
            self._file_list.addLayout(row)
        for part in (self._files, self._file_heading):
            part.setVisible(bool(paper.files))

    # -- acts --------------------------------------------------------------------------------

    def open_best(self) -> None:
        """Open the paper's first file, or else its most lasting address."""
        if self.paper is None:
            return
        if self.paper.files:
            self._open_file(self.paper.files[0].path)
        elif links := links_of(self.paper):
            self._open_address(links[0].address)
        else:
            self._session.say("This paper has no file and no address to open.")

    def copy_citekey(self) -> None:
        """Put the citekey on the clipboard."""
        if self.paper is not None:
            QGuiApplication.clipboard().setText(self.paper.citekey)
            self._session.say(f"Copied {self.paper.citekey}")

    def write_note(self) -> None:
        """Begin a note below the others."""
        note = self._note(new=True)
        note.committed.connect(lambda text: self._change_note(len(self._notes_now()), text))
        note.committed.connect(note.show_value)
        note.dropped.connect(lambda: self._take_away(note))
        note.left.connect(self.left.emit)
        self._note_list.addWidget(note)
        self._notes.show()
        note.begin()
        self.ensureWidgetVisible(note)

    def _take_away(self, note: Editable) -> None:
        """Let a note go in which nothing was written."""
        self._note_list.removeWidget(note)
        note.hide()
        note.deleteLater()
        self._notes.setVisible(self._note_list.count() > 0)

    def _notes_now(self) -> tuple[str, ...]:
        return self.paper.notes if self.paper is not None else ()

    def _change_note(self, number: int, text: str) -> None:
        notes = list(self._notes_now())
        notes[number : number + 1] = [text] if text else []
        self._edit({"notes": notes})

    def _file(self, text: str) -> None:
        self._tell(self.filed, tuple(part.strip() for part in text.split("/") if part.strip()))

    def _unfile(self, text: str) -> None:
        if self.paper is None:
            return
        path = next((one for one in self.paper.collections if "/".join(one) == text), None)
        if path is not None:
            self._tell(self.unfiled, path)

    def _open_address(self, address: str) -> None:
        if not open_address(address):
            self._session.say(f"No browser opened {shorten(address, 60)}.")

    def _open_file(self, path: str) -> None:
        problem = open_file(path)
        if problem:
            self._session.say(problem)


def _editable(paper: Paper) -> list[str]:
    names = []
    for author in paper.authors:
        if author.literal:
            names.append(f"{{{author.literal}}}" if " " in author.literal else author.literal)
        else:
            family = " ".join(part for part in (author.particle, author.family) if part)
            rest = ", ".join(part for part in (author.suffix, author.given) if part)
            names.append(f"{family}, {rest}" if rest else family)
    return names


def _author_line(names: list[str], more: bool) -> str:
    if len(names) > _AUTHORS_SHOWN:
        number = f"{len(names)}+" if more else f"{len(names)}"
        return f"{', '.join(names[: _AUTHORS_SHOWN - 1])} … {names[-1]} ({number} authors)"
    line = ", ".join(names)
    return f"{line} et al." if more and line else line


def _byline(paper: Paper) -> str:
    year = str(paper.year) if paper.year is not None else (paper.year_raw or "")
    issue = f"({paper.issue})" if paper.issue else ""
    volume = f"{paper.volume or ''}{issue}"
    pages = f"pp. {paper.pages}" if paper.pages else ""
    return " · ".join(part for part in (year, paper.venue or "", volume, pages) if part)


def _fact(key: str, text: str) -> dict[str, object]:
    """A year that is no number is kept as the words it is."""
    if key == "year" and text and not text.lstrip("-").isdigit():
        return {"year": None, "year_raw": text}
    return {key: text}
