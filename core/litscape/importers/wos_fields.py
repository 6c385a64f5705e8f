"""What the tags of one Web of Science record mean."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from litscape.importers import normalise
from litscape.importers.cited import wos_reference
from litscape.importers.dates import DateParts, parse_date, parse_month, parse_year
from litscape.importers.markup import abstract, plain
from litscape.importers.medline import short_name
from litscape.importers.people import inverted, is_others
from litscape.importers.values import Values
from litscape.paper import Author, PaperDraft, Reference

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from litscape.importers.outcome import Piece

NO_CONTENT = frozenset({"PT", "UT", "DA", "GA", "PG", "NR", "TC", "Z9", "U1", "U2", "SC", "WC"})
_ONE_A_LINE = frozenset({"AU", "AF", "BA", "BF", "BE", "CA", "GP", "CR", "C1"})
_RAW_NAMES = {
    # Under their own names these would be read as tags of RIS.
    "BE": "editor",
    "C1": "addresses",
    "CL": "conference-place",
    "CT": "conference",
    "CY": "conference-date",
    "DA": "export-date",
    "DT": "document-type",
    "ED": "editor-short",
    "EM": "email",
    "JI": "journal-abbreviation",
    "J9": "journal-abbreviation",
    "LA": "language",
    "NR": "cited-reference-count",
    "PA": "publisher-address",
    "PI": "publisher-place",
    "PT": "wos-type",
    "RI": "researcher-id",
    "RP": "reprint-address",
    "SE": "series",
    "SP": "sponsor",
    "SN": "issn-list",
    "TC": "times-cited",
    "U1": "usage-180",
    "U2": "usage-2013",
    "ID": "identifiers",
    "IS": "issue-numbers",
    "UT": "accession",
    "TY": "inspec-type",
    "AN": "accession-number",
}
_PARTS = {"J": "article", "B": "book", "S": "incollection", "P": "patent", "C": "inproceedings"}
_DOCUMENTS = (
    ("proceedings paper", "inproceedings"),
    ("conference", "inproceedings"),
    ("meeting abstract", "inproceedings"),
    ("book chapter", "incollection"),
    ("book review", "review"),
    ("data set", "dataset"),
    ("data study", "dataset"),
    ("software", "software"),
    ("patent", "patent"),
    ("dissertation", "thesis"),
    ("thesis", "thesis"),
    ("book", "book"),
)
_UT = re.compile(
    r"(?:(?:WOS|ISI|CCC|BCI|MEDLINE|KJD|SCIELO|RSCI|DIIDW|ZOOREC|BIOSIS)?:)?(\S+)", re.I
)


def _pairs(fields: Iterable[tuple[str, Sequence[str]]]) -> Iterable[tuple[str, str]]:
    for tag, lines in fields:
        if tag == "CR":
            for line in _cited(lines):
                yield tag, line
        elif tag in _ONE_A_LINE:
            for line in lines:
                yield tag, normalise.fold(line)
        elif tag == "AB":
            yield tag, "\n".join(line.strip() for line in lines).strip()
        else:
            yield tag, normalise.fold(" ".join(lines))


def _cited(lines: Sequence[str]) -> list[str]:
    """One work a line; a line that goes on with one is joined to it."""
    works: list[str] = []
    for line in map(normalise.fold, lines):
        if not line:
            continue
        before = works[-1] if works else ""
        goes_on = before.endswith((",", " DOI", "/")) or before.count("[") > before.count("]")
        if before and (goes_on or re.match(r"(?:DOI|V\d+,|P\d+,?) ?", line)):
            works[-1] = f"{before} {line}"
        else:
            works.append(line)
    return works


def _person(name: str) -> Author | None:
    if name.endswith((",", ".")) and "," in name:
        return inverted(name)
    return inverted(name) if "," in name or "." in name else short_name(name)


def _authors(values: Values) -> tuple[tuple[Author, ...], bool]:
    """Full names where all authors have one, else short ones; then bodies."""
    short, full = values.take("AU"), values.take("AF")
    names = full if len(full) >= len(short) else short
    names = names or values.take("BF") or values.take("BA")
    found = [person for person in map(_person, names) if person]
    bodies = [*values.take("CA"), *values.take("GP")]
    found += [Author(literal=body) for body in bodies]
    people = [a for a in found if not (a.literal and is_others(a.literal))]
    return tuple(dict.fromkeys(people)), len(people) < len(found)


def _date(values: Values) -> DateParts:
    """The year, and the month of ``PD``: ``JUN 14``, ``MAR-APR``, ``04 2006``, ``WIN``."""
    year = parse_year(values.first("PY") or "")
    said = values.first("PD")
    if not said:
        return DateParts(year.year, year.year_raw)
    whole = parse_date(said)
    part = whole if whole.year is not None else parse_month(said)
    if year.year is None and year.year_raw is None:
        return DateParts(whole.year, whole.year_raw, part.month, part.month_raw, part.day)
    return DateParts(year.year, year.year_raw, part.month, part.month_raw, part.day)


def _type(values: Values) -> str | None:
    part = next(iter(values.look("PT")), "").upper()[:1]
    documents = next(iter(values.look("DT")), "").lower()
    if part == "J" and not re.fullmatch(
        r"\W*(?:book review|data (?:set|study)|software).*", documents
    ):
        return "article"
    if part == "P":
        return "patent"
    for word, kind in _DOCUMENTS:
        if word in documents:
            return kind
    return _PARTS.get(part) or ("article" if documents else None)


def _pages(values: Values) -> str | None:
    start, end = values.first("BP"), values.first("EP")
    if start:
        first = normalise.pages(start)
        last = normalise.pages(end or "")
        return first if not last or last == first or "-" in first + last else f"{first}-{last}"
    return values.find(lambda text: normalise.pages(text) or None, "PS", "AR")


def _keywords(values: Values) -> tuple[str, ...]:
    """The authors' keywords, then the source's; Inspec writes other things into both."""
    foreign = any(text.upper().startswith("INSPEC") for text in values.look("UT"))
    listed = list(values.take("DE"))
    if not (foreign and any("[" in text for text in values.look("ID"))):
        listed += values.take("ID")
    terms = (normalise.fold(term) for text in listed for term in re.split(r";\s*", text))
    return tuple(dict.fromkeys(term for term in terms if term))


def _identifiers(values: Values) -> dict[str, str]:
    accession = next(iter(values.look("UT")), "")
    found = {
        "issn": values.find(normalise.issn, "SN"),
        "eissn": values.find(normalise.issn, "EI"),
        "wos": accession_number(accession),
    }
    return {name: one for name, one in found.items() if one}


def accession_number(text: str) -> str | None:
    """The number of a record in Web of Science; other databases' numbers keep their name."""
    found = _UT.fullmatch(text.strip())
    return found[1].upper() if found and len(found[1]) > 5 else None


