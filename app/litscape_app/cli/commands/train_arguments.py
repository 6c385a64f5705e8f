"""What the commands of ``litscape train`` take, and the keys of what they print."""

from __future__ import annotations

import argparse

from litscape_app.cli.values import whole_number

STATE_KEYS = {
    "id": "of the run, and the name of its folder below runs/",
    "recipe": "name of the recipe",
    "status": "queued, running, paused, interrupted, done, stopped, failed or cancelled",
    "phase": "waiting, preparing, probing, training, embedding, measuring or ended",
    "made_at": "when it was made (UTC); likewise started_at and ended_at, or null",
    "started_at": "see made_at",
    "ended_at": "see made_at",
    "pid": "its process, or null",
    "born": "when that began, as the system counts",
    "step": "how far the training is",
    "steps": "of how many, fixed at the start; null before",
    "loss": "of the last step",
    "examples_per_second": "of the last step",
    "seconds_left": "of the training, estimated",
    "dev": "nDCG@10 of the development queries, last measured",
    "dev_base": "the same before training",
    "dev_best": "the same, the best so far",
    "layered": "whether the training began with a layer on the stored vectors; then dev_base is "
    "of that layer",
    "text": "one sentence on what it does, or on what ended it",
    "base": "version that it started from",
    "version": "version that it made, or null",
    "current": "version that was in use when it was made",
    "share": "how much of the whole run is done, from 0 to 1",
    "seconds": "of wall clock so far, over all parts",
    "cpu_seconds": "of processor so far",
    "peak_mb": "most memory held",
    "joules": "energy, where the machine lets it be read; else null",
}
RESULT_KEYS = {
    "id": "of the run",
    "status": "as `train list` has it",
    "recipe": "the recipe as plain values",
    "verdict": "too-small, no-change, better, mixed or worse; null where the run has not ended",
    "sentence": "the verdict with its figures",
    "base": "version that it started from",
    "current": "version that was in use when it was made",
    "version": "version that it made, or null",
    "split": "how queries were held out",
    "queries": "held-out papers that were asked",
    "examples": "of one epoch: {builder, examples, anchors, positives: by source, negatives, "
    "dropped: list of {name, count, sentence}, sentences}",
    "metrics": "by task and measure {before, after: {mean, low, high, n}, change: {difference, "
    "wins, ties, losses, p}}: the model in use and the new one",
    "rows": "every ranking by every measure: list of {task, task_title, system, system_title, "
    "measure, estimate, over, against}; measures are shares of 1, intervals of 95 %",
    "gained": "queries that gained most: list of {paper, title, before, after, old, new}; old and "
    "new list [paper, title, relevant]",
    "lost": "queries that lost most, likewise",
    "notes": "what a reader should know",
    "seconds": "of wall clock",
    "cpu_seconds": "of processor",
    "peak_mb": "most memory held",
    "joules": "energy, or null where the machine does not let it be read",
    "steps": "optimiser steps",
    "made_at": "when (UTC)",
}
RECIPE_KEYS = {
    "name": "name",
    "title": "for people",
    "about": "one sentence",
    "settings": "all its settings, by name",
    "default": "whether it is the default of the long ones",
}


def recipe_arguments(parser: argparse.ArgumentParser, *, required: bool = True) -> None:
    """What describes a recipe; a group whose commands have no recipe requires none."""
    parser.add_argument(
        "--recipe",
        required=required,
        metavar="NAME",
        help="citation-infonce (the default of the long ones), head (quick), specter, scincl, "
        "scitbert-ci, cocitation, text, or the path of a recipe's .toml file",
    )
    parser.add_argument(
        "--base",
        metavar="MODEL",
        help="start from another model than the one in use: a version, bundled, a folder, or the "
        "id of a model that was downloaded with `models add-hub`",
    )
    parser.add_argument(
        "--as-of",
        type=whole_number(1, 9999),
        metavar="YEAR",
        help="learn from nothing dated later",
    )
    parser.add_argument("--minutes", type=_minutes, metavar="N", help="stay within so many minutes")
    parser.add_argument(
        "--collection",
        action="append",
        metavar="PATH",
        help="learn from papers of this collection alone; may be repeated",
    )
    parser.add_argument(
        "--set",
        action="append",
        metavar="KEY=VALUE",
        help="change one setting of the recipe; may be repeated",
    )


def _minutes(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if not 0.05 <= found <= 100_000:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of minutes, such as 30")
    return found


def start_arguments(parser: argparse.ArgumentParser, *, required: bool = True) -> None:
    """What begins a run."""
    recipe_arguments(parser, required=required)
    _waiting(parser)


def _waiting(parser: argparse.ArgumentParser) -> None:
    either = parser.add_mutually_exclusive_group()
    either.add_argument("--wait", action="store_true", help="wait for the verdict (by default)")
    either.add_argument(
        "--detach", action="store_true", help="do not wait: the run goes on by itself"
    )


def run_argument(parser: argparse.ArgumentParser) -> None:
    """Which run."""
    parser.add_argument(
        "run", metavar="RUN", help="as `train list` shows it; the beginning is enough"
    )


def resume_arguments(parser: argparse.ArgumentParser) -> None:
    """Which run, and whether to wait."""
    run_argument(parser)
    _waiting(parser)


def example_arguments(parser: argparse.ArgumentParser) -> None:
    """Which examples."""
    recipe_arguments(parser)
    parser.add_argument(
        "--number", type=whole_number(1, 10_000), default=10, metavar="N",
        help="how many; 10 by default",
    )  # fmt: skip
    parser.add_argument(
        "--draw", type=whole_number(0), default=0, metavar="N", help="another number draws others"
    )


def write_arguments(parser: argparse.ArgumentParser) -> None:
    """Where a recipe goes."""
    recipe_arguments(parser)
    parser.add_argument("file", metavar="FILE", help="a .toml file that is not there yet")
