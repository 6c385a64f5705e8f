"""EndNote's reference types, by name and by number."""

from __future__ import annotations

from litscape.importers.record_types import canonical

_NAMES = {
    "aggregated database": "dataset",
    "ancient text": "book",
    "artwork": "artwork",
    "audiovisual material": "video",
    "bill": "legislation",
    "blog": "online",
    "book": "book",
    "book section": "incollection",
    "case": "jurisdiction",
    "catalog": "misc",
    "chart or table": "image",
    "classical work": "book",
    "computer program": "software",
    "conference": "inproceedings",
    "conference paper": "inproceedings",
    "conference proceedings": "inproceedings",
    "dataset": "dataset",
    "dictionary": "inreference",
    "discussion forum": "online",
    "edited book": "collection",
    "electronic article": "article",
    "electronic book": "book",
    "electronic book section": "incollection",
    "electronic source": "online",
    "encyclopedia": "inreference",
    "equation": "misc",
    "figure": "image",
    "film or broadcast": "movie",
    "generic": "misc",
    "government document": "report",
    "grant": "misc",
    "hearing": "legal",
    "interview": "misc",
    "journal article": "article",
    "legal rule or regulation": "legislation",
    "magazine article": "article",
    "manuscript": "unpublished",
    "map": "map",
    "multimedia application": "software",
    "music": "music",
    "newspaper article": "article",
    "online database": "dataset",
    "online multimedia": "online",
    "pamphlet": "booklet",
    "patent": "patent",
    "personal communication": "letter",
    "podcast": "audio",
    "press release": "misc",
    "report": "report",
    "serial": "book",
    "social media": "online",
    "standard": "standard",
    "statute": "legislation",
    "television episode": "video",
    "thesis": "thesis",
    "unpublished work": "unpublished",
    "web page": "online",
}
_NUMBERS = {
    2: "artwork",
    3: "audiovisual material",
    4: "bill",
    5: "book section",
    6: "book",
    7: "case",
    8: "catalog",
    9: "computer program",
    10: "conference proceedings",
    12: "web page",
    13: "generic",
    14: "hearing",
    17: "journal article",
    19: "magazine article",
    20: "map",
    21: "film or broadcast",
    23: "newspaper article",
    24: "pamphlet",
    25: "patent",
    26: "personal communication",
    27: "report",
    28: "edited book",
    31: "statute",
    32: "thesis",
    34: "unpublished work",
    36: "manuscript",
    37: "figure",
    38: "chart or table",
    39: "equation",
    43: "electronic article",
    44: "electronic book",
    45: "online database",
    46: "government document",
    47: "conference paper",
    48: "online multimedia",
    49: "classical work",
    50: "legal rule or regulation",
    51: "ancient text",
    52: "dictionary",
    53: "encyclopedia",
    54: "grant",
    55: "aggregated database",
    56: "blog",
    57: "serial",
    58: "standard",
    59: "dataset",
    60: "electronic book section",
    61: "music",
    62: "press release",
    63: "interview",
    64: "podcast",
    65: "television episode",
    66: "social media",
    67: "discussion forum",
}
_OLD_NUMBERS = dict(
    enumerate(
        (
            "journal article",
            "book",
            "thesis",
            "conference proceedings",
            "personal communication",
            "newspaper article",
            "computer program",
            "book section",
            "magazine article",
            "edited book",
            "report",
            "map",
            "audiovisual material",
            "artwork",
            "",
            "patent",
            "electronic source",
            "bill",
            "case",
            "hearing",
            "manuscript",
            "film or broadcast",
            "statute",
        )
    )
)
"""The numbers of EndNote 7 and before."""


def type_of(name: str | None, number: str | None = None, *, old: bool = False) -> str | None:
    """The type of an EndNote record.

    Args:
        name: the type's name; it goes before the number, which programs get wrong.
        number: the type's number.
        old: whether the numbers are those of EndNote 7.
    """
    word = " ".join((name or "").split()).lower()
    if word and not word.isdigit():
        known = _NAMES.get(word)
        if known:
            return known
    digits = (number or word).strip()
    if digits.isdigit() and len(digits) < 4:
        by_number = (_OLD_NUMBERS if old else _NUMBERS).get(int(digits))
        if by_number:
            return _NAMES[by_number]
    return canonical(word) if word and not word.isdigit() else None
