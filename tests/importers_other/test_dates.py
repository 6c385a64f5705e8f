"""Dates as libraries write them."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litscape.importers.dates import DateParts, parse_date, parse_month, parse_year


def parts(date: DateParts) -> tuple[int | None, int | None, int | None]:
    return date.year, date.month, date.day


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2001", (2001, None, None)),
        ("2010-05", (2010, 5, None)),
        ("2010/05/04/", (2010, 5, 4)),
        ("2016///", (2016, None, None)),
        ("2018/06//", (2018, 6, None)),
        ("2010-00-00", (2010, None, None)),
        ("2018-02-11T10:00:00Z", (2018, 2, 11)),
        ("May 2010", (2010, 5, None)),
        ("12 May 2010", (2010, 5, 12)),
        ("May 12, 2010", (2010, 5, 12)),
        ("2024 Feb 21", (2024, 2, 21)),
        ("20100504", (2010, 5, 4)),
        ("15/03/2009", (2009, 3, 15)),
        ("03/15/2009", (2009, 3, 15)),
        ("04.03.2009", (2009, 3, 4)),
        ("2010年5月4日", (2010, 5, 4)),
        ("3 août 2011", (2011, 8, 3)),
        ("März 2012", (2012, 3, None)),
        ("12 de octubre de 2013", (2013, 10, 12)),
        ("5 мая 2014", (2014, 5, 5)),
    ],
)
def test_plain_dates_need_no_raw_text(text: str, expected: tuple[int, ...]) -> None:
    date = parse_date(text)
    assert parts(date) == expected
    assert date.year_raw is None
    assert date.month_raw is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("in press", (None, None, None)),
        ("forthcoming 2027", (2027, None, None)),
        ("1999/2000", (1999, None, None)),
        ("c. 1850", (1850, None, None)),
        ("[1896]", (1896, None, None)),
        ("1911--1912", (1911, None, None)),
        ("2004a", (2004, None, None)),
        ("44 BC", (None, None, None)),
        ("20011", (None, None, None)),
        ("9999", (None, None, None)),
        ("9999-12-31", (None, None, None)),
        ("0001-01-01", (None, None, None)),
        ("2010-05/2010-07", (2010, 5, None)),
        ("2018~", (2018, None, None)),
        ("199X", (None, None, None)),
        ("1998-99", (1998, None, None)),
        ("05/04/2010", (2010, None, None)),
        ("out of print 2010", (2010, None, None)),
    ],
)
def test_what_is_not_plainly_given_keeps_its_text(
    text: str, expected: tuple[int | None, ...]
) -> None:
    date = parse_date(text)
    assert parts(date) == expected
    assert date.year_raw == text


@pytest.mark.parametrize(
    ("text", "season"),
    [("Spring 2010", "Spring"), ("2010-21", "Spring"), ("2010///Fall", "Fall"), ("2010 Q3", "Q3")],
)
def test_a_season_is_no_month(text: str, season: str) -> None:
    assert parse_date(text) == DateParts(2010, None, None, season, None)


def test_a_span_of_months_begins_with_its_first() -> None:
    assert parse_date("2019 Mar-Apr") == DateParts(2019, None, 3, "Mar-Apr", None)
    assert parse_date("1998 Dec-1999 Jan") == DateParts(1998, "1998 Dec-1999 Jan", 12, None, None)


@pytest.mark.parametrize(
    ("text", "month", "day"),
    [
        ("jan", 1, None),
        ("SEP", 9, None),
        ("sep~9", 9, 9),
        ("10~oct", 10, 10),
        ("9~9", 9, 9),
        ("07", 7, None),
        (7, 7, None),
        ("jun.", 6, None),
        ("Sept.", 9, None),
        ("décembre", 12, None),
    ],
)
def test_months(text: str | int, month: int, day: int | None) -> None:
    assert parse_month(text) == DateParts(None, None, month, None, day)


@pytest.mark.parametrize("text", ["Spring", "13", "Christmas"])
def test_what_is_no_month_stays_as_text(text: str) -> None:
    assert parse_month(text) == DateParts(month_raw=text)


def test_a_year_field_knows_spans_of_years() -> None:
    assert parse_year("2010/11") == DateParts(2010, "2010/11")
    assert parse_year("1998--99") == DateParts(1998, "1998--99")
    assert parse_year("2010-05-04") == DateParts(2010, None, 5, None, 4)


_WORDS = "2010 1999 05 13 31 9999 / - . , ~ ? May mar spring Q1 T [ ] 年 x in"
_PIECES = st.lists(
    st.sampled_from(_WORDS.split()),
    max_size=8,
).map(" ".join)


@given(st.one_of(st.text(max_size=40), _PIECES, _PIECES.map(lambda text: text.replace(" ", ""))))
def test_no_text_raises_and_none_is_lost(text: str) -> None:
    for read in (parse_date, parse_year, parse_month):
        date = read(text)
        assert date.year is None or 1000 <= date.year <= 2100
        assert date.month is None or 1 <= date.month <= 12
        assert date.day is None or 1 <= date.day <= 31
        assert date.day is None or date.month is not None
        if any(char.isalnum() for char in text):
            assert date != DateParts()


@given(st.dates(datetime.date(1000, 1, 1), datetime.date(2100, 12, 31)))
def test_every_way_of_writing_a_day_gives_it(day: datetime.date) -> None:
    for form in ("%Y-%m-%d", "%Y/%m/%d/", "%d %B %Y", "%B %d, %Y", "%Y %b %d"):
        date = parse_date(day.strftime(form))
        assert parts(date) == (day.year, day.month, day.day)
