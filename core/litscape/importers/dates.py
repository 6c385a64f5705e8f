"""Dates as libraries write them: EDTF, RIS, PubMed, month names of many languages, free text.

What is not plainly given stays None and the text is kept as ``year_raw`` or ``month_raw``.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from typing import Any

from litscape.importers.normalise import fold

FIRST_YEAR, LAST_YEAR = 1000, 2100
"""Outside these a number is no year of a publication but a sentinel (9999, 0001) or so."""

_MONTHS = (
    "january januar janvier enero gennaio janeiro januari jänner styczeń stycznia leden ledna"
    " январь января ocak",
    "february februar février febrero febbraio fevereiro februari feber luty lutego únor února"
    " февраль февраля şubat",
    "march märz mars marzo março maart marts marzec marca březen března март марта mart mrz",
    "april avril abril aprile kwiecień kwietnia duben dubna апрель апреля nisan",
    "may mai mayo maggio maio mei maj květen května май мая mayıs",
    "june juni juin junio giugno junho czerwiec czerwca červen června июнь июня haziran",
    "july juli juillet julio luglio julho lipiec lipca červenec července июль июля temmuz",
    "august août agosto augustus augusti sierpień sierpnia srpen srpna август августа ağustos",
    "september septembre septiembre setiembre settembre setembro wrzesień września září"
    " сентябрь сентября eylül",
    "october oktober octobre octubre ottobre outubro październik października říjen října"
    " октябрь октября ekim",
    "november novembre noviembre novembro listopad listopada ноябрь ноября kasım",
    "december dezember décembre diciembre dicembre dezembro desember grudzień grudnia prosinec"
    " prosince декабрь декабря aralık",
)
_ENGLISH = tuple(names.split()[0] for names in _MONTHS)
_SEASON_NAMES = (
    "spring summer autumn fall winter printemps ete automne hiver fruhling fruhjahr sommer herbst"
    " primavera verano otono invierno estate autunno inverno verao outono lente zomer herfst"
    " var vinter host forar wiosna lato jesien zima jaro leto podzim"
    " q1 q2 q3 q4 trimester quarter easter christmas michaelmas hilary trinity"
)
_SEASONS = frozenset(_SEASON_NAMES.split())
_EDTF_SEASONS = {21: "Spring", 22: "Summer", 23: "Autumn", 24: "Winter"}

_TIME = r"[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?"
_ISO = re.compile(rf"(\d{{4}})(?:-(\d{{1,2}})(?:-(\d{{1,2}}))?)?(?:{_TIME})?")
_RIS = re.compile(r"(\d{4})\s*/\s*(\d{0,2})\s*(?:/\s*(\d{0,2})\s*(?:/(.*))?)?")
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})")
_CJK = re.compile(r"(\d{4})\s*[年년]\s*(?:(\d{1,2})\s*[月월]\s*(?:(\d{1,2})\s*[日일号號]?)?)?")
_NUMERIC = re.compile(r"(\d{1,2})\s*([./-])\s*(\d{1,2})\s*[./-]\s*(\d{4})")
_MONTH_YEAR = re.compile(r"(\d{1,2})\s*[./-]\s*(\d{4})")
_YEAR = re.compile(r"(?<![\d.])(\d{4})(?!\d)")
_BEFORE_CHRIST = re.compile(r"\d\s*(?:BC|BCE|B\.C\.|v\. ?Chr\.|av\. ?J)", re.I)
_DAY = re.compile(r"(?<![\d.])([0-3]?\d)(?:st|nd|rd|th|\.|er|º)?(?![\d\w])")
_WORD = re.compile(r"\bq[1-4]\b|[^\W\d_]+", re.I)
_ROMAN = re.compile(r"M{1,2}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
_ROMAN_SIGNS = {"M": 1000, "D": 500, "C": 100, "L": 50, "X": 10, "V": 5, "I": 1}
_FIRST_PRINTED = 1400
"""Roman figures mean no earlier year: they stand on the title pages of printed books."""


@dataclass(frozen=True, slots=True)
class DateParts:
    """A date as far as known; the raw texts stand where a part is no plain number."""

    year: int | None = None
    year_raw: str | None = None
    month: int | None = None
    month_raw: str | None = None
    day: int | None = None

    def fields(self) -> dict[str, Any]:
        """The parts by their names, as a draft takes them."""
        return {name: getattr(self, name) for name in DATE_FIELDS}


DATE_FIELDS = ("year", "year_raw", "month", "month_raw", "day")


def _plain(word: str) -> str:
    decomposed = unicodedata.normalize("NFKD", word.casefold().replace("ı", "i"))
    return "".join(char for char in decomposed if not unicodedata.combining(char))


@cache
def _month_words() -> dict[str, int]:
    """Every month name, and every prefix of three or more letters that only one month has."""
    full: dict[str, int] = {}
    prefixes: dict[str, set[int]] = {}
    for number, names in enumerate(_MONTHS, start=1):
        for name in map(_plain, names.split()):
            full[name] = number
            for length in range(3, len(name)):
                prefixes.setdefault(name[:length], set()).add(number)
    unique = {word: months.pop() for word, months in prefixes.items() if len(months) == 1}
    english = {name[:length]: n for n, name in enumerate(_ENGLISH, 1) for length in (3, 4)}
    return unique | english | full


@cache
def _english_words() -> dict[str, int]:
    words = {name[:length]: n for n, name in enumerate(_ENGLISH, 1) for length in (3, 4)}
    return words | {name: n for n, name in enumerate(_ENGLISH, 1)}


def _year(number: str | None) -> int | None:
    value = int(number) if number else 0
    return value if FIRST_YEAR <= value <= LAST_YEAR else None


def _month(number: str | int | None) -> int | None:
    value = int(number) if number else 0
    return value if 1 <= value <= 12 else None


def _day(number: str | int | None) -> int | None:
    value = int(number) if number else 0
    return value if 1 <= value <= 31 else None


def _words(text: str) -> tuple[list[int], list[str], list[str]]:
    """The months, season words and other words of a text, in order."""
    found = [(word, _plain(word)) for word in _WORD.findall(text)]
    found = [
        (word, plain) for word, plain in found if plain not in ("de", "of", "del", "den", "di")
    ]
    known = _month_words()
    if any(plain not in known and plain not in _SEASONS for _, plain in found):
        # Beside other words only English names count: "out of print" is no October.
        known = _english_words()
    months = [known[plain] for _, plain in found if plain in known]
    seasons = [word for word, plain in found if plain in _SEASONS]
    others = [word for word, plain in found if plain not in known and plain not in _SEASONS]
    return months, seasons, others


def parse_month(text: str | int | None) -> DateParts:
    """Month and day of a month field: ``March``, ``07``, ``jun.``, ``9~9``, ``Spring``.

    Of a range the first month counts and the text is kept; ``year`` and ``year_raw`` stay None.
    """
    raw = fold(str(text if text is not None else "").replace("~", " "))
    if not raw:
        return DateParts()
    if raw.isascii() and raw.isdigit():
        number = int(raw) if len(raw) <= 2 else 0
        season = _EDTF_SEASONS.get(number)
        return DateParts(
            month=_month(number), month_raw=season or (None if _month(number) else raw)
        )
    iso = _ISO.fullmatch(raw)
    if iso and iso[2]:
        return DateParts(
            month=_month(iso[2]), month_raw=None if _month(iso[2]) else raw, day=_day(iso[3])
        )
    months, seasons, others = _words(raw)
    numbers = _DAY.findall(raw)
    if not months and not seasons and not others and numbers:
        month = _month(numbers[0])
        day = _day(numbers[1]) if len(numbers) == 2 and " " in raw else None
        return DateParts(
            month=month, month_raw=None if day and month else raw, day=day if month else None
        )
    if not months or (seasons and not numbers):
        return DateParts(month_raw=raw)
    plain = len(months) == 1 and not seasons and not others
    day = _day(numbers[0]) if len(numbers) == 1 and len(months) == 1 else None
    exact = plain and (not numbers or day is not None)
    return DateParts(month=months[0], month_raw=None if exact else raw, day=day)


def _calendar(year: str, month: str | None, day: str | None, raw: str) -> DateParts | None:
    """Parts of a date written with a four-digit year first; None where the month can't be one."""
    number = int(month) if month else 0
    if number in _EDTF_SEASONS:
        return DateParts(_year(year), None if _year(year) else raw, None, _EDTF_SEASONS[number])
    if month and number and not _month(number):
        return None
    value = _year(year)
    if value is None:
        return DateParts(None, raw)
    return DateParts(value, None, _month(number), None, _day(day) if number else None)


