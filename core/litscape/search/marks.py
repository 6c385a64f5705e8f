"""The marks of a query as conditions: what a paper is, has, came from, and whom it cites."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from litscape.errors import UserError
from litscape.importers import record_types
from litscape.near import near, no_such
from litscape.reading import COLOURS, MOST
from litscape.search import identifiers
from litscape.search.numbers import read_span
from litscape.sorting import same_value, sort_text
from litscape.store import lexical, topics
from litscape.store.collections import collection_tree
from litscape.store.facets import source_names
from litscape.store.filters import HAS, IS
from litscape.store.fulltext import DamagedTextError
from litscape.store.imports import list_sources
from litscape.store.naming import begun_titles, identified, titled_papers
from litscape.store.noted import noted
from litscape.store.papers import known_types, resolve

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    import sqlalchemy as sa

    from litscape.paper import Collection as Node
    from litscape.paper import PaperFilter, PaperId
    from litscape.search.query import Mark

    Inside = Callable[[sa.Connection, str], Collection[PaperId] | None]
    """From words to the papers that have them in the text of their PDFs; None: it is not read."""

_HAS = {
    **{name: name for name in HAS},
    "abstracts": "abstract",
    "files": "file",
    "pdfs": "pdf",
    "notes": "note",
    "tags": "tag",
    "collections": "collection",
    "reference": "references",
    "citation": "citations",
    "cites": "references",
    "citedby": "citations",
}
_IS = {
    **{name: name for name in IS},
    "starred": "rated",
    "colored": "coloured",
    "new": "unread",
}
_PLACES = {"list": "listed", "readinglist": "listed", "reading-list": "listed"}
_COLOURS = {**{name: name for name in COLOURS}, "gray": "grey", "violet": "purple"}


def marked(
    conn: sa.Connection,
    flt: PaperFilter,
    mark: Mark,
    notes: list[str],
    inside: Inside | None = None,
) -> PaperFilter | None:
    """A filter narrowed by a mark; None, and a note, where the mark names nothing there is."""
    value = mark.value
    if mark.field == "text":
        return _inside(conn, flt, value, notes, inside)
    if mark.field == "note":
        return _noted(conn, flt, value, notes)
    if mark.field == "type":
        return _one_of(flt, "types", value, known_types(conn), "type", notes)
    if mark.field == "topic":
        return _of_topic(conn, flt, value, notes)
    if mark.field == "source":
        return _from(conn, flt, value, notes)
    if mark.field == "colour":
        name = _COLOURS.get(value.casefold(), value)
        return _one_of(flt, "colours", name, COLOURS, "colour", notes)
    if mark.field == "venue":
        return _either(flt, "venues", (value,))
    if mark.field in ("author", "keyword"):
        return _all(conn, flt, f"{mark.field}s", value)
    if mark.field == "rating":
        return _rated(flt, value, notes)
    if mark.field in ("has", "is", "in"):
        return _named(conn, flt, mark, notes)
    if mark.field == "collection":
        return _within(conn, flt, value, notes)
    return _linked(conn, flt, mark, notes)


def unreadable(field: str, value: str, *, begun: bool = False) -> str:
    """What is said of a value that can't be one of its field and is searched as words; or empty.

    One that has been ``begun`` may still become one.
    """
    low = " ".join(value.split()).casefold()
    known = {"has": _HAS, "is": _IS, "colour": _COLOURS}.get(field, {})
    if begun and any(name.startswith(low) for name in known):
        return ""
    if field == "has" and low not in _HAS:
        said = f"Papers can't be asked for “{value}”: use {', '.join(HAS)}"
    elif field == "is" and low not in _IS:
        said = f"Papers can't be “{value}”: use {', '.join(IS)}"
    elif field == "colour" and sort_text(_COLOURS.get(low, low)) not in COLOURS:
        said = no_such("colour", value, COLOURS).removesuffix(".") + f": use {', '.join(COLOURS)}"
    else:
        return ""
    return f"{said}; it was searched as words."


def no_type(conn: sa.Connection, value: str) -> str:
    """What is said of a type that neither papers nor the vocabulary have; else empty."""
    known = (*known_types(conn), *record_types.KNOWN)
    if any(sort_text(one) == sort_text(value) for one in known) or record_types.named(value):
        return ""
    said = no_such("type", value, dict.fromkeys(known)).removesuffix(".")
    return f"{said}; it was searched as words."


def _linked(
    conn: sa.Connection, flt: PaperFilter, mark: Mark, notes: list[str]
) -> PaperFilter | None:
    """By a paper of the library: that paper itself, or those that cite it or that it cites."""
    try:
        papers = _papers(conn, mark.value)
    except UserError as error:  # one name for several papers
        notes.append(str(error))
        return None
    if not papers and " " in mark.value and mark.field != "key":
        papers = titled_papers(conn, mark.value)
        if len(papers) > 1:
            keys = ", ".join(f"“{key}”" for key, _title in begun_titles(conn, mark.value, 3))
            notes.append(f"Several papers are called “{mark.value}”: name one by its key: {keys}.")
            return None
    if not papers:
        found = begun_titles(conn, mark.value, 3) if " " in mark.value else []
        meant = "; near it: " + ", ".join(f"“{title}”" for _key, title in found) if found else ""
        notes.append(f"There is no paper “{mark.value}” in this library{meant}.")
        return None
    if mark.field == "cites":
        return replace(flt, cites=(*flt.cites, papers[0]))
    if mark.field == "citedby":
        return replace(flt, cited_by=(*flt.cited_by, papers[0]))
    return _ids(flt, papers)


def _papers(conn: sa.Connection, name: str) -> list[PaperId]:
    """The paper of a citation key, an id, a DOI or another identifier."""
    paper = resolve(conn, name)
    if paper is not None:
        return [paper]
    naming = identifiers.read(name)
    if naming is None or not naming.kind:
        return []
    return identified(conn, naming.pairs, begun=False)


def _named(
    conn: sa.Connection, flt: PaperFilter, mark: Mark, notes: list[str]
) -> PaperFilter | None:
    """By one of a few words: ``has:pdf``, ``is:unread``, ``in:list``."""
    value = mark.value.casefold()
    if mark.field == "has":
        name = _HAS.get(value)
        if name is None:
            notes.append(f"Papers can't be asked for “{mark.value}”: use {', '.join(HAS)}.")
            return None
        return replace(flt, has=(*flt.has, name))
    known = _IS if mark.field == "is" else _PLACES
    name = known.get(value)
    if name is not None:
        return replace(flt, is_=(*flt.is_, name))
    if mark.field == "in":
        return _within(conn, flt, mark.value, notes)
    notes.append(f"Papers can't be “{mark.value}”: use {', '.join(IS)}.")
    return None


def _inside(
    conn: sa.Connection, flt: PaperFilter, value: str, notes: list[str], inside: Inside | None
) -> PaperFilter | None:
    try:
        found = inside(conn, value) if inside is not None else None
    except DamagedTextError as error:
        notes.append(str(error))
        return None
    if found is None:
        notes.append("The text of PDFs has not been read, so that nothing is found inside them.")
        return None
    if not found:
        notes.append(f"No PDF that was read has “{value}”.")
    return _ids(flt, found)


def _noted(
    conn: sa.Connection, flt: PaperFilter, value: str, notes: list[str]
) -> PaperFilter | None:
    """By words in notes; the last may go on where a star stands after it."""
    stem = value.rstrip("*")
    found = noted(conn, lexical.Term(stem, prefix=stem != value))
    if not found:
        notes.append(f"No note has “{value}”.")
        return None
    return _ids(flt, found)


def _of_topic(
    conn: sa.Connection, flt: PaperFilter, value: str, notes: list[str]
) -> PaperFilter | None:
    """By topics of a name, in letters of any case, with what they consist of."""
    found = topics_named(conn, value)
    if not found:
        known = topics.known_names(conn)
        none = "This library has no topics yet: they have to be found first."
        notes.append(no_such("topic", value, known) if known else none)
        return None
    return replace(flt, topics=(*flt.topics, found))


def topics_named(conn: sa.Connection, value: str) -> tuple[int, ...]:
    """The ids of the topics that a value names, in letters of any case."""
    known = topics.known_names(conn)
    found = [name for name in known if same_value(name) == same_value(value)]
    found = found or [name for name in known if sort_text(name) == sort_text(value)]
    return tuple(topics.ids_named(conn, found)) if found else ()


def _ids(flt: PaperFilter, found: Collection[PaperId]) -> PaperFilter:
    ids = frozenset(found)
    return replace(flt, ids=ids & flt.ids if flt.ids is not None else ids)


def _one_of(
    flt: PaperFilter, name: str, value: str, known: Iterable[str], kind: str, notes: list[str]
) -> PaperFilter | None:
    """By one of the values that there are, in letters of any case."""
    known = tuple(known)
    found = tuple(one for one in known if sort_text(one) == sort_text(value))
    if not found:
        meant = near(value, known)
        few = f" Use {', '.join(known)}." if kind == "colour" and not meant else ""
        notes.append(no_such(kind, value, known) + few)
        return None
    return _either(flt, name, found)


def _from(
    conn: sa.Connection, flt: PaperFilter, value: str, notes: list[str]
) -> PaperFilter | None:
    """By the source of an import, named by the end of its path as facets name it."""
    locations = [location for _number, location in list_sources(conn)]
    known = source_names(locations)
    ends = (one.replace("\\", "/") for one in locations)
    if value.lower() != "zotero" and not any(
        one == value or one.endswith(f"/{value}") for one in ends
    ):
        return _one_of(flt, "sources", value, known, "source", notes)
    return _either(flt, "sources", (value,))


def _either(flt: PaperFilter, name: str, found: tuple[str, ...]) -> PaperFilter:
    """By any of some values; of those asked for before, what both let through."""
    before: tuple[str, ...] = getattr(flt, name)
    keys = {sort_text(one) for one in found}
    if before:
        found = tuple(one for one in before if sort_text(one) in keys)
    values: dict[str, Any] = {name: found} if found else {"ids": frozenset()}
    return replace(flt, **values)


def _all(conn: sa.Connection, flt: PaperFilter, name: str, value: str) -> PaperFilter:
    """By a whole value of which a paper has several: an author, a keyword."""
    whole: dict[str, Any] = {name: _names(value) if name == "authors" else (value,)}
    if not getattr(flt, name):
        return replace(flt, **whole)
    from litscape.paper import PaperFilter as Filter
    from litscape.store.filters import find_ids

    return _ids(flt, find_ids(conn, Filter(trashed=flt.trashed, **whole)).tolist())


def _names(value: str) -> tuple[str, ...]:
    """A name as facets show it, ``Berg, Jan``, where it may be written ``Jan Berg``."""
    words = value.split()
    if "," in value or len(words) < 2:
        return (value,)
    turned = (f"{' '.join(words[i:])}, {' '.join(words[:i])}" for i in range(1, len(words)))
    return (value, *turned)


def _rated(flt: PaperFilter, value: str, notes: list[str]) -> PaperFilter | None:
    span = read_span(value, 1)
    if span is None:
        notes.append(f"“{value}” is no rating from 1 to {MOST}, such as 4, >=4 or 3..5.")
        return None
    if span[1] == 0 and not span[0]:
        return replace(flt, rating_to=0)  # not rated
    if (span[0] or 0) > MOST:
        notes.append(f"Ratings go from 1 to {MOST}; rating:0 finds papers without one.")
        return None
    first = [one for one in (flt.rating_from, span[0], 1) if one is not None]
    last = [one for one in (flt.rating_to, span[1], MOST) if one is not None]
    return replace(flt, rating_from=max(first), rating_to=min(last))


def _within(
    conn: sa.Connection, flt: PaperFilter, value: str, notes: list[str]
) -> PaperFilter | None:
    """By a collection's path, else its name, in letters of any case, with what is below it."""
    tree = collection_tree(conn)
    found = collections_named(tree, value)
    if not found:
        notes.append(no_such("collection", value, (one.name for one in tree)))
        return None
    return replace(flt, within=(*flt.within, found))


def collections_named(tree: Iterable[Node], value: str) -> tuple[int, ...]:
    """The ids of the collections that a value names, by path, else by name, in any case."""
    tree = tuple(tree)
    wanted, just = _path(value), same_value(value)
    paths = [(one.id, "/".join(one.path)) for one in tree]
    found = tuple(number for number, path in paths if same_value(path) == just)
    found = found or tuple(number for number, path in paths if _path(path) == wanted)
    return found or tuple(one.id for one in tree if _path(one.name) == wanted)


def is_place(value: str) -> bool:
    """Whether ``in:`` with a value means the reading list, not a collection."""
    return value.casefold() in _PLACES


def _path(text: str) -> list[str]:
    """A path in letters made alike; names may hold a slash themselves."""
    return [" ".join(sort_text(part).split()) for part in text.split("/")]
