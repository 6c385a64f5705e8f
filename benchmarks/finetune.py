"""What fine-tuning gains on held-out papers: runs as a user begins them, each seed shown.

``python benchmarks/finetune.py`` trains the default recipe with three seeds on csopen (links up to
2019; the 374 papers of 2021 and later that judge are opened once a run, and noted in the library).
Another library is copied first, and stays as it is. Seeds that ended are not run again, a run that
broke off goes on. Not a part of `make bench`: an hour a seed.

    python benchmarks/finetune.py --recipe citation-infonce --minutes 60 --threads 2
    python benchmarks/finetune.py --recipe head --json head.json
    python benchmarks/finetune.py --library ~/papers --seeds 1 --minutes 30
    python benchmarks/finetune.py --recipe head --estimate     # what it would take; opens no test
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpora import CACHE, DATA, load
from litscape import settings as app_settings
from litscape.errors import LitscapeError, UserError
from litscape.library import Library
from litscape_trainer.recipes.registry import DEFAULT, recipe
from litscape_trainer.runs import Training
from litscape_trainer.runs.queue import reap
from litscape_trainer.runs.records import RunResult

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litscape_trainer.recipes.recipe import TrainingRecipe
    from litscape_trainer.runs.records import Row, RunState

CORPUS = "csopen"
FIRST_SEED = 20
MEASURES = ("nDCG@10", "Recall@20", "MAP")
SYSTEMS = (
    ("tfidf", "TF-IDF"),
    ("words", "BM25"),
    ("current", "old model, alone (zero-shot)"),
    ("new", "new model, alone"),
    ("hybrid-current", "hybrid search, old"),
    ("hybrid-new", "hybrid search, new"),
    ("blend-current", "text, model, graph, old"),
    ("blend-new", "text, model, graph, new"),
)
SAME_EVERY_SEED = ("tfidf", "words", "current", "hybrid-current", "blend-current")
LOOK_S = 2.0
WAKE_S = 20.0
POINT = 0.01


def prepared(options: argparse.Namespace) -> Path:
    """The library that runs work in: a corpus, or a copy of a library, with vectors."""
    work: Path = options.work
    folder = work / "library"
    if not folder.exists():
        work.mkdir(parents=True, exist_ok=True)
        partial = work / "library.new"
        shutil.rmtree(partial, ignore_errors=True)
        if options.library is not None:
            with Library.open(options.library, create=False, read_only=True) as source:
                source.backup(partial / "library.sqlite")
            for part in ("vectors", "models"):
                if (options.library / part).is_dir():
                    shutil.copytree(options.library / part, partial / part)
        else:
            load(CORPUS, partial, links=True)
        os.replace(partial, folder)
    with Library.open(folder, create=False, settings=app_settings.load().settings) as library:
        began = time.monotonic()
        report = library.embed()
        if report.embedded:
            print(f"read {report.embedded:,} papers in {time.monotonic() - began:.0f} s")
    return folder


def run_of(training: Training, wanted: TrainingRecipe) -> str:
    """The run of a recipe: one that ended well or broke off earlier, or a new one."""
    for state in training.runs():
        if training.recipe(state.id).hash == wanted.hash:
            if state.status in ("done", "stopped"):
                return state.id
            if state.status not in ("cancelled", "queued", "running"):
                print(f"  {state.id} goes on at step {state.step:,}", flush=True)
                return training.resume(state.id).id
            if state.status != "cancelled":
                return state.id
    return training.start(wanted).id


def followed(training: Training, run: str) -> RunState:
    """Wait for the end of a run, and say how far it is.

    Raises:
        UserError: it broke off.
    """
    told, woken = "", time.monotonic()
    while True:
        reap()
        state = training.get(run)
        if state.status not in ("queued", "running"):
            break
        if state.status == "queued" and time.monotonic() - woken > WAKE_S:
            woken = time.monotonic()
            training.wake()
        now = f"{state.phase}" + (f" of {state.steps:,} steps" if state.steps else "")
        if now != told:
            told = now
            print(f"  {state.seconds:6.0f} s  {now}", flush=True)
        time.sleep(LOOK_S)
    if state.status not in ("done", "stopped"):
        raise UserError(f"{run} ended as {state.status}: {state.text}")
    return state


def seed_done(training: Training, wanted: TrainingRecipe) -> dict[str, Any]:
    """One seed, from the start or from where it broke off; its result as plain values."""
    run = run_of(training, wanted)
    state = followed(training, run)
    result = training.result(run)
    if result is None:
        raise UserError(f"{run} left no result.")
    values = result.to_json()
    values["dev"] = {"before": state.dev_base, "best": state.dev_best}
    values["training_seconds"] = training_seconds(training, run)
    return values


def training_seconds(training: Training, run: str) -> float | None:
    """How long it trained, over all parts of the run, as its log has it; no breaks counted."""
    phase, since, total = "", 0.0, 0.0
    for event in training.events(run):
        now = float(event["t"])
        if phase == "training":
            total += now - since
        if event.get("kind") == "phase":
            phase = str(event["phase"])
        elif event.get("kind") == "end":
            phase = ""
        since = now
    return round(total, 1) or None


def figure(row: Row | None) -> str:
    """A mean in per cent with its interval."""
    if row is None:
        return "-"
    value = row.estimate
    return f"{100 * value.mean:.1f} [{100 * value.low:.1f}, {100 * value.high:.1f}]"


def change(row: Row | None, base: Row | None) -> str:
    """A paired change in points with its interval, and how much that is of the mean before."""
    if row is None or row.over is None or base is None:
        return ""
    value = row.over.difference
    share = f", {100 * value.mean / base.estimate.mean:+.1f} %" if base.estimate.mean else ""
    counts = f"{row.over.wins}/{row.over.ties}/{row.over.losses}"
    return (
        f"{100 * value.mean:+.1f} [{100 * value.low:+.1f}, {100 * value.high:+.1f}]{share} {counts}"
    )


def lines_of(cells: Sequence[Sequence[str]]) -> list[str]:
    """Cells in columns."""
    widths = [max(len(row[i]) for row in cells) for i in range(len(cells[0]))]
    return [
        "  "
        + "  ".join(f"{cell:{width}s}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    ]


def citations(seeds: dict[int, RunResult]) -> list[str]:
    """What held-out papers cite, in the whole library: every ranking, every seed."""
    any_seed = next(iter(seeds.values()))
    cells = [["", *MEASURES]]
    for system, title in SYSTEMS:
        shown = list(seeds.items())[:1] if system in SAME_EVERY_SEED else list(seeds.items())
        for seed, result in shown:
            named = title if system in SAME_EVERY_SEED else f"{title}, seed {seed}"
            rows = [result.row("citations", system, one) for one in MEASURES]
            cells.append([named, *(figure(row) for row in rows)])
            if any(row is not None and row.over is not None for row in rows):
                told = [
                    change(row, result.row("citations", str(row.against), row.measure))
                    if row is not None
                    else ""
                    for row in rows
                ]
                cells.append(["  against the old one", *told])
    return [
        f"What a paper cites, in the whole library: n = {any_seed.queries:,}, {any_seed.split}",
        *lines_of(cells),
    ]


def known_items(seeds: dict[int, RunResult]) -> list[str]:
    """Papers by their titles, among abstracts, before and after."""
    cells = [["nDCG@10", "before", "after", "change"]]
    for seed, result in seeds.items():
        for before, after, title in (
            ("current", "new", "model alone"),
            ("hybrid-current", "hybrid-new", "hybrid search"),
        ):
            old = result.row("titles", before, "nDCG@10")
            new = result.row("titles", after, "nDCG@10")
            cells.append([f"{title}, seed {seed}", figure(old), figure(new), change(new, old)])
    first = next(iter(seeds.values())).row("titles", "new", "nDCG@10")
    n = f"n = {first.estimate.n:,}" if first is not None else "not measured: too few titles"
    return [f"Known-item search, a title among abstracts: {n}", *lines_of(cells)]


def spent(seeds: dict[int, RunResult], stored: dict[str, Any]) -> list[str]:
    """Verdict, time and memory of each seed."""
    cells = [
        ["seed", "verdict", "steps", "minutes", "training", "cpu min", "peak MB", "dev nDCG@10"]
    ]
    for seed, result in seeds.items():
        extra = stored[str(seed)]
        dev, training = extra.get("dev") or {}, extra.get("training_seconds")
        known = dev.get("before") is not None and dev.get("best") is not None
        cells.append(
            [
                str(seed),
                result.verdict,
                f"{result.steps:,}",
                f"{result.seconds / 60:.1f}",
                f"{training / 60:.1f}" if training is not None else "-",
                f"{result.cpu_seconds / 60:.1f}",
                f"{result.peak_mb:,.0f}",
                f"{100 * dev['before']:.1f} -> {100 * dev['best']:.1f}" if known else "-",
            ]
        )
    return ["Spent", *lines_of(cells)]


def required(result: RunResult) -> list[tuple[str, str]]:
    """What one seed is held to, and whether it holds."""
    alone = result.row("citations", "new", "nDCG@10")
    hybrid = result.row("citations", "hybrid-new", "nDCG@10")
    titles = result.row("titles", "new", "nDCG@10")
    found = []
    if alone is not None and alone.over is not None:
        held = alone.over.difference.low > 0
        found.append(("new model above the old one, interval above 0", _held(held)))
    if hybrid is not None and hybrid.over is not None:
        mean, low = hybrid.over.difference.mean, hybrid.over.difference.low
        sure = "" if low > 0 or mean <= 0 else " (the interval holds 0)"
        found.append(("hybrid search above that with the old one", _held(mean > 0) + sure))
    if titles is not None and titles.over is not None:
        mean, low = titles.over.difference.mean, titles.over.difference.low
        held = mean >= -POINT
        sure = "" if not held or low >= -POINT else " (the interval holds a loss of a point)"
        found.append(("known-item search loses no more than a point", _held(held) + sure))
    return found


def _held(it: bool) -> str:
    return "yes" if it else "NO"


def goals(result: RunResult, quick: bool) -> list[str]:
    """How far the goals are: relative gains over the old model's vectors alone."""
    told = []
    for system, measure, goal in (
        ("new", "nDCG@10", 4 if quick else 10),
        ("blend-new", "nDCG@10", 30),
        ("blend-new", "Recall@20", 35),
    ):
        row, base = (result.row("citations", one, measure) for one in (system, "current"))
        if row is not None and base is not None and base.estimate.mean:
            gain = 100 * (row.estimate.mean / base.estimate.mean - 1)
            name = dict(SYSTEMS)[system]
            told.append(f"{name}: {measure} {gain:+.1f} % of the old vectors (goal {goal:+d} %)")
    return told


