"""A server on this machine that plays OpenAlex, Crossref, Semantic Scholar and OpenCitations.

Its answers have the published shapes and are about made-up works: ``10.5555/w1`` cites
``10.5555/w0`` and an outside work, and so on.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections import Counter, deque
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, unquote, urlsplit

from litscape.online.records import FetchOptions
from litscape.paper import Author, PaperDraft
from litscape.store.bulk import NewPaper, insert_papers
from litscape.store.database import Database

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

Json = Any
OUTSIDE = 900_000


@dataclass(frozen=True)
class Said:
    """An answer that is no good one."""

    status: int = 200
    body: bytes = b"{}"
    headers: dict[str, str] = field(default_factory=dict)
    cut: bool = False
    wait: float = 0.0


@dataclass
class Made:
    """One made-up work and how the services tell of it."""

    number: int
    cites: tuple[int, ...] = ()
    abstract: str | None = "We counted birds."

    @property
    def doi(self) -> str:
        return f"10.5555/w{self.number}"

    @property
    def title(self) -> str:
        return f"Counting the birds of mudflat number {self.number}"

    @property
    def year(self) -> int:
        return 1990 + self.number % 30

    def openalex(self) -> Json:
        words = (self.abstract or "").split()
        return {
            "id": f"https://openalex.org/W{self.number}",
            "ids": {
                "openalex": f"https://openalex.org/W{self.number}",
                "pmid": f"https://pubmed.ncbi.nlm.nih.gov/{70000 + self.number}",
            },
            "doi": f"https://doi.org/{self.doi}",
            "display_name": self.title,
            "publication_year": self.year,
            "publication_date": f"{self.year}-05-06",
            "type": "article",
            "authorships": [
                {"author": {"id": "https://openalex.org/A1", "display_name": "Ina Plover"}}
            ],
            "primary_location": {"source": {"display_name": "Journal of Mud"}},
            "abstract_inverted_index": {word: [n] for n, word in enumerate(words)} or None,
            "topics": [
                {"id": "https://openalex.org/T1", "display_name": "Wading birds", "score": 0.9}
            ],
            "mesh": [{"descriptor_ui": "D001717", "descriptor_name": "Birds"}],
            "referenced_works": [f"https://openalex.org/W{n}" for n in self.cites],
        }

    def crossref(self) -> Json:
        return {
            "DOI": self.doi.upper(),
            "type": "journal-article",
            "title": [self.title],
            "author": [{"given": "Ina", "family": "Plover", "sequence": "first"}],
            "container-title": ["Journal of Mud"],
            "issued": {"date-parts": [[self.year, 5]]},
            "abstract": f"<jats:p>{self.abstract}</jats:p>",
            "reference": [
                {"key": f"r{n}", "DOI": f"10.5555/w{n}", "author": "Plover", "year": "2001"}
                for n in self.cites
            ],
        }

    def semanticscholar(self) -> Json:
        return {
            "paperId": f"{self.number:040x}",
            "externalIds": {"DOI": self.doi, "PubMed": str(70000 + self.number), "CorpusId": 5},
            "title": self.title,
            "abstract": self.abstract,
            "year": self.year,
            "venue": "Journal of Mud",
            "authors": [{"authorId": "1", "name": "Ina Plover"}],
            "fieldsOfStudy": ["Biology"],
            "publicationTypes": ["JournalArticle"],
            "references": [
                {
                    "paperId": f"{n:040x}",
                    "externalIds": {"DOI": f"10.5555/w{n}"},
                    "title": f"Counting the birds of mudflat number {n}",
                    "year": 1990 + n % 30,
                }
                for n in self.cites
            ],
        }

    def meta(self) -> Json:
        return {
            "id": f"doi:{self.doi} pmid:{70000 + self.number} omid:br/06{self.number}",
            "title": self.title,
            "author": "Plover, Ina [orcid:0000-0002-1825-0097 omid:ra/1]; Tern, Tom [omid:ra/2]",
            "pub_date": f"{self.year}-05-06",
            "venue": "Journal of Mud [issn:1234-5679 omid:br/07]",
            "type": "journal article",
            "issue": "", "volume": "", "page": "", "publisher": "", "editor": "",
        }  # fmt: skip


@dataclass
class Server:
    """What the server knows, what it was asked, and what it does wrong.

    Attributes:
        works: by number.
        asked: how often each thing was asked for, as ``openalex doi:10.5555/w1``.
        requests: service and path with query of each request, in order.
        headers: of the last request.
        wrong: what is answered next instead of what would be right.
        fault: answers wrongly for as long as it gives anything: service, number of the request.
        delay: seconds before each answer.
        page: works on a page of OpenAlex.
        refused: a question that holds this is refused.
        refusal: the status with which it is.
        busy: released once for each request that comes in.
    """

    root: str = ""
    works: dict[int, Made] = field(default_factory=dict)
    asked: Counter[str] = field(default_factory=Counter)
    requests: list[tuple[str, str]] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    wrong: deque[Said] = field(default_factory=deque)
    fault: Callable[[str, int], Said | None] = lambda _service, _number: None
    delay: float = 0.0
    page: int = 100
    refused: str = ""
    refusal: int = 400
    busy: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))

    @property
    def bases(self) -> dict[str, str]:
        names = ("openalex", "crossref", "semanticscholar", "opencitations")
        return {name: f"{self.root}/{name}" for name in names}

    def options(self, *services: str, **more: Any) -> FetchOptions:
        return FetchOptions(
            services=services or ("openalex",), bases=self.bases, waits=0.01, **more
        )

    def by_doi(self, doi: str) -> Made | None:
        found = re.fullmatch(r"10\.5555/w(\d+)", doi.lower())
        return self.works.get(int(found[1])) if found else None

    def note(self, service: str, question: str) -> None:
        self.asked[f"{service} {question}"] += 1

    # -- each service ----------------------------------------------------------------------------

    def openalex(self, path: str, query: dict[str, str], _body: Json) -> Json:
        if path.startswith("/works/doi:"):
            doi = path.removeprefix("/works/doi:")
            self.note("openalex", f"doi:{doi}")
            work = self.by_doi(doi)
            return work.openalex() if work else Said(404, b'{"error":"Not Found"}')
        name, _, values = query["filter"].partition(":")
        wanted = values.split("|")
        if len(wanted) > 100 or "," in values:
            return Said(400, b'{"error":"Invalid query parameters error.","message":"too many"}')
        if name == "title.search":
            self.note("openalex", f"title:{values}")
            found = [w for w in self.works.values() if w.title == values]
        else:
            cited = "abstract_inverted_index" not in query["select"]
            for one in wanted:
                self.note("openalex", f"cited:{one}" if cited else f"{name}:{one}")
            found = [work for one in wanted if (work := self._openalex(name, one))]
        each = min(self.page, int(query["per-page"]))
        start = 0 if query.get("cursor", "*") == "*" else int(query["cursor"])
        fields = query["select"].split(",")
        page = [one.openalex() for one in found[start : start + each]]
        more = str(start + each) if len(found) > start + each else None
        return {
            "meta": {"count": len(found), "per_page": each, "next_cursor": more},
            "results": [{key: one[key] for key in fields if key in one} for one in page],
            "group_by": [],
        }

    def _openalex(self, name: str, value: str) -> Made | None:
        if name == "doi":
            return self.by_doi(value)
        number = int(value.removeprefix("W")) - (70000 if name == "pmid" else 0)
        if name == "openalex" and number >= OUTSIDE:
            return Made(number, abstract=None)
        return self.works.get(number)

    def crossref(self, path: str, query: dict[str, str], _body: Json) -> Json:
        if path.startswith("/works/"):
            doi = path.removeprefix("/works/")
            self.note("crossref", f"doi:{doi}")
            work = self.by_doi(doi)
            return {"message": work.crossref()} if work else Said(404, b"Resource not found.")
        if "query.bibliographic" in query:
            words = query["query.bibliographic"]
            self.note("crossref", f"title:{words}")
            found = [w for w in self.works.values() if words.startswith(w.title)]
        else:
            dois = [one.removeprefix("doi:") for one in query["filter"].split(",")]
            for doi in dois:
                self.note("crossref", f"doi:{doi}")
            found = [work for doi in dois if (work := self.by_doi(doi))]
        items = [one.crossref() for one in found]
        message = {"total-results": len(items), "items": items}
        return {"status": "ok", "message-type": "work-list", "message": message}

    def semanticscholar(self, path: str, query: dict[str, str], body: Json) -> Json:
        if path.endswith("/match"):
            self.note("semanticscholar", f"title:{query['query']}")
            found = [w for w in self.works.values() if w.title == query["query"]]
            if not found:
                return Said(404, b'{"error":"Title match not found"}')
            return {"data": [{**found[0].semanticscholar(), "matchScore": 180.1}]}
        if path.endswith("/citations"):
            return self._cited_by(path.split("/")[-2], query)
        for one in body["ids"]:
            self.note("semanticscholar", one)
        works = [self.by_doi(one.removeprefix("DOI:")) for one in body["ids"]]
        if not any(works):
            return Said(400, b'{"error":"No valid paper ids given"}')
        return [work.semanticscholar() if work else None for work in works]

    def _cited_by(self, paper: str, query: dict[str, str]) -> Json:
        """Two works a page, as the service gives a thousand."""
        number, start = int(paper, 16), int(query["offset"])
        self.note("semanticscholar", f"citations {number} from {start}")
        found = [one for one in self.works.values() if number in one.cites]
        data = [{"citingPaper": {"paperId": f"{one.number:040x}", "externalIds": None}}
                for one in found[start : start + 2]]  # fmt: skip
        more = {"next": start + 2} if start + 2 < len(found) else {}
        return {"offset": start, "data": data, **more}

    def opencitations(self, path: str, _query: dict[str, str], _body: Json) -> Json:
        if path.startswith("/meta/v1/metadata/"):
            ids = path.removeprefix("/meta/v1/metadata/").split("__")
            works = [self.by_doi(one.removeprefix("doi:")) for one in ids]
            return [work.meta() for work in works if work]
        kind, _, doi = path.removeprefix("/index/v2/").partition("/doi:")
        self.note("opencitations", f"{kind} doi:{doi}")
        work = self.by_doi(doi)
        if work is None:
            return []
        if kind == "references":
            pairs = [(work.number, n) for n in work.cites]
        else:
            pairs = [(w.number, work.number) for w in self.works.values() if work.number in w.cites]
        return [
            {
                "oci": f"06{citing}-06{cited}",
                "citing": f"omid:br/06{citing} doi:10.5555/w{citing}",
                "cited": f"omid:br/06{cited} doi:10.5555/w{cited} pmid:{70000 + cited}",
                "creation": "2001-05", "timespan": "P1Y", "journal_sc": "no", "author_sc": "no",
            }
            for citing, cited in pairs
        ]  # fmt: skip


class _Handler(BaseHTTPRequestHandler):
    server_version = "Made/1"
    protocol_version = "HTTP/1.1"
    told: Server

    def do_GET(self) -> None:
        self._serve(None)

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        self._serve(json.loads(self.rfile.read(length)))

    def _serve(self, body: Json) -> None:
        told, url = self.told, urlsplit(self.path)
        service, _, path = unquote(url.path).removeprefix("/").partition("/")
        told.requests.append((service, unquote(self.path)))
        told.headers = {key.lower(): value for key, value in self.headers.items()}
        told.busy.release()
        time.sleep(told.delay)
        wrong = told.wrong.popleft() if told.wrong else told.fault(service, len(told.requests))
        if told.refused and told.refused in unquote(self.path):
            wrong = Said(told.refusal, b'{"error":"Invalid query"}')
        if wrong is None:
            query = {key: values[0] for key, values in parse_qs(url.query).items()}
            answer = getattr(told, service)(f"/{path}", query, body)
            wrong = answer if isinstance(answer, Said) else Said(body=json.dumps(answer).encode())
        self._say(wrong)

    def _say(self, said: Said) -> None:
        time.sleep(said.wait)
        length = len(said.body) + (100 if said.cut else 0)
        headers = {"Content-Type": "application/json", "Content-Length": str(length)}
        self.send_response(said.status)
        for name, value in {**headers, **said.headers}.items():
            self.send_header(name, value)
        try:
            self.end_headers()
            self.wfile.write(said.body)
        except OSError:  # whoever asked has gone
            self.close_connection = True
        if said.cut:
            self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        return


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: Any, client_address: Any) -> None:
        return


@contextmanager
def serving() -> Iterator[Server]:
    """A running server."""
    told = Server()
    with _Http(("127.0.0.1", 0), type("Handler", (_Handler,), {"told": told})) as http:
        told.root = f"http://127.0.0.1:{http.server_port}"
        thread = threading.Thread(target=http.serve_forever, args=(0.02,))
        thread.start()
        yield told
        http.shutdown()
        thread.join()


def fill(server: Server, count: int) -> None:
    """Works 0 … count-1 of which each cites the two before it and one outside any library."""
    for n in range(count):
        cited = tuple(m for m in (n - 1, n - 2) if m >= 0)
        server.works[n] = Made(n, (*cited, OUTSIDE + n // 2))


def make_library(folder: Path, drafts: list[PaperDraft]) -> Database:
    """A library of these papers, ids from 1."""
    database = Database.open(folder)
    with database.write() as conn:
        insert_papers(conn, [NewPaper(n, d.citekey or f"k{n}", d) for n, d in enumerate(drafts, 1)])
    return database


def bare(number: int, **more: Any) -> PaperDraft:
    """Work ``number`` as a library has it that knows little."""
    told = {
        "citekey": f"w{number}",
        "title": f"Counting the birds of mudflat number {number}",
        "authors": (Author("Plover", "Ina"),),
        "doi": f"10.5555/w{number}",
    }
    return PaperDraft(**{**told, **more})
