"""Measuring models side by side: words, TF-IDF, each alone, in hybrid search, in similar papers."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from litscape.embed.text import fingerprint, paper_text, query_text
from litscape.evaluation.bootstrap import compare, estimate
from litscape.evaluation.material import Material
from litscape.evaluation.metrics import MAP_DEPTH
from litscape.evaluation.protocol import ask
from litscape.evaluation.scratch import without
from litscape.evaluation.systems.base import Bench, in_order
from litscape.evaluation.systems.searches import Hybrid, Words
from litscape.evaluation.systems.tfidf import TfIdf
from litscape.store import measuring
from litscape_trainer.runs.records import Row
from litscape_trainer.verdict.asked import CITATIONS, RERANKING, TITLES
from litscape_trainer.verdict.blending import blended
from litscape_trainer.verdict.counting import Counting
from litscape_trainer.verdict.labels import LABEL_TITLES, MEASURE, agreement, labels_of
from litscape_trainer.verdict.reader import rows_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from litscape.evaluation.bootstrap import Estimate
    from litscape.evaluation.records import Question
    from litscape.evaluation.systems.base import System
    from litscape.graph.weak import WeakKind
    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.models.card import ModelCard
    from litscape_trainer.verdict.asked import Ask
    from litscape_trainer.verdict.blending import Hide
    from litscape_trainer.verdict.reader import Reader

    Values = Mapping[str, NDArray[np.float64]]
SHOWN = {
    CITATIONS: ("nDCG@10", "Recall@20", "MAP"),
    RERANKING: ("MAP", "nDCG@10"),
    TITLES: ("nDCG@10", "MRR"),
}
"""Measures of each task, the first is the one that is told."""
_LABELS: tuple[WeakKind, ...] = ("tag", "collection")
_BY_WORDS: Final = (Words, TfIdf)


@dataclass(frozen=True, slots=True)
class Model:
    """One model in a measurement.

    Attributes:
        role: ``base``, ``current``, ``new``; or ``a`` and ``b`` where two are compared.
        title: for people.
        card: the model.
        against: the role that it is compared with; None: with none.
    """

    role: str
    title: str
    card: ModelCard
    against: str | None = None


@dataclass(eq=False)
class Measured:
    """What came out.

    Attributes:
        rows: every figure.
        lists: of the primary task the first papers of each model, by role, a query each.
        values: of the primary task nDCG@10, by role, (n,).
        asked: its questions.
    """

    rows: list[Row] = field(default_factory=list)
    lists: dict[str, list[NDArray[np.int64]]] = field(default_factory=dict)
    values: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    asked: tuple[Question, ...] = ()


def measure_models(
    library: Library,
    asks: Sequence[Ask],
    models: Sequence[Model],
    reader: Reader,
    ctx: JobContext,
    primary: str = CITATIONS,
    hide: Hide | None = None,
) -> Measured:
    """Ask every ranking every question.

    Args:
        library: a private copy of what is measured; nothing that is ranked by reads its links.
        asks: the tasks.
        models: a model that is the same as one before it is not measured again.
        reader: gives the vectors.
        ctx: hears of progress; may ask for the end.
        primary: the task of which lists are kept.
        hide: takes away the links that are asked for; with it similar papers as the program shows
            them, from text, model and graph, are measured too, on what a paper cites.

    Raises:
        UserError, EnvironmentFault: a model can't be run.
        JobCancelledError: ``ctx`` asked for the end.
    """
    found = Measured()
    for model in _distinct(models):
        reader.papers(model.card)
    count = Counting(ctx, _questions(asks, models, hide), "Asking the held-out papers")
    for one in asks:
        _ask(library, one, models, reader, count, found, keep=one.task == primary)
        if hide is not None and one.task == CITATIONS:
            _similar(library, one, hide, models, count, found)
    for kind in _LABELS:
        _labels(library, kind, models, found)
    return found


def _questions(asks: Sequence[Ask], models: Sequence[Model], hide: Hide | None) -> int:
    """How many questions are asked, over all tasks and rankings."""
    each = len(_distinct(models))
    rankings = len(_BY_WORDS) + 2 * each
    blends = each if hide is not None else 0
    return sum(
        len(one.questions) * (rankings + (blends if one.task == CITATIONS else 0)) for one in asks
    )


def _distinct(models: Sequence[Model]) -> list[Model]:
    """Each model once."""
    return list({one.card.version: one for one in reversed(models)}.values())[::-1]


@dataclass(eq=False)
class _Results:
    """What each ranking did on one task, by its name."""

    values: dict[str, Values] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)

    def put(self, name: str, title: str, values: Values) -> None:
        self.values[name], self.titles[name] = values, title


def _ask(
    library: Library,
    asked: Ask,
    models: Sequence[Model],
    reader: Reader,
    count: Counting,
    found: Measured,
    *,
    keep: bool,
) -> None:
    results = _Results()
    lists: dict[str, list[NDArray[np.int64]]] = {}
    with ExitStack() as stack:
        copy = library
        if asked.documents is not None:
            inside = set(asked.documents.tolist())
            change = partial(measuring.only_abstracts, papers=inside)
            copy = stack.enter_context(without(library, change, vectors=False))
        material = Material.of(copy)
        for kind in _BY_WORDS:
            part = count.part(len(asked.questions))
            bench = Bench(copy, material, _no_vector, part.check)
            results.put(kind.name, kind.title, _asked(kind(bench), asked, part))
        measured: dict[str, str] = {}
        for model in models:
            other = measured.setdefault(model.card.version, model.role)
            if other == model.role:
                space = _space(copy, asked, model.card, reader)
                lists[other] = []
                number = len(asked.questions)
                alone = _by_meaning(model, asked, space, lists[other], count.part(number))
                both = _hybrid(copy, asked, model.card, space, material, count.part(number))
            else:
                alone, both = results.values[other], results.values[f"hybrid-{other}"]
                lists[model.role] = lists[other]
            results.put(model.role, model.title, alone)
            results.put(f"hybrid-{model.role}", f"Hybrid, {model.title}", both)
    if keep:
        found.asked, found.lists = asked.questions, lists
        found.values = {one.role: results.values[one.role]["nDCG@10"] for one in models}
    found.rows += _rows(asked.task, asked.title, SHOWN[asked.task], results, models)


def _similar(
    library: Library,
    asked: Ask,
    hide: Hide,
    models: Sequence[Model],
    count: Counting,
    found: Measured,
) -> None:
    """Similar papers with each model."""
    values = blended(library, asked, hide, [one.card for one in _distinct(models)], count)
    results = _Results()
    for one in models:
        results.put(f"blend-{one.role}", f"Similar papers, {one.title}", values[one.card.version])
    found.rows += _rows(asked.task, asked.title, SHOWN[asked.task], results, models)


def _no_vector(_text: str) -> NDArray[np.float32]:
    raise ValueError("a ranking by words asked for a vector")


def _hybrid(
    copy: Library,
    asked: Ask,
    card: ModelCard,
    space: _Space,
    material: Material,
    ctx: JobContext,
) -> Values:
    """The program's own search by words and meaning, with a model as the one in use."""
    copy.models.register(card)
    copy.models.activate(card.version)
    nothing = np.zeros(card.dim, dtype=np.float32)
    vector = nothing

    def encode(_text: str) -> NDArray[np.float32]:
        return vector

    system = Hybrid(Bench(copy, material, encode, ctx.check))

    def before(question: Question) -> None:
        nonlocal vector
        known = space.of(question)
        vector = nothing if known is None else known

    return _asked(system, asked, ctx, before)


