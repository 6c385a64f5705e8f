"""Comments, loose text and what is commented out: no papers, but nothing lost in silence."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from litscape.paper import ImportProblem, PaperDraft

Bib = Callable[[str], tuple[list[PaperDraft], list[ImportProblem]]]


@pytest.mark.parametrize(
    "comment",
    [
        "@Comment Library of the pond group, see also {old} list",
        "@comment{ nested {braces} and an @ sign }",
        "@COMMENT(in round brackets)",
        "@comment",
        "% @ percent line",
        '@preamble{"\\newcommand{\\x}{y}" # " more"}',
        "@comment{not closed",
    ],
)
def test_comments_are_no_papers_and_no_problems(bib: Bib, comment: str) -> None:
    drafts, problems = bib(
        f"{comment}\n@article{{c1, title = {{A}}}}\n{comment}\n@article{{c2, title={{B}}}}"
    )
    assert [draft.citekey for draft in drafts] == ["c1", "c2"]
    assert not problems


def test_loose_text_is_noted_and_its_signs_begin_nothing(bib: Bib) -> None:
    text = (
        "Made @home (in the evening), mail me@lab{dot}org\n@article{c1, title = {A}}\n"
        "1. @article{c2, title = {B}, year = 2005}\n"
    )
    drafts, problems = bib(text)
    assert [draft.citekey for draft in drafts] == ["c1", "c2"]
    assert {(one.code, one.severity) for one in problems} == {("text-outside-entry", "note")}
    assert sorted(one.line or 0 for one in problems) == [1, 3]
    assert problems[0].raw == "Made @home (in the evening), mail me@lab{dot}org"


def test_fields_outside_any_entry_count_as_left_out(bib: Bib) -> None:
    drafts, problems = bib("title = {Lost},\nyear = 2001\n}\n\n@article{a, title = {A}}\n")
    assert len(drafts) == 1
    (problem,) = problems
    assert (problem.line, problem.severity, problem.is_record) == (1, "skipped", False)
    assert problem.raw is not None
    assert "title = {Lost}" in problem.raw


@pytest.mark.parametrize(
    "hidden",
    [
        "%@article{hid,\n%  title = {Hidden},\n%}",
        "% @article{hid, title = {Hidden}}",
        "%@book{hid,\n  title = {Hidden},\n  year = 2000\n}",
        "@comment{@article{hid, title = {Hidden}}}",
        "@comment{\n@article{hid,\n  title = {Hidden}\n}\n}",
        "@comment @article{hid, title = {Hidden}}",
    ],
)
def test_a_commented_out_entry_is_noted_and_stays_out(bib: Bib, hidden: str) -> None:
    drafts, problems = bib(
        f"@article{{c1, title = {{A}}}}\n{hidden}\n@article{{c2, title = {{B}}}}\n"
    )
    assert [draft.citekey for draft in drafts] == ["c1", "c2"]
    (problem,) = problems
    assert (problem.code, problem.severity, problem.line) == ("commented-out", "note", 2)
    assert problem.raw is not None
    assert "Hidden" in problem.raw


def test_a_percent_line_inside_an_entry_is_a_comment(bib: Bib) -> None:
    (draft,), _ = bib("@article{a,\n  title = {A},\n% year = {1999},\n  year = {2001}, % sure\n}")
    assert (draft.title, draft.year) == ("A", 2001)
    assert not draft.raw_fields


def test_a_byte_order_mark_hides_nothing(bib: Bib) -> None:
    assert bib("\ufeff@article{b1, title = {A}}")[0][0].title == "A"


def test_xdata_and_set_are_no_records(bib: Bib) -> None:
    drafts, problems = bib(
        "@xdata{x, publisher={P}}\n@set{s, entryset={a}}\n@control{c, options={1}}\n"
        "@book{a, title={A}}"
    )
    assert [draft.citekey for draft in drafts] == ["a"]
    assert not problems


def test_an_empty_entry_is_a_skipped_record(bib: Bib) -> None:
    drafts, (problem,) = bib("@misc{}\n")
    assert not drafts
    assert (problem.severity, problem.is_record) == ("skipped", True)
