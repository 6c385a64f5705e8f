"""A window on 114,337 papers with vectors: from a keystroke to its list, and the memory it takes.

The library is that of ``search.py``; a copy is opened, offscreen, as the program opens it.
"""

from __future__ import annotations

import os
import resource
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from corpora import CACHE, DATA, load
from litscape.engine import Engine
from litscape.models.bundled import bundled_card
from search import NAME, queries
from window import wait

if TYPE_CHECKING:
    from litscape_app.window.main_window import MainWindow

TYPED = 40
LIST_MS, MEMORY_MB = 100, 500


def resident() -> float:
    """MB of this process in memory now; the children are not in it."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def type_word(window: MainWindow, word: str) -> list[float]:
    """Type a word letter by letter; milliseconds from each letter on to the list it leads to."""
    taken = []
    for end in range(3, min(len(word), 12) + 1):
        listed: list[float] = []
        connection = window.table.listed.connect(
            lambda *_told, listed=listed: listed.append(time.perf_counter())
        )
        began = time.perf_counter()
        window.search.line.setText(word[:end])
        wait(lambda listed=listed: bool(listed))
        window.table.listed.disconnect(connection)
        taken.append(1000 * (listed[0] - began))
    window.search.line.clear()
    wait(lambda: not window.table._listing_slot.running)
    return taken


def measure(folder: Path, words: list[str]) -> None:
    from PySide6.QtCore import QObject
    from PySide6.QtWidgets import QApplication

    from litscape.settings import AppSettings
    from litscape_app.window.app import SWITCH_S
    from litscape_app.window.main_window import MainWindow
    from litscape_app.window.session import Session
    from litscape_app.window.theme import Theme

    sys.setswitchinterval(SWITCH_S)
    app = QApplication([])
    session = Session(Theme(app, "light"), AppSettings(embed_after_import=False), QObject())
    window = MainWindow(session)
    window.resize(1280, 800)
    window.show()
    session.open(folder)
    wait(lambda: window.table.model.rowCount() > 0)
    print(f"memory after opening {window.table.model.rowCount():,} papers: {resident():.0f} MB")
    taken = [one for word in words for one in type_word(window, word)]
    p50, p95 = np.percentile(taken, [50, 95])
    kept = "kept" if p95 <= LIST_MS else "MISSED"
    print(
        f"keystroke to list, by both: n {len(taken)}  p50 {p50:.0f} ms  p95 {p95:.0f} ms "
        f"(limit {LIST_MS} ms: {kept})"
    )
    for _ in range(5):
        window.table.table.step(1)
        wait(lambda: not session.busy)
        until = time.perf_counter() + 1
        wait(lambda until=until: time.perf_counter() > until)
    used = resident()
    kept = "kept" if used <= MEMORY_MB else "MISSED"
    print(f"memory after searching and similar papers: {used:.0f} MB (limit {MEMORY_MB}: {kept})")
    window.end()
    app.processEvents()


def main() -> None:
    source = CACHE / NAME
    if not (DATA / NAME).is_dir() or not (source / "vectors.npy").exists():
        print("window on a large library: skipped, there are no vectors of the corpus")
        return
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    load(NAME, source / "library")
    words = [one for one in queries(source)["words"] if len(one) > 5][:TYPED]
    with tempfile.TemporaryDirectory(dir=CACHE) as home:
        os.environ["LITSCAPE_HOME"] = str(source / "home")  # the model is prepared there once
        with Engine() as engine:
            engine.export(bundled_card())
        shutil.copytree(
            source / "library", Path(home) / "library", ignore=shutil.ignore_patterns("backups")
        )
        measure(Path(home) / "library", words)


if __name__ == "__main__":
    main()
