"""The functions of Python that a library's SQL calls."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from litscape.graph.cited import block_text, mark, name_of, work_text
from litscape.sorting import plain_letters, same_value, search_letters, sort_text

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping

_NOTHING: Mapping[str, str] = MappingProxyType({})


def add_functions(connection: sqlite3.Connection) -> None:
    """Let a connection call ``sort_text``, ``search_letters``, ``cited_work`` and the others.

    The second stands in the schema itself, as ``plain_letters`` did before schema 7, so that what
    writes papers or makes the text index anew needs it; the last ones say what a reference means,
    as numbers.
    """
    connection.create_function("has_word", -1, has_word, deterministic=True)
    connection.create_function("cited_work", 6, _cited_work, deterministic=True)
    connection.create_function("cited_block", 4, _cited_block, deterministic=True)
    connection.create_function("cited_name", 4, _cited_name, deterministic=True)
    connection.create_function("cited_also", 2, _cited_also, deterministic=True)
    connection.create_function("sort_text", 1, _sort_text, deterministic=True)
    connection.create_function("same_value", 1, _same_value, deterministic=True)
    connection.create_function("plain_letters", 1, _plain_letters, deterministic=True)
    connection.create_function("search_letters", 1, _search_letters, deterministic=True)
    connection.execute(
        "PRAGMA trusted_schema = ON"
    )  # as SQLite has it, where it was built otherwise


@lru_cache(maxsize=65536)
def _folded(text: str) -> str:
    return sort_text(text)


def _sort_text(text: Any) -> str:
    return _folded(text) if isinstance(text, str) else ""


@lru_cache(maxsize=65536)
def _one_value(text: str) -> str:
    return same_value(text)


def _same_value(text: Any) -> str | None:
    return _one_value(text) if isinstance(text, str) else None


def _plain_letters(text: Any) -> Any:
    return plain_letters(text) if isinstance(text, str) else text


def _search_letters(text: Any) -> Any:
    return search_letters(text) if isinstance(text, str) else text


def has_word(word: str, *texts: Any) -> bool:
    """Whether a word, in plain small letters, stands in one of some texts in just this form."""
    for text in texts:
        if not isinstance(text, str):
            continue
        low = text.lower() if text.isascii() else search_letters(text).casefold()
        if word in low and _alone(word).search(low):
            return True
    return False


@lru_cache(maxsize=256)
def _alone(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_]){re.escape(word)}(?![^\W_])")


def _extra(text: Any) -> Mapping[str, str]:
    if not isinstance(text, str) or text == "{}":
        return _NOTHING
    found: Mapping[str, str] = json.loads(text)
    return found


def _cited_work(
    doi: Any, source_id: Any, title: Any, year: Any, raw: Any, extra: Any
) -> int | None:
    text = work_text(doi, source_id, title, year, raw, _extra(extra))
    if text is None:
        return None
    return mark(text) | 1 if doi or source_id else mark(text) & ~1


def _cited_block(title: Any, year: Any, raw: Any, extra: Any) -> int | None:
    text = block_text(title, year, raw, _extra(extra))
    return mark(text) if text else None


def _cited_name(title: Any, year: Any, raw: Any, extra: Any) -> int | None:
    return name_of(title, year, raw, _extra(extra)) or None


def _cited_also(doi: Any, source_id: Any) -> int | None:
    return mark(f"id:{source_id}") | 1 if doi and source_id else None
