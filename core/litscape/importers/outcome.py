"""What a reader says of one record: its draft and what is amiss, or that it was left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from litscape.paper import ImportProblem, PaperDraft

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


@dataclass(frozen=True, slots=True)
class Piece:
    """A record as it stands in its file.

    Attributes:
        location: the file.
        raw: the record's text.
        line: 1-based line where it begins; None where there are no lines.
        index: its 0-based place among the records.
    """

    location: str
    raw: str
    line: int | None
    index: int


Complaint = tuple[str, str]
"""A reason code with a sentence."""


def shown(text: str, length: int = 80) -> str:
    """The beginning of a text, on one line."""
    flat = " ".join(text.split())
    return flat if len(flat) <= length else flat[: length - 1] + "…"


def told(
    piece: Piece, draft: PaperDraft | None, complaints: Sequence[Complaint] = ()
) -> Iterator[PaperDraft | ImportProblem]:
    """Yield a draft, that it has no title, and other complaints; None is a record with nothing.

    Args:
        piece: the record.
        draft: what was read of it.
        complaints: what was repaired or guessed in it.
    """
    if draft is None:
        yield left_out(piece, "missing-title", "A record that holds nothing was left out.")
        return
    yield draft
    if draft.title is None:
        complaints = [("missing-title", f"Record {piece.index + 1} has no title."), *complaints]
    for code, message in complaints:
        yield ImportProblem(
            code=code,
            severity="warning",
            message=message,
            line=piece.line,
            citekey=draft.citekey,
            index=piece.index,
            raw=piece.raw,
            source=piece.location,
        )


def left_out(piece: Piece, code: str, message: str) -> ImportProblem:
    """The problem of a record that did not come in."""
    return ImportProblem(
        code=code,
        severity="skipped",
        message=message,
        line=piece.line,
        index=piece.index,
        raw=piece.raw,
        source=piece.location,
        is_record=True,
    )


def outside(location: str, text: str, line: int | None) -> ImportProblem:
    """The note that text belongs to no record."""
    return ImportProblem(
        code="text-outside-record",
        severity="note",
        message=f"Text outside any record was left out: {shown(text)}",
        line=line,
        raw=text,
        source=location,
    )
