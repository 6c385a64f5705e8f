"""What a reference means: its work, the papers that it may be, and how well one of them fits.

Blocking and scoring as in record linkage (Fellegi & Sunter 1969): only papers that share a block
with a reference are compared with it.

Works and blocks are stored as numbers made of the texts here: whoever changes these texts makes
the stored numbers anew by a migration.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING

from litscape.importers.matching import numbers
from litscape.importers.normalise import title_key
from litscape.importers.written import begins_with_names, is_placed, plain_text, title_in, year_in
from litscape.sorting import has_signs, sort_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

AUTHOR_BITS = 15
"""Of a name: those that tell the first author, so that one who isn't said can be any."""
ENOUGH = 0.75
"""From this score on a reference is taken to mean the paper."""
START = 40
_SHORT, _SHORT_SIGNS = 12, 4
_LEAST = 4
_TELLING = 25
"""Titles with fewer letters say nothing without an author."""
_TYPO, _SURE = 0.9, 0.9
_LONG_NAME, _NEAR_NAME = 5, 0.8
"""Letters of names in which a slip is looked for, and how alike they are then."""
_UMLAUT = re.compile(r"([aou])e")
_PREPRINTS = ("10.48550/", "10.1101/", "10.21203/", "10.2139/ssrn", "10.31234/", "10.26434/")
_MAIN = re.compile(r"[:?!–—]|\.\s|\s-\s")
_MARK = re.compile(r"[^\w\s'’-]|\s-")
_PART = re.compile(r"\.\s+|[“”\"]|\?\s+|;\s+")
# An identifier or a key alone: "US-5974396-A", "W12345".
_CODE = re.compile(r"[^\s,;(]*\d[^\s,;(]*")
_NUMBER = re.compile(r"\d+")
# Scopus without a title: "(1999) J Comp Phys, 151, p. 283", "(1999) Mud, 286 (5439), pp. 509-512"
_PLACE = re.compile(r"\(\d{4}\)[^,()]*,\s*(\w+)\s*(?:\([^()]*\))?,\s*pp?\.\s*(\w+)")
# "Smith J", "van der Berg, J.-P.", "O'Neil A B": what stands before the first comma, no initials.
_INITIALS = re.compile(r"(?:[^\W\d_]\.?-?)|(?:[^\W\d_]\.-?)+[^\W\d_]?\.?")
_WORDS = "al ben bin da das de del den der di do dos du el la le lo san st te ten ter van von y"
_PARTICLES = frozenset(_WORDS.split())
_GIVEN_FIRST = re.compile(r"(?:[^\W\d_]\.[ -]?)+\s*(?=[^\W\d_]{2})")
_NAME_END = re.compile(r"[,;(]|\.\s|\s&\s|\sand\s|\set al", re.I)


@dataclass(frozen=True, slots=True)
class Cited:
    """A reference as it is compared."""

    title: str | None = None
    year: int | None = None
    doi: str | None = None
    raw: str | None = None
    extra: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """A paper of the library as it is compared.

    Attributes:
        families: family names of its authors in order, literals among them.
        dois: all of its DOIs.
    """

    id: int
    title: str | None
    year: int | None
    families: tuple[str, ...] = ()
    volume: str | None = None
    pages: str | None = None
    dois: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Fit:
    """How a paper fits a reference: by which means, and how well (0 … 1)."""

    method: str
    score: float


def spoken(title: str) -> str:
    """A title without LaTeX: what some sources write with it stands elsewhere as it is read."""
    if "\\" in title or "$" in title or "{" in title:
        from litscape.importers.latex import to_unicode  # seldom needed

        return to_unicode(title)
    return title


@lru_cache(maxsize=4096)
def _key(title: str) -> str:
    """A title as it is compared; one reference is asked for it several times."""
    return title_key(spoken(title))


def _letters(key: str) -> int:
    """How much a folded title tells, in letters: a sign of Han or kana tells as much as three."""
    return len(key) if key.isascii() else len(key) + 2 * sum(map(has_signs, key))


def mark(text: str) -> int:
    """A text as a whole number of 64 bits, with a sign as SQLite has it."""
    return int.from_bytes(
        blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), signed=True
    )


def work_text(
    doi: str | None, source_id: str | None, title: str | None, year: int | None,
    raw: str | None, extra: Mapping[str, str],
) -> str | None:  # fmt: skip
    """What tells a cited work from others: an identifier, else title, first author and year.

    A work without title is told by author, year, volume and page, else by its whole text. None
    where nothing is known.
    """
    if doi:
        return f"doi:{doi}"
    if source_id:
        return f"id:{source_id}"
    if title and (key := _key(title)):
        return f"title:{key}|{year or ''}|{title_key(first_author(raw, extra))}"
    if place := place_text(year, raw, extra):
        return place
    whole = title_key(raw)
    return f"raw:{whole}" if whole else None


