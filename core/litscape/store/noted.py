"""Words in the notes that a person made on papers."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from litscape.sorting import search_letters
from litscape.store import lexical
from litscape.store.note_index import plain_note
from litscape.store.vocabulary import TOKENIZER

if TYPE_CHECKING:
    import sqlalchemy as sa

    from litscape.paper import PaperId
    from litscape.store.lexical import Term

_SAME = 2
"""Letters at the beginning of a word that are the same in all its forms."""


def noted(conn: sa.Connection, term: Term) -> frozenset[PaperId]:
    """The papers with a word or phrase in a note, in any of its forms, as titles are searched.

    Notes are few and change often: those with the word's first letters are read, and go into an
    index in memory for this one question.
    """
    words = re.findall(r"\w+", search_letters(term.text).casefold())
    if not words:
        return frozenset()
    begin = max(words, key=len)[:_SAME]
    rows = conn.exec_driver_sql(
        "SELECT paper_id, text FROM notes WHERE instr(lower(search_letters(text)), ?) > 0",
        (begin,),
    )
    papers, texts = [], []
    for paper, text in rows:
        papers.append(int(paper))
        texts.append((len(papers), search_letters(plain_note(text))))
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as index:
        index.execute(f"CREATE VIRTUAL TABLE it USING fts5(text, tokenize='{TOKENIZER}')")
        index.execute("BEGIN")
        index.executemany("INSERT INTO it(rowid, text) VALUES (?, ?)", texts)
        expression = lexical.all_of([term])
        found = index.execute("SELECT rowid FROM it WHERE it MATCH ?", (expression,)).fetchall()
        index.execute("ROLLBACK")
    return frozenset(papers[number - 1] for (number,) in found)
