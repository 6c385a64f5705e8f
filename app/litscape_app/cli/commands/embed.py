"""``litscape embed``: compute the vectors that meaning and similarity are read from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape_app.cli.command import Answer, Command
from litscape_app.cli.output import counted
from litscape_app.cli.progress import job_context

if TYPE_CHECKING:
    import argparse

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
    text = f"{counted(report.embedded, 'paper')} embedded, {report.reused:,} were already."
    if report.skipped_without_text:
        text += f" {counted(report.skipped_without_text, 'paper')} without a title left out."
    return Answer({name: getattr(report, name) for name in _KEYS}, text)


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--model", metavar="VERSION", help="use this model from now on; see `models list`"
    )
    parser.add_argument("--device", metavar="NAME", help="auto, cpu, cuda or mps, this time")
    parser.add_argument("--threads", type=int, metavar="N", help="processor threads, this time")


_KEYS = {
    "model": "version of the model",
    "embedded": "papers embedded now",
    "reused": "papers whose vector was there already",
    "skipped_without_text": "papers with nothing to embed",
}
EMBED = Command(
    "embed",
    "compute vectors for similarity; Ctrl-C keeps what is done, the next run goes on",
    _embed,
    _arguments,
    keys=_KEYS,
)
