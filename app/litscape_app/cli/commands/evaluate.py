"""``litscape evaluate``: how well search finds what belongs together, in numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.errors import LitscapeError, UserError
from litscape.jobs import JobCancelledError
from litscape_app.cli.command import Answer, Command
from litscape_app.cli.commands import separation
from litscape_app.cli.commands.evaluate_model import EVALUATE_MODEL
from litscape_app.cli.output import columns, counted
from litscape_app.cli.progress import job_context
from litscape_app.cli.values import whole_number

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from litscape.evaluation.past import Past
    from litscape.evaluation.records import Figures, Report
    from litscape_app.cli.session import Session

_TASKS = ("citations", "reranking", "cocitation", "titles", "keywords", "labels")
_PARTS = ("dev", "test")
_HELD = ("auto", "year", "paper")
_KEYS = {
    "task": "what was measured",
    "title": "the same for people",
    "about": "what is asked and what counts as found",
    "part": "dev or test",
    "split": "how queries were held out",
    "queries": "how many there were; 0: too few to say anything",
    "papers": "how many papers could be found",
    "made_at": "when (UTC)",
    "model": "version of the model",
    "seed": "of all draws",
    "figures": "list of {system, title, estimates: by measure {mean, low, high, n}, over: by "
    "measure {difference: {mean, low, high, n}, wins, ties, losses, p}: what it changes over "
    "hybrid search}; measures are shares of 1, intervals of 95 %",
    "sentences": "what came out, in words",
    "notes": "what a reader should know",
    "seconds": "how long it took",
    "number": "its number in the library, or null",
}
_LIST_KEYS = {
    "number": "its number",
    "made_at": "when (UTC)",
    "task": "what was measured; topics: how far labels keep to themselves",
    "part": "dev or test",
    "report": "as `evaluate search` or `evaluate topics` prints it; null: it did not come to its "
    "end",
}


def _search(session: Session) -> Answer:
    from litscape.apart import run_apart
    from litscape.apart.tasks import measure_search
    from litscape.evaluation.records import Wanted

    args = session.args
    names = tuple(dict.fromkeys(args.task)) if args.task else _TASKS
    _check_most(session, names)
    wanted = [Wanted(name, args.split, args.by, args.most, args.seed) for name in names]
    done = _Done(session, len(names))
    try:
        with session.library() as library, job_context(done, terminated=True) as ctx:
            reports = run_apart(library, measure_search, ctx, wanted)
    except (JobCancelledError, KeyboardInterrupt, LitscapeError) as error:
        if isinstance(error, LitscapeError) and not done.reports:
            raise
        if session.out.as_json:
            session.out.answer(Answer([one.to_json() for one in done.reports], ""))
        session.out.message(f"Stopped: {len(done.reports)} of {counted(len(names), 'task')} ended.")
        raise
    return Answer([one.to_json() for one in reports], "")


def _check_most(session: Session, names: Sequence[str]) -> None:
    """Say at once which tasks can't say anything of so few queries."""
    from litscape.evaluation.tasks import TASKS

    most = session.args.most
    short = {name: TASKS[name].least for name in names if TASKS[name].least > most}
    if not short:
        return
    named = ", ".join(f"{name} ({least})" for name, least in short.items())
    said = f"With --most {most} too few queries are drawn to say anything of: {named}."
    if len(short) == len(names):
        raise UserError(f"{said} Give at least --most {min(short.values())}.")
    session.out.message(said)


class _Done:
    """Prints each task when it is measured; where the answer is JSON, only says that it is."""

    def __init__(self, session: Session, tasks: int) -> None:
        self._out, self._tasks, self._number = session.out, tasks, 0
        self.reports: list[Report] = []

    def __call__(self, report: object) -> None:
        from litscape.evaluation.records import Report

        if not isinstance(report, Report):
            return
        self._number += 1
        self.reports.append(report)
        if self._out.as_json:
            self._out.message(f"{report.title}: done ({self._number} of {self._tasks}).")
        else:
            self._out.answer(Answer(None, f"{'' if self._number == 1 else chr(10)}{_told(report)}"))


def _told(report: Report) -> str:
    head = f"{report.title} ({report.task}, {report.part})"
    if not report.figures:
        return "\n".join([head, *(f"  {one}" for one in report.sentences)])
    lines = [
        f"{head}: n = {report.queries:,}, among {counted(report.papers, 'paper')}.",
        f"  {report.about}",
        f"  Held out {report.split}. Per cent with 95 % intervals; ± is against both (hybrid).",
        _table(report),
    ]
    lines += [f"  {one}" for one in (*report.sentences, *report.notes)]
    return "\n".join(lines)


