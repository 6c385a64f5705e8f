"""Web of Science's tagged format: plain text, .ciw and .isi; unknown tags are kept."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from litscape.importers.outcome import Complaint, Piece, outside, told
from litscape.importers.tagged import Loose, Record, cut
from litscape.importers.wos_fields import draft_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from litscape.importers.base import SourceText
    from litscape.paper import ImportProblem, PaperDraft

_LINE = re.compile(r"([A-Z][A-Z0-9])(?:[ \t](.*)|\s*)$", re.S)
_TAG_NAMES = (
    "FN VR PT AU AF BA BF CA GP BE TI SO SE BS LA DT CT CY CL SP HO DE ID AB C1 C3 RP EM RI OI FU"
    " FP FX CR NR TC Z9 U1 U2 PU PI PA SN EI BN J9 JI PD PY VL IS PN SU SI MA BP EP AR DI DL D2 EA"
    " EY PG P2 WC WE SC GA PM OA HC HP DA UT ER EF"
)
_TAGS = frozenset(_TAG_NAMES.split())
_TEXTS = frozenset({"AB", "TI", "C1", "C3", "RP", "FX", "FU", "CR", "DE", "ID"})
_HEAD = re.compile(r"^FN [^\n]*\n(?:\s*\n)*VR \d", re.M)
_PART = re.compile(r"^PT [A-Z]\s*$", re.M)
_FEW = re.compile(r"^(?:AU|AF|TI|SO|PY|UT|CR|DT|VL) \S", re.M)


class _Layout:
    starts = "PT"
    ends = "ER"
    single = frozenset({"TI", "SO", "PY", "UT"})
    flowing = frozenset({"AB", "CR", "C1"})
    of_file = frozenset({"FN", "VR", "EF"})

    def split(self, line: str, record: Record | None) -> tuple[str, str] | None:
        found = _LINE.match(line)
        if not found:
            return None
        tag = found[1]
        if tag in _TAGS:
            return tag, found[2] or ""
        inside = record.fields[-1][0] if record and record.fields else ""
        return (tag, found[2] or "") if record and inside not in _TEXTS else None


class WosImporter:
    """Records of Web of Science and Inspec with all works that they cite."""

    kind = "wos"
    title = "Web of Science"
    suffixes = (".ciw", ".isi", ".txt")

    def recognises(self, head: str) -> float:
        """Sure where the file's first two lines stand, or ``PT`` with tags that follow it."""
        head = head.replace("\r\n", "\n").replace("\r", "\n")
        if _HEAD.search(head):
            return 0.96
        return 0.9 if _PART.search(head) and len(set(_FEW.findall(head))) > 1 else 0.0

    def read(
        self, source: SourceText, progress: Callable[[int, int], None] | None = None
    ) -> Iterator[PaperDraft | ImportProblem]:
        """Yield each record as a draft, then what is amiss; text outside records as notes."""
        index = 0
        for found in cut(source.text, _Layout(), progress):
            if isinstance(found, Loose):
                yield outside(source.location, found.text, found.line)
                continue
            piece = Piece(source.location, found.raw, found.line, index)
            draft = draft_of(found.fields, piece)
            yield from told(piece, draft, _complaints(found))
            index += 1


def _complaints(record: Record) -> list[Complaint]:
    if record.ended:
        return []
    where = "the file may be cut off" if record.last else "it was closed where the next begins"
    return [("unclosed-entry", f"The record of line {record.line} has no ER line; {where}.")]
