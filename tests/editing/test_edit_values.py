from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from litscape.errors import ChangedMeanwhileError, UserError
from litscape.field_values import SETTABLE, checked
from litscape.paper import Author, FileLink, PaperDraft

if TYPE_CHECKING:
    from collections.abc import Callable

    from litscape.edits import Editor
    from litscape.history import History
    from litscape.papers import Papers
    from litscape.store.database import Database


@pytest.mark.parametrize(
    ("field", "value", "stored"),
    [
        ("title", "  A \n title ", "A title"),
        ("title", "", None),
        ("venue", None, None),
        ("type", "Article", "article"),
        ("year", "2011", 2011),
        ("year", -44, -44),
        ("year", "", None),
        ("month", "12", 12),
        ("day", 31, 31),
        ("doi", "https://doi.org/10.5555/ABC.1", "10.5555/abc.1"),
        ("doi", "", None),
        ("arxiv", "arXiv:1903.00001v2", "1903.00001"),
        ("pmid", "PMID: 90000001", "90000001"),
        ("isbn", "978-0-00-000000-2", "9780000000002"),
        ("keywords", "mud; wet mud ; mud", ("mud", "wet mud")),
        ("keywords", ["a; b", "c"], ("a; b", "c")),
        ("tags", '["a; b", "c"]', ("a; b", "c")),
        ("collections", "Water/Rivers; Birds", (("Water", "Rivers"), ("Birds",))),
        ("collections", [["AC/DC", "Live"]], (("AC/DC", "Live"),)),
        ("notes", "one; two", ("one; two",)),
        ("notes", ["one", "two\n\nthree"], ("one", "two\n\nthree")),
        ("notes", "one\n- two \r\n-  three\n\n\n\nfour\n", ("one\n- two\n- three\n\nfour",)),
        ("notes", ["a\nb", "a b", "a\nb"], ("a\nb", "a b")),
        ("notes", " \n \n", ()),
        ("abstract", "one\ntwo\n\nthree", "one two\n\nthree"),
        ("abstract", "a\nb\n\n c ", "a b\n\nc"),
        ("files", "a.pdf; b.pdf", (FileLink("a.pdf"), FileLink("b.pdf"))),
        ("files", [{"path": "a.pdf", "title": "T"}], (FileLink("a.pdf", "T"),)),
        ("more_authors", "no", False),
        ("raw_fields", '{"Shelf": "B 12"}', {"shelf": "B 12"}),
        ("citekey", "smith:2020/a", "smith:2020/a"),
        ("files", [{"path": "a  b.pdf", "exists": True}], (FileLink("a  b.pdf", exists=True),)),
        ("files", ["a\x00\ud800.pdf"], (FileLink("a\ufffd\ufffd.pdf"),)),
        ("raw_fields", {"a\ud800": "\x00"}, {"a\ufffd": "\ufffd"}),
        ("title", "a\x00b \ud800", "ab \ufffd"),
    ],
)
def test_values_come_to_one_form(field: str, value: Any, stored: Any) -> None:
    assert checked({field: value})[field] == stored


@pytest.mark.parametrize(
    ("text", "authors"),
    [
        ("Owl, Amy; Reed, Bo", (Author("Owl", "Amy"), Author("Reed", "Bo"))),
        ("Owl, Amy and Reed, Bo", (Author("Owl", "Amy"), Author("Reed", "Bo"))),
        ("Amy Owl", (Author("Owl", "Amy"),)),
        (
            "{Food and Mud Office}; Owl, Amy",
            (Author(literal="Food and Mud Office"), Author("Owl", "Amy")),
        ),
        ("van Dam, Jan", (Author("Dam", "Jan", "van"),)),
        ("", ()),
        ([{"literal": "WHO"}, Author("Owl", "Amy")], (Author(literal="WHO"), Author("Owl", "Amy"))),
    ],
)
def test_authors_are_read_from_text(text: Any, authors: tuple[Author, ...]) -> None:
    assert checked({"authors": text})["authors"] == authors


