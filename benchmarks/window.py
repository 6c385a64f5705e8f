"""The window: its start, a keystroke's way to the list, sorting, and the longest stalls.

Run: ``python benchmarks/window.py``. 50,000 papers of the reference corpus beside the checkout, or,
without it, of the example library over and over. Start is the CPU time of a whole new process until
10,000 papers show, the second time. Stalls are the longest gaps between beats of a timer on the
window's thread while the named work goes on. Wall and CPU time are both told: wall time is what a
person waits, but on a busy machine only CPU time says something about the program.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import count, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpora import CACHE, DATA, JOINED, draft, joined_bibliography, records
from litscape.store.bulk import NewPaper, insert_papers
from litscape.store.database import Database
from litscape_resources import example_library

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from litscape_app.window.main_window import MainWindow

START, MANY = 10_000, 50_000
_STARTS = 5
_TYPED = ("attention", "neural", "protein", "quantum", "graph", "robot")
_SORTS = ("title", "year", "authors", "venue", "added")
_BATCH = 2000
_PATIENCE_S = 120


# -- libraries -------------------------------------------------------------------------------


def corpus() -> Iterator[dict[str, Any]]:
    """Real papers, without end."""
    if (DATA / "large").is_dir():
        yield from records("large")
    known = [json.loads(line) for line in example_library().open(encoding="utf-8")]
    for turn in count(1):
        for record in known:
            yield {**record, "title": f"{record['title']} ({turn})"}


def library_of(size: int) -> Path:
    """The folder of a library of ``size`` papers, made at the first time."""
    folder = CACHE / f"window-{size}"
    done = folder / "made"
    if done.exists():
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    for stale in folder.glob("library.sqlite*"):
        stale.unlink()
    database = Database.open(folder)
    papers = islice(corpus(), size)
    for start in range(0, size, _BATCH):
        batch = [
            NewPaper(start + number + 1, f"paper{start + number + 1}", draft(record))
            for number, record in enumerate(islice(papers, _BATCH))
        ]
        with database.write() as conn:
            insert_papers(conn, batch)
    database.close()
    done.touch()
    return folder


# -- start -----------------------------------------------------------------------------------

_START = """
import gc, sys, time
gc.disable()  # as the program does before it loads anything
from pathlib import Path
from PySide6.QtCore import QTimer
from litscape_app.window import app, main_window
made = []
class Watched(main_window.MainWindow):
    def __init__(self, session):
        super().__init__(session)
        self.table.listed.connect(lambda _l: QTimer.singleShot(0, self.told))
    def told(self):
        if self.table.table.viewport().grab().isNull() or not self.table.model.rowCount():
            return
        print(time.process_time(), flush=True)
        self.close()
