"""What is read of a real library, and what of it may be learnt from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.examples.support import Recipe, field

from litscape.errors import UserError
from litscape.library import Library
from litscape.paper import PaperDraft
from litscape.store import bulk
from litscape_trainer.examples.gathering import gather
from litscape_trainer.examples.registry import builder
from litscape_trainer.source import read_source
from litscape_trainer.splits import split_source

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from litscape_trainer.examples.material import TrainingMaterial

PAPERS = 240


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    years, links = field(PAPERS, years=4)
    folder: Path = tmp_path_factory.mktemp("made") / "library"
    with Library.open(folder) as library:
        drafts = [
            PaperDraft(
                title=None if number == 7 else f"Paper number {number} of a long series",
                abstract=None if number in (7, 8) else f"What paper {number} says.",
                year=None if number == 9 else year,
                tags=(f"tag{number % 30}",),
                collections=(("All", f"Part {number % 2}"),),
                doi="10.5555/one" if number in (20, 21) else None,
            )
            for number, year in enumerate(years, 1)
        ]
        with library.database.write() as conn:
            bulk.insert_papers(
                conn, [bulk.NewPaper(n, f"key{n}", draft) for n, draft in enumerate(drafts, 1)]
            )
            bulk.insert_citations(conn, [(a, b, "made") for a, b in links])
        yield library


def material_of(library: Library, recipe: Recipe) -> TrainingMaterial:
    read = read_source(library)
    return gather(read, recipe, split_source(read, recipe, "paper"))


def test_what_takes_part_and_what_does_not(library: Library) -> None:
    material = material_of(library, Recipe())
    assert 7 not in material.ids
    assert material.text(10) == ("Paper number 10 of a long series", "What paper 10 says.")
    with pytest.raises(KeyError):
        material.text(7)
    told = " ".join(material.sentences)
    assert "1 paper is left out: without title and abstract." in told
    assert "1 paper has no abstract" in told
    works = dict(zip(material.ids.tolist(), material.twins.tolist(), strict=True))
    if {20, 21} <= works.keys():
        assert works[20] == works[21]
    assert len(set(works.values())) >= len(works) - 1
    assert len(builder("weak").build(material, Recipe(1), 1)) > 100


def test_collections_to_learn_from(library: Library) -> None:
    material = material_of(library, Recipe(collections=("All/Part 1",)))
    assert set((material.ids % 2).tolist()) == {1}
    assert "outside the chosen collections" in " ".join(material.sentences)
    whole = material_of(library, Recipe(collections=("All",)))
    assert len(whole) > 1.8 * len(material)
    with pytest.raises(UserError, match="Part 1"):
        material_of(library, Recipe(collections=("All/Part",)))


def test_as_of_a_year_nothing_later_is_there(library: Library) -> None:
    material = material_of(library, Recipe(as_of=2001))
    assert material.years.max() <= 2001
    assert 9 not in material.ids
    assert len(builder("weak").build(material, Recipe(1), 1)) == 0
    assert "do not say when they were made" in " ".join(material.sentences)


def test_a_veto_is_honoured_by_every_builder(library: Library) -> None:
    recipe = Recipe(2, 2, 1)
    made = {name: builder(name).build(material_of(library, recipe), recipe, 1)
            for name in ("citations", "specter")}  # fmt: skip
    pairs = {
        (int(one.anchors[n]), int(one.negatives[n, 0]))
        for one in made.values()
        for n in range(0, len(one), 5)
        if one.negatives[n, 0] >= 0
    }
    for a, b in pairs:
        library.related.mark([a, b])
    material = material_of(library, recipe)
    assert len(material.vetoes) == len({frozenset(pair) for pair in pairs})
    a, b = next(iter(pairs))
    assert material.known.mask(np.array([a, b], dtype=np.int64)).all()
    for name in made:
        again = builder(name).build(material, recipe, 1)
        away = {
            (int(anchor), paper)
            for anchor, row in zip(again.anchors, again.negatives.tolist(), strict=True)
            for paper in row
        }
        assert away.isdisjoint(pairs | {(b, a) for a, b in pairs})
    library.related.unmark(list({paper for pair in pairs for paper in pair}))
    assert len(material_of(library, recipe).vetoes) == 0
