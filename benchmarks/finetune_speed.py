"""Examples a processor second of training, beside SentenceTransformerTrainer with its defaults.

The same real pairs, batch and length, the bundled model, one thread: all weights, all weights over
words held fixed, the upper layer alone over kept lower layers, and a head on stored vectors. What
is stored once (states of lower layers, vectors) is timed apart.

``--memory`` prints the most memory that steps take instead: the bundled model by the default recipe
and with all weights, and a BERT-base of random weights at 16 examples of 256 tokens, each in a
process of its own.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from corpora import DATA, records
from litscape.embed.text import paper_text
from litscape.embed.torch_encoder import TorchEncoder
from litscape.jobs import null_context
from litscape.models.bundled import bundled_card
from litscape_trainer.examples.records import ExampleReport, ExampleSet, Kind
from litscape_trainer.head.records import HeadJob
from litscape_trainer.head.train import train_head
from litscape_trainer.loop.memory import peak_bytes
from litscape_trainer.loop.records import TrainingJob
from litscape_trainer.loop.steps import Stepper
from litscape_trainer.recipes.recipe import Method, TrainingRecipe
from litscape_trainer.recipes.registry import DEFAULT
from litscape_trainer.recipes.registry import recipe as default_recipe

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape.models.card import ModelCard

BATCH = 16
LENGTH = 256
STEPS = 3
HEAD_STEPS = 60
RECIPE = TrainingRecipe("speed", batch=BATCH, max_length=LENGTH, temperature=0.05)


class Apart:
    """Only a paper and itself belong together."""

    def between(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Anchors (a,) against candidates (c,): (a, c)."""
        found: NDArray[np.bool_] = rows[:, None] == columns[None, :]
        return found

    def mask(self, ids: NDArray[np.int64]) -> NDArray[np.bool_]:
        """The same of one list against itself."""
        return self.between(ids, ids)

    def likeness(self, papers: NDArray[np.int64]) -> NDArray[np.float32]:
        """None is like another, (n, n): what is learnt here is not judged."""
        return np.zeros((len(papers), len(papers)), dtype=np.float32)


def stepper_of(
    recipe: TrainingRecipe,
    card: ModelCard,
    papers: dict[int, tuple[str | None, str | None]],
    pairs: list[tuple[int, int]],
    folder: str,
) -> Stepper:
    """What makes the steps of a recipe over pairs, on one thread."""
    job = TrainingJob(
        recipe=recipe,
        card=card,
        examples=lambda _epoch: examples_of(pairs, recipe.hard_negatives),
        texts=papers,
        known=Apart(),
        folder=Path(folder),
        device="cpu",
        threads=1,
        teacher=Apart(),
    )
    return Stepper(job, null_context(), lambda _note: None)


def linked(name: str) -> tuple[dict[int, tuple[str | None, str | None]], list[tuple[int, int]]]:
    """Papers and the links between them."""
    read = list(records(name))
    number = {record["id"]: i for i, record in enumerate(read, start=1)}
    papers: dict[int, tuple[str | None, str | None]] = {
        number[record["id"]]: (record["title"], record["abstract"]) for record in read
    }
    pairs = {
        (number[record["id"]], number[other])
        for record in read
        for other in record["cites"]
        if other in number and other != record["id"]
    }
    order = np.random.default_rng(3).permutation(len(pairs))
    listed = sorted(pairs)
    return papers, [listed[i] for i in order]


def examples_of(pairs: list[tuple[int, int]], negatives: int = 0) -> ExampleSet:
    """Pairs as examples, each with so many of the papers of others as negatives."""
    n = len(pairs)
    cited = np.array([b for _, b in pairs], dtype=np.int64)
    others = np.empty((n, negatives), dtype=np.int64)
    for k in range(negatives):
        others[:, k] = np.roll(cited, k + 1)
    return ExampleSet(
        anchors=np.array([a for a, _ in pairs], dtype=np.int64),
        positives=cited,
        negatives=others,
        weights=np.ones(n, dtype=np.float32),
        kinds=np.zeros(n, dtype=np.int16),
        negative_kinds=np.zeros(others.shape, dtype=np.int16),
        numbers=np.zeros(n, dtype=np.int32),
        negative_numbers=np.zeros(others.shape, dtype=np.int32),
        names=(Kind("link", "cited by it"),),
        report=ExampleReport("links", n, n, {}, {}, (), ()),
    )


