"""The lines of a PDF's text layer, in the order in which the file has them; PDFium reads it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from litscape.errors import EnvironmentFault, UserError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MAX_BYTES = 1 << 29
MAX_PAGES = 3000
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


def read_lines(path: Path) -> list[Line]:
    """The lines of a PDF.

    Raises:
        EnvironmentFault: the library that reads PDFs is not installed.
        UserError: no such file, damaged, protected by a password, too large, or without text.
    """
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
    try:
        lines = list(_lines(document, pdfium))
    finally:
        document.close()
    if sum(len(line.text) for line in lines) < _LEAST_LETTERS:
        raise UserError(f"{path} holds pictures of pages and no text that could be read.")
    return lines


def _library() -> Any:
    try:
        import pypdfium2
    except ImportError as error:
        raise EnvironmentFault(
            "Reading PDFs needs the package pypdfium2: install Litscape with the extra pdf, as in "
            "pip install 'litscape[pdf]'."
        ) from error
    return pypdfium2


def _lines(document: Any, pdfium: Any) -> Iterator[Line]:
    for number in range(min(len(document), MAX_PAGES)):
        try:
            page = document[number]
        except pdfium.PdfiumError:
            continue  # one broken page does not cost the others
        text_page = page.get_textpage()
        try:
            yield from _lines_of(text_page, number)
        finally:
            text_page.close()
            page.close()


def _lines_of(text_page: Any, number: int) -> Iterator[Line]:
    place = 0
    text = text_page.get_text_range()
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
    except Exception:  # noqa: BLE001 - letters that PDFium made up have no box
        return 0.0
    return left
