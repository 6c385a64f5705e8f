"""Store a small library of the present schema, ``schema-<n>.sqlite.gz``, for the upgrade tests.

Run it once for each schema, just before its release; a released one is never made again:
``python tests/data/libraries/store_current.py``.
"""

from __future__ import annotations

import gzip
import tempfile
from pathlib import Path

from litscape.paper import Author, FileLink, PaperDraft, Reference
from litscape.store.backup import backup
from litscape.store.bulk import NewPaper, insert_citations, insert_papers
from litscape.store.database import Database
from litscape.store.migrations import schema_version
from litscape.store.saved import SavedSearch, put_saved
from litscape.store.settings import put_setting

HERE = Path(__file__).parent
PAPERS = [
    PaperDraft(
        citekey="heron2019",
        citekey_original="heron 2019",
        citekey_aliases=("heron19",),
        type="article",
        title="Rivers “under” pressure",
        authors=(Author("Heron", "Max", "van", "Jr."), Author(literal="Pond Trust")),
        year=2019,
        month=3,
        venue="Journal of Made-up Water",
        doi="10.5555/heron.2019",
        identifiers={"openalex": "W1"},
        abstract="Nothing of this is true.",
        keywords=("water", "flow"),
        tags=("to read",),
        collections=(("Water", "Rivers"),),
        notes=("A note.",),
        files=(FileLink("storage/AB/heron.pdf", mime="application/pdf", exists=False),),
        references=(Reference("Egret, Old work", year=1950, extra={"pages": "1-2"}),),
        fields=("Hydrology",),
        raw_fields={"langid": "english"},
        read_state="read",
        read_at="2026-01-02T03:04:05Z",
        rating=4,
        colour="green",
        list_position=1.0,
    ),
    PaperDraft(citekey="egret2011", title="Lakes", year=2011, year_raw="2011/2012"),
    PaperDraft(citekey="trashed", title="Thrown away"),
]
REST = (
    "UPDATE papers SET trashed_at = added_at WHERE citekey = 'trashed'",
    "INSERT INTO sources VALUES (1, '/home/max/refs.bib', 'bibtex', '2026-01-02T03:04:05Z')",
    "INSERT INTO changes VALUES (1, '2026-01-02T03:04:05Z', 'Import refs.bib', 'import', 'done')",
    "INSERT INTO change_items VALUES (1, 0, 'paper', 1, NULL, '{}')",
    "INSERT INTO batches(id, started_at, change_id) VALUES (1, '2026-01-02T03:04:05Z', 1)",
    "INSERT INTO batch_papers VALUES (1, 1, 'added')",
    "INSERT INTO records(source_id, record_key, paper_id, batch_id, hash)"
    " VALUES (1, 'heron2019', 1, 1, x'00')",
    "INSERT INTO import_issues(batch_id, position, code, severity, message)"
    " VALUES (1, 0, 'key-changed', 'warning', 'A key was changed.')",
    "INSERT INTO user_edits VALUES (1, 'title')",
    "INSERT INTO refused_pairs VALUES (1, 1, 2, '2026-01-02T03:04:05Z')",
    "INSERT INTO related_pairs VALUES (1, 1, 2, '2026-01-02T03:04:05Z')",
    "INSERT INTO online_answers VALUES ('openalex', 'doi:10.5555/heron.2019',"
    " '2026-01-02T03:04:05Z', NULL)",
    "INSERT INTO field_sources VALUES (1, 'abstract', 'openalex', x'00', '2026-01-02T03:04:05Z')",
    "INSERT INTO manuscripts VALUES (1, '/home/max/a.tex', 'latex', '2026-01-02T03:04:05Z', '0')",
    "INSERT INTO manuscript_cites VALUES (1, 0, 'heron2019', 7, 1, 1, 1, 1)",
    "INSERT INTO models VALUES (1, 'minilm-1', 'MiniLM', 384, '', '{}', '2026-01-02T03:04:05Z')",
    "INSERT INTO vector_rows VALUES (1, 1, 0, x'00', 'torch')",
    "INSERT INTO topic_trees VALUES (1, 'All papers', 'minilm-1', 'leiden', 0,"
    " '2026-01-02T03:04:05Z', '[2]', '{}')",
    "INSERT INTO topics VALUES (1, 1, NULL, 0, 'rivers, water', 0, 0, '[\"rivers\"]', '[1]')",
)


def store(folder: Path) -> Path:
    target = HERE / f"schema-{schema_version()}.sqlite.gz"
    with Database.open(folder) as database:
        with database.write() as conn:
            insert_papers(
                conn, [NewPaper(n, draft.citekey or "", draft) for n, draft in enumerate(PAPERS, 1)]
            )
            insert_citations(conn, [(1, 2, "import:1", "record", 1.0)])
            put_setting(conn, "model", "minilm-1")
            put_saved(conn, SavedSearch(1, "Rivers", "title:rivers", "lexical"))
            for statement in REST:
                conn.exec_driver_sql(statement)
        plain = backup(database)
    target.write_bytes(gzip.compress(plain.read_bytes(), mtime=0))
    return target


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        store(Path(scratch))
