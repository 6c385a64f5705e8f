"""What a person said belongs together stays so, through undo, merges and reopening."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from litscape.errors import UserError
from litscape.library import Library
from litscape.paper import PaperDraft
from litscape.store.bulk import NewPaper, insert_papers

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library") as library:
        with library.database.write() as conn:
            insert_papers(
                conn, [NewPaper(n, f"key{n}", PaperDraft(title=f"Paper {n}")) for n in range(1, 5)]
            )
        yield library


def pairs(library: Library) -> list[tuple[int, int]]:
    return [(one.a, one.b) for one in library.related.list()]


def test_marking_is_one_change_that_is_undone_and_done_again(library: Library) -> None:
    changes = library.related.mark(["key3", 1, 2])
    assert changes.change_id is not None
    assert pairs(library) == [(1, 2), (1, 3), (2, 3)]
    assert not library.related.mark([2, 1])
    library.history.undo()
    assert pairs(library) == []
    library.history.redo()
    assert pairs(library) == [(1, 2), (1, 3), (2, 3)]
    assert library.related.unmark([1, 3])
    assert not library.related.unmark([1, 3])
    assert pairs(library) == [(1, 2), (2, 3)]
    library.history.undo()
    assert sorted(pairs(library)) == [(1, 2), (1, 3), (2, 3)]
    with Library.open(library.folder, read_only=True) as again:
        assert len(again.related.list()) == 3


def test_it_goes_over_to_the_paper_that_takes_in_another(library: Library) -> None:
    library.related.mark([1, 3])
    library.related.mark([3, 4])
    library.duplicates.merge([3, 4], keep=4)
    assert pairs(library) == [(1, 4)]
    library.history.undo()
    assert sorted(pairs(library)) == [(1, 3), (3, 4)]


def test_one_paper_makes_no_pair(library: Library) -> None:
    with pytest.raises(UserError, match="at least two"):
        library.related.mark([1, "key1"])
    with pytest.raises(UserError):
        library.related.mark([1, 99])
