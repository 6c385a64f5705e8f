"""From the pieces of a query to its parts. Nothing is an error: what can't be read becomes words.

Negation is carried down to the single words, so that only these are ever left out: a bracket with a
minus is read with AND and OR exchanged.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from litscape.near import near
from litscape.search.fields import COLUMNS, EXACT, FIELDS, field_name
from litscape.search.marks import unreadable
from litscape.search.numbers import read_span
from litscape.search.parts import AllOf, Mark, Not, Tag, YearRange, all_of, any_of
from litscape.search.pieces import pieces
from litscape.search.stopwords import STOP_WORDS
from litscape.store.letters import one_word
from litscape.store.lexical import Term

if TYPE_CHECKING:
    from collections.abc import Callable

    from litscape.search.parts import Leaf, Node
    from litscape.search.pieces import Piece

MIN_PREFIX = 2
_NAMES = COLUMNS["author"]
MOST_PARTS = 400
"""Most parts of a query besides its plain words."""
LONGEST_PHRASE = 1000
"""Characters of a word or phrase that are searched for."""
_SIGNED = re.compile(r"[^\W\d_]{1,2}(?:\+{1,2}|#)")
"""Names such as C++ and C#, of which a word of one or two letters is left."""
_BEGUN = frozenset("<>=.–-0123456789")


@dataclass(slots=True)
class _Frame:
    """A bracket that is being read."""

    name: str = ""
    exact: bool = False
    negated: bool = False
    alternatives: list[list[Node]] = field(default_factory=list)
    current: list[Node] = field(default_factory=list)
    minus: bool = False
    last: Piece | None = None
    """The operator that still waits for what comes after it."""


