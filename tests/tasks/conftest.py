"""The example library with its vectors, a window on it, and the command line beside it."""

from __future__ import annotations

import io
import json
import os
import shutil
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.pdf_support import pdf_of
from tests.windows import ignore_what_offscreen_lacks, listed, windows

from litscape.library import Library
from litscape.paper import FileLink
from litscape_app.__main__ import main
from litscape_resources import example_library

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QApplication

    from litscape_app.window.main_window import MainWindow

WAIT_MS = 60_000
PDF_OF = "arxiv:1706.03762"
Ask = Callable[..., Any]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of this folder."""
    ignore_what_offscreen_lacks(items, Path(__file__).parent)


@pytest.fixture(scope="session")
def _home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(autouse=True)
def home(_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One home for all tasks: the model is prepared once."""
    monkeypatch.setenv("LITSCAPE_HOME", str(_home))
    return _home


@pytest.fixture(scope="session")
def _example(tmp_path_factory: pytest.TempPathFactory, _home: Path) -> Path:
    """The example library, embedded, one of its papers with a PDF that was read."""
    folder = tmp_path_factory.mktemp("tasks") / "Example"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LITSCAPE_HOME", str(_home))
        _make(folder)
    return folder


def _make(folder: Path) -> None:
    pdf = folder.parent / "attention.pdf"
    pdf.write_bytes(pdf_of("Title page.", "We dropped the recurrent quokkas of former models."))
    with Library.open(folder) as library:
        library.import_file(example_library())
        library.edit.edit([PDF_OF], {"files": [FileLink(str(pdf), mime="application/pdf")]})
        library.fulltext.build()
        library.embed()


@pytest.fixture
def folder(tmp_path: Path, _example: Path) -> Path:
    """The test's own copy of it."""
    return Path(shutil.copytree(_example, tmp_path / "Example"))


@pytest.fixture
def ask(folder: Path) -> Ask:
    """Run a command with ``--json`` on the library; gives the value that it printed."""

    def run(*arguments: object) -> Any:
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            code = main(["--library", str(folder), *map(str, arguments), "--json"])
        assert code == 0, err.getvalue()
        return json.loads(out.getvalue())

    return run


@pytest.fixture
def window(
    qapp: QApplication, qtbot: Any, folder: Path, request: pytest.FixtureRequest
) -> Iterator[MainWindow]:
    """A window on the library; at the end its picture is kept where LITSCAPE_SHOTS says."""
    with windows(qapp) as make:
        made = make()
        made.session.open(folder)
        qtbot.waitUntil(lambda: listed(made) == 480, timeout=WAIT_MS)
        yield made
        if shots := os.environ.get("LITSCAPE_SHOTS"):
            Path(shots).mkdir(parents=True, exist_ok=True)
            made.grab().save(str(Path(shots) / f"{request.node.name}.png"))
