"""The libraries and collections of a Zotero, to be ticked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTreeWidget, QTreeWidgetItem

from litscape.importers.base import ReadOptions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litscape.importers.zotero_sqlite import ZoteroLibrary

_KEY = Qt.ItemDataRole.UserRole
_OPEN = 12
"""A library with no more collections than these is shown unfolded."""


class LibraryChoice(QTreeWidget):
    """Everything is ticked at first; a collection stands for those below it too."""

    def __init__(self) -> None:
        super().__init__()
        self.setHeaderHidden(True)
        self.setAccessibleName("Libraries and collections to take")
        self.setUniformRowHeights(True)
        self.setTabKeyNavigation(False)
        self.setMinimumHeight(96)
        self.setProperty("role", "list")

    def show_libraries(self, libraries: Sequence[ZoteroLibrary]) -> None:
        """Show other libraries, all ticked."""
        self.clear()
        for library in libraries:
            kind = "" if library.name == "user" else "group, "
            top = _item(f"{library.title} ({kind}{library.items:,} items)", library.name)
            self.addTopLevelItem(top)
            known: dict[tuple[str, ...], QTreeWidgetItem] = {(): top}
            for key, path in library.collections:
                item = _item(path[-1] if path else key, f"{library.name}/{key}")
                known.get(path[:-1], top).addChild(item)
                known[path] = item
            top.setExpanded(len(library.collections) <= _OPEN)
        first = self.topLevelItem(0)
        if first is not None:
            self.setCurrentItem(first)

    def options(self) -> ReadOptions | None:
        """What is ticked; None where nothing is."""
        tops = [self.topLevelItem(n) for n in range(self.topLevelItemCount())]
        ticked = [one for one in tops if one is not None and _state(one) != _NONE]
        if not ticked:
            return None
        if len(ticked) == len(tops) and all(_state(one) == _ALL for one in ticked):
            return ReadOptions()
        whole = tuple(str(one.data(0, _KEY)) for one in ticked if _state(one) == _ALL)
        inside = tuple(key for one in ticked if _state(one) != _ALL for key in _inside(one))
        return ReadOptions(zotero_libraries=whole, zotero_collections=inside)


_ALL, _NONE = Qt.CheckState.Checked, Qt.CheckState.Unchecked


def _item(text: str, key: str) -> QTreeWidgetItem:
    item = QTreeWidgetItem([text])
    item.setData(0, _KEY, key)
    item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsAutoTristate)
    item.setCheckState(0, _ALL)
    return item


def _state(item: QTreeWidgetItem) -> Qt.CheckState:
    return item.checkState(0)


def _inside(item: QTreeWidgetItem) -> list[str]:
    """The keys of the collections below that are ticked whole, those above before those below."""
    found: list[str] = []
    children = [item.child(number) for number in range(item.childCount())]
    for child in children:
        if child is None:
            continue
        if _state(child) == _ALL:
            found.append(str(child.data(0, _KEY)))
        elif _state(child) != _NONE:
            found += _inside(child)
    return found
