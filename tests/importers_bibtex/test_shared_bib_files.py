"""All the real .bib files beside the checkout: every record in or told of, none twice."""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING

import pytest

from litscape.importers.bibtex import BibtexImporter
from litscape.importers.decode import read_source
from litscape.importers.registry import detect
from litscape.paper import ImportProblem, PaperDraft

if TYPE_CHECKING:
    from pathlib import Path

LINE = re.compile(r"^[ \t]*@[ \t]*(\w+)[ \t]*[{(]", re.M)
NO_RECORDS = {"comment", "string", "preamble", "xdata", "set", "control"}
COUNTED_OTHERWISE = {
    # BibTeX itself counts a repeated key once, ...
    "CitaviXmlImporterTest1.bib": "keys",
    "EndnoteXmlImporterTest_WithoutUrlStyle2.bib": "keys",
    "MedlineImporterTestNbib.bib": "keys",
    "MedlinePlainImporterStringOutOfBounds.bib": "keys",
    "simple-search-library.bib": "keys",
    # ... reads no UTF-16, ...
    "encoding-utf-16BE-without-header.bib": "utf-16",
    "tiny-BE-noBOM.bib": "utf-16",
    "tiny-BE-withBOM.bib": "utf-16",
    "tiny-LE-noBOM.bib": "utf-16",
    # ... takes @xdata and @set for records, ...
    "biblatex-examples.bib": "set",
    "full-dot.bib": "xdata",
    "related.bib": "set",
    "skips.bib": "set",
    # ... knows no percent sign before an entry, ...
    "names.bib": "commented out",
    # ... and finds entries inside the text between entries.
    "BibtexImporter.examples.bib": "comments",
}


def bib_files(shared: Path) -> list[tuple[Path, int]]:
    folder = shared / "imports" / "files"
    with (folder / "MANIFEST.tsv").open(encoding="utf-8") as manifest:
        rows = list(csv.DictReader(manifest, delimiter="\t"))
    return [
        (folder / row["file"], int(row["entries_expected"]))
        for row in rows
        if row["format"] in ("bibtex", "biblatex")
    ]


def independent_count(text: str) -> int:
    """Entries by a line pattern that knows nothing of this reader."""
    return sum(found[1].lower() not in NO_RECORDS for found in LINE.finditer(text))


@pytest.mark.shared
@pytest.mark.slow
def test_entries_and_skipped_records_make_up_every_file(shared: Path) -> None:
    files = bib_files(shared)
    assert len(files) > 150
    for path, expected in files:
        source = read_source(path)
        kind = detect(source.text[:65536], str(path))
        assert kind is not None, path
        assert kind.kind == "bibtex", path
        text = re.sub(r"\r\n?", "\n", source.text)
        found = list(BibtexImporter().read(source))
        drafts = [one for one in found if isinstance(one, PaperDraft)]
        problems = [one for one in found if isinstance(one, ImportProblem)]
        records = len(drafts) + sum(one.is_record for one in problems)
        assert records == independent_count(text), path
        odd = any(path.name.endswith(name) for name in COUNTED_OTHERWISE)
        assert odd or records == expected, path
        lines = text.split("\n")
        for one in found:
            assert one.line is not None
            assert one.raw, path
            assert one.raw.split("\n")[0].strip() in lines[one.line - 1], (path, one.line)


@pytest.mark.shared
@pytest.mark.slow
def test_a_large_file_comes_in_piece_by_piece(shared: Path, tmp_path: Path) -> None:
    text = (shared / "imports/files/bibtex/ContextLab__CDL-bibliography/cdl.bib").read_text("utf-8")
    copies = 8
    path = tmp_path / "large.bib"
    with path.open("w", encoding="utf-8") as stream:
        for _ in range(copies):
            stream.write(text)
    told: list[tuple[int, int]] = []
    importer = BibtexImporter()
    records = 0
    for one in importer.read(read_source(path), lambda done, total: told.append((done, total))):
        records += isinstance(one, PaperDraft)
    assert records == 6315 * copies
    assert len(told) > 40
    assert told == sorted(told)
    assert told[-1] == (len(text) * copies, len(text) * copies)


class _CancelledError(Exception):
    pass


def test_progress_may_cancel(tmp_path: Path) -> None:
    entry = "@article{a, title = {A title}, note = {Some more text}}\n"
    path = tmp_path / "a.bib"
    path.write_text(entry * 20_000, "utf-8")

    def progress(done: int, _: int) -> None:
        if done:
            raise _CancelledError

    reading = BibtexImporter().read(read_source(path), progress)
    with pytest.raises(_CancelledError):
        for _ in reading:
            pass
