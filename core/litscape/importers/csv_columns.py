"""Which column of a table is what, by its heading: Scopus old and new, IEEE, Springer, others."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_HEADINGS = {
    "title": "title|document title|item title|article title|primary title|paper title|titles",
    "authors": "authors|author|author names|first authors|author s|creator|creators",
    "full-authors": "author full names|author full name|authors full names",
    "year": "year|publication year|pub year|pubyear|year of publication|py",
    "date": "date|publication date|cover date|issue date|published|date published",
    "month": "month",
    "day": "day",
    "venue": "source title|publication title|journal|journal title|journal name|venue|journal book"
    "|container title|publication|secondary title|book title|host title",
    "source": "source",
    "series": "book series title|series|series title",
    "volume": "volume|journal volume|vol",
    "issue": "issue|journal issue|number|issue number|no",
    "start": "page start|start page|first page|beginning page",
    "end": "page end|end page|last page|ending page",
    "pages": "pages|page range|page|pagination",
    "article-number": "art no|article number|article no",
    "doi": "doi|item doi|digital object identifier|article doi|original paper doi|originalpaperdoi",
    "pmid": "pubmed id|pmid|originalpaperpubmedid",
    "arxiv": "arxiv|arxiv id|arxiv number",
    "isbn": "isbn|isbns",
    "issn": "issn|issns",
    "eid": "eid|scopus eid",
    "url": "link|url|urls|pdf link|article url|document url|open url link|web page",
    "abstract": "abstract|abstract note|notes abstract|summary",
    "keywords": "author keywords|keywords|keyword|authors keywords",
    "index-keywords": "index keywords|ieee terms|mesh terms|automatic tags|mesh",
    "tags": "tags|manual tags",
    "publisher": "publisher",
    "type": "document type|item type|content type|type|type of reference|publication type"
    "|document identifier|articletype|entry type|reference type",
    "references": "references|cited references",
    "citekey": "citekey|citation key|bibtex key|citationkey",
    "collections": "collections",
    "notes": "notes|note",
    "files": "files|file attachments",
}
_ROLES = {name: role for role, names in _HEADINGS.items() for name in names.split("|")}
_TELLING = frozenset(
    {"title", "authors", "full-authors", "year", "venue", "doi", "abstract", "keywords"}
    | {"references", "volume", "isbn", "issn", "pmid", "citekey"}
)
_WOS = frozenset({"PT", "AU", "TI", "SO"})
_NO_LETTER = re.compile(r"[\W_]+")


def plain_heading(text: str) -> str:
    """A heading as it is compared: lower case, words parted by one blank."""
    return _NO_LETTER.sub(" ", text.strip("\ufeff ")).strip().lower()


def roles(headings: Sequence[str]) -> list[str]:
    """What each column holds; unknown ones keep their heading, in lower case.

    A heading that stands twice counts once: the later ones are kept as unknown.
    """
    found: list[str] = []
    for heading in headings:
        name = plain_heading(heading)
        role = _ROLES.get(name)
        if role is None or (role in found and role not in ("index-keywords", "url", "venue")):
            role = f"raw:{heading.strip().strip(chr(0xFEFF)).lower() or 'column'}"
        found.append(role)
    if "authors" not in found and "full-authors" in found:
        found[found.index("full-authors")] = "authors"
    return found


def is_wos(headings: Sequence[str]) -> bool:
    """Whether the columns are named by the tags of Web of Science."""
    return {heading.strip("\ufeff ") for heading in headings} >= _WOS


def known(headings: Sequence[str]) -> tuple[int, bool]:
    """How many columns tell that this is a table of works, and whether one is the title."""
    found = _TELLING.intersection(roles(headings))
    return len(found), "title" in found