@dataclass(frozen=True, eq=False)
class _Space:
    """Vectors of what may be found and of what is asked, of one model."""

    rows: Mapping[int, int]
    matrix: NDArray[np.float32]
    texts: Mapping[str, NDArray[np.float32]]

    def of(self, question: Question) -> NDArray[np.float32] | None:
        """The vector of a question; None where its paper has none."""
        if question.paper is None:
            return self.texts.get(question.text)
        row = self.rows.get(question.paper)
        return None if row is None else self.matrix[row]


def _space(copy: Library, asked: Ask, card: ModelCard, reader: Reader) -> _Space:
    """The papers' own vectors, or those of abstracts alone, stored in the copy for the search."""
    if asked.documents is None:
        there = copy.vector_store.snapshot(card.version)
        return _Space(rows_of(there), there.matrix, {})
    texts = Material.of(copy).texts
    bodies = {
        paper: text
        for paper in asked.documents.tolist()
        if (text := paper_text(card, None, texts[paper].abstract))
    }
    matrix = reader.texts(card, list(bodies.values()), "paper", "abstracts")
    copy.models.register(card)
    marks = [fingerprint(card, text) for text in bodies.values()]
    copy.vector_store.write(card.version, list(bodies), matrix, marks, "float/measuring")
    titles = list(dict.fromkeys(one.text for one in asked.questions))
    wordings = [query_text(card, title) for title in titles]
    vectors = reader.texts(card, wordings, "query", "titles")
    rows = {paper: row for row, paper in enumerate(bodies)}
    return _Space(rows, matrix, dict(zip(titles, vectors, strict=True)))


