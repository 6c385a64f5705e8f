"""The steps from each schema to the next.

Step ``n`` of :data:`MIGRATIONS` leads from schema ``n`` to ``n + 1``.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator

Migration = Callable[[sqlite3.Connection], None]


def statements(script: str) -> Iterator[str]:
    """The statements of an SQL script, one by one, so that they fit into one transaction."""
    pending = ""
    for line in script.splitlines(keepends=True):
        pending += line
        if sqlite3.complete_statement(pending):
            yield pending
            pending = ""


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
_SCHEMA_8 = """
CREATE TABLE reading (
  paper_id INTEGER PRIMARY KEY REFERENCES papers(id) ON DELETE CASCADE,
  read_state TEXT, read_at TEXT, rating INTEGER, colour TEXT, list_position REAL
);
INSERT INTO reading(paper_id, read_state, rating)
SELECT * FROM (
  SELECT id, CASE lower(json_extract(raw_fields, '$.readstatus'))
      WHEN 'read' THEN 'read' WHEN 'skimmed' THEN 'reading' END AS state,
    CASE WHEN lower(json_extract(raw_fields, '$.ranking')) GLOB 'rank[1-5]'
      THEN CAST(substr(json_extract(raw_fields, '$.ranking'), 5) AS INTEGER) END AS stars
  FROM papers WHERE json_valid(raw_fields)
    AND (instr(raw_fields, '"readstatus"') OR instr(raw_fields, '"ranking"'))
) WHERE state IS NOT NULL OR stars IS NOT NULL;
ALTER TABLE "references" ADD COLUMN name INTEGER;
ALTER TABLE "references" ADD COLUMN also INTEGER;
UPDATE "references" SET work = cited_work(doi, source_id, title, year, raw, extra),
  block = cited_block(title, year, raw, extra), name = cited_name(title, year, raw, extra),
  also = cited_also(doi, source_id);
DROP INDEX references_work;
CREATE INDEX references_work ON "references"(work, year, block, name, also) WHERE work IS NOT NULL;
CREATE TABLE evaluations (
  id INTEGER PRIMARY KEY AUTOINCREMENT, made_at TEXT NOT NULL, task TEXT NOT NULL,
  split TEXT NOT NULL, model TEXT NOT NULL, seed INTEGER NOT NULL, report TEXT
);
CREATE INDEX files_path ON files(path);
CREATE INDEX records_source ON records(source_id, paper_id);
"""
_SCHEMA_9 = """
CREATE TABLE topic_trees (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  scope TEXT NOT NULL,
  model TEXT NOT NULL, method TEXT NOT NULL, seed INTEGER NOT NULL, made_at TEXT NOT NULL,
  rest TEXT NOT NULL,
  told TEXT NOT NULL
);
CREATE TABLE topics (
  id INTEGER PRIMARY KEY AUTOINCREMENT, tree_id INTEGER NOT NULL, parent_id INTEGER,
  level INTEGER NOT NULL,
  name TEXT NOT NULL, edited INTEGER NOT NULL DEFAULT 0,
  colour INTEGER NOT NULL,
  terms TEXT NOT NULL,
  members TEXT NOT NULL
);
CREATE INDEX topics_tree ON topics(tree_id);
CREATE TABLE related_pairs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  paper_a INTEGER NOT NULL, paper_b INTEGER NOT NULL,
  made_at TEXT NOT NULL, UNIQUE (paper_a, paper_b)
);
CREATE INDEX related_pairs_b ON related_pairs(paper_b);
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


def _adds(script: str) -> Migration:
    """A step that only adds tables, columns and indexes, as a script of SQL says."""

    def run(connection: sqlite3.Connection) -> None:
        for statement in statements(script):
            connection.execute(statement)

    return run


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
    _adds(_SCHEMA_3),  # pairs of papers that are not duplicates of each other
    _adds(_SCHEMA_4),  # what a reference means, and how a link was found
    _adds(_SCHEMA_5),  # what was looked up online, and which values came from there
    _adds(_SCHEMA_6),  # what the user's own texts cite
    _part_signs,
    # Read or not, ratings, colours, reading list; JabRef's marks count from now on. References know
    # by what else a work cited is known; what was measured is kept; papers are found by the paths
    # of their files.
    _adds(_SCHEMA_8),
    _adds(_SCHEMA_9),  # what papers were parted into, topics by name; pairs said to be related
)
