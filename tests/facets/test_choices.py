"""What choosing in facets makes of a query, and what is counted then, against search itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from litscape.errors import UserError
from litscape.facets import FacetRequest, FacetValue
from litscape.facets.choices import read_choices, toggled, with_years, without_choice
from litscape.facets.counting import FACETS
from litscape.library import Library
from litscape.paper import Author, PaperDraft, PaperFilter
from litscape.store.bulk import NewPaper, insert_papers

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from litscape.facets import FacetReport


def test_choices_are_kept_in_the_query() -> None:
    query = toggled("fox", "venue", "Nature")
    assert query == 'fox venue:="Nature"'
    query = toggled(query, "venue", "Science & Co")
    query = with_years(query, (2015, 2020))
    query = toggled(query, "author", "Doe, J.")
    query = toggled(query, "tag", "to read", leave_out=True)
    query = toggled(query, "read", "unread")
    found = read_choices(query, FACETS)
    assert found.wanted == {
        "venue": ("Nature", "Science & Co"),
        "year": ("2015..2020",),
        "author": ("Doe, J.",),
        "read": ("unread",),
    }
    assert found.unwanted == {"tag": ("to read",)}
    assert found.rest == 'fox author:="Doe, J." -tag:"to read"'
    for facet in ("venue", "year", "author", "read"):
        query = without_choice(query, facet, found.wanted[facet])
    query = toggled(query, "tag", "to read", leave_out=True)
    assert query == "fox"


def test_what_is_no_year_or_rating_is_no_choice() -> None:
    """The search takes it as a word, and so it is counted."""
    found = read_choices("year:abc rating:many", FACETS)
    assert not found.wanted
    assert found.rest == "year:abc rating:many"


def test_another_reading_state_takes_the_place_of_the_first() -> None:
    query = toggled(toggled("", "read", "unread"), "read", "read")
    assert read_choices(query, FACETS).wanted == {"read": ("read",)}
    assert with_years("year:2010 fox", None) == "fox"
    assert read_choices(with_years("", (2012, 2012)), FACETS).wanted == {"year": ("2012",)}


@pytest.mark.parametrize("query", ["venue:nature", 'venue:="A" OR fox', 'venue:="A" venue:="B"'])
def test_what_only_looks_like_a_choice_is_none(query: str) -> None:
    assert read_choices(query, FACETS).wanted == {}


VENUES = ("Nature", "NATURE", "Science", "Cell", None)
NAMES = (Author("Doe", "J."), Author("Doe", "Jane"), Author("Roe", "R."))


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """60 papers about foxes or owls whose years, venues, authors and tags are mixed."""
    folder: Path = tmp_path_factory.mktemp("library")
    with Library.open(folder) as library:
        papers = [
            PaperDraft(
                title=f"{'fox' if n % 2 else 'owl'} paper {n}",
                year=2000 + n % 7,
                venue=VENUES[n % 5],
                type="book" if n % 3 else "article",
                authors=(NAMES[n % 3], NAMES[(n // 3) % 3]),
                keywords=("Red Deer", "Owls") if n % 5 else ("red deer",),
                tags=("wild",) if n % 4 else (),
            )
            for n in range(60)
        ]
        with library.database.write() as conn:
            insert_papers(conn, [NewPaper(n, f"k{n}", one) for n, one in enumerate(papers, 1)])
        yield library


CHOSEN = (
    "", "fox", 'venue:="nature"', 'fox venue:="Nature" type:book', "owl year:2001..2003 type:book",
    '(venue:="Nature" OR venue:="Cell") year:2002', 'author:="Doe, J." tag:wild', "-tag:wild fox",
    'author:="doe, j" author:="Roe, R."', '(fox OR tag:wild) venue:="Cell"', "owl -venue:=Cell",
    'keyword:="owls" keyword:="Red deer"',
)  # fmt: skip


@pytest.mark.parametrize("query", CHOSEN)
def test_counts_are_those_of_searching_for_each_value(library: Library, query: str) -> None:
    report = counted(library, query)
    assert report.papers == number(library, query)
    for facet in ("venue", "type", "author", "keyword", "tag"):
        single = facet in ("venue", "type")
        others = without_choice(query, facet, report.choices.wanted.get(facet, ()))
        for value in report[facet].values:
            if value.left_out:
                assert value.papers == 0
                continue
            narrowed = toggled(others if single else query, facet, value.value)
            narrowed = narrowed if not value.chosen or single else query
            assert value.papers == number(library, narrowed), value
    for value in report["year"].values:
        alone = with_years(query, (int(value.value), int(value.value)))
        assert value.papers == number(library, alone)


def counted(library: Library, query: str, **more: object) -> FacetReport:
    report = library.facets.count(FacetRequest(query, **more))  # type: ignore[arg-type]
    assert report is not None
    return report


def number(library: Library, query: str) -> int:
    if not query.strip():
        return len(library.papers)
    return len(library.search(query, mode="lexical", k=1000).hits)


def test_chosen_values_stand_first_as_they_are_written(library: Library) -> None:
    report = counted(
        library, '(venue:="cell" OR venue:=NATURE) -author:="roe, r"', top={"venue": 1}
    )
    assert [one.value for one in report["venue"].values if one.chosen] == ["Cell", "Nature"]
    assert report["venue"].values[0] == FacetValue("Cell", 6, chosen=True)
    assert report["author"].values[0] == FacetValue("Roe, R.", 0, left_out=True)
    assert counted(library, "year:2002..2004")["year"].span == (2002, 2004)


def test_a_place_and_a_list_of_hits_are_results_too(library: Library) -> None:
    in_trash = counted(library, "", flt=PaperFilter(trashed=True))
    assert in_trash.papers == 0
    wild = counted(library, "", flt=PaperFilter(tags=("wild",)))
    assert wild.papers == 45 == wild["tag"].values[0].papers
    some = counted(library, "fox", hits=[1, 2, 3])
    assert some.papers == 3 == sum(one.papers for one in some["year"].values)


def test_values_can_be_found_by_a_part_and_none_is_missed(library: Library) -> None:
    found = counted(library, "", containing={"author": "doe"}, top={"author": 1})["author"]
    assert [one.value for one in found.values] == ["Doe, J."]
    assert found.distinct == 3
    assert counted(library, "")["venue"].without == 12


def test_what_changed_is_counted_when_it_is_waited_for(library: Library) -> None:
    library.facets.prepare()
    changes = library.edit.tag([1], ["fresh"])
    quick = library.facets.count(FacetRequest(), wait=False)
    assert quick is not None
    assert not quick.current
    whole = counted(library, "")
    assert whole.current
    assert FacetValue("fresh", 1) in whole["tag"].values
    assert changes.change_id is not None
    library.history.undo()
    assert FacetValue("fresh", 1) not in counted(library, "")["tag"].values


def test_there_is_no_answer_before_the_facets_are_read(tmp_path: Path) -> None:
    with Library.open(tmp_path) as library:
        assert library.facets.count(FacetRequest(), wait=False) is None
        with pytest.raises(UserError, match="no facet “colours”"):
            library.facets.count(FacetRequest(names=("colours",)))
