"""The composition root: one open library and its services."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self, cast

from litscape.history import History
from litscape.jobs import JobContext, null_context
from litscape.papers import Papers
from litscape.settings import AppSettings
from litscape.store.database import Database

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from types import TracebackType
    from typing import TextIO

    import numpy as np
    from numpy.typing import NDArray

    from litscape.alike.request import SimilarRequest, SimilarResult
    from litscape.apart.standing import StandingChild
    from litscape.duplicates import Duplicates
    from litscape.edits import Editor
    from litscape.embed.incremental import EmbedReport
    from litscape.engine import Engine
    from litscape.exporters.losses import Losses
    from litscape.facets import Facets
    from litscape.fulltext import FullText
    from litscape.graph.facade import Citations
    from litscape.importers.session import Imports
    from litscape.index.base import Vectors
    from litscape.info import LibraryInfo
    from litscape.manuscripts import Manuscripts
    from litscape.maps import Maps
    from litscape.models.registry import ModelRegistry
    from litscape.paper import ImportReport, PaperFilter
    from litscape.pdfs import Pdfs
    from litscape.related import Related
    from litscape.search.hits import Mode, SearchResult
    from litscape.search.searcher import Searcher
    from litscape.separation.facade import Separation
    from litscape.topics.facade import Topics
    from litscape.vectors.store import VectorSnapshot, VectorStore

Ref = int | str
"""How a paper is named: its id, citekey (or a former one) or DOI."""


class Library:
    """One library, opened from its folder; close it, or use it as a context manager.

    Services that not every use needs are made when first asked for, so that opening stays quick.

    Attributes:
        folder: where the library lies.
        database: its store; what the services below work on.
        settings: the program's settings that the services follow.
        papers: reading papers.
        history: undo and redo.
    """

    def __init__(self, database: Database, settings: AppSettings | None = None) -> None:
        self.database = database
        self.settings = settings or AppSettings()
        self.folder: Path = database.folder
        self.papers = Papers(database)
        self.history = History(database)

    @classmethod
    def open(
        cls,
        path: Path | str,
        *,
        create: bool = True,
        read_only: bool = False,
        settings: AppSettings | None = None,
    ) -> Self:
        """Open the library in a folder.

        Args:
            path: the folder; a missing or empty one becomes a new library if ``create``.
            create: whether a new library may be made.
            read_only: open for reading alone.
            settings: devices, threads and kind of index; defaults where None.

        Raises:
            UserError: there is no library, or a later release wrote it.
            EnvironmentFault: the file is damaged or can't be read.
        """
        database = Database.open(Path(path), create=create, read_only=read_only)
        return cls(database, settings)

    @cached_property
    def edit(self) -> Editor:
        """Changing papers, each act one step of undo."""
        from litscape.edits import Editor

        return Editor(self.database)

    @cached_property
    def imports(self) -> Imports:
        """Previewing and importing files, and the reports of former imports."""
        from litscape.importers.session import Imports

        return Imports(self.database)

    @cached_property
    def duplicates(self) -> Duplicates:
        """Papers that may be one work: finding, merging, keeping apart."""
        from litscape.duplicates import Duplicates

        return Duplicates(self.database)

    @cached_property
    def related(self) -> Related:
        """Papers that were said to belong together, so that training keeps them near."""
        from litscape.related import Related

        return Related(self.database)

    @cached_property
    def citations(self) -> Citations:
        """Who cites whom: neighbours by citations, counts, links to add, works that are missing."""
        from litscape.graph.facade import Citations

        return Citations(self.database)

    @cached_property
    def manuscripts(self) -> Manuscripts:
        """What the user's own texts cite together."""
        from litscape.manuscripts import Manuscripts

        return Manuscripts(self.database)

    @cached_property
    def maps(self) -> Maps:
        """Pictures of the library by its vectors: made, kept, completed, compared."""
        from litscape.maps import Maps

        return Maps(self.database, self.vector_store, self.models)

    @cached_property
    def analysis(self) -> StandingChild:
        """The child that draws maps and finds topics, once it is needed."""
        from litscape.apart.standing import StandingChild

        return StandingChild()

    @cached_property
    def pdfs(self) -> Pdfs:
        """References that stand in attached PDFs."""
        from litscape.pdfs import Pdfs

        return Pdfs(self.database)

    @cached_property
    def fulltext(self) -> FullText:
        """The text of attached PDFs: read, asked, removed."""
        from litscape.fulltext import FullText

        return FullText(self.database)

    @cached_property
    def facets(self) -> Facets:
        """How many papers of a result have which year, venue, author, tag and so on."""
        from litscape.facets import Facets

        return Facets(self.database, lambda: self.searcher)

    @cached_property
    def topics(self) -> Topics:
        """Papers that belong together: made, named, merged, split, searched by."""
        from litscape.topics.facade import Topics

        return Topics(self)

    @cached_property
    def models(self) -> ModelRegistry:
        """The model versions that this library can use, and the active one."""
        from litscape.models.registry import ModelRegistry

        return ModelRegistry(self.database)

    @cached_property
    def separation(self) -> Separation:
        """How labels that a person trusts lie in the vectors: measured, kept, looked at again."""
        from litscape.separation.facade import Separation

        return Separation(self)

    @cached_property
    def vector_store(self) -> VectorStore:
        """The vectors of each model version."""
        from litscape.vectors.store import VectorStore

        return VectorStore(self.folder / "vectors", self.database)

    @cached_property
    def engine(self) -> Engine:
        """The child processes that compute; none runs before it is needed."""
        from litscape.engine import Engine, WorkerOptions

        return Engine(WorkerOptions(device=self.settings.device, threads=self.settings.threads))

    @cached_property
    def searcher(self) -> Searcher:
        """Search by words, by meaning and both; papers similar to papers."""
        from litscape.search.searcher import Searcher

        return Searcher(
            self.database,
            self.vector_store,
            self.models,
            encode_query=self._encode_query,
            index_setting=self.settings.index_kind,
            fusion=self.settings.hybrid_fusion,
            inside=lambda conn, text: self.fulltext.papers_with(conn, text),
            encode_papers=self._encode_papers,
            graph=self.citations.graph,
            ready=self._encoder_ready,
        )

    def follow(self, settings: AppSettings) -> None:
        """Use other settings from now on: device and threads with the next work, index at once."""
        now = self.settings
        search_changes = (settings.index_kind, settings.hybrid_fusion) != (
            now.index_kind,
            now.hybrid_fusion,
        )
        self.settings = settings
        if "engine" in self.__dict__:
            options = self.engine.options
            self.engine.options = replace(options, device=settings.device, threads=settings.threads)
        if search_changes:
            self.__dict__.pop("searcher", None)

    def _encoder_ready(self) -> bool:
        """Whether texts would be encoded at once."""
        if "engine" not in self.__dict__:
            return False
        return self.engine.query(self.models.active()).state == "ready"

    def _encode_papers(self, papers: Sequence[tuple[str | None, str | None]]) -> Vectors:
        from litscape.embed.text import paper_text

        card = self.models.active()
        texts = [paper_text(card, title, abstract) or "" for title, abstract in papers]
        return self.engine.query(card).encode_papers(texts)

    def _encode_query(self, query: str) -> NDArray[np.float32]:
        return self.engine.query(self.models.active()).encode(query)

    def import_file(self, *locations: Path | str, ctx: JobContext | None = None) -> ImportReport:
        """Bring in files of any known kind as one change; what was skipped stands in the report.

        Raises:
            UserError: a source could not be read at all.
        """
        return self.imports.run([str(one) for one in locations], ctx or null_context())

    def export(
        self,
        kind: str,
        stream: TextIO,
        papers: Iterable[Ref] | None = None,
        losses: Losses | None = None,
        ctx: JobContext | None = None,
    ) -> int:
        """Write papers (all live ones by default) in a format; returns how many.

        ``losses`` counts what the format has no place for.

        Raises:
            UserError: no such format or paper.
            JobCancelledError: ``ctx`` asked for the end.
        """
        from litscape.exporters.base import Part
        from litscape.exporters.registry import exporter

        writer = exporter(kind)
        if papers is None:
            ids = [int(one) for one in self.papers.ids()]
        else:
            ids = list(dict.fromkeys(self.papers.id_of(one) for one in papers))
        part = Part(frozenset(ids), self.papers.many, self.papers.citekeys)
        found = self.papers.stream(ids, ctx)
        return writer.write(losses.watch(found) if losses else found, stream, part)

    def embed(self, ctx: JobContext | None = None) -> EmbedReport:
        """Give every paper a vector of the active model; only what changed is embedded again.

        Raises:
            LibraryBusyError: another program embeds this library.
            EngineDiedError: a child process ended; call again to go on.
        """
        from litscape.embed.incremental import embed_library

        report = embed_library(self.database, self.vector_store, self.models, self.engine, ctx)
        self.searcher.prepare(ctx)
        return report

    def search(
        self,
        query: str,
        mode: Mode = "hybrid",
        k: int = 20,
        flt: PaperFilter | None = None,
        *,
        as_you_type: bool = False,
        inside: bool = False,
    ) -> SearchResult:
        """Papers for a query, best first; see :meth:`litscape.search.searcher.Searcher.search`.

        With ``inside``, papers that have the words in a PDF come after those that have them in
        title, abstract and the like (:mod:`litscape.search.inside`).

        Raises:
            NotReadyError: ``mode`` is semantic and there are no vectors yet.
        """

        def search(number: int) -> SearchResult:
            return self.searcher.search(query, mode, number, flt, as_you_type=as_you_type)

        if not inside and "text:" not in str(query).casefold():
            return search(k)
        from litscape.search.inside import InsidePdfs

        pdfs = InsidePdfs(self.database, self.fulltext, self.searcher.meant)
        query = query if as_you_type else pdfs.mended(query)
        return pdfs.search(query, k, flt, search, also=inside, as_you_type=as_you_type)

    def similar(
        self,
        papers: Ref | Sequence[Ref] | SimilarRequest,
        k: int = 20,
        negatives: Sequence[Ref] = (),
        flt: PaperFilter | None = None,
    ) -> SimilarResult:
        """Papers like the given ones and unlike the negative ones, best first.

        Args:
            papers: one paper or several; or a request with all that can be asked for, to which no
                other argument is added.
            k: how many.
            negatives: papers that hits should be unlike.
            flt: which papers may be found.

        Raises:
            UserError: one of the papers is not in the library.
        """
        from litscape.alike.request import SimilarRequest

        if isinstance(papers, SimilarRequest):
            return self.searcher.similar(papers)
        one = isinstance(papers, str) or not hasattr(papers, "__iter__")
        named = cast("Sequence[Ref]", [papers] if one else papers)
        seeds = [self.papers.id_of(one) for one in named]
        against = [self.papers.id_of(one) for one in negatives]
        return self.searcher.similar(seeds, k=k, negatives=against, flt=flt)

    def info(self) -> LibraryInfo:
        """What the library holds and how ready it is."""
        from litscape.info import describe

        return describe(self)

    def vectors(self) -> VectorSnapshot:
        """Ids and unit vectors, float32 (n, d), of the active model as they are now."""
        return self.vector_store.snapshot(self.models.active().version)

    def backup(self, destination: Path | None = None) -> Path:
        """Copy the library file, also while it is in use; returns where the copy lies."""
        from litscape.store.backup import backup

        return backup(self.database, destination)

    def close(self) -> None:
        """End the children and close the database."""
        if "engine" in self.__dict__:
            self.engine.close()
        if "analysis" in self.__dict__:
            self.analysis.close()
        if "fulltext" in self.__dict__:
            self.fulltext.close()
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
