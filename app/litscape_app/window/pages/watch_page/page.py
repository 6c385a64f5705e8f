"""Watched files: which there are, whether they are followed, and what is wrong with them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QListWidget, QListWidgetItem, QWidget

from litscape_app.window.importing import FILTER
from litscape_app.window.pages.page_frame import PageFrame, Sentence, elide, named, when
from litscape_app.window.watching import last_time, name_of
from litscape_app.window.widgets.basics import label, push_button
from litscape_app.window.widgets.flow import flowing
from litscape_app.window.words import plain_tooltip

if TYPE_CHECKING:
    from litscape.importers.watch import Watched
    from litscape_app.actions.command import Desk
    from litscape_app.window.watching import Watching

PROMISE = (
    "A watched file, such as one that Better BibTeX keeps up to date, is taken in again whenever "
    "it changes while this window is open. Nothing is written to it, no paper is removed, and "
    "what you edited here stays."
)
_PLACE = Qt.ItemDataRole.UserRole


class WatchPage(PageFrame):
    """The watch list of the open library."""

    def __init__(self, desk: Desk, watching: Watching) -> None:
        super().__init__(desk, "Watched files")
        self.watching = watching
        self.list = QListWidget()
        self.list.setProperty("role", "list")
        elide(self.list)
        self.list.setTabKeyNavigation(False)
        self.about = Sentence()
        self.add = push_button("Watch files…", self._choose, kind="primary")
        self.now = push_button("Update now", self._take)
        self.remove = push_button("Stop watching", self._remove)
        self.body.addWidget(label(PROMISE, "muted", wrap=True))
        self.watched = QWidget()
        self.watched.setLayout(named(self.theme, "Followed while ticked", self.list))
        self.body.addWidget(self.watched, 1)
        self.body.addWidget(self.about)
        self.body.addWidget(flowing(self.add, self.now, self.remove))
        self.body.addStretch()
        self.list.itemChanged.connect(self._ticked)
        self.list.currentRowChanged.connect(lambda _row: self._show_current())
        watching.changed.connect(self.fill)
        self.fill()

    @property
    def chosen(self) -> Watched | None:
        """The source that the buttons are about."""
        row = self.list.currentRow()
        sources = self.watching.sources
        return sources[row] if 0 <= row < len(sources) else None

    def fill(self) -> None:
        """Show the list as it is now."""
        row, scrolled = max(0, self.list.currentRow()), self.list.verticalScrollBar().value()
        names = Counter(name_of(one.location) for one in self.watching.sources)
        self.list.blockSignals(True)
        self.list.clear()
        for one in self.watching.sources:
            self.list.addItem(self._item(one, alone=names[name_of(one.location)] == 1))
        self.list.setCurrentRow(min(row, self.list.count() - 1))
        self.list.verticalScrollBar().setValue(scrolled)
        self.list.blockSignals(False)
        for part in (self.watched, self.now, self.remove):
            part.setVisible(bool(self.watching.sources))
        self._show_current()

    def _item(self, one: Watched, *, alone: bool) -> QListWidgetItem:
        name = name_of(one.location)
        if not alone and "/" not in name:
            name = f"{name} in {Path(one.location).parent.name or Path(one.location).parent}"
        item = QListWidgetItem(f"{name} · {self._state(one)}")
        item.setData(_PLACE, one.location)
        item.setToolTip(plain_tooltip(one.location))
        item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
        item.setCheckState(Qt.CheckState.Checked if one.follow else Qt.CheckState.Unchecked)
        bad = self.watching.problem(one.location)
        item.setIcon(self.theme.icon(*(("warning", "warn") if bad else ("file", "muted"))))
        return item

    def _state(self, one: Watched) -> str:
        if self.watching.is_running(one.location):
            return "being read"
        if not one.follow:
            return "left alone"
        if self.watching.problem(one.location):
            return "can't be read now"
        return f"read {when(one.last_read)}" if one.last_read else "not read yet"

    def _show_current(self) -> None:
        one, library = self.chosen, self.session.library
        locked = library is not None and library.database.read_only
        problem = self.watching.problem(one.location) if one else ""
        if locked:
            self.about.say("This library is open for reading only; nothing is followed.", "warn")
        elif one is None:
            self.about.say("No file is watched yet.")
        else:
            self.about.say(
                "\n".join(part for part in (_place(one), problem or _past(one)) if part),
                "warn" if problem else "muted",
            )
        self.add.setEnabled(library is not None and not locked)
        self.remove.setEnabled(one is not None and not locked)
        running = one is not None and self.watching.is_running(one.location)
        self.now.setEnabled(one is not None and not locked and not running)

    def _choose(self) -> None:
        names, _kind = QFileDialog.getOpenFileNames(self, "Watch files", "", FILTER)
        for name in names:
            self.watching.add(Path(name))

    def _take(self) -> None:
        if self.chosen is not None:
            self.watching.take(self.chosen, by_hand=True)

    def _remove(self) -> None:
        if self.chosen is not None:
            self.watching.remove(self.chosen.location)

    def _ticked(self, item: QListWidgetItem) -> None:
        follow = item.checkState() == Qt.CheckState.Checked
        self.watching.set_follow(str(item.data(_PLACE)), follow)


def _place(one: Watched) -> str:
    return one.location.removeprefix("zotero:")


def _past(one: Watched) -> str:
    return last_time(one.last_read, one.counts) or "Not read yet"
