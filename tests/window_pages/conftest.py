"""A real window on a real library of three papers, and a service that answers look-ups."""

from __future__ import annotations

import json
import shutil
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QObject

sys.path.insert(0, str(Path(__file__).parent))

from pages_driving import PAPERS, WAIT_MS, listed

from litscape.library import Library
from litscape.lookup import Services
from litscape.settings import AppSettings
from litscape_app.window.main_window import MainWindow
from litscape_app.window.session import Session
from litscape_app.window.theme import Theme

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The offscreen platform warns of what it lacks; that is no fault of the window."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.qt_log_ignore("This plugin does not support"))


@pytest.fixture(scope="session")
def _library_of_three(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("libraries") / "Three papers"
    with Library.open(place) as library:
        for paper in PAPERS:
            library.edit.add(paper)
    return place


@pytest.fixture
def folder(tmp_path: Path, _library_of_three: Path) -> Path:
    """The folder of a library of three papers, the test's own."""
    return Path(shutil.copytree(_library_of_three, tmp_path / "Three papers"))


@pytest.fixture
def make_window(qtbot: QtBot, qapp: QApplication) -> Iterator[Callable[..., MainWindow]]:
    """Makes windows and ends them."""
    windows: list[MainWindow] = []

    def make(settings: AppSettings | None = None) -> MainWindow:
        settings = settings or AppSettings(embed_after_import=False, theme="light")
        owner = QObject()
        session = Session(Theme(qapp, settings.theme), settings, owner)
        window = MainWindow(session)
        window.owner = owner  # type: ignore[attr-defined]
        windows.append(window)
        window.resize(1280, 800)
        window.show()
        return window

    yield make
    for window in windows:
        window.close()
        qtbot.addWidget(window)


@pytest.fixture
def window(qtbot: QtBot, make_window: Callable[..., MainWindow], folder: Path) -> MainWindow:
    """A window that shows the three papers."""
    made = make_window()
    made.session.open(folder)
    qtbot.waitUntil(lambda: listed(made) == 3, timeout=WAIT_MS)
    return made


class Desk:
    """A service on this machine that knows one DOI, and notes what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        desk = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                desk.asked.append(self.path)
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
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@pytest.fixture
def service() -> Iterator[Desk]:
    """The service that look-ups are sent to."""
    desk = Desk()
    yield desk
    desk.close()
