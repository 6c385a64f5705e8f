"""Finding papers like others in one library: from a request to ranked hits with their reasons."""

from __future__ import annotations

import threading
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from litscape.alike import weights as weighing
from litscape.alike.diverse import POOL, chosen
from litscape.alike.explain import explain
from litscape.alike.feed import Feed, encoded, new_ones, rank_drafts
from litscape.alike.ground import Ground, direction
from litscape.alike.limits import allowed_papers, voting_papers
from litscape.alike.links import Links
from litscape.alike.nearness import Nearness
from litscape.alike.outside import outside
from litscape.alike.ranking import Words, rank
from litscape.alike.reasons import hits_of
from litscape.alike.request import Scored, SimilarResult
from litscape.alike.seeds import gather, named, outsiders, sentences_by
from litscape.alike.tellings import learner, nobody, none_left, understood
from litscape.errors import LitscapeError, UserError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import sqlalchemy as sa
    from numpy.typing import NDArray

    from litscape.alike.explain import Explanation
    from litscape.alike.ground import Values
    from litscape.alike.outside import OutsideHit
    from litscape.alike.ranking import Ranked
    from litscape.alike.request import Examples, SimilarRequest
    from litscape.alike.seeds import Encode
    from litscape.graph.model import CitationGraph
    from litscape.index.base import Vectors
    from litscape.jobs import JobContext
    from litscape.paper import PaperDraft, PaperId
    from litscape.search.hits import SearchHit
    from litscape.search.query import Query
    from litscape.search.reasons import Counts
    from litscape.search.semantic import Loaded
    from litscape.store.database import Database

MOST_DEPTH = 2_000
_KEPT_TEXTS = 64


class Asked(NamedTuple):
    """A request as far as it is worked out."""

    ground: Ground
    ranked: Ranked
    weights: Mapping[str, float]
    notes: tuple[str, ...]
    papers: int
    left: bool
    """Whether the limits leave any paper."""
    far: bool
    """Whether no paper is close."""


