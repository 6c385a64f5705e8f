"""Parts of the import page: what it says while nothing is chosen, and where papers go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QFrame, QLabel, QWidget

from litscape_app.window.pages.collection_choice import HINT, CollectionChoice
from litscape_app.window.pages.page_frame import Sentence, named
from litscape_app.window.widgets.basics import horizontal, label, push_button, vertical

if TYPE_CHECKING:
    from collections.abc import Callable

    from litscape_app.window.session import Session
    from litscape_app.window.theme import Theme


class EmptyImport(QFrame):
    """Drop, choose or paste."""

    def __init__(
        self,
        theme: Theme,
        choose: Callable[[], object],
        choose_folder: Callable[[], object],
        paste: Callable[[], object],
    ) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self._theme = theme
        self._mark = QLabel()
        heading = label("Drop files here")
        heading.setFont(theme.font("title"))
        text = label(
            "BibTeX, RIS, CSL JSON, EndNote, PubMed, Web of Science, Scopus, Zotero, Mendeley "
            "and more, plain or gzipped. "
            "You see what is in them before anything comes in.",
            "muted",
            wrap=True,
        )
        text.setMaximumWidth(400)
        text.setMinimumWidth(240)
        for part in (self._mark, heading, text):
            part.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.choose = push_button("Choose files…", choose, kind="primary")
        self.paste = push_button("Paste", paste, name="Paste records from the clipboard")
        self.folder = push_button("Choose a folder…", choose_folder)
        buttons = horizontal(None, 0, self.choose, self.folder, self.paste, 0)
        block = vertical(None, self._mark, 4, heading, text, 8, buttons)
        vertical(self, 0, horizontal(None, 0, block, 0), 0, 0, margins=(16, 16, 16, 16))
        theme.changed.connect(self._dress)
        self._dress()

    def _dress(self) -> None:
        ratio = self.devicePixelRatioF()
        self._mark.setPixmap(self._theme.pixmap("import", 28, "accent", ratio))


class Target(QWidget):
    """The collection that papers are put into, and what a cancelled import leaves."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.collection = CollectionChoice(session)
        self.whole = QCheckBox("All or nothing: a cancelled import leaves no papers")
        self.locked = Sentence()
        vertical(
            self,
            named(session.theme, "Into collection", self.collection, HINT),
            self.whole,
            self.locked,
        )

    @property
    def all_or_nothing(self) -> bool:
        """Whether an import that does not reach its end leaves nothing."""
        return self.whole.isChecked()

    def explain(self, locked: bool) -> None:
        """Say why nothing can be imported."""
        self.locked.say(
            "This library is open for reading only; open another one to import." if locked else "",
            "warn",
        )
