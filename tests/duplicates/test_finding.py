"""Which papers are put before a person as maybe one work, and which are beyond doubt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from litscape.duplicates.blocks import LARGE, candidate_pairs
from litscape.importers.matching import brief_of
from litscape.jobs import JobCancelledError, JobContext, null_context
from litscape.paper import Author, PaperDraft

World = Any

if TYPE_CHECKING:
    from litscape.jobs.context import Event


def test_an_empty_library_has_none(world: World) -> None:
    assert world.groups() == []
    world.add()
    assert world.groups() == []


def test_the_same_doi_is_certain_where_the_rest_agrees(world: World) -> None:
    a = world.add(doi="10.5555/a")
    b = world.add("Mud and water in rivers: a study", doi="10.5555/a")
    (group,) = world.find.list()
    assert group.ids == (a, b)
    assert group.certain
    assert group.why[:2] == ("same DOI", "one title is longer")


def test_two_dois_are_never_certain(world: World) -> None:
    world.add(doi="10.5555/a")
    world.add(doi="10.5555/b")
    (group,) = world.find.list()
    assert not group.certain
    assert "different DOIs" in group.why
    assert not world.find.merge_certain()


def test_two_dois_are_not_certain_by_way_of_a_third_paper(world: World) -> None:
    a = world.add(doi="10.5555/a", pmid="11")
    b = world.add(pmid="11", arxiv="1903.00001")
    c = world.add(doi="10.5555/c", arxiv="1903.00001")
    (group,) = world.find.list()
    assert group.ids == (a, b, c)
    assert not group.certain
    world.find.merge_certain()
    assert {paper.doi for paper in world.library.papers} >= {"10.5555/a", "10.5555/c"}


def test_a_missing_title_does_not_bring_two_works_together(world: World) -> None:
    world.add("Mud and water in rivers", doi="10.5555/a")
    world.add(None, doi="10.5555/a")
    world.add("Flights of owls at night", doi="10.5555/a")
    assert world.certain() == []


def test_parts_are_two_works(world: World) -> None:
    world.add("Mud and water in rivers, part I", doi="10.5555/1")
    world.add("Mud and water in rivers, part II", doi="10.5555/2")
    assert world.groups() == []


def test_parts_that_share_a_doi_are_for_a_person_to_say(world: World) -> None:
    world.add("Mud and water in rivers, part I", doi="10.5555/1")
    world.add("Mud and water in rivers, part II", doi="10.5555/1")
    (group,) = world.find.list()
    assert not group.certain
    assert "other numbers in the title" in group.why


def test_chapters_with_the_doi_of_their_book(world: World) -> None:
    ids = [
        world.add("The book of mud", type="book", doi="10.5555/book"),
        *(world.add(title, type="chapter", doi="10.5555/book") for title in ("Rain", "Snow")),
    ]
    (group,) = world.find.list()
    assert group.ids == tuple(ids)
    assert not group.certain
    assert "a book and a part of one" in group.why


def test_a_preprint_and_its_published_version(world: World) -> None:
    world.add(doi="10.48550/arxiv.1903.00001", arxiv="1903.00001", venue="arXiv", year=2019)
    world.add(doi="10.5555/a", venue="Journal of Mud", year=2020)
    (group,) = world.find.list()
    assert not group.certain
    assert {"preprint and published version", "different DOIs"} <= set(group.why)
    assert "years differ: 2019, 2020" in group.why


def test_all_equal_is_certain_without_identifier(world: World) -> None:
    fields = {"venue": "Journal of Mud", "volume": "3", "pages": "1-9", "type": "article"}
    world.add(**fields)
    world.add(**fields)
    assert len(world.certain()) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({}, {"year": 2011}),
        ({}, {"year": None}),
        ({}, {"venue": "Proceedings of Water"}),
        ({}, {"people": ("Owl", "Teal")}),
        ({}, {"people": ()}),
        ({}, {"type": "book"}),
        ({}, {"title": "Mud and water in rivers: a study"}),
        ({"volume": "3"}, {"volume": "4"}),
        ({"pmid": "11"}, {"pmid": "12"}),
        ({"isbn": "9780000000019"}, {"isbn": "9780000000002"}),
    ],
)
def test_any_difference_is_for_a_person_to_see(
    world: World, one: dict[str, Any], other: dict[str, Any]
) -> None:
    fields = {"venue": "Journal of Mud", "type": "article"}
    world.add(**{**fields, **one})
    world.add(**{**fields, **other})
    assert world.certain() == []


def test_what_nobody_wrote_is_for_a_person_to_see(world: World) -> None:
    for _ in range(2):
        world.add("News of the rivers society", people=("Anonymous",), venue="Journal of Mud")
    assert len(world.groups()) == 1
    assert world.certain() == []


def test_two_books_of_one_isbn(world: World) -> None:
    for _ in range(2):
        world.add("Mud", type="book", isbn="9780000000002")
    assert len(world.certain()) == 1


def test_short_titles_of_series_are_left_alone(world: World) -> None:
    for n in range(40):
        world.add("Editorial", people=("Owl",), year=1990 + n)
    assert world.groups() == []


def test_papers_without_title_are_alike_only_where_all_else_is(world: World) -> None:
    for n in range(3):
        world.add(None, year=2001 + n)
        world.add("", people=())
    assert world.groups() == []
    for _ in range(2):
        world.add(None, year=1999)
    assert len(world.groups()) == 1
    assert world.certain() == []


@pytest.mark.parametrize(
    ("title", "other"),
    [
        ("Mud and water in rivers of the north", "Mud and wter in rivers of the north"),
        ("Mud and water in rivers of the north", "Mvd and water in rivers of the north"),
        ("Mud and water in rivers of the north", "Mud and water in rivers of the nroth"),
        ("Über Schlamm und Wasser", "Uber Schlamm und Wasser."),
        ("河流中的泥沙与水的研究方法", "河流中的泥沙与水的研究方法。"),
        ("河流中的泥沙与水的研究方法及其应用", "河流中的泥砂与水的研究方法及其应用"),
        ("Грязь и вода в северных реках", "Грязь и вода в северных реках: обзор"),
        ("דוגמה של כותרת ארוכה מאוד בעברית", "דוגמה של כותרת ארוכה מאד בעברית"),
        ("川の泥と水についての研究", "川の泥と水についての研究 "),
    ],
)
def test_titles_that_differ_a_little(world: World, title: str, other: str) -> None:
    a, b = world.add(title), world.add(other)
    world.add("Something else about northern birds", people=("Teal",))
    assert world.groups() == [(a, b)]


def test_the_trash_is_not_looked_at(world: World) -> None:
    a, b = world.add(), world.add()
    assert world.groups() == [(a, b)]
    world.library.edit.trash([a])
    assert world.groups() == []


def test_what_an_import_suggested_is_there(world: World) -> None:
    text = """@article{a, title = {Mud and water in rivers}, author = {Owl, A}, year = 2010,
        doi = {10.5555/a}}
    @article{b, title = {Mud and water in rivers}, author = {Owl, A}, year = 2010,
        doi = {10.5555/b}}"""
    report = world.bib(text)
    assert [tuple(pair) for pair in report.suggested_merges] == world.groups()


def test_a_refused_pair_is_never_joined_by_a_third(world: World) -> None:
    a, b, c = (world.add() for _ in range(3))
    assert world.groups() == [(a, b, c)]
    world.find.refuse([a, c])
    assert world.groups() == [(a, b), (b, c)]
    world.find.refuse([a, b])
    assert world.groups() == [(b, c)]


def _briefs(*titles: str) -> list[Any]:
    owl = (Author("Owl", "Amy"),)
    return [
        brief_of(PaperDraft(title=title, authors=owl, year=2010), n)
        for n, title in enumerate(titles)
    ]


def test_a_large_block_is_not_compared_all_with_all() -> None:
    briefs = _briefs(*["Report on the state of the rivers"] * (LARGE * 20))
    pairs = candidate_pairs(briefs, null_context())
    assert len(pairs) < LARGE * 20 * 15
    assert {place for pair in pairs for place in pair} == set(range(LARGE * 20))


def test_the_search_ends_when_asked() -> None:
    briefs = _briefs("One title of rivers", "One title of rivers")

    def stop(_event: Event) -> None:
        ctx.cancel()

    ctx = JobContext(stop)
    with pytest.raises(JobCancelledError):
        candidate_pairs(briefs, ctx)
