"""How far two labels are mixed: measured beside the window, with the papers between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QWidget

from litscape.apart import run_apart
from litscape.apart.tasks import overlap_labels
from litscape_app.window.pages.page_frame import Sentence, list_table
from litscape_app.window.pages.separation_page.columns import Columns
from litscape_app.window.pages.separation_page.rows import RowsModel, between_rows
from litscape_app.window.widgets.basics import horizontal, push_button, vertical
from litscape_app.window.widgets.flow import flowing

if TYPE_CHECKING:
    from litscape.separation.records import Overlap, SeparationReport
    from litscape_app.window.session import Session

_HEADS = (
    ("Paper between", "Its neighbours are of both labels"),
    ("Carries", "Of the two labels, those that it has"),
    ("Neighbours", "Of its neighbours, those of the second label"),
)
_ROWS = 6


class OverlapBox(QWidget):
    """Two labels and what lies between them."""

    opened = Signal(str, object)
    """A title and papers to list."""
    followed = Signal(int)
    """A paper to go to."""
    failed = Signal(object)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._report: SeparationReport | None = None
        self.overlap: Overlap | None = None
        self.first, self.second = QComboBox(), QComboBox()
        self.first.setAccessibleName("First label")
        self.second.setAccessibleName("Second label")
        for box in (self.first, self.second):
            box.setMinimumContentsLength(18)
            box.setSizeAdjustPolicy(
                QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
            )
        self.go = push_button("Compare", self.start)
        self.said = Sentence("", "")
        self.detail = Sentence()
        self.both = push_button("", lambda: self._open("both"))
        self.all_between = push_button("", lambda: self._open("between"))
        self.model = RowsModel(session.theme, _HEADS, (2,), self)
        self.table = list_table(self.model, "Papers between the two", ())
        self._columns = Columns(self.table, (0, 200, 150), (0, 120, 120))
        self.table.activated.connect(lambda index: self._follow(index.row()))
        self._slot = session.slot(self)
        self._slot.done.connect(self.show_overlap)
        self._slot.failed.connect(self._fail)
        vertical(
            self, flowing(self.first, self.second, self.go, gap=8), self.said,
            self.detail, horizontal(None, self.both, self.all_between, 0), self.table, spacing=8,
        )  # fmt: skip
        self._blank()

    def follow(self, report: SeparationReport | None) -> None:
        """Offer the labels of another report; the first is set beside the one it is mixed with."""
        self._report = report
        self._blank()
        if report is None or not report.models:
            return
        labels = report.models[0].labels
        for box in (self.first, self.second):
            box.clear()
            box.addItems([one.label for one in labels])
        mixed = max(labels, key=lambda one: one.next_share - one.agreement.mean)
        self.first.setCurrentText(mixed.label)
        other = mixed.next_label or next(one.label for one in labels if one is not mixed)
        self.second.setCurrentText(other)

    def start(self) -> None:
        """Measure the two."""
        report = self._report
        if report is None:
            return
        kind, version = report.labels, report.models[0].version
        first, second = self.first.currentText(), self.second.currentText()
        self._blank()
        self.go.setEnabled(False)
        self.detail.say("Comparing …")
        self._session.read(
            self._slot,
            "Compare two labels",
            lambda library, ctx: run_apart(
                library, overlap_labels, ctx, kind, first, second, version
            ),
        )

    def show_overlap(self, found: Overlap) -> None:
        """Show what came out."""
        self._blank()
        self.overlap = found
        self.said.say(found.sentence, "")
        apart = found.told_apart
        self.detail.say(
            f"{100 * apart.mean:.0f} % of the papers ({100 * apart.low:.0f} to "
            f"{100 * apart.high:.0f}) are nearer to the centre of their own label than to the "
            f"other's; 50 % would be mixed. Each label counts half, whatever its size."
        )
        self.both.setText(f"{len(found.both):,} with both")
        self.both.setVisible(bool(found.both))
        self.all_between.setText(f"List the {len(found.between):,} between")
        self.all_between.setVisible(bool(found.between))
        self.model.show(between_rows(found))
        self.table.setVisible(bool(found.between))
        self._columns.fit(_ROWS)

    def _blank(self) -> None:
        self.overlap = None
        self.go.setEnabled(True)
        self.said.say("")
        self.detail.say("")
        for part in (self.both, self.all_between, self.table):
            part.hide()

    def _fail(self, error: BaseException) -> None:
        self._blank()
        self.failed.emit(error)

    def _open(self, which: str) -> None:
        found = self.overlap
        if found is None:
            return
        if which == "both":
            self.opened.emit(f"{found.first} and {found.second}", found.both)
        else:
            papers = tuple(one.paper for one in found.between)
            self.opened.emit(f"Between {found.first} and {found.second}", papers)

    def _follow(self, row: int) -> None:
        if self.overlap is not None and 0 <= row < len(self.overlap.between):
            self.followed.emit(self.overlap.between[row].paper)
