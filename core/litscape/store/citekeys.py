"""Citekeys that are free in a library."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    import sqlalchemy as sa


def free_citekey(conn: sa.Connection, key: str, promised: Collection[str] = ()) -> str:
    """The key itself, or with the first letters behind it that make it free.

    Args:
        conn: the library.
        key: the key that is wished for.
        promised: keys given away already but not yet written.
    """
    taken = {
        str(found)
        for (found,) in conn.exec_driver_sql(
            "SELECT citekey FROM papers WHERE citekey >= ? AND citekey < ?", (key, key + "{")
        )
    }
    return next(tried for tried in variants(key) if tried not in taken and tried not in promised)


def variants(key: str) -> Iterator[str]:
    """``key``, ``keya`` … ``keyz``, ``keyaa`` …: what is tried until one is free."""
    yield key
    n = 0
    while True:
        n += 1
        letters, left = "", n
        while left:
            left, digit = divmod(left - 1, 26)
            letters = chr(ord("a") + digit) + letters
        yield key + letters
