"""Menus, keys and the context menu, made from the commands."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar

from litscape_app.actions import COMMANDS, MENUS, Command, Needs
from litscape_app.window.details.marks import dot_icon
from litscape_app.window.session import UndoState
from litscape_app.window.table.model import COLUMNS
from litscape_app.window.words import shorten

if TYPE_CHECKING:
    from litscape_app.window.main_window import MainWindow

_TITLE_LENGTH = 48


class Menus(QObject):
    """Keeps every command's action: made once, enabled as the window's state allows."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._undo = UndoState()
        self.actions: dict[str, QAction] = {one.name: self._action(one) for one in COMMANDS}
        self._recent = QMenu("Open recent", window)
        self._recent.aboutToShow.connect(self._fill_recent)
        self._columns = QMenu("Columns", window)
        self._columns.aboutToShow.connect(self._fill_columns)
        header = window.table.table.horizontalHeader()
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header.customContextMenuRequested.connect(
            lambda at: self._columns.popup(header.mapToGlobal(at))
        )
        self._fill_bar(window.menuBar())
        session = window.session
        session.selected.connect(lambda _ids: self.update_enabled())
        session.opened.connect(self.update_enabled)
        session.history_moved.connect(self._show_history)
        window.table.listed.connect(lambda _listing: self.update_enabled())
        self.update_enabled()

    def _action(self, command: Command) -> QAction:
        action = QAction(command.title, self._window)
        if command.dot:
            action.setIcon(dot_icon(self._window.session.theme, command.dot))
        elif command.icon:
            self._window.session.theme.set_icon(action, command.icon, "muted")
        action.setShortcuts([QKeySequence(key) for key in command.keys])
        action.triggered.connect(lambda _checked=False: command.run(self._window))
        if command.state is not None:
            action.setCheckable(True)
        if command.in_table:
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            self._window.table.table.addAction(action)
        else:
            self._window.addAction(action)
        return action

    def _fill_bar(self, bar: QMenuBar) -> None:
        for title in MENUS:
            menu = bar.addMenu(f"&{title}")  # their first letters differ
            menu.aboutToShow.connect(self.update_enabled)
            section: int | None = None
            here = [command for command in COMMANDS if command.menu == title]
            # Groups of commands are written apart; a menu has its sections in order.
            for command in sorted(here, key=lambda one: one.section):
                if section is not None and command.section != section:
                    menu.addSeparator()
                section = command.section
                self._place(menu, command)
                if command.name == "file.open":
                    menu.addMenu(self._recent)
                if command.name == "view.compact":
                    menu.addMenu(self._columns)

    def _place(self, menu: QMenu, command: Command) -> None:
        """Put a command into a menu, or into the menu inside it where it has its place."""
        if command.submenu:
            known = menu.findChildren(QMenu, options=Qt.FindChildOption.FindDirectChildrenOnly)
            inner = next((one for one in known if one.title() == command.submenu), None)
            if inner is None:
                inner = QMenu(command.submenu, menu)
                menu.addMenu(inner)
            menu = inner
        menu.addAction(self.actions[command.name])

    def context_menu(self, at: QPoint) -> None:
        """Show what can be done to the chosen papers."""
        self.update_enabled()
        menu = QMenu(self._window)
        section: int | None = None
        for command in sorted(COMMANDS, key=lambda one: one.section):
            action = self.actions[command.name]
            if command.in_context and action.isEnabled():
                if section is not None and command.section != section:
                    menu.addSeparator()
                section = command.section
                self._place(menu, command)
        if not menu.isEmpty():
            menu.exec(at)
        menu.deleteLater()

    # -- state -------------------------------------------------------------------------------

    def update_enabled(self) -> None:
        """Enable what can be used now, and mark what is on."""
        usable = self._usable()
        for command in COMMANDS:
            action = self.actions[command.name]
            action.setEnabled(command.needs in usable)
            if command.state is not None:
                action.setChecked(command.state(self._window))
        in_trash = self._window.scope.kind == "trash"
        self.actions["papers.trash"].setText("Delete for good…" if in_trash else "Move to trash")
        self._window.details.show_place(in_trash)
        inside = self._window.scope.kind == "collection"
        uncollect = self.actions["papers.uncollect"]
        uncollect.setEnabled(uncollect.isEnabled() and inside)

    def _usable(self) -> set[Needs]:
        window = self._window
        usable = {Needs.NOTHING}
        if window.session.library is None:
            return usable
        usable.add(Needs.LIBRARY)
        chosen = len(window.chosen)
        if chosen:
            usable |= {Needs.PAPERS, Needs.TRASHED if window.scope.kind == "trash" else Needs.LIVE}
        if chosen == 1:
            usable.add(Needs.ONE)
        if self._undo.undo is not None:
            usable.add(Needs.UNDO)
        if self._undo.redo is not None:
            usable.add(Needs.REDO)
        if window.table.request.query:
            usable.add(Needs.QUERY)
        return usable

    def _show_history(self, state: UndoState) -> None:
        self._undo = state
        for name, title in (("Undo", state.undo), ("Redo", state.redo)):
            text = f"{name}: {shorten(title, _TITLE_LENGTH)}" if title else name
            self.actions[f"edit.{name.lower()}"].setText(text.replace("&", "&&"))
        self.update_enabled()

    def _fill_recent(self) -> None:
        self._recent.clear()
        for folder in self._window.session.settings.recent:
            action = self._recent.addAction(shorten(folder, 70).replace("&", "&&"))
            action.triggered.connect(partial(self._window.open_library, Path(folder)))
        self._recent.setEnabled(not self._recent.isEmpty())

    def _fill_columns(self) -> None:
        self._columns.clear()
        table = self._window.table.table
        for column in COLUMNS[1:-1]:
            action = self._columns.addAction(column.title)
            action.setCheckable(True)
            action.setChecked(table.column_shown(column.key))
            action.toggled.connect(partial(table.set_column_shown, column.key))
