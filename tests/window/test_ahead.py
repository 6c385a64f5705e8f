"""What is loaded while nobody works: all that large pages need, in pieces that are small."""

from __future__ import annotations

import json
import subprocess
import sys

from litscape_app.window.ahead import PARTS

_CHILD = """
import importlib, json, sys
import litscape_app.window.main_window, litscape_app.window.session
import litscape.library, litscape_trainer.runs
from litscape_app.window.ahead import PARTS
counts = []
for name in PARTS:
    before = len(sys.modules)
    importlib.import_module(name)
    counts.append(len(sys.modules) - before)
before = set(sys.modules)
for page in ("train_page", "compare_page", "models_page", "separation_page"):
    importlib.import_module("litscape_app.window.pages." + page + ".page")
importlib.import_module("litscape_app.window.map.page")
heavy = {"torch", "transformers", "sklearn", "scipy", "umap", "numba", "igraph"}
found = sorted(heavy.intersection(name.partition(".")[0] for name in sys.modules))
print(json.dumps([counts, sorted(set(sys.modules) - before), found]))
"""


def test_each_piece_is_small_and_pages_need_nothing_more() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _CHILD], capture_output=True, text=True, check=True, timeout=120
    )
    counts, more, heavy = json.loads(done.stdout)
    assert max(counts) <= 12, dict(zip(PARTS, counts, strict=True))
    assert more == []
    assert heavy == []
