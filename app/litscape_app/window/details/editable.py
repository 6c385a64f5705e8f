"""Text that is edited where it stands: a pencil, F2 or Enter begins, Enter keeps, Escape leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QWidget

from litscape_app.window.details.prose import Prose, ProseEdit
from litscape_app.window.widgets.basics import horizontal, label, set_tone, tool_button

if TYPE_CHECKING:
    from litscape_app.window.theme import Theme


class Editable(QWidget):
    """One value; ``committed`` tells a new one, the owner shows what came of it."""

    committed = Signal(str)

    def __init__(
        self,
        theme: Theme,
        name: str,
        *,
        long: bool = False,
        prose: int = 0,
        empty: str = "",
        tone: str = "",
        font: QFont | None = None,
    ) -> None:
        """``long``: several lines are edited; ``prose``: line height of text read at length."""
        super().__init__()
        self._name, self._long, self._empty, self._tone = name, long, empty, tone
        self._font = font
        self.value = ""
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(name)
        self.shown = Prose(prose) if prose else label(wrap=True, select=True, tone=tone)
        if font is not None:
            self.shown.setFont(font)
        self.pencil = tool_button(theme, "edit", f"Edit {name.lower()} (F2)", self.begin)
        self.pencil.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        policy = self.pencil.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.pencil.setSizePolicy(policy)
        self._row = horizontal(self, spacing=2)
        self._row.addWidget(self.shown, 1, Qt.AlignmentFlag.AlignTop)
        self._row.addWidget(self.pencil, 0, Qt.AlignmentFlag.AlignTop)
        self._editor: QLineEdit | ProseEdit | None = None
        self.pencil.hide()
        size = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        size.setHeightForWidth(True)
        self.setSizePolicy(size)

    @property
    def editing(self) -> bool:
        """Whether it is being edited."""
        return self._editor is not None

    def show_value(self, text: str, shown: str | None = None) -> None:
        """Show a value; ``shown`` where it reads otherwise than it is edited."""
        self.value = text
        self._leave()
        words = (shown if shown is not None else text) or self._empty
        if isinstance(self.shown, Prose):
            self.shown.show_text(words)
            self.shown.setVisible(bool(words))
            return
        self.shown.setText(words)
        set_tone(self.shown, self._tone if text else "muted")

    def begin(self) -> None:
        """Edit the value."""
        if self._editor is not None:
            return
        editor: QLineEdit | ProseEdit
        if self._long:
            editor = ProseEdit()
            editor.setPlainText(self.value)
        else:
            editor = QLineEdit(self.value)
            editor.selectAll()
        if self._font is not None:
            editor.setFont(self._font)
        editor.setAccessibleName(self._name)
        editor.setPlaceholderText(self._empty or self._name)
        editor.installEventFilter(self)
        self._editor = editor
        self.shown.hide()
        self.pencil.hide()
        self._row.insertWidget(0, editor, 1)
        self.setFocusProxy(editor)
        editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def keep(self) -> None:
        """End editing and tell the value where it changed."""
        editor = self._editor
        if editor is None:
            return
        text = editor.text() if isinstance(editor, QLineEdit) else editor.toPlainText()
        self._leave()
        if text.strip() != self.value.strip():
            self.committed.emit(text.strip())

    def _leave(self) -> None:
        editor, self._editor = self._editor, None
        if editor is None:
            return
        held = editor.hasFocus()
        editor.removeEventFilter(self)
        editor.hide()
        editor.deleteLater()
        self.setFocusProxy(None)  # type: ignore[arg-type]
        self.shown.setVisible(True)
        if held:
            self.setFocus(Qt.FocusReason.OtherFocusReason)

    # -- Qt ----------------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keys of the editor; leaving it keeps what was written."""
        if watched is not self._editor:
            return False
        if event.type() == QEvent.Type.FocusOut:
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
            if pressed:
                self._leave()
            return True
        enters = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if pressed and enters and (control or not self._long):
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
