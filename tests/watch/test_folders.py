"""A folder as a source: its files of known kinds, one change, one report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from litscape.errors import UserError
from litscape.library import Library

if TYPE_CHECKING:
    from collections.abc import Iterator

BIB = "@article{%s, title = {On %s}, year = {2001}}\n"
RIS = "TY  - JOUR\nTI  - Of tides\nAU  - Heron, Max\nER  - \n"


@pytest.fixture
def library(tmp_path: Path, home: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library") as opened:
        yield opened


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    top = tmp_path / "papers"
    (top / "more").mkdir(parents=True)
    (top / "mud.bib").write_text(BIB % ("mud", "mud"), encoding="utf-8")
    (top / "more" / "tides.ris").write_text(RIS, encoding="utf-8")
    (top / "more" / "paper.pdf").write_bytes(b"%PDF-1.7\n\xff")
    (top / "read me.txt").write_text("Nothing of interest.\n", encoding="utf-8")
    (top / ".hidden.bib").write_text(BIB % ("hidden", "nothing"), encoding="utf-8")
    (top / ".git").mkdir()
    (top / ".git" / "x.bib").write_text(BIB % ("git", "nothing"), encoding="utf-8")
    with Library.open(top / "Own") as other:
        (other.folder / "copy.bib").write_text(BIB % ("own", "nothing"), encoding="utf-8")
    return top


def test_a_folder_comes_in_as_one_change(library: Library, folder: Path) -> None:
    report = library.imports.run([folder])
    assert (report.records, report.added) == (2, 2)
    assert {paper.title for paper in library.papers} == {"On mud", "Of tides"}
    assert {Path(one).name for one in report.sources} >= {"mud.bib", "tides.ris"}
    notes = [one for one in report.issues if one.code == "file-left-out"]
    assert [(Path(one.source).name, one.severity) for one in notes] == [
        ("read me.txt", "note"),
        ("paper.pdf", "note"),
    ]
    assert len(report.issues) == 2
    assert library.imports.run([folder]).unchanged == 2
    library.history.undo()
    assert len(library.papers) == 0


def test_a_folder_without_papers_is_a_mistake(library: Library, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(UserError, match="no file of a known kind"):
        library.imports.run([empty])


def test_a_named_kind_takes_the_files_with_its_endings(library: Library, folder: Path) -> None:
    assert library.imports.run([folder], kind="ris").added == 1
