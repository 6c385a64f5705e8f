"""Looking into files before they come in, importing, cancelling, pasting."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QCoreApplication, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent, QGuiApplication
from tests.window_pages.pages_driving import BIB, WAIT_MS, click, listed, shown, until

from litscape.importers.broken_off import tell_broken_off
from litscape.library import Library
from litscape_app.window.details.prose import ProseEdit
from litscape_app.window.pages.import_page import import_page, preview_files
from litscape_app.window.pages.report_page import report_page

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from PySide6.QtCore import QObject
    from pytestqt.qtbot import QtBot

    from litscape_app.window.main_window import MainWindow
    from litscape_app.window.pages.import_page.page import ImportPage


def write(place: Path, name: str, text: str, encoding: str = "utf-8") -> Path:
    file = place / name
    file.write_bytes(text.encode(encoding))
    return file


def records(number: int) -> str:
    return "".join(
        f"@article{{k{n}, title = {{Title number {n}}}, year = 2000}}\n" for n in range(number)
    )


def looked(qtbot: QtBot, window: MainWindow, *files: Path) -> ImportPage:
    """The page after it looked into files."""
    preview_files(window, files)
    page = import_page(window)
    until(qtbot, lambda: not any(one.waiting for one in page.sources))
    return page


def cells(page: ImportPage, column: int) -> list[str]:
    model = page.preview.model
    return [str(model.index(row, column).data()) for row in range(model.rowCount())]


def test_nothing_comes_in_before_it_was_looked_at(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    page = looked(qtbot, window, write(tmp_path, "some.bib", BIB))
    assert cells(page, 0) == ["Mud and tide", "Tides of the north"]
    assert cells(page, 1)[0] == "Plover, van Horn"
    assert cells(page, 2) == ["2019", "in press"]
    assert page.preview.kind.currentText() == "BibTeX / biblatex (as found)"
    assert "UTF-8" in page.preview.encoding.currentText()
    assert "Line 13" in page.preview.remarks.text()
    assert listed(window) == 3


def test_import_leads_to_the_report_and_puts_papers_into_a_collection(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    page = looked(qtbot, window, write(tmp_path, "some.bib", BIB))
    until(qtbot, lambda: page.target.collection.findText("Works/Bridges") >= 0)
    page.target.collection.setFocus()
    qtbot.keyClicks(page.target.collection.lineEdit(), "Water/Mud")
    click(qtbot, page.go)
    until(qtbot, lambda: shown(window, "report"))
    until(qtbot, lambda: listed(window) == 5)
    library = window.session.library
    assert library is not None
    assert library.papers.get("plover2019").collections == (("Water", "Mud"),)
    assert report_page(window).counts.numbers["added"].text() == "2"
    assert not page.sources


def test_enter_imports_and_escape_goes_back(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    page = looked(qtbot, window, write(tmp_path, "some.bib", BIB))
    qtbot.keyClick(page, Qt.Key.Key_Return)
    until(qtbot, lambda: shown(window, "report"))
    qtbot.keyClick(report_page(window), Qt.Key.Key_Escape)
    assert window.middle.currentWidget() is window.table


def test_another_encoding_shows_other_letters(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    text = "@article{k, title = {Müller über Bäume}, author = {Ärmel, Jörg}}\n"
    page = looked(qtbot, window, write(tmp_path, "latin.bib", text, "latin-1"))
    assert cells(page, 0) == ["Müller über Bäume"]
    assert "guessed" in page.preview.encoding.currentText()
    assert "encoding" in page.preview.remarks.text()
    combo = page.preview.encoding
    combo.setCurrentIndex(combo.findData("mac-roman"))
    combo.activated.emit(combo.currentIndex())
    until(qtbot, lambda: page.sources[0].preview is not None)
    assert cells(page, 0) != ["Müller über Bäume"]
    combo.setCurrentIndex(combo.findData("cp1252"))
    combo.activated.emit(combo.currentIndex())
    until(qtbot, lambda: cells(page, 0) == ["Müller über Bäume"])
    click(qtbot, page.go)
    until(qtbot, lambda: listed(window) == 4)
    library = window.session.library
    assert library is not None
    assert library.papers.get("k").authors[0].family == "Ärmel"


def test_a_kind_that_was_not_recognised_can_be_chosen(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    ris = "Notes of mine\n\n" * 3 + "TY  - JOUR\nTI  - Hidden title\nER  - \n"
    page = looked(qtbot, window, write(tmp_path, "odd.txt", ris))
    combo = page.preview.kind
    combo.setCurrentIndex(combo.findData("ris"))
    combo.activated.emit(combo.currentIndex())
    until(qtbot, lambda: cells(page, 0) == ["Hidden title"])


def test_several_files_without_the_bad_one(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    good = write(tmp_path, "good.bib", BIB)
    ris = write(tmp_path, "good.ris", "TY  - JOUR\nTI  - A third\nER  - \n")
    bad = write(tmp_path, "page.bib", "<!DOCTYPE html><html><body>Log in</body></html>")
    page = looked(qtbot, window, good, ris, bad)
    assert page.list.count() == 3
    assert "can't be read" in page.list.item(2).text()
    assert "1 file can't be read and will be left out" in page.left_out.text()
    assert page.go.text() == "Import 2 files"
    page.list.setCurrentRow(2)
    assert "no known kind" in page.preview.sentence.text()
    click(qtbot, page.go)
    until(qtbot, lambda: listed(window) == 6)
    assert report_page(window).report is not None
    assert len(report_page(window).report.sources) == 2  # type: ignore[union-attr]


def test_a_file_is_taken_off_the_list(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    one, two = (write(tmp_path, f"{n}.bib", records(n)) for n in (1, 2))
    page = looked(qtbot, window, one, two)
    page.list.setCurrentRow(0)
    click(qtbot, page.remove)
    assert [source.name for source in page.sources] == ["2.bib"]
    assert page.preview.name.text() == "2.bib"
    click(qtbot, page.clear_button)
    assert page.parts.part is page.empty


def test_files_dropped_on_the_window(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    file = write(tmp_path, "some.bib", BIB)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file))])
    window.dropEvent(
        QDropEvent(
            QPointF(600, 400), Qt.DropAction.CopyAction, data,
            Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier,
        )
    )  # fmt: skip
    assert shown(window, "import")
    until(qtbot, lambda: import_page(window).go.isEnabled())
    assert listed(window) == 3


MOVE = Qt.DropAction.MoveAction
BOTH = Qt.DropAction.CopyAction | Qt.DropAction.MoveAction


@pytest.mark.parametrize("actions", [MOVE, BOTH], ids=["move", "both"])
@pytest.mark.parametrize("place", ["window", "welcome", "search", "note"])
def test_a_dropped_file_is_never_taken_away_from_where_it_was(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, place: str, actions: Qt.DropAction
) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(write(tmp_path, "some.bib", BIB)))])
    window.show()
    onto: QObject = {"window": window, "welcome": window.first_run}.get(
        place, window.windowHandle()
    )
    spot = QPoint(400, 300)
    if place == "search":
        spot = window.search.line.mapTo(window, window.search.line.rect().center())
    elif place == "note":
        window.table.go_to(window.table.model.id_at(0))
        until(qtbot, lambda: window.details.page.paper is not None)
        title = window.details.page.title
        title.begin()
        (line,) = title.findChildren(ProseEdit)
        until(qtbot, lambda: window.childAt(line.mapTo(window, QPoint(9, 9))) is line.viewport())
        spot = line.mapTo(window, QPoint(9, 9))
    shift = Qt.KeyboardModifier.ShiftModifier  # asks for a move
    left = Qt.MouseButton.LeftButton
    for event in (
        QDragEnterEvent(spot, actions, data, left, shift),
        QDragMoveEvent(spot, actions, data, left, shift),
        QDropEvent(QPointF(spot), actions, data, left, shift),
    ):
        QCoreApplication.sendEvent(onto, event)
        assert event.isAccepted() == (actions == BOTH)
        assert not event.isAccepted() or event.dropAction() == Qt.DropAction.CopyAction
    if actions == BOTH:
        until(qtbot, lambda: import_page(window).go.isEnabled())
    assert window.search.line.text() == ""


def test_pasted_records_files_and_identifiers(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    clipboard = QGuiApplication.clipboard()
    paste = window.menus.actions["file.paste"]
    clipboard.setText("TY  - JOUR\nTI  - From the clipboard\nER  - \n")
    paste.trigger()
    page = import_page(window)
    until(qtbot, lambda: cells(page, 0) == ["From the clipboard"])
    click(qtbot, page.go)
    until(qtbot, lambda: listed(window) == 4)

    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(write(tmp_path, "some.bib", BIB)))])
    clipboard.setMimeData(data)
    paste.trigger()
    until(qtbot, lambda: [one.name for one in page.sources] == ["some.bib"])

    clipboard.setText("doi:10.5555/mud.1")
    paste.trigger()
    until(qtbot, lambda: shown(window, "add"))

    clipboard.setText("Just a sentence that is nothing.")
    paste.trigger()
    until(qtbot, lambda: "neither a DOI" in window.toast.text.text())


def test_a_cancelled_import_keeps_whole_records(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    page = looked(qtbot, window, write(tmp_path, "many.bib", records(12_000)))
    click(qtbot, page.go)
    until(qtbot, lambda: page.progress.came >= 1000)
    click(qtbot, page.progress.cancel)
    until(qtbot, lambda: page.progress.entry is None)
    library = window.session.library
    assert library is not None
    kept = library.papers.count() - 3
    assert 1000 <= kept < 12_000
    assert kept % 1000 == 0
    until(qtbot, lambda: listed(window) == kept + 3)
    until(qtbot, lambda: f"{kept:,} papers had come in and stay" in window.toast.text.text())
    click(qtbot, window.toast.button)
    until(qtbot, lambda: report_page(window).report is not None)
    click(qtbot, report_page(window).undo)
    until(qtbot, lambda: listed(window) == 3)


def test_nothing_unless_all_of_it(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    page = looked(qtbot, window, write(tmp_path, "many.bib", records(12_000)))
    page.target.whole.setChecked(True)
    click(qtbot, page.go)
    until(qtbot, lambda: page.progress.came >= 1000)
    click(qtbot, page.progress.cancel)
    until(qtbot, lambda: page.progress.entry is None)
    library = window.session.library
    assert library is not None
    assert library.papers.count() == 3
    until(qtbot, lambda: listed(window) == 3)
    assert window.toast.text.text() == "Cancelled: nothing came in."


def test_who_reads_on_is_told_and_led_to_the_report(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    page = looked(qtbot, window, write(tmp_path, "many.bib", records(1500)))
    click(qtbot, page.go)
    window.leave_page()
    until(qtbot, lambda: window.toast.text.text().startswith("Imported 1,500 papers"))
    assert window.middle.currentWidget() is window.table
    click(qtbot, window.toast.button)
    assert shown(window, "report")
    assert report_page(window).counts.numbers["records"].text() == "1,500"


def test_a_first_import_makes_a_library(
    qtbot: QtBot, make_window: Callable[..., MainWindow], tmp_path: Path, home: Path
) -> None:
    window = make_window()
    page = looked(qtbot, window, write(tmp_path, "some.bib", BIB))
    assert window.session.library is None
    assert not (home / "data").exists()
    click(qtbot, page.go)
    until(qtbot, lambda: shown(window, "report"))
    assert window.session.library is not None
    assert window.session.library.folder == home / "data" / "libraries" / "My library"
    until(qtbot, lambda: listed(window) == 2)


def test_enter_presses_the_button_that_has_the_keyboard(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    page = looked(qtbot, window, write(tmp_path, "some.bib", BIB))
    until(qtbot, page.go.isEnabled)
    page.clear_button.setFocus()
    qtbot.keyClick(page.clear_button, Qt.Key.Key_Return)
    assert page.parts.part is page.empty
    assert listed(window) == 3
    assert not window.session.jobs.running


def test_a_report_that_is_shown_gives_way_to_that_of_the_import(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    page = looked(qtbot, window, write(tmp_path, "many.bib", records(1500)))
    until(qtbot, page.go.isEnabled)
    page.start()
    window.show_page("report", again=True)
    report = report_page(window)
    until(qtbot, lambda: report.report is not None and report.report.added == 1500)
    assert shown(window, "report")


def test_an_empty_page_has_the_keyboard_where_files_are_chosen(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.show_page("import")
    until(qtbot, lambda: window.focusWidget() is import_page(window).empty.choose)


def test_an_import_that_broke_off_is_told_of_once(
    qtbot: QtBot, window: MainWindow, folder: Path, tmp_path: Path
) -> None:
    with Library.open(folder) as library:
        library.import_file(write(tmp_path, "three.bib", records(3)))
        with library.database.write() as conn:  # as a crash leaves it
            conn.exec_driver_sql("UPDATE batches SET finished_at = NULL")
    with qtbot.waitSignal(window.session.told, timeout=WAIT_MS) as told:
        window.session.open(folder)
    assert told.args is not None
    said, offer = told.args
    assert said == "The import of three.bib did not reach its end: 3 papers came in by then"
    offer.act()
    until(qtbot, lambda: shown(window, "report"))
    until(qtbot, lambda: report_page(window).counts.numbers["added"].text() == "3")
    with Library.open(folder) as library:
        assert tell_broken_off(library.database) is None
