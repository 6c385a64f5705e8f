"""``litscape train``: adapt the model to the library, and be told whether it got better."""

from __future__ import annotations

import time
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litscape.errors import UserError
from litscape.jobs import JobCancelledError
from litscape_app.cli.command import INTERRUPTED, Answer, Command
from litscape_app.cli.commands.train_arguments import (
    RECIPE_KEYS,
    RESULT_KEYS,
    STATE_KEYS,
    example_arguments,
    recipe_arguments,
    resume_arguments,
    run_argument,
    start_arguments,
    write_arguments,
)
from litscape_app.cli.commands.train_words import figures, said_beside, told_result, told_state
from litscape_app.cli.output import columns, counted
from litscape_app.cli.progress import job_context

if TYPE_CHECKING:
    import argparse

    from litscape.jobs import JobContext
    from litscape_app.cli.session import Session
    from litscape_trainer.recipes.recipe import TrainingRecipe
    from litscape_trainer.runs.records import RunState

_POLL_S = 0.3
_WAKE_S = 15.0


def _recipes(_session: Session) -> Answer:
    from litscape_trainer.recipes.registry import DEFAULT, all_recipes

    records = [
        {
            "name": one.name,
            "title": one.title,
            "about": one.about,
            "settings": one.to_json(),
            "default": one.name == DEFAULT,
        }
        for one in all_recipes()
    ]
    rows = [[one["name"], one["about"]] for one in records]
    return Answer(records, columns(rows))


def _recipe(args: argparse.Namespace) -> TrainingRecipe:
    """The recipe that the options describe.

    Raises:
        UserError: there is none, or an option is none of it.
    """
    from litscape_trainer.recipes.registry import RECIPES, recipe
    from litscape_trainer.runs.checks import check_names

    if args.recipe is None:
        raise UserError(f"Which recipe? Give --recipe with one of: {', '.join(RECIPES)}.")
    found = recipe(args.recipe)
    given = {
        "base": args.base,
        "as_of": args.as_of,
        "minutes": args.minutes,
        "collections": args.collection,
    }
    values = {key: value for key, value in given.items() if value is not None}
    found = found.from_json({**found.to_json(), **values})
    for assignment in args.set or ():
        found = found.with_set(assignment)
    check_names(found)
    return found


def _start(session: Session) -> Answer:
    from litscape_trainer.runs import Training

    args = session.args
    with session.library() as library:
        training = Training(library)
        run = training.start(_recipe(args)).id
        return _follow(session, training, run, wait=not args.detach)


def _follow(session: Session, training: Any, run: str, *, wait: bool, told: int = 0) -> Answer:
    """Wait for the end of a run, where that is wished; what it is then.

    Args:
        session: where it is told.
        training: the library's.
        run: which.
        wait: for the end.
        told: events of it that are no news.

    Raises:
        UserError: it broke off; what it was doing is kept.
    """
    if wait:
        session.out.message(f"The run is {run}; it goes on by itself when this command ends.")
        try:
            # Ctrl-C ends no more than the waiting, so nothing is said of stopping.
            with job_context(lambda line: session.out.message(str(line)), told="") as ctx:
                _wait(training, run, ctx, told)
        except (JobCancelledError, KeyboardInterrupt):
            return _left(session, training, run)
        state = training.get(run)
        if state.status in ("failed", "interrupted"):
            raise UserError(state.text)
    return _shown(training, run)


def _left(session: Session, training: Any, run: str) -> Answer:
    """After Ctrl-C: where the run stands that nobody waits for any more."""
    session.out.message(
        f"No longer waiting; the run {run} goes on. Stop it with `litscape train cancel {run}`."
    )
    found = _shown(training, run)
    return Answer(found.value, "", INTERRUPTED)


