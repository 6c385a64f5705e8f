from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from tests.window.driving import WAIT_MS, choose, draft, listed, titles

from litscape.jobs.runners import Lane
from litscape.library import Library
from litscape_app.window.table.model import COLUMN_OF, COLUMNS, MIME, PAGE, author_spans
from litscape_app.window.words import authors_line

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from PySide6.QtWidgets import QHeaderView
    from pytestqt.qtbot import QtBot

    from litscape.jobs import JobContext
    from litscape_app.window.main_window import MainWindow


def click_header(window: MainWindow, key: str) -> None:
    header: QHeaderView = window.table.table.horizontalHeader()
    section = COLUMN_OF[key]
    at = QPoint(header.sectionViewportPosition(section) + 20, header.height() // 2)
    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=at)


def cell(window: MainWindow, row: int, key: str) -> str:
    return str(window.table.model.index(row, COLUMN_OF[key]).data())


def test_newest_papers_stand_first(window: MainWindow) -> None:
    assert titles(window)[0] == "Metal fatigue in bridges"
    assert window.table.header.count.text() == "5 papers"


def test_clicking_a_heading_sorts_and_turns(qtbot: QtBot, window: MainWindow) -> None:
    click_header(window, "title")
    qtbot.waitUntil(lambda: titles(window)[0] == "A <b>bold</b> claim", timeout=WAIT_MS)
    assert titles(window)[-1] == "Zebra crossings"
    click_header(window, "title")
    qtbot.waitUntil(lambda: titles(window)[0] == "Zebra crossings", timeout=WAIT_MS)


def test_years_sort_downwards_first_and_words_stay(qtbot: QtBot, window: MainWindow) -> None:
    click_header(window, "year")
    qtbot.waitUntil(lambda: cell(window, 4, "year") == "in press", timeout=WAIT_MS)
    years = [cell(window, row, "year") for row in range(5)]
    assert years == ["2005", "2004", "2002", "2001", "in press"]


def test_cells_say_what_the_paper_has(window: MainWindow) -> None:
    row = titles(window).index("Birds of the marsh")
    assert cell(window, row, "authors") == "Given Family2"
    assert cell(window, row, "tags") == "water, wings"
    assert cell(window, row, "collections") == "Nature"


def test_j_and_k_walk_the_list(qtbot: QtBot, window: MainWindow) -> None:
    table = window.table.table
    table.setFocus()
    table.step(0)
    qtbot.keyClick(table, "J")
    assert table.currentIndex().row() == 1
    qtbot.keyClick(table, "K")
    assert table.currentIndex().row() == 0
    qtbot.waitUntil(lambda: window.session.selection == (window.table.model.id_at(0),))
    qtbot.keyClick(table, Qt.Key.Key_End)
    assert (table.currentIndex().row(), table.selected_ids()) == (4, (window.table.model.id_at(4),))
    qtbot.keyClick(table, Qt.Key.Key_Home)
    assert (table.currentIndex().row(), table.selected_ids()) == (0, (window.table.model.id_at(0),))


def test_the_choice_survives_another_order(qtbot: QtBot, window: MainWindow) -> None:
    paper = choose(qtbot, window, "Birds of the marsh")
    click_header(window, "title")
    qtbot.waitUntil(lambda: titles(window)[0].startswith("A <b>"), timeout=WAIT_MS)
    assert window.table.table.selected_ids() == (paper,)
    assert window.session.selection == (paper,)


def test_delete_moves_to_the_trash_and_undo_brings_back(qtbot: QtBot, window: MainWindow) -> None:
    choose(qtbot, window, "Zebra crossings")
    window.table.table.setFocus()
    qtbot.keyClick(window.table.table, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: listed(window) == 4, timeout=WAIT_MS)
    assert window.toast.text.text() == "Moved 1 paper to the trash"
    qtbot.mouseClick(window.toast.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: listed(window) == 5, timeout=WAIT_MS)
    assert "Zebra crossings" in titles(window)


def test_dragged_papers_carry_their_ids(window: MainWindow) -> None:
    window.table.table.selectAll()
    ids = window.table.table.selected_ids()
    data = window.table.model.mime_of(ids)
    carried = bytes(data.data(MIME).data()).decode().split(",")
    assert [int(one) for one in carried] == list(ids)
    assert len(ids) == 5


