"""What is set right in every record, whatever reader it comes from, and what is said of it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from litscape.importers.normalise import fold
from litscape.paper import Author, ImportProblem

if TYPE_CHECKING:
    from litscape.paper import PaperDraft, Severity

_TEXTS = ("title", "venue", "publisher", "abstract")
_LISTS = ("keywords", "tags", "notes")
_NAME_PARTS = ("family", "given", "particle", "suffix", "literal")
_ANY_TURN = re.compile("[\u202a-\u202e\u2066-\u2069]")
_EMBED, _OVERRIDE, _POP = "\u202a\u202b", "\u202d\u202e", "\u202c"
_ISOLATE, _POP_ISOLATE = "\u2066\u2067\u2068", "\u2069"
_DIGIT = re.compile(r"\d|^[MDCLXVI]+$")


def balanced(text: str) -> str:
    """The text without signs that turn the direction of writing and are never turned back.

    Overrides, which show letters in another order than they have, go in any case.
    """
    if text.isascii() or not _ANY_TURN.search(text):
        return text
    letters = list(text)
    opened: list[tuple[int, str]] = []
    gone: set[int] = set()
    for place, sign in enumerate(letters):
        if sign in _EMBED or sign in _OVERRIDE or sign in _ISOLATE:
            opened.append((place, sign))
        elif sign in (_POP, _POP_ISOLATE):
            fits = _ISOLATE if sign == _POP_ISOLATE else _EMBED + _OVERRIDE
            if not opened or opened[-1][1] not in fits:
                gone.add(place)
                continue
            start, opening = opened.pop()
            if opening in _OVERRIDE:
                gone.update((start, place))
    gone.update(place for place, _sign in opened)
    return "".join(sign for place, sign in enumerate(letters) if place not in gone)


def tidied(draft: PaperDraft) -> tuple[PaperDraft, list[ImportProblem]]:
    """A record with such signs taken out, and what a person should know of it and of its year."""
    told: list[ImportProblem] = []
    changed = _turned(draft)
    if changed:
        draft = replace(draft, **changed)
        names = " and ".join(sorted(changed))
        message = f"Signs that turn the direction of writing were taken out of {names}."
        told.append(_problem(draft, "repaired-entry", "warning", message))
    raw = draft.year_raw
    if raw is not None and draft.year is None and _DIGIT.search(raw):
        message = f"“{raw}” is no year that could be read: it is kept as it stands, without one."
        told.append(_problem(draft, "year-kept", "note", message))
    elif raw is not None and draft.year is not None and raw != str(draft.year):
        message = f"Of “{raw}” the year {draft.year} was taken; the text is kept."
        told.append(_problem(draft, "year-guessed", "note", message))
    return draft, told


def _turned(draft: PaperDraft) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in _TEXTS:
        text = getattr(draft, name)
        if text and not text.isascii() and (plain := balanced(text)) != text:
            found[name] = (plain if name == "abstract" else fold(plain)) or None
    for name in _LISTS:
        texts = getattr(draft, name)
        if texts and (plain_texts := tuple(filter(None, map(balanced, texts)))) != texts:
            found[name] = plain_texts
    people = tuple(map(_person, draft.authors))
    if people != draft.authors:
        found["authors"] = people
    return found


def _person(author: Author) -> Author:
    if author.display.isascii():
        return author
    parts = {name: getattr(author, name) for name in _NAME_PARTS}
    plain = {name: balanced(text) or None for name, text in parts.items() if text}
    return author if all(parts[name] == text for name, text in plain.items()) else Author(**plain)


def _problem(draft: PaperDraft, code: str, severity: Severity, message: str) -> ImportProblem:
    return ImportProblem(
        code,
        severity,
        message,
        line=draft.line,
        citekey=draft.citekey_original or draft.citekey,
        zotero_key=draft.zotero_key,
        index=draft.index,
        raw=draft.raw,
    )
