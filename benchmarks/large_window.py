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


def resident() -> tuple[float, str]:
    """MB of this process in memory now, and of what kind; the children are not in it."""
    status = Path("/proc/self/status")
    if not status.exists():
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        return most, "at most"
    lines = (line.partition(":") for line in status.read_text(encoding="ascii").splitlines())
    sizes = {name: value.split()[0] for name, _, value in lines if "Rss" in name or "RSS" in name}
    whole, own, mapped = (int(sizes[name]) / 1024 for name in ("VmRSS", "RssAnon", "RssFile"))
    return whole, f"{own:.0f} its own, {mapped:.0f} of mapped files"


def type_word(window: MainWindow, word: str) -> list[float]:
    """Press the keys of a word; milliseconds from each key on to the list it leads to."""
    from PySide6.QtTest import QTest

    taken = []
    window.search.line.setText(word[:2])
    wait(lambda: not window.table._listing_slot.running)
    for letter in word[2:12]:
        listed: list[float] = []
        connection = window.table.listed.connect(
            lambda *_told, listed=listed: listed.append(time.perf_counter())
        )
        began = time.perf_counter()
        QTest.keyClick(window.search.line, letter)
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
    owner = QObject()
    session = Session(Theme(app, "light"), AppSettings(embed_after_import=False), owner)
    window = MainWindow(session)
    window.resize(1280, 800)
    window.show()
    session.open(folder)
    wait(lambda: window.table.model.rowCount() > 0)
    used, kind = resident()
    papers = window.table.model.rowCount()
    print(f"memory after opening {papers:,} papers: {used:.0f} MB ({kind})")
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
    used, kind = resident()
    kept = "kept" if used <= MEMORY_MB else "MISSED"
    print(
        f"memory after searching and similar papers: {used:.0f} MB ({kind}; limit {MEMORY_MB}: "
        f"{kept})"
    )
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