def _table(report: Report) -> str:
    measures = list(dict.fromkeys(name for one in report.figures for name in one.estimates))
    rows: list[list[str]] = [["", *measures]]
    for one in report.figures:
        rows.append([one.title, *(_estimate(one, name) for name in measures)])
        if one.over:
            rows.append(["", *(_change(one, name) for name in measures)])
    return "\n".join(f"  {line}" for line in columns(rows).splitlines())


def _estimate(figures: Figures, measure: str) -> str:
    value = figures.estimates.get(measure)
    if value is None:
        return ""
    return f"{100 * value.mean:.1f} [{100 * value.low:.1f}, {100 * value.high:.1f}]"


def _change(figures: Figures, measure: str) -> str:
    change = figures.over.get(measure)
    if change is None:
        return ""
    told = change.difference
    return f"{100 * told.mean:+z.1f} [{100 * told.low:+z.1f}, {100 * told.high:+z.1f}]"


def _list(session: Session) -> Answer:
    from litscape.evaluation.past import past

    with session.library(reading=True) as library:
        found = past(library.database)
        topics = library.separation.past()
    if not found and not topics:
        return Answer([], "Nothing was measured in this library yet.")
    told = [(one.number, _record(one), _row(one)) for one in found]
    told += [(one.number or 0, separation.record(one), separation.row(one)) for one in topics]
    told.sort(key=lambda one: -one[0])
    return Answer([one[1] for one in told], columns([one[2] for one in told]))


def _record(one: Past) -> dict[str, object]:
    return {
        "number": one.number,
        "made_at": one.made_at,
        "task": one.task,
        "part": one.part,
        "report": one.report.to_json() if one.report else None,
    }


def _row(one: Past) -> list[object]:
    if one.report is None:
        return [one.number, one.made_at, one.task, one.part, "not ended"]
    hybrid = one.report.figure("hybrid")
    shown = f"hybrid nDCG@10 {_estimate(hybrid, 'nDCG@10')}" if hybrid else "words alone"
    return [one.number, one.made_at, one.task, one.part, f"n = {one.report.queries:,}, {shown}"]


def _show(session: Session) -> Answer:
    from litscape.evaluation.past import one

    number = session.args.number
    with session.library(reading=True) as library:
        topics = library.separation.find(number)
        if topics is not None:
            return Answer(separation.record(topics), separation.told(topics))
        found = one(library.database, number)
    text = _told(found.report) if found.report else "It did not come to its end."
    return Answer(_record(found), text)


def _delete(session: Session) -> Answer:
    from litscape.evaluation.past import forget

    number = session.args.number
    with session.library() as library:
        if library.separation.find(number) is not None:
            library.separation.forget(number)
        else:
            forget(library.database, number)
    return Answer({"number": number}, f"Measurement {number} is forgotten.")


def _search_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--task",
        action="append",
        choices=_TASKS,
        help="citations: what a paper cites, in the whole library; reranking: among 25 others; "
        "cocitation: what is cited together with it; titles: a paper by its title, of abstracts; "
        "keywords: papers by a keyword that they do not say; labels: what shares a tag or "
        "collection with it; may be repeated; all by default",
    )
    parser.add_argument(
        "--split",
        choices=_PARTS,
        default="dev",
        help="dev (by default) for every choice; test for a final figure: it is noted in the "
        "library that it was opened",
    )
    parser.add_argument(
        "--by",
        choices=_HELD,
        default="auto",
        help="how links are held out: by year wherever enough queries result (auto), else by paper",
    )
    parser.add_argument(
        "--most",
        type=whole_number(1),
        default=500,
        metavar="N",
        help="at most so many queries a task, drawn; 500 by default",
    )
    parser.add_argument(
        "--seed", type=whole_number(0), default=20, metavar="N", help="of all draws; 20 by default"
    )


def _number_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "number", type=whole_number(1), metavar="NUMBER", help="as `evaluate list` shows it"
    )


EVALUATE = Command(
    "evaluate",
    "measure how well search finds, and vectors hold together, what belongs together",
    default="list",
    commands=(
        Command(
            "search",
            "measure words, TF-IDF, meaning, both and the blend of similar papers",
            _search,
            _search_arguments,
            _KEYS,
            "list",
        ),
        separation.TOPICS,
        EVALUATE_MODEL,
        Command("list", "list what was measured before, newest first (also without a word)", _list,
                keys=_LIST_KEYS, shape="list"),
        Command("show", "show one of these measurements again", _show, _number_argument,
                _LIST_KEYS),
        Command("forget", "remove a measurement; those that opened the test stay", _delete,
                _number_argument, {"number": "its number"}),
    ),
)  # fmt: skip
