"""Any mixture of imports and edits can be taken back step by step, and made again."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

from litscape.errors import UserError
from litscape.paper import Author, PaperDraft, Reference

if TYPE_CHECKING:
    from collections.abc import Callable

WORDS = ("mud", "owls", "water", "ferns", "tides")


def _draft(dice: random.Random) -> PaperDraft:
    n = dice.randrange(8)
    return PaperDraft(
        citekey=dice.choice([None, f"k{n}", f"k{dice.randrange(8)}"]),
        title=f"A study of {WORDS[n % 5]} and {WORDS[n // 3]}",
        authors=(Author(f"Name{n}", "A."),),
        year=2000 + n,
        doi=dice.choice([None, f"10.5555/{n}"]),
        volume=str(dice.randrange(3)),
        abstract=dice.choice([None, "Some words."]),
        tags=tuple(dice.sample(WORDS, dice.randrange(3))),
        collections=((dice.choice(WORDS),), ("In", dice.choice(WORDS)))[: dice.randrange(3)],
        notes=("note",) * dice.randrange(2),
        cites=tuple(f"k{dice.randrange(9)}" for _ in range(dice.randrange(3))),
        references=(Reference(doi=f"10.5555/{dice.randrange(9)}"),) * dice.randrange(2),
        raw_fields={"shelf": str(dice.randrange(3))},
        raw=str(dice.random()),
    )


def _act(world: Any, dice: random.Random) -> None:
    ids = [paper.id for paper in world.papers.many(range(1, 60))] or [1]
    some = dice.sample(ids, min(len(ids), dice.randrange(1, 4)))
    with world.database.read() as conn:
        nodes = list(conn.exec_driver_sql("SELECT id FROM collections").scalars()) or [1]
    node, word, edit = dice.choice(nodes), dice.choice(WORDS), world.edit
    acts: list[Callable[[], object]] = [
        lambda: world.drafts(
            *[_draft(dice) for _ in range(dice.randrange(1, 7))], source=dice.choice("ab")
        ),
        lambda: edit.edit(some, {"volume": word, "tags": word, "abstract": ""}),
        lambda: edit.edit(some[0], {"citekey": f"k{dice.randrange(9)}", "title": word}),
        lambda: edit.tag(some, [word, "more"]),
        lambda: edit.rename_tag(word, dice.choice(WORDS)),
        lambda: edit.delete_tag(word),
        lambda: edit.trash(some),
        lambda: edit.restore(some),
        lambda: edit.delete_forever(some),
        lambda: edit.add_to_collection(some, f"In/{word}"),
        lambda: edit.delete_collection(node),
        lambda: edit.move_collection(node, dice.choice([None, *nodes])),
        lambda: edit.rename_collection(node, word),
    ]
    weights = [10] + [2] * (len(acts) - 1)
    with suppress(UserError):
        dice.choices(acts, weights)[0]()


def _shown(world: Any) -> Any:
    """What is in the library; where it came from and when is not undone with it."""
    state = world.state()
    for table in ("sources", "batch_papers"):
        del state[table]
    # Positions only order the references of a paper; links leave gaps in them.
    ordered = sorted(state["references"], key=lambda row: row[:2])
    state["references"] = [(row[0], *row[2:]) for row in ordered]
    return state


@pytest.mark.parametrize("seed", range(15))
def test_back_and_forth(seed: int, world: Any) -> None:
    dice = random.Random(seed)
    states = [_shown(world)]
    while len(states) < 12:
        steps = len(world.history.entries())
        _act(world, dice)
        if len(world.history.entries()) > steps:
            states.append(_shown(world))
    for before in reversed(states[:-1]):
        world.history.undo()
        assert _shown(world) == before
    for after in states[1:]:
        world.history.redo()
        assert _shown(world) == after
