"""Whole texts as queries: compared word for word, which a few words are not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from litscape.search.long_texts import LONG, fits, is_text
from litscape.search.query import parse

if TYPE_CHECKING:
    from tests.search.conftest import Shelf

WORDS = (
    "glacier moraine basalt meltwater crevasse sediment firn outlet surge calving ablation fjord "
    "tephra isotope drumlin esker permafrost thermocline varve loess lichen albedo katabatic"
)


def test_a_text_has_many_words_besides_stop_words() -> None:
    assert len(WORDS.split()) == LONG + 3
    assert is_text(parse(WORDS))
    assert not is_text(parse(f"the of and to in {' '.join(WORDS.split()[: LONG - 1])} by"))
    assert not is_text(parse(" ".join(f"author:{word}" for word in WORDS.split())))


def test_what_a_paper_is_about_otherwise_counts_against_it(shelf: Shelf) -> None:
    alike = shelf.add("Glacier moraine", "Basalt, meltwater and crevasse.")
    other = shelf.add("Glacier moraine", "Basalt, meltwater and crevasse. " + "Violin sonata. " * 9)
    named = shelf.add("Violin", "Sonata.", keywords=["glacier"])
    ids = np.array([alike, other, named], dtype=np.int64)
    with shelf.database.read() as conn:
        values = fits(conn, WORDS, ids, 3)
    assert 1 > values[0] > values[1] > values[2] > 0


@pytest.mark.parametrize(("query", "first"), [(WORDS, "short"), ("glacier moraine", "long")])
def test_only_texts_are_compared_so(shelf: Shelf, query: str, first: str) -> None:
    words = WORDS.split()
    filler = " ".join(f"other{i}" for i in range(400))
    papers = {
        "short": shelf.add("Ice", " ".join(words[:16])),
        "long": shelf.add(" ".join(words[:9]), f"{WORDS} {filler}"),
    }
    shelf.embed(encode=lambda _text: np.eye(384, dtype=np.float32)[0])
    hits = shelf.searcher(lambda _text: np.eye(384, dtype=np.float32)[0]).search(query, "hybrid")
    assert hits.hits[0].paper_id == papers[first]
