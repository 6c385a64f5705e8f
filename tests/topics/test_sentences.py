"""What is said of topics and maps: papers without a topic, topics that can't be merged, texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.topics.support import add_papers

from litscape.errors import UserError
from litscape.library import Library
from litscape.maps.material import missing_and_said
from litscape.maps.records import WHOLE_LIBRARY
from litscape.store.map_reads import LivePapers
from litscape.topics.making import _sentence

if TYPE_CHECKING:
    from pathlib import Path

ALL = np.ones(100, dtype=bool)


def test_who_takes_hdbscan_and_gets_few_topics_hears_of_leiden() -> None:
    said = _sentence(100, ALL, 60, "hdbscan")
    assert said.startswith("60% of the papers (60 of 100) have no topic")
    assert said.endswith("Leiden, the usual method, gives nearly all a topic.")
    assert "Leiden" not in _sentence(100, ALL, 60, "leiden")
    assert "Leiden" not in _sentence(100, ALL, 3, "hdbscan")
    assert _sentence(100, ALL, 0, "hdbscan") == "Every paper has a topic."


@pytest.mark.parametrize(
    ("bare", "said"),
    [
        (1, "1 of 3 papers has no abstract: its place rests on the title alone."),
        (2, "2 of 3 papers have no abstract: their places rest on the title alone."),
        (3, "All 3 papers have no abstract: their places rest on the title alone."),
        (0, ""),
    ],
)
def test_one_place_rests_and_more_places_rest(bare: int, said: str) -> None:
    ids = np.arange(1, 4)
    live = LivePapers(ids, np.ones(3, dtype=bool), np.arange(3) >= bare)
    missing, told = missing_and_said(live, ids, WHOLE_LIBRARY, ids)
    assert (missing, " ".join(told)) == (0, said)


def test_topics_of_different_levels_say_why_they_stay_apart(tmp_path: Path) -> None:
    from tests.topics.test_tree import TREE

    from litscape.store import edits
    from litscape.store.topics import write_tree

    with Library.open(tmp_path / "lib") as library:
        add_papers(library, [f"Paper {n}" for n in range(10)])
        with library.database.write() as conn:
            recorder = edits.begin(conn, "Find topics")
            write_tree(recorder, TREE)
            recorder.flush()
        with pytest.raises(UserError, match=r"“floods” is a part of “rivers”\. Choose topics"):
            library.topics.merge(["rivers", "floods"])
        with pytest.raises(UserError, match="“rivers”, and “lakes” is as coarse as that"):
            library.topics.merge(["lakes", "fish"])
        with pytest.raises(UserError, match="at least to merge"):
            library.topics.merge(["lakes"])
