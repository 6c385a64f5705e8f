"""Several papers at once: tag, file, set one field for all, export, delete."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QLineEdit, QScrollArea, QWidget

from litscape_app.window.details.marks import Marks, MarksRow, common_marks
from litscape_app.window.details.tags_row import ChipsRow
from litscape_app.window.widgets.basics import (
    ground,
    heading,
    horizontal,
    label,
    push_button,
    vertical,
)
from litscape_app.window.words import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litscape.paper import PaperRow
    from litscape_app.window.details.page import Surroundings
    from litscape_app.window.session import Session

FIELDS = (
    ("type", "Type"),
    ("year", "Year"),
    ("venue", "Venue"),
    ("publisher", "Publisher"),
    ("volume", "Volume"),
    ("issue", "Issue"),
    ("abstract_note", "Note on the abstract"),
)
_TAGS_SHOWN = 24


class BulkPage(QScrollArea):
    """What can be done to all chosen papers."""

    tagged = Signal(str)
    untagged = Signal(str)
    filed = Signal(object)
    field_set = Signal(str, str)
    left = Signal()
    """The keyboard can go back to the list."""
    trash_wanted = Signal()
    export_wanted = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        inner = QWidget()
        ground(inner, "reading")
        theme = session.theme
        self.title = label()
        self.title.setFont(theme.font("title"))
        self.years = label(tone="muted", wrap=True)
        self.marks = MarksRow(theme)
        self.tags = ChipsRow(theme, "Tag all", "tag")
        self.tags.added.connect(self.tagged.emit)
        self.tags.removed.connect(self.untagged.emit)
        self.collections = ChipsRow(theme, "Add all to a collection", "collection")
        self.collections.added.connect(
            lambda text: self.filed.emit(tuple(p.strip() for p in text.split("/") if p.strip()))
        )
        for part in (self.tags, self.collections):
            part.left.connect(self.left.emit)
        self.field = QComboBox()
        self.field.setAccessibleName("Field to set")
        for key, title in FIELDS:
            self.field.addItem(title, key)
        self.value = QLineEdit()
        self.value.setAccessibleName("New value for all")
        self.value.setPlaceholderText("New value; empty clears it")
        self.value.returnPressed.connect(self._set)
        self.apply = push_button("Set for all", self._set)
        self.trash = push_button("Move to trash", self.trash_wanted.emit, kind="danger")
        export = push_button("Export…", self.export_wanted.emit)
        vertical(
            inner,
            self.title, self.years, self.marks, 8,
            heading(theme, "Tags"), self.tags, 8,
            heading(theme, "Collections"), self.collections, 8,
            heading(theme, "Set a field"), horizontal(None, self.field, 0), self.value,
            horizontal(None, self.apply, 0), 16,
            horizontal(None, export, self.trash, 0), 0,
            margins=(16, 14, 16, 16), spacing=6,
        )  # fmt: skip
        self.setWidget(inner)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def show_papers(
        self,
        number: int,
        rows: Sequence[PaperRow],
        around: Surroundings,
        years: tuple[int, int] | None,
    ) -> None:
        """Sum up ``number`` chosen papers of which ``rows`` are some, and ``years`` the span."""
        self.title.setText(f"{count(number, 'paper')} chosen")
        span = " to ".join(dict.fromkeys(map(str, years or ())))
        self.years.setText(span)
        self.years.setVisible(bool(span))
        known = len(rows) >= number  # else some were not read
        self.marks.show_marks(common_marks(rows) if known else Marks(None, None, None, None))
        used = Counter(name for row in rows for name in row.tags)
        some = dict(used.most_common(_TAGS_SHOWN))
        # Where not all rows were read, a tag is on at least as many papers as are counted.
        sure = "" if len(rows) >= number else "+"
        marks = {name: f"{n:,}{sure} of {number:,}" for name, n in some.items() if n < number}
        self.tags.show_names(list(some), marks)
        self.tags.line.offer(around.tags)
        self.collections.line.offer("/".join(path) for path in around.collections)

    def show_place(self, in_trash: bool) -> None:
        """In the trash papers are deleted for good, and neither tagged nor filed."""
        self.trash.setText("Delete for good…" if in_trash else "Move to trash")
        for row in (self.marks, self.tags, self.collections):
            row.setDisabled(in_trash)

    def _set(self) -> None:
        self.field_set.emit(str(self.field.currentData()), self.value.text().strip())
