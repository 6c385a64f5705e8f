"""Text made alike for sorting and for finding parts: no case, no accents, no leading marks."""

from __future__ import annotations

import re
import unicodedata

_LEADING = re.compile(r"(?:</?\w+[^<>]*>|[\W_])+")


def sort_text(text: str) -> str:
    """Casefolded text without accents, and without marks or tags before its first word."""
    if text.isascii():
        folded = text.lower()
    else:
        parts = unicodedata.normalize("NFKD", text)
        folded = "".join(c for c in parts if not unicodedata.combining(c)).casefold()
    if folded and not folded[0].isalnum():
        cut = _LEADING.match(folded)
        if cut and cut.end() < len(folded):  # a text of marks only stays as it is
            folded = folded[cut.end() :]
    return folded