def report(stored: dict[str, Any], quick: bool) -> str:
    """All that came out, every seed."""
    seeds = {int(seed): RunResult.from_json(one) for seed, one in stored.items()}
    enough = {seed: one for seed, one in seeds.items() if one.rows}
    if not enough:
        return "\n".join(f"seed {seed}: {one.sentence}" for seed, one in seeds.items())
    lines = [*citations(enough), *known_items(enough), *spent(enough, stored)]
    for seed, result in seeds.items():
        lines.append(f"seed {seed}: {result.sentence}")
        lines += [f"  {what}: {held}" for what, held in required(result)]
        lines += [f"  {one}" for one in goals(result, quick)]
        lines += [f"  {one}" for one in result.notes if "took" in one or "memory" in one.lower()]
    return "\n".join(lines)


def options_of() -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--library", type=Path, help="a library's folder; csopen by default")
    parser.add_argument("--recipe", default=DEFAULT, help=f"{DEFAULT}; or head, specter …")
    parser.add_argument("--minutes", type=float, help="of a seed; as the recipe has it by default")
    parser.add_argument("--seeds", type=int, default=3, help="how many; 3 by default")
    parser.add_argument("--first-seed", type=int, default=FIRST_SEED, help="the others follow")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--threads", type=int, default=0, help="processor threads; 0: all")
    parser.add_argument("--json", type=Path, metavar="FILE", help="where results are kept")
    parser.add_argument("--work", type=Path, help="the folder for the copy and its runs")
    parser.add_argument(
        "--estimate", action="store_true", help="say what a run would take, and open no test"
    )
    options = parser.parse_args()
    if options.seeds < 1:
        parser.error("--seeds must be 1 or more")
    named = options.library.absolute().name if options.library is not None else CORPUS
    options.work = (options.work or CACHE / "finetune" / named).absolute()
    return options


