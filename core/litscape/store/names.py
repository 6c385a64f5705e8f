"""Names of authors as they are asked for: whole, with initials, from either end.

Reference lists write “Bengio, Y.”, indexes “Bengio Y”, title pages “Yoshua Bengio”: all of them ask
for the same person as far as they tell. An initial stands for any given name that begins with it,
and a given name is also found where only its initial is stored.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from litscape.sorting import has_signs, search_letters

_WORD = re.compile(r"[^\W_]+")
_PARTICLES = frozenset(
    ("van", "von", "de", "den", "der", "del", "della", "di", "da", "du", "dos", "ten", "ter", "la",
     "bin", "ibn", "al", "el", "st")
)  # fmt: skip
"""Words of a family name that stand before its last one."""
_MOST_INITIALS = 3
_APART = r"(?:[^\w;]|_)+"
"""What stands between two words of one author; a semicolon ends an author."""
_BETWEEN = rf"(?:[^\W_]+{_APART}){{0,3}}?"
"""Given names that are not asked for."""
_BEGIN, _END = r";[\W_]*", r"(?![^\W_])"


class Name(NamedTuple):
    """A name in plain small letters.

    Attributes:
        given: given names and initials in order; at least one.
        family: the words of the family name.
        growing: whether the last word that was typed, of the family name or of the given ones, may
            go on.
    """

    given: tuple[str, ...]
    family: tuple[str, ...]
    growing: str = ""


@lru_cache(maxsize=1000)
def readings(text: str, *, begun: bool = False) -> tuple[Name, ...]:
    """The names that a text may stand for; none where it is one word or in signs such as Han.

    Args:
        text: as typed: ``Y. Bengio``, ``Bengio, Yoshua``, ``Bengio Y``, ``Le QV``.
        begun: whether its last word may go on.
    """
    if has_signs(text):
        return ()
    family, comma, given = search_letters(text).partition(",")
    words, after = _WORD.findall(family), _WORD.findall(given)
    if comma and "," in given:
        return ()
    if comma and after:
        found = [_name(_apart(after, words), words, "given" if begun else "")] if words else []
        return tuple(found)
    if len(words) < 2:
        return ()
    last = _apart(words[-1:], words[:-1])
    turned = _turned(words)
    if turned and not begun:
        return (turned,)
    split = len(words) - 1
    while split > 1 and words[split - 1].casefold() in _PARTICLES:
        split -= 1
    plain = _name(words[:split], words[split:], "family" if begun else "")
    return (plain, turned) if turned and len(last[0]) == 1 else (plain,)


def _turned(words: list[str]) -> Name | None:
    """A name with its initials at the end."""
    split = len(words)
    while split > 1 and len(_apart(words[split - 1 : split], words[: split - 1])[0]) == 1:
        split -= 1
    if split == len(words) or all(len(word) == 1 for word in words[:split]):
        return None
    return _name(_apart(words[split:], words[:split]), words[:split])


def _name(given: list[str], family: list[str], growing: str = "") -> Name:
    return Name(
        tuple(one.casefold() for one in given), tuple(one.casefold() for one in family), growing
    )


def _apart(given: list[str], family: list[str]) -> list[str]:
    """Given names, initials written together (“QV”) each by itself."""
    small = any(not word.isupper() for word in family)
    found: list[str] = []
    for word in given:
        together = small and word.isupper() and 1 < len(word) <= _MOST_INITIALS
        found += list(word) if together else [word]
    return found


def expression(text: str, *, begun: bool = False) -> str:
    """The FTS5 expression for all papers that may have an author of that name; empty: as it stands.

    It finds too many: which given name belongs to which author only :func:`patterns` tells.
    """
    return " OR ".join(f"({_asked(name)})" for name in readings(text, begun=begun))


def _asked(name: Name) -> str:
    family = f'"{" ".join(name.family)}"'
    parts = [f"({family} * OR {family})" if name.growing == "family" else family]
    for place, word in enumerate(name.given, start=1):
        if len(word) == 1:
            continue
        grows = name.growing == "given" and place == len(name.given)
        parts.append(f'("{word}"{" *" if grows else ""} OR "{word}" OR "{word[0]}")')
    return " AND ".join(parts)


def patterns(text: str, *, begun: bool = False) -> list[str]:
    """The regular expressions of which one finds an author of that name in “;given family; …”."""
    return [_written(name) for name in readings(text, begun=begun)]


def _written(name: Name) -> str:
    parts: list[str] = []
    for place, word in enumerate(name.given):
        grows = name.growing == "given" and place == len(name.given) - 1
        more = r"[^\W_]*" if grows or len(word) == 1 else _END
        if place:
            one = f"(?:{word}{more}|{word[0]}{_END})"
        elif len(word) == 1:
            one = f"{_BEGIN}{word}{more}"
        else:
            one = rf"(?:(?<![^\W_]){word}{more}|{_BEGIN}{word[0]}{_END})"
        parts.append(f"{one}{_APART}{_BETWEEN}")
    end = "" if name.growing == "family" else _END
    if len(name.given) > 1 and all(len(word) == 1 for word in name.given):
        parts = [f"(?:{''.join(parts)}|{_BEGIN}{''.join(name.given)}[^\\W_]*{_APART})"]
    return f"(?:{''.join(parts)}{_APART.join(name.family)}{end})"
