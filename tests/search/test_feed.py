"""New papers from outside, ranked by closeness."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from litscape.alike.drafts import MOST_FILES, every_nth, read_drafts
from litscape.alike.request import Examples, SimilarRequest
from litscape.errors import NotReadyError, UserError
from litscape.jobs import JobContext
from litscape.paper import Author, PaperDraft, Reference
from litscape.search import Searcher

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tests.search.conftest import Shelf

ARMS = "Regret of contextual bandits with many arms"


def test_the_closest_new_papers_come_first(shelf: Shelf) -> None:
    seed = shelf.add("Bandits one", ARMS, doi="10.1000/seed", authors=["Li Wei"])
    shelf.add("Chess openings of masters", "Openings", doi="10.1000/chess")
    for n in range(20):
        shelf.add(f"The paper {n}", f"we use a model of things like subject{n}")
    shelf.embed()
    drafts = [
        PaperDraft(title="Gardens", abstract="Roses in summer"),
        PaperDraft(title="More on arms", abstract=ARMS, doi="10.1000/new"),
        PaperDraft(title="The same again", abstract=ARMS, doi="10.1000/new"),
        PaperDraft(title="Chess Openings of Masters"),
        PaperDraft(
            title="A survey", authors=(Author(family="Wei", given="Li"),),
            references=(Reference(doi="10.1000/seed"),),
        ),
    ]  # fmt: skip
    finder = shelf.searcher().alike
    feed = finder.feed(SimilarRequest(Examples((seed,))), drafts)
    assert feed.known == 1
    assert [hit.draft.title for hit in feed.hits] == ["More on arms", "A survey", "Gardens"]
    assert feed.hits[1].why[:2] == ("cites 1 of them", "by Li Wei")
    meaning = f"meaning {feed.hits[0].similarity:.2f}"
    assert feed.hits[0].why == ("shared words: Bandits", meaning)
    assert len(finder.feed(SimilarRequest(Examples((seed,)), k=1), drafts).hits) == 1
    assert finder.feed(SimilarRequest(Examples((seed,))), drafts[3:4]).hits == ()

    def asleep(_texts: Sequence[object]) -> None:
        raise NotReadyError("The encoder is asleep.")

    searcher = Searcher(shelf.database, shelf.vectors, shelf.registry, encode_papers=asleep)  # type: ignore[arg-type]
    by_words = searcher.alike.feed(SimilarRequest(Examples((seed,))), drafts)
    assert by_words.hits[0].draft.title == "More on arms"
    assert by_words.notes == ("Compared by words only: The encoder is asleep.",)


def test_a_folder_of_files_is_read(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no record"):
        read_drafts(tmp_path)
    (tmp_path / "one.bib").write_text("@article{a, title={One}}\n", encoding="utf-8")
    (tmp_path / "two.ris").write_text("TY  - JOUR\nTI  - Two\nER  - \n", encoding="utf-8")
    (tmp_path / "other.txt").write_text("nothing to read here", encoding="utf-8")
    assert {one.title for one in read_drafts(tmp_path)} == {"One", "Two"}
    assert [one.title for one in read_drafts(tmp_path / "one.bib")] == ["One"]
    said: list[object] = []
    read_drafts(tmp_path, JobContext(lambda event: said.append(event.value)))
    assert len(said) == 3
    many = tmp_path / "many"
    many.mkdir()
    for n in range(MOST_FILES + 1):
        (many / f"{n}.bib").touch()
    with pytest.raises(UserError, match="more than 2,000 files"):
        read_drafts(many)


def test_what_a_folder_has_that_can_not_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "one.bib").write_text(
        "@article{a, title={One}}\n@article{b, title={Broken\n@article{c, year={2001}}\n",
        encoding="utf-8",
    )
    (tmp_path / "two.bib").write_text("\n", encoding="utf-8")
    (tmp_path / "other.txt").write_text("nothing to read here", encoding="utf-8")
    told: list[str] = []
    read_drafts(tmp_path, told=told)
    assert any(one.startswith("one.bib, line 2: ") for one in told)
    assert any("two.bib" in one for one in told)
    assert any("other.txt" in one for one in told)


def test_many_records_are_compared_by_some_of_all() -> None:
    drafts = [PaperDraft(title=f"Number {n}") for n in range(1000)]
    some = every_nth(drafts)
    assert (len(some), some[0].title, some[-1].title) == (250, "Number 0", "Number 996")
    assert every_nth(drafts[:300]) == tuple(drafts[:300])
