"""What stands in a database of Mendeley Desktop (schemas of 1.0 to 1.18), as rows by document.

Only ``Documents`` and ``DocumentContributors`` are always there; every other table or column may be
missing. Truth is written as 1 or as ``true``. Nothing of the trash is ever among the rows.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from litscape.errors import UserError

if TYPE_CHECKING:
    from pathlib import Path

    from litscape.store.foreign import ForeignDatabase

MENDELEY_TABLES = frozenset({"Documents", "DocumentContributors"})
"""By these a database is known as Mendeley's."""
_NEEDED = {"Documents": {"id", "title"}, "DocumentContributors": {"documentId", "lastName"}}
_TRUE = frozenset({"1", "true"})


def not_mendeleys(location: Path) -> str:
    """What is said of a database that is another program's."""
    return f"{location} is an SQLite database, but not one of Mendeley Desktop."


@dataclass(frozen=True, slots=True)
class FolderRow:
    """One folder; ``parent`` is None at the top, ``group`` is the group that it belongs to."""

    id: int
    name: str
    parent: int | None
    group: int | None


def text_of(value: Any) -> str:
    """A value as text; addresses are kept as bytes by some versions."""
    if value is None:
        return ""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def is_true(value: Any) -> bool:
    """Whether a flag is set."""
    return text_of(value).strip().lower() in _TRUE


