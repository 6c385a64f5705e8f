"""The values of one record by name; what nobody used is left over for its raw fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

_NOTHING = frozenset({"", "na", "n/a", "nan", "none", "null", "-"})


class Values:
    """Values in the order of the record; a name may have several."""

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Take in names with their values; the values are folded already."""
        self._values: dict[str, list[str]] = {}
        for name, value in pairs:
            self._values.setdefault(name, []).append(value)
        self._used: dict[str, set[str]] = {}

    def look(self, *names: str) -> list[str]:
        """All values of the names, in the order of the names; they stay for the raw fields."""
        found: list[str] = []
        for name in names:
            values = self._values.get(name)
            if values:
                found += [value for value in values if value.casefold() not in _NOTHING]
        return found

    def use(self, name: str, *values: str) -> None:
        """These values of a name have found their place."""
        self._used.setdefault(name, set()).update(values)

    def take(self, *names: str) -> list[str]:
        """All values of the names, which then are used."""
        for name in names:
            if name in self._values:
                self.use(name, *self._values[name])
        return self.look(*names)

    def first(self, *names: str) -> str | None:
        """The first value of the first of the names that has one; that value is used."""
        return self.find(lambda text: text, *names)

    def find(self, form: Callable[[str], str | None], *names: str, use: bool = True) -> str | None:
        """What ``form`` makes of the first value that it makes something of."""
        for name in names:
            for value in self.look(name) if name in self._values else ():
                found = form(value)
                if found:
                    if use:
                        self.use(name, value)
                    return found
        return None

    def any_but(self, names: Collection[str]) -> bool:
        """Whether any other name has a value."""
        return any(self.look(name) for name in self._values if name not in names)

    def left(self, names: Mapping[str, str] | None = None) -> dict[str, str]:
        """The values that were not used, by lower-case name.

        Args:
            names: other names for some of them, where their own would be taken for something else.
        """
        rest: dict[str, list[str]] = {}
        for name, values in self._values.items():
            used = self._used.get(name, ())
            called = (names or {}).get(name, name).lower()
            rest.setdefault(called, []).extend(v for v in values if v and v not in used)
        return {name: "; ".join(values) for name, values in rest.items() if values}
