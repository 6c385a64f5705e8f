"""``litscape add``: one paper by DOI, arXiv id, BibTeX or by hand."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from litscape.errors import EnvironmentFault, UserError
from litscape_app.cli.command import Answer, Command
from litscape_app.cli.commands.imports import describe_report
from litscape_app.cli.progress import job_context
from litscape_app.cli.records import REPORT_KEYS, report_record
from litscape_app.cli.refs import split_path

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from litscape.paper import ImportProblem, PaperDraft
    from litscape_app.cli.session import Session

_BY_HAND = ("title", "year", "venue", "type", "abstract", "url", "citekey")


def _add(session: Session) -> Answer:
    args = session.args
    if args.bibtex:
        found = _from_bibtex(args.bibtex)
    elif args.doi or args.arxiv:
        found = [_looked_up(session)]
    else:
        found = [_by_hand(args)]
    found = [_labelled(one, args) for one in found]
    with session.library(create=True) as library, job_context() as ctx:
        report = library.imports.run_drafts(found, ctx)
        ids = sorted(report.changes.added | report.changes.changed)
        return Answer({**report_record(report), "ids": ids}, describe_report(report, library))


def _looked_up(session: Session) -> PaperDraft:
    args = session.args
    identifier = args.doi or args.arxiv
    if not (session.settings.lookup_consent or args.allow_network):
        raise UserError(
            f"{identifier} was not looked up: that asks Crossref or arXiv over the internet and "
            "needs your consent. Give --allow-network for this time, or for good "
            "`litscape settings set lookup_consent true`."
        )
    from litscape.lookup import lookup

    return lookup(identifier, mail=session.settings.mail)


def _from_bibtex(name: str) -> Sequence[PaperDraft | ImportProblem]:
    from litscape.importers.base import SourceText
    from litscape.importers.registry import importer
    from litscape.paper import PaperDraft

    if name == "-":
        if sys.stdin is None:
            raise UserError("There is no standard input to read BibTeX from.")
        try:
            text = sys.stdin.buffer.read().decode("utf-8")
        except UnicodeDecodeError as error:
            raise UserError("The BibTeX on stdin is not UTF-8.") from error
        except OSError as error:
            raise EnvironmentFault(f"stdin could not be read: {error.strerror}.") from error
        source = SourceText("stdin", text, "utf-8")
    else:
        from litscape.importers.decode import read_source

        source = read_source(Path(name).expanduser().absolute())
    found = list(importer("bibtex").read(source))
    if not any(isinstance(one, PaperDraft) for one in found):
        raise UserError(f"There is no BibTeX entry in {source.location}.")
    return found


def _by_hand(args: argparse.Namespace) -> PaperDraft:
    from litscape.field_values import checked
    from litscape.importers.names import parse_names
    from litscape.paper import PaperDraft

    if not args.title:
        raise UserError("Name the paper with --doi, --arxiv, --bibtex or --title.")
    authors = tuple(one for text in args.author or () for one in parse_names(text)[0])
    given = {name: getattr(args, name) for name in _BY_HAND}
    values = checked({name: value for name, value in given.items() if value is not None})
    values.pop("year_raw", None)
    return PaperDraft(authors=authors, **values)


def _labelled(
    one: PaperDraft | ImportProblem, args: argparse.Namespace
) -> PaperDraft | ImportProblem:
    """A draft with the tags and the collection asked for."""
    from litscape.paper import PaperDraft

    if not isinstance(one, PaperDraft):
        return one
    place = (split_path(args.collection),) if args.collection else ()
    return dataclasses.replace(
        one,
        tags=tuple(dict.fromkeys((*one.tags, *(args.tag or ())))),
        collections=tuple(dict.fromkeys((*one.collections, *place))),
    )


def _arguments(parser: argparse.ArgumentParser) -> None:
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--doi", metavar="DOI", help="look this DOI up at Crossref")
    way.add_argument("--arxiv", metavar="ID", help="look this arXiv id up")
    way.add_argument("--bibtex", metavar="FILE", help="read BibTeX from a file; - for stdin")
    way.add_argument("--title", metavar="TEXT", help="describe it by hand: its title")
    parser.add_argument(
        "--author", action="append", metavar="NAME", help="by hand: `Family, Given`; repeat"
    )
    parser.add_argument("--year", metavar="N", help="by hand")
    parser.add_argument("--venue", metavar="TEXT", help="by hand: journal, proceedings or book")
    parser.add_argument("--type", metavar="WORD", help="by hand: article, book …")
    parser.add_argument("--abstract", metavar="TEXT", help="by hand")
    parser.add_argument("--url", metavar="URL", help="by hand")
    parser.add_argument("--citekey", metavar="KEY", help="by hand; by default one is made")
    parser.add_argument("--tag", action="append", metavar="TAG", help="tag it; may be repeated")
    parser.add_argument("--collection", metavar="PATH", help="put it in this collection")
    parser.add_argument(
        "--allow-network", action="store_true", help="consent to look it up online this time"
    )


ADD = Command(
    "add",
    "add one paper by DOI, arXiv id, BibTeX or by hand",
    _add,
    _arguments,
    keys={**REPORT_KEYS, "ids": "ids of the papers added or changed"},
)