class MendeleyTables:
    """The rows of one Mendeley database."""

    def __init__(self, database: ForeignDatabase) -> None:
        """Raises ``UserError`` where the database is not Mendeley's."""
        self._db = database
        if any(not database.columns(name) >= needed for name, needed in _NEEDED.items()):
            raise UserError(not_mendeleys(database.location))

    def _has(self, table: str, *columns: str) -> bool:
        return self._db.has(table) and self._db.columns(table).issuperset(columns)

    def documents(self) -> list[tuple[int, dict[str, str]]]:
        """All documents that are not in the trash: id, and every column that says something."""
        columns = sorted(self._db.columns("Documents"))
        listed = ", ".join('"' + name.replace('"', '""') + '"' for name in columns)
        gone = self._trash()
        found = []
        for row in self._db.rows(f"SELECT id, {listed} FROM Documents ORDER BY id"):
            values = dict(zip(columns, row[1:], strict=True))
            if row[0] not in gone and not is_true(values.get("deletionPending")):
                texts = {name: text_of(value) for name, value in values.items()}
                found.append((row[0], {name: t for name, t in texts.items() if t.strip()}))
        return found

    def _trash(self) -> set[int]:
        if not self._has("RemoteDocuments", "documentId", "inTrash"):
            return set()
        rows = self._db.rows("SELECT documentId, inTrash FROM RemoteDocuments")
        return {row[0] for row in rows if is_true(row[1])}

    def groups(self) -> dict[int, str]:
        """The names of groups; 0 is the user's own library."""
        if not self._has("Groups", "id", "name"):
            return {}
        rows = self._db.rows("SELECT id, name FROM Groups WHERE id <> 0")
        return {row[0]: text_of(row[1]) or f"Group {row[0]}" for row in rows}

    def of_groups(self) -> dict[int, int]:
        """The groups that documents belong to; those of the user's own library are not there."""
        return self._belonging("RemoteDocuments", "documentId")

    def _belonging(self, table: str, column: str) -> dict[int, int]:
        if not self._has(table, column, "groupId"):
            return {}
        rows = self._db.rows(f"SELECT {column}, groupId FROM {table} WHERE groupId > 0")
        return {row[0]: row[1] for row in rows}

    def folders(self) -> list[FolderRow]:
        """All folders; at the top the parent is 0, -1 or nothing."""
        if not self._has("Folders", "id", "name"):
            return []
        parent = "parentId" if self._has("Folders", "parentId") else "NULL"
        groups = self._belonging("RemoteFolders", "folderId")
        rows = self._db.rows(f"SELECT id, name, {parent} FROM Folders ORDER BY id")
        return [
            FolderRow(
                row[0],
                " ".join(text_of(row[1]).split()) or f"Folder {text_of(row[0])}",
                row[2] if isinstance(row[2], int) and row[2] > 0 else None,
                groups.get(row[0]),
            )
            for row in rows
        ]

    def memberships(self) -> dict[int, list[int]]:
        """The folders that documents are in."""
        found: dict[int, list[int]] = defaultdict(list)
        if self._has("DocumentFolders", "documentId", "folderId"):
            for document, folder in self._db.rows(
                "SELECT documentId, folderId FROM DocumentFolders ORDER BY documentId, folderId"
            ):
                found[document].append(folder)
        return found

    def people(self) -> dict[int, list[tuple[str, str, str]]]:
        """The contributors of documents in order: contribution, last name, first names."""
        columns = self._db.columns("DocumentContributors")
        part = "contribution" if "contribution" in columns else "'DocumentAuthor'"
        given = "firstNames" if "firstNames" in columns else "''"
        order = "id" if "id" in columns else "documentId"
        found: dict[int, list[tuple[str, str, str]]] = defaultdict(list)
        for row in self._db.rows(
            f"SELECT documentId, {part}, lastName, {given} FROM DocumentContributors"
            f" ORDER BY {order}"
        ):
            found[row[0]].append((text_of(row[1]), text_of(row[2]), text_of(row[3])))
        return found

    def keywords(self) -> dict[int, list[str]]:
        """The authors' keywords of documents."""
        return self._texts("DocumentKeywords", "keyword")

    def tags(self) -> dict[int, list[str]]:
        """The user's tags."""
        return self._texts("DocumentTags", "tag")

    def urls(self) -> dict[int, list[str]]:
        """Addresses of documents, the first one first."""
        return self._texts("DocumentUrls", "url", "position")

    def notes(self) -> dict[int, list[str]]:
        """Notes on documents, as HTML."""
        return self._texts("DocumentNotes", "text")

    def _texts(self, table: str, column: str, order: str = "") -> dict[int, list[str]]:
        found: dict[int, list[str]] = defaultdict(list)
        if self._has(table, "documentId", column):
            by = f", {order}" if order and self._has(table, order) else ""
            for document, value in self._db.rows(
                f"SELECT documentId, {column} FROM {table} ORDER BY documentId{by}"
            ):
                if text := text_of(value):
                    found[document].append(text)
        return found

    def file_notes(self) -> dict[int, list[tuple[str, str]]]:
        """Notes at places in files: page and text."""
        found: dict[int, list[tuple[str, str]]] = defaultdict(list)
        if self._has("FileNotes", "documentId", "note", "page"):
            for document, page, note in self._db.rows(
                "SELECT documentId, page, note FROM FileNotes ORDER BY documentId, page"
            ):
                found[document].append((text_of(page), text_of(note)))
        return found

    def highlights(self) -> int:
        """How many marked places there are; what is written there stands in the files only."""
        if not self._db.has("FileHighlights"):
            return 0
        return int(self._db.rows("SELECT count(*) FROM FileHighlights")[0][0])

    def files(self) -> dict[int, list[str]]:
        """The addresses of documents' files; empty where Mendeley did not fetch the file."""
        found: dict[int, list[str]] = defaultdict(list)
        if self._has("DocumentFiles", "documentId", "hash"):
            has_place = self._has("Files", "hash", "localUrl")
            place = "f.localUrl" if has_place else "''"
            join = "LEFT JOIN Files f ON f.hash = d.hash" if has_place else ""
            for document, address in self._db.rows(
                f"SELECT d.documentId, {place} FROM DocumentFiles d {join} ORDER BY d.documentId"
            ):
                found[document].append(text_of(address))
        return found

    def references(self) -> dict[int, list[int]]:
        """The documents that documents cite."""
        found: dict[int, list[int]] = defaultdict(list)
        if self._has("DocumentReferences", "documentId", "referencedDocumentId"):
            for document, cited in self._db.rows(
                "SELECT documentId, referencedDocumentId FROM DocumentReferences ORDER BY 1, 2"
            ):
                found[document].append(cited)
        return found
