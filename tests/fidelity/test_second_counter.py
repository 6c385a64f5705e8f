"""Entries of every real .bib file as refkit counts them, a parser that shares nothing with ours."""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING

import pytest

from litscape.importers.bibtex import BibtexImporter
from litscape.importers.decode import read_source
from litscape.paper import ImportProblem, PaperDraft

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

refkit = pytest.importorskip("refkit", reason="refkit has no wheels for this system")

pytestmark = [pytest.mark.shared, pytest.mark.slow]

NO_RECORDS = {b"xdata", b"set", b"control"}
"""Entries to refkit, like any other; to biblatex they say something of entries."""
FAILED = {
    # Entries that refkit finds but can't read, and why. Litscape takes each in and tells of it.
    "jablib_src_test_latex_pdfs_multiple-meta-data.bib": {"test": "no comma behind the key"},
    "packages_plugin-bibtex_test_input_different_delimiters.bib": {
        "b": "opened by a brace and closed by a parenthesis",
    },
}
_HEAD = re.compile(rb"\s*@\s*(\w+)\s*[{(]\s*([^\s,]*)")


def bib_files(shared: Path) -> Iterator[Path]:
    folder = shared / "imports" / "files"
    with (folder / "MANIFEST.tsv").open(encoding="utf-8") as manifest:
        for row in csv.DictReader(manifest, delimiter="\t"):
            if row["format"] in ("bibtex", "biblatex") or row["file"].endswith(".bib"):
                yield folder / row["file"]


def counted(text: str) -> tuple[int, set[str]]:
    """Records by refkit, and the keys of those that it could not read."""
    data = text.encode("utf-8", "surrogatepass")
    number, failed = 0, set()
    for block in refkit.BibDocument.parse(text).blocks:
        if block["kind"] in ("entry", "failed"):
            head = _HEAD.match(data[slice(*block["span"])])
            assert head is not None, block
            if head[1].lower() not in NO_RECORDS:
                number += 1
                if block["kind"] == "failed":
                    failed.add(head[2].decode())
    return number, failed


def ours(path: Path) -> tuple[int, set[str]]:
    """Records by the reader: those that came in and those that could not; keys that it tells of."""
    number, told = 0, set()
    for one in BibtexImporter().read(read_source(path)):
        number += isinstance(one, PaperDraft) or (isinstance(one, ImportProblem) and one.is_record)
        if isinstance(one, ImportProblem) and one.citekey:
            told.add(one.citekey)
    return number, told


def test_a_second_counter_finds_as_many_records(shared: Path) -> None:
    files = list(bib_files(shared))
    assert len(files) > 190
    failed = {}
    for path in files:
        number, keys = counted(read_source(path).text)
        records, told = ours(path)
        assert records == number, path
        assert keys <= told, path
        if keys:
            failed[path.name] = keys
    assert failed == {name: set(reasons) for name, reasons in FAILED.items()}
