"""Reading the words of a command line: numbers, text, ``--set KEY=VALUE``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from litscape.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

MOST = 1_000_000
"""No command lists more papers than that at once; ``export`` writes all."""


def whole_number(least: int, most: int = MOST) -> Callable[[str], int]:
    """What reads a number for :mod:`argparse` and refuses what is out of bounds."""

    def number(text: str) -> int:
        try:
            found = int(text)
        except ValueError:
            found = least - 1
        if not least <= found <= most:
            shown = text if len(text) <= 30 else text[:29] + "…"
            raise argparse.ArgumentTypeError(
                f"{shown!r} is not a whole number from {least:,} to {most:,}"
            )
        return found

    return number


def read_assignments(texts: Iterable[str]) -> dict[str, str]:
    """The texts that a list of ``KEY=VALUE`` gives to keys.

    Raises:
        UserError: one has no ``=``, or a key is there twice.
    """
    values: dict[str, str] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        key = key.strip()
        if not equals or not key:
            raise UserError(f"{text!r} is not KEY=VALUE, such as year=2011.")
        if key in values:
            raise UserError(f"{key} is set twice.")
        values[key] = value
    return values


_PLACES = frozenset({"library", "sources", "file", "bibtex", "dir", "dest", "backup", "folder"})
"""Arguments that name files, which may hold bytes that are no text."""


def check_text(args: argparse.Namespace) -> None:
    """Hold arguments against what can be stored and searched for.

    Raises:
        UserError: one holds bytes that are no UTF-8.
    """
    for name, value in vars(args).items():
        if name in _PLACES:
            continue
        for text in value if isinstance(value, list) else [value]:
            if isinstance(text, str) and any("\ud800" <= sign <= "\udfff" for sign in text):
                raise UserError(f"{text!r} is not valid text: write it in UTF-8.")
