"""What was said to be no duplicate stays so, until that is taken back."""

from __future__ import annotations

from typing import Any

from litscape.library import Library

World = Any
TWO = """@article{a, title = {Mud and water in rivers}, author = {Owl, A}, year = 2010,
  doi = {10.5555/a}}
@article{b, title = {Mud and water in rivers}, author = {Owl, A}, year = 2010,
  doi = {10.5555/b}, note = {%s}}"""


def test_a_refused_pair_is_remembered(world: World) -> None:
    a, b = world.add(), world.add()
    changes = world.find.refuse([b, a])
    assert changes.change_id is not None
    assert world.groups() == []
    (pair,) = world.find.refused()
    assert (pair.a, pair.b) == (a, b)
    assert not world.find.refuse([a, b])
    with Library.open(world.library.folder) as again:
        assert again.duplicates.list() == ()
        assert len(again.duplicates.refused()) == 1


def test_it_can_be_taken_back(world: World) -> None:
    ids = [world.add(), world.add()]
    world.find.refuse(ids)
    assert world.find.reconsider(ids)
    assert world.find.refused() == ()
    assert len(world.groups()) == 1
    assert not world.find.reconsider(ids)


def test_refusing_is_undone_and_done_again(world: World) -> None:
    ids = [world.add() for _ in range(3)]
    world.find.refuse(ids)
    assert len(world.find.refused()) == 3
    world.library.history.undo()
    assert world.find.refused() == ()
    assert len(world.groups()) == 1
    world.library.history.redo()
    assert len(world.find.refused()) == 3
    world.find.reconsider(ids[:2])
    world.library.history.undo()
    assert len(world.find.refused()) == 3


def test_it_survives_importing_again(world: World) -> None:
    pair = world.bib(TWO % "first").suggested_merges
    assert len(pair) == 1
    world.find.refuse(pair[0])
    report = world.bib(TWO % "second")
    assert report.updated == 1
    assert report.suggested_merges == ()
    assert world.groups() == []
    report = world.library.imports.run([world.folder / "refs.bib"])
    assert report.suggested_merges == ()


def test_a_refusal_goes_over_to_the_paper_that_takes_in_another(world: World) -> None:
    a = world.add(doi="10.5555/a")
    b = world.add(doi="10.5555/b")
    c = world.add(doi="10.5555/b")
    world.find.refuse([a, c])
    world.find.merge([b, c], keep=b)
    (pair,) = world.find.refused()
    assert (pair.a, pair.b) == (a, b)
    assert world.groups() == []
    world.library.history.undo()
    (pair,) = world.find.refused()
    assert (pair.a, pair.b) == (a, c)
    world.library.history.redo()
    (pair,) = world.find.refused()
    assert (pair.a, pair.b) == (a, b)


def test_what_was_refused_can_be_merged_by_hand(world: World) -> None:
    a, b = world.add(), world.add()
    world.find.refuse([a, b])
    world.find.merge([a, b])
    assert world.find.refused() == ()
    world.library.history.undo()
    assert len(world.find.refused()) == 1


def test_refused_papers_are_not_merged_by_themselves(world: World) -> None:
    a, b = world.add(doi="10.5555/a"), world.add(doi="10.5555/a")
    c = world.add(doi="10.5555/a")
    world.find.refuse([a, b])
    world.find.merge_certain()
    left = {paper.id for paper in world.library.papers}
    assert len(left) == 2
    assert c not in left or {a, b} - left


def test_a_refusal_outlives_deletion_and_its_undo(world: World) -> None:
    a, b = world.add(), world.add()
    world.find.refuse([a, b])
    world.library.edit.trash([b])
    world.library.edit.delete_forever([b])
    assert world.find.refused() == ()
    world.library.history.undo()
    assert len(world.find.refused()) == 1


def test_a_report_lists_the_pairs_that_are_open_still(world: World) -> None:
    said = world.bib(TWO % "first")
    (pair,) = said.suggested_merges
    imports = world.library.imports

    def open_now() -> Any:
        stored = imports.report(said.batch).suggested_merges
        assert imports.suggestions(said) == stored
        return stored

    assert open_now() == (pair,)
    world.find.refuse(pair)
    assert open_now() == ()
    world.find.reconsider(pair)
    world.find.merge(pair)
    assert open_now() == ()
    world.library.history.undo()
    assert open_now() == (pair,)
    world.library.edit.trash([pair[0]])
    assert open_now() == ()
