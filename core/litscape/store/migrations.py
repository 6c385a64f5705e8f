"""Making, checking and upgrading a library file before it is used.

``PRAGMA user_version`` holds the schema's number. Step ``n`` of :data:`MIGRATIONS` leads from
schema ``n`` to ``n + 1``; all steps a file needs run in one transaction, after a backup.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

from litscape.errors import EnvironmentFault, NewerLibraryError, UserError
from litscape.store import places
from litscape.store.faults import broken, sorted_faults
from litscape.store.files import address, check_header, connect, copy_database, has_log, is_writable

if TYPE_CHECKING:
    from pathlib import Path

APPLICATION_ID = 0x4C697473  # "Lits": tells a library from any other SQLite file
Migration = Callable[[sqlite3.Connection], None]


class Prepared(NamedTuple):
    """A library file that can be connected to.

    Attributes:
        uri: its address.
        made: whether this call made the library, and nobody else.
    """

    uri: str
    made: bool


_SCHEMA_2 = """
CREATE VIEW papers_words AS SELECT id,
  CASE WHEN length(CAST(title AS BLOB)) = length(title) THEN title
    ELSE plain_letters(title) END AS title,
  CASE WHEN length(CAST(abstract AS BLOB)) = length(abstract) THEN abstract
    ELSE plain_letters(abstract) END AS abstract,
  CASE WHEN length(CAST(authors_text AS BLOB)) = length(authors_text) THEN authors_text
    ELSE plain_letters(authors_text) END AS authors_text,
  CASE WHEN length(CAST(venue AS BLOB)) = length(venue) THEN venue
    ELSE plain_letters(venue) END AS venue,
  CASE WHEN length(CAST(keywords_text AS BLOB)) = length(keywords_text) THEN keywords_text
    ELSE plain_letters(keywords_text) END AS keywords_text
FROM papers;
CREATE VIRTUAL TABLE papers_fts USING fts5(
  title, abstract, authors_text, venue, keywords_text,
  content='papers_words', content_rowid='id', tokenize='porter unicode61 remove_diacritics 2'
);
CREATE TRIGGER papers_fts_delete BEFORE DELETE ON papers BEGIN
  INSERT INTO papers_fts(papers_fts, rowid, title, abstract, authors_text, venue, keywords_text)
  SELECT 'delete', * FROM papers_words WHERE id = old.id;
END;
CREATE TRIGGER papers_fts_before
BEFORE UPDATE OF title, abstract, authors_text, venue, keywords_text ON papers BEGIN
  INSERT INTO papers_fts(papers_fts, rowid, title, abstract, authors_text, venue, keywords_text)
  SELECT 'delete', * FROM papers_words WHERE id = old.id;
END;
CREATE TRIGGER papers_fts_after
AFTER UPDATE OF title, abstract, authors_text, venue, keywords_text ON papers BEGIN
  INSERT INTO papers_fts(rowid, title, abstract, authors_text, venue, keywords_text)
  SELECT * FROM papers_words WHERE id = new.id;
END;
"""


_SCHEMA_3 = """
CREATE TABLE refused_pairs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  paper_a INTEGER NOT NULL, paper_b INTEGER NOT NULL,
  made_at TEXT NOT NULL, UNIQUE (paper_a, paper_b)
);
CREATE INDEX refused_pairs_b ON refused_pairs(paper_b);
"""
_SCHEMA_4 = """
ALTER TABLE citations ADD COLUMN method TEXT;
ALTER TABLE citations ADD COLUMN score REAL;
ALTER TABLE "references" ADD COLUMN work INTEGER;
ALTER TABLE "references" ADD COLUMN block INTEGER;
UPDATE "references" SET work = cited_work(doi, source_id, title, year, raw, extra),
  block = cited_block(title, year, raw, extra);
CREATE INDEX references_work ON "references"(work, year, block) WHERE work IS NOT NULL;
CREATE INDEX references_block ON "references"(block) WHERE block IS NOT NULL;
CREATE TABLE link_changes (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, paper INTEGER NOT NULL
);
CREATE INDEX papers_place ON papers(year, volume, pages)
  WHERE volume IS NOT NULL AND pages IS NOT NULL;
