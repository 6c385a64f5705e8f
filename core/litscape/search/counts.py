"""In how many papers words stand, remembered: asking costs up to milliseconds a word."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from litscape.store import lexical
from litscape.store.lexical import Term

if TYPE_CHECKING:
    from collections.abc import Iterable

    import sqlalchemy as sa

_DRIFT = 0.1


class DocumentCounts:
    """Counts of one library's words; forgotten when it has grown or shrunk by a tenth.

    Counts weight words against each other, so that slightly old ones do.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: dict[str, int] = {}
        self._papers = 0

    def of(self, conn: sa.Connection, words: Iterable[str], papers: int) -> dict[str, int]:
        """The number of papers with each word, by the word.

        Args:
            conn: a connection.
            words: in small letters.
            papers: how many papers the library has now.
        """
        wanted = list(words)
        with self._lock:
            if abs(papers - self._papers) > _DRIFT * self._papers:
                self._counts, self._papers = {}, papers
            known = dict(self._counts)
        missing = [word for word in wanted if word not in known]
        new = lexical.document_counts(conn, [Term(word) for word in missing], papers + 1)
        found = dict(zip(missing, new, strict=True))
        with self._lock:
            self._counts.update(found)
        return {word: known[word] if word in known else found[word] for word in wanted}
