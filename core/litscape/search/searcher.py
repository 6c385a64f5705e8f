"""Finding papers: by words, by meaning, by both, and like other papers."""

from __future__ import annotations

import operator
import threading
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from litscape.errors import LitscapeError, NotReadyError, UserError
from litscape.graph.current import CurrentGraph
from litscape.languages import Languages
from litscape.search import answers, forms, identifiers
from litscape.search.answers import Asked
from litscape.search.counts import DocumentCounts
from litscape.search.fusion import FUSIONS
from litscape.search.groups import expressions
from litscape.search.hits import MODES
from litscape.search.identifiers import Named
from litscape.search.in_notes import find_noted, with_noted
from litscape.search.query import Query, parse
from litscape.search.results import first, only
from litscape.search.scope import scope_of, scope_within
from litscape.search.semantic import SemanticIndex
from litscape.search.spelling import Speller, corrected
from litscape.search.words import as_written, required
from litscape.store import counts, lexical
from litscape.store.leases import held
from litscape.store.note_index import NoteIndex

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    import sqlalchemy as sa
    from numpy.typing import NDArray

    from litscape.alike.finder import Finder
    from litscape.alike.request import SimilarRequest, SimilarResult
    from litscape.alike.seeds import Encode
    from litscape.graph.model import CitationGraph
    from litscape.jobs import JobContext
    from litscape.models.registry import ModelRegistry
    from litscape.paper import PaperFilter
    from litscape.search.hits import Mode, SearchResult
    from litscape.search.identifiers import Naming
    from litscape.search.marks import Inside
    from litscape.search.reasons import Counts
    from litscape.search.semantic import IndexInfo, Loaded
    from litscape.store.database import Database
    from litscape.vectors.store import VectorStore

    Notes = tuple[str, ...]

MOST_PARTIAL = 1000
"""Most papers counted that a search finds only by some of its words."""
MOST_SEEDS = 300
"""Of the papers that others are to be like, so many are looked at for their text."""
MOST = 1_000_000
"""Most papers that one search gives; who asks for more gets these."""


