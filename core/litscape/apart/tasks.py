"""What :func:`~litscape.apart.call.run_apart` is asked for: services of a library as functions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from litscape.alike.feed import Feed
    from litscape.alike.fresh import Wanted as FeedWanted
    from litscape.alike.weights import Learned
    from litscape.duplicates import DuplicateGroup
    from litscape.evaluation.records import Report, Wanted
    from litscape.fulltext.records import TextReport
    from litscape.graph.missing import MissingWork
    from litscape.graph.records import AddReport
    from litscape.importers.base import ReadOptions
    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.manuscripts.records import ManuscriptReport
    from litscape.paper import ImportReport, LibraryChanges, PaperDraft, PaperId
    from litscape.pdfs.records import PdfReport
    from litscape.separation.records import Overlap, SeparationReport
    from litscape.separation.records import Wanted as SeparationWanted


def import_files(
    library: Library,
    ctx: JobContext,
    locations: Sequence[str],
    *,
    kind: str | None = None,
    encoding: str | None = None,
    options: ReadOptions | None = None,
    collection: tuple[str, ...] | None = None,
    all_or_nothing: bool = False,
) -> ImportReport:
    """:meth:`litscape.importers.session.Imports.run`."""
    return library.imports.run(
        locations,
        ctx,
        kind=kind,
        encoding=encoding,
        options=options,
        collection=collection,
        all_or_nothing=all_or_nothing,
    )


def import_text(
    library: Library,
    ctx: JobContext,
    text: str,
    *,
    kind: str | None = None,
    collection: tuple[str, ...] | None = None,
    all_or_nothing: bool = False,
) -> ImportReport:
    """:meth:`litscape.importers.session.Imports.run_text`."""
    return library.imports.run_text(
        text, ctx, kind=kind, collection=collection, all_or_nothing=all_or_nothing
    )


def look_again(
    library: Library, ctx: JobContext, location: str, options: ReadOptions
) -> ImportReport:
    """:meth:`litscape.importers.watch.Watch.look`."""
    from litscape.importers.watch import Watch

    return Watch(library.database).look(location, ctx, options=options)


def export_file(
    library: Library, ctx: JobContext, path: Path, kind: str, ids: Sequence[PaperId] | None
) -> tuple[int, str]:
    """:meth:`litscape.library.Library.export` to a file; how many papers, and what it lacks."""
    from litscape.exporters.losses import Losses
    from litscape.exporters.written import written_whole

    losses = Losses(kind)
    with written_whole(path) as stream:
        number = library.export(kind, stream, ids, losses, ctx)
    return number, losses.sentence()


def find_duplicates(library: Library, ctx: JobContext) -> tuple[DuplicateGroup, ...]:
    """:meth:`litscape.duplicates.Duplicates.list`."""
    return library.duplicates.list(ctx)


def merge_duplicates(
    library: Library, ctx: JobContext, groups: Sequence[Sequence[PaperId]]
) -> LibraryChanges:
    """:meth:`litscape.duplicates.Duplicates.merge_all`."""
    return library.duplicates.merge_all(groups, ctx)


def missing_works(library: Library, ctx: JobContext, limit: int) -> tuple[MissingWork, ...]:
    """:meth:`litscape.graph.facade.Citations.missing`, in what can be passed on."""
    return tuple(
        replace(one, reference=replace(one.reference, extra=dict(one.reference.extra)))
        for one in library.citations.missing(limit=limit, ctx=ctx)
    )


def add_links(library: Library, ctx: JobContext, path: str) -> AddReport:
    """:meth:`litscape.graph.facade.Citations.add`."""
    return library.citations.add(path, ctx)


def read_pdfs(library: Library, ctx: JobContext) -> PdfReport:
    """:meth:`litscape.pdfs.facade.Pdfs.read`."""
    return library.pdfs.read(ctx=ctx)


def build_fulltext(library: Library, ctx: JobContext, *, again: bool = False) -> TextReport:
    """:meth:`litscape.fulltext.facade.FullText.build`."""
    return library.fulltext.build(ctx, again=again)


def read_manuscripts(library: Library, ctx: JobContext, place: str) -> ManuscriptReport:
    """:meth:`litscape.manuscripts.facade.Manuscripts.read`."""
    return library.manuscripts.read(place, ctx)


def measure_search(
    library: Library, ctx: JobContext, wanted: Sequence[Wanted]
) -> tuple[Report, ...]:
    """:func:`litscape.evaluation.run.measure`, one after the other; each is told of when done."""
    from litscape.evaluation.run import measure

    reports = []
    for one in wanted:
        reports.append(measure(library, one, ctx))
        ctx.partial(reports[-1])
    return tuple(reports)


def measure_separation(
    library: Library, ctx: JobContext, wanted: SeparationWanted
) -> SeparationReport:
    """:meth:`litscape.separation.facade.Separation.measure`."""
    return library.separation.measure(wanted, ctx)


def overlap_labels(
    library: Library, ctx: JobContext, labels: str, first: str, second: str, version: str | None
) -> Overlap:
    """:meth:`litscape.separation.facade.Separation.overlap`."""
    return library.separation.overlap(labels, first, second, version, ctx)


def learn_weights(library: Library, ctx: JobContext) -> Learned:
    """:func:`litscape.alike.learning.learn`."""
    from litscape.alike.learning import learn

    return learn(library, ctx)


def find_new(library: Library, ctx: JobContext, wanted: FeedWanted) -> Feed:
    """:func:`litscape.alike.fresh.fresh`, in what can be passed on."""
    from litscape.alike.fresh import fresh

    feed = fresh(library, wanted, ctx)
    return replace(feed, hits=tuple(replace(hit, draft=_passed_on(hit.draft)) for hit in feed.hits))


def _passed_on(draft: PaperDraft) -> PaperDraft:
    return replace(
        draft,
        raw_fields=dict(draft.raw_fields),
        identifiers=dict(draft.identifiers),
        references=tuple(replace(one, extra=dict(one.extra)) for one in draft.references),
    )
