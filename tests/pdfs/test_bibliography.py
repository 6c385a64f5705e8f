"""Lists of references: where they stand, where entries begin, what an entry says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litscape.importers.cited import plain_reference
from litscape.pdfs.bibliography import entries, find_references, section
from litscape.pdfs.pages import Line

NUMBERED = """References
[1] Heron, M. “Tides of the northern marshes,” Journal of Mud, 2019.
https://doi.org/10.5555/heron.2019
[2] Plover, I. “A survey of long and wind-
ing rivers,” 2001, pp. 3-9.
[3] Gull, T. “On the depth of lakes,” arXiv:1501.01234, 2015."""
DOTTED = """REFERENCES AND NOTES
1. M. Heron, Tides of the northern marshes. J. Mud 12, 3 (2019).
2. I. Plover, A survey of rivers. Pond
2. (2001).
3. T. Gull, On the depth of lakes (2015)."""
LABELLED = """Bibliography
[Her19] Heron, M. Tides. Mud, 2019.
[Plo01] Plover, I. Rivers.
Pond, 2001.
[vGS+15] van der Gull. Lakes. 2015."""
PLAIN = """Works cited
Heron, M. (2019). Tides of the northern marshes. Mud, 12, 3–9.
Plover, I. and Egret, A. (2001). A survey of long and winding
rivers. Pond.
van der Gull, T. (2015). On the depth of lakes. Water."""


def lines(text: str, page: int = 0, left: float = 50) -> list[Line]:
    return [Line(one, left, page) for one in text.splitlines()]


@pytest.mark.parametrize("text", [NUMBERED, DOTTED, LABELLED, PLAIN])
def test_each_form_of_list_has_three_entries(text: str) -> None:
    found = find_references(lines(text))
    assert [one.year for one in found] == [2019, 2001, 2015]
    assert [one.raw[0] for one in found if one.raw] in (
        ["H", "P", "G"],
        ["M", "I", "T"],
        ["H", "P", "v"],
    )


def test_what_numbered_entries_say() -> None:
    first, second, third = find_references(lines(NUMBERED))
    assert first.doi == "10.5555/heron.2019"
    assert first.title == "Tides of the northern marshes"
    assert second.title == "A survey of long and winding rivers"
    assert (third.source_id, third.doi) == ("arxiv:1501.01234", None)


def test_hanging_indents_in_two_columns() -> None:
    column = [
        Line("Heron, M. Tides of the marsh. Mud, 2019", 50, 1),
        Line("volume 3.", 62, 1),
        Line("Plover, I. Rivers of the plain. Pond,", 50, 1),
        Line("2001.", 62, 1),
    ]
    second = [
        Line("van der Gull, T. Lakes of the north.", 320, 1),
        Line("Water, 2015.", 332, 1),
        Line("Egret, A. Ponds. 1999.", 320, 1),
    ]
    found = find_references([Line("References", 50, 1), *column, *second])
    assert [one.year for one in found] == [2019, 2001, 2015, 1999]


def test_the_last_list_counts_up_to_what_follows() -> None:
    text = "References\nsee below\n" + NUMBERED + "\nAppendix A\n[4] Not one, 2020.\n"
    assert len(find_references(lines(text))) == 3
    assert find_references(lines("1 References\nare few here\nand none with years")) == []
    assert section(lines("Introduction\nNo list (2019)\n(2018)\n(2017)")) == []


def test_running_heads_and_page_numbers_are_no_entries() -> None:
    pages = [line for n in range(4) for line in lines(f"Journal of Mud, page {n}\n{n}\ntext", n)]
    listed = NUMBERED.replace("[2]", "Journal of Mud, page 9\n12\n[2]")
    found = find_references([*pages, *lines(listed, 5)])
    assert len(found) == 3
    assert all("page" not in (one.raw or "") for one in found)


@pytest.mark.parametrize(
    ("text", "title", "year"),
    [
        (
            "Smith, J. (1999a). A title of some length here. Venue.",
            "A title of some length here",
            1999,
        ),
        ("Smith, J. 2004. What is a title of length? Venue 3.", "What is a title of length", 2004),
        (
            "Smith, J., “A title, with a comma, in quotes,” V, 2000–2004, 2010",
            "A title, with a comma, in quotes",
            2010,
        ),
        ("Something without any year or form", None, None),
        ("Smith J. Title. arXiv:2001.01999", None, None),
        ("Smith J. doi:10.1000/1999.2000", None, None),
    ],
)
def test_titles_and_years(text: str, title: str | None, year: int | None) -> None:
    found = plain_reference(text)
    assert (found.title, found.year) == (title, year)
    assert found.raw == text


@given(
    st.lists(
        st.tuples(
            st.sampled_from(
                ["References", "[1] A (2001).", "[2] B, 2002.", "Name, X. (1999). T.", "Appendix",
                 "more-", "text", "3", "https://doi.org/10.1/", "x (2003).", "\u00ad", "[", "(1)"]
            ),
            st.sampled_from([10.0, 20.0, 300.0]),
            st.integers(0, 3),
        ),
        max_size=30,
    )
)  # fmt: skip
def test_any_lines_give_entries_of_their_text(drawn: list[tuple[str, float, int]]) -> None:
    given_lines = [Line(text, left, page) for text, left, page in drawn]
    found = find_references(given_lines)
    letters = sum(len(line.text) for line in given_lines)
    assert sum(len(one.raw or "") for one in found) <= letters + len(given_lines)
    assert entries([]) == []
