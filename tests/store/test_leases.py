from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from litscape.errors import LibraryBusyError
from litscape.store.leases import Lease

if TYPE_CHECKING:
    from pathlib import Path

    from litscape.store.database import Database

HOLD_A_LEASE = """
import sys
from pathlib import Path
from litscape.store.database import Database
from litscape.store.leases import Lease
with Database.open(Path(sys.argv[1])) as database, Lease(database, "embed"):
    print("held", flush=True)
    sys.stdin.readline()
"""


def holder(folder: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD_A_LEASE, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def set_lease(database: Database, owner: str, beat_at: str) -> None:
    with database.write() as conn:
        conn.exec_driver_sql(
            "INSERT OR REPLACE INTO leases(name, owner, taken_at, beat_at)"
            " VALUES ('embed', ?, '2026-01-02T03:04:05Z', ?)",
            (owner, beat_at),
        )


def names(database: Database) -> list[str]:
    with database.read() as conn:
        return list(conn.exec_driver_sql("SELECT name FROM leases ORDER BY name").scalars())


def work_on(lease: Lease) -> None:
    while True:
        lease.check()


def test_a_lease_lasts_as_long_as_its_block(database: Database) -> None:
    with Lease(database, "embed") as lease, Lease(database, "import"):
        assert names(database) == ["embed", "import"]
        lease.check()
    assert names(database) == []


def test_a_lease_is_given_back_after_a_failure(database: Database) -> None:
    with pytest.raises(ZeroDivisionError), Lease(database, "embed"):
        _ = 1 / 0
    assert names(database) == []


def test_a_second_owner_is_told_who_and_since_when(database: Database) -> None:
    with (
        Lease(database, "embed"),
        pytest.raises(LibraryBusyError, match=rf"process {os.getpid()} on .* since 20\d\d-"),
        Lease(database, "embed"),
    ):
        pass


def test_another_process_holds_it(database: Database) -> None:
    with holder(database.folder) as other:
        with (
            pytest.raises(LibraryBusyError, match=f"process {other.pid} "),
            Lease(database, "embed"),
        ):
            pass
        other.communicate("go\n")
    with Lease(database, "embed"):
        pass


@pytest.mark.skipif(sys.platform == "win32", reason="there only the missing beat tells")
def test_the_lease_of_a_killed_process_is_taken_over_at_once(database: Database) -> None:
    with holder(database.folder) as other:
        other.kill()
    assert names(database) == ["embed"]
    with Lease(database, "embed"):
        pass
    assert names(database) == []


def test_a_lease_without_a_beat_is_taken_over(database: Database) -> None:
    set_lease(database, "another machine 12 token", "2026-01-02T03:04:05Z")
    with Lease(database, "embed") as lease:
        lease.check()


def test_a_living_lease_of_another_machine_holds(database: Database) -> None:
    set_lease(database, "another machine 12 token", "2999-01-01T00:00:00Z")
    with pytest.raises(LibraryBusyError, match="on another machine"), Lease(database, "embed"):
        pass


def test_the_beat_shows_that_the_holder_lives(database: Database) -> None:
    with Lease(database, "embed", beat_seconds=0.01):
        with database.write() as conn:
            conn.exec_driver_sql("UPDATE leases SET beat_at = '2000-01-01T00:00:00Z'")
        before = database.data_version()
        while database.data_version() == before:
            pass
        with database.read() as conn:
            beat = conn.exec_driver_sql("SELECT beat_at FROM leases").scalar_one()
        assert beat > "2026"


def test_a_holder_learns_that_its_lease_was_taken_over(database: Database) -> None:
    with Lease(database, "embed", beat_seconds=0.01) as lease:
        set_lease(database, "another machine 12 token", "2999-01-01T00:00:00Z")
        with pytest.raises(LibraryBusyError, match="took over the embed"):
            work_on(lease)
    assert names(database) == ["embed"]  # the other's stays
