"""The nodes of an RDF document and their properties, with the prefixes that Zotero uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.importers.zotero_scope import paths

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from litscape.importers.zotero_rdf_xml import Element

_PREFIXES = {
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf",
    "http://www.zotero.org/namespaces/export#": "z",
    "http://purl.org/net/biblio#": "bib",
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://purl.org/dc/terms/": "dcterms",
    "http://xmlns.com/foaf/0.1/": "foaf",
    "http://prismstandard.org/namespaces/1.2/basic/": "prism",
    "http://purl.org/rss/1.0/modules/link/": "link",
    "http://nwalsh.com/rdf/vCard#": "vcard",
    "http://www.w3.org/2006/vcard/ns#": "vcard2",
}
WORKS = {
    "bib:Article": "journalArticle",
    "bib:Book": "book",
    "bib:BookSection": "bookSection",
    "bib:ConferenceProceedings": "conferencePaper",
    "bib:Data": "dataset",
    "bib:Document": "document",
    "bib:Illustration": "artwork",
    "bib:Image": "map",
    "bib:Interview": "interview",
    "bib:Legislation": "statute",
    "bib:Letter": "letter",
    "bib:Manuscript": "manuscript",
    "bib:MotionPicture": "film",
    "bib:Patent": "patent",
    "bib:Recording": "audioRecording",
    "bib:Report": "report",
    "bib:Thesis": "thesis",
}
"""What a node is that does not say its type in Zotero's own words."""
_PARTS = ("attachment", "note", "annotation")


def short(name: str) -> str:
    """A name with its usual prefix: ``dc:title``."""
    namespace, blank, local = name.rpartition(" ")
    return f"{_PREFIXES.get(namespace, '')}:{local}" if blank else local


class Graph:
    """Nodes by what they are called, and what points to what."""

    def __init__(self, elements: list[Element]) -> None:
        self._top = elements
        self._called: dict[str, Element] = {}
        containers: set[int] = set()
        held: set[int] = set()
        inner: list[Element] = []
        for node in self._all_nodes():
            name = self.name(node)
            if name and (node.children or name not in self._called):
                self._called[name] = node
            inner.append(node)
        for node in inner:
            for prop in node.children:
                kind = short(prop.name)
                if kind == "dcterms:isPartOf":
                    containers.update(map(id, self.nodes_of(prop)))
                elif kind in ("link:link", "dcterms:isReferencedBy"):
                    held.update(map(id, self.nodes_of(prop)))
        self._containers, self._held = containers, held

    def _all_nodes(self) -> Iterator[Element]:
        """Every node, those inside properties too."""
        waiting = list(reversed(self._top))
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(one for prop in reversed(node.children) for one in prop.children)

    @staticmethod
    def name(node: Element) -> str:
        """What a node is called in the document; empty where it has no name."""
        attributes = {short(key): value for key, value in node.attributes.items()}
        if "rdf:about" in attributes:
            return attributes["rdf:about"]
        if "rdf:ID" in attributes:
            return f"#{attributes['rdf:ID']}"
        return f"_:{attributes['rdf:nodeID']}" if "rdf:nodeID" in attributes else ""

    def kind(self, node: Element) -> str:
        """The class of a node, ``bib:Article``; of a plain description what its type says."""
        name = short(node.name)
        if name == "rdf:Description":
            for prop in node.children:
                if short(prop.name) == "rdf:type":
                    address = {short(k): v for k, v in prop.attributes.items()}.get(
                        "rdf:resource", ""
                    )
                    cut = max(address.rfind("#"), address.rfind("/")) + 1
                    return short(f"{address[:cut]} {address[cut:]}")
        return name

    def zotero_type(self, node: Element) -> str:
        """Zotero's name of the type of an item; empty where the node is none."""
        return self.text(node, "z:itemType") or WORKS.get(self.kind(node), "")

    def is_work(self, node: Element) -> bool:
        """Whether a node right below the root is an item that can be a paper."""
        told = self.text(node, "z:itemType")
        if told:
            return told not in _PARTS and self.kind(node) != "z:Attachment"
        return self.kind(node) in WORKS and id(node) not in self._containers

    def loose(self) -> list[Element]:
        """Notes and attachments that hang on nothing."""
        parts = ("z:Attachment", "bib:Memo")
        return [one for one in self._top if self.kind(one) in parts and id(one) not in self._held]

    def properties(self, node: Element) -> list[tuple[str, Element]]:
        """The properties of a node by their short names, in order."""
        return [(short(prop.name), prop) for prop in node.children]

    def nodes_of(self, prop: Element) -> list[Element]:
        """The nodes that a property points to, inside it or by name."""
        if prop.children:
            return prop.children
        target = self.target(prop)
        found = self._called.get(target) if target else None
        return [found] if found is not None else []

    @staticmethod
    def target(prop: Element) -> str:
        """What a property points to by name; empty for none."""
        attributes = {short(key): value for key, value in prop.attributes.items()}
        if "rdf:resource" in attributes:
            return attributes["rdf:resource"]
        return f"_:{attributes['rdf:nodeID']}" if "rdf:nodeID" in attributes else ""

    def text(self, node: Element, *names: str) -> str:
        """The text of the first of the properties that has some."""
        for name in names:
            for prop in node.children:
                if short(prop.name) == name and prop.text.strip():
                    return prop.text.strip()
        return ""

    def all(self, node: Element, *names: str) -> list[Element]:
        """The nodes that properties of these names point to."""
        return [
            found
            for prop in node.children
            if short(prop.name) in names
            for found in self.nodes_of(prop)
        ]

    def collection_paths(self) -> dict[str, list[tuple[str, ...]]]:
        """The paths of the collections that each node is in, by its name."""
        listed = {self.name(one): one for one in self._top if self.kind(one) == "z:Collection"}
        parents: dict[str, str | None] = dict.fromkeys(listed)
        members: list[tuple[str, str]] = []
        for key, node in listed.items():
            for target in self._parts(node):
                if target in listed:
                    parents[target] = key
                else:
                    members.append((key, target))
        titles = {key: self.text(node, "dc:title") for key, node in listed.items()}
        whole = paths(titles, parents)
        found: dict[str, list[tuple[str, ...]]] = {}
        for key, target in members:
            found.setdefault(target, []).append(whole[key])
        return found

    def _parts(self, node: Element) -> Iterable[str]:
        for prop in node.children:
            if short(prop.name) == "dcterms:hasPart":
                inside = [self.name(one) for one in prop.children]
                yield from inside or [self.target(prop)]
