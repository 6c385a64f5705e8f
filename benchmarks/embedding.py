"""Papers a second of bulk embedding against sentence-transformers and against the processor.

One thousand real titles with abstracts, 256 tokens, wall clock on two cores, both ways by turns,
the median of five rounds. The limit is what the processor's own matrix product reaches in bfloat16
in the same run, at 4.6 GFLOP a paper.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from corpora import DATA, records
from litscape.embed.text import paper_text
from litscape.engine import Engine, WorkerOptions
from litscape.models.bundled import bundled_card

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from litscape.models import ModelCard

PAPERS = 1000
ROUNDS = 5
CORES = 2
GFLOP_A_PAPER = 4.6
_GEMM = """
import time, torch
torch.set_num_threads(1)
a = torch.randn(2048, 384).to(torch.{dtype})
b = torch.randn(1536, 384).to(torch.{dtype})
with torch.inference_mode():
    for _ in range(20):
        torch.nn.functional.linear(a, b)
    n, began = 0, time.perf_counter()
    while time.perf_counter() - began < 3:
        torch.nn.functional.linear(a, b)
        n += 1
print(2 * 2048 * 384 * 1536 * n / (time.perf_counter() - began) / 1e9)
"""


def texts(card: ModelCard) -> list[str] | None:
    """Texts spread evenly over a corpus of real abstracts; None where none is there."""
    for name, step in (("large", 114), ("csopen", 3)):
        if (DATA / name).is_dir():
            chosen = islice(records(name), 0, None, step)
            made = (paper_text(card, paper["title"], paper["abstract"]) for paper in chosen)
            return [text for text in made if text][:PAPERS]
    return None


def gemm(dtype: str) -> float:
    """GFLOP a second of all cores together, a process each, at the model's own shapes."""
    command = [sys.executable, "-c", _GEMM.format(dtype=dtype)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(CORES)]
    return sum(float(process.communicate()[0]) for process in running)


def ours(engine: Engine, card: ModelCard, chosen: list[str]) -> tuple[float, NDArray[np.float32]]:
    """Seconds and vectors, in the order of the texts."""
    out = np.empty((len(chosen), card.dim), dtype=np.float32)
    began = time.perf_counter()
    for part in engine.embed(card, enumerate(chosen)):
        out[part.ids] = part.vectors
    return time.perf_counter() - began, out


def theirs(model: Any, chosen: list[str]) -> tuple[float, NDArray[np.float32]]:
    """The same by ``SentenceTransformer.encode`` with its defaults."""
    began = time.perf_counter()
    vectors: NDArray[np.float32] = model.encode(chosen)
    return time.perf_counter() - began, vectors


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--papers", type=int, default=PAPERS)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    options = parser.parse_args()
    card = bundled_card()
    chosen = texts(card)
    if chosen is None:
        print(f"embedding: skipped, there are no abstracts in {DATA}")
        return 0
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError:
        print("embedding: skipped, sentence-transformers is missing: pip install litscape[bench]")
        return 0
    chosen = chosen[: options.papers]
    model = SentenceTransformer(str(card.folder), device="cpu")
    fast: list[float] = []
    rates: list[float] = []
    slow: list[float] = []
    # Both models stay loaded: workers would end while the other has its turn.
    options_of_work = WorkerOptions(device="cpu", threads=CORES, nice=0, idle_s=600)
    with Engine(options_of_work) as engine:
        backend = next(engine.embed(card, [(0, "warm up")])).backend
        list(engine.embed(card, enumerate(chosen[:64])))
        model.encode(chosen[:32])
        dtype = "bfloat16" if "bfloat16" in backend else "float32"
        for number in range(options.rounds):
            rates.append(gemm(dtype))
            seconds, vectors = ours(engine, card, chosen)
            fast.append(seconds)
            seconds, reference = theirs(model, chosen)
            slow.append(seconds)
            print(f"  round {number + 1}: {fast[-1]:.1f} s, {slow[-1]:.1f} s", file=sys.stderr)
    agreement = float(np.sum(vectors * reference, axis=1).min())
    ratio = statistics.median(b / a for a, b in zip(fast, slow, strict=True))
    speed = len(chosen) / statistics.median(fast)
    rate = statistics.median(rates)
    limit = rate / GFLOP_A_PAPER
    goal = 1.8 if "bfloat16" in backend else 1.1
    print(f"embedding {len(chosen):,} abstracts, {backend}, load {os.getloadavg()[0]:.1f}")
    print(f"  litscape               {speed:6.1f} papers/s")
    print(f"  sentence-transformers  {len(chosen) / statistics.median(slow):6.1f} papers/s")
    print(f"  ratio                  {ratio:6.2f}   goal {goal}")
    print(f"  matrix product         {rate:6.0f} GFLOP/s = {limit:.1f} papers/s at best")
    print(f"  share of that limit    {speed / limit:6.0%}   goal 50%")
    print(f"  least cosine with it   {agreement:.5f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
