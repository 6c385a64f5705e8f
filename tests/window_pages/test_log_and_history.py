"""The log, the error report that nobody sends, and the history."""

from __future__ import annotations

import logging
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication
from tests.window_pages.pages_driving import click, listed, shown, until

from litscape.log import logging_to_file
from litscape_app.window.pages.history_page import HistoryPage
from litscape_app.window.pages.log_page import log_page
from litscape_app.window.pages.log_page.report import warnings_only, without_names

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from litscape.library import Library
    from litscape.paper import LibraryChanges
    from litscape_app.window.main_window import MainWindow


def _tag(library: Library, name: str) -> LibraryChanges:
    return library.edit.tag(["zebra"], [name])


def bug() -> Exception:
    try:
        raise KeyError("some key")
    except KeyError as error:
        return error


def test_a_bug_leads_to_a_report_that_is_copied(
    qtbot: QtBot, window: MainWindow, folder: Path
) -> None:
    with logging_to_file():
        logging.getLogger("litscape").error("something broke in %s", folder)
    window.session.trouble(bug(), "Import some.bib")
    assert window.notice.help.text() == "Report…"
    click(qtbot, window.notice.help)
    page = log_page(window)
    assert shown(window, "log")
    qtbot.keyClicks(page.doing, "I dropped a file")
    until(qtbot, lambda: "something broke" in page.report.toPlainText())
    click(qtbot, page.copy)
    text = QGuiApplication.clipboard().text()
    assert "I dropped a file" in text
    assert "KeyError: 'some key'" in text
    assert "PySide6-Essentials: 6." in text
    assert "something broke in <library>" in text
    assert str(folder) not in text
    page.with_log.click()
    assert "something broke" not in page.report.toPlainText()


def test_an_error_of_the_user_offers_no_report(qtbot: QtBot, window: MainWindow) -> None:
    window.session.write("Tag", lambda one: one.edit.tag([10_000], ["x"]))
    until(qtbot, lambda: window.notice.isVisible())
    assert not window.notice.help.isVisible()


def test_the_newest_lines_of_the_log(qtbot: QtBot, window: MainWindow) -> None:
    window.menus.actions["help.log"].trigger()
    page = log_page(window)
    until(qtbot, lambda: page.empty.text() == "The log is empty.")
    with logging_to_file():
        logging.getLogger("litscape").info("all is well")
        logging.getLogger("litscape").warning("this is odd")
    page.read()
    until(qtbot, lambda: "all is well" in page.log.toPlainText())
    page.only.click()
    assert page.log.toPlainText().endswith("WARNING litscape: this is odd")
    assert "all is well" not in page.log.toPlainText()
    click(qtbot, page.copy_log)
    assert "this is odd" in QGuiApplication.clipboard().text()


def test_tracebacks_stay_with_their_error() -> None:
    lines = [
        "2026-01-01 10:00:00,000 12 INFO a: fine",
        "2026-01-01 10:00:00,000 12 ERROR a: bad",
        "Traceback (most recent call last):",
        "2026-01-01 10:00:00,000 12 INFO a: fine again",
    ]
    assert warnings_only(lines) == lines[1:3]


def test_home_is_not_named() -> None:
    assert without_names(f"in {Path.home()}/papers") == "in ~/papers"


def test_undo_and_redo_to_a_place_in_the_history(qtbot: QtBot, window: MainWindow) -> None:
    for number in range(4):
        name = f"tag{number}"
        window.session.write("Tag", partial(_tag, name=name))
    window.menus.actions["edit.history"].trigger()
    page = window.page("history")
    assert isinstance(page, HistoryPage)
    library = window.session.library
    assert library is not None
    until(qtbot, lambda: page.model.rowCount() == 7)
    assert page.model.index(0, 0).data() == "Tag “Zebra crossings” with tag3"

    page.table.selectRow(2)
    assert page.what.text() == "takes back this and 2 changes after it"
    click(qtbot, page.undo)
    until(qtbot, lambda: page.model.index(2, 2).data() == "undone")
    assert library.papers.get("zebra").tags == ("tag0",)
    assert page.model.index(3, 2).data() == ""

    page.table.selectRow(1)
    click(qtbot, page.redo)
    until(qtbot, lambda: page.model.index(1, 2).data() == "")
    assert set(library.papers.get("zebra").tags) == {"tag0", "tag1", "tag2"}
    assert page.model.index(0, 2).data() == "undone"

    page.table.selectRow(6)
    click(qtbot, page.undo)
    until(qtbot, lambda: listed(window) == 0)
    assert library.papers.count() == 0
