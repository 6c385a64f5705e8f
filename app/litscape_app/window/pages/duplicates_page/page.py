"""The page of duplicates: groups at the left, their papers beside each other at the right."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QProgressBar, QSplitter, QWidget

from litscape.apart import run_apart
from litscape.apart.tasks import merge_duplicates
from litscape_app.window.pages.duplicates_page.compared import Compared
from litscape_app.window.pages.duplicates_page.finding import Listed, by_hand, find, kept_apart
from litscape_app.window.pages.duplicates_page.groups import GroupModel
from litscape_app.window.pages.duplicates_page.list import GroupList, is_letter
from litscape_app.window.pages.page_frame import PageFrame, Sentence, Switch
from litscape_app.window.widgets.basics import horizontal, push_button, vertical
from litscape_app.window.widgets.segments import Segments
from litscape_app.window.words import count

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QKeyEvent, QShowEvent

    from litscape.jobs import JobContext, Progress
    from litscape.library import Library
    from litscape.paper import LibraryChanges, PaperId
    from litscape_app.actions.command import Desk

_VIEWS = (
    ("open", "To look at", "Papers that may be one work"),
    ("apart", "Kept apart", "Pairs that were said to be no duplicates"),
)
_NONE = {
    "open": "No duplicates were found.",
    "apart": "No papers are kept apart.",
}
_PAUSE_MS = 400


class DuplicatesPage(PageFrame):
    """Finds groups when it is first shown and whenever the library changed since."""

    def __init__(self, desk: Desk) -> None:
        self.view = Segments(_VIEWS, "Which groups")
        super().__init__(desk, "Duplicates", self.view)
        self.model = GroupModel(self)
        self.list = GroupList(self.theme, self.model)
        self.compared = Compared(self.session)
        self.summary = Sentence()
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName("How far the search is")
        self.cancel = push_button("Cancel", self.stop)
        self.again = push_button("Find again", self.find_again)
        self.merge_ticked = push_button("Merge ticked", self._merge_ticked)
        self.merge_certain = push_button("Merge all certain", self._merge_certain)
        self._stale = True
        self._own: set[int | None] = set()
        self._chosen: Listed | None = None
        self._build()
        self._finding = self.session.slot(self)
        self._naming = self.session.slot(self)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(self._look)
        self._connect()
        self._show_state()

    def _build(self) -> None:
        left = QWidget()
        column = vertical(left, spacing=8)
        column.addWidget(self.list, 1)
        column.addWidget(self.merge_ticked)
        column.addWidget(self.merge_certain)
        self.split = QSplitter(Qt.Orientation.Horizontal)
        self.split.setChildrenCollapsible(False)
        right = QWidget()
        vertical(right, margins=(16, 0, 0, 0)).addWidget(self.compared, 1)
        for part, stretch in ((left, 2), (right, 5)):
            self.split.addWidget(part)
            self.split.setStretchFactor(self.split.count() - 1, stretch)
        self.split.setSizes([240, 560])
        self._none = QWidget()
        self.parts = Switch(self._none, self.split)
        line = horizontal(None, self.summary, self.cancel, self.again)
        line.setStretch(0, 1)
        self.body.addLayout(line)
        self.body.addWidget(self.bar)
        self.body.addWidget(self.parts, 1)
        self.setFocusProxy(self.list)

    def _connect(self) -> None:
        self._finding.progress.connect(self._progressed)
        self._finding.done.connect(self._found)
        self._finding.failed.connect(self.tell)
        self._finding.busy.connect(lambda _busy: self._show_state())
        self._naming.done.connect(self._add_by_hand)
        self._naming.failed.connect(self.tell)
        self.view.chosen.connect(lambda _key: self.find_again())
        self.list.current_changed.connect(self._show_current)
        self.model.ticked.connect(self._show_state)
        self.compared.merge_wanted.connect(self._merge)
        self.compared.refuse_wanted.connect(self._refuse)
        self.compared.take_back_wanted.connect(self._take_back)
        self.compared.skip_wanted.connect(self.skip)
        self.compared.failed.connect(self.tell)
        self.session.opened.connect(self._opened)
        self.session.changed.connect(self._changed)
        self.session.refreshed.connect(self._outdated)
        self._keys: dict[int, Callable[[], object]] = {
            Qt.Key.Key_M: self.compared.ask_merge,
            Qt.Key.Key_N: self.compared.ask_refuse,
            Qt.Key.Key_S: self.skip,
            Qt.Key.Key_X: self.compared.drop_current,
            Qt.Key.Key_J: partial(self.list.step, 1),
            Qt.Key.Key_K: partial(self.list.step, -1),
        }

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Letters decide and move."""
        act = self._keys.get(event.key()) if is_letter(event) else None
        if act is not None:
            act()
        else:
            super().keyPressEvent(event)

    @property
    def _open(self) -> bool:
        """Whether groups to look at are shown, and not those that are kept apart."""
        return self.view.choice == "open"

    # -- finding ---------------------------------------------------------------------------------

    def find_again(self) -> None:
        """Find the groups anew; those that are shown stay until then."""
        self._pause.stop()
        self.problem.hide()
        self._stale = False
        self.bar.setRange(0, 0)
        self.summary.say("Looking for papers that are there twice …")
        fetch = find if self._open else kept_apart
        self.session.read(self._finding, "Find duplicates", fetch)
        self._show_state()

    def stop(self) -> None:
        """Find no further."""
        self._finding.cancel()
        self._stale = True
        self._show_state()

    def _progressed(self, progress: Progress) -> None:
        self.bar.setRange(0, progress.total or 0)
        self.bar.setValue(progress.done)
        self.summary.say(f"{progress.text} …")

    def _found(self, groups: list[Listed]) -> None:
        row = self.list.row
        if self._chosen is not None and self._open and self._chosen not in groups:
            groups = [self._chosen, *groups]
        self.model.show(groups, tickable=self._open)
        self.list.show_row(row)
        self._show_state()
        self._show_current()

    def _outdated(self) -> None:
        self._stale = True
        self._pause.start()

    def _look(self) -> None:
        if self._stale and self.isVisible() and self.session.library is not None:
            self.find_again()

    def showEvent(self, event: QShowEvent) -> None:
        """Find, unless what was found holds."""
        super().showEvent(event)
        self._look()

    def _opened(self) -> None:
        self._finding.cancel()
        self._naming.cancel()
        self._chosen = None
        self.problem.hide()
        self.model.show([])
        self.compared.clear()
        self._outdated()
        self._show_state()

    def _changed(self, changes: LibraryChanges) -> None:
        if changes.change_id in self._own:
            self._own.discard(changes.change_id)  # undo and redo of it come under the same number
        else:
            self._chosen = None
            self._outdated()

    # -- showing ---------------------------------------------------------------------------------

    def show_papers(self, ids: Sequence[PaperId]) -> None:
        """Show these papers beside each other as a group of their own."""
        self.view.choose("open")
        wanted = tuple(dict.fromkeys(ids))
        self.session.read(
            self._naming, "Compare papers", lambda library, ctx: by_hand(library, wanted, ctx)
        )

    def _add_by_hand(self, group: Listed) -> None:
        same = next((one for one in self.model.groups if set(one.ids) == set(group.ids)), None)
        if same is None:
            self._chosen = same = group
            self.model.show([group, *self.model.groups])
        self.list.show_row(self.model.groups.index(same))
        self._show_state()
        self._show_current()

    def _show_state(self) -> None:
        library, number = self.session.library, len(self.model.groups)
        finding = self._finding.running
        self.bar.setVisible(finding)
        self.cancel.setVisible(finding)
        self.again.setVisible(not finding)
        self.again.setEnabled(library is not None)
        locked = library is None or library.database.read_only
        ticks = len(self.model.ticks)
        certain = sum(one.certain for one in self.model.groups)
        for button, text, some in (
            (self.merge_ticked, "Merge ticked", ticks),
            (self.merge_certain, "Merge all certain", certain),
        ):
            button.setVisible(self._open)
            button.setText(f"{text} ({some:,})" if some else text)
            button.setEnabled(bool(some) and not locked)
        self.parts.show_part(self.split if number else self._none)
        if not finding:
            self.summary.say(self._told(number, certain))

    def _told(self, number: int, certain: int) -> str:
        if not number:
            return self._nothing()
        if not self._open:
            return f"{count(number, 'pair')} kept apart"
        sure = f", {certain:,} of them certain" if certain else ""
        stopped = "; the search was stopped" if self._stale else ""
        return f"{count(number, 'group')} of papers that may be one work{sure}{stopped}"

    def _nothing(self) -> str:
        if self.session.library is None:
            return "Open a library first."
        return "The search was stopped." if self._stale else _NONE[self.view.choice]

    def _show_current(self) -> None:
        group = self.list.group
        if group is None:
            self.compared.clear()
        elif group != self.compared.group:
            self.compared.show_group(group, apart=not self._open)

    def skip(self) -> None:
        """Go on to the next group; this one stays in the list."""
        self.list.step(1)

    # -- deciding --------------------------------------------------------------------------------

    def _merge(self, ids: tuple[int, ...], keep: int, fields: dict[str, int]) -> None:
        self._write(
            "Merge papers",
            lambda library: library.duplicates.merge(ids, keep, fields),
            f"Merged {count(len(ids), 'paper')}",
            ids,
        )

    def _refuse(self, ids: tuple[int, ...]) -> None:
        said = f"{count(len(ids), 'paper')} are kept apart from now on"
        self._write("Keep apart", lambda library: library.duplicates.refuse(ids), said, ids)

    def _take_back(self, ids: tuple[int, ...]) -> None:
        said = "They may be duplicates again"
        self._write("Reconsider", lambda library: library.duplicates.reconsider(ids), said, ids)

    def _write(
        self,
        title: str,
        act: Callable[[Library], LibraryChanges],
        said: str,
        ids: tuple[int, ...],
    ) -> None:
        group = self.compared.group

        def make(library: Library) -> LibraryChanges:
            try:
                changes = act(library)
            except BaseException:
                self.session.dispatcher.post(self.compared.ready_again)
                raise
            self._own.add(changes.change_id)
            return changes

        def done(_changes: LibraryChanges) -> None:
            if group is not None:
                self._settle([group], ids)

        self.session.write(title, make, said, done)

    def _settle(self, groups: Sequence[Listed], ids: Sequence[PaperId]) -> None:
        """Take groups that were decided on off the list, and go on to the next one."""
        row = self.list.row
        self.model.remove({group.ids for group in groups})
        self.list.show_row(row if len(groups) == 1 else 0)
        if self._chosen in groups:
            self._chosen = None
        gone = set(ids)
        if any(not gone.isdisjoint(one.ids) for one in self.model.groups):
            self._outdated()  # other groups have these papers as well
        elif any(set(group.ids) - gone for group in groups):
            self._outdated()  # some papers of the group were left out
        self._show_state()
        self._show_current()
        self.list.setFocus()

    def _merge_ticked(self) -> None:
        self._merge_many(self.model.ticks)

    def _merge_certain(self) -> None:
        self._merge_many([one for one in self.model.groups if one.certain])

    def _merge_many(self, groups: list[Listed]) -> None:
        if not groups:
            return
        sets = [one.ids for one in groups]
        what = count(len(groups), "group")

        def work(library: Library, ctx: JobContext) -> LibraryChanges:
            changes = run_apart(library, merge_duplicates, ctx, sets)
            self._own.add(changes.change_id)
            return changes

        def done(changes: LibraryChanges) -> str:
            said = f"Merged {what}"
            self.session.announce(changes, said)
            self._settle(groups, [paper for ids in sets for paper in ids])
            return said

        self.merge_ticked.setEnabled(False)
        self.merge_certain.setEnabled(False)
        self.session.work(
            f"Merge {what} of duplicates",
            work,
            done=done,
            failed=lambda error: self.tell(error, "Merge duplicates"),
            ended=self._show_state,
        )
