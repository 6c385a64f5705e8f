"""Queries for what papers are, have, and are linked to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from litscape import Library
from litscape.importers.opened import RecordsAtHand
from litscape.paper import Author, FileLink, PaperDraft, PaperFilter, Reference
from litscape.search.filtered import filtered
from litscape.search.query import Mark, Query, describe, parse

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DRAFTS = (
    PaperDraft(
        citekey="mud", type="article", title="Mud in rivers", year=2001, abstract="On mud.",
        collections=(("Water", "Rivers"),), notes=("A note",), cites=("dam",),
    ),
    PaperDraft(
        citekey="dam", type="patent", title="Dam of mud", year=1999, tags=("to read",),
        arxiv="1706.03762",
        collections=(("Water",),), files=(FileLink("/a/dam.PDF"), FileLink("/a/x.txt")),
    ),
    PaperDraft(
        citekey="net", type="Article", title="Mud net", doi="10.5555/net",
        collections=(("Catch", "Rivers"),), references=(Reference(raw="A work"),),
        files=(FileLink("/a/net.txt"),),
        notes=("Empty.", "<p>The <strong>second</strong> flood of Gödel 深度学习</p>"),
    ),
    PaperDraft(citekey="eel", title="Mud eel", cites=("dam", "net")),
)  # fmt: skip


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder: Path = tmp_path_factory.mktemp("marks")
    with Library.open(folder / "library") as opened:
        opened.imports.run_open([RecordsAtHand("list", "jsonl", DRAFTS)])
        yield opened


def found(library: Library, query: str, flt: PaperFilter | None = None) -> set[str]:
    result = library.search(query, mode="lexical", flt=flt)
    return {library.papers.get(hit.paper_id).citekey for hit in result.hits}


@pytest.mark.parametrize(
    ("query", "keys"),
    [
        ("mud collection:water", {"mud", "dam"}),
        ('mud collection:"Water/Rivers"', {"mud"}),
        ("mud collection:rivers", {"mud", "net"}),
        ("mud collection:water collection:rivers", {"mud"}),
        ("mud -collection:water", {"net", "eel"}),
        ("mud type:patent", {"dam"}),
        ("mud type:article", {"mud", "net"}),
        ("mud type:article type:patent", set()),
        ("mud -type:patent", {"mud", "net", "eel"}),
        ("mud has:abstract", {"mud"}),
        ("mud has:pdf", {"dam"}),
        ("mud has:files", {"dam", "net"}),
        ("mud has:note", {"mud", "net"}),
        ("mud has:tag", {"dam"}),
        ("mud has:doi", {"net"}),
        ("mud has:collection", {"mud", "dam", "net"}),
        ("mud has:references", {"mud", "net", "eel"}),
        ("mud has:citations", {"dam", "net"}),
        ("mud -has:references", {"dam"}),
        ("mud cites:dam", {"mud", "eel"}),
        ("mud cites:dam -cites:10.5555/net", {"mud"}),
        ("mud citedby:eel", {"dam", "net"}),
        ("citedby:eel type:patent", {"dam"}),
        ("has:references year:2001", {"mud"}),
        ("net -cites:nobody", {"net"}),
    ],
)
def test_marks_narrow(library: Library, query: str, keys: set[str]) -> None:
    assert found(library, query) == keys


@pytest.mark.parametrize(
    ("query", "keys"),
    [
        ('cites:"arxiv:1706.03762"', {"mud", "eel"}),
        ("cites:1706.03762", {"mud", "eel"}),
        ("(cites:arxiv:1706.03762)", {"mud", "eel"}),
        ('-cites:"arxiv:1706.03762"', {"dam", "net"}),
        ("-cites:10.5555/net", {"mud", "dam", "net"}),
        ('citedby:"arxiv:1706.03762"', set()),
        ('key:"arxiv:1706.03762"', {"dam"}),
        ("-key:arxiv:1706.03762", {"mud", "net", "eel"}),
        ("key:eel|arxiv:1706.03762", {"eel", "dam"}),
        ("tag:arxiv:1706.03762", set()),
        ('-tag:"1706.03762"', {"mud", "dam", "net", "eel"}),
        ("doi:10.5555/net", {"net"}),
        ('citedby:"mud eel"', {"dam", "net"}),
        ('cites:"Dam of Mud"', {"mud", "eel"}),
        ("arxiv:1706.03762", {"dam"}),
    ],
)
def test_a_clause_that_holds_an_identifier_is_no_identifier(
    library: Library, query: str, keys: set[str]
) -> None:
    assert found(library, query) == keys


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """Three papers of whom one is read, and what their reader made of them."""
    folder: Path = tmp_path_factory.mktemp("reading")
    drafts = (
        PaperDraft(citekey="one", title="Mud", venue="Nature", read_state="read", rating=5,
                   authors=(Author(family="Lee", given="Ann B."),), list_position=1.0),
        PaperDraft(citekey="two", title="Mud", venue="Nature Physics", rating=3, colour="red",
                   authors=(Author(family="Lee", given="Ann"), Author(literal="WHO"))),
        PaperDraft(citekey="three", title="Mud", authors=(
            Author(family="Berg", particle="van den", given="Jan"),)),
    )  # fmt: skip
    with Library.open(folder / "library") as opened:
        opened.imports.run_open([RecordsAtHand("/x/list.json", "jsonl", drafts)])
        yield opened


@pytest.mark.parametrize(
    ("query", "keys"),
    [
        ("is:unread", {"two", "three"}),
        ("mud -is:unread", {"one"}),
        ("is:read OR rating:3", {"one", "two"}),
        ("rating:>=4", {"one"}),
        ("rating:3..5", {"one", "two"}),
        ("-is:rated", {"three"}),
        ("colour:red", {"two"}),
        ("color:RED|blue", {"two"}),
        ("in:list", {"one"}),
        ("is:listed is:read rating:5", {"one"}),
        ("venue:nature", {"one", "two"}),
        ('venue:="Nature"', {"one"}),
        ('venue:="nature"|"Nature Physics"', {"one", "two"}),
        ('author:="Lee, Ann"', {"two"}),
        ('author:="Ann Lee"', {"two"}),
        ('author:="Jan van den Berg"', {"three"}),
        ('-author:="WHO" mud', {"one", "three"}),
        ('author:="Lee, Ann" author:="WHO"', {"two"}),
        ("author:lee", {"one", "two"}),
        ("source:list.json rating:5", {"one"}),
        ("key:two", {"two"}),
    ],
)
def test_what_a_reader_made_of_papers_and_whole_names(
    read: Library, query: str, keys: set[str]
) -> None:
    assert found(read, query) == keys


@pytest.mark.parametrize(
    ("query", "keys"),
    [
        ('author:"Lee, Ann"', {"one", "two"}),
        ('author:"Lee, Ann B."', {"one"}),
        ('author:"Ann Lee"', {"one", "two"}),
        ('author:"van den Berg, Jan"', {"three"}),
        ('mud -author:"Lee, Ann B."', {"two", "three"}),
        ('author:"J. van den Berg"', {"three"}),
        ('-(author:"Lee, Ann B." OR author:Berg)', {"two"}),
        ('-(mud -author:"Lee, Ann B.")', {"one"}),
        ('(author:"Lee, Ann B." OR author:"Berg, Jan")', {"one", "three"}),
        ('author:"Lee, Nobody"', set()),
        ('author:"Lee, "', {"one", "two"}),
    ],
)
def test_an_author_is_found_as_lists_of_names_write_it(
    read: Library, query: str, keys: set[str]
) -> None:
    assert found(read, query) == keys


def test_ratings_that_nobody_gives(read: Library) -> None:
    assert found(read, "rating:0") == {"three"}
    assert found(read, "-rating:0") == {"one", "two"}
    assert found(read, "rating:0..3") == {"two"}
    result = read.search("rating:9", mode="lexical")
    assert result.hits == ()
    assert result.notes == ("Ratings go from 1 to 5; rating:0 finds papers without one.",)


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("is:blue", "Papers can't be “blue”: use unread"),
        ("colour:pink", "There is no colour “pink”: use red, "),
        ("source:lst.json", "There is no source “lst.json”; near it: “list.json”."),
    ],
)
def test_marks_that_are_none_are_said(read: Library, query: str, said: str) -> None:
    result = read.search(query, mode="lexical")
    assert result.hits == ()
    assert result.notes[0].startswith(said)


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("mud collection:watr", "There is no collection “watr”; near it: “Water”."),
        ('mud cites:"Mud in"', "There is no paper “Mud in” in this library; near it: “Mud in r"),
        ("mud cites:nobody", "There is no paper “nobody” in this library."),
        ("mud citedby:nobody", "There is no paper “nobody” in this library."),
    ],
)
def test_what_is_not_there_is_said_and_finds_nothing(
    library: Library, query: str, said: str
) -> None:
    result = library.search(query, mode="lexical")
    assert result.hits == ()
    assert any(note.startswith(said) for note in result.notes)


@pytest.mark.parametrize(
    ("query", "said"),
    [
        (
            "mud type:patnt",
            "There is no type “patnt”; near it: “patent”; it was searched as words.",
        ),
        ("mud has:wings", "Papers can't be asked for “wings”: use abstract"),
        ("mud is:unread,read", "Papers can't be “unread,read”: use unread"),
        ("mud (type:patnt OR type:patent)", "There is no type “patnt”; near it: “patent”; it"),
    ],
)
def test_a_value_that_can_not_be_read_is_searched_as_words(
    library: Library, query: str, said: str
) -> None:
    result = library.search(query, mode="lexical")
    assert result.hits
    assert any(note.startswith(said) for note in result.notes)


def test_a_type_that_no_paper_has_is_no_word(library: Library) -> None:
    assert library.search("mud type:thesis", mode="lexical").hits == ()


def test_a_star_behind_the_start_of_a_name_leads_to_it(library: Library) -> None:
    notes = library.search("collection:Wat*", mode="lexical").notes
    assert notes == ("There is no collection “Wat*”; near it: “Water”.",)


@pytest.mark.parametrize(
    ("query", "same"),
    [
        ("title:-dam", "-title:dam"),
        ("type:-patent", "-type:patent"),
        ('title:-"dam"', '-title:"dam"'),
        ("title:!dam", "-title:dam"),
        ("title:-eel|dam", "-title:eel|dam"),
        ("title:-(eel OR dam)", "-title:(eel OR dam)"),
        ("-title:-dam", "-title:dam"),
    ],
)
def test_a_minus_behind_the_colon_leaves_out(library: Library, query: str, same: str) -> None:
    assert found(library, query) == found(library, same) != set()
    assert any("leaves out" in note for note in library.search(query, mode="lexical").notes)
    assert library.search(same, mode="lexical").notes == ()


def test_an_exclamation_mark_is_told_to_leave_nothing_out(library: Library) -> None:
    notes = library.search("mud !dam", mode="lexical").notes
    assert "“!dam” was searched as “dam”: -dam leaves it out." in notes


@pytest.mark.parametrize(
    ("query", "keys"),
    [
        ("note:floods", {"net"}),
        ("note:FLOOD mud", {"net"}),
        ("note:godel", {"net"}),
        ('note:"second flood"', {"net"}),
        ('note:"flood second"', set()),
        ("note:seco*", {"net"}),
        ("note:seco", set()),
        ("note:strong", set()),
        ("notes:学习", {"net"}),
        ("-note:note", {"dam", "net", "eel"}),
        ("note:flood OR note:note", {"mud", "net"}),
        ('note:"!"', set()),
    ],
)
def test_notes_are_searched(library: Library, query: str, keys: set[str]) -> None:
    assert found(library, query) == keys
    if query == "note:seco":
        result = library.search(query, mode="lexical", as_you_type=True)
        assert (len(result), result.understood) == (1, "in its notes “seco*”")
        assert library.search(query, mode="lexical").notes == ("No note has “seco”.",)


@pytest.mark.parametrize("query", [
    "type:patents", "tag:nope", "colour:pink", "cites:nope", "in:nope", "has:foo", "mud type:nope",
    "tag:to ", "type:pat ", 'type:"pat"', "(type:nope", "mud -tag:to type:nope", "year:20 ",
    "source:nope", "is:nope", "collection:nope", "key:nope",
])  # fmt: skip
def test_a_value_being_typed_that_can_be_none_is_no_other_than_a_whole_one(
    library: Library, query: str
) -> None:
    typed = library.search(query, mode="lexical", as_you_type=True)
    whole = library.search(query.replace("(", ""), mode="lexical")
    assert (typed.hits, typed.notes) == (whole.hits, whole.notes)
    assert typed.notes
    listed = filtered(library.database, query, as_you_type=True)
    assert listed is None or len(listed.ids) == 0


@pytest.mark.parametrize(
    ("query", "note"),
    [
        ("type:pat", "“type:pat” counts once it is typed to its end: “patent”."),
        ("mud tag:TO", "“tag:TO” counts once it is typed to its end: “to read”."),
        ("collection:water/riv", "“collection:water/riv” counts once"),
        ("cites:n", "“cites:n” counts once it is typed to its end: “net”."),
        ("has:ab", "“has:ab” counts once it is typed to its end: “abstract”."),
        ("is:un", "“is:un” counts once it is typed to its end: “unread”."),
        ("in:li", "“in:li” counts once it is typed to its end: “list”."),
        ("year:20", "“year:20” waits for what comes next."),
        ("type: ", "“type:” waits for what comes next."),
        ("(((", "“(((” waits for what comes next."),
    ],
)
def test_a_value_being_typed_does_not_count_while_it_may_become_one(
    library: Library, query: str, note: str
) -> None:
    result = library.search(query, mode="lexical", as_you_type=True)
    assert (len(result), result.notes[0][: len(note)]) == (4, note)
    listed = filtered(library.database, query, as_you_type=True)
    assert listed is None or (len(listed.ids), listed.notes) == (4, result.notes)
    assert len(library.search(query, mode="lexical")) < 4  # whole, it names nothing


def test_marks_join_the_filter_of_a_view(library: Library) -> None:
    flt = PaperFilter(types=("article",))
    assert found(library, "mud type:patent", flt) == set()
    assert found(library, "mud has:citations", flt) == set()
    assert found(library, "mud cites:dam", flt) == {"mud"}


def test_reading_and_saying() -> None:
    parsed = parse('collection: "To read" has:pdf -cites:dam')
    assert parsed == Query(
        marks=(Mark("collection", "To read"), Mark("has", "pdf")),
        without_marks=(Mark("cites", "dam"),),
    )
    assert not parsed.empty
    assert describe(parsed) == "in “To read”; with “pdf”; not cites “dam”"
    assert parse("has:", as_you_type=True).marks == ()
    assert parse("type:").notes == ("Nothing follows “type:”; it was taken as a word.",)
