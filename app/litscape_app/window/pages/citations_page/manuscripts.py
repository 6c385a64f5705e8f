"""The third part of the page: the user's own texts, and what they cite together."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QListWidget, QListWidgetItem, QWidget

from litscape_app.window.pages.page_frame import Sentence, elide, when
from litscape_app.window.widgets.basics import label, push_button, vertical
from litscape_app.window.widgets.flow import flowing
from litscape_app.window.words import count, plain_tooltip

if TYPE_CHECKING:
    from litscape.manuscripts.records import Manuscript, ManuscriptReport
    from litscape_app.window.theme import Theme

PROMISE = (
    "Works that your own texts cite in one place belong together. Litscape reads .tex, .aux, "
    "Markdown, Quarto and R Markdown files of a folder, and keeps of them only which works are "
    "cited together; the files are not changed."
)
_PLACE = Qt.ItemDataRole.UserRole
_MOST = 200
"""Unknown keys that are listed."""


class ManuscriptsPart(QWidget):
    """Manuscripts that were read, and keys in them that no paper has."""

    read_wanted = Signal(str)
    """A folder."""
    forget_wanted = Signal(str)
    """A file or folder."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.sentence = Sentence("", "")
        self.list = _list("Manuscripts that were read")
        self.unknown_title = label("Keys that no paper of the library has", "muted")
        self.unknown = _list("Keys that no paper of the library has")
        self.read = push_button("Read a folder…", self._choose, kind="primary")
        self.again = push_button("Read again", self._again)
        self.forget = push_button("Forget", self._forget)
        self.again.setToolTip("Read the folder of the chosen manuscript again")
        self.forget.setToolTip("Forget what the chosen manuscript cites; its file stays")
        column = vertical(self, label(PROMISE, "muted", wrap=True), self.sentence, spacing=8)
        column.addWidget(self.list, 2)
        column.addWidget(self.unknown_title)
        column.addWidget(self.unknown, 1)
        column.addWidget(flowing(self.read, self.again, self.forget))
        column.addStretch()
        self.list.currentRowChanged.connect(lambda _row: self._enable())
        self.report: ManuscriptReport | None = None
        self._theme = theme
        self._enable()
        for part in (self.list, self.unknown, self.unknown_title):
            part.hide()

    @property
    def chosen(self) -> str:
        """The path of the chosen manuscript; empty for none."""
        item = self.list.currentItem()
        return str(item.data(_PLACE)) if item is not None else ""

    def show_report(self, report: ManuscriptReport) -> None:
        """Show what is known of all manuscripts."""
        self.report = report
        row = max(0, self.list.currentRow())
        self.list.clear()
        for one in report.manuscripts:
            item = QListWidgetItem(self._theme.icon("file", "muted"), _line(one))
            item.setData(_PLACE, one.path)
            item.setToolTip(plain_tooltip(one.path))
            self.list.addItem(item)
        self.list.setCurrentRow(min(row, self.list.count() - 1))
        self.unknown.clear()
        for key in report.unknown[:_MOST]:
            item = QListWidgetItem(f"{key.citekey} · line {key.line:,} of {Path(key.path).name}")
            item.setToolTip(plain_tooltip(key.path))
            self.unknown.addItem(item)
        more = len(report.unknown) - _MOST
        if more > 0:
            self.unknown.addItem(QListWidgetItem(f"… and {more:,} more"))
        there = bool(report.manuscripts)
        self.list.setVisible(there)
        for part in (self.unknown, self.unknown_title):
            part.setVisible(bool(report.unknown))
        self.unknown_title.setText(
            f"{count(len(report.unknown), 'key')} that no paper of the library has"
        )
        self.sentence.say(told(report), "")
        self._enable()

    def _enable(self) -> None:
        for button in (self.again, self.forget):
            button.setVisible(self.list.count() > 0)
            button.setEnabled(bool(self.chosen))

    def _choose(self) -> None:
        folder = QFileDialog.getExistingDirectory(self, "Folder of manuscripts")
        if folder:
            self.read_wanted.emit(folder)

    def _again(self) -> None:
        if self.chosen:
            self.read_wanted.emit(str(Path(self.chosen).parent))

    def _forget(self) -> None:
        if self.chosen:
            self.forget_wanted.emit(self.chosen)


def told(report: ManuscriptReport) -> str:
    """What all manuscripts cite, in one sentence."""
    number = len(report.manuscripts)
    if not number:
        return "No manuscript was read yet."
    pairs = sum(report.pairs.values())
    return (
        f"{count(number, 'manuscript')} with {count(report.citations, 'citation')} of "
        f"{count(report.papers, 'paper')} of the library; {count(pairs, 'pair')} of papers "
        f"{'is' if pairs == 1 else 'are'} cited together."
    )


def _line(one: Manuscript) -> str:
    parts = [count(one.citations, "citation"), count(one.works, "key"), f"read {when(one.read_at)}"]
    return f"{Path(one.path).name} · {' · '.join(parts)}"


def _list(name: str) -> QListWidget:
    result = QListWidget()
    result.setProperty("role", "list")
    result.setAccessibleName(name)
    result.setTabKeyNavigation(False)
    result.setMinimumHeight(60)
    elide(result)
    return result
