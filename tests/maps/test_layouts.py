"""Layouts in this process: PCA and t-SNE."""

from __future__ import annotations

import numpy as np
import pytest
from tests.maps.made import vectors

from litscape.errors import UserError
from litscape.jobs import JobCancelledError, JobContext
from litscape.jobs.context import Event, Progress
from litscape.maps.layouts import layout_named
from litscape.maps.layouts.pca import principal_plane
from litscape.maps.making import Picture, draw
from litscape.maps.material import Material
from litscape.maps.neighbours import find_neighbours
from litscape.maps.records import PartialMap


def drawn(n: int, layout: str, ctx: JobContext, seed: int = 0) -> Picture:
    material = Material(np.arange(1, n + 1), vectors(n), "made")

    def graph(k: int) -> object:
        return find_neighbours(material.ids, material.matrix, k)

    return draw(material, layout_named(layout), seed, graph, ctx)  # type: ignore[arg-type]


def test_the_principal_plane_is_that_of_the_singular_values() -> None:
    matrix = vectors(200)
    plane = principal_plane(matrix)
    centred = matrix - matrix.mean(axis=0)
    _left, sizes, _axes = np.linalg.svd(centred.astype(np.float64), full_matrices=False)
    np.testing.assert_allclose(np.linalg.norm(plane, axis=0), sizes[:2], rtol=1e-4)
    np.testing.assert_allclose(plane.mean(axis=0), 0, atol=1e-5)
    np.testing.assert_array_equal(plane, principal_plane(matrix.copy()))


def test_the_plane_of_narrow_and_of_no_vectors() -> None:
    assert principal_plane(np.ones((4, 1), dtype=np.float32)).shape == (4, 2)
    assert principal_plane(np.empty((0, 5), dtype=np.float32)).shape == (0, 2)


def test_tsne_parts_topics_the_same_way_each_time_and_shows_how() -> None:
    events: list[Event] = []
    picture = drawn(120, "tsne", JobContext(events.append))
    xy = picture.xy
    centres = np.array([xy[k::3].mean(axis=0) for k in range(3)])
    own = np.linalg.norm(xy - centres[np.arange(120) % 3], axis=1)
    apart = np.linalg.norm(centres - np.roll(centres, 1, axis=0), axis=1)
    assert apart.min() > 2 * own.max()
    again = drawn(120, "tsne", JobContext(lambda _event: None))
    np.testing.assert_array_equal(xy, again.xy)
    first = next(event.value for event in events if event.kind == "partial")
    assert isinstance(first, PartialMap)
    assert (first.step, len(first.ids)) == (0, 120)
    np.testing.assert_array_equal(first.xy, principal_plane(vectors(120)))
    steps = [event.value for event in events if isinstance(event.value, Progress)]
    assert [(one.done, one.total) for one in steps][-1] == (1000, 1000)
    assert any(one.done == 580 for one in steps), "a third of the rounds"


def test_tsne_is_ended_between_rounds() -> None:
    def stop(event: Event) -> None:
        if isinstance(event.value, Progress) and event.value.text.startswith("t-SNE"):
            ctx.cancel()

    ctx = JobContext(stop)
    with pytest.raises(JobCancelledError):
        drawn(60, "tsne", ctx)


@pytest.mark.parametrize("layout", ["umap", "tsne"])
def test_few_papers_are_drawn_by_pca_and_it_is_said(layout: str) -> None:
    picture = drawn(5, layout, JobContext(lambda _event: None))
    assert "5 papers are too few" in picture.note
    np.testing.assert_array_equal(picture.xy, principal_plane(vectors(5)))


def test_an_unknown_layout_names_those_there_are() -> None:
    with pytest.raises(UserError, match="umap, tsne, pca"):
        layout_named("force")
