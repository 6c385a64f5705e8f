"""How tests drive the window, and the papers they find in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.windows import listed as listed

from litscape.paper import Author, PaperDraft

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from litscape_app.window.main_window import MainWindow

WAIT_MS = 20_000


def draft(number: int, **fields: Any) -> PaperDraft:
    """A paper with everything that lists show."""
    known: dict[str, Any] = {
        "citekey": f"key{number}",
        "type": "article",
        "title": f"Paper number {number}",
        "authors": (Author(family=f"Family{number}", given="Given"),),
        "year": 2000 + number,
        "venue": f"Venue {number % 3}",
        "abstract": f"The abstract of paper {number} speaks of subject{number}.",
    }
    return PaperDraft(**{**known, **fields})


PAPERS = (
    draft(1, title="Attention in rivers", tags=("water",), collections=(("Nature", "Rivers"),)),
    draft(2, title="Birds of the marsh", tags=("water", "wings"), collections=(("Nature",),)),
    draft(3, title="Zebra crossings", year=None, year_raw="in press", venue=None),
    draft(4, title="A <b>bold</b> claim", abstract="An <i>italic</i> & <script>x</script> word."),
    draft(5, title="Metal fatigue in bridges", doi="10.1000/182", notes=("Read again.",)),
)


def titles(window: MainWindow) -> list[str]:
    """The titles in the list, from top to bottom."""
    model = window.table.model
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


def choose(qtbot: QtBot, window: MainWindow, title: str) -> int:
    """Choose a paper by its title and wait until its details show; returns its id."""
    qtbot.waitUntil(
        lambda: title in titles(window), timeout=WAIT_MS
    )  # the list comes in its own time
    row = titles(window).index(title)
    paper = window.table.model.id_at(row)
    window.table.table.go_to(paper)
    qtbot.waitUntil(
        lambda: (
            window.chosen == (paper,)
            and window.details.page.paper is not None
            and window.details.page.paper.id == paper
        ),
        timeout=WAIT_MS,
    )
    return paper
