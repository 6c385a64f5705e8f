"""Maps made in the analysis child: UMAP warm, one after the other; its death costs one map."""

from __future__ import annotations

import os
import signal
import threading
import time
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


def test_a_map_waits_for_another_and_a_killed_child_leaves_nothing_half(tmp_path: Path) -> None:
    with make(tmp_path, 600, vectors(600)) as library:
        _given_up_while_it_waits(library)
        pid = library.analysis.pid
        assert pid is not None

        def kill(event: Event) -> None:
            if isinstance(event.value, Progress) and "t-SNE" in event.value.text:
                os.kill(pid, signal.SIGKILL)

        with pytest.raises(EngineDiedError, match=r"draws maps.* ended unexpectedly.*start it"):
            library.analysis.run(library, tasks.make, JobContext(kill), MapScope(), "tsne", 0)
        assert library.maps.list() == ()
        assert not list((tmp_path / "maps").glob("*"))
        scope = MapScope("Some", tuple(range(1, 41)))
        again = library.analysis.run(library, tasks.make, null_context(), scope, "tsne", 0)
        assert len(again) == 40
        assert [one.key for one in library.maps.list()] == [again.key]
        assert library.analysis.pid not in (None, pid)


def _given_up_while_it_waits(library: Library) -> None:
    begun, ended = threading.Event(), threading.Event()
    first = JobContext(lambda event: begun.set() if event.kind == "partial" else None)
    second = JobContext(lambda _event: None)

    def draw(ctx: JobContext, seed: int) -> None:
        with pytest.raises(JobCancelledError):
            library.analysis.run(library, tasks.make, ctx, MapScope(), "tsne", seed)
        ended.set()

    threads = [
        threading.Thread(target=draw, args=(ctx, n)) for n, ctx in enumerate((first, second))
    ]
    threads[0].start()
    assert begun.wait(60)
    threads[1].start()
    time.sleep(0.3)
    second.cancel()  # while it waits behind the first
    first.cancel()
    for thread in threads:
        thread.join()
    assert ended.is_set()
    assert library.maps.list() == ()
