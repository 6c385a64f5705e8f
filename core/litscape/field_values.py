"""What a user may set on a paper: which fields, and text or values checked and brought to form."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from litscape.errors import UserError
from litscape.importers import normalise, people
from litscape.paper import Author, FileLink
from litscape.reading import COLOURS, MOST, STATES, UNREAD

if TYPE_CHECKING:
    from collections.abc import Callable

_TEXTS = ("title", "venue", "publisher", "volume", "issue", "pages", "url", "abstract_note")
_RAW_DATES = ("year_raw", "month_raw")
_TRUE, _FALSE = ("true", "yes", "1"), ("false", "no", "0", "")
_FILE_PARTS = ("path", "title", "mime", "base", "exists")
_NAME_PARTS = ("family", "given", "particle", "suffix", "literal")
_YEARS = range(-4000, 10_000)
_PLAIN_KEY = re.compile(r'[^\s,{}"#%\\~]+')


def checked(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Fields as they will be stored, typed as on :class:`litscape.paper.Paper`.

    Args:
        fields: values by name. Text is accepted for all of them: ``"a; b"`` for lists,
            ``"Family, Given; Family, Given"`` for authors, ``"Water/Rivers; Birds"`` for
            collections; empty text or None empties a field.

    Raises:
        UserError: no such field can be set, or a value does not fit.
    """
    values: dict[str, Any] = {}
    for name, value in fields.items():
        check = _CHECKS.get(name)
        if check is None:
            raise UserError(
                f"There is no field {name!r} to set; fields are: {', '.join(SETTABLE)}."
            )
        values[name] = check(name, value)
    # "2019" set by hand replaces an "in press" that the source wrote, and the other way round.
    for number, raw in (("year", "year_raw"), ("month", "month_raw")):
        if number in values and raw not in values:
            values[raw] = None
        elif values.get(raw) is not None and number not in values:
            values[number] = None
    return values


def _wrong(name: str, value: Any, wish: str) -> UserError:
    shown = str(value) if len(str(value)) <= 80 else str(value)[:80] + "…"
    return UserError(f"{name} must be {wish}, not {shown!r}; nothing was changed.")


def _text(name: str, value: Any) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str):
        raise _wrong(name, value, "text")
    return normalise.fold(value) or None


def _paragraphs(name: str, value: Any) -> str | None:
    """Text that keeps its paragraphs: an abstract."""
    if value is None or not isinstance(value, str):
        return _text(name, value)
    return normalise.fold_paragraphs(value) or None


def _lines(name: str, value: Any) -> str | None:
    """Text that keeps its lines: a note."""
    if value is None or not isinstance(value, str):
        return _text(name, value)
    return normalise.fold_lines(value) or None


def _citekey(name: str, value: Any) -> str:
    key = _text(name, value)
    if key is None or not _PLAIN_KEY.fullmatch(key):
        raise _wrong(name, value, "a key without blanks, commas, braces, quotes, #, %, ~ and \\")
    return key


def _type(name: str, value: Any) -> str | None:
    word = _text(name, value)
    return word.lower() if word else None


def _number(allowed: range, wish: str) -> Callable[[str, Any], int | None]:
    def check(name: str, value: Any) -> int | None:
        if value is None or (isinstance(value, str) and not value.strip()):
            return None
        if isinstance(value, str) and re.fullmatch(r"\s*-?\d{1,5}\s*", value):
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int) or value not in allowed:
            raise _wrong(name, value, wish)
        return int(value)

    return check


def _flag(name: str, value: Any) -> bool:
    words = {
        "true": True,
        "yes": True,
        "1": True,
        "false": False,
        "no": False,
        "0": False,
        "": False,
    }
    if isinstance(value, bool):
        return value
    if value is None or str(value).strip().lower() not in words:
        raise _wrong(name, value, "true or false")
    return words[str(value).strip().lower()]


