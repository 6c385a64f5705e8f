"""The fields of one item of another program's database; what nobody took becomes raw fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.importers import normalise
from litscape.importers.markup import plain

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_MARKS = 24
"""Letters around an identifier that say no more than what it is: ``https://doi.org/``."""


class DatabaseFields:
    """Fields by name, each with one value."""

    def __init__(self, fields: Mapping[str, str]) -> None:
        self.fields = dict(fields)

    def take(self, *names: str) -> str | None:
        """Plain text of the first field that has some."""
        for name in names:
            found = plain(self.fields.get(name, ""))
            if found:
                del self.fields[name]
                return found
        return None

    def raw(self, name: str) -> str:
        """The value as written."""
        return self.fields.pop(name, "")

    def look(self, name: str) -> str:
        """The value, which stays."""
        return normalise.fold(self.fields.get(name, ""))

    def identifier(self, name: str, read: Callable[[str], str | None]) -> str | None:
        """An identifier; the field stays where it says more than that."""
        text = self.look(name)
        found = read(text) if text else None
        if found and len(text) <= len(found) + _MARKS:
            del self.fields[name]
        return found

    def left(self) -> dict[str, str]:
        """The fields that were not taken."""
        folded = {name.lower(): normalise.fold(value) for name, value in self.fields.items()}
        return {name: value for name, value in folded.items() if value}
