"""Taking papers from Zotero: where it was found, what to take, and what came of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QListWidget,
    QListWidgetItem,
    QStackedWidget,
    QWidget,
)

from litscape.importers.zotero_places import ZoteroPlace, places
from litscape.jobs.runners import State
from litscape.paper import LibraryChanges
from litscape_app.window.importing import summary
from litscape_app.window.libraries import own_library
from litscape_app.window.pages.import_page import running
from litscape_app.window.pages.import_page.sources import ImportSource
from litscape_app.window.pages.page_frame import PageFrame, Sentence, named, when
from litscape_app.window.pages.report_page import report_page
from litscape_app.window.pages.zotero_page.choice import LibraryChoice
from litscape_app.window.session import Offer
from litscape_app.window.widgets.basics import horizontal, label, push_button, vertical
from litscape_app.window.words import count

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent

    from litscape.jobs import JobContext
    from litscape.paper import ImportReport
    from litscape_app.actions.command import Desk
    from litscape_app.qtjobs import Entry
    from litscape_app.window.watching import Watching

PROMISE = (
    "Nothing is ever written to Zotero: its database is read from a copy, the running program is "
    "only asked. Importing again brings what changed there and keeps what you edited here."
)
_PLACE = Qt.ItemDataRole.UserRole
_ROWS = 4


class ZoteroPage(PageFrame):
    """Choose where from, tick what, import."""

    def __init__(self, desk: Desk, watching: Watching) -> None:
        super().__init__(desk, "Zotero")
        self.watching = watching
        self.named: list[Path] = []
        self.entry: Entry | None = None
        self.places = QListWidget()
        self.places.currentRowChanged.connect(lambda _row: self._show_place())
        self.choice = LibraryChoice()
        self.choice.itemChanged.connect(lambda _item, _column: self._show_button())
        self.about = Sentence()
        self.follow = QCheckBox("Follow: take in what changes there while this window is open")
        self.follow.clicked.connect(self._follow)
        watching.changed.connect(self._show_follow)
        self.locked = Sentence(tone="warn")
        self.go = push_button("Import", self.start, kind="primary", name="Import from Zotero")
        self.again = push_button("Look again", self.look, name="Look for Zotero again")
        self.other = push_button("Another database…", self._choose)
        self.progress = running.ImportProgress(self.session)
        self.stack = QStackedWidget()
        self.stack.addWidget(self._form())
        self.stack.addWidget(self.progress)
        self.body.addWidget(self.stack, 1)
        self._looking = self.session.slot(self)
        self._looking.partial.connect(self._found)
        self._looking.done.connect(lambda _nothing: self._looked())
        self._looking.failed.connect(self.tell)
        self.session.opened.connect(self._show_button)
        self._show_place()

    def _form(self) -> QWidget:
        form = QWidget()
        self.promise = label(PROMISE, "muted", wrap=True)
        self.take = QWidget()
        vertical(self.take, named(self.theme, "Libraries and collections to take", self.choice))
        column = vertical(form, self.promise, 4, spacing=8)
        column.addLayout(named(self.theme, "Found on this computer", self.places))
        column.addWidget(self.about)
        column.addWidget(self.take, 1)
        column.addWidget(self.follow)
        column.addWidget(self.locked)
        column.addLayout(horizontal(None, self.go, self.other, self.again, 0))
        column.addStretch(0)
        return form

    # -- where from ------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        """Look for Zotero."""
        super().showEvent(event)
        if self.entry is None:
            self.look()

    def look(self) -> None:
        """Look which Zotero there is, and what it has."""
        self.problem.hide()
        self._before, self._fresh = self.place, True
        self.again.setEnabled(False)
        self.about.say("Looking for Zotero …")
        library, more = self.session.library, tuple(self.named)

        def search(ctx: JobContext) -> None:
            for place in places(library.database if library is not None else None, more):
                ctx.check()
                ctx.partial(place)

        self.session.look(self._looking, "Look for Zotero", search)

    def take_file(self, path: Path) -> None:
        """Look into a database, or a folder with one, that the person named."""
        file = path / "zotero.sqlite" if path.is_dir() else path
        if file not in self.named:
            self.named.append(file)
        self.look()
        self._before = ZoteroPlace(str(file.absolute()), "")

    def _choose(self) -> None:
        name, _kind = QFileDialog.getOpenFileName(
            self, "Zotero's database", "", "Zotero databases (*.sqlite);;All files (*)"
        )
        if name:
            self.take_file(Path(name))

    @property
    def place(self) -> ZoteroPlace | None:
        """The Zotero that is chosen."""
        item = self.places.currentItem()
        found = item.data(_PLACE) if item is not None else None
        return found if isinstance(found, ZoteroPlace) else None

    def _found(self, place: ZoteroPlace) -> None:
        if self._fresh:
            self._fresh = False
            self.places.clear()
        item = QListWidgetItem(_line(place))
        item.setData(_PLACE, place)
        item.setIcon(self.theme.icon(*_mark(place)))
        self.places.addItem(item)

    def _looked(self) -> None:
        """Choose what was chosen before, else the first that can be read."""
        self.again.setEnabled(True)
        found = [self.places.item(n).data(_PLACE) for n in range(self.places.count())]
        before = self._before.source if self._before else None
        rows = [n for n, one in enumerate(found) if one.source == before]
        rows += [n for n, one in enumerate(found) if not one.problem]
        self.places.setCurrentRow(rows[0] if rows else 0)
        height = max(20, self.places.sizeHintForRow(0))
        self.places.setFixedHeight(min(max(1, len(found)), _ROWS) * height + 6)
        self._show_place()

    # -- showing ---------------------------------------------------------------------------------

    def _show_place(self) -> None:
        place = self.place
        self.choice.show_libraries(place.libraries if place else ())
        self.take.setVisible(place is not None and bool(place.libraries))
        if place is None:
            self.about.say("")
        elif place.problem:
            self.about.say(place.problem, "warn")
        else:
            read = (
                f"Imported last {when(place.last_read)}" if place.last_read else "Not imported yet"
            )
            self.about.say(f"{place.source} · {read}")
        self._show_button()

    def _show_button(self) -> None:
        place, library = self.place, self.session.library
        locked = library is not None and library.database.read_only
        self.locked.say(
            "This library is open for reading only; open another one to import." if locked else "",
            "warn",
        )
        self.go.setText("Update" if place is not None and place.last_read else "Import")
        ready = place is not None and not place.problem and self.choice.options() is not None
        self.go.setEnabled(ready and not locked)
        self.follow.setEnabled(library is not None and (ready or self._followed) and not locked)
        self._show_follow()

    # -- following -------------------------------------------------------------------------------

    @property
    def _followed(self) -> bool:
        place = self.place
        return place is not None and any(
            one.follow and one.location == place.source for one in self.watching.sources
        )

    def _show_follow(self) -> None:
        self.follow.setChecked(self._followed)

    def _follow(self, follow: bool) -> None:
        place, options = self.place, self.choice.options()
        if place is None:
            return
        if follow and options is not None:
            self.watching.add(place.source, options)
        elif self._followed:
            self.watching.set_follow(place.source, False)

    # -- the form or the import ------------------------------------------------------------------

    def _show(self) -> None:
        self.stack.setCurrentIndex(1 if self.entry is not None else 0)

    # -- importing -------------------------------------------------------------------------------

    def start(self) -> None:
        """Import what is ticked."""
        self.problem.hide()
        if self.session.library is not None:
            self._run()
            return
        self.session.open(own_library(), self._opened, self.tell)

    def _opened(self) -> None:
        self.desk.show_page("zotero", again=True)
        self._run()

    def _run(self) -> None:
        place, options = self.place, self.choice.options()
        if place is None or options is None:
            return
        self._looking.cancel()
        holder: list[Entry] = []

        def ended() -> None:
            if holder[0].state is State.CANCELLED:
                self._cancelled()

        self.entry = running.start(
            self.session,
            [ImportSource(place.source, label="from Zotero")],
            collection=None,
            all_or_nothing=False,
            done=self._done,
            failed=self._failed,
            ended=ended,
            options=options,
        )
        if self.entry is not None:
            holder.append(self.entry)
            self.progress.follow(self.entry, True)
            self._show()
            self.progress.cancel.setFocus()

    def _over(self) -> None:
        self.entry = None
        self.progress.forget()
        self._show()

    def _done(self, report: ImportReport) -> None:
        watched = self.isVisible()
        self._over()
        page = report_page(self.desk)

        def show() -> None:
            page.show_report(report)
            self.desk.show_page("report", again=True)

        if watched:
            show()
        else:
            self.session.say(summary(report), Offer("Report", show))

    def _failed(self, error: BaseException) -> None:
        self.session.announce(LibraryChanges(structure=True))
        self._over()
        self.tell(error, "Import from Zotero")
        if not self.isVisible():
            self.session.trouble(error, "Import from Zotero")

    def _cancelled(self) -> None:
        self.session.announce(LibraryChanges(structure=True))
        self._over()
        came = self.progress.came
        said = f"{count(came, 'paper')} had come in and stay" if came else "nothing came in"
        self.session.say(f"Cancelled: {said}.")


def _line(place: ZoteroPlace) -> str:
    if place.problem:
        return f"{place.title} · can't be read"
    items = sum(one.items for one in place.libraries)
    more = len(place.libraries) - 1
    groups = f", {count(more, 'group')}" if more > 0 else ""
    return f"{place.title} · {count(items, 'item')}{groups}"


def _mark(place: ZoteroPlace) -> tuple[str, str]:
    if place.problem:
        return "warning", "warn"
    return ("connect" if place.running else "database"), "muted"
