"""The library as it would be without what is to be found.

Rankings are measured on a copy from which the held-out links, or titles, or keywords are gone for
good: nothing that the program computes from them, now or later, can leak into a figure.
"""

from __future__ import annotations

import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from litscape.alike.weights import put_learned
from litscape.store import measuring

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import sqlalchemy as sa

    from litscape.library import Library

    Change = Callable[[sa.Connection], None]


@contextmanager
def without(library: Library, change: Change, *, vectors: bool = True) -> Iterator[Library]:
    """A copy of a library with something taken away; gone when the block is left.

    Args:
        library: what to copy; it stays as it is.
        change: takes away, in one transaction.
        vectors: whether the copy has the vectors; then it must not write any.

    Raises:
        EnvironmentFault: the copy can't be written, or the disk is full.
    """
    from litscape.library import Library as Opened

    folder = Path(tempfile.mkdtemp(prefix="litscape-measuring-", dir=_place(library)))
    try:
        measuring.copy_library(library.database, folder, vectors=vectors)
        with Opened.open(folder, create=False, settings=library.settings) as copy:
            with copy.database.write() as conn:
                change(conn)
                # They were learned on links that may be those to be found.
                put_learned(conn, None)
            yield copy
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _place(library: Library) -> Path | None:
    """Beside the library, where vectors can be shared by links; elsewhere where that is closed."""
    return None if library.database.read_only else library.folder