def _bracketed_doi(text: str) -> str | None:
    """The DOI among the numbers that Inspec writes as ``[10.1000/1]``."""
    found = re.search(r"\[(10\.\d{4,9}/[^\]\s]+)\]", text)
    return normalise.doi(found[1]) if found else None


def _fields(values: Values) -> tuple[str, ...]:
    listed = (term for text in values.take("WC", "SC") for term in re.split(r";\s*", text))
    return tuple(dict.fromkeys(filter(None, map(normalise.fold, listed))))


def _references(values: Values) -> tuple[Reference, ...]:
    return tuple(map(wos_reference, values.take("CR")))


def _title(values: Values) -> str | None:
    title = values.find(lambda text: plain(text) or None, "TI")
    below = values.first("BS") if title and next(iter(values.look("PT")), "") == "B" else None
    return f"{title}: {plain(below)}" if below and title and below not in title else title


def draft_of(fields: Iterable[tuple[str, Sequence[str]]], piece: Piece) -> PaperDraft | None:
    """One record as a draft; None where it holds nothing but numbers.

    Args:
        fields: tags with the value and the lines under it.
        piece: the record.
    """
    values = Values(_pairs(fields))
    if not values.any_but(NO_CONTENT):
        return None
    kind, title = _type(values), _title(values)
    authors, more = _authors(values)
    date = _date(values)
    identifiers = _identifiers(values)
    doi = values.find(normalise.doi, "DI", "D2", "DL") or values.find(
        _bracketed_doi, "ID", use=False
    )
    number = identifiers.get("wos")
    return PaperDraft(
        type=kind,
        title=title,
        authors=authors,
        more_authors=more,
        year=date.year,
        year_raw=date.year_raw,
        month=date.month,
        month_raw=date.month_raw,
        day=date.day,
        venue=values.first("SO") or values.first("JI", "J9"),
        publisher=values.first("PU"),
        volume=values.first("VL"),
        issue=values.first("IS"),
        pages=_pages(values),
        doi=doi,
        arxiv=normalise.arxiv(doi) if doi and "arxiv" in doi else None,
        pmid=values.find(normalise.pmid, "PM"),
        isbn=values.find(normalise.isbn, "BN"),
        abstract=abstract("\n\n".join(values.take("AB"))) if values.look("AB") else None,
        keywords=_keywords(values),
        fields=_fields(values),
        references=_references(values),
        identifiers=identifiers,
        source_id=f"wos:{number}" if number else None,
        raw_fields=values.left(_RAW_NAMES),
        raw=piece.raw,
        line=piece.line,
        index=piece.index,
    )
