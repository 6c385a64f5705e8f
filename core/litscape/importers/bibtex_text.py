"""The text of BibTeX fields: as it is stored, as it is written, and cut into terms."""

from __future__ import annotations

import html
import re
from itertools import pairwise
from typing import TYPE_CHECKING

from litscape.importers.latex import to_unicode, verbatim
from litscape.importers.markup import plain
from litscape.importers.normalise import fold

if TYPE_CHECKING:
    from collections.abc import Mapping

_MARKED = re.compile(r"[\\{}$~<&]|--|``|''")
_KEPT = {";": "\ue000", ",": "\ue001"}
_RELEASED = str.maketrans({place: char for char, place in _KEPT.items()})


def clean(value: str) -> str:
    """A field's text as it is stored: LaTeX and HTML undone, NFC, white space folded."""
    return plain(to_unicode(value)) if _MARKED.search(value) else fold(value)


def as_written(value: str) -> str:
    """A url or identifier without its escapes, white space folded."""
    return fold(verbatim(value))


class Fields:
    """The fields of one entry, remembering which of them found their place."""

    def __init__(self, fields: Mapping[str, str]) -> None:
        self.all = fields
        self.used: set[str] = set()

    def first(self, *names: str) -> str | None:
        """The first of some fields that holds text; only that one counts as used."""
        get = self.all.get
        for name in names:
            value = get(name)
            if value:
                text = clean(value)
                if text:
                    self.used.add(name)
                    return text
        return None

    def peek(self, name: str) -> str:
        """A field without its escapes, or an empty text; it does not count as used."""
        value = self.all.get(name)
        return as_written(value) if value else ""


def split_terms(value: str) -> list[str]:
    """Cut a list of keywords: at ``;`` if there is one, else at lines or ``,``; not in braces.

    ``Models, Molecular; Proteins`` are two terms.
    """
    value = value.strip()
    while value.startswith("{") and value.endswith("}") and _one_group(value):
        value = value[1:-1].strip()
    value = value.replace(r"\;", _KEPT[";"]).replace(r"\,", _KEPT[","])
    if "&" in value and ";" in value:
        value = html.unescape(value)
    outside = _outside_braces(value)
    if ";" in outside:
        separator = ";"
    elif outside.count("\n") > outside.count(","):
        separator = "\n"
    else:
        separator = ","
    places = [place for place, char in enumerate(outside) if char == separator]
    cuts = [-1, *places, len(value)]
    terms = [value[start + 1 : end] for start, end in pairwise(cuts)]
    return [term.translate(_RELEASED) for term in terms]


def _one_group(text: str) -> bool:
    return _outside_braces(text[1:-1]).count("}") == 0 and text.count("{") == text.count("}")


def _outside_braces(text: str) -> str:
    """The text with everything inside braces blanked out, places kept."""
    if "{" not in text:
        return text
    out, depth = [], 0
    for char in text:
        if char == "{":
            depth += 1
        out.append(char if depth == 0 else " ")
        if char == "}" and depth:
            depth -= 1
    return "".join(out)
