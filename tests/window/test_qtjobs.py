from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from litscape.errors import UserError
from litscape.jobs import JobCancelledError, JobContext
from litscape.jobs.runners import InlineRunner, Job, Lane, State, ThreadRunner
from litscape_app.qtjobs import Dispatcher, Entry, JobList, JobSlot
from litscape_app.window.list_first import ListFirst

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PySide6.QtCore import QObject
    from pytestqt.qtbot import QtBot


@pytest.fixture
def dispatcher(qapp: QObject) -> Iterator[Dispatcher]:
    made = Dispatcher()
    yield made
    made.close()


@pytest.fixture
def runner() -> Iterator[ThreadRunner]:
    made = ThreadRunner()
    yield made
    made.shutdown()


def gated(gate: threading.Event) -> Callable[[JobContext], str]:
    def run(ctx: JobContext) -> str:
        while not gate.wait(0.005):
            ctx.check()
        return "old"

    return run


def test_the_list_comes_before_other_reads(
    qtbot: QtBot, qapp: QObject, runner: ThreadRunner, dispatcher: Dispatcher
) -> None:
    first_things = ListFirst(runner, dispatcher, qapp)
    order: list[str] = []
    slots = {name: JobSlot(first_things, dispatcher) for name in ("tree", "counts", "gone")}
    slots["list"] = first_things.first_slot(qapp)

    def read(name: str, work: Callable[[JobContext], str]) -> None:
        def run(ctx: JobContext) -> str:
            order.append(name)
            return work(ctx)

        slots[name].start(Job(name, run))

    gate = threading.Event()
    first_things.hold()
    for name in ("tree", "gone", "counts"):
        read(name, lambda _ctx: "")
    read("list", gated(gate))
    first_things.settle()  # the list is at work: it is waited for
    slots["gone"].cancel()
    qtbot.waitUntil(lambda: order == ["list"])
    qtbot.wait(30)
    assert order == ["list"]
    assert slots["tree"].running
    with qtbot.waitSignals([slots["tree"].done, slots["counts"].done]):
        gate.set()
    assert sorted(order) == ["counts", "list", "tree"]

    first_things.hold()
    with qtbot.waitSignal(slots["tree"].done):  # with no list at work nothing is waited for
        read("tree", lambda _ctx: "")
        first_things.settle()
    first_things.hold()
    read("counts", lambda _ctx: "")
    with qtbot.waitSignal(slots["counts"].busy) as told:
        first_things.drop()
    assert told.args == [False]
    assert order.count("counts") == 1


def test_results_arrive_on_the_main_thread(
    qtbot: QtBot, runner: ThreadRunner, dispatcher: Dispatcher
) -> None:
    slot = JobSlot(runner, dispatcher)
    seen: list[tuple[str, bool]] = []
    main = threading.main_thread()
    slot.done.connect(lambda name: seen.append((name, threading.current_thread() is main)))
    with qtbot.waitSignal(slot.done):
        slot.start(Job("x", lambda _ctx: threading.current_thread().name, Lane.COMPUTE))
    assert seen[0][0].startswith("job-compute")
    assert seen[0][1]


def test_an_inline_runner_serves_a_slot(qtbot: QtBot, dispatcher: Dispatcher) -> None:
    slot = JobSlot(InlineRunner(), dispatcher)
    with qtbot.waitSignal(slot.done) as told:
        slot.start(Job("x", lambda _ctx: 7))
    assert told.args == [7]


def test_a_newer_job_replaces_the_older(
    qtbot: QtBot, runner: ThreadRunner, dispatcher: Dispatcher
) -> None:
    slot = JobSlot(runner, dispatcher)
    got: list[str] = []
    slot.done.connect(got.append)
    gate = threading.Event()
    first = slot.start(Job("slow", gated(gate)))
    slot.start(Job("fast", lambda _ctx: "new"))
    qtbot.waitUntil(lambda: got == ["new"])
    with pytest.raises(JobCancelledError):
        first.result(5)
    assert first.state is State.CANCELLED
    assert got == ["new"]


