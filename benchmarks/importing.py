"""Importing a large .bib whole, through the public function, beside parsing it alone.

The peer is ``bibtexparser.parse_string`` with its defaults, on the same text. All times are CPU
times of this process, the two sides in turn; medians.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

import bibtexparser

from litscape import Library

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT.parent / "shared/imports/files/bibtex/ContextLab__CDL-bibliography/cdl.bib"
ROUNDS = 5


def parse(text: str) -> tuple[float, int]:
    """CPU seconds and entries of the peer."""
    began = time.process_time()
    library = bibtexparser.parse_string(text)
    return time.process_time() - began, len(library.entries)


def bring_in(file: Path) -> tuple[float, int]:
    """CPU seconds and records of a whole import into a new library."""
    with tempfile.TemporaryDirectory() as folder, Library.open(folder) as library:
        began = time.process_time()
        report = library.import_file(file)
        return time.process_time() - began, report.records


def main() -> int:
    """Print both and their ratio."""
    if not FILE.exists():
        print(f"skipped: {FILE} is not there (the reference data beside the checkout)")
        return 0
    text = FILE.read_text(encoding="utf-8")
    bring_in(FILE)  # the first run pays for imports and caches
    rounds = [(parse(text), bring_in(FILE)) for _ in range(ROUNDS)]
    peer = statistics.median(one[0][0] for one in rounds)
    ours = statistics.median(one[1][0] for one in rounds)
    entries, records = rounds[0][0][1], rounds[0][1][1]
    print(f"bibtexparser.parse_string  {peer:6.2f} s  {entries:,} entries  {entries / peer:,.0f}/s")
    print(f"whole import               {ours:6.2f} s  {records:,} records  {records / ours:,.0f}/s")
    print(f"ratio                      {ours / peer:6.2f}   (goal ≤ 4)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
