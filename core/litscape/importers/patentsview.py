"""PatentsView's tables of patents and of their abstracts (USPTO), tab-separated.

One row a patent in each table; rows of one number become one paper. Older downloads hold both in
one table and call the number ``id``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from litscape.errors import UserError
from litscape.importers.csv_rows import rows
from litscape.importers.dates import parse_date
from litscape.importers.markup import plain, plain_paragraphs
from litscape.importers.outcome import Piece, left_out, told
from litscape.paper import PaperDraft

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from litscape.importers.base import SourceText
    from litscape.paper import ImportProblem

SCHEME = "patent"
"""Of identifiers: country and number without the kind of document, ``US4058776``."""
_FEW = 200
_PATENTS = ("patent_title", "patent_abstract")
_OLD = frozenset({"id", "number", "country", "title", "abstract", "kind"})
_LINKS = frozenset(
    {
        *("citation_patent_id", "citation_document_number", "citation_application_id"),
        *("other_reference_text", "citation_id", "oaid", "magid"),
    }
)
_NUMBER = re.compile(
    r"(?:(?!RE|PP|AI)([A-Z]{2})[- ]?)?(RE|PP|AI|[DHTX])?(\d[\d,/]*)(?:[- ]?[A-Z]\d?)?", re.I
)
_PUBLICATION = re.compile(
    r"US-(?:(?P<digits>\d{5,8})-(?P<grant>A|B[12])|RE\d+-E1?|D\d+-S1?|PP\d+-P[23]?|H\d+-H1?"
    r"|20\d{8,9}-A1)"
)
_FIRST_B = 6_167_000
_APPLICATION = re.compile(r"(20\d\d)0?(\d{6})")
"""Of the United States: the year, and a number that some write with seven digits."""
_USED = frozenset(
    {
        *("patent_id", "patent_title", "patent_abstract", "patent_date"),
        *("id", "number", "title", "abstract", "date", "country"),
    }
)


def patent_number(text: str, country: str = "US") -> str | None:
    """A patent's number as it is compared: ``US-4,058,776-A`` and ``4058776`` are ``US4058776``.

    Args:
        text: the number, with or without its country and kind code.
        country: where the number stands alone.
    """
    found = _NUMBER.fullmatch(text.strip())
    if found is None:
        return None
    where, letters = (found[1] or country).upper(), (found[2] or "").upper()
    digits = re.sub(r"[,/]", "", found[3]).lstrip("0")
    if where == "US" and (application := _APPLICATION.fullmatch(digits)):
        digits = f"{application[1]}0{application[2]}"
    return f"{where}{letters}{digits}" if digits else None


def us_publication(text: str) -> str | None:
    """The number of a patent of the United States that is written whole, ``US-5974396-A``.

    None for another country, whose publications of one number may be several, and for what came
    out later under the number of a patent: certificates of its re-examination, corrections.
    """
    found = _PUBLICATION.fullmatch(text)
    if found is None:
        return None
    # From 6,167,264 on (2001), B tells a patent; before, a certificate.
    if (found["grant"] or "").startswith("B") and int(found["digits"]) < _FIRST_B:
        return None
    return patent_number(text)


class PatentsViewImporter:
    """Tables of patents: ``g_patent.tsv``, ``g_patent_abstract.tsv``, the older ``patent.tsv``."""

    kind = "patentsview"
    title = "PatentsView (patents)"
    suffixes = (".tsv",)

    def recognises(self, head: str) -> float:
        """Whether the first line has the headings of one of the tables."""
        names = _headings(head)
        if "patent_id" in names and any(name in names for name in (*_PATENTS, *_LINKS)):
            return 0.97
        return 0.95 if names >= _OLD or names >= {"patent", "oaid"} else 0.0

    def read(
        self, source: SourceText, progress: Callable[[int, int], None] | None = None
    ) -> Iterator[PaperDraft | ImportProblem]:
        """Yield each row as a draft, and what is amiss.

        Raises:
            UserError: the table holds citations and no patents.
        """
        table = rows(source.text)
        heading = next(table, None)
        if heading is None:
            return
        names = [cell.strip("\ufeff ").lower() for cell in heading.cells]
        if set(names) & _LINKS and not set(names) & set(_PATENTS):
            raise UserError(
                f"{source.location} lists who cites whom and holds no patents: import the patents "
                "first, then add this list to their citations (litscape citations add FILE)."
            )
        done, total = 0, len(source.text)
        for index, row in enumerate(table):
            done += len(row.raw) + 1
            if progress and index % _FEW == 0:
                progress(min(done, total), total)
            piece = Piece(source.location, row.raw, row.line, index)
            cells = dict(zip(names, row.cells, strict=False))
            draft = _draft_of(cells, piece)
            if draft is None:
                message = "A row without a patent's number was left out."
                yield left_out(piece, "missing-title", message)
                continue
            complaints = []
            if len(row.cells) != len(names):
                message = f"The row has {len(row.cells)} cells for {len(names)} columns."
                complaints.append(("repaired-entry", message))
            if draft.title is None and "patent_title" not in names and "title" not in names:
                yield draft  # a table of abstracts has no titles
                continue
            yield from told(piece, draft, complaints)


def _headings(head: str) -> set[str]:
    first = next(rows(head.lstrip("\ufeff")), None)
    cells: Sequence[str] = first.cells if first is not None else ()
    return {cell.strip().lower() for cell in cells} if len(cells) > 1 else set()


def _draft_of(cells: Mapping[str, str], piece: Piece) -> PaperDraft | None:
    written = (cells.get("patent_id") or cells.get("id") or cells.get("number") or "").strip()
    number = patent_number(written, (cells.get("country") or "US").strip() or "US")
    if number is None:
        return None
    day = parse_date(cells.get("patent_date") or cells.get("date") or "")
    title = plain(cells.get("patent_title") or cells.get("title") or "")
    text = plain_paragraphs(cells.get("patent_abstract") or cells.get("abstract") or "")
    return PaperDraft(
        type="patent",
        title=title or None,
        abstract=text or None,
        **day.fields(),
        identifiers={SCHEME: number},
        source_id=written,
        raw_fields={
            name: value.strip()
            for name, value in cells.items()
            if name not in _USED and value.strip()
        },
        raw=piece.raw,
        line=piece.line,
        index=piece.index,
    )
