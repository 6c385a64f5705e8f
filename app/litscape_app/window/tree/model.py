"""The library's places as a tree for Qt: groups, collections, tags, saved searches."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QMimeData,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from litscape_app.window import scope as places
from litscape_app.window.listing import MOST_BY_MEANING
from litscape_app.window.table.model import MIME as PAPERS
from litscape_app.window.words import count, plain_tooltip

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from litscape.outline import Outline
    from litscape.store.saved import SavedSearch
    from litscape_app.window.scope import Scope

COLLECTION_MIME = "application/x-litscape-collection"
Index = QModelIndex | QPersistentModelIndex
NODE = Qt.ItemDataRole.UserRole
TAKING = ("collection", "tag", "list", "trash")
"""Places that papers can be dropped on."""
_NOWHERE = QModelIndex()


@dataclass(eq=False)
class Node:
    """One line of the tree: a place, or a heading over places (``scope`` None).

    Attributes:
        colour: number of the colour of a topic's dot; None for an icon.
        act: what a line does that is neither.
        folded: whether what is below it is hidden at first.
    """

    title: str
    scope: Scope | None = None
    icon: str = ""
    count: int | None = None
    hint: str = ""
    colour: int | None = None
    act: str = ""
    folded: bool = False
    parent: Node | None = None
    children: list[Node] = field(default_factory=list)

    @property
    def key(self) -> tuple[str, object]:
        """What stays the same when the tree is read anew."""
        if self.scope is None:
            return (self.act or "heading", self.title)
        return (self.scope.kind, self.scope.key)

    def add(self, child: Node) -> Node:
        """Put a node below this one."""
        child.parent = self
        self.children.append(child)
        return child

    def walk(self) -> Iterator[Node]:
        """This node and all below it."""
        yield self
        for child in self.children:
            yield from child.walk()


def build(outline: Outline) -> Node:
    """The tree of an outline."""
    root = Node("")
    root.add(Node("All papers", places.ALL, "library", outline.papers))
    if outline.batch is not None:
        scope = places.last_import(outline.batch)
        root.add(Node("Last import", scope, "inbox", outline.batch_papers))
    root.add(Node("Unread", places.UNREAD, "circle", outline.unread))
    hint = "Drop papers here, or press L on them"
    root.add(
        Node("Reading list", places.READING_LIST, "reading-list", outline.listed or None, hint)
    )
    root.add(Node("Trash", places.TRASH, "trash", outline.trashed or None))
    shelves = root.add(Node("Collections", hint="Right-click to make a collection"))
    known: dict[int | None, Node] = {None: shelves}
    for one in outline.collections:
        scope = places.collection(one.id, one.name)
        known[one.id] = known[one.parent_id].add(Node(one.name, scope, "folder", one.count))
    tags = root.add(Node("Tags", hint="Press T on a paper to tag it"))
    for name, number in outline.tags:
        tags.add(Node(name, places.tag(name), "tag", number))
    saved = root.add(Node("Saved searches", hint="Save a search from the line above the list"))
    for search in outline.saved:
        scope = places.saved_search(search.name, search.query, search.mode)
        saved.add(Node(search.name, scope, "bookmark", hint=_of_search(search)))
    if outline.papers:
        root.add(topics_node(outline))
    return root


FIND_TOPICS = "find-topics"
"""The line that finds topics where there are none."""


def topics_node(outline: Outline) -> Node:
    """The heading over topics and what is below it."""
    head = Node("Topics", hint=outline.about_topics or "What papers have in common")
    if not outline.topics:
        hint = "Part the papers into topics by what they say"
        head.add(Node("Find topics", icon="similar", hint=hint, act=FIND_TOPICS))
    known: dict[int | None, Node] = {None: head}
    for one in outline.topics:
        above = known.get(one.parent)
        if above is None:
            continue
        hint = ", ".join(one.terms) or one.name
        colour = one.colour if above.colour is None else above.colour
        scope = places.topic(one.id, one.name)
        node = Node(one.name, scope, "", one.size, hint, colour=colour, folded=True)
        known[one.id] = above.add(node)
    if outline.topicless and outline.topics:
        share = outline.topicless / outline.papers
        said = f"{share:.0%} of the papers" if share >= 0.01 else "Under 1% of the papers"
        scope = places.topic(0, "Without a topic")
        hint = f"{said}. {outline.about_topics}"
        head.add(Node(scope.title, scope, "", outline.topicless, hint, colour=-1))
    return head


def _of_search(search: SavedSearch) -> str:
    """The query, and what its number counts; by meaning there is none: all is a little like it."""
    if search.mode == "lexical":
        return f"{search.query}\nThe number counts the papers that have its words"
    return f"{search.query}\nBy meaning: lists the nearest papers, {MOST_BY_MEANING} at most"


class TreeModel(QAbstractItemModel):
    """Shows a :class:`Node` tree; takes papers and collections that are dropped on it."""

    papers_dropped = Signal(object, object)
    """Ids and the :class:`Scope` that they were dropped on."""
    collection_dropped = Signal(int, object)
    """A collection's id and its new parent's, None for the top."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.root = Node("")

    def show(self, root: Node) -> None:
        """Show another tree."""
        self.beginResetModel()
        self.root = root
        self.endResetModel()

    def node(self, index: Index) -> Node:
        """The node of an index; the root for an invalid one."""
        if not index.isValid():
            return self.root
        found = index.internalPointer()
        assert isinstance(found, Node)
        return found

    def index_of(self, node: Node) -> QModelIndex:
        """The index of a node."""
        if node.parent is None:
            return QModelIndex()
        return self.createIndex(node.parent.children.index(node), 0, node)

    def find(self, key: tuple[str, object]) -> QModelIndex:
        """The index of the node with a key, invalid where there is none."""
        found = next((node for node in self.root.walk() if node.key == key), None)
        return QModelIndex() if found is None else self.index_of(found)

    def show_counts(self, counts: Mapping[str, int]) -> None:
        """Show how many papers saved searches find, by their names; others lose their number."""
        for node in self.root.walk():
            if node.scope is not None and node.scope.kind == "search":
                node.count = counts.get(node.title)
                place = self.index_of(node)
                self.dataChanged.emit(place, place)

    # -- Qt's questions ----------------------------------------------------------------------

    def index(self, row: int, column: int, parent: Index = _NOWHERE) -> QModelIndex:
        """The index of a child."""
        children = self.node(parent).children
        if column != 0 or not 0 <= row < len(children):
            return QModelIndex()
        return self.createIndex(row, 0, children[row])

    def parent(self, index: Index) -> QModelIndex:  # type: ignore[override]
        """The index above."""
        above = self.node(index).parent
        return QModelIndex() if above is None else self.index_of(above)

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """Children."""
        return len(self.node(parent).children)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        """One."""
        return 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Title, tooltip, accessible text, or the node."""
        node = self.node(index)
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return node.title
        if role == NODE:
            return node
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tooltip(node.hint or node.title)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return (
                node.title if node.count is None else f"{node.title}, {count(node.count, 'paper')}"
            )
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Headings only fold; collections move; most places take papers."""
        node = self.node(index)
        flag = Qt.ItemFlag
        if node is self.root:
            return flag.ItemIsDropEnabled
        if node.act:
            return flag.ItemIsEnabled | flag.ItemIsSelectable
        if node.scope is None:
            drop = flag.ItemIsDropEnabled if node.title == "Collections" else flag(0)
            return flag.ItemIsEnabled | drop
        flags = flag.ItemIsEnabled | flag.ItemIsSelectable
        if node.scope.kind == "collection":
            flags |= flag.ItemIsDragEnabled | flag.ItemIsDropEnabled
        if node.scope.kind in TAKING:
            flags |= flag.ItemIsDropEnabled
        return flags

    def supportedDropActions(self) -> Qt.DropAction:
        """Papers are put in (copied), collections moved."""
        return Qt.DropAction.CopyAction | Qt.DropAction.MoveAction

    def mimeTypes(self) -> list[str]:
        """Papers and collections."""
        return [PAPERS, COLLECTION_MIME]

    def mimeData(self, indexes: Iterable[QModelIndex]) -> QMimeData:
        """The dragged collection's id."""
        data = QMimeData()
        for index in indexes:
            scope = self.node(index).scope
            if scope is not None and scope.kind == "collection":
                data.setData(COLLECTION_MIME, str(scope.key).encode())
        return data

    def canDropMimeData(
        self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index
    ) -> bool:
        """Papers on places that hold papers, collections on others but not below themselves."""
        node = self.node(parent)
        if data.hasFormat(PAPERS):
            return node.scope is not None and node.scope.kind in TAKING
        if not data.hasFormat(COLLECTION_MIME):
            return False
        if node.scope is None:
            return node.title == "Collections"
        moved = _number(data, COLLECTION_MIME)
        above: Node | None = node
        while above is not None:
            if above.scope is not None and above.scope.key == moved:
                return False
            above = above.parent
        return node.scope.kind == "collection"

    def dropMimeData(
        self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index
    ) -> bool:
        """Tell what was dropped where; nothing moves until the library says so."""
        if not self.canDropMimeData(data, action, row, column, parent):
            return False
        scope = self.node(parent).scope
        if data.hasFormat(PAPERS):
            text = bytes(data.data(PAPERS).data()).decode()
            self.papers_dropped.emit(tuple(int(part) for part in text.split(",") if part), scope)
        else:
            target = None if scope is None else scope.key
            self.collection_dropped.emit(_number(data, COLLECTION_MIME), target)
        return False


def _number(data: QMimeData, kind: str) -> int:
    return int(bytes(data.data(kind).data()).decode() or 0)
