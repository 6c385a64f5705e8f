"""What is known of the chosen line of a report: its message, its paper, its raw text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QBoxLayout, QWidget

from litscape_app.window.pages.report_page.raw import RawText
from litscape_app.window.pages.report_page.reasons import Reason
from litscape_app.window.pages.report_page.words import one_as_text
from litscape_app.window.widgets.basics import horizontal, label, push_button, vertical
from litscape_app.window.words import count, plain_tooltip

if TYPE_CHECKING:
    from litscape.paper import ImportProblem
    from litscape_app.window.session import Session

_LINES_BESIDE, _LINES_BELOW = 4, 2
"""How much of a message is seen at once; its tooltip holds all."""


class IssueDetail(QWidget):
    """One issue whole, or what a reason stands for."""

    paper_wanted = Signal()
    """The paper of the issue, or those of all issues of the reason, are to be shown."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._item: Reason | ImportProblem | None = None
        self.message = label(wrap=True, select=True)
        self.message.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.raw = RawText(session.theme)
        self.go = push_button("Go to the paper", self.paper_wanted.emit)
        self.copy = push_button("Copy this", self._copy, name="Copy this issue as text")
        self._top = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._top.setSpacing(8)
        self._top.addWidget(self.message, 1)
        self._top.addLayout(horizontal(None, self.go, self.copy, 0))
        self._column = vertical(self)
        self._column.addLayout(self._top)
        self._column.addWidget(self.raw, 1)
        self._column.addStretch(0)
        self.stand_beside(False)
        self.show_item(None, False)

    def stand_beside(self, beside: bool) -> None:
        """Take the shape of a column beside the issues, or that of a strip below them."""
        way = QBoxLayout.Direction
        self._top.setDirection(way.TopToBottom if beside else way.LeftToRight)
        left, top = (12, 4) if beside else (0, 10)
        self._column.setContentsMargins(left, top, 0, 0)
        # In a splitter a label of any height would ask for the height it has when it is narrowest.
        lines = _LINES_BESIDE if beside else _LINES_BELOW
        self.message.setFixedHeight(lines * self.message.fontMetrics().lineSpacing() + 2)

    def show_item(self, item: Reason | ImportProblem | None, there: bool) -> None:
        """Show an issue or a reason; ``there`` says whether its papers are in the library."""
        self._item = item
        several = isinstance(item, Reason)
        self.go.setText("Show these papers" if several else "Go to the paper")
        self.go.setEnabled(there)
        self.copy.setVisible(item is not None and not several)
        self.raw.setVisible(not several)
        if isinstance(item, Reason):
            number = count(len(item.issues), "issue")
            self.message.setText(f"{item.title}\n{number}. Unfold it to see each with its text.")
        else:
            self.message.setText(item.message if item else "")
            self.raw.show_text((item.raw or "") if item else "", item.line if item else None)
        self.message.setToolTip(plain_tooltip(self.message.text()))

    def _copy(self) -> None:
        if self._item is None or isinstance(self._item, Reason):
            return
        QGuiApplication.clipboard().setText(one_as_text(self._item))
        self._session.say("Copied this issue with its raw text")
