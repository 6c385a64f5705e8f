"""The fields of the query language."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from litscape.store.lexical import Column

COLUMNS: dict[str, Column] = {
    "title": "title",
    "author": "authors_text",
    "venue": "venue",
    "abstract": "abstract",
    "keyword": "keywords_text",
}
"""Fields of words, and where these are looked for."""
EXACT = ("venue", "author", "keyword")
"""Fields of words that can be asked for as a whole as well: ``venue:="Nature"``."""
MARKS = (
    "collection", "topic", "type", "has", "is", "rating", "colour", "source", "in", "cites",
    "citedby", "key", "text", "note",
)  # fmt: skip
"""Fields of what papers are, have, came from, and are linked to."""
FIELDS = (*COLUMNS, "year", "tag", *MARKS)
HELP: dict[str, str] = {
    "title": "words in the title",
    "author": "names of authors",
    "year": "a year or years: 2015..2020, >=2018",
    "venue": "words in the journal or proceedings",
    "abstract": "words in the abstract",
    "keyword": "words in the keywords",
    "tag": "a tag",
    "collection": "a collection and those below it",
    "topic": "a topic found by likeness, and its parts",
    "has": "what a paper has: abstract, pdf, doi …",
    "is": "what it is to you: unread, read, rated …",
    "rating": "your stars: 4, >=4, 3..5",
    "colour": "your colour for it",
    "type": "its kind: article, book …",
    "source": "the file or program it came from",
    "in": "your reading list (in:list), or a collection",
    "cites": "papers that cite a paper",
    "citedby": "papers that a paper cites",
    "key": "the paper of a citation key or DOI",
    "text": "words inside its PDF",
    "note": "words in your notes on it",
}
"""What each field asks for, in a few words, in the order of the help."""
_ALIASES = {
    "authors": "author",
    "by": "author",
    "journal": "venue",
    "keywords": "keyword",
    "fulltext": "text",
    "notes": "note",
    "years": "year",
    "tags": "tag",
    "collections": "collection",
    "topics": "topic",
    "cluster": "topic",
    "color": "colour",
    "stars": "rating",
    "citekey": "key",
    "doi": "key",
}


def field_name(typed: str) -> str:
    """The one name of a field that may be written in several ways; empty where there is none."""
    name = typed.casefold()
    name = _ALIASES.get(name, name)
    return name if name in FIELDS else ""


def names_of(name: str) -> tuple[str, ...]:
    """All names by which a field is known, its own first."""
    return (name, *(alias for alias, meant in _ALIASES.items() if meant == name))
