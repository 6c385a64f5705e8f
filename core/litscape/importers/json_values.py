"""Looking into JSON objects of which nobody knows what they hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from litscape.importers.csl_fields import as_text
from litscape.importers.markup import plain


def inside(value: Any, *keys: str) -> Any:
    """What stands under keys in one another; None where there is nothing of the kind."""
    for key in keys:
        if not isinstance(value, Mapping):
            return None
        value = value.get(key)
    return value


def line(value: Any) -> str | None:
    """One line of plain text; None where there is none."""
    return plain(as_text(value)) or None if isinstance(value, str | int | float) else None


def members(value: Any) -> Sequence[Any]:
    """The members of a list; nothing else has any."""
    return value if isinstance(value, list) else ()


def named(value: Any, *keys: str) -> Iterator[str]:
    """The names of a list's members, which are texts or objects with a name under a key."""
    for member in members(value):
        found = member if isinstance(member, str) else None
        for key in keys:
            found = found or line(inside(member, key))
        text = line(found)
        if text:
            yield text


def whole(value: Any) -> int | None:
    """A whole number, also where it is written as text."""
    if isinstance(value, bool):
        return None
    text = as_text(value)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def rest(record: Mapping[str, Any], used: frozenset[str]) -> dict[str, str]:
    """The values that nobody used, as text by lower-case key."""
    found = {key.lower(): as_text(v) for key, v in record.items() if key.lower() not in used}
    return {key: text for key, text in found.items() if text and text not in ("[]", "{}")}
