"""One broken entry never costs its neighbours, and is told of with line, key and raw text."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from litscape.paper import ImportProblem, PaperDraft

Bib = Callable[[str], tuple[list[PaperDraft], list[ImportProblem]]]

BEFORE = "@article{before, title = {Before}, year = 2001}\n\n"
AFTER = (
    "\n\n@string{fine = {Fine}}\n@article{after, title = {After}, journal = fine, year = 2003}\n"
)

BROKEN = {
    "unclosed group in a value": (
        "@article{bad,\n  author = {Fern, Ola},\n  title = {An {unclosed group},\n"
        "  year = {2002}\n}",
        "unbalanced-braces",
        ("An unclosed group", 2002),
    ),
    "the same on one line": (
        "@article{bad, title = {An {unclosed}, author = {Fern, Ola}, year = {2002}}",
        "unbalanced-braces",
        ("An unclosed", 2002),
    ),
    "unclosed quote": (
        '@article{bad,\n  title = "An unclosed quote,\n  year = 2002\n}',
        "broken-entry",
        ("An unclosed quote", 2002),
    ),
    "no closing brace": (
        "@article{bad,\n  title = {Not closed},\n  author = {Fern, Ola},\n  year = 2002",
        "unbalanced-braces",
        ("Not closed", 2002),
    ),
    "unmatched brace in a file name": (
        "@article{bad,\n  title = {T},\n  file = {A_{b.pdf:/home/u/A.pdf:application/pdf},\n"
        "  year = {2002}\n}",
        "unbalanced-braces",
        ("T", 2002),
    ),
    "a brace too many behind the first field": (
        "@article{bad,\n  title = {One}},\n  author = {Fern, Ola},\n  year = {2002}\n}",
        "unbalanced-braces",
        ("One", 2002),
    ),
    "a brace too many at the end": (
        "@article{bad, title = {One}, year = 2002}}",
        "unbalanced-braces",
        ("One", 2002),
    ),
    "braces that make up for each other": (
        "@article{bad,\n  title = {An {open one},\n  year = {2002}}\n}",
        "broken-entry",
        ("An open one", 2002),
    ),
    "no comma between fields": (
        "@article{bad, title = {One}\n  year = {2002},\n author = {Fern, Ola}\n}",
        "missing-comma",
        ("One", 2002),
    ),
    "no comma on one line": (
        '@article{bad, title = "One" year = 2002 journal = {J} volume = {3}}',
        "missing-comma",
        ("One", 2002),
    ),
    "no comma behind a bare value": (
        "@article{bad,\n  year = 2002\n  title = {One}\n}",
        "missing-comma",
        ("One", 2002),
    ),
    "no comma behind the key": (
        "@article{bad\n  title = {One},\n  year = {2002}\n}",
        "missing-comma",
        ("One", 2002),
    ),
    "semicolons for commas": (
        "@article{bad, title = {One}; year = {2002};}",
        "missing-comma",
        ("One", 2002),
    ),
    "no equals sign": (
        "@article{bad, title {One}, year = 2002}",
        "repaired-entry",
        ("One", 2002),
    ),
    "quotes inside quotes": (
        '@article{bad, title = "He said "no" twice", year = 2002}',
        "repaired-entry",
        ('He said "no" twice', 2002),
    ),
    "round bracket not closed": (
        "@article(bad, title = {One}, year = 2002",
        "broken-entry",
        ("One", 2002),
    ),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_entry_is_saved_and_its_neighbours_with_it(bib: Bib, kind: str) -> None:
    broken, code, (title, year) = BROKEN[kind]
    drafts, problems = bib(BEFORE + broken + AFTER)
    assert [draft.citekey for draft in drafts] == ["before", "bad", "after"]
    bad, after = drafts[1:]
    assert (bad.title, bad.year) == (title, year)
    assert (after.title, after.venue, after.year) == ("After", "Fine", 2003)
    told = [one for one in problems if one.code == code]
    assert told
    assert {(one.line, one.citekey, one.severity) for one in told} == {(3, "bad", "warning")}
    assert told[0].raw is not None
    assert told[0].raw.startswith("@article")
    assert broken.strip().rstrip("}") in told[0].raw + "}"
    assert not any("year =" in str(draft.title) for draft in drafts)


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_entry_may_be_the_last(bib: Bib, kind: str) -> None:
    drafts, problems = bib(BEFORE + BROKEN[kind][0] + "\n")
    assert drafts[0].title == "Before"
    skipped = [one for one in problems if one.is_record and one.severity == "skipped"]
    assert len(drafts) + len(skipped) == 2
    assert any(one.citekey == "bad" and one.raw for one in problems)


CUT = {
    "inside a value": "@article{cut,\n  title = {Cut off while the file was wri",
    "inside a field's name": "@article{cut, title = {Whole},\n  ye",
    "behind a bare value": "@article{cut, title = {Whole}, year = 20",
    "behind the key": "@article{cut",
    "behind the comma": "@article{cut,",
}


@pytest.mark.parametrize("kind", CUT)
def test_an_entry_cut_off_at_the_end_is_left_out_and_told(bib: Bib, kind: str) -> None:
    drafts, problems = bib("@article{whole, title = {Whole}}\n" + CUT[kind])
    assert [draft.citekey for draft in drafts] == ["whole"]
    (problem,) = problems
    assert (problem.line, problem.code, problem.severity) == (2, "unclosed-entry", "skipped")
    assert problem.citekey == "cut"
    assert problem.is_record
    assert problem.raw == CUT[kind]


def test_an_entry_that_lacks_only_its_last_brace_comes_in_with_a_warning(bib: Bib) -> None:
    drafts, problems = bib("@article{a,\n  title = {Whole},\n  year = {2002},\n")
    assert (drafts[0].title, drafts[0].year) == ("Whole", 2002)
    assert [(one.code, one.severity) for one in problems] == [("unclosed-entry", "warning")]


def test_an_entry_that_hardly_begins_at_the_end_is_told(bib: Bib) -> None:
    drafts, problems = bib("@article{whole, title = {Whole}}\n@artic")
    assert len(drafts) == 1
    assert [(one.line, one.code, one.severity) for one in problems] == [
        (2, "unclosed-entry", "skipped")
    ]


def test_at_signs_inside_values_begin_no_entry(bib: Bib) -> None:
    drafts, problems = bib(
        "@article{w1,\n  abstract = {Contact us at\n@home{center} for more},\n  title = {Mail}\n}\n"
        "@article{w2,\n  note = {Use\n@article{key, title = {Inner}, year = 2000}\nin a file},\n"
        "  title = {Example}\n}\n"
        "@article{w3, title = {user@example.org and @article{foo} in text}}\n"
    )
    assert [draft.title for draft in drafts] == [
        "Mail",
        "Example",
        "user@example.org and @articlefoo in text",
    ]
    assert drafts[1].notes == ("Use @articlekey, title = Inner, year = 2000 in a file",)
    assert not problems


def test_entries_without_a_key_come_in(bib: Bib) -> None:
    drafts, problems = bib(
        "@article{,\n title = {A}}\n@misc{\n  title = {B},\n}\n@Article{author = {Elm, Kai},\n"
        'title = "C"}\n@book{ , title = {D}}\n@misc{title={E}}\n'
    )
    assert [draft.title for draft in drafts] == ["A", "B", "C", "D", "E"]
    assert {draft.citekey for draft in drafts} == {None}
    assert [(one.line, one.code) for one in problems] == [
        (1, "missing-key"),
        (3, "missing-key"),
        (6, "missing-key"),
        (8, "missing-key"),
        (9, "missing-key"),
    ]


@pytest.mark.parametrize(
    "key",
    [
        "10.5555/0196-6774(89)90038-2",
        "D'Arc_1963",
        "DBLP:conf/pond/Reed:2001",
        "größe2004",
        "my key 2005",
        "2006start",
        "a+b*c;d",
        'with"quote',
        "https://example.org/?id=3",
    ],
)
def test_keys_are_kept_as_written(bib: Bib, key: str) -> None:
    drafts, _ = bib(f"@article{{{key}, title = {{A}}}}\n@article{{next, title = {{B}}}}\n")
    assert [draft.citekey for draft in drafts] == [key, "next"]


def test_round_brackets_are_as_good_as_curly_ones(bib: Bib) -> None:
    drafts, problems = bib(
        "@article(q1, title = {Round (inner) :)}, year = {2003})\n"
        '@book( q2 , title = "Text with ) inside", year = 2004 )\n'
        "@article(key(1), title={Odd})\n"
    )
    assert [(draft.citekey, draft.title) for draft in drafts] == [
        ("q1", "Round (inner) :)"),
        ("q2", "Text with ) inside"),
        ("key(1)", "Odd"),
    ]
    assert not problems


def test_repeated_fields_lose_nothing(bib: Bib) -> None:
    (draft,), problems = bib(
        "@article{d, title = {A}, Title = {B}, keywords = {a, b}, keywords = {c},\n"
        " author = {Doe, J}, author = {Roe, R}, note = {n1}, note = {n2}}"
    )
    assert draft.title == "A"
    assert draft.raw_fields["title_2"] == "B"
    assert draft.keywords == ("a", "b", "c")
    assert [author.family for author in draft.authors] == ["Doe", "Roe"]
    assert draft.notes == ("n1", "n2")
    assert {one.code for one in problems} == {"duplicate-field"}
    assert len(problems) == 4


def test_both_works_of_one_key_are_given(bib: Bib) -> None:
    drafts, _ = bib("@book{k, title={A}}\n@book{k, title={B}}\n@book{K, title={C}}")
    assert [(one.citekey, one.title) for one in drafts] == [("k", "A"), ("k", "B"), ("K", "C")]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_change_neither_papers_nor_lines(bib: Bib, end: str) -> None:
    text = (
        "% a comment\n@article{e1,\n  title = {Two\n  lines}\n}\n\n@article{e2,\n"
        "  title = {Broken {here},\n"
        "  note = {a back\\\nslash}\n}\n@article{e3, title = {Last}}\nloose\n"
    )
    drafts, problems = bib(text.replace("\n", end))
    assert [(one.citekey, one.title, one.line) for one in drafts] == [
        ("e1", "Two lines", 2),
        ("e2", "Broken here", 7),
        ("e3", "Last", 12),
    ]
    assert sorted((one.line, one.code) for one in problems) == [
        (7, "unbalanced-braces"),
        (13, "text-outside-entry"),
    ]
