"""Whatever stands at any place of an answer, it is read or refused, and the library stays whole."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.online_support import Made, Said, bare, fill, make_library

from litscape.importers.json_values import members
from litscape.jobs import null_context
from litscape.online.client import Client
from litscape.online.faults import OnlineError
from litscape.online.fetch import fetch
from litscape.online.pace import Pace
from litscape.online.records import Work
from litscape.online.services.registry import SERVICES, service
from litscape.papers import Papers
from litscape.store.integrity import check

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.online_support import Server

NAMES = [one.facts.id for one in SERVICES]
ODD: tuple[Any, ...] = (
    None, True, -1, 10**30, 1e300, "", "x", "\u202e\x00<b>&amp;", [], {}, [None], [[]], {"a": {}},
)  # fmt: skip
MADE = Made(1, cites=(0, 2))


def shapes() -> dict[str, Any]:
    works = {"results": [MADE.openalex()], "meta": {"count": 1, "next_cursor": None}}
    return {
        "openalex": works,
        "crossref": {"status": "ok", "message": {"items": [MADE.crossref()]}},
        "semanticscholar": [MADE.semanticscholar()],
        "opencitations": [{**MADE.meta(), "citing": "doi:10.5555/w1", "cited": "doi:10.5555/w0"}],
    }


def changed(value: Any, top: Any, place: tuple[Any, ...] = ()) -> Iterator[str]:
    """The whole with an odd value at each place in turn, as JSON."""
    inner = value.items() if isinstance(value, dict) else enumerate(members(value))
    for key, one in inner:
        yield from changed(one, top, (*place, key))
    for odd in ODD:
        whole = copy.deepcopy(top)
        if not place:
            yield json.dumps(odd)
            continue
        spot = whole
        for key in place[:-1]:
            spot = spot[key]
        spot[place[-1]] = odd
        yield json.dumps(whole)


class Answering(Client):
    """A client that is told what to answer."""

    body = ""

    def get(self, path: str, params: Any = None) -> Any:
        return json.loads(self.body)

    def post(self, path: str, params: Any, body: Any) -> Any:
        return json.loads(self.body)


@pytest.mark.parametrize("name", NAMES)
def test_any_value_at_any_place_is_read_or_refused(name: str) -> None:

    one, shape = service(name), shapes()[name]
    client = Answering("it", one.facts.base, null_context(), Pace())
    read = 0
    for body in changed(shape, shape):
        client.body = body
        try:
            found = one.ask(client, ["doi:10.5555/w1"])
        except OnlineError:
            continue
        work = found["doi:10.5555/w1"]
        if work is not None:
            read += 1
            assert Work.from_json(json.loads(json.dumps(work.to_json()))) == work, body
    assert read > 50


@pytest.mark.parametrize("name", NAMES)
def test_odd_values_do_no_harm_in_the_library(server: Server, tmp_path: Path, name: str) -> None:
    fill(server, 2)
    odd = shapes()[name]
    text = json.dumps(odd).replace("Journal of Mud", "\\u0000\\ud800 <i>Mud</i>\\n\\n" + "y" * 9000)
    server.fault = lambda _service, _number: Said(body=text.encode())
    with make_library(tmp_path / "library", [bare(1)]) as database:
        report = fetch(database, server.options(name))
        assert report.found == 1
        assert check(database) == []
        venue = Papers(database).get(1).venue
        assert venue is not None
        assert "\x00" not in venue