def ours(
    card: ModelCard,
    papers: dict[int, tuple[str | None, str | None]],
    pairs: list[tuple[int, int]],
    method: Method,
    frozen: int = 0,
) -> tuple[float, float]:
    """Examples a processor second, and the seconds of getting ready for one text."""
    with tempfile.TemporaryDirectory() as folder:
        recipe = replace(RECIPE, method=method, frozen_layers=frozen)
        stepper = stepper_of(recipe, card, papers, pairs, folder)
        began = time.process_time()
        stepper.start()
        ready = time.process_time() - began
        place, _loss = stepper.step((0, 0), 0, 100)[::-1]
        began = time.process_time()
        for step in range(1, STEPS + 1):
            place, _loss = stepper.step(place, step, 100)[::-1]
        rate = STEPS * BATCH / (time.process_time() - began)
        stepper.encoder.release()
        return rate, ready / len({paper for pair in pairs for paper in pair})


def theirs(
    card: ModelCard,
    papers: dict[int, tuple[str | None, str | None]],
    pairs: list[tuple[int, int]],
) -> float:
    """The same by SentenceTransformerTrainer, its own loss of in-batch negatives and defaults."""
    from datasets import Dataset
    from sentence_transformers import SentenceTransformer, SentenceTransformerTrainer
    from sentence_transformers import SentenceTransformerTrainingArguments as Arguments
    from sentence_transformers.sentence_transformer.losses import MultipleNegativesRankingLoss

    model = SentenceTransformer(str(card.folder), device="cpu")
    model.max_seq_length = LENGTH

    def rate(steps: int) -> float:
        chosen = pairs[: steps * BATCH]
        data = Dataset.from_dict(
            {
                "anchor": [paper_text(card, *papers[a]) for a, _ in chosen],
                "positive": [paper_text(card, *papers[b]) for _, b in chosen],
            }
        )
        with tempfile.TemporaryDirectory() as folder:
            arguments: Any = Arguments(
                output_dir=folder,
                per_device_train_batch_size=BATCH,
                num_train_epochs=1,
                use_cpu=True,
                save_strategy="no",
                report_to=[],
                disable_tqdm=True,
            )
            trainer = SentenceTransformerTrainer(
                model=model,
                args=arguments,
                train_dataset=data,
                loss=MultipleNegativesRankingLoss(model),
            )
            began = time.process_time()
            trainer.train()
            return time.process_time() - began

    one = rate(1)
    return STEPS * BATCH / max(rate(STEPS + 1) - one, 1e-9)


def head(
    card: ModelCard, papers: dict[int, tuple[str | None, str | None]], pairs: list[tuple[int, int]]
) -> float:
    """Examples a processor second of a head; what the vectors say does not change its speed."""
    ids = np.array(sorted(papers), dtype=np.int64)
    drawn = np.random.default_rng(0).normal(size=(len(ids), card.dim)).astype(np.float32)
    vectors = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
    recipe = replace(RECIPE, method="head", batch=1024, steps=HEAD_STEPS)
    job = HeadJob(recipe, card, ids, vectors, lambda _epoch: examples_of(pairs), Apart(), threads=1)
    began = time.process_time()
    made = train_head(job)
    return made.step * min(1024, 2 * len(pairs)) / (time.process_time() - began)


MEMORY = (("minilm-default", 3.0), ("minilm-full", 3.0), ("base", 10.0))
"""What is trained, and the goal in GB."""