"""


_SCHEMA_5 = """
CREATE TABLE online_answers (
  service TEXT NOT NULL, question TEXT NOT NULL, asked_at TEXT NOT NULL, answer BLOB,
  PRIMARY KEY (service, question)
) WITHOUT ROWID;
CREATE TABLE field_sources (
  paper_id INTEGER NOT NULL, field TEXT NOT NULL, source TEXT NOT NULL, value BLOB NOT NULL,
  taken_at TEXT NOT NULL, PRIMARY KEY (paper_id, field)
) WITHOUT ROWID;
"""

_SCHEMA_6 = """
CREATE TABLE manuscripts (
  id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
  read_at TEXT NOT NULL, mark TEXT NOT NULL
);
CREATE TABLE manuscript_cites (
  manuscript_id INTEGER NOT NULL REFERENCES manuscripts(id) ON DELETE CASCADE,
  position INTEGER NOT NULL, citekey TEXT NOT NULL, line INTEGER NOT NULL,
  section INTEGER NOT NULL, paragraph INTEGER NOT NULL, sentence INTEGER NOT NULL,
  cite INTEGER NOT NULL, PRIMARY KEY (manuscript_id, position)
) WITHOUT ROWID;
CREATE INDEX manuscript_cites_key ON manuscript_cites(citekey);
"""


_SCHEMA_7 = """
DROP VIEW papers_words;
CREATE VIEW papers_words AS SELECT id,
  CASE WHEN length(CAST(title AS BLOB)) = length(title) THEN title
    ELSE search_letters(title) END AS title,
  CASE WHEN length(CAST(abstract AS BLOB)) = length(abstract) THEN abstract
    ELSE search_letters(abstract) END AS abstract,
  CASE WHEN length(CAST(authors_text AS BLOB)) = length(authors_text) THEN authors_text
    ELSE search_letters(authors_text) END AS authors_text,
  CASE WHEN length(CAST(venue AS BLOB)) = length(venue) THEN venue
    ELSE search_letters(venue) END AS venue,
  CASE WHEN length(CAST(keywords_text AS BLOB)) = length(keywords_text) THEN keywords_text
    ELSE search_letters(keywords_text) END AS keywords_text
FROM papers;
"""
_WITH_SIGNS = """
SELECT json_group_array(id) FROM papers WHERE search_letters(title) <> plain_letters(title)
OR search_letters(abstract) <> plain_letters(abstract)
OR search_letters(authors_text) <> plain_letters(authors_text)
OR search_letters(venue) <> plain_letters(venue)
OR search_letters(keywords_text) <> plain_letters(keywords_text)
"""


def _use_plain_letters(connection: sqlite3.Connection) -> None:
    """Schema 2: the text index and the sort keys hold ``ł`` and ``ø`` as ``l`` and ``o``."""
    for name in ("papers_fts_delete", "papers_fts_update"):
        connection.execute(f"DROP TRIGGER {name}")
    connection.execute("DROP TABLE papers_fts")
    for statement in statements(_SCHEMA_2):
        connection.execute(statement)
    connection.execute(
        "UPDATE papers SET sort_title = sort_text(title),"
        " sort_authors = plain_letters(sort_authors) WHERE sort_title <> sort_text(title)"
        " OR sort_authors <> plain_letters(sort_authors)"
    )
    connection.execute("INSERT INTO papers_fts(papers_fts) VALUES ('rebuild')")


def _remember_refusals(connection: sqlite3.Connection) -> None:
    """Schema 3: pairs of papers that are not duplicates of each other."""
    for statement in statements(_SCHEMA_3):
        connection.execute(statement)


def _identify_references(connection: sqlite3.Connection) -> None:
    """Schema 4: what a reference means, and how a link was found."""
    for statement in statements(_SCHEMA_4):
        connection.execute(statement)


def _remember_answers(connection: sqlite3.Connection) -> None:
    """Schema 5: what was looked up online, and which values came from there."""
    for statement in statements(_SCHEMA_5):
        connection.execute(statement)


def _remember_manuscripts(connection: sqlite3.Connection) -> None:
    """Schema 6: what the user's own texts cite."""
    for statement in statements(_SCHEMA_6):
        connection.execute(statement)


def _part_signs(connection: sqlite3.Connection) -> None:
    """Schema 7: the text index holds signs of Han, kana and Hangul one by one."""
    columns = "rowid, title, abstract, authors_text, venue, keywords_text"
    changed = "papers_words WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id"
    ids: tuple[str] = connection.execute(_WITH_SIGNS).fetchone()
    # Out of the index goes what the view has made of a paper until now.
    connection.execute(
        f"INSERT INTO papers_fts(papers_fts, {columns}) SELECT 'delete', * FROM {changed}", ids
    )
    for statement in statements(_SCHEMA_7):
        connection.execute(statement)
    connection.execute(f"INSERT INTO papers_fts({columns}) SELECT * FROM {changed}", ids)


MIGRATIONS: tuple[Migration, ...] = (
    _use_plain_letters,
    _remember_refusals,
    _identify_references,
    _remember_answers,
    _remember_manuscripts,
    _part_signs,
)


def schema_version(migrations: Sequence[Migration] = MIGRATIONS) -> int:
    """The number of the schema that this program writes."""
    return 1 + len(migrations)


