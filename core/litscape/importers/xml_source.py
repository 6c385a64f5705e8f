"""What the readers of XML have in common: records to drafts, and what is said of broken files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.importers.outcome import Complaint, Piece, left_out, outside, told
from litscape.importers.xml_fragments import Fragment, Rest, declares_entities, fragments
from litscape.paper import ImportProblem, PaperDraft

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from xml.etree.ElementTree import Element

    from litscape.importers.base import SourceText

_FEW = 100


def read_records(
    source: SourceText,
    names: tuple[str, ...],
    draft_of: Callable[[Element, Piece], PaperDraft | None],
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[PaperDraft | ImportProblem]:
    """Yield every record as a draft or as a problem; after broken ones one for the whole file.

    Args:
        source: the file.
        names: the names of the elements that are records.
        draft_of: makes a draft of one, None where it holds nothing.
        progress: told the characters read; may raise to cancel.
    """
    if declares_entities(source.text):
        yield _of_file(
            source,
            "entities-ignored",
            "The file declares entities of its own; they are not expanded.",
            1,
        )
    index, done, broken = 0, 0, None
    for found in fragments(source.text, names):
        if isinstance(found, Rest):
            yield outside(source.location, found.text, found.line)
            continue
        done += len(found.raw)
        if progress and index % _FEW == 0:
            progress(min(done, len(source.text)), len(source.text))
        yield from _outcome(found, Piece(source.location, found.raw, found.line, index), draft_of)
        broken = broken or (found if found.element is None else None)
        index += 1
    if broken is not None:
        end = "it may be cut off" if broken.cut else "the records before and behind were read"
        yield _of_file(
            source,
            "broken-file",
            f"The file is no sound XML from line {broken.line} on ({broken.error}); {end}.",
            broken.line,
        )
    elif index == 0 and source.text.strip():
        yield _of_file(
            source, "source-empty", "The file holds no record; nothing was read and removed.", 1
        )


def _outcome(
    found: Fragment, piece: Piece, draft_of: Callable[[Element, Piece], PaperDraft | None]
) -> Iterator[PaperDraft | ImportProblem]:
    if found.element is None:
        code = "file-truncated" if found.cut else "broken-entry"
        message = f"Record {piece.index + 1} can't be read and was left out: {found.error}."
        yield left_out(piece, code, message)
        return
    complaints: list[Complaint] = []
    if found.repaired:
        message = f"Record {piece.index + 1} is no sound XML; signs that XML forbids were mended."
        complaints.append(("repaired-entry", message))
    yield from told(piece, draft_of(found.element, piece), complaints)


def _of_file(source: SourceText, code: str, message: str, line: int) -> ImportProblem:
    return ImportProblem(code, "warning", message, line, source=source.location)
