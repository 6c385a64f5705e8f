"""Looking up papers, against a server of the test's own on this machine."""

from __future__ import annotations

import json
import socket
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from litscape.errors import UserError
from litscape.lookup import Services, lookup
from litscape.news import recent
from litscape.paper import Author, Reference

if TYPE_CHECKING:
    from collections.abc import Iterator

WORK = {
    "DOI": "10.5555/MUD.1",
    "type": "journal-article",
    "title": ["Mud &amp; <i>tide</i>"],
    "subtitle": ["A survey"],
    "author": [
        {"given": "Ina", "family": "Plover", "sequence": "first", "affiliation": []},
        {"name": "Mud Society", "sequence": "additional"},
    ],
    "container-title": ["Journal of Mud"],
    "short-container-title": ["J. Mud"],
    "publisher": "Harbour Press",
    "published-print": {"date-parts": [[2019, 3]]},
    "volume": "4",
    "issue": "2",
    "page": "10-20",
    "ISSN": ["1234-5678"],
    "abstract": "<jats:title>Abstract</jats:title><jats:p>We studied mud.</jats:p>",
    "subject": ["Sedimentology"],
    "URL": "https://doi.org/10.5555/mud.1",
    "reference": [
        {"key": "r1", "DOI": "10.5555/OLD.1", "article-title": "Old mud", "year": "1998"},
        {"key": "r2", "unstructured": "Heron M. (2001) Tides."},
        {"key": "r3"},
    ],
    "reference-count": 3,
    "is-referenced-by-count": 9,
}
FEED = """<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><entry>
<id>http://arxiv.org/abs/1903.00001v2</id><published>2019-03-01T10:00:00Z</published>
<title>Mud is
  all you need</title><summary>  First line
of the abstract.</summary>
<author><name>Ina Plover</name></author><author><name>Tom van Horn</name></author>
<arxiv:doi xmlns:arxiv="http://arxiv.org/schemas/atom">10.5555/mud.2</arxiv:doi>
<arxiv:comment xmlns:arxiv="http://arxiv.org/schemas/atom">9 pages</arxiv:comment>
<category term="cs.CL"/><category term="cs.LG"/></entry></feed>"""
NOTHING = '<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"></feed>'


@dataclass
class Answers:
    """What the server answers, and what it was asked."""

    services: Services
    status: int = 200
    body: str | None = None
    asked: list[tuple[str, dict[str, list[str]], str]] = field(default_factory=list)


@pytest.fixture
def server() -> Iterator[Answers]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            url = urlsplit(self.path)
            query = parse_qs(url.query)
            answers.asked.append((unquote(url.path), query, self.headers["User-Agent"]))
            body = answers.body
            if body is None and url.path.startswith("/works/"):
                body = json.dumps({"status": "ok", "message": WORK})
            elif body is None:
                body = FEED if query.get("id_list") == ["1903.00001"] else NOTHING
            data = body.encode()
            self.send_response(answers.status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            return

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        base = f"http://127.0.0.1:{http.server_port}"
        answers = Answers(Services(base, f"{base}/api/query", base))
        thread = threading.Thread(target=http.serve_forever, args=(0.02,))
        thread.start()
        yield answers
        http.shutdown()
        thread.join()


@pytest.mark.parametrize(
    "text", ["10.5555/mud.1", "https://doi.org/10.5555/MUD.1", "doi:10.5555/mud.1"]
)
def test_a_doi_is_asked_of_crossref(server: Answers, text: str) -> None:
    draft = lookup(text, mail="ina@example.org", services=server.services)
    assert draft.title == "Mud & tide: A survey"
    assert draft.authors == (Author("Plover", "Ina"), Author(literal="Mud Society"))
    assert (draft.year, draft.month, draft.day) == (2019, 3, None)
    assert (draft.venue, draft.volume, draft.issue, draft.pages) == (
        "Journal of Mud",
        "4",
        "2",
        "10-20",
    )
    assert (draft.type, draft.doi, draft.publisher) == ("article", "10.5555/mud.1", "Harbour Press")
    assert draft.abstract is not None
    assert draft.abstract.endswith("We studied mud.")
    assert draft.fields == ("Sedimentology",)
    assert draft.citekey is None
    assert draft.references == (
        Reference("1998, Old mud", "10.5555/old.1", "Old mud", 1998),
        Reference("Heron M. (2001) Tides."),
    )
    path, query, agent = server.asked[0]
    assert path == "/works/10.5555/mud.1"
    assert query == {"mailto": ["ina@example.org"]}
    assert "mailto:ina@example.org" in agent


def test_without_an_address_none_is_sent(server: Answers) -> None:
    lookup("10.5555/mud.1", services=server.services)
    _, query, agent = server.asked[0]
    assert query == {}
    assert "mailto" not in agent


@pytest.mark.parametrize("text", ["1903.00001v2", "arXiv:1903.00001", "10.48550/arXiv.1903.00001"])
def test_an_arxiv_id_is_asked_of_arxiv(server: Answers, text: str) -> None:
    draft = lookup(text, services=server.services)
    assert draft.title == "Mud is all you need"
    assert draft.authors == (Author("Plover", "Ina"), Author("Horn", "Tom", "van"))
    assert (draft.year, draft.month, draft.day) == (2019, 3, 1)
    assert draft.abstract == "First line of the abstract."
    assert (draft.arxiv, draft.doi) == ("1903.00001", "10.5555/mud.2")
    assert draft.fields == ("cs.CL", "cs.LG")
    assert draft.raw_fields == {"comment": "9 pages"}
    assert server.asked[0][0] == "/api/query"


def test_an_unknown_arxiv_id_is_said_to_be_so(server: Answers) -> None:
    with pytest.raises(UserError, match=r"arXiv knows no paper 1903\.09999"):
        lookup("1903.09999", services=server.services)


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (404, "Crossref knows no DOI 10.5555/mud.1"),
        (429, "asks to wait"),
        (503, "has a fault at its end"),
        (403, "refused the question"),
    ],
)
def test_each_refusal_has_its_sentence(server: Answers, status: int, said: str) -> None:
    server.status = status
    with pytest.raises(UserError, match=said):
        lookup("10.5555/mud.1", services=server.services)


