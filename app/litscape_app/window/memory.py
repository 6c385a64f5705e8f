"""What the window remembers of its layout from one start to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QSettings

from litscape import paths

if TYPE_CHECKING:
    from PySide6.QtWidgets import QHeaderView, QSplitter

    from litscape_app.window.main_window import MainWindow

_VERSION = 2
"""Raised when columns or splitters change, so that an old layout is not forced on new parts."""


class Memory:
    """One small file beside the settings."""

    def __init__(self) -> None:
        file = paths.config_dir() / "window.ini"
        self._store = QSettings(str(file), QSettings.Format.IniFormat)
        if self._store.value("version", 0, int) != _VERSION:
            self._store.clear()
            self._store.setValue("version", _VERSION)

    def restore_layout(self, window: MainWindow) -> bool:
        """Lay a window out as it was; False at the first time, when it has no size yet."""
        place = self._bytes("window")
        known = not place.isEmpty() and window.restoreGeometry(place)
        table = window.table.table
        self._restore("columns", window.columns)
        self._restore("right", window.right)
        self._restore("header", table.horizontalHeader())
        width = int(str(self._store.value("facets_width", 0, int)))
        window.table.show_facets(bool(self._store.value("facets_shown", False, bool)), width)
        table.widths.own = bool(self._store.value("own_widths", False, bool))
        shown = str(self._store.value("shown", "", str))
        table.widths.restore(shown.split() or table.widths.wanted)
        table.set_lines(1 if self._store.value("compact", False, bool) else 2)
        window.search.modes.choose(str(self._store.value("mode", "hybrid", str)))
        return known

    def keep_layout(self, window: MainWindow) -> None:
        """Remember how a window is laid out."""
        table = window.table.table
        self._store.setValue("window", window.saveGeometry())
        if window.session.library is not None:
            # Without a library, the columns are hidden and have no sizes to keep.
            self._store.setValue("columns", window.columns.saveState())
            self._store.setValue("right", window.right.saveState())
        self._store.setValue("facets_width", window.table.facets_width)
        self._store.setValue("facets_shown", not window.table.facets.isHidden())
        self._store.setValue("header", table.horizontalHeader().saveState())
        self._store.setValue("own_widths", table.widths.own)
        self._store.setValue("shown", " ".join(sorted(table.widths.wanted)))
        self._store.setValue("compact", table.delegate.lines == 1)
        self._store.setValue("mode", window.search.mode)
        self._store.sync()

    def _restore(self, name: str, part: QSplitter | QHeaderView) -> None:
        state = self._bytes(name)
        if not state.isEmpty():
            part.restoreState(state)

    def _bytes(self, name: str) -> QByteArray:
        value = self._store.value(name)
        return value if isinstance(value, QByteArray) else QByteArray()
