"""Importing a large .bib whole, through the public function, beside parsing it alone.

The peers only parse: ``bibtexparser.parse_string`` with its defaults, ``refkit`` (Rust), and
``pybtex``, not strict, as strict it refuses the files. Litscape reads every field, name, date and
identifier, and for the whole import also stores, matches and indexes; the peers get the text,
Litscape the file. CPU times of this process, one after the other in each round; medians. The second
file is joined from two real ones, the keys with a prefix.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from typing import TYPE_CHECKING

import bibtexparser
import pybtex.database
import pybtex.errors

from corpora import FILES, joined_bibliography
from litscape import Library
from litscape.importers.bibtex import BibtexImporter
from litscape.importers.decode import read_source
from litscape.paper import PaperDraft

try:
    import refkit
except ImportError:  # no wheels for this system
    refkit = None

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FILE = FILES / "bibtex/ContextLab__CDL-bibliography/cdl.bib"
ROUNDS = 5
ROUNDS_JOINED = 3
GOAL = 4


def with_bibtexparser(text: str) -> int:
    """Entries of bibtexparser 2."""
    return len(bibtexparser.parse_string(text).entries)


def with_refkit(text: str) -> int:
    """Entries of refkit."""
    return len(refkit.BibDocument.parse(text).entries)


def with_pybtex(text: str) -> int:
    """Entries of pybtex; of a repeated key it keeps the first."""
    with pybtex.errors.capture():
        return len(pybtex.database.parse_string(text, "bibtex").entries)


def reading(file: Path) -> int:
    """Records as the importer reads them, nothing stored."""
    return sum(isinstance(one, PaperDraft) for one in BibtexImporter().read(read_source(file)))


def whole(file: Path) -> tuple[float, int]:
    """CPU seconds and records of a whole import into a new library."""
    with tempfile.TemporaryDirectory() as folder, Library.open(folder) as library:
        return timed(lambda: library.import_file(file).records)


def timed(act: Callable[[], int]) -> tuple[float, int]:
    """CPU seconds of an act, and what it counted."""
    began = time.process_time()
    counted = act()
    return time.process_time() - began, counted


def measure(file: Path, rounds: int) -> None:
    """Print each, and its ratio to bibtexparser."""
    text = file.read_text(encoding="utf-8")
    ways: dict[str, Callable[[], tuple[float, int]]] = {
        "bibtexparser.parse_string": lambda: timed(lambda: with_bibtexparser(text)),
        "refkit.BibDocument.parse": lambda: timed(lambda: with_refkit(text)),
        "pybtex.parse_string": lambda: timed(lambda: with_pybtex(text)),
        "Litscape, reading alone": lambda: timed(lambda: reading(file)),
        "Litscape, whole import": lambda: whole(file),
    }
    if refkit is None:
        del ways["refkit.BibDocument.parse"]
    whole(FILE)  # the first run pays for imports and caches
    found = [{name: way() for name, way in ways.items()} for _ in range(rounds)]
    middle = {name: statistics.median(one[name][0] for one in found) for name in ways}
    peer = middle["bibtexparser.parse_string"]
    print(f"{file.name}, {len(text) / 1e6:.1f} MB, median of {rounds} rounds, CPU time")
    for name, seconds in middle.items():
        number = found[0][name][1]
        goal = f"   (goal ≤ {GOAL})" if name.endswith("whole import") else ""
        print(
            f"  {name:26}{seconds:7.2f} s  {number:6,} entries  {number / seconds:9,.0f}/s"
            f"  ×{seconds / peer:.2f}{goal}",
            flush=True,
        )


def main() -> int:
    """Print all figures."""
    joined = joined_bibliography()
    if not FILE.exists() or joined is None:
        print(f"skipped: {FILE} is not there (the reference data beside the checkout)")
        return 0
    measure(FILE, ROUNDS)
    measure(joined, ROUNDS_JOINED)
    return 0


if __name__ == "__main__":
    sys.exit(main())
