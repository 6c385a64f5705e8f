"""What the window remembers of its layout from one start to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QSettings

from litscape import paths

if TYPE_CHECKING:
    from PySide6.QtWidgets import QHeaderView, QMainWindow, QSplitter

_VERSION = 1
"""Raised when columns or splitters change, so that an old layout is not forced on new parts."""


class Memory:
    """One small file beside the settings."""

    def __init__(self) -> None:
        file = paths.config_dir() / "window.ini"
        self._store = QSettings(str(file), QSettings.Format.IniFormat)
        if self._store.value("version", 0, int) != _VERSION:
            self._store.clear()
            self._store.setValue("version", _VERSION)

    def restore_window(self, window: QMainWindow) -> bool:
        """Give the window its last place and size; False at the first time."""
        state = self._bytes("window")
        return not state.isEmpty() and window.restoreGeometry(state)

    def restore(self, name: str, part: QSplitter | QHeaderView) -> bool:
        """Give a splitter or header its last sizes; False at the first time."""
        state = self._bytes(name)
        return not state.isEmpty() and bool(part.restoreState(state))

    def flag(self, name: str, default: bool) -> bool:
        """A remembered yes or no."""
        return bool(self._store.value(name, default, bool))

    def text(self, name: str, default: str) -> str:
        """A remembered word."""
        return str(self._store.value(name, default, str))

    def keep_window(self, window: QMainWindow) -> None:
        """Remember the window's place and size."""
        self._store.setValue("window", window.saveGeometry())

    def keep(self, name: str, value: QSplitter | QHeaderView | bool | str) -> None:
        """Remember sizes, a yes or no, or a word."""
        plain = isinstance(value, (bool, str))
        self._store.setValue(name, value if plain else value.saveState())  # type: ignore[union-attr]

    def save(self) -> None:
        """Write the file."""
        self._store.sync()

    def _bytes(self, name: str) -> QByteArray:
        value = self._store.value(name)
        return value if isinstance(value, QByteArray) else QByteArray()
