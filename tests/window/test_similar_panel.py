"""What else papers can be like, how they are ranked, and why they are there, in the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from tests.window.driving import WAIT_MS, choose, draft

from litscape.alike.request import Examples
from litscape.paper import Reference
from litscape.settings import AppSettings
from litscape_app.window.similar.examples import from_text
from litscape_app.window.similar.seeds import Given, Seeds
from litscape_app.window.widgets.chip import Chip

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest
    from PySide6.QtWidgets import QWidget
    from pytestqt.qtbot import QtBot

    from litscape_app.window.main_window import MainWindow
    from litscape_app.window.similar.panel import SimilarPanel


def shown(panel: SimilarPanel) -> list[int]:
    return [hit.paper_id for hit in panel.model.hits]


def top_of(part: QWidget, inside: QWidget) -> int:
    return part.mapTo(inside, QPoint(0, 0)).y()


def chips(panel: SimilarPanel) -> list[str]:
    return [chip.text for chip in panel._chips.findChildren(Chip) if not chip.isHidden()]


def test_a_pasted_text_stays_until_it_is_dropped(qtbot: QtBot, window: MainWindow) -> None:
    zebra = choose(qtbot, window, "Zebra crossings")
    panel = window.similar
    qtbot.waitUntil(lambda: bool(shown(panel)), timeout=WAIT_MS)
    panel.line.setText("An abstract that speaks of subject2 and of zebra crossings")
    panel.line.setFocus()
    qtbot.keyClick(panel.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: zebra in shown(panel), timeout=WAIT_MS)
    assert panel.line.text() == ""
    assert len(chips(panel)) == 1
    panel.more_like(zebra)
    panel.line.setText("Another text on the marsh")
    qtbot.keyClick(panel.line, Qt.Key.Key_Return)  # takes the place of all that was said before
    qtbot.waitUntil(lambda: chips(panel) == ["“Another text on the marsh”"], timeout=WAIT_MS)
    panel.line.setText("A third text")
    qtbot.keyClick(panel.line, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: len(panel.seeds.given) == 2, timeout=WAIT_MS)
    panel._forget(panel.seeds.given[1])
    choose(qtbot, window, "Birds of the marsh")
    assert len(panel.seeds.given) == 1
    assert panel.seeds.base == ()
    qtbot.waitUntil(lambda: chips(panel) == ["“Another text on the marsh”"], timeout=WAIT_MS)
    panel._forget(panel.seeds.given[0])
    qtbot.waitUntil(lambda: panel.seeds.base == window.chosen, timeout=WAIT_MS)


def test_what_is_given_joins_what_was_chosen_and_names_each_paper_once() -> None:
    text = Given("“A text”", Examples(texts=("A text",)))
    third = Given("Third", Examples(papers=(3,)))
    seeds = Seeds(base=(1,), more=(3,), less=(4,)).joined(text)
    assert seeds == Seeds((), more=(1, 3), less=(4,), given=(text,))
    assert seeds.joined(third) == Seeds((), more=(1,), less=(4,), given=(text, third))
    assert seeds.joined(third).joined(text).given == (third, text)
    assert Seeds(base=(3,), less=(4,)).joined(third) == Seeds(less=(4,), given=(third,))
    unlike = Seeds(base=(1,), less=(3,)).joined(third)
    assert (unlike.more, unlike.less) == ((1,), ())
    many = Seeds(base=(1, 2)).joined(text)
    assert [one.name for one in many.given] == ["2 chosen papers", "“A text”"]
    assert many.given[0].examples.papers == (1, 2)


def test_chosen_papers_beyond_those_compared_are_not_found(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("litscape_app.window.similar.panel._MOST_SEEDS", 2)
    panel = window.similar
    ids = tuple(window.table.model.ids.tolist())
    assert len(ids) == 5
    window.table.table.select_ids(ids[:4], ids[0])
    qtbot.waitUntil(lambda: len(panel.seeds.beyond) == 2, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: shown(panel) == [ids[4]], timeout=WAIT_MS)
    assert panel.answer is not None
    assert panel.answer.remarks[0] == "Like the first 2 of 4 chosen papers."


def test_why_the_chosen_hit_is_there(qtbot: QtBot, window: MainWindow) -> None:
    choose(qtbot, window, "Zebra crossings")
    panel = window.similar
    qtbot.waitUntil(lambda: bool(shown(panel)), timeout=WAIT_MS)
    assert panel.why.isHidden()
    panel.list.setCurrentIndex(panel.model.index(0, 0))
    qtbot.waitUntil(lambda: panel.why.told is not None, timeout=WAIT_MS)
    told = panel.why.told
    assert told is not None
    assert told.paper_id == shown(panel)[0]
    assert told.sentence.startswith("The abstract of paper")
    assert sum(share for _name, share in told.shares) > 0.99
    assert panel.why._bar.accessibleName().startswith("Shares of the score: ")
    assert panel.why.height() <= panel._body.height() // 3 + 4
    panel.tune.click()
    qtbot.waitUntil(lambda: len(panel.options.sliders) == 11, timeout=WAIT_MS)
    page, last = panel.options.viewport(), panel.options.sliders["related"]
    qtbot.waitUntil(
        lambda: page.rect().contains(last.mapTo(page, last.rect().bottomLeft())), timeout=WAIT_MS
    )
    panel.tune.click()
    marks = window.details.page.marks
    assert marks.in_list.y() == marks.state.y()  # in one line


def test_years_weights_and_the_learners_sentence(qtbot: QtBot, window: MainWindow) -> None:
    choose(qtbot, window, "Zebra crossings")
    panel = window.similar
    qtbot.waitUntil(lambda: len(shown(panel)) > 1, timeout=WAIT_MS)
    before = shown(panel)
    panel.tune.click()
    options = panel.options
    assert panel._stack.currentWidget() is options
    assert options.learner.text() == "Ranked by closeness to it."
    assert not options.narrowed
    options.after.setText("2002")
    qtbot.waitUntil(lambda: shown(panel) != before, timeout=WAIT_MS)
    assert panel.answer is not None
    assert panel.answer.request is not None
    assert panel.answer.request.newer_than == 2002
    options.after.clear()
    assert options.sliders["vector"].value() == 40
    options.sliders["lexical"].setValue(0)
    qtbot.waitUntil(lambda: panel.answer.weights["lexical"] == 0, timeout=WAIT_MS)  # type: ignore[union-attr]
    assert options.default.isEnabled()
    options.default.click()
    qtbot.waitUntil(lambda: shown(panel) == before, timeout=WAIT_MS)
    assert options.sliders["lexical"].value() == 60
    panel.tune.click()
    assert panel._stack.currentWidget() is panel._hits


def test_a_dropped_file_is_read_and_not_imported(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    file = tmp_path / "two.bib"
    file.write_text(
        "@article{a, title={Zebra crossings}}\n@article{b, title={Of subject2 and zebra}}\n"
    )
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file))])
    panel = window.similar
    event = QDropEvent(
        QPointF(5, 5), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    panel.dropEvent(event)
    qtbot.waitUntil(lambda: bool(panel.seeds.given), timeout=WAIT_MS)
    assert panel.seeds.given[0].name == "two.bib (2 records)"
    assert window.session.library is not None
    assert len(window.session.library.papers.ids()) == 5


def test_what_to_read_next_where_nothing_is_chosen(qtbot: QtBot, window: MainWindow) -> None:
    paper = choose(qtbot, window, "Zebra crossings")
    panel = window.similar
    done: list[object] = []
    window.session.write(
        "Rate", lambda library: library.edit.mark([paper], rating=5), done=done.append
    )
    qtbot.waitUntil(lambda: bool(done), timeout=WAIT_MS)
    window.session.select(())
    qtbot.waitUntil(lambda: bool(panel.answer and panel.answer.next_reading), timeout=WAIT_MS)
    qtbot.waitUntil(lambda: bool(shown(panel)), timeout=WAIT_MS)
    assert paper not in shown(panel)
    assert panel.note.text().startswith("Read next")
    assert "Zebra crossings” (rated 5)" in panel.model.hits[0].why


def test_an_unknown_doi_is_not_looked_up_without_consent(
    qtbot: QtBot, make_window: Callable[..., MainWindow], folder: Path
) -> None:
    window = make_window(AppSettings(lookup_consent=False, embed_after_import=False))
    window.session.open(folder)
    qtbot.waitUntil(lambda: window.session.library is not None, timeout=WAIT_MS)
    panel = window.similar
    panel.line.setText("10.1000/nobody")
    panel.line.setFocus()
    qtbot.keyClick(panel.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "not in the library" in panel.state.text(), timeout=WAIT_MS)
    assert panel.seeds.given == ()
    assert from_text("A plain title", window.session)(window.session.library, None).examples.texts  # type: ignore[arg-type]


def test_too_few_links_to_learn_from_are_told(qtbot: QtBot, window: MainWindow) -> None:
    options = window.similar.options
    qtbot.waitUntil(lambda: "default" in options.learned.text(), timeout=WAIT_MS)
    options.learn.click()
    assert not options.learn.isEnabled()
    qtbot.waitUntil(lambda: "too few links" in options.learned.text(), timeout=WAIT_MS)
    assert options.learn.isEnabled()


def test_works_outside_are_shown_and_come_in(qtbot: QtBot, window: MainWindow) -> None:
    zebra = choose(qtbot, window, "Zebra crossings")
    library = window.session.library
    assert library is not None
    work = Reference(title="The great book of zebras", year=1999, doi="10.1000/zebras")
    citing = draft(8, title="More zebra crossings", references=(work,))
    done: list[object] = []
    window.session.write("Add", lambda library: library.edit.add(citing), done=done.append)
    qtbot.waitUntil(lambda: bool(done), timeout=WAIT_MS)
    panel = window.similar
    panel.beyond.click()
    qtbot.waitUntil(lambda: shown(panel) == [-1], timeout=WAIT_MS)
    hit = panel.model.hits[0]
    assert hit.title == "The great book of zebras"
    assert "cited by 1 paper like it" in hit.why
    before = len(library.papers.ids())
    panel.list.more_like.emit(-1)
    qtbot.waitUntil(lambda: len(library.papers.ids()) == before + 1, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: "No work outside" in panel.state.text(), timeout=WAIT_MS)
    assert window.chosen == (zebra,)


def test_limits_say_what_they_do(qtbot: QtBot, window: MainWindow) -> None:
    choose(qtbot, window, "Zebra crossings")
    panel, options = window.similar, window.similar.options
    qtbot.waitUntil(lambda: bool(shown(panel)), timeout=WAIT_MS)
    options.within.setText("is:foo")
    qtbot.waitUntil(lambda: "foo" in panel.note.text(), timeout=WAIT_MS)
    options.within.clear()
    options.after.setText("2020")
    options.before.setText("2018")
    nothing = "No other paper is left by the limits: after 2020, before 2018."
    qtbot.waitUntil(lambda: panel.state.text() == nothing, timeout=WAIT_MS)
    assert panel.start.isHidden()  # computing similarity would change nothing
    panel.tune.click()  # the sentence stands above the page of options, too
    assert nothing in panel.note.text()
    options.after.setText("abc")
    assert options.fault.text() == "“abc” is no year; years have four digits."
    qtbot.waitUntil(lambda: top_of(options.fault, options) > 0, timeout=WAIT_MS)
    assert top_of(options.after, options) < top_of(options.fault, options)
    assert top_of(options.fault, options) < top_of(options.within, options)
    options.after.clear()
    assert options.fault.isHidden()


def test_the_reader_shows_what_keys_act_on(qtbot: QtBot, window: MainWindow) -> None:
    zebra = choose(qtbot, window, "Zebra crossings")
    panel, details = window.similar, window.details
    qtbot.waitUntil(lambda: len(shown(panel)) > 2, timeout=WAIT_MS)
    panel.list.setFocus()
    panel.list.setCurrentIndex(panel.model.index(0, 0))
    qtbot.keyClick(panel.list, Qt.Key.Key_Down)
    hit = shown(panel)[1]
    assert details.ids == (hit,)
    window.table.table.setFocus()  # as a click does, which chooses nothing new
    qtbot.waitUntil(lambda: details.ids == (zebra,), timeout=WAIT_MS)
    panel.list.setFocus()
    qtbot.keyClick(panel.list, Qt.Key.Key_Up)
    first = shown(panel)[0]
    assert details.ids == (first,)
    qtbot.keyClick(panel.list, Qt.Key.Key_Minus)
    qtbot.waitUntil(lambda: first not in shown(panel), timeout=WAIT_MS)
    assert details.ids == (shown(panel)[panel.list.currentIndex().row()],)
    assert window.chosen == (zebra,)
