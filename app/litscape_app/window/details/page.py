"""One paper: read at the top, edited where it stands, its tags, collections, notes and files."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QScrollArea, QWidget

from litscape_app.window.details.citations import CitationsPart
from litscape_app.window.details.editable import Editable
from litscape_app.window.details.facts import Facts
from litscape_app.window.details.inside import InsidePart
from litscape_app.window.details.lines import (
    AUTHORS_SHOWN,
    author_line,
    byline,
    editable_names,
    fact_fields,
)
from litscape_app.window.details.marks import MarksRow, marks_of
from litscape_app.window.details.prose import READING, Prose
from litscape_app.window.details.tags_row import ChipsRow
from litscape_app.window.details.ways import WaysRow
from litscape_app.window.troubles import Trouble
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
    from collections.abc import Iterator, Mapping

    from litscape.paper import Paper
    from litscape_app.window.session import Session

TITLE_LINES = 6
"""A longer title scrolls in itself."""
MEASURE = 620
"""Widest text in pixels: about 80 characters."""


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

    edited = Signal(object, object, object)
    """Paper id, and mappings of field values: when writing began, and new."""
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
        self._around = Surroundings()
        self._begun: dict[str, Paper] = {}
        theme = session.theme
        small = theme.font("small")
        self.title = Editable(
            theme, "Title", long=True, prose=100, empty="Untitled",
            font=theme.font("title"),
        )  # fmt: skip
        if isinstance(self.title.shown, Prose):
            self.title.shown.limit(TITLE_LINES)
        self.authors = Editable(theme, "Authors", long=True, empty="No authors")
        self.byline = label(tone="muted", wrap=True, select=True)
        self.ways = WaysRow(session)
        self.marks = MarksRow(theme)
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
        self.inside = InsidePart(session)
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
            self.title, self.authors, self.byline, self.ways, self.marks, 8,
            self.inside.passages, self.abstract, self.note_on_abstract, 8,
            heading(theme, "Tags"), self.tags, 8,
            heading(theme, "Collections"), self.collections, 8,
            heading(theme, "Notes"), self._notes, horizontal(None, self.add_note, 0), 8,
            self._file_heading, self._files, self.inside, 8,
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
        for key, part in self._parts.items():
            part.began.connect(lambda one=key: self._begin(one))
            part.committed.connect(lambda text, one=key: self._edit(one, text))
        for line in (self.title, self.authors, self.abstract, self.tags, self.collections):
            line.left.connect(self.left.emit)
        for key, (_name, value) in self.facts.rows.items():
            value.left.connect(self.left.emit)
            value.began.connect(lambda one=key: self._begin(one))
        self.facts.committed.connect(self._edit)
        self.tags.added.connect(lambda name: self._tell(self.tagged, name))
        self.tags.removed.connect(lambda name: self._tell(self.untagged, name))
        self.collections.added.connect(self._file)
        self.collections.removed.connect(self._unfile)

    def _tell(self, signal: Any, value: object) -> None:
        if self.paper is not None:
            signal.emit(self.paper.id, value)

    def _begin(self, key: str) -> None:
        if self.paper is not None:
            self._begun[key] = self.paper

    def _edit(self, key: str, text: str) -> None:
        if self.paper is not None:
            base = self._begun.pop(key, self.paper)
            fields = fact_fields(key, text)
            names = {*fields, "year_raw"} if key == "year" else fields
            before = {name: getattr(base, name) for name in names}
            self.edited.emit(self.paper.id, before, fields)

    def ask_again(
        self, paper_id: int, wanted: Mapping[str, object], now: Mapping[str, Any]
    ) -> None:
        """Let the person decide about values that others changed while these were written."""
        key = next(iter(wanted))
        text = str(next((value for value in wanted.values() if value is not None), ""))
        if self.paper is None or self.paper.id != paper_id:
            self._tell_unsaved(key, text)
            return
        self.show_paper(replace(self.paper, **now), self._around)
        part = self._part(key)
        there = f"now “{shorten(part.value, 120)}”" if part.value else "empty now"
        part.ask(
            text,
            f"Not saved: this was changed meanwhile and is {there}. "
            "Enter saves yours in its place, Esc leaves what is there.",
        )

    def _tell_unsaved(self, key: str, text: str) -> None:
        sentence = (
            f"The {key} that you wrote was not saved, for it was changed meanwhile. "
            "The details have your text."
        )
        self._session.trouble(Trouble(sentence, text))

    @property
    def _parts(self) -> dict[str, Editable]:
        return {"title": self.title, "authors": self.authors, "abstract": self.abstract}

    def _part(self, key: str) -> Editable:
        return self._parts.get(key) or self.facts.rows[key][1]

    def _all_parts(self) -> Iterator[tuple[str, Editable]]:
        yield from self._parts.items()
        yield from ((key, value) for key, (_name, value) in self.facts.rows.items())

    def _finish(self) -> None:
        """Keep what is still being written, before another paper takes its place."""
        for key, part in self._all_parts():
            if part.asking:
                self._tell_unsaved(key, part.written)
            elif part.editing:
                part.keep()
        for note in self._notes_shown():
            note.keep()
        self._begun.clear()

    # -- showing -----------------------------------------------------------------------------

    def show_paper(self, paper: Paper, around: Surroundings) -> None:
        """Show a paper; what is being written in the same one stays."""
        same = self.paper is not None and self.paper.id == paper.id
        if not same:
            self._finish()
        self.paper, self._around = paper, around
        names = [author.display for author in paper.authors]
        self._put(self.title, paper.title or "", None, same)
        # Edited as given names before family names, between semicolons.
        self._put(
            self.authors,
            "; ".join(editable_names(paper)),
            author_line(names, paper.more_authors),
            same,
        )
        self.authors.setToolTip(
            plain_tooltip(", ".join(names)) if len(names) > AUTHORS_SHOWN else ""
        )
        self.byline.setText(byline(paper))
        self.byline.setVisible(bool(self.byline.text()))
        self._put(self.abstract, paper.abstract or "", None, same)
        self.note_on_abstract.setText(paper.abstract_note or "")
        self.note_on_abstract.setVisible(bool(paper.abstract_note))
        self.ways.show_paper(paper)
        self.marks.show_marks(marks_of(paper))
        self._show_keywords(paper)
        self.tags.show_names(paper.tags)
        self.tags.line.offer(around.tags)
        self.collections.show_names(tuple("/".join(path) for path in paper.collections))
        self.collections.line.offer("/".join(path) for path in around.collections)
        self._show_notes(paper.notes, same)
        self._show_files(paper)
        self.facts.show_paper(paper, around.looked_up, stay=same)
        self.inside.show_paper(paper.id)
        self.citations.show_paper(paper.id)
        if not same:
            self.verticalScrollBar().setValue(0)

    @staticmethod
    def _put(part: Editable, value: str, shown: str | None, same: bool) -> None:
        part.show_value(value, shown, stay=same)

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

    def _notes_shown(self) -> list[Editable]:
        items = [self._note_list.itemAt(n) for n in range(self._note_list.count())]
        parts = [item.widget() for item in items if item is not None]
        return [part for part in parts if isinstance(part, Editable)]

    def _show_notes(self, notes: tuple[str, ...], same: bool) -> None:
        """Show notes; those being written stay, each in its place or else at the end."""
        writing = [note for note in self._notes_shown() if same and note.editing]
        for note in writing:
            self._note_list.removeWidget(note)
        clear(self._note_list)
        for text in notes:
            begun = next((note for note in writing if note.value == text), None)
            if begun is not None:
                writing.remove(begun)
                self._note_list.addWidget(begun)
                continue
            note = self._note()
            note.show_value(text)
            note.committed.connect(lambda new, old=text: self._change_note(old, new))
            note.left.connect(self.left.emit)
            self._note_list.addWidget(note)
        for note in writing:
            self._note_list.addWidget(note)
        self._notes.setVisible(self._note_list.count() > 0)

    def _show_files(self, paper: Paper) -> None:
        clear(self._file_list)
        for file in paper.files:
            name = file.title or file.path.replace("\\", "/").rsplit("/", 1)[-1]
            button = tool_button(
                self._session.theme,
                "file",
                f"Open {file.path}",
                partial(self.ways.open_file, file.path),
                text=shorten(name, 44),
                token="accent",
                kind="link",
            )
            row = horizontal(None, button, 0)
            self._file_list.addLayout(row)
        for part in (self._files, self._file_heading):
            part.setVisible(bool(paper.files))

    # -- acts --------------------------------------------------------------------------------

    def write_note(self) -> None:
        """Begin a note below the others."""
        note = self._note(new=True)
        note.committed.connect(lambda text: self._change_note("", text))
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

    def _change_note(self, old: str, new: str) -> None:
        """One note in another's place; empty: none there before, or after."""
        if self.paper is not None:
            before, after = ([text] if text else [] for text in (old, new))
            self.edited.emit(self.paper.id, {"notes": before}, {"notes": after})

    def _file(self, text: str) -> None:
        self._tell(self.filed, tuple(part.strip() for part in text.split("/") if part.strip()))

    def _unfile(self, text: str) -> None:
        if self.paper is None:
            return
        path = next((one for one in self.paper.collections if "/".join(one) == text), None)
        if path is not None:
            self._tell(self.unfiled, path)
