"""One entry read with tolerance: what BibTeX's grammar gives, and what can be saved of the rest.

bibtexparser splits whole files; this reader takes over where an entry is broken, has no key, or
holds what bibtexparser would glue together or cut apart without a word.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TYPE_CHECKING

from litscape.importers.bibtex_values import Value, parse_value, token_end

if TYPE_CHECKING:
    from collections.abc import Iterator

    from litscape.paper import Severity

OPENING = re.compile(r"@[ \t]*([^\W\d][\w:.+-]*)\s*([{(])")
ENTRY_LIKE = re.compile(
    r"@[ \t]*(?:(?:comment|preamble)\s*[{(]|string\s*[{(]\s*[^\s=]+\s*="
    r"|[^\W\d][\w-]*\s*[{(](?:[^\n{}\"=,]{0,300},\s*(?:[}%)]|[\w-]+\s*=|$)|\s*[\w-]+\s*=\s*[{\"\d]"
    r"|[^\n{}\"=,]{0,300}\n\s*[\w-]+\s*=))",
    re.M | re.I,
)
_NAME = re.compile(r"([^\W\d_][\w:.+/*'-]*(?:[ \t]+[\w-]+){0,2})\s*=\s*")
_FILLER = re.compile(r"(?:[\s,]+|%[^\n]*(?:\n|$))*")
_KEY = re.compile(r"\s*+([^,={}\"\n]*+)(?=[,\n]|$)")
_ANY_KEY = re.compile(r"\s*+([^,\n]++),")
_FIELD_FIRST = re.compile(r"\s*+[^\W\d_][\w:.+/-]*+\s*+=\s*+(?:[{\"\d]|[A-Za-z]\w*\s*[,#}\n])")
_KEY_THEN_FIELD = re.compile(
    r"\s*+([^,={}\"\s](?:[^,={}\"\n]*[^,={}\"\s])?)\s+(?=[^\W\d_][\w:.+/-]*\s*=\s*[{\"\w])"
)
_LOOSE_FIELD = re.compile(
    r"(?:^[ \t,]*|[,{(]\s*|[}\"][ \t,]*)([^\W\d_][\w:.+/-]*)[ \t]*=[ \t]*"
    r"(?=[{\"\d]|[A-Za-z][\w-]*[ \t]*(?:[,#}\n]|$))",
    re.M,
)
_NO_EQUALS = re.compile(r"([^\W\d_][\w-]*)\s*(?=[{\"])")
_JUNK_END = re.compile(
    r",\s*(?=[^\W\d_][\w:.+/-]*\s*=)|(?=,?[})][ \t]*$)|\n(?=[ \t]*[^\W\d_][\w:.+/-]*\s*=)", re.M
)
_REACH = 4_000_000
"""No entry is longer: it bounds how far a bracket that is never closed is looked for."""
_NESTED_LIMIT = 300_000


@dataclass(frozen=True, slots=True)
class Fault:
    """What was wrong with an entry, in the words of a report."""

    code: str
    message: str
    severity: Severity = "warning"


@dataclass(slots=True)
class RawEntry:
    """An entry's parts as written; ``fields`` keep order and repetitions, names in lower case."""

    type: str
    key: str | None
    fields: list[tuple[str, Value]]
    start: int
    end: int
    faults: list[Fault] = field(default_factory=list)
    line: int = 0
    raw: str = ""
    cut: bool = False
    """The file ended inside a value: taking the half value for the whole would do harm."""


def next_entry(text: str, start: int) -> int:
    """Place of the next ``@`` that begins an entry, string or comment, else the text's end.

    It stands first on its line or behind a closing bracket; nothing is looked for out of reach.
    """
    stop = min(len(text), start + _REACH)
    at = text.find("@", start, stop)
    while at >= 0:
        before = at - 1
        while before >= start and text[before] in " \t":
            before -= 1
        if (before < start or text[before] in "\n})") and ENTRY_LIKE.match(text, at):
            return at
        at = text.find("@", at + 1, stop)
    return stop


def read_entry(text: str, at: int) -> RawEntry | None:
    """Read the entry whose ``@`` stands at ``at``; None where no entry begins there."""
    opened = OPENING.match(text, at)
    if opened is None:
        return None
    limit = next_entry(text, opened.end())
    strict = _strict(text, at, limit)
    if strict is not None:
        return strict
    before = text[opened.end() : limit].rstrip()[-1:]
    if limit < len(text) and before not in ("}", ")"):
        # An "@word{" at the start of a line, inside a value that goes on behind it.
        nested = _strict(text, at, min(len(text), at + _NESTED_LIMIT))
        if nested is not None and not nested.faults:
            return nested
    return recover(text, at, limit)


