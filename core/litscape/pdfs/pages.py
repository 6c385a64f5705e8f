"""The text layer of a PDF, page by page and line by line; PDFium reads it."""

from __future__ import annotations

from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from litscape.errors import EnvironmentFault, UserError
from litscape.pdfs.rows import rows_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

MAX_BYTES = 1 << 29
MAX_PAGES = 3000
MAX_LETTERS = 20_000_000
"""Letters of one file that are kept: ten times the longest books."""
_FEWEST_LETTERS = 6
_LEAST_LETTERS = 200
"""Fewer in a whole file are a stamp on scanned pages, and no text layer."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text.

    Attributes:
        text: its letters.
        left: where it begins, in points from the page's left edge.
        page: number of its page, from 0.
    """

    text: str
    left: float
    page: int


@dataclass(frozen=True, slots=True)
class RawText:
    """The text of a file as PDFium gives it.

    Attributes:
        pages: a text for each page that was read; empty where the page has none.
        total: how many pages the file has.
    """

    pages: tuple[str, ...]
    total: int


def read_lines(path: Path) -> list[Line]:
    """The lines of a PDF.

    Raises:
        EnvironmentFault: the library that reads PDFs is not installed.
        UserError: no such file, damaged, protected by a password, too large, or without text.
    """
    with _opened(path) as document:
        lines = list(_lines(document))
    if sum(len(line.text) for line in lines) < _LEAST_LETTERS:
        raise UserError(f"{path} holds pictures of pages and no text that could be read.")
    return lines


def read_pages(path: Path, tell: Callable[[int, int], None]) -> RawText:
    """The text of each page of a PDF; a page that is broken has none.

    Args:
        path: the file.
        tell: called with the pages read and those there are, before each page.

    Raises:
        EnvironmentFault: the library that reads PDFs is not installed.
        UserError: no such file, damaged, protected by a password, or too large.
    """
    with _opened(path) as document:
        total = len(document)
        pages: list[str] = []
        letters = 0
        for number in range(min(total, MAX_PAGES)):
            tell(number, total)
            with _text_page(document, number) as text_page:
                pages.append(_text_of(text_page) if text_page is not None else "")
            letters += len(pages[-1])
            if letters > MAX_LETTERS:
                break
    return RawText(tuple(pages), total)


def require_library() -> None:
    """Make sure that PDFs can be read here.

    Raises:
        EnvironmentFault: the library that reads PDFs is not installed.
    """
    _library()


def _library() -> Any:
    try:
        import pypdfium2
    except ImportError as error:
        raise EnvironmentFault(
            "Reading PDFs needs the package pypdfium2: install Litscape with the extra pdf, as in "
            "pip install 'litscape[pdf]'."
        ) from error
    return pypdfium2


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    pdfium = _library()
    try:
        if not path.is_file():
            raise UserError(f"There is no file {path}.")
        if path.stat().st_size > MAX_BYTES:
            raise UserError(f"{path} is larger than {MAX_BYTES >> 20} MB and is not read.")
        document = pdfium.PdfDocument(path)
    except pdfium.PdfiumError as error:
        if "password" in str(error).lower():
            raise UserError(f"{path} is protected by a password.") from error
        raise UserError(f"{path} is damaged or is no PDF.") from error
    except OSError as error:
        raise UserError(f"{path} can't be read: {error.strerror or error}.") from error
    with closing(document):
        yield document


@contextmanager
def _text_page(document: Any, number: int) -> Iterator[Any]:
    """The text of a page; None for a broken one, which does not cost the others."""
    pdfium = _library()
    try:
        page = document[number]
    except pdfium.PdfiumError:
        yield None
        return
    with closing(page):
        try:
            text_page = page.get_textpage()
        except pdfium.PdfiumError:
            yield None
            return
        with closing(text_page):
            yield text_page


def _text_of(text_page: Any) -> str:
    try:
        text: str = text_page.get_text_range()
        return rows_of(text_page) if _is_apart(text) else text
    except _library().PdfiumError:
        return ""


def _is_apart(text: str) -> bool:
    """Whether nearly every letter is a line: PDFium took two or three short lines for columns."""
    lines = text.splitlines()
    return len(lines) >= _FEWEST_LETTERS and sum(len(one) < 2 for one in lines) > len(lines) * 0.6


def _lines(document: Any) -> Iterator[Line]:
    for number in range(min(len(document), MAX_PAGES)):
        with _text_page(document, number) as text_page:
            if text_page is not None:
                yield from _lines_of(text_page, number)


def _lines_of(text_page: Any, number: int) -> Iterator[Line]:
    place = 0
    text = _text_of(text_page)
    for raw in text.splitlines(keepends=True):
        # A hyphen at a line's end comes as U+FFFE or U+0002.
        line = raw.rstrip("\r\n").replace("\ufffe", "\u00ad").replace("\x02", "\u00ad")
        start = place + len(raw) - len(raw.lstrip())
        place += len(raw)
        if line.strip():
            yield Line(line.strip(), _left(text_page, start), number)


def _left(text_page: Any, index: int) -> float:
    try:
        left: float = text_page.get_charbox(index)[0]
    except _library().PdfiumError:  # letters that PDFium made up have no box
        return 0.0
    return left
