"""Files that can't be imported: one clear sentence on the page each, and the window goes on."""

from __future__ import annotations

import gzip
import os
from typing import TYPE_CHECKING

import pytest
from tests.window_pages.pages_driving import BIB, click, listed, shown, until

from litscape.history import IMPORT_LEASE
from litscape.importers.registry import importers
from litscape.jobs import JobCancelledError
from litscape.library import Library
from litscape.store.leases import Lease
from litscape_app.window.pages.import_page import import_page, preview_files
from litscape_app.window.pages.report_page import report_page

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from litscape_app.window.main_window import MainWindow
    from litscape_app.window.pages.import_page.page import ImportPage


def looked(qtbot: QtBot, window: MainWindow, file: Path) -> ImportPage:
    preview_files(window, [file])
    page = import_page(window)
    until(qtbot, lambda: not page.sources[0].waiting)
    return page


def as_file(data: bytes) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        path.write_bytes(data)

    return make


BAD: dict[str, tuple[Callable[[Path], object], str]] = {
    "empty": (as_file(b""), "The file is empty: there is nothing to import."),
    "blank": (as_file(b"\n  \r\n"), "The file is empty: there is nothing to import."),
    "web page": (
        as_file(b"<!DOCTYPE html><html><head><title>Log in</title></head></html>"),
        "is a web page: no known kind of library file",
    ),
    "binary": (as_file(bytes(range(256)) * 50), "no known kind"),
    "PDF": (as_file(b"%PDF-1.7 whatever"), "is a PDF: no known kind of library file."),
    "prose": (as_file(b"Dear Ina, the tide was low this morning. " * 9), "is of no known kind"),
    "damaged gzip": (as_file(b"\x1f\x8b\x08" + b"\xff" * 40), "damaged gzip"),
    "cut gzip": (as_file(gzip.compress(BIB.encode())[:14]), "No record can be read"),
    "folder": (lambda path: path.mkdir(), "has no file of a known kind"),
    "missing": (lambda _path: None, "There is no file"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_can_not_be_read(qtbot: QtBot, window: MainWindow, tmp_path: Path, name: str) -> None:
    make, sentence = BAD[name]
    file = tmp_path / "some.bib"
    make(file)
    page = looked(qtbot, window, file)
    assert sentence in page.preview.sentence.text()
    assert "\n" not in page.preview.sentence.text()
    assert not page.go.isEnabled()
    assert not window.notice.isVisible()
    # The window goes on: a sound file after the bad one.
    click(qtbot, page.clear_button)
    good = tmp_path / "good.bib"
    good.write_text(BIB, encoding="utf-8")
    page = looked(qtbot, window, good)
    assert page.go.isEnabled()


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX systems")
def test_a_file_without_permission(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    file = tmp_path / "some.bib"
    file.write_text(BIB, encoding="utf-8")
    file.chmod(0)
    if os.geteuid() == 0:
        os.seteuid(65534)
    try:
        page = looked(qtbot, window, file)
    finally:
        if os.getuid() == 0:
            os.seteuid(0)
    assert "can't be read" in page.preview.sentence.text()


def test_a_half_written_file_comes_in_as_far_as_it_goes(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    file = tmp_path / "half.bib.gz"
    file.write_bytes(gzip.compress(b"@article{a, title={Whole}}\n" + os.urandom(40000))[:-20000])
    page = looked(qtbot, window, file)
    if page.go.isEnabled():
        click(qtbot, page.go)
        until(qtbot, lambda: shown(window, "report"))
        assert report_page(window).model.rowCount() > 0
    else:
        assert page.preview.sentence.text()


def test_a_half_written_bib(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    file = tmp_path / "half.bib"
    file.write_text(BIB, encoding="utf-8")
    page = looked(qtbot, window, file)
    click(qtbot, page.go)
    until(qtbot, lambda: listed(window) == 5)
    report = report_page(window)
    click(qtbot, report.filters.severity.button("skipped"))
    assert report.model.rowCount() == 1


def test_a_file_that_goes_before_it_is_imported(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    file = tmp_path / "some.bib"
    file.write_text(BIB, encoding="utf-8")
    page = looked(qtbot, window, file)
    file.unlink()
    click(qtbot, page.go)
    until(qtbot, lambda: page.problem.isVisible())
    assert "There is no file" in page.problem.text.text()
    assert page.parts.part is page.form
    assert page.go.isEnabled()


def test_an_import_by_another_program_is_told(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, folder: Path
) -> None:
    file = tmp_path / "some.bib"
    file.write_text(BIB, encoding="utf-8")
    page = looked(qtbot, window, file)
    with Library.open(folder) as other, Lease(other.database, IMPORT_LEASE):
        click(qtbot, page.go)
        until(qtbot, lambda: page.problem.isVisible())
        assert page.problem.text.text().endswith(".")
        assert page.parts.part is page.form
    click(qtbot, page.go)
    until(qtbot, lambda: listed(window) == 5)


@pytest.mark.parametrize(
    "error",
    [ValueError("a bug"), JobCancelledError(), SystemExit("a library's end"), MemoryError()],
)
def test_any_end_of_a_reader_stands_in_its_row(
    qtbot: QtBot,
    window: MainWindow,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    error: BaseException,
) -> None:
    def read(_reader: object, _stream: object, *_rest: object, **_options: object) -> object:
        raise error

    reader = next(one for one in importers() if one.kind == "bibtex")
    monkeypatch.setattr(type(reader), "read", read)
    first, second = tmp_path / "first.bib", tmp_path / "second.ris"
    first.write_text(BIB, encoding="utf-8")
    second.write_text("TY  - JOUR\nTI  - Sound\nER  - \n", encoding="utf-8")
    preview_files(window, [first, second])
    page = import_page(window)
    until(qtbot, lambda: not any(one.waiting for one in page.sources))
    assert page.list.item(0).text() == "first.bib: can't be read"
    assert type(error).__name__ in page.preview.sentence.text()
    assert page.go.isEnabled()


def test_a_look_that_never_began_is_said(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def look_into(*_parts: object) -> None:
        raise RuntimeError("no thread")

    monkeypatch.setattr("litscape_app.window.pages.import_page.page.look_into", look_into)
    page = looked(qtbot, window, tmp_path / "some.bib")
    assert "RuntimeError" in page.preview.sentence.text()
