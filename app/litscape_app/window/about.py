"""What this program is."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog

from litscape_app.window.widgets.basics import horizontal, label, push_button, vertical

if TYPE_CHECKING:
    from litscape_app.actions.command import Desk


def show(desk: Desk) -> None:
    """Name, version, licence."""
    try:
        number = version("litscape")
    except PackageNotFoundError:
        number = "from source"
    dialog = QDialog(desk.table)
    dialog.setWindowTitle("About Litscape")
    title = label(f"Litscape {number}")
    title.setFont(desk.session.theme.font("title"))
    text = label(
        "Explore your literature by words and by meaning. Everything is computed on this computer; "
        "nothing leaves it unless you ask. MIT licence.",
        wrap=True,
    )
    close = push_button("Close", dialog.accept, kind="primary")
    vertical(dialog, title, text, 8, horizontal(None, 0, close), margins=(20, 20, 20, 16))
    dialog.setFixedWidth(400)
    dialog.exec()
    dialog.deleteLater()