def _identifier(form: Callable[[str], str | None], wish: str) -> Callable[[str, Any], str | None]:
    def check(name: str, value: Any) -> str | None:
        text = _text(name, value)
        if text is None:
            return None
        found = form(text)
        if found is None:
            raise _wrong(name, value, wish)
        return found

    return check


def _members(name: str, value: Any) -> list[Any]:
    """The members of a list given as such, as JSON text or as ``a; b``."""
    if value is None:
        return []
    if isinstance(value, str):
        if value.lstrip().startswith("["):
            value = _json(name, value)
        else:
            return [part for part in value.split(";") if part.strip()]
    if isinstance(value, Mapping) or not isinstance(value, Iterable):
        raise _wrong(name, value, "a list")
    return list(value)


def _json(name: str, text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _wrong(name, text, "text, or sound JSON") from error


def _terms(name: str, value: Any) -> tuple[str, ...]:
    terms = [_text(name, member) for member in _members(name, value)]
    return tuple(dict.fromkeys(term for term in terms if term))


def _notes(name: str, value: Any) -> tuple[str, ...]:
    # A note is prose and may hold semicolons: plain text is one note.
    if isinstance(value, str) and not value.lstrip().startswith("["):
        value = [value]
    notes = [_lines(name, member) for member in _members(name, value)]
    return tuple(dict.fromkeys(note for note in notes if note))


def _collections(name: str, value: Any) -> tuple[tuple[str, ...], ...]:
    paths = []
    for member in _members(name, value):
        listed = isinstance(member, list | tuple) and all(isinstance(one, str) for one in member)
        if not (listed or isinstance(member, str)):
            raise _wrong(name, member, 'a path such as Water/Rivers or ["Water", "Rivers"]')
        paths.append(collection_path(member))
    return tuple(dict.fromkeys(paths))


def collection_path(path: str | Iterable[str]) -> tuple[str, ...]:
    """The names from the top of a path given as ``Water/Rivers`` or as names.

    Raises:
        UserError: a name is empty.
    """
    parts = path.split("/") if isinstance(path, str) else list(path)
    names = tuple(normalise.fold(str(part)) for part in parts)
    if not names or not all(names):
        raise UserError(
            f"A collection needs a name at each level, as in Water/Rivers, not {path!r}."
        )
    return names


def _files(name: str, value: Any) -> tuple[FileLink, ...]:
    links = []
    for member in _members(name, value):
        if isinstance(member, FileLink):
            links.append(member)
        elif isinstance(member, str):
            links.append(FileLink(_sound(member.strip())))
        elif isinstance(member, Mapping) and isinstance(member.get("path"), str):
            links.append(_file(name, member))
        else:
            raise _wrong(name, member, "a path")
    return tuple(links)


def _file(name: str, member: Mapping[str, Any]) -> FileLink:
    parts = _known(name, member, _FILE_PARTS)
    exists = parts.pop("exists", None)
    if exists is not None and not isinstance(exists, bool):
        raise _wrong(name, dict(member), "an object whose exists is true, false or null")
    path = _sound(str(parts.pop("path")))  # a path may well hold two blanks in a row
    texts = {key: _text(name, value) for key, value in parts.items()}
    return FileLink(path, **texts, exists=exists)


def _sound(text: str) -> str:
    """The text with marks for what no file can hold: half a surrogate pair, a zero byte."""
    return re.sub("[\x00\ud800-\udfff]", "\ufffd", text)


def _authors(name: str, value: Any) -> tuple[Author, ...]:
    if isinstance(value, str) and not value.lstrip().startswith("["):
        return tuple(_author_text(part) for part in _names(value))
    authors = []
    for member in _members(name, value):
        if isinstance(member, Author):
            authors.append(member)
        elif isinstance(member, str) and member.strip():
            authors.append(_author_text(member))
        elif isinstance(member, Mapping):
            parts = _known(name, member, _NAME_PARTS)
            author = Author(**{key: _text(name, part) for key, part in parts.items()})
            if not (author.family or author.literal):
                raise _wrong(name, dict(member), "a name with a family or a literal")
            authors.append(author)
        else:
            raise _wrong(name, member, "a name")
    return tuple(authors)


def _names(text: str) -> list[str]:
    parts = text.split(";") if ";" in text else re.split(r"\s+and\s+(?![^{]*\})", text)
    return [part for part in map(normalise.fold, parts) if part]


def _author_text(text: str) -> Author:
    name = normalise.fold(text)
    if name.startswith("{") and name.endswith("}"):
        return Author(literal=name[1:-1].strip())
    return people.natural(name)


def _known(name: str, member: Mapping[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
    if set(member) - set(keys):
        raise _wrong(name, dict(member), f"an object with the keys {', '.join(keys)}")
    return dict(member)


def _raw_fields(name: str, value: Any) -> Mapping[str, str]:
    if isinstance(value, str) and value.strip():
        value = _json(name, value)
    if not value:
        return MappingProxyType({})
    if not isinstance(value, Mapping) or not all(isinstance(v, str) for v in value.values()):
        raise _wrong(name, value, 'an object of texts, such as {"shelf": "B 12"}')
    texts = {_sound(str(key)).strip().lower(): _sound(text) for key, text in value.items()}
    return MappingProxyType(texts)


def marks(
    read_state: str | None = None, rating: int | None = None, colour: str | None = None
) -> dict[str, Any]:
    """Marks of a reader as they are stored; those that are None are left out.

    Raises:
        UserError: there is no such state, rating or colour, or none was given.
    """
    values: dict[str, Any] = {}
    if read_state is not None:
        values["read_state"] = _state("read_state", read_state)
    if rating is not None:
        values["rating"] = _rating("rating", rating)
    if colour is not None:
        values["colour"] = _colour("colour", colour)
    if not values:
        raise UserError("Say how to mark the papers: a read state, a rating or a colour.")
    return values


def _state(name: str, value: Any) -> str | None:
    word = (_text(name, value) or UNREAD).lower()
    if word not in STATES:
        raise _wrong(name, value, f"one of {', '.join(STATES)}")
    return None if word == UNREAD else word


def _rating(name: str, value: Any) -> int | None:
    return _number(range(MOST + 1), f"a number of stars from 0 to {MOST}")(name, value) or None


def _colour(name: str, value: Any) -> str | None:
    word = (_text(name, value) or "none").lower()
    word = "grey" if word == "gray" else word
    if word not in (*COLOURS, "none"):
        raise _wrong(name, value, f"one of {', '.join(COLOURS)}, or none")
    return None if word == "none" else word


_CHECKS: dict[str, Callable[[str, Any], Any]] = {
    "citekey": _citekey,
    "type": _type,
    **dict.fromkeys((*_TEXTS, *_RAW_DATES), _text),
    "abstract": _paragraphs,
    "authors": _authors,
    "more_authors": _flag,
    "year": _number(_YEARS, "a year such as 2019 (words such as “in press” go into year_raw)"),
    "month": _number(range(1, 13), "a month from 1 to 12"),
    "day": _number(range(1, 32), "a day from 1 to 31"),
    "doi": _identifier(normalise.doi, "a DOI such as 10.1000/182"),
    "arxiv": _identifier(normalise.arxiv, "an arXiv id such as 1903.00001"),
    "pmid": _identifier(normalise.pmid, "a PubMed id, a number"),
    "isbn": _identifier(normalise.isbn, "an ISBN of 10 or 13 digits"),
    "keywords": _terms,
    "tags": _terms,
    "fields": _terms,
    "collections": _collections,
    "notes": _notes,
    "files": _files,
    "raw_fields": _raw_fields,
    "read_state": _state,
    "rating": _rating,
    "colour": _colour,
}
SETTABLE = tuple(sorted(_CHECKS))
"""The names of the fields that a user can set."""
