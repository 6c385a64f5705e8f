"""The log file: written only when there is something, and never in the way."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from litscape.log import log_file, logging_to_file

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_writes_while_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LITSCAPE_HOME", str(tmp_path))
    with logging_to_file() as path:
        assert not path.exists()
        logging.getLogger("litscape.x").error("gone %s", "wrong — ä")
    logging.getLogger("litscape.x").error("afterwards")
    assert path == log_file()
    text = path.read_text(encoding="utf-8")
    assert "ERROR litscape.x: gone wrong — ä" in text
    assert "afterwards" not in text


def test_no_folder_no_log_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("LITSCAPE_HOME", str(tmp_path / "file"))
    before = list(logging.getLogger().handlers)
    with logging_to_file():
        logging.getLogger("litscape.x").error("nowhere")
    assert logging.getLogger().handlers == before
