"""The report: counts, filters, raw text, the paper of a line, copy, undo, earlier imports."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QGuiApplication
from tests.window_pages.pages_driving import BIB, click, listed, shown, until

from litscape_app.window.pages.import_page import import_page, preview_files
from litscape_app.window.pages.report_page import report_page

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from litscape_app.window.main_window import MainWindow
    from litscape_app.window.pages.report_page.page import ReportPage

TWICE = """@article{one, title = {The same work}, doi = {10.5555/same}}
@article{two, title = {The same work}, doi = {10.5555/same}}
@article{three, title = {Alone}, year = {2001}}
"""


def imported(qtbot: QtBot, window: MainWindow, file: Path, text: str) -> ReportPage:
    """The report after a file was imported through the page."""
    file.write_text(text, encoding="utf-8")
    preview_files(window, [file])
    until(qtbot, lambda: import_page(window).go.isEnabled())
    click(qtbot, import_page(window).go)
    until(qtbot, lambda: shown(window, "report"))
    return report_page(window)


def messages(page: ReportPage) -> list[str]:
    model = page.model
    return [str(model.index(row, 3).data()) for row in range(model.rowCount())]


def test_the_counts_add_up(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    page = imported(qtbot, window, tmp_path / "twice.bib", TWICE + BIB)
    numbers = {name: int(one.text()) for name, one in page.counts.numbers.items()}
    records = numbers.pop("records")
    assert records == sum(numbers.values()) == 6
    assert (numbers["added"], numbers["merged"], numbers["skipped"]) == (4, 1, 1)


def test_filter_by_severity_and_code(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    page = imported(qtbot, window, tmp_path / "twice.bib", TWICE + BIB)
    everything = len(messages(page))
    assert page.severity.button("skipped").text() == "Skipped 1"
    click(qtbot, page.severity.button("skipped"))
    assert len(messages(page)) == 1
    assert page.model.index(0, 1).data() == "16"
    assert "Never closed" in page.raw.toPlainText()
    assert not page.go.isEnabled()
    click(qtbot, page.severity.button(""))
    assert len(messages(page)) == everything > 1
    row = page.code.findData("duplicate-record")
    page.code.setCurrentIndex(row)
    page.code.activated.emit(row)
    assert len(messages(page)) == 1


def test_a_line_leads_to_its_paper(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    page = imported(qtbot, window, tmp_path / "twice.bib", TWICE)
    row = page.code.findData("duplicate-record")
    page.code.setCurrentIndex(max(0, row))
    page.code.activated.emit(max(0, row))
    assert "10.5555/same" in page.raw.toPlainText()
    click(qtbot, page.go)
    until(qtbot, lambda: window.middle.currentWidget() is window.table)
    until(qtbot, lambda: window.details.page.paper is not None)
    assert window.details.page.paper is not None
    assert window.details.page.paper.title == "The same work"


def test_copy_as_text(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    page = imported(qtbot, window, tmp_path / "some.bib", BIB)
    click(qtbot, page.copy)
    text = QGuiApplication.clipboard().text()
    assert str(tmp_path / "some.bib") in text
    assert "Imported 2 papers, 1 skipped" in text
    assert "skipped\t13\tbroken2020\t" in text


def test_undo_this_import_and_only_this(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    imported(qtbot, window, tmp_path / "first.bib", TWICE)
    page = imported(qtbot, window, tmp_path / "second.bib", BIB)
    until(qtbot, lambda: listed(window) == 7)
    until(qtbot, lambda: page.earlier.count() == 2)
    page.earlier.setCurrentIndex(1)
    page.earlier.activated.emit(1)
    until(qtbot, lambda: "first.bib" in page.sources.text())
    click(qtbot, page.undo)
    until(qtbot, lambda: listed(window) == 5)
    until(qtbot, lambda: page.undo.text() == "Undone")
    assert not page.undo.isEnabled()
    assert "was undone" in page.sentences.text()
    library = window.session.library
    assert library is not None
    assert library.papers.resolve("plover2019") is not None
    assert library.papers.resolve("three") is None


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (TWICE, "None of them has an abstract: similarity compares their titles only."),
        (BIB, "1 paper has no abstract: similarity compares those by title only."),
    ],
)
def test_missing_abstracts_are_told(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, text: str, sentence: str
) -> None:
    page = imported(qtbot, window, tmp_path / "some.bib", text)
    assert sentence in page.sentences.text()


def test_a_file_imported_again_changes_nothing_and_says_so(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    imported(qtbot, window, tmp_path / "some.bib", TWICE)
    page = imported(qtbot, window, tmp_path / "some.bib", TWICE)
    assert page.counts.numbers["unchanged"].text() == "3"
    assert not page.undo.isVisible()
    until(qtbot, lambda: listed(window) == 5)


def test_show_its_papers(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    page = imported(qtbot, window, tmp_path / "some.bib", BIB)
    click(qtbot, page.papers)
    until(qtbot, lambda: listed(window) == 2)
    assert window.middle.currentWidget() is window.table


def test_reports_of_a_library_without_imports(qtbot: QtBot, window: MainWindow) -> None:
    window.menus.actions["file.reports"].trigger()
    page = report_page(window)
    assert page.empty.isVisible()
    assert "Nothing was imported" in page.empty.text()
    until(qtbot, lambda: not page.earlier.isVisible())


def test_lines_of_several_files_name_theirs(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    page = imported(qtbot, window, tmp_path / "alone.bib", BIB)
    assert page.table.isColumnHidden(4)
    files = [tmp_path / "first.bib", tmp_path / "second.bib"]
    for file in files:
        file.write_text(BIB, encoding="utf-8")
    preview_files(window, files)
    until(qtbot, lambda: import_page(window).go.isEnabled())
    click(qtbot, import_page(window).go)
    until(qtbot, lambda: shown(window, "report"))
    assert not page.table.isColumnHidden(4)
    names = {str(page.model.index(row, 4).data()) for row in range(page.model.rowCount())}
    assert names == {"first.bib", "second.bib"}