class Searcher:
    """Search in one library, from any thread. Making one reads nothing."""

    def __init__(
        self,
        database: Database,
        vectors: VectorStore,
        registry: ModelRegistry,
        encode_query: Callable[[str], NDArray[np.float32]] | None = None,
        *,
        index_folder: Path | None = None,
        index_setting: str = "auto",
        fusion: str = "scores",
        inside: Inside | None = None,
        encode_papers: Encode | None = None,
        graph: Callable[[], CitationGraph] | None = None,
        ready: Callable[[], bool] | None = None,
    ) -> None:
        """Set up.

        Args:
            database: the library.
            vectors: its vectors.
            registry: which model is active.
            encode_query: from a query to its unit vector (d,) under the active model; may raise
                :class:`~litscape.errors.NotReadyError`. None: no search by meaning.
            index_folder: where index files are cached; ``index`` in the library where None.
            index_setting: ``auto``, ``exact`` or ``hnsw``.
            fusion: how hybrid search joins its rankings: ``scores`` (both measures, half and half)
                or ``ranks`` (reciprocal rank fusion).
            inside: finds papers by the text of their PDFs; None: nothing is found inside them.
            encode_papers: from (title, abstract) of papers that are not in the library to their
                vectors; None: they are compared by words alone.
            graph: who cites whom, as it is now; read from the library where None.
            ready: whether ``encode_papers`` would answer at once.
        """
        if fusion not in FUSIONS:
            raise UserError(f"There is no fusion “{fusion}”; use {', '.join(FUSIONS)}.")
        self._fusion = fusion
        self._database = database
        self._encode = encode_query
        self.inside = inside
        self._encode_papers, self._graph, self._ready = encode_papers, graph, ready
        self._index = SemanticIndex(
            vectors, registry, index_folder or database.folder / "index", index_setting
        )
        self._speller = Speller(database)
        self._notes = NoteIndex()
        self._counts = DocumentCounts(self._speller.counts)
        self._lock = threading.Lock()
        self._sizes: tuple[int, int] | None = None
        self._languages = Languages()
        self._told: set[str] = set()

    def search(
        self,
        query: str,
        mode: Mode = "hybrid",
        k: int = 50,
        flt: PaperFilter | None = None,
        *,
        as_you_type: bool = False,
    ) -> SearchResult:
        """The ``k`` best papers for a query.

        Args:
            query: words, ``"phrases"``, ``title: author: venue: abstract: keyword: year: tag:
                collection: type: has: cites: citedby: text: note:`` before a value, ``-``
                before what to leave out.
            mode: ``lexical`` (words), ``semantic`` (meaning) or ``hybrid`` (both, as far as
                vectors are there).
            k: how many, at least 1.
            flt: which papers may be found; the live ones where None.
            as_you_type: the last word may be the start of one.

        A query that is a DOI or another identifier, or the address of one, gives its papers alone;
        the paper whose citation key it is comes first.

        Raises:
            NotReadyError: search by meaning without vectors or encoder; the message names what to
                run.
            UserError: there is no such mode, or the query is no text or the number none.
        """
        if mode not in MODES:
            raise UserError(f"There is no search mode “{mode}”; use {', '.join(MODES)}.")
        if not isinstance(query, str):
            raise UserError(f"A query must be text, not {query!r}.")
        k = _number(k)
        naming = identifiers.read(query)
        named = self._named(naming, flt, as_you_type)
        if naming and naming.kind and (named.papers or naming.kind != "citation key"):
            return only(naming, named, k)
        parsed = forms.read(self._database, query, as_you_type=as_you_type)
        noted = self.noted(parsed, flt) if mode != "semantic" else []
        parsed, said = (parsed, ()) if named.papers or noted else self._spelled(parsed)
        if said and mode != "semantic":
            noted = self.noted(parsed, flt)
        found = with_noted(self._found(parsed, mode, k, flt, said), noted, k)
        return first(named, found, k) if named.papers else found

    def _named(self, naming: Naming | None, flt: PaperFilter | None, begun: bool) -> Named:
        """The papers that a query names."""
        if naming is None:
            return Named()
        with self._database.read() as conn:
            return identifiers.find(conn, naming, scope_within(flt), begun=begun)

    def noted(self, parsed: Query, flt: PaperFilter | None) -> list[int]:
        """The papers whose notes have the words of a query, as far as the rest of it holds."""
        version = self._database.data_version()
        with self._database.read() as conn:
            return find_noted(conn, self._notes, version, parsed, flt, self.inside)

    def _spelled(self, parsed: Query) -> tuple[Query, Notes]:
        """A query with words that papers have, and notes on what was changed."""
        if not parsed.wanted:
            return parsed, ()
        with self._database.read() as conn:
            return corrected(conn, parsed, self._speller, self._size(conn))

    def _found(
        self, parsed: Query, mode: Mode, k: int, flt: PaperFilter | None, said: Notes
    ) -> SearchResult:
        """The papers for the words of a query."""
        # Before the library is read: an engine that is just starting keeps no snapshot open.
        told, vector, loaded = self._meaning(parsed, mode)
        with self._database.read() as conn:
            scope, notes = scope_of(conn, parsed, flt, self.inside)
            notes = (*said, *notes, *told)
            asked = Asked(conn, parsed, scope, k, notes)
            if not parsed.wanted:
                return answers.listed(asked)
            if vector is None or loaded is None:
                return answers.by_words(asked)
            notes += self._coverage(conn, loaded)
            if other := self._languages.note(conn, self._size(conn), loaded.card):
                notes += (other,)
            asked = replace(asked, notes=notes)
            if mode == "semantic":
                return answers.by_meaning(asked, vector, loaded)
            return answers.by_both(asked, vector, loaded, self._fusion, self._size(conn))

    def similar(
        self,
        asked: SimilarRequest | Sequence[int | str],
        k: int = 20,
        *,
        negatives: Sequence[int | str] = (),
        flt: PaperFilter | None = None,
        weight: float | None = None,
        as_of: int | None = None,
    ) -> SimilarResult:
        """The ``k`` papers most like some examples and least like others.

        Args:
            asked: all that can be asked for; or ids, citekeys or DOIs of one or more papers, to
                which the other arguments belong.
            k: how many.
            negatives: papers that hits should be unlike.
            flt: which papers may be found; the live ones where None.
            weight: share of the vectors against the words, 0 … 1.
            as_of: only citations between papers dated up to this year count; all where None.

        Raises:
            UserError: no paper is given, or one is not in the library.
        """
        from litscape.alike.request import Examples, SimilarRequest

        if not isinstance(asked, SimilarRequest):
            asked = SimilarRequest(
                Examples(tuple(asked)),
                Examples(tuple(negatives)),
                k,
                flt,
                weights=None if weight is None else {"vector": weight, "lexical": 1 - weight},
                as_of=as_of,
            )
        asked = replace(asked, k=_number(asked.k))
        found = self.alike.similar(asked)
        if not self._without_text(found):
            return replace(found, notes=(*found.notes, *self._meant(found)))
        which = "This paper has" if len(found.seeds) == 1 else "These papers have"
        said = f"{which} neither title nor abstract and can't be compared"
        if not found.hits:
            return replace(found, nothing=found.nothing or f"{said}.")
        what = f"{said} by words or meaning; only links, authors and groups count."
        return replace(found, notes=(*found.notes, what), remarks=(*found.remarks, what))

    @cached_property
    def alike(self) -> Finder:
        """Papers like others, with all that can be asked for."""
        from litscape.alike.finder import Finder
        from litscape.alike.own_texts import Together

        def counts(conn: sa.Connection, papers: int) -> Counts:
            return lambda words, column: self._counts.of(conn, words, papers, column)

        return Finder(
            self._database,
            loaded=self._index.current,
            graph=self._graph or CurrentGraph(self._database).get,
            counts=counts,
            size=self._size,
            encode=self._encode_papers,
            together=Together(self._database),
            read=lambda conn, text: corrected(
                conn, forms.settled(conn, parse(text)), self._speller, self._size(conn)
            ),
            ready=self._ready or (lambda: self._encode_papers is not None),
        )

    def _without_text(self, found: SimilarResult) -> bool:
        """Whether hits were to be like papers alone of which none has a text."""
        if not found.seeds or found.outside:
            return False
        with self._database.read() as conn:
            texts = lexical.texts(conn, found.seeds[:MOST_SEEDS]).values()
        return not any(text.prose.strip() for text in texts)

    def _meant(self, found: SimilarResult) -> Notes:
        """How far meaning could be compared."""
        if not (found.weights["vector"] or found.weights["smoothed"]):
            return ()
        loaded = self._index.current()
        with self._database.read() as conn:
            if found.mode_used == "hybrid" and loaded is not None:
                return self._coverage(conn, loaded)
        # Of what is not in the library it is said already.
        return (self._lacking(loaded, len(found.seeds)),) if found.seeds or not found.notes else ()

    def prepare(self, ctx: JobContext | None = None) -> IndexInfo:
        """Build the index where that takes longer than a search may; run it after embedding."""
        return self._index.prepare(ctx)

    def count(self, query: str, flt: PaperFilter | None = None) -> int:
        """How many papers a search by words finds, without ranking them."""
        named = self._named(identifiers.read(query), flt, False)
        parsed = forms.read(self._database, query)
        if not (named.papers or (parsed.empty and parsed.unread)):
            noted = self.noted(parsed, flt)
            parsed, _said = (parsed, ()) if noted else self._spelled(parsed)
            with self._database.read() as conn:
                scope, _notes = scope_of(conn, parsed, flt, self.inside)
                terms = required(parsed.terms)
                scope = as_written(conn, scope, terms)
                groups = expressions(parsed)
                found = lexical.scoped_ids(conn, scope, terms, parsed.without, groups)
            if len(found):
                return len(np.union1d(found, np.array(noted, dtype=np.int64)))
        # By its name, or with some of the words: those are few.
        return len(self.search(query, "lexical", MOST_PARTIAL, flt))

    def meant(self, query: str) -> tuple[str, ...]:
        """Words that papers have, near to those of a query that no title or abstract has."""
        parsed = parse(query)
        inside = [mark.value for mark in parsed.marks if mark.field == "text"]
        asked = replace(parsed, terms=(*parsed.terms, *map(lexical.Term, inside)))
        near, _said = self._spelled(asked)
        return tuple(one.text for one in near.terms if one not in asked.terms)

    def prepare_words(self) -> None:
        """Read the words that papers have, so that slips are seen also in a word being typed."""
        with self._database.read() as conn:
            papers = self._size(conn)
        self._speller.prepare(papers)

    def info(self) -> IndexInfo:
        """What kind of index serves, and how it stands."""
        return self._index.info()

    def _meaning(
        self, query: Query, mode: Mode
    ) -> tuple[Notes, NDArray[np.float32] | None, Loaded | None]:
        """Notes, the query's vector and the index; no vector where meaning can't be searched.

        Raises:
            LitscapeError: the reason for that, where nothing but meaning is asked for.
        """
        if mode == "lexical" or not query.wanted:
            return (), None, None
        try:
            loaded = self._index.current()
            if loaded is None:
                raise NotReadyError(self._index.lacking())
            if self._encode is None:
                raise NotReadyError("Search by meaning needs the engine, which is not running.")
            if not query.meaning:
                return ("Names and places are searched by words.",), None, loaded
            vector = np.asarray(self._encode(query.meaning), dtype=np.float32)
        except LitscapeError as error:
            if mode == "semantic":
                raise
            return (f"Searched by words only: {error}",), None, None
        if loaded.choice.note and loaded.choice.note not in self._told:
            self._told.add(loaded.choice.note)
            return (loaded.choice.note,), vector, loaded
        return (), vector, loaded

    def _size(self, conn: sa.Connection) -> int:
        """How many live papers have a text, as of the last change by anybody."""
        seen = self._database.data_version()
        with self._lock:
            known = self._sizes
        if known is None or known[0] != seen:
            known = (seen, counts.count_with_text(conn))
            with self._lock:
                self._sizes = known
        return known[1]

    def _coverage(self, conn: sa.Connection, loaded: Loaded) -> Notes:
        """A note where papers lack vectors."""
        total, there = self._size(conn), len(loaded.snapshot.ids)
        if there >= total:
            return ()
        lost = self._index.lost()
        why = f"; {lost:,} damaged vector{'s are' if lost > 1 else ' is'} left out" if lost else ""
        rest = "the rest is at work" if held(conn, "embed") else "compute similarity for the rest"
        return (f"Meaning is known for {there:,} of {total:,} papers{why}: {rest}.",)

    def _lacking(self, loaded: Loaded | None, seeds: int) -> str:
        if loaded is None:
            return f"Compared by words only: {self._index.lacking()}"
        which = "The paper has" if seeds == 1 else "The papers have"
        what = "no sound vector" if self._index.lost() else "no vector yet"
        return f"Compared by words only: {which} {what}: compute similarity."


def _number(k: int) -> int:
    try:
        wanted = operator.index(k)
    except TypeError:
        raise UserError(f"The number of papers to find is a whole number, not {k!r}.") from None
    if wanted < 1:
        raise UserError(f"Ask for at least one paper, not for {wanted}.")
    return min(wanted, MOST)
