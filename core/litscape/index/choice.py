"""Which index serves: by measured size, or as the setting says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from litscape.errors import UserError
from litscape.index.hnsw import available

IndexKind = Literal["exact", "hnsw"]
IndexSetting = Literal["auto", "exact", "hnsw"]
SETTINGS: tuple[IndexSetting, ...] = ("auto", "exact", "hnsw")

EXACT_UP_TO = 150_000 * 384
"""Numbers in the matrix up to which a product with all of them is not felt (about 20 ms)."""
MISSING = (
    "hnswlib is not installed, so exact search serves this large library; it finds the same and "
    "takes longer. Install litscape[hnsw] for the approximate index."
)


@dataclass(frozen=True, slots=True)
class IndexChoice:
    """The index to use; ``note`` says where it is not the one wished for."""

    kind: IndexKind
    note: str | None = None


def choose(n: int, dim: int, setting: str = "auto") -> IndexChoice:
    """Choose for ``n`` vectors of length ``dim``.

    Args:
        n: how many vectors.
        dim: their length.
        setting: ``auto`` (by size), ``exact`` or ``hnsw``.

    Raises:
        UserError: there is no such setting.
    """
    if setting not in SETTINGS:
        raise UserError(f"There is no index “{setting}”; choose {', '.join(SETTINGS)}.")
    wanted = setting == "hnsw" or (setting == "auto" and n * dim > EXACT_UP_TO)
    if not wanted:
        return IndexChoice("exact")
    return IndexChoice("hnsw") if available() else IndexChoice("exact", MISSING)
