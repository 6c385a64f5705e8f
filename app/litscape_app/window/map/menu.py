"""What can be done to the papers chosen on the map."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu

from litscape_app.actions import papers
from litscape_app.window.train_on import train_on_chosen
from litscape_app.window.widgets.basics import literal
from litscape_app.window.words import count

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QWidget

    from litscape_app.actions.command import Desk
    from litscape_app.window.theme import Theme


def chosen_menu(desk: Desk, parent: QWidget, map_these: Callable[[], None]) -> QMenu:
    """A menu on the chosen papers."""
    menu = QMenu(parent)
    theme, chosen = desk.session.theme, len(desk.chosen)
    head = menu.addAction(literal(f"{count(chosen, 'paper')} chosen" if chosen else "None chosen"))
    head.setEnabled(False)
    entries: list[tuple[str, str, Callable[[], object]]] = [
        ("New collection of these…", "folder-plus", lambda: new_collection(desk)),
        ("Add to collection…", "folder", lambda: papers.collect(desk)),
        ("Tag…", "tag", lambda: papers.tag(desk)),
        ("Export…", "export", lambda: papers.export_chosen(desk)),
        ("Similar to these", "similar", lambda: similar(desk)),
        ("Train on these…", "model", lambda: train_on_chosen(desk)),
        ("Show in the list", "table", lambda: show_in_list(desk)),
    ]
    if chosen >= 2:
        entries.append(("Map of these alone", "map", map_these))
    for text, icon, act in entries:
        _add(menu, theme, text, icon, act).setEnabled(chosen > 0)
    return menu


def _add(menu: QMenu, theme: Theme, text: str, icon: str, act: Callable[[], object]) -> QAction:
    action = menu.addAction(theme.icon(icon, "muted"), text)
    action.triggered.connect(lambda _on: act())
    return action


def new_collection(desk: Desk) -> None:
    """Make a collection of the chosen papers."""
    from litscape_app.window.ask import ask_name

    ids = desk.chosen
    what = count(len(ids), "paper")
    name = ask_name(desk.table, f"New collection of {what}", "Name")
    if name:
        desk.session.write(
            "New collection",
            lambda library: library.edit.add_to_collection(ids, (name,)),
            f"Put {what} into the collection “{name}”",
        )


def similar(desk: Desk) -> None:
    """Show what is like the chosen papers; the panel follows the choice by itself."""
    if not desk.similar.isVisible():
        desk.toggle_column("right")
    desk.similar.list.setFocus()


def show_in_list(desk: Desk) -> None:
    """Bring the first of the chosen papers into view in the list."""
    ids = desk.chosen
    desk.show_page("papers", again=True)
    if ids and not set(ids).intersection(desk.table.table.selected_ids()):
        desk.table.go_to(ids[0])
