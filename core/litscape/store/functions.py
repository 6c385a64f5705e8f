"""The functions of Python that a library's SQL calls."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from litscape.sorting import plain_letters, sort_text

if TYPE_CHECKING:
    import sqlite3


def add_functions(connection: sqlite3.Connection) -> None:
    """Let a connection call ``sort_text`` and ``plain_letters``.

    The latter stands in the schema itself, so that what writes papers or makes the text index anew
    needs it.
    """
    connection.create_function("sort_text", 1, _sort_text, deterministic=True)
    connection.create_function("plain_letters", 1, _plain_letters, deterministic=True)
    connection.execute(
        "PRAGMA trusted_schema = ON"
    )  # as SQLite has it, where it was built otherwise


@lru_cache(maxsize=65536)
def _folded(text: str) -> str:
    return sort_text(text)


def _sort_text(text: Any) -> str:
    return _folded(text) if isinstance(text, str) else ""


def _plain_letters(text: Any) -> Any:
    return plain_letters(text) if isinstance(text, str) else text
