"""Running the command line: inside the test, and as the real program."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from litscape.engine import Engine
from litscape.library import Library
from litscape_app.__main__ import main

if TYPE_CHECKING:
    from pathlib import Path

BIB = """@article{bell1876,
  author = {Bell, Alexander and Watson, Thomas A.},
  title = {Researches in Telephony},
  journal = {Proceedings of the American Academy},
  year = {1876}, doi = {10.5555/tel.1}
}
@book{darwin1859,
  author = {Darwin, Charles}, title = {On the Origin of Species}, year = {1859},
  abstract = {When on board of a ship as naturalist, I was struck with certain facts.}
}
@article{broken1900, author = {Nobody}, title = {Never closed
"""


@dataclass(frozen=True, slots=True)
class Ran:
    """What one run of a command line gave."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON value on stdout of a run that went well."""
        assert self.code == 0, self.err
        assert self.out.endswith("\n")
        return json.loads(self.out)

    def refused(self, *words: str) -> None:
        """Hold the run against what a mistake looks like: 2, one line, nothing on stdout."""
        assert self.code == 2, (self.code, self.err)
        assert self.out == ""
        assert self.err.count("\n") == 1, self.err
        assert "Traceback" not in self.err
        for word in words:
            assert word in self.err, self.err


Cli = Callable[..., Ran]


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    """Run ``litscape`` with arguments in this process."""

    def run(*arguments: str | Path) -> Ran:
        capsys.readouterr()
        code = main([str(one) for one in arguments])
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return run


@pytest.fixture(scope="module")
def _engine() -> Iterator[Engine]:
    with Engine() as engine:
        yield engine


@pytest.fixture
def one_engine(_engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands use one engine for all tests of a file: starting its processes takes seconds."""
    monkeypatch.setattr(Library, "engine", property(lambda _library: _engine))


@pytest.fixture
def program(home: Path, tmp_path: Path) -> Cli:
    """Run ``litscape`` as a process of its own, under a locale without UTF-8."""

    def run(*arguments: str | Path, stdin: str = "", prefix: Sequence[str] = ()) -> Ran:
        done = subprocess.run(
            [*prefix, sys.executable, "-m", "litscape_app", *map(str, arguments)],
            input=stdin.encode(),
            capture_output=True,
            env=os.environ | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
            timeout=120,
            cwd=tmp_path,
            check=False,
        )
        return Ran(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))

    return run


@pytest.fixture
def bib(tmp_path: Path) -> Path:
    """A BibTeX file with two good entries and one that is never closed."""
    path = tmp_path / "sources" / "papers.bib"
    path.parent.mkdir()
    path.write_text(BIB, encoding="utf-8")
    return path


@pytest.fixture
def filled(cli: Cli, bib: Path, tmp_path: Path) -> Path:
    """A library with the two papers of :func:`bib`, which is also the one opened last."""
    folder = tmp_path / "library"
    assert cli("--library", folder, "import", bib, "--json").code == 0
    return folder
