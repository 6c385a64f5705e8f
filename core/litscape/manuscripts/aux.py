"""LaTeX's ``.aux`` files: which works each command cited, without the text around it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from litscape.manuscripts.parts import Cited

if TYPE_CHECKING:
    from collections.abc import Iterator

_CITATION = re.compile(r"^\\(?:citation\{([^{}]*)\}|abx@aux@cite\{\d+\}\{([^{}]*)\})", re.M)
_KEY = re.compile(r"[^\s\\{}#,%]+")


def cited(text: str) -> Iterator[Cited]:
    """What an ``.aux`` file says was cited; works of one command belong together, no others.

    biblatex writes a line for each work, so that of its files only the works are known.
    """
    for number, found in enumerate(_CITATION.finditer(text), 1):
        line = text.count("\n", 0, found.start()) + 1
        for key in dict.fromkeys((found[1] or found[2] or "").split(",")):
            if _KEY.fullmatch(key.strip()) and key.strip() != "*":
                yield Cited(key.strip(), line, number, number, number, number)
