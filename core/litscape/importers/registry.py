"""Every reader, one line each, and how the right one is found."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from litscape.errors import UserError
from litscape.importers.base import ReadOptions
from litscape.importers.bibtex import BibtexImporter
from litscape.importers.csl_json import CslJsonImporter
from litscape.importers.csv_table import CsvImporter
from litscape.importers.decode import read_source
from litscape.importers.endnote_xml import EndNoteXmlImporter
from litscape.importers.jsonl import JsonlImporter
from litscape.importers.mendeley import MendeleyReader
from litscape.importers.nbib import NbibImporter
from litscape.importers.openalex import OpenAlexImporter
from litscape.importers.opened import TextSource
from litscape.importers.patentsview import PatentsViewImporter
from litscape.importers.pubmed_xml import PubmedXmlImporter
from litscape.importers.refer import ReferImporter
from litscape.importers.ris import RisImporter
from litscape.importers.semantic_scholar import SemanticScholarImporter
from litscape.importers.wos import WosImporter
from litscape.importers.zotero_api import ZoteroApiReader
from litscape.importers.zotero_rdf import ZoteroRdfImporter
from litscape.importers.zotero_sqlite import ZoteroDatabaseReader
from litscape.store.foreign import MAGIC, refuse_damaged
from litscape.store.in_use import is_open_here

if TYPE_CHECKING:
    from litscape.importers.base import Importer, OpenSource, SourceReader, SourceText

_IMPORTERS: tuple[Importer, ...] = (
    BibtexImporter(),
    RisImporter(),
    CslJsonImporter(),
    JsonlImporter(),
    WosImporter(),
    NbibImporter(),
    PubmedXmlImporter(),
    EndNoteXmlImporter(),
    ReferImporter(),
    CsvImporter(),
    OpenAlexImporter(),
    SemanticScholarImporter(),
    PatentsViewImporter(),
    ZoteroRdfImporter(),
)
_READERS: tuple[SourceReader, ...] = (ZoteroDatabaseReader(), ZoteroApiReader(), MendeleyReader())
"""Of sources that are no text files; they are asked first."""

_WEB_PAGE = re.compile(
    r"\s*(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body|script|meta|title)\b", re.I | re.S
)
_SURE = 0.3
_HEAD = 1 << 16
_FIRST_BYTES = 4096


def importers() -> tuple[Importer, ...]:
    """All readers, in the order in which a person should see them."""
    return _IMPORTERS


def importer(kind: str) -> Importer:
    """The reader of a kind.

    Raises:
        UserError: no reader of that name; the message lists the names.
    """
    for one in _IMPORTERS:
        if one.kind == kind.lower():
            return one
    known = ", ".join([one.kind for one in _IMPORTERS] + [one.kind for one in _READERS])
    raise UserError(f"There is no importer called “{kind}”; there are {known}.")


def detect(head: str, location: str = "") -> Importer | None:
    """Find the reader for a file from its first 64 kB of text.

    The content decides; the name only where there is no content, or between equals.

    Returns:
        The reader, or None for web pages, binary data and kinds that nobody reads.
    """
    text = head.lstrip("\ufeff")
    name = location.lower()

    def named(one: Importer) -> bool:
        return name.endswith(one.suffixes) or name.removesuffix(".gz").endswith(one.suffixes)

    if not text.strip():
        return next(filter(named, _IMPORTERS), None)
    if "\x00" in text or _WEB_PAGE.match(text):
        return None
    ranked = [(one.recognises(text), named(one), one) for one in _IMPORTERS]
    score, _, best = max(ranked, key=lambda rank: rank[:2])
    return best if score >= _SURE else None


def text_source(text: SourceText, kind: str | None = None) -> TextSource:
    """A text with the importer for it.

    Raises:
        UserError: its kind is not known.
    """
    if kind is not None:
        return TextSource(text, importer(kind))
    found = detect(text.text[:_HEAD], text.location)
    if found is None and _WEB_PAGE.match(text.text[:_HEAD].lstrip("\ufeff")):
        raise UserError(
            f"{text.location} is a web page: no known kind of library file; it may have been saved "
            "in place of the file, so download that again."
        )
    if found is None:
        raise UserError(
            f"{text.location} is of no known kind; name its kind if you know it, or export it "
            "again as BibTeX, RIS, CSL JSON or JSON lines."
        )
    return TextSource(text, found)


def open_source(
    location: str | Path, kind: str | None = None, options: ReadOptions | None = None
) -> OpenSource:
    """Open a file, database or address for reading.

    Args:
        location: a path, or an address such as ``zotero:http://127.0.0.1:23119``.
        kind: the reader to use; by default the content decides.
        options: what else was said of it.

    Raises:
        UserError: it can't be read, or its kind is not known.
    """
    options = options or ReadOptions()
    name = str(location)
    refuse_library(name)
    head = _first_bytes(name)
    for reader in _READERS:
        if reader.recognises(name, head) if kind is None else reader.kind == kind.lower():
            return reader.open(name, options)
    if head.startswith(MAGIC):
        refuse_damaged(Path(name))
    return text_source(read_source(location, options.encoding), kind)


def refuse_library(location: str | Path) -> None:
    """Refuse the file of a library that is open, before anything else opens it.

    Raises:
        UserError: it is one.
    """
    if is_open_here(location):
        raise UserError(
            f"{location} is a library that is open, no file to import; to copy papers from one "
            "library into another, export them there and import the export here."
        )


def _first_bytes(location: str) -> bytes:
    """The beginning of a file; nothing where there is none that can be read."""
    try:
        if not Path(location).is_file():
            return b""
        with open(location, "rb") as file:
            return file.read(_FIRST_BYTES)
    except (OSError, ValueError):
        return b""
