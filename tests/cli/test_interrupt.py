"""Ctrl-C in the middle: status 130, what was committed is kept, the next run goes on."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Cli

pytestmark = pytest.mark.skipif(os.name != "posix", reason="sends a signal")
RECORDS = 20_000


def stored(library: Path) -> int:
    file = library / "library.sqlite"
    if not file.exists():
        return 0
    try:
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
            return int(connection.execute("SELECT count(*) FROM papers").fetchone()[0])
    except sqlite3.OperationalError:  # not made yet
        return 0


def test_an_import(cli: Cli, tmp_path: Path, home: Path) -> None:
    library, path = tmp_path / "library", tmp_path / "many.jsonl"
    with path.open("w", encoding="utf-8") as stream:
        for number in range(RECORDS):
            record = {"id": str(number), "title": f"Title {number}", "abstract": "word " * 50}
            stream.write(json.dumps(record) + "\n")
    running = subprocess.Popen(
        [sys.executable, "-m", "litscape_app", "--library", str(library), "import", str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    while not stored(library) and running.poll() is None:
        time.sleep(0.01)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert (running.returncode, out) == (130, b""), err
    assert b"Traceback" not in err
    kept = stored(library)
    assert 0 < kept < RECORDS
    assert cli("--library", library, "library", "check", "--json").json["sound"] is True
    report = cli("--library", library, "import", path, "--json").json
    assert (report["unchanged"], report["added"]) == (kept, RECORDS - kept)