def _wait(training: Any, run: str, ctx: JobContext, told: int) -> None:
    from litscape_trainer.runs.queue import reap

    woken, phase = time.monotonic(), ""
    while True:
        reap()
        state: RunState = training.get(run)
        if state.status not in ("queued", "running"):
            return
        if state.status == "queued" and time.monotonic() - woken > _WAKE_S:
            woken = time.monotonic()
            training.wake()  # whoever had the turn was killed
        # The log grows with the training; from then on it is read when a part begins.
        if state.phase in ("preparing", "probing") or state.phase != phase:
            told, phase = _estimates(training, run, ctx, told), state.phase
        ctx.progress(0, None, told_state(state))
        time.sleep(_POLL_S)


def _estimates(training: Any, run: str, ctx: JobContext, told: int) -> int:
    """Say what a run found that it will take; how many events are told now."""
    events = list(training.events(run))
    for one in events[told:]:
        if one.get("kind") in ("estimate", "probe"):
            ctx.partial(one.get("text"))
    return len(events)


def _shown(training: Any, run: str) -> Answer:
    """What came out of a run, or how far it is."""
    state: RunState = training.get(run)
    result = training.result(run)
    if result is None:
        empty: dict[str, Any] = dict.fromkeys(RESULT_KEYS)
        known = {key: value for key, value in state.to_json().items() if key in empty}
        recipe = training.recipe(run).to_json()
        record = {**empty, **known, "recipe": recipe, "sentence": state.text}
        return Answer(record, told_state(state))
    values = result.to_json()
    there = {card.version for card in training.models()}
    record = {
        **{key: values.get(key) for key in RESULT_KEYS},
        "status": state.status,
        "metrics": figures(result),
    }
    return Answer(record, told_result(state, result, removed=result.version not in there))


def _list(session: Session) -> Answer:
    from litscape_trainer.runs import Training

    with session.library(reading=True) as library:
        states = Training(library).runs()
    if not states:
        return Answer([], "Nothing was trained in this library yet.")
    rows = [[one.id, one.status, said_beside(one)] for one in states]
    return Answer([one.to_json() for one in states], columns(rows))


def _show(session: Session) -> Answer:
    from litscape_trainer.runs import Training

    with session.library(reading=True) as library:
        return _shown(Training(library), session.args.run)


def _resume(session: Session) -> Answer:
    from litscape_trainer.runs import Training

    with session.library() as library:
        training = Training(library)
        told = len(list(training.events(session.args.run)))
        run = training.resume(session.args.run).id
        return _follow(session, training, run, wait=not session.args.detach, told=told)


def _asked(what: str) -> Any:
    """The command that asks a run for something."""

    def run(session: Session) -> Answer:
        from litscape_trainer.runs import Training

        with session.library() as library:
            state = getattr(Training(library), what)(session.args.run)
        words = {"pause": "keep its place", "stop": "end with its best", "cancel": "give up"}
        text = told_state(state) if state.ended else f"{state.id} was asked to {words[what]}."
        return Answer(state.to_json(), text)

    return run


def _delete(session: Session) -> Answer:
    from litscape_trainer.runs import Training

    with session.library() as library:
        training = Training(library)
        run, version = training.get(session.args.run).id, training.get(session.args.run).version
        training.delete(run)
        stays = any(card.version == version for card in training.models())
    model = f"; the model that it made, {version}, stays" if stays else ""
    return Answer({"id": run}, f"{run} is removed{model}.")


def _survey(session: Session) -> Answer:
    from litscape.apart import run_apart
    from litscape_trainer import tasks

    with session.library(reading=True) as library, job_context() as ctx:
        found = run_apart(library, tasks.survey, ctx)
    rows = [[name, f"{number:,}"] for name, number in found.sources.items()]
    head = f"{counted(found.papers, 'paper')}, {found.abstracts:,} with an abstract."
    return Answer(asdict(found), "\n".join([head, columns(rows), found.sentence]))


def _estimate(session: Session) -> Answer:
    from litscape.apart import run_apart
    from litscape_trainer import tasks

    with session.library() as library, job_context() as ctx:
        found = run_apart(library, tasks.estimate, ctx, _recipe(session.args))
    return Answer(asdict(found), found.sentence)


