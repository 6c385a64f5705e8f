"""What a newcomer sees: three doors, and one sentence on what stays on this computer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QFrame, QLabel, QWidget

from litscape.importers.zotero_find import find
from litscape_app.window.widgets.basics import (
    ground,
    horizontal,
    label,
    push_button,
    restyle,
    vertical,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import (
        QDragEnterEvent,
        QDragLeaveEvent,
        QDragMoveEvent,
        QDropEvent,
        QMouseEvent,
    )

    from litscape_app.window.theme import Theme

_CARD = 248


class Card(QFrame):
    """One door: a sign, a name, a sentence, a button."""

    def __init__(
        self,
        theme: Theme,
        icon: str,
        title: str,
        text: str,
        button: str,
        act: Callable[[], None],
        primary: bool = False,
    ) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self._theme, self._icon, self._act = theme, icon, act
        self._mark = QLabel()
        self._heading = label(title, wrap=True)
        self._heading.setFont(theme.font("title"))
        self.text = label(text, "muted", wrap=True)
        self.text.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.button = push_button(button, act, "primary" if primary else "", f"{title}: {button}")
        column = vertical(self, self._mark, 4, self._heading, margins=(20, 20, 20, 20))
        column.addWidget(self.text, 1)
        column.addLayout(horizontal(None, self.button, 0))
        self.setFixedWidth(_CARD)
        self.setMinimumHeight(236)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        theme.changed.connect(self._dress)
        self._dress()

    def _dress(self) -> None:
        ratio = self.devicePixelRatioF()
        self._mark.setPixmap(self._theme.pixmap(self._icon, 28, "accent", ratio))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """The whole card is the button."""
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.pos()):
            self._act()

    def mark_hot(self, hot: bool) -> None:
        """Show that something may be dropped here."""
        if bool(self.property("hot")) != hot:
            self.setProperty("hot", hot)
            restyle(self)


class FirstRunPage(QWidget):
    """Try the example, import, or connect Zotero; files may be dropped anywhere on it."""

    example_wanted = Signal()
    import_wanted = Signal()
    files_dropped = Signal(object)
    zotero_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        ground(self, "column")
        self.setAcceptDrops(True)
        heading = label("What would you like to read?")
        font = theme.font("title")
        font.setPointSizeF(font.pointSizeF() * 1.35)
        heading.setFont(font)
        heading.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.example = Card(
            theme, "book", "Try the example library",
            "480 papers on language, vision, learning and robotics, with their citation links. "
            "Ready in seconds.",
            "Open the example", self.example_wanted.emit, primary=True,
        )  # fmt: skip
        self.bring = Card(
            theme, "import", "Import your library",
            "Drop a file here, or choose one: BibTeX, RIS, EndNote, PubMed, Web of Science "
            "and many more kinds.",
            "Choose a file…", self.import_wanted.emit,
        )  # fmt: skip
        found = next(iter(find()), None)
        text = (
            f"Found your Zotero data ({max(1, round(found.size / 1e6)):,} MB) in {found.folder}. "
            "Choose what to take; nothing is ever written there."
            if found is not None
            else "No Zotero was found on this computer. Choose its database yourself, or export "
            "your library as Zotero RDF or BibTeX (File, Export library) and import that."
        )
        self.zotero = Card(
            theme, "connect", "Connect Zotero", text, "Choose what to take…",
            self.zotero_wanted.emit,
        )  # fmt: skip
        self._cards = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._cards.setSpacing(16)
        self._cards.addStretch(1)
        for card in (self.example, self.bring, self.zotero):
            self._cards.addWidget(card)
        self._cards.addStretch(1)
        promise = label("Nothing leaves this computer unless you ask.", "muted")
        promise.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        vertical(self, 0, heading, 16, self._cards, 12, promise, 0, 0, margins=(24, 24, 24, 24))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files are welcome."""
        self.bring.mark_hot(bool(take_copies(event)))

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Wherever they are."""
        take_copies(event)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """They went elsewhere."""
        self.bring.mark_hot(False)

    def dropEvent(self, event: QDropEvent) -> None:
        """Bring them in."""
        self.bring.mark_hot(False)
        files = take_copies(event)
        if files:
            self.files_dropped.emit(files)


def take_copies(event: QDropEvent) -> list[Path]:
    """Accept dragged files as copies, whatever is proposed; returns them.

    After a move the program they come from deletes them: where it offers nothing else, they are
    refused.
    """
    files = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
    if not files or not event.possibleActions() & Qt.DropAction.CopyAction:
        event.ignore()
        return []
    event.setDropAction(Qt.DropAction.CopyAction)
    event.accept()
    return files
