"""Names as BibTeX and biblatex write them: lists joined by "and", particles, bodies in braces."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from functools import lru_cache

from litscape.importers.latex import to_unicode
from litscape.importers.normalise import fold
from litscape.paper import Author

_MARKUP = re.compile(r"[\\{}~$]")
_UNUSUAL = re.compile(
    r"[\\{}~$;&=]|^and\b|\band$|\s(?:A[Nn][Dd]|aN[Dd]|anD)\s|\band\s+and\b|al\b\.?|\w\s+(?:[Oo]thers|OTHERS)\b|…|\.\.\.|,\s+and\b"
)
_AND = re.compile(r"(?:(?<=\s)|^)and(?=\s|$)", re.I)
_BRACE_OR_AND = re.compile(r"\\.|[{}]|(?:(?<=\s)|^)and(?=\s|$)", re.I | re.S)
_OTHERS = re.compile(r"(?:and\s+)?(?:others|et\.?\s*al(?:ii|\.)?|u\.\s*a\.|…|\.\.\.)\s*", re.I)
_TRAILING_OTHERS = re.compile(r"(?:\s*,)?\s+[\[(]?(?:et\.?\s+al\.?|and\s+others)[\])]?\s*$", re.I)
_SUFFIX = re.compile(
    r"(?:jr|sr|jun|sen|jnr|snr|junior|senior|i{2,3}|iv|vi{0,3}|2nd|3rd|4th|esq|ph\.?\s?d|m\.?d)\.?",
    re.I,
)
_CLEAR_SUFFIX = re.compile(r"(?:jr|sr|jnr|snr)\.?|i{2,3}|iv", re.I)
_COMPANY = re.compile(
    r"(?:inc|ltd|llc|gmbh|co|corp|plc|s\.?a|s\.?r\.?l|b\.?v|n\.?v|ag|kg|e\.?\s?v)\.?", re.I
)
_BODY = re.compile(
    r"organi[sz]ations?|universit(?:y|ät|é|à|eit|et|y's)|universidade?|consortium|collaboration|committee"
    r"|ministry|society|association|institutes?|agency|foundation|commission|department|corporation"
    r"|initiative|federation|inc\.?|ltd\.?|gmbh|llc|project|team|developers|contributors",
    re.I,
)
_INITIALS = re.compile(r"(?:[^\W\d_]\.?[\s-]*){1,4}")
_PARTS = re.compile(
    r"\s*(family|given|prefix|suffix|given-i|family-i|prefix-i|suffix-i|useprefix|id|nosortothers|sortingnamekeytemplatename)\s*=\s*(.*?)\s*",
    re.I | re.S,
)
_PARTICLES_WORDS = (
    "van von vom vander de di da del della dello degli dei dal dalla der den des du la le las"
    " los lo ten ter te zu zum zur af av el al bin ibn ben bint dos das do e y i op in 't 's d'"
    " st"
)
_PARTICLES = frozenset(_PARTICLES_WORDS.split())
_JOINING = frozenset(("y", "i", "e", "und", "och"))
_BLANK, _COMMA, _GUARD = "\ue000", "\ue001", "\ue002"
_RESTORE = str.maketrans({_BLANK: " ", _COMMA: ",", _GUARD: None})


@dataclass(frozen=True, slots=True)
class NameList:
    """Authors in order; ``malformed`` says that the list had to be guessed at."""

    authors: tuple[Author, ...] = ()
    more: bool = False
    malformed: bool = False


def parse_names(text: str) -> tuple[tuple[Author, ...], bool]:
    """The authors of a BibTeX name list, and whether it ends in "and others" or "et al."."""
    found = read_names(text)
    return found.authors, found.more


def read_names(text: str) -> NameList:
    """Read a BibTeX name list (LaTeX not yet undone, outer delimiters removed); never raises."""
    if not _UNUSUAL.search(text):
        plain = _plain_list(" ".join(text.split()))
        if plain is not None:
            return plain
    if "&" in text and ";" in text:
        text = html.unescape(text)
    text = _unwrap(text.strip())
    if not text:
        return NameList()
    pieces = _split(text)
    malformed = any(not piece.strip(" ,;\t\n") for piece in pieces)
    more = False
    authors: list[Author] = []
    for position, piece in enumerate(pieces):
        name = piece.strip(" ;\t\r\n")
        if not name.strip(","):
            continue
        if _OTHERS.fullmatch(name.strip("{}[]() ")):
            more = True
            continue
        name, cut = _TRAILING_OTHERS.subn("", name)
        more = more or bool(cut)
        listed = _listed(name, position + 1 < len(pieces), alone=len(pieces) == 1)
        if listed is not None:
            malformed = True
            more = more or any(map(_OTHERS.fullmatch, listed))
            names = [one for one in listed if not _OTHERS.fullmatch(one)]
            authors += filter(None, map(parse_name, names))
            continue
        author = parse_name(name.rstrip(", "))
        loose = name.count(",") > 2 and "=" not in name and not _one_group(name)
        malformed = malformed or loose
        if author:
            authors.append(author)
    return NameList(tuple(authors), more, malformed)


def _plain_list(text: str) -> NameList | None:
    """A list with nothing unusual in it, white space folded; None where there is after all."""
    pieces = text.split(" and ")
    more = pieces[-1].lower() == "others"
    if more:
        pieces.pop()
    authors = []
    for piece in pieces:
        author = None if piece.count(",") > 1 or piece.endswith(",") else parse_name(piece)
        if author is None:
            return None
        authors.append(author)
    return NameList(tuple(authors), more)


def _unwrap(text: str) -> str:
    """A whole list in braces (Web of Science) without them; a body in braces stays as it is."""
    if not text.startswith("{") or not _one_group(text):
        return text
    pieces = _AND.split(text[1:-1])
    if len(pieces) > 1 and all("," in piece.strip(" ,") for piece in pieces):
        return text[1:-1]
    return text


def _one_group(text: str) -> bool:
    """Whether the brace that opens a text is closed by its last character."""
    if not text.startswith("{") or not text.endswith("}"):
        return False
    depth = 0
    for position, char in enumerate(text):
        depth += (char == "{") - (char == "}")
        if depth == 0:
            return position == len(text) - 1
    return False


def _split(text: str) -> list[str]:
    """Split at the word "and" in any case, outside braces."""
    if "{" not in text:
        return _AND.split(text)
    pieces, start, depth = [], 0, 0
    for found in _BRACE_OR_AND.finditer(text):
        token = found[0]
        if token == "{":
            depth += 1
        elif token == "}":
            depth = max(0, depth - 1)
        elif depth == 0 and token[0] != "\\":
            pieces.append(text[start : found.start()])
            start = found.end()
    return [*pieces, text[start:]]


def _listed(name: str, followed: bool, *, alone: bool) -> list[str] | None:
    """The names in a piece that other signs than "and" join; None where it is one name."""
    if _PARTS.match(name):
        return None
    guarded = _guard(name) if "{" in name or "\\" in name else name
    if ";" in guarded:
        return [part.strip() for part in guarded.split(";") if part.strip()]
    if " & " in guarded and alone:
        parts = [part.strip() for part in guarded.split(" & ")]
        if all("," in part or " " in part for part in parts):
            return parts
    parts = [part.strip() for part in guarded.strip(" ,").split(",")]
    if len(parts) < 2:
        return None
    trailing = guarded.rstrip().endswith(",") and followed
    spoken = all(" " in part for part in parts)
    if spoken and (trailing or len(parts) > 2) and not any(map(_SUFFIX.fullmatch, parts)):
        return parts
    if len(parts) > 3 and len(parts) % 2 == 0:
        givens = parts[1::2]
        if all(map(_INITIALS.fullmatch, givens)) or all(map(_short_given, givens)):
            return [f"{family}, {given}" for family, given in zip(parts[::2], givens, strict=True)]
    return None


def _short_given(text: str) -> bool:
    return 0 < len(text.split()) <= 2 and not _COMPANY.fullmatch(text)


def _guard(name: str) -> str:
    """LaTeX undone, with blanks and commas inside braces made signs of their own."""
    out, position = [], 0
    while (opened := name.find("{", position)) >= 0:
        out.append(name[position:opened])
        closed = _closing(name, opened)
        group = name[opened : closed + 1]
        commanded = re.search(r"\\[A-Za-z'\"`^~=.]+\s*$", name[position:opened])
        if group[1:2] == "\\" or commanded:
            out.append(group)
        else:
            inner = to_unicode(group).strip()
            out.append(
                _GUARD + re.sub(r"\s+", _BLANK, inner).replace(",", _COMMA).replace(";", "\ue003")
            )
        position = closed + 1
    out.append(name[position:])
    return to_unicode("".join(out))


def _closing(text: str, opened: int) -> int:
    depth = 0
    for position in range(opened, len(text)):
        depth += (text[position] == "{") - (text[position] == "}")
        if depth == 0:
            return position
    return len(text) - 1


def _restore(text: str) -> str:
    return fold(text.translate(_RESTORE).replace("\ue003", ";"))


@lru_cache(maxsize=16384)
def parse_name(name: str) -> Author | None:
    """One name: ``von Family, Jr, Given``, ``Given von Family``, ``{A Body}``, biblatex parts."""
    name = name.strip()
    if not name:
        return None
    if "=" in name and (parts := _extended(name)):
        return parts
    if _MARKUP.search(name):
        if _one_group(name) and name[1:2] != "\\":
            return _literal(to_unicode(name))
        if "{and}" in name.lower():
            return _literal(to_unicode(name))
        name = _guard(name)
    parts_at_comma = [part.strip() for part in name.split(",")]
    if len(parts_at_comma) == 1:
        return _spoken(name.split())
    return _inverted(parts_at_comma)


def _literal(text: str) -> Author | None:
    folded = _restore(text)
    return Author(literal=folded) if folded else None


def _person(family: str, given: str, particle: str = "", suffix: str = "") -> Author | None:
    """An author of parts; who has no given name is one text."""
    family, given, particle, suffix = map(_restore, (family, given, particle, suffix))
    if not given or not family:
        return _literal(" ".join(filter(None, (given, particle, family, suffix))))
    return Author(family, given, particle or None, suffix or None)


def _extended(name: str) -> Author | None:
    """The parts of biblatex: ``given=Hans, family=Harman, prefix=von``."""
    found: dict[str, str] = {}
    for piece in re.split(r",(?![^{}]*\})", name):
        part = _PARTS.fullmatch(piece)
        if part is None:
            return None
        found[part[1].lower()] = to_unicode(part[2].strip("\"' "))
    get = found.get
    return _person(get("family", ""), get("given", ""), get("prefix", ""), get("suffix", ""))


def _is_low(token: str) -> bool:
    return token[:1].islower()


def _inverted(parts: list[str]) -> Author | None:
    family, given, suffix = parts[0], parts[1], ""
    if len(parts) == 2 and _COMPANY.fullmatch(given):
        return _literal(f"{family}, {given}")
    if len(parts) == 2 and _CLEAR_SUFFIX.fullmatch(given):
        whole = _spoken(family.split())
        if whole and whole.literal is None:
            return Author(whole.family, whole.given, whole.particle, _restore(given))
    if len(parts) > 2:
        rest = parts[2:]
        if _SUFFIX.fullmatch(given):
            suffix, given = given, " ".join(rest)
        elif _SUFFIX.fullmatch(rest[0]):
            suffix, given = rest[0], " ".join([given, *rest[1:]])
        else:
            given = " ".join([given, *rest])
    tokens = family.split()
    if len(tokens) > 1 and not suffix and _CLEAR_SUFFIX.fullmatch(tokens[-1]):
        suffix = tokens.pop()
    lead = _particle_length(tokens)
    return _person(" ".join(tokens[lead:]), given, " ".join(tokens[:lead]), suffix)


def _particle_length(tokens: list[str]) -> int:
    """How many leading words of a family name are a particle: ``van der``, also ``Van der``."""
    lead = 0
    if len(tokens) > 2 and tokens[0].lower() in _PARTICLES and _is_low(tokens[1]):
        lead = 1
    while lead < len(tokens) - 1 and _is_low(tokens[lead]):
        lead += 1
    return lead


def _names_a_body(tokens: list[str]) -> bool:
    """Whether words without a comma name an organisation, written without the braces it needs."""
    if "&" in tokens[1:-1]:
        return True
    if not _BODY.fullmatch(tokens[-1]) and not _BODY.fullmatch(tokens[0]):
        return False
    return not any(len(token.rstrip(".")) == 1 for token in tokens)


def _spoken(tokens: list[str]) -> Author | None:
    """``Given von Family Jr``."""
    suffix = ""
    if len(tokens) > 2 and _CLEAR_SUFFIX.fullmatch(tokens[-1]):
        suffix = tokens.pop()
    if len(tokens) < 2:
        return _literal(" ".join(tokens))
    if _names_a_body(tokens):
        return _literal(" ".join([*tokens, suffix]))
    cased = any(token[:1].isupper() for token in tokens)
    start = 0 if len(tokens[0]) > 1 and tokens[0] in _PARTICLES else 1
    while start < len(tokens) - 1:
        token = tokens[start]
        if _is_low(token) and (cased or token in _PARTICLES):
            break
        start += 1
    if start < len(tokens) - 1 and tokens[start] in _JOINING and start > 1:
        # "José Ortega y Gasset": the word joins two family names.
        return _person(" ".join(tokens[start - 1 :]), " ".join(tokens[: start - 1]), "", suffix)
    if start > 1 and start < len(tokens) - 1 and tokens[start - 1].lower() in _PARTICLES:
        start -= 1
    lead = _particle_length(tokens[start:])
    family, particle = tokens[start + lead :], tokens[start : start + lead]
    return _person(" ".join(family), " ".join(tokens[:start]), " ".join(particle), suffix)