@pytest.mark.parametrize("body", ["<html>", "[]", '{"message": []}', '{"message": {}}', ""])
def test_a_strange_answer_is_said_to_be_so(server: Answers, body: str) -> None:
    server.body = body
    for text in ("10.5555/mud.1", "1903.00001"):
        with pytest.raises(UserError, match=r"can't be read|knows no"):
            lookup(text, services=server.services)


def test_entities_in_an_answer_are_not_expanded(server: Answers) -> None:
    server.body = '<!DOCTYPE x [<!ENTITY a "aaaa">]>' + FEED.partition("?>")[2]
    with pytest.raises(UserError, match="can't be read"):
        lookup("1903.00001", services=server.services)


def test_nobody_there_is_said_to_be_so() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        base = f"http://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(UserError, match="could not be reached"):
            lookup("10.5555/mud.1", services=Services(base, base))


def test_no_answer_in_time_is_said_to_be_so() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        base = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(UserError, match="did not answer in time"):
            lookup("10.5555/mud.1", services=Services(base, base), timeout=0.2)


@pytest.mark.parametrize("text", ["", "  ", "hello", "10.5555/", "x" * 500])
def test_what_is_no_identifier_is_never_asked(text: str) -> None:
    with pytest.raises(UserError, match=r"neither a DOI|No DOI"):
        lookup(text, services=Services("http://127.0.0.1:9", "http://127.0.0.1:9"))


def test_new_papers_are_searched_for_at_arxiv(server: Answers) -> None:
    server.body = FEED
    (draft,) = recent('mud "and" tides!', "arxiv", services=server.services, number=1000)
    assert (draft.title, draft.arxiv, draft.year) == ("Mud is all you need", "1903.00001", 2019)
    ((path, query, _agent),) = server.asked
    assert path == "/api/query"
    assert query["search_query"] == ["all:mud AND all:and AND all:tides"]
    assert query["max_results"] == ["200"]
    assert recent("mud", "arxiv", since=2020, services=server.services) == ()


def test_new_papers_are_searched_for_at_openalex(server: Answers) -> None:
    work = {
        "id": "https://openalex.org/W1",
        "doi": "https://doi.org/10.5555/mud.3",
        "display_name": "More mud",
        "publication_year": 2024,
        "authorships": [{"author": {"display_name": "Ina Plover"}}],
        "abstract_inverted_index": {"Mud": [0], "again": [1]},
        "type": "article",
        "referenced_works": [],
    }
    server.body = json.dumps({"meta": {"count": 1}, "results": [work]})
    found = recent("mud", since=2023, mail="ina@example.org", services=server.services)
    assert [(one.title, one.doi, one.abstract) for one in found] == [
        ("More mud", "10.5555/mud.3", "Mud again")
    ]
    ((path, query, agent),) = server.asked
    assert path == "/works"
    assert query["filter"] == ["from_publication_date:2023-01-01"]
    assert query["mailto"] == ["ina@example.org"]
    assert "ina@example.org" in agent


def test_a_search_that_fails_says_why(server: Answers) -> None:
    for query, place, what in (("!!", "arxiv", "no word"), ("mud", "nowhere", "no search at")):
        with pytest.raises(UserError, match=what):
            recent(query, place, services=server.services)  # type: ignore[arg-type]
    for place, body in (("arxiv", "<feed"), ("openalex", "no JSON"), ("arxiv", "<!DOCTYPE x>")):
        server.body = body
        with pytest.raises(UserError, match="can't be read"):
            recent("mud", place, services=server.services)  # type: ignore[arg-type]
    server.status = 429
    with pytest.raises(UserError, match="wait"):
        recent("mud", services=server.services)
