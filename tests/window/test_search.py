from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from tests.window.driving import WAIT_MS, listed, titles

from litscape.search.hits import SearchHit
from litscape_app.window.listing import _found, list_papers
from litscape_app.window.marked_text import spans_by_line
from litscape_app.window.table.empty import loosen
from litscape_app.window.table.model import COLUMN_OF, SHOWN

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from litscape_app.window.main_window import MainWindow


def search(qtbot: QtBot, window: MainWindow, query: str) -> None:
    window.search.focus()
    qtbot.keyClicks(window.search.line, query)
    qtbot.waitUntil(
        lambda: window.table.listing is not None and window.table.listing.request.query == query,
        timeout=WAIT_MS,
    )


def test_each_keystroke_filters(qtbot: QtBot, window: MainWindow) -> None:
    search(qtbot, window, "zeb")
    assert titles(window) == ["Zebra crossings"]
    assert window.table.header.count.text() == "1 of 5 papers"
    qtbot.keyClick(window.search.line, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: listed(window) == 5, timeout=WAIT_MS)
    assert window.search.line.text() == ""


def test_a_search_stays_in_its_collection(qtbot: QtBot, window: MainWindow) -> None:
    model = window.tree.model
    nature = next(node for node in model.root.walk() if node.title == "Nature")
    window.tree.tree.setCurrentIndex(model.index_of(nature))
    qtbot.waitUntil(lambda: listed(window) == 2, timeout=WAIT_MS)
    search(qtbot, window, "paper")
    assert set(titles(window)) <= {"Attention in rivers", "Birds of the marsh"}
    assert "in Nature" in window.table.header.note.text()


def test_nothing_found_says_what_can_be_loosened(qtbot: QtBot, window: MainWindow) -> None:
    search(qtbot, window, '"zebra of the crossings"')
    empty = window.table.empty
    qtbot.waitUntil(empty.isVisible, timeout=WAIT_MS)
    assert "zebra of the crossings" in empty.heading.text()
    assert empty.first.text() == "Try “zebra of the crossings”"
    qtbot.mouseClick(empty.first, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: titles(window) == ["Zebra crossings"], timeout=WAIT_MS)
    assert window.search.line.text() == "zebra of the crossings"


@pytest.mark.parametrize(
    ("query", "looser"),
    [
        ('"exact words" here', "exact words here"),
        ("one two -three", "one two"),
        ("one two", "one"),
        ("one", ""),
    ],
)
def test_loosening(query: str, looser: str) -> None:
    assert loosen(query) == looser


@pytest.mark.parametrize("query", ['"', "-", "title:", 'a AND (b OR "c', "NEAR(", "*", "^x", "'"])
def test_no_query_is_an_error(qtbot: QtBot, window: MainWindow, query: str) -> None:
    window.search.line.setText(query)
    qtbot.waitUntil(lambda: not window.table._listing_slot.running, timeout=WAIT_MS)
    assert not window.notice.isVisible()


def test_arrow_down_goes_to_the_list(qtbot: QtBot, window: MainWindow) -> None:
    search(qtbot, window, "zebra")
    qtbot.keyClick(window.search.line, Qt.Key.Key_Down)
    assert window.table.table.hasFocus()
    assert window.table.table.selected_ids() == (window.table.model.id_at(0),)


def test_results_are_sorted_by_a_heading_and_the_next_search_by_relevance(
    qtbot: QtBot, window: MainWindow
) -> None:
    search(qtbot, window, "paper")
    window.table.sort("title", False)
    qtbot.waitUntil(
        lambda: window.table.listing is not None and window.table.listing.request.sort == "title",
        timeout=WAIT_MS,
    )
    assert titles(window) == sorted(titles(window))
    qtbot.keyClick(window.search.line, "s")
    qtbot.waitUntil(lambda: window.table.request.sort == "relevance", timeout=WAIT_MS)


