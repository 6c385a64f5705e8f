from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.zotero_support import Maker, Zotero, running_zotero

from litscape.edits import Editor
from litscape.history import History
from litscape.importers.base import ReadOptions
from litscape.importers.session import Imports
from litscape.papers import Papers
from litscape.store.database import Database

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from litscape.paper import ImportReport, Paper

DATA = Path(__file__).parent.parent / "data" / "zotero"
Counts = tuple[int, int, int, int, int]


def counts(report: ImportReport) -> Counts:
    """added, updated, merged, unchanged, skipped; their sum is checked."""
    found = (report.added, report.updated, report.merged, report.unchanged, report.skipped)
    assert report.records == sum(found)
    return found


@pytest.fixture(name="counts")
def counts_function() -> Callable[[ImportReport], Counts]:
    return counts


@pytest.fixture(autouse=True)
def no_zotero_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The person who runs the tests may have a Zotero of their own."""
    for name in ("HOME", "USERPROFILE", "APPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "nobody"))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with copies of the stored inputs."""
    folder = tmp_path / "inputs"
    shutil.copytree(DATA, folder)
    return folder


@dataclass
class World:
    """A library with its services."""

    database: Database
    papers: Papers
    edit: Editor
    history: History
    imports: Imports

    def take(
        self,
        location: str | Path,
        *libraries: str,
        inside: tuple[str, ...] = (),
        group_names: bool = False,
    ) -> ImportReport:
        options = ReadOptions(
            zotero_libraries=libraries, zotero_collections=inside, zotero_group_names=group_names
        )
        return self.imports.run([location], options=options)

    def by_key(self) -> dict[str, Paper]:
        return {f"{paper.library}:{paper.zotero_key}": paper for paper in self.papers}


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with Database.open(tmp_path / "library") as database:
        yield World(
            database, Papers(database), Editor(database), History(database), Imports(database)
        )


@pytest.fixture
def maker(tmp_path: Path) -> Callable[..., Maker]:
    """A function that makes an empty Zotero database; ``new=False`` for one of 2020."""

    def make(name: str = "Zotero/zotero.sqlite", *, new: bool = True) -> Maker:
        return Maker(tmp_path / name, new)

    return make


@pytest.fixture
def zotero() -> Iterator[Zotero]:
    """A Zotero that listens."""
    with running_zotero() as served:
        yield served
