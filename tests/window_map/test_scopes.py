"""Which papers are mapped: told apart by what they are, opened again, made again, compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.window_map.mapped_library import PAPERS
from tests.window_map.test_map_page import open_map, until

from litscape.errors import UserError
from litscape.library import Library
from litscape_app.window.map.comparing import agreement
from litscape_app.window.map.gathering import gather
from litscape_app.window.map.scopes import WHOLE, kept, selection

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from litscape.jobs import JobContext
    from litscape.maps.records import MapLayout
    from litscape_app.window.main_window import MainWindow


def test_selections_of_as_many_papers_are_told_apart(folder: Path) -> None:
    first, second = selection((3, 1, 2)), selection((3, 2, 4))
    assert first.key != second.key
    assert first.key == selection((1, 2, 3)).key
    assert first.shown == "Selection of 3 papers"
    with Library.open(folder) as library:
        scope = first.resolve(library)
        assert scope.title.startswith("Selection of 3 papers: Reef 1 of ")
        made = [library.maps.make(one.resolve(library), "pca") for one in (first, second)]
        again = library.maps.make(scope, "pca", seed=1)
        other = library.maps.latest(scope.title, ids=(1, 2, 5))
        assert other is None
        stored = kept(library.maps.list())
        assert [one.title for one in stored] == [made[1].scope.title, scope.title][::-1]
        assert stored[0].resolve(library).ids == (1, 2, 3)
        picture = gather(library, _context(), scope, None)
        assert picture.layout is not None
        assert picture.layout.key == again.key


def _context() -> JobContext:
    from litscape.jobs import null_context

    return null_context()


def test_a_kept_map_is_opened_again_and_the_former_one_is_not_worked_on(
    qtbot: QtBot, window: MainWindow
) -> None:
    library = window.session.library
    assert library is not None
    library.maps.make(selection((1, 2, 3, 4)).resolve(library), "pca")
    page = open_map(qtbot, window)
    page.bar.fill_scopes()
    (choice,) = (one for one in page._choices() if one.kept is not None)
    page.show_scope(choice)
    assert page.stage is not None
    assert not page.stage.isVisible(), "the map of other papers is gone at once"
    assert page.state.text().startswith("Reading the map of Selection of 4 papers: Reef 1")
    until(qtbot, lambda: page.picture is not None and len(page.picture.ids) == 4)
    assert page.stage.isVisible()
    assert "Reef 1" in page.bar.scope.text()
    assert not page.making.running, "it is there and is not made again"


def test_what_failed_can_be_tried_again_and_is_forgotten_then(
    qtbot: QtBot, window: MainWindow
) -> None:
    page = open_map(qtbot, window)
    tries: list[int] = []

    def act(library: Library, _ctx: JobContext) -> MapLayout:
        tries.append(1)
        if len(tries) == 1:
            raise UserError("The process that draws maps ended.")
        found = library.maps.latest()
        assert found is not None
        return found

    page.making.start("UMAP map of all papers", act)
    until(qtbot, page.problem.isVisible)
    assert page.problem.help.text() == "Try again"
    page.problem.help.click()
    until(qtbot, lambda: len(tries) == 2 and not page.making.running)
    until(qtbot, page.problem.isHidden)
    page._left()
    assert page._refused
    page.show_scope(WHOLE)
    assert not page._refused, "what is asked for by hand is made"
    page.making.failed.emit(UserError("It ended again."))
    assert page.problem.isVisible()
    page.making.made.emit(None)
    assert page.problem.isHidden()


def test_compared_maps_are_named_and_what_moved_is_told(qtbot: QtBot, window: MainWindow) -> None:
    library = window.session.library
    assert library is not None
    library.maps.make(layout="pca", seed=1)
    page = open_map(qtbot, window)
    page.bar.compare.trigger()
    compares, movers = page.comparison.comparing, page.comparison.movers
    assert compares is not None
    assert movers is not None
    until(qtbot, lambda: movers.isVisible() and movers.list.count() > 0)
    assert page.bar.scope.text().startswith(f"Two maps compared  {PAPERS}")
    assert page.bar.layouts.isHidden()
    assert movers.list.item(0).text().startswith("0.00 · ")
    until(qtbot, lambda: "Colours: " in compares.said.text())
    layout, title, when = compares.before.itemText(0).split(" · ")
    assert (layout, title) == ("PCA", "All papers")
    assert ":" in when
    room = compares.before.minimumContentsLength()
    wide = compares.before.fontMetrics()
    assert wide.horizontalAdvance("t-SNE · Rethinking the… · 30 Nov 16:41") <= room * (
        wide.horizontalAdvance("X")
    ), "the title and the time, by which two maps differ, can be read"
    page.comparison.leave()
    until(qtbot, lambda: page.picture is not None)
    assert page.bar.scope.text().startswith("All papers")
    assert page.bar.layouts.isVisible()


def test_three_papers_say_nothing_of_agreement() -> None:
    assert agreement(3, 0.0) == "3 papers are on both: too few to say how far the maps agree."
    assert agreement(80, 0.25) == "80 papers are on both; they agree to 75 % (100 %: the same)."