def test_a_search_is_saved_and_found_again(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    def name_it(*_parts: object) -> str:
        return "Striped & fast"

    monkeypatch.setattr("litscape_app.window.ask.ask_name", name_it)
    search(qtbot, window, "zebra")
    qtbot.mouseClick(window.table.header.save, Qt.MouseButton.LeftButton)

    def node() -> object:
        found = [n for n in window.tree.model.root.walk() if n.title == "Striped & fast"]
        return found[0] if found else None

    qtbot.waitUntil(lambda: node() is not None, timeout=WAIT_MS)
    window.search.line.clear()
    qtbot.waitUntil(lambda: listed(window) == 5, timeout=WAIT_MS)
    index = window.tree.model.find(("search", "Striped & fast"))
    window.tree.tree.setCurrentIndex(index)
    qtbot.waitUntil(lambda: titles(window) == ["Zebra crossings"], timeout=WAIT_MS)
    assert window.search.line.text() == "zebra"


def test_what_is_typed_to_its_end_counts(qtbot: QtBot, window: MainWindow) -> None:
    def lists(number: int, note: str) -> None:
        def shown() -> bool:
            listing = window.table.listing
            return listing is not None and len(listing.ids) == number and note in listing.notes

        qtbot.waitUntil(shown, timeout=WAIT_MS)

    search(qtbot, window, "tag:wat")
    lists(5, "“tag:wat” counts once it is typed to its end: “water”.")
    lists(0, "There is no tag “wat”; near it: “water”.")  # after a pause
    search(qtbot, window, "type:nope")
    lists(0, "There is no type “nope”; it was searched as words.")
    search(qtbot, window, "zeb")
    assert titles(window) == ["Zebra crossings"]
    assert window.table.facets.query == "zeb*"  # what a facet adds to finds the same
    qtbot.keyClicks(window.search.line, " ")
    qtbot.waitUntil(lambda: titles(window) != ["Zebra crossings"], timeout=WAIT_MS)
    found = window.table.listing
    assert found is not None
    library = window.session.library
    assert library is not None
    assert len(found.ids) == len(library.search("zeb", "lexical"))


def test_meaning_without_vectors_is_said(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.mouseClick(window.search.modes.button("hybrid"), Qt.MouseButton.LeftButton)
    window.search.line.setText("zebra")
    window.search.search_now()
    qtbot.waitUntil(
        lambda: window.table.listing is not None and window.table.listing.request.mode == "hybrid",
        timeout=WAIT_MS,
    )
    assert titles(window)[0] == "Zebra crossings"
    assert window.table.header.note.text().startswith("Words are searched; meaning can be")


def test_meaning_alone_without_vectors_searches_words(qtbot: QtBot, window: MainWindow) -> None:
    window.search.modes.choose("semantic")
    window.search.line.setText("zebra")
    window.search.search_now()
    qtbot.waitUntil(lambda: titles(window) == ["Zebra crossings"], timeout=WAIT_MS)
    assert "Words are searched" in window.table.header.note.text()
    assert not window.notice.isVisible()


def test_found_by_shows_only_with_meaning(qtbot: QtBot, window: MainWindow) -> None:
    search(qtbot, window, "zebra")
    assert window.table.table.isColumnHidden(COLUMN_OF["found"])


def test_found_by_says_how_near_the_meaning_is() -> None:
    hits = (SearchHit(1, 1.0, None, 1, 0.618), SearchHit(2, 1.0, 1, 2, 0.5), SearchHit(3, 1.0, 1))
    assert [_found(hit) for hit in hits] == ["meaning 0.62", "both 0.50", "words"]


def test_found_words_are_shown_in_titles_and_else_from_the_abstract(
    qtbot: QtBot, window: MainWindow
) -> None:
    model = window.table.model
    search(qtbot, window, "zebra crossing")
    assert model.index(0, 0).data(SHOWN).title == ((0, 5), (6, 15))
    window.search.line.setText("subject2")
    qtbot.waitUntil(lambda: titles(window) == ["Birds of the marsh"], timeout=WAIT_MS)
    shown = model.index(0, 0).data(SHOWN)
    text, spans = shown.snippet
    assert [text[a:b] for a, b in spans] == ["subject2"]
    assert "<b>subject2</b>" in model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    window.search.line.clear()
    qtbot.waitUntil(lambda: listed(window) == 5, timeout=WAIT_MS)
    assert model.index(0, 0).data(SHOWN) is None


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (("A deep net", "of nets"), [[(7, 10)], [(3, 7)]]),
        (("A deep net of n…",), [[(7, 10), (14, 15)]]),
        (("A de…", "of nets"), [[], [(3, 7)]]),
    ],
)
def test_words_found_in_broken_lines(
    lines: tuple[str, ...], expected: list[list[tuple[int, int]]]
) -> None:
    assert spans_by_line("A deep net of nets", lines, [(7, 10), (14, 18)]) == expected


def test_a_query_that_is_being_answered_is_told_of(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    goes_on = threading.Event()

    def slow(*args: Any) -> Any:
        goes_on.wait(20)
        return list_papers(*args)

    monkeypatch.setattr("litscape_app.window.table.panel.list_papers", slow)
    window.search.focus()
    qtbot.keyClicks(window.search.line, "zebra")
    qtbot.waitUntil(lambda: window.table.header.count.text() == "Searching…", timeout=WAIT_MS)
    assert window.table.header.title.text() == "zebra"
    goes_on.set()
    qtbot.waitUntil(lambda: titles(window) == ["Zebra crossings"], timeout=WAIT_MS)
    assert window.table.header.count.text().startswith("1 of ")
