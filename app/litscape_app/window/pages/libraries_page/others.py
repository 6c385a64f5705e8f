"""The other libraries: open one, take it off the list, make a new one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QLineEdit, QWidget

from litscape_app.window.libraries import folder_of_libraries, free_folder
from litscape_app.window.pages.libraries_page.facts import LibraryFacts, known_libraries
from litscape_app.window.pages.page_frame import Sentence, named
from litscape_app.window.widgets.basics import (
    clear,
    heading,
    horizontal,
    label,
    push_button,
    tool_button,
    vertical,
)
from litscape_app.window.words import plain_tooltip, shorten

if TYPE_CHECKING:
    from collections.abc import Callable

    from litscape_app.window.session import Session


class Others(QWidget):
    """The list, and a line for a new library's name."""

    open_wanted = Signal(object)
    """The folder of a library to open."""
    make_wanted = Signal(object)
    """The folder of a library to make."""

    def __init__(self, session: Session, example: Callable[[], object]) -> None:
        super().__init__()
        self._session = session
        theme = session.theme
        self.buttons: dict[Path, QWidget] = {}
        self._shown: tuple[list[LibraryFacts], tuple[str, ...]] | None = None
        self._rows = QWidget()
        self._column = vertical(self._rows, spacing=4)
        self.none = Sentence("No other library is known.")
        self.open_other = push_button("Open another…", self._choose)
        self.example = push_button("Example library", example, name="Open the example library")
        self.name = QLineEdit()
        self.name.setPlaceholderText("My thesis")
        self.place = folder_of_libraries()
        self.make = push_button("Make it", self._make, name="Make the new library")
        self.where = label(tone="muted", wrap=True)
        self.elsewhere = tool_button(
            theme, "", "Choose where the new library goes", self._elsewhere, text="Elsewhere…",
            kind="link",
        )  # fmt: skip
        self.name.textChanged.connect(lambda _text: self._show_place())
        self.name.returnPressed.connect(self._make)
        place = horizontal(None, self.where, self.elsewhere)
        place.setStretch(0, 1)
        vertical(
            self,
            heading(theme, "Other libraries"), self.none, self._rows, 2,
            horizontal(None, self.open_other, self.example, 0), 12,
            heading(theme, "New library"), named(theme, "Name", self.name, "", self.make), place,
            spacing=6,
        )  # fmt: skip
        self._slot = session.slot(self)
        self._slot.done.connect(self._fill)
        self._show_place()

    def read(self) -> None:
        """Read which libraries there are."""
        recent = self._session.settings.recent
        self._session.look(self._slot, "Read libraries", lambda _ctx: known_libraries(recent))

    def _fill(self, found: tuple[LibraryFacts, ...]) -> None:
        library = self._session.library
        others = [one for one in found if library is None or one.folder != library.folder]
        if self._shown == (others, self._session.settings.recent):
            return
        self._shown = (others, self._session.settings.recent)
        clear(self._column)
        self.buttons = {}
        self.none.setVisible(not others)
        for one in others:
            self._column.addWidget(self._row(one))

    def _row(self, one: LibraryFacts) -> QWidget:
        row = QWidget()
        name = label(one.folder.name)
        size = f"{one.megabytes:,.1f} MB" if one.there else "not there any more"
        where = label(f"{shorten(str(one.folder.parent), 60)} · {size}", "muted")
        where.setFont(self._session.theme.font("small"))
        row.setToolTip(plain_tooltip(str(one.folder)))
        button = push_button(
            "Open", lambda: self.open_wanted.emit(one.folder), name=f"Open {one.folder.name}"
        )
        button.setEnabled(one.there)
        self.buttons[one.folder] = button
        words = vertical(None, name, where, spacing=0)
        line = horizontal(row, words, 0, button)
        if str(one.folder) in self._session.settings.recent:
            line.addWidget(
                tool_button(
                    self._session.theme, "close",
                    f"Take {one.folder.name} off the list; it stays on the disk",
                    lambda: self._forget(one.folder),
                )
            )  # fmt: skip
        return row

    def _forget(self, folder: Path) -> None:
        self._session.remember(self._session.settings.forgotten(folder))
        self.read()

    def _choose(self) -> None:
        name = QFileDialog.getExistingDirectory(self, "Open a library", str(folder_of_libraries()))
        if name:
            self.open_wanted.emit(Path(name))

    def _elsewhere(self) -> None:
        name = QFileDialog.getExistingDirectory(self, "Where the new library goes", str(self.place))
        if name:
            self.place = Path(name)
            self._show_place()

    def _show_place(self) -> None:
        name = self.name.text().strip()
        folder = free_folder(self.place, name) if name else self.place
        self.where.setText(f"Goes to {folder}" if name else f"Goes into {folder}")

    def _make(self) -> None:
        name = self.name.text().strip()
        if not name:
            self.where.setText("Give the new library a name first.")
            self.name.setFocus()
        else:
            folder = free_folder(self.place, name)
            self.name.clear()
            self.make_wanted.emit(folder)
