"""One word and one sentence on what came out, by rules that were fixed before any figure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from litscape.evaluation.tasks.base import LEAST, TRUSTED
from litscape_trainer.verdict.asked import CITATIONS, LEAST_TITLES, TITLES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litscape.evaluation.bootstrap import Comparison
    from litscape_trainer.recipes.recipe import Primary
    from litscape_trainer.runs.records import Row, Word

LEAST_ABSTRACTS, LEAST_LINKS = 300, 500
HARM = 0.01
"""A loss of more than a point elsewhere, if it is certain, makes a gain a mixed one."""
NEW = "new"
_NAMES = {
    CITATIONS: "related papers",
    TITLES: "search by title",
    "tags": "papers of one tag",
    "collections": "papers of one collection",
}
WAY_FORWARD = "Importing references (Crossref, OpenAlex) would add links."

_SMALL = "Too small to train or to measure reliably: {what}. Search runs on the model in use."


@dataclass(frozen=True, slots=True)
class Verdict:
    """One word, its sentence, and what else should be known."""

    word: Word
    sentence: str
    notes: tuple[str, ...] = ()


def too_small(
    abstracts: int, links: int, queries: int, primary: Primary = CITATIONS, undated: int = 0
) -> Verdict | None:
    """Whether there is too little to train or to measure; None where there is enough.

    Args:
        abstracts: papers with an abstract.
        links: links between papers of the library.
        queries: test queries of the primary task.
        primary: what decides.
        undated: papers without a year, which nothing can be asked about.
    """
    least = LEAST if primary == CITATIONS else LEAST_TITLES
    found = [_count(abstracts, LEAST_ABSTRACTS, "paper{} with an abstract")]
    if primary == CITATIONS:
        found.append(_count(links, LEAST_LINKS, "link{} between papers"))
    found.append(_count(queries, least, "held-out paper{} to ask about"))
    lacking = [one for one in found if one is not None]
    if not lacking:
        return None
    if primary == CITATIONS and links >= LEAST_LINKS and undated:  # links are not what is lacking
        way = f" {undated:,} papers have no year and are left out: looking up years would help."
        return Verdict("too-small", f"{_SMALL.format(what=_listed(lacking))}{way}")
    way = f" {WAY_FORWARD}" if primary == CITATIONS else " Papers need a title and an abstract."
    return Verdict("too-small", f"{_SMALL.format(what=_listed(lacking))}{way}")


def _count(number: int, least: int, what: str) -> str | None:
    if number >= least:
        return None
    return f"{number:,} {what.format('' if number == 1 else 's')} ({least} are needed)"


def judged_by(queries: int, *, links: bool = False) -> str:
    """What a model is judged by, in words.

    Args:
        queries: how many papers are asked.
        links: whether only links of them are hidden: the papers themselves are learnt from.
    """
    return f"held-out links of {queries:,} papers" if links else f"{queries:,} held-out papers"


def judge(rows: Sequence[Row], primary: Primary = CITATIONS, *, links: bool = False) -> Verdict:
    """What a measurement of a new model against the one in use says.

    Better, if nDCG@10 of the primary task gained and the 95 % interval leaves out 0; mixed, if
    then search by title, tags or collections lost more than a point, the interval leaving out 0;
    worse, if the primary lost, or such a loss has no gain beside it.

    Args:
        rows: what was measured.
        primary: what decides.
        links: whether only links were held out, see :func:`judged_by`.

    Raises:
        ValueError: the primary task was not measured against another model.
    """
    change = _change(rows, primary, "nDCG@10")
    if change is None:
        raise ValueError(f"{primary} was not measured against another model")
    losses = _losses(rows, primary)
    by = judged_by(change.difference.n, links=links)
    rough = change.difference.n < TRUSTED
    notes = (f"Only {by}: fewer than {TRUSTED} give a rough figure.",) if rough else ()
    on = f"on {by}"
    told = _told(change)
    what = _NAMES[primary]
    gained = change.certain and change.difference.mean > 0
    lost = change.certain and change.difference.mean < 0
    if gained and not losses:
        return Verdict(
            "better", f"Better {on} ({told}): {what} stand higher. It is yours to use.", notes
        )
    worse = _listed([f"{_NAMES[task]} ({_told(one)})" for task, one in losses])
    if gained:
        sentence = f"Better for {what} {on} ({told}), worse for {worse}: keep both?"
        return Verdict("mixed", sentence, notes)
    if lost:
        also = f", and for {worse}" if losses else ""
        return Verdict("worse", f"Worse {on} ({told}){also}. The old model stays.", notes)
    if losses:
        sentence = (
            f"Worse for {worse}, and no measurable change for {what} {on} ({told}). "
            "The old model stays."
        )
        return Verdict("worse", sentence, notes)
    sentence = (
        f"No measurable change of nDCG@10 {on} ({told}){_besides(rows)}. The old model stays."
    )
    return Verdict("no-change", sentence, notes)


def _change(rows: Sequence[Row], task: str, measure: str | None = None) -> Comparison | None:
    for row in rows:
        if (row.task, row.system) == (task, NEW) and measure in (None, row.measure):
            return row.over
    return None


def _besides(rows: Sequence[Row]) -> str:
    """What certainly rose or fell beside the figure that decides, a clause; empty: nothing."""
    told = []
    for row in rows:
        if row.system == NEW and row.over is not None and row.over.certain:
            task = _NAMES.get(row.task, "papers that are cited or not")
            told.append(f"{row.measure} of {task} {points(row.over.difference.mean)}")
    return f"; but {_listed(told)}" if told else ""


def _losses(rows: Sequence[Row], primary: Primary) -> list[tuple[str, Comparison]]:
    """Tasks beside the primary that certainly lost more than a point."""
    found = []
    for task in _NAMES:
        change = None if task == primary else _change(rows, task)
        if change is not None and change.certain and change.difference.mean < -HARM:
            found.append((task, change))
    return found


def _told(change: Comparison) -> str:
    value = change.difference
    return f"{points(value.mean)} points, 95 % interval {points(value.low)} to {points(value.high)}"


def points(share: float) -> str:
    """A difference of shares in points with its sign, as people read it: ``+0.3``, ``−0.6``."""
    text = f"{100 * share:+z.1f}"
    return text.replace("-", "−") if float(text) else "0.0"


def _listed(parts: Sequence[str]) -> str:
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"
