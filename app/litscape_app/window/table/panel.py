"""The middle column's list: what is shown, how many, what to do when nothing is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QSplitter, QStackedLayout, QWidget

from litscape_app.window.facets.chips import ChoiceLine
from litscape_app.window.facets.panel import FacetPanel
from litscape_app.window.listing import (
    RELEVANCE,
    Listing,
    Request,
    list_papers,
    read_rows,
)
from litscape_app.window.scope import ALL, Scope
from litscape_app.window.similarity import Phase, Standing
from litscape_app.window.table.empty import EmptyState
from litscape_app.window.table.header import ListHeader
from litscape_app.window.table.model import PAGE, PaperTableModel
from litscape_app.window.table.view import PaperTable
from litscape_app.window.widgets.basics import ground, vertical

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from litscape.paper import LibraryChanges, PaperId, PaperRow
    from litscape.search.highlights import Shown
    from litscape.store.lexical import Term
    from litscape_app.window.session import Session

_FELT_MS = 250
_REFRESH_MS = 60
_AGAIN_MS = 2000
_FACETS_WIDTH = 220


class TablePanel(QWidget):
    """Lists the papers of a place or a search, and keeps the list true when papers change."""

    listed = Signal(object)
    """The :class:`Listing` now shown."""
    query_wanted = Signal(str)
    """The query with other choices of facets."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.request = Request()
        self.listing: Listing | None = None
        self._order = ("added", True)
        self._phase = Phase.NONE
        self.model = PaperTableModel(self)
        self.table = PaperTable(session.theme, self.model)
        self.header = ListHeader(session)
        self.empty = EmptyState(session)
        body = QWidget()
        ground(body, "reading")
        self._stack = QStackedLayout(body)
        self._stack.addWidget(self.table)
        self._stack.addWidget(self.empty)
        self.choices = ChoiceLine(session.theme)
        self.facets = FacetPanel(session)
        self.sides = QSplitter(Qt.Orientation.Horizontal)
        self._put_together(body)
        self._listing_slot = session.first_slot(self)
        self._listing_slot.done.connect(self._show)
        self._listing_slot.failed.connect(lambda error: session.trouble(error, "List papers"))
        self._page_slot = session.slot(self)
        self._page_slot.done.connect(self._take_page)
        self._page_timer = QTimer(self)
        self._page_timer.setSingleShot(True)
        self._page_timer.timeout.connect(self._fetch_page)
        self._refresh_timer = QTimer(self)
        self._refresh_timer.setSingleShot(True)
        self._refresh_timer.setInterval(_REFRESH_MS)
        self._refresh_timer.timeout.connect(self._ask)
        self._waits = QTimer(self)
        self._waits.setSingleShot(True)
        self._waits.setInterval(_FELT_MS)
        self._waits.timeout.connect(self._tell_waiting)
        self._listing_slot.failed.connect(self._stop_waiting)
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.setInterval(_AGAIN_MS)
        self._again.timeout.connect(self.search_again)
        self._keep = False
        self._go_to: PaperId | None = None
        self._connect()

    def _put_together(self, body: QWidget) -> None:
        self.sides.addWidget(self.facets)
        self.sides.addWidget(body)
        self.sides.setHandleWidth(1)
        self.sides.setChildrenCollapsible(False)
        self.sides.setStretchFactor(1, 1)
        self._facets_width = _FACETS_WIDTH
        self.facets.hide()
        column = vertical(self, self.header, self.choices, spacing=0)
        column.addWidget(self.sides, 1)

    def _connect(self) -> None:
        session = self._session
        for part in (self.choices.wanted, self.facets.query_wanted):
            part.connect(self.query_wanted.emit)
        self.listed.connect(self.facets.follow)
        self.facets.close_wanted.connect(self.toggle_facets)
        self.header.facets_wanted.connect(self.toggle_facets)
        self.model.wanted.connect(self._want)
        self.table.chosen.connect(session.select)
        self.table.sort_wanted.connect(self.sort)
        self.table.moved.connect(self.put_in_list)
        session.opened.connect(self._opened)
        session.changed.connect(self._changed)
        session.refreshed.connect(self.refresh)

    def follow(self, standing: Standing) -> None:
        """Know how far similarity is: a search by meaning that is shown follows it."""
        before, self._phase = self._phase, standing.phase
        self.header.follow(standing)
        if standing.phase is Phase.READY and before is not Phase.READY:
            self._again.start(0)
        elif self.listing is not None and self.listing.only_words and not self._again.isActive():
            self._again.start(_AGAIN_MS)

    def toggle_facets(self) -> None:
        """Fold the facets out or away."""
        self.show_facets(self.facets.isHidden())

    @property
    def facets_width(self) -> int:
        """How wide the facets are, or were before they were folded away."""
        return self._facets_width if self.facets.isHidden() else self.sides.sizes()[0]

    def show_facets(self, shown: bool, width: int = 0) -> None:
        """Fold the facets out, as wide as they were unless a width is given, or away."""
        self._facets_width = width or self.facets_width
        self.facets.setVisible(shown)
        self.header.facets.setChecked(shown)
        if shown:
            rest = max(1, self.sides.width() - self._facets_width)
            self.sides.setSizes([self._facets_width, rest])

    # -- what to list ------------------------------------------------------------------------

    def show_scope(self, scope: Scope) -> None:
        """List another place; a search goes on in it, but a saved search brings its own."""
        query, mode = self.request.query, self.request.mode
        if scope.kind == "search":
            query, mode = scope.query, scope.mode
        elif self.request.scope.kind == "search":
            query = ""
        wanted = replace(self.request, scope=scope, query=query, mode=mode)
        self._start(replace(wanted, typing=wanted.typing and scope.kind != "search"), keep=False)

    def search(self, query: str, mode: str, typing: bool = False) -> None:
        """List what a query finds in this place; an empty one lists all of it.

        Args:
            query: as typed; a blank at its end says that the last word is whole.
            mode: lexical, semantic or hybrid.
            typing: whether its end is still being typed.
        """
        query = query.lstrip()
        wanted = replace(self.request, query=query, mode=mode, typing=typing)
        if wanted == self.request:
            return
        if wanted.scope.kind == "search" and query.strip() != wanted.scope.query.strip():
            wanted = replace(wanted, scope=ALL)
        self._start(wanted, keep=True)

    def search_inside(self, inside: bool) -> None:
        """Look for words inside PDFs too, or no more; a search that is shown follows at once."""
        if inside != self.request.inside:
            self.request = replace(self.request, inside=inside)
            if self.request.query:
                self._ask_now(self.request, keep=True)

    def sort(self, key: str, descending: bool) -> None:
        """List in another order; kept for later lists, but not for the next search."""
        if not (self.request.query or self.request.scope.kind == "list"):
            self._order = (key, descending)
        self._ask_now(replace(self.request, sort=key, descending=descending), keep=True)

    def go_to(self, paper_id: PaperId) -> None:
        """Choose a paper, in the whole library where this list lacks it."""
        if not self.table.go_to(paper_id):
            self._go_to = paper_id
            self._start(replace(self.request, scope=ALL, query=""), keep=False)

    def choose(self, ids: Sequence[PaperId]) -> None:
        """Choose papers in the whole window, from another view: listed or not, however many."""
        chosen = tuple(ids)
        self.table.mirror(chosen)
        self._session.select(chosen)

    def refresh(self) -> None:
        """List the same anew: something changed outside."""
        self.model.forget()
        self._keep = True
        self._refresh_timer.start()

    def search_again(self) -> None:
        """Search the same again after meaning became known, of more papers or at all."""
        if self.request.query and self.request.mode != "lexical" and not self._listing_slot.running:
            self._keep = True
            self._ask()

    def _start(self, request: Request, keep: bool) -> None:
        order = ("list", False) if request.scope.kind == "list" else self._order
        sort, descending = (RELEVANCE, True) if request.query else order
        self._ask_now(replace(request, sort=sort, descending=descending), keep)

    def _ask_now(self, request: Request, keep: bool) -> None:
        self.request, self._keep = request, keep
        whole = request.query
        if request.typing and whole:
            # Not when a library opens: it takes longer than a frame, and is read beside the window.
            from litscape.search.query import finished

            whole = finished(whole)
        self.facets.query = whole
        self.choices.show_query(whole)
        self._ask()

    def _ask(self) -> None:
        request = self.request
        self._refresh_timer.stop()
        if request.query and (self.listing is None or self.listing.request.query != request.query):
            self._waits.start()
        self._session.read(
            self._listing_slot,
            "List papers",
            lambda library, ctx: list_papers(library, request, ctx),
        )

    # -- answers -----------------------------------------------------------------------------

    def _tell_waiting(self) -> None:
        """An answer takes long enough to be waited for: what is listed is of the query before."""
        if self.request.query and self._listing_slot.running:
            self.header.show_searching(self.request.query)

    def _stop_waiting(self, _error: object) -> None:
        self._waits.stop()
        if self.listing is not None:
            self.header.show_listing(self.listing)

    def _show(self, listing: Listing) -> None:
        self._waits.stop()
        before, self.listing = self.listing, listing
        request = listing.request
        self.table.set_column_shown("found", bool(listing.found))
        self.table.show_order(request.sort, request.descending)
        same_place = before is not None and before.request == request
        self.table.show_listing(listing, self._keep, follow=same_place)
        self.table.reorders = request.scope.kind == "list" and request.sort == "list"
        self._keep = True
        if before is None or before.request.query != request.query:
            self.table.scrollToTop()
        self.header.show_listing(listing)
        if len(listing.ids) == 0:
            self.empty.explain(listing)
        self._stack.setCurrentWidget(self.table if len(listing.ids) else self.empty)
        if self._go_to is not None:
            self.table.go_to(self._go_to)
            self._go_to = None
        self.listed.emit(listing)

    def _want(self, _row: int) -> None:
        if not self._page_timer.isActive() and not self._page_slot.running:
            self._page_timer.start(0)

    def _fetch_page(self) -> None:
        first, last = self.table.shown_rows()
        missing = self.model.missing(first, last)
        if not missing or self._page_slot.running:
            return
        # What is in view, and then what is just outside it, a page at most.
        around = self.model.missing(first - PAGE // 4, last + PAGE // 4)
        wanted = list(dict.fromkeys([*missing, *around]))[:PAGE]
        words = self.model.words
        self._session.read(
            self._page_slot,
            "Read rows",
            lambda library, _ctx: (words, *read_rows(library, wanted, words)),
        )

    def _take_page(
        self, page: tuple[tuple[Term, ...], tuple[PaperRow, ...], Mapping[PaperId, Shown]]
    ) -> None:
        words, rows, shown = page
        if words == self.model.words:
            self.model.put(rows, shown)
        if self.model.missing(*self.table.shown_rows()) and rows:
            self._page_timer.start(0)

    # -- the reading list ----------------------------------------------------------------------

    def places_in_list(self, ids: Sequence[PaperId]) -> list[int]:
        """The rows of papers where the reading list is shown in its order; else none."""
        rows = [self.model.row_of(one) for one in ids] if self.table.reorders else []
        return [row for row in rows if row is not None]

    def put_in_list(self, ids: Sequence[PaperId], place: int) -> None:
        """Give papers other places in the reading list, from 1 and without them."""
        self._session.write(
            "Move in the reading list", lambda library: library.edit.put_in_list(ids, place)
        )

    # -- the library changed -----------------------------------------------------------------

    def _opened(self) -> None:
        self.model.forget()
        self._order = ("added", True)
        self._ask_now(Request(inside=self.request.inside), keep=False)

    def _changed(self, changes: LibraryChanges) -> None:
        self.model.forget(changes.changed)
        self._keep = True
        self._refresh_timer.start()

    def keep_focus(self) -> None:
        """Put the keyboard into the list."""
        self.table.setFocus(Qt.FocusReason.ShortcutFocusReason)
        if not self.table.selected_ids():
            self.table.step(0)
