"""``litscape embed``: compute the vectors that meaning and similarity are read from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape_app.cli.command import Answer, Command
from litscape_app.cli.output import counted
from litscape_app.cli.progress import job_context

if TYPE_CHECKING:
    import argparse

    from litscape.embed.incremental import EmbedReport
    from litscape_app.cli.session import Session


def _embed(session: Session) -> Answer:
    args = session.args
    settings = session.settings
    if args.device:
        settings = settings.with_value("device", args.device)
    if args.threads is not None:
        settings = settings.with_value("threads", args.threads)
    with session.library(settings=settings) as library, job_context() as ctx:
        if args.model:
            library.models.activate(args.model)
        report = library.embed(ctx)
    for note in report.notes:
        session.out.message(note)
    text = _summary(report)
    record = {name: getattr(report, name) for name in _KEYS}
    return Answer(
        {
            **record,
            "seconds": round(report.seconds, 3),
            "without_text": list(report.without_text),
            "notes": list(report.notes),
        },
        text,
    )


def _summary(report: EmbedReport) -> str:
    """The outcome for a person."""
    parts = [f"{counted(report.embedded, 'paper')} embedded."]
    if report.reused:
        parts.append(f"{_papers_that(report.reused)} a vector already.")
    if report.without_abstract:
        parts.append(f"{_papers_that(report.without_abstract)} only a title to compare.")
    if report.without_text:
        what = "neither title nor abstract and can't be compared"
        parts.append(f"{_papers_that(len(report.without_text))} {what}.")
    return " ".join(parts)


def _papers_that(number: int) -> str:
    return f"{counted(number, 'paper')} {'has' if number == 1 else 'have'}"


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--model", metavar="VERSION", help="use this model from now on; see `models list`"
    )
    parser.add_argument("--device", metavar="NAME", help="auto, cpu, cuda or mps, this time")
    parser.add_argument("--threads", type=int, metavar="N", help="processor threads, this time")


_KEYS = {
    "version": "version of the model",
    "embedded": "papers embedded now",
    "reused": "papers whose vector was there already",
    "without_text": "ids of papers with nothing to embed",
    "without_abstract": "papers embedded by title only",
    "seconds": "how long it took",
    "notes": "list of sentences on what is worth knowing",
}
EMBED = Command(
    "embed",
    "compute vectors for similarity; Ctrl-C keeps what is done, the next run goes on",
    _embed,
    _arguments,
    keys=_KEYS,
)
