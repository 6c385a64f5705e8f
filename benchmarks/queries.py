"""Which share of meaning finds what a query asks for: development queries of several kinds.

The example library's summaries and keywords were written for it, so that its papers, known by
their own texts in the corpus csopen, can be looked for in other words. Known items: a sentence of
the summary, its keywords, three words of the title, an author with a word of the title, the title.
Topics: titles of 2020, the paper itself left out, for which the papers it cites are relevant; and
questions in plain words to the example library, for which papers with a fitting keyword are.
"""

from __future__ import annotations

import json
import random
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from corpora import CACHE, DATA, ROOT, load, records
from litscape.embed.text import paper_text, query_text
from litscape.embed.torch_encoder import TorchEncoder
from litscape.evaluation.bootstrap import estimate
from litscape.evaluation.metrics import ndcg
from litscape.models.bundled import bundled_card
from litscape.models.registry import ModelRegistry
from litscape.paper import PaperDraft, PaperFilter
from litscape.search import Searcher, results
from litscape.store import bulk
from litscape.store.database import Database
from litscape.vectors.store import VectorStore
from similar import store_vectors, vectors

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from litscape.search.hits import Mode

NAME = "csopen"
EXAMPLE = ROOT.parent / "shared" / "example-library" / "papers.jsonl"
WEIGHTS = (0.3, 0.4, 0.5, 0.6, 0.7)
TOPICS = 250
QUESTIONS = {
    "how do machines answer questions about pictures": "visual question answering",
    "teaching robots to pick up objects": "robotic grasping|grasp detection|robotic manipulation",
    "describing photos in words": "image captioning",
    "finding the outline of every thing in an image": "semantic segmentation|instance segmentation",
    "making a short version of a long text": "abstractive summarization",
    "translating between languages with neural nets": "machine translation",
    "robots that walk on legs": "legged locomotion",
    "training in a simulator, then running on the robot": "sim-to-real|domain randomization",
    "learning a skill by watching someone do it": "imitation learning",
    "playing video games from pixels": "atari games",
    "do models take shortcuts and exploit flaws in the data": "dataset bias",
    "automatically designing network structures": "neural architecture search",
    "generating realistic fake images": "generative adversarial networks|image generation",
    "does one sentence follow from another": "natural language inference|textual entailment",
    "answering questions about a passage of text": "comprehension|squad",
    "small fast networks for phones": "efficient networks|model compression|efficient inference",
    "what do language models know about grammar": "probing tasks|representation analysis",
    "following directions through a building": "visual navigation|instruction following",
    "learning when rewards come rarely": "sparse rewards|exploration",
    "predicting the next frames of a video": "video prediction",
    "representing words as vectors": "word embeddings",
    "representing sentences as vectors": "sentence embeddings",
    "locating things in a photo with boxes": "object detection|region proposals",
    "planning ahead with a learned model of the world": "model-based reinforcement learning",
    "networks built from small reusable parts": "neural module networks",
    "getting by with few labelled examples": "semi-supervised|weak supervision|data efficiency",
    "understanding why a network made its decision": "interpretability",
    "controlling a robot arm with deep learning": "robotic manipulation|robot manipulation",
    "pointing at the thing a phrase talks about": "visual grounding",
}
Asked = tuple[str, frozenset[int], int]
"""A query, the relevant papers, and the paper that is left out (0: none)."""


def key(title: str) -> str:
    return re.sub(r"[\W_]+", "", title.lower())


def corpus_queries() -> dict[str, list[Asked]]:
    rng = random.Random(7)
    found = list(records(NAME))
    places = {key(record["title"]): i for i, record in enumerate(found, start=1)}
    kinds: dict[str, list[Asked]] = {}

    def ask(kind: str, text: str, relevant: set[int], left_out: int = 0) -> None:
        kinds.setdefault(kind, []).append((text, frozenset(relevant), left_out))

    for record in example():
        place = places.get(key(record["title"]))
        if place is None:
            continue
        words = record["title"].split()
        sentences = re.split(r"(?<=[.?!]) ", record["abstract"])[:2]
        ask("sentence", max(sentences, key=len), {place})
        ask("keywords", " ".join(record["keywords"][:3]), {place})
        if len(words) >= 5:
            start = rng.randrange(len(words) - 3)
            ask("title part", " ".join(words[start : start + 3]), {place})
        longest = max(re.findall(r"\w+", record["title"]), key=len)
        ask("author", f"{record['authors'][0].split()[-1]} {longest}", {place})
        ask("title", record["title"], {place})
    numbers = {record["id"]: i for i, record in enumerate(found, start=1)}
    for i, record in enumerate(found, start=1):
        cited = {numbers[c] for c in record["cites"] if c in numbers} - {i}
        cited = {paper for paper in cited if found[paper - 1]["year"] <= 2020}
        if record["year"] == 2020 and cited:
            ask("topic", record["title"], cited, i)
    rng.shuffle(kinds["topic"])
    kinds["topic"] = kinds["topic"][:TOPICS]
    return kinds