def test_a_long_list_reads_only_what_is_shown(
    qtbot: QtBot, make_window: object, tmp_path: Path
) -> None:
    place = tmp_path / "long"
    lines = [
        json.dumps({"id": f"p{n}", "title": f"Title {n:05}", "authors": [], "year": 2000})
        for n in range(3000)
    ]
    source = tmp_path / "long.jsonl"
    source.write_text("\n".join(lines), encoding="utf-8")
    with Library.open(place) as library:
        library.import_file(source)
    window = make_window()  # type: ignore[operator]
    window.session.open(place)
    qtbot.waitUntil(lambda: listed(window) == 3000, timeout=WAIT_MS)
    model = window.table.model
    assert model.row_data(2900) is None
    window.table.table.scrollTo(model.index(2900, 0))
    qtbot.waitUntil(lambda: model.row_data(2900) is not None, timeout=WAIT_MS)
    known = sum(model.row_data(row) is not None for row in range(3000))
    assert known <= 4 * PAGE


def test_a_listing_of_the_same_papers_does_not_jump(qtbot: QtBot, window: MainWindow) -> None:
    before = window.table.model.ids.copy()
    resets: list[bool] = []
    window.table.model.modelReset.connect(lambda: resets.append(True))
    with qtbot.waitSignal(window.table.listed, timeout=WAIT_MS):
        window.table.refresh()
    assert np.array_equal(before, window.table.model.ids)
    assert resets == []