@dataclass(slots=True)
class Reader:
    """Reads one query.

    Attributes:
        text: the whole query, its quotes straight.
        typing: it is still being typed, so that its end is no mistake.
        notes: what could not be read as it was meant.
        unread: whether there was something in it that says nothing.
        begun: the tag or mark whose name is still being typed.
        awaited: what says nothing before more is typed.
        growing: whether the last word was taken as the start of one.
        pictures: emoji and the like among the words, which are not searched.
    """

    text: str
    typing: bool
    notes: list[str] = field(default_factory=list)
    unread: bool = False
    begun: Tag | Mark | None = None
    awaited: str = ""
    growing: bool = False
    pictures: str = ""
    _frames: list[_Frame] = field(default_factory=lambda: [_Frame()])
    _number: int = 0
    _ending: bool = False

    def read(self) -> Node | None:
        """The query as one part; None where it asks for nothing."""
        acts: dict[str, Callable[[Piece], None]] = {
            "value": self._value,
            "and": self._and,
            "or": self._or,
            "not": self._not,
            "open": self._open,
            "close": self._close,
        }
        for piece in pieces(self.text):
            if self._number > MOST_PARTS:
                self.notes.append(f"Only the first {MOST_PARTS} parts of it were searched.")
                for frame in self._frames:
                    frame.last = None  # what it joins is cut off
                break
            acts[piece.kind](piece)
        if len(self._frames) > 1 and not self.typing and self._number <= MOST_PARTS:
            self.notes.append("A bracket is not closed; it was taken to end with the query.")
        self._ending = self.typing
        while len(self._frames) > 1:
            self._end_frame()
        return self._ended(self._frames[0], top=True)

    # -- operators and brackets ------------------------------------------------------------------

    def _and(self, piece: Piece) -> None:
        frame = self._frames[-1]
        self._drop_not(frame)
        if frame.current:
            frame.last = piece
        else:
            self._as_word(piece, frame)

    def _or(self, piece: Piece) -> None:
        frame = self._frames[-1]
        self._drop_not(frame)
        if not frame.current:
            self._as_word(piece, frame)
            return
        if len(self._frames) == 1:  # these words are no plain ones after all
            self._number += sum(isinstance(one, Term) for one in frame.current)
        frame.alternatives.append(frame.current)
        frame.current, frame.last = [], piece

    def _not(self, piece: Piece) -> None:
        frame = self._frames[-1]
        frame.minus, frame.last = not frame.minus, piece

    def _drop_not(self, frame: _Frame) -> None:
        """A ``NOT`` before another operator leaves nothing out."""
        if frame.last is not None and frame.last.kind == "not":
            frame.minus, last, frame.last = False, frame.last, None
            self._as_word(last, frame)

    def _as_word(self, piece: Piece, frame: _Frame) -> None:
        """An operator that joins nothing."""
        term = Term(piece.text.casefold())
        done = "left out" if term.empty else "taken as a word"
        self.notes.append(f"“{piece.text}” joins nothing where it stands; it was {done}.")
        if not term.empty:
            frame.current.append(Not(term) if frame.negated else term)

    def _open(self, piece: Piece) -> None:
        self._tell_moved(piece)
        above = self._frames[-1]
        name, exact = above.name, above.exact
        if piece.field and (known := field_name(piece.field)):
            name, exact = known, piece.exact
        elif piece.field:
            self._unknown(piece)
            self._put(above, self._words(piece.field, "", piece), piece.negative)
        negated = above.negated ^ piece.negative ^ above.minus
        above.minus, above.last = False, None
        self._frames.append(_Frame(name, exact, negated))

    def _close(self, piece: Piece) -> None:
        if len(self._frames) > 1:
            self._end_frame()
        else:
            self.notes.append("A bracket closes that was not opened; it was left out.")
            self.unread = True

    def _end_frame(self) -> None:
        frame = self._frames.pop()
        found = self._ended(frame)
        if found is not None:
            self._frames[-1].current.append(found)
        elif not self._ending:
            self.unread = True

    def _ended(self, frame: _Frame, *, top: bool = False) -> Node | None:
        """What a bracket asks for; an operator at its end joins nothing."""
        if frame.last is not None and not self._ending:
            if not frame.current and frame.alternatives:
                frame.current = frame.alternatives.pop()
            self._as_word(frame.last, frame)
        if frame.current:
            frame.alternatives.append(frame.current)
        whole = top and len(frame.alternatives) < 2
        lists = [one if whole else _telling(one) for one in frame.alternatives]
        if frame.negated:
            return all_of(node for one in lists if (node := any_of(one)) is not None)
        return any_of(node for one in lists if (node := all_of(one)) is not None)

    # -- values ----------------------------------------------------------------------------------

    def _value(self, piece: Piece) -> None:
        frame = self._frames[-1]
        name, exact = frame.name, frame.exact
        self._tell_moved(piece)
        if not (piece.closed or self.typing):
            self.notes.append("A quote is not closed; it was taken to end with the query.")
        if piece.field:
            name, exact = field_name(piece.field), piece.exact
        if piece.field and not name:
            self._unknown(piece)
            found = [*self._no_field(piece), *self._words(piece.text, "", piece)]
        elif not piece.quoted and not piece.field and _bare(piece.text):
            found = self._nothing_follows(piece)
        else:
            found = self._leaf(piece, name, exact)
        self._put(frame, found, piece.negative)

    def _put(self, frame: _Frame, found: list[Leaf], minus: bool) -> None:
        negative = frame.negated ^ minus ^ frame.minus
        frame.minus, frame.last = False, None
        plain = len(self._frames) == 1 and not (negative or frame.alternatives)
        self._number += sum(not (plain and isinstance(one, Term)) for one in found)
        frame.current += [Not(one) for one in found] if negative else found

    def _leaf(self, piece: Piece, name: str, exact: bool) -> list[Leaf]:
        value = piece.text
        if name == "year":
            return self._range(piece, 4, "a year or a range such as 2015-2020")
        if name == "rating":
            return self._range(piece, 1, "a rating or a range such as 4, >=4 or 3..5")
        if name == "tag" and value.strip():
            return [self._named(Tag(value), piece)]
        if value.strip() and ((name and name not in COLUMNS) or (exact and name in EXACT)):
            if name in ("text", "note") and self._unfinished(piece):
                return [self._begun_inside(piece, name)]
            if said := unreadable(name, value, begun=self._unfinished(piece)):
                return self._unreadable(value, said)
            return [self._named(Mark(name, " ".join(value.split())), piece)]
        if exact and name in COLUMNS and value.strip():
            whole = ", ".join(f"{one}:=" for one in EXACT)
            said = f"“{name}:=” asks for words as “{name}:” does; whole values: {whole}."
            self.notes.append(said)
        return self._words(value, name, piece)

    def _begun_inside(self, piece: Piece, name: str) -> Mark:
        """Words inside PDFs or notes of which the last is being typed."""
        value = " ".join(piece.text.split())
        if not piece.quoted and len(value) >= MIN_PREFIX:
            self.growing = True
            value = f"{value.rstrip('*')}*"
        return Mark(name, value)

    def _unreadable(self, value: str, said: str) -> list[Leaf]:
        self.notes.append(said)
        term = Term(" ".join(value.split()))
        self.unread = self.unread or term.empty
        return [] if term.empty else [term]

    def _named(self, leaf: Tag | Mark, piece: Piece) -> Tag | Mark:
        if self._unfinished(piece):
            self.begun = leaf
        return leaf

    def _words(self, text: str, name: str, piece: Piece) -> list[Leaf]:
        text = self._without_star(text)
        stem = text[:LONGEST_PHRASE].rstrip("*")
        prefix = stem != text and len(stem) >= MIN_PREFIX
        if stem and text.endswith("*") and not prefix:
            said = f"a beginning needs {MIN_PREFIX} letters"
            self.notes.append(f"“{text}” was searched as the word “{stem}”: {said}.")
        if self._unfinished(piece) and text == piece.text and not piece.negative:
            self.growing = len(stem) >= MIN_PREFIX
            prefix = prefix or self.growing
        as_typed = piece.quoted or piece.text.startswith("*")
        stem, column = " ".join(stem.split()), COLUMNS.get(name)
        written = piece.quoted and not prefix and column != _NAMES and one_word(stem)
        term = Term(stem, column, prefix, exact=as_typed, written=written)
        self._tell_signs(text)
        if not term.empty:
            return [term]
        begun = self._unfinished(piece) and (piece.quoted or not text.strip("-"))
        self.unread = self.unread or not begun
        return []

    def _tell_moved(self, piece: Piece) -> None:
        """Say how a minus behind a field was read, and that an exclamation mark leaves none out."""
        if piece.moved:
            typed = self.text[piece.start : piece.end].strip()
            field, _colon, value = typed.lstrip("-").partition(":")
            shown = f"-{field}:{value.lstrip('-!')}"
            self.notes.append(
                f"“{typed}” was read as “{shown}”: it leaves out what the field says."
                if piece.kind == "value"
                else f"A minus behind “{field}:” leaves out what the bracket says."
            )
        elif piece.kind == "value" and not piece.quoted and piece.text.startswith("!"):
            plain = piece.text.lstrip("!")
            if plain:
                self.notes.append(
                    f"“{piece.text}” was searched as “{plain}”: -{plain} leaves it out."
                )

    def _without_star(self, text: str) -> str:
        """A word without a star before it, of which nothing but the end would be known."""
        bare = text.lstrip("*")
        if bare != text and bare:
            self.notes.append(
                f"A star stands for the end of a word: “{text}” was read as “{bare}”."
            )
            return bare
        return text

    def _tell_signs(self, text: str) -> None:
        """Say of signs that look as if they were meant that they are not searched."""
        if _SIGNED.fullmatch(text):
            plain = text.rstrip("+#")
            self.notes.append(f"“{text}” was searched as “{plain}”: signs are not searched.")
        self.pictures += "".join(one for one in text if unicodedata.category(one) == "So")

    def _range(self, piece: Piece, digits: int, what: str) -> list[Leaf]:
        span = read_span(piece.text, digits)
        if span is not None:
            value = piece.text.replace(" ", "")
            return [YearRange(*span) if digits > 1 else Mark("rating", value)]
        if self._unfinished(piece) and set(piece.text) <= _BEGUN:
            self.awaited = self.text[piece.start : piece.end].strip()
            return []
        self.notes.append(f"“{piece.text}” is not {what}; it was taken as a word.")
        found = self._words(piece.text, "", piece)
        self.unread = self.unread or not found
        return found

    def _nothing_follows(self, piece: Piece) -> list[Leaf]:
        """A field whose value is still to be typed, or was forgotten."""
        if self.typing and not self.text[piece.end :].strip():
            self.awaited = self.text[piece.start : piece.end].strip()
            return []
        self.notes.append(f"Nothing follows “{piece.text}”; it was taken as a word.")
        return self._words(piece.text.rstrip(":="), "", piece)

    def _unknown(self, piece: Piece) -> None:
        """Say that a field is none, unless it stands as a colon stands in titles."""
        after = self.text[piece.start : piece.end].partition(":")[2]
        meant = [name for name in near(piece.field, FIELDS) if _slip(piece.field.casefold(), name)]
        if self._unfinished(piece) or after.startswith("//") or (after[:1].isspace() and not meant):
            return
        hint = f"; did you mean “{meant[0]}:”?" if meant else ""
        self.notes.append(
            f"There is no field “{piece.field}”; it was searched as words{hint or '.'}"
        )

    def _no_field(self, piece: Piece) -> list[Leaf]:
        """What stands before a colon as a word: no slip is looked for in what meant a field."""
        found = self._words(piece.field, "", piece)
        if self.text[piece.start : piece.end].partition(":")[2][:1].isspace():
            return found  # as a colon stands in titles
        words = (one for one in found if isinstance(one, Term) and not _stop_word(one))
        exact = {one: replace(one, exact=True) for one in words}
        return [exact.get(one, one) if isinstance(one, Term) else one for one in found]

    def _unfinished(self, piece: Piece) -> bool:
        """Whether a piece is what is being typed."""
        done = piece.quoted and piece.closed
        return self.typing and piece.end == len(self.text) and not done


def _slip(typed: str, name: str) -> bool:
    """Whether a name may be meant by one near to it."""
    begins = typed[0] == name[0] or sorted(typed) == sorted(name)
    return begins and abs(len(name) - len(typed)) < 3


def _bare(text: str) -> bool:
    """Whether a word is a field whose value is missing."""
    return text.endswith(":") and bool(field_name(text.removesuffix(":")))


def _telling(parts: list[Node]) -> list[Node]:
    """Parts that stand together, without the stop words among them where there is anything else."""
    kept = [part for part in parts if not _stop_word(part)]
    return kept or parts


def _stop_word(part: Node) -> bool:
    term = part.leaf if isinstance(part, Not) else part
    if not isinstance(term, Term) or term.exact or term.prefix or term.column:
        return False
    return term.text.casefold() in STOP_WORDS


def split(node: Node | None) -> tuple[Node, ...]:
    """What a query asks for at its top: parts that must all hold."""
    if node is None:
        return ()
    return node.parts if isinstance(node, AllOf) else (node,)
