-- Schema 9. Times are UTC, ISO 8601. JSON columns hold objects or lists of text.
CREATE TABLE papers (                         -- short columns first: long text spills to further pages
  id INTEGER PRIMARY KEY AUTOINCREMENT,       -- never used twice: vectors and undo refer to it
  citekey TEXT NOT NULL UNIQUE,               -- exact case counts
  citekey_original TEXT,
  type TEXT, year INTEGER, year_raw TEXT, month INTEGER, month_raw TEXT, day INTEGER,
  more_authors INTEGER NOT NULL DEFAULT 0,
  missing_in_source INTEGER NOT NULL DEFAULT 0,
  added_at TEXT NOT NULL, modified_at TEXT NOT NULL, trashed_at TEXT,
  library TEXT, zotero_key TEXT,
  title TEXT,
  authors_text TEXT NOT NULL DEFAULT '',      -- "Given Family; …", kept by the writer for table and FTS
  sort_title TEXT NOT NULL DEFAULT '',        -- whole and folded: sorts, and is searched for parts
  sort_authors TEXT NOT NULL DEFAULT '',      -- folded "family given; …"
  venue TEXT, publisher TEXT, volume TEXT, issue TEXT, pages TEXT, url TEXT,
  keywords_text TEXT NOT NULL DEFAULT '',     -- "term; term", for FTS
  has_abstract INTEGER NOT NULL GENERATED ALWAYS AS (abstract IS NOT NULL AND abstract <> '') STORED,
  abstract TEXT, abstract_note TEXT,
  raw_fields TEXT NOT NULL DEFAULT '{}'       -- JSON object
);
-- All that a table sorts and filters by, without the long text: a list of ids never reads the papers.
CREATE INDEX papers_list ON papers(
  sort_title, sort_authors, year, venue, type, citekey, added_at, trashed_at
);
CREATE INDEX papers_zotero ON papers(zotero_key) WHERE zotero_key IS NOT NULL;
CREATE INDEX papers_place ON papers(year, volume, pages) WHERE volume IS NOT NULL AND pages IS NOT NULL;
CREATE INDEX papers_trashed ON papers(trashed_at) WHERE trashed_at IS NOT NULL;

