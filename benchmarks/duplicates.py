"""Finding duplicates among real papers into which changed copies were put, at 5,000 and 50,000.

One paper in eleven is a copy of another one, changed in one of the ways in which the same work
stands in two sources. The papers are real, so what else is found is either a duplicate that was in
the corpus already or a false alarm; precision counts all of it as false. CPU time of this process.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, islice
from pathlib import Path

from corpora import DATA, records
from litscape.library import Library
from litscape.paper import Author, PaperDraft
from litscape.store import bulk

CORPUS = "large"
SIZES = (5_000, 50_000)
SHARE = 11
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
Change = Callable[[PaperDraft, random.Random], PaperDraft]


def original(record: dict[str, object], number: int) -> PaperDraft:
    """A real paper; every second one has a DOI (most of the corpus has none)."""
    doi = record["doi"] or (f"10.5555/{number}" if number % 2 else None)
    names = [str(name).split() for name in record["authors"] if str(name).split()]  # type: ignore[attr-defined]
    return PaperDraft(
        type="article",
        title=str(record["title"]),
        abstract=str(record["abstract"]),
        year=record["year"],  # type: ignore[arg-type]
        venue=str(record["venue"]),
        authors=tuple(Author(name[-1], " ".join(name[:-1]) or None) for name in names),
        doi=doi,  # type: ignore[arg-type]
    )


def typo(title: str, dice: random.Random) -> str:
    """One letter left out, doubled, swapped or replaced."""
    place = dice.randrange(len(title) - 1)
    way = dice.randrange(4)
    letter, after = title[place], title[place + 1]
    middle = ("", letter * 2, after + letter, dice.choice(_LETTERS))[way]
    return title[:place] + middle + title[place + 1 + (way == 2) :]


def typos(draft: PaperDraft, dice: random.Random) -> PaperDraft:
    title = draft.title or ""
    for _ in range(dice.choice((1, 1, 2))):
        title = typo(title, dice)
    return replace(draft, title=title, doi=None)


def other_year(draft: PaperDraft, dice: random.Random) -> PaperDraft:
    return replace(draft, year=(draft.year or 2000) + dice.choice((-1, 1)), doi=None)


def preprint(draft: PaperDraft, dice: random.Random) -> PaperDraft:
    number = f"{dice.randrange(10, 24)}{dice.randrange(1, 13):02}.{dice.randrange(99999):05}"
    year = (draft.year or 2000) - dice.choice((0, 1, 2))
    doi = f"10.48550/arxiv.{number}"
    return replace(draft, type="preprint", venue="arXiv", arxiv=number, doi=doi, year=year)


def bare(draft: PaperDraft, _dice: random.Random) -> PaperDraft:
    people = tuple(Author(a.family, (a.given or "")[:1] + ".") for a in draft.authors)
    return replace(draft, doi=None, venue=None, abstract=None, authors=people[:1])


def shouted(draft: PaperDraft, _dice: random.Random) -> PaperDraft:
    return replace(draft, title=(draft.title or "").upper().replace(":", " -") + ".", doi=None)


def cut(draft: PaperDraft, _dice: random.Random) -> PaperDraft:
    title = draft.title or ""
    main = title.partition(":")[0] if len(title.partition(":")[0]) > 20 else title[:60]
    return replace(draft, title=main, doi=None, more_authors=True, authors=draft.authors[:3])


def same_doi(draft: PaperDraft, dice: random.Random) -> PaperDraft:
    return replace(draft, title=typo(draft.title or "", dice), year=None)


CHANGES: tuple[Change, ...] = (typos, other_year, preprint, bare, shouted, cut, same_doi)


def fill(library: Library, size: int) -> dict[tuple[int, int], str]:
    """Put papers and copies in; returns the injected pairs and how the copy was changed."""
    dice = random.Random(1)
    copies = size // SHARE
    longer = (one for one in records(CORPUS) if len(one["title"]) > 20)
    drafts = [original(one, n) for n, one in enumerate(islice(longer, size - copies))]
    dice.shuffle(drafts)
    truth: dict[tuple[int, int], str] = {}
    for n, place in enumerate(dice.sample(range(len(drafts)), copies)):
        change = CHANGES[n % len(CHANGES)]
        drafts.append(change(drafts[place], dice))
        truth[place + 1, len(drafts)] = change.__name__
    papers = [bulk.NewPaper(n, f"key{n}", draft) for n, draft in enumerate(drafts, 1)]
    with library.database.write() as conn:
        bulk.insert_papers(conn, papers)
    return truth


def measure(size: int) -> None:
    with tempfile.TemporaryDirectory() as folder, Library.open(folder) as library:
        truth = fill(library, size)
        began = time.process_time()
        groups = library.duplicates.list()
        spent = time.process_time() - began
        together = {pair for group in groups for pair in combinations(group.ids, 2)}
        found = {pair.ids for group in groups for pair in group.pairs}
        sure = {pair.ids for group in groups for pair in group.pairs if pair.certain}
        hit = truth.keys() & together
        print(f"{size:,} papers, {len(truth):,} copies: {spent:.1f} s CPU, {len(groups):,} groups")
        precision, recall = len(truth.keys() & found) / len(found), len(hit) / len(truth)
        print(f"  precision {precision:.3f}  recall {recall:.3f}")
        wrong = len(sure - truth.keys())
        print(f"  certain: {len(sure):,} pairs, {wrong:,} of them not injected")
        every, met = Counter(truth.values()), Counter(truth[pair] for pair in hit)
        print("  recall by change: ", end="")
        print(", ".join(f"{name} {met[name] / every[name]:.3f}" for name in every))
        began = time.process_time()
        changes = library.duplicates.merge_certain()
        spent = time.process_time() - began
        print(f"  merge of all certain ones: {len(changes.removed):,} papers, {spent:.1f} s CPU")
        began = time.process_time()
        library.history.undo()
        print(f"  undo of it: {time.process_time() - began:.1f} s CPU", flush=True)


def main() -> int:
    """Print the figures of each size."""
    if not (Path(DATA) / CORPUS).is_dir():
        print(f"skipped: {DATA / CORPUS} is not there (the reference data beside the checkout)")
        return 0
    sizes = [int(one) for one in sys.argv[1:]] or SIZES
    for size in sizes:
        measure(size)
    return 0


if __name__ == "__main__":
    sys.exit(main())
