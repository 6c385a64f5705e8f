"""Following Zotero: its database while it is written to, and the program by what it counts."""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.zotero_support import Maker, Zotero, running_zotero

from litscape.errors import UserError
from litscape.importers.base import ReadOptions
from litscape.importers.follower import ASK_S, SELDOM_S, Follower
from litscape.importers.watch import QUIET_S, Watch, Watched
from litscape.library import Library

if TYPE_CHECKING:
    from collections.abc import Iterator

SETTING = "Allow other applications on this computer to communicate with Zotero"


@pytest.fixture(autouse=True)
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A person without Zotero, whatever who runs the tests has."""
    for name in ("HOME", "USERPROFILE", "APPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "person"))
    return tmp_path / "person"


@pytest.fixture
def library(tmp_path: Path, home: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library") as opened:
        yield opened


@pytest.fixture
def zotero() -> Iterator[Zotero]:
    with running_zotero() as served:
        served.put("AAAA2222", title="On mud")
        served.put("BBBB2222", title="On tides")
        yield served


class Following:
    """A follower of one source with a clock that the test moves."""

    def __init__(self, library: Library, location: str, **options: Any) -> None:
        self.now = 0.0
        self.library = library
        self.watch = Watch(library.database)
        self.follower = Follower(self.watch, lambda: self.now)
        self.one = Watched(location, options=ReadOptions(**options))

    def due(self, after: float = ASK_S) -> bool:
        self.now += after
        return bool(self.follower.due([self.one]))

    def take(self) -> tuple[int, int, int]:
        report = self.watch.look(self.one.location, options=self.one.options)
        return report.added, report.updated, report.unchanged

    @property
    def fault(self) -> str:
        return self.follower.faults.get(self.one.location, "")


def test_what_changes_in_a_running_zotero_comes_in(library: Library, zotero: Zotero) -> None:
    one = Following(library, zotero.source)
    assert one.due()
    assert one.take() == (2, 0, 0)
    assert not one.due()
    assert zotero.unchanged == 1
    zotero.put("AAAA2222", title="On mud, again")
    zotero.put("CCCC2222", title="On ferns")
    assert not one.due(ASK_S / 2)
    zotero.asked.clear()
    assert one.due(ASK_S / 2)
    assert one.take() == (1, 1, 1)
    assert not one.due()
    assert any("since=" in path for path in zotero.asked)
    assert not any("/items?start=0" in path and "since" not in path for path in zotero.asked)


def test_an_undone_update_is_not_brought_again(library: Library, zotero: Zotero) -> None:
    one = Following(library, zotero.source)
    assert one.due()
    one.take()
    library.history.undo()
    assert not one.due()
    assert len(library.papers) == 0
    zotero.put("CCCC2222", title="On ferns")
    assert one.due()
    assert one.take() == (3, 0, 0)


def test_a_zotero_that_counts_nothing_is_read_seldom(library: Library, zotero: Zotero) -> None:
    zotero.server_id = None
    one = Following(library, zotero.source)
    assert one.due()
    one.take()
    zotero.put("CCCC2222", title="On ferns")
    assert one.due()
    assert one.take() == (1, 0, 2)
    assert not one.due(SELDOM_S - ASK_S)
    assert one.due()


def test_its_data_folder_tells_a_zotero_that_counts_nothing(
    library: Library, zotero: Zotero, person: Path
) -> None:
    port = zotero.address.rpartition(":")[2]
    made = Maker(person / "Zotero" / "zotero.sqlite")
    profile = person / ".zotero/zotero/Profiles/a"
    profile.mkdir(parents=True)
    setting = f'user_pref("extensions.zotero.httpServer.port", {port});\n'
    (profile / "prefs.js").write_text(setting, encoding="utf-8")
    zotero.server_id = None
    one = Following(library, zotero.source)
    assert one.due()
    one.take()
    zotero.asked.clear()
    if sys.platform == "linux":  # elsewhere profiles lie in other places
        assert not one.due(SELDOM_S)
        assert zotero.asked == []
    made.item("CCCC2222", title="On ferns")
    zotero.put("CCCC2222", title="On ferns")
    assert one.due(SELDOM_S)
    assert one.take() == (1, 0, 2)


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [("cut", "broke off in the middle of an answer"), ("garbage", "is not Zotero's local API")],
)
def test_faults_are_told_and_pass(
    library: Library, zotero: Zotero, fault: str, sentence: str
) -> None:
    one = Following(library, zotero.source)
    assert one.due()
    one.take()
    zotero.put("CCCC2222", title="On ferns")
    zotero.fault = fault
    assert not one.due()
    assert sentence in one.fault
    with pytest.raises(UserError, match=sentence):
        one.take()
    assert len(library.papers) == 2
    zotero.fault = ""
    assert one.due()
    assert one.fault == ""
    assert one.take() == (1, 0, 2)


def test_a_switched_off_api_names_the_setting(library: Library, zotero: Zotero) -> None:
    zotero.status = 403
    one = Following(library, zotero.source)
    assert not one.due()
    assert SETTING in one.fault
    zotero.status = 200
    assert one.due()


def test_a_zotero_that_is_closed_is_waited_for(library: Library) -> None:
    one = Following(library, "zotero:http://127.0.0.1:1")
    assert not one.due()
    assert "start Zotero" in one.fault
    assert not one.due(1)


def test_pages_of_any_size_are_read_whole(library: Library, zotero: Zotero) -> None:
    zotero.page = 7
    for number in range(40):
        zotero.put(f"NUM{number:05}", title=f"Number {number}")
    one = Following(library, zotero.source)
    assert one.due()
    assert one.take() == (42, 0, 0)


def test_other_ticks_are_news(library: Library, zotero: Zotero) -> None:
    zotero.folder("COLWATER", "Water")
    zotero.put("AAAA2222", title="On mud", collections=["COLWATER"])
    one = Following(library, zotero.source, zotero_collections=("user/COLWATER",))
    assert one.due()
    assert one.take() == (1, 0, 0)
    assert not one.due()
    one.one = Watched(zotero.source)
    assert one.due()
    assert one.take() == (1, 0, 1)


def test_a_database_whose_log_alone_changes(library: Library, tmp_path: Path) -> None:
    made = Maker(tmp_path / "data" / "zotero.sqlite")
    made.item("AAAA2222", title="On mud")
    one = Following(library, str(made.file))
    assert not one.due()
    assert one.due(QUIET_S)
    assert one.take() == (1, 0, 0)
    with closing(sqlite3.connect(made.file, isolation_level=None)) as program:
        # As Zotero does: everything new stays in the log while the program runs.
        program.execute("PRAGMA locking_mode = EXCLUSIVE")
        program.execute("PRAGMA journal_mode = WAL")
        program.execute("PRAGMA wal_autocheckpoint = 0")
        program.execute("UPDATE items SET version = 1")
        one.due()
        one.due(QUIET_S)
        one.take()
        before = made.file.read_bytes()
        program.execute(
            "INSERT INTO items SELECT 99, itemTypeID, dateAdded, dateModified, 1,"
            " 'NEWB2222', 0 FROM items"
        )
        assert made.file.read_bytes() == before
        assert not one.due()
        assert one.due(QUIET_S)
        assert one.take() == (1, 0, 1)
    assert {paper.zotero_key for paper in library.papers} == {"AAAA2222", "NEWB2222"}


def test_a_busy_database_is_not_read_all_the_time(library: Library, tmp_path: Path) -> None:
    made = Maker(tmp_path / "data" / "zotero.sqlite")
    made.item("AAAA2222", title="On mud")
    one = Following(library, str(made.file))
    one.due()
    assert one.due(QUIET_S)
    one.take()
    for number in range(5):
        made.item(f"NUM{number:05}", title=f"Number {number}")
        assert not one.due(QUIET_S)
        assert not one.due(QUIET_S)
    one.due(ASK_S)
    assert one.due(QUIET_S)
    assert one.take() == (5, 0, 1)
