"""In how many papers words stand, remembered: asking costs up to milliseconds a word."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from litscape.store import lexical
from litscape.store.lexical import Term

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import sqlalchemy as sa

    from litscape.store.lexical import Column

    Told = Callable[[Sequence[str], int], Mapping[str, int]]

_DRIFT = 0.1


class DocumentCounts:
    """Counts of one library's words; forgotten when it has grown or shrunk by a tenth.

    Counts weight words against each other, so that slightly old ones do.
    """

    def __init__(
        self, told: Callable[[Sequence[str], int], Mapping[str, int]] | None = None
    ) -> None:
        """Set up.

        Args:
            told: what is known of single words without asking the library, from words and the
                number of papers.
        """
        self._told = told
        self._lock = threading.Lock()
        self._counts: dict[Term, int] = {}
        self._papers = 0

    def of(
        self, conn: sa.Connection, words: Iterable[str], papers: int, column: Column | None = None
    ) -> dict[str, int]:
        """The number of papers with each word or phrase, by the word.

        Args:
            conn: a connection.
            words: in small letters.
            papers: how many papers the library has now.
            column: where they have to stand; anywhere where None.
        """
        wanted = {word: Term(word, column) for word in words}
        with self._lock:
            if abs(papers - self._papers) > _DRIFT * self._papers:
                self._counts, self._papers = {}, papers
            known = {term: self._counts[term] for term in wanted.values() if term in self._counts}
        missing = [term for term in wanted.values() if term not in known]
        found = self._known_words(missing, papers)
        missing = [term for term in missing if term not in found]
        found |= dict(zip(missing, lexical.document_counts(conn, missing, papers + 1), strict=True))
        with self._lock:
            self._counts.update(found)
        known.update(found)
        return {word: known[term] for word, term in wanted.items()}

    def _known_words(self, terms: Iterable[Term], papers: int) -> dict[Term, int]:
        single = [term for term in terms if term.column is None and " " not in term.text]
        if self._told is None or not single:
            return {}
        told = self._told([term.text for term in single], papers)
        return {term: told[term.text] for term in single if term.text in told}
