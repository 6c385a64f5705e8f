"""Taking papers from Zotero: where it was found, what to take, and what came of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QFileDialog, QListWidget, QListWidgetItem, QWidget

from litscape.importers.zotero_places import ZoteroPlace, places
from litscape_app.window.libraries import own_library
from litscape_app.window.pages.import_page.running import ImportProgress
from litscape_app.window.pages.import_page.sources import ImportSource
from litscape_app.window.pages.page_frame import PageFrame, Sentence, Switch, elide, named
from litscape_app.window.pages.zotero_page.choice import LibraryChoice
from litscape_app.window.watching import last_time
from litscape_app.window.widgets.basics import horizontal, label, push_button, vertical
from litscape_app.window.words import count, plain_tooltip

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent

    from litscape.importers.base import ReadOptions
    from litscape.jobs import JobContext
    from litscape_app.actions.command import Desk
    from litscape_app.window.watching import Watching

PROMISE = (
    "Nothing is ever written to Zotero: its database is read from a copy, the running program is "
    "only asked. Importing again brings what changed there and keeps what you edited here; what "
    "you no longer tick stays in this library."
)
GROUP_NAMES = "Keep groups apart: put the papers of a group into a collection with its name"
_PLACE = Qt.ItemDataRole.UserRole
_ROWS = 3
_STANDINGS = {
    "silent": "Zotero is not running",
    "off": "Zotero runs, but lets no other program read",
}


class ZoteroPage(PageFrame):
    """Choose where from, tick what, import."""

    def __init__(self, desk: Desk, watching: Watching) -> None:
        super().__init__(desk, "Zotero")
        self.watching = watching
        self.named: list[Path] = []
        self._before: ZoteroPlace | None = None
        self._fresh = False
        self.places = QListWidget()
        self.places.setProperty("role", "list")
        elide(self.places)
        self.choice = LibraryChoice()
        self.group_names = QCheckBox(GROUP_NAMES)
        self.about = Sentence()
        self.follow = QCheckBox("Follow: take in what changes there while this window is open")
        self.state = Sentence()
        self.locked = Sentence(tone="warn")
        self.go = push_button("Import", self.start, kind="primary", name="Import from Zotero")
        self.again = push_button("Look again", self.look, name="Look for Zotero again")
        self.other = push_button("Another database…", self._choose)
        self.progress = ImportProgress(self)
        self.parts = Switch(self._form(), self.progress)
        self.form = self.parts.part
        self.body.addWidget(self.parts, 1)
        self._looking = self.session.slot(self)
        self._connect()
        self._show_place()

    def _form(self) -> QWidget:
        form = QWidget()
        self.promise = label(PROMISE, "muted", wrap=True)
        self.take = QWidget()
        vertical(
            self.take,
            named(self.theme, "Libraries and collections to take", self.choice),
            self.group_names,
        )
        column = vertical(form, self.promise, 4, spacing=8)
        column.addLayout(named(self.theme, "Found on this computer", self.places))
        column.addWidget(self.about)
        # Without anything to choose all the room is left below.
        column.addWidget(self.take, 100)
        column.addWidget(self.follow)
        column.addWidget(self.state)
        column.addWidget(self.locked)
        column.addLayout(horizontal(None, self.go, self.other, self.again, 0))
        column.addStretch(1)
        return form

    def _connect(self) -> None:
        self.places.currentRowChanged.connect(lambda _row: self._show_place())
        self.choice.changed.connect(self._ticked)
        self.group_names.clicked.connect(lambda _on: self._ticked())
        self.follow.clicked.connect(self._follow)
        self.watching.changed.connect(self._show_follow)
        self.progress.ended.connect(lambda _report: self._show())
        self._looking.partial.connect(self._found)
        self._looking.done.connect(lambda _nothing: self._looked())
        self._looking.failed.connect(self._look_failed)
        self.session.opened.connect(self._library_changed)

    # -- where from ------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        """Look for Zotero."""
        super().showEvent(event)
        if self.progress.entry is None:
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
        item.setToolTip(plain_tooltip(place.problem or place.source))
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

    def _look_failed(self, error: BaseException) -> None:
        self.again.setEnabled(True)
        self.about.say("")
        self.tell(error, "Look for Zotero")

    # -- showing ---------------------------------------------------------------------------------

    def _show_place(self) -> None:
        place = self.place
        libraries = place.libraries if place else ()
        self.choice.show_libraries(libraries, place.options if place else None)
        self.take.setVisible(bool(libraries))
        self.group_names.setVisible(any(one.name != "user" for one in libraries))
        known = place.options if place else None
        self.group_names.setChecked(known is None or known.zotero_group_names)
        if place is None:
            self.about.say("")
        elif place.problem:
            self.about.say(place.problem, "muted" if place.standing == "silent" else "warn")
        else:
            self.about.say(last_time(place.last_read, place.counts) or "Not imported yet")
        self._show_button()

    def _show_button(self) -> None:
        place, library = self.place, self.session.library
        locked = library is not None and library.database.read_only
        self.locked.say(
            "This library is open for reading only; open another one to import." if locked else "",
            "warn",
        )
        self.go.setText("Update" if place is not None and place.last_read else "Import")
        ready = place is not None and not place.problem and self._options() is not None
        self.go.setEnabled(ready and not locked)
        self.follow.setEnabled(library is not None and (ready or self._followed) and not locked)
        self._show_follow()

    def _library_changed(self) -> None:
        """Another library remembers other ticks and times."""
        self._show_button()
        if self.isVisible() and self.progress.entry is None:
            self.look()

    def _show(self) -> None:
        running = self.progress.entry is not None
        self.parts.show_part(self.progress if running else self.form)

    # -- what is taken ---------------------------------------------------------------------------

    def _options(self) -> ReadOptions | None:
        place = self.place
        groups = place is not None and any(one.name != "user" for one in place.libraries)
        return self.choice.options(group_names=groups and self.group_names.isChecked())

    def _ticked(self) -> None:
        """Keep the ticks for the next time, also where the source is only followed."""
        place, options = self.place, self._options()
        if place is not None and options is not None:
            self.watching.choose(place.source, options)
        self._show_button()

    # -- following -------------------------------------------------------------------------------

    @property
    def _followed(self) -> bool:
        place = self.place
        return place is not None and any(
            one.follow and one.location == place.source for one in self.watching.sources
        )

    def _show_follow(self) -> None:
        place = self.place
        self.follow.setChecked(self._followed)
        problem = self.watching.problem(place.source) if place and self._followed else ""
        self.state.say(problem if place and problem != place.problem else "", "warn")

    def _follow(self, follow: bool) -> None:
        place, options = self.place, self._options()
        if place is None:
            return
        if follow and options is not None:
            self.watching.add(place.source, options)
        elif self._followed:
            self.watching.set_follow(place.source, False)

    # -- importing -------------------------------------------------------------------------------

    def start(self) -> None:
        """Import what is ticked."""
        self.problem.hide()
        if self.session.library is not None:
            self._run()
            return
        # The library that is opened knows nothing of what is ticked here.
        place, options = self.place, self._options()
        self.session.open(own_library(), lambda: self._opened(place, options), self.tell)

    def _opened(self, place: ZoteroPlace | None, options: ReadOptions | None) -> None:
        self.desk.show_page("zotero", again=True)
        self._run(place, options)

    def _run(self, place: ZoteroPlace | None = None, options: ReadOptions | None = None) -> None:
        place, options = place or self.place, options or self._options()
        if place is None or options is None:
            return
        self._looking.cancel()
        self.again.setEnabled(True)
        self.progress.run([ImportSource(place.source, label="from Zotero")], options=options)
        self._show()
        self.progress.cancel.setFocus()


def _line(place: ZoteroPlace) -> str:
    where = place.source.removeprefix("zotero:")
    if place.problem:
        said = _STANDINGS.get(place.standing, f"{place.title} · can't be read")
        return f"{said}\n{where}"
    items = sum(one.items for one in place.libraries)
    more = len(place.libraries) - 1
    groups = f", {count(more, 'group')}" if more > 0 else ""
    return f"{place.title} · {count(items, 'item')}{groups}\n{where}"


def _mark(place: ZoteroPlace) -> tuple[str, str]:
    if place.standing in ("off", "broken"):
        return "warning", "warn"
    return ("connect" if place.running else "database"), "muted"
