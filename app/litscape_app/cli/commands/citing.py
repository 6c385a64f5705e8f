"""``litscape cite`` and ``open``: papers for a text, and on the way out of the program."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import webbrowser
from typing import TYPE_CHECKING

from litscape_app.cli.command import Answer, Command
from litscape_app.cli.refs import add_refs, resolve_all

if TYPE_CHECKING:
    import argparse

    from litscape.citing.rendering import Form
    from litscape.opening import Target, Way
    from litscape_app.cli.session import Session

FORMATS = ("text", "html", "bibtex")


def _cite(session: Session) -> Answer:
    from litscape.citing.rendering import cite

    args = session.args
    with session.library(reading=True) as library:
        ids = resolve_all(library, args.refs)
        if args.format == "bibtex":
            text = io.StringIO()
            library.export("bibtex", text, ids)
            record = {"style": "bibtex", "ids": ids, "entries": [], "in_text": ""}
            return Answer({**record, "text": text.getvalue()}, text.getvalue().rstrip())
        form: Form = "html" if args.format == "html" else "text"
        style = args.style or session.settings.citation_style
        cited = cite(library.papers.many(ids), style, form)
    whole = cited.html if form == "html" else cited.text
    record = {
        "style": cited.style,
        "ids": list(cited.papers),
        "entries": list(cited.entries),
        "in_text": cited.in_text,
        "text": cited.in_text if args.in_text else whole,
    }
    return Answer(record, cited.in_text if args.in_text else whole)


def _cite_arguments(parser: argparse.ArgumentParser) -> None:
    from litscape.citing.styles import BUILT_IN

    add_refs(parser)
    names = ", ".join(style.name for style in BUILT_IN)
    parser.add_argument(
        "--style",
        metavar="STYLE",
        help=f"{names}, or the path of a .csl file (the setting citation_style)",
    )
    parser.add_argument(
        "--format", choices=FORMATS, default="text", help="plain text, HTML, or BibTeX (text)"
    )
    parser.add_argument(
        "--in-text", action="store_true", help="what stands in the text, not in the list"
    )


def _open(session: Session) -> Answer:
    from litscape.opening import best_target, target

    args = session.args
    way: Way | None = args.way
    with session.library(reading=True) as library:
        (paper,) = library.papers.many(resolve_all(library, [args.ref]))
        found = target(library, paper, way) if way else best_target(library, paper)
    if not args.print:
        hand_over(found)
    record = {"id": paper.id, "way": found.way, "target": found.address, "opened": not args.print}
    said = found.address if args.print else f"Opened {found.address}."
    return Answer(record, said)


def hand_over(target: Target) -> None:
    """Let the program that is there for it open something.

    Raises:
        EnvironmentFault: none did.
    """
    from litscape.errors import EnvironmentFault

    if target.way in ("doi", "web"):
        opened = webbrowser.open(target.address)
    elif sys.platform == "win32":
        os.startfile(target.address)
        opened = True
    else:
        program = "open" if sys.platform == "darwin" else "xdg-open"
        try:
            done = subprocess.run(
                [program, target.address], check=False, capture_output=True, timeout=60
            )
            opened = done.returncode == 0
        except (OSError, subprocess.TimeoutExpired):
            opened = False
    if not opened:
        raise EnvironmentFault(
            f"No program on this computer opened {target.address}; "
            "with --print its address is only printed."
        )


def _open_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ref", metavar="REF", help="the paper: its id, citation key or DOI")
    ways = parser.add_mutually_exclusive_group()
    ways.add_argument(
        "--pdf", dest="way", action="store_const", const="pdf",
        help="its first PDF that is there (by default, or the page of its DOI, arXiv id, URL)",
    )  # fmt: skip
    ways.add_argument(
        "--doi", dest="way", action="store_const", const="doi", help="its DOI in the browser"
    )
    ways.add_argument(
        "--zotero", dest="way", action="store_const", const="zotero", help="its item in Zotero"
    )
    parser.add_argument("--print", action="store_true", help="only print where it is")


CITE = Command(
    "cite",
    "write citations in a style, or BibTeX",
    _cite,
    _cite_arguments,
    keys={
        "style": "the style's title",
        "ids": "the papers in the order of the list",
        "entries": "what the list of references says of each; none for BibTeX",
        "in_text": "what stands in the text; none for BibTeX",
        "text": "what is printed without --json",
    },
)
OPEN = Command(
    "open",
    "open a paper's PDF, DOI or Zotero item",
    _open,
    _open_arguments,
    keys={
        "id": "the paper's id",
        "way": "`pdf`, `doi`, `zotero`, or `web` for another page",
        "target": "the path or address",
        "opened": "whether a program was asked to open it",
    },
)
