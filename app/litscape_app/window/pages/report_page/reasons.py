"""The reasons of a report's issues, in words, each with its issues."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from litscape.paper import ImportProblem

SEVERITIES = (("skipped", "Skipped"), ("warning", "Warnings"), ("note", "Notes"))
_RANKS = {name: rank for rank, (name, _title) in enumerate(SEVERITIES)}
_WORDS = {
    "joined": "Joined with a paper of the library",
    "duplicate-record": "The same record again",
    "duplicate-key": "Key in use, stored under another",
    "duplicate-field": "The same field twice",
    "missing-title": "No title",
    "empty-reference": "References that name no work",
    "missing-key": "No citation key",
    "missing-comma": "A comma was missing",
    "malformed-name-list": "Names that could not be told apart",
    "crossref-missing": "Refers to an entry that is not there",
    "encoding-guessed": "The file's encoding was guessed",
    "encoding-lossy": "Letters that could not be read",
    "file-truncated": "The file is cut off",
    "source-empty": "The file is empty",
    "source-changed": "Changed while it was read",
    "no-record": "No record in it",
    "in-trash": "Its paper is in the trash",
    "attachment-without-parent": "File that belongs to no item",
    "note-without-parent": "Note that belongs to no item",
    "annotations-left-out": "Annotations stay in Zotero",
    "collection-gone": "A collection to take is gone",
}
"""What a person calls a reason whose code does not say it well by itself."""


@dataclass(frozen=True, slots=True)
class Reason:
    """All issues of one severity and code, in the order of the report.

    ``title`` is what all of them say, else the code in words.
    """

    severity: str
    code: str
    issues: Sequence[ImportProblem]
    title: str


def words_of(code: str) -> str:
    """A reason code as a person reads it: ``undefined-macro`` is “Undefined macro”."""
    words = code.replace("-", " ")
    return _WORDS.get(code) or words[:1].upper() + words[1:]


def reasons(issues: Iterable[ImportProblem]) -> list[Reason]:
    """Issues by their reasons: what did not come in first, then as the report has them."""
    found: dict[tuple[str, str], list[ImportProblem]] = {}
    for one in issues:
        found.setdefault((one.severity, one.code), []).append(one)
    made = [
        Reason(severity, code, group, _said_by(group, code))
        for (severity, code), group in found.items()
    ]
    return sorted(made, key=lambda one: _RANKS[one.severity])


def _said_by(issues: Sequence[ImportProblem], code: str) -> str:
    first = issues[0].message
    return first if all(one.message == first for one in issues) else words_of(code)
