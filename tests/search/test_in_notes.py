"""Plain words are found in notes too, behind papers whose records have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from litscape.facets.results import LISTED, result_ids
from litscape.search.highlights import Highlighter, shown
from litscape.search.in_notes import WHY

if TYPE_CHECKING:
    from tests.search.conftest import Shelf


def note(shelf: Shelf, paper: int, *texts: str) -> None:
    with shelf.database.write() as conn:
        conn.exec_driver_sql("DELETE FROM notes WHERE paper_id = ?", (paper,))
        for position, text in enumerate(texts):
            conn.exec_driver_sql(
                "INSERT INTO notes (paper_id, position, text) VALUES (?, ?, ?)",
                (paper, position, text),
            )


@pytest.fixture
def noted(shelf: Shelf) -> Shelf:
    """One paper by its title, one by its note, one by both."""
    shelf.add("Floods of rivers", "Water comes.", year=2000)
    shelf.add("A paper on mud", "Nothing of it.", year=2010)
    shelf.add("Flooded fields", "Wheat and rice.", year=2020)
    note(shelf, 2, "Tell Ada.", "<p>The <b>great</b> floods, compare the dam</p>")
    note(shelf, 3, "Also on flooding of dams")
    return shelf


def test_papers_that_only_a_note_finds_come_behind_with_their_reason(noted: Shelf) -> None:
    found = noted.searcher().search("flood", "lexical")
    assert [hit.paper_id for hit in found][2:] == [2]
    why = {hit.paper_id: hit.why for hit in found}
    assert why == {1: ("words",), 2: (WHY,), 3: ("words", WHY)}
    scores = [hit.score for hit in found]
    assert scores == sorted(scores, reverse=True)
    assert [hit.lexical_rank for hit in found] == [1, 2, 3]


def test_all_words_have_to_stand_there_and_the_rest_of_the_query_holds(noted: Shelf) -> None:
    assert noted.words("great floods")[0] == 2  # before papers with one of the words
    assert noted.words('"great floods"') == [2]
    assert noted.words("great floo", as_you_type=True)[0] == 2
    assert noted.words("great -mud") == []
    assert noted.words("great year:2011..") == []
    assert noted.words("great title:mud") == [2]
    assert noted.words("title:great") == []
    assert 2 not in noted.words("rivers floods")
    noted.trash(2)
    assert noted.words("great") == []


def test_before_papers_with_some_of_the_words(noted: Shelf) -> None:
    found = noted.searcher().search("floods dam", "lexical")
    assert [hit.paper_id for hit in found] == [3, 2, 1]
    assert [hit.why[0] for hit in found] == [WHY, WHY, "words"]
    assert not any("No paper has all" in said for said in found.notes)


def test_what_changes_in_notes_is_seen_and_no_word_of_theirs_is_a_slip(noted: Shelf) -> None:
    searcher = noted.searcher()
    assert len(searcher.search("rivets", "lexical").words) == 1
    assert [hit.paper_id for hit in searcher.search("rivets", "lexical")] == [1]  # a slip: rivers
    note(noted, 3, "On rivets")
    found = searcher.search("rivets", "lexical")
    assert [(hit.paper_id, hit.why) for hit in found] == [(3, (WHY,))]
    note(noted, 3)
    assert [hit.paper_id for hit in searcher.search("rivets", "lexical")] == [1]


def test_by_both_and_by_meaning(noted: Shelf) -> None:
    noted.embed()
    both = {hit.paper_id: hit.why for hit in noted.searcher().search("great", "hybrid")}
    assert both[2][0] == WHY
    assert all(WHY not in hit.why for hit in noted.searcher().search("great", "semantic"))


def test_they_are_counted(noted: Shelf) -> None:
    assert noted.searcher().count("flood") == 3
    assert noted.searcher().count("great") == 1


def test_the_part_of_the_note_is_shown(noted: Shelf) -> None:
    words = noted.searcher().search("flood", "lexical").words
    with noted.database.read() as conn:
        found = shown(conn, Highlighter(words), [1, 2, 3])
    part = found[2].snippet
    assert part is not None
    assert part.text.startswith("Note: … Ada. The great floods, compare")
    assert [part.text[a:b] for a, b in part.spans] == ["floods"]
    assert found[2].words == ("floods",)
    assert found[3].snippet is None  # its title has the word


def test_choices_between_words_are_found_in_notes_too(noted: Shelf) -> None:
    assert noted.words("great OR wheat") == [3, 2]
    assert noted.words("(great OR zebra) dam") == [2]
    assert noted.words("(great dam) OR zebra") == [2]
    assert noted.words("great (title:mud OR year:1999)") == [2]
    assert noted.words("great (title:mud OR keyword:tide)") == [2]
    assert 2 not in noted.words("great (title:fields OR keyword:tide)")
    assert noted.words("(great OR wheat) -mud") == [3]
    assert noted.searcher().count("great OR wheat") == 2


def test_facets_of_many_papers_count_those_that_only_a_note_finds(noted: Shelf) -> None:
    many = [noted.add(f"Flood {n}", year=1990) for n in range(LISTED["lexical"] + 1)]
    found = result_ids(noted.database, noted.searcher(), "flood", "lexical")
    assert sorted(found.tolist()) == [1, 2, 3, *many]
    assert noted.searcher().count("flood") == len(found)
