"""The database of Mendeley Desktop, read from a private copy and never written."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from litscape.errors import UserError
from litscape.importers.base import Before, Found, StillThere
from litscape.importers.mendeley_fields import MendeleyDocument, draft_of
from litscape.importers.zotero_scope import paths
from litscape.paper import ImportProblem, PaperDraft
from litscape.store.foreign import MAGIC, private_copy, refuse_damaged, tables_of
from litscape.store.mendeley import MENDELEY_TABLES, MendeleyTables, is_true, not_mendeleys

if TYPE_CHECKING:
    from collections.abc import Iterator

    from litscape.importers.base import ReadOptions, Told

_ENDS = (".sqlite", ".sqlite3", ".db")
_CONTROLS = frozenset(range(9)) | frozenset(range(14, 27)) | frozenset(range(28, 32))
_OFTEN = 100


class MendeleyReader:
    """Opens the ``….sqlite`` of Mendeley Desktop."""

    kind = "mendeley"
    title = "Mendeley database"

    def recognises(self, location: str, head: bytes) -> bool:
        """A database with Mendeley's tables, or one that nobody but its program can read."""
        if head.startswith(MAGIC):
            return tables_of(Path(location)) >= MENDELEY_TABLES
        return _is_encrypted(location, head)

    def open(self, location: str, options: ReadOptions) -> MendeleyDatabase:
        """Open a database; it is copied when it is read.

        Raises:
            UserError: it is encrypted, or another program's.
        """
        path = Path(location).absolute()
        if not path.exists():
            raise UserError(f"There is no file {path}.")
        try:
            with path.open("rb") as file:
                head = file.read(1024)
        except OSError as error:
            raise UserError(f"{path} can't be read: {error.strerror or error}.") from error
        if _is_encrypted(location, head):
            raise UserError(
                f"{path} is encrypted, or no SQLite database at all. Mendeley Desktop 1.19 and "
                "later encrypt their database: in Mendeley, choose File, Export as BibTeX or RIS, "
                "and import that file."
            )
        if head.startswith(MAGIC):
            refuse_damaged(path)
        if not head.startswith(MAGIC) or not tables_of(path) >= MENDELEY_TABLES:
            raise UserError(not_mendeleys(path) if head.startswith(MAGIC) else _no_database(path))
        return MendeleyDatabase(path)


def _no_database(path: Path) -> str:
    return f"{path} is no SQLite database, and so not one of Mendeley Desktop."


def _is_encrypted(location: str, head: bytes) -> bool:
    """Whether a file is called a database and begins with what is neither one nor text."""
    if head.startswith(MAGIC) or not location.lower().endswith(_ENDS):
        return False
    return sum(byte in _CONTROLS for byte in head) > max(4, len(head) // 50)


@dataclass(frozen=True, slots=True)
class MendeleyDatabase:
    """A Mendeley database that is to be read."""

    path: Path
    kind: str = MendeleyReader.kind
    title: str = MendeleyReader.title
    encoding: str = "utf-8"
    guessed: bool = False
    state: str | None = None

    @property
    def location(self) -> str:
        """The database's path."""
        return str(self.path)

    def read(self, progress: Told | None = None, before: Before | None = None) -> Iterator[Found]:
        """Yield every document that is not in the trash, and what is to be said of them."""
        done, total = 0, 0

        def tick() -> None:
            if progress:
                progress(done, max(done, total))

        with private_copy(self.path, tick) as copy:
            content = _Content(MendeleyTables(copy))
            total = len(content.documents)
            for document in content.documents:
                draft = draft_of(document, done)
                done += 1
                if done % _OFTEN == 1:
                    tick()
                yield draft
                if draft.title is None:
                    yield self._untitled(draft)
            yield from content.remarks()

    def _untitled(self, draft: PaperDraft) -> ImportProblem:
        return ImportProblem(
            "missing-title",
            "warning",
            "The document has no title in Mendeley.",
            citekey=draft.citekey,
            index=draft.index,
            raw=draft.raw,
            source=self.location,
        )

    def beginning(self) -> Iterator[PaperDraft | ImportProblem]:
        """Yield the first documents."""
        for found in self.read():
            if not isinstance(found, StillThere):
                yield found


class _Content:
    """The documents of a database, put together from its tables."""

    def __init__(self, tables: MendeleyTables) -> None:
        rows = tables.documents()
        by_id = {number: MendeleyDocument(columns) for number, columns in rows}
        self.documents = list(by_id.values())
        self._highlights = tables.highlights()
        self._unsure = sum(not is_true(columns.get("confirmed", "1")) for _, columns in rows)
        groups, folders = tables.groups(), self._folders(tables)
        parts = (
            *("people", "keywords", "tags", "urls", "notes"),
            *("file_notes", "files"),
        )
        for name in parts:
            for number, values in getattr(tables, name)().items():
                if number in by_id:
                    setattr(by_id[number], name, values)
        for number, group in tables.of_groups().items():
            if number in by_id:
                by_id[number].group = groups.get(group, f"Group {group}")
        for number, inside in tables.memberships().items():
            if number in by_id:
                by_id[number].folders = [folders[one] for one in inside if one in folders]
        for number, cited in tables.references().items():
            if number in by_id:
                names = [by_id[one].name for one in cited if one in by_id]
                by_id[number].cites = [name for name in names if name]

    @staticmethod
    def _folders(tables: MendeleyTables) -> dict[int, tuple[str, ...]]:
        """The path of each folder; those of a group are below one with the group's name."""
        rows, groups = tables.folders(), tables.groups()
        parents = {str(one.id): str(one.parent) if one.parent else None for one in rows}
        found = paths({str(one.id): one.name for one in rows}, parents)
        tops = {
            one.id: (groups.get(one.group, f"Group {one.group}"),) if one.group else ()
            for one in rows
        }
        return {one.id: (*tops[one.id], *found[str(one.id)]) for one in rows}

    def remarks(self) -> Iterator[ImportProblem]:
        """What of the library does not come in, or should be looked at."""
        if self._highlights:
            number = self._highlights
            yield ImportProblem(
                "annotations-left-out",
                "note",
                f"{number:,} highlighted place{'' if number == 1 else 's'} in files "
                f"stay{'s' if number == 1 else ''} in Mendeley: only their positions are in the "
                "database, not their words.",
            )
        if self._unsure:
            number = self._unsure
            yield ImportProblem(
                "unconfirmed-details",
                "note",
                f"{number:,} document{' is' if number == 1 else 's are'} marked in Mendeley as "
                "needing review: nobody has confirmed the details that it read from the file.",
            )