def test_a_late_result_is_dropped(
    qtbot: QtBot, runner: ThreadRunner, dispatcher: Dispatcher
) -> None:
    slot = JobSlot(runner, dispatcher)
    got: list[str] = []
    slot.done.connect(got.append)
    old = slot.start(Job("deaf", lambda _ctx: "old"))
    assert old.result(5) == "old"
    slot.start(Job("new", lambda _ctx: "new"))
    qtbot.waitUntil(lambda: "new" in got)
    assert got == ["new"]


def test_a_failure_reaches_the_slot(
    qtbot: QtBot, runner: ThreadRunner, dispatcher: Dispatcher
) -> None:
    slot = JobSlot(runner, dispatcher)

    def fail(_ctx: JobContext) -> None:
        raise UserError("No such thing.")

    with qtbot.waitSignal(slot.failed) as told:
        slot.start(Job("bad", fail))
    assert isinstance(told.args[0], UserError)
    assert not slot.running


def test_a_slot_may_die_while_its_job_runs(
    qtbot: QtBot, runner: ThreadRunner, dispatcher: Dispatcher
) -> None:
    gate = threading.Event()
    slot = JobSlot(runner, dispatcher)
    handle = slot.start(Job("x", gated(gate)))
    slot.deleteLater()
    qtbot.waitUntil(lambda: handle.state is State.RUNNING)
    qtbot.wait(20)
    gate.set()
    assert handle.result(5) == "old"
    qtbot.wait(20)


def test_the_list_follows_a_job_to_its_end(
    qtbot: QtBot, runner: ThreadRunner, dispatcher: Dispatcher
) -> None:
    jobs = JobList(runner, dispatcher)
    partials: list[object] = []
    ended: list[State] = []

    def run(ctx: JobContext) -> int:
        for done in range(5):
            ctx.progress(done, 5, "reading")
            ctx.partial(done)
        return 5

    entry: Entry = jobs.start(
        Job("Count", run),
        done=lambda value: f"counted to {value}",
        partial=partials.append,
        ended=lambda: ended.append(entry.state),
    )
    qtbot.waitUntil(lambda: bool(ended))
    assert entry.outcome == "counted to 5"
    assert partials == [0, 1, 2, 3, 4]
    assert ended == [State.DONE]
    assert jobs.running == []
    jobs.remove(entry)
    assert jobs.entries == []


def test_progress_of_a_burst_is_told_once(
    qtbot: QtBot, runner: ThreadRunner, dispatcher: Dispatcher
) -> None:
    slot = JobSlot(runner, dispatcher)
    seen: list[object] = []
    slot.progress.connect(seen.append)
    ready = threading.Event()

    def run(ctx: JobContext) -> None:
        for done in range(10_000):
            ctx.progress(done, 10_000)
        ready.set()

    slot.start(Job("burst", run))
    assert ready.wait(10)
    qtbot.waitUntil(lambda: not slot.running)
    assert 1 <= len(seen) < 200


def test_cancelling_all_ends_queued_and_running(
    qtbot: QtBot, runner: ThreadRunner, dispatcher: Dispatcher
) -> None:
    jobs = JobList(runner, dispatcher)
    gate = threading.Event()
    entries = [jobs.start(Job(str(n), gated(gate), Lane.WRITE)) for n in range(3)]
    jobs.cancel_all()
    qtbot.waitUntil(lambda: all(entry.state is State.CANCELLED for entry in entries))


def test_clearing_takes_ended_jobs_off_at_once_and_others_when_they_end(
    qtbot: QtBot, runner: ThreadRunner, dispatcher: Dispatcher
) -> None:
    jobs = JobList(runner, dispatcher)
    gate = threading.Event()
    ended = jobs.start(Job("short", lambda _ctx: 1, Lane.COMPUTE))
    qtbot.waitUntil(lambda: ended.state is State.DONE)
    running = jobs.start(Job("long", gated(gate), Lane.WRITE))
    jobs.clear()
    assert jobs.entries == [running]
    gate.set()
    qtbot.waitUntil(lambda: jobs.entries == [])
    assert running.state is State.DONE
