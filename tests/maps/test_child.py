"""Maps made in the analysis child: UMAP warm, one after the other; its death costs one map."""

from __future__ import annotations

import os
import signal
import threading
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.maps.made import make, vectors

from litscape import Library
from litscape.engine import EngineDiedError
from litscape.errors import UserError
from litscape.jobs import JobCancelledError, JobContext, null_context
from litscape.jobs.context import Event, Progress
from litscape.maps import MapScope, PartialMap, tasks
from litscape.maps.client import make_map, warm

if TYPE_CHECKING:
    from pathlib import Path

PAPERS = 400


def test_umap_in_the_warm_child(tmp_path: Path) -> None:
    events: list[Event] = []
    with make(tmp_path, PAPERS, vectors(PAPERS)) as library:
        assert not library.analysis.ready
        warm(library)
        first = make_map(library, JobContext(events.append), seed=5)
        pid = library.analysis.pid
        assert library.analysis.ready
        pictures = [one.value for one in events if isinstance(one.value, PartialMap)]
        assert [len(one.ids) for one in pictures] == [PAPERS] * len(pictures)
        assert pictures[0].step == 0  # by PCA, while the child still compiled
        rounds = [
            one.value.done
            for one in events
            if isinstance(one.value, Progress) and one.value.text.startswith("UMAP")
        ]
        assert rounds == sorted(rounds)
        assert rounds[-1] > 150
        centres = np.array([first.xy[k::3].mean(axis=0) for k in range(3)])
        own = np.linalg.norm(first.xy - centres[np.arange(PAPERS) % 3], axis=1)
        assert np.linalg.norm(centres - np.roll(centres, 1, axis=0), axis=1).min() > own.mean()
        again = make_map(library, null_context(), seed=5)
        np.testing.assert_array_equal(first.xy, again.xy)
        small = make_map(library, null_context(), MapScope("Some", tuple(range(1, 31))))
        assert (len(small), small.sentence) == (30, "")
        assert np.isfinite(small.xy).all()
        with pytest.raises(UserError, match="no papers"):
            make_map(library, null_context(), MapScope("None", ()))
        stop = JobContext(lambda one: stop.cancel() if _is_umap(one) else None)
        with pytest.raises(JobCancelledError):
            make_map(library, stop)
        assert library.analysis.pid == pid
        assert [one.key for one in library.maps.list()] == [small.key, again.key, first.key]
    with Library.open(tmp_path) as library:
        latest = library.maps.latest()
        assert latest is not None
        np.testing.assert_array_equal(latest.xy, first.xy)


def _is_umap(event: Event) -> bool:
    return isinstance(event.value, Progress) and event.value.text.startswith("UMAP")


def test_a_killed_child_leaves_nothing_half_and_starts_again(tmp_path: Path) -> None:
    with make(tmp_path, 1500, vectors(1500)) as library:

        def kill(event: Event) -> None:
            pid = library.analysis.pid
            if isinstance(event.value, Progress) and "t-SNE" in event.value.text and pid:
                os.kill(pid, signal.SIGKILL)

        with pytest.raises(EngineDiedError, match=r"draws maps.* ended unexpectedly.*start it"):
            library.analysis.run(library, tasks.make, JobContext(kill), MapScope(), "tsne", 0)
        assert library.maps.list() == ()
        assert not list((tmp_path / "maps").glob("*"))
        scope = MapScope("Some", tuple(range(1, 41)))
        again = library.analysis.run(library, tasks.make, null_context(), scope, "tsne", 0)
        assert len(again) == 40
        assert [one.key for one in library.maps.list()] == [again.key]


def test_one_map_waits_for_the_other_and_can_be_given_up_meanwhile(tmp_path: Path) -> None:
    with make(tmp_path, 1500, vectors(1500)) as library:
        begun, stop = threading.Event(), JobContext(lambda _event: None)
        errors: list[BaseException] = []

        def first() -> None:
            ctx = JobContext(lambda event: begun.set() if event.kind == "partial" else None)
            first_ctx.append(ctx)
            try:
                library.analysis.run(library, tasks.make, ctx, MapScope(), "tsne", 0)
            except JobCancelledError as error:
                errors.append(error)

        first_ctx: list[JobContext] = []
        thread = threading.Thread(target=first)
        thread.start()
        assert begun.wait(60)
        waiting = threading.Timer(0.3, stop.cancel)
        waiting.start()
        threading.Timer(0.6, lambda: first_ctx[0].cancel()).start()
        with pytest.raises(JobCancelledError):
            library.analysis.run(library, tasks.make, stop, MapScope(), "tsne", 1)
        thread.join()
        assert len(errors) == 1
        assert library.maps.list() == ()