def _by_meaning(
    model: Model, asked: Ask, space: _Space, lists: list[NDArray[np.int64]], ctx: JobContext
) -> Values:
    known = np.array(sorted(space.rows), dtype=np.int64)
    places = np.array([space.rows[paper] for paper in known.tolist()], dtype=np.int64)

    def rank(question: Question) -> NDArray[np.int64]:
        vector = space.of(question)
        there = np.isin(known, question.candidates)
        if vector is None or not there.any():
            lists.append(question.candidates[:0])
            return question.candidates[:0]
        candidates = known[there]
        scores = space.matrix[places[there]] @ vector
        ranked: NDArray[np.int64] = candidates[np.lexsort((candidates, -scores))[:MAP_DEPTH]]
        lists.append(ranked[:10])
        return ranked

    return ask(model.title, rank, asked.questions, ctx).values


def _asked(
    system: System,
    asked: Ask,
    ctx: JobContext,
    before: Callable[[Question], None] | None = None,
) -> Values:
    def rank(question: Question) -> NDArray[np.int64]:
        if before is not None:
            before(question)
        wanted = len(question.candidates) if question.listed else MAP_DEPTH
        scores = system.score(question, wanted)
        return in_order(scores, question.candidates, listed=question.listed)[:MAP_DEPTH]

    return ask(system.title, rank, asked.questions, ctx).values


def _rows(
    task: str,
    task_title: str,
    measures: Sequence[str],
    results: _Results,
    models: Sequence[Model],
) -> list[Row]:
    counterpart: dict[str, str] = {}
    for one in models:
        if one.against is not None:
            counterpart[one.role] = one.against
            for kind in ("hybrid", "blend"):
                counterpart[f"{kind}-{one.role}"] = f"{kind}-{one.against}"
    told: dict[int, Estimate] = {}  # a model that stands there twice is resampled once
    rows = []
    for system, values in results.values.items():
        against = counterpart.get(system)
        base = results.values.get(against) if against is not None else None
        for measure in measures:
            own = values[measure]
            if id(own) not in told:
                told[id(own)] = estimate(own)
            over = compare(base[measure], own) if base is not None else None
            rows.append(
                Row(
                    task, task_title, system, results.titles[system], measure, told[id(own)],
                    over, against if over else None,
                )
            )  # fmt: skip
    return rows


def _labels(library: Library, kind: WeakKind, models: Sequence[Model], found: Measured) -> None:
    """How tags or collections agree with each model, where there are enough of them."""
    labels = labels_of(library, kind)
    if labels is None:
        return
    results = _Results()
    for model in models:
        there = library.vector_store.snapshot(model.card.version)
        rows = rows_of(there)
        vectors = np.zeros((len(labels.ids), model.card.dim), dtype=np.float32)
        for place, paper in enumerate(labels.ids.tolist()):
            if paper in rows:
                vectors[place] = there.matrix[rows[paper]]
        results.put(model.role, model.title, {MEASURE: agreement(labels, vectors)})
    found.rows += _rows(f"{kind}s", LABEL_TITLES[kind], (MEASURE,), results, models)
