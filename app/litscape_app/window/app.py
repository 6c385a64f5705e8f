"""Starting the window."""

from __future__ import annotations

import gc
import logging
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from litscape import settings as app_settings
from litscape.log import logging_to_file

if TYPE_CHECKING:
    from types import TracebackType

log = logging.getLogger(__name__)
SWITCH_S = 0.0001
"""Threads hand Python over this often. The window asks for it anew after each call of Qt, dozens
of times for one key, and waits as long each time while an import is at work (which takes a tenth
longer for it)."""


def run(
    library: Path | None = None, *, example: bool = False, argv: list[str] | None = None
) -> int:
    """Show the window until it is closed; returns the exit status.

    Args:
        library: folder to open; by default the library opened last, or else the first-run page.
        example: open the example library instead.
        argv: arguments for Qt.
    """
    with logging_to_file():
        return _run(library, example, argv if argv is not None else [sys.argv[0]])


def _run(library: Path | None, example: bool, argv: list[str]) -> int:
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    sys.setswitchinterval(SWITCH_S)
    gc.disable()  # see Collector; nothing is let go while the window is made
    from PySide6.QtGui import QIcon
    from PySide6.QtWidgets import QApplication

    from litscape_app.window.collector import Collector
    from litscape_app.window.libraries import open_example_in
    from litscape_app.window.main_window import MainWindow
    from litscape_app.window.session import Session
    from litscape_app.window.theme import Theme
    from litscape_resources import logo

    app = QApplication(argv)
    app.setApplicationName("Litscape")
    app.setDesktopFileName("litscape")
    app.setWindowIcon(QIcon(str(logo())))
    loaded = app_settings.load()
    theme = Theme(app, loaded.settings.theme)
    session = Session(theme, loaded.settings, app)
    window = MainWindow(session)
    _catch_bugs(session)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_ignored: window.end())
    window.show()
    folder = library or last_library(loaded.settings)
    if example:
        open_example_in(session)
    elif folder is not None:
        window.open_library(folder, create=library is not None)
    if loaded.notices:
        session.say(" ".join(loaded.notices))
    collector = Collector(lambda: session.busy, app)
    try:
        return app.exec()
    finally:
        collector.close()


def last_library(settings: app_settings.AppSettings) -> Path | None:
    """The library opened last that is still there."""
    for name in settings.recent:
        if (Path(name) / "library.sqlite").is_file():
            return Path(name)
    return None


def _catch_bugs(session: object) -> None:
    """A bug in a slot is logged and shown, and the window goes on."""
    from litscape_app.window.session import Session

    assert isinstance(session, Session)

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        log.error("unhandled error", exc_info=(kind, error, trace))
        session.dispatcher.post(lambda: session.trouble(error))

    sys.excepthook = hook
