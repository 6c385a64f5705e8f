"""What stands in a Zotero database (user data 75 and later, Zotero 5 to 10), as rows by library.

Tables that came late (``deletedCollections``, ``itemAnnotations``, ``retractedItems``) may be
missing. Nothing of the trash is ever among the rows.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from litscape.errors import UserError

if TYPE_CHECKING:
    from pathlib import Path

    from litscape.store.foreign import ForeignDatabase

ZOTERO_TABLES = frozenset({"items", "itemTypes", "itemData", "itemDataValues", "libraries"})
"""By these a database is known as Zotero's (or Juris-M's)."""
_NEEDED = (
    *("items", "itemTypes", "itemData", "itemDataValues", "libraries", "fields", "creators"),
    *("itemCreators", "collections", "collectionItems", "itemTags", "tags", "deletedItems"),
    *("itemNotes", "itemAttachments"),
)
_LIVE = "i.libraryID = ? AND i.itemID NOT IN (SELECT itemID FROM deletedItems)"
_NO_PAPERS = "('attachment', 'note', 'annotation')"


def not_zoteros(location: Path) -> str:
    """What is said of a database that is another program's."""
    return (
        f"{location} is an SQLite database, but not Zotero's: a Zotero library is the file "
        "zotero.sqlite in Zotero's data folder."
    )


@dataclass(frozen=True, slots=True)
class LibraryRow:
    """One library: the group's id is None for the user's own; ``items`` counts works."""

    id: int
    group: int | None
    title: str
    items: int


@dataclass(frozen=True, slots=True)
class CollectionRow:
    """One collection that is not in the trash, nor below one that is."""

    id: int
    key: str
    name: str
    parent: int | None


@dataclass(frozen=True, slots=True)
class ItemRow:
    """One item of any type, with the ids of what it belongs to."""

    id: int
    key: str
    type: str
    added: str


@dataclass(frozen=True, slots=True)
class AttachmentRow:
    """What is special to an attachment; ``parent`` is None where it hangs on nothing."""

    parent: int | None
    mode: int
    mime: str
    path: str


def _whole(value: object) -> int:
    """A number; 0 for what is none, as a damaged or foreign database may have it."""
    return value if isinstance(value, int) else 0


