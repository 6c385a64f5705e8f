"""How tests drive the pages of the window, and the files that they feed to them."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from tests.windows import listed as listed

from litscape.lookup import Services
from litscape.paper import Author, PaperDraft

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget
    from pytestqt.qtbot import QtBot

    from litscape_app.window.main_window import MainWindow

WAIT_MS = 75_000
BIB = """@article{plover2019,
  title = {Mud and tide},
  author = {Plover, Ina and van Horn, Tom},
  year = {2019},
  journal = {Journal of Mud},
  abstract = {We studied mud.}
}
@article{heron2001,
  title = {Tides of the north},
  author = {Heron, Max},
  year = {in press}
}
@article{broken2020,
  title = {Never closed,
"""
PAPERS = (
    PaperDraft(
        citekey="metal2005",
        type="article",
        title="Metal fatigue in bridges",
        authors=(Author(family="Steel", given="Ann"),),
        year=2005,
        doi="10.1000/182",
        abstract="Bridges tire.",
        collections=(("Works", "Bridges"),),
    ),
    PaperDraft(citekey="birds1999", type="book", title="Birds of the marsh", year=1999),
    PaperDraft(citekey="zebra", type="article", title="Zebra crossings", abstract="Stripes."),
)


def click(qtbot: QtBot, button: QWidget) -> None:
    """Press a button once it can be pressed."""
    qtbot.waitUntil(lambda: button.isVisible() and button.isEnabled(), timeout=WAIT_MS)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def until(qtbot: QtBot, condition: Callable[[], object]) -> None:
    """Wait until something is so."""
    qtbot.waitUntil(lambda: bool(condition()), timeout=WAIT_MS)


def shown(window: MainWindow, name: str) -> bool:
    """Whether a page is the one in the middle."""
    return window.middle.currentWidget() is window.page(name)


class Service:
    """A service on this machine that knows one DOI, and notes what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                service.asked.append(self.path)
                known = "10.5555%2Fmud.1" in self.path
                work = {
                    "DOI": "10.5555/mud.1",
                    "type": "journal-article",
                    "title": ["Mud online"],
                    "author": [{"given": "Ina", "family": "Plover"}],
                    "published": {"date-parts": [[2019]]},
                }
                body = json.dumps({"message": work}).encode() if known else b"Resource not found."
                self.send_response(200 if known else 404)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_parts: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()
        address = f"http://127.0.0.1:{self._server.server_port}"
        self.services = Services(crossref=address, arxiv=f"{address}/arxiv")

    def close(self) -> None:
        """Answer no more."""
        if self._thread.is_alive():
            self._server.shutdown()
            self._thread.join()
            self._server.server_close()