def test_changes_of_another_program_show(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    with Library.open(folder) as other:
        other.edit.add(draft(6, title="Written elsewhere"))
    qtbot.waitUntil(lambda: "Written elsewhere" in titles(window), timeout=WAIT_MS)


@pytest.mark.parametrize("key", ["tags", "collections"])
def test_what_can_not_be_sorted_by_leaves_the_order(window: MainWindow, key: str) -> None:
    before = titles(window)
    click_header(window, key)
    assert titles(window) == before
    assert window.table.request.sort == "added"


def test_columns_can_be_hidden_and_share_the_width(window: MainWindow) -> None:
    table = window.table.table
    table.set_column_shown("tags", False)
    header = table.horizontalHeader()
    shown = [n for n in range(header.count()) if not header.isSectionHidden(n)]
    assert COLUMN_OF["tags"] not in shown
    assert sum(header.sectionSize(n) for n in shown) == table.viewport().width()


def shown_columns(window: MainWindow) -> list[str]:
    header = window.table.table.horizontalHeader()
    return [one.key for n, one in enumerate(COLUMNS) if not header.isSectionHidden(n)]


def test_a_narrow_window_leaves_columns_out_instead_of_cutting_them(window: MainWindow) -> None:
    table = window.table.table
    for width in (1800, 1280, 1000, window.minimumWidth()):
        window.resize(width, 560)
        QApplication.processEvents()
        header = table.horizontalHeader()
        sizes = [header.sectionSize(COLUMN_OF[key]) for key in shown_columns(window)]
        assert sum(sizes) == table.viewport().width()
        assert min(sizes) > 40
    assert shown_columns(window) == ["title", "authors", "year", "venue"]
    assert table.column_shown("tags")
    window.resize(1800, 560)
    QApplication.processEvents()
    assert shown_columns(window) == ["title", "authors", "year", "venue", "tags", "collections"]


def test_a_column_that_is_asked_for_is_not_left_out(window: MainWindow) -> None:
    window.resize(window.minimumWidth(), 560)
    window.table.table.set_column_shown("citekey", True)
    assert "citekey" in shown_columns(window)
    window.table.table.set_column_shown("citekey", False)
    assert "citekey" not in shown_columns(window)


def test_widths_set_by_hand_stay(
    qtbot: QtBot, make_window: Callable[..., MainWindow], window: MainWindow
) -> None:
    header = window.table.table.horizontalHeader()
    header.resizeSection(COLUMN_OF["venue"], 233)
    window.table.table.set_column_shown("type", True)
    window.resize(1100, 700)
    QApplication.processEvents()
    assert header.sectionSize(COLUMN_OF["venue"]) == 233
    folder = window.session.library.folder if window.session.library else None
    window.close()
    again = make_window()
    assert folder is not None
    again.session.open(folder)
    qtbot.waitUntil(lambda: listed(again) == 5, timeout=WAIT_MS)
    assert again.table.table.horizontalHeader().sectionSize(COLUMN_OF["venue"]) == 233
    assert "type" in shown_columns(again)


def test_a_message_hides_nothing_and_can_be_closed(qtbot: QtBot, window: MainWindow) -> None:
    table, toast = window.table.table, window.toast
    before = table.mapTo(window, table.rect().bottomLeft()).y()
    window.session.say("Something was done " * 12)
    qtbot.waitUntil(toast.isVisible, timeout=WAIT_MS)
    qtbot.waitUntil(
        lambda: table.mapTo(window, table.rect().bottomLeft()).y() < before, timeout=WAIT_MS
    )
    top = toast.mapTo(window, toast.rect().topLeft()).y()
    for part in (table, window.tree, window.right):
        assert part.mapTo(window, part.rect().bottomLeft()).y() <= top
    assert toast.text.width() <= window.width()
    qtbot.mouseClick(toast.cross, Qt.MouseButton.LeftButton)
    assert not toast.isVisible()
    qtbot.waitUntil(
        lambda: table.mapTo(window, table.rect().bottomLeft()).y() == before, timeout=WAIT_MS
    )


def test_a_long_query_is_cut_with_an_ellipsis_in_the_heading(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.resize(window.minimumWidth(), 560)
    query = "zebra crossings and the marsh birds"
    window.search.line.setText(query)
    title = window.table.header.title
    qtbot.waitUntil(lambda: title.text() == query, timeout=WAIT_MS)
    title.grab()
    assert title.width() < title.fontMetrics().horizontalAdvance(query)
    assert query in title.toolTip()
    window.resize(1600, 560)
    QApplication.processEvents()
    title.grab()
    assert title.toolTip() == ""


def test_compact_rows_are_lower(window: MainWindow) -> None:
    table = window.table.table
    high = table.rowHeight(0)
    window.menus.actions["view.compact"].trigger()
    assert table.rowHeight(0) < high


def test_the_heading_offers_the_columns(window: MainWindow) -> None:
    header = window.table.table.horizontalHeader()
    header.customContextMenuRequested.emit(QPoint(10, 10))
    menu = window.menus._columns
    assert menu.isVisible()
    offered = {action.text(): action for action in menu.actions()}
    assert "Title" not in offered
    offered["Citekey"].trigger()
    menu.close()
    assert window.table.table.column_shown("citekey")
    assert cell(window, 0, "citekey") == "key5"


def test_what_others_write_is_listed_while_a_job_runs(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = window.session
    library = session.library
    assert library is not None
    monkeypatch.setattr("litscape_app.window.session._GLANCE_S", 0.0)
    over, step = threading.Event(), threading.Event()

    def act(own: Library, _ctx: JobContext) -> None:
        with own.database.write() as conn:  # as vectors are written: no change of a person's
            conn.exec_driver_sql("INSERT INTO settings VALUES ('a', '1')")
        step.set()
        assert over.wait(WAIT_MS / 1000)

    fresh: list[bool] = []
    session.refreshed.connect(lambda: fresh.append(True))
    session.work("Long", act, Lane.COMPUTE)
    try:
        qtbot.waitUntil(step.is_set, timeout=WAIT_MS)
        session._look_outside()
        qtbot.waitUntil(lambda: not session._glance.running, timeout=WAIT_MS)
        qtbot.wait(100)
        assert fresh == []
        with Library.open(library.folder) as other:
            other.edit.add(draft(7, title="Written meanwhile"))
        qtbot.waitUntil(lambda: "Written meanwhile" in titles(window), timeout=WAIT_MS)
        assert session.jobs.running
    finally:
        over.set()
    qtbot.waitUntil(lambda: not session.jobs.running, timeout=WAIT_MS)


def test_names_are_found_in_a_line_of_authors() -> None:
    line = authors_line(["Wei Wang", "Wei Wang Li", "C", "Wei Wang"])
    found = [line[a:b] for a, b in author_spans(line, ["Wei Wang"])]
    assert (found, line.count("Wei Wang")) == (["Wei Wang", "Wei Wang"], 3)
    assert author_spans("Li, Bo, A et al.", ["Li", "A", "O"]) == ((0, 2), (8, 9))
    assert author_spans("Li, Bo", ()) == ()
