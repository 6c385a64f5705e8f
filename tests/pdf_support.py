"""PDFs of some lines a page, written by hand: small, quick, and with text as it is given."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_PAGE = (
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]"
    "/Resources<</Font<</F1 3 0 R>>>>/Contents {} 0 R>>"
)
_FONT = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"


def pdf_of(*pages: str | Sequence[str]) -> bytes:
    """A PDF with these pages, each a text or its lines; an empty one has no text."""
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(pages)))
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Count {len(pages)}/Kids[{kids}]>>".encode(),
        _FONT.encode(),
    ]
    for number, page in enumerate(pages):
        objects.append(_PAGE.format(5 + 2 * number).encode())
        objects.append(_content([page] if isinstance(page, str) else page))
    data, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    return (
        data + b"xref\n0 %d\n0000000000 65535 f \n" % size + table
        + b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (size, len(data))
    )  # fmt: skip


def _content(lines: Sequence[str]) -> bytes:
    shown = " ".join(f"({_escaped(line)}) Tj T*" for line in lines if line)
    stream = f"BT /F1 12 Tf 72 770 Td 14 TL {shown} ET".encode("cp1252")
    return b"<</Length %d>>stream\n%s\nendstream" % (len(stream), stream)


def _escaped(line: str) -> str:
    return line.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
