"""References and citing papers beside the paper that is read."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from tests.citing_library import MUD, cites, citing_draft, make_citing_library, numbered
from tests.window.driving import WAIT_MS, listed
from tests.window_pages.pages_driving import Service

from litscape.errors import UserError
from litscape.graph.outside import draft_of
from litscape.graph.records import OutsideWork
from litscape.library import Library
from litscape.paper import Author, Reference
from litscape_app.window.details.citations import FOLDED, UNKNOWN, _told
from litscape_app.window.details.link_rows import origin_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from litscape_app.window.details.citations import CitationsPart, LinkGroup
    from litscape_app.window.main_window import MainWindow


@pytest.fixture
def citing(qtbot: QtBot, make_window: Callable[..., MainWindow], tmp_path: Path) -> MainWindow:
    """A window on papers that cite each other."""
    window = make_window()
    window.session.open(make_citing_library(tmp_path / "Citing"))
    qtbot.waitUntil(lambda: listed(window) == 11, timeout=WAIT_MS)
    return window


@pytest.fixture
def service() -> Iterator[Service]:
    """The service that look-ups are sent to."""
    one = Service()
    yield one
    one.close()


def show(qtbot: QtBot, window: MainWindow, number: int) -> CitationsPart:
    """Choose a paper and wait for its links."""
    assert window.session.library is not None
    paper = numbered(window.session.library, number)
    part = window.details.page.citations
    window.table.go_to(paper)
    qtbot.waitUntil(lambda: part.links is not None and part.links.paper == paper, timeout=WAIT_MS)
    return part


def titles(group: LinkGroup) -> list[str]:
    """The titles in a group of links."""
    return [row.title for row in group.model.rows]


def click(qtbot: QtBot, group: LinkGroup, row: int, *, button: bool = False) -> None:
    """Click on a row, or on its +."""
    rect = group.list.visualRect(group.model.index(row, 0))
    at = group.list.link_delegate.button(rect).center() if button else rect.center()
    qtbot.mouseClick(group.list.viewport(), Qt.MouseButton.LeftButton, pos=at)


def test_a_wrong_link_is_taken_back_in_the_window(
    qtbot: QtBot, make_window: Callable[..., MainWindow], tmp_path: Path
) -> None:
    told = Reference(title="A long study of mud and tides", year=2001, extra={"author": "Heron"})
    mud = replace(citing_draft(2, 2000), title=told.title, authors=(Author("Heron"),))
    with Library.open(tmp_path / "Wrong") as library:
        library.imports.run_drafts([citing_draft(1, 2005, told, *cites(3)), mud])
        library.imports.run_drafts([citing_draft(3, 1999)])
    window = make_window()
    window.session.open(tmp_path / "Wrong")
    qtbot.waitUntil(lambda: listed(window) == 3, timeout=WAIT_MS)
    part = show(qtbot, window, 1)
    group = part.groups["references"]
    assert [row.matched for row in group.model.rows] == [True, False]
    model, links = group.model, group.list
    assert links.menu_of(model.index(1, 0)) is None
    menu = links.menu_of(model.index(0, 0))
    assert menu is not None
    assert [act.text() for act in menu.actions()] == ["Go to this paper", "Not this paper"]
    menu.actions()[1].trigger()
    qtbot.waitUntil(lambda: part.groups["outside"].number == 1, timeout=WAIT_MS)
    assert titles(group) == ["Paper 3 of the shore"]
    assert titles(part.groups["outside"]) == [told.title]
    # From the other end it is the same link.
    window.session.write("Undo", lambda library: library.history.undo())
    part = show(qtbot, window, 2)
    qtbot.waitUntil(lambda: part.groups["citing"].number == 1, timeout=WAIT_MS)
    part.groups["citing"].list.refused.emit(part.groups["citing"].model.rows[0].paper)
    qtbot.waitUntil(lambda: part.groups["citing"].number == 0, timeout=WAIT_MS)


def test_links_are_counted_folded_and_unfolded(qtbot: QtBot, citing: MainWindow) -> None:
    part = show(qtbot, citing, 1)
    group = part.groups["citing"]
    assert group.heading.text() == "CITED BY (8)"
    assert titles(group) == [f"Paper {number} of the shore" for number in (9, 8, 7, 6, 5)]
    assert part.groups["references"].isHidden()
    assert part.groups["outside"].heading.text() == "REFERENCES OUTSIDE THE LIBRARY (3)"
    assert group.model.rows[0].origin == "From the references in a list, found by its DOI."
    assert group.origin.text() == "From the references in a list, found by its DOI."
    assert part.groups["outside"].origin.text() == "In the list of references of this paper."
    group.more.click()
    qtbot.waitUntil(lambda: len(group.model.rows) == 8, timeout=WAIT_MS)
    assert titles(group)[-1] == "Paper 2 of the shore"
    group.more.click()
    assert len(group.model.rows) == FOLDED


def test_where_many_links_come_from_is_counted() -> None:
    found = "From the references in a.bib, found by its DOI."
    sure = "From the references in a.bib, found by title, first author and year (85% sure)."
    assert _told([found, sure]) == "From the references in a.bib."
    assert _told([found, sure, "From OpenAlex, found by its DOI."]) == (
        "From the references in a.bib (2); from OpenAlex (1)."
    )
    many = [f"From {name}." for name in "abcde"]
    assert _told(many) == "From a (1); from b (1); from c (1); elsewhere (2)."
    assert _told([]) == ""
    work = OutsideWork(0, None, Reference(title="Mud", extra={"service": "openalex"}), 1)
    assert origin_of(work) == "In the list of references that OpenAlex has of this paper."


def test_a_click_goes_to_the_paper(qtbot: QtBot, citing: MainWindow) -> None:
    part = show(qtbot, citing, 1)
    assert citing.session.library is not None
    click(qtbot, part.groups["citing"], 0)
    nine = numbered(citing.session.library, 9)
    qtbot.waitUntil(lambda: citing.session.selection == (nine,), timeout=WAIT_MS)
    qtbot.waitUntil(lambda: titles(part.groups["references"]) == ["Paper 1 of the shore"])


def test_the_keyboard_goes_to_the_paper(qtbot: QtBot, citing: MainWindow) -> None:
    part = show(qtbot, citing, 2)
    listing = part.groups["references"].list
    assert titles(part.groups["references"]) == ["Paper 1 of the shore", "Paper 10 of the shore"]
    listing.setCurrentIndex(part.groups["references"].model.index(1, 0))
    listing.setFocus()
    qtbot.keyClick(listing, Qt.Key.Key_Return)
    assert citing.session.library is not None
    ten = numbered(citing.session.library, 10)
    qtbot.waitUntil(lambda: citing.session.selection == (ten,), timeout=WAIT_MS)


def test_a_work_outside_is_added_and_taken_back(qtbot: QtBot, citing: MainWindow) -> None:
    part = show(qtbot, citing, 1)
    outside = part.groups["outside"]
    row = outside.model.rows[0]
    assert (row.title, row.byline) == (MUD.title, "1999 · Plover · cited by 3 papers of yours")
    click(qtbot, outside, 0, button=True)
    qtbot.waitUntil(lambda: listed(citing) == 12, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: titles(part.groups["references"]) == [MUD.title], timeout=WAIT_MS)
    assert len(outside.model.rows) == 2
    library = citing.session.library
    assert library is not None
    added = library.papers.get("doi:10.5555/mud.1")
    assert (added.year, [one.family for one in added.authors]) == (1999, ["Plover"])
    assert len(library.citations.citing(added.id)) == 3
    citing.session.undo()
    qtbot.waitUntil(lambda: listed(citing) == 11, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: len(outside.model.rows) == 3, timeout=WAIT_MS)


def test_a_work_is_looked_up_only_with_consent(
    qtbot: QtBot, citing: MainWindow, service: Service
) -> None:
    part = show(qtbot, citing, 1)
    part.adder.services = service.services
    part.adder.add(MUD)
    qtbot.waitUntil(lambda: listed(citing) == 12, timeout=WAIT_MS)
    assert service.asked == []
    citing.session.undo()
    qtbot.waitUntil(lambda: listed(citing) == 11, timeout=WAIT_MS)
    citing.session.settings = replace(citing.session.settings, lookup_consent=True)
    part.adder.add(MUD)
    qtbot.waitUntil(lambda: listed(citing) == 12, timeout=WAIT_MS)
    library = citing.session.library
    assert library is not None
    assert len(service.asked) == 1
    assert library.papers.get("doi:10.5555/mud.1").title == "Mud online"


def test_a_look_up_that_fails_still_adds_what_is_known(
    qtbot: QtBot, citing: MainWindow, service: Service
) -> None:
    part = show(qtbot, citing, 1)
    part.adder.services = service.services
    citing.session.settings = replace(citing.session.settings, lookup_consent=True)
    part.adder.add(replace(MUD, doi="10.5555/unknown"))
    qtbot.waitUntil(lambda: listed(citing) == 12, timeout=WAIT_MS)
    library = citing.session.library
    assert library is not None
    assert library.papers.get("doi:10.5555/unknown").title == MUD.title


def test_a_work_of_which_nothing_is_known_is_refused(qtbot: QtBot, citing: MainWindow) -> None:
    part = show(qtbot, citing, 1)
    row = titles(part.groups["outside"]).index("Anon 1950")
    part.groups["outside"].list.act(part.groups["outside"].model.index(row, 0))
    assert "no title" in citing.notice.text.text()
    assert listed(citing) == 11


def test_a_paper_without_links_says_what_would_fill_it(qtbot: QtBot, citing: MainWindow) -> None:
    part = show(qtbot, citing, 11)
    assert part.state.text() == UNKNOWN
    assert part.fill.isVisible()
    assert all(group.isHidden() for group in part.groups.values())


def test_thousands_of_links_come_in_parts(
    qtbot: QtBot, make_window: Callable[..., MainWindow], tmp_path: Path
) -> None:
    with Library.open(tmp_path / "Many") as library:
        library.imports.run_drafts(
            [citing_draft(1, 1990), *(citing_draft(n, 2000, *cites(1)) for n in range(2, 1203))],
            source="a list",
        )
    window = make_window()
    window.session.open(tmp_path / "Many")
    qtbot.waitUntil(lambda: listed(window) == 1202, timeout=WAIT_MS)
    group = show(qtbot, window, 1).groups["citing"]
    assert group.heading.text() == "CITED BY (1,201)"
    group.more.click()
    qtbot.waitUntil(lambda: len(group.model.rows) == 1201, timeout=WAIT_MS)
    assert len({row.paper for row in group.model.rows}) == 1201
    assert group.list.height() <= 400


@pytest.mark.parametrize(
    ("reference", "known"),
    [
        (Reference(source_id="pmid:123"), {"pmid": "123"}),
        (Reference(source_id="arxiv:1706.03762"), {"arxiv": "1706.03762"}),
        (Reference(source_id="openalex:W12"), {"identifiers": {"openalex": "W12"}}),
        (Reference(title="Some  title\nhere"), {"title": "Some title here"}),
        (
            Reference(raw="Noe F, 1999, J MUD, V3, P7", year=1999,
                      extra={"volume": "3", "page": "7", "venue": "J MUD"}),
            {"volume": "3", "pages": "7", "venue": "J MUD", "year": 1999, "title": None},
        ),
        (
            Reference(raw="L. Breiman. Random forests. Machine Learning, 45(1):5-32, 2001."),
            {"title": "Random forests", "year": 2001, "authors": (Author("Breiman"),)},
        ),
    ],
)  # fmt: skip
def test_what_a_reference_says_is_taken(reference: Reference, known: dict[str, object]) -> None:
    draft = draft_of(reference)
    assert {name: getattr(draft, name) for name in known} == known


def test_too_little_is_refused() -> None:
    with pytest.raises(UserError, match="no title and no identifier"):
        draft_of(Reference(raw="Smith 1950", year=1950, source_id="smith1950"))
