"""Drawing the map: milliseconds a frame, beside pyqtgraph's ScatterPlotItem, and of a hit test.

Points in thirty groups, 1000 by 700 pixels, on the platform's software renderer. A frame is a step
of panning from the change of the range to the painted viewport; the median of eight, process time.
``--shot FILE`` keeps what was drawn last.
"""

from __future__ import annotations

import argparse
import os
import time
from typing import TYPE_CHECKING, Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
import pyqtgraph as pg
from PySide6.QtWidgets import QApplication

from litscape_app.window.map.canvas import MapCanvas
from litscape_app.window.map.points import Points
from litscape_app.window.theme import Theme
from litscape_resources import palette_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

SIZE = (1000, 700)
TARGETS = {100_000: 20.0, 1_000_000: 40.0}
HIT_MS = 1.0
FRAMES = 8


def places(number: int) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Points (n, 2) in thirty groups, and the group of each; a million are jittered copies."""
    rng = np.random.default_rng(0)
    base = min(number, 100_000)
    group = rng.integers(30, size=base)
    xy = (rng.normal(size=(30, 2)) * 4)[group] + rng.normal(size=(base, 2))
    copies = -(-number // base)
    xy = np.tile(xy, (copies, 1))[:number] + (copies > 1) * rng.normal(size=(number, 2)) * 0.05
    return xy.astype(np.float32), np.tile(group, copies)[:number]


def median_ms(act: Callable[[], object], number: int = FRAMES) -> float:
    """Median of what an act takes, process time."""
    act()
    taken = []
    for _ in range(number):
        began = time.process_time()
        act()
        taken.append(1000 * (time.process_time() - began))
    return float(np.median(taken))


def frame(graphics: Any, view: Any, app: QApplication) -> Callable[[], None]:
    """One step of panning, painted."""
    steps = iter(np.resize([0.02, -0.02], 10_000))

    def act() -> None:
        view.translateBy(x=float(next(steps)), y=0.01)
        app.processEvents()
        graphics.viewport().repaint()

    return act


def own(app: QApplication, theme: Theme, number: int, shot: str) -> tuple[float, float, float]:
    """A frame of the map, a frame come nearer, and a hit test."""
    canvas = MapCanvas(theme)
    canvas.resize(SIZE[0] + 2, SIZE[1] + 2)
    canvas.show()
    xy, group = places(number)
    points = Points(np.arange(number), xy)
    palette = palette_of(theme.tokens)
    canvas.drawing.colours = [palette.ghost, *palette.classes]
    points.paint((2 + group % len(palette.classes)).astype(np.uint8))
    canvas.show_points(points)
    app.processEvents()
    whole = median_ms(frame(canvas.graphics, canvas.view, app))
    if shot:
        canvas.grab().save(shot)
    camera = canvas.camera
    hit = median_ms(lambda: points.nearest(camera, (480, 333), 9), 50)
    canvas.zoom(4)
    near = median_ms(frame(canvas.graphics, canvas.view, app))
    canvas.close()
    return whole, near, hit


def peer(app: QApplication, number: int) -> tuple[float, float]:
    """A frame and a hit test of ScatterPlotItem with a brush for each point."""
    plot = pg.PlotWidget()
    plot.resize(*SIZE)
    plot.show()
    xy, group = places(number)
    brushes = np.array([pg.mkBrush(pg.intColor(one, 30)) for one in range(30)])[group]
    item = pg.ScatterPlotItem(x=xy[:, 0], y=xy[:, 1], size=4, pen=None, brush=brushes)
    plot.addItem(item)
    app.processEvents()
    taken = median_ms(frame(plot, plot.getViewBox(), app))
    hit = median_ms(lambda: item.pointsAt(pg.Point(0.3, 0.2)), 3)
    plot.close()
    return taken, hit


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shot", default="", help="file for a picture of the last map")
    arguments = parser.parse_args()
    app = QApplication([])
    theme = Theme(app, "light")
    print("points     frame  nearer  hit      target   ScatterPlotItem: frame  pointsAt")
    for number in (10_000, 100_000, 1_000_000):
        whole, near, hit = own(app, theme, number, arguments.shot)
        target = TARGETS.get(number)
        said = f"{target:.0f} ms" if target else "-"
        beside = "not measured (minutes)"
        if number <= 100_000:
            taken, found = peer(app, number)
            beside = f"{taken:.1f} ms  {found:.1f} ms"
        print(
            f"{number:>9,}  {whole:5.1f}  {near:5.1f}   {hit:.2f} ms  {said:<7}  {beside}",
            flush=True,
        )
    print(f"A hit test is to take at most {HIT_MS:.0f} ms.")


if __name__ == "__main__":
    main()