CREATE TABLE authors (
  paper_id INTEGER NOT NULL REFERENCES papers(id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  family TEXT, given TEXT, particle TEXT, suffix TEXT, literal TEXT,
  PRIMARY KEY (paper_id, position)
) WITHOUT ROWID;

CREATE TABLE identifiers (                    -- doi, arxiv, pmid, isbn, openalex, s2, issn, …; doi.2: a further one
  scheme TEXT NOT NULL, value TEXT NOT NULL,  -- normalised
  paper_id INTEGER NOT NULL REFERENCES papers(id) ON DELETE CASCADE,
  PRIMARY KEY (scheme, value, paper_id)
) WITHOUT ROWID;
CREATE INDEX identifiers_paper ON identifiers(paper_id);

CREATE TABLE aliases (                        -- other keys under which records of a paper came in
  citekey TEXT NOT NULL, paper_id INTEGER NOT NULL REFERENCES papers(id) ON DELETE CASCADE,
  PRIMARY KEY (citekey, paper_id)
) WITHOUT ROWID;
CREATE INDEX aliases_paper ON aliases(paper_id);

CREATE TABLE keywords (
  paper_id INTEGER NOT NULL REFERENCES papers(id) ON DELETE CASCADE,
  position INTEGER NOT NULL, term TEXT NOT NULL,
  PRIMARY KEY (paper_id, position)
) WITHOUT ROWID;

CREATE TABLE fields (                         -- topics given by the source
  paper_id INTEGER NOT NULL REFERENCES papers(id) ON DELETE CASCADE,
  position INTEGER NOT NULL, term TEXT NOT NULL,
  PRIMARY KEY (paper_id, position)
) WITHOUT ROWID;

CREATE TABLE tags (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE paper_tags (
  paper_id INTEGER NOT NULL REFERENCES papers(id) ON DELETE CASCADE,
  tag_id INTEGER NOT NULL REFERENCES tags(id) ON DELETE CASCADE,
  PRIMARY KEY (paper_id, tag_id)
) WITHOUT ROWID;
CREATE INDEX paper_tags_tag ON paper_tags(tag_id);

CREATE TABLE collections (
  id INTEGER PRIMARY KEY, parent_id INTEGER REFERENCES collections(id) ON DELETE CASCADE,
  name TEXT NOT NULL
);
CREATE UNIQUE INDEX collections_name ON collections(ifnull(parent_id, 0), name);
CREATE TABLE paper_collections (
  paper_id INTEGER NOT NULL REFERENCES papers(id) ON DELETE CASCADE,
  collection_id INTEGER NOT NULL REFERENCES collections(id) ON DELETE CASCADE,
  PRIMARY KEY (paper_id, collection_id)
) WITHOUT ROWID;
CREATE INDEX paper_collections_collection ON paper_collections(collection_id);

CREATE TABLE notes (
  paper_id INTEGER NOT NULL REFERENCES papers(id) ON DELETE CASCADE,
  position INTEGER NOT NULL, text TEXT NOT NULL,
  PRIMARY KEY (paper_id, position)
) WITHOUT ROWID;

CREATE TABLE reading (                        -- what a person made of papers; most have no row
  paper_id INTEGER PRIMARY KEY REFERENCES papers(id) ON DELETE CASCADE,
  read_state TEXT,                            -- reading, read; NULL: unread
  read_at TEXT,                               -- when it became read, NULL: not known
  rating INTEGER,                             -- 1 … 5
  colour TEXT,                                -- a name of litscape.reading.COLOURS
  list_position REAL                          -- place in the reading list; NULL: not in it
);

CREATE TABLE files (
  paper_id INTEGER NOT NULL REFERENCES papers(id) ON DELETE CASCADE,
  position INTEGER NOT NULL, path TEXT NOT NULL, title TEXT, mime TEXT, base TEXT, "exists" INTEGER,
  PRIMARY KEY (paper_id, position)
) WITHOUT ROWID;
CREATE INDEX files_path ON files(path);       -- whose a file is that has words in its text

CREATE TABLE citations (                      -- edges inside the library
  citing INTEGER NOT NULL REFERENCES papers(id) ON DELETE CASCADE,
  cited INTEGER NOT NULL REFERENCES papers(id) ON DELETE CASCADE,
  source TEXT NOT NULL DEFAULT '',            -- where the link comes from: import, import:<sources.id>, file:<name>, openalex, …
  method TEXT,                                -- how the cited paper was found: doi, pmid, record, title, … NULL: not known
  score REAL,                                 -- how sure that is, 0 … 1
  PRIMARY KEY (citing, cited)
) WITHOUT ROWID;
CREATE INDEX citations_cited ON citations(cited);

CREATE TABLE "references" (                   -- works cited that are not in the library
  paper_id INTEGER NOT NULL REFERENCES papers(id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  raw TEXT, doi TEXT, title TEXT, year INTEGER, source_id TEXT, extra TEXT NOT NULL DEFAULT '{}',
  work INTEGER,                               -- equal where two references mean one work; odd where an identifier says so
  block INTEGER,                              -- equal where two may: what is compared
  name INTEGER,                               -- what tells the work without its identifier; the last bits: first author
  also INTEGER,                               -- the number of a further identifier
  PRIMARY KEY (paper_id, position)
) WITHOUT ROWID;
CREATE INDEX references_doi ON "references"(doi) WHERE doi IS NOT NULL;
CREATE INDEX references_source ON "references"(source_id) WHERE source_id IS NOT NULL;
CREATE INDEX references_work ON "references"(work, year, block, name, also) WHERE work IS NOT NULL;
CREATE INDEX references_block ON "references"(block) WHERE block IS NOT NULL;
CREATE TABLE link_changes (                   -- papers whose citations or references changed, in order
  seq INTEGER PRIMARY KEY AUTOINCREMENT, paper INTEGER NOT NULL
);

CREATE TABLE sources (
  id INTEGER PRIMARY KEY, location TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, last_read_at TEXT
);
CREATE TABLE batches (
  id INTEGER PRIMARY KEY AUTOINCREMENT, started_at TEXT NOT NULL, finished_at TEXT,
  change_id INTEGER, sources TEXT NOT NULL DEFAULT '[]', report TEXT NOT NULL DEFAULT '{}', undone_at TEXT
);
CREATE TABLE records (                        -- raw source records, one per record that came in
  id INTEGER PRIMARY KEY, source_id INTEGER NOT NULL REFERENCES sources(id) ON DELETE CASCADE,
  record_key TEXT NOT NULL,                   -- source id, Zotero key or citekey (+ #n for repeats) in that source
  paper_id INTEGER REFERENCES papers(id) ON DELETE CASCADE,
  batch_id INTEGER, line INTEGER, position INTEGER, hash BLOB NOT NULL, raw BLOB,  -- raw: text, or zlib of its UTF-8 where long
  missing INTEGER NOT NULL DEFAULT 0,         -- the source was last read whole and had it no more
  UNIQUE (source_id, record_key)
);
CREATE INDEX records_paper ON records(paper_id);
CREATE INDEX records_source ON records(source_id, paper_id);
CREATE TABLE batch_papers (                   -- "Last import" as a place in the tree
  batch_id INTEGER NOT NULL REFERENCES batches(id) ON DELETE CASCADE,
  paper_id INTEGER NOT NULL REFERENCES papers(id) ON DELETE CASCADE,
  outcome TEXT NOT NULL, PRIMARY KEY (batch_id, paper_id)
) WITHOUT ROWID;
CREATE INDEX batch_papers_paper ON batch_papers(paper_id);
CREATE TABLE import_issues (
  batch_id INTEGER NOT NULL REFERENCES batches(id) ON DELETE CASCADE, position INTEGER NOT NULL,
  code TEXT NOT NULL, severity TEXT NOT NULL, message TEXT NOT NULL, line INTEGER, citekey TEXT,
  zotero_key TEXT, record_index INTEGER, raw TEXT, source TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (batch_id, position)
) WITHOUT ROWID;

CREATE TABLE user_edits (                     -- fields that later imports keep
  paper_id INTEGER NOT NULL REFERENCES papers(id) ON DELETE CASCADE,
  field TEXT NOT NULL, PRIMARY KEY (paper_id, field)
) WITHOUT ROWID;

CREATE TABLE online_answers (                 -- what look-up services said: a cache, so that each thing is asked once
  service TEXT NOT NULL, question TEXT NOT NULL,  -- openalex; doi:10.1000/1, title:…
  asked_at TEXT NOT NULL,
  answer BLOB,                                -- zlib of JSON; NULL: the service knows no such work
  PRIMARY KEY (service, question)
) WITHOUT ROWID;
CREATE TABLE field_sources (                  -- values that a look-up filled in
  paper_id INTEGER NOT NULL,                  -- no foreign key: ids are never used twice, and undo brings papers back
  field TEXT NOT NULL, source TEXT NOT NULL,
  value BLOB NOT NULL,                        -- hash of the value: the row counts while the paper still has it
  taken_at TEXT NOT NULL, PRIMARY KEY (paper_id, field)
) WITHOUT ROWID;

CREATE TABLE manuscripts (                    -- the user's own texts that cite papers of the library
  id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,                         -- latex, aux, markdown
  read_at TEXT NOT NULL, mark TEXT NOT NULL   -- hash of what was read
);
CREATE TABLE manuscript_cites (               -- what each cites, in its order, and in which of its parts
  manuscript_id INTEGER NOT NULL REFERENCES manuscripts(id) ON DELETE CASCADE, position INTEGER NOT NULL,
  citekey TEXT NOT NULL, line INTEGER NOT NULL,
  section INTEGER NOT NULL, paragraph INTEGER NOT NULL, sentence INTEGER NOT NULL, cite INTEGER NOT NULL,
  PRIMARY KEY (manuscript_id, position)
) WITHOUT ROWID;
CREATE INDEX manuscript_cites_key ON manuscript_cites(citekey);

CREATE TABLE refused_pairs (                  -- papers that were said to be two works, not duplicates
  id INTEGER PRIMARY KEY AUTOINCREMENT,       -- never used twice: undo refers to it
  paper_a INTEGER NOT NULL, paper_b INTEGER NOT NULL,  -- a < b; no foreign key: a paper may come back
  made_at TEXT NOT NULL, UNIQUE (paper_a, paper_b)
);
CREATE INDEX refused_pairs_b ON refused_pairs(paper_b);
CREATE TABLE related_pairs (                  -- papers that were said to belong together: training keeps them near
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  paper_a INTEGER NOT NULL, paper_b INTEGER NOT NULL,  -- as in refused_pairs
  made_at TEXT NOT NULL, UNIQUE (paper_a, paper_b)
);
CREATE INDEX related_pairs_b ON related_pairs(paper_b);

CREATE TABLE changes (                        -- undo history; a change is one act of the user
  id INTEGER PRIMARY KEY AUTOINCREMENT, made_at TEXT NOT NULL, title TEXT NOT NULL, kind TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'done'          -- done | undone | dropped (no longer redoable)
);
CREATE TABLE change_items (                   -- before/after images; only the fields that changed
  change_id INTEGER NOT NULL REFERENCES changes(id) ON DELETE CASCADE, position INTEGER NOT NULL,
  entity TEXT NOT NULL, entity_id INTEGER NOT NULL, before TEXT, after TEXT,
  PRIMARY KEY (change_id, position)
) WITHOUT ROWID;

CREATE TABLE saved_searches (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, query TEXT NOT NULL, mode TEXT NOT NULL);

CREATE TABLE models (                         -- immutable versions; the card lies in the model's folder
  id INTEGER PRIMARY KEY, version TEXT NOT NULL UNIQUE, name TEXT NOT NULL, dim INTEGER NOT NULL,
  location TEXT NOT NULL, card TEXT NOT NULL, added_at TEXT NOT NULL
);
CREATE TABLE vector_rows (                    -- which row of a model version's vector file is whose
  model_id INTEGER NOT NULL REFERENCES models(id) ON DELETE CASCADE,
  paper_id INTEGER NOT NULL,                  -- no foreign key: a row outlives its paper until it is used again
  row INTEGER NOT NULL, fingerprint BLOB NOT NULL, backend TEXT NOT NULL,
  PRIMARY KEY (model_id, paper_id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX vector_rows_row ON vector_rows(model_id, row);

CREATE TABLE evaluations (                    -- measurements of search: which, of what, and what came out
  id INTEGER PRIMARY KEY AUTOINCREMENT, made_at TEXT NOT NULL, task TEXT NOT NULL,
  split TEXT NOT NULL, model TEXT NOT NULL, seed INTEGER NOT NULL,  -- split: dev, or test: then test queries were opened
  report TEXT                                 -- JSON; NULL: it did not come to its end
);

CREATE TABLE topic_trees (                    -- what papers of a scope were parted into, by one model version
  id INTEGER PRIMARY KEY AUTOINCREMENT,       -- never used twice, as ids of topics: undo refers to them
  scope TEXT NOT NULL,                        -- All papers, Collection X, …; the newest tree of a scope counts
  model TEXT NOT NULL, method TEXT NOT NULL, seed INTEGER NOT NULL, made_at TEXT NOT NULL,
  rest TEXT NOT NULL,                         -- JSON: papers that were looked at and have no topic
  told TEXT NOT NULL                          -- JSON: what to say of it
);
CREATE TABLE topics (                         -- no foreign keys: undo brings rows back in any order
  id INTEGER PRIMARY KEY AUTOINCREMENT, tree_id INTEGER NOT NULL, parent_id INTEGER,
  level INTEGER NOT NULL,                     -- 0: the coarsest
  name TEXT NOT NULL, edited INTEGER NOT NULL DEFAULT 0,  -- edited: a person gave the name
  colour INTEGER NOT NULL,                    -- index into the palette
  terms TEXT NOT NULL,                        -- JSON list, the most telling first
  members TEXT NOT NULL                       -- JSON list: papers of which this is the finest topic
);
CREATE INDEX topics_tree ON topics(tree_id);

CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE leases (
  name TEXT PRIMARY KEY, owner TEXT NOT NULL, taken_at TEXT NOT NULL, beat_at TEXT NOT NULL
) WITHOUT ROWID;

-- What the text index holds of a paper: plain letters, signs of Han, kana and Hangul one by one (SQL's own test for
-- ASCII spares most calls).
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
CREATE VIRTUAL TABLE papers_fts USING fts5(
  title, abstract, authors_text, venue, keywords_text,
  content='papers_words', content_rowid='id', tokenize='porter unicode61 remove_diacritics 2'
);
-- No trigger on INSERT: the bulk writer fills the index itself, four times faster than row by row.
-- The others run before the paper changes, so that they take out of the index what is in it.
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
