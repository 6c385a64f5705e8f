"""The main window: puts the columns, the search line and the foot together."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import (
    QLineEdit,
    QMainWindow,
    QPlainTextEdit,
    QSplitter,
    QStackedWidget,
    QTextEdit,
    QWidget,
)

from litscape_app.window.ahead import Ahead
from litscape_app.window.ask import confirm
from litscape_app.window.broken_off import BrokenOff
from litscape_app.window.details.panel import DetailsPanel
from litscape_app.window.fulltext import TextKeeper
from litscape_app.window.importing import choose_and_import, import_into, importing
from litscape_app.window.jobs_panel import JobsPanel
from litscape_app.window.libraries import open_example_in
from litscape_app.window.memory import Memory
from litscape_app.window.menus import Menus
from litscape_app.window.pages.catalog import PAGES
from litscape_app.window.pages.feed_page import find_new
from litscape_app.window.pages.first_run import FirstRunPage, take_copies
from litscape_app.window.pages.libraries_page import open_library
from litscape_app.window.pages.log_page import report_offer
from litscape_app.window.scope import ALL, Scope
from litscape_app.window.search_bar import SearchBar
from litscape_app.window.similar.panel import SimilarPanel
from litscape_app.window.similarity import Phase, Similarity
from litscape_app.window.status_line import StatusLine
from litscape_app.window.switching import Switching
from litscape_app.window.table.panel import TablePanel
from litscape_app.window.train_on import train_on_collections
from litscape_app.window.training_watch import TrainingWatch
from litscape_app.window.tree.panel import TreePanel
from litscape_app.window.views import ViewSwitch
from litscape_app.window.watching import Watching
from litscape_app.window.widgets.basics import vertical
from litscape_app.window.widgets.notice import Notice
from litscape_app.window.widgets.toast import Toast

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDragMoveEvent, QShowEvent

    from litscape.paper import PaperId
    from litscape_app.window.fulltext import TextStanding
    from litscape_app.window.session import Session
    from litscape_app.window.troubles import Trouble

_FIRST_SIZE = (1280, 800)
_COLUMNS, _RIGHT = [204, 716, 360], [330, 360]
_TUNING, _LEAST_DETAILS = 530, 120
"""Height of the similar papers with their options, and what is left for the details at least."""
_LEAST = (880, 560)
_WORK = (QEvent.Type.KeyPress, QEvent.Type.MouseButtonPress, QEvent.Type.Wheel)
_DROPS = (QEvent.Type.DragEnter, QEvent.Type.DragMove, QEvent.Type.Drop)
_TEXT = (QLineEdit, QPlainTextEdit, QTextEdit)
_LEAST_MIDDLE = (448, 160)


class MainWindow(QMainWindow):
    """Puts the panels together and lets the choice of one show in the others."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.setAcceptDrops(True)
        self.setMinimumSize(*_LEAST)
        with session.theme.dressed_at_once():
            self._make()
        self._memory = Memory()
        self._sure = False
        self._untuned: list[int] = []
        if not self._memory.restore_layout(self):
            self.resize(*_FIRST_SIZE)
        self._connect()
        self._show_state()

    def _make(self) -> None:
        session, theme = self.session, self.session.theme
        self.similarity = Similarity(session)
        self.switching = Switching(session, self.similarity)
        self.watching = Watching(session)
        self.keeper = TextKeeper(session)
        self.search = SearchBar(session)
        self.tree = TreePanel(session)
        self.table = TablePanel(session)
        self.details = DetailsPanel(session)
        self.similar = SimilarPanel(session, self.similarity)
        self.jobs = JobsPanel(theme, session.jobs)
        self.foot = StatusLine(theme, self.similarity, self.keeper)
        self.notice = Notice(theme)
        self.toast = Toast(theme)
        self.first_run = FirstRunPage(theme)
        self._pages: dict[str, QWidget] = {"papers": self.table, "welcome": self.first_run}
        self._build()
        self.menus = Menus(self)
        BrokenOff(self, self)
        self.training = TrainingWatch(self, self)
        Ahead(session)

    def _build(self) -> None:
        self.middle = QStackedWidget()
        for page in self._pages.values():
            self.middle.addWidget(page)
        self.views = ViewSwitch(
            self.middle, self._pages, lambda name: self.show_page(name, again=True)
        )
        centre = QWidget()
        vertical(centre, self.views, self.notice, self.middle, spacing=0)
        self.right = QSplitter(Qt.Orientation.Vertical)
        self.columns = QSplitter(Qt.Orientation.Horizontal)
        for part in (self.details, self.similar):
            self.right.addWidget(part)
        for column in (self.tree, centre, self.right):
            self.columns.addWidget(column)
        for splitter, sizes in ((self.columns, _COLUMNS), (self.right, _RIGHT)):
            splitter.setHandleWidth(1)
            splitter.setChildrenCollapsible(False)
            splitter.setSizes(sizes)
        self.columns.setStretchFactor(1, 3)
        self.columns.setStretchFactor(2, 1)
        self.right.setStretchFactor(0, 4)
        self.right.setStretchFactor(1, 3)
        self.tree.setMinimumWidth(170)
        # Pages that are not shown must not keep the window large.
        self.middle.setMinimumSize(*_LEAST_MIDDLE)
        self.right.setMinimumWidth(260)
        self._whole = QWidget()
        layout = vertical(self._whole, self.search, spacing=0)
        layout.addWidget(self.columns, 1)
        layout.addWidget(self.toast)
        layout.addWidget(self.jobs)
        layout.addWidget(self.foot)
        self.setCentralWidget(self._whole)

    def _connect(self) -> None:
        session = self.session
        session.opened.connect(self._show_state)
        session.told.connect(self.toast.say)
        session.troubled.connect(self._trouble)
        self.tree.chosen.connect(self._go)
        self.search.wanted.connect(self._search)
        self.search.left.connect(self._leave_search)
        self.details.left.connect(self.table.keep_focus)
        self.table.table.menu_wanted.connect(self.menus.context_menu)
        self.table.table.opened.connect(lambda _id: self.details.page.ways.open_best())
        self.search.inside_chosen.connect(self._look_inside)
        self.search.wanted.connect(lambda *_asked: self.keeper.touch())
        self.keeper.moved.connect(self._follow_pdfs)
        self.table.listed.connect(self.details.page.inside.follow)
        header, empty = self.table.header, self.table.empty
        self.similarity.moved.connect(self.table.follow)
        for signal in (header.clear_wanted, empty.clear_wanted):
            signal.connect(lambda: self.search.line.clear())
        for signal, name in (
            (header.save_wanted, "edit.save_search"),
            (self.details.trash_wanted, "papers.trash"),
            (self.details.export_wanted, "papers.export"),
            (empty.import_wanted, "file.import"),
            (empty.add_wanted, "file.add"),
            (self.search.settings_wanted, "file.settings"),
            (self.search.help_wanted, "help.search"),
            (self.foot.model_wanted, "model.models"),
        ):
            signal.connect(self.menus.actions[name].trigger)
        empty.everywhere_wanted.connect(lambda: self._go(ALL))
        for wanted in (empty.loosen_wanted, self.table.query_wanted):
            wanted.connect(self.search.line.setText)
        self.similar.previewed.connect(lambda one: self.details.show_ids((one,)))
        for back in (self.table.table.entered, self.similar.list.left):
            back.connect(self._look_back)
        self.similar.followed.connect(self.table.go_to)
        self.similar.tuned.connect(self._make_room)
        self.tree.similar_wanted.connect(self.similar.like_collection)
        self.tree.feed_wanted.connect(lambda key: find_new(self, key))
        self.tree.train_wanted.connect(lambda path: train_on_collections(self, (path,)))
        self.details.page.citations.followed.connect(self.table.go_to)
        self.details.page.citations.fill_wanted.connect(lambda: self.show_page("citations"))
        self.foot.jobs_wanted.connect(self.toggle_jobs)
        self.foot.training_wanted.connect(self.training.show)
        self.training.moved.connect(self.foot.show_training)
        self.jobs.counted.connect(self.foot.show_jobs)
        self.first_run.example_wanted.connect(lambda: open_example_in(session))
        self.first_run.import_wanted.connect(lambda: choose_and_import(self))
        self.first_run.zotero_wanted.connect(lambda: self.show_page("zotero"))
        self.first_run.files_dropped.connect(lambda files: import_into(self, files))

    # -- the face for commands -----------------------------------------------------------------

    @property
    def chosen(self) -> tuple[PaperId, ...]:
        """The chosen papers."""
        return self.session.selection

    @property
    def scope(self) -> Scope:
        """The place that is listed."""
        return self.table.request.scope

    def page(self, name: str) -> QWidget:
        """A page of the middle, made when it is first asked for."""
        if name not in self._pages:
            self._pages[name] = PAGES[name](self)
            self.middle.addWidget(self._pages[name])
        return self._pages[name]

    def has_page(self, name: str) -> bool:
        """Whether a page was asked for before."""
        return name in self._pages

    def show_page(self, name: str, *, again: bool = False) -> None:
        """Show a page in the middle; the one that is shown gives way to the list, unless again."""
        page = self.page(name)
        if page is self.middle.currentWidget() and name in PAGES and not again:
            page = self._home()
        self.middle.setCurrentWidget(page)
        page.setFocus()

    def leave_page(self) -> None:
        """Go back from a page to the list."""
        self.show_page("papers" if self.session.library is not None else "welcome")

    def toggle_jobs(self) -> None:
        """Fold the jobs up or away."""
        self.jobs.setVisible(not self.jobs.isVisible())

    def toggle_column(self, side: str) -> None:
        """Show or hide the left or right column."""
        column = self.tree if side == "left" else self.right
        column.setVisible(not column.isVisible())

    def open_library(self, folder: Path, *, create: bool = False) -> None:
        """Open another library; the page of libraries says what keeps it closed."""
        open_library(self, folder, create=create)

    # -- following -----------------------------------------------------------------------------

    def _home(self) -> QWidget:
        return self.first_run if self.session.library is None else self.table

    def _make_room(self, wanted: bool) -> None:
        """Give the options of similar papers the height that they need, and take it back."""
        sizes = self.right.sizes()
        if wanted and sizes[1] < _TUNING:
            self._untuned = sizes
            lower = min(_TUNING, sum(sizes) - _LEAST_DETAILS)
            self.right.setSizes([sum(sizes) - lower, lower])
        elif not wanted and self._untuned:
            self.right.setSizes(self._untuned)
            self._untuned = []

    def _show_state(self) -> None:
        library = self.session.library
        self.setWindowTitle(f"{library.folder.name} – Litscape" if library else "Litscape")
        self.middle.setCurrentWidget(self._home())
        self.views.follow()
        for part in (self.tree, self.right, self.search, self.foot):
            part.setVisible(library is not None)
        self.search.set_query("")
        self.notice.hide()
        if library is not None:
            self.table.keep_focus()

    def _go(self, scope: Scope) -> None:
        self.tree.show_scope(scope)
        self.table.show_scope(scope)
        self.search.set_query(self.table.request.query, self.table.request.mode)
        self._show_found()

    def _search(self, query: str, mode: str, typing: bool) -> None:
        self.table.search(query, mode, typing)
        self.tree.show_scope(self.scope)
        self._show_found()

    def _show_found(self) -> None:
        """Go to the list, unless the map is shown: it sets off what is listed."""
        if self.middle.currentWidget() is not self._pages.get("map"):
            self.middle.setCurrentWidget(self.table)

    def _leave_search(self) -> None:
        """The keyboard goes to what shows the hits."""
        shown = self._pages.get("map")
        if shown is not None and self.middle.currentWidget() is shown:
            shown.setFocus()
        else:
            self.table.keep_focus()

    def _look_back(self) -> None:
        """Show what is chosen, which keys act on, in place of a hit that was looked at."""
        self.similar.list.seen = None
        if self.details.ids != self.chosen:
            self.details.show_ids(self.chosen)

    def _look_inside(self, inside: bool) -> None:
        if self.keeper.standing.there:
            self.session.remember(replace(self.session.settings, search_inside=inside))
        self.table.search_inside(inside)

    def _follow_pdfs(self, standing: TextStanding) -> None:
        self.search.offer_inside(standing.there, self.session.settings.search_inside)
        self.details.page.inside.look(standing)

    def _trouble(self, trouble: Trouble) -> None:
        self.notice.state(trouble, report_offer(self, trouble))
        if self.similarity.standing.phase is Phase.FAILED:
            self.jobs.show()

    # -- layout and end ------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files may be dropped anywhere."""
        take_copies(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Wherever they are."""
        take_copies(event)

    def dropEvent(self, event: QDropEvent) -> None:
        """Bring dropped files in."""
        files = take_copies(event)
        if files:
            import_into(self, files)

    def showEvent(self, event: QShowEvent) -> None:
        """Look at drops before the parts of the window do."""
        super().showEvent(event)
        self.windowHandle().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A file dropped on a line of text is meant for the library, not for its path.

        Keys, buttons and the wheel tell that somebody works.
        """
        if event.type() in _WORK:
            self.keeper.touch()
        if event.type() not in _DROPS or not isinstance(event, QDropEvent):
            return False
        over = self.childAt(event.position().toPoint())
        inside = over.parent() if over is not None else None  # the viewport of longer text
        if not isinstance(over, _TEXT) and not isinstance(inside, _TEXT):
            return False
        if not event.mimeData().hasUrls():
            return False
        files = take_copies(event)
        if files and event.type() == QEvent.Type.Drop:
            import_into(self, files)
        return True

    def end(self) -> None:
        """Close without a question: the system ends the program."""
        self._sure = True
        self.close()

    def _ends_import(self) -> bool:
        question = "An import is running. If you close Litscape now it ends; what came in stays."
        # An import that ends meanwhile needs no answer any more, but the question stands.
        return confirm(self, "An import is running", question, "Close", "Keep open")

    def closeEvent(self, event: QCloseEvent) -> None:
        """Remember the layout, end the work; what is committed stays. An import is asked about."""
        if not self._sure and importing(self.session) and not self._ends_import():
            event.ignore()
            return
        self._memory.keep_layout(self)
        self.hide()
        self.session.close()
        event.accept()
