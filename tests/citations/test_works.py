"""Works outside the library that are cited in several ways, and what is known of them by a year."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from litscape.graph.cited import AUTHOR_BITS, name_of
from litscape.graph.model import CitationGraph, build
from litscape.graph.neighbours import coupled
from litscape.graph.works import joined
from litscape.store.functions import _cited_also, _cited_name, _cited_work
from litscape.store.graph_reads import NO_YEAR

TITLE = "Rivers under pressure: a study of made-up water"
# Odd numbers are works with an identifier; what they are called is one of two titles.
ROWS = st.tuples(
    st.integers(1, 6),
    st.integers(100, 109),
    st.sampled_from((1990, 1995, 2000, NO_YEAR)),
    st.tuples(st.integers(0, 2), st.integers(0, 2)).map(
        lambda both: both[0] << AUTHOR_BITS | both[1] if both[0] else 0
    ),
    st.sampled_from((0, 0, 101, 103, 501)),
)
LIBRARIES = st.tuples(
    st.dictionaries(st.integers(1, 6), st.sampled_from((1990, 1995, 2000, NO_YEAR)), min_size=1),
    st.lists(ROWS, max_size=25),
)


def graph_of(years: dict[int, int], rows: list[Any]) -> CitationGraph:
    ids = np.array(sorted(years), dtype=np.int64)
    dates = np.array([years[one] for one in ids.tolist()], dtype=np.int64)
    columns = np.array(rows, dtype=np.int64).reshape(-1, 5)
    nothing = np.empty(0, dtype=np.int64)
    return build((ids, dates), (nothing, nothing), tuple(columns.T))


@given(LIBRARIES, st.integers(1989, 2001))
def test_what_is_known_of_works_in_a_year_is_told_by_papers_up_to_it(
    library: tuple[dict[int, int], list[Any]], year: int
) -> None:
    years, rows = library
    graph = graph_of(years, rows)
    past = graph.as_of(year)
    dated = {paper: one for paper, one in years.items() if one <= year}
    alone = graph_of(dated, rows).as_of(year) if dated else past
    assert past.work_keys.tolist() == alone.work_keys.tolist()
    assert past.works.indices.tolist() == alone.works.indices.tolist()
    assert (past.work_years <= year).all()
    assert set(past.ids.tolist()) == set(dated)
    for paper in dated:
        one, other = coupled(past, paper, None), coupled(alone, paper, None)
        assert one.ids.tolist() == other.ids.tolist()
        assert one.weights.tolist() == other.weights.tolist()
    for number in {row[1] for row in rows}:
        assert graph.citations_of_work(number) >= past.citations_of_work(number)


REFERENCES = st.tuples(
    st.sampled_from((None, "10.5555/a", "10.5555/b")),
    st.sampled_from((None, "openalex:W1", "s2:2")),
    st.sampled_from((None, TITLE, TITLE.replace("Rivers", "Lakes"))),
    st.sampled_from((None, "Heron", "Gull")),
)


@given(st.lists(REFERENCES, max_size=12))
def test_references_are_one_by_identifier_and_else_by_title_and_author(told: list[Any]) -> None:
    told = [one for one in told if any(one[:3])]
    numbers = [
        (_cited_work(doi, number, title, 2001, None, _said(who)),
         _cited_name(title, 2001, None, _said(who)) or 0, _cited_also(doi, number) or 0)
        for doi, number, title, who in told
    ]  # fmt: skip
    columns = np.array(numbers, dtype=np.int64).reshape(-1, 3).T
    found = dict(zip(told, joined(*columns).tolist(), strict=True))
    for (doi, number, title, who), leader in found.items():
        for (other, its, _title, _who), its_leader in found.items():
            if doi and other:
                assert (leader == its_leader) == (doi == other)
            elif number and number == its and not doi and not other:
                assert leader == its_leader
        dois = {one[0] for one in found if one[0] and one[1] == number and number}
        if not doi and len(dois) == 1:
            assert leader in {lead for one, lead in found.items() if one[0] in dois}
        known = {lead for one, lead in found.items() if any(one[:2]) and one[2:] == (title, who)}
        if not doi and not number and who and len(known) == 1:
            assert leader in known


def _said(author: str | None) -> str:
    return json.dumps({"author": author} if author else {})


def joined_in_words(*rows: tuple[int, str, str | None, int]) -> list[int]:
    """Leaders of works, each a number, title, author, further identifier."""
    names = [name_of(title, 2001, None, {"author": who or ""}) for _n, title, who, _also in rows]
    numbers, also = ([row[n] for row in rows] for n in (0, 3))
    found = joined(*(np.array(one, dtype=np.int64) for one in (numbers, names, also)))
    assert found.dtype == np.int64
    return [int(one) for one in found]


def test_two_identifiers_are_never_one_by_their_title() -> None:
    assert joined_in_words((101, TITLE, "Heron", 0), (103, TITLE, "Heron", 0)) == [101, 103]


def test_what_two_works_are_named_by_says_nothing() -> None:
    assert joined_in_words((101, "", None, 105), (103, "", None, 105), (105, "", None, 0)) == [
        101, 103, 105,
    ]  # fmt: skip


def test_what_names_no_author_is_that_of_the_only_author() -> None:
    assert joined_in_words((2, TITLE, None, 0), (4, TITLE, "van der Heron, M.", 0)) == [4, 4]
    assert joined_in_words(
        (2, TITLE, None, 0), (4, TITLE, "Heron", 0), (6, TITLE.upper(), "Gull", 0)
    ) == [2, 4, 6]
    assert joined_in_words((2, "Mud", None, 0), (4, "Mud", None, 0)) == [2, 4]
    assert joined_in_words((2, "Mud", "Heron", 0), (5, "Mud", "Heron", 0)) == [5, 5]


def test_particles_and_initials_are_no_part_of_a_name() -> None:
    forms = ("van der Heron, M.", "Heron M", "Heron", "HERON, Max", "M. Heron")
    assert len({name_of(TITLE, 2001, None, {"author": one}) for one in forms}) == 1
    assert name_of(TITLE, 2001, None, {"author": "王"}) != name_of(TITLE, 2001, None, {})
    assert name_of(None, None, "Something", {}) == 0
