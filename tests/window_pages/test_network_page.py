"""The citation view: what it draws, how it follows and leads the choice of papers."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Any, cast

import pytest
from PySide6.QtCore import QPoint, Qt
from tests.citing_library import cites, citing_draft, make_citing_library, numbered
from tests.window_pages.pages_driving import WAIT_MS, listed, shown, until

from litscape.jobs import null_context
from litscape.library import Library
from litscape_app.window.pages.network_page.gathering import Network, Part, gather
from litscape_app.window.pages.network_page.labels import Room

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from litscape.paper import PaperDraft
    from litscape_app.window.main_window import MainWindow
    from litscape_app.window.pages.network_page.page import NetworkPage
    from litscape_app.window.pages.network_page.plot import NetworkPlot


@pytest.fixture
def citing(qtbot: QtBot, make_window: Callable[..., MainWindow], tmp_path: Path) -> MainWindow:
    """A window on papers that cite each other."""
    window = make_window()
    window.session.open(make_citing_library(tmp_path / "Citing"))
    qtbot.waitUntil(lambda: listed(window) == 11, timeout=WAIT_MS)
    return window


def paper(window: MainWindow, number: int) -> int:
    """The id of a paper by its number."""
    assert window.session.library is not None
    return numbered(window.session.library, number)


def open_view(qtbot: QtBot, window: MainWindow, *numbers: int) -> NetworkPage:
    """Show the view around papers and wait until they are drawn."""
    ids = tuple(paper(window, number) for number in numbers)
    window.table.table.select_ids(ids, ids[0])
    until(qtbot, lambda: set(window.session.selection) == set(ids))
    window.menus.actions["view.citations"].trigger()
    assert shown(window, "network")
    page = cast("NetworkPage", window.page("network"))
    until(qtbot, lambda: page.network is not None and set(page.network.chosen) == set(ids))
    qtbot.wait(50)
    return page


def plot_of(page: NetworkPage) -> NetworkPlot:
    """The drawing, once it is there."""
    assert page.plot is not None
    return page.plot


def spot(plot: NetworkPlot, number: int) -> QPoint:
    """Where the mark of a paper lies."""
    assert plot.network is not None
    x, y = plot.network.places[number]
    place = plot.view.mapViewToScene(plot._point(x, y))
    return QPoint(round(place.x()), round(place.y()))


def drawn(tmp_path: Path, drafts: Sequence[PaperDraft], chosen: int, most: int = 200) -> Network:
    """What is drawn around one of some papers."""
    with Library.open(tmp_path / "Drawn") as library:
        library.imports.run_drafts(drafts, source="a list")
        return gather(library, (numbered(library, chosen),), most, null_context())


def test_papers_are_what_they_are_to_the_chosen_one(tmp_path: Path) -> None:
    folder = make_citing_library(tmp_path / "Citing")
    with Library.open(folder) as library:
        network = gather(library, (numbered(library, 1),), 200, null_context())
        numbers = {numbered(library, number): number for number in range(1, 12)}
    found = {
        numbers[one]: Part(part)
        for one, part in zip(network.ids.tolist(), network.parts.tolist(), strict=True)
    }
    assert found == {
        1: Part.CHOSEN,
        **dict.fromkeys(range(2, 10), Part.CITING),
        10: Part.COCITED,
    }
    ids = [numbers[one] for one in network.ids.tolist()]
    links = {(ids[a], ids[b]) for a, b in network.links.tolist()}
    assert links == {*((number, 1) for number in range(2, 10)), (2, 10), (3, 10)}
    years = dict(zip(ids, network.places[:, 0].tolist(), strict=True))
    assert (years[1], years[9], years[10]) == (2000, 2009, 1998)
    assert network.labels[0] == "Family1 2000"
    assert network.there == 10


def test_the_most_cited_are_drawn_and_the_limit_is_said(tmp_path: Path) -> None:
    drafts = [
        citing_draft(1, 1990),
        *(citing_draft(number, 2000, *cites(1)) for number in range(2, 22)),
        citing_draft(30, 2010, *cites(7, 8)),
        citing_draft(31, 2010, *cites(7)),
    ]
    network = drawn(tmp_path, drafts, 1, most=3)
    assert network.labels == ("Family1 1990", "Family7 2000", "Family8 2000")
    assert network.there == 21


def test_chosen_papers_with_links_come_before_those_without(tmp_path: Path) -> None:
    drafts = [
        *(citing_draft(number, 2000) for number in range(1, 31)),
        citing_draft(40, 2001, *cites(29)),
        citing_draft(41, 2001),
    ]
    with Library.open(tmp_path / "Drawn") as library:
        library.imports.run_drafts(drafts, source="a list")
        chosen = tuple(numbered(library, number) for number in range(1, 31))
        network = gather(library, chosen, 3, null_context())
        assert network.labels[:2] == ("Family29 2000", "Family40 2001")
        assert (network.linked, network.there, len(network.links)) == (True, 31, 1)
        # A link that leads to nothing drawn is a link still.
        alone = gather(library, (chosen[28],), 1, null_context())
        assert (alone.linked, len(alone.links)) == (True, 0)
        assert not gather(library, chosen[:28], 3, null_context()).linked


def test_papers_without_a_year_stand_apart(tmp_path: Path) -> None:
    drafts = [citing_draft(1, 1990), citing_draft(2, 2000, *cites(1))]
    undated = citing_draft(3, 0, *cites(1))
    network = drawn(tmp_path, [*drafts, _without_year(undated)], 1)
    assert network.undated == 1988
    place = network.labels.index("Family3")
    assert network.places[place, 0] == 1988


def _without_year(draft: PaperDraft) -> PaperDraft:
    from dataclasses import replace

    return replace(draft, year=None)


def test_a_drawing_is_set_up_once_and_its_names_are_looked_for_once(
    qtbot: QtBot, citing: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    plot = plot_of(open_view(qtbot, citing, 1))
    assert plot.network is not None
    calls: list[str] = []
    for thing, name in ((plot.marks, "setData"), (plot.labels, "place")):
        act = getattr(thing, name)

        def noted(*args: object, act: Any = act, name: str = name, **more: object) -> None:
            calls.append(name)
            act(*args, **more)

        monkeypatch.setattr(thing, name, noted)
    plot.show_network(plot.network)
    plot.view.scaleBy((0.99, 0.99))
    qtbot.wait(50)
    assert calls == ["setData", "place"]


def test_names_cover_no_marks_and_no_other_names() -> None:
    room = Room(300, 100)
    room.take_marks([(0, 50.0, 50.0, 12.0, "a"), (1, 299.0, 99.0, 18.0, "b"), (2, -40, -40, 9, "")])
    taken = [(x, y) for x in range(300) for y in range(100) if not room.free((x, y, 0, 0))]
    assert (min(taken), (max(x for x, _y in taken), max(y for _x, y in taken))) == (
        (42, 42), (299, 99),
    )  # fmt: skip
    assert {x for x, y in taken if x < 100} == set(range(42, 57))
    room.take((100.0, 10.0, 60.0, 14.0))
    assert not room.free((158.0, 20.0, 50.0, 14.0))
    assert room.free((166.0, 30.0, 50.0, 10.0))
    assert not room.free((-20.0, -20.0, 400.0, 400.0))


def test_nothing_chosen_is_a_sentence(qtbot: QtBot, citing: MainWindow) -> None:
    citing.table.table.clearSelection()
    citing.session.select(())
    citing.show_page("network")
    page = cast("NetworkPage", citing.page("network"))
    until(qtbot, lambda: page.state.text().startswith("Choose a paper"))
    assert page.state.isVisible()
    assert not page.legend.isVisible()


def test_a_paper_without_links_is_a_sentence_with_a_way_on(
    qtbot: QtBot, citing: MainWindow
) -> None:
    page = open_view(qtbot, citing, 11)
    until(qtbot, lambda: "No paper of this library cites" in page.state.text())
    assert "Paper 11 of the shore" in page.state.text()
    page.fill.click()
    assert shown(citing, "citations")


def test_a_click_chooses_everywhere_and_keeps_the_drawing(qtbot: QtBot, citing: MainWindow) -> None:
    page = open_view(qtbot, citing, 1)
    plot = plot_of(page)
    assert page.said.text() == (
        "10 papers around “Paper 1 of the shore”, and 10 links between them."
    )
    nine = paper(citing, 9)
    number = plot.number_of(nine)
    assert number is not None
    qtbot.mouseClick(plot.plot.viewport(), Qt.MouseButton.LeftButton, pos=spot(plot, number))
    until(qtbot, lambda: citing.session.selection == (nine,))
    assert citing.table.table.selected_ids() == (nine,)
    until(qtbot, lambda: citing.details.page.paper and citing.details.page.paper.id == nine)
    assert page.network is not None
    assert page.network.chosen == (paper(citing, 1),)
    assert plot.marked == number
    page.centre.click()
    until(qtbot, lambda: page.network is not None and page.network.chosen == (nine,))


def test_what_is_chosen_elsewhere_is_drawn(qtbot: QtBot, citing: MainWindow) -> None:
    page = open_view(qtbot, citing, 1)
    citing.details.page.citations.followed.emit(paper(citing, 2))
    until(qtbot, lambda: page.network is not None and page.network.chosen == (paper(citing, 2),))
    assert "around “Paper 2 of the shore”" in page.said.text()


def test_several_papers_are_drawn_together(qtbot: QtBot, citing: MainWindow) -> None:
    page = open_view(qtbot, citing, 2, 3, 4)
    assert page.said.text() == "5 papers around 3 chosen papers, and 5 links between them."
    legend = [words.text() for _sign, words in page._signs]
    assert legend == ["chosen", "cited by them", "cites them", ""]


def test_the_keyboard_steps_from_paper_to_paper(qtbot: QtBot, citing: MainWindow) -> None:
    page = open_view(qtbot, citing, 1)
    plot = plot_of(page)
    plot.setFocus()
    qtbot.keyClick(plot, Qt.Key.Key_Right)
    until(qtbot, lambda: citing.session.selection == (paper(citing, 1),))
    seen = []
    for _step in range(3):
        qtbot.keyClick(plot, Qt.Key.Key_Right)
        assert plot.marked is not None
        seen.append(int(page.network.places[plot.marked, 0]) if page.network else 0)
        qtbot.wait(20)
    assert seen == sorted(set(seen))
    qtbot.keyClick(plot, Qt.Key.Key_Return)
    until(qtbot, lambda: page.network is not None and page.network.chosen != (paper(citing, 1),))


def test_a_change_of_the_library_is_drawn(qtbot: QtBot, citing: MainWindow) -> None:
    page = open_view(qtbot, citing, 1)
    nine = paper(citing, 9)
    citing.session.write("Trash", lambda library: library.edit.trash([nine]))
    until(qtbot, lambda: page.said.text().startswith("9 papers around"))


def test_names_never_cover_each_other(
    qtbot: QtBot, make_window: Callable[..., MainWindow], tmp_path: Path
) -> None:
    drafts = [
        citing_draft(1, 1990),
        *(citing_draft(number, 1991 + number % 12, *cites(1)) for number in range(2, 260)),
    ]
    with Library.open(tmp_path / "Wide") as library:
        library.imports.run_drafts(drafts, source="a list")
    window = make_window()
    window.resize(1280, 860)
    window.session.open(tmp_path / "Wide")
    until(qtbot, lambda: listed(window) == 259)
    page = open_view(qtbot, window, 1)
    plot = plot_of(page)
    assert page.said.text().startswith("Showing the 200 most cited of 259 papers")
    until(qtbot, lambda: len(plot.labels.shown) > 40)
    rects = [rect for rect, _name, _number in plot.labels.shown]
    assert not [(a, b) for i, a in enumerate(rects) for b in rects[i + 1 :] if a.intersects(b)]
    assert "Family1 1990" in [name for _rect, name, _number in plot.labels.shown]
    page.limits.button("2000").click()
    until(qtbot, lambda: page.network is not None and len(page.network) == 259)


def test_all_of_thirty_chosen_papers_are_named(
    qtbot: QtBot, make_window: Callable[..., MainWindow], tmp_path: Path
) -> None:
    drafts = [
        citing_draft(1, 1990),
        *(citing_draft(number, 1991 + number % 2, *cites(1)) for number in range(2, 60)),
    ]
    with Library.open(tmp_path / "Tall") as library:
        library.imports.run_drafts(drafts, source="a list")
    window = make_window()
    window.session.open(tmp_path / "Tall")
    until(qtbot, lambda: listed(window) == 59)
    plot = plot_of(open_view(qtbot, window, *range(2, 32)))
    chosen = {f"Family{number} {1991 + number % 2}" for number in range(2, 32)}
    until(qtbot, lambda: chosen <= {name for _rect, name, _number in plot.labels.shown})
    rects = [rect for rect, _name, _number in plot.labels.shown]
    assert not [(a, b) for i, a in enumerate(rects) for b in rects[i + 1 :] if a.intersects(b)]


def test_colours_follow_the_theme(qtbot: QtBot, citing: MainWindow) -> None:
    plot = plot_of(open_view(qtbot, citing, 1))
    theme = citing.session.theme
    for choice in ("dark", "light"):
        theme.choose(choice)
        chosen = [point for point in plot.marks.points() if point.data() == 0]
        assert chosen[0].brush().color() == theme.colour("accent")


def test_drawing_brings_no_scipy_and_the_start_no_pyqtgraph(tmp_path: Path) -> None:
    folder = make_citing_library(tmp_path / "Citing")
    code = """
import sys, time
from pathlib import Path
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication
from litscape.settings import AppSettings
from litscape_app.window.main_window import MainWindow
from litscape_app.window.session import Session
from litscape_app.window.theme import Theme
app = QApplication([])
owner = QObject()
window = MainWindow(Session(Theme(app), AppSettings(embed_after_import=False), owner))
window.show()
def wait(until):
    end = time.monotonic() + 60
    while not until():
        app.processEvents()
        time.sleep(0.002)
        assert time.monotonic() < end
window.session.open(Path(sys.argv[1]))
wait(lambda: window.table.model.rowCount() == 11)
window.show_page("network")
app.processEvents()
print(sorted({"pyqtgraph", "scipy"} & set(sys.modules)))
window.table.go_to(window.session.library.papers.resolve("key1"))
page = window.page("network")
wait(lambda: page.network is not None)
window.show_page("citations")
wait(lambda: window.page("citations").overview.counts)
print(sorted({"pyqtgraph", "scipy", "matplotlib", "OpenGL"} & set(sys.modules)))
window.close()
"""
    ran = subprocess.run(
        [sys.executable, "-c", code, str(folder)],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    assert ran.stdout.split("\n")[:2] == ["[]", "['pyqtgraph']"]
