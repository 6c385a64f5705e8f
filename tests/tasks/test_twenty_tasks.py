"""Twenty things that a researcher does, each in the window and on the command line alike.

With LITSCAPE_SHOTS=FOLDER each leaves a picture of the window to look at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication
from tests.tasks.conftest import PDF_OF, WAIT_MS

from litscape_app.window import scope

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot
    from tests.tasks.conftest import Ask

    from litscape_app.window.main_window import MainWindow

CAPTIONS = (
    "A system that looks at a photograph and writes a fluent sentence about what can be seen in "
    "it, trained on pairs of images and their captions."
)


def found(qtbot: QtBot, window: MainWindow, query: str, mode: str = "lexical") -> list[int]:
    """Type a query; the ids of what is listed for it then."""
    window.search.modes.choose(mode)
    window.search.line.setText(f"{query} ")  # the last word is typed to its end

    def listed() -> bool:
        listing = window.table.listing
        return (
            listing is not None
            and listing.request.query.strip() == query
            and listing.request.mode == mode
            and not window.search._pause.isActive()
        )

    qtbot.waitUntil(listed, timeout=WAIT_MS)
    assert window.table.listing is not None
    return [int(one) for one in window.table.listing.ids]


def ids(records: list[dict[str, Any]]) -> list[int]:
    return [int(one["id"]) for one in records]


def choose(qtbot: QtBot, window: MainWindow, *papers: int) -> None:
    """Choose papers in the list."""
    window.table.table.go_to(papers[0])
    window.table.table.select_ids(papers)
    qtbot.waitUntil(lambda: set(window.chosen) == set(papers), timeout=WAIT_MS)


def alike(qtbot: QtBot, window: MainWindow, until: Any = lambda: True) -> list[int]:
    """The similar papers shown, once they are as they should be."""
    panel = window.similar
    qtbot.waitUntil(lambda: bool(panel.model.hits) and bool(until()), timeout=WAIT_MS)
    return [hit.paper_id for hit in panel.model.hits]


def id_of(ask: Ask, key: str) -> int:
    (record,) = ask("show", f"key:{key}")
    return int(record["id"])


@pytest.mark.parametrize(
    "query",
    [
        "atention is all you need",  # 1: a known paper, mistyped
        'author:="Le, Quoc" year:2015..2018',  # 2: of one author, in some years
        'title:"image captioning" -attention',  # 3: a phrase in titles, without a word
        "(grasp OR manipulation) robot year:>=2018",  # 4: one word or another
        f'cites:"{PDF_OF}" has:abstract',  # 5: who cites a paper
    ],
)
def test_1_to_5_queries(qtbot: QtBot, window: MainWindow, ask: Ask, query: str) -> None:
    shown = found(qtbot, window, query)
    assert shown == ids(ask("search", query, "--mode", "lexical", "-k", 1000))
    assert 0 < len(shown) < 480
    if query.startswith("atention"):
        assert shown[0] == id_of(ask, PDF_OF)
        assert "searched “attention” instead" in window.table.header.note.text()


def test_6_a_search_is_kept_and_follows_the_library(
    qtbot: QtBot, window: MainWindow, ask: Ask
) -> None:
    ask("saved", "add", "Grasping", "title:grasp", "--mode", "lexical")
    window.session.refreshed.emit()

    def counted() -> int | None:
        nodes = window.tree.model.root.walk()
        return next((one.count for one in nodes if one.title == "Grasping"), None)

    before = len(ask("saved", "run", "Grasping"))
    qtbot.waitUntil(lambda: counted() == before, timeout=WAIT_MS)
    ask("add", "--title", "A new grasp of everything")
    window.session.refreshed.emit()
    qtbot.waitUntil(lambda: counted() == before + 1, timeout=WAIT_MS)
    assert len(ask("saved", "run", "Grasping")) == before + 1


def test_7_facets_narrow_what_is_listed(qtbot: QtBot, window: MainWindow, ask: Ask) -> None:
    window.table.show_facets(True)
    found(qtbot, window, "attention")
    panel = window.table.facets
    qtbot.waitUntil(lambda: panel.report is not None and not panel.busy, timeout=WAIT_MS)
    years = panel.sections["year"].years
    assert years is not None
    years.setFocus()
    qtbot.keyClick(years, Qt.Key.Key_End)
    qtbot.keyClick(years, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "year:" in window.search.line.text(), timeout=WAIT_MS)
    venue = panel.sections["venue"]

    def narrowed() -> bool:
        listing, report = window.table.listing, panel.report
        return (
            listing is not None
            and "year:" in listing.request.query
            and report is not None
            and report.papers == len(listing.ids)
            and not panel.busy
        )

    qtbot.waitUntil(narrowed, timeout=WAIT_MS)
    row = venue.list.visualRect(venue.list.values.index(0)).center()
    qtbot.mouseClick(venue.list.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(row))
    qtbot.waitUntil(lambda: "venue:=" in window.search.line.text(), timeout=WAIT_MS)
    query = window.search.line.text()
    assert "year:" in query
    shown = found(qtbot, window, query.strip())
    assert shown == ids(ask("search", query, "--mode", "lexical", "-k", 1000))
    counts = ask("facets", query, "--mode", "lexical", "--facet", "year")
    assert counts["papers"] == len(shown) > 0


def test_8_a_question_in_words_that_no_title_has(
    qtbot: QtBot, window: MainWindow, ask: Ask
) -> None:
    query = "machines that describe photographs in sentences"
    shown = found(qtbot, window, query, "semantic")
    records = ask("search", query, "--mode", "semantic", "-k", 100)
    assert shown == ids(records)
    assert any("aption" in one["title"] for one in records[:5])
    assert records[0]["why"][0].startswith("meaning 0.")


def test_9_like_these_three_but_not_about_robots_since_2018_unread(
    qtbot: QtBot, window: MainWindow, ask: Ask
) -> None:
    three = ids(ask("search", "title:grasp", "--mode", "lexical", "-k", 3))
    choose(qtbot, window, *three)
    options = window.similar.options
    options.after.setText("2017")
    options.within.setText("is:unread -robot")
    panel = window.similar

    def narrowed() -> bool:
        request = panel.answer.request if panel.answer else None
        return request is not None and request.newer_than == 2017 and "robot" in request.within

    shown = alike(qtbot, window, narrowed)
    records = ask("similar", *three, "--newer-than", 2017, "--within", "is:unread -robot", "-k", 30)
    assert shown == ids(records)
    assert all(one["year"] > 2017 and "robot" not in one["title"].lower() for one in records)


def test_10_like_a_pasted_abstract(qtbot: QtBot, window: MainWindow, ask: Ask) -> None:
    window.similar.line.setText(CAPTIONS)
    window.similar.line.setFocus()
    qtbot.keyClick(window.similar.line, Qt.Key.Key_Return)
    shown = alike(qtbot, window, lambda: window.similar.seeds.given)
    records = ask("similar", "--text", CAPTIONS, "-k", 30)
    assert shown == ids(records)
    assert "aption" in records[0]["title"]


def test_11_like_the_entries_of_a_file(
    qtbot: QtBot, window: MainWindow, ask: Ask, tmp_path: Path
) -> None:
    file = tmp_path / "theirs.bib"
    file.write_text(
        "@article{a, title={Neural machine translation of rare words}}\n"
        "@article{b, title={Attention for sequence to sequence translation}}\n"
    )
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file))])
    event = QDropEvent(
        QPointF(5, 5), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    window.similar.dropEvent(event)
    shown = alike(qtbot, window, lambda: window.similar.seeds.given)
    records = ask("similar", "--file", file, "-k", 30)
    assert shown == ids(records)
    assert any("ranslation" in one["title"] for one in records[:5])


def test_12_more_like_this_and_less_like_that(qtbot: QtBot, window: MainWindow, ask: Ask) -> None:
    seed = id_of(ask, PDF_OF)
    choose(qtbot, window, seed)
    first = alike(qtbot, window)
    window.similar.more_like(first[1])
    window.similar.less_like(first[0])
    shown = alike(qtbot, window, lambda: first[0] not in _shown(window))
    records = ask("similar", seed, first[1], "--not", first[0], "-k", 30)
    assert shown == ids(records)


def _shown(window: MainWindow) -> list[int]:
    return [hit.paper_id for hit in window.similar.model.hits]


def test_13_like_a_collection_but_from_elsewhere_and_diverse(
    qtbot: QtBot, window: MainWindow, ask: Ask
) -> None:
    (robotics,) = (one for one in ask("collection", "list") if one["path"] == "Robotics")
    options, panel = window.similar.options, window.similar
    panel.like_collection(robotics["id"], "Robotics")
    options.elsewhere.setChecked(True)
    options.diversity.setValue(40)

    def so() -> bool:
        request = panel.answer.request if panel.answer else None
        return request is not None and request.diversity == 0.4 and bool(request.not_in)

    shown = alike(qtbot, window, so)
    there = ("--from-collection", "Robotics", "--not-in", "Robotics")
    records = ask("similar", *there, "--diverse", 0.4, "-k", 30)
    assert shown == ids(records)


def test_14_works_that_are_missing(
    qtbot: QtBot, window: MainWindow, ask: Ask, tmp_path: Path
) -> None:
    few = ids(ask("search", "title:grasp", "--mode", "lexical", "-k", 6))
    links = tmp_path / "links.csv"
    links.write_text("".join(f"id:{one},10.5555/wanted\n" for one in few))
    ask("citations", "add", links)
    (work,) = ask("citations", "missing")
    assert work["doi"] == "10.5555/wanted"
    window.show_page("citations")
    page: Any = window.page("citations")
    qtbot.waitUntil(lambda: len(page.missing.model.works) == 1, timeout=WAIT_MS)
    assert len(page.missing.model.works[0].cited_by) == len(few)
    outside = ask("similar", *few[:3], "--outside")
    assert outside[0]["doi"] == "10.5555/wanted"


def test_15_what_to_read_next(qtbot: QtBot, window: MainWindow, ask: Ask) -> None:
    liked = ids(ask("search", "title:captioning", "--mode", "lexical", "-k", 3))
    ask("mark", *liked, "--read", "--rating", 5)
    records = ask("read-next", "-k", 30)
    assert not set(ids(records)) & set(liked)
    window.session.refreshed.emit()
    choose(qtbot, window, liked[0])
    window.session.select(())
    panel = window.similar
    shown = alike(qtbot, window, lambda: panel.answer and panel.answer.next_reading)
    assert shown == ids(records)


def test_16_marks_by_keys(qtbot: QtBot, window: MainWindow, ask: Ask) -> None:
    paper = id_of(ask, PDF_OF)
    choose(qtbot, window, paper)
    for key in (Qt.Key.Key_U, Qt.Key.Key_5, Qt.Key.Key_L):
        qtbot.keyClick(window.table.table, key)
    window.menus.actions["papers.colour_green"].trigger()
    qtbot.waitUntil(
        lambda: ids(ask("search", "is:read rating:5 colour:green in:list")) == [paper],
        timeout=WAIT_MS,
    )
    assert found(qtbot, window, "is:read rating:5 colour:green in:list") == [paper]
    ask("mark", paper, "--unread")
    assert ask("search", "is:read") == []


def test_17_a_reading_list_in_order(qtbot: QtBot, window: MainWindow, ask: Ask) -> None:
    few = ids(ask("search", "title:grasp", "--mode", "lexical", "-k", 3))
    for one in few:
        ask("reading-list", "add", one)
    ask("reading-list", "move", few[2], 1)
    wanted = [few[2], few[0], few[1]]
    assert ids(ask("reading-list", "list")) == wanted
    window._go(scope.READING_LIST)
    qtbot.waitUntil(
        lambda: window.table.listing is not None and window.table.listing.ids.tolist() == wanted,
        timeout=WAIT_MS,
    )


def test_18_a_citation_is_copied(qtbot: QtBot, window: MainWindow, ask: Ask) -> None:
    paper = id_of(ask, PDF_OF)
    choose(qtbot, window, paper)
    window.menus.actions["papers.cite"].trigger()
    wanted = ask("cite", paper)["text"].strip()
    clipboard = QGuiApplication.clipboard()
    qtbot.waitUntil(lambda: clipboard.text().strip() == wanted, timeout=WAIT_MS)
    assert "Vaswani" in wanted
    clipboard.clear()


def test_19_a_note_is_found(qtbot: QtBot, window: MainWindow, ask: Ask) -> None:
    paper = id_of(ask, PDF_OF)
    ask("note", "add", paper, "Compare with the convolutional one")
    assert found(qtbot, window, "has:note") == [paper] == ids(ask("search", "has:note"))


def test_20_inside_a_pdf(qtbot: QtBot, window: MainWindow, ask: Ask) -> None:
    (record,) = ask("search", "quokkas", "--inside", "--mode", "lexical")
    assert record["citekey"] == PDF_OF
    assert "page 2" in " ".join(record["why"])
    qtbot.waitUntil(lambda: window.search.inside.isVisible(), timeout=WAIT_MS)
    window.search.inside.setChecked(True)
    assert found(qtbot, window, "quokkas") == [record["id"]]
