"""What the properties of a work mean in Zotero's RDF."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from urllib.request import url2pathname

from litscape.importers.zotero_items import Attachment, Creator, LinkMode, ZoteroItem

if TYPE_CHECKING:
    from collections.abc import Mapping

    from litscape.importers.zotero_rdf_graph import Graph
    from litscape.importers.zotero_rdf_xml import Element

_FIELDS = {
    "bib:pages": "pages",
    "dc:date": "date",
    "dc:description": "extra",
    "dc:rights": "rights",
    "dc:source": "source",
    "dc:coverage": "archiveLocation",
    "dc:title": "title",
    "dc:type": "genre",
    "dcterms:abstract": "abstractNote",
    "dcterms:alternative": "shortTitle",
    "dcterms:dateSubmitted": "accessDate",
    "dcterms:issued": "issueDate",
    "dcterms:medium": "medium",
    "prism:edition": "edition",
    "prism:number": "issue",
    "prism:volume": "volume",
}
_CONTAINER_FIELDS = {
    "dc:title": "publicationTitle",
    "dcterms:alternative": "journalAbbreviation",
    "prism:number": "issue",
    "prism:volume": "volume",
}
_SERIES_FIELDS = {
    "dc:title": "series",
    "dcterms:alternative": "seriesTitle",
    "dc:description": "seriesText",
    "dc:identifier": "seriesNumber",
}
_IDENTIFIER = re.compile(r"(DOI|ISBN|ISSN|PMID|PMCID)[:\s]\s*(\S.*)", re.I | re.S)
_LEVELS = 4
_NO_FIELDS = frozenset({"z:itemType", "rdf:type", "z:displayTitle"})


def item_of(node: Element, graph: Graph, paths: Mapping[str, list[tuple[str, ...]]]) -> ZoteroItem:
    """A work with its container, people, tags, notes and files."""
    name = graph.name(node)
    item = ZoteroItem(
        "", None, graph.zotero_type(node), source_id=name or None, raw=node.raw, line=node.line
    )
    item.collections = list(paths.get(name, ()))
    for kind, prop in graph.properties(node):
        _take(item, kind, prop, graph)
    for container in graph.all(node, "dcterms:isPartOf"):
        _contain(item, container, graph, _LEVELS)
    return item


def _take(item: ZoteroItem, kind: str, prop: Element, graph: Graph) -> None:
    """Take one property of the work itself."""
    nodes = graph.nodes_of(prop)
    if kind == "dc:identifier":
        _identify(item, prop, nodes, graph)
    elif kind == "dc:subject":
        _tag(item, prop, nodes, graph)
    elif kind == "dcterms:isReferencedBy":
        item.notes += [graph.text(one, "rdf:value") for one in nodes]
    elif kind == "link:link":
        for one in nodes:
            _attach(item, one, graph)
    elif kind == "dc:relation":
        item.related.append(graph.target(prop))
    elif kind == "dc:publisher" and nodes:
        _publish(item, nodes, graph)
    elif kind == "bib:presentedAt" and nodes:
        _put(item, "conferenceName", graph.text(nodes[0], "dc:title"))
    elif people := _people(kind, nodes, graph):
        item.creators += people
    elif kind not in _NO_FIELDS and kind != "dcterms:isPartOf":
        local = kind.partition(":")[2] or kind
        _put(item, _FIELDS.get(kind, local), prop.text.strip() or graph.target(prop))


def _put(item: ZoteroItem, field: str, value: str) -> None:
    """Set a field; further values are kept behind the first."""
    if value and value not in item.fields.get(field, "").split("; "):
        item.fields[field] = f"{item.fields[field]}; {value}" if field in item.fields else value


def _identify(item: ZoteroItem, prop: Element, nodes: list[Element], graph: Graph) -> None:
    for one in nodes:
        _put(item, "url", graph.text(one, "rdf:value"))
    text = prop.text.strip()
    found = _IDENTIFIER.fullmatch(text)
    if found:
        item.fields.setdefault(found[1].upper(), found[2].strip())
    elif text:
        _put(item, "identifier", text)


def _tag(item: ZoteroItem, prop: Element, nodes: list[Element], graph: Graph) -> None:
    for one in nodes:
        value = graph.text(one, "rdf:value")
        if graph.kind(one) == "z:AutomaticTag":
            item.automatic_tags.append(value)
        else:
            _put(item, "callNumber", value)
    if not nodes and prop.text.strip():
        item.tags.append(prop.text.strip())


def _publish(item: ZoteroItem, nodes: list[Element], graph: Graph) -> None:
    for one in nodes:
        _put(item, "publisher", graph.text(one, "foaf:name"))
        for address in graph.all(one, "vcard:adr"):
            _put(item, "place", graph.text(address, "vcard:locality"))


def _people(kind: str, nodes: list[Element], graph: Graph) -> list[Creator]:
    """The people of a property that lists some: ``bib:authors``, ``z:translators``."""
    role = kind.partition(":")[2].removesuffix("s")
    found = []
    for one in nodes:
        members = graph.all(one, "rdf:li") if graph.kind(one) in ("rdf:Seq", "rdf:Bag") else [one]
        for person in members:
            family = graph.text(person, "foaf:surname", "foaf:name")
            given = graph.text(person, "foaf:givenName", "foaf:givenname", "foaf:firstName")
            if graph.kind(person).startswith("foaf:") and (family or given):
                found.append(Creator(role, family, given, not given))
    return found


def _attach(item: ZoteroItem, node: Element, graph: Graph) -> None:
    path = next(
        (graph.target(p) or p.text.strip() for k, p in graph.properties(node) if k in _PATHS), ""
    )
    if path.lower().startswith("file:"):
        path = url2pathname(urlsplit(path).path)
    values = [graph.text(one, "rdf:value") for one in graph.all(node, "dc:identifier")]
    url = next(filter(None, values), "")
    mode = LinkMode.LINKED_FILE if path else LinkMode.LINKED_URL
    title, mime = graph.text(node, "dc:title"), graph.text(node, "link:type")
    item.attachments.append(Attachment("", mode, path, title, mime, url))
    note = graph.text(node, "dc:description")
    if note:
        item.notes.append(note)


_PATHS = ("rdf:resource", "z:path")


def _contain(item: ZoteroItem, node: Element, graph: Graph, levels: int) -> None:
    """Take what a container says: a journal, a book, a series, a section of a paper."""
    kind = graph.kind(node)
    names = _SERIES_FIELDS if kind == "bib:Series" else _CONTAINER_FIELDS
    if kind == "bib:Part":
        names = {"dc:title": "section"}
    for name, prop in graph.properties(node):
        if name in names:
            _put(item, names[name], prop.text.strip())
        elif name == "dc:identifier":
            _identify(item, prop, [], graph)
    if levels:
        for above in graph.all(node, "dcterms:isPartOf"):
            _contain(item, above, graph, levels - 1)
