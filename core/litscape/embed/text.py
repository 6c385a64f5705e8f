"""From a paper or a query to the text that an encoder reads: one template for all uses."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from litscape.models.card import ModelCard


def paper_text(card: ModelCard, title: str | None, abstract: str | None) -> str | None:
    """Title, separator and abstract, as the model's card joins them; no prefix.

    Returns:
        The text; the abstract alone where the title is missing; None where both are, and then the
        paper is not embedded.
    """
    head = " ".join((title or "").split())
    body = " ".join((abstract or "").split())
    if not head and not body:
        return None
    return f"{head}{card.separator}{body}".strip() if head else body


def query_text(card: ModelCard, query: str) -> str:
    """The text of a query: white space folded, no prefix (the encoder adds the model's own).

    ``card`` stands here so that templates that differ by model stay possible in one place.
    """
    return " ".join(query.split())


def fingerprint(card: ModelCard, text: str) -> bytes:
    """16 bytes that change when the text or the model version does."""
    data = f"{card.version}\0{text}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(data, digest_size=16).digest()
