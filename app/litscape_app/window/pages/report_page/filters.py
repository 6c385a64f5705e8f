"""What of a report is shown: a severity or the pairs, a reason, and which import's report it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QWidget

from litscape_app.window.pages.report_page.reasons import SEVERITIES, words_of
from litscape_app.window.pages.report_page.words import title_of_batch
from litscape_app.window.widgets.flow import FlowLayout
from litscape_app.window.widgets.segments import Segments
from litscape_app.window.words import plain_tooltip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litscape.importers.session import BatchInfo
    from litscape.paper import ImportProblem

PAIRS = "pairs"
_VIEWS = (
    ("", "All", "All issues"),
    *((key, title, title) for key, title in SEVERITIES),
    (PAIRS, "Duplicates", "Pairs of papers that may be one work; they were kept apart"),
)


class Filters(QWidget):
    """Severities with their numbers, and the reasons that there are of the chosen one."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.severity = Segments(_VIEWS, "Issues")
        self.code = QComboBox()
        self.code.setAccessibleName("Reason")
        self.code.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self._issues: Sequence[ImportProblem] = ()
        self._row = FlowLayout(self, gap=8)
        self._row.addWidget(self.severity)
        self._row.addWidget(self.code)
        self.severity.chosen.connect(lambda _key: self._chosen())
        self.code.activated.connect(lambda _row: self.changed.emit())

    @property
    def pairs(self) -> bool:
        """Whether the pairs are to be shown and no issues."""
        return self.severity.choice == PAIRS

    @property
    def choice(self) -> tuple[str, str]:
        """Severity and code; empty for all."""
        return self.severity.choice, str(self.code.currentData() or "")

    def show_issues(self, issues: Sequence[ImportProblem]) -> None:
        """Take the numbers of another report, unfiltered."""
        self._issues = issues
        for key, title in SEVERITIES:
            number = sum(one.severity == key for one in issues)
            button = self.severity.button(key)
            button.setText(f"{title} {number:,}")
            button.setVisible(bool(number))
        self.severity.button("").setText(f"All {len(issues):,}")
        self.severity.choose("")
        self.show_pairs(0)
        self._fill()

    def show_pairs(self, number: int) -> None:
        """Take the number of pairs, which come later than the issues."""
        button = self.severity.button(PAIRS)
        button.setText(f"Duplicates {number:,}")
        button.setVisible(bool(number))
        self.severity.setVisible(bool(number or self._issues))
        self._row.invalidate()
        if self.pairs and not number:  # the last one was decided on
            self.severity.choose("")
            self._chosen()

    def _chosen(self) -> None:
        self._fill()
        self.changed.emit()

    def _fill(self) -> None:
        severity = self.severity.choice
        numbers: dict[str, int] = {}
        for one in self._issues:
            if severity in ("", one.severity):
                numbers[one.code] = numbers.get(one.code, 0) + 1
        self.code.clear()
        self.code.addItem("All reasons", "")
        for code, number in sorted(numbers.items(), key=lambda pair: words_of(pair[0])):
            self.code.addItem(f"{words_of(code)} ({number:,})", code)
            self.code.setItemData(self.code.count() - 1, code, Qt.ItemDataRole.ToolTipRole)
        self.code.setVisible(len(numbers) > 1)


class EarlierImports(QComboBox):
    """The imports that there were, newest first; gone while there is none."""

    wanted = Signal(int)
    """The number of the import whose report is to be shown."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Earlier imports")
        self.setMinimumContentsLength(34)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.activated.connect(lambda row: self.wanted.emit(int(self.itemData(row))))
        self.hide()

    def show_batches(self, batches: Sequence[BatchInfo]) -> None:
        """Offer other imports."""
        self.clear()
        for one in batches:
            self.addItem(title_of_batch(one), one.id)
            tip = plain_tooltip("\n".join(one.sources))
            self.setItemData(self.count() - 1, tip, Qt.ItemDataRole.ToolTipRole)
        self.setVisible(bool(batches))

    def mark(self, batch: int | None) -> None:
        """Show which import's report is seen; None for one that changed nothing."""
        self.setCurrentIndex(self.findData(batch) if batch is not None else -1)
