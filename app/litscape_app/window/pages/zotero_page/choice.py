"""The libraries and collections of a Zotero, to be ticked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QTreeWidget, QTreeWidgetItem

from litscape.importers.base import ReadOptions
from litscape_app.window.words import count, plain_tooltip

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from litscape.importers.zotero_sqlite import ZoteroLibrary

_KEY = Qt.ItemDataRole.UserRole
_OPEN = 12
"""A library with no more collections than these is shown unfolded."""
_ALL, _NONE = Qt.CheckState.Checked, Qt.CheckState.Unchecked


class LibraryChoice(QTreeWidget):
    """Ticks for libraries and collections; a collection stands for those below it too."""

    changed = Signal()
    """The person ticked something; told once for many ticks that one of them moved."""

    def __init__(self) -> None:
        super().__init__()
        self.setHeaderHidden(True)
        self.setAccessibleName("Libraries and collections to take")
        self.setUniformRowHeights(True)
        self.setTabKeyNavigation(False)
        self.setMinimumHeight(96)
        self.setProperty("role", "list")
        self._told = QTimer(self)
        self._told.setSingleShot(True)
        self._told.timeout.connect(self.changed)
        self.itemChanged.connect(lambda _item, _column: self._told.start(0))

    def show_libraries(
        self, libraries: Sequence[ZoteroLibrary], options: ReadOptions | None = None
    ) -> None:
        """Show other libraries.

        Args:
            libraries: what there is.
            options: what is ticked of it; None for everything.
        """
        self.blockSignals(True)
        self.clear()
        ticked = _ticked(options, libraries)
        tops = [_tree(library, ticked) for library in libraries]
        self.addTopLevelItems(tops)
        for top, library in zip(tops, libraries, strict=True):
            part = top.checkState(0) not in (_ALL, _NONE)
            top.setExpanded(part or len(library.collections) <= _OPEN)
            for item in _below(top):
                if item.checkState(0) not in (_ALL, _NONE):
                    item.setExpanded(True)
        if tops:
            self.setCurrentItem(tops[0])
        self.blockSignals(False)

    def options(self, *, group_names: bool = False) -> ReadOptions | None:
        """What is ticked; None where nothing is."""
        tops = [self.topLevelItem(n) for n in range(self.topLevelItemCount())]
        ticked = [one for one in tops if one is not None and one.checkState(0) != _NONE]
        if not ticked:
            return None
        if len(ticked) == len(tops) and all(one.checkState(0) == _ALL for one in ticked):
            return ReadOptions(zotero_group_names=group_names)
        whole = tuple(_key(one) for one in ticked if one.checkState(0) == _ALL)
        inside = tuple(
            key for one in ticked if one.checkState(0) != _ALL for key in _whole_inside(one)
        )
        return ReadOptions(
            zotero_libraries=whole, zotero_collections=inside, zotero_group_names=group_names
        )


def _tree(library: ZoteroLibrary, ticked: frozenset[str]) -> QTreeWidgetItem:
    kind = "" if library.name == "user" else "group, "
    top = _item(f"{library.title} ({kind}{count(library.items, 'item')})", library.name)
    known: dict[str, QTreeWidgetItem] = {}
    for key, path, above in library.collections:
        item = _item(path[-1] if path and path[-1].strip() else key, f"{library.name}/{key}")
        item.setToolTip(0, plain_tooltip(" / ".join(path)))
        known[key] = item
        # Below its parent by the parent's key: two collections may have one path.
        known.get(above or "", top).addChild(item)
    if library.name in ticked:
        top.setCheckState(0, _ALL)
    for item in _below(top):
        if _key(item) in ticked:
            item.setCheckState(0, _ALL)
    return top


def _ticked(options: ReadOptions | None, libraries: Sequence[ZoteroLibrary]) -> frozenset[str]:
    """The names of libraries and collections that are to be ticked."""
    chosen = options or ReadOptions()
    names = {*chosen.zotero_libraries, *chosen.zotero_collections}
    if not names or "all" in names:
        return frozenset(library.name for library in libraries)
    return frozenset(names)


def _item(text: str, key: str) -> QTreeWidgetItem:
    item = QTreeWidgetItem([text])
    item.setData(0, _KEY, key)
    item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsAutoTristate)
    item.setCheckState(0, _NONE)
    return item


def _key(item: QTreeWidgetItem) -> str:
    return str(item.data(0, _KEY))


def _children(item: QTreeWidgetItem) -> Iterator[QTreeWidgetItem]:
    for number in range(item.childCount()):
        child = item.child(number)
        if child is not None:
            yield child


def _below(item: QTreeWidgetItem) -> Iterator[QTreeWidgetItem]:
    for child in _children(item):
        yield child
        yield from _below(child)


def _whole_inside(item: QTreeWidgetItem) -> list[str]:
    """The keys of the collections below that are ticked whole, those above before those below."""
    found: list[str] = []
    for child in _children(item):
        if child.checkState(0) == _ALL:
            found.append(_key(child))
        elif child.checkState(0) != _NONE:
            found += _whole_inside(child)
    return found