def _strict(text: str, at: int, limit: int) -> RawEntry | None:
    return parse_entry(text, at, limit) or parse_entry(text, at, limit, escapes=True)


def parse_entry(text: str, at: int, limit: int, *, escapes: bool = False) -> RawEntry | None:
    """Read an entry by BibTeX's grammar, forgiving commas; None where a value is not closed."""
    opened = OPENING.match(text, at, limit)
    if opened is None:
        return None
    entry = RawEntry(opened[1].lower(), None, [], at, at)
    closer = "}" if opened[2] == "{" else ")"
    position: int | None = _read_key(text, opened.end(), limit, closer, entry)
    while position is not None:
        filler = _FILLER.match(text, position, limit)
        position = filler.end() if filler else position
        if position >= limit:
            return None
        if text[position] == closer:
            entry.end = position + 1
            entry.raw = text[at : entry.end]
            return entry
        position = _read_field(text, position, limit, closer, entry, escapes=escapes)
    return None


def _read_key(text: str, position: int, limit: int, closer: str, entry: RawEntry) -> int:
    """Take the key; returns where the fields begin."""
    if _FIELD_FIRST.match(text, position, limit):
        return position
    glued = _KEY_THEN_FIELD.match(text, position, limit)
    if glued:
        entry.key = glued[1]
        entry.faults.append(Fault("missing-comma", "There is no comma after the key."))
        return glued.end()
    found = _KEY.match(text, position, limit) or _ANY_KEY.match(text, position, limit)
    if found is None:
        return position
    key = found[1].strip()
    if closer in key and text[found.end() : found.end() + 1] != ",":
        key = key[: key.index(closer)]
        entry.key = key.strip() or None
        return found.start(1) + len(key)
    if not key or text[found.end() : found.end() + 1] != ",":
        wide = _ANY_KEY.match(text, position, limit)
        if wide and "=" not in wide[1]:
            entry.key = wide[1].strip("{} \t") or None
            return wide.end()
    entry.key = key or None
    return found.end()


def _read_field(
    text: str, position: int, limit: int, closer: str, entry: RawEntry, *, escapes: bool
) -> int | None:
    """Take one ``name = value``; returns where the next begins, None where a value is open."""
    named = _NAME.match(text, position, limit)
    bare_name = _NO_EQUALS.match(text, position, limit) if named is None else None
    if bare_name:
        named = bare_name
        entry.faults.append(Fault("repaired-entry", f"There is no “=” behind “{named[1]}”."))
    if named is None:
        junk = _junk_end(text, position, limit, closer)
        if junk is None:
            return None
        lost = text[position:junk].strip()
        entry.faults.append(Fault("broken-entry", f"“{lost[:60]}” is no field and was left out."))
        return max(junk, position + 1)
    name, start = named[1].lower(), named.end()
    end = _value_end(text, start, limit, closer, escapes=escapes)
    if end is None:
        return None
    after = _FILLER_BLANK.match(text, end, limit)
    place = after.end() if after else end
    if place < limit and text[place] == ";":
        entry.faults.append(Fault("missing-comma", f"There is “;” for a comma after “{name}”."))
        end = place + 1
    elif place < limit and text[place] not in f",{closer}":
        if not _NAME.match(text, place, limit):
            end = _junk_end(text, place, limit, closer)
            if end is None:
                return None
            entry.faults.append(
                Fault("repaired-entry", f"The value of “{name}” has text behind its end.")
            )
            entry.fields.append((name, _flat(text[start:end])))
            return end
        entry.faults.append(Fault("missing-comma", f"There is no comma after “{name}”."))
    raw = text[start:end].rstrip("; \t\n").strip()
    value = parse_value(raw)
    if value is None:
        if raw[:1] in ("{", '"'):
            return None
        value = raw
    entry.fields.append((name, value))
    return end


_FILLER_BLANK = re.compile(r"\s*")


def _value_end(text: str, start: int, limit: int, closer: str, *, escapes: bool) -> int | None:
    """End of tokens joined by ``#``; of a bare text without quotes, the end of the line."""
    position = start
    while True:
        if position >= limit:
            return None
        if text[position] in f",{closer}":
            return position
        if text[position] not in '{"':
            bare = _bare_end(text, position, limit, closer)
            word_end = token_end(text, position, limit)
            end = bare if "#" not in text[position:bare] or word_end is None else word_end
        else:
            found = token_end(text, position, limit, escapes=escapes)
            if found is None:
                return None
            end = found
        joined = _HASH.match(text, end, limit)
        if joined is None:
            return end
        position = joined.end()


