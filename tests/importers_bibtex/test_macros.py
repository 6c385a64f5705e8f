"""``@string``, months and joining with ``#``."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from litscape.paper import ImportProblem, PaperDraft

Bib = Callable[[str], tuple[list[PaperDraft], list[ImportProblem]]]


def test_macros_nest_join_and_ignore_case(bib: Bib) -> None:
    drafts, problems = bib(
        '@string{jsp = "Journal of Small Plants"}\n@STRING(pre = {Proc. })\n'
        '@string{conf = pre # "of the " # {Moss Meeting}}\n@string{one = "1", two = {2}}\n'
        "@article{a, title = {A}, journal = JSP}\n"
        '@inproceedings{b, title = "Part " # {Two}, booktitle = conf # ", " # 2002}\n'
        "@article{c, title = {C}, volume = one # two}\n"
    )
    assert [draft.venue for draft in drafts] == [
        "Journal of Small Plants",
        "Proc. of the Moss Meeting, 2002",
        None,
    ]
    assert drafts[1].title == "Part Two"
    assert drafts[2].volume == "12"
    assert not problems


def test_a_definition_may_stand_behind_its_use(bib: Bib) -> None:
    (draft,), problems = bib(
        "@article{a, title={A}, journal = late}\n@string{late = {Late } # later}\n"
        "@string{later={J}}"
    )
    assert draft.venue == "Late J"
    assert not problems


def test_the_nearest_definition_before_counts(bib: Bib) -> None:
    drafts, _ = bib(
        "@string{j={One}}\n@article{a, title={A}, journal=j}\n@string{j={Two}}\n"
        "@article{b, title={B}, journal=j}"
    )
    assert [draft.venue for draft in drafts] == ["One", "Two"]


def test_an_undefined_macro_stands_as_text_with_a_warning(bib: Bib) -> None:
    drafts, (problem,) = bib(
        "\n@article{u, title = {A}, journal = jnosuch}\n@article{v, title={B}, journal = tcs}"
    )
    assert [draft.venue for draft in drafts] == ["jnosuch", "Theoretical Computer Science"]
    assert (problem.code, problem.line, problem.citekey) == ("undefined-macro", 2, "u")
    assert "jnosuch" in problem.message


def test_macros_that_double_each_other_fill_no_memory(bib: Bib) -> None:
    text = "@string{x0 = {lol}}\n" + "".join(
        f"@string{{x{n + 1} = x{n} # x{n}}}\n" for n in range(60)
    )
    (draft,), problems = bib(text + "@article{a, title = x60}")
    assert draft.title is not None
    assert len(draft.title) < 500_000
    assert any(one.code == "undefined-macro" for one in problems)


def test_a_macro_of_itself_ends(bib: Bib) -> None:
    (draft,), problems = bib(
        "@article{a, title = {A}, journal = x}\n@string{x = y}\n@string{y = x}"
    )
    assert draft.venue == "x"
    assert problems


@pytest.mark.parametrize(
    ("value", "month", "day", "raw"),
    [
        ("jan", 1, None, None),
        ("SEP", 9, None, None),
        ("july", 7, None, None),
        ('sep # "~9"', 9, 9, None),
        ('"10~" # oct', 10, 10, None),
        ("jul # { 14}", 7, 14, None),
        ("{March}", 3, None, None),
        ("{jun.}", 6, None, None),
        ("07", 7, None, None),
        ("{{AUG}}", 8, None, None),
        ("{15 July}", 7, 15, None),
        ("{Spring}", None, None, "Spring"),
        ("{13}", None, None, "13"),
        ('mar # "/" # apr', 3, None, "March/April"),
    ],
)
def test_months(bib: Bib, value: str, month: int | None, day: int | None, raw: str | None) -> None:
    (draft,), problems = bib(f"@article{{m, title = {{A}}, year = 2010, month = {value}}}")
    assert (draft.month, draft.day, draft.month_raw) == (month, day, raw)
    assert not problems
