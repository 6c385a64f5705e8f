"""Text that is edited where it stands: a pencil, F2 or Enter begins, Enter keeps, Escape leaves.

In text that keeps its lines Shift+Enter begins a new one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QWidget

from litscape.importers.normalise import fold, fold_lines, fold_paragraphs
from litscape_app.window.details.prose import Prose, ProseEdit
from litscape_app.window.widgets.basics import (
    horizontal,
    label,
    set_tone,
    tool_button,
    vertical,
)

if TYPE_CHECKING:
    from litscape_app.window.theme import Theme


_AS_KEPT = {"": fold, "lines": fold_lines, "paragraphs": fold_paragraphs}
"""What the library makes of text, by the line breaks that it keeps."""


class Editable(QWidget):
    """One value; ``committed`` tells a new one, the owner shows what came of it."""

    committed = Signal(str)
    left = Signal()
    """Editing that was begun from elsewhere has ended by a key: the keyboard can go back there."""
    began = Signal()
    """Editing begins."""
    dropped = Signal()
    """Editing ended, and there is nothing new."""

    def __init__(
        self,
        theme: Theme,
        name: str,
        *,
        long: bool = False,
        new: bool = False,
        breaks: str = "",
        prose: int = 0,
        empty: str = "",
        tone: str = "",
        font: QFont | None = None,
    ) -> None:
        """Make one.

        Args:
            theme: the look.
            name: what the value is called.
            long: whether its editor wraps.
            new: whether it is only being written: Escape then keeps, for nothing else is there.
            breaks: which line breaks the library keeps in it: all ``lines``, those of
                ``paragraphs``, or none.
            prose: line height in percent of text read at length, 0 for short text.
            empty: shown where there is no value.
            tone: of the text shown.
            font: of the text shown and edited.
        """
        super().__init__()
        self._theme = theme
        self._name, self._long, self._empty, self._tone = name, long, empty, tone
        self._font = font
        self._new = new
        self._breaks = breaks
        self._came_from_elsewhere = False
        self.value = ""
        self._begun_with = ""
        self._asking = ""
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(name)
        self.shown = Prose(prose) if prose else label(wrap=True, select=True, tone=tone)
        if font is not None:
            self.shown.setFont(font)
        self.pencil = tool_button(theme, "edit", f"Edit {name.lower()} (F2)", self.begin)
        self.pencil.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._editor: QLineEdit | ProseEdit | None = None
        self._around: QWidget | None = None
        self._lay_out()

    def _lay_out(self) -> None:
        policy = self.pencil.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.pencil.setSizePolicy(policy)
        self._row = horizontal(self, spacing=2)
        self._row.addWidget(self.shown, 1, Qt.AlignmentFlag.AlignTop)
        self._row.addWidget(self.pencil, 0, Qt.AlignmentFlag.AlignTop)
        self.pencil.hide()
        size = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        size.setHeightForWidth(True)
        self.setSizePolicy(size)

    @property
    def editing(self) -> bool:
        """Whether it is being edited."""
        return self._editor is not None

    @property
    def asking(self) -> bool:
        """Whether what is written waits for a decision: to be saved over another value, or not."""
        return bool(self._asking)

    @property
    def written(self) -> str:
        """What stands in the editor, as the library would keep it; the value without one."""
        editor = self._editor
        if editor is None:
            return self.value
        text = editor.text() if isinstance(editor, QLineEdit) else editor.toPlainText()
        return _AS_KEPT[self._breaks](text)

    def show_value(self, text: str, shown: str | None = None, *, stay: bool = False) -> None:
        """Show a value.

        Args:
            text: the value as it is edited.
            shown: how it reads, where that is otherwise.
            stay: leave what is being written as it is; the value shows once that is over.
        """
        self.value = text
        if not stay:
            self._leave()
        words = (shown if shown is not None else text) or self._empty
        if isinstance(self.shown, Prose):
            self.shown.show_text(words)
            self.shown.setVisible(bool(words) and not self.editing)
            return
        self.shown.setText(words)
        set_tone(self.shown, self._tone if text else "muted")

    def begin(self, *, whole: bool = False) -> None:
        """Edit the value; ``whole``: with all of a longer text chosen, as a short one always is."""
        if self._editor is not None:
            return
        self._begun_with = self.value
        self.began.emit()
        editor: QLineEdit | ProseEdit
        if self._long:
            editor = ProseEdit()
            editor.setPlainText(self.value)
            if whole:
                editor.selectAll()
        else:
            editor = QLineEdit(self.value)
            editor.selectAll()
        if self._font is not None:
            editor.setFont(self._font)
        editor.setAccessibleName(self._name)
        editor.setPlaceholderText(self._empty or self._name)
        editor.installEventFilter(self)
        self._editor = editor
        self._came_from_elsewhere = not self.hasFocus()
        self.shown.hide()
        self.pencil.hide()
        self._around = self._with_hint(editor)
        self._row.insertWidget(0, self._around, 1)
        self._around.show()
        self.setFocusProxy(editor)
        editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def ask(self, text: str, sentence: str) -> None:
        """Write again what could not be saved, and say why: the person decides, by Enter or Escape.

        Args:
            text: what was written.
            sentence: why it was not saved, with what is there now.
        """
        self._leave()
        self._asking = sentence
        self.begin()
        editor = self._editor
        if isinstance(editor, QLineEdit):
            editor.setText(text)
        elif editor is not None:
            editor.setPlainText(text)

    def _with_hint(self, editor: QLineEdit | ProseEdit) -> QWidget:
        """The editor with the keys that end it: below longer text, else where the pointer rests."""
        escape = "Esc saves too" if self._new else "Esc cancels"
        line = " · Shift+Enter begins a line" if self._breaks else ""
        hint = f"Enter saves{line} · {escape}"
        around = QWidget()
        if not self._long and not self._asking:
            editor.setToolTip(hint)
            vertical(around, editor)
            return around
        words = label(self._asking or hint, "warn" if self._asking else "muted", wrap=True)
        words.setFont(self._theme.font("small"))
        vertical(around, editor, words, spacing=2)
        return around

    def keep(self) -> None:
        """End editing and tell the value where it changed."""
        editor = self._editor
        if editor is None:
            return
        tidy = _AS_KEPT[self._breaks]
        text = self.written
        self._leave()
        if text not in (tidy(self._begun_with), tidy(self.value)):
            self.committed.emit(text)
        else:
            self.dropped.emit()

    def _leave(self) -> None:
        editor, self._editor = self._editor, None
        around, self._around = self._around, None
        self._asking = ""
        if editor is None or around is None:
            return
        held = editor.hasFocus()
        editor.removeEventFilter(self)
        around.hide()
        around.deleteLater()
        self.setFocusProxy(None)  # type: ignore[arg-type]
        self.shown.setVisible(True)
        if not held:
            return
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        if self._came_from_elsewhere:
            self.left.emit()

    # -- Qt ----------------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keys of the editor; leaving it keeps what was written, unless that is still asked."""
        if watched is not self._editor:
            return False
        if event.type() == QEvent.Type.FocusOut:
            if not self.asking:
                self.keep()
            return False
        if event.type() in (QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride) and isinstance(
            event, QKeyEvent
        ):
            return self._editor_key(event)
        return False

    def _editor_key(self, event: QKeyEvent) -> bool:
        pressed = event.type() == QEvent.Type.KeyPress
        if event.key() == Qt.Key.Key_Escape:
            event.accept()
            if pressed and self._new:
                self.keep()
            elif pressed:
                self._leave()
                self.dropped.emit()
            return True
        enters = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        begins_line = self._breaks and event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        if pressed and enters and not begins_line:
            self.keep()
            return True
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """F2 and Enter begin."""
        if event.key() in (Qt.Key.Key_F2, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.begin()
        else:
            super().keyPressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """A double click beside the words begins too."""
        self.begin()

    def enterEvent(self, event: QEvent) -> None:
        """Show the pencil."""
        self.pencil.setVisible(not self.editing)

    def leaveEvent(self, event: QEvent) -> None:
        """Hide the pencil."""
        self.pencil.setVisible(self.hasFocus() and not self.editing)

    def focusInEvent(self, event: QEvent) -> None:
        """The pencil marks the focus."""
        self.pencil.setVisible(not self.editing)
        self.pencil.setDown(True)

    def focusOutEvent(self, event: QEvent) -> None:
        """The focus is elsewhere."""
        self.pencil.setDown(False)
        self.pencil.hide()
