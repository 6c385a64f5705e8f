"""The model card: all that must be known to make, and to compare, vectors of one model version."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Literal, Self

from litscape.errors import UserError

PoolingMode = Literal["cls", "max", "mean", "mean_sqrt_len_tokens", "weightedmean", "lasttoken"]
POOLING_MODES: tuple[PoolingMode, ...] = (
    "cls",
    "max",
    "mean",
    "mean_sqrt_len_tokens",
    "weightedmean",
    "lasttoken",
)
_NOT_IDENTITY = frozenset({"version", "name", "base", "location", "source", "head_of"})


@dataclass(frozen=True, slots=True)
class DenseLayer:
    """A linear layer after pooling, as sentence-transformers stores it.

    Attributes:
        folder: its folder below the model's.
        inputs, outputs: widths.
        bias: whether there is a bias vector.
        activation: ``identity`` or the name of a torch activation (``tanh``, ``gelu`` …).
    """

    folder: str
    inputs: int
    outputs: int
    bias: bool = True
    activation: str = "tanh"


@dataclass(frozen=True, slots=True)
class ModelCard:
    """One immutable model version.

    Attributes:
        version: name and content in one word, safe as a file name; vectors and indexes carry it.
        name: what a person reads.
        base: where the weights came from (a hub id, or the folder's name).
        location: the absolute folder of the weights on this machine.
        dim: width of the vectors.
        pooling: how token vectors become one vector; several modes are concatenated in order.
        normalise: whether the model itself scales to unit length (stored vectors always do).
        paper_prefix, query_prefix: what the model wants before a paper's text and before a query.
        pool_prefix: whether the prefix's own tokens take part in pooling.
        separator: text between title and abstract; may name the tokenizer's separator token.
        max_length: tokens that the model reads, special ones included.
        lowercase: whether texts are lowered before the tokenizer sees them.
        transformer: the folder of weights and tokenizer below the model's; mostly the model's own.
        dense: layers after pooling.
        unit_before: which of them, by place, get vectors scaled to unit length.
        sha256: of the weights (of one file's bytes, or of the list of several files' sums).
        source: ``bundled``, ``folder``, ``hub`` or ``trained``.
        recipe, cutoff_year: how it was trained here and up to which year; None for others' models.
        head_of: the version whose vectors give this one's by the last dense layers alone.
        own_code: whether code that came with the weights may run: somebody allowed it by name.
    """

    version: str
    name: str
    base: str
    location: str
    dim: int
    sha256: str
    pooling: tuple[PoolingMode, ...] = ("mean",)
    normalise: bool = True
    paper_prefix: str = ""
    query_prefix: str = ""
    pool_prefix: bool = True
    separator: str = " "
    max_length: int = 512
    lowercase: bool = False
    transformer: str = ""
    dense: tuple[DenseLayer, ...] = ()
    unit_before: tuple[int, ...] = ()
    source: Literal["bundled", "folder", "hub", "trained"] = "folder"
    recipe: str | None = None
    cutoff_year: int | None = None
    head_of: str | None = None
    own_code: bool = False

    @property
    def folder(self) -> Path:
        """Where the weights lie."""
        return Path(self.location)

    @property
    def identity(self) -> str:
        """Hex digest over everything that changes a vector.

        Fields at their default don't count, so that a field added later changes no old version.
        """
        plain = {field.name: field.default for field in fields(self)}
        kept = {
            key: value
            for key, value in asdict(self).items()
            if key not in _NOT_IDENTITY and value != plain[key]
        }
        return hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()

    def versioned(self) -> Self:
        """The same card with ``version`` made of its name and content."""
        slug = re.sub(r"[^a-z0-9]+", "-", self.name.lower()).strip("-")[:48] or "model"
        return replace(self, version=f"{slug}-{self.identity[:12]}")

    def to_json(self) -> str:
        """The card as one JSON object."""
        return json.dumps(asdict(self), sort_keys=True, indent=1)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read a card; keys of later releases are dropped.

        Raises:
            UserError: the text is no model card.
        """
        try:
            data = json.loads(text)
            known = {field.name for field in fields(cls)}
            kept = {key: value for key, value in data.items() if key in known}
            kept["pooling"] = tuple(kept.get("pooling", ("mean",)))
            kept["unit_before"] = tuple(kept.get("unit_before", ()))
            kept["dense"] = tuple(DenseLayer(**layer) for layer in kept.get("dense", ()))
            return cls(**kept)
        except (ValueError, TypeError, AttributeError) as error:
            raise UserError(f"This is not a model card: {error}.") from error
