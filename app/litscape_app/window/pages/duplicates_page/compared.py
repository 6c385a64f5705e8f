"""The right side: one group's papers beside each other, and what is to become of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from litscape_app.window.pages.duplicates_page.fields import KEEP, FieldModel
from litscape_app.window.pages.duplicates_page.table import FieldTable
from litscape_app.window.pages.page_frame import Sentence
from litscape_app.window.widgets.basics import push_button, vertical
from litscape_app.window.widgets.flow import FlowLayout
from litscape_app.window.words import count

if TYPE_CHECKING:
    from litscape.duplicates import Comparison
    from litscape.paper import PaperId
    from litscape_app.window.pages.duplicates_page.finding import Listed
    from litscape_app.window.session import Session

_UNION = (
    "Choose the value to keep where they differ. Tags, collections, keywords, notes, files, "
    "references and citations of all are kept."
)


class Compared(QWidget):
    """Shows a group; tells what the person decides."""

    merge_wanted = Signal(object, object, object)
    """Ids, the one that stays, and the chosen papers by field."""
    refuse_wanted = Signal(object)
    take_back_wanted = Signal(object)
    skip_wanted = Signal()
    failed = Signal(object)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.group: Listed | None = None
        self._taken: tuple[PaperId, ...] = ()
        self._keep: PaperId | None = None
        self._wanted: dict[str, PaperId] = {}
        self._apart = False
        self.model = FieldModel(self)
        self.table = FieldTable(session.theme, self.model)
        self.why = Sentence(tone="text")
        self.hint = Sentence(_UNION)
        self.merge = push_button("Merge", self.ask_merge, kind="primary")
        self.refuse = push_button("Not duplicates", self.ask_refuse)
        self.skip = push_button("Skip", self.skip_wanted.emit)
        self.leave_out = push_button("Leave this paper out", self.drop_current)
        self.all_again = push_button("Take all papers", self._take_all)
        self.take_back = push_button("No longer keep apart", self._ask_take_back)
        self._dress()
        buttons = QWidget()
        flow = FlowLayout(buttons, gap=8)
        for button in (
            self.merge, self.refuse, self.skip, self.leave_out, self.all_again, self.take_back,
        ):  # fmt: skip
            flow.addWidget(button)
        column = vertical(self, self.why, spacing=8)
        column.addWidget(self.table, 1)
        column.addWidget(self.hint)
        column.addWidget(buttons)
        self._slot = session.slot(self)
        self._slot.done.connect(self._show)
        self._slot.failed.connect(self.failed.emit)
        self.table.chosen.connect(self._choose)
        self.table.selectionModel().currentChanged.connect(lambda *_cells: self._show_buttons())
        self.clear()

    def _dress(self) -> None:
        for button, keys, tip in (
            (self.merge, "M", "Make one paper of these"),
            (self.refuse, "N", "Remember that these are different works"),
            (self.skip, "S", "Decide later"),
            (self.leave_out, "X", "Compare the others without the paper of the chosen column"),
        ):
            button.setToolTip(f"{tip} ({keys})")

    # -- what is shown ---------------------------------------------------------------------------

    def clear(self) -> None:
        """Show nothing."""
        self._slot.cancel()
        self.group, self._taken = None, ()
        self.model.show(None)
        self.setVisible(False)

    def show_group(self, group: Listed, *, apart: bool = False) -> None:
        """Show a group; ``apart`` says that it is a pair that is kept apart."""
        self.group, self._apart = group, apart
        self._taken, self._keep, self._wanted = group.ids, None, {}
        self.why.say(group.about, "text")
        self._show_buttons()
        self.setVisible(True)
        self._read()

    def _read(self) -> None:
        ids, keep, wanted = self._taken, self._keep, dict(self._wanted)
        self._enable(False)
        self.session.read(
            self._slot,
            "Compare papers",
            lambda library, _ctx: library.duplicates.compare(ids, keep, wanted),
        )

    def _show(self, found: Comparison) -> None:
        place = self.table.currentIndex()
        row, column = max(0, place.row()), max(0, place.column())
        offset = self.table.verticalScrollBar().value()
        self.model.show(found, choosable=not self._apart)
        column = min(column, self.model.columnCount() - 1)
        self.table.setCurrentIndex(self.model.index(min(row, self.model.rowCount() - 1), column))
        self.table.verticalScrollBar().setValue(offset)
        self._enable(True)
        self._show_buttons()

    def _enable(self, ready: bool) -> None:
        library = self.session.library
        ready = ready and library is not None and not library.database.read_only
        for button in (self.merge, self.refuse, self.take_back):
            button.setEnabled(ready)

    def _show_buttons(self) -> None:
        apart, group = self._apart, self.group
        some = group is not None and len(group.ids) > 2
        self.hint.setVisible(not apart)
        self.merge.setVisible(not apart)
        self.merge.setText(f"Merge {count(len(self._taken), 'paper')}")
        self.refuse.setVisible(not apart)
        self.skip.setVisible(not apart)
        self.take_back.setVisible(apart)
        self.leave_out.setVisible(some and not apart)
        self.leave_out.setEnabled(len(self._taken) > 2)
        self.all_again.setVisible(group is not None and self._taken != group.ids)

    # -- choosing --------------------------------------------------------------------------------

    def _choose(self, name: str, paper: int) -> None:
        if name == KEEP:
            self._keep = paper
        else:
            self._wanted[name] = paper
        self._read()

    def drop_current(self) -> None:
        """Go on without the paper of the chosen column."""
        found, column = self.model.found, self.table.currentIndex().column()
        if found is None or self._apart or len(self._taken) <= 2 or column < 0:
            return
        gone = found.papers[column].id
        self._taken = tuple(paper for paper in self._taken if paper != gone)
        self._keep = None if self._keep == gone else self._keep
        self._wanted = {name: paper for name, paper in self._wanted.items() if paper != gone}
        self._read()

    def _take_all(self) -> None:
        if self.group is not None:
            self._taken = self.group.ids
            self._read()

    # -- deciding --------------------------------------------------------------------------------

    def ask_merge(self) -> None:
        """Merge what is shown, as it is chosen."""
        found = self.model.found
        if found is not None and self.merge.isEnabled() and self.merge.isVisible():
            self._enable(False)
            self.merge_wanted.emit(self._taken, found.kept, dict(self._wanted))

    def ask_refuse(self) -> None:
        """Keep apart what is shown."""
        if self.model.found is not None and self.refuse.isEnabled() and self.refuse.isVisible():
            self._enable(False)
            self.refuse_wanted.emit(self._taken)

    def _ask_take_back(self) -> None:
        self._enable(False)
        self.take_back_wanted.emit(self._taken)

    def ready_again(self) -> None:
        """What was decided could not be done: let the person decide anew."""
        self._enable(self.model.found is not None)
