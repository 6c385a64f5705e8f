"""What a reader makes of papers: states, stars, colours, the list; and its way out and in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from litscape.errors import UserError
from litscape.library import Library
from litscape.paper import PaperFilter
from litscape.reading import FIELDS, KINDS
from litscape.store.filters import IS
from litscape.store.history import packed, unpacked
from litscape.store.reading_acts import reading_list

if TYPE_CHECKING:
    from pathlib import Path

    from litscape.edits import Editor
    from litscape.history import History
    from litscape.paper import Paper
    from litscape.papers import Papers
    from litscape.store.database import Database

JABREF = """
@article{a, title = {Newts}, readstatus = {skimmed}, ranking = {rank4}, priority = {prio1}}
@article{b, title = {Toads}, readstatus = {Read}, litscape-colour = {red}, litscape-list = {2.5}}
@article{c, title = {Frogs}, readstatus = {to read}, ranking = {good}}
"""


def made_of(paper: Paper) -> tuple[object, ...]:
    return paper.read_state, paper.rating, paper.colour, paper.list_position


def order(database: Database) -> list[int]:
    with database.read() as conn:
        return [paper for paper, _position in reading_list(conn)]


def test_a_fresh_paper_is_unread_and_each_is_in_one_state(
    filled: Database, editor: Editor, papers: Papers
) -> None:
    def ids(name: str) -> list[int]:
        return sorted(papers.ids(PaperFilter(is_=(name,))).tolist())

    assert (ids("unread"), ids("reading"), ids("read")) == ([2, 3], [], [1])
    editor.mark(2, read_state="reading")
    assert (ids("unread"), ids("reading"), ids("read")) == ([3], [2], [1])
    assert papers.get(2).read_at is None
    editor.mark([1, 2], read_state="read")
    assert papers.get(1).read_at == "2026-01-02T03:04:05Z"  # it was read already
    assert papers.get(2).read_at is not None
    with pytest.raises(UserError, match="No paper is 'loved'"):
        ids("loved")


def test_a_paper_deleted_before_there_were_marks_comes_back(
    filled: Database, editor: Editor, history: History, papers: Papers
) -> None:
    assert tuple(IS) == KINDS
    editor.delete_forever(2)
    with filled.write() as conn:
        sql = "SELECT change_id, position, before FROM change_items WHERE before IS NOT NULL"
        (change, position, kept) = conn.exec_driver_sql(sql).one()
        image = {k: v for k, v in (unpacked(kept) or {}).items() if k not in FIELDS}
        conn.exec_driver_sql(
            "UPDATE change_items SET before = ? WHERE change_id = ? AND position = ?",
            (packed(image), change, position),
        )
    history.undo()
    assert made_of(papers.get("reed2011")) == (None, None, None, None)


def test_papers_are_found_and_sorted_by_marks(
    filled: Database, editor: Editor, papers: Papers
) -> None:
    editor.mark(3, rating=2, colour="Gray")
    assert papers.ids(sort="rating", descending=True).tolist() == [1, 3, 2]
    assert papers.ids(PaperFilter(rating_from=3)).tolist() == [1]
    assert papers.ids(PaperFilter(rating_to=3)).tolist() == [3]
    assert papers.ids(PaperFilter(colours=("green", "grey"))).tolist() == [1, 3]
    (row,) = papers.rows([3])
    assert (row.rating, row.colour, row.read_state, row.listed) == (2, "grey", None, False)


@pytest.mark.parametrize(
    "marks", [{"rating": 6}, {"rating": -1}, {"colour": "pink"}, {"read_state": "lost"}, {}]
)
def test_marks_that_are_none_are_refused(
    filled: Database, editor: Editor, marks: dict[str, object]
) -> None:
    with pytest.raises(UserError):
        editor.mark(1, **marks)  # type: ignore[arg-type]


def test_the_reading_list_keeps_an_order(
    filled: Database, editor: Editor, history: History, papers: Papers
) -> None:
    editor.put_in_list([3, 2, 1])
    assert order(filled) == [1, 3, 2]  # 1 was in it
    editor.put_in_list([2], 1)
    assert order(filled) == [2, 1, 3]
    editor.put_in_list([1, 2], 9)
    assert order(filled) == [3, 1, 2]
    assert papers.ids(PaperFilter(is_=("listed",)), sort="list").tolist() == [3, 1, 2]
    editor.trash(1)
    editor.put_in_list([2], 1)
    history.undo()
    history.undo()
    assert order(filled) == [3, 1, 2]
    for _turn in range(60):  # until no number lies between two others
        editor.put_in_list([order(filled)[2]], 2)
    assert len(set(order(filled))) == 3
    assert editor.take_from_list([1, 3]).changed == {1, 3}
    assert order(filled) == [2]


def test_jabrefs_fields_set_marks_once_and_the_reader_has_the_last_word(tmp_path: Path) -> None:
    file = tmp_path / "a.bib"
    file.write_text(JABREF, encoding="utf-8")
    with Library.open(tmp_path / "library") as library:
        library.import_file(file)
        a, b, c = (library.papers.get(key) for key in "abc")
        assert [made_of(one) for one in (a, b, c)] == [
            ("reading", 4, None, None),
            ("read", None, "red", 2.5),
            (None, None, None, None),
        ]
        assert a.raw_fields == {"readstatus": "skimmed", "ranking": "rank4", "priority": "prio1"}
        library.edit.mark("a", read_state="unread", rating=1)
        changed = JABREF.replace("rank4", "rank2").replace("{skimmed}", "{read}")
        file.write_text(changed.replace("{Read}", "{skimmed}"), encoding="utf-8")
        library.import_file(file)
        assert made_of(library.papers.get("a")) == (None, 1, None, None)
        assert made_of(library.papers.get("b")) == ("reading", None, "red", 2.5)
        out = tmp_path / "out.bib"
        with out.open("w", encoding="utf-8") as stream:
            library.export("bibtex", stream)
    text = out.read_text(encoding="utf-8")
    assert "ranking = {rank1}" in text
    assert "ranking = {rank2}" not in text
    assert text.count("readstatus") == 2  # b's own, and what c's says that nobody knows
    with Library.open(tmp_path / "other") as other:
        other.import_file(out)
        assert [made_of(other.papers.get(key)) for key in "abc"] == [
            (None, 1, None, None),
            ("reading", None, "red", 2.5),
            (None, None, None, None),
        ]


@pytest.mark.parametrize(
    ("kind", "suffix"),
    [("jsonl", "jsonl"), ("bibtex", "bib"), ("ris", "ris"), ("csl-json", "json"), ("csv", "csv")],
)
def test_every_format_keeps_the_marks(tmp_path: Path, kind: str, suffix: str) -> None:
    file, out = tmp_path / "a.bib", tmp_path / f"out.{suffix}"
    file.write_text(JABREF, encoding="utf-8")
    with Library.open(tmp_path / "library") as library:
        library.import_file(file)
        library.edit.mark("c", read_state="read", rating=5, colour="purple")
        library.edit.put_in_list(["c", "a"])
        with out.open("w", encoding="utf-8", newline="") as stream:
            library.export(kind, stream)
        before = [library.papers.get(key) for key in "abc"]
    with Library.open(tmp_path / "other") as other:
        other.import_file(out)
        after = [other.papers.get(key) for key in "abc"]
    assert [made_of(one) for one in after] == [made_of(one) for one in before]
    assert after[2].read_at == before[2].read_at is not None


def test_one_paper_of_two_has_the_better_of_both(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library") as library:
        for name, state, stars in (("a", "{skimmed}", "{rank4}"), ("b", "{read}", "{rank2}")):
            file = tmp_path / f"{name}.bib"
            file.write_text(
                f"@article{{{name}, title = {{Newts and their {name}}}, readstatus = {state},"
                f" ranking = {stars}}}",
                encoding="utf-8",
            )
            library.import_file(file)
        library.edit.mark("b", colour="blue")
        library.edit.put_in_list("b")
        before = [made_of(library.papers.get(key)) for key in "ab"]
        library.duplicates.merge([1, 2], keep=1)
        assert made_of(library.papers.get("a")) == ("read", 4, "blue", 1.0)
        library.history.undo()
        assert [made_of(library.papers.get(key)) for key in "ab"] == before
