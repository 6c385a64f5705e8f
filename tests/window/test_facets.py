"""Facets beside the list: they count what is listed, and choosing in them changes the query."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QPoint, Qt
from tests.window.driving import WAIT_MS, titles

from litscape.facets import FacetValue
from litscape_app.window.facets.bins import bins_of, first_name, within
from litscape_app.window.facets.chips import chosen_in

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from litscape_app.window.facets.section import Section
    from litscape_app.window.main_window import MainWindow


def test_years_share_bins_where_there_is_no_room_and_stray_ones_share_the_first() -> None:
    years = [FacetValue(str(year), 10) for year in range(1990, 2020)]
    assert [(one.first, one.papers) for one in bins_of(years, 100)][::29] == [
        (1990, 10),
        (2019, 10),
    ]
    wide = bins_of(years, 8)
    assert len(wide) <= 8
    assert (wide[0].first, wide[-1].last) == (1990, 2019)
    assert sum(one.papers for one in wide) == 300
    stray = bins_of([FacetValue("1650", 1), *years], 100)
    assert (stray[0].first, stray[0].last, stray[0].papers) == (1650, 1990, 11)
    assert (first_name(stray), first_name(wide)) == ("≤ 1990", "1990")
    assert bins_of([], 10) == []
    assert within(stray, None, 1700) == (0, 0)
    assert within(stray, 2018, None) == (28, 29)
    assert within(stray, 2030, None) is None


@pytest.fixture
def facets(qtbot: QtBot, window: MainWindow) -> MainWindow:
    """A window with its facets folded out and counted."""
    window.search.modes.choose("lexical")
    window.table.show_facets(True)
    qtbot.waitUntil(lambda: window.table.facets.report is not None, timeout=WAIT_MS)
    return window


def counted(qtbot: QtBot, window: MainWindow, query: str) -> None:
    """Wait until a query is listed and its facets are counted."""

    def done() -> bool:
        panel = window.table.facets
        return (
            window.search.line.text() == query
            and window.table.listing is not None
            and window.table.listing.request.query == query
            and panel.report is not None
            and panel.report.papers == len(titles(window))
            and not panel.busy
        )

    qtbot.waitUntil(done, timeout=WAIT_MS)


def values(section: Section) -> list[tuple[str, int, bool]]:
    return [(one.value, one.papers, one.chosen) for one in section.list.values.values]


def test_a_venue_is_chosen_and_let_go_by_pointer_and_keys(qtbot: QtBot, facets: MainWindow) -> None:
    venue = facets.table.facets.sections["venue"]
    assert values(venue) == [("Venue 1", 2, False), ("Venue 2", 2, False)]
    row = venue.list.visualRect(venue.list.values.index(1)).center()
    qtbot.mouseClick(venue.list.viewport(), Qt.MouseButton.LeftButton, pos=row)
    counted(qtbot, facets, 'venue:="Venue 2"')
    assert values(venue) == [("Venue 2", 2, True), ("Venue 1", 2, False)]
    assert sorted(titles(facets)) == ["Birds of the marsh", "Metal fatigue in bridges"]
    venue.list.setFocus()
    venue.list.setCurrentIndex(venue.list.values.index(1))
    qtbot.keyClick(venue.list, Qt.Key.Key_Return)
    counted(qtbot, facets, '(venue:="Venue 2" OR venue:="Venue 1")')
    assert len(titles(facets)) == 4
    chips = facets.table.choices
    assert chips.choices == [("venue", "Venue 2", False), ("venue", "Venue 1", False)]
    qtbot.keyClick(venue.list, Qt.Key.Key_Minus)
    counted(qtbot, facets, 'venue:="Venue 2" -venue:="Venue 1"')
    chips.wanted.emit("")
    counted(qtbot, facets, "")
    assert not chips.isVisible()


def test_years_are_chosen_by_dragging_and_by_keys(qtbot: QtBot, facets: MainWindow) -> None:
    years = facets.table.facets.sections["year"].years
    assert years is not None
    assert [one.name for one in years.bins] == ["2001", "2002", "2003", "2004", "2005"]
    middle = years.height() // 2
    at: Any = lambda place: QPoint(int(8 + 24 * (place + 0.5)), middle)  # noqa: E731
    qtbot.mousePress(years, Qt.MouseButton.LeftButton, pos=at(1))
    qtbot.mouseMove(years, at(3))
    qtbot.mouseRelease(years, Qt.MouseButton.LeftButton, pos=at(3))
    counted(qtbot, facets, "year:2002..2004")
    assert sorted(titles(facets)) == ["A <b>bold</b> claim", "Birds of the marsh"]
    years.setFocus()
    qtbot.keyClick(years, Qt.Key.Key_Home)
    qtbot.keyClick(years, Qt.Key.Key_Return)
    counted(qtbot, facets, "year:2001")
    qtbot.keyClick(years, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    counted(qtbot, facets, "year:2001..2002")
    assert years.accessibleDescription() == "2002: 1 paper; chosen 2001–2002"
    qtbot.keyClick(years, Qt.Key.Key_Escape)
    counted(qtbot, facets, "")


def test_a_saved_search_shows_what_it_chooses(qtbot: QtBot, facets: MainWindow) -> None:
    query = 'tag:water author:="Family1, Given"'
    facets.session.write("Save", lambda library: library.edit.save_search("Mine", query, "lexical"))
    facets.search.line.setText(query)
    counted(qtbot, facets, query)
    assert values(facets.table.facets.sections["author"])[0] == ("Family1, Given", 1, True)
    assert chosen_in(query) == [("author", "Family1, Given", False), ("tag", "water", False)]
    assert facets.table.choices.isVisible()


def test_a_long_list_is_found_in_and_nothing_is_counted_while_folded_away(
    qtbot: QtBot, facets: MainWindow
) -> None:
    panel = facets.table.facets
    author = panel.sections["author"]
    author.line.setText("family4")
    qtbot.waitUntil(lambda: values(author) == [("Family4, Given", 1, False)], timeout=WAIT_MS)
    facets.table.toggle_facets()
    before = panel.report
    facets.search.line.setText("marsh")
    qtbot.waitUntil(lambda: titles(facets) == ["Birds of the marsh"], timeout=WAIT_MS)
    assert panel.report is before
    facets.table.toggle_facets()
    counted(qtbot, facets, "marsh")


def test_choices_follow_each_other_before_the_list_does(qtbot: QtBot, facets: MainWindow) -> None:
    panel = facets.table.facets
    panel._toggle("venue", "Venue 2", False)
    panel._choose_years((2002, 2002))
    counted(qtbot, facets, 'venue:="Venue 2" year:2002')
    assert titles(facets) == ["Birds of the marsh"]


def test_while_keys_come_the_facets_of_the_last_list_alone_are_counted(
    qtbot: QtBot, facets: MainWindow
) -> None:
    panel = facets.table.facets
    qtbot.waitUntil(lambda: not panel.busy, timeout=WAIT_MS)
    panel._typing.setInterval(60_000)  # no pause between two keys is that long
    before = panel.report
    facets.search.line.clear()
    for letter in "the":
        qtbot.keyClick(facets.search.line, letter)
        qtbot.waitUntil(lambda: listed(facets) == facets.search.line.text(), timeout=WAIT_MS)
        assert panel.busy
    assert panel.report is before
    panel._typing.setInterval(1)
    qtbot.keyClick(facets.search.line, "r")
    counted(qtbot, facets, "ther")


def listed(window: MainWindow) -> str:
    """The query of what is listed."""
    return "" if window.table.listing is None else window.table.listing.request.query