def name_of(title: str | None, year: int | None, raw: str | None, extra: Mapping[str, str]) -> int:
    """The number by which a work is known without its identifier; 0 where too little is known.

    Its last bits tell the first author, by the last word of the family name, and are 0 where none
    is said; the others tell title and year, or the place of a work without title.
    """
    words = (first_author(raw, extra) or "").split()
    author = name_key(words[-1]) if words else ""
    if has_signs(author):
        author = author[0]  # most often the family name: some sources give no more than that
    if title:
        key = _key(title)
        telling = _letters(key) >= _TELLING
        # A short title says nothing without its author.
        text = f"{key}|{year or ''}" if telling else f"{key}|{year or ''}|{author}"
        if not key or not (telling or author):
            return 0
    else:
        text = place_text(year, raw, extra) or ""
    if not text:
        return 0
    whose = 1 + mark(author) % ((1 << AUTHOR_BITS) - 1) if author else 0
    return mark(f"name:{text}") >> AUTHOR_BITS << AUTHOR_BITS | whose


def block_text(
    title: str | None, year: int | None, raw: str | None, extra: Mapping[str, str]
) -> str | None:
    """Where papers that a reference may mean are looked for; None where too little is known."""
    if not title and (place := place_text(year, raw, extra)):
        return place
    return title_block(title_start(spoken(title or guessed_title(raw) or "")))


def title_block(start: str) -> str | None:
    """The block of titles that begin so."""
    return f"title:{bare_start(start)}" if start else None


@lru_cache(maxsize=65_536)
def title_start(title: str) -> str:
    """How a title begins, folded: up to the first mark behind twelve letters or four signs of Han.

    At most forty letters.
    A subtitle, a comma more or less, and what comes later may differ. A short title is whole.
    """
    text = sort_text(title)
    short = _SHORT_SIGNS if has_signs(text[: _SHORT_SIGNS + 1]) else _SHORT
    cut = _MARK.search(text, short + 1)
    start = text[: cut.start()] if cut else text
    return start[:START].strip() if len(start) >= _LEAST else ""


@lru_cache(maxsize=65_536)
def bare_start(text: str) -> str:
    """How a folded title begins without its marks, which one writes and another doesn't."""
    return " ".join(_MARK.sub(" ", text[: 2 * START]).split())[:START].strip()


def place_text(year: int | None, raw: str | None, extra: Mapping[str, str]) -> str | None:
    """First author, year, volume and first page of a work; None where one of them is missing."""
    volume, page = extra.get("volume"), extra.get("page") or extra.get("pages")
    if not volume and raw and (found := _PLACE.search(raw)):
        volume, page = found.groups()
    family = title_key(first_author(raw, extra))
    first = _NUMBER.search(page) if page else None
    if not (year and volume and first and family):
        return None
    return f"place:{family}|{year}|{title_key(volume)}|{first[0]}"


def paper_blocks(paper: Known) -> set[str]:
    """The blocks of references that may mean a paper."""
    found = set()
    if paper.title and (start := title_start(title := spoken(paper.title))):
        # A mark may part the title, or may not be written.
        found |= {f"title:{bare_start(start)}", f"title:{bare_start(sort_text(title))}"}
    first = _NUMBER.search(paper.pages or "")
    if paper.families and paper.year and paper.volume and first:
        family = title_key(paper.families[0])
        found.add(f"place:{family}|{paper.year}|{title_key(paper.volume)}|{first[0]}")
    return found


def first_author(raw: str | None, extra: Mapping[str, str]) -> str | None:
    """The family name of the first author: as it is said, else how the text begins."""
    return _first_author(raw, extra.get("author") or extra.get("authors"))


@lru_cache(maxsize=4096)
def _first_author(raw: str | None, said: str | None) -> str | None:
    text = (said or raw or "").strip()
    if not said and text[:1] in ("[", "(", "\\", *"0123456789"):
        text = plain_text(text)  # the number of a list, which may be that of a section as well
        text = text if begins_with_names(text) else ""
    if not text or not text[0].isalpha() or (not said and _CODE.fullmatch(text)):
        return None
    text = _GIVEN_FIRST.sub("", text, count=1) if _GIVEN_FIRST.match(text) else text
    name = _NAME_END.split(text, maxsplit=1)[0].strip()
    family = _without_initials(name)
    # Without a comma behind it, the beginning of a text may as well be a title.
    if not said and len(family.split()) > 3:
        return None
    return family or None


def _without_initials(name: str) -> str:
    """``Smith J.-P.``, ``HERON MA`` without what stands for given names; ``de Wit`` is whole."""
    words = name.replace(",", " ").split()
    kept = list(words)
    while len(kept) > 1 and _INITIALS.fullmatch(kept[-1]):
        kept.pop()
    last = kept[-1] if kept else ""
    short = len(last) <= 3 and last.isalpha() and last.isupper()
    if kept == words and len(kept) > 1 and short and kept[-2].lower() not in _PARTICLES:
        kept.pop()
    return " ".join(kept)


