"""Small real things to train: tiny encoders of several kinds, papers, links."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from litscape.models.folder import read_folder
from litscape_trainer.examples.records import NOBODY, ExampleReport, ExampleSet, Kind
from litscape_trainer.loop.records import TrainingJob
from litscape_trainer.recipes.recipe import TrainingRecipe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from litscape.models.card import ModelCard

TINY = Path(__file__).resolve().parents[1] / "data" / "tiny-encoder"
WORDS = ["soil", "birds", "robots", "graph", "neural", "vision", "quantum", "language", "many"]
PAPERS = 24
RECIPE = TrainingRecipe(
    "tiny",
    method="frozen-embeddings",
    batch=8,
    steps=10,
    learning_rate=2e-3,
    precision="fp32",
    max_length=32,
    dev_every=0.2,
)
REPORT = ExampleReport("test", 0, 0, {}, {}, (), ())


class Known:
    """Pairs that are known to belong together."""

    def __init__(self, pairs: Sequence[tuple[int, int]] = ()) -> None:
        self._pairs = {*pairs, *((b, a) for a, b in pairs)}

    def between(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[np.bool_]:
        found = [[a == b or (a, b) in self._pairs for b in columns.tolist()] for a in rows.tolist()]
        return np.array(found, dtype=np.bool_).reshape(len(rows), len(columns))

    def mask(self, ids: NDArray[np.int64]) -> NDArray[np.bool_]:
        return self.between(ids, ids)


def papers(number: int = PAPERS) -> dict[int, tuple[str | None, str | None]]:
    """Titles and abstracts of random words, of different lengths."""
    rng = np.random.default_rng(1)
    found: dict[int, tuple[str | None, str | None]] = {}
    for paper in range(1, number + 1):
        words = rng.choice(WORDS, size=int(rng.integers(6, 30))).tolist()
        found[paper] = (f"{paper} {' '.join(words[:4])}", " ".join(words[4:]))
    return found


def example_set(
    pairs: Sequence[tuple[int, int]],
    negatives: Sequence[Sequence[int]] | None = None,
    sides: tuple[str, str] | None = None,
) -> ExampleSet:
    """Examples of given papers."""
    n = len(pairs)
    away = np.array(negatives if negatives else [[]] * n, dtype=np.int64).reshape(
        n, len(negatives[0]) if negatives else 0
    )
    return ExampleSet(
        anchors=np.array([a for a, _ in pairs], dtype=np.int64),
        positives=np.array([b for _, b in pairs], dtype=np.int64),
        negatives=away,
        weights=np.ones(n, dtype=np.float32),
        kinds=np.zeros(n, dtype=np.int16),
        negative_kinds=np.full(away.shape, NOBODY, dtype=np.int16),
        numbers=np.zeros(n, dtype=np.int32),
        negative_numbers=np.zeros(away.shape, dtype=np.int32),
        names=(Kind("link", "cited by it"),),
        report=REPORT,
        sides=sides,
    )


def drawn(epoch: int, number: int = 20) -> ExampleSet:
    """Examples that differ by epoch, with one negative each."""
    rng = np.random.default_rng([7, epoch])
    rows = [rng.permutation(PAPERS)[:3] + 1 for _ in range(number)]
    return example_set([(int(a), int(b)) for a, b, _ in rows], [[int(c)] for _, _, c in rows])


def job(folder: Path, recipe: TrainingRecipe = RECIPE, **values: Any) -> TrainingJob:
    """A training of the tiny encoder."""
    plain = TrainingJob(
        recipe=recipe,
        card=read_folder(TINY),
        examples=drawn,
        texts=papers(),
        known=Known(),
        folder=folder,
        device="cpu",
        threads=1,
    )
    return replace(plain, **values)


def tiny_of(kind: str, folder: Path) -> ModelCard:
    """A random encoder of another architecture, with the tiny one's tokenizer."""
    import torch
    import transformers

    shutil.copytree(TINY, folder)
    torch.manual_seed(3)
    common = {
        "vocab_size": 125,
        "hidden_size": 24,
        "num_hidden_layers": 3,
        "num_attention_heads": 2,
        "intermediate_size": 40,
        "max_position_embeddings": 64,
    }
    special = {"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
    if kind == "mpnet":
        config = transformers.MPNetConfig(**common, **special)
    elif kind == "modernbert":
        config = transformers.ModernBertConfig(
            **common, **special, cls_token_id=1, sep_token_id=2, local_attention=8
        )
    else:
        config = transformers.BertConfig(**common, **special)
    transformers.AutoModel.from_config(config).save_pretrained(folder)
    return read_folder(folder)
