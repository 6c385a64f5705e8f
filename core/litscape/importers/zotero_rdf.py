"""Zotero RDF: what Zotero exports with collections, notes and links to files."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from litscape.importers.zotero_fields import drafts
from litscape.importers.zotero_files import ZoteroFiles
from litscape.importers.zotero_loose import loose
from litscape.importers.zotero_rdf_graph import Graph
from litscape.importers.zotero_rdf_items import item_of
from litscape.importers.zotero_rdf_xml import Element, Fault, records
from litscape.paper import ImportProblem, PaperDraft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from litscape.importers.base import SourceText, Told

_BEGIN = r"<(?:bib|z|rdf|foaf|dc|dcterms):[A-Z]\w*\s+rdf:(?:about|nodeID|ID)="
_NAMESPACE = "http://www.zotero.org/namespaces/export#"


class ZoteroRdfImporter:
    """An RDF/XML file as Zotero writes it."""

    kind = "zotero-rdf"
    title = "Zotero RDF"
    suffixes = (".rdf",)

    def recognises(self, head: str) -> float:
        """Sure where an RDF document uses Zotero's namespace."""
        if not re.search(r"<(?:\w+:)?RDF[\s>]", head):
            return 0.0
        return 1.0 if _NAMESPACE in head else 0.5 if "http://purl.org/net/biblio#" in head else 0.0

    def read(
        self, source: SourceText, progress: Told | None = None
    ) -> Iterator[PaperDraft | ImportProblem]:
        """Yield each work with all that hangs on it."""
        elements: list[Element] = []
        for found in records(source.text, _BEGIN):
            if isinstance(found, Fault):
                yield _problem(found, source.location)
            else:
                elements.append(found)
        graph = Graph(elements)
        works = [node for node in elements if graph.is_work(node)]
        paths = graph.collection_paths()
        place = Path(source.location)
        files = ZoteroFiles(place.parent if place.is_absolute() else None)
        items = (item_of(node, graph, paths) for node in works)
        for done, draft in enumerate(drafts(items, files, source.location)):
            if progress and done % 100 == 0:
                progress(min(done, len(works)), len(works))
            yield draft
        for node in graph.loose():
            note = graph.text(node, "rdf:value", "dc:description")
            kind = "note" if graph.kind(node) == "bib:Memo" else "attachment"
            yield loose(None, kind, graph.text(node, "dc:title"), note)


def _problem(fault: Fault, location: str) -> ImportProblem:
    code = "file-truncated" if fault.cut else "broken-entry" if fault.in_record else "broken-file"
    return ImportProblem(
        code,
        "skipped" if fault.in_record or not fault.cut else "warning",
        f"The file ends too early: {fault.message}."
        if fault.cut
        else f"This can't be read and was left out: {fault.message}.",
        line=fault.line,
        raw=fault.raw,
        source=location,
        is_record=fault.in_record,
    )