@pytest.mark.parametrize(
    ("fields", "part"),
    [
        ({"year": "in press"}, "year_raw"),
        ({"year": 20111}, "year"),
        ({"year": True}, "year"),
        ({"month": 13}, "1 to 12"),
        ({"day": "x"}, "1 to 31"),
        ({"doi": "not one"}, "10.1000/182"),
        ({"arxiv": "x"}, "arXiv"),
        ({"isbn": "12"}, "ISBN"),
        ({"pmid": "x"}, "PubMed"),
        ({"citekey": ""}, "key"),
        ({"citekey": "a b"}, "key"),
        ({"title": 3}, "text"),
        ({"more_authors": "maybe"}, "true or false"),
        ({"authors": 7}, "list"),
        ({"authors": [{"name": "x"}]}, "family"),
        ({"tags": "[1, "}, "JSON"),
        ({"files": [3]}, "path"),
        ({"raw_fields": "x"}, "JSON"),
        ({"raw_fields": {"a": 1}}, "texts"),
        ({"collections": "Water//Rivers"}, "Water/Rivers"),
        ({"colour": "pink"}, "orange"),
        ({"shade": "red"}, "venue"),
        ({"id": 3}, "title"),
    ],
)
def test_what_does_not_fit_is_refused_with_a_sentence(fields: Any, part: str) -> None:
    with pytest.raises(UserError) as caught:
        checked(fields)
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_unknown_field_names_those_that_can_be_set() -> None:
    with pytest.raises(UserError) as caught:
        checked({"journal": "x"})
    assert all(name in str(caught.value) for name in SETTABLE)


def test_a_year_by_hand_replaces_the_words_of_the_source() -> None:
    assert checked({"year": 2019}) == {"year": 2019, "year_raw": None}
    assert checked({"year_raw": "in press"}) == {"year_raw": "in press", "year": None}
    assert checked({"year": 1999, "year_raw": "1999/2000"}) == {
        "year": 1999,
        "year_raw": "1999/2000",
    }


def test_a_wrong_value_changes_no_paper(
    filled: Database, editor: Editor, history: History, state: Any
) -> None:
    before = state(filled)
    wrong: list[tuple[Any, dict[str, Any]]] = [
        ([1, 2], {"venue": "X", "year": "soon"}),
        ([1, "nobody2000"], {"venue": "X"}),
        ([1, 2], {"citekey": "one"}),
        (2, {"citekey": "owl2010"}),
        ([], {"venue": "X"}),
    ]
    for refs, fields in wrong:
        with pytest.raises(UserError):
            editor.edit(refs, fields)
    assert state(filled) == before
    assert history.entries() == []


def test_edits_are_remembered_for_imports(filled: Database, editor: Editor, state: Any) -> None:
    editor.edit([1, 2], {"title": "Mine", "year": 2000})
    assert set(state(filled)["user_edits"]) == {
        (1, "title"),
        (1, "venue"),
        (1, "year"),
        (1, "year_raw"),
        (2, "title"),
        (2, "year"),
        (2, "year_raw"),
    }


def test_a_key_that_came_from_a_source_stays_a_name_of_the_paper(
    filled: Database, editor: Editor, papers: Papers
) -> None:
    editor.edit("owl2010", {"citekey": "night"})
    paper = papers.get("owl2010")
    assert (paper.id, paper.citekey) == (1, "night")
    assert paper.citekey_aliases == ("old", "owl2010")


def test_papers_are_found_by_every_name(filled: Database, editor: Editor, papers: Papers) -> None:
    for ref in (1, "1", "owl2010", "old", "10.5555/night.1"):
        editor.edit(ref, {"volume": str(ref)})
        assert papers.get(1).volume == str(ref)


def test_derived_columns_follow(filled: Database, editor: Editor) -> None:
    editor.edit(1, {"title": "Zebra", "authors": "Ångström, Åse", "keywords": "stripes"})
    with filled.read() as conn:
        row = conn.exec_driver_sql(
            "SELECT sort_title, sort_authors, authors_text, keywords_text FROM papers WHERE id = 1"
        ).one()
        found = conn.exec_driver_sql(
            "SELECT rowid FROM papers_fts WHERE papers_fts MATCH 'zebra stripes'"
        ).scalars()
        assert list(found) == [1]
        old = "SELECT count(*) FROM papers_fts WHERE papers_fts MATCH 'flights'"
        assert conn.exec_driver_sql(old).scalar() == 0
    assert tuple(row) == ("zebra", "angstrom ase", "Åse Ångström", "stripes")