def prepare(
    file: Path,
    *,
    read_only: bool,
    create: bool,
    busy_seconds: float,
    migrations: Sequence[Migration] = MIGRATIONS,
) -> Prepared:
    """Make, check or upgrade a library file, so that it can be connected to.

    Raises:
        UserError, NewerLibraryError, LibraryBusyError, EnvironmentFault: as ``Database.open``.
    """
    try:
        there = file.exists()
        empty = there and file.stat().st_size == 0
        if there:
            check_header(file)
            if not read_only and not (is_writable(file) and is_writable(file.parent)):
                raise EnvironmentFault(
                    f"The library in {file.parent} can't be written (read-only file, folder or "
                    "disk); open it for reading only, or work on a copy."
                )
        elif read_only or not create:
            raise UserError(
                f"There is no library in {file.parent}; make one first, or name another folder."
            )
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EnvironmentFault(
            f"The library in {file.parent} can't be opened ({error.strerror}); "
            "check the folder's permissions."
        ) from error
    if empty and (read_only or _was_used(file.parent)):
        raise broken(file, "is empty")
    with sorted_faults(file):
        if read_only:
            return Prepared(_prepare_reading(file, busy_seconds, migrations), made=False)
        made = _prepare_writing(file, busy_seconds, migrations)
    if not file.exists():  # who had made it took it away again meanwhile, unused
        return prepare(
            file,
            read_only=read_only,
            create=create,
            busy_seconds=busy_seconds,
            migrations=migrations,
        )
    # rw: what vanishes from now on is a fault, not something to be made anew without its tables
    return Prepared(address(file, "mode=rw"), made)


def _was_used(folder: Path) -> bool:
    return any((folder / name).exists() for name in (places.BACKUPS, "vectors"))


def _prepare_writing(file: Path, busy_seconds: float, migrations: Sequence[Migration]) -> bool:
    with closing(connect(address(file, "mode=rwc"), busy_seconds)) as connection:
        version = known_version(connection, file, migrations)
        connection.execute("PRAGMA journal_mode = WAL")
        if version == 0:
            return _create(connection, migrations)
        if version < schema_version(migrations):
            copy_database(
                connection, places.free_name(file.parent / places.BACKUPS, f"schema-{version}")
            )
            _upgrade(connection, file, migrations)
    return False


def _prepare_reading(file: Path, busy_seconds: float, migrations: Sequence[Migration]) -> str:
    uri = address(file, "mode=ro")
    try:
        with closing(connect(uri, busy_seconds)) as connection:
            version = known_version(connection, file, migrations)
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
            raise
        # A WAL file needs its two helper files beside it; where they can't be made, nobody can be
        # writing there either, so the file may be read as if it never changed.
        if has_log(file):
            raise EnvironmentFault(
                f"The library in {file.parent} was not closed properly and its folder can't be "
                "written; copy the whole folder to a place of your own and open it there."
            ) from error
        uri = address(file, "immutable=1")
        with closing(connect(uri, busy_seconds)) as connection:
            version = known_version(connection, file, migrations)
    if version < schema_version(migrations):
        raise EnvironmentFault(
            f"The library in {file.parent} has an older form and can't be upgraded while it is "
            "open for reading only; open it once where it can be written."
        )
    return uri


def known_version(
    connection: sqlite3.Connection, file: Path, migrations: Sequence[Migration] = MIGRATIONS
) -> int:
    """The file's schema number, 0 for a file without any table.

    Raises:
        EnvironmentFault: it is no library.
        NewerLibraryError: a later release of the program wrote it.
    """
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    owner: int = connection.execute("PRAGMA application_id").fetchone()[0]
    tables: int = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if tables == 0:
        return 0
    if owner != APPLICATION_ID or version == 0:
        raise broken(file, "is no Litscape library")
    if version > schema_version(migrations):
        raise NewerLibraryError(
            f"The library in {file.parent} was written by a later release of Litscape "
            f"(schema {version}, this one knows {schema_version(migrations)}); "
            "update the program to open it."
        )
    return version


def statements(script: str) -> Iterator[str]:
    """The statements of an SQL script, one by one, so that they fit into one transaction."""
    pending = ""
    for line in script.splitlines(keepends=True):
        pending += line
        if sqlite3.complete_statement(pending):
            yield pending
            pending = ""


def _create(connection: sqlite3.Connection, migrations: Sequence[Migration]) -> bool:
    script = files("litscape.store").joinpath("schema.sql").read_text("utf-8")
    connection.execute("BEGIN IMMEDIATE")
    try:
        made: bool = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
        if made:
            for statement in statements(script):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {schema_version(migrations)}")
        connection.execute("COMMIT")
    except BaseException:
        connection.rollback()
        raise
    return made


def _upgrade(connection: sqlite3.Connection, file: Path, migrations: Sequence[Migration]) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = known_version(
            connection, file, migrations
        )  # another program may have been faster
        for step in migrations[version - 1 :]:
            step(connection)
        connection.execute(f"PRAGMA user_version = {schema_version(migrations)}")
        connection.execute("COMMIT")
    except BaseException:
        connection.rollback()
        raise
