"""Children of the engine: their work, their deaths, and that none is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from typing import TYPE_CHECKING

import numpy as np
import pytest

from litscape.embed.onnx_cache import find_export
from litscape.engine import Engine, EngineDiedError, WorkerOptions
from litscape.engine.process import log_file
from litscape.errors import EnvironmentFault, NotReadyError, UserError
from litscape.jobs import JobCancelledError, JobContext

if TYPE_CHECKING:
    from pathlib import Path

    from litscape.models import ModelCard

posix = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")


def items(n: int, words: int = 30) -> list[tuple[int, str]]:
    return [(100 + k, f"paper {k} " + "about deep soil " * (1 + k % words)) for k in range(n)]


def gone(pid: int) -> bool:
    """Whether a process ended, waiting for it a while."""
    for _ in range(200):
        try:
            with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
                if stat.read().rsplit(")", 1)[1].split()[0] == "Z":
                    return True
        except OSError:
            return True
        time.sleep(0.05)
    return False


def wait_for(engine: Engine, card: ModelCard, state: str) -> None:
    client = engine.query(card)
    for _ in range(1200):
        if client.state == state:
            return
        time.sleep(0.05)
    raise AssertionError(f"{client.state} instead of {state}: {client.error}")


def test_bulk_vectors(engine: Engine, card: ModelCard) -> None:
    from litscape.embed.torch_encoder import TorchEncoder

    wanted = dict(items(300))
    found: dict[int, np.ndarray] = {}
    for part in engine.embed(card, items(300)):
        assert part.backend.startswith("float/torch-")
        assert part.vectors.dtype == np.float32
        found.update(zip(part.ids.tolist(), part.vectors, strict=True))
    assert sorted(found) == sorted(wanted)
    exact = TorchEncoder(card, device="cpu", dtype="float32").encode(list(wanted.values()))
    ours = np.stack([found[number] for number in wanted])
    assert float(np.sum(ours * exact, axis=1).min()) >= 0.999


def test_query_process_is_ready_without_waiting_for_bulk_work(
    engine: Engine, prepared: ModelCard
) -> None:
    wait_for(engine, prepared, "ready")
    client = engine.query(prepared)
    busy = engine.embed(prepared, items(3000))
    next(busy)
    vector = client.encode("  deep\nsoil ")
    assert vector.shape == (24,)
    assert np.isclose(np.linalg.norm(vector), 1, atol=1e-5)
    assert np.allclose(vector, client.encode("deep soil"), atol=1e-6)
    busy.close()


def test_query_before_the_model_was_prepared(card: ModelCard) -> None:
    told: list[str] = []
    ctx = JobContext(lambda event: told.append(event.value.text))  # type: ignore[attr-defined]
    with Engine() as engine:
        client = engine.query(card)
        assert client.state == "needs-export"
        with pytest.raises(NotReadyError, match="must be prepared first"):
            client.encode("words")
        assert engine.export(card, ctx) == find_export(card)
        wait_for(engine, card, "ready")
        assert client.encode("words").shape == (24,)
        papers = client.encode_papers(["deep soil", "words"])
        assert papers.shape == (2, 24)
        assert np.allclose(np.linalg.norm(papers, axis=1), 1, atol=1e-5)
    assert told[0].startswith("Loading")
    assert told[-1].endswith("ready for queries")


def test_the_program_itself_stays_light(prepared: ModelCard) -> None:
    code = f"""
        import sys
        from litscape.engine import Engine
        from litscape.models import ModelCard
        card = ModelCard.from_json({prepared.to_json()!r})
        with Engine() as engine:
            engine.query(card).encode("words")
            list(engine.embed(card, [(1, "a"), (2, "b")]))
        heavy = {{"torch", "transformers", "onnxruntime", "tokenizers"}} & set(sys.modules)
        sys.exit(f"imported {{heavy}}" if heavy else 0)
    """
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_children_never_run_the_main_module(tmp_path: Path, prepared: ModelCard) -> None:
    """No ``if __name__`` guard is needed, and modules in the current folder stay unread."""
    (tmp_path / "tokenizers.py").write_text("raise SystemExit('shadowed')", encoding="utf-8")
    main = tmp_path / "main.py"
    main.write_text(
        textwrap.dedent(f"""
            from litscape.engine import Engine
            from litscape.models import ModelCard
            print("main")
            with Engine() as engine:
                vector = engine.query(ModelCard.from_json({prepared.to_json()!r})).encode("words")
                print(vector.shape)
        """),
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, "main.py"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout == "main\n(24,)\n", done.stderr


@posix
def test_killed_query_process(engine: Engine, prepared: ModelCard) -> None:
    wait_for(engine, prepared, "ready")
    client = engine.query(prepared)
    before = client.encode("words")
    assert client.pid is not None
    os.kill(client.pid, signal.SIGKILL)
    wait_for(engine, prepared, "failed")
    assert client.error is not None
    assert "ended unexpectedly (signal 9" in client.error
    assert np.array_equal(client.encode("words"), before)  # the next query starts it again
    assert client.state == "ready"


@posix
def test_killed_in_the_middle_of_a_query(engine: Engine, prepared: ModelCard) -> None:
    wait_for(engine, prepared, "ready")
    client = engine.query(prepared)
    assert client.pid is not None
    os.kill(client.pid, signal.SIGSTOP)
    threading.Timer(0.3, os.kill, (client.pid, signal.SIGKILL)).start()
    with pytest.raises(EngineDiedError, match="The query process ended unexpectedly"):
        client.encode("words")
    assert client.state == "failed"
    client.start()
    wait_for(engine, prepared, "ready")


@posix
def test_killed_worker_is_one_clear_error(engine: Engine, card: ModelCard) -> None:
    done: list[int] = []

    def work() -> None:
        for part in engine.embed(card, items(4000)):
            done.extend(part.ids.tolist())
            os.kill(engine.pids[-1], signal.SIGKILL)

    with pytest.raises(EngineDiedError, match="What was finished is kept: start it again"):
        work()
    assert 0 < len(done) < 4000
    rest = [item for item in items(4000) if item[0] not in set(done)][:200]
    again = [number for part in engine.embed(card, rest) for number in part.ids.tolist()]
    assert sorted(again) == [number for number, _text in rest]


@posix
def test_children_end_with_the_program(tmp_path: Path, prepared: ModelCard) -> None:
    """Killed in the middle of bulk work, the program leaves no process behind."""
    code = f"""
        from litscape.engine import Engine
        from litscape.models import ModelCard
        card = ModelCard.from_json({prepared.to_json()!r})
        engine = Engine()
        engine.query(card).encode("words")
        texts = ((k, "deep soil " * 20) for k in range(10**9))
        for part in engine.embed(card, texts):
            print(*engine.pids, flush=True)
    """
    program = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE, text=True
    )
    assert program.stdout is not None
    pids = [int(word) for word in program.stdout.readline().split()]
    program.kill()
    program.wait()
    program.stdout.close()
    assert len(pids) >= 2
    assert all(gone(pid) for pid in pids)


@posix
def test_closing_leaves_nothing(card: ModelCard) -> None:
    before = set(threading.enumerate())
    engine = Engine(WorkerOptions(device="cpu", threads=2))
    work = engine.embed(card, items(4000))
    next(work)
    pids = engine.pids
    work.close()
    engine.close()
    assert pids
    assert all(gone(pid) for pid in pids)
    engine.close()  # once more does no harm
    assert set(threading.enumerate()) <= before


@posix
def test_idle_workers_give_their_memory_back(card: ModelCard) -> None:
    with Engine(WorkerOptions(device="cpu", threads=1, idle_s=0.1)) as engine:
        list(engine.embed(card, items(3)))
        assert all(gone(pid) for pid in engine.pids)
        with open(log_file(), encoding="utf-8") as log:
            assert "Fatal" not in log.read()
        assert sum(len(part.ids) for part in engine.embed(card, items(3))) == 3


def test_cancel_ends_the_wait_and_keeps_the_workers(engine: Engine, card: ModelCard) -> None:
    ctx = JobContext(lambda _event: None)
    got: list[int] = []

    def work() -> None:
        for part in engine.embed(card, items(4000), ctx):
            got.extend(part.ids.tolist())
            ctx.cancel()

    with pytest.raises(JobCancelledError):
        work()
    assert 0 < len(got) < 4000
    pids = engine.pids
    assert sum(len(part.ids) for part in engine.embed(card, items(5))) == 5
    assert engine.pids == pids


def test_cancel_while_the_model_loads(card: ModelCard) -> None:
    ctx = JobContext(lambda _event: None)
    threading.Timer(0.2, ctx.cancel).start()
    with Engine(WorkerOptions(device="cpu", threads=1)) as engine:
        with pytest.raises(JobCancelledError):
            list(engine.embed(card, items(5), ctx))
        assert sum(len(part.ids) for part in engine.embed(card, items(5))) == 5


def test_nothing_to_embed(engine: Engine, card: ModelCard) -> None:
    assert list(engine.embed(card, [])) == []


def test_a_model_that_cannot_be_loaded(engine: Engine, card: ModelCard) -> None:
    from dataclasses import replace

    missing = replace(card, location=str(card.folder / "nowhere"))
    with pytest.raises((UserError, EnvironmentFault)):
        list(engine.embed(missing, items(3)))
    assert sum(len(part.ids) for part in engine.embed(card, items(3))) == 3


def test_restart(engine: Engine, prepared: ModelCard) -> None:
    wait_for(engine, prepared, "ready")
    before = engine.query(prepared).pid
    engine.restart()
    wait_for(engine, prepared, "ready")
    assert engine.query(prepared).pid != before


def test_a_damaged_export_fails_with_a_sentence(prepared: ModelCard) -> None:
    folder = find_export(prepared)
    assert folder is not None
    size = (folder / "model.onnx").stat().st_size
    (folder / "model.onnx").write_bytes(b"x" * size)
    with Engine() as engine:
        with pytest.raises(EnvironmentFault, match="is damaged"):
            engine.query(prepared).encode("words")
        assert engine.query(prepared).state == "failed"


@posix
def test_children_work_though_the_current_folder_is_gone(tmp_path: Path, card: ModelCard) -> None:
    code = f"""
        import os, sys
        from litscape.engine import Engine
        from litscape.models import ModelCard
        card = ModelCard.from_json({card.to_json()!r})
        os.rmdir(os.getcwd())
        with Engine() as engine:
            engine.export(card)
            print(engine.query(card).encode("words").shape)
            print(sum(len(part.ids) for part in engine.embed(card, [(1, "a"), (2, "b")])))
    """
    gone_soon = tmp_path / "gone soon"
    gone_soon.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        cwd=gone_soon,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "(24,)\n2\n", done.stderr


@posix
@pytest.mark.parametrize(("number", "guessed"), [(signal.SIGKILL, True), (signal.SIGTERM, False)])
def test_memory_is_blamed_only_for_a_kill_and_the_log_tells_of_it(
    home: Path, prepared: ModelCard, number: int, guessed: bool
) -> None:
    with Engine() as own:
        wait_for(own, prepared, "ready")
        client = own.query(prepared)
        assert client.pid is not None
        os.kill(client.pid, number)
        wait_for(own, prepared, "failed")
        assert client.error is not None
        assert ("out of memory" in client.error) is guessed
        log = home / "log" / "engine.log"
        assert str(log) in client.error
        assert f"ended with signal {int(number)}" in log.read_text(encoding="utf-8")
