from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QTextCursor, QTextDocument
from PySide6.QtWidgets import QLabel, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget
from tests.window.driving import WAIT_MS, choose, titles

from litscape.library import Library
from litscape_app.window.details.editable import Editable
from litscape_app.window.details.links import is_web, links_of, open_address, open_file
from litscape_app.window.details.prose import Prose, ProseEdit

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from litscape.paper import Paper
    from litscape_app.window.main_window import MainWindow


def write(qtbot: QtBot, part: Editable, text: str) -> None:
    """Edit a value like a person: begin, write over it, keep."""
    part.begin()
    editor = part.focusProxy()
    assert isinstance(editor, QLineEdit | ProseEdit)
    editor.selectAll()
    qtbot.keyClicks(editor, text)
    qtbot.keyClick(editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)


def test_markup_from_a_source_is_shown_as_it_is(qtbot: QtBot, window: MainWindow) -> None:
    choose(qtbot, window, "A <b>bold</b> claim")
    page = window.details.page
    for part, text in (
        (page.title, "A <b>bold</b> claim"),
        (page.abstract, "An <i>italic</i> & <script>x</script> word."),
    ):
        assert isinstance(part.shown, Prose)
        assert part.shown.toPlainText() == text
    formats = {part.textFormat() for part in window.findChildren(QLabel) if part.text()}
    assert formats == {Qt.TextFormat.PlainText}


def test_a_title_is_edited_where_it_stands(qtbot: QtBot, window: MainWindow) -> None:
    choose(qtbot, window, "Zebra crossings")
    write(qtbot, window.details.page.title, "Zebras, crossing")
    qtbot.waitUntil(lambda: "Zebras, crossing" in titles(window), timeout=WAIT_MS)
    window.session.undo()
    qtbot.waitUntil(lambda: "Zebra crossings" in titles(window), timeout=WAIT_MS)


def test_escape_leaves_the_value(qtbot: QtBot, window: MainWindow) -> None:
    choose(qtbot, window, "Zebra crossings")
    part = window.details.page.title
    part.begin()
    editor = part.focusProxy()
    assert editor is not None
    qtbot.keyClicks(editor, "nonsense")
    qtbot.keyClick(editor, Qt.Key.Key_Escape)
    assert not part.editing
    assert part.value == "Zebra crossings"


def test_authors_come_back_as_they_were_written(qtbot: QtBot, window: MainWindow) -> None:
    choose(qtbot, window, "Zebra crossings")
    page = window.details.page
    write(qtbot, page.authors, "van der Berg, Anna; {World Health Organization}; Li, Wei")
    qtbot.waitUntil(
        lambda: page.paper is not None and len(page.paper.authors) == 3, timeout=WAIT_MS
    )
    assert page.paper is not None
    assert page.paper.authors[1].literal == "World Health Organization"
    assert page.authors.value == "van der Berg, Anna; {World Health Organization}; Li, Wei"
    shown = page.authors.shown
    assert isinstance(shown, QLabel)
    assert shown.text() == "Anna van der Berg, World Health Organization, Wei Li"


def test_a_wrong_value_is_refused_in_a_sentence(qtbot: QtBot, window: MainWindow) -> None:
    choose(qtbot, window, "Zebra crossings")
    window.details.page.facts.edit("doi")
    write(qtbot, window.details.page.facts.rows["doi"][1], "no doi")
    qtbot.waitUntil(window.notice.isVisible, timeout=WAIT_MS)
    assert "DOI" in window.notice.text.text()
    assert window.details.page.paper is not None
    assert window.details.page.paper.doi is None


def test_a_year_may_be_words(qtbot: QtBot, window: MainWindow) -> None:
    choose(qtbot, window, "Metal fatigue in bridges")
    page = window.details.page
    write(qtbot, page.facts.rows["year"][1], "forthcoming")
    qtbot.waitUntil(
        lambda: page.paper is not None and page.paper.year_raw == "forthcoming", timeout=WAIT_MS
    )
    write(qtbot, page.facts.rows["year"][1], "2019")
    qtbot.waitUntil(lambda: page.paper is not None and page.paper.year == 2019, timeout=WAIT_MS)


