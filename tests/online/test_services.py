"""How each service is asked, and what is read of its answers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from tests.online_support import Said, fill

from litscape.errors import UserError
from litscape.jobs import null_context
from litscape.online.client import Client
from litscape.online.faults import UnreachableError
from litscape.online.pace import Pace
from litscape.online.questions import best, questions
from litscape.online.records import AskedPaper, Work
from litscape.online.services.registry import SERVICES, service
from litscape.paper import Reference

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import AbstractContextManager

    from tests.online_support import Server

    from litscape.online.services.base import Service, Works

NAMES = [one.facts.id for one in SERVICES]
PLAIN = Pace(interval=0.0, attempts=2, backoff=0.01)


def connected(server: Server, one: Service) -> AbstractContextManager[Client]:
    facts = one.facts
    return Client(
        facts.name, server.bases[facts.id], null_context(), PLAIN,
        headers=one.headers("ina@example.org", "secret"),
        params=one.params("ina@example.org", "secret"),
    )  # fmt: skip


def ask(server: Server, name: str, asked: Sequence[str]) -> Works:
    one = service(name)
    with connected(server, one) as client:
        return one.ask(client, asked)


@pytest.fixture(autouse=True)
def works(server: Server) -> Iterator[None]:
    fill(server, 150)
    yield
    assert all(name in NAMES for name, _ in server.requests)


@pytest.mark.parametrize("name", NAMES)
def test_a_work_is_found_by_its_doi(server: Server, name: str) -> None:
    found = ask(server, name, ["doi:10.5555/w4", "doi:10.5555/nobody"])
    assert found["doi:10.5555/nobody"] is None
    work = found["doi:10.5555/w4"]
    assert work is not None
    assert work.identifiers["doi"] == "10.5555/w4"
    assert (work.title, work.year, work.venue) == (
        "Counting the birds of mudflat number 4", 1994, "Journal of Mud",
    )  # fmt: skip
    assert work.families[0] == "Plover"
    assert len(work.references) == 3
    assert Work.from_json(work.to_json()) == work
    if "abstract" in service(name).facts.fills:
        assert work.abstract == "We counted birds."


def test_openalex_gives_ids_alone_which_are_named_afterwards(server: Server) -> None:
    one = service("openalex")
    with connected(server, one) as client:
        work = one.ask(client, ["doi:10.5555/w4"])["doi:10.5555/w4"]
        assert work is not None
        ids = [reference.source_id for reference in work.references]
        assert ids == ["openalex:W3", "openalex:W2", "openalex:W900002"]
        assert (work.fields, work.mesh) == (("Wading birds",), ("Birds",))
        named = one.name_cited(client, ["openalex:W3", "openalex:W7777"])
    assert named == {
        "openalex:W3": Reference(
            doi="10.5555/w3", title="Counting the birds of mudflat number 3", year=1993,
            source_id="openalex:W3", extra={"author": "Plover"},
        )
    }  # fmt: skip


def test_the_other_services_name_what_is_cited_at_once(server: Server) -> None:
    for name in ("crossref", "semanticscholar", "opencitations"):
        work = ask(server, name, ["doi:10.5555/w4"])["doi:10.5555/w4"]
        assert work is not None
        dois = [reference.doi for reference in work.references]
        assert dois == ["10.5555/w3", "10.5555/w2", "10.5555/w900002"]


@pytest.mark.parametrize("name", ["openalex", "crossref", "semanticscholar"])
def test_a_paper_without_identifier_is_found_by_its_title(server: Server, name: str) -> None:
    one = service(name)
    paper = AskedPaper(1, {}, "Counting the birds of mudflat number 7", ("Plover",), 1997)
    assert [question[:6] for question in questions(paper, one.facts)] == ["title:"]
    with connected(server, one) as client:
        work = best(paper, one.search(client, paper))
        assert work is not None
        assert (work.identifiers["doi"], work.method) == ("10.5555/w7", "title")
        assert 0.9 < work.score < 1
        unknown = replace(paper, title="A study of something else altogether")
        assert best(unknown, one.search(client, unknown)) is None


def found_work(**values: Any) -> Work:
    told = {"title": "Mud and tide in the north of Europe", "families": ("Plover",), "year": 2001}
    return Work(**{**told, **values})


def asked_for(**values: Any) -> AskedPaper:
    told: dict[str, Any] = {"identifiers": {}, "title": "Mud and tide in the north of Europe"}
    return AskedPaper(1, **{**told, "families": ("Plover",), "year": 2001, **values})


@pytest.mark.parametrize(
    ("paper", "work", "accepted"),
    [
        (asked_for(), found_work(), True),
        (asked_for(), found_work(title="MUD and <i>tide</i> in the North of Europe."), True),
        (asked_for(), found_work(year=2002), True),
        (asked_for(year=None), found_work(), True),
        (asked_for(families=()), found_work(), True),
        (asked_for(title="Mud", families=()), found_work(title="Mud"), False),
        (asked_for(), found_work(year=2009), False),
        (asked_for(), found_work(families=("Heron",)), False),
        (asked_for(year=None), found_work(families=()), False),
        (asked_for(), found_work(title="Mud and tide in the south of Spain"), False),
        (asked_for(), found_work(title=None), False),
        (asked_for(identifiers={"doi": "10.1/a"}),
         found_work(identifiers={"doi": "10.1/b"}), False),
        (asked_for(identifiers={"pmid": "1"}), found_work(identifiers={"pmid": "2"}), False),
        (asked_for(identifiers={"doi": "10.48550/arxiv.1903.1"}),
         found_work(identifiers={"doi": "10.1/b"}), True),
    ],
)  # fmt: skip
def test_a_title_needs_its_author_or_year(paper: AskedPaper, work: Work, accepted: bool) -> None:
    assert (best(paper, [work]) is not None) == accepted


def test_of_several_works_the_one_that_fits_best_is_taken() -> None:
    near, right = found_work(year=2002), found_work()
    chosen = best(asked_for(), [near, right])
    assert chosen is not None
    assert chosen.year == 2001


def test_what_is_asked_goes_from_the_best_identifier_to_the_title() -> None:
    facts = service("openalex").facts
    ids = {"pmid": "7", "arxiv": "1903.00001"}
    asked = list(questions(asked_for(identifiers=ids), facts))
    assert asked == ["pmid:7", "arxiv:1903.00001", "title:mudandtideinthenorthofeurope|plover|2001"]
    with_doi = asked_for(identifiers={"doi": "10.1/a", **ids})
    assert list(questions(with_doi, facts)) == ["doi:10.1/a", "pmid:7", "arxiv:1903.00001"]
    assert list(questions(asked_for(title=None), facts)) == []
    assert list(questions(asked_for(families=(), year=None), facts)) == []
    assert list(questions(with_doi, service("crossref").facts)) == ["doi:10.1/a"]
    assert list(questions(asked_for(), service("opencitations").facts)) == []


def test_a_hundred_works_are_one_request_to_openalex(server: Server) -> None:
    asked = [f"doi:10.5555/w{n}" for n in range(60)] + [f"pmid:{70000 + n}" for n in range(60, 100)]
    found = ask(server, "openalex", asked)
    assert all(found.values())
    assert len(server.requests) == 2  # one for each scheme
    assert found["pmid:70099"] is not None
    assert found["pmid:70099"].identifiers["doi"] == "10.5555/w99"


def test_the_pages_of_openalex_are_followed(server: Server) -> None:
    server.page = 3
    found = ask(server, "openalex", [f"doi:10.5555/w{n}" for n in range(8)])
    assert all(found.values())
    assert len(server.requests) == 3


@pytest.mark.parametrize("name", ["openalex", "crossref"])
def test_a_doi_with_signs_of_the_filter_is_asked_for_alone(server: Server, name: str) -> None:
    odd = "doi:10.5555/a,b|c"
    found = ask(server, name, ["doi:10.5555/w1", odd, "doi:10.5555/w2"])
    assert [bool(found[one]) for one in ("doi:10.5555/w1", odd, "doi:10.5555/w2")] == [
        True, False, True,
    ]  # fmt: skip
    assert len(server.requests) == 2


def test_semantic_scholar_may_know_none_of_the_ids(server: Server) -> None:
    found = ask(server, "semanticscholar", ["doi:10.1/a", "doi:10.1/b"])
    assert found == {"doi:10.1/a": None, "doi:10.1/b": None}
    assert len(server.requests) == 1


def test_opencitations_says_who_cites_a_work(server: Server) -> None:
    one = service("opencitations")
    with connected(server, one) as client:
        assert one.citing(client, "doi:10.5555/w4") == ["doi:10.5555/w5", "doi:10.5555/w6"]
        assert one.citing(client, "doi:10.5555/nobody") == []


def test_the_mail_address_goes_to_those_who_ask_for_it(server: Server) -> None:
    for name in NAMES:
        ask(server, name, ["doi:10.5555/w1"])
        told = "mailto" in server.requests[-1][1]
        assert told == service(name).facts.mail == ("mailto" in server.headers["user-agent"])
        assert server.headers["user-agent"].startswith("Litscape/")


def test_a_key_goes_to_its_service_alone(server: Server) -> None:
    ask(server, "openalex", ["doi:10.5555/w1"])
    assert "api_key=secret" in server.requests[-1][1]
    ask(server, "semanticscholar", ["doi:10.5555/w1"])
    assert server.headers["x-api-key"] == "secret"
    ask(server, "opencitations", ["doi:10.5555/w1"])
    assert server.headers["authorization"] == "secret"
    ask(server, "crossref", ["doi:10.5555/w1"])
    assert "secret" not in str(server.headers) + server.requests[-1][1]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "body", [b"{}", b"[1]", b"null", b'"x"', b'{"results": [3]}', b'{"message": {"items": {}}}']
)
def test_json_of_another_form_is_no_answer(server: Server, name: str, body: bytes) -> None:
    server.fault = lambda _service, _number: Said(body=body)
    with pytest.raises(UnreachableError, match="form that is not known"):
        ask(server, name, ["doi:10.5555/w1", "doi:10.5555/w2"])


@pytest.mark.parametrize("name", NAMES)
def test_works_that_hold_nothing_are_no_answer(server: Server, name: str) -> None:
    empty = {
        "openalex": b'{"results": [{}, {"id": null, "referenced_works": 3}]}',
        "crossref": b'{"message": {"items": [{}, {"DOI": 7, "reference": [null, {}]}]}}',
        "semanticscholar": b"[null, {}]",
        "opencitations": b"[]",
    }[name]
    server.fault = lambda _service, _number: Said(body=empty)
    found = ask(server, name, ["doi:10.5555/w1", "doi:10.5555/w2"])
    assert not any(found.values())


def test_a_service_is_named_however_a_person_writes_it() -> None:
    assert service("Semantic Scholar") is service("semantic-scholar") is SERVICES[2]
    with pytest.raises(UserError, match=r"no service 'scopus'.*openalex, crossref"):
        service("scopus")


@pytest.mark.parametrize("one", SERVICES, ids=NAMES)
def test_every_service_describes_itself(one: Service) -> None:
    facts = one.facts
    assert facts.base.startswith("https://")
    assert facts.schemes
    assert 1 <= facts.batch <= 500
    assert facts.pace.interval > 0
    assert facts.name not in ("", facts.id)
