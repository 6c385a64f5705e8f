"""What can be typed next in a query: fields, and the values that the library has for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from litscape.facets import FacetRequest
from litscape.paper import PaperFilter
from litscape.reading import COLOURS
from litscape.search.clauses import clause
from litscape.search.fields import EXACT, HELP, field_name, names_of
from litscape.search.pieces import QUOTES, pieces
from litscape.sorting import sort_text
from litscape.store.filters import HAS, IS, count
from litscape.store.naming import begun_titles

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from litscape.facets import Facets
    from litscape.store.database import Database

MOST = 10
"""Values shown of a field."""
FACETS = {
    "tag": "tag", "collection": "collection", "topic": "topic", "author": "author",
    "venue": "venue", "type": "type", "source": "source", "colour": "colour", "year": "year",
    "rating": "rating",
}  # fmt: skip
"""Fields whose values are counted as facets are."""
_FEW = 20_000
"""Papers of a library small enough to be counted once for each of a few words."""
_READ = 200
"""Names of authors or venues that are looked through for those that begin as typed."""
_ALL = 100_000


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to go on.

    Attributes:
        text: what takes the place of what is being typed.
        shown: what the list shows.
        detail: what it means, in a few words.
        papers: how many papers it finds, None where that is not known.
    """

    text: str
    shown: str
    detail: str = ""
    papers: int | None = None


@dataclass(frozen=True, slots=True)
class Begun:
    """What is being typed.

    Attributes:
        start: where it begins in the text.
        end: where it ends.
        field: the field that a value is typed for; empty for a word, which may become a field.
        text: the value or word so far.
        negative: whether a minus stands before it.
    """

    start: int
    end: int
    field: str = ""
    text: str = ""
    negative: bool = False


def begun(text: str, cursor: int) -> Begun | None:
    """What is being typed at a place in a query; None inside of what is finished."""
    before = text[:cursor].translate(QUOTES)
    if cursor < len(text) and not (text[cursor].isspace() or text[cursor] in ")|"):
        return None
    last = None
    for piece in pieces(before):
        last = piece
    if last is None or (last.end < cursor and not _waits(last.text)):
        return Begun(cursor, cursor)
    if last.kind != "value" or (last.quoted and last.closed):
        return None if last.kind == "value" or last.end < cursor else Begun(cursor, cursor)
    if _waits(last.text):
        return Begun(last.start, cursor, field_name(last.text[:-1]), "", last.negative)
    if last.field:
        name = field_name(last.field)
        return Begun(last.start, cursor, name, last.text, last.negative) if name else None
    return None if last.quoted else Begun(last.start, cursor, "", last.text, last.negative)


def _waits(text: str) -> bool:
    """Whether it is a field without value yet."""
    return text.endswith(":") and bool(field_name(text[:-1]))


def fields(now: Begun, *, all_of_them: bool = False) -> tuple[Choice, ...]:
    """The fields whose name begins as typed; all of them only where they are asked for."""
    if now.field or not (now.text or all_of_them):
        return ()
    typed = now.text.casefold()
    minus = "-" if now.negative else ""
    return tuple(
        Choice(f"{minus}{name}:", f"{name}:", help_)
        for name, help_ in HELP.items()
        if any(one.startswith(typed) for one in names_of(name))
    )


def values(database: Database, facets: Facets, now: Begun) -> tuple[Choice, ...]:
    """The values of a field that begin as typed, most used first.

    Facets are read for the first time here where nobody has done so: 2 s for 580,000 authorships.
    """
    found: Iterable[Choice] = ()
    if now.field in FACETS:
        found = _of_facet(database, facets, now)
    elif now.field in ("is", "has", "in"):
        found = _named(database, now)
    elif now.field in ("cites", "citedby", "key"):
        found = _papers(database, now)
    return tuple(found)


def _of_facet(database: Database, facets: Facets, now: Begun) -> Iterator[Choice]:
    name = FACETS[now.field]
    many = name in EXACT  # the others have few values, all of which are looked through
    containing = {name: now.text} if many and now.text else {}
    asked = FacetRequest(names=(name,), top={name: _READ if many else _ALL}, containing=containing)
    report = facets.count(asked, wait=False)
    if report is None or (not report.current and report.papers <= _FEW):
        report = facets.count(asked)
    if report is None:
        return
    there = [(one.value, one.papers) for one in report[name].values]
    if name == "year":
        there.reverse()
    if name == "colour":
        there += [(one, 0) for one in COLOURS if one not in dict(there)]
    for value, papers in _begins(there, now.text)[:MOST]:
        yield _choice(now, value, papers)


def _begins(there: list[tuple[str, int]], text: str) -> list[tuple[str, int]]:
    """Values of which a word begins as typed, those that begin so themselves first."""
    typed = sort_text(text) if text else ""
    ranked = []
    for place, (value, papers) in enumerate(there):
        plain = sort_text(value)
        at = plain.find(typed)
        while at > 0 and plain[at - 1].isalnum():
            at = plain.find(typed, at + 1)
        if at >= 0:
            ranked.append((at > 0, place, value, papers))
    return [(value, papers) for _inside, _place, value, papers in sorted(ranked)]


def _named(database: Database, now: Begun) -> Iterator[Choice]:
    """The few words of ``is:``, ``has:`` and ``in:``, in small libraries with their numbers."""
    names = {"is": tuple(IS), "has": tuple(HAS), "in": ("list",)}[now.field]
    with database.read() as conn:
        few = count(conn, PaperFilter()) <= _FEW
        for name in names:
            if not name.startswith(now.text.casefold()):
                continue
            if now.field == "has":
                flt = PaperFilter(has=(name,))
            else:
                flt = PaperFilter(is_=("listed" if now.field == "in" else name,))
            yield _choice(now, name, count(conn, flt) if few else None)


def _papers(database: Database, now: Begun) -> Iterator[Choice]:
    """Papers by their citation key, or by words of their title."""
    with database.read() as conn:
        for key, title in begun_titles(conn, now.text, MOST):
            yield Choice(f"{_text(now, key)} ", key, title)


def _choice(now: Begun, value: str, papers: int | None) -> Choice:
    return Choice(f"{_text(now, value)} ", value, papers=papers)


def _text(now: Begun, value: str) -> str:
    """The clause that a value makes; words of a venue or an author are asked for as a whole."""
    return clause(now.field, value, negative=now.negative)
