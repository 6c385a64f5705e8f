"""Which words the text index takes for the same: asked of the index's own splitter."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from litscape.store.lexical import Term, all_of

if TYPE_CHECKING:
    from collections.abc import Sequence


def same_words(words: Sequence[str], wanted: Sequence[tuple[str, bool]]) -> list[frozenset[str]]:
    """For each wanted word, and whether it may go on: those of ``words`` that are found by it."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.execute(
            "CREATE VIRTUAL TABLE w USING fts5(t, content='',"
            " tokenize='porter unicode61 remove_diacritics 2')"
        )
        connection.execute("BEGIN")
        connection.executemany("INSERT INTO w(rowid, t) VALUES (?, ?)", enumerate(words))
        found = []
        for text, prefix in wanted:
            expression = all_of([Term(text, prefix=prefix)])
            rows = connection.execute("SELECT rowid FROM w WHERE w MATCH ?", (expression,))
            found.append(frozenset(words[row[0]] for row in rows) if expression else frozenset())
    return found
