"""Zotero's own database, read from a private copy: also while Zotero runs, and never written."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from litscape.errors import UserError
from litscape.importers.base import Before, Found, StillThere
from litscape.importers.zotero_fields import drafts, related_key
from litscape.importers.zotero_files import ZoteroFiles
from litscape.importers.zotero_find import DATABASE, of_database
from litscape.importers.zotero_items import (
    NO_PAPERS,
    Attachment,
    Creator,
    LinkMode,
    ZoteroItem,
)
from litscape.importers.zotero_loose import annotations_left, collections_gone, loose
from litscape.importers.zotero_scope import Scope, below, in_order, library_name, paths
from litscape.paper import ImportProblem, PaperDraft
from litscape.store.foreign import MAGIC, private_copy, tables_of
from litscape.store.zotero import ZOTERO_TABLES, ZoteroTables, not_zoteros

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from litscape.importers.base import ReadOptions, Told
    from litscape.store.zotero import AttachmentRow, ItemRow, LibraryRow


class ZoteroDatabaseReader:
    """Opens ``zotero.sqlite``, or the data folder that it lies in."""

    kind = "zotero"
    title = "Zotero database"

    def recognises(self, location: str, head: bytes) -> bool:
        """A database with Zotero's tables, or a folder that has one."""
        with suppress(OSError, ValueError):
            if not head:
                return (Path(location) / DATABASE).is_file()
            return head.startswith(MAGIC) and (
                Path(location).name == DATABASE or tables_of(Path(location)) >= ZOTERO_TABLES
            )
        return False

    def open(self, location: str, options: ReadOptions) -> ZoteroDatabase:
        """Open a database; it is copied when it is read.

        Raises:
            UserError: it is another program's, or an option names no library.
        """
        path = Path(location).absolute()
        path = path / DATABASE if path.is_dir() else path
        tables = tables_of(path)
        if tables and not tables >= ZOTERO_TABLES:
            raise UserError(not_zoteros(path))
        return ZoteroDatabase(path, Scope.of(options))


@dataclass(frozen=True, slots=True)
class ZoteroLibrary:
    """A library to choose: its name, what a person calls it, how many works it has.

    ``collections`` are key, path and key of the parent, those above before those below.
    """

    name: str
    title: str
    items: int
    collections: tuple[tuple[str, tuple[str, ...], str | None], ...] = ()


def libraries(database: Path) -> tuple[ZoteroLibrary, ...]:
    """What there is to choose from in a database.

    Raises:
        UserError: it is no Zotero database, or can't be read.
    """
    with private_copy(database.absolute()) as copy:
        tables = ZoteroTables(copy)
        found = []
        for row in tables.libraries():
            tree = _Collections(tables, row.id)
            listed = tuple(in_order(tree.paths, tree.parents))
            found.append(ZoteroLibrary(library_name(row.group), row.title, row.items, listed))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class ZoteroDatabase:
    """A Zotero database that is to be read."""

    path: Path
    scope: Scope = field(default_factory=Scope)
    kind: str = ZoteroDatabaseReader.kind
    title: str = ZoteroDatabaseReader.title
    encoding: str = "utf-8"
    guessed: bool = False
    state: str | None = None

    @property
    def location(self) -> str:
        """The database's path."""
        return str(self.path)

    def read(self, progress: Told | None = None, before: Before | None = None) -> Iterator[Found]:
        """Yield the items of the chosen libraries, and which of the others still stand."""
        known = before.keys if before else frozenset()
        total, done = 0, 0

        def tick() -> None:
            if progress:
                progress(done, max(done, total))

        with private_copy(self.path, tick) as copy:
            tables = ZoteroTables(copy)
            rows = {library_name(row.group): row for row in tables.libraries()}
            chosen = self.scope.chosen(rows, self.location)
            place = of_database(self.path)
            files = ZoteroFiles(self.path.parent, place.base)
            total = sum(rows[name].items for name in chosen)
            for name in chosen:
                top = self.scope.top(name, rows[name].title)
                content = _Content(tables, rows[name], top, tick)
                taken, others = content.divided(self.scope.within(name))
                yield from (StillThere(key, counted=False) for key in others if key in known)
                for found in drafts(taken, files, self.location, done):
                    done += isinstance(found, PaperDraft)
                    if done % 100 == 1:
                        tick()
                    yield found
                yield from content.remarks(self.scope.within(name))
        for key in known:
            if key.rpartition(":")[0] not in chosen:
                yield StillThere(key, counted=False)

    def beginning(self) -> Iterator[PaperDraft | ImportProblem]:
        """Yield the first items."""
        for found in self.read():
            if not isinstance(found, StillThere):
                yield found


