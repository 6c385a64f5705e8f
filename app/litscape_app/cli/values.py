"""Splitting ``--set KEY=VALUE``; what a value may be is the library's business."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Iterable


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
