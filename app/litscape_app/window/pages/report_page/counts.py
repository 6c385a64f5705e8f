"""The numbers of a report, beside each other, adding up before one's eyes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from litscape_app.window.widgets.basics import label, set_tone, vertical
from litscape_app.window.widgets.flow import FlowLayout

if TYPE_CHECKING:
    from litscape.paper import ImportReport
    from litscape_app.window.theme import Theme

_OUTCOMES = (
    ("added", "added", "Became new papers"),
    ("updated", "updated", "Changed papers that came from here before"),
    ("merged", "merged", "Joined with papers that were there: the same work"),
    ("unchanged", "unchanged", "Changed nothing"),
    ("skipped", "skipped", "Did not come in; the list below says why"),
)


class Counts(QWidget):
    """Records = added + updated + merged + unchanged + skipped."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._flow = FlowLayout(self, gap=14)
        self.numbers: dict[str, QLabel] = {}
        self._add(theme, "records", "records", "What could be a paper in the source")
        for place, (name, word, tip) in enumerate(_OUTCOMES):
            self._flow.addWidget(_sign(theme, "=" if not place else "+"))
            self._add(theme, name, word, tip)

    def _add(self, theme: Theme, name: str, word: str, tip: str) -> None:
        block = QWidget()
        number = label("0")
        number.setFont(theme.font("title"))
        below = label(word, "muted")
        below.setFont(theme.font("small"))
        for part in (number, below):
            part.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        vertical(block, number, below, spacing=0)
        block.setToolTip(tip)
        self.numbers[name] = number
        self._flow.addWidget(block)

    def show_report(self, report: ImportReport) -> None:
        """Show the numbers of a report."""
        for name, number in self.numbers.items():
            value: int = getattr(report, name)
            number.setText(f"{value:,}")
            bad = name == "skipped" and value
            set_tone(number, "bad" if bad else "" if value else "muted")
            number.setAccessibleName(f"{value:,} {name}")
        self._flow.invalidate()
        self.updateGeometry()


def _sign(theme: Theme, text: str) -> QLabel:
    sign = label(text, "muted")
    sign.setFont(theme.font("title"))
    return sign