def _examples(session: Session) -> Answer:
    from litscape.apart import run_apart
    from litscape_trainer import tasks

    args = session.args
    with session.library(reading=True) as library, job_context() as ctx:
        found = run_apart(library, tasks.preview, ctx, _recipe(args), args.number, args.draw)
    lines = []
    for one in found:
        lines.append(f"{one.anchor.title}")
        lines.append(f"  + {one.positive.title or one.positive.abstract[:90]} ({one.positive.why})")
        lines += [f"  − {two.title or two.abstract[:90]} ({two.why})" for two in one.negatives]
    return Answer([asdict(one) for one in found], "\n".join(lines))


def _write(session: Session) -> Answer:
    recipe = _recipe(session.args)
    target = Path(session.args.file).expanduser()
    if target.suffix.lower() != ".toml":  # else nobody could give it as a recipe
        raise UserError(f"{target} is no name of a recipe file: it ends in .toml.")
    if target.exists():
        raise UserError(f"{target} is there already; name another file.")
    from litscape.exporters.written import written_whole

    with written_whole(target) as stream:
        stream.write(recipe.to_toml())
    return Answer({"file": str(target), "hash": recipe.hash}, f"The recipe is in {target}.")


_PAPER = "{paper, title, abstract, why}"
TRAIN = Command(
    "train",
    "adapt the model to the library, and be told whether it got better",
    arguments=partial(start_arguments, required=False),
    default="start",
    commands=(
        Command(
            "start",
            "train by a recipe, and judge the result on held-out papers (also without a word); "
            "the model in use stays in use",
            _start,
            start_arguments,
            RESULT_KEYS,
        ),
        Command("recipes", "list the recipes", _recipes, keys=RECIPE_KEYS, shape="list"),
        Command("list", "list the runs, newest first", _list, keys=STATE_KEYS, shape="list"),
        Command("show", "print the result of a run, or how far it is", _show, run_argument,
                RESULT_KEYS),
        Command("resume", "let a run go on that was paused or broke off", _resume,
                resume_arguments, RESULT_KEYS),
        Command("pause", "let a run keep its place and end its process", _asked("pause"),
                run_argument, STATE_KEYS),
        Command("stop", "end a training now, keep the best weights and judge them",
                _asked("stop"), run_argument, STATE_KEYS),
        Command("cancel", "give a run up; its recipe and log stay", _asked("cancel"),
                run_argument, STATE_KEYS),
        Command("delete", "remove a run that is over; the model that it made stays", _delete,
                run_argument, {"id": "of the run"}),
        Command(
            "survey",
            "count what there is to learn from, and say whether it is enough",
            _survey,
            keys={
                "papers": "live papers",
                "abstracts": "of them with an abstract",
                "links": "citation links between them",
                "sources": "how many there are of each kind of pair",
                "training_links": "links that may be learnt",
                "dev_queries": "queries to choose by",
                "test_queries": "queries to judge by",
                "split": "how they are held out",
                "cut": "year up to which is learnt, or null",
                "enough": "whether a run can be measured",
                "sentence": "what that means",
                "recipe": "recipe to begin with",
            },
        ),
        Command(
            "examples",
            "show examples that a recipe learns from, with why each paper was chosen",
            _examples,
            example_arguments,
            {
                "anchor": f"the paper that the example begins at: {_PAPER}",
                "positive": f"one that is to come near: {_PAPER}",
                "negatives": f"those that are to stay away: list of {_PAPER}",
                "weight": "how much the example counts",
            },
            "list",
        ),
        Command(
            "estimate",
            "time a few real steps, and say what a run takes",
            _estimate,
            recipe_arguments,
            {
                "device": "where it runs",
                "seconds_per_step": "measured",
                "steps": "that fit",
                "seconds": "of training, embedding and measuring together",
                "peak_mb": "memory",
                "sentence": "the same in words",
                "enough": "whether the minutes suffice",
            },
        ),
        Command(
            "write-recipe",
            "write a recipe with its changes to a file, to share it",
            _write,
            write_arguments,
            {"file": "where it is", "hash": "changes with what changes the training"},
        ),
    ),
)  # fmt: skip
