"""``litscape citations fetch``, against a server of the test's own."""

from __future__ import annotations

import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from tests.online_support import Said, Server, bare, fill, make_library, serving

from litscape.online.options import BASES
from litscape_app.cli.commands.fetch import FETCH as FETCH_COMMAND

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.cli.conftest import Cli

FETCH = ("citations", "fetch")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    with serving() as told:
        fill(told, 5)
        bases = ";".join(f"{name}={base}" for name, base in told.bases.items())
        monkeypatch.setenv(BASES, bases)
        monkeypatch.setenv("LITSCAPE_LOOKUP_WAITS", "0.01")
        yield told


@pytest.fixture
def birds(cli: Cli, tmp_path: Path) -> Path:
    """A library of five papers, opened last."""
    make_library(tmp_path / "birds", [bare(n) for n in range(5)]).close()
    assert cli("library", "open", tmp_path / "birds").code == 0
    return tmp_path / "birds"


def test_without_consent_it_says_what_would_be_sent(cli: Cli, server: Server, birds: Path) -> None:
    cli("settings", "set", "mail", "ina@example.org")
    ran = cli(*FETCH, "--source", "openalex", "crossref", "--json")
    ran.refused(
        "needs your consent", "OpenAlex (api.openalex.org) is sent", "Crossref (api.crossref.org)",
        "DOI", "title, first author and year", "ina@example.org", "no abstracts, notes, tags",
        "5 papers: at most 3 requests", "--yes", "citations_consent",
    )  # fmt: skip
    assert server.requests == []


def test_consent_is_for_this_time_or_recorded(cli: Cli, server: Server, birds: Path) -> None:
    told = cli(*FETCH, "--yes", "--json").json
    assert set(told) == set(FETCH_COMMAND.keys)
    assert (told["papers"], told["found"], told["links"], told["requests"]) == (5, 5, 7, 2)
    assert told["filled"]["abstract"] == 5
    assert (told["asked"], told["kept"]) == ({"openalex": 5}, {"openalex": 0})
    assert (told["not_found"], told["failures"]) == ([], [])
    cli(*FETCH).refused("needs your consent")
    cli("settings", "set", "citations_consent", "true")
    again = cli(*FETCH, "--json").json
    assert (again["requests"], again["kept"], again["change_id"]) == (0, {"openalex": 5}, None)
    assert cli("citations", "--json").json["sources"][0]["source"] == "openalex"


def test_its_words_for_a_person(cli: Cli, server: Server, birds: Path) -> None:
    out = cli(*FETCH, "--yes").out
    assert "5 papers of 5 found; 2 requests sent." in out
    assert "7 new links inside the library" in out
    assert "Filled in: 5 abstracts, 5 years" in out


def test_where_values_come_from_is_shown(cli: Cli, server: Server, birds: Path) -> None:
    cli(*FETCH, "--yes", "--source", "crossref")
    (paper,) = cli("show", "w3", "--json").json
    assert paper["looked_up"] == {"abstract": "crossref", "venue": "crossref", "year": "crossref"}
    assert "abstract, venue and year from Crossref" in cli("show", "w3").out
    cli("edit", "w3", "--set", "venue=Elsewhere")
    assert "venue" not in cli("show", "w3", "--json").json[0]["looked_up"]
    cli("undo")
    cli("undo")
    assert cli("show", "w3", "--json").json[0]["looked_up"] == {}
    assert cli("show", "w3", "--json").json[0]["abstract"] is None


def test_only_the_papers_that_are_named(cli: Cli, server: Server, birds: Path) -> None:
    told = cli(*FETCH, "--yes", "--ids", "w3", "10.5555/w4", "--no-fill", "--json").json
    assert told["papers"] == 2
    assert "abstract" not in told["filled"]
    assert set(server.asked) >= {"openalex doi:10.5555/w3", "openalex doi:10.5555/w4"}
    assert "openalex doi:10.5555/w0" not in server.asked


def test_what_was_not_found_can_be_asked_again(cli: Cli, server: Server, birds: Path) -> None:
    works, server.works = server.works, {}
    assert cli(*FETCH, "--yes", "--json").json["not_found"] == [1, 2, 3, 4, 5]
    server.works = works
    assert cli(*FETCH, "--yes", "--json").json["found"] == 0
    assert cli(*FETCH, "--yes", "--again", "--json").json["found"] == 5


def test_who_cites_them(cli: Cli, server: Server, birds: Path) -> None:
    told = cli(*FETCH, "--yes", "--source", "opencitations", "--citing", "--ids", "w2", "--json")
    assert told.json["links"] == 4


def test_a_service_that_answers_nothing_is_a_failure(cli: Cli, server: Server, birds: Path) -> None:
    server.fault = lambda _service, _number: Said(401)
    for more in ((), ("--json",)):
        ran = cli(*FETCH, "--yes", *more)
        assert (ran.code, ran.out) == (2, "")
        assert "OpenAlex refused to answer (401); check the key" in ran.err
    server.fault = lambda service, _number: Said(401) if service == "openalex" else None
    told = cli(*FETCH, "--yes", "--source", "openalex", "crossref", "--json")
    assert (told.code, told.json["failures"][0]["service"]) == (0, "openalex")


def test_keys_are_settings(cli: Cli, server: Server, birds: Path) -> None:
    cli("settings", "set", "semanticscholar_key", "not a key").refused("without blanks")
    cli("settings", "set", "semanticscholar_key", "secret")
    cli(*FETCH, "--source", "semantic-scholar").refused("your key")
    assert cli(*FETCH, "--yes", "--source", "semantic-scholar", "--json").json["found"] == 5
    assert server.headers["x-api-key"] == "secret"


def test_mistakes(cli: Cli, server: Server, birds: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cli(*FETCH, "--yes", "--source", "scopus").refused("no service 'scopus'", "crossref")
    cli(*FETCH, "--yes", "--ids", "nobody").refused("nobody")
    monkeypatch.setenv(BASES, "openalex=http://example.org")
    cli(*FETCH, "--yes").refused("only be asked over https")
    assert server.requests == []


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_ctrl_c_ends_it_and_the_next_one_goes_on(
    cli: Cli, server: Server, birds: Path, home: Path
) -> None:
    server.delay = 3600.0
    child = subprocess.Popen(
        [sys.executable, "-m", "litscape_app", *FETCH, "--yes"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    with child:
        assert server.busy.acquire(timeout=60)
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=60)
    assert (child.returncode, out) == (130, "")
    assert "Stopped." in err
    assert "Traceback" not in err
    server.delay = 0.0
    assert cli(*FETCH, "--yes", "--json").json["found"] == 5