_HASH = re.compile(r"\s*#\s*")
_GLUED_FIELD = re.compile(r"\s+[^\W\d_][\w-]*\s*=")
_BARE_STOP = {"}": re.compile(r"[,{}\"\n]"), ")": re.compile(r"[,{}\"\n)]")}


def _bare_end(text: str, start: int, limit: int, closer: str) -> int:
    found = _BARE_STOP[closer].search(text, start, limit)
    end = found.start() if found else limit
    glued = _GLUED_FIELD.search(text, start, end)
    return glued.start() if glued else end


def _junk_end(text: str, start: int, limit: int, closer: str) -> int | None:
    """Where reading may go on behind text that is no field."""
    found = _JUNK_END.search(text, start, limit)
    if found:
        return found.end() if found.end() > start else start + 1
    closed = text.find(closer, start, limit)
    return closed if closed > start else None


def _flat(raw: str) -> str:
    """A broken value as text: delimiters at both ends gone, braces that match nothing too."""
    text = raw.strip().rstrip(",").strip()
    if text[:1] in ("{", '"'):
        text = text[1:]
    if text[-1:] in ("}", '"'):
        text = text[:-1]
    return without_unmatched_braces(text)


def without_unmatched_braces(text: str) -> str:
    """The text without braces that have no partner."""
    opened: list[int] = []
    drop: set[int] = set()
    for position, char in enumerate(text):
        if char == "{":
            opened.append(position)
        elif char == "}":
            if opened:
                opened.pop()
            else:
                drop.add(position)
    drop.update(opened)
    return "".join(char for position, char in enumerate(text) if position not in drop)


def recover(text: str, at: int, limit: int) -> RawEntry | None:
    """Save what can be saved of an entry not closed: fields are told by their ``name =``."""
    opened = OPENING.match(text, at)
    if opened is None:
        return None
    closers = "})"
    last = max(text.rfind(closer, opened.end(), limit) for closer in closers)
    ends_at_file = limit >= len(text) and text[last + 1 : limit].strip() != ""
    more = last < 0 or ends_at_file or _LOOSE_FIELD.search(text, last + 1, limit)
    end = limit if more else last + 1
    entry = RawEntry(opened[1].lower(), None, [], at, len(text[:end].rstrip()))
    entry.raw = text[at : entry.end]
    first = _read_key(text, opened.end(), entry.end, "}" if opened[2] == "{" else ")", entry)
    entry.faults.clear()
    pieces = list(_loose_fields(text, first, entry.end))
    for name, value in pieces:
        entry.fields.append((name, value))
    open_at_end = last < 0 or ends_at_file
    if open_at_end and limit >= len(text):
        entry.cut = not _closed_value(entry.raw)
        entry.faults.append(Fault("unclosed-entry", "The file ends before the entry does."))
    elif entry.raw.count("{") != entry.raw.count("}"):
        entry.faults.append(
            Fault("unbalanced-braces", "Braces don't match; fields were told by their names.")
        )
    else:
        entry.faults.append(
            Fault("broken-entry", "The entry is broken; what could be read was kept.")
        )
    return entry


def _closed_value(raw: str) -> bool:
    """Whether a cut entry ends right behind a whole value."""
    tail = raw.rstrip().rstrip(",").rstrip()
    return tail.endswith(("}", '"')) and tail.count("{") == tail.count("}") + 1


def _loose_fields(text: str, start: int, end: int) -> Iterator[tuple[str, str]]:
    found = list(_LOOSE_FIELD.finditer(text, max(0, start - 1), end))
    for field_match, following in zip_longest(found, found[1:]):
        stop = following.start() if following else end
        raw = text[field_match.end() : stop]
        if following and text[following.start() : following.start() + 1] in ("}", '"', "{", "("):
            raw += text[following.start()]
        if following is None:
            raw = _without_closer(raw)
        yield field_match[1].lower(), _flat(raw)


def _without_closer(raw: str) -> str:
    """The last value without the bracket that closes the entry."""
    text = raw.rstrip()
    if text[-1:] not in ("}", ")"):
        return text
    inner = text[:-1].rstrip()
    quoted_or_bare = not text.lstrip().startswith("{")
    return inner if quoted_or_bare or inner.rstrip(",").rstrip().endswith("}") else text