main_window.MainWindow = Watched
sys.exit(app.run(Path(sys.argv[1])))
"""


def measure_start() -> None:
    """CPU seconds of the process until the papers are painted; the first start is left out."""
    folder = library_of(START)
    seconds = []
    # A second start finds what the first one compiled, whatever this shell says of that.
    env = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    env["PYTHONPYCACHEPREFIX"] = str(Path(os.environ["LITSCAPE_HOME"]) / "compiled")
    for _ in range(_STARTS + 1):
        done = subprocess.run(
            [sys.executable, "-c", _START, str(folder)],
            capture_output=True, text=True, check=True, env=env,
        )  # fmt: skip
        seconds.append(float(done.stdout.split()[0]))
    best, middle = min(seconds[1:]), statistics.median(seconds[1:])
    print(f"second start to {START:,} papers shown: {middle:.2f} s CPU (best {best:.2f}; goal 1)")


# -- one window ------------------------------------------------------------------------------


def queued() -> float:
    """Seconds that this thread was ready to run and no processor was free (Linux; else 0)."""
    try:
        return int(Path("/proc/thread-self/schedstat").read_text().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


class Pulse:
    """Beats on the window's thread and remembers the gaps between them.

    Of each gap three things are known: its length, how long it was without what other programs
    took of the processors, and how long the thread itself worked.
    """

    def __init__(self) -> None:
        from PySide6.QtCore import Qt, QTimer

        self.reset()
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)
        self._timer.start(2)

    def _beat(self) -> None:
        wall, work, queue = time.perf_counter(), time.thread_time(), queued()
        gap = wall - self._last[0]
        self.gaps.append((gap, gap - (queue - self._last[2]), work - self._last[1]))
        self._last = (wall, work, queue)

    def reset(self) -> None:
        """Forget what was."""
        self._last = (time.perf_counter(), time.thread_time(), queued())
        self.gaps: list[tuple[float, float, float]] = []

    def told(self, what: str) -> None:
        """Print the longest gaps and how many were over 50 ms."""
        gap, calm, work = (max(one[n] for one in self.gaps) * 1000 for n in range(3))
        long = sum(one[0] > 0.05 for one in self.gaps)
        calm_long = sum(one[1] > 0.05 for one in self.gaps)
        print(
            f"longest stall while {what}: {gap:.0f} ms ({long} of {len(self.gaps)} beats over 50); "
            f"without waiting for a processor {calm:.0f} ms ({calm_long} over 50; goal 50); "
            f"own work {work:.0f} ms",
            flush=True,
        )
        self.reset()


def wait(until: Callable[[], bool]) -> None:
    """Let the window work until something holds."""
    from PySide6.QtWidgets import QApplication

    end = time.perf_counter() + _PATIENCE_S
    while not until():
        QApplication.processEvents()
        time.sleep(0.0005)
        if time.perf_counter() > end:
            raise TimeoutError(until)


def timed(act: Callable[[], object], until: Callable[[], bool]) -> tuple[float, float]:
    """Wall and CPU milliseconds of an act until its effect is painted."""
    from PySide6.QtWidgets import QApplication

    wall, cpu = time.perf_counter(), time.process_time()
    act()
    wait(until)
    QApplication.processEvents()
    return (time.perf_counter() - wall) * 1000, (time.process_time() - cpu) * 1000


def told(what: str, values: list[tuple[float, float]], goal: int) -> None:
    """Print median and worst of wall and CPU milliseconds."""
    walls, cpus = [value[0] for value in values], [value[1] for value in values]
    middle = f"{statistics.median(walls):.0f} ms wall, {statistics.median(cpus):.0f} CPU"
    worst = f"{max(walls):.0f} wall, {max(cpus):.0f} CPU"
    print(f"{what}: median {middle}; worst {worst} (goal {goal})", flush=True)


def measure_list(window: MainWindow, pulse: Pulse) -> None:
    """Keystrokes in the search line, and clicks on headings."""
    from PySide6.QtTest import QTest

    shown: list[object] = []
    window.table.listed.connect(shown.append)

    def one(act: Callable[[], object]) -> tuple[float, float]:
        shown.clear()
        return timed(act, lambda: bool(shown))

    line = window.search.line
    line.setFocus()
    one(lambda: line.setText("x"))
    one(line.clear)
    pulse.reset()
    strokes = []
    for word in _TYPED:
        strokes.extend(one(lambda letter=letter: QTest.keyClicks(line, letter)) for letter in word)
        strokes.append(one(line.clear))
    told(f"keystroke to list, {MANY:,} papers", strokes, 100)
    pulse.told("typing")
    sorts = [
        one(lambda key=key, down=down: window.table.sort(key, down))
        for key in _SORTS
        for down in (False, True)
    ]
    told(f"sorting {MANY:,} papers", sorts, 300)
    pulse.told("sorting")


def measure_stalls(window: MainWindow, pulse: Pulse, folder: Path) -> None:
    """Importing thousands of entries and embedding them while a person types and scrolls."""
    from litscape_app.window.importing import start_import

    source = folder / "many.bib"
    source.write_text("\n".join(islice(bibtex(), 6000)), encoding="utf-8")
    pulse.reset()
    start_import(window.session, [source])
    use(window, lambda: not window.session.jobs.running)
    pulse.told("importing 6,000 entries, typing and scrolling")
    window.similarity.resume()
    wait(lambda: window.similarity.running)
    started = time.perf_counter()
    use(window, lambda: time.perf_counter() - started > 30 or not window.similarity.running)
    pulse.told("embedding for 30 s, typing and scrolling")
    window.similarity.pause()


def measure_large_file(window: MainWindow, pulse: Pulse, folder: Path) -> None:
    """Importing real entries joined to a large file, while a person types and scrolls."""
    from litscape_app.window.importing import start_import

    source = joined_bibliography()
    if source is None:
        print("skipped: the large file (the reference data beside the checkout is not there)")
        return
    open_empty(window, folder / "large-file")
    pulse.reset()
    began = time.perf_counter(), time.process_time()
    start_import(window.session, [source])
    use(window, lambda: not window.session.jobs.running)
    wall, cpu = time.perf_counter() - began[0], time.process_time() - began[1]
    pulse.told(f"importing {JOINED:,} joined entries, typing and scrolling")
    print(f"that import: {wall:.0f} s wall, {cpu:.0f} CPU with what was typed", flush=True)


def open_empty(window: MainWindow, folder: Path) -> None:
    """Open a new library and wait until it is shown."""
    session = window.session
    session.open(folder)
    wait(lambda: session.library is not None and session.library.folder.name == folder.name)
    wait(lambda: window.table.model.rowCount() == 0)


def bibtex() -> Iterator[str]:
    """Entries as a reference manager writes them."""
    for number, record in enumerate(corpus()):
        names = " and ".join(record["authors"])
        yield (
            f"@article{{key{number},\n  title = {{{record['title']}}},\n  author = {{{names}}},\n"
            f"  year = {{{record['year']}}},\n  abstract = {{{record['abstract']}}}\n}}\n"
        )


def use(window: MainWindow, until: Callable[[], bool]) -> None:
    """Type, scroll and choose until something holds."""
    bar = window.table.table.verticalScrollBar()
    end = time.perf_counter() + 10 * _PATIENCE_S
    for step in count():
        window.search.line.setText(_TYPED[step % len(_TYPED)][: 2 + step % 5])
        wait(lambda: not window.table._listing_slot.running)
        window.search.line.clear()
        wait(lambda: not window.table._listing_slot.running)
        bar.setValue(bar.maximum() * (step % 7) // 7)
        window.table.table.step(step % 5)
        settled = time.perf_counter() + 0.2
        wait(lambda settled=settled: time.perf_counter() > settled)
        if until():
            return
        if time.perf_counter() > end:
            raise TimeoutError(until)


def measure_window(home: Path) -> None:
    """Everything that one window over 50,000 papers is measured for."""
    from PySide6.QtCore import QObject
    from PySide6.QtWidgets import QApplication

    from litscape.settings import AppSettings
    from litscape_app.window.app import SWITCH_S
    from litscape_app.window.collector import Collector
    from litscape_app.window.main_window import MainWindow
    from litscape_app.window.session import Session
    from litscape_app.window.theme import Theme

    sys.setswitchinterval(SWITCH_S)
    folder = library_of(MANY)
    app = QApplication([])
    owner = QObject()
    session = Session(Theme(app, "light"), AppSettings(embed_after_import=False), owner)
    window = MainWindow(session)
    window.resize(1280, 800)
    window.show()
    collector = Collector(lambda: session.busy, owner)
    pulse = Pulse()
    session.open(folder)
    wait(lambda: window.table.model.rowCount() == MANY)
    pulse.told(f"opening {MANY:,} papers")
    measure_list(window, pulse)
    measure_large_file(window, pulse, home)
    open_empty(window, home / "stalls")
    measure_stalls(window, pulse, home)
    window.close()
    collector.close()


def main() -> None:
    """Print every figure."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as home:
        os.environ["LITSCAPE_HOME"] = home
        measure_start()
        measure_window(Path(home))


if __name__ == "__main__":
    main()
