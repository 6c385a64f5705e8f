"""The words that papers hold: all stems of the text index, and the words that they come from."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from contextlib import closing
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from litscape.sorting import search_letters

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from litscape.store.database import Database

TOKENIZER = "porter unicode61 remove_diacritics 2"
"""What the text index makes its words with."""
_SHORTEST, _LONGEST = 3, 20
_DIGIT = re.compile("[0-9]")
_LAST = re.compile(r"(?<![^\W_])[A-Za-z]{3,}$")
_ENDINGS = ("ness", "e", "s")
"""What the stemmer takes off and then looks no further, or only for other endings."""
_met: dict[str, tuple[str, ...]] = {}
_MOST_MET = 20_000
"""Words whose stems are kept: those of a field come again with each list, and asking takes 1 ms."""
_LOOKED_INTO = 24
"""Papers of a stem that are read for the words it comes from."""


def read_stems(database: Database) -> tuple[list[str], NDArray[np.int64]]:
    """The stems in order, and in how many papers each stands, (n,) int64; the trash is in it.

    They are those that :func:`counted` says are told.
    Takes half a second for 114,000 papers, nearly all of it inside SQLite.
    """
    with closing(_own(database, "row")) as connection:
        row = connection.execute(
            "SELECT group_concat(term, ' '), group_concat(doc, ' ') FROM words"
            " WHERE length(term) BETWEEN ? AND ? AND NOT term GLOB '*[0-9]*'",
            (_SHORTEST, _LONGEST),
        ).fetchone()
    return (row[0] or "").split(), np.fromstring(row[1] or "", dtype=np.int64, sep=" ")


def counted(stem: str) -> bool:
    """Whether :func:`read_stems` tells of a stem: not of numbers, of short or of long ones."""
    return _SHORTEST <= len(stem) <= _LONGEST and _DIGIT.search(stem) is None


def forms(
    database: Database, stems: Sequence[str], shortest: int, longest: int
) -> Mapping[str, Counter[str]]:
    """The words, in plain small letters, that some papers have of each stem, and how often.

    Args:
        database: the library.
        stems: stems of its text index.
        shortest: letters of a word, at least.
        longest: letters of a word, at most.
    """
    texts: dict[str, list[str]] = {}
    with closing(_own(database, "instance")) as connection:
        for stem in stems:
            rows = connection.execute(
                "SELECT ifnull(title, ''), ifnull(abstract, ''), authors_text, ifnull(venue, ''),"
                " keywords_text FROM papers WHERE id IN"
                " (SELECT DISTINCT doc FROM words WHERE term = ? LIMIT ?)",
                (stem, _LOOKED_INTO),
            )
            texts[stem] = [search_letters(" \n ".join(row)).casefold() for row in rows]
    found: dict[str, Counter[str]] = {}
    for stem, its in texts.items():
        words = Counter(
            word
            for text in its
            for word in re.findall(rf"\b{re.escape(stem[:2])}[^\W\d_]+", text)
            if shortest <= len(word) <= longest
        )
        made = stems_of(words)
        found[stem] = Counter({one: n for one, n in words.items() if made[one] == (stem,)})
    return found


def stems_of(texts: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """What the text index makes of each text: the stems of its words in order."""
    found = {text: _met.get(text) for text in texts}
    new = _stemmed([text for text, stems in found.items() if stems is None])
    if len(_met) > _MOST_MET:
        _met.clear()
    _met.update((text, stems) for text, stems in new.items() if len(text) <= _LONGEST)
    return {text: new[text] if stems is None else stems for text, stems in found.items()}


def _stemmed(wanted: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """SQLite's own tokenizer makes them, so they are what the index holds."""
    if not wanted:
        return {}
    found: dict[str, list[str]] = {text: [] for text in wanted}
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.execute(f"CREATE VIRTUAL TABLE it USING fts5(text, tokenize='{TOKENIZER}')")
        connection.execute("CREATE VIRTUAL TABLE words USING fts5vocab(it, instance)")
        connection.execute("BEGIN")
        connection.executemany(
            "INSERT INTO it(rowid, text) VALUES (?, ?)",
            ((number, search_letters(text)) for number, text in enumerate(wanted)),
        )
        rows = connection.execute("SELECT doc, term FROM words ORDER BY doc, offset")
        for doc, term in rows:
            found[wanted[doc]].append(term)
        connection.execute("ROLLBACK")
    return {text: tuple(words) for text, words in found.items()}


@lru_cache(maxsize=1000)
def unstemmed(text: str) -> str:
    """A text whose last word is made by the stemmer what it is in another: “vasness” for “vas”.

    So the text index can be asked for words that begin as the other does; the same text where its
    last word is a stem already, or no ending is known that gives it back.
    """
    found = _LAST.search(text)
    if found is None:
        return text
    word = found[0].lower()
    made = stems_of(word + ending for ending in ("", *_ENDINGS))
    known = (ending for ending in ("", *_ENDINGS) if made[word + ending] == (word,))
    return text + next(known, "")


def _own(database: Database, kind: str) -> sqlite3.Connection:
    """A connection that shows the text index as a table of its words; to be closed."""
    connection = database.connect()
    try:
        connection.execute("PRAGMA query_only = OFF")  # it is made among the temporary tables
        connection.execute(
            f"CREATE VIRTUAL TABLE temp.words USING fts5vocab(main, papers_fts, {kind})"
        )
    except BaseException:
        connection.close()
        raise
    return connection
