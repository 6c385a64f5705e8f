"""The report: counts, filters, raw text, the paper of a line, copy, undo, earlier imports."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from tests.window_pages.pages_driving import BIB, click, listed, shown, until

from litscape.paper import ImportProblem, ImportReport
from litscape_app.cli.records import report_record
from litscape_app.window.pages.catalog import PAGES
from litscape_app.window.pages.import_page import import_page, preview_files
from litscape_app.window.pages.report_page import report_page
from litscape_app.window.pages.report_page.issues import FILE, LINE, WHAT
from litscape_app.window.pages.report_page.page import DUPLICATES

if TYPE_CHECKING:
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
    return [one.message for one in page.model.shown]


def choose(page: ReportPage, code: str) -> None:
    """Choose a reason as a person does."""
    row = page.filters.code.findData(code)
    assert row > 0
    page.filters.code.setCurrentIndex(row)
    page.filters.code.activated.emit(row)


def test_the_counts_add_up(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    page = imported(qtbot, window, tmp_path / "twice.bib", TWICE + BIB)
    numbers = {name: int(one.text()) for name, one in page.counts.numbers.items()}
    records = numbers.pop("records")
    assert records == sum(numbers.values()) == 6
    assert (numbers["added"], numbers["merged"], numbers["skipped"]) == (4, 1, 1)


def test_filter_by_severity_and_code(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    page = imported(qtbot, window, tmp_path / "twice.bib", TWICE + BIB)
    everything = len(messages(page))
    severity = page.filters.severity
    assert severity.button("skipped").text() == "Skipped 1"
    click(qtbot, severity.button("skipped"))
    assert len(messages(page)) == 1
    assert page.model.index(0, LINE).data() == "16"
    assert "Never closed" in page.detail.raw.view.toPlainText()
    assert not page.detail.go.isEnabled()
    click(qtbot, severity.button(""))
    assert severity.button("").text() == f"All {everything}"
    assert len(messages(page)) == everything > 1
    choose(page, "duplicate-record")
    assert len(messages(page)) == 1


def test_a_line_leads_to_its_paper(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    page = imported(qtbot, window, tmp_path / "twice.bib", TWICE)
    assert "10.5555/same" in page.detail.raw.view.toPlainText()
    click(qtbot, page.detail.go)
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
    qtbot.waitUntil(lambda: "Nothing was imported" in page.empty.text(), timeout=20_000)
    until(qtbot, lambda: not page.earlier.isVisible())


def test_lines_of_several_files_name_theirs(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    page = imported(qtbot, window, tmp_path / "alone.bib", BIB)
    assert page.table.isColumnHidden(FILE)
    files = [tmp_path / "first.bib", tmp_path / "second.bib"]
    for file in files:
        file.write_text(BIB, encoding="utf-8")
    preview_files(window, files)
    until(qtbot, lambda: import_page(window).go.isEnabled())
    click(qtbot, import_page(window).go)
    until(qtbot, lambda: shown(window, "report"))
    assert not page.table.isColumnHidden(FILE)
    names = {Path(one.source).name for one in page.model.shown}
    assert names == {"first.bib", "second.bib"}
    top = page.model.index(0, 0)
    below = [page.model.index(row, FILE, top).data() for row in range(page.model.rowCount(top))]
    assert below == ["first.bib", "second.bib"]


UNTITLED = "".join(f"@misc{{u{n}, author = {{Owl, A}}, year = {{19{n:02}}}}}\n" for n in range(40))
_SAME = "title = {Tides of the north, a study}, author = {Heron, Max}, year = {2001}"
ALIKE = "".join(f"@article{{{key}, {_SAME}, doi = {{10.5555/{key}}}}}\n" for key in ("one", "two"))


def test_many_of_one_reason_are_one_line(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    page = imported(qtbot, window, tmp_path / "some.bib", UNTITLED + BIB)
    model = page.model
    tops = [str(model.index(row, WHAT).data()) for row in range(model.rowCount())]
    row = tops.index("40 × The entry has no title.")
    group = model.index(row, WHAT)
    assert model.rowCount(group) == 40
    assert not page.table.isExpanded(group)
    below = model.index(7, LINE, group)
    assert (below.data(), model.parent(below)) == ("8", group)
    page.table.setCurrentIndex(group)
    assert not page.detail.raw.isVisible()
    click(qtbot, page.detail.go)
    until(qtbot, lambda: listed(window) == 40)
    window.show_page("report")
    choose(page, "missing-title")
    assert model.rowCount() == 40
    assert model.rowCount(model.index(0, WHAT)) == 0


def test_the_raw_text_has_the_lines_of_its_file(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    long = "".join(f"  note = {{line {n}}},\n" for n in range(300))
    text = f"{TWICE}@article{{long,\n{long}  year = {{2001}}\n}}\n"
    page = imported(qtbot, window, tmp_path / "long.bib", text)
    choose(page, "missing-title")
    raw = page.detail.raw
    assert page.model.index(0, LINE).data() == "4"
    assert raw.view.numbers[:2] == [4, 5]
    assert "line 100" in raw.view.toPlainText()
    assert "line 299" not in raw.view.toPlainText()
    assert raw.all.text() == "Show all (303 lines)"
    click(qtbot, raw.all)
    assert "line 299" in raw.view.toPlainText()
    assert raw.view.numbers[-1] == 306
    assert not raw.all.isVisible()


@pytest.mark.parametrize("raw", ["\ud800 half", "a\u2028b", "x" * 100_000, "\u202eright to left"])
def test_any_raw_text_can_be_shown(qtbot: QtBot, window: MainWindow, raw: str) -> None:
    issue = ImportProblem("odd-text", "warning", "<b>Odd</b> & long " * 40, 3, "key", raw=raw)
    page = report_page(window)
    window.show_page("report")
    page.show_report(ImportReport(None, 1, unchanged=1, issues=(issue,), sources=("x.bib",)))
    assert page.detail.raw.view.blockCount() < 20
    click(qtbot, page.detail.copy)
    assert "odd-text" in QGuiApplication.clipboard().text()


def test_pairs_are_listed_and_led_to(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    page = imported(qtbot, window, tmp_path / "alike.bib", ALIKE)
    button = page.filters.severity.button("pairs")
    until(qtbot, button.isVisible)
    assert button.text() == "Duplicates 1"
    click(qtbot, button)
    cells = [str(page.pairs.index(0, column).data()) for column in range(2)]
    assert cells == ["Tides of the north, a study (2001)"] * 2
    assert page.review.isVisible() == (DUPLICATES in PAGES)
    click(qtbot, page.copy)
    assert "May be one work each" in QGuiApplication.clipboard().text()
    page.pair_table.activated.emit(page.pairs.index(0, 1))
    until(qtbot, lambda: window.details.page.paper is not None)
    assert window.details.page.paper is not None
    assert window.details.page.paper.citekey == "two"


def test_pairs_that_were_decided_on_are_listed_no_more(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    page = imported(qtbot, window, tmp_path / "alike.bib", ALIKE)
    button = page.filters.severity.button("pairs")
    until(qtbot, button.isVisible)
    click(qtbot, button)
    pair = [row.id for row in page.pairs.pairs[0]]
    window.session.write("Keep apart", lambda library: library.duplicates.refuse(pair), "Done")
    until(qtbot, lambda: not button.isVisible())
    assert page.filters.severity.choice == ""
    assert "may be one work" not in page.sentences.text()
    window.session.write("Undo", lambda library: library.history.undo(), "Undone")
    until(qtbot, button.isVisible)
    assert "1 pair of papers may be one work" in page.sentences.text()


@pytest.mark.parametrize("name", ["report.txt", "report.json"])
def test_saved_as_a_file(qtbot: QtBot, window: MainWindow, tmp_path: Path, name: str) -> None:
    page = imported(qtbot, window, tmp_path / "some.bib", TWICE + BIB)
    file = tmp_path / name
    page.save_to(file)
    until(qtbot, file.exists)
    until(qtbot, lambda: file.read_text("utf-8"))
    text = file.read_text("utf-8")
    assert "Never closed" in text
    library = window.session.library
    assert library is not None
    if name.endswith("json"):
        stored = library.imports.report(library.imports.batches()[0].id)
        assert json.loads(text) == json.loads(json.dumps(report_record(stored)))
    page.save_to(tmp_path / "nowhere" / name)
    until(qtbot, page.problem.isVisible)
    assert "could not be written" in page.problem.text.text()


def test_ten_thousand_issues_are_filtered_and_grouped(qtbot: QtBot, window: MainWindow) -> None:
    issues = [
        ImportProblem(f"reason-{n % 7}", ("skipped", "warning", "note")[n % 3], f"No {n}", n)
        for n in range(10_000)
    ]
    page = report_page(window)
    window.show_page("report")
    page.show_report(ImportReport(None, 1, unchanged=1, issues=tuple(issues), sources=("x",)))
    assert page.model.rowCount() == 21
    assert page.filters.severity.button("").text() == "All 10,000"
    click(qtbot, page.filters.severity.button("note"))
    assert page.model.rowCount() == 7
    choose(page, "reason-3")
    assert page.model.rowCount() == 476
    page.table.setCurrentIndex(page.model.index(475, WHAT))
    qtbot.keyClick(page.table, Qt.Key.Key_Home)
    assert page.detail.message.text() == page.model.shown[0].message
