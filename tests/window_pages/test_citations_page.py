"""The page of citations: counts, missing works, manuscripts, and what brings more."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest
from tests.citing_library import MUD, make_citing_library, numbered
from tests.window_pages.pages_driving import WAIT_MS, click, listed, shown, until

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from PySide6.QtWidgets import QWidget
    from pytestqt.qtbot import QtBot

    from litscape.library import Library
    from litscape_app.window.main_window import MainWindow
    from litscape_app.window.pages.citations_page.page import CitationsPage


@pytest.fixture
def citing(qtbot: QtBot, make_window: Callable[..., MainWindow], tmp_path: Path) -> MainWindow:
    """A window on papers that cite each other."""
    window = make_window()
    window.session.open(make_citing_library(tmp_path / "Citing"))
    qtbot.waitUntil(lambda: listed(window) == 11, timeout=WAIT_MS)
    return window


def open_page(qtbot: QtBot, window: MainWindow, part: str = "overview") -> CitationsPage:
    """Show the page and wait until it has counted."""
    window.menus.actions["library.citations"].trigger()
    assert shown(window, "citations")
    page = cast("CitationsPage", window.page("citations"))
    until(qtbot, lambda: "Counting" not in page.overview.sentence.text())
    page.show_part(part)
    return page


def library_of(window: MainWindow) -> Library:
    """The open library."""
    assert window.session.library is not None
    return window.session.library


def test_counts_and_sources_are_those_of_the_library(qtbot: QtBot, citing: MainWindow) -> None:
    page = open_page(qtbot, citing)
    assert page.overview.sentence.text() == (
        "9 of 11 papers have references; 10 links between papers of this library."
    )
    assert page.overview.counts == {
        "Papers with references": "9 of 11",
        "Papers linked with others": "10 of 11",
        "Links between papers": "10",
        "Groups that hang together": "1, of 10 papers",
        "References to works outside": "5, to 3 works",
        "Papers without a year": "none",
        "Weak links, no citations": "none",
    }
    assert page.overview.sources == [("a list", "10")]


def test_a_library_without_references_says_what_to_do(qtbot: QtBot, window: MainWindow) -> None:
    page = open_page(qtbot, window)
    assert page.overview.sentence.text().startswith("None of your papers carries references")
    page.show_part("missing")
    until(qtbot, lambda: "No paper of this library" in page.missing.sentence.text())
    assert page.missing.table.isHidden()


def test_a_missing_work_is_added_and_leaves_the_list(qtbot: QtBot, citing: MainWindow) -> None:
    page = open_page(qtbot, citing, "missing")
    until(qtbot, lambda: page.missing.model.rowCount() == 1)
    model = page.missing.model
    assert [model.index(0, column).data() for column in range(4)] == [
        "3", "Plover", "1999", MUD.title,
    ]  # fmt: skip
    click(qtbot, page.missing.add)
    until(qtbot, lambda: page.missing.model.rowCount() == 0)
    assert library_of(citing).papers.get("doi:10.5555/mud.1").year == 1999
    assert "No work outside" in page.missing.sentence.text()
    citing.session.undo()
    until(qtbot, lambda: page.missing.model.rowCount() == 1)


def test_a_paper_that_cites_a_missing_work_is_shown(qtbot: QtBot, citing: MainWindow) -> None:
    page = open_page(qtbot, citing, "missing")
    until(qtbot, lambda: page.missing.model.rowCount() == 1)
    click(qtbot, page.missing.citing)
    three = numbered(library_of(citing), 3)
    until(qtbot, lambda: citing.session.selection == (three,))
    assert citing.middle.currentWidget() is citing.table


def test_a_list_of_links_is_added(qtbot: QtBot, citing: MainWindow, tmp_path: Path) -> None:
    page = open_page(qtbot, citing)
    links = tmp_path / "links.csv"
    links.write_text("citing,cited\nkey11,key1\nkey11,nobody\n", encoding="utf-8")
    page.add_list(str(links))
    until(qtbot, lambda: "1 link added" in page.overview.outcome.text())
    assert "1 skipped" in page.overview.outcome.text()
    until(qtbot, lambda: "11 links between papers" in page.overview.sentence.text())
    assert page.overview.sources == [("a list", "10"), ("links.csv", "1")]


def test_a_list_that_is_none_is_told_on_the_page(
    qtbot: QtBot, citing: MainWindow, tmp_path: Path
) -> None:
    page = open_page(qtbot, citing)
    page.add_list(str(tmp_path / "nowhere.csv"))
    until(qtbot, lambda: page.problem.isVisible())
    assert "nowhere.csv" in page.problem.text.text()
    assert page.overview.outcome.text() == ""


def test_manuscripts_are_read_listed_and_forgotten(
    qtbot: QtBot, citing: MainWindow, tmp_path: Path
) -> None:
    texts = tmp_path / "texts"
    texts.mkdir()
    (texts / "thesis.tex").write_text("We saw \\cite{key1,key2,nobody}.", encoding="utf-8")
    page = open_page(qtbot, citing, "manuscripts")
    part = page.manuscripts
    until(qtbot, lambda: part.sentence.text() == "No manuscript was read yet.")
    part.read_wanted.emit(str(texts))
    until(qtbot, lambda: part.list.count() == 1)
    assert part.sentence.text() == (
        "1 manuscript with 1 citation of 2 papers of the library; 1 pair of papers is cited "
        "together."
    )
    assert part.list.item(0).text().startswith("thesis.tex · 1 citation · 3 keys · read ")
    assert part.unknown.item(0).text() == "nobody · line 1 of thesis.tex"
    click(qtbot, part.forget)
    until(qtbot, lambda: part.list.count() == 0)
    assert library_of(citing).manuscripts.list() == ()
    assert (texts / "thesis.tex").exists()


def test_a_folder_without_manuscripts_is_told(
    qtbot: QtBot, citing: MainWindow, tmp_path: Path
) -> None:
    page = open_page(qtbot, citing, "manuscripts")
    (tmp_path / "empty").mkdir()
    page.read_manuscripts(str(tmp_path / "empty"))
    until(qtbot, lambda: page.problem.isVisible())
    assert "no manuscript" in page.problem.text.text()


@pytest.mark.parametrize(("way", "page_name"), [("lookup", "lookup")])
def test_buttons_lead_to_what_brings_references(
    qtbot: QtBot, citing: MainWindow, way: str, page_name: str
) -> None:
    page = open_page(qtbot, citing)
    button: QWidget = page.overview.buttons[way]
    click(qtbot, button)
    assert shown(citing, page_name)


def test_the_details_lead_to_the_page(qtbot: QtBot, citing: MainWindow) -> None:
    citing.table.go_to(numbered(library_of(citing), 11))
    fill = citing.details.page.citations.fill
    until(qtbot, lambda: fill.isVisible())
    fill.click()
    assert shown(citing, "citations")
