"""The notes of a library as an index of words in memory, brought up to date by what changed."""

from __future__ import annotations

import re
import sqlite3
import threading
import weakref
from itertools import groupby
from typing import TYPE_CHECKING

from litscape.sorting import search_letters
from litscape.store.filters import AMONG, json_ids
from litscape.store.vocabulary import TOKENIZER

if TYPE_CHECKING:
    from collections.abc import Iterable

    import sqlalchemy as sa

    from litscape.paper import PaperId

_TAG = re.compile(r"</?\w[^<>]*>")


def plain_note(text: str) -> str:
    """A note without the tags that a reference manager put into it."""
    return _TAG.sub(" ", text)


def notes_of(conn: sa.Connection, papers: Iterable[PaperId]) -> dict[PaperId, str]:
    """The notes of papers, each paper's as one text; papers without any are left out."""
    rows = conn.exec_driver_sql(
        f"SELECT paper_id, text FROM notes WHERE paper_id {AMONG} ORDER BY paper_id, position",
        (json_ids(papers),),
    ).all()
    return _joined((int(paper), str(text)) for paper, text in rows)


def _joined(notes: Iterable[tuple[PaperId, str]]) -> dict[PaperId, str]:
    return {
        paper: "\n".join(plain_note(text) for _paper, text in its)
        for paper, its in groupby(notes, key=lambda note: note[0])
    }


class NoteIndex:
    """Which papers' notes have some words; for any thread.

    Notes are few and change often, so that they are in no index of the library.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._texts: dict[PaperId, str] = {}
        self._version = -1
        self._index: sqlite3.Connection | None = None

    def find(self, conn: sa.Connection, version: int, expression: str, limit: int) -> list[PaperId]:
        """The papers whose notes an expression matches, best first.

        Args:
            conn: a connection.
            version: a number that changes with every write to the library, from before ``conn``
                began to read.
            expression: of words and phrases, in no column, as ``lexical.all_of`` gives it.
            limit: how many papers at most.
        """
        with self._lock:
            if version != self._version:
                self._refresh(conn)
                self._version = version
            if self._index is None or not self._texts or not expression:
                return []
            rows = self._index.execute(
                "SELECT rowid FROM it WHERE it MATCH ? ORDER BY bm25(it), rowid LIMIT ?",
                (expression, limit),
            ).fetchall()
        return [int(paper) for (paper,) in rows]

    def _refresh(self, conn: sa.Connection) -> None:
        rows = conn.exec_driver_sql(
            "SELECT paper_id, text FROM notes ORDER BY paper_id, position"
        ).all()
        texts = _joined((int(paper), str(text)) for paper, text in rows)
        if texts == self._texts:
            return
        index = self._index or self._made()
        gone = [(paper,) for paper, text in self._texts.items() if texts.get(paper) != text]
        new = [
            (paper, search_letters(text))
            for paper, text in texts.items()
            if self._texts.get(paper) != text
        ]
        index.execute("BEGIN")
        index.executemany("DELETE FROM it WHERE rowid = ?", gone)
        index.executemany("INSERT INTO it(rowid, text) VALUES (?, ?)", new)
        index.execute("COMMIT")
        self._texts = texts

    def _made(self) -> sqlite3.Connection:
        index = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        index.execute(f"CREATE VIRTUAL TABLE it USING fts5(text, tokenize='{TOKENIZER}')")
        weakref.finalize(self, index.close)
        self._index = index
        return index
