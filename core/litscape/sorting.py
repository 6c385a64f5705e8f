"""Text made alike for sorting and for finding parts: no case, no accents, no leading marks."""

from __future__ import annotations

import unicodedata


def sort_text(text: str) -> str:
    """Casefolded text without accents and without punctuation before its first letter or digit."""
    if text.isascii():
        folded = text.lower()
    else:
        parts = unicodedata.normalize("NFKD", text)
        folded = "".join(c for c in parts if not unicodedata.combining(c)).casefold()
    if folded and not folded[0].isalnum():
        start = next((n for n, c in enumerate(folded) if c.isalnum()), 0)
        folded = folded[start:]
    return folded
