"""Keeps the list below the search line to what is typed, and puts what is chosen into the line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from litscape_app.window.suggest.popup import Suggestion, SuggestionPopup

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.search.completion import Begun
    from litscape_app.window.search_bar import SearchLine
    from litscape_app.window.session import Session

_LEAST = 2
"""Letters of a word before fields that begin so are offered."""
_PAST = 10
_SETTLED_MS = 4000
"""A query that stands so long was meant, and is remembered."""
_WORDS_MS = 1500
"""After opening, when the list is there: the words of papers are read, to see slips by."""
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_HINT = "↓ Enter to choose   Esc to close   F1 how to search"


class Offers(QObject):
    """Past searches, fields and values for one search line."""

    put = Signal(str)
    """A whole new text for the line."""

    def __init__(self, session: Session, line: SearchLine) -> None:
        super().__init__(line)
        self._session, self._line = session, line
        self.popup = SuggestionPopup(session.theme)
        self.popup.taken.connect(self._take)
        self._begun: Begun | None = None
        self._slot = session.slot(self)
        self._slot.done.connect(self._show_values)
        self._past = session.slot(self)
        self._past.done.connect(self._show_past)
        self._kept = session.slot(self)
        self._settled = QTimer(self)
        self._settled.setSingleShot(True)
        self._settled.setInterval(_SETTLED_MS)
        self._settled.timeout.connect(self.remember)
        line.textEdited.connect(self._edited)
        line.textChanged.connect(lambda _text: self._settled.start())
        line.keys = self.take_key
        line.entered.connect(self.show_past)
        line.gone.connect(self.close)
        session.opened.connect(self.close)
        self._words = session.slot(self)
        self._reading = QTimer(self)
        self._reading.setSingleShot(True)
        self._reading.setInterval(_WORDS_MS)
        self._reading.timeout.connect(self._read_words)
        session.opened.connect(self._reading.start)
        session.changed.connect(lambda changes: self._reading.start() if changes.added else None)

    def _read_words(self) -> None:
        self._session.read(
            self._words, "Read words", lambda library, _ctx: library.searcher.prepare_words()
        )

    # -- keys ------------------------------------------------------------------------------------

    def take_key(self, event: QKeyEvent) -> bool:
        """Whether a key was meant for the list."""
        key, control = event.key(), event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if key == Qt.Key.Key_Space and control:
            self._edited(self._line.text(), asked=True)
            return True
        if not self.popup.isVisible():
            if key == Qt.Key.Key_Down and not self._line.text().strip():
                self.show_past(asked=True)
                return True
            return False
        if key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self.popup.step(1 if key == Qt.Key.Key_Down else -1)
            return True
        if key == Qt.Key.Key_Escape:
            self.close()
            return True
        current = self.popup.current
        if key == Qt.Key.Key_Tab and current is None and self._begun is not None:
            current = self.popup.model.lines[0]
        if current is not None and (key in _ENTER or key == Qt.Key.Key_Tab):
            self._take(current)
            return True
        self._delete(key, current)
        return key == Qt.Key.Key_Delete and current is not None and current.kind == "past"

    def _delete(self, key: int, current: Suggestion | None) -> None:
        if key == Qt.Key.Key_Delete and current is not None and current.kind == "past":
            self._forget(current.text)
        elif key in _ENTER:
            self.close()

    def close(self) -> None:
        """Show nothing."""
        self._slot.cancel()
        self._past.cancel()
        self.popup.hide()

    # -- fields and values -----------------------------------------------------------------------

    def _edited(self, text: str, *, asked: bool = False) -> None:
        """Offer what goes on from what is typed; everything where it is asked for."""
        from litscape.search.completion import begun, fields

        self._past.cancel()
        now = begun(text, self._line.cursorPosition())
        self._begun = now
        if now is not None and now.field:
            self._session.read(
                self._slot, "Offer values", lambda library, _ctx: _values(library, now)
            )
            return
        self._slot.cancel()
        if now is None or not (asked or len(now.text) >= _LEAST):
            self.popup.hide()
            return
        lines = [
            Suggestion("field", one.shown, one.text, one.detail)
            for one in fields(now, all_of_them=asked)
        ]
        self.popup.offer(lines, self._line, _HINT)

    def _show_values(self, found: tuple[Begun, tuple[Suggestion, ...]]) -> None:
        now, lines = found
        if now == self._begun and self._line.hasFocus():
            self.popup.offer(lines, self._line, _HINT)

    def _take(self, line: Suggestion) -> None:
        self.popup.hide()
        if line.kind == "forget":
            self._forget(None)
        elif line.kind == "past":
            self.put.emit(line.text)
        elif self._begun is not None:
            text = self._line.text()
            before, after = text[: self._begun.start], text[self._begun.end :]
            new = line.text if not after.startswith(" ") else line.text.rstrip(" ")
            self.put.emit(before + new + after)
            self._line.setCursorPosition(len(before) + len(new))
            if line.kind == "field":
                self._edited(self._line.text())

    # -- past searches ---------------------------------------------------------------------------

    def show_past(self, *, asked: bool = False) -> None:
        """Offer past searches in an empty line; where they are asked for, fields after them."""
        if self._line.text().strip() or self._session.library is None:
            return
        folder = self._session.library.folder
        self._begun = None

        def read(_ctx: JobContext) -> tuple[bool, tuple[str, ...]]:
            from litscape.search.history import SearchHistory

            return asked, SearchHistory().recent(folder, most=_PAST)

        self._session.look(self._past, "Read past searches", read)

    def _show_past(self, found: tuple[bool, tuple[str, ...]]) -> None:
        asked, past = found
        if self._line.text().strip() or not self._line.hasFocus():
            return
        lines = [Suggestion("past", text, text) for text in past]
        if past:
            lines.append(Suggestion("forget", "Forget these searches"))
        elif asked:
            self._edited("", asked=True)
            return
        self.popup.offer(lines, self._line, f"{_HINT}   Del forgets one" if past else _HINT)

    def remember(self) -> None:
        """Keep what stands in the line as a past search."""
        self._settled.stop()
        library, text = self._session.library, self._line.text().strip()
        if library is None or len(text) < _LEAST:
            return
        folder = library.folder

        def keep(_ctx: JobContext) -> None:
            from litscape.search.history import SearchHistory

            SearchHistory().remember(folder, text)

        self._session.look(self._kept, "Remember the search", keep)

    def _forget(self, query: str | None) -> None:
        library = self._session.library
        if library is None:
            return
        folder = library.folder

        def forget(_ctx: JobContext) -> tuple[bool, tuple[str, ...]]:
            from litscape.search.history import SearchHistory

            history = SearchHistory()
            history.forget(folder, query)
            return False, history.recent(folder, most=_PAST)

        self._session.look(self._past, "Forget past searches", forget)


def _values(library: Library, now: Begun) -> tuple[Begun, tuple[Suggestion, ...]]:
    from litscape.search.completion import values

    found = values(library.database, library.facets, now)
    lines = [Suggestion("value", one.shown, one.text, one.detail, one.papers) for one in found]
    return now, tuple(lines)