def example() -> list[dict[str, Any]]:
    return [json.loads(line) for line in EXAMPLE.read_text(encoding="utf-8").splitlines()]


def example_queries() -> dict[str, list[Asked]]:
    found = [" | ".join(record["keywords"]) for record in example()]
    asked = []
    for text, pattern in QUESTIONS.items():
        fitting = {i for i, keywords in enumerate(found, start=1) if re.search(pattern, keywords)}
        asked.append((text, frozenset(fitting), 0))
    return {"question": asked}


def example_library(folder: Path, encoder: TorchEncoder) -> Path:
    if not (folder / "library.sqlite").exists():
        with Database.open(folder) as database, database.write() as conn:
            drafts = [
                PaperDraft(title=r["title"], abstract=r["abstract"], keywords=tuple(r["keywords"]))
                for r in example()
            ]
            bulk.insert_papers(
                conn, [bulk.NewPaper(i, f"k{i}", d) for i, d in enumerate(drafts, start=1)]
            )
        card = bundled_card()
        texts = [paper_text(card, r["title"], r["abstract"]) or "" for r in example()]
        np.save(folder / "vectors.npy", encoder.encode(texts))
    return folder


def measure(
    searcher: Searcher, asked: list[Asked], mode: Mode, weight: float
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    results.MEANING_WEIGHT = weight
    values = []
    for text, relevant, left_out in asked:
        flt = PaperFilter(year_to=2020) if left_out else None
        hits = [h.paper_id for h in searcher.search(text, mode, 11, flt) if h.paper_id != left_out]
        values.append(ndcg(hits, relevant, 10))
    return np.array(values)


def show(
    folder: Path,
    matrix: np.ndarray[tuple[int, int], np.dtype[np.float32]],
    kinds: dict[str, list[Asked]],
    encode: Callable[[str], np.ndarray[tuple[int], np.dtype[np.float32]]],
) -> None:
    used = results.MEANING_WEIGHT
    with Database.open(folder) as database:
        store = VectorStore(folder / "vectors", database)
        store_vectors(database, store, matrix)
        searcher = Searcher(database, store, ModelRegistry(database), encode)
        for kind, asked in kinds.items():
            cells = []
            for mode, weight in [
                ("lexical", 0.0), ("semantic", 0.0), *(("hybrid", w) for w in WEIGHTS)
            ]:  # fmt: skip
                figure = estimate(measure(searcher, asked, mode, weight))
                mark = "*" if mode == "hybrid" and weight == used else ""
                name = f"{weight:.1f}{mark}" if mode == "hybrid" else mode
                cells.append(f"{name} {100 * figure.mean:.1f}")
            print(f"{kind:10s} n {len(asked):3d}  nDCG@10  {'  '.join(cells)}", flush=True)
    results.MEANING_WEIGHT = used


def main() -> None:
    if not (DATA / NAME).is_dir() or not EXAMPLE.exists():
        print(f"queries: skipped, there is no {DATA / NAME} or no {EXAMPLE}")
        return
    card = bundled_card()
    encoder = TorchEncoder(card, device="cpu")
    known: dict[str, np.ndarray[tuple[int], np.dtype[np.float32]]] = {}

    def encode(query: str) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
        if query not in known:
            known[query] = encoder.encode([query_text(card, query)], kind="query")[0]
        return known[query]

    folder = CACHE / NAME
    load(NAME, folder / "library", links=True)
    print("share of meaning in hybrid search (* the program's)")
    show(folder / "library", vectors(folder), corpus_queries(), encode)
    folder = example_library(CACHE / "example", encoder)
    show(folder, np.load(folder / "vectors.npy"), example_queries(), encode)


if __name__ == "__main__":
    main()
