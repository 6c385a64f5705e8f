"""The library's tree: choose a place, drop papers on it, make, rename, nest and delete."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtWidgets import QAbstractItemView, QTreeView, QWidget

from litscape_app.window.scope import ALL, Scope
from litscape_app.window.tree import acts, topics
from litscape_app.window.tree.delegate import PlaceDelegate
from litscape_app.window.tree.menu import place_menu
from litscape_app.window.tree.model import NODE, Index, Node, TreeModel, build
from litscape_app.window.widgets.basics import ground, vertical

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtGui import QKeyEvent, QPainter, QResizeEvent

    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.paper import LibraryChanges
    from litscape_app.window.session import Session
    from litscape_app.window.theme import Theme

_REFRESH_MS = 80


class PlaceTree(QTreeView):
    """The tree widget; keys act on the chosen place."""

    rename_wanted = Signal()
    delete_wanted = Signal()
    act_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Names of topics are broken anew."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.scheduleDelayedItemsLayout()

    def drawBranches(self, painter: QPainter, rect: QRect, index: Index) -> None:
        """A small arrow before what folds, and nothing else."""
        if self.model().rowCount(index) == 0:
            return
        name = "chevron-down" if self.isExpanded(index) else "chevron-right"
        arrow = self._theme.pixmap(name, 12, "muted", self.devicePixelRatioF())
        heading = self.model().data(index, NODE).scope is None
        drop = 4 if heading else 0
        top = rect.y() + (rect.height() - 12) // 2 + drop
        painter.drawPixmap(rect.right() - 12, top, arrow)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """F2 renames, Delete deletes, Return does what a line says."""
        if event.key() == Qt.Key.Key_F2:
            self.rename_wanted.emit()
        elif event.key() == Qt.Key.Key_Delete:
            self.delete_wanted.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._does_something():
            self.act_wanted.emit()
        else:
            super().keyPressEvent(event)

    def _does_something(self) -> bool:
        node: Node | None = self.model().data(self.currentIndex(), NODE)
        return node is not None and bool(node.act)


class TreePanel(QWidget):
    """Keeps the tree true to the library and tells which place is chosen."""

    chosen = Signal(object)
    """The :class:`Scope` that was chosen by the person."""
    similar_wanted = Signal(int, str)
    """Id and name of the collection to find similar papers for."""
    feed_wanted = Signal(int)
    """Id of the collection that new papers should be like."""
    train_wanted = Signal(str)
    """The path of a collection that a model is to learn from."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        ground(self, "column")
        self.session = session
        self.model = TreeModel(self)
        self.tree = PlaceTree(session.theme)
        self._dress()
        vertical(self, self.tree, margins=(8, 8, 0, 8))
        self._slot = session.slot(self)
        self._slot.done.connect(self._show)
        self._slot.failed.connect(lambda error: session.trouble(error, "Read the tree"))
        self._counts = session.slot(self)
        self._counts.done.connect(self._take_counts)
        self._known: Mapping[str, int] = {}
        self._hues: dict[object, dict[int, int]] = {}
        self.worked_on = session.slot(self)
        self.worked_on.done.connect(lambda found: topics.find_unless_kept(self, *found))
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_REFRESH_MS)
        self._timer.timeout.connect(self.read)
        self.scope = ALL
        self._quiet = False
        self._fresh = True
        session.opened.connect(self._opened)
        session.changed.connect(self._changed)
        session.refreshed.connect(self._timer.start)

    def _dress(self) -> None:
        tree = self.tree
        tree.setModel(self.model)
        tree.setItemDelegate(PlaceDelegate(self.session.theme, tree))
        tree.setAccessibleName("Library")
        tree.setHeaderHidden(True)
        tree.setIndentation(13)
        tree.setRootIsDecorated(True)
        tree.setMouseTracking(True)
        tree.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        tree.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
        tree.setDropIndicatorShown(True)
        tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        tree.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        tree.customContextMenuRequested.connect(self._open_menu)
        tree.selectionModel().currentChanged.connect(self._moved)
        tree.clicked.connect(self._clicked)
        tree.act_wanted.connect(lambda: topics.find(self))
        tree.rename_wanted.connect(lambda: acts.rename(self, self.current()))
        tree.delete_wanted.connect(lambda: acts.delete(self, self.current()))
        self.model.papers_dropped.connect(lambda ids, scope: acts.take_papers(self, ids, scope))
        self.model.collection_dropped.connect(
            lambda one, parent: acts.move_collection(self, one, parent)
        )

    # -- reading -----------------------------------------------------------------------------

    def read(self) -> None:
        """Read the places anew."""
        self.session.read(self._slot, "Read the tree", partial(_read, self._hues))

    def _opened(self) -> None:
        self.scope, self._fresh = ALL, True
        self._known = {}
        self.model.show(Node(""))
        self.read()

    def _changed(self, _changes: LibraryChanges) -> None:
        self._timer.start()

    def _show(self, root: Node) -> None:
        folded = {
            node.key
            for node in self.model.root.walk()
            if node.children and not self.tree.isExpanded(self.model.index_of(node))
        }
        open_ = {node.key for node in self.model.root.walk() if node.children} - folded
        self._quiet = True
        self.model.show(root)
        self.model.show_counts(self._known)
        self._count_saved()
        for node in root.walk():
            shown = node.key in open_ if node.folded else node.key not in folded
            if node.children and shown:
                self.tree.expand(self.model.index_of(node))
        found = self.model.find((self.scope.kind, self.scope.key))
        if not found.isValid() and self.scope.kind == "import":
            found = next(
                (
                    self.model.index_of(node)
                    for node in root.children
                    if node.scope is not None and node.scope.kind == "import"
                ),
                found,
            )
        gone = not found.isValid()
        self.tree.setCurrentIndex(self.model.index(0, 0) if gone else found)
        self._quiet = False
        now = self.model.node(self.tree.currentIndex()).scope
        if now is not None and now != self.scope:
            self.scope = now
            self.chosen.emit(now)

    def _count_saved(self) -> None:
        """Count anew what saved searches find, beside the window."""
        scopes = [node.scope for node in self.model.root.walk() if node.scope is not None]
        saved = [one for one in scopes if one.kind == "search"]
        queries = {one.title: one.query for one in saved if one.mode == "lexical"}
        if queries:
            self.session.read(
                self._counts,
                "Count saved searches",
                lambda library, ctx: _counted(library, queries, ctx),
            )

    def _take_counts(self, counts: Mapping[str, int]) -> None:
        self._known = counts
        self.model.show_counts(counts)

    # -- choosing ----------------------------------------------------------------------------

    def current(self) -> Node:
        """The node that keys and menus act on."""
        return self.model.node(self.tree.currentIndex())

    def show_scope(self, scope: Scope) -> None:
        """Mark a place without telling that it was chosen."""
        self.scope = scope
        found = self.model.find((scope.kind, scope.key))
        if found.isValid():
            self._quiet = True
            self.tree.setCurrentIndex(found)
            self._quiet = False

    def _moved(self, index: QModelIndex, _before: QModelIndex) -> None:
        scope = self.model.node(index).scope
        if scope is not None and not self._quiet and scope != self.scope:
            self.scope = scope
            self.chosen.emit(scope)

    def _clicked(self, index: QModelIndex) -> None:
        node = self.model.node(index)
        if node.act:
            topics.find(self)
        elif node.scope is None:
            self.tree.setExpanded(index, not self.tree.isExpanded(index))
        else:
            self.chosen.emit(node.scope)

    def _open_menu(self, at: QPoint) -> None:
        node = self.model.node(self.tree.indexAt(at))
        place_menu(self, node).exec(self.tree.viewport().mapToGlobal(at))


def _counted(library: Library, queries: Mapping[str, str], ctx: JobContext) -> dict[str, int]:
    counts = {}
    for name, query in queries.items():
        ctx.check()
        counts[name] = library.searcher.count(query)
    return counts


def _read(kept: dict[object, dict[int, int]], library: Library, _ctx: JobContext) -> Node:
    from litscape.maps.hues import hues_of
    from litscape.outline import read_outline

    outline = read_outline(library.database)
    return build(replace(outline, topics=hues_of(library, outline.topics, kept)))
