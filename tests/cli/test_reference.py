"""``docs/cli.md`` says what the commands are."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from litscape.evaluation.records import Report
from litscape.library import Library
from litscape.search.history import SearchHistory
from litscape.store import evaluations
from litscape_app.cli.commands.maps import MAP
from litscape_app.cli.commands.topics import TOPICS
from litscape_app.cli.main import parse
from litscape_app.cli.reference import reference
from litscape_app.cli.registry import COMMANDS
from litscape_trainer.recipes import recipe
from litscape_trainer.runs.folder import RunFolder
from litscape_trainer.runs.records import RunState

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.cli.conftest import Cli

    from litscape_app.cli.command import Command

PAGE = Path(__file__).resolve().parents[2] / "docs" / "cli.md"


def leaves(commands: tuple[Command, ...] = COMMANDS) -> Iterator[Command]:
    for command in commands:
        yield from leaves(command.commands) if command.commands else [command]


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == reference(), (
        "run: python -m litscape_app.cli.reference > docs/cli.md"
    )


@pytest.mark.parametrize("command", list(leaves()), ids=lambda one: one.name)
def test_every_command_is_described(command: Command) -> None:
    assert command.run is not None
    assert command.keys, "what --json prints"
    assert command.summary


def test_what_is_printed_has_the_documented_keys(cli: Cli, filled: Path, tmp_path: Path) -> None:
    """In an order in which each command finds something; only slow and online ones are left out."""
    lines = """
    add --title 'Researches in telephony again' | similar 1 | search telephony --mode lexical
    mark 1 --rating 5 | read-next
    duplicates list | duplicates refuse 1 3 | duplicates refused | duplicates reconsider 1 3
    related add 1 3 | related list | related remove 1 3
    duplicates merge 1 3 | undo | list | show 1 | info | edit 1 --set title=x
    tag add t 1 | tag list | tag rename t u | tag remove u 1 | tag delete u
    collection create A/B | collection list | collection rename A/B C | collection move A/C
    collection add A 1 | collection remove A 1 | collection delete A | undo | redo | history
    note add 1 x | note list 1 | note edit 1 1 y | note delete 1 1 | mark 1 --read
    similar-weights show | similar-weights reset | feed NEWS --like 1
    reading-list add 1 | reading-list list | reading-list move 1 1 | reading-list remove 1
    open 1 --doi --print | cite 1 | facets | searches list | searches forget
    saved add S year:1859 --mode lexical | saved list | saved run S | saved change S darwin
    saved rename S R | saved delete R
    citations add LINKS | citations stats | citations missing | citations match
    citations rank | citations near 1 | citations refuse 1 2 | undo
    citations export OUT | citations manuscripts TEXT | citations pdfs
    fulltext build | fulltext status | fulltext clear
    evaluate list | evaluate show 1 | evaluate forget 1
    delete 1 | trash list | restore 1 | trash empty | backup | library backup | library check
    library list | library open LIBRARY | library new NEW | library forget NEW | models list
    models show | settings list | settings set threads 1 | settings unset threads
    export --format csv FILE | import SOURCE | watch SOURCE --once | reports list | reports show 1
    reports undo 1
    watched add SOURCE | watched list | watched remove SOURCE
    train recipes | train list | train show run | train write-recipe --recipe head RECIPE
    train delete run
    """
    places = {
        "LIBRARY": str(filled),
        "NEW": str(tmp_path / "new"),
        "FILE": str(tmp_path / "out.csv"),
        "LINKS": str(tmp_path / "links.csv"),
        "OUT": str(tmp_path / "links-out.csv"),
        "TEXT": str(tmp_path / "text.tex"),
        "NEWS": str(tmp_path / "news.bib"),
        "SOURCE": str(tmp_path / "sources" / "papers.bib"),
        "RECIPE": str(tmp_path / "recipe.toml"),
    }
    (tmp_path / "links.csv").write_text("1,10.5555/new\n2,10.5555/new\n1,2\n", "utf-8")
    (tmp_path / "text.tex").write_text("\\cite{bell1876}", "utf-8")
    (tmp_path / "news.bib").write_text("@misc{n, title={Telephony of late years}}", "utf-8")
    measured(filled)
    trained(filled)
    SearchHistory().remember(filled, "telephony")
    seen = set()
    for line in lines.replace("\n", "|").split("|"):
        words = [places.get(word, word) for word in shlex.split(line)]
        if not words:
            continue
        command = parse(words).command
        seen.add(command.summary)
        found = cli(*words, "--json").json
        records = found if command.shape == "list" else [found]
        assert isinstance(found, list if command.shape == "list" else dict), line
        assert records, line
        for record in records:
            assert set(record) == set(command.keys), line
    # "search" is that of `fulltext`, which finds nothing without a PDF.
    left_out = {
        "embed",
        "use",
        "search",
        "add-folder",
        "add-hub",
        "export",
        "example",
        "restore",
        "fetch",
        "learn",
        "activate",
        "rollback",
        "compare",
        "import",
        "remove",
        "prepare",
        "model",
        "topics",
        "start",
        "resume",
        "pause",
        "stop",
        "cancel",
        "survey",
        "estimate",
        "examples",
    }
    # Maps and topics need vectors: test_map_command.py, test_topics_command.py.
    elsewhere = (*MAP.commands, *TOPICS.commands)
    unseen = {one.name for one in leaves() if one.summary not in seen and one not in elsewhere}
    assert unseen <= left_out


def measured(folder: Path) -> None:
    """Store a measurement of search, which would need more papers."""
    when = "2030-01-01T00:00:00+00:00"
    report = Report("titles", "By title", "", "dev", "", 0, 2, when, "model", 20)
    with Library.open(folder) as library, library.database.write() as conn:
        number = evaluations.begin(conn, when, "titles", "dev", "model", 20)
        evaluations.finish(conn, number, report.to_json())


def trained(folder: Path) -> None:
    """Store a run that is over, which would take long."""
    state = RunState("run", "head", status="cancelled", made_at="2030-01-01T00:00:00+00:00")
    RunFolder.make(folder, recipe("head"), state)
