"""The look into one source: its kind and encoding, the first records, and remarks on them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import QComboBox, QWidget

from litscape_app.window.pages.page_frame import Sentence, list_table, named
from litscape_app.window.widgets.basics import horizontal, label, vertical
from litscape_app.window.words import authors_line, count, plain_tooltip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litscape.importers.session import ImportPreview
    from litscape.paper import PaperDraft
    from litscape_app.window.pages.import_page.sources import ImportSource
    from litscape_app.window.theme import Theme

Index = QModelIndex | QPersistentModelIndex
_TITLES = ("Title", "Authors", "Year", "Venue", "Key")
_WIDTHS = (0, 150, 76, 140, 110)
_YEAR = 2
_REMARKS = 3
_ROOT = QModelIndex()
ENCODINGS = (
    ("utf-8", "Unicode, UTF-8"),
    ("utf-16", "Unicode, UTF-16"),
    ("cp1252", "Western, Windows-1252 / Latin-1"),
    ("iso-8859-15", "Western, Latin-9"),
    ("mac-roman", "Western, Mac Roman"),
    ("iso-8859-2", "Central European, Latin-2"),
    ("cp1250", "Central European, Windows-1250"),
    ("cp1251", "Cyrillic, Windows-1251"),
    ("koi8-r", "Cyrillic, KOI8-R"),
    ("cp1253", "Greek, Windows-1253"),
    ("cp1254", "Turkish, Windows-1254"),
    ("gb18030", "Chinese, GB18030"),
    ("big5", "Chinese, Big5"),
    ("cp932", "Japanese, Shift JIS"),
    ("euc-jp", "Japanese, EUC-JP"),
    ("euc-kr", "Korean, EUC-KR"),
)


class DraftModel(QAbstractTableModel):
    """The first records of a source."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._drafts: Sequence[PaperDraft] = ()

    def show(self, drafts: Sequence[PaperDraft]) -> None:
        """Show other records."""
        self.beginResetModel()
        self._drafts = drafts
        self.endResetModel()

    def rowCount(self, parent: Index = _ROOT) -> int:
        """One row a record."""
        return 0 if parent.isValid() else len(self._drafts)

    def columnCount(self, parent: Index = _ROOT) -> int:
        """Title, authors, year, venue, key."""
        return 0 if parent.isValid() else len(_TITLES)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """The columns' names."""
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return _TITLES[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(section) | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The text of a cell, whole in its tooltip."""
        if role == Qt.ItemDataRole.DisplayRole:
            return _cells(self._drafts[index.row()])[index.column()]
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tooltip(_cells(self._drafts[index.row()])[index.column()])
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(index.column()) | Qt.AlignmentFlag.AlignVCenter
        return None


def _side(column: int) -> Qt.AlignmentFlag:
    return Qt.AlignmentFlag.AlignRight if column == _YEAR else Qt.AlignmentFlag.AlignLeft


def _cells(draft: PaperDraft) -> tuple[str, ...]:
    return (
        draft.title or "(no title)",
        authors_line([one.short for one in draft.authors], draft.more_authors),
        str(draft.year) if draft.year is not None else draft.year_raw or "",
        draft.venue or "",
        draft.citekey or "",
    )


class Preview(QWidget):
    """One source before it is imported; its kind and encoding can be changed."""

    reread = Signal(object, object)
    """Kind and encoding that the person chose, None where the content decides."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.name = label()
        self.name.setFont(theme.font("body", bold=True))
        self.place = label(tone="muted", select=True)
        for part in (self.name, self.place):  # however long, they hold no column wide
            part.setMinimumWidth(40)
        self.kind = QComboBox()
        self.encoding = QComboBox()
        for combo in (self.kind, self.encoding):
            combo.activated.connect(self._chosen)
            combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.encoding_part = QWidget()
        vertical(self.encoding_part, named(theme, "Encoding", self.encoding))
        self.sentence = Sentence()
        self.model = DraftModel(self)
        self.table = list_table(self.model, "The first records", _WIDTHS)
        self.remarks = Sentence()
        choices = horizontal(
            None, named(theme, "Kind", self.kind), self.encoding_part, 0, spacing=16
        )
        column = vertical(self, self.name, self.place, choices, self.sentence, spacing=8)
        column.addWidget(self.table, 100)
        column.addWidget(self.remarks)
        column.addStretch(1)

    def show_source(self, source: ImportSource) -> None:
        """Show a source as far as it is known."""
        self.name.setText(source.name)
        folder = "" if source.text is not None else str(Path(source.location).parent)
        self.place.setText(folder)
        self.place.setVisible(bool(folder))
        self.name.setToolTip(plain_tooltip(source.location if folder else ""))
        self._fill_choices(source)
        found = source.preview
        self.model.show(found.drafts if found else ())
        self.table.setVisible(found is not None and bool(found.drafts))
        if source.problem:
            self.sentence.say(source.problem, "bad")
        elif found is None:
            self.sentence.say("Reading …")
        else:
            self.sentence.say(*_sum(found))
        self.remarks.say(_remarks(found), "warn")

    def _fill_choices(self, source: ImportSource) -> None:
        found = source.preview
        first = "not recognised" if source.problem and not source.kind else "found by content"
        kinds = [] if source.waiting else _kinds()
        detected = f"{found.title} (as found)" if found and not source.kind else first.capitalize()
        _fill(self.kind, detected, kinds, source.kind)
        self.encoding_part.setVisible(source.text is None)
        if found and not source.encoding:
            known = dict(ENCODINGS).get(found.encoding, found.encoding)
            as_found = f"{known} ({'guessed' if found.guessed else 'as found'})"
        else:
            as_found = "Found by content"
        _fill(self.encoding, as_found, ENCODINGS, source.encoding)

    def _chosen(self) -> None:
        self.reread.emit(self.kind.currentData(), self.encoding.currentData())


def _kinds() -> list[tuple[str, str]]:
    """The readers there are; they are loaded by the time that a source was looked into."""
    from litscape.importers.registry import importers

    return [(one.kind, one.title) for one in importers()]


def _fill(
    combo: QComboBox, first: str, options: Sequence[tuple[str, str]], chosen: str | None
) -> None:
    combo.clear()
    combo.addItem(first, None)
    for key, title in options:
        combo.addItem(title, key)
    combo.setCurrentIndex(max(0, combo.findData(chosen)) if chosen else 0)


def _sum(found: ImportPreview) -> tuple[str, str]:
    number = len(found.drafts)
    if not number:
        codes = {one.code for one in found.problems}
        if "source-empty" in codes and "file-truncated" not in codes:
            return "The file is empty: there is nothing to import.", "warn"
        return f"No record can be read in the beginning of this as {found.title}.", "warn"
    if number < 20:
        return f"{count(number, 'record')}, as {'it' if number == 1 else 'they'} will come in", (
            "muted"
        )
    return f"The first {number} records, as they will come in", "muted"


def _remarks(found: ImportPreview | None) -> str:
    if found is None:
        return ""
    told = [one for one in found.problems if one.code != "source-empty"]
    lines = [f"Line {one.line}: {one.message}" if one.line else one.message for one in told]
    more = len(lines) - _REMARKS
    if more > 0:
        lines[_REMARKS:] = [f"{count(more, 'more remark')}; the report lists all."]
    return "\n".join(lines)
