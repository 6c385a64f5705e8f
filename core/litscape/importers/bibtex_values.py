"""Field values: braces, quotes, numbers, macros, and their joining with ``#``."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_BRACE = re.compile(r"[{}]")
_ESCAPED = re.compile(r"\\.", re.S)
_SWALLOWED = re.compile(r"[}\"\w]\s*,?[ \t]*\n[ \t]*[A-Za-z][\w-]{2,30}[ \t]*=[ \t]*[{\"]")
_BARE = re.compile(r"[^\s,{}()\"#=]+")
_TOKEN_END = re.compile(r"\s*(?:#\s*|$)")

_MONTHS = "January February March April May June July August September October November December"
_STYLE_FILE_MACROS = {
    "acmcs": "ACM Computing Surveys",
    "acta": "Acta Informatica",
    "cacm": "Communications of the ACM",
    "ibmjrd": "IBM Journal of Research and Development",
    "ibmsj": "IBM Systems Journal",
    "ieeese": "IEEE Transactions on Software Engineering",
    "ieeetc": "IEEE Transactions on Computers",
    "ieeetcad": "IEEE Transactions on Computer-Aided Design of Integrated Circuits",
    "ipl": "Information Processing Letters",
    "jacm": "Journal of the ACM",
    "jcss": "Journal of Computer and System Sciences",
    "scp": "Science of Computer Programming",
    "sicomp": "SIAM Journal on Computing",
    "tcs": "Theoretical Computer Science",
    "tocs": "ACM Transactions on Computer Systems",
    "tods": "ACM Transactions on Database Systems",
    "tog": "ACM Transactions on Graphics",
    "toms": "ACM Transactions on Mathematical Software",
    "toois": "ACM Transactions on Office Information Systems",
    "toplas": "ACM Transactions on Programming Languages and Systems",
}


@dataclass(frozen=True, slots=True)
class Expression:
    """A value that names macros or joins parts: ``(is a macro, text)`` pairs."""

    parts: tuple[tuple[bool, str], ...]


Value = str | Expression


def balanced(text: str) -> bool:
    r"""Whether braces match, counted as BibTeX does or with ``\{`` and ``\}`` as plain signs."""
    return _matches(text) or ("\\" in text and _matches(_ESCAPED.sub("", text)))


def _matches(text: str) -> bool:
    depth = 0
    for brace in _BRACE.findall(text):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return False
    return depth == 0


def swallowed_field(text: str) -> bool:
    """Whether a value holds what looks like further fields of its entry."""
    return "\n" in text and "=" in text and bool(_SWALLOWED.search(text))


def parse_value(raw: str) -> Value | None:
    """Read what stands right of ``=``; None where it is no whole BibTeX value."""
    if not raw:
        return ""
    first = raw[0]
    if first == "{" and raw[-1] == "}":
        inner = raw[1:-1]
        if ("{" not in inner and "}" not in inner) or balanced(inner):
            return None if swallowed_field(inner) else inner
    elif first == '"' and raw[-1] == '"' and len(raw) > 1:
        inner = raw[1:-1]
        if '"' not in inner or not _quote_at_depth_0(inner):
            return None if swallowed_field(inner) else inner
    elif raw.isdigit():
        return raw
    return _expression(raw)


def _quote_at_depth_0(text: str) -> bool:
    depth = 0
    for char in text:
        if char == "{":
            depth += 1
        elif char == "}":
            depth -= 1
        elif char == '"' and depth <= 0:
            return True
    return False


def _expression(raw: str) -> Expression | None:
    parts: list[tuple[bool, str]] = []
    position = 0
    while position < len(raw):
        end = token_end(raw, position)
        if end is None:
            return None
        token = raw[position:end]
        if token[0] in '{"':
            if swallowed_field(token):
                return None
            parts.append((False, token[1:-1]))
        else:
            parts.append((not token[0].isdigit(), token))
        joined = _TOKEN_END.match(raw, end)
        if joined is None or (joined.end() == len(raw) and raw.rstrip().endswith("#")):
            return None
        position = joined.end()
    return Expression(tuple(parts))


def token_end(
    text: str, start: int, limit: int | None = None, *, escapes: bool = False
) -> int | None:
    """Where the token that begins at ``start`` ends: a group, a quoted text or a bare word.

    Args:
        text: the source.
        start: place of the token's first character.
        limit: place that the token may not pass.
        escapes: whether a backslash takes the meaning from a brace (BibTeX itself says no).
    """
    stop = len(text) if limit is None else limit
    if start >= stop:
        return None
    first = text[start]
    if first == "{":
        return _group_end(text, start, stop, escapes=escapes)
    if first == '"':
        return _quoted_end(text, start, stop, escapes=escapes)
    found = _BARE.match(text, start, stop)
    return found.end() if found else None


_GROUP_MARKS = {
    (False, False): re.compile(r"[{}]"),
    (False, True): re.compile(r"\\[{}\\]|[{}]"),
    (True, False): re.compile(r"[{}\"]"),
    (True, True): re.compile(r"\\[{}\\\"]|[{}\"]"),
}


def _group_end(text: str, start: int, stop: int, *, escapes: bool) -> int | None:
    depth = 0
    for found in _GROUP_MARKS[False, escapes].finditer(text, start, stop):
        mark = found[0]
        if mark == "{":
            depth += 1
        elif mark == "}":
            depth -= 1
            if depth == 0:
                return found.end()
    return None


def _quoted_end(text: str, start: int, stop: int, *, escapes: bool) -> int | None:
    depth = 0
    for found in _GROUP_MARKS[True, escapes].finditer(text, start + 1, stop):
        mark = found[0]
        if mark == "{":
            depth += 1
        elif mark == "}":
            depth -= 1
            if depth < 0:
                return None
        elif mark == '"' and depth == 0:
            return found.end()
    return None


_CHAIN = 50
_LONGEST = 200_000
"""No value is longer; definitions that double each other would fill the memory."""


@dataclass(slots=True)
class Macros:
    """The ``@string`` definitions met so far, the twelve months, and those of style files."""

    defined: dict[str, str] = field(default_factory=dict)
    later: dict[str, Value] | None = None
    depth: int = 0

    def __post_init__(self) -> None:
        for name in _MONTHS.split():
            self.defined.update({name[:3].lower(): name, name.lower(): name})

    def text(self, value: Value) -> tuple[str, list[str]]:
        """A value as text, and the macro names in it that nobody defined (kept as text)."""
        if isinstance(value, str):
            return value, []
        out: list[str] = []
        unknown: list[str] = []
        length = 0
        for is_macro, part in value.parts:
            known = self._known(part.lower(), unknown) if is_macro else part
            if known is None or length + len(known) > _LONGEST:
                unknown.append(part[:100])
                known = part
            length += len(known)
            out.append(known)
        return "".join(out), unknown

    def _known(self, name: str, unknown: list[str]) -> str | None:
        known = self.defined.get(name)
        if known is None and self.later and name in self.later and self.depth < _CHAIN:
            # Taken out while it is worked out: a definition by itself ends here.
            self.depth += 1
            known, missing = self.text(self.later.pop(name))
            self.depth -= 1
            unknown += missing
            self.defined[name] = known
        return _STYLE_FILE_MACROS.get(name) if known is None else known
