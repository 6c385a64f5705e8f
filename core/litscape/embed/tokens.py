"""Texts to token ids by the model's own tokenizer, and batches of them under a token budget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from litscape.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from litscape.models.card import ModelCard

Kind = Literal["paper", "query"]


class Tokens:
    """A fast tokenizer set to one model's prefixes and length; pads on the right.

    Args:
        card: the model.
        tokenizer: a ``tokenizers.Tokenizer``; its truncation and padding are set anew.
    """

    def __init__(self, card: ModelCard, tokenizer: Any) -> None:
        tokenizer.no_padding()
        tokenizer.enable_truncation(max_length=card.max_length)
        self._tokenizer = tokenizer
        self._card = card
        self._unpooled = {"paper": 0, "query": 0}
        if not card.pool_prefix:
            for kind, prefix in (("paper", card.paper_prefix), ("query", card.query_prefix)):
                # All but the closing token, as sentence-transformers counts a prompt.
                self._unpooled[kind] = max(len(tokenizer.encode(prefix).ids) - 1, 0)

    @classmethod
    def load(cls, card: ModelCard, file: Path) -> Tokens:
        """Read a ``tokenizer.json``.

        Raises:
            UserError: the file is missing or no tokenizer.
        """
        from tokenizers import Tokenizer

        try:
            return cls(card, Tokenizer.from_file(str(file)))
        except Exception as error:
            raise UserError(f"The tokenizer in {file} can't be read: {error}.") from error

    def save(self, file: Path) -> None:
        """Write the tokenizer as ``tokenizer.json``."""
        self._tokenizer.save(str(file))

    def ids(self, texts: Sequence[str], kind: Kind) -> list[list[int]]:
        """Token ids of each text, prefix and special tokens included, cut at the model's length."""
        prefix = self._card.paper_prefix if kind == "paper" else self._card.query_prefix
        ready = [_encodable(prefix + text) for text in texts]
        if self._card.lowercase:
            ready = [text.lower() for text in ready]
        return [encoding.ids or [0] for encoding in self._tokenizer.encode_batch_fast(ready)]

    def kept(self, mask: NDArray[np.int64], kind: Kind) -> NDArray[np.int64]:
        """``mask`` (n, tokens) without the leading tokens that the pooling leaves out."""
        unpooled = self._unpooled[kind]
        if not unpooled:
            return mask
        kept = mask.copy()
        kept[:, :unpooled] = 0
        return kept


def _encodable(text: str) -> str:
    """Lone surrogates have no UTF-8 form and would stop the tokenizer."""
    return text.encode("utf-8", "replace").decode("utf-8")


def batches(lengths: Sequence[int], budget: int) -> list[NDArray[np.int64]]:
    """Indices of texts in batches of like length, longest first, padded size within ``budget``.

    A text longer than the budget makes a batch of its own.
    """
    order = np.argsort(np.asarray(lengths, dtype=np.int64), kind="stable")[::-1]
    found: list[NDArray[np.int64]] = []
    start = 0
    while start < len(order):
        size = max(1, budget // max(1, lengths[order[start]]))
        found.append(order[start : start + size])
        start += size
    return found


def padded(
    rows: Sequence[Sequence[int]], multiple: int = 1
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Token ids and attention mask, both (n, width), padded with 0 on the right.

    The width is that of the longest row, up to the next multiple: fewer shapes mean less that the
    libraries below compile and keep in memory.
    """
    width = -(-max(len(row) for row in rows) // multiple) * multiple
    ids = np.zeros((len(rows), width), dtype=np.int64)
    mask = np.zeros((len(rows), width), dtype=np.int64)
    for place, row in enumerate(rows):
        ids[place, : len(row)] = row
        mask[place, : len(row)] = 1
    return ids, mask
