"""When two records are one work: identifiers, titles, people, kinds; and keys for the keyless."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from typing import TYPE_CHECKING

from litscape.importers.normalise import title_key
from litscape.paper import Author
from litscape.sorting import sort_text
from litscape.store.candidates import base_scheme

if TYPE_CHECKING:
    from collections.abc import Iterable

    from litscape.paper import Paper, PaperDraft, PaperId

SHARED_SCHEMES = frozenset({"issn", "eissn", "isbn", "lccn", "language"})
"""Identifiers that many works have in common, so that equality says nothing."""
SCHEME_NAMES = {"doi": "DOI", "arxiv": "arXiv id", "pmid": "PubMed id", "openalex": "OpenAlex id"}
"""What a person calls the identifiers of a work."""
_CONTAINERS = frozenset({"book", "mvbook", "collection", "mvcollection", "proceedings", "report"})
_PARTS = frozenset(
    {"chapter", "inbook", "incollection", "inproceedings", "bookinbook", "conference", "paper"}
)
_NUMBER = re.compile(r"\w+")
_WORD = re.compile(r"[^\W_]+")
# 7, 7th, and the year in IWSLT2012.
_COUNTED = re.compile(r"(\d+)(?:st|nd|rd|th)?|[^\W\d]+((?:19|20)\d\d)")
_ROMAN = re.compile(r"(?=[ivx])x{0,2}(?:ix|iv|v?i{0,3})")
_NUMBERED = frozenset({"part", "parts", "volume", "vol", "chapter", "teil", "band", "paper", "no"})
_DIGITS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_SPELLED = {word: str(n) for n, word in enumerate(_DIGITS, 1)}
_LITTLE = frozenset(
    {*("a", "an", "the", "of", "on", "in", "for", "and", "to", "from", "with")}
    | {*("der", "die", "das", "ein", "eine", "le", "la", "les", "un", "une", "el", "los")}
)
_ALIKE, _TYPO = 0.6, 0.9
_PREFIX = 40
_SHORT = 12


@dataclass(slots=True)
class Brief:
    """What is compared of a paper.

    Attributes:
        id: the paper.
        key: its title as it is compared, may be empty.
        families: compared forms of its authors' family names.
        place: venue, volume, issue and pages.
        ids: identifiers that belong to one work only, by scheme (doi, arxiv, pmid, …); those of
            papers that were merged into it as ``doi.2`` and so on.
        isbns: all its ISBNs.
    """

    id: PaperId
    citekey: str | None
    title: str
    key: str
    year: int | None
    type: str | None
    families: frozenset[str]
    ids: dict[str, str]
    isbns: frozenset[str] = frozenset()
    place: tuple[str | None, ...] = (None, None, None, None)

    @property
    def doi(self) -> str | None:
        """The DOI."""
        return self.ids.get("doi")

    def all_of(self, scheme: str) -> set[str]:
        """Its identifiers of a scheme, with those of papers that were merged into it."""
        further = f"{scheme}."
        return {v for s, v in self.ids.items() if s == scheme or s.startswith(further)}


def brief_of(draft: PaperDraft | Paper, paper: PaperId) -> Brief:
    """What is compared of a record; ``paper`` is the id it would get."""
    ids = {s: v for s, v in draft.identifiers.items() if v and of_one_work(s)}
    isbns = (v for s, v in draft.identifiers.items() if v and base_scheme(s) == "isbn")
    for scheme, value in (("doi", draft.doi), ("arxiv", draft.arxiv), ("pmid", draft.pmid)):
        if value:
            ids[scheme] = value
    return Brief(
        paper,
        draft.citekey,
        draft.title or "",
        title_key(draft.title),
        draft.year,
        draft.type,
        families(draft.authors[:10]),
        ids,
        frozenset((*isbns, draft.isbn) if draft.isbn else isbns),
        (draft.venue, draft.volume, draft.issue, draft.pages),
    )


def stored_brief(
    paper: PaperId,
    citekey: str,
    title: str | None,
    year: int | None,
    kind: str | None,
    place: tuple[str | None, ...],
    names: list[list[str | None]],
    schemes: list[tuple[str, str]],
) -> Brief:
    """What is compared of a paper, from a row of :func:`litscape.store.candidates.read_briefs`."""
    people = [Author(family=family, literal=literal) for family, literal in names]
    ids = {scheme: value for scheme, value in schemes if of_one_work(scheme)}
    return Brief(
        paper,
        citekey,
        title or "",
        title_key(title),
        year,
        kind,
        families(people),
        ids,
        frozenset(value for scheme, value in schemes if base_scheme(scheme) == "isbn"),
        place,
    )


def of_one_work(scheme: str) -> bool:
    """Whether an identifier belongs to one work only."""
    return (base_scheme(scheme) if "." in scheme else scheme) not in SHARED_SCHEMES


def families(authors: Iterable[Author]) -> frozenset[str]:
    """The compared forms of family names; of a literal, the whole and its last word."""
    found = set()
    for author in authors:
        if author.family:
            found.add(_name_key(author.family))
        elif author.literal:
            found.add(_name_key(author.literal))
            found.add(_name_key(author.literal.rpartition(" ")[2]))
    return frozenset(found - {""})


@lru_cache(maxsize=50_000)
def _name_key(name: str) -> str:
    return title_key(name)


@lru_cache(maxsize=50_000)
def numbers(title: str) -> frozenset[str]:
    """The numbers in a title that tell parts and years apart: ``Part II`` and ``part 2`` alike."""
    words = _WORD.findall(title.casefold())
    found = set()
    for place, word in enumerate(words):
        after_part = place > 0 and words[place - 1] in _NUMBERED
        whole = _COUNTED.fullmatch(word)
        if whole:
            found.add((whole[1] or whole[2]).lstrip("0") or "0")
        elif after_part and word in _SPELLED:
            found.add(_SPELLED[word])
        elif _ROMAN.fullmatch(word) and (after_part or place == len(words) - 1 or len(word) > 1):
            found.add(str(_roman(word)))
    return frozenset(found)


def _roman(text: str) -> int:
    values = [{"i": 1, "v": 5, "x": 10}[letter] for letter in text]
    pairs = zip(values, [*values[1:], 0], strict=True)
    return sum(-value if value < following else value for value, following in pairs)


def titles_agree(a: Brief, b: Brief) -> bool:
    """Whether two titles can be those of one work: equal, cut, or slightly changed."""
    if not a.key or not b.key or a.key == b.key:
        return not a.key or not b.key or numbers(a.title) == numbers(b.title)
    if numbers(a.title) != numbers(b.title):
        return False
    short, long = sorted((a.key, b.key), key=len)
    if long.startswith(short):
        return True
    mine, theirs = set(_WORD.findall(sort_text(a.title))), set(_WORD.findall(sort_text(b.title)))
    if len(mine & theirs) >= _ALIKE * len(mine | theirs):
        return True
    return SequenceMatcher(None, a.key, b.key, autojunk=False).ratio() >= _TYPO


def people_agree(a: Brief, b: Brief) -> bool:
    """Whether an author is common to both, or one of them names none."""
    return not a.families or not b.families or bool(a.families & b.families)


def kinds_agree(a: Brief, b: Brief) -> bool:
    """False for a book and a chapter of a book."""
    kinds = {a.type, b.type}
    return not (kinds & _CONTAINERS and kinds & _PARTS)


def years_agree(a: Brief, b: Brief, within: int = 0) -> bool:
    """Whether the years are as close as that, or one is unknown."""
    return a.year is None or b.year is None or abs(a.year - b.year) <= within


def ids_conflict(a: Brief, b: Brief) -> bool:
    """Whether both have a DOI and they differ: then they never become one by themselves."""
    if not a.doi or not b.doi or a.doi == b.doi:
        return False
    return a.all_of("doi").isdisjoint(b.all_of("doi"))


def shared_scheme(a: Brief, b: Brief) -> str | None:
    """The scheme of an identifier that both have, None where there is none."""
    for scheme, value in a.ids.items():
        if b.ids.get(scheme) == value:
            return scheme
    # A paper into which others were merged has their identifiers as ``doi.2`` and so on.
    if not any("." in scheme for scheme in (*a.ids, *b.ids)):
        return None
    for scheme in dict.fromkeys(map(base_scheme, a.ids)):
        if not a.all_of(scheme).isdisjoint(b.all_of(scheme)):
            return scheme
    return None


def one_by_identifier(a: Brief, b: Brief) -> bool:
    """Whether two records that share an identifier are one work.

    Chapters have the DOI of their book, and DOIs are mistyped: what else is known must agree.
    """
    return (
        not ids_conflict(a, b) and titles_agree(a, b) and people_agree(a, b) and kinds_agree(a, b)
    )


def one_by_isbn(a: Brief, b: Brief) -> bool:
    """Whether two records are one book: same ISBN, title and kind."""
    return (
        bool(a.key and a.key == b.key and not a.isbns.isdisjoint(b.isbns))
        and a.type == b.type
        and a.type not in _PARTS
        and one_by_identifier(a, b)
        and years_agree(a, b)
    )


def twins(a: Brief, b: Brief) -> bool:
    """Whether title, authors and year are equal and nothing speaks against one work."""
    return (
        bool(a.key)
        and a.key == b.key
        and bool(a.families) == bool(b.families)
        and one_by_identifier(a, b)
        and years_agree(a, b)
    )


def one_by_key(a: Brief, b: Brief) -> bool:
    """Whether two records with one key are one work: a repeated entry, maybe touched up."""
    return one_by_identifier(a, b) and years_agree(a, b)


def key_reused(a: Brief, b: Brief) -> bool:
    """Whether a key that stood for one work now plainly stands for another one."""
    if titles_agree(a, b):
        return False
    if a.doi and b.doi:
        return a.doi != b.doi
    return not people_agree(a, b) and not years_agree(a, b)


def placed_apart(a: Brief, b: Brief) -> bool:
    """Whether they stand at different places of one journal or series, as columns do."""
    venue, other = title_key(a.place[0]), title_key(b.place[0])
    if not venue or venue != other:
        return False
    volumes, issues, pages = zip(a.place[1:], b.place[1:], strict=True)
    starts = [_NUMBER.match(text) if text else None for text in pages]
    return (
        (None not in volumes and volumes[0] != volumes[1])
        or (None not in issues and issues[0] != issues[1])
        or (starts[0] is not None and starts[1] is not None and starts[0][0] != starts[1][0])
    )


def titles_alike(a: Brief, b: Brief) -> bool:
    """Whether two titles are so close that a person should look: equal, cut, or a few letters."""
    if numbers(a.title) != numbers(b.title):
        return False
    short, long = sorted((a.key, b.key), key=len)
    if long.startswith(short):
        return True
    match = SequenceMatcher(None, a.key, b.key, autojunk=False)
    return (
        match.real_quick_ratio() >= _TYPO
        and match.quick_ratio() >= _TYPO
        and match.ratio() >= _TYPO
    )


def untitled_mark(a: Brief) -> tuple[object, ...] | None:
    """What tells a work without a title; None where it has one, or tells next to nothing."""
    if a.key or not (a.families or any(a.place)):
        return None
    return (a.families, a.year, a.type, tuple(map(title_key, a.place)))


def untitled_twins(a: Brief, b: Brief) -> bool:
    """Whether two works without titles are equal in all else, for a person to say."""
    mark = None if a.key or b.key else untitled_mark(a)
    return mark is not None and mark == untitled_mark(b) and not ids_conflict(a, b)


def maybe_one(a: Brief, b: Brief) -> bool:
    """Whether two papers that are not joined may yet be one work, for a person to say.

    Preprint and published version, a book's DOI on its chapter, one entry under two keys.
    """
    if shared_scheme(a, b) or untitled_twins(a, b):
        return True
    if not a.key or not b.key or not people_agree(a, b) or not kinds_agree(a, b):
        return False
    if not years_agree(a, b, within=3 if min(len(a.key), len(b.key)) > _SHORT else 0):
        return False
    return titles_alike(a, b) and not placed_apart(a, b)


@dataclass(frozen=True, slots=True)
class TitleBlock:
    """Where papers of a similar title are looked for.

    Attributes:
        start: their sort title begins so; empty where the title is too short to say anything.
        exact: their sort title is one of these.
        texts: all of these, each once.
    """

    start: str = ""
    exact: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()


NO_BLOCK = TitleBlock()


def title_block(title: str | None) -> TitleBlock:
    """The block of a title: its first forty letters, and the main title before a colon."""
    text = sort_text(title) if title else ""
    if not text:
        return NO_BLOCK
    main = text.partition(":")[0].rstrip() if ":" in text else text
    exact = (text, main) if main != text and len(main) > _SHORT else (text,)
    start = text[:_PREFIX] if len(text) > _SHORT else ""
    return TitleBlock(start, exact, (start, *exact) if start and start not in exact else exact)


def made_key(draft: PaperDraft) -> str:
    """A citekey for a record without one: family name, year, first telling word of the title."""
    first = draft.authors[0] if draft.authors else None
    name = (first.family or first.literal or "") if first else ""
    words = [word for word in _WORD.findall(draft.title or "") if word.casefold() not in _LITTLE]
    year = str(draft.year) if draft.year else ""
    return f"{_ascii(name)[:30]}{year}{_ascii(words[0] if words else '')[:20]}" or "paper"


def _ascii(text: str) -> str:
    folded = title_key(text)
    return re.sub(r"[^a-z0-9]", "", folded) or folded
