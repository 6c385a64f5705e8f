from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from litscape.library import Library

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

# The tables as Mendeley Desktop 1.17 makes them, after published readers of its database.
_COLUMNS = (
    "type read deduplicated confirmed favourite deletionPending importer note added abstract"
    " modified articleColumn advisor arxivId applicationNumber privacy title codeNumber code"
    " codeVolume codeSection chapter city citationKey department day edition doi counsel committee"
    " dateAccessed country internationalNumber internationalAuthor internationalUserType"
    " internationalTitle genre institution hideFromMendeleyWebIndex legalStatus lastUpdate medium"
    " length issn isbn language issue pmid publicLawNumber publication originalPublication month"
    " pages owner seriesEditor sections seriesNumber series reprintEdition publisher revisionNumber"
    " reviewedArticle userType year volume shortTitle session sourceType"
)
_SCHEMA = f"""
CREATE TABLE Documents (id INTEGER PRIMARY KEY AUTOINCREMENT, uuid VARCHAR NOT NULL UNIQUE,
  {", ".join(_COLUMNS.split())});
CREATE TABLE DocumentContributors (id INTEGER PRIMARY KEY, documentId INTEGER NOT NULL,
  contribution VARCHAR NOT NULL, firstNames VARCHAR, lastName VARCHAR NOT NULL);
CREATE TABLE DocumentKeywords (documentId INTEGER, keyword VARCHAR,
  PRIMARY KEY (documentId, keyword));
CREATE TABLE DocumentTags (documentId INTEGER, tag VARCHAR, PRIMARY KEY (documentId, tag));
CREATE TABLE DocumentUrls (documentId INTEGER, position INTEGER, url VARCHAR);
CREATE TABLE DocumentNotes (id INTEGER PRIMARY KEY, uuid VARCHAR, documentId INTEGER, text VARCHAR,
  baseNote VARCHAR, unlinked BOOLEAN);
CREATE TABLE DocumentFolders (documentId INTEGER, folderId INTEGER, status VARCHAR);
CREATE TABLE DocumentReferences (documentId INTEGER, referencedDocumentId INTEGER);
CREATE TABLE Folders (id INTEGER PRIMARY KEY, uuid VARCHAR, name VARCHAR, parentId INTEGER);
CREATE TABLE RemoteFolders (folderId INTEGER PRIMARY KEY, remoteUuid VARCHAR, groupId INTEGER);
CREATE TABLE DocumentFiles (documentId INTEGER, hash VARCHAR, remoteFileUuid VARCHAR);
CREATE TABLE Files (hash VARCHAR PRIMARY KEY, localUrl VARCHAR);
CREATE TABLE FileNotes (id INTEGER PRIMARY KEY, documentId INTEGER, page INTEGER, note VARCHAR);
CREATE TABLE FileHighlights (id INTEGER PRIMARY KEY, documentId INTEGER, fileHash VARCHAR);
CREATE TABLE Groups (id INTEGER PRIMARY KEY, name VARCHAR);
CREATE TABLE RemoteDocuments (documentId INTEGER, remoteUuid VARCHAR, groupId INTEGER,
  inTrash BOOLEAN);
INSERT INTO Groups VALUES (0, ''), (3, 'Mud lab');
"""


@dataclass
class Maker:
    """Writes a Mendeley database."""

    file: Path
    _next: int = 0

    def run(self, script: str) -> None:
        with closing(sqlite3.connect(self.file)) as connection:
            connection.executescript(script)

    def add(self, table: str, **values: Any) -> int:
        names, marks = ", ".join(values), ", ".join("?" * len(values))
        with closing(sqlite3.connect(self.file)) as connection, connection:
            sql = f"INSERT INTO {table} ({names}) VALUES ({marks})"
            return int(connection.execute(sql, tuple(values.values())).lastrowid or 0)

    def document(self, title: str | None, group: int = 0, **columns: Any) -> int:
        self._next += 1
        told = {"type": "JournalArticle", "confirmed": "true", "deletionPending": "false"}
        number = self.add(
            "Documents",
            **{"uuid": f"{{u-{self._next}}}", "title": title, **told, **columns},
        )
        self.add("RemoteDocuments", documentId=number, groupId=group, inTrash="false")
        return number

    def person(self, document: int, family: str, given: str | None, part: str = "Author") -> None:
        self.add(
            "DocumentContributors", documentId=document, contribution=f"Document{part}",
            firstNames=given, lastName=family,
        )  # fmt: skip


@pytest.fixture
def maker(tmp_path: Path) -> Callable[..., Maker]:
    """A function that makes an empty Mendeley database."""

    def make(name: str = "me@example.org@www.mendeley.com.sqlite", schema: str = _SCHEMA) -> Maker:
        made = Maker(tmp_path / name)
        made.run(schema)
        return made

    return make


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library") as opened:
        yield opened
