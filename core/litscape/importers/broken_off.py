"""The newest import where it did not reach its end, for whoever opens the library next."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from litscape.errors import LitscapeError
from litscape.history import IMPORT_LEASE
from litscape.store.imports import read_batches
from litscape.store.leases import held
from litscape.store.settings import get_setting, put_setting

if TYPE_CHECKING:
    from litscape.importers.session import BatchInfo
    from litscape.store.database import Database

_TOLD = "import_broken_off_told"


def tell_broken_off(database: Database) -> BatchInfo | None:
    """The newest import where it broke off, is not undone and was not told of yet; told once.

    One that is still running, here or in another program, did not break off.
    """
    with database.read() as conn:
        newest = next(iter(read_batches(conn)), None)
        if newest is None or newest.finished_at or newest.undone_at or held(conn, IMPORT_LEASE):
            return None
        if get_setting(conn, _TOLD) == newest.id:
            return None
    if not database.read_only:
        with suppress(LitscapeError), database.write() as conn:  # else it is told once more
            put_setting(conn, _TOLD, newest.id)
    from litscape.importers.session import batch_info  # brings in all importers

    return batch_info(newest)
