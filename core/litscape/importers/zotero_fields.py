"""What the fields of a Zotero item mean."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from litscape.importers import normalise
from litscape.importers.database_fields import DatabaseFields
from litscape.importers.dates import DateParts, parse_date
from litscape.importers.markup import abstract, plain_paragraphs
from litscape.importers.people import from_parts
from litscape.importers.zotero_items import USER, ZoteroItem
from litscape.paper import Author, ImportProblem, PaperDraft

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from litscape.importers.zotero_files import ZoteroFiles
    from litscape.importers.zotero_items import Creator

_TYPES = {
    # The first of each type is what it means here by itself; the others keep Zotero's name too.
    "journalArticle": "article",
    "magazineArticle": "article",
    "newspaperArticle": "article",
    "preprint": "article",
    "book": "book",
    "classic": "book",
    "bookSection": "incollection",
    "conferencePaper": "inproceedings",
    "thesis": "thesis",
    "report": "report",
    "manuscript": "unpublished",
    "webpage": "online",
    "blogPost": "online",
    "forumPost": "online",
    "document": "misc",
    "presentation": "misc",
    "interview": "misc",
    "computerProgram": "software",
    "dataset": "dataset",
    "standard": "standard",
    "patent": "patent",
    "case": "jurisdiction",
    "statute": "legislation",
    "bill": "legislation",
    "regulation": "legislation",
    "gazette": "legislation",
    "hearing": "legal",
    "treaty": "legal",
    "letter": "letter",
    "email": "letter",
    "instantMessage": "letter",
    "film": "movie",
    "videoRecording": "video",
    "tvBroadcast": "video",
    "audioRecording": "audio",
    "radioBroadcast": "audio",
    "podcast": "audio",
    "artwork": "artwork",
    "map": "map",
    "encyclopediaArticle": "inreference",
    "dictionaryEntry": "inreference",
}
_FIRST = {kind: name for name, kind in reversed(_TYPES.items())}
_MAKERS = {
    "artwork": "artist",
    "audioRecording": "performer",
    "bill": "sponsor",
    "computerProgram": "programmer",
    "film": "director",
    "interview": "interviewee",
    "map": "cartographer",
    "patent": "inventor",
    "podcast": "podcaster",
    "presentation": "presenter",
    "radioBroadcast": "director",
    "tvBroadcast": "director",
    "videoRecording": "director",
}
"""Who made a work of a type that has no authors."""
_TITLES = ("title", "caseName", "nameOfAct", "subject")
_VENUES = (
    *("publicationTitle", "bookTitle", "proceedingsTitle", "encyclopediaTitle", "dictionaryTitle"),
    *("websiteTitle", "blogTitle", "forumTitle", "programTitle", "reporter", "code"),
    *("conferenceName", "meetingName", "journalAbbreviation"),
)
_PUBLISHERS = (
    *("publisher", "university", "institution", "repository", "organization", "company", "label"),
    *("distributor", "studio", "network", "issuingAuthority"),
)
_VOLUMES = ("volume", "reporterVolume", "codeVolume")
_ISSUES = ("issue", "reportNumber", "patentNumber", "number")
_PAGES = ("pages", "codePages", "firstPage")
_DATES = ("date", "issueDate", "dateDecided", "dateEnacted")
_MULTIPART = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:\s+(.*))?", re.S)
_EXTRA_LINE = re.compile(r"\s*([A-Za-z][A-Za-z _-]{1,30}?)\*?\s*:\s*(\S.*?)\s*")
_EXTRA_KEYS = {"citation key": "key", "citekey": "key", "bibtex": "key", "arxiv id": "arxiv"}
_EXTRA_IDS = ("key", "doi", "pmid", "pmcid", "arxiv")
_PMCID = re.compile(r"(?:PMC)?(\d+)(?:\.\d+)?", re.I)
_ADDRESS = re.compile(r"/(?:users/(?:local/)?[^/]+|groups/(\d+))/items/(\w+)/?$")


def drafts(
    items: Iterable[ZoteroItem], files: ZoteroFiles, location: str, first: int = 0
) -> Iterator[PaperDraft | ImportProblem]:
    """Each item as a draft, with a warning behind those that have no title.

    ``first`` is the place of the first item among those of the source.
    """
    for index, item in enumerate(items, first):
        draft = draft_of(item, files, index)
        yield draft
        if draft.title is None:
            yield ImportProblem(
                "missing-title",
                "warning",
                "The item has no title in Zotero.",
                citekey=draft.citekey,
                zotero_key=draft.zotero_key,
                index=index,
                raw=draft.raw,
                source=location,
            )


def draft_of(item: ZoteroItem, files: ZoteroFiles, index: int) -> PaperDraft:
    """One item as a draft; ``index`` is its place among those of its source."""
    fields = _Fields(item.fields)
    extra = fields.extra()
    authors, others = _people(item)
    date = _date(fields)
    ids = _identifiers(fields, extra)
    key = fields.take("citationKey") or extra.get("key")
    issn = fields.identifier("ISSN", normalise.issn)
    pmcid = fields.identifier("PMCID", _pmcid) or _pmcid(extra.get("pmcid", ""))
    schemes = {"issn": issn, "pmcid": pmcid}
    text = fields.raw("abstractNote")
    return PaperDraft(
        citekey=key,
        type=_TYPES.get(item.type, item.type.lower()),
        title=fields.take(*_TITLES),
        authors=authors,
        year=date.year,
        year_raw=date.year_raw,
        month=date.month,
        month_raw=date.month_raw,
        day=date.day,
        venue=fields.take(*_VENUES),
        publisher=fields.take(*_PUBLISHERS),
        volume=fields.take(*_VOLUMES),
        issue=fields.take(*_ISSUES),
        pages=normalise.pages(fields.take(*_PAGES) or "") or None,
        doi=ids["doi"],
        arxiv=ids["arxiv"],
        pmid=ids["pmid"],
        isbn=fields.identifier("ISBN", normalise.isbn),
        url=fields.take("url"),
        abstract=abstract(text) if text else None,
        keywords=_each_once(item.automatic_tags),
        tags=_each_once(item.tags),
        collections=tuple(dict.fromkeys(item.collections)),
        notes=_each_once(map(plain_paragraphs, item.notes)),
        files=files.links(item.attachments),
        identifiers={scheme: value for scheme, value in schemes.items() if value},
        library=item.library,
        zotero_key=item.key or None,
        source_id=item.source_id,
        raw=item.raw or item.as_json(),
        line=item.line,
        raw_fields={**others, **_apart(item, files), **fields.left()},
        index=index,
    )


def related_key(address: str) -> str:
    """The item that an address on zotero.org names, as ``user:KEY`` or ``group:N:KEY``."""
    found = _ADDRESS.search(address)
    if not found:
        return normalise.fold(address)
    group, key = found.groups()
    return f"group:{group}:{key}" if group else f"{USER}:{key}"


def _apart(item: ZoteroItem, files: ZoteroFiles) -> dict[str, str]:
    """What has no field of its own here."""
    kind = _TYPES.get(item.type)
    told = {
        "itemtype": item.type if kind is None or _FIRST[kind] != item.type else "",
        "related": "; ".join(_each_once(item.related)),
        "links": "; ".join(files.addresses(item.attachments)),
    }
    return {name: value for name, value in told.items() if value}


class _Fields(DatabaseFields):
    """The fields of an item."""

    def extra(self) -> dict[str, str]:
        """What the lines of ``extra`` say that is understood; the others stay in the field."""
        found: dict[str, str] = {}
        rest = []
        for line in self.fields.pop("extra", "").splitlines():
            said = _EXTRA_LINE.fullmatch(line)
            name = said[1].lower().replace("_", " ") if said else ""
            name = _EXTRA_KEYS.get(name, name)
            if said and name in _EXTRA_IDS and name not in found:
                found[name] = normalise.fold(said[2])
            elif line.strip():
                rest.append(normalise.fold(line))
        if rest:
            self.fields["extra"] = "; ".join(rest)
        return found


def _people(item: ZoteroItem) -> tuple[tuple[Author, ...], dict[str, str]]:
    """The authors, and everybody else by role, as BibTeX writes names."""
    makers = {"author", "creator", _MAKERS.get(item.type, "author")}
    authors, others = [], dict[str, list[str]]()
    for one in item.creators:
        if one.role in makers:
            person = _author(one)
            if person is not None:
                authors.append(person)
        elif name := _written(one):
            others.setdefault(one.role.lower(), []).append(name)
    return tuple(authors), {role: " and ".join(names) for role, names in others.items()}


def _author(one: Creator) -> Author | None:
    if one.whole:
        name = normalise.fold(one.family or one.given)
        return Author(literal=name) if name else None
    return from_parts(one.family, one.given)


def _written(one: Creator) -> str:
    family, given = normalise.fold(one.family), normalise.fold(one.given)
    if family and given:
        return f"{family}, {given}"
    name = family or given
    return f"{{{name}}}" if " " in name else name


def _date(fields: _Fields) -> DateParts:
    for name in _DATES:
        value = fields.raw(name)
        if value:
            return read_date(value)
    return DateParts()


def read_date(value: str) -> DateParts:
    """A date as the database has it: ``YYYY-MM-DD`` with zeros for the unknown, then the text."""
    found = _MULTIPART.fullmatch(value.strip())
    if not found:
        return parse_date(value)
    year, month, day = found[1], found[2], found[3]
    said = parse_date(found[4]) if found[4] else DateParts()
    if int(year) == 0:
        return said
    known = "-".join((year, *((month, day) if int(day) else (month,) if int(month) else ())))
    parts = parse_date(known)
    return DateParts(
        parts.year,
        said.year_raw if said.year_raw is not None else parts.year_raw,
        parts.month,
        said.month_raw,
        parts.day,
    )


def _identifiers(fields: _Fields, extra: dict[str, str]) -> dict[str, str | None]:
    url, archive = fields.look("url"), fields.look("archiveID")
    doi = fields.identifier("DOI", normalise.doi) or normalise.doi(extra.get("doi", ""))
    doi = doi or normalise.doi_only(url)
    pmid = fields.identifier("PMID", normalise.pmid) or normalise.pmid(extra.get("pmid", ""))
    pmid = pmid or normalise.pmid(url)
    in_arxiv = "arxiv" in fields.look("repository").lower()
    places = (
        f"arXiv:{archive}" if in_arxiv and "arxiv" not in archive.lower() else archive,
        extra.get("arxiv", ""),
        doi or "",
        url,
    )
    named = [text for text in places if "arxiv" in text.lower() or text == extra.get("arxiv")]
    arxiv = next(filter(None, map(normalise.arxiv, named)), None)
    if arxiv and normalise.arxiv(archive) == arxiv:
        fields.raw("archiveID")
    return {"doi": doi, "pmid": pmid, "arxiv": arxiv}


def _pmcid(text: str) -> str | None:
    found = _PMCID.fullmatch(text.strip())
    return f"PMC{found[1]}" if found else None


def _each_once(texts: Iterable[str]) -> tuple[str, ...]:
    folded = map(normalise.fold_paragraphs, texts)
    return tuple(dict.fromkeys(text for text in folded if text))
