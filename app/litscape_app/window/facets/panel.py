"""The column of facets: follows the list, and narrows it by changing the query."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from litscape_app.window.facets.names import TITLES
from litscape_app.window.facets.section import Section
from litscape_app.window.widgets.basics import (
    ground,
    heading,
    horizontal,
    label,
    tool_button,
    vertical,
)
from litscape_app.window.words import count

if TYPE_CHECKING:
    from litscape.facets import FacetReport
    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.search.hits import Mode
    from litscape_app.window.listing import Listing
    from litscape_app.window.session import Session

_SOON_MS, _LATE_MS = 80, 10_000
"""Shortest and longest wait before the facets are read again after a change."""
_TYPING_MS = 60
"""After a list that came while keys were pressed: the next key's list is worth more than counts."""
_REST = 4
"""Between two readings passes this many times as long as one takes, while changes go on."""


class FacetPanel(QWidget):
    """Counts the facets of what is listed, beside the window's thread."""

    query_wanted = Signal(str)
    """The query with a choice more or less."""
    shown = Signal(object)
    """The :class:`~litscape.facets.FacetReport` now shown."""
    close_wanted = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        ground(self, "column")
        self.setMinimumWidth(180)
        self.setAccessibleName("Facets")
        self._session = session
        self._listing: Listing | None = None
        self.report: FacetReport | None = None
        self.query = ""
        """The query asked for last, which choosing changes: its list may still be on the way."""
        theme = session.theme
        self.number = label(tone="muted")
        self.wait = label("Counting …", "muted", wrap=True)
        self.sections = {name: Section(theme, name) for name in TITLES}
        self._build()
        self._slot = session.slot(self)
        self._slot.done.connect(self._show)
        self._slot.failed.connect(lambda error: session.trouble(error, "Count facets"))
        self._reading = session.slot(self)
        self._reading.done.connect(lambda _index: self._have_read())
        self._reading.failed.connect(lambda error: session.trouble(error, "Read facets"))
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(_TYPING_MS)
        self._typing.timeout.connect(self._count)
        self._began = self._ended = -1e9
        self._pause.timeout.connect(self._read)
        session.opened.connect(self._forget)

    def _build(self) -> None:
        theme = self._session.theme
        close = tool_button(theme, "close", "Hide the facets", self.close_wanted.emit)
        title = heading(theme, "Facets")
        self.number.setFont(theme.font("small"))
        head = horizontal(None, title, 0, self.number, close, margins=(12, 6, 6, 2))
        inside = QWidget()
        ground(inside, "column")
        column = vertical(inside, self.wait, spacing=2, margins=(0, 0, 0, 8))
        column.setContentsMargins(0, 0, 0, 8)
        for section in self.sections.values():
            section.toggled.connect(self._toggle)
            section.wanted.connect(self._count)
            section.folded.connect(self._unfolded)
            section.years_chosen.connect(self._choose_years)
            section.hide()
            column.addWidget(section)
        column.addStretch(1)
        self.wait.setContentsMargins(12, 8, 12, 8)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(inside)
        vertical(self, head, area, spacing=0).setStretch(1, 1)

    @property
    def busy(self) -> bool:
        """Whether something is being counted."""
        return self._slot.running or self._reading.running or self._typing.isActive()

    # -- what is listed ----------------------------------------------------------------------

    def follow(self, listing: Listing) -> None:
        """Count the facets of a list that is shown now; while keys come, those of the last one."""
        self._listing = listing
        if listing.request.typing:
            self._typing.start()
        else:
            self._count()

    def showEvent(self, event: object) -> None:
        """Count what was listed meanwhile."""
        if self._listing is not None:
            self._count()

    def _forget(self) -> None:
        self._listing = self.report = None
        self._reading.cancel()
        self._slot.cancel()
        self._pause.stop()
        self._typing.stop()
        self.number.setText("")
        for section in self.sections.values():
            section.hide()
            section.line.blockSignals(True)
            section.line.clear()
            section.line.blockSignals(False)
        self.wait.setText("Counting …")
        self.wait.show()

    def _count(self) -> None:
        self._typing.stop()
        listing = self._listing
        if listing is None or not self.isVisible():
            return
        here = {name: one for name, one in self.sections.items() if one.open}
        top = {name: one.top for name, one in here.items()}
        containing = {name: one.containing for name, one in here.items() if one.containing}
        self._session.read(
            self._slot, "Count facets", partial(count_facets, listing, top, containing)
        )

    def _show(self, report: FacetReport | None) -> None:
        if report is not None:
            self.report = report
            self.number.setText(count(report.papers, "paper"))
            for counts in report.facets:
                self.sections[counts.name].show_counts(counts)
            self.wait.setText("Nothing here to narrow by.")
            self.wait.setVisible(all(one.isHidden() for one in self.sections.values()))
            self.shown.emit(report)
        if report is None:
            self._read()
        elif not report.current and not self._pause.isActive():
            self._read_later()

    def _read(self) -> None:
        """Read the facets as they are now, unless that is going on."""
        if not self._reading.running and self.isVisible():
            self._began = time.monotonic()
            self._session.read(
                self._reading, "Read facets", lambda library, ctx: library.facets.prepare(ctx)
            )

    def _have_read(self) -> None:
        self._ended = time.monotonic()
        self._count()

    def _read_later(self) -> None:
        """Read again soon after a change, but not all the time while changes go on."""
        rest = _REST * (self._ended - self._began)
        wait = 1000 * (self._ended + rest - time.monotonic())
        self._pause.start(int(min(max(wait, _SOON_MS), _LATE_MS)))

    # -- choosing ----------------------------------------------------------------------------

    def _toggle(self, facet: str, value: str, leave_out: bool) -> None:
        from litscape.facets.choices import toggled

        self.query_wanted.emit(toggled(self.query, facet, value, leave_out=leave_out))

    def _choose_years(self, span: tuple[int, int] | None) -> None:
        from litscape.facets.choices import with_years

        self.query_wanted.emit(with_years(self.query, span))

    def _unfolded(self) -> None:
        if any(one.open and one.list.values.rowCount() == 0 for one in self.sections.values()):
            self._count()


def count_facets(
    listing: Listing,
    top: dict[str, int],
    containing: dict[str, str],
    library: Library,
    ctx: JobContext,
) -> FacetReport | None:
    """The facets of a list, as the library was when they were read last; None: never yet."""
    # Imported beside the window, for it takes longer than a frame.
    from litscape.facets import FacetRequest

    request = listing.request
    scope = request.scope
    everything = scope.kind in ("all", "search")
    mode = "lexical" if listing.only_words else request.mode
    whole = listing.complete or mode != "lexical"
    asked = FacetRequest(
        query=request.query,
        mode=cast("Mode", mode),
        flt=None if everything else scope.filter,
        names=tuple(TITLES),
        top=top,
        containing=containing,
        hits=listing.ids if whole and (request.query or not everything) else None,
        as_you_type=request.typing,
    )
    return library.facets.count(asked, wait=False, ctx=ctx)