def memory_of(name: str) -> None:
    """Print the most memory, in bytes, that some steps take in this process."""
    import torch

    torch.set_num_threads(1)
    papers, pairs = linked("csopen")
    with tempfile.TemporaryDirectory() as folder:
        card = _bert_base(Path(folder)) if name == "base" else bundled_card()
        recipe = replace(RECIPE, method="full")
        if name == "minilm-default":
            recipe = default_recipe(DEFAULT)
        # Texts that fill the length, as the longest batches do.
        long = {
            paper: (title, " ".join([abstract or title or ""] * 8))
            for paper, (title, abstract) in papers.items()
        }
        stepper = stepper_of(recipe, card, long, pairs[: 3 * recipe.batch], folder)
        stepper.start()
        place = (0, 0)
        for step in range(2):
            _loss, place = stepper.step(place, step, 100)
        stepper.encoder.release()
    print(peak_bytes(torch.device("cpu")))


def _bert_base(folder: Path) -> ModelCard:
    """A BERT-base (12 layers, 768 wide) of random weights with the bundled model's tokenizer."""
    from transformers import AutoTokenizer, BertConfig, BertModel

    from litscape.models.folder import read_folder

    place = folder / "bert-base"
    BertModel(BertConfig()).save_pretrained(place)
    AutoTokenizer.from_pretrained(bundled_card().folder).save_pretrained(place)
    return read_folder(place)


def memory() -> int:
    """Print the most memory of each, measured in a process of its own."""
    print("most memory of a few steps, 256 tokens (the default recipe: 160), 1 thread")
    for name, goal in MEMORY:
        command = [sys.executable, __file__, "--memory-of", name]
        told = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
        print(f"  {name:16s} {int(told.split()[-1]) / 1e9:6.2f} GB   goal {goal:g}", flush=True)
    return 0


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--memory", action="store_true", help="the most memory instead")
    parser.add_argument("--memory-of", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if not (DATA / "csopen").is_dir():
        print(f"fine-tuning: skipped, there are no linked papers in {DATA}")
        return 0
    if options.memory_of:
        memory_of(options.memory_of)
        return 0
    return memory() if options.memory else speed(options.rounds)


def speed(rounds: int) -> int:
    """Print examples a processor second of each way."""
    import torch

    torch.set_num_threads(1)
    card = bundled_card()
    papers, pairs = linked("csopen")
    few = pairs[: (STEPS + 1) * BATCH]
    print(
        f"training {BATCH} pairs a step, {LENGTH} tokens, 1 thread, load {os.getloadavg()[0]:.1f}"
    )
    encoder = TorchEncoder(card, device="cpu", threads=1)
    texts = [paper_text(card, *papers[paper]) or "" for pair in few[:16] for paper in pair]
    began = time.process_time()
    encoder.encode(texts)
    print(f"  one text embedded       {(time.process_time() - began) / len(texts):8.3f} cpu-s")
    ratios: dict[str, list[float]] = {}
    for _round in range(rounds):
        reference = theirs(card, papers, few)
        print(f"  SentenceTransformerTrainer {reference:8.2f} examples/cpu-s")
        for name, method, frozen, goal in (
            ("all weights", "full", 0, 1.8),
            ("words held fixed", "frozen-embeddings", 0, 1.8),
            ("2 lower layers kept", "lower-frozen", 2, 0),
            ("5 lower layers kept", "lower-frozen", 5, 5),
        ):
            rate, ready = ours(card, papers, few, method, frozen)  # type: ignore[arg-type]
            ratios.setdefault(name, []).append(rate / reference)
            print(
                f"  {name:24s} {rate:9.2f} examples/cpu-s  {rate / reference:8.2f} x   "
                f"goal {goal or '-'}   {ready:.3f} cpu-s a text to get ready"
            )
        rate = head(card, papers, pairs)
        ratios.setdefault("head", []).append(rate / reference)
        print(f"  {'head':24s} {rate:9.0f} examples/cpu-s  {rate / reference:8.0f} x   goal 1000")
    for name, found in ratios.items():
        print(f"  median {name:20s} {statistics.median(found):8.2f} x")
    print(f"  peak memory {peak_bytes(torch.device('cpu')) / 1e9:.2f} GB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