def wanted_of(options: argparse.Namespace) -> TrainingRecipe:
    """The recipe with its changes; the seed comes later.

    Raises:
        UserError: there is no such recipe or setting.
    """
    found = recipe(options.recipe)
    for one in options.set:
        found = found.with_set(one)
    return found.with_set(f"minutes={options.minutes}") if options.minutes else found


def stored_in(file: Path | None, wanted: TrainingRecipe) -> dict[str, Any]:
    """Results of seeds that ended before.

    Raises:
        UserError: they are of another recipe.
    """
    if file is None or not file.exists():
        return {}
    values = json.loads(file.read_text(encoding="utf-8"))
    if values["recipe"] != wanted.with_set("seed=0").to_json():
        raise UserError(f"{file} has results of another recipe; name another file.")
    found: dict[str, Any] = values["seeds"]
    return found


def keep(file: Path | None, wanted: TrainingRecipe, library: Path, seeds: dict[str, Any]) -> None:
    """Write what there is so far, whole."""
    if file is None:
        return
    values = {
        "recipe": wanted.with_set("seed=0").to_json(),
        "library": str(library),
        "seeds": seeds,
    }
    partial = file.with_name(f"{file.name}.new")
    partial.write_text(json.dumps(values, indent=1), encoding="utf-8")
    os.replace(partial, file)


def main() -> int:
    """Run every seed and print the tables."""
    options = options_of()
    seeds = range(options.first_seed, options.first_seed + options.seeds)
    if options.library is None and not (DATA / CORPUS).is_dir():
        print(f"fine-tuning: skipped, there are no linked papers in {DATA}")
        return 0
    os.environ["LITSCAPE_HOME"] = str(options.work / "home")
    try:
        wanted = wanted_of(options)
        stored = stored_in(options.json, wanted)
        app_settings.save(app_settings.load().settings.with_value("threads", options.threads))
        place = prepared(options)
        with Library.open(place, create=False, settings=app_settings.load().settings) as library:
            training = Training(library)
            if options.estimate:
                print(training.estimate(wanted).sentence)
                return 0
            for seed in seeds:
                if str(seed) not in stored:
                    print(f"{wanted.name}, seed {seed}, load {os.getloadavg()[0]:.1f}", flush=True)
                    stored[str(seed)] = seed_done(training, wanted.with_set(f"seed={seed}"))
                    keep(options.json, wanted, place, stored)
    except LitscapeError as error:
        print(f"fine-tuning: {error}")
        return 1
    asked = {str(seed) for seed in seeds}
    print(report({s: one for s, one in stored.items() if s in asked}, wanted.method == "head"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
