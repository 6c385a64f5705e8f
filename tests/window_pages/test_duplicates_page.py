"""The page of duplicates: looked through, merged, kept apart, and all of it undone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from tests.window_pages.pages_driving import click, listed, shown, until

from litscape.paper import Author, PaperDraft
from litscape.store.bulk import NewPaper, insert_papers, next_paper_id
from litscape_app.window.pages.duplicates_page import duplicates_page

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from litscape.library import Library
    from litscape_app.window.main_window import MainWindow
    from litscape_app.window.pages.duplicates_page.page import DuplicatesPage

OWL = (Author("Owl", "Amy"),)
MUD = PaperDraft(title="Mud and water in rivers", authors=OWL, year=2010, doi="10.5555/m")
NIGHT = PaperDraft(title="Night flights of owls", authors=OWL, year=2011)


def put(window: MainWindow, *drafts: PaperDraft) -> list[int]:
    """Papers past what an import would join; the page does not know of them yet."""
    library = window.session.library
    assert library is not None
    with library.database.write() as conn:
        first = next_paper_id(conn)
        papers = [NewPaper(first + n, f"new{first + n}", one) for n, one in enumerate(drafts)]
        insert_papers(conn, papers)
    return [paper.id for paper in papers]


@pytest.fixture
def library(window: MainWindow) -> Library:
    found = window.session.library
    assert found is not None
    return found


def other(draft: PaperDraft, **fields: object) -> PaperDraft:
    return replace(draft, **fields)  # type: ignore[arg-type]


@pytest.fixture
def ids(window: MainWindow) -> list[int]:
    """Two pairs: one of one DOI, one of two."""
    return put(
        window,
        other(MUD, tags=("x",)),
        other(MUD, title="Mud and water in rivers: a study", tags=("y",)),
        other(NIGHT, doi="10.5555/n", abstract="Owls fly."),
        other(NIGHT, doi="10.5555/o", venue="Ibis"),
    )


@pytest.fixture
def page(qtbot: QtBot, window: MainWindow, ids: list[int]) -> DuplicatesPage:
    window.menus.actions["library.duplicates"].trigger()
    page = duplicates_page(window)
    ready(qtbot, page)
    return page


def ready(qtbot: QtBot, page: DuplicatesPage) -> None:
    """Wait until groups are found and one is shown."""
    until(qtbot, lambda: not page._finding.running and not page._pause.isActive())
    if page.model.groups:
        until(qtbot, lambda: page.compared.merge.isEnabled() or not page._open)


def groups(page: DuplicatesPage) -> list[tuple[int, ...]]:
    return [one.ids for one in page.model.groups]


def cell(page: DuplicatesPage, label: str, column: int) -> QPoint:
    """The middle of a cell of the table."""
    row = next(n for n, one in enumerate(page.compared.model.rows) if one.label == label)
    index = page.compared.model.index(row, column)
    page.compared.table.scrollTo(index)
    return page.compared.table.visualRect(index).center()


def test_groups_and_what_differs(page: DuplicatesPage, ids: list[int]) -> None:
    assert groups(page) == [tuple(ids[:2]), tuple(ids[2:])]
    assert page.summary.text() == "2 groups of papers that may be one work, 1 of them certain"
    assert "same DOI" in page.compared.why.text()
    rows = {row.label: row for row in page.compared.model.rows}
    assert rows["Title"].differs
    assert not rows["DOI"].differs
    assert rows["Tags"].united
    assert rows["Paper"].texts == ("Stays", "Becomes part of it")


def test_merging_goes_on_and_is_undone(
    qtbot: QtBot, window: MainWindow, page: DuplicatesPage, library: Library, ids: list[int]
) -> None:
    click(qtbot, page.compared.merge)
    until(qtbot, lambda: groups(page) == [tuple(ids[2:])])
    assert library.papers.get(ids[0]).tags == ("x", "y")
    assert library.papers.get(ids[0]).title == "Mud and water in rivers: a study"
    assert library.papers.resolve(f"id:{ids[1]}") is None
    until(qtbot, lambda: page.compared.group == page.model.groups[0])
    until(qtbot, lambda: listed(window) == 6)
    window.session.undo()
    until(qtbot, lambda: groups(page) == [tuple(ids[:2]), tuple(ids[2:])])
    assert library.papers.get(ids[1]).tags == ("y",)


def test_a_value_is_chosen_by_click_and_by_key(
    qtbot: QtBot, page: DuplicatesPage, library: Library, ids: list[int]
) -> None:
    table, model = page.compared.table, page.compared.model
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=cell(page, "Title", 0))
    until(qtbot, lambda: model.found is not None and model.found.chosen["title"] == ids[0])
    table.setCurrentIndex(model.index(0, 1))
    qtbot.keyClick(table, Qt.Key.Key_Space)
    until(qtbot, lambda: model.found is not None and model.found.kept == ids[1])
    assert model.found is not None
    assert model.found.chosen["title"] == ids[0]
    until(qtbot, lambda: page.compared.merge.isEnabled())
    qtbot.keyClick(table, Qt.Key.Key_M)
    until(qtbot, lambda: len(groups(page)) == 1)
    assert library.papers.get(ids[1]).title == "Mud and water in rivers"


def test_what_is_no_duplicate_is_kept_apart_until_taken_back(
    qtbot: QtBot, page: DuplicatesPage, library: Library, ids: list[int]
) -> None:
    qtbot.keyClick(page.list, Qt.Key.Key_N)
    until(qtbot, lambda: groups(page) == [tuple(ids[2:])])
    assert len(library.duplicates.refused()) == 1
    click(qtbot, page.view.button("apart"))
    until(qtbot, lambda: groups(page) == [tuple(ids[:2])])
    until(qtbot, page.compared.take_back.isEnabled)
    assert "Kept apart since" in page.compared.why.text()
    assert not page.compared.merge.isVisible()
    assert not page.merge_ticked.isVisible()
    click(qtbot, page.compared.take_back)
    until(qtbot, lambda: groups(page) == [])
    assert page.summary.text() == "No papers are kept apart."
    assert library.duplicates.refused() == ()
    click(qtbot, page.view.button("open"))
    until(qtbot, lambda: len(groups(page)) == 2)


def test_keys_move_and_skip(qtbot: QtBot, page: DuplicatesPage) -> None:
    for key, row in ((Qt.Key.Key_S, 1), (Qt.Key.Key_S, 0), (Qt.Key.Key_J, 1), (Qt.Key.Key_K, 0)):
        qtbot.keyClick(page.list, key)
        assert page.list.row == row
    assert len(groups(page)) == 2


def test_ticked_groups_are_merged_as_one_change(
    qtbot: QtBot, window: MainWindow, page: DuplicatesPage, library: Library
) -> None:
    assert not page.merge_ticked.isEnabled()
    for row in range(2):
        page.list.show_row(row)
        qtbot.keyClick(page.list, Qt.Key.Key_Space)
    assert page.merge_ticked.text() == "Merge ticked (2)"
    box = page.list.visualRect(page.model.index(1)).topLeft() + QPoint(16, 16)
    for number in (1, 2):
        qtbot.mouseClick(page.list.viewport(), Qt.MouseButton.LeftButton, pos=box)
        assert len(page.model.ticks) == number
    click(qtbot, page.merge_ticked)
    until(qtbot, lambda: groups(page) == [])
    assert page.summary.text() == "No duplicates were found."
    assert len(library.papers) == 5
    window.session.undo()
    until(qtbot, lambda: len(groups(page)) == 2)


def test_all_certain_ones_are_merged(
    qtbot: QtBot, page: DuplicatesPage, library: Library, ids: list[int]
) -> None:
    assert page.merge_certain.text() == "Merge all certain (1)"
    click(qtbot, page.merge_certain)
    until(qtbot, lambda: groups(page) == [tuple(ids[2:])])
    assert len(library.papers) == 6
    assert not page.merge_certain.isEnabled()


def test_a_paper_of_a_larger_group_is_left_out(
    qtbot: QtBot, window: MainWindow, page: DuplicatesPage, library: Library, ids: list[int]
) -> None:
    (third,) = put(window, other(MUD, title="Mud and water in rivers"))
    click(qtbot, page.again)
    until(qtbot, lambda: (*ids[:2], third) in groups(page))
    page.list.show_row(groups(page).index((*ids[:2], third)))
    until(qtbot, lambda: page.compared.model.columnCount() == 3)
    page.compared.table.setCurrentIndex(page.compared.model.index(0, 1))
    qtbot.keyClick(page.compared.table, Qt.Key.Key_X)
    until(qtbot, lambda: page.compared.model.columnCount() == 2)
    assert not page.compared.leave_out.isEnabled()
    click(qtbot, page.compared.all_again)
    until(qtbot, lambda: page.compared.model.columnCount() == 3)
    page.compared.table.setCurrentIndex(page.compared.model.index(0, 1))
    click(qtbot, page.compared.leave_out)
    until(qtbot, lambda: page.compared.merge.text() == "Merge 2 papers")
    click(qtbot, page.compared.merge)
    until(qtbot, lambda: tuple(ids[:2]) in groups(page))
    assert library.papers.resolve(f"id:{third}") is None


def test_chosen_papers_are_put_beside_each_other(
    qtbot: QtBot, window: MainWindow, library: Library
) -> None:
    one, two = (library.papers.id_of(key) for key in ("zebra", "birds1999"))
    window.session.select((one,))
    window.menus.actions["papers.merge"].trigger()
    assert not shown(window, "duplicates")
    window.session.select((one, two))
    window.menus.actions["papers.merge"].trigger()
    page = duplicates_page(window)
    until(qtbot, lambda: groups(page) == [(one, two)])
    until(qtbot, lambda: page.compared.merge.isEnabled())
    assert shown(window, "duplicates")
    click(qtbot, page.compared.merge)
    until(qtbot, lambda: len(library.papers) == 2)
    until(qtbot, lambda: groups(page) == [])


def test_an_import_elsewhere_makes_the_page_look_again(
    qtbot: QtBot, window: MainWindow, page: DuplicatesPage, tmp_path: Path
) -> None:
    file = tmp_path / "more.bib"
    text = "@article{%s, title = {Rain over the marsh}, year = 2020, doi = {10.5555/%s}}"
    file.write_text(text % ("a", "a") + text % ("b", "b"), encoding="utf-8")
    window.session.work(
        "Import",
        lambda library, ctx: library.imports.run([file], ctx),
        done=lambda report: window.session.announce(report.changes),
    )
    until(qtbot, lambda: len(groups(page)) == 3)


def test_the_search_is_stopped(qtbot: QtBot, page: DuplicatesPage) -> None:
    page.find_again()
    page.stop()
    assert "the search was stopped" in page.summary.text()
    assert page.again.isVisible()
    assert not page.bar.isVisible()
    click(qtbot, page.again)
    ready(qtbot, page)
    assert "stopped" not in page.summary.text()


def test_nothing_is_written_into_a_library_for_reading(
    qtbot: QtBot, window: MainWindow, page: DuplicatesPage, folder: Path
) -> None:
    window.session.open(folder, read_only=True)
    until(qtbot, lambda: window.session.library is not None)
    until(qtbot, lambda: window.session.library and window.session.library.database.read_only)
    window.show_page("duplicates", again=True)
    until(qtbot, lambda: len(groups(page)) == 2)
    until(qtbot, lambda: page.compared.model.found is not None)
    for button in (page.compared.merge, page.compared.refuse, page.merge_certain):
        assert not button.isEnabled()


def test_unusual_papers_are_drawn(qtbot: QtBot, window: MainWindow, page: DuplicatesPage) -> None:
    crowd = tuple(Author(f"Family{n}", "G.") for n in range(1000))
    long = PaperDraft(title="On <b>x</b> " + "very " * 300, authors=crowd, doi="10.5555/l")
    put(
        window,
        long,
        other(long, title=(long.title or "") + "long", venue="Q" * 500, authors=crowd[:999]),
        PaperDraft(title=None, doi="10.5555/none"),
        PaperDraft(title=None, doi="10.5555/none", year=1999),
        *(PaperDraft(title="פרק על ציפורים", doi="10.5555/many") for _ in range(40)),
    )
    click(qtbot, page.again)
    until(qtbot, lambda: len(groups(page)) == 5)
    for row in range(5):
        page.list.show_row(row)
        until(qtbot, lambda: page.compared.merge.isEnabled())
        image = window.grab().toImage()
        assert image.size() == window.size()
        assert not image.isNull()
