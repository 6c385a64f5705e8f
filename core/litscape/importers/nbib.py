"""PubMed's tagged format (MEDLINE, .nbib), also as PubMed Central writes it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from litscape.importers import medline, normalise
from litscape.importers.dates import DateParts, parse_date
from litscape.importers.markup import abstract, plain
from litscape.importers.outcome import Piece, outside, told
from litscape.importers.tagged import Loose, Record, cut
from litscape.importers.values import Values
from litscape.paper import ImportProblem, PaperDraft

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from litscape.importers.base import SourceText

_LINE = re.compile(r"([A-Z][A-Z0-9]{1,3})( {0,2})-(?:\s(.*)|\s*)$", re.S)
_START = re.compile(r"^PMID *- *\d", re.M)
_TAGGED = re.compile(r"^(?:[A-Z][A-Z0-9]{3}|[A-Z][A-Z0-9]{2} |[A-Z][A-Z0-9]  )- \S", re.M)
_OWN = re.compile(r"^(?:PMC |OWN |STAT|FAU |DCOM|MHDA|CRDT|AUID|JID |PHST)- ?\S", re.M)
_PARAGRAPHS = frozenset({"AB", "OAB"})
_NO_CONTENT = frozenset({"OWN", "STAT", "LR", "DA", "DCOM", "SB", "OTO", "EDAT", "MHDA", "CRDT"})
_ABSENT = re.compile(r"(?:Publisher:\s*)?Abstract available from the publisher\.?", re.I)
_RAW_NAMES = {
    # Under their own names these would be read as tags of RIS.
    "IS": "issn-list",
    "TA": "journal-abbreviation",
    "DA": "date-created",
    "RN": "registry-number",
    "SO": "citation",
    "PL": "country",
    "LA": "language",
    "AD": "affiliation",
    "ED": "editor-short",
    "FED": "editor",
    "CI": "copyright",
    "PT": "publication-type",
}


class _Layout:
    starts = "PMID"
    ends = None
    single = frozenset({"PMID", "PMC", "TI", "DP", "VI", "JT", "TA"})
    flowing = frozenset({"AB", "OAB"})
    of_file: frozenset[str] = frozenset()

    def split(self, line: str, record: Record | None) -> tuple[str, str] | None:
        found = _LINE.match(line)
        if found and (len(found[1]) + len(found[2]) == 4 or found[1] == "PMID"):
            return found[1], found[3] or ""
        return None


def _pairs(record: Record) -> Iterator[tuple[str, str]]:
    for tag, lines in record.fields:
        if tag in _PARAGRAPHS:
            yield tag, "\n".join(line.strip() for line in lines).strip()
        else:
            yield tag, normalise.fold(" ".join(lines))


def _marked(mark: str) -> Callable[[str], str | None]:
    """The id of a line that says of what kind it is: ``10.1000/1 [doi]``."""

    def form(text: str) -> str | None:
        return text[: -len(mark)].strip() if text.lower().endswith(mark) else None

    return form


def _doi(values: Values) -> str | None:
    marked = values.find(_marked("[doi]"), "LID", "AID")
    cited = re.search(r"doi:\s*(10\.\S+)", " ".join(values.look("SO")))
    return normalise.doi(marked or (cited[1] if cited else "")) or None


def _date(values: Values) -> DateParts:
    found = medline.date(values.first("DP") or "")
    if found.year is None and not found.year_raw:
        return parse_date((values.first("DEP") or "").split(" ")[0])
    return found


def _identifiers(values: Values) -> dict[str, str]:
    found = {
        "issn": values.find(normalise.issn, "IS", use=False),
        "pmcid": values.find(_pmcid, "PMC") or values.find(_pmcid, "AID", use=False),
    }
    return {name: one for name, one in found.items() if one}


def _pmcid(text: str) -> str | None:
    found = re.match(r"(?:PMC)?(\d{4,9})(?=$|[ .\[])", text)
    return f"PMC{found[1]}" if found and text.upper().startswith("PMC") else None


def _abstract(values: Values) -> str | None:
    own = "\n\n".join(values.take("AB"))
    if own.strip():
        return abstract(own)
    return values.find(lambda text: None if _ABSENT.fullmatch(text) else abstract(text), "OAB")


def _titles(values: Values) -> tuple[str | None, str | None]:
    """Title and venue; a chapter stands in its book, a book in its collection."""
    title = values.find(lambda text: plain(text) or None, "TI")
    book = values.find(lambda text: plain(text) or None, "BTI")
    journal = values.first("JT") or values.first("TA")
    if title is None:
        title, book = book or values.find(lambda text: plain(text) or None, "CTI", "VTI"), None
    title = title or values.find(lambda text: plain(text) or None, "TT")
    return title, journal or book


def draft_of(record: Record, piece: Piece) -> PaperDraft | None:
    """One record as a draft; None where it holds nothing but its number."""
    pairs = list(_pairs(record))
    values = Values(pairs)
    if not values.any_but(_NO_CONTENT | {"PMID", "PMC"}):
        return None
    authors, more = medline.people((tag, t) for tag, t in pairs if tag in ("FAU", "AU", "CN") and t)
    for tag in ("FAU", "AU", "CN"):
        values.take(tag)
    date = _date(values)
    title, venue = _titles(values)
    pmid = values.find(normalise.pmid, "PMID")
    headings = values.look("MH")
    terms = [*map(medline.term, values.take("MH")), *map(medline.term, values.take("OT"))]
    doi = _doi(values)
    return PaperDraft(
        type=medline.type_of(values.look("PT"), journal=bool(values.look("JT", "TA"))),
        title=title,
        authors=authors,
        more_authors=more,
        year=date.year,
        year_raw=date.year_raw,
        month=date.month,
        month_raw=date.month_raw,
        day=date.day,
        venue=venue,
        publisher=values.first("PB"),
        volume=values.first("VI"),
        issue=values.first("IP"),
        pages=values.find(lambda text: normalise.pages(text) or None, "PG"),
        doi=doi,
        arxiv=normalise.arxiv(doi) if doi and "arxiv" in doi else None,
        pmid=pmid,
        isbn=values.find(normalise.isbn, "ISBN"),
        abstract=_abstract(values),
        keywords=tuple(dict.fromkeys(filter(None, terms))),
        fields=tuple(dict.fromkeys(filter(None, map(medline.heading, headings)))),
        notes=tuple(dict.fromkeys(filter(None, map(plain, values.take("GN"))))),
        identifiers=_identifiers(values),
        source_id=f"pmid:{pmid}" if pmid else None,
        raw_fields=values.left(_RAW_NAMES),
        raw=piece.raw,
        line=piece.line,
        index=piece.index,
    )


class NbibImporter:
    """PubMed's and PubMed Central's tagged records."""

    kind = "nbib"
    title = "PubMed (.nbib)"
    suffixes = (".nbib", ".medline", ".pubmed", ".txt")

    def recognises(self, head: str) -> float:
        """Sure where a ``PMID-`` line stands, likely where tags that only PubMed has do."""
        head = head.replace("\r", "\n")
        if _START.search(head) and len(_TAGGED.findall(head)) > 1:
            return 0.95
        if len(_OWN.findall(head)) > 1 and len(_TAGGED.findall(head)) > 3:
            return 0.8
        return 0.6 if _START.match(head.lstrip("\ufeff \n")) else 0.0

    def read(
        self, source: SourceText, progress: Callable[[int, int], None] | None = None
    ) -> Iterator[PaperDraft | ImportProblem]:
        """Yield each record as a draft, then what is amiss; text outside records as notes."""
        index = 0
        for found in cut(source.text, _Layout(), progress):
            if isinstance(found, Loose):
                yield outside(source.location, found.text, found.line)
                continue
            piece = Piece(source.location, found.raw, found.line, index)
            yield from told(piece, draft_of(found, piece))
            index += 1
