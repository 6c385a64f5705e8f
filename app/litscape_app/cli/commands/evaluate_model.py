"""``litscape evaluate model``: one model, or two beside each other, on held-out papers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape_app.cli.command import Answer, Command
from litscape_app.cli.commands.train_words import table
from litscape_app.cli.progress import job_context

if TYPE_CHECKING:
    import argparse

    from litscape_app.cli.session import Session

_KEYS = {
    "models": "the versions, one or two",
    "part": "dev or test",
    "split": "how queries were held out",
    "queries": "how many held-out papers were asked what they cite",
    "rows": "every ranking by every measure: list of {task, task_title, system (words, tfidf, a, "
    "b, hybrid-a, hybrid-b, and blend-a, blend-b for similar papers), system_title, measure, "
    "estimate: {mean, low, high, n}, over: {difference, wins, ties, losses, p} of b over a, "
    "against}; measures are shares of 1",
    "notes": "what a reader should know",
}


def _model(session: Session) -> Answer:
    from litscape.apart import run_apart
    from litscape_trainer import tasks

    args = session.args
    versions = (args.first, args.second) if args.second else (args.first,)
    with session.library() as library, job_context() as ctx:
        found = run_apart(library, tasks.evaluate, ctx, versions, args.split)
    head = f"{' and '.join(found.models)}: held out {found.split} ({found.part})."
    lines = [head, "Per cent with 95 % intervals; ± is the second against the first.",
             table(found.rows), *found.notes]  # fmt: skip
    return Answer(found.to_json(), "\n".join(lines))


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("first", metavar="VERSION", help="a version that `models list` prints")
    parser.add_argument("second", nargs="?", metavar="OTHER", help="compared with the first")
    parser.add_argument(
        "--split",
        choices=("dev", "test"),
        default="dev",
        help="dev (by default) for every choice; test for a final figure: it is noted in the "
        "library that it was opened",
    )


EVALUATE_MODEL = Command(
    "model",
    "measure a model on the library's held-out papers, or two beside each other",
    _model,
    _arguments,
    _KEYS,
)
