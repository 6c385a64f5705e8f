"""What the program shows as similar papers, with each model: text, model and graph together.

Measured on a copy from which the links that are asked for are gone, so that no signal of the graph
can know them; weights are the default ones there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.evaluation.material import Material
from litscape.evaluation.metrics import MAP_DEPTH
from litscape.evaluation.protocol import ask
from litscape.evaluation.scratch import without
from litscape.evaluation.systems.base import Bench, in_order
from litscape.evaluation.systems.blend import Blend
from litscape.store import measuring

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np
    import sqlalchemy as sa
    from numpy.typing import NDArray

    from litscape.evaluation.records import Question
    from litscape.library import Library
    from litscape.models.card import ModelCard
    from litscape_trainer.splits import TrainingSplit
    from litscape_trainer.verdict.asked import Ask
    from litscape_trainer.verdict.counting import Counting

    Values = Mapping[str, NDArray[np.float64]]
    Hide = Callable[[sa.Connection], None]


def hiding(split: TrainingSplit) -> Hide:
    """Takes away every link that a model did not learn from because it is asked for.

    By year and by paper: all links of held-out papers and of papers that are one work with them.
    By link: those that were hidden, both ways.
    """
    if split.by == "edge":
        pairs = [(int(a), int(b)) for a, b in split.hidden]
        return lambda conn: measuring.hide_links(conn, pairs)
    held = split.held_out.tolist()
    return lambda conn: measuring.hide_links_of(conn, held)


def blended(
    library: Library, asked: Ask, hide: Hide, cards: Sequence[ModelCard], count: Counting
) -> dict[str, Values]:
    """How similar papers do with each model, by its version.

    Args:
        library: has the vectors of all papers by every model.
        asked: papers as questions.
        hide: takes away what is asked for.
        cards: the models.
        count: gives each model's questions their context.

    Raises:
        EnvironmentFault: the copy can't be written, or the disk is full.
        JobCancelledError: a context asked for the end.
    """
    found: dict[str, Values] = {}
    for card in cards:
        ctx = count.part(len(asked.questions))
        # A copy for each: nothing that was kept for one model is taken for another.
        with without(library, hide) as copy:
            copy.models.register(card)
            copy.models.activate(card.version)
            system = Blend(Bench(copy, Material.of(copy), _no_text, ctx.check))

            def rank(question: Question, system: Blend = system) -> NDArray[np.int64]:
                scores = system.score(question, MAP_DEPTH)
                return in_order(scores, question.candidates, listed=False)[:MAP_DEPTH]

            name = f"Similar papers, {card.name}"
            found[card.version] = ask(name, rank, asked.questions, ctx).values
    return found


def _no_text(_text: str) -> NDArray[np.float32]:
    raise ValueError("papers have vectors of their own")
