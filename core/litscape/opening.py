"""Where a paper can be opened: its PDF on this computer, its DOI, its item in Zotero."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal
from urllib.parse import quote

from litscape.errors import UserError
from litscape.importers.file_there import local_path
from litscape.store.pdfs import folders_of

if TYPE_CHECKING:
    from litscape.library import Library
    from litscape.paper import Paper

Way = Literal["pdf", "doi", "zotero", "web"]


@dataclass(frozen=True, slots=True)
class Target:
    """Something that another program opens.

    Attributes:
        way: what it is.
        address: an address, or for a PDF its path.
    """

    way: Way
    address: str


def doi_address(doi: str) -> str:
    """The address under which a DOI is resolved."""
    return f"https://doi.org/{quote(doi, safe='/:;()')}"


def zotero_address(paper: Paper) -> str | None:
    """The address by which Zotero shows the item that a paper came from; None for others."""
    if not paper.zotero_key:
        return None
    kind, _, group = (paper.library or "user").partition(":")
    place = f"groups/{quote(group, safe='')}" if kind == "group" and group else "library"
    return f"zotero://select/{place}/items/{quote(paper.zotero_key, safe='')}"


def target(library: Library, paper: Paper, way: Way) -> Target:
    """What opens a paper in one way; the first of its PDFs that is there.

    Raises:
        UserError: the paper has none, or no PDF of it is where it should be.
    """
    if way == "doi":
        if not paper.doi:
            raise UserError(f"{paper.citekey} has no DOI.")
        return Target(way, doi_address(paper.doi))
    if way == "zotero":
        address = zotero_address(paper)
        if address is None:
            raise UserError(f"{paper.citekey} did not come from Zotero: it has no item there.")
        return Target(way, address)
    return Target(way, _pdf(library, paper))


def best_target(library: Library, paper: Paper) -> Target:
    """What opens a paper: its PDF where it has one, else the page of its DOI, arXiv id or URL.

    Raises:
        UserError: it has none of these, or no PDF of it is where it should be.
    """
    if not any(local_path(link.path).lower().endswith(".pdf") for link in paper.files):
        if paper.doi:
            return Target("doi", doi_address(paper.doi))
        if paper.arxiv:
            return Target("web", f"https://arxiv.org/abs/{quote(paper.arxiv, safe='/')}")
        if paper.pmid:
            return Target("web", f"https://pubmed.ncbi.nlm.nih.gov/{quote(paper.pmid)}/")
        if paper.url and paper.url.startswith(("http://", "https://")):
            return Target("web", paper.url)
        raise UserError(f"{paper.citekey} has no PDF attached, and no DOI, arXiv id or address.")
    return target(library, paper, "pdf")


def _pdf(library: Library, paper: Paper) -> str:
    from litscape.pdfs.places import where

    # By its name alone: what only says that it is a PDF may be a program.
    links = [link for link in paper.files if local_path(link.path).lower().endswith(".pdf")]
    if not links:
        raise UserError(f"{paper.citekey} has no PDF attached.")
    with library.database.read() as conn:
        sources = tuple(folders_of(conn, [paper.id]).get(paper.id, ()))
    places = [where(link, sources, library.folder) for link in links]
    for place in places:
        if place.there and place.file is not None:
            return str(place.file)
    first = places[0]
    if first.file is None:
        raise UserError(
            f"The PDF of {paper.citekey}, {first.path}, lies on another computer, "
            "which is not asked for it; copy it to this one and attach it."
        )
    raise UserError(
        f"The PDF of {paper.citekey} is not at {first.file}; "
        "it may have been moved or renamed: attach it anew."
    )
