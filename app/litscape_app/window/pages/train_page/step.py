"""What every step of the wizard is: one question, what answers it, one button onwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, Qt, Signal
from PySide6.QtWidgets import QLayout, QWidget

from litscape_app.window.pages.page_frame import Scrolling, Sentence, scroll_area
from litscape_app.window.widgets.basics import horizontal, label, push_button, vertical

if TYPE_CHECKING:
    from litscape_app.window.session import Session
    from litscape_app.window.theme import Theme

_WIDEST = 960


class Step(QWidget):
    """One step: its question above, its parts, and the button to the next at the foot.

    Signals:
        forward: the button was pressed.

    Attributes:
        name: in the list of steps at the left.
        go: the button onwards.
        trouble: what keeps this step from its answer, in one sentence.
    """

    forward = Signal()
    name = ""
    question = ""

    def __init__(self, session: Session, onwards: str) -> None:
        super().__init__()
        self.session = session
        self.theme: Theme = session.theme
        self.setAccessibleName(self.question)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # its keys count from the start
        self.asked = label(self.question, wrap=True)
        self.asked.setFont(self.theme.font("title"))
        self.trouble = Sentence("", "bad")
        self.go = push_button(onwards, self.forward.emit, kind="primary")

    def lay_out(self, *parts: QWidget | QLayout | int, beside: tuple[QWidget, ...] = ()) -> None:
        """Put parts that scroll between question and button; ``beside`` stands left of that."""
        inner, column = Scrolling(), QWidget()
        column.setMaximumWidth(_WIDEST)
        vertical(column, self.trouble, *parts, 0, spacing=12, margins=(0, 0, 8, 0))
        row = horizontal(inner, spacing=0)
        self.column, self._inner = column, inner
        row.addWidget(column, 100)
        row.addStretch(1)
        foot = horizontal(None, 0, *beside, self.go)
        whole = vertical(self, self.asked, spacing=12)
        area = scroll_area(inner)  # a table of figures is wider than a narrow window has room for
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        whole.addWidget(area, 1)
        whole.addLayout(foot)

    def settle(self) -> None:
        """Lay out now what was just filled, so that no part is painted over another first."""
        parts = [self._inner, *self._inner.findChildren(QWidget)]
        for part in reversed(parts):  # those within others first
            layout = part.layout()
            if layout is not None:
                layout.activate()
        around = self._inner.parent()
        if around is not None:  # what scrolls gives the whole its height
            QCoreApplication.sendPostedEvents(around, QEvent.Type.LayoutRequest.value)

    def enter(self) -> None:
        """The step is shown: bring it up to date."""

    def forget(self) -> None:
        """Another library was opened."""
