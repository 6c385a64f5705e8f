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
from litscape.search import identifiers
from litscape.search.counts import DocumentCounts
from litscape.search.fusion import FUSIONS
from litscape.search.groups import expressions
from litscape.search.hits import MODES, SearchHit, SearchResult
from litscape.search.identifiers import Named
from litscape.search.query import Query, describe, parse
from litscape.search.results import first, joined, only
from litscape.search.scope import scope_of, scope_within
from litscape.search.semantic import SemanticIndex
from litscape.search.words import rank_words, search_words
from litscape.store import lexical
from litscape.store.leases import held

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
    from litscape.paper import PaperFilter, PaperId
    from litscape.search.hits import Mode
    from litscape.search.identifiers import Naming
    from litscape.search.marks import Inside
    from litscape.search.reasons import Counts
    from litscape.search.semantic import IndexInfo, Loaded
    from litscape.store.database import Database
    from litscape.store.lexical import Scope
    from litscape.vectors.store import VectorStore

    Notes = tuple[str, ...]

FUSION_DEPTH = 100
"""How deep each ranking is read when two are joined, at least."""
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
        ready: Callable[[], bool] | None = None,
        inside: Inside | None = None,
        encode_papers: Encode | None = None,
        graph: Callable[[], CitationGraph] | None = None,
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
            ready: whether ``encode_papers`` would answer at once.
            encode_papers: from (title, abstract) of papers that are not in the library to their
                vectors; None: they are compared by words alone.
            graph: who cites whom, as it is now; read from the library where None.
        """
        if fusion not in FUSIONS:
            raise UserError(f"There is no fusion “{fusion}”; use {', '.join(FUSIONS)}.")
        self._fusion = fusion
        self._database = database
        self._encode = encode_query
        self._inside = inside
        self._encode_papers, self._graph, self._ready = encode_papers, graph, ready
        self._index = SemanticIndex(
            vectors, registry, index_folder or database.folder / "index", index_setting
        )
        self._counts = DocumentCounts()
        self._lock = threading.Lock()
        self._sizes: tuple[int, int] | None = None
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
                collection: type: has: cites: citedby: text:`` before a value, ``-`` before what to
                leave out.
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
        found = self._found(parse(query, as_you_type=as_you_type), mode, k, flt)
        return first(named, found, k) if named.papers else found

    def _named(self, naming: Naming | None, flt: PaperFilter | None, begun: bool) -> Named:
        """The papers that a query names."""
        if naming is None:
            return Named()
        with self._database.read() as conn:
            return identifiers.find(conn, naming, scope_within(flt), begun=begun)

    def _found(self, parsed: Query, mode: Mode, k: int, flt: PaperFilter | None) -> SearchResult:
        """The papers for the words of a query."""
        # Before the library is read: an engine that is just starting keeps no snapshot open.
        told, vector, loaded = self._meaning(parsed, mode)
        with self._database.read() as conn:
            scope, notes = scope_of(conn, parsed, flt, self._inside)
            notes += told
            if not parsed.wanted:
                return self._listed(conn, parsed, scope, k, notes)
            if vector is None or loaded is None:
                return self._lexical(conn, parsed, scope, k, notes)
            notes += self._coverage(conn, loaded)
            if mode == "semantic":
                return self._semantic(conn, parsed, scope, k, notes, vector, loaded)
            return self._hybrid(conn, parsed, scope, k, notes, vector, loaded)

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
        return replace(found, notes=(*found.notes, *self._meant(found)))

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
        )

    def _meant(self, found: SimilarResult) -> Notes:
        """How far meaning could be compared."""
        if not (found.weights["vector"] or found.weights["smoothed"]):
            return ()
        loaded = self._index.current()
        with self._database.read() as conn:
            if found.mode_used == "hybrid" and loaded is not None:
                return self._coverage(conn, loaded)
            ready=self._ready or (lambda: self._encode_papers is not None),
        return (self._lacking(loaded, len(found.seeds)),)

    def prepare(self, ctx: JobContext | None = None) -> IndexInfo:
        """Build the index where that takes longer than a search may; run it after embedding."""
        return self._index.prepare(ctx)

    def info(self) -> IndexInfo:
        """What kind of index serves, and how it stands."""
        return self._index.info()

    def _listed(
        self, conn: sa.Connection, query: Query, scope: Scope, k: int, notes: Notes
    ) -> SearchResult:
        """Papers that a query without words lets through, newest first; of nothing, nothing."""
        if query.empty and query.unread:
            notes = query.notes or ("Nothing in it can be searched for: type words or a name.",)
            return SearchResult((), describe(query), "lexical", notes)
        without = lexical.any_of(query.without)
        papers = lexical.listing(conn, k, scope, without)
        hits = tuple(SearchHit(paper, 0.0, lexical_rank=i) for i, paper in enumerate(papers, 1))
        return SearchResult(hits, describe(query), "lexical", (*query.notes, *notes))

    def _lexical(
        self, conn: sa.Connection, query: Query, scope: Scope, k: int, notes: Notes
    ) -> SearchResult:
        found = search_words(conn, query, k, scope)
        hits = tuple(
            SearchHit(paper, score, lexical_rank=rank, why=("words",), partial=not found.complete)
            for rank, (paper, score) in enumerate(found.hits, start=1)
        )
        return SearchResult(hits, describe(query), "lexical", (*query.notes, *notes, *found.notes))

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

    def _nearest(
        self,
        conn: sa.Connection,
        query: Query,
        scope: Scope,
        k: int,
        vector: NDArray[np.float32],
        loaded: Loaded,
    ) -> list[tuple[PaperId, float]]:
        fields = tuple(term for term in query.terms if term.column)
        groups = expressions(query)
        allowed = None
        if not scope.everything or fields or query.without or groups:
            allowed = lexical.scoped_ids(conn, scope, fields, query.without, groups)
        ids, cosines = loaded.index.search(vector, k, allowed)
        return list(zip(ids.tolist(), cosines.tolist(), strict=True))

    def _semantic(
        self,
        conn: sa.Connection,
        query: Query,
        scope: Scope,
        k: int,
        notes: Notes,
        vector: NDArray[np.float32],
        loaded: Loaded,
    ) -> SearchResult:
        nearest = self._nearest(conn, query, scope, k, vector, loaded)
        hits = tuple(
            SearchHit(
                paper, cosine, semantic_rank=rank, similarity=cosine, why=(f"meaning {cosine:.2f}",)
            )
            for rank, (paper, cosine) in enumerate(nearest, start=1)
        )
        return SearchResult(hits, describe(query), "semantic", (*query.notes, *notes))

    def _hybrid(
        self,
        conn: sa.Connection,
        query: Query,
        scope: Scope,
        k: int,
        notes: Notes,
        vector: NDArray[np.float32],
        loaded: Loaded,
    ) -> SearchResult:
        depth = max(k, FUSION_DEPTH)
        if self._fusion == "ranks":
            words = search_words(conn, query, depth, scope)
        else:
            words = rank_words(conn, query, depth, scope, self._size(conn))
        nearest = self._nearest(conn, query, scope, depth, vector, loaded)
        hits = joined(words, nearest, loaded, vector, self._fusion)[:k]
        return SearchResult(hits, describe(query), "hybrid", (*query.notes, *notes, *words.notes))

    def _size(self, conn: sa.Connection) -> int:
        """How many live papers have a text, as of the last change by anybody."""
        seen = self._database.data_version()
        with self._lock:
            known = self._sizes
        if known is None or known[0] != seen:
            known = (seen, lexical.count_with_text(conn))
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