def _ris(found: re.Match[str], raw: str) -> DateParts | None:
    parts = _calendar(found[1], found[2], found[3], raw)
    other = fold(found[4] or "").strip("/ ")
    if not parts or not other or parts.month_raw:
        return parts
    said = parse_month(other)
    if parts.month is None:
        return DateParts(parts.year, parts.year_raw, said.month, said.month_raw, said.day)
    return DateParts(parts.year, parts.year_raw, parts.month, said.month_raw, parts.day)


def _numeric(found: re.Match[str], raw: str) -> DateParts:
    """``15/03/2009``: day and month told apart where one is over 12 or dots mean day first."""
    first, second, year = int(found[1]), int(found[3]), _year(found[4])
    day, month = (first, second) if second <= 12 else (second, first)
    sure = found[2] == "." or first > 12 or second > 12 or first == second
    sure = sure and _month(month) is not None and _day(day) is not None
    if sure:
        return DateParts(year, None if year else raw, month, None, day)
    return DateParts(year, raw)


def _structured(raw: str) -> DateParts | None:
    """A date all in figures, in one of the known orders; None where it is not such a one."""
    iso = _ISO.fullmatch(raw)
    if iso:
        return _calendar(iso[1], iso[2], iso[3], raw)
    ris = _RIS.fullmatch(raw)
    if ris:
        return _ris(ris, raw)
    for pattern in (_COMPACT, _CJK):
        found = pattern.fullmatch(raw)
        if found:
            return _calendar(found[1], found[2], found[3], raw)
    numeric = _NUMERIC.fullmatch(raw)
    if numeric:
        return _numeric(numeric, raw)
    month_year = _MONTH_YEAR.fullmatch(raw)
    if month_year and _month(month_year[1]):
        return _calendar(month_year[2], month_year[1], None, raw)
    return None


