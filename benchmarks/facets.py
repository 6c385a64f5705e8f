"""Facets of results of all sizes at 114,337 papers, beside plain SQL GROUP BY on the same ids.

The queries are the 100 words of ``search.py``, which up to 112,000 papers hold, alone and with
years and a venue chosen, and all papers. What is timed is from the query to the counts of every
facet: finding the papers is in it, for both sides. The library is that of ``search.py``.
"""

from __future__ import annotations

import argparse
import json
import time
from typing import TYPE_CHECKING

import numpy as np

from corpora import CACHE, DATA, load
from litscape.facets import FacetRequest
from litscape.facets.results import result_ids
from litscape.library import Library
from litscape.store.facets import AUTHOR
from search import queries

if TYPE_CHECKING:
    from collections.abc import Callable

NAME = "large"
LIMIT = 100
"""Milliseconds that the 95th percentile may take."""
CHOSEN = 'year:2015..2020 venue:="ICRA 2018"'
GROUPED = {
    "year": "SELECT year, count(*) FROM papers WHERE id IN ids GROUP BY 1",
    "venue": (
        "SELECT venue, count(*) FROM papers WHERE id IN ids GROUP BY 1 ORDER BY 2 DESC LIMIT 8"
    ),
    "author": (
        f"SELECT {AUTHOR}, count(DISTINCT paper_id) FROM authors WHERE paper_id IN ids"
        " GROUP BY 1 ORDER BY 2 DESC LIMIT 8"
    ),
    "tag": "SELECT tag_id, count(*) FROM paper_tags WHERE paper_id IN ids GROUP BY 1",
    "collection": (
        "SELECT collection_id, count(*) FROM paper_collections WHERE paper_id IN ids GROUP BY 1"
    ),
    "type": "SELECT type, count(*) FROM papers WHERE id IN ids GROUP BY 1",
    "source": (
        "SELECT source_id, count(DISTINCT paper_id) FROM records WHERE paper_id IN ids GROUP BY 1"
    ),
}


def timed(name: str, run: Callable[[str], object], inputs: list[str], repeats: int) -> None:
    """Print percentiles of the best of ``repeats`` runs of each input, wall clock and CPU."""
    wall, cpu = np.full(len(inputs), np.inf), np.full(len(inputs), np.inf)
    for _ in range(repeats):
        for i, text in enumerate(inputs):
            began, spent = time.perf_counter(), time.thread_time()
            run(text)
            wall[i] = min(wall[i], time.perf_counter() - began)
            cpu[i] = min(cpu[i], time.thread_time() - spent)
    p50, p95 = np.percentile(1000 * wall, [50, 95])
    bound = f"  (limit {LIMIT} ms: {'kept' if p95 <= LIMIT else 'MISSED'})"
    print(
        f"{name:34s} n {len(inputs):3d}  p50 {p50:6.1f} ms  p95 {p95:6.1f} ms  "
        f"CPU p95 {1000 * np.percentile(cpu, 95):6.1f} ms{bound if 'SQL' not in name else ''}",
        flush=True,
    )


def resident() -> float:
    """Memory of this process, MB."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096 / 1e6


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--repeats", type=int, default=3, help="runs of each query, best counts")
    repeats: int = arguments.parse_args().repeats
    if not (DATA / NAME).is_dir():
        print(f"facets: skipped, there is no {DATA / NAME}")
        return
    folder = CACHE / NAME
    count = len(load(NAME, folder / "library"))
    words = queries(folder)["words"]
    with Library.open(folder / "library") as library:
        before, began, spent = resident(), time.perf_counter(), time.thread_time()
        index = library.facets.prepare()
        print(
            f"{count:,} papers, {len(index.facets['author']):,} names: read in "
            f"{time.perf_counter() - began:.2f} s (CPU {time.thread_time() - spent:.2f} s), "
            f"{index.size / 1e6:.0f} MB kept, process +{resident() - before:.0f} MB"
        )
        ours = lambda query: library.facets.count(FacetRequest(query))  # noqa: E731
        timed("all papers", ours, [""], repeats)
        timed("words", ours, words, repeats)
        timed("words, years and venue chosen", ours, [f"{one} {CHOSEN}" for one in words], repeats)
        largest = sorted(words, key=lambda one: -found(library, one))[:10]
        timed("the 10 words most papers hold", ours, largest, repeats)
        timed("SQL, the same 10 words", lambda query: by_sql(library, query), largest, repeats)
        timed("SQL, words", lambda query: by_sql(library, query), words[::5], 1)


def found(library: Library, query: str) -> int:
    return len(result_ids(library.database, library.searcher, query, "lexical"))


def by_sql(library: Library, query: str) -> None:
    """What the store could do without anything in memory: one GROUP BY a facet."""
    ids = json.dumps(result_ids(library.database, library.searcher, query, "lexical").tolist())
    with library.database.read() as conn:
        for sql in GROUPED.values():
            conn.exec_driver_sql(
                f"WITH ids AS (SELECT value FROM json_each(?)) {sql}", (ids,)
            ).all()


if __name__ == "__main__":
    main()
