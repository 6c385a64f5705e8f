"""Works cited on one line, as Web of Science, Scopus and lists of references write them."""

from __future__ import annotations

import re

from litscape.importers import normalise
from litscape.importers.written import is_placed, title_in, year_in
from litscape.paper import Reference

_WOS_DOI = re.compile(r",?\s*\bDOI\s+(?:DOI\s+)?\[?(10\.[^\]]*)\]?\s*$", re.I)
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_IN_BRACKETS = re.compile(r"\(((?:1[5-9]|20)\d\d)[a-z]?\)")
_VOLUME = re.compile(r"V[\w.-]{1,8}")
_PAGE = re.compile(r"(?:P|ARTN )[\w.-]{1,12}")
_INITIALS = r"(?:[^\W\d_]h?\.[ -]?){1,4}"
_SUFFIX = r"(?:Jr\.?|Sr\.?|II|III|IV)"
_OLD_NAME = re.compile(
    rf"(?P<name>[^\W\d_][^,;()\d]{{0,40}}?(?: {_SUFFIX})?), {_INITIALS}(?:, |$)", re.I
)
# Some lists leave out the full stops: "Minervini, G, Tosatto, SCE., Design of a net (2014)".
_BARE_NAME = re.compile(
    rf"[^\W\d_][^,;()\d.]{{0,40}}?(?: {_SUFFIX})?, [^\W\d_a-z]{{1,3}}(?:-[A-Z])?\.?(?:, |$)"
)
_NEW_NAME = re.compile(rf"[^\W\d_][^,;()\d]{{0,40}}? {_INITIALS}(?: ?{_SUFFIX})?(?:, |$)")
_OTHERS = re.compile(r"et al\.?,?\s*", re.I)
_PLACE = re.compile(
    r"(?:\d[\w-]*|pp?\.? ?[\w-]*|vol\.? ?\S+|no\.? ?\S+|art\.? ?\S*"
    r"|\((?:1[5-9]|20)\d\d[a-z]?\)|S\d+)",
    re.I,
)

_NAMES_THEN = re.compile(r"^[^\W\d_].{2,600}?\(?(?:1[5-9]|20)\d\d[a-z]?\)?[.,:]\s+(?P<title>.+)$")
_END_OF_TITLE = re.compile(r"(?<=[^\W\d_]{3})[.?!]\s+(?=[^\W\d_])|\.\s*$|[?!]\s")
_ARXIV = re.compile(
    r"arxiv(?:\.org/(?:abs|pdf)/|\s*(?:preprint)?\s*:?\s*(?:arxiv:)?)\s*(\S+)", re.I
)


def wos_reference(text: str) -> Reference:
    """One ``CR`` line: ``Author, year, SOURCE, V1, P2, DOI 10.1000/1``; it has no title."""
    found = _WOS_DOI.search(text)
    first_doi = re.split(r",\s*(?=10\.)|,\s*DOI\s", found[1])[0] if found else None
    parts = [part.strip() for part in (text[: found.start()] if found else text).split(",")]
    year_at = next((n for n, part in enumerate(parts) if _YEAR.fullmatch(part)), None)
    extra: dict[str, str] = {}
    if year_at is not None:
        author, rest = ", ".join(parts[:year_at]), parts[year_at + 1 :]
        places = [
            part for part in rest if not _VOLUME.fullmatch(part) and not _PAGE.fullmatch(part)
        ]
        extra = {
            "author": author,
            "source": ", ".join(places),
            "volume": next((p[1:] for p in rest if _VOLUME.fullmatch(p)), ""),
            "page": next((p.removeprefix("P") for p in rest if _PAGE.fullmatch(p)), ""),
        }
    return Reference(
        raw=text,
        doi=normalise.doi(first_doi) if first_doi else normalise.doi(text),
        year=int(parts[year_at]) if year_at is not None else None,
        extra={name: value for name, value in extra.items() if value},
    )


def split_scopus(text: str) -> list[str]:
    """The works of Scopus' ``References``: parted by semicolons, of which some are inside one."""
    works: list[str] = []
    for part in re.split(r";\s+", text.strip().rstrip(";")):
        folded = normalise.fold(part)
        if not folded:
            continue
        named = _OLD_NAME.match(folded) or _NEW_NAME.match(folded)
        inside = bool(works) and folded[0].islower() and not named
        if inside and not (_IN_BRACKETS.search(folded) and _IN_BRACKETS.search(works[-1])):
            works[-1] += f"; {folded}"
        else:
            works.append(folded)
    return works


def scopus_reference(text: str) -> Reference:
    """One work, once ``A, B., Title (1999) Journal``, now ``A B., Title, (1999)``."""
    years = list(_IN_BRACKETS.finditer(text))
    last = years[-1] if years else None
    newer = last is not None and not text[last.end() :].strip(" .,;")
    title = None
    if last is not None:
        title = _new_title(text[: last.start()]) if newer else _old_title(text[: years[0].start()])
    chosen = last if newer else (years[0] if years else None)
    return Reference(
        raw=text,
        doi=normalise.doi(text),
        title=title,
        year=int(chosen[1]) if chosen else None,
    )


def _behind(names: re.Pattern[str], text: str) -> tuple[str, int]:
    """What stands behind the names at the beginning, and how many names there were."""
    position, count = 0, 0
    while found := names.match(text, position):
        position, count = found.end(), count + 1
    rest = text[position:]
    return _OTHERS.sub("", rest, count=1) if _OTHERS.match(rest) else rest, count


def _old_title(text: str) -> str | None:
    whole = text.strip(" ,") + ", "
    rest, count = _behind(_OLD_NAME if _OLD_NAME.match(whole) else _BARE_NAME, whole)
    title = rest.strip(" ,.")
    return title if count and len(title) > 3 else None


def _new_title(text: str) -> str | None:
    """The title: what stands before the journal, which is the last of the words."""
    rest, count = _behind(_NEW_NAME, text.strip().rstrip(",") + ", ")
    parts = [part.strip() for part in rest.split(", ") if part.strip()]
    words = next((n for n, part in enumerate(parts) if _PLACE.fullmatch(part)), len(parts))
    named = parts[:words]
    if not count or not named:
        return None
    title = ", ".join(named[:-1] if len(named) > 1 else named)
    return title.strip(" .") or None


def plain_reference(text: str) -> Reference:
    """A reference of its text: DOI, arXiv id and year where they are written, a title if sure."""
    doi = normalise.doi(text)
    arxiv = None
    if found := _ARXIV.search(text):
        arxiv = normalise.arxiv(found[1].rstrip(".,;)]"))
    return Reference(
        raw=text,
        doi=doi,
        title=_plain_title(text),
        year=year_in(text),
        source_id=f"arxiv:{arxiv}" if arxiv and not doi else None,
    )


def _plain_title(text: str) -> str | None:
    if title := title_in(text):
        return title
    if behind := _NAMES_THEN.match(text):
        end = _END_OF_TITLE.search(behind["title"])
        title = (behind["title"][: end.start()] if end else "").strip()
        return title if len(title) >= 15 and not is_placed(title) else None
    return None