def _edtf_range(raw: str) -> DateParts | None:
    """``2010-05/2010-07`` or ``2010-05?``: what stands first, with the text kept."""
    first, slash, second = raw.partition("/")
    core = first.rstrip("?~% ")
    exact = not slash and core == first
    if exact or (slash and not re.match(r"\s*(\d{4}|\.\.|$)", second)) or not _ISO.fullmatch(core):
        return None
    parts = _structured(core)
    if parts is None:
        return None
    return DateParts(parts.year, raw, parts.month, parts.month_raw, parts.day)


def _roman(figures: str) -> int | None:
    values = [_ROMAN_SIGNS[sign] for sign in figures]
    pairs = zip(values, [*values[1:], 0], strict=True)
    year = sum(-value if value < following else value for value, following in pairs)
    return year if _FIRST_PRINTED <= year <= LAST_YEAR else None


def _spoken(raw: str) -> DateParts:
    """A date in words: ``12 May 2010``, ``2019 Mar-Apr``, ``c. 1850``, ``in press``."""
    if _BEFORE_CHRIST.search(raw):
        return DateParts(year_raw=raw)
    if len(raw) > 1 and _ROMAN.fullmatch(raw):
        return DateParts(_roman(raw), raw)
    years = [found for found in _YEAR.finditer(raw) if _year(found[1])]
    if not years:
        return DateParts(None, raw)
    year = _year(years[0][1])
    rest = fold(raw[: years[0].start()] + " " + raw[years[0].end() :])
    words = rest.strip(" ,.;()[]")
    if not words and len(rest) <= len(words):
        return DateParts(year)
    if not any(_words(words)[:2]):
        return DateParts(year, raw)
    said = parse_month(words)
    if len(years) > 1:
        return DateParts(year, raw, said.month, None, said.day)
    return DateParts(year, raw if _words(words)[2] else None, said.month, said.month_raw, said.day)


def parse_date(text: str | int | None) -> DateParts:
    """Read one date as written; never raises and never invents.

    ``2010/05`` and ``2010-05`` are months (RIS, EDTF); a field that holds a year only takes
    ``year`` and ``year_raw`` of the result. Years are 1000 to 2100, else None with the text kept.
    """
    raw = fold(str(text if text is not None else ""))
    if not raw:
        return DateParts()
    return _structured(raw) or _edtf_range(raw) or _spoken(raw)


def parse_year(text: str | int | None) -> DateParts:
    """Read a field that should hold a year only; month and day come only from a whole ISO date.

    ``2010/11`` and ``1998-99`` are spans of years here, with the text kept.
    """
    raw = fold(str(text if text is not None else ""))
    parts = parse_date(raw)
    if re.fullmatch(r"\d{4}\s*[/\u2013-]{1,2}\s*\d{2}", raw):
        return DateParts(parts.year or _year(raw[:4]), raw)
    return parts
