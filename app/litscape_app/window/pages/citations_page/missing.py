"""The second part of the page: works that several papers cite and that are not in the library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtWidgets import QWidget

from litscape_app.window.pages.citations_page.reading import MOST
from litscape_app.window.pages.page_frame import Sentence, list_table
from litscape_app.window.widgets.basics import push_button, vertical
from litscape_app.window.widgets.flow import flowing
from litscape_app.window.words import count, plain_tooltip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litscape.graph.missing import MissingWork
    from litscape.paper import PaperId, Reference

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_HEADS = ("Cited by", "First author", "Year", "Work")
_WIDTHS = (76, 120, 56, 0)


class MissingModel(QAbstractTableModel):
    """Missing works, most cited first."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.works: tuple[MissingWork, ...] = ()
        self._names: list[str] = []

    def show(self, works: Sequence[MissingWork]) -> None:
        """List other works."""
        from litscape.graph.outside import name_of_work

        self.beginResetModel()
        self.works = tuple(works)
        self._names = [name_of_work(one.reference) for one in works]
        self.endResetModel()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """How many works."""
        return 0 if parent.isValid() else len(self.works)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        """How many columns."""
        return 0 if parent.isValid() else len(_HEADS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        """Names of the columns."""
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return _HEADS[section]
        if role == Qt.ItemDataRole.TextAlignmentRole and section in (0, 2):
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = 0) -> Any:
        """What is known of a work."""
        work, name = self.works[index.row()], self._names[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            year = str(work.reference.year or "")
            return (f"{len(work.cited_by):,}", work.author or "", year, name)[index.column()]
        if role == Qt.ItemDataRole.ToolTipRole:
            more = [work.reference.raw, work.reference.doi and f"DOI {work.reference.doi}"]
            return plain_tooltip("\n".join([name, *(one for one in more if one and one != name)]))
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() in (0, 2):
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None


class Missing(QWidget):
    """The list, with what can be done about the chosen work."""

    add_wanted = Signal(object)
    """The reference to the chosen work."""
    citing_wanted = Signal(object)
    """Ids of the papers that cite it."""

    def __init__(self) -> None:
        super().__init__()
        self.sentence = Sentence("Counting …", "")
        self.model = MissingModel(self)
        self.table = list_table(self.model, "Works you probably want", _WIDTHS)
        self.add = push_button("Add to the library", self._add, kind="primary")
        self.citing = push_button("Show a paper that cites it", self._citing)
        buttons = flowing(self.add, self.citing)
        column = vertical(self, self.sentence, spacing=8)
        column.addWidget(self.table, 1)
        column.addWidget(buttons)
        column.addStretch()
        self._list = (self.table, buttons)
        self.table.selectionModel().currentRowChanged.connect(lambda *_rows: self._enable())
        self.table.activated.connect(lambda _index: self._add())
        self.show_works((), 0)

    @property
    def chosen(self) -> MissingWork | None:
        """The work that the buttons are about."""
        row = self.table.currentIndex().row()
        return self.model.works[row] if 0 <= row < len(self.model.works) else None

    def show_works(self, works: Sequence[MissingWork], outside: int) -> None:
        """List works.

        Args:
            works: most cited first; one more than is listed says that there are more.
            outside: references to works outside the library.
        """
        row = max(0, self.table.currentIndex().row())
        more = len(works) > MOST
        self.model.show(works[:MOST])
        if works:
            self.table.selectRow(min(row, len(self.model.works) - 1))
            what = f"The {MOST:,} most cited works" if more else count(len(works), "work")
            verb = "is" if len(works) == 1 else "are"
            self.sentence.say(
                f"{what} that two or more of your papers cite and that {verb} not in the library: "
                "you probably want some of them.",
                "",
            )
        elif outside:
            self.sentence.say(
                "No work outside the library is cited by two or more of your papers.", ""
            )
        else:
            self.sentence.say(
                "No paper of this library has a reference to a work outside it, so nothing can be "
                "said of what is missing. The overview says what brings references.",
                "",
            )
        for part in self._list:
            part.setVisible(bool(works))
        self._enable()

    def _enable(self) -> None:
        for button in (self.add, self.citing):
            button.setEnabled(self.chosen is not None)

    def _add(self) -> None:
        if self.chosen is not None:
            reference: Reference = self.chosen.reference
            self.add_wanted.emit(reference)

    def _citing(self) -> None:
        if self.chosen is not None:
            ids: tuple[PaperId, ...] = self.chosen.cited_by
            self.citing_wanted.emit(ids)
