"""Adding single papers: looked up with consent, pasted, by hand; duplicates become one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from tests.window_pages.pages_driving import Service, click, listed, until

from litscape.settings import AppSettings, load
from litscape_app.window.pages.add_paper import add_page

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from litscape.paper import Paper
    from litscape_app.window.main_window import MainWindow
    from litscape_app.window.pages.add_paper.page import AddPage


def opened(qtbot: QtBot, window: MainWindow, text: str = "") -> AddPage:
    """The page, with a text in its box that was recognised or refused."""
    window.menus.actions["file.add"].trigger()
    page = add_page(window)
    if text:
        page.take_text(text)
        until(qtbot, lambda: page.box.sentence.text())
    return page


def stored(window: MainWindow, ref: str) -> Paper:
    library = window.session.library
    assert library is not None
    return library.papers.get(ref)


def test_nothing_is_asked_before_consent(
    qtbot: QtBot, window: MainWindow, service: Service
) -> None:
    page = opened(qtbot, window, "https://doi.org/10.5555/MUD.1")
    page.services = service.services
    assert page.add_button.text() == "Look up and add"
    click(qtbot, page.add_button)
    assert page.consent.isVisible()
    assert "api.crossref.org" in page.consent.text.text()
    assert service.asked == []
    page.consent.mail.setText("ina@example.org")
    click(qtbot, page.consent.this_time)
    until(qtbot, lambda: "Added “Mud online”" in page.outcome.text())
    until(qtbot, lambda: listed(window) == 4)
    assert len(service.asked) == 1
    assert "mailto=ina%40example.org" in service.asked[0]
    assert stored(window, "10.5555/mud.1").authors[0].family == "Plover"
    assert not window.session.settings.lookup_consent
    assert window.session.settings.mail == "ina@example.org"


def test_consent_for_good_is_remembered(qtbot: QtBot, window: MainWindow, service: Service) -> None:
    page = opened(qtbot, window, "10.5555/mud.1")
    page.services = service.services
    click(qtbot, page.add_button)
    click(qtbot, page.consent.for_good)
    until(qtbot, lambda: "Added" in page.outcome.text())
    until(qtbot, lambda: load().settings.lookup_consent)
    page.take_text("10.5555/mud.1")
    until(qtbot, lambda: page.add_button.isEnabled())
    click(qtbot, page.add_button)
    assert not page.consent.isVisible()
    until(qtbot, lambda: "is in the library already" in page.outcome.text())
    assert listed(window) == 4


def test_an_unknown_doi_is_told_on_the_page(
    qtbot: QtBot, make_window: Callable[..., MainWindow], folder: Path, service: Service
) -> None:
    window = make_window(AppSettings(lookup_consent=True, embed_after_import=False))
    window.session.open(folder)
    until(qtbot, lambda: listed(window) == 3)
    page = opened(qtbot, window, "10.5555/nothing")
    page.services = service.services
    click(qtbot, page.add_button)
    until(qtbot, lambda: page.problem.isVisible())
    assert "Crossref knows no DOI 10.5555/nothing" in page.problem.text.text()
    assert page.box.text.toPlainText() == "10.5555/nothing"
    page.take_text("10.5555/nothing 10.5555/mud.1")
    until(qtbot, lambda: page.add_button.isEnabled())
    click(qtbot, page.add_button)
    until(qtbot, lambda: listed(window) == 4)
    assert "Crossref knows no DOI 10.5555/nothing" in page.failed.text()


def test_an_unreachable_service_leaves_the_window_alive(
    qtbot: QtBot, make_window: Callable[..., MainWindow], folder: Path, service: Service
) -> None:
    window = make_window(AppSettings(lookup_consent=True, embed_after_import=False))
    window.session.open(folder)
    until(qtbot, lambda: listed(window) == 3)
    page = opened(qtbot, window, "10.5555/mud.1")
    page.services = service.services
    service.close()
    click(qtbot, page.add_button)
    until(qtbot, lambda: page.problem.isVisible())
    assert "Crossref could not be reached" in page.problem.text.text()


def test_a_pasted_record_is_added_and_can_be_gone_to_and_undone(
    qtbot: QtBot, window: MainWindow
) -> None:
    page = opened(qtbot, window, "@article{k1, title = {Pasted title}, year = 2020}")
    assert "BibTeX" in page.box.sentence.text()
    qtbot.keyClick(page.box.text, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    until(qtbot, lambda: "Added “Pasted title”." in page.outcome.text())
    click(qtbot, page.go_button)
    until(qtbot, lambda: window.details.page.paper is not None)
    assert stored(window, "k1").year == 2020
    window.show_page("add")
    click(qtbot, page.undo_button)
    until(qtbot, lambda: listed(window) == 3)


def test_a_record_that_breaks_off_is_refused_with_its_text_kept(
    qtbot: QtBot, window: MainWindow
) -> None:
    page = opened(qtbot, window, "@article{k1, title = {Never closed")
    click(qtbot, page.add_button)
    until(qtbot, lambda: page.problem.isVisible())
    assert "no whole record" in page.problem.text.text()
    assert "Never closed" in page.box.text.toPlainText()
    assert listed(window) == 3


def test_text_that_is_nothing_is_told_while_it_is_written(qtbot: QtBot, window: MainWindow) -> None:
    page = opened(qtbot, window, "What I read last night")
    assert "neither a DOI nor an arXiv id" in page.box.sentence.text()
    assert not page.add_button.isEnabled()


def test_by_hand(qtbot: QtBot, window: MainWindow) -> None:
    page = opened(qtbot, window)
    click(qtbot, page.ways.button("hand"))
    assert not page.add_button.isEnabled()
    qtbot.keyClicks(page.hand.title, "Written by hand")
    page.hand.authors.setPlainText("Plover, Ina\nTom van Horn\n{The Mud Society}")
    page.hand.lines["year"].setText("in press")
    page.hand.lines["tags"].setText("mud; tides")
    page.hand.lines["doi"].setText("nonsense")
    click(qtbot, page.add_button)
    assert page.problem.text.text().startswith("DOI must be a DOI such as 10.1000/182")
    page.hand.lines["doi"].setText("https://doi.org/10.5555/HAND")
    page.collection.setEditText("Mine")
    click(qtbot, page.add_button)
    until(qtbot, lambda: "Added “Written by hand”" in page.outcome.text())
    paper = stored(window, "10.5555/hand")
    assert [one.display for one in paper.authors] == [
        "Ina Plover", "Tom van Horn", "The Mud Society",
    ]  # fmt: skip
    assert (paper.year, paper.year_raw) == (None, "in press")
    assert set(paper.tags) == {"mud", "tides"}
    assert paper.collections == (("Mine",),)
    assert page.hand.title.text() == ""


def test_a_paper_that_is_there_is_joined_with_and_that_is_said(
    qtbot: QtBot, window: MainWindow
) -> None:
    page = opened(qtbot, window)
    click(qtbot, page.ways.button("hand"))
    page.hand.title.setText("Metal fatigue in bridges")
    page.hand.lines["doi"].setText("10.1000/182")
    page.hand.lines["url"].setText("https://example.org/bridges")
    click(qtbot, page.add_button)
    until(qtbot, lambda: "was in the library already: the two became one" in page.outcome.text())
    assert listed(window) == 3
    assert stored(window, "metal2005").url == "https://example.org/bridges"


def test_the_box_has_the_keyboard_each_time(qtbot: QtBot, window: MainWindow) -> None:
    for _time in range(2):
        page = opened(qtbot, window)
        assert page.box.text.hasFocus()
        window.leave_page()
        assert not page.box.text.hasFocus()
