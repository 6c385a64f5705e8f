"""A record of a paper that became part of another one finds that paper when it comes again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from litscape.importers.opened import RecordsAtHand
from litscape.paper import Author, PaperDraft

if TYPE_CHECKING:
    from collections.abc import Callable

World = Any

PLAIN = {
    "doi": ("10.5555/one", "10.5555/two"),
    "arxiv": ("2001.00001", "2002.00002"),
    "pmid": ("90000001", "90000002"),
    "isbn": ("9780000000002", "9780000000019"),
}
OTHERS = {
    "openalex": ("W100001", "W100002"),
    "s2": ("a" * 40, "b" * 40),
    "pmcid": ("PMC1", "PMC2"),
    "wos": ("000000000000001", "000000000000002"),
    "dblp": ("journals/x/Owl10", "conf/x/Owl10"),
}
SCHEMES = [*PLAIN, *OTHERS]


def _draft(scheme: str, which: int, title: str, **more: Any) -> PaperDraft:
    value = (PLAIN | OTHERS)[scheme][which]
    own = {scheme: value} if scheme in PLAIN else {"identifiers": {scheme: value}}
    kind = "book" if scheme == "isbn" else "article"
    fields = {"authors": (Author("Owl", "Amy"),), "year": 2010 + which, "type": kind}
    return PaperDraft(title=title, **{**fields, **own, **more})


@pytest.fixture
def take(world: World) -> Callable[..., Any]:
    """Import records as a source that is known by its name."""

    def imported(source: str, *drafts: PaperDraft) -> Any:
        return world.library.imports.run_open([RecordsAtHand(source, "list", drafts)])

    return imported


@pytest.mark.parametrize("titles", [("Mud in rivers", "Mud in rivers"), ("Mud", "Slime of owls")])
@pytest.mark.parametrize("keyed", [True, False])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_either_record_of_a_merged_pair(
    world: World, take: Any, scheme: str, keyed: bool, titles: tuple[str, str]
) -> None:
    keys = ("one", "two") if keyed else (None, None)
    first, second = (
        _draft(scheme, n, titles[n], citekey=key, source_id=key) for n, key in enumerate(keys)
    )
    assert take("here", first, second).added == 2
    for turn in range(2):
        world.find.merge([1, 2], keep=1 + turn)
        again = take("here", first, second)
        assert (again.unchanged, again.added) == (2, 0)
        again = take("here", _draft(scheme, 0, titles[0], volume="7", citekey=keys[0]), second)
        assert (again.updated + again.unchanged, again.added) == (2, 0)
        world.library.history.undo()
        # By another way, one by one and in the other order.
        for n, draft in ((1, second), (0, first)):
            there = take(f"there {n} {turn}", draft)
            assert (there.added, there.suggested_merges) == (0, ())
            world.library.history.undo()
        world.library.history.undo()
        assert len(list(world.library.papers)) == 2


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_changed_record_of_the_absorbed_paper(world: World, take: Any, scheme: str) -> None:
    pair = [_draft(scheme, n, f"Mud {word}") for n, word in enumerate(("in rivers", "at sea"))]
    take("here", *pair)
    world.find.merge([1, 2], keep=1)
    changed = _draft(scheme, 1, "Mud at sea", volume="8")
    again = take("here", pair[0], changed)
    assert (again.added, again.updated, again.unchanged) == (0, 1, 1)
    assert world.library.papers.get(1).volume == "8"


def test_three_into_one_by_any_further_identifier(world: World, take: Any) -> None:
    drafts = [
        PaperDraft(
            title=f"Study {word}",
            year=2000 + n,
            doi=f"10.5555/{n}",
            isbn=f"978000000000{(2, 19 % 10, 6)[n]}" if n != 1 else "9780000000019",
            identifiers={"openalex": f"W{n}", "s2": str(n) * 40},
        )
        for n, word in enumerate(("owl", "fern", "tide"))
    ]
    take("here", *drafts)
    world.find.merge([1, 2, 3], keep=2)
    paper = world.library.papers.get(2)
    assert {s for s in paper.identifiers if s.startswith("openalex")} == {
        "openalex",
        "openalex.2",
        "openalex.3",
    }
    for n, word in enumerate(("owl", "fern", "tide")):
        for given in ({"openalex": f"W{n}"}, {"s2": str(n) * 40}):
            draft = PaperDraft(title=f"Study {word}", year=2000 + n, identifiers=given)
            assert take(f"{word} {given}", draft).added == 0


def test_a_shared_second_isbn_or_issn_joins_no_chapters(world: World, take: Any) -> None:
    """Two merged books with a second ISBN, and a chapter that has it too, stay apart."""
    for n in range(2):
        world.add(f"Book {'ab'[n]}", type="book", isbn=PLAIN["isbn"][n], people=(f"P{n}",))
    world.find.merge([1, 2])
    chapter = PaperDraft(title="On chapters", type="chapter", isbn=PLAIN["isbn"][1], year=2010)
    journal = PaperDraft(title="On journals", identifiers={"issn": "1234-5679"}, year=2010)
    world.add("Journal 1", identifiers={"issn": "1111-1119", "issn.2": "1234-5679"})
    assert take("chapters", chapter, journal).added == 2


def test_a_key_of_a_merged_record_without_identifiers(world: World, take: Any) -> None:
    drafts = [
        PaperDraft(citekey=key, title=title, year=year, authors=(Author(who),))
        for key, title, year, who in (("k1", "Mud", 2001, "Owl"), ("k2", "Slime", 1990, "Roe"))
    ]
    take("here", *drafts)
    world.find.merge([1, 2], keep=1)
    assert take("a copy", *drafts).added == 0
    other = PaperDraft(citekey="k2", title="Of ferns", year=1950, authors=(Author("Elm"),))
    assert take("another", other).added == 1
