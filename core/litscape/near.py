"""Names near to one that is not there: what a person may have meant."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from litscape.sorting import plain_letters

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MOST = 3
_COMPARED = 5000
"""Comparing letter by letter takes some 20 microseconds a name; the rest is compared as a whole."""


def near(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """The known names that one is most likely a slip of, best first, at most :data:`MOST`.

    The same in other letters (case, accents), then names that begin with it or hold it, then those
    with nearly the same letters.
    """
    wanted = _folded(name.rstrip("*"))
    if not wanted:
        return ()
    folded = [(one, _folded(one)) for one in known]
    found = dict.fromkeys(one for one, text in folded if text == wanted)
    begun = (one for one, text in folded if text.startswith(wanted))
    within = (one for one, text in folded if wanted in text)
    found.update(dict.fromkeys(begun))
    found.update(dict.fromkeys(within))
    if len(found) < MOST:
        alike = get_close_matches(wanted, [text for _, text in folded[:_COMPARED]], MOST)
        for text in alike:
            found.update(dict.fromkeys(one for one, its in folded if its == text))
    return tuple(found)[:MOST]


def no_such(kind: str, name: str, known: Iterable[str]) -> str:
    """The sentence that there is no tag (collection …) of that name, with those near to it."""
    names = near(name, known)
    meant = f"; near it: {_listed(names)}" if names else ""
    return f"There is no {kind} “{name}”{meant}."


def _folded(name: str) -> str:
    return " ".join(plain_letters(name).lower().split())


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"“{name}”" for name in names)