class Finder:
    """Finds papers like others; for any thread. Making one reads nothing."""

    def __init__(
        self,
        database: Database,
        *,
        loaded: Callable[[], Loaded | None],
        graph: Callable[[], CitationGraph],
        counts: Callable[[sa.Connection, int], Counts],
        size: Callable[[sa.Connection], int],
        encode: Encode | None,
        together: Callable[[int | None], dict[int, list[tuple[int, float]]]],
        read: Callable[[sa.Connection, str], tuple[Query, tuple[str, ...]]],
        ready: Callable[[], bool],
    ) -> None:
        """Set up.

        Args:
            database: the library.
            loaded: its vectors as they are now.
            graph: who cites whom, as it is now.
            counts: in how many papers words stand.
            size: how many papers have a text.
            encode: from (title, abstract) of papers to their vectors; None: texts from outside are
                compared by words alone.
            together: who is cited together with whom in the user's manuscripts, up to a year.
            read: from the text of a query to its parts, slips mended, and what was changed.
            ready: whether ``encode`` would answer at once.
        """
        self._database = database
        self._loaded, self._graph = loaded, graph
        self._counts, self._size = counts, size
        self._encode, self._together, self._ready = encode, together, ready
        self._read = read
        self._lock, self._nearness = threading.Lock(), Nearness()
        self._links: tuple[CitationGraph, int | None, Links] | None = None
        self._rows: tuple[NDArray[np.int64], str, NDArray[np.int32], NDArray[np.bool_]] | None = (
            None
        )
        self._texts: dict[tuple[str, str | None, str | None], Vectors] = {}

    def similar(self, request: SimilarRequest) -> SimilarResult:
        """The ``k`` papers most like the examples.

        Raises:
            UserError: nothing is named, or something that is not there; or a weight or the
                diversity is none.
        """
        weights, outside, notes = self._before(request)
        with self._database.read() as conn:
            asked = self._ask(conn, request, weights, outside, request.k)
            ground, ranked = asked.ground, asked.ranked
            places = self._chosen(asked, request)
            hits = hits_of(
                ground,
                ranked,
                places,
                asked.weights,
                self._counts(conn, asked.papers),
                asked.papers,
            )
            said = understood(conn, request, ground.liked.papers, ground.unliked.papers)
            nothing = "" if asked.left else none_left(conn, request)
        by_meaning = not bool(np.isnan(ground.cosines).all())
        return SimilarResult(
            hits=tuple(hit for hit in hits if hit.score > 0 or hit.why),
            understood=said,
            mode_used="hybrid" if by_meaning else "lexical",
            notes=(*notes, *asked.notes),
            weights=asked.weights,
            learner=learner(ground.liked, ground.unliked),
            seeds=ground.liked.papers,
            against=ground.unliked.papers,
            outside=len(request.like.texts) + len(request.like.drafts),
            remarks=asked.notes,
            nothing=nothing,
        )

    def scored(self, request: SimilarRequest, graph: CitationGraph | None = None) -> Scored:
        """All candidates of a request with what each signal says; ``k`` is how many at least.

        Args:
            request: what is asked for; diversity plays no part.
            graph: the links to use instead of the library's, of the same papers.

        Raises:
            UserError: as :meth:`similar`.
        """
        weights, outside, _notes = self._before(request)
        with self._database.read() as conn:
            asked = self._ask(conn, request, weights, outside, request.k, graph)
        order = asked.ranked.order()
        return Scored(
            asked.ground.links.ids[asked.ranked.numbers[order]],
            {name: values[order] for name, values in asked.ranked.values.items()},
            asked.ranked.total[order],
        )

    def explain(
        self, request: SimilarRequest, hit: SearchHit, *, wait: bool = False
    ) -> Explanation:
        """Why a hit of a request is like the examples.

        Args:
            request: what was asked for.
            hit: one of its hits.
            wait: whether to start the encoder for the sentence that fits best; else words choose
                it until the encoder is there.

        Raises:
            UserError: as :meth:`similar`, or the hit is no longer there.
        """
        weights, outside, _notes = self._before(request)
        encode = self._encode if wait or self._ready() else None
        with self._database.read() as conn:
            papers = self._size(conn)
            counts = self._counts(conn, papers)
            found = weights or weighing.current(conn)
            ground, vector = self._stand(conn, request, found, outside)
            if not len(ground.links.numbers_of(np.array([hit.paper_id], dtype=np.int64))):
                raise UserError("This paper is no longer in the library.")
            words = Words.of(ground, counts, papers)
            sentences = None if encode is None else partial(sentences_by, encode)
            return explain(ground, hit, words, self._graph(), counts, papers, sentences, vector)

    def outside(self, request: SimilarRequest) -> tuple[OutsideHit, ...]:
        """The works outside the library that would fit best with the examples.

        Raises:
            UserError: as :meth:`similar`.
        """
        weights, vectors, _notes = self._before(request)
        graph = self._graph()
        with self._database.read() as conn:
            voting = replace(request, newer_than=None, older_than=None)
            asked = self._ask(conn, voting, weights, vectors, request.k, graph)
            words = Words.of(asked.ground, self._counts(conn, asked.papers), asked.papers)
            years = request.newer_than, request.older_than
            k = 0 if asked.far else request.k  # what far papers cite is only cited often
            return outside(conn, asked.ground, asked.ranked, words, graph, k, years)

    def feed(
        self, request: SimilarRequest, drafts: Sequence[PaperDraft], ctx: JobContext | None = None
    ) -> Feed:
        """The records from outside that are closest to the examples; the library's are left out.

        Raises:
            UserError: as :meth:`similar`.
            JobCancelledError: ``ctx`` asked for the end.
        """
        weights, outside, notes = self._before(request)
        with self._database.read() as conn:
            new, known = new_ones(conn, drafts)
        loaded = self._loaded() if new and self._encode is not None else None
        vectors = None
        if loaded is not None and self._encode is not None:
            try:
                vectors = encoded(new, self._encode, ctx)
            except LitscapeError as error:
                notes = (*notes, f"Compared by words only: {error}")
        with self._database.read() as conn:
            found = weights or weighing.current(conn)
            ground, vector = self._stand(conn, request, found, outside)
            counts, papers = self._counts(conn, self._size(conn)), self._size(conn)
            words = Words.of(ground, counts, papers)
            cosines = np.full(len(new), np.nan)
            if vectors is not None and vector is not None:
                cosines = (vectors @ vector).astype(np.float64)
            hits = rank_drafts(ground, words, new, cosines, found, request.k, counts, papers)
        return Feed(hits, known, notes)

    def nearest(
        self, papers: Sequence[PaperId], examples: Sequence[PaperId]
    ) -> dict[PaperId, PaperId]:
        """The example that each paper is nearest to by meaning; without those not known."""
        loaded = self._loaded()
        if loaded is None:
            return {}
        theirs, rows = loaded.rows_of(np.array(papers, dtype=np.int64))
        ours, own = loaded.rows_of(np.array(examples, dtype=np.int64))
        if not len(theirs) or not len(ours):
            return {}
        best = (rows @ own.T).argmax(axis=1)
        return dict(zip(theirs.tolist(), ours[best].tolist(), strict=True))

    def papers_of(self, examples: Examples) -> tuple[int, ...]:
        """The papers of the library that examples name.

        Raises:
            UserError: one is not there.
        """
        with self._database.read() as conn:
            return named(conn, examples)

    # -- steps -------------------------------------------------------------------------------

    def _before(
        self, request: SimilarRequest
    ) -> tuple[dict[str, float] | None, dict[bool, Vectors], tuple[str, ...]]:
        """What is worked out before the library is read, so that no snapshot waits for it."""
        if not request.like:
            raise UserError("Name at least one paper to find others like it.")
        if not all(text.strip() for text in (*request.like.texts, *request.unlike.texts)):
            raise UserError("The text to compare with is empty: give an abstract or a title.")
        if not 0 <= request.diversity <= 1:
            raise UserError(f"Diversity is a number from 0 to 1, not {request.diversity}.")
        weights = None if request.weights is None else weighing.checked(request.weights)
        outside: dict[bool, Vectors] = {}
        try:
            for wanted, examples in ((True, request.like), (False, request.unlike)):
                outside[wanted] = self._encoded(examples)
        except LitscapeError as error:
            return weights, {}, (f"What is not in the library is compared by words only: {error}",)
        return weights, outside, ()

    def _encoded(self, examples: Examples) -> Vectors:
        """(m, d) vectors of what is not in the library; computed once for each text."""
        texts = [one for one in outsiders(examples) if any(one)]
        loaded = self._loaded() if texts else None
        if loaded is None or self._encode is None:
            return np.empty((0, 0), dtype=np.float32)
        version = loaded.card.version
        with self._lock:
            known = dict(self._texts)
        if missing := [one for one in texts if (version, *one) not in known]:
            vectors = self._encode(missing)
            new = {(version, *one): row for one, row in zip(missing, vectors, strict=True)}
            known |= new
            with self._lock:
                self._texts = dict(list((self._texts | new).items())[-_KEPT_TEXTS:])
        return np.stack([known[version, *one] for one in texts])

    def _ask(
        self,
        conn: sa.Connection,
        request: SimilarRequest,
        weights: dict[str, float] | None,
        outside: Mapping[bool, Vectors],
        k: int,
        graph: CitationGraph | None = None,
    ) -> Asked:
        weights = weights or weighing.current(conn)
        ground, _vector = self._stand(conn, request, weights, outside, graph)
        query, said = self._read(conn, request.within)
        scope, allowed, notes = allowed_papers(conn, request, query, ground)
        notes = (*said, *notes)
        papers = self._size(conn)
        words = Words.of(ground, self._counts(conn, papers), papers)
        voting = voting_papers(request, ground, scope, allowed)
        far, told = self._nearness.judge(self._loaded(), request.like, ground)
        ranked = rank(ground, weights, scope, allowed, words, min(MOST_DEPTH, k), voting, far=far)
        return Asked(ground, ranked, weights, (*notes, *told), papers, bool(allowed.any()), far)

    def _stand(
        self,
        conn: sa.Connection,
        request: SimilarRequest,
        weights: Mapping[str, float],
        outside: Mapping[bool, Vectors],
        graph: CitationGraph | None = None,
    ) -> tuple[Ground, Vectors | None]:
        """The ground of a request, and the direction sought where meaning is known."""
        meant = weights["vector"] > 0 or weights["smoothed"] > 0
        loaded = self._loaded() if meant else None
        links = self._links_of(request.as_of, graph)
        sides = [
            gather(conn, one, links, loaded, outside.get(wanted), text_only=request.text_only)
            for wanted, one in ((True, request.like), (False, request.unlike))
        ]
        liked, unliked = sides
        if not liked.size:
            raise UserError(nobody(conn, request.like))
        if request.text_only:
            seeds = np.array((*liked.papers, *unliked.papers), dtype=np.int64)
            links = links.without(links.numbers_of(seeds))
        vector = direction(liked.vectors, unliked.vectors)
        ground = Ground(
            conn, links, liked, unliked,
            self._cosines(links, loaded, vector),
            lambda: self._together(request.as_of),
        )  # fmt: skip
        return ground, vector if loaded is not None else None

    def _links_of(self, as_of: int | None, graph: CitationGraph | None) -> Links:
        """The links that count, kept for the next request."""
        graph = graph or self._graph()
        with self._lock:
            known = self._links
        if known is not None and known[0] is graph and known[1] == as_of:
            return known[2]
        links = Links.of(graph)
        if as_of is not None:
            links = links.up_to(as_of)
        with self._lock:
            self._links = graph, as_of, links
        return links

    def _cosines(self, links: Links, loaded: Loaded | None, vector: Vectors | None) -> Values:
        found = np.full(len(links), np.nan)
        if loaded is None or vector is None:
            return found
        numbers, there = self._rows_of(links, loaded)
        found[numbers] = (loaded.snapshot.matrix @ vector)[there]
        return found

    def _rows_of(self, links: Links, loaded: Loaded) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """The number of the paper of each row of the vectors, and which rows have one."""
        with self._lock:
            known = self._rows
        if known and known[0] is links.ids and known[1] == loaded.snapshot.revision:
            return known[2], known[3]
        ids = loaded.snapshot.ids
        numbers, there = links.numbers_of(ids), np.isin(ids, links.ids)
        with self._lock:
            self._rows = links.ids, loaded.snapshot.revision, numbers, there
        return numbers, there

    def _chosen(self, asked: Asked, request: SimilarRequest) -> NDArray[np.int64]:
        """Places of the hits among the candidates, in order."""
        order, k = asked.ranked.order(), request.k
        if not request.diversity:
            return order[:k]
        loaded = self._loaded()
        order, beyond = order[:POOL], order[POOL:k]
        ids = asked.ground.links.ids[asked.ranked.numbers[order]]
        vectors = np.zeros((len(ids), 1), dtype=np.float32)
        if loaded is not None:
            known, rows = loaded.rows_of(ids)
            vectors = np.zeros((len(ids), rows.shape[1]), dtype=np.float32)
            vectors[np.isin(ids, known)] = rows
        places = order[chosen(asked.ranked.total[order], vectors, k, request.diversity)]
        return np.concatenate((places, beyond))
