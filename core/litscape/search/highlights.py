"""Where the words of a query stand in what is shown of a paper."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from litscape.search.words import required
from litscape.sorting import SIGN, has_signs, parted, search_letters
from litscape.store import lexical
from litscape.store.letters import authors, is_named, the_word
from litscape.store.note_index import notes_of
from litscape.store.vocabulary import stems_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import sqlalchemy as sa

    from litscape.paper import PaperId
    from litscape.store.lexical import Column, Term

Span = tuple[int, int]
"""Begin and end of a match in a text."""
WIDTH = 200
"""Characters of a snippet, about."""
_LEAD = 16
"""Characters before the first match: few, for a narrow list shows the beginning only."""
_TOKEN = re.compile(rf"[{SIGN}]|[^\W_{SIGN}]+")
_AUTHOR = re.compile(r"[^;\s][^;]*")
_LONGEST = 20_000
_NOTE, _NOTE_LEAD = "Note: ", 12
_AUTHORS, _FIRST_AUTHORS = "Authors: ", 2
"""Lists show the first two authors and the last."""


class Passage(NamedTuple):
    """A part of a text with its matches."""

    text: str
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """What a list shows of a hit's words.

    Attributes:
        title: where words stand in the title, its blanks made one each.
        words: the words that match in title, abstract and authors, as they are written there.
        snippet: a part of the abstract, where the title has none of the words; of the notes, or of
            the names of authors that lists leave out, where the abstract has none either.
        authors: the authors that were asked for by name, as they are written there.
    """

    title: tuple[Span, ...] = ()
    words: tuple[str, ...] = ()
    snippet: Passage | None = None
    authors: tuple[str, ...] = ()


class _Word(NamedTuple):
    stems: tuple[str, ...]
    last: str
    prefix: bool
    column: Column | None
    written: bool = False


class Highlighter:
    """Finds the words of one query in texts, by stems and beginnings as the text index does."""

    def __init__(self, words: Sequence[Term]) -> None:
        """Take words.

        Args:
            words: as :attr:`litscape.search.hits.SearchResult.words` has them; stop words are
                left out.
        """
        self._stems: dict[str, tuple[str, ...]] = {}
        self._fitting: dict[_Word, dict[tuple[str, str], bool]] = {}
        wanted = [term for term in required(words) if not term.empty]
        texts = [part for term in wanted for part in _ways(term.text)]
        made = stems_of(texts)
        self._words = [
            _Word(
                made[part],
                the_word(term) if term.written else search_letters(part).casefold().split()[-1],
                term.prefix,
                term.column,
                term.written,
            )
            for term in wanted
            for part in _ways(term.text)
            if made[part]
        ]
        named = (term for term in words if term.column == "authors_text" and not term.empty)
        self._names = tuple(named)

    @property
    def by_name(self) -> bool:
        """Whether authors are asked for."""
        return bool(self._names)

    def authors(self, text: str) -> tuple[Span, ...]:
        """The whole names of the authors of a paper that are asked for, in order.

        Args:
            text: all of them, a semicolon between two.
        """
        found: list[Span] = []
        for one in _AUTHOR.finditer(text):
            name = one[0].rstrip()
            if any(is_named(term, name) for term in self._names):
                found.append((one.start(), one.start() + len(name)))
        return tuple(found)

    def spans(self, texts: Sequence[str], column: Column | None) -> list[tuple[Span, ...]]:
        """Where words stand in each text, in order; those asked for in other columns do not count.

        Args:
            texts: what is shown of a column.
            column: which; None for a text that is in no column, as a note.
        """
        fields = (None, column, *(("heading",) if column in ("title", "keywords_text") else ()))
        words = [word for word in self._words if word.column in fields]
        if not words:
            return [()] * len(texts)
        tokens = [list(_TOKEN.finditer(text, 0, _LONGEST)) for text in texts]
        new = {one[0] for found in tokens for one in found} - self._stems.keys()
        self._stems.update(stems_of(new))
        return [self._found(found, words) for found in tokens]

    def _found(self, tokens: list[re.Match[str]], words: list[_Word]) -> tuple[Span, ...]:
        stems: list[str] = []
        places: list[re.Match[str]] = []
        for token in tokens:
            for stem in self._stems[token[0]]:
                stems.append(stem)
                places.append(token)
        found: list[Span] = []
        for word in words:
            before, last = list(word.stems[:-1]), len(word.stems) - 1
            fits = self._fitting.setdefault(word, {})
            for at in range(len(stems) - last):
                if before and stems[at : at + last] != before:
                    continue
                key = (stems[at + last], places[at + last][0])
                if key not in fits:  # the same few words stand in all papers
                    fits[key] = _fits(*key, word)
                if fits[key]:
                    found.append((places[at].start(), places[at + last].end()))
        return _merged(found)


def shown(
    conn: sa.Connection,
    highlighter: Highlighter,
    papers: Sequence[PaperId],
    *,
    everywhere: bool = False,
) -> Mapping[PaperId, Shown]:
    """What a list shows of the words of some hits; papers that have none of them are left out.

    Args:
        conn: a connection.
        highlighter: of the words.
        papers: the hits.
        everywhere: look into abstracts also where the title has some of the words.
    """
    texts = lexical.texts(conn, papers)
    titles = [" ".join(text.title.split()) for text in texts.values()]
    in_titles = highlighter.spans(titles, "title")
    abstracts = [
        " ".join(text.abstract.split()) if everywhere or not spans else ""
        for text, spans in zip(texts.values(), in_titles, strict=True)
    ]
    in_abstracts = highlighter.spans(abstracts, "abstract")
    found: dict[PaperId, Shown] = {}
    for paper, title, spans, abstract, inside in zip(
        texts, titles, in_titles, abstracts, in_abstracts, strict=True
    ):
        if spans or inside:
            words = [title[a:b] for a, b in spans] + [abstract[a:b] for a, b in inside]
            named = {word.casefold(): word for word in reversed(words)}
            snippet = None if spans or not inside else passage(abstract, inside)
            found[paper] = Shown(spans, tuple(reversed(named.values())), snippet)
    found.update(_in_notes(conn, highlighter, [one for one in papers if one not in found]))
    if highlighter.by_name:
        _add_authors(conn, highlighter, papers, found)
    return found


def _add_authors(
    conn: sa.Connection,
    highlighter: Highlighter,
    papers: Sequence[PaperId],
    found: dict[PaperId, Shown],
) -> None:
    """Put the authors that were asked for to what is shown of papers."""
    for paper, text in authors(conn, papers).items():
        spans = highlighter.authors(text)
        if not spans:
            continue
        before = found.get(paper, Shown())
        names = tuple(text[a:b] for a, b in spans)
        whole = [one[0].strip() for one in _AUTHOR.finditer(text)]
        listed = {*whole[:_FIRST_AUTHORS], whole[-1]}
        snippet = before.snippet
        if snippet is None and not before.title and len(whole) > 3 and listed.isdisjoint(names):
            part = passage(text, spans, before=0)
            shifted = tuple((a + len(_AUTHORS), b + len(_AUTHORS)) for a, b in part.spans)
            snippet = Passage(_AUTHORS + part.text, shifted)
        words = tuple(dict.fromkeys((*before.words, *names)))
        found[paper] = replace(before, words=words, snippet=snippet, authors=names)


def _in_notes(
    conn: sa.Connection, highlighter: Highlighter, papers: Sequence[PaperId]
) -> Mapping[PaperId, Shown]:
    """Parts of the notes of papers that have words nowhere else."""
    notes = {paper: " ".join(text.split()) for paper, text in notes_of(conn, papers).items()}
    found: dict[PaperId, Shown] = {}
    for (paper, text), spans in zip(
        notes.items(), highlighter.spans(list(notes.values()), None), strict=True
    ):
        if spans:
            part = passage(text, spans, before=_NOTE_LEAD)
            shifted = tuple((a + len(_NOTE), b + len(_NOTE)) for a, b in part.spans)
            words = tuple(dict.fromkeys(text[a:b] for a, b in spans))
            found[paper] = Shown((), words, Passage(_NOTE + part.text, shifted))
    return found


def passage(text: str, spans: Sequence[Span], width: int = WIDTH, before: int = _LEAD) -> Passage:
    """The part of a text that has most of its matches, the first near its beginning."""
    inside = [sum(start <= a and b <= start + width for a, b in spans) for start, _end in spans]
    first = spans[max(range(len(spans)), key=lambda i: (inside[i], -i))][0]
    begin = max(0, first - before)
    if begin:
        begin = text.rfind(" ", 0, begin + 1) + 1 or begin
    end = min(len(text), begin + width)
    if end < len(text):
        cut = text.rfind(" ", first + 1, end)
        end = cut if cut > first + width // 2 else end
    lead, tail = "… " if begin else "", " …" if end < len(text) else ""
    shift = len(lead) - begin
    kept = tuple((a + shift, min(b, end) + shift) for a, b in spans if begin <= a < end)
    return Passage(f"{lead}{text[begin:end]}{tail}", kept)


def _ways(text: str) -> list[str]:
    """A word as it stands; a longer run of signs of Han and the like as its pairs too."""
    return [text, *(parted(text) if has_signs(text) and len(text) > 2 else ())]


def _fits(stem: str, token: str, word: _Word) -> bool:
    if word.written:
        return search_letters(token).casefold() == word.last
    if stem == word.stems[-1]:
        return True
    if not word.prefix:
        return False
    return stem.startswith(word.last) or search_letters(token).casefold().startswith(word.last)


def _merged(spans: list[Span]) -> tuple[Span, ...]:
    """Spans in order, those that touch each other made one."""
    merged: list[Span] = []
    for start, end in sorted(set(spans)):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)
