"""Bulk writing against raw sqlite3, and listing, filtering and paging 50,000 papers.

Run: ``python benchmarks/store.py [papers]``: 100,000, with 3 authors and 10 citations each.
Both sides write the same rows into the same schema, text index included, in one transaction; the
raw side gets tuples with sorted keys ready made, ours gets drafts and unsorted citations. All times
are CPU times; the two sides run in turn, the best of the rounds counts.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litscape.paper import Author, PaperDraft, PaperFilter
from litscape.store.bulk import PLAIN_COLUMNS, NewPaper, insert_citations, insert_papers
from litscape.store.database import Database, configure
from litscape.store.papers import find_ids, get_papers, get_rows
from litscape.store.places import FILE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ROUNDS = 3
BATCH = 1000
Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Corpus:
    """Made-up papers with the sizes of real ones (abstracts of about 150 words)."""

    papers: list[NewPaper]
    citations: list[tuple[int, int, str]]


def make_corpus(n: int) -> Corpus:
    rng = random.Random(7)
    letters = "etaoinshrdlucmfwypvbgkqjxz"
    words = ["".join(rng.choices(letters, k=rng.randint(2, 11))) for _ in range(40_000)]
    weights = list(accumulate(1 / (rank + 10) for rank in range(len(words))))
    stream = rng.choices(words, cum_weights=weights, k=2_000_000)

    def text(count: int) -> str:
        start = rng.randrange(len(stream) - count)
        return " ".join(stream[start : start + count]).capitalize()

    venues = [f"Journal of {text(3)}" for _ in range(2000)]
    people = [Author(text(1), text(1)) for _ in range(n)]
    papers = [
        NewPaper(
            number,
            f"key{rng.randrange(10**9)}-{number}",
            PaperDraft(
                type=rng.choice(("article", "inproceedings", "book")),
                title=text(rng.randint(5, 14)),
                authors=tuple(rng.choices(people, k=3)),
                year=rng.randint(1950, 2026),
                venue=rng.choice(venues),
                doi=f"10.5555/{number}",
                abstract=text(rng.randint(80, 220)),
            ),
        )
        for number in range(1, n + 1)
    ]
    links = {(rng.randint(1, n), rng.randint(1, n)): None for _ in range(int(n * 10.0005))}
    return Corpus(papers, [(citing, cited, "import") for citing, cited in links])


def read_back(file: Path) -> dict[str, list[Row]]:
    """The rows of every table as written, which are what the raw side writes again."""
    columns = (
        "id, citekey, more_authors, missing_in_source, added_at, modified_at, authors_text,"
        " sort_title, sort_authors, keywords_text, raw_fields, " + ", ".join(PLAIN_COLUMNS)
    )
    orders = {
        f"papers({columns})": "id",
        "authors(paper_id, position, family, given, particle, suffix, literal)": "1, 2",
        "identifiers(scheme, value, paper_id)": "1, 2, 3",
        "citations(citing, cited, source)": "1, 2",
    }
    with closing(sqlite3.connect(file)) as connection:
        return {
            table: connection.execute(
                f"SELECT {table[table.index('(') + 1 : -1]} FROM {table[: table.index('(')]}"
                f" ORDER BY {order}"
            ).fetchall()
            for table, order in orders.items()
        }


def write_raw(folder: Path, rows: dict[str, list[Row]]) -> float:
    Database.open(folder).close()
    start = time.process_time()
    with closing(sqlite3.connect(folder / FILE, isolation_level=None)) as connection:
        configure(connection, writable=True)
        connection.execute("BEGIN IMMEDIATE")
        for table, values in rows.items():
            marks = ", ".join("?" * len(values[0]))
            connection.executemany(f"INSERT INTO {table} VALUES ({marks})", values)
        connection.execute(
            "INSERT INTO papers_fts(rowid, title, abstract, authors_text, venue, keywords_text)"
            " SELECT id, title, abstract, authors_text, venue, keywords_text FROM papers"
        )
        connection.execute("COMMIT")
        return time.process_time() - start


def write_ours(folder: Path, corpus: Corpus, batch: int) -> float:
    """Write the corpus; ``batch`` papers a call, all in one transaction."""
    with Database.open(folder) as database:
        start = time.process_time()
        with database.write() as conn:
            for first in range(0, len(corpus.papers), batch):
                insert_papers(conn, corpus.papers[first : first + batch])
            insert_citations(conn, corpus.citations)
        return time.process_time() - start


def write_committed(folder: Path, corpus: Corpus) -> float:
    """As the importer does: a commit for every thousand papers, then the citations."""
    with Database.open(folder) as database:
        start = time.process_time()
        for first in range(0, len(corpus.papers), BATCH):
            with database.write() as conn:
                insert_papers(conn, corpus.papers[first : first + BATCH])
        with database.write() as conn:
            insert_citations(conn, corpus.citations)
        return time.process_time() - start


def compare_writing(corpus: Corpus, scratch: Path) -> None:
    write_ours(scratch / "rows", corpus, BATCH)
    rows = read_back(scratch / "rows" / FILE)
    raw: list[float] = []
    ours: list[float] = []
    for turn in range(ROUNDS):
        raw.append(write_raw(scratch / f"raw{turn}", rows))
        ours.append(write_ours(scratch / f"ours{turn}", corpus, BATCH))
        print(f"  round {turn + 1}: raw {raw[-1]:6.2f} s   litscape {ours[-1]:6.2f} s")
    print(
        f"writing {len(corpus.papers):,} papers, {len(rows_of(rows, 'authors')):,} authorships, "
        f"{len(corpus.citations):,} citations (cpu): raw {min(raw):.2f} s, "
        f"litscape {min(ours):.2f} s, ratio {min(ours) / min(raw):.2f} (at most 1.5)"
    )
    spent = write_committed(scratch / "committed", corpus)
    print(f"the same with a commit for every {BATCH:,} papers (cpu): {spent:.2f} s")


def rows_of(rows: dict[str, list[Row]], table: str) -> list[Row]:
    return next(values for name, values in rows.items() if name.startswith(table + "("))


def milliseconds(act: Callable[[], object], times: int = 5) -> float:
    spent = []
    for _ in range(times):
        start = time.process_time()
        act()
        spent.append(time.process_time() - start)
    return sorted(spent)[times // 2] * 1000


def list_papers(papers: Sequence[NewPaper], folder: Path) -> None:
    n = len(papers)
    with Database.open(folder) as database:
        with database.write() as conn:
            insert_papers(conn, papers)
            half = [paper.id for paper in papers[::2]]
            conn.exec_driver_sql("INSERT INTO tags(id, name) VALUES (1, 'half')")
            conn.exec_driver_sql(
                "INSERT INTO paper_tags(paper_id, tag_id) VALUES (?, 1)", [(p,) for p in half]
            )
        with database.read() as conn:
            for key in ("title", "authors", "year", "venue", "added", "citekey", "type"):
                spent = milliseconds(partial(find_ids, conn, PaperFilter(), key))
                down = milliseconds(partial(find_ids, conn, PaperFilter(), key, True))
                print(f"sort {n:,} by {key:8} {spent:6.0f} ms, down {down:6.0f} ms (at most 300)")
            word = papers[5].draft.title
            assert word is not None
            filters = {
                "part of a title": PaperFilter(terms=(("title", word.split()[1]),)),
                "part of anything": PaperFilter(terms=(("any", word.split()[1]),)),
                "one letter anywhere": PaperFilter(terms=(("any", "e"),)),
                "years": PaperFilter(year_from=1990, year_to=2010),
                "tag (half of all)": PaperFilter(tags=("half",)),
                "ids (half of all)": PaperFilter(ids=frozenset(half)),
                "type and abstract": PaperFilter(types=("book",), has_abstract=True),
            }
            for name, flt in filters.items():
                for key in ("title", "year"):
                    spent = milliseconds(partial(find_ids, conn, flt, key))
                    print(f"filter {name:20} by {key:5} {spent:6.0f} ms (at most 100)")
            page = find_ids(conn, PaperFilter(), "title")[n // 2 : n // 2 + 128]
            print(f"128 table rows {milliseconds(partial(get_rows, conn, page)):6.1f} ms")
            print(f"128 whole papers {milliseconds(partial(get_papers, conn, page)):6.1f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("papers", type=int, nargs="?", default=100_000)
    n: int = parser.parse_args().papers
    corpus = make_corpus(n)
    with tempfile.TemporaryDirectory() as scratch:
        list_papers(corpus.papers[: min(n, 50_000)], Path(scratch) / "list")
        compare_writing(corpus, Path(scratch))


if __name__ == "__main__":
    main()