def guessed_title(raw: str | None) -> str | None:
    """The title in a reference's text: where it can be read, else the longest part of words."""
    if not raw:
        return None
    if title := title_in(raw):
        return title
    parts = [part.strip(" ,.") for part in _PART.split(plain_text(raw))]
    longest = max((part for part in parts if not is_placed(part)), key=len, default="")
    return longest if len(longest) >= _TELLING else None


def fit(cited: Cited, paper: Known) -> Fit | None:
    """How well a paper fits a reference without a common identifier; None where it does not."""
    if _other_doi(cited, paper):
        return None
    extra = cited.extra or {}
    family = first_author(cited.raw, extra) or ""
    title = spoken(cited.title or guessed_title(cited.raw) or "")
    if not cited.title and (place := place_text(cited.year, cited.raw, extra)):
        return Fit("place", 0.9) if place in paper_blocks(paper) else None
    year = cited.year
    alike = _titles(title, spoken(paper.title or ""))
    if not cited.title and cited.raw:
        year = year or year_in(cited.raw)
        if alike is None and not title_in(cited.raw) and _stands_in(paper.title, cited.raw):
            alike = 0.5
    if alike is None or not title:
        return None
    points = [alike, _people(family, paper.families), _years(year, paper.year, exact=alike > 0.55)]
    if None in points:
        return None
    telling = _letters(title_key(paper.title if alike == 0.5 else title)) >= _TELLING
    if not telling and (not family or not paper.families):
        return None
    score = round(sum(point or 0.0 for point in points), 2)
    # A short title that is only read from a text needs its first author and year.
    least = ENOUGH if telling or cited.title else _SURE
    return Fit("title", score) if score >= least else None


def _stands_in(title: str | None, raw: str) -> bool:
    """Whether a title stands in a text by itself, between marks; a short one may be a journal."""
    words = sort_text(spoken(title or "")).strip(" .")
    if _letters(title_key(title)) < _TELLING:
        return False
    found = re.search(rf"(?:^|[.,:;)“\"])\s*{re.escape(words)}(?:$|[.,:;?!(”\"])", sort_text(raw))
    return found is not None


def _other_doi(cited: Cited, paper: Known) -> bool:
    """Whether the DOIs say that they are two works; a preprint has one of its own."""
    if not cited.doi or not paper.dois or cited.doi in paper.dois:
        return False
    return not any(doi.startswith(_PREPRINTS) for doi in (cited.doi, *paper.dois))


def _titles(one: str | None, other: str | None) -> float | None:
    a, b = title_key(one), title_key(other)
    if not a or not b or numbers(one or "") != numbers(other or ""):
        return None
    if a == b:
        return 0.6
    short, long = sorted((a, b), key=len)
    if long.startswith(short) and (_letters(short) >= _TELLING or _is_main(short, one, other)):
        return 0.5
    if 2 * len(short) < _TYPO * (len(a) + len(b)):
        return None
    match = SequenceMatcher(None, a, b, autojunk=False)
    return 0.45 if match.quick_ratio() >= _TYPO and match.ratio() >= _TYPO else None


def _is_main(short: str, *titles: str | None) -> bool:
    """Whether the shorter of two titles is the main title of the longer one."""
    mains = (title_key(_MAIN.split(title or "", maxsplit=1)[0]) for title in titles)
    return len(short) > _SHORT and all(main == short for main in mains)


def name_key(name: str) -> str:
    """A name as it is compared: ``Müller`` and ``Mueller`` are one."""
    return _UMLAUT.sub(r"\1", title_key(name))


def _people(family: str, families: Sequence[str]) -> float | None:
    """Points for the first author of a reference; None where it is none of a paper's authors."""
    own, last = name_key(family), name_key(family.rpartition(" ")[2])
    known = [(name_key(one), name_key(one.rpartition(" ")[2])) for one in families]
    if not own or not known or not known[0][0]:
        return 0.05
    whole, end = known[0]
    short, long = sorted((own, whole), key=len)
    # A particle may be said or not: "de Wit", "Wit".
    if own in (whole, end) or last in (whole, end) or (len(short) > 3 and long.endswith(short)):
        return 0.25
    # Names of Han and Hangul begin with the family name, and may stand whole.
    if has_signs(short) and long.startswith(short):
        return 0.25
    if any(own in one for one in known):
        return 0.15
    if own.isascii() != whole.isascii():
        return 0.05  # in another script, which says nothing
    near = len(short) >= _LONG_NAME and SequenceMatcher(None, own, whole).ratio() >= _NEAR_NAME
    return 0.15 if near else None


def _years(a: int | None, b: int | None, *, exact: bool) -> float | None:
    if a is None or b is None:
        return 0.02
    apart = abs(a - b)
    if apart > 2 or (apart == 2 and not exact):
        return None
    return (0.15, 0.08, 0.03)[apart]
