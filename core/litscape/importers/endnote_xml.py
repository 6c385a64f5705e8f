"""EndNote's XML, as EndNote, Bookends, Mendeley, Zotero and JabRef write it."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from litscape.importers import normalise
from litscape.importers.endnote_fields import draft_of
from litscape.importers.values import Values
from litscape.importers.xml_source import read_records

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from xml.etree.ElementTree import Element

    from litscape.importers.base import SourceText
    from litscape.importers.outcome import Piece
    from litscape.paper import ImportProblem, PaperDraft

_RECORD = re.compile(r"<record(?=[\s>])", re.I)
_OWN = re.compile(r"<(?:ref-type|reference_type|rec-number|source-app)\b", re.I)
_ROOT = re.compile(r"<xml>\s*<records>|<records>", re.I)
_GLUED = frozenset({"subscript", "superscript"})
_BY_PARENT = {
    ("authors", "author"): "author",
    ("secondary-authors", "author"): "editor",
    ("tertiary-authors", "author"): "tertiary-author",
    ("subsidiary-authors", "author"): "subsidiary-author",
    ("translated-authors", "author"): "translator",
    ("alt-periodical", "full-title"): "alt-full-title",
    ("pub-dates", "date"): "date",
    ("copyright-dates", "date"): "copyright-date",
    ("pdf-urls", "url"): "file",
    ("image-urls", "url"): "file",
    ("foreign-keys", "key"): "foreign-keys",
    ("dates", "month"): "month",
}
_OLD = {
    "reference-type": "ref-type-number",
    "refnum": "rec-number",
    "accession-number": "accession-num",
}
_PARAGRAPHS = frozenset({"abstract", "notes", "research-notes"})
_SEVERAL = frozenset({"keyword", "author", "editor", "url", "file"})
"""What stands by lines in one element too; EndNote writes their ends as ``&#xD;``."""


def _name(tag: str) -> str:
    return tag.rpartition("}")[2].rpartition(":")[2].lower().replace("_", "-")


def text_of(element: Element) -> str:
    """All text of an element, of all its styled parts.

    White space between parts is the layout of the file where a small one stands beside it.
    """
    parts = [element.text or ""]
    styles = list(element)
    for number, style in enumerate(styles):
        parts.append("".join(style.itertext()))
        tail = style.tail or ""
        around = styles[number : number + 2]
        small = any(_GLUED.intersection((one.get("face") or "").split()) for one in around)
        if not tail.strip() and re.search(r"[\r\n]", tail) and small:
            tail = ""
        parts.append(tail)
    return "".join(parts)


def _is_leaf(element: Element) -> bool:
    return all(_name(child.tag) == "style" for child in element)


def _leaves(element: Element, parent: str = "record") -> Iterator[tuple[str, Element]]:
    for child in element:
        name = _name(child.tag)
        if name == "style" or _is_leaf(child):
            yield _BY_PARENT.get((parent, name), _OLD.get(name, name)), child
        else:
            yield from _leaves(child, name)


def _pairs(record: Element) -> Iterator[tuple[str, str]]:
    for name, element in _leaves(record):
        text = text_of(element)
        if name == "ref-type":
            yield "ref-type-number", normalise.fold(text)
            yield "ref-type", normalise.fold(element.get("name") or "")
        elif name == "foreign-keys":
            base = element.get("db-id")
            if base and text.strip():
                yield "record-id", f"endnote:{base}:{normalise.fold(text)}"
        elif name in _PARAGRAPHS:
            yield name, text.strip()
        elif name in _SEVERAL:
            for part in text.split("\r"):
                yield name, normalise.fold(part)
        else:
            yield name, normalise.fold(text)
        if name == "database" and element.get("path"):
            yield "database-path", element.get("path") or ""


class EndNoteXmlImporter:
    """A list of records with styled text."""

    kind = "endnote-xml"
    title = "EndNote XML"
    suffixes = (".xml",)

    def recognises(self, head: str) -> float:
        """Sure where records with types or numbers as EndNote has them stand."""
        if not head.lstrip("\ufeff \t\r\n").startswith("<"):
            return 0.0
        if _RECORD.search(head) and _OWN.search(head):
            return 0.95
        if _ROOT.search(head):
            return 0.6
        return 0.0

    def read(
        self, source: SourceText, progress: Callable[[int, int], None] | None = None
    ) -> Iterator[PaperDraft | ImportProblem]:
        """Yield each record as a draft, or as a problem with its index and line."""
        folder = os.path.dirname(source.location)
        known: set[str] = set()

        def draft(record: Element, piece: Piece) -> PaperDraft | None:
            pairs = list(_pairs(record))
            # A number that stands twice names no record.
            twice = {pair for pair in pairs if pair[0] == "record-id" and pair[1] in known}
            known.update(value for name, value in pairs if name == "record-id")
            values = Values(pair for pair in pairs if pair not in twice)
            return draft_of(values, piece, folder, old=record.tag.isupper())

        yield from read_records(source, ("record",), draft, progress)