class _Collections:
    """The collections of a library that are not in the trash."""

    def __init__(self, tables: ZoteroTables, library: int, top: tuple[str, ...] = ()) -> None:
        rows = tables.collections(library)
        self.top = top
        self.keys = {row.id: row.key for row in rows}
        self.parents = {row.key: self.keys.get(row.parent or 0) for row in rows}
        self.paths = paths({row.key: row.name for row in rows}, self.parents, top)


class _Content:
    """One library's items, put together from its tables."""

    def __init__(
        self, tables: ZoteroTables, row: LibraryRow, top: tuple[str, ...], tick: Callable[[], None]
    ) -> None:
        library = row.id
        self._name = library_name(row.group)
        self._title = row.title
        self._tree = _Collections(tables, library, top)
        self._rows = {row.id: row for row in tables.items(library)}
        tick()
        self._fields = tables.fields(library)
        tick()
        self._notes = tables.notes(library)
        self._attachments = tables.attachments(library)
        tick()
        self._annotations = tables.annotations(library)
        self._members = tables.memberships(library)
        self._items = {
            row.id: self._work(row) for row in self._rows.values() if row.type not in NO_PAPERS
        }
        tick()
        self._people(tables, library)
        tick()
        for number, tags in tables.tags(library).items():
            if number in self._items:
                item = self._items[number]
                item.tags += [tag for tag, automatic in tags if not automatic]
                item.automatic_tags += [tag for tag, automatic in tags if automatic]
        for number, addresses in tables.related(library).items():
            if number in self._items:
                self._items[number].related += map(related_key, addresses)
        for number, told in tables.retracted(library).items():
            if number in self._items:
                self._items[number].fields["retracted"] = told or "yes"
        self._hang()

    def _work(self, row: ItemRow) -> ZoteroItem:
        item = ZoteroItem(row.key, self._name, row.type, dict(self._fields.get(row.id, {})))
        if row.added:
            item.fields["dateAdded"] = row.added
        for number in self._members.get(row.id, ()):
            key = self._tree.keys.get(number)
            if key is not None:
                item.collections.append(self._tree.paths[key])
        if self._tree.top and not item.collections:
            item.collections.append(self._tree.top)
        return item

    def _people(self, tables: ZoteroTables, library: int) -> None:
        for number, people in tables.creators(library).items():
            if number in self._items:
                self._items[number].creators = [
                    Creator(role, family, given, whole) for role, family, given, whole in people
                ]

    def _hang(self) -> None:
        """Hang notes and attachments on their items; what hangs on nothing is kept for remarks."""
        self._loose: list[ItemRow] = []
        for number, row in self._rows.items():
            if row.type == "note":
                parent, note = self._notes.get(number, (None, ""))
                self._hang_on(parent, row, note, None)
            elif row.type == "attachment" and number in self._attachments:
                kept = self._attachments[number]
                note = self._notes.get(number, (None, ""))[1]
                self._hang_on(kept.parent, row, note, self._attachment(row, kept))

    def _hang_on(
        self, parent: int | None, row: ItemRow, note: str, attachment: Attachment | None
    ) -> None:
        item = self._items.get(parent or 0)
        if item is None:
            if parent is None:
                self._loose.append(row)
            return
        if note:
            item.notes.append(note)
        if attachment is not None:
            item.attachments.append(attachment)

    def _attachment(self, row: ItemRow, kept: AttachmentRow) -> Attachment:
        fields = self._fields.get(row.id, {})
        mode = LinkMode(kept.mode) if kept.mode in set(LinkMode) else LinkMode.LINKED_URL
        return Attachment(
            row.key, mode, kept.path, fields.get("title", ""), kept.mime, fields.get("url", "")
        )

    def divided(self, chosen: frozenset[str]) -> tuple[list[ZoteroItem], list[str]]:
        """The items to take, and the keys of the records that are not to be."""
        if not chosen:
            return list(self._items.values()), []
        wanted = below(chosen, self._tree.parents)
        taken, others = [], []
        for number, item in self._items.items():
            keys = {self._tree.keys.get(one) for one in self._members.get(number, ())}
            if keys.isdisjoint(wanted):
                others.append(f"{self._name}:{item.key}")
            else:
                taken.append(item)
        return taken, others

    def remarks(self, chosen: frozenset[str]) -> Iterator[ImportProblem]:
        """What of the library comes in with no paper, and what was to be taken and is not there."""
        if chosen:
            yield from collections_gone(chosen - self._tree.parents.keys(), self._title)
            return
        for row in self._loose:
            fields = self._fields.get(row.id, {})
            note = self._notes.get(row.id, (None, ""))[1]
            yield loose(row.key, row.type, fields.get("title", ""), note)
        yield from annotations_left(self._annotations, self._name)
