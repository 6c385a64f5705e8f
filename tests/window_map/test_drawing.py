"""What the map draws and finds, below the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtGui import QImage, QPainter

from litscape.maps.colouring import Colouring, Entry, score_spans, spans
from litscape.maps.labelling import NEARER
from litscape_app.window.map import raster
from litscape_app.window.map.camera import Camera
from litscape_app.window.map.contours import contours, pieces_at
from litscape_app.window.map.drawing import Drawing
from litscape_app.window.map.labels import Name, place, wanted
from litscape_app.window.map.points import FIRST, GHOST, HIDDEN, Points
from litscape_app.window.map.shown import citation_sizes, codes_of, colours_of
from litscape_app.window.theme import Theme
from litscape_resources import PALETTES

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

CAMERA = Camera(left=0.0, top=10.0, scale=10.0, width=120, height=100)
"""Twelve units wide and ten high; a place is ten times its x, and its y counted from above."""


def points_at(*places: tuple[float, float]) -> Points:
    return Points(np.arange(101, 101 + len(places)), np.array(places).reshape(-1, 2))


def painted(
    points: Points, colours: tuple[str, ...], radius: float = 2.0, ratio: float = 1.0
) -> np.ndarray:
    """The image as (height, width, 4): blue, green, red, alpha."""
    values = raster.marks(CAMERA, ratio, points.drawn, (radius,), raster.look_up(colours))
    return values.view(np.uint8).reshape(*values.shape, 4)


# -- the camera and the points ------------------------------------------------------------------


def test_places_and_pixels_lead_back_to_each_other() -> None:
    across, down = CAMERA.screen(np.array([3.0]), np.array([8.0]))
    assert (float(across[0]), float(down[0])) == (30.0, 20.0)
    assert CAMERA.place(30.0, 20.0) == pytest.approx((3.0, 8.0))
    assert CAMERA.bounds == pytest.approx((0.0, 0.0, 12.0, 10.0))


def test_the_nearest_shown_paper_is_found_within_reach() -> None:
    points = points_at((3, 8), (3.4, 8), (9, 2))
    assert points.nearest(CAMERA, (31, 20), 9) == 0
    assert points.nearest(CAMERA, (33, 20), 9) == 1
    assert points.nearest(CAMERA, (60, 50), 9) is None
    points.paint(np.array([HIDDEN, FIRST, FIRST], dtype=np.uint8))
    assert points.nearest(CAMERA, (31, 20), 9) == 1, "one that is not shown is not found"
    assert points_at().nearest(CAMERA, (31, 20), 9) is None


def test_a_rectangle_and_a_lasso_hold_what_lies_inside() -> None:
    points = points_at((1, 1), (5, 5), (5, 9), (9, 5), (5.5, 5.5))
    assert points.within(4, 4, 10, 6).tolist() == [1, 3, 4]
    # A hollow shape: the middle of its bounding box is outside.
    hollow = np.array([(0, 0), (10, 0), (10, 10), (6, 10), (6, 4), (4, 4), (4, 10), (0, 10)])
    assert points.enclosed(hollow).tolist() == [0, 3]
    points.paint(np.array([FIRST, FIRST, FIRST, HIDDEN, FIRST], dtype=np.uint8))
    assert points.enclosed(hollow).tolist() == [0]
    assert not len(points.enclosed(hollow[:2]))


def test_arrow_keys_go_to_the_next_in_a_direction() -> None:
    points = points_at((5, 5), (7, 5.2), (5.1, 9), (1, 5), (6, 9))
    assert points.next_to(0, 1, 0) == 1
    assert points.next_to(0, 0, 1) == 2
    assert points.next_to(0, -1, 0) == 3
    assert points.next_to(3, -1, 0) is None


def test_papers_are_found_by_id_however_they_are_ordered() -> None:
    points = Points(np.array([30, 10, 20]), np.zeros((3, 2)))
    assert points.numbers([20, 5, 30]).tolist() == [2, 0]
    assert points.mask([10]).tolist() == [False, True, False]


# -- the image -----------------------------------------------------------------------------------


def test_a_point_is_a_smooth_disc_where_it_lies() -> None:
    image = painted(points_at((3, 8)), ("#cccccc", "#ff0000"), radius=3)
    assert image[20, 30].tolist() == [0, 0, 255, 255]
    assert not image[20, 36].any()
    inked = image[..., 3]
    assert inked.astype(float).sum() / 255 == pytest.approx(np.pi * 9, rel=0.12)
    assert ((inked > 0) & (inked < 255)).any(), "its edge is smooth"


def test_at_twice_the_pixels_it_is_as_large_and_sharper() -> None:
    image = painted(points_at((3, 8)), ("#cccccc", "#ff0000"), radius=3, ratio=2)
    assert image.shape[:2] == (200, 240)
    assert image[40, 60, 3] == 255
    assert image[..., 3].astype(float).sum() / 255 == pytest.approx(np.pi * 36, rel=0.06)


def test_colours_lie_above_pale_ones_and_edges_below_middles() -> None:
    points = points_at((3, 8), (3, 8), (3.3, 8))
    points.paint(np.array([FIRST, GHOST, GHOST], dtype=np.uint8))
    image = painted(points, ("#cccccc", "#0000ff"), radius=2)
    assert image[20, 30].tolist() == [255, 0, 0, 255]
    points.paint(np.array([HIDDEN, HIDDEN, HIDDEN], dtype=np.uint8))
    assert not painted(points, ("#cccccc", "#0000ff")).any()


def test_points_outside_are_not_wrapped_around() -> None:
    image = painted(
        points_at((-0.5, 5), (12.05, 5), (6, -3), (1e6, 1e6)), ("#cccccc", "#ff0000"), radius=2
    )
    assert not image[:, 5:115].any()
    assert image[50, 119, 3] > 0, "half of one just beyond the edge is seen"


def test_sizes_have_radii_of_their_own() -> None:
    points = points_at((3, 8), (9, 8))
    points.paint(np.full(2, FIRST, np.uint8), np.array([0, 1], np.uint8))
    colours = raster.look_up(("#cccccc", "#0000ff"))
    values = raster.marks(CAMERA, 1.0, points.drawn, (1.5, 4.0), colours)
    inked = (values >> 24) / 255
    assert inked[:, :60].sum() == pytest.approx(np.pi * 2.25, rel=0.25)
    assert inked[:, 60:].sum() == pytest.approx(np.pi * 16, rel=0.1)


def test_density_is_stronger_where_more_are() -> None:
    places = np.concatenate((np.full((500, 2), (3.05, 8.05)), np.full((2, 2), (9.05, 2.05))))
    points = Points(np.arange(502), places)
    values = raster.density(CAMERA, points.drawn[:3], raster.look_up(("#cccccc", "#0000ff")))
    alpha = values >> 24
    assert alpha.shape == (50, 60)
    assert alpha[9, 15] > 1.5 * alpha[39, 45] > 0
    assert np.count_nonzero(alpha) == 18, "each cell, and softly those around it"


# -- lines of density ------------------------------------------------------------------------------


def test_a_line_of_equal_density_runs_around_a_hill() -> None:
    rows, columns = np.mgrid[0:41, 0:41]
    hill = -np.hypot(rows - 20.0, columns - 20.0)
    pieces = pieces_at(hill, -10.0)
    radii = np.hypot(pieces[:, [0, 2]] - 20, pieces[:, [1, 3]] - 20)
    assert np.abs(radii - 10).max() < 0.1
    length = np.hypot(pieces[:, 0] - pieces[:, 2], pieces[:, 1] - pieces[:, 3]).sum()
    assert length == pytest.approx(2 * np.pi * 10, rel=0.01), "closed, and each piece once"


def test_lines_of_density_lie_where_the_papers_are() -> None:
    rng = np.random.default_rng(0)
    xy = np.concatenate((rng.normal((0, 0), 1, (500, 2)), rng.normal((20, 0), 1, (500, 2))))
    found = contours(xy[:, 0], xy[:, 1])
    middle = [line[(line[:, 0] > 5) & (line[:, 0] < 15)] for line in found]
    assert all(len(line) for line in found)
    assert not any(len(line) for line in middle)
    assert contours(xy[:2, 0], xy[:2, 1]) == []


# -- names -----------------------------------------------------------------------------------------


def measure(name: Name) -> tuple[tuple[str, ...], float, float]:
    return (name.text,), 10.0, 4.0


NAMES = (
    Name(1, "Water", 5, 5, spread=6, size=90),
    Name(2, "Seas", 4, 5, spread=2, size=50, level=1, parent=1),
    Name(3, "Lakes", 8, 5, spread=2, size=40, level=1, parent=1),
    Name(4, "Fire", 5, 5.1, spread=1, size=30),
)


def test_names_become_finer_as_one_comes_nearer() -> None:
    assert [name.text for name in wanted(NAMES, 1.0)] == ["Water", "Fire"]
    assert [name.text for name in wanted(NAMES, NEARER[0] - 0.1)] == ["Water", "Fire"], "one level"
    assert [name.text for name in wanted(NAMES, NEARER[0])] == ["Seas", "Lakes", "Fire"]


def test_names_never_lie_over_each_other() -> None:
    names = [Name(n, f"Name {n}", 5 + n % 3 / 10, 5 + n % 5 / 20, size=100 - n) for n in range(30)]
    placed = place(names, CAMERA, measure)
    assert placed[0].name.key == 0
    assert len(placed) > 1
    boxes = [one.box for one in placed]
    for at, (x, y, wide, tall) in enumerate(boxes):
        assert x >= 0
        assert y >= 0
        for other in boxes[:at]:
            apart = (
                x >= other[0] + other[2] or other[0] >= x + wide
                or y >= other[1] + other[3] or other[1] >= y + tall
            )  # fmt: skip
            assert apart


def test_names_of_neighbours_stand_beside_each_other() -> None:
    names = [Name(n, f"Name {n}", 5, 5 - 0.7 * n, size=9 - n) for n in range(4)]
    placed = place(names, CAMERA, measure)
    assert [one.name.key for one in placed] == [0, 1, 2, 3]
    for one in placed:
        left, top, wide, tall = one.box
        x, y = CAMERA.spot(one.name.x, one.name.y)
        far = max(left - x, x - left - wide, top - y, y - top - tall)
        assert (one.line is not None) == (far > 9), "with a line to its place, if not at it"
        assert one.line is None or one.line[2:] == (x, y)


# -- colours ---------------------------------------------------------------------------------------

FOUND = Colouring(
    "tag",
    (Entry("a", 2, 0), Entry("b", 1, 1), Entry("No tag", 1, -1)),
    np.array([0, 0, 1, 2], dtype=np.int16),
)


def test_what_is_not_chosen_is_pale_and_what_is_hidden_gone() -> None:
    assert codes_of(FOUND).tolist() == [2, 2, 3, 4]
    focus = np.array([True, False, False, True])
    assert codes_of(FOUND, focus=focus).tolist() == [2, GHOST, GHOST, 4]
    assert codes_of(FOUND, hidden={"b", "No tag"}).tolist() == [2, 2, HIDDEN, HIDDEN]


def test_a_paper_with_several_values_is_shown_with_each_in_the_rarest_colour() -> None:
    member = np.array([[1, 0, 0], [1, 1, 0], [1, 1, 0], [1, 0, 1]], dtype=bool)
    entries = (Entry("all", 4, 0), Entry("half", 2, 1), Entry("rare", 1, 2))
    found = Colouring("tag", entries, np.array([0, 1, 1, 2], dtype=np.int16), member=member)
    assert found.among(np.ones(3, dtype=bool)).tolist() == [0, 1, 1, 2]
    assert codes_of(found, hidden={"all"}).tolist() == [HIDDEN, 3, 3, 4]
    assert codes_of(found, hidden={"half", "rare"}).tolist() == [2, 2, 2, 2], "all have it"
    assert codes_of(found, hidden={"all", "half"}).tolist() == [HIDDEN, HIDDEN, HIDDEN, 4]


def test_later_papers_and_those_without_a_year_are_pale_or_gone() -> None:
    years = np.array([1990, 2001, 2000, 0], dtype=np.int32)
    assert codes_of(FOUND, years=years, year=2000).tolist() == [2, GHOST, 3, GHOST]
    assert codes_of(FOUND, years=years, year=2000, pale=False).tolist() == [2, HIDDEN, 3, HIDDEN]


def test_the_same_number_is_the_same_class_in_both_themes() -> None:
    for palette in PALETTES.values():
        assert colours_of(FOUND, palette) == [
            palette.ghost, palette.classes[0], palette.classes[1], palette.none,
        ]  # fmt: skip


def test_spans_of_years_hold_about_as_many_papers() -> None:
    assert spans(np.array([2000, 2001, 2001])).tolist() == [2000, 2001]
    rng = np.random.default_rng(0)
    years = np.concatenate((rng.integers(1900, 2000, 50), rng.integers(2015, 2026, 950)))
    first = spans(years)
    assert len(first) <= 12
    assert (first >= 2014).sum() >= 9, "most of them where most papers are"


def test_spans_of_scores_say_where_they_end() -> None:
    assert score_spans(np.array([0.5, 1.81, 3.32])) == [
        "0.50 up to 1.81", "1.81 up to 3.32", "3.32 or more",
    ]  # fmt: skip


def test_more_cited_papers_are_no_smaller() -> None:
    sizes = citation_sizes(np.array([0, 1, 2, 5, 20, 50, 90]))
    assert (np.diff(sizes.astype(int)) >= 0).all()
    assert sizes.max() == 4
    assert not citation_sizes(np.zeros(3, dtype=np.int64)).any()


# -- a frame ------------------------------------------------------------------------------------


def test_many_new_names_are_written_over_several_frames_the_most_important_first(
    qapp: QApplication,
) -> None:
    theme = Theme(qapp, "light")
    names = [Name(n, f"name {n}", 1.0 + 3 * (n % 4), 1 + 2.5 * (n // 4), 1, 100 - n, 0, None)
             for n in range(1, 12)]  # fmt: skip
    camera = Camera(left=0.0, top=10.0, scale=80.0, width=1000, height=800)
    drawing = Drawing(theme, points_at((1, 1), (9, 9)), ("#888888", "#336699"), names=names)

    def frame() -> np.ndarray:
        image = QImage(1000, 800, QImage.Format.Format_ARGB32)
        painter = QPainter(image)
        drawing.paint(painter, camera, 1.0)
        painter.end()
        return np.frombuffer(image.constBits(), np.uint8).reshape(800, 1000, 4).copy()

    def written(seen: np.ndarray, at: int) -> bool:
        left, top, wide, tall = (round(side) for side in drawing.placed[at].box)
        return bool(seen[top : top + tall, left : left + wide].min() < 90)

    frames = [frame()]
    assert len(drawing.placed) == len(names)
    assert [written(frames[0], at) for at in range(11)] == [True] * 4 + [False] * 7
    while drawing.unwritten:
        frames.append(frame())
    assert len(frames) == 3
    assert all(written(frames[-1], at) for at in range(11))
    assert np.array_equal(frame(), frames[-1])
    theme.deleteLater()