class ZoteroTables:
    """The rows of one Zotero database."""

    def __init__(self, database: ForeignDatabase) -> None:
        """Raises ``UserError`` where the database is not Zotero's, or of Zotero 4."""
        self._db = database
        if not database.has(*_NEEDED):
            raise UserError(not_zoteros(database.location))
        if "type" not in database.columns("libraries"):
            raise UserError(
                f"{database.location} was written by Zotero 4 or older. Open it once in a current "
                "Zotero, which brings it up to date, and import it then."
            )

    def libraries(self) -> list[LibraryRow]:
        """The user's library and those of groups; feeds are none."""
        groups = (
            "groups"
            if self._db.has("groups")
            else "(SELECT 0 AS libraryID, 0 AS groupID, '' AS name)"
        )
        rows = self._db.rows(
            "SELECT l.libraryID, l.type, g.groupID, g.name,"
            " (SELECT count(*) FROM items i LEFT JOIN itemTypes t USING (itemTypeID)"
            "  WHERE i.libraryID = l.libraryID"
            "  AND i.itemID NOT IN (SELECT itemID FROM deletedItems)"
            f"  AND ifnull(t.typeName, '') NOT IN {_NO_PAPERS})"
            f" FROM libraries l LEFT JOIN {groups} g ON g.libraryID = l.libraryID"
            " WHERE l.type = 'user' OR (l.type = 'group' AND g.groupID IS NOT NULL)"
            " ORDER BY l.type <> 'user', l.libraryID"
        )
        return [
            LibraryRow(int(row[0]), None, "My Library", int(row[4]))
            if row[1] == "user"
            else LibraryRow(int(row[0]), _whole(row[2]), str(row[3]), int(row[4]))
            for row in rows
        ]

    def collections(self, library: int) -> list[CollectionRow]:
        """The collections of a library."""
        rows = self._db.rows(
            "SELECT collectionID, key, collectionName, parentCollectionID FROM collections"
            " WHERE libraryID = ? ORDER BY collectionID",
            library,
        )
        gone: set[int] = set()
        if self._db.has("deletedCollections"):
            gone = {row[0] for row in self._db.rows("SELECT collectionID FROM deletedCollections")}
        parents = {row[0]: row[3] for row in rows}
        found = []
        for row in rows:
            at, met = row[0], set[int]()
            while at is not None and at not in met and at not in gone:
                met.add(at)
                at = parents.get(at)
            if at not in gone:
                found.append(CollectionRow(row[0], str(row[1]), str(row[2]), row[3]))
        return found

    def items(self, library: int) -> list[ItemRow]:
        """All items of a library that are not in the trash, in the order in which they came."""
        rows = self._db.rows(
            "SELECT i.itemID, i.key, ifnull(t.typeName, 'document'), i.dateAdded FROM items i"
            f" LEFT JOIN itemTypes t USING (itemTypeID) WHERE {_LIVE} ORDER BY i.itemID",
            library,
        )
        return [ItemRow(row[0], str(row[1]), str(row[2]), str(row[3] or "")) for row in rows]

    def fields(self, library: int) -> dict[int, dict[str, str]]:
        """The fields of items, by their names."""
        names = "fieldsCombined" if self._db.has("fieldsCombined") else "fields"
        rows = self._db.rows(
            "SELECT d.itemID, f.fieldName, v.value FROM itemData d JOIN items i USING (itemID)"
            f" JOIN {names} f USING (fieldID) JOIN itemDataValues v USING (valueID)"
            f" WHERE {_LIVE} ORDER BY d.itemID, d.fieldID",
            library,
        )
        found: dict[int, dict[str, str]] = defaultdict(dict)
        for item, name, value in rows:
            if value is not None and str(value).strip():
                found[item][str(name)] = str(value)
        return found

    def creators(self, library: int) -> dict[int, list[tuple[str, str, str, bool]]]:
        """The creators of items in order: role, family name, given name, whether in one field."""
        types = (
            "creatorTypes"
            if self._db.has("creatorTypes")
            else "(SELECT 1 AS creatorTypeID, 'author' AS creatorType)"
        )
        rows = self._db.rows(
            "SELECT p.itemID, ifnull(t.creatorType, 'contributor'), c.lastName, c.firstName,"
            " c.fieldMode FROM itemCreators p JOIN items i USING (itemID)"
            f" JOIN creators c USING (creatorID) LEFT JOIN {types} t USING (creatorTypeID)"
            f" WHERE {_LIVE} ORDER BY p.itemID, p.orderIndex",
            library,
        )
        found: dict[int, list[tuple[str, str, str, bool]]] = defaultdict(list)
        for item, role, family, given, mode in rows:
            found[item].append((str(role), str(family or ""), str(given or ""), mode == 1))
        return found

    def tags(self, library: int) -> dict[int, list[tuple[str, bool]]]:
        """The tags of items, and whether each came with the record."""
        rows = self._db.rows(
            "SELECT p.itemID, t.name, p.type FROM itemTags p JOIN items i USING (itemID)"
            f" JOIN tags t USING (tagID) WHERE {_LIVE} ORDER BY p.itemID, t.name",
            library,
        )
        found: dict[int, list[tuple[str, bool]]] = defaultdict(list)
        for item, name, kind in rows:
            found[item].append((str(name), kind == 1))
        return found

    def memberships(self, library: int) -> dict[int, list[int]]:
        """The collections that items are in."""
        rows = self._db.rows(
            "SELECT p.itemID, p.collectionID FROM collectionItems p JOIN items i USING (itemID)"
            f" WHERE {_LIVE} ORDER BY p.itemID, p.collectionID",
            library,
        )
        found: dict[int, list[int]] = defaultdict(list)
        for item, collection in rows:
            found[item].append(collection)
        return found

    def notes(self, library: int) -> dict[int, tuple[int | None, str]]:
        """Of notes, and of attachments with one: what they hang on, and the note as HTML."""
        rows = self._db.rows(
            "SELECT n.itemID, n.parentItemID, n.note FROM itemNotes n JOIN items i USING (itemID)"
            f" WHERE {_LIVE} ORDER BY n.itemID",
            library,
        )
        return {item: (parent, str(note or "")) for item, parent, note in rows}

    def attachments(self, library: int) -> dict[int, AttachmentRow]:
        """Attachments, by their own ids."""
        rows = self._db.rows(
            "SELECT a.itemID, a.parentItemID, a.linkMode, a.contentType, a.path"
            f" FROM itemAttachments a JOIN items i USING (itemID) WHERE {_LIVE} ORDER BY a.itemID",
            library,
        )
        return {
            row[0]: AttachmentRow(row[1], _whole(row[2]), str(row[3] or ""), str(row[4] or ""))
            for row in rows
        }

    def annotations(self, library: int) -> int:
        """How many annotations there are."""
        if not self._db.has("itemAnnotations"):
            return 0
        found = self._db.rows(
            f"SELECT count(*) FROM itemAnnotations a JOIN items i USING (itemID) WHERE {_LIVE}",
            library,
        )
        return int(found[0][0])

    def related(self, library: int) -> dict[int, list[str]]:
        """The addresses of related items."""
        if not self._db.has("itemRelations", "relationPredicates"):
            return {}
        rows = self._db.rows(
            "SELECT r.itemID, r.object FROM itemRelations r JOIN items i USING (itemID)"
            " JOIN relationPredicates p USING (predicateID)"
            f" WHERE p.predicate = 'dc:relation' AND {_LIVE} ORDER BY r.itemID, r.object",
            library,
        )
        found: dict[int, list[str]] = defaultdict(list)
        for item, address in rows:
            found[item].append(str(address))
        return found

    def retracted(self, library: int) -> dict[int, str]:
        """What Zotero knows of the retraction of items, as JSON text."""
        if not self._db.has("retractedItems"):
            return {}
        rows = self._db.rows(
            "SELECT r.itemID, r.data FROM retractedItems r JOIN items i USING (itemID)"
            f" WHERE {_LIVE}",
            library,
        )
        return {row[0]: str(row[1] or "") for row in rows}
