"""Two processes started by ``accelerate launch`` train as one does."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import torch
from safetensors.torch import load_file
from tests.trainer_loop.support import RECIPE, job

from litscape_trainer.loop.train import train

ROOT = Path(__file__).resolve().parents[2]
TWO = replace(RECIPE, method="lower-frozen", frozen_layers=1, dropout=0.0, steps=4)
SCRIPT = """
import sys
from pathlib import Path
from litscape_trainer.loop.train import train
from tests.trainer_loop.test_processes import TWO
from tests.trainer_loop.support import job
made = train(job(Path(sys.argv[1]), TWO, wish=lambda: "go"), None, print)
print("ended", made.ended, made.step)
"""


def test_two_processes_give_the_weights_of_one(tmp_path: Path) -> None:
    script = tmp_path / "run.py"
    script.write_text(SCRIPT, encoding="utf-8")
    # The switch that starts several processes; the job says that they compute on the processor.
    command = [sys.executable, "-m", "accelerate.commands.launch", "--multi_gpu"]
    command += ["--num_processes", "2", "--num_machines", "1", "--dynamo_backend", "no"]
    command += ["--mixed_precision", "no"]
    command += ["--main_process_port", "0", str(script), str(tmp_path / "two")]
    told = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert told.returncode == 0, told.stderr[-3000:]
    assert told.stdout.count("ended finished 4") == 2
    assert told.stdout.count("'kind': 'step'") == 4  # the main process alone tells
    assert "'processes': 2" in told.stdout
    one = train(job(tmp_path / "one", TWO))
    assert one.folder is not None
    mine = load_file(one.folder / "model.safetensors")
    theirs = load_file(tmp_path / "two" / "model" / "model.safetensors")
    # A key's bias has no gradient but rounding, which Adam scales up.
    names = [name for name in mine if "key.bias" not in name]
    assert all(torch.allclose(mine[name], theirs[name], atol=2e-4) for name in names)
    before = load_file(Path(job(tmp_path).card.location) / "model.safetensors")
    assert any(not torch.allclose(mine[name], before[name], atol=2e-3) for name in names)
