"""The window's process stays light, and Qt's calls do not eat Python's constants."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractTableModel, QObject, Signal
from PySide6.QtGui import QImage, QPainter, QPen
from PySide6.QtWidgets import QApplication, QWidget

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

HEAVY = (
    "torch", "transformers", "sentence_transformers", "umap", "numba", "sklearn", "onnxruntime",
    "onnx", "tokenizers",
)  # fmt: skip
LATER = (
    "litscape.importers.registry", "litscape.search.searcher", "litscape.alike", "litscape.facets",
    "litscape.fulltext", "litscape.models", "litscape.engine", "litscape.evaluation", "citeproc",
    "lxml", "bibtexparser", "pyqtgraph",
)  # fmt: skip
_ACTS = """
import sys, time
from pathlib import Path
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication
from litscape.settings import AppSettings
from litscape_app.window.importing import start_import
from litscape_app.window.main_window import MainWindow
from litscape_app.window.session import Session
from litscape_app.window.theme import Theme

def main():
    app = QApplication([])
    owner = QObject()
    session = Session(Theme(app, "light"), AppSettings(embed_after_import=False), owner)
    window = MainWindow(session)
    window.show()

    def wait(until):
        end = time.monotonic() + 60
        while not until():
            app.processEvents()
            time.sleep(0.002)
            assert time.monotonic() < end, until

    first = []
    window.table.listed.connect(lambda _listing: first or first.extend(sys.modules))
    session.open(Path(sys.argv[1]))
    wait(lambda: window.table.model.rowCount() == 5)
    start_import(session, [Path(sys.argv[2])])
    wait(lambda: window.table.model.rowCount() == 6)
    window.search.line.setText("zebra")
    wait(lambda: window.table.model.rowCount() == 1)
    window.table.table.step(0)
    wait(lambda: window.similar.model.rowCount() > 0)
    window.similarity.resume()
    wait(lambda: window.similarity.running)
    wait(lambda: window.similarity.standing.done > 0)
    window.search.modes.choose("hybrid")
    window.search.search_now()
    wait(lambda: window.table.listing.request.mode == "hybrid")
    print("before the list:", *first)
    print("loaded:", *sorted({name.split(".")[0] for name in sys.modules}))
    window.close()

if __name__ == "__main__":
    main()
"""


def test_the_window_loads_nothing_heavy(folder: Path, tmp_path: Path, tiny_model: Path) -> None:
    source = tmp_path / "one.bib"
    source.write_text("@article{a, title={A sixth paper}, year=2006}", encoding="utf-8")
    script = tmp_path / "acts.py"
    script.write_text(_ACTS, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(script), str(folder), str(source)],
        capture_output=True, text=True, timeout=240,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    loaded = next(line for line in done.stdout.splitlines() if line.startswith("loaded:")).split()
    assert "PySide6" in loaded
    assert set(loaded).isdisjoint(HEAVY)
    before = next(one for one in done.stdout.splitlines() if one.startswith("before")).split()
    assert "litscape.library" in before
    assert set(before).isdisjoint(LATER)  # else the first list waits for what it does not need


class Emitter(QObject):
    told = Signal(int)


class Table(QAbstractTableModel):
    def rowCount(self, _parent: object = None) -> int:
        return 5

    def columnCount(self, _parent: object = None) -> int:
        return 2

    def data(self, _index: object, _role: int = 0) -> None:
        return None


def test_qt_calls_keep_the_counts_of_none_and_true(qapp: QApplication) -> None:
    """PySide6 6.12.0 on Python 3.11 drops one reference a call, until the process aborts."""
    image = QImage(50, 50, QImage.Format.Format_ARGB32)
    painter = QPainter(image)
    widget, emitter, table = QWidget(), Emitter(), Table()
    emitter.told.connect(lambda _value: None)
    acts: list[Callable[[], object]] = [
        painter.save,
        painter.restore,
        lambda: widget.setWindowTitle("a"),
        lambda: widget.resize(10, 10),
        widget.isVisible,
        lambda: emitter.told.emit(1),
        widget.parent,
        lambda: table.itemData(table.index(0, 0)),
        lambda: QPen().setCosmetic(True),
    ]
    for act in acts:
        act()
        before = [sys.getrefcount(one) for one in (None, True, False)]
        for _ in range(1000):
            act()
        after = [sys.getrefcount(one) for one in (None, True, False)]
        # One a call would be 1000; other threads and caches move it by a few.
        assert all(abs(b - a) < 200 for a, b in zip(before, after, strict=True)), (before, after)
    painter.end()