def test_tags_are_added_and_taken_off(qtbot: QtBot, window: MainWindow) -> None:
    choose(qtbot, window, "Zebra crossings")
    page = window.details.page
    window.table.table.setFocus()
    qtbot.keyClick(window.table.table, "T")
    assert page.tags.line.hasFocus()
    qtbot.keyClicks(page.tags.line, "stripes")
    qtbot.keyClick(page.tags.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: page.tags.names == ("stripes",), timeout=WAIT_MS)
    page.tags.removed.emit("stripes")
    qtbot.waitUntil(lambda: page.tags.names == (), timeout=WAIT_MS)


def test_a_paper_goes_into_a_collection_and_out(qtbot: QtBot, window: MainWindow) -> None:
    choose(qtbot, window, "Zebra crossings")
    row = window.details.page.collections
    window.table.table.setFocus()
    qtbot.keyClick(window.table.table, "C")
    qtbot.keyClicks(row.line, "Nature/Rivers")
    # With completions open, keys go to them first.
    qtbot.keyClick(row.line.completer().popup(), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: row.names == ("Nature/Rivers",), timeout=WAIT_MS)
    row.removed.emit("Nature/Rivers")
    qtbot.waitUntil(lambda: row.names == (), timeout=WAIT_MS)


def test_notes_are_written_changed_and_emptied(qtbot: QtBot, window: MainWindow) -> None:
    choose(qtbot, window, "Zebra crossings")
    page = window.details.page
    page.write_note()
    note = page._note_list.itemAt(0).widget()  # type: ignore[union-attr]
    assert isinstance(note, Editable)
    editor = note.focusProxy()
    assert editor is not None
    qtbot.keyClicks(editor, "First; a thought")
    qtbot.keyClick(editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(
        lambda: page.paper is not None and page.paper.notes == ("First; a thought",),
        timeout=WAIT_MS,
    )


def test_long_text_is_as_high_as_its_lines(qtbot: QtBot) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    layout = QVBoxLayout(page)
    prose = Prose()
    layout.addWidget(prose)
    layout.addStretch()

    def cut() -> bool:
        whole = prose.document().clone()
        assert isinstance(whole, QTextDocument)
        whole.setTextWidth(prose.viewport().width())
        return prose.height() < whole.size().height()

    prose.show_text("Some words of an abstract, and again. " * 30)
    page.resize(300, 900)
    page.show()
    for width in (300, 500, 240):
        page.resize(width, 900)
        qtbot.waitUntil(lambda: not cut(), timeout=WAIT_MS)
        page.hide()
        prose.show_text(f"{width} other words of an abstract, and again. " * 40)
        page.resize(width + 60, 900)
        page.show()
        qtbot.waitUntil(lambda: not cut(), timeout=WAIT_MS)


def test_a_note_keeps_its_lines(qtbot: QtBot, window: MainWindow) -> None:
    choose(qtbot, window, "Metal fatigue in bridges")
    page = window.details.page
    note = page._note_list.itemAt(0).widget()  # type: ignore[union-attr]
    assert isinstance(note, Editable)
    note.begin()
    hints = [part.text() for part in note.findChildren(QLabel) if "saves" in part.text()]
    assert hints == ["Enter saves · Shift+Enter begins a line · Esc cancels"]
    editor = note.focusProxy()
    assert isinstance(editor, QPlainTextEdit)
    editor.moveCursor(QTextCursor.MoveOperation.End)
    for line in ("Cracks:", "- at welds", "", "- at rivets"):
        qtbot.keyClick(editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
        qtbot.keyClicks(editor, line)
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    written = "Read again.\nCracks:\n- at welds\n\n- at rivets"
    qtbot.waitUntil(
        lambda: page.paper is not None and page.paper.notes == (written,), timeout=WAIT_MS
    )
    again = page._note_list.itemAt(0).widget()  # type: ignore[union-attr]
    assert isinstance(again, Editable)
    assert isinstance(again.shown, Prose)
    assert again.shown.toPlainText() == written
    again.begin()
    again.keep()  # nothing was changed: nothing is stored
    assert not window.session.busy
    window.table.table.setFocus()
    window.menus.actions["edit.undo"].trigger()
    qtbot.waitUntil(
        lambda: page.paper is not None and page.paper.notes == ("Read again.",), timeout=WAIT_MS
    )


def test_an_abstract_keeps_its_paragraphs_when_it_is_edited(
    qtbot: QtBot, window: MainWindow
) -> None:
    choose(qtbot, window, "Zebra crossings")
    page = window.details.page
    page.abstract.begin()
    editor = page.abstract.focusProxy()
    assert isinstance(editor, QPlainTextEdit)
    editor.setPlainText("One line\nand another.\n\nA new paragraph.")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    kept = "One line and another.\n\nA new paragraph."
    qtbot.waitUntil(lambda: page.paper is not None and page.paper.abstract == kept, timeout=WAIT_MS)


def test_the_citekey_is_copied(qtbot: QtBot, window: MainWindow) -> None:
    choose(qtbot, window, "Zebra crossings")
    window.menus.actions["papers.copy"].trigger()
    assert QGuiApplication.clipboard().text() == "key3"


def test_the_years_of_many_papers_are_those_of_all(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("litscape_app.window.details.panel._SAMPLE", 2)
    window.table.table.selectAll()
    bulk = window.details.bulk
    qtbot.waitUntil(lambda: bulk.years.text() == "2001 to 2005", timeout=WAIT_MS)
    assert window.session.library is not None
    assert window.session.library.papers.years([]) is None


def test_many_papers_are_edited_at_once(qtbot: QtBot, window: MainWindow) -> None:
    window.table.table.selectAll()
    bulk = window.details.bulk
    qtbot.waitUntil(bulk.isVisible, timeout=WAIT_MS)
    assert bulk.title.text() == "5 papers chosen"
    assert bulk.years.text() == "2001 to 2005"
    bulk.field.setCurrentIndex(bulk.field.findData("venue"))
    qtbot.keyClicks(bulk.value, "One Venue")
    qtbot.mouseClick(bulk.apply, Qt.MouseButton.LeftButton)
    library = window.session.library
    assert library is not None
    qtbot.waitUntil(
        lambda: {row.venue for row in library.papers.rows(library.papers.ids())} == {"One Venue"},
        timeout=WAIT_MS,
    )
    window.session.undo()
    qtbot.waitUntil(
        lambda: len({row.venue for row in library.papers.rows(library.papers.ids())}) > 1,
        timeout=WAIT_MS,
    )


def test_links_lead_where_identifiers_say(qtbot: QtBot, window: MainWindow) -> None:
    choose(qtbot, window, "Metal fatigue in bridges")
    paper = window.details.page.paper
    assert paper is not None
    assert [link.address for link in links_of(paper)] == ["https://doi.org/10.1000/182"]


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "file:///etc/passwd",
        "ftp://x.org",
        "http:",
        "",
        "x",
        "http://[",
        "http://x]",
    ],
)
def test_only_web_addresses_are_opened(address: str) -> None:
    assert not is_web(address)
    assert not open_address(address)


def test_a_missing_file_is_told(tmp_path: object) -> None:
    assert "no file" in open_file(f"{tmp_path}/gone.pdf")
    assert "without its folder" in open_file("gone.pdf")


def elsewhere(window: MainWindow, paper: int, fields: dict[str, object]) -> None:
    """Another program edits the paper."""
    library = window.session.library
    assert library is not None
    with Library.open(library.folder) as other:
        other.edit.edit([paper], fields)


def stored(window: MainWindow, paper: int) -> Paper:
    assert window.session.library is not None
    return window.session.library.papers.get(paper)


def begun(part: Editable, text: str) -> QLineEdit | ProseEdit:
    """Something is being written."""
    if not part.editing:
        part.begin()
    editor = part.focusProxy()
    assert isinstance(editor, QLineEdit | ProseEdit)
    editor.selectAll()
    editor.setText(text) if isinstance(editor, QLineEdit) else editor.setPlainText(text)
    return editor


def enter(qtbot: QtBot, editor: QWidget) -> None:
    qtbot.keyClick(editor, Qt.Key.Key_Return)


@pytest.mark.parametrize("seen", [False, True], ids=["at once", "after a look"])
def test_a_note_joins_those_that_others_wrote_meanwhile(
    qtbot: QtBot, window: MainWindow, seen: bool
) -> None:
    paper = choose(qtbot, window, "Zebra crossings")
    page = window.details.page
    page.write_note()
    note = page._notes_shown()[-1]
    editor = begun(note, "Mine")
    elsewhere(window, paper, {"notes": ["Theirs"]})
    if seen:
        window.session.refreshed.emit()
        qtbot.waitUntil(lambda: len(page._notes_shown()) == 2, timeout=WAIT_MS)
        assert note.editing
        assert note.written == "Mine"
    enter(qtbot, editor)
    qtbot.waitUntil(lambda: len(stored(window, paper).notes) == 2, timeout=WAIT_MS)
    assert stored(window, paper).notes == ("Theirs", "Mine")
    qtbot.waitUntil(
        lambda: [part.value for part in page._notes_shown()] == ["Theirs", "Mine"], timeout=WAIT_MS
    )


def test_two_versions_of_a_note_are_both_kept(qtbot: QtBot, window: MainWindow) -> None:
    paper = choose(qtbot, window, "Metal fatigue in bridges")
    editor = begun(window.details.page._notes_shown()[0], "Read in May.")
    elsewhere(window, paper, {"notes": ["Read in June.", "Another."]})
    enter(qtbot, editor)
    qtbot.waitUntil(lambda: "both are kept" in window.toast.text.text(), timeout=WAIT_MS)
    assert stored(window, paper).notes == ("Read in June.", "Another.", "Read in May.")


@pytest.mark.parametrize(
    ("field", "theirs", "mine"),
    [
        ("title", "Their title", "My title"),
        ("abstract", "Their abstract.", "My abstract."),
        ("authors", "Theirs, A.", "Mine, B."),
        ("venue", "Their venue", "My venue"),
        ("year", 1901, "1902"),
    ],
)
@pytest.mark.parametrize("replaced", [True, False], ids=["mine", "theirs"])
def test_a_value_that_others_changed_meanwhile_is_asked_about(
    qtbot: QtBot, window: MainWindow, field: str, theirs: object, mine: str, replaced: bool
) -> None:
    paper = choose(qtbot, window, "Attention in rivers")
    part = window.details.page._part(field)
    editor = begun(part, mine)
    elsewhere(window, paper, {field: theirs})
    enter(qtbot, editor)
    qtbot.waitUntil(lambda: part.asking, timeout=WAIT_MS)
    kept = getattr(stored(window, paper), field)
    assert part.written == mine
    said = " ".join(one.text() for one in part.findChildren(QLabel) if one.isVisible())
    assert "changed meanwhile" in said
    assert part.value in said
    window.table.table.setFocus()  # going elsewhere decides nothing
    assert part.asking
    again = part.focusProxy()
    assert again is not None
    again.setFocus()
    qtbot.keyClick(again, Qt.Key.Key_Return if replaced else Qt.Key.Key_Escape)
    if replaced:
        qtbot.waitUntil(lambda: getattr(stored(window, paper), field) != kept, timeout=WAIT_MS)
        qtbot.waitUntil(lambda: part.value == mine, timeout=WAIT_MS)
    else:
        assert part.value == str(theirs)
        assert getattr(stored(window, paper), field) == kept


def test_what_was_written_is_not_lost_with_another_paper(qtbot: QtBot, window: MainWindow) -> None:
    paper = choose(qtbot, window, "Attention in rivers")
    part = window.details.page.title
    editor = begun(part, "My title")
    elsewhere(window, paper, {"title": "Their title"})
    enter(qtbot, editor)
    qtbot.waitUntil(lambda: part.asking, timeout=WAIT_MS)
    choose(qtbot, window, "Zebra crossings")
    qtbot.waitUntil(window.notice.isVisible, timeout=WAIT_MS)
    assert "title" in window.notice.text.text()
    assert stored(window, paper).title == "Their title"
    assert part.value == "Zebra crossings"
    assert "My title" in window.notice._details


def test_an_untouched_value_is_not_written_over_a_newer_one(
    qtbot: QtBot, window: MainWindow
) -> None:
    paper = choose(qtbot, window, "Attention in rivers")
    part = window.details.page.facts.rows["venue"][1]
    part.begin()
    elsewhere(window, paper, {"venue": "Their venue"})
    window.session.refreshed.emit()
    qtbot.waitUntil(lambda: part.value == "Their venue", timeout=WAIT_MS)
    assert part.editing
    part.keep()
    assert not part.asking
    assert stored(window, paper).venue == "Their venue"


def test_taking_out_of_a_collection_leaves_the_others(qtbot: QtBot, window: MainWindow) -> None:
    paper = choose(qtbot, window, "Attention in rivers")
    elsewhere(window, paper, {"collections": [["Nature", "Rivers"], ["Theirs"]]})
    window.details.page.collections.removed.emit("Nature/Rivers")
    qtbot.waitUntil(lambda: stored(window, paper).collections == (("Theirs",),), timeout=WAIT_MS)


def test_clearing_a_field_of_many_is_asked(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.table.table.selectAll()
    bulk = window.details.bulk
    qtbot.waitUntil(lambda: window.details.currentWidget() is bulk, timeout=WAIT_MS)
    asked: list[str] = []
    answers = [False, True]

    def confirm(*parts: object) -> bool:
        asked.append(str(parts[1]))
        return answers.pop(0)

    monkeypatch.setattr("litscape_app.window.details.panel.confirm", confirm)
    bulk.field.setCurrentIndex(bulk.field.findData("year"))
    qtbot.mouseClick(bulk.apply, Qt.MouseButton.LeftButton)
    qtbot.wait(50)
    assert asked == ["Clear the year of 5 papers"]
    assert stored(window, 1).year == 2001
    qtbot.mouseClick(bulk.apply, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: stored(window, 1).year is None, timeout=WAIT_MS)
    qtbot.waitUntil(
        lambda: window.toast.text.text() == "Cleared the year of 5 papers", timeout=WAIT_MS
    )


def test_f2_chooses_the_title_as_a_whole(qtbot: QtBot, window: MainWindow) -> None:
    choose(qtbot, window, "Zebra crossings")
    window.menus.actions["papers.edit"].trigger()
    editor = window.details.page.title.focusProxy()
    assert isinstance(editor, ProseEdit)
    assert editor.textCursor().selectedText() == "Zebra crossings"


def test_a_very_long_title_scrolls_in_itself(qtbot: QtBot, window: MainWindow) -> None:
    choose(qtbot, window, "Zebra crossings")
    shown = window.details.page.title.shown
    assert isinstance(shown, Prose)
    low = shown.height()
    shown.show_text("A word of many " * 700)
    assert low < shown.height() < 8 * low
    assert shown.verticalScrollBar().maximum() > 0