def test_adding_what_is_there_is_refused(filled: Database, editor: Editor) -> None:
    with pytest.raises(UserError, match="Night flights"):
        editor.add(PaperDraft(title="Again", doi="10.5555/night.1"))
    with pytest.raises(UserError, match="citekey"):
        editor.add(PaperDraft(title="Again", citekey="owl2010"))


def test_added_papers_get_keys_that_are_free(editor: Editor, papers: Papers) -> None:
    for _ in range(3):
        editor.add(PaperDraft(title="On the owl", authors=(Author("Ødegård", "A."),), year=2001))
    editor.add(PaperDraft())
    assert [paper.citekey for paper in papers] == [
        "odegard2001owl",
        "odegard2001owla",
        "odegard2001owlb",
        "paper",
    ]


def test_trees_can_not_be_broken(filled: Database, editor: Editor) -> None:
    editor.create_collection("Birds")
    with filled.read() as conn:
        nodes = {
            str(row[1]): int(row[0])
            for row in conn.exec_driver_sql("SELECT id, name FROM collections")
        }
    acts: list[Callable[[], object]] = [
        lambda: editor.move_collection(nodes["Water"], nodes["Rivers"]),
        lambda: editor.move_collection(nodes["Water"], nodes["Water"]),
        lambda: editor.rename_collection(nodes["Birds"], "Water"),
        lambda: editor.rename_collection(nodes["Birds"], " "),
        lambda: editor.create_collection("Water/Rivers"),
        lambda: editor.create_collection(""),
        lambda: editor.delete_collection(99),
        lambda: editor.add_to_collection(1, 99),
        lambda: editor.delete_tag("none"),
        lambda: editor.rename_tag("birds", ""),
        lambda: editor.tag(1, []),
        lambda: editor.save_search("", "x", "lexical"),
        lambda: editor.save_search("x", "x", "magic"),
        lambda: editor.delete_saved_search("none"),
        lambda: editor.change_saved_search("none", "other"),
    ]
    for act in acts:
        with pytest.raises(UserError):
            act()


def test_a_revision_is_made_only_over_what_was_read(
    filled: Database, editor: Editor, papers: Papers
) -> None:
    editor.edit(2, {"title": "A title", "notes": ["one", "two"]})
    before = papers.get(2)
    editor.edit(2, {"title": "Theirs", "notes": ["one", "three"]})
    with pytest.raises(ChangedMeanwhileError, match="Title of “Theirs” changed") as raised:
        editor.revise(2, {"title": before.title}, {"title": "Mine"})
    assert raised.value.now == {"title": "Theirs"}
    assert papers.get(2).title == "Theirs"
    assert not editor.revise(2, {"title": before.title}, {"title": "Theirs"})
    assert editor.revise(2, {"title": "Theirs"}, {"title": "Mine"})
    assert papers.get(2).title == "Mine"
    assert editor.revise(2, {"notes": before.notes}, {"notes": ["ONE", "two"]})
    assert papers.get(2).notes == ("ONE", "three")
    assert editor.revise(2, {"notes": ["three"]}, {"notes": []})
    assert papers.get(2).notes == ("ONE",)


@pytest.mark.parametrize(
    ("word", "stored"),
    [("Book", "book"), ("article-journal", "article"), ("phdthesis", "thesis"), ("", None)],
)
def test_a_type_is_one_of_the_vocabulary(
    filled: Database, editor: Editor, papers: Papers, word: str, stored: str | None
) -> None:
    editor.edit(1, {"type": "map"})
    editor.edit(1, {"type": word})
    assert papers.get(1).type == stored


def test_a_type_that_is_none_is_refused_unless_a_source_has_it(
    filled: Database, editor: Editor, papers: Papers
) -> None:
    before = papers.get(1).type
    with pytest.raises(UserError, match="There is no type “banana”"):
        editor.edit(1, {"type": "banana"})
    with pytest.raises(UserError, match="There is no type “banana”"):
        editor.revise(1, {"type": before}, {"type": "banana"})
    with pytest.raises(UserError, match="near it: “book”"):
        editor.edit(1, {"type": "bok"})
    assert papers.get(1).type == before
    editor.add(PaperDraft(title="From a source", type="banana"))
    assert editor.edit(1, {"type": "Banana"})
    assert papers.get(1).type == "banana"
