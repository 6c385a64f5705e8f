"""The few questions that are asked in a dialog: a name, and whether to destroy something."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QLineEdit, QWidget

from litscape_app.window.widgets.basics import horizontal, label, push_button, vertical

if TYPE_CHECKING:
    from collections.abc import Callable

_WIDTH = 380


def ask_name(
    parent: QWidget,
    title: str,
    what: str,
    value: str = "",
    explain: Callable[[str], str] | None = None,
) -> str:
    """A line of text from the person; empty when they changed their mind.

    Args:
        parent: the window.
        title: what it is for.
        what: the line's label.
        value: what stands in it at first.
        explain: what the text means so far, said below the line.
    """
    dialog = QDialog(parent)
    dialog.setWindowTitle(title)
    edit = QLineEdit(value)
    edit.setAccessibleName(what)
    edit.setAcceptDrops(False)  # a file moved into it would be deleted where it was
    edit.selectAll()
    accept = push_button("OK", dialog.accept, kind="primary")
    accept.setDefault(True)
    cancel = push_button("Cancel", dialog.reject)
    edit.textChanged.connect(lambda text: accept.setEnabled(bool(text.strip())))
    accept.setEnabled(bool(value.strip()))
    buttons = horizontal(None, 0, cancel, accept)
    meaning = label(tone="muted", wrap=True)
    meaning.setVisible(explain is not None)
    if explain is not None:
        edit.textChanged.connect(lambda text: meaning.setText(explain(text.strip())))
        meaning.setText(explain(value))
    heading = label(title)
    font = heading.font()
    font.setBold(True)
    heading.setFont(font)
    vertical(dialog, heading, label(what), edit, meaning, 8, buttons, margins=(16, 16, 16, 16))
    dialog.setMinimumWidth(_WIDTH)
    edit.setFocus()
    done = dialog.exec() == QDialog.DialogCode.Accepted
    dialog.deleteLater()
    return edit.text().strip() if done else ""


def confirm(
    parent: QWidget, title: str, question: str, act: str, otherwise: str = "Cancel"
) -> bool:
    """Whether the person wants what can't be taken back; to leave it is what Enter does."""
    dialog = QDialog(parent)
    dialog.setWindowTitle(title)
    text = label(question, wrap=True)
    text.setAlignment(Qt.AlignmentFlag.AlignTop)
    accept = push_button(act, dialog.accept, kind="danger")
    cancel = push_button(otherwise, dialog.reject)
    cancel.setDefault(True)
    heading = label(title)
    font = heading.font()
    font.setBold(True)
    heading.setFont(font)
    vertical(
        dialog, heading, text, 8, horizontal(None, 0, cancel, accept), margins=(16, 16, 16, 16)
    )
    dialog.setMinimumWidth(_WIDTH)
    cancel.setFocus()
    done = dialog.exec() == QDialog.DialogCode.Accepted
    dialog.deleteLater()
    return done
