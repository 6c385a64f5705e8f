"""The log and the error report; nothing is sent anywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QCheckBox, QPlainTextEdit, QWidget

from litscape.log import log_file
from litscape_app.window.pages.log_page.report import compose, read_tail, warnings_only
from litscape_app.window.pages.page_frame import PageFrame, Sentence, Switch, named
from litscape_app.window.widgets.basics import horizontal, label, push_button, vertical
from litscape_app.window.widgets.segments import Segments

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtGui import QShowEvent

    from litscape_app.actions.command import Desk
    from litscape_app.window.troubles import Trouble

_LINES, _REPORTED = 500, 60
_VIEWS = (
    ("log", "Log", "The newest lines of the log"),
    ("report", "Error report", "A text to copy when something is wrong with Litscape"),
)


class LogPage(PageFrame):
    """Newest lines, and a report that a person copies where they want it."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk, "Log and error report")
        self.views = Segments(_VIEWS, "View")
        self.trouble: Trouble | None = None
        self.lines: list[str] = []
        self.log = _text("The log")
        self.only = QCheckBox("Warnings and errors only")
        self.file = label(str(log_file()), "muted", wrap=True, select=True)
        self.empty = Sentence()
        self.doing = QPlainTextEdit()
        self.doing.setTabChangesFocus(True)
        self.doing.setFixedHeight(80)
        self.doing.setPlaceholderText("I imported a file and then …")
        self.with_log = QCheckBox("With the newest lines of the log")
        self.with_log.setChecked(True)
        self.report = _text("The error report")
        self.copy = push_button("Copy details", self._copy, kind="primary")
        self.copy_log = push_button("Copy", self._copy_log, name="Copy the log")
        self._log, self._report = self._log_view(), self._report_view()
        self.parts = Switch(self._log, self._report)
        self.body.addLayout(horizontal(None, self.views, 0))
        self.body.addWidget(self.parts, 1)
        self._slot = self.session.slot(self)
        self._slot.done.connect(self._take_lines)
        self._connect()

    def _log_view(self) -> QWidget:
        view = QWidget()
        refresh = push_button("Read again", self.read, name="Read the log again")
        folder = push_button("Open the folder", self._open_folder, name="Open the log’s folder")
        column = vertical(view, self.file, horizontal(None, self.only, 0), self.empty)
        column.addWidget(self.log, 1)
        column.addLayout(horizontal(None, refresh, self.copy_log, folder, 0))
        return view

    def _report_view(self) -> QWidget:
        view = QWidget()
        promise = label(
            "Nothing is sent: copy the text and put it where you report the mistake. Look through "
            "it first; the names of your folders are left out.",
            "muted",
            wrap=True,
        )
        column = vertical(
            view, promise, named(self.theme, "What did you do?", self.doing), self.with_log
        )
        column.addWidget(self.report, 1)
        column.addLayout(horizontal(None, self.copy, 0))
        return view

    def _connect(self) -> None:
        self.views.chosen.connect(lambda _key: self._show())
        self.only.toggled.connect(lambda _on: self._show())
        self.with_log.toggled.connect(lambda _on: self._show())
        self.doing.textChanged.connect(self._show)
        self.session.troubled.connect(self._troubled)

    def take(self, trouble: Trouble) -> None:
        """Make a report of a trouble."""
        self.trouble = trouble
        self.views.choose("report")
        self.read()

    def read(self) -> None:
        """Read the newest lines of the log."""
        file = log_file()
        self.session.look(self._slot, "Read the log", lambda _ctx: read_tail(file, _LINES))

    def _troubled(self, trouble: Trouble) -> None:
        if not trouble.expected:
            self.trouble = trouble
            self.read()

    def _take_lines(self, lines: list[str]) -> None:
        self.lines = lines
        self._show()

    def _show(self) -> None:
        if self.views.choice == "log":
            self.parts.show_part(self._log)
            lines = warnings_only(self.lines) if self.only.isChecked() else self.lines
            self.log.setPlainText("\n".join(lines))
            bar = self.log.verticalScrollBar()
            bar.setValue(bar.maximum())
            none = "No warning and no error." if self.lines else "The log is empty."
            self.empty.say("" if lines else none)
            self.copy_log.setEnabled(bool(lines))
        else:
            self.parts.show_part(self._report)
            self.report.setPlainText(self.text())

    def text(self) -> str:
        """The report as it would be copied."""
        log = self.lines[-_REPORTED:] if self.with_log.isChecked() else []
        return compose(self.doing.toPlainText(), self.trouble, log, self._folders())

    def _folders(self) -> tuple[Path, ...]:
        library = self.session.library
        return (library.folder,) if library is not None else ()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text())
        self.session.say("Copied the report; nothing was sent.")

    def _copy_log(self) -> None:
        QGuiApplication.clipboard().setText(self.log.toPlainText())
        self.session.say("Copied the log")

    def _open_folder(self) -> None:
        folder = log_file().parent
        folder.mkdir(parents=True, exist_ok=True)
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))

    def showEvent(self, event: QShowEvent) -> None:
        """The newest lines."""
        super().showEvent(event)
        self.read()


def _text(name: str) -> QPlainTextEdit:
    text = QPlainTextEdit()
    text.setReadOnly(True)
    text.setTabChangesFocus(True)
    text.setAccessibleName(name)
    text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
    text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
    return text
