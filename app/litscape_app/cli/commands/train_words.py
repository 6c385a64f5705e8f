"""What came out of a training, as lines for a person."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from litscape_app.cli.output import columns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litscape_trainer.runs.records import Row, RunResult, RunState

_SHOWN = 5


def told_state(state: RunState) -> str:
    """How far a run is."""
    done = f" ({100 * state.share:.0f} %)" if state.status == "running" and state.share else ""
    parts = [f"{state.id}: {state.status}{done}"]
    if state.status == "running" and state.phase == "training":
        steps = f" of {state.steps:,}" if state.steps else ""
        parts.append(f"step {state.step:,}{steps}")
        if state.loss is not None:
            parts.append(f"loss {state.loss:.3f}")
        if state.dev is not None and state.dev_base is not None:
            before = "with the layer it began with" if state.layered else "before"
            base = f"{before} {100 * state.dev_base:.1f}"
            parts.append(f"dev nDCG@10 {100 * state.dev:.1f} ({base})")
        if state.seconds_left is not None:
            parts.append(f"{max(0, state.seconds_left) / 60:.1f} min left")
        return ", ".join(parts)
    rest = said_beside(state)
    return f"{parts[0]}. {rest}" if rest else parts[0]


def said_beside(state: RunState) -> str:
    """A run's sentence without its status, where that stands before it: it is said once."""
    head, told = state.status.capitalize(), state.text
    if not told.startswith((f"{head}.", f"{head};")) and told != head:
        return told
    rest = told[len(head) + 1 :].strip()
    return rest[:1].upper() + rest[1:]


def figures(result: RunResult) -> dict[str, Any]:
    """Before and after of each task and measure: the model in use and the new one."""
    found: dict[str, Any] = {}
    for row in result.rows:
        if row.system != "new" or row.over is None:
            continue
        before = result.row(row.task, str(row.against), row.measure)
        found.setdefault(row.task, {})[row.measure] = {
            "before": asdict(before.estimate) if before is not None else None,
            "after": asdict(row.estimate),
            "change": asdict(row.over),
        }
    return found


def told_result(state: RunState, result: RunResult, *, removed: bool = False) -> str:
    """The verdict first, then the table, then the queries that changed most."""
    lines = [result.sentence]
    if result.version is not None and removed:
        lines.append(f"The model that it made, {result.version}, was removed since.")
    elif result.version is not None:
        lines.append(f"The new model is {result.version}; it is not in use.")
        lines.append(f"  use it: litscape models activate {result.version}")
    if result.rows:
        lines.append(f"Held out {result.split}. Per cent with 95 % intervals.")
        # Where the base is in use it stands in the table once.
        twice = ("base", "hybrid-base", "blend-base") if result.base == result.current else ()
        lines.append(table([row for row in result.rows if row.system not in twice]))
    for name, changed in (("Gained most", result.gained), ("Lost most", result.lost)):
        if changed:
            lines.append(f"{name}:")
            lines += [
                f"  {100 * one.before:.0f} → {100 * one.after:.0f}  {one.title}"
                for one in changed[:_SHOWN]
            ]
    energy = f", {result.joules / 3600:,.1f} Wh" if result.joules is not None else ""
    lines.append(
        f"{state.id} took {result.seconds:,.0f} s ({result.cpu_seconds:,.0f} s of processor), "
        f"{result.peak_mb:,.0f} MB{energy}."
    )
    lines += result.notes
    return "\n".join(lines)


def table(rows: Sequence[Row]) -> str:
    """A table for each task, with what each ranking changes over its counterpart."""
    lines: list[str] = []
    for task in dict.fromkeys(row.task for row in rows):
        mine = [row for row in rows if row.task == task]
        measures = list(dict.fromkeys(row.measure for row in mine))
        lines.append(f"{mine[0].task_title}: n = {mine[0].estimate.n:,}")
        cells: list[list[str]] = [["", *measures]]
        for system in dict.fromkeys(row.system for row in mine):
            own = {row.measure: row for row in mine if row.system == system}
            title = next(iter(own.values())).system_title
            cells.append([title, *(_figure(own.get(one)) for one in measures)])
            if any(row.over is not None for row in own.values()):
                cells.append(["", *(_change(own.get(one)) for one in measures)])
        lines += [f"  {line}" for line in columns(cells).splitlines()]
    return "\n".join(lines)


def _figure(row: Row | None) -> str:
    if row is None:
        return ""
    value = row.estimate
    return f"{100 * value.mean:.1f} [{100 * value.low:.1f}, {100 * value.high:.1f}]"


def _change(row: Row | None) -> str:
    if row is None or row.over is None:
        return ""
    value = row.over.difference
    counts = f"{row.over.wins}/{row.over.ties}/{row.over.losses}"
    return f"{100 * value.mean:+z.1f} [{100 * value.low:+z.1f}, {100 * value.high:+z.1f}] {counts}"
