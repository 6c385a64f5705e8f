"""A real window that imports a file and embeds it, until it is done or killed.

Run by the kill test: ``python window_driver.py LIBRARY FILE``. Prints ``committed N`` whenever the
import says that N papers are in for good, ``children PID …`` and ``done`` at the end.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from litscape import settings as app_settings
from litscape_app.window.importing import start_import
from litscape_app.window.main_window import MainWindow
from litscape_app.window.session import Session
from litscape_app.window.similarity import Phase
from litscape_app.window.theme import Theme

if TYPE_CHECKING:
    from litscape.paper import ImportReport

_LOOK_MS = 50


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def children() -> list[int]:
    """Processes that this one started: one that imports, those of the engine."""
    lists = Path("/proc/self/task").glob("*/children")
    return sorted(int(pid) for one in lists for pid in one.read_text(encoding="ascii").split())


class Driver:
    """Opens the library, imports, waits for the vectors, quits."""

    def __init__(self, app: QApplication, library: Path, file: Path) -> None:
        self.app = app
        self.file = file
        self.imported = False
        self.pids: list[int] = []
        self.session = Session(Theme(app, "light"), app_settings.AppSettings(), app)
        self.window = MainWindow(self.session)
        self.window.show()
        self.timer = QTimer()
        self.timer.setInterval(_LOOK_MS)
        self.timer.timeout.connect(self.look)
        self.session.changed.connect(lambda _changes: self.tell())
        self.session.troubled.connect(lambda trouble: say(f"failed {trouble.sentence}"))
        self.session.open(library, self.opened)

    def opened(self) -> None:
        start_import(self.session, [self.file], done=self.ended)
        self.timer.start()

    def ended(self, _report: ImportReport) -> None:
        self.imported = True
        self.tell()

    def tell(self) -> None:
        library = self.session.library
        if library is not None:
            say(f"committed {len(library.papers)}")

    def look(self) -> None:
        library = self.session.library
        if library is None:
            return
        if (pids := children()) != self.pids:
            self.pids = pids
            say("children " + " ".join(map(str, pids)))
        standing = self.window.similarity.standing
        if self.imported and standing.phase is Phase.FAILED:
            say(f"failed {standing.problem}")
            self.imported = False  # said once; the harness restarts the window
        if self.imported and standing.phase is Phase.READY:
            say("done")
            self.timer.stop()
            self.window.close()
            self.app.quit()


def main() -> int:
    app = QApplication(sys.argv[:1])
    driver = Driver(app, Path(sys.argv[1]), Path(sys.argv[2]))
    status = app.exec()
    driver.session.close()
    return status


if __name__ == "__main__":
    sys.exit(main())
