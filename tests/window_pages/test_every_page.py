"""What holds for every page: names for all controls, keyboard, both themes, small windows."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QSpinBox,
    QWidget,
)
from tests.window_pages.pages_driving import BIB, shown, until

from litscape_app.window.pages.catalog import PAGES
from litscape_app.window.pages.import_page import import_page, preview_files
from litscape_app.window.pages.page_frame import PageFrame
from litscape_app.window.pages.report_page import report_page

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from litscape_app.window.main_window import MainWindow

OURS = sorted(set(PAGES) - {"keys"})
CONTROLS = (QAbstractButton, QAbstractItemView, QComboBox, QLineEdit, QPlainTextEdit, QSpinBox)


def controls(page: QWidget) -> list[QWidget]:
    """The controls that a person can see and use."""
    return [
        one
        for one in page.findChildren(QWidget)
        if isinstance(one, CONTROLS)
        and one.isVisible()
        and not isinstance(one.parent(), QComboBox | QSpinBox | QAbstractItemView | QLineEdit)
        and not one.objectName().startswith("qt_")
    ]


def reached_by_arrows(control: QWidget) -> bool:
    """Whether it is the unchosen one of a choice, to which the arrow keys lead."""
    if not isinstance(control, QAbstractButton) or control.isChecked():
        return False
    group = control.group()
    return group is not None and group.exclusive()


@pytest.mark.parametrize("name", OURS)
def test_controls_have_names_and_take_the_keyboard(
    qtbot: QtBot, window: MainWindow, name: str
) -> None:
    window.show_page(name)
    qtbot.wait(200)
    page = window.page(name)
    found = controls(page)
    assert found
    for one in found:
        text = one.text() if isinstance(one, QAbstractButton) else ""
        assert one.accessibleName() or text, one
        if one.isEnabled() and not reached_by_arrows(one):
            assert one.focusPolicy() & Qt.FocusPolicy.TabFocus, (one, one.accessibleName())


@pytest.mark.parametrize("name", OURS)
def test_escape_goes_back_to_the_papers(window: MainWindow, qtbot: QtBot, name: str) -> None:
    window.show_page(name)
    page = window.page(name)
    assert isinstance(page, PageFrame)
    assert shown(window, name)
    qtbot.keyClick(page, Qt.Key.Key_Escape)
    assert window.middle.currentWidget() is window.table


@pytest.mark.parametrize("name", OURS)
def test_pages_fit_into_a_small_window(qtbot: QtBot, window: MainWindow, name: str) -> None:
    window.show_page(name)
    window.resize(1024, 640)
    qtbot.wait(100)
    assert window.height() <= 640
    assert window.width() <= 1024


def test_full_pages_fit_into_a_small_window(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    files = [tmp_path / name for name in ("latin.bib", "page.bib", "some.bib")]
    files[0].write_bytes("@article{k, title = {Müller über Bäume}}".encode("latin-1"))
    files[1].write_text("<!DOCTYPE html><html></html>", encoding="utf-8")
    files[2].write_text(BIB, encoding="utf-8")
    window.resize(1024, 640)
    preview_files(window, files)
    page = import_page(window)
    until(qtbot, lambda: page.go.isEnabled())
    for row in range(3):
        page.list.setCurrentRow(row)
        qtbot.wait(50)
        assert (window.width(), window.height()) == (1024, 640)
    page.start()
    until(qtbot, lambda: shown(window, "report"))
    report = report_page(window)
    for row in range(report.model.rowCount()):
        report.table.setCurrentIndex(report.model.index(row, 0))
        qtbot.wait(50)
        assert (window.width(), window.height()) == (1024, 640)


@pytest.mark.parametrize("name", OURS)
def test_pages_show_without_a_library(qtbot: QtBot, window: MainWindow, name: str) -> None:
    window.show_page(name)
    window.session.leave()
    assert window.middle.currentWidget() is window.first_run
    window.show_page(name)
    qtbot.wait(200)
    assert shown(window, name)
    assert not window.notice.isVisible()


def test_text_of_a_library_is_never_markup(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    file = tmp_path / "<b>bold<b>.bib"
    file.write_text(BIB, encoding="utf-8")
    preview_files(window, [file])
    until(qtbot, lambda: import_page(window).go.isEnabled())
    for name in OURS:
        window.show_page(name, again=True)
        for one in window.page(name).findChildren(QLabel):
            if one.text():
                assert one.textFormat() == Qt.TextFormat.PlainText, (name, one.text())


def test_pages_bring_no_heavy_library_into_the_window() -> None:
    code = """
import sys
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication
from litscape.settings import AppSettings
from litscape_app.window.main_window import MainWindow
from litscape_app.window.pages.catalog import PAGES
from litscape_app.window.session import Session
from litscape_app.window.theme import Theme
app = QApplication([])
owner = QObject()
window = MainWindow(Session(Theme(app), AppSettings(), owner))
window.show()
for name in PAGES:
    window.show_page(name)
    app.processEvents()
window.close()
heavy = {"torch", "transformers", "sentence_transformers", "umap", "numba", "sklearn",
         "onnxruntime", "tokenizers", "huggingface_hub"}
print(sorted(heavy & set(sys.modules)))
"""
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True
    )
    assert ran.stdout.strip() == "[]"
