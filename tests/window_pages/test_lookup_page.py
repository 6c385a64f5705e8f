"""Looking citations up: what is sent is said first, it runs in a process, it can be undone."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from tests.online_support import Said, Server, bare, fill, make_library, serving
from tests.window_pages.pages_driving import WAIT_MS, click, listed, until

from litscape.online.options import BASES
from litscape.settings import AppSettings, load
from litscape.store.citations import count_citations
from litscape_app.window.pages.lookup_page import lookup_page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from litscape_app.window.main_window import MainWindow
    from litscape_app.window.pages.lookup_page.page import LookupPage

COUNT = 12


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    with serving() as told:
        fill(told, COUNT)
        bases = ";".join(f"{name}={base}" for name, base in told.bases.items())
        monkeypatch.setenv(BASES, bases)
        monkeypatch.setenv("LITSCAPE_LOOKUP_WAITS", "0.01")
        yield told


@pytest.fixture
def birds(
    qtbot: QtBot, make_window: Callable[..., MainWindow], tmp_path: Path, server: Server
) -> MainWindow:
    """A window on a library of twelve papers that know little."""
    make_library(tmp_path / "birds", [bare(n) for n in range(COUNT)]).close()
    window = make_window(AppSettings(embed_after_import=False, theme="light"))
    window.session.open(tmp_path / "birds")
    qtbot.waitUntil(lambda: listed(window) == COUNT, timeout=WAIT_MS)
    return window


def opened(qtbot: QtBot, window: MainWindow) -> LookupPage:
    window.menus.actions["library.lookup"].trigger()
    page = lookup_page(window)
    until(qtbot, page.estimate.text)
    return page


def links(window: MainWindow) -> int:
    library = window.session.library
    assert library is not None
    with library.database.read() as conn:
        return count_citations(conn)


def test_what_is_sent_is_said_before(qtbot: QtBot, birds: MainWindow, server: Server) -> None:
    page = opened(qtbot, birds)
    assert "OpenAlex (api.openalex.org) is sent the OpenAlex id, DOI" in page.form.told.text()
    assert "Crossref" not in page.form.told.text()
    assert page.estimate.text() == "12 papers: at most 3 requests, about 3 s."
    page.form.services["crossref"].box.click()
    page.form.mail.setText("ina@example.org")
    assert "Crossref (api.crossref.org)" in page.form.told.text()
    assert "ina@example.org" in page.form.told.text()
    until(qtbot, lambda: "at most 4 requests" in page.estimate.text())
    page.form.services["crossref"].box.click()
    page.form.services["openalex"].box.click()
    assert page.form.told.text() == "Nothing is sent."
    until(qtbot, lambda: not page.go.isEnabled())
    assert page.estimate.text() == "Choose at least one service."
    assert server.requests == []


def test_a_look_up_fills_links_and_values_and_can_be_undone(
    qtbot: QtBot, birds: MainWindow, server: Server
) -> None:
    page = opened(qtbot, birds)
    page.form.mail.setText("ina@example.org")
    click(qtbot, page.go)
    until(qtbot, page.report.text)
    assert page.report.text().startswith("12 papers of 12 found; 2 requests sent.\n")
    assert links(birds) == 21
    assert "mailto=ina@example.org" in server.requests[0][1]
    until(qtbot, lambda: page.estimate.text().startswith("All of this was answered before"))
    click(qtbot, page.undo)
    until(qtbot, lambda: links(birds) == 0)
    assert page.undo.isHidden()
    assert birds.session.settings.mail == "ina@example.org"
    assert not birds.session.settings.citations_consent


def test_consent_for_the_command_line_is_remembered(qtbot: QtBot, birds: MainWindow) -> None:
    page = opened(qtbot, birds)
    page.consent.click()
    until(qtbot, lambda: load().settings.citations_consent)
    birds.leave_page()
    assert opened(qtbot, birds).consent.isChecked()
    page.consent.click()
    until(qtbot, lambda: not load().settings.citations_consent)


def test_the_window_loads_no_http_client() -> None:
    script = (
        "import litscape_app.window.pages.lookup_page.page, litscape.online.planning, sys;"
        "print('httpx' in sys.modules or 'anyio' in sys.modules or 'asyncio' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == "False"


def test_only_the_chosen_papers(qtbot: QtBot, birds: MainWindow, server: Server) -> None:
    until(qtbot, lambda: not birds.table._listing_slot.running)
    birds.table.table.select_ids((1, 3))
    until(qtbot, lambda: set(birds.session.selection) == {1, 3})
    page = opened(qtbot, birds)
    button = page.form.papers.button("chosen")
    assert button.text() == "Chosen papers (2)"
    click(qtbot, button)
    until(qtbot, lambda: page.estimate.text().startswith("2 papers:"))
    click(qtbot, page.go)
    until(qtbot, page.report.text)
    assert page.report.text().startswith("2 papers of 2 found")
    birds.table.table.select_ids(())
    until(qtbot, lambda: page.form.papers.choice == "all")
    assert not button.isEnabled()


def test_cancelling_keeps_what_was_answered(
    qtbot: QtBot, birds: MainWindow, server: Server
) -> None:
    page = opened(qtbot, birds)
    server.delay = 3600.0
    click(qtbot, page.go)
    until(qtbot, lambda: server.requests)
    click(qtbot, page.running.cancel)
    until(qtbot, lambda: page.report.text().startswith("Cancelled."))
    assert page.go.isVisible()
    assert links(birds) == 0
    server.delay = 0.0
    click(qtbot, page.go)
    until(qtbot, lambda: "12 papers of 12 found" in page.report.text())


def test_a_service_that_fails_is_told_on_the_page(
    qtbot: QtBot, birds: MainWindow, server: Server
) -> None:
    server.fault = lambda _service, _number: Said(401)
    page = opened(qtbot, birds)
    click(qtbot, page.go)
    until(qtbot, page.report.text)
    assert "OpenAlex refused to answer (401); check the key" in page.report.text()
    assert "12 papers not asked about" in page.report.text()
    assert page.undo.isHidden()


def test_a_mail_address_that_is_none_is_told(
    qtbot: QtBot, birds: MainWindow, server: Server
) -> None:
    page = opened(qtbot, birds)
    page.form.mail.setText("not an address")
    click(qtbot, page.go)
    assert "must be an address such as" in page.problem.text.text()
    assert server.requests == []


def test_undo_does_not_reach_past_other_changes(
    qtbot: QtBot, birds: MainWindow, server: Server
) -> None:
    page = opened(qtbot, birds)
    click(qtbot, page.go)
    until(qtbot, page.report.text)
    troubles: list[object] = []
    birds.session.troubled.connect(troubles.append)
    birds.session.write("Tag", lambda library: library.edit.tag(1, "seen"))
    until(qtbot, lambda: not birds.session.busy)
    click(qtbot, page.undo)
    until(qtbot, lambda: troubles)
    assert links(birds) == 21


def test_leaving_the_page_leaves_it_running(
    qtbot: QtBot, birds: MainWindow, server: Server
) -> None:
    said: list[str] = []
    birds.session.told.connect(lambda text, _offer: said.append(text))
    server.delay = 0.3
    page = opened(qtbot, birds)
    click(qtbot, page.go)
    birds.leave_page()
    until(qtbot, lambda: any("12 papers of 12 found" in text for text in said))
    assert links(birds) == 21


def test_details_say_which_values_were_looked_up(qtbot: QtBot, birds: MainWindow) -> None:
    page = opened(qtbot, birds)
    click(qtbot, page.go)
    until(qtbot, page.report.text)
    birds.leave_page()
    birds.table.go_to(2)
    facts = birds.details.page.facts
    until(qtbot, facts.looked_up.text)
    assert facts.looked_up.text() == (
        "Looked up: abstract, topics, MeSH terms, PubMed id, venue and year from OpenAlex."
    )
    assert birds.session.library is not None
    before = birds.session.library.papers.get(2).abstract
    birds.details.edit(2, {"abstract": before}, {"abstract": "Mine."})
    until(qtbot, lambda: "abstract" not in facts.looked_up.text())
