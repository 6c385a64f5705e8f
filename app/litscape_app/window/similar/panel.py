"""Papers similar to the chosen ones, ranked anew by more like this and less like that."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit, QStackedLayout, QWidget

from litscape.errors import LitscapeError
from litscape_app.window.adding_cited import CitedAdder
from litscape_app.window.similar.chips import SeedChips
from litscape_app.window.similar.examples import from_file, from_text, to_be_added
from litscape_app.window.similar.explained import Explained
from litscape_app.window.similar.model import NeighbourModel
from litscape_app.window.similar.options_page import OptionsPage
from litscape_app.window.similar.seeds import (
    Given,
    Seeds,
    explained,
    neighbours,
    next_reading,
    works_outside,
)
from litscape_app.window.similar.sentences import CHOOSE, WAITING, none_of, none_yet, note_of
from litscape_app.window.similar.teaching import Teaching
from litscape_app.window.similar.view import NeighbourList
from litscape_app.window.widgets.basics import (
    ground,
    heading,
    horizontal,
    label,
    push_button,
    tool_button,
    vertical,
)

if TYPE_CHECKING:
    from PySide6.QtGui import QDragEnterEvent, QDropEvent, QResizeEvent

    from litscape.paper import LibraryChanges, PaperId
    from litscape_app.window.session import Session
    from litscape_app.window.similar.seeds import Answer, Told
    from litscape_app.window.similarity import Similarity

_MOST_SEEDS, _AGAIN_MS, _EXPLAIN_MS = 200, 4000, 120
_ABOVE = 88  # pixels above the hits


class SimilarPanel(QWidget):
    """Follows the choice of papers everywhere in the window."""

    previewed = Signal(object)
    followed = Signal(object)
    tuned = Signal(bool)
    """Whether the page of options is shown, which takes height."""

    def __init__(self, session: Session, similarity: Similarity) -> None:
        super().__init__()
        ground(self, "reading")
        self.setAcceptDrops(True)
        self._session, self._similarity = session, similarity
        self.seeds = Seeds()
        self._base: tuple[object, ...] = ()
        self._adding = False
        self.answer: Answer | None = None
        self.none = False
        self.model = NeighbourModel(self)
        self.list = NeighbourList(session.theme, self.model)
        self.state = label(tone="muted", wrap=True)
        self.note = label(tone="muted", wrap=True)
        self.note.setFont(session.theme.font("small"))
        self.adder = CitedAdder(session)
        self.start = push_button("Compute similarity", similarity.resume)
        self.line = QLineEdit()
        self.options = OptionsPage(session.theme)
        self.why = Explained(session.theme)
        self.teaching = Teaching(session, self.options, self)
        self._chips = SeedChips(session.theme)
        self._chips.forgotten.connect(self._forget)
        self._chips.dropped.connect(self.drop)
        self._build()
        self._slots()
        self._again = _timer(self, _AGAIN_MS, self._ask)
        self._soon = _timer(self, _EXPLAIN_MS, self._explain)
        self._connect()
        self._selected(())

    def _slots(self) -> None:
        session = self._session
        self._slot, self._telling, self._reading = (session.slot(self) for _ in range(3))
        self._slot.done.connect(self._show)
        self._slot.failed.connect(self._failed)
        self._telling.done.connect(self._told)
        self._telling.failed.connect(lambda _error: self.why.tell(None))
        self._reading.done.connect(self.like)
        self._reading.failed.connect(self._failed)

    def _connect(self) -> None:
        session = self._session
        self.list.previewed.connect(self._preview)
        self.list.followed.connect(
            lambda one: self._adopt(one) if one < 0 else self.followed.emit(one)
        )
        self.list.more_like.connect(self.more_like)
        self.list.less_like.connect(self.less_like)
        self.list.selectionModel().currentChanged.connect(lambda *_: self._soon.start())
        self.line.returnPressed.connect(self._take_line)
        self.options.changed.connect(self._ask)
        self.teaching.learned.connect(self._ask)
        session.selected.connect(self._selected)
        session.changed.connect(self._changed)
        session.opened.connect(self._opened)
        self._similarity.grown.connect(self._grown)
        self._similarity.moved.connect(lambda _standing: self._follow())

    def _build(self) -> None:
        theme = self._session.theme
        title = heading(theme, "Similar papers")
        title.setToolTip(
            "Ordered by all that speaks for a paper; the number is its sum, comparable within the "
            "list alone."
        )
        self.tune = tool_button(theme, "filter", "How it is ranked", None)
        self.tune.setCheckable(True)
        self.tune.toggled.connect(self._turn)
        self.beyond = tool_button(theme, "link", "Works that are not in the library", None)
        self.beyond.setCheckable(True)
        self.beyond.toggled.connect(lambda _on: self._ask())
        top = horizontal(None, title, 0, self.beyond, self.tune, margins=(16, 6, 12, 2), spacing=2)
        self.line.setPlaceholderText("Like a text: paste an abstract or a DOI")
        self.line.setAccessibleName("Find papers like a pasted abstract, title or DOI")
        self.line.setToolTip("Enter finds papers like this; Shift+Enter adds it to what is there")
        self.line.setClearButtonEnabled(True)
        typed = horizontal(None, self.line, margins=(16, 0, 16, 6))
        empty = QWidget()
        ground(empty, "reading")
        button = horizontal(None, self.start, 0)
        vertical(empty, self.state, button, 0, margins=(16, 4, 16, 16))
        found = QWidget()
        ground(found, "reading")
        column = vertical(found, spacing=0)
        column.addWidget(self.list, 1)
        column.addWidget(self.why)
        self._body = QWidget()
        self._stack = QStackedLayout(self._body)
        self._hits = found
        for page in (found, empty, self.options):
            self._stack.addWidget(page)
        self.note.setContentsMargins(16, 0, 16, 6)
        self._chip_row = QWidget()
        horizontal(self._chip_row, self._chips, margins=(16, 0, 16, 6))
        column = vertical(self, top, typed, self._chip_row, self.note, spacing=0)
        column.addWidget(self._body, 1)
        self._chip_row.hide()

    # -- seeds -------------------------------------------------------------------------------

    def more_like(self, paper_id: PaperId) -> None:
        """Rank by likeness to this paper as well; a work outside comes into the library."""
        if paper_id < 0:
            self._adopt(paper_id)
            return
        if paper_id in self.seeds.positive:
            return
        less = tuple(one for one in self.seeds.less if one != paper_id)
        self._use(replace(self.seeds, more=(*self.seeds.more, paper_id), less=less))

    def less_like(self, paper_id: PaperId) -> None:
        """Rank what is like this paper lower."""
        if paper_id < 0 or paper_id in (*self.seeds.base, *self.seeds.less):
            return
        more = tuple(one for one in self.seeds.more if one != paper_id)
        self._use(replace(self.seeds, less=(*self.seeds.less, paper_id), more=more))

    def drop(self, paper_id: PaperId) -> None:
        """Forget what was said about a paper."""
        more = tuple(one for one in self.seeds.more if one != paper_id)
        less = tuple(one for one in self.seeds.less if one != paper_id)
        self._use(replace(self.seeds, more=more, less=less))

    def like(self, given: Given | None) -> None:
        """Find papers like a text, a file's records or a collection, until that is dropped.

        It takes the place of what was given before, unless it was to be added to that.
        """
        adding, self._adding = self._adding, False
        if given is None:
            return
        self.line.clear()
        self._use(self.seeds.joined(given) if adding else Seeds(given=(given,)))

    def like_collection(self, key: int, name: str) -> None:
        """Find papers like those of a collection."""
        from litscape.alike.request import Examples

        self.like(Given(name, Examples(collections=(key,))))

    def _forget(self, given: Given) -> None:
        rest = tuple(one for one in self.seeds.given if one is not given)
        if rest:
            self._use(replace(self.seeds, given=rest))
        else:
            self._selected(self._session.selection, again=True)

    def _take_line(self) -> None:
        text = self.line.text().strip()
        if text:
            self._adding = to_be_added(QGuiApplication.keyboardModifiers())
            self._state("Reading …")
            self._session.read(self._reading, "What is like a text", from_text(text, self._session))

    def _preview(self, paper_id: PaperId) -> None:
        if paper_id >= 0:
            self.previewed.emit(paper_id)

    def _adopt(self, work: int) -> None:
        """Bring a work that is shown into the library."""
        reference = next((one.reference for one in self.model.hits if one.paper_id == work), None)
        if reference is not None:
            self.adder.add(reference, self._ask)

    def _use(self, seeds: Seeds) -> None:
        self.seeds = seeds
        self._ask()

    def _opened(self) -> None:
        self.tune.setChecked(False)
        self._selected((), again=True)
        self.teaching.look()

    def _selected(self, ids: tuple[PaperId, ...], *, again: bool = False) -> None:
        if self.seeds.given and not again:
            return  # what was given stays until it is dropped
        self.seeds, self.none = Seeds(ids[:_MOST_SEEDS], beyond=ids[_MOST_SEEDS:]), False
        if not ids:
            self._slot.cancel()
            self.model.show(())
            self._show_chips({})
            self._state(CHOOSE)
        self._ask()

    # -- files -------------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """One file, to find papers like its records; it is not imported."""
        urls = event.mimeData().urls()
        if self._session.library is not None and len(urls) == 1 and urls[0].isLocalFile():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Read it."""
        path = event.mimeData().urls()[0].toLocalFile()
        event.acceptProposedAction()
        self._adding = to_be_added(event.modifiers())
        self._state("Reading the file …")
        self._session.read(self._reading, "What is like a file", from_file(path))

    # -- asking ------------------------------------------------------------------------------

    def _ask(self) -> None:
        self._again.stop()
        if self._session.library is None:
            return
        seeds, options = self.seeds, self.options.options()
        if not seeds:
            self._session.read(self._slot, "What to read next", next_reading)
            return
        if not self.model.hits:
            self._state("Looking for similar papers …")
        fetch = works_outside if self.beyond.isChecked() else neighbours
        self._session.read(
            self._slot, "Similar papers", lambda library, ctx: fetch(library, seeds, options, ctx)
        )

    def _grown(self) -> None:
        if not self._again.isActive():
            self._again.start()

    def _changed(self, changes: LibraryChanges) -> None:
        if changes.changed or changes.removed:
            self._grown()

    def _show(self, answer: Answer) -> None:
        if answer.seeds.base != self.seeds.base:
            return  # for what was chosen before
        self.answer = answer
        self._show_chips(answer.titles)
        row = self.list.currentIndex().row()
        base = (*answer.seeds.base, *answer.seeds.given)
        same = self.model.hits and base == self._base
        self._base = base
        self.model.show(answer.hits)
        self.list.stay(row if same else -1, self.seeds.less)  # one that became a seed is gone
        self._soon.start()
        self.none = not answer.hits and not none_of(answer)
        self.teaching.show(answer)
        if answer.hits:
            self._raise(self._hits)
        else:
            self._state(none_of(answer) or none_yet(self._similarity.standing.phase))
        self._say_note()

    def _explain(self) -> None:
        """Tell why the chosen hit is there, once it stays chosen for a moment."""
        index, answer = self.list.currentIndex(), self.answer
        hit = None
        if index.isValid() and answer is not None and answer.request is not None:
            hit = answer.found.get(self.model.hits[index.row()].paper_id)
        if hit is None or answer is None or answer.request is None:
            self._telling.cancel()
            self.why.tell(None)
            return
        request, chosen = answer.request, hit
        self._session.read(
            self._telling,
            "Why it is similar",
            lambda library, ctx: explained(library, request, chosen, ctx),
        )

    def _told(self, told: Told) -> None:
        index = self.list.currentIndex()
        if index.isValid() and self.model.hits[index.row()].paper_id == told.paper_id:
            self.why.tell(told)
            QTimer.singleShot(0, self._keep_in_sight)

    def _keep_in_sight(self) -> None:
        """The explanation takes room from the list."""
        self.list.scrollTo(self.list.currentIndex())

    def _failed(self, error: BaseException) -> None:
        self._slot.cancel()  # an answer to what was asked before would cover what is said here
        self.none = False
        self.model.show(())
        if not isinstance(error, LitscapeError):
            self._session.trouble(error, "Similar papers")
            error = LitscapeError("Similar papers could not be worked out.")
        self._state(str(error))

    def _turn(self, shown: bool) -> None:
        """Show how it is ranked, or the hits again."""
        self._raise(self.options if shown else self._hits if self.model.hits else None)
        self._say_note()
        self.tuned.emit(shown)
        if shown:
            self.options.setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The explanation takes at most a third of what the hits have."""
        super().resizeEvent(event)
        self.why.bound((self.height() - _ABOVE) // 3)

    def _raise(self, page: QWidget | None) -> None:
        if self.tune.isChecked():
            page = self.options
        if page is None:
            self._stack.setCurrentIndex(1)
        else:
            self._stack.setCurrentWidget(page)

    # -- sentences ---------------------------------------------------------------------------

    def _state(self, sentence: str) -> None:
        self.state.setText(sentence)
        self.start.setVisible(self.none and self._similarity.standing.phase in WAITING)
        self.note.hide()
        self._raise(None)

    def _follow(self) -> None:
        if self.none and self._stack.currentIndex() == 1:
            self._state(none_yet(self._similarity.standing.phase))
        self._say_note()

    def _say_note(self) -> None:
        text = ""
        if (answer := self.answer) is not None and answer.seeds.base == self.seeds.base:
            listed = self._stack.currentWidget() is self._hits
            stated = self._stack.currentIndex() == 1 and self.state.text() == answer.nothing
            answer = replace(answer, nothing="") if stated else answer
            text = note_of(answer, self._similarity.standing, listed=listed)
        self.note.setText(text)
        self.note.setVisible(bool(text))

    def _show_chips(self, titles: dict[PaperId, str]) -> None:
        self._chips.show_seeds(self.seeds, titles)
        self._chip_row.setVisible(bool(titles or self.seeds.given))


def _timer(parent: QWidget, wait: int, act: Any) -> QTimer:
    timer = QTimer(parent)
    timer.setSingleShot(True)
    timer.setInterval(wait)
    timer.timeout.connect(act)
    return timer
