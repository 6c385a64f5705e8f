"""A line to choose a collection in, or to name a new one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox

from litscape.field_values import collection_path
from litscape.outline import read_names

if TYPE_CHECKING:
    from litscape_app.window.session import Session

HINT = "One that is there, or a new one, as in Water/Rivers; empty for none"
_NOWHERE = "No collection"
_WIDEST = 420


class CollectionChoice(QComboBox):
    """The collections of the library to choose from; what is written may be new."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setMinimumContentsLength(24)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMaximumWidth(_WIDEST)
        line, completer = self.lineEdit(), self.completer()
        if line is not None:
            line.setPlaceholderText(_NOWHERE)
        if completer is not None:
            completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self._slot = session.slot(self)
        self._slot.done.connect(self._fill)

    def read(self) -> None:
        """Read which collections there are; what is written stays."""
        self._session.read(
            self._slot, "Read collections", lambda library, _ctx: read_names(library.database)[1]
        )

    def path(self) -> tuple[str, ...] | None:
        """The collection's path, None for none.

        Raises:
            UserError: a level has no name.
        """
        text = self.currentText().strip()
        if not text:
            return None
        index = self.findText(text)
        known = self.itemData(index) if index >= 0 else None
        return tuple(known) if known else collection_path(text)

    def _fill(self, paths: tuple[tuple[str, ...], ...]) -> None:
        written = self.currentText()
        self.clear()
        for path in paths:
            self.addItem("/".join(path), path)
        self.setCurrentIndex(-1)
        self.setEditText(written)
