"""What a run and its result are told as, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape_app.window.words import count, time_left

if TYPE_CHECKING:
    from collections.abc import Iterable

    from litscape_trainer.runs.records import Request, Row, RunResult, RunState

_ASKED = {
    "pause": "Pausing: the run keeps its place, which can take some seconds …",
    "stop": "Stopping: the best weights so far are kept and judged …",
    "cancel": "Cancelling: what was trained is thrown away …",
}
_ANEW = {
    "pause": "Pausing: quick adapt keeps no place, so its training will begin anew …",
    "paused": "Paused. “Go on” begins the minute of training anew; what it had read is kept.",
    "interrupted": "Broken off: its process ended unasked. “Go on” begins its training anew.",
}
"""Of a head, which has no checkpoints."""
_HELD = {
    "paused": "Paused. “Go on” takes it up where it was.",
    "interrupted": "Broken off: its process ended unasked. “Go on” takes it up where it was.",
}
TASKS = {
    "citations": "Cited papers",
    "reranking": "Cited, among 30",
    "titles": "By its title",
    "tags": "Same tag",
    "collections": "Same collection",
}
"""Short names of what is asked; a tooltip has the long ones."""
MEASURES = {"Same among 10 nearest": "of 10"}
_PLAIN = {
    "citations": "finding what a paper cites",
    "reranking": "telling cited papers from others",
    "titles": "finding a paper by its title",
    "tags": "papers of one tag lying together",
    "collections": "papers of one collection lying together",
}
_CHANGED = ("new", "hybrid-new")
_STAGES = (
    ("Preparing", ("waiting", "preparing", "probing")),
    ("Training", ("training",)),
    ("Reading the library", ("embedding",)),
    ("Measuring", ("measuring",)),
)
"""What a run does, one after another, and its phases of the engine."""
TRAINED = ("embedding", "measuring", "ended")
"""Phases in which the weights that are kept stand fast."""


def run_sentence(
    state: RunState, asked: Request | None, ahead: int, behind: int, *, anew: bool = False
) -> str:
    """What a run does now.

    Args:
        state: of the run.
        asked: a wish that was not answered yet.
        ahead: runs that are done before it.
        behind: runs that wait behind it.
        anew: whether a training that rests begins anew, as that of a head.
    """
    own = _ANEW if anew else {}
    if state.status == "running" and asked is not None:
        return own.get(asked, _ASKED[asked])
    if state.status == "queued":
        first = f"It waits for {count(ahead, 'other run')}" if ahead else "It waits for its turn"
        return f"{first}; you can close the window meanwhile."
    if state.status == "failed":
        return f"The run failed: {state.text} “Go on” tries again from where it was."
    said = own.get(state.status) or _HELD.get(state.status, state.text)
    said = said.rstrip()
    if not behind or state.ended:
        return said
    stop = "" if said.endswith((".", "…", "!", "?")) else "."
    return f"{said}{stop} {count(behind, 'more run')} in the queue."


def stages(state: RunState) -> str:
    """Which of its stages a run is in: those before are ticked, this one is pointed at."""
    if state.ended or state.status == "queued":
        return ""
    now = next((place for place, (_name, phases) in enumerate(_STAGES) if state.phase in phases), 0)
    marks = ("✓ " if place < now else "▸ " if place == now else "" for place in range(len(_STAGES)))
    return "   ".join(f"{mark}{name}" for mark, (name, _) in zip(marks, _STAGES, strict=True))


def run_figures(state: RunState, minutes: float | None = None) -> str:
    """How far it is, how fast, and how much it takes.

    Args:
        state: of the run.
        minutes: into which all of it was planned to fit, measuring too; None where that is open,
            and no time left is told then.
    """
    parts = []
    if state.steps:
        parts.append(f"step {state.step:,} of {state.steps:,}")
    if state.examples_per_second and state.phase == "training" and state.status == "running":
        parts.append(f"{state.examples_per_second:,.1f} examples a second")
    left = whole_left(state, minutes)
    if left is not None:
        parts.append(f"about {time_left(left)}, with measuring")
    if state.peak_mb:
        parts.append(f"{state.peak_mb:,.0f} MB of memory")
    return " · ".join(parts)


def whole_left(state: RunState, minutes: float | None) -> float | None:
    """Seconds until its verdict; None where it can't be told, as where it is late already."""
    if minutes is None or state.status != "running" or state.phase != "training":
        return None
    planned = 60 * minutes - state.seconds
    return planned if planned > (state.seconds_left or 0.0) else None


def changes_in_words(result: RunResult) -> str:
    """What certainly got better or worse, and how much is open."""
    changed = [row for row in result.rows if row.system in _CHANGED and row.over is not None]
    certain = [row for row in changed if row.over is not None and row.over.certain]
    better = [row for row in certain if row.over is not None and row.over.difference.mean > 0]
    worse = [row for row in certain if row not in better]
    lines = []
    if better:
        lines.append(f"Better: {_listed(better)}.")
    if worse:
        lines.append(f"Worse: {_listed(worse)}.")
    open_ones = len(changed) - len(certain)
    if changed and not worse:
        lines.append("Nothing got measurably worse.")
    if open_ones:
        lines.append(f"In {open_ones} of {len(changed)} figures there is no measurable change.")
    return "\n".join(lines)


def _listed(rows: Iterable[Row]) -> str:
    """Each task once, by its first figure; the table has the others."""
    first: dict[tuple[str, bool], Row] = {}
    for row in rows:
        first.setdefault((row.task, row.system.startswith("hybrid")), row)
    told = []
    for (task, hybrid), row in first.items():
        beside = first.get((task, True)) if not hybrid else None
        if hybrid and (task, False) in first:
            continue  # it stands beside the model alone
        by = " by words and meaning" if hybrid else ""
        more = f"; by words and meaning {_points(beside)}" if beside is not None else ""
        name = _PLAIN.get(task, row.task_title)
        told.append(f"{name}{by} ({row.measure} {_points(row)} points{more})")
    return "; ".join(told)


def _points(row: Row) -> str:
    assert row.over is not None
    return f"{100 * row.over.difference.mean:+z.1f}".replace("-", "−")


def spent(result: RunResult) -> str:
    """How queries were held out, and the time, memory and energy that it took."""
    parts = [f"Held out {result.split}"] if result.split else []
    parts.append(f"{result.steps:,} steps in {result.seconds / 60:.1f} minutes")
    if result.peak_mb:
        parts.append(f"at most {result.peak_mb:,.0f} MB of memory")
    if result.joules:
        parts.append(f"{result.joules / 3600:.1f} Wh")
    return " · ".join(parts)
