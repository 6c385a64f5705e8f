"""Where a paper's identifiers and files lead, and opening them outside."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

if TYPE_CHECKING:
    from litscape.paper import Paper

_DOCUMENTS = frozenset(
    [
        ".pdf",
        ".ps",
        ".eps",
        ".djvu",
        ".epub",
        ".txt",
        ".md",
        ".tex",
        ".html",
        ".htm",
        ".doc",
        ".docx",
        ".odt",
        ".rtf",
        ".ppt",
        ".pptx",
        ".odp",
        ".png",
        ".jpg",
        ".jpeg",
        ".svg",
        ".csv",
        ".xls",
        ".xlsx",
        ".ods",
    ]
)


@dataclass(frozen=True, slots=True)
class Link:
    """A way out of the program: what it is called, an icon, and its address."""

    title: str
    icon: str
    address: str


def links_of(paper: Paper) -> tuple[Link, ...]:
    """Addresses made of a paper's identifiers, the most lasting first."""
    found = []
    if paper.doi:
        found.append(Link("DOI", "link", f"https://doi.org/{quote(paper.doi, safe='/:;()')}"))
    if paper.arxiv:
        found.append(Link("arXiv", "link", f"https://arxiv.org/abs/{quote(paper.arxiv, safe='/')}"))
    if paper.pmid:
        address = f"https://pubmed.ncbi.nlm.nih.gov/{quote(paper.pmid)}/"
        found.append(Link("PubMed", "link", address))
    if paper.url and is_web(paper.url) and all(one.address != paper.url for one in found):
        found.append(Link("Web page", "link", paper.url))
    return tuple(found)


def is_web(address: str) -> bool:
    """Whether an address may be handed to the browser."""
    try:
        parts = urlsplit(address.strip())
    except ValueError:  # brackets that hold no address
        return False
    return parts.scheme in ("http", "https") and bool(parts.netloc)


def open_address(address: str) -> bool:
    """Open a web page in the browser; anything else is refused."""
    from PySide6.QtCore import QUrl
    from PySide6.QtGui import QDesktopServices

    return is_web(address) and QDesktopServices.openUrl(QUrl(address))


def open_file(path: str) -> str:
    """Open a document with its own program; for other files, their folder.

    Returns:
        A sentence when it could not be done, empty when it was.
    """
    from PySide6.QtCore import QUrl
    from PySide6.QtGui import QDesktopServices

    file = Path(path).expanduser()
    if not file.is_absolute():
        return f"“{path}” is given without its folder, so it can't be found."
    if not file.exists():
        return f"There is no file at {file}. It may have been moved or renamed."
    # A program or script in a library must not be run by a click.
    target = file if file.suffix.lower() in _DOCUMENTS else file.parent
    if QDesktopServices.openUrl(QUrl.fromLocalFile(str(target))):
        return ""
    return f"No program on this computer opens {target.name}."
