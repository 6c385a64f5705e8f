"""Looking citations up: asked once, resumed, written as one change, and never over the user's."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.online_support import OUTSIDE, Made, Said, bare, fill, make_library

from litscape.duplicates import Duplicates
from litscape.edits import Editor
from litscape.errors import LibraryBusyError, UserError
from litscape.graph.facade import Citations
from litscape.history import History
from litscape.importers.session import Imports
from litscape.jobs import JobCancelledError, JobContext, null_context
from litscape.online.asking import MOST_ABSENT
from litscape.online.fetch import fetch
from litscape.online.planning import estimate
from litscape.paper import Author, PaperDraft, Reference
from litscape.papers import Papers
from litscape.store.citations import edges
from litscape.store.integrity import check
from litscape.store.leases import Lease
from litscape.store.online import field_sources

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.online_support import Server

    from litscape.store.database import Database

MANY = 1000


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Callable[..., Database]]:
    opened: list[Database] = []

    def make(*drafts: PaperDraft) -> Database:
        opened.append(make_library(tmp_path / "library", list(drafts)))
        return opened[-1]

    yield make
    for one in opened:
        assert check(one) == []
        one.close()


def pairs(database: Database) -> set[tuple[int, int]]:
    with database.read() as conn:
        return {(int(a), int(b)) for a, b in edges(conn)}


def expected(count: int) -> set[tuple[int, int]]:
    """Links of the made-up works 0 … count-1 as papers 1 … count."""
    return {(n + 1, m + 1) for n in range(count) for m in (n - 1, n - 2) if m >= 0}


def sources(database: Database, paper: int) -> dict[str, str]:
    with database.read() as conn:
        found = field_sources(conn, [paper]).get(paper, {})
    return {field: told.source for field, told in found.items()}


# -- asking once -------------------------------------------------------------------------------


@pytest.mark.parametrize("service", ["openalex", "crossref", "semanticscholar", "opencitations"])
def test_links_come_from_every_service(
    server: Server, made: Callable[..., Database], service: str
) -> None:
    fill(server, 8)
    database = made(*(bare(n) for n in range(8)))
    report = fetch(database, server.options(service))
    assert pairs(database) == expected(8)
    assert (report.found, report.links, report.references) == (8, 13, 21)
    assert report.outside == 8
    with database.read() as conn:
        told = conn.exec_driver_sql("SELECT DISTINCT source, score FROM citations").fetchall()
    assert [tuple(one) for one in told] == [(service, 1.0)]
    again = fetch(database, server.options(service))
    assert again.requests == 0
    assert not again.changes
    assert max(server.asked.values()) == 1


def interrupted(server: Server, database: Database, after: int) -> None:
    """A look-up that is asked to end while a request runs."""
    ctx = null_context()
    server.delay = max(server.delay, 0.1)

    def stop() -> None:
        for _ in range(after):
            server.busy.acquire()
        ctx.cancel()

    thread = threading.Thread(target=stop)
    thread.start()
    with pytest.raises(JobCancelledError):
        fetch(database, server.options(), ctx)
    thread.join()
    server.delay = 0.0


def assert_each_once(server: Server, count: int, lost: int) -> None:
    """Every paper was asked for, and no answered one twice: only a broken-off batch may be."""
    asked = Counter({key: n for key, n in server.asked.items() if " doi:" in key})
    assert len(asked) == count
    assert sum(asked.values()) <= count + lost
    assert max(asked.values()) <= 2


def test_a_cancelled_fetch_of_a_thousand_papers_goes_on_where_it_was(
    server: Server, made: Callable[..., Database]
) -> None:
    fill(server, MANY)
    database = made(*(bare(n) for n in range(MANY)))
    interrupted(server, database, 4)
    assert pairs(database) == set()
    assert len(server.requests) == 4
    before = estimate(database, server.options())
    assert before.services[0].kept >= 300
    assert before.requests > 0
    report = fetch(database, server.options())
    assert_each_once(server, MANY, 100)
    assert pairs(database) == expected(MANY)
    assert report.found == MANY
    assert report.asked["openalex"] + report.kept["openalex"] == MANY
    assert report.kept["openalex"] >= 300


@pytest.mark.parametrize("service", ["openalex", "semanticscholar"])
def test_a_killed_fetch_of_a_thousand_papers_goes_on_where_it_was(
    server: Server, made: Callable[..., Database], service: str
) -> None:
    fill(server, MANY)
    database = made(*(bare(n) for n in range(MANY)))
    script = Path(__file__).with_name("kill_me.py")
    child = subprocess.Popen(
        [sys.executable, str(script), str(database.folder), server.root, service],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    server.delay = 0.1
    with child:
        for _ in range(4):
            assert server.busy.acquire(timeout=60)
        child.kill()
    server.delay = 0.0
    assert pairs(database) == set()
    report = fetch(database, server.options(service))
    once = {key: n for key, n in server.asked.items() if "cited:" not in key}
    assert len(once) == MANY
    assert sum(once.values()) <= MANY + 100  # the batch whose answer nobody was there to keep
    assert pairs(database) == expected(MANY)
    assert report.kept[service] >= 300


def test_two_papers_with_one_identifier_are_asked_about_once(
    server: Server, made: Callable[..., Database]
) -> None:
    fill(server, 3)
    database = made(bare(2), bare(2, citekey="copy"))
    assert fetch(database, server.options()).found == 2
    assert server.asked["openalex doi:10.5555/w2"] == 1


def test_what_is_not_found_is_kept_and_can_be_asked_again(
    server: Server, made: Callable[..., Database]
) -> None:
    database = made(bare(0), bare(1))
    report = fetch(database, server.options())
    assert (report.found, report.not_found) == (0, (1, 2))
    assert not report.changes
    assert fetch(database, server.options()).requests == 0
    fill(server, 2)
    again = fetch(database, server.options(again=True))
    assert again.found == 2
    assert pairs(database) == expected(2)
    assert server.asked["openalex doi:10.5555/w0"] == 2
    # What was found is not asked for again so soon.
    assert fetch(database, server.options(again=True)).requests == 0


def test_a_paper_that_one_identifier_does_not_find_is_asked_for_by_the_next(
    server: Server, made: Callable[..., Database]
) -> None:
    fill(server, 3)
    database = made(bare(2, doi="10.5555/unknown", pmid="70002"))
    report = fetch(database, server.options())
    assert report.found == 1
    assert Papers(database).get(1).doi == "10.5555/unknown"
    assert fetch(database, server.options()).requests == 0


def test_a_title_is_asked_for_where_there_is_no_identifier(
    server: Server, made: Callable[..., Database]
) -> None:
    fill(server, 4)
    database = made(bare(1), bare(3, doi=None, year=1993))
    report = fetch(database, server.options())
    assert report.found == 2
    assert pairs(database) == {(2, 1)}
    paper = Papers(database).get(2)
    assert (paper.doi, paper.identifiers["openalex"]) == ("10.5555/w3", "W3")
    assert sources(database, 2)["doi"] == "openalex"
    assert fetch(database, server.options()).requests == 0


def test_a_later_service_is_asked_only_for_what_is_missing(
    server: Server, made: Callable[..., Database]
) -> None:
    fill(server, 4)
    server.works[1].cites = ()
    server.works[2].abstract = None
    drafts = [bare(n, fields=("Birds",)) for n in range(4)]
    database = made(*drafts)
    fetch(database, server.options("openalex", "crossref"))
    told = [key for key in server.asked if key.startswith("crossref")]
    assert told == ["crossref doi:10.5555/w1", "crossref doi:10.5555/w2"]


# -- faults ------------------------------------------------------------------------------------


def test_a_service_that_is_down_is_left_alone_and_told(
    server: Server, made: Callable[..., Database]
) -> None:
    fill(server, 400)
    database = made(*(bare(n) for n in range(400)))
    server.fault = lambda _service, number: Said(503) if number > 1 else None
    report = fetch(database, server.options())
    assert report.found == 100
    assert len(report.failed) == 300
    assert "has a fault at its end (503)" in report.failures[0].reason
    assert len(server.requests) == 1 + 2 * 5  # two batches tried five times each
    assert len(pairs(database)) == len(expected(100))  # what there is, is written
    server.fault = lambda _service, _number: None
    assert fetch(database, server.options()).found == 400
    assert pairs(database) == expected(400)


def test_an_allowance_that_is_used_up_ends_the_asking(
    server: Server, made: Callable[..., Database]
) -> None:
    fill(server, 300)
    database = made(*(bare(n) for n in range(300)))
    limit = Said(429, headers={"Retry-After": "40000"})
    server.fault = lambda _service, number: limit if number > 1 else None
    report = fetch(database, server.options())
    assert len(server.requests) == 2
    assert len(report.failed) == 200
    assert "asks to wait 11 hours" in report.failures[0].reason


def test_one_identifier_that_is_refused_costs_itself_alone(
    server: Server, made: Callable[..., Database]
) -> None:
    fill(server, 20)
    database = made(*(bare(n) for n in range(20)))
    server.refused = "w13"
    report = fetch(database, server.options())
    assert report.found == 19
    assert report.failed == (14,)
    assert "refused the question (400)" in report.failures[0].reason


@pytest.mark.parametrize("service", ["openalex", "crossref", "semanticscholar", "opencitations"])
@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_one_list_that_is_said_not_to_be_there_ends_nothing(
    server: Server, made: Callable[..., Database], service: str, number: int
) -> None:
    fill(server, 8)
    # The first one is asked for by its title.
    database = made(bare(0, doi=None, year=1990), *(bare(n) for n in range(1, 8)))
    server.fault = lambda _service, count: Said(404) if count == number else None
    report = fetch(database, server.options(service))
    assert report.failures == ()
    assert report.found >= 7 - (service == "opencitations")
    assert len(pairs(database)) >= 8


def test_one_strange_identifier_among_a_hundred_is_not_found_alone(
    server: Server, made: Callable[..., Database]
) -> None:
    fill(server, 120)
    database = made(*(bare(n) for n in range(120)))
    server.refused, server.refusal = "w77", 404
    report = fetch(database, server.options())
    assert (report.found, report.not_found, report.failures) == (119, (78,), ())


def test_a_server_where_nothing_is_is_left_alone(
    server: Server, made: Callable[..., Database]
) -> None:
    fill(server, 300)
    database = made(*(bare(n) for n in range(300)))
    server.fault = lambda _service, number: Said(404) if number > 1 else None
    report = fetch(database, server.options())
    assert len(server.requests) == 1 + MOST_ABSENT
    assert (report.found, len(report.failed) + len(report.not_found)) == (100, 200)
    assert "says of everything that it is not there" in report.failures[0].reason
    assert len(pairs(database)) == len(expected(100))


def test_a_service_that_fails_leaves_the_others_to_be_asked(
    server: Server, made: Callable[..., Database]
) -> None:
    fill(server, 5)
    database = made(*(bare(n) for n in range(5)))
    server.fault = lambda service, _number: Said(500) if service == "openalex" else None
    report = fetch(database, server.options("openalex", "crossref"))
    assert pairs(database) == expected(5)
    assert report.found == 5
    assert [failure.service for failure in report.failures] == ["openalex"]


def test_openalex_says_slow_down_by_403(server: Server, made: Callable[..., Database]) -> None:
    fill(server, 3)
    database = made(*(bare(n) for n in range(3)))
    server.wrong += [Said(403), Said(403)]
    assert fetch(database, server.options()).found == 3


def test_an_answer_on_its_way_is_kept_when_the_look_up_is_to_end(
    server: Server, made: Callable[..., Database]
) -> None:
    fill(server, 150)
    server.delay = 0.2
    database = made(*(bare(n) for n in range(150)))
    interrupted(server, database, 1)
    server.delay = 0.0
    assert fetch(database, server.options()).kept["openalex"] >= 100
    assert max(server.asked.values()) == 1


def test_an_address_is_never_too_long(server: Server, made: Callable[..., Database]) -> None:
    long = [f"10.5555/{'x' * 150}.{n}" for n in range(60)]
    database = made(*(bare(n, doi=doi) for n, doi in enumerate(long)))
    told = estimate(database, server.options())
    report = fetch(database, server.options())
    assert len(report.not_found) == 60
    assert 1 < report.requests <= told.requests
    assert all(len(path) < 6000 for _, path in server.requests)


def test_two_look_ups_at_once_are_one_too_many(
    server: Server, made: Callable[..., Database]
) -> None:
    database = made(bare(1))
    with Lease(database, "citation look-up"), pytest.raises(LibraryBusyError, match="citation"):
        fetch(database, server.options())


def test_an_unknown_service_is_said_to_be_so(made: Callable[..., Database]) -> None:
    from litscape.online.records import FetchOptions

    database = made(bare(1))
    for act in (fetch, estimate):
        with pytest.raises(UserError, match="no service 'scopus'"):
            act(database, FetchOptions(services=("scopus",)))


# -- what is written ---------------------------------------------------------------------------


def test_only_what_is_missing_is_filled_and_marked(
    server: Server, made: Callable[..., Database]
) -> None:
    fill(server, 2)
    database = made(bare(0, abstract="Mine.", year=2020), bare(1, year_raw="in press"))
    report = fetch(database, server.options())
    first, second = (Papers(database).get(n) for n in (1, 2))
    assert (first.abstract, first.year, first.venue) == ("Mine.", 2020, "Journal of Mud")
    named = ("venue", "fields", "mesh", "pmid")
    assert sources(database, 1) == dict.fromkeys(named, "openalex")
    assert second.abstract == "We counted birds."
    assert second.fields == ("Wading birds", "Birds")
    assert (second.year, second.year_raw) == (None, "in press")
    assert report.filled == {"abstract": 1, "venue": 2, "fields": 2, "mesh": 2, "pmid": 2}


def test_what_the_user_set_stays_also_when_it_is_nothing(
    server: Server, made: Callable[..., Database]
) -> None:
    fill(server, 1)
    database = made(bare(0, abstract="Wrong one."))
    Editor(database).edit(1, {"abstract": None, "venue": "Here"})
    fetch(database, server.options())
    paper = Papers(database).get(1)
    assert (paper.abstract, paper.venue) == (None, "Here")
    assert "abstract" not in sources(database, 1)


def test_the_mark_of_a_value_goes_with_the_value(
    server: Server, made: Callable[..., Database]
) -> None:
    fill(server, 1)
    database = made(bare(0))
    fetch(database, server.options())
    assert sources(database, 1)["abstract"] == "openalex"
    Editor(database).edit(1, {"abstract": "Better."})
    assert "abstract" not in sources(database, 1)
    History(database).undo()
    assert sources(database, 1)["abstract"] == "openalex"


def test_nothing_is_filled_where_links_alone_are_wanted(
    server: Server, made: Callable[..., Database]
) -> None:
    fill(server, 3)
    database = made(*(bare(n) for n in range(3)))
    report = fetch(database, server.options(fill=False))
    assert pairs(database) == expected(3)
    assert Papers(database).get(1).abstract is None
    assert "abstract" not in report.filled


def test_a_fetch_is_one_step_of_undo(server: Server, made: Callable[..., Database]) -> None:
    fill(server, 1200)  # more than one transaction
    database = made(*(bare(n) for n in range(1200)))
    before = [Papers(database).get(n) for n in (1, 600, 1200)]
    report = fetch(database, server.options())
    history = History(database)
    (entry,) = history.entries(10)
    assert entry.title == "Look up citations at OpenAlex (1,200 papers)"
    assert entry.id == report.changes.change_id
    assert len(report.changes.changed) == 1200
    history.undo()
    assert pairs(database) == set()
    after = [Papers(database).get(n) for n in (1, 600, 1200)]
    assert [one.abstract for one in after] == [None] * 3
    assert [one.references for one in after] == [one.references for one in before]
    assert [one.identifiers for one in after] == [one.identifiers for one in before]
    history.redo()
    assert pairs(database) == expected(1200)
    history.undo()
    assert fetch(database, server.options()).requests == 0  # all of it is kept
    assert pairs(database) == expected(1200)


def test_references_that_are_there_are_not_doubled(
    server: Server, made: Callable[..., Database]
) -> None:
    fill(server, 3)
    outside = Reference("Old mud", doi=f"10.5555/w{OUTSIDE + 1}", title="Old mud")
    database = made(bare(1), bare(2, references=(outside,)))
    with database.write() as conn:
        conn.exec_driver_sql("INSERT INTO citations VALUES (2, 1, 'import:1', 'doi', 1.0)")
    fetch(database, server.options())
    paper = Papers(database).get(2)
    assert [one.doi for one in paper.references] == [outside.doi, "10.5555/w0"]
    with database.read() as conn:
        (link,) = conn.exec_driver_sql("SELECT * FROM citations").fetchall()
    assert tuple(link) == (2, 1, "import:1", "doi", 1.0)


def test_a_reference_of_before_is_linked_by_what_a_look_up_found(
    server: Server, made: Callable[..., Database]
) -> None:
    server.works[1] = Made(1)
    cites = (Reference(source_id="openalex:W1"),)
    other = PaperDraft(citekey="x", title="Quite another paper", references=cites)
    database = made(bare(1), other)
    report = fetch(database, server.options(papers=(1,)))
    assert pairs(database) == {(2, 1)}
    assert report.links == 1
    with database.read() as conn:
        assert conn.exec_driver_sql("SELECT source FROM citations").scalar_one() == "import"


def test_a_paper_that_comes_later_is_linked_as_the_service_said(
    server: Server, made: Callable[..., Database], tmp_path: Path
) -> None:
    fill(server, 4)
    database = made(bare(3))
    fetch(database, server.options())
    later = tmp_path / "later.bib"
    later.write_text("@article{a, title={Birds}, doi={10.5555/w2}}", encoding="utf-8")
    Imports(database).run([str(later)], null_context())
    with database.read() as conn:
        (link,) = conn.exec_driver_sql("SELECT * FROM citations").fetchall()
    assert tuple(link) == (1, 2, "openalex", "doi", 1.0)


def test_a_work_cited_without_identifier_is_linked_by_its_title(
    server: Server, made: Callable[..., Database]
) -> None:
    fill(server, 3)
    database = made(bare(1, doi=None, year=1991, pmid=None), bare(2))
    report = fetch(database, server.options("semanticscholar", papers=(2,)))
    assert report.links == 1
    with database.read() as conn:
        (link,) = conn.exec_driver_sql("SELECT * FROM citations").fetchall()
    assert tuple(link)[:4] == (2, 1, "semanticscholar", "title")
    assert report.outside == 2


def test_an_identifier_that_another_paper_has_is_not_given_twice(
    server: Server, made: Callable[..., Database]
) -> None:
    fill(server, 1)
    database = made(bare(0, doi=None, year=1990), bare(0, citekey="copy", doi="10.5555/w0"))
    fetch(database, server.options())
    assert [Papers(database).get(n).doi for n in (1, 2)] == [None, "10.5555/w0"]


def test_who_cites_a_paper_is_asked_where_wanted(
    server: Server, made: Callable[..., Database]
) -> None:
    fill(server, 4)
    database = made(bare(1), bare(2), bare(3))
    report = fetch(database, server.options("opencitations", papers=(1,), citing=True))
    assert pairs(database) == {(2, 1), (3, 1)}
    assert report.links == 2
    assert server.asked["opencitations citations doi:10.5555/w1"] == 1
    assert fetch(database, server.options("opencitations", papers=(1,), citing=True)).requests == 0


def test_who_cites_a_paper_is_asked_whatever_is_known_of_it(
    server: Server, made: Callable[..., Database]
) -> None:
    fill(server, 4)
    database = made(bare(1), bare(2), bare(3))
    services = ("openalex", "opencitations")
    fetch(database, server.options(*services, papers=(1,)))
    assert pairs(database) == set()
    options = server.options(*services, papers=(1,), citing=True)
    assert estimate(database, options).services[1].requests >= 1
    before = len(server.requests)
    assert fetch(database, options).links == 2
    assert [path for _, path in server.requests[before:]] == [
        "/opencitations/index/v2/citations/doi:10.5555/w1"]  # fmt: skip
    assert pairs(database) == {(2, 1), (3, 1)}
    assert fetch(database, options).requests == 0


@pytest.mark.parametrize("act", [fetch, estimate])
def test_services_that_tell_of_no_citing_papers_are_not_asked_for_them(
    server: Server, made: Callable[..., Database], act: Callable[..., object]
) -> None:
    database = made(bare(1))
    with pytest.raises(UserError, match="OpenAlex and Crossref can't be asked who cites papers"):
        act(database, server.options("openalex", "crossref", citing=True))
    assert server.requests == []


def test_semantic_scholar_tells_page_by_page_who_cites(
    server: Server, made: Callable[..., Database]
) -> None:
    fill(server, 9)
    for n in (6, 7, 8):
        server.works[n].cites = (1,)
    known = [bare(n, identifiers={"s2": f"{n:040x}"}, doi=None) for n in (2, 8)]
    database = made(bare(1), *known)
    options = server.options("semanticscholar", papers=(1,), citing=True)
    report = fetch(database, options)
    assert pairs(database) == {(2, 1), (3, 1)}
    with database.read() as conn:
        told = conn.exec_driver_sql("SELECT DISTINCT source, method FROM citations").fetchall()
    assert [tuple(one) for one in told] == [("semanticscholar", "s2")]
    assert report.links == 2
    asked = [key for key in server.asked if "citations 1 " in key]
    assert [key[-6:] for key in asked] == ["from 0", "from 2", "from 4"]
    assert fetch(database, options).requests == 0


def test_subject_headings_are_filled_in_whether_there_are_topics_or_not(
    server: Server, made: Callable[..., Database]
) -> None:
    fill(server, 4)
    database = made(
        bare(0, fields=("Mud",)), bare(1, fields=("birds", "Mud")), bare(2), bare(3, fields=("x",))
    )
    Editor(database).edit(4, {"fields": ["Mine"]})
    report = fetch(database, server.options("semanticscholar", "openalex"))
    papers = Papers(database)
    assert [papers.get(n).fields for n in (1, 2, 3, 4)] == [
        ("Mud", "Birds"), ("birds", "Mud"), ("Biology", "Birds"), ("Mine",),
    ]  # fmt: skip
    assert sources(database, 1)["mesh"] == "openalex"
    assert "fields" not in sources(database, 1)
    assert "mesh" not in sources(database, 2)
    both = sources(database, 3)
    assert (both["fields"], both["mesh"]) == ("semanticscholar", "openalex")
    assert (report.filled["mesh"], report.filled["fields"]) == (2, 1)
    Editor(database).edit(1, {"fields": ["Mud"]})
    assert "mesh" not in sources(database, 1)


def test_papers_of_all_kinds_do_no_harm(server: Server, made: Callable[..., Database]) -> None:
    fill(server, 2)
    odd = [
        PaperDraft(citekey="nothing"),
        PaperDraft(citekey="no-title", doi="10.5555/w1"),
        PaperDraft(citekey="rtl", title="מחקר על ציפורים", authors=(Author("כהן"),), year=1999),
        PaperDraft(citekey="signs", title="?!, |", authors=(Author("A"),)),
        PaperDraft(citekey="many", title="By a thousand " * 60, authors=(Author("B"),) * 1000),
        PaperDraft(citekey="odd-doi", doi="10.5555/a,b|c&d=e#f", title="Odd"),
        PaperDraft(
            citekey="old", doi="10.1002/(sici)1097-4636(199823)43:4<338::aid-jbm2>3.0.co;2-b"
        ),
    ]
    database = made(*odd)
    for service in ("openalex", "crossref", "semanticscholar", "opencitations"):
        report = fetch(database, server.options(service))
        assert report.failures == ()
        assert report.found == 1


def test_an_import_keeps_what_was_looked_up(
    server: Server, made: Callable[..., Database], tmp_path: Path
) -> None:
    fill(server, 3)
    database, imports = made(bare(2)), tmp_path / "birds.bib"
    entry = (
        "@article{{mud, title={{Counting the birds of mudflat number 1}}, doi={{10.5555/w1}}{}}}"
    )
    imports.write_text(entry.format(""), encoding="utf-8")
    Imports(database).run([str(imports)], null_context())
    fetch(database, server.options())
    assert (1, 2) in pairs(database)  # the second paper is the imported one
    imports.write_text(entry.format(", volume={4}"), encoding="utf-8")
    report = Imports(database).run([str(imports)], null_context())
    assert report.updated == 1
    paper = Papers(database).get(2)
    assert (paper.volume, paper.abstract) == ("4", "We counted birds.")
    assert sources(database, 2)["abstract"] == "openalex"
    assert (1, 2) in pairs(database)
    assert fetch(database, server.options()).requests == 0


def test_a_merge_takes_the_marks_of_values_along(
    server: Server, made: Callable[..., Database]
) -> None:
    fill(server, 2)
    database = made(bare(1), bare(1, citekey="copy", doi=None, venue="Journal of Mud"))
    fetch(database, server.options(papers=(1,)))
    Duplicates(database).merge([1, 2], 2)
    paper = Papers(database).get(2)
    assert paper.abstract == "We counted birds."
    assert sources(database, 2)["abstract"] == "openalex"
    assert "venue" not in sources(database, 2)  # its own, though it is the same
    History(database).undo()
    assert sources(database, 2) == {}
    assert sources(database, 1)["abstract"] == "openalex"


def test_papers_in_the_trash_are_left_alone(server: Server, made: Callable[..., Database]) -> None:
    fill(server, 3)
    database = made(bare(0), bare(1))
    Editor(database).trash(1)
    report = fetch(database, server.options())
    assert report.papers == 1
    assert "openalex doi:10.5555/w0" not in server.asked


# -- the estimate ------------------------------------------------------------------------------


def test_the_estimate_is_what_is_asked_at_most(
    server: Server, made: Callable[..., Database]
) -> None:
    fill(server, 250)
    database = made(*(bare(n) for n in range(250)), bare(3, doi=None, year=1993, citekey="t"))
    told = estimate(database, server.options())
    assert server.requests == []
    assert told.papers == 251
    (one,) = told.services
    assert (one.papers, one.kept) == (251, 0)
    report = fetch(database, server.options())
    assert report.requests <= one.requests
    assert one.seconds > 0
    after = estimate(database, server.options())
    assert after.requests == 0
    assert after.services[0].kept == 251


def test_works_cited_that_are_still_to_be_named_are_estimated(
    server: Server, made: Callable[..., Database]
) -> None:
    fill(server, 100)
    database = made(*(bare(n) for n in range(100)))
    server.fault = lambda _service, number: Said(401) if number > 1 else None
    first = fetch(database, server.options())
    assert (first.found, first.failed) == (100, ())
    assert [one.reason[:27] for one in first.failures] == ["OpenAlex refused to answer "]
    server.fault = lambda _service, _number: None
    told = estimate(database, server.options())
    assert (told.services[0].kept, told.requests) == (100, 1)
    assert fetch(database, server.options()).requests == 1


def test_progress_goes_up_and_names_the_service(
    server: Server, made: Callable[..., Database]
) -> None:
    fill(server, 250)
    database = made(*(bare(n) for n in range(250)))
    heard: list[Any] = []
    fetch(database, server.options(), JobContext(lambda event: heard.append(event.value)))
    texts = [one.text for one in heard]
    assert "OpenAlex: 100 of 250 papers" in texts
    assert "OpenAlex: 250 of 250 papers" in texts
    assert any("works cited" in text for text in texts)
    assert texts[-1] == "Writing what was found"
    assert all(0 <= one.done <= one.total for one in heard)


def unnamed(server: Server) -> None:
    """The service answers no more once it has told of the papers."""
    later = Said(429, b"", {"Retry-After": "900"})
    server.fault = lambda _service, number: later if number > 1 else None


def test_names_of_works_cited_that_come_later_are_taken(
    server: Server, made: Callable[..., Database], tmp_path: Path
) -> None:
    fill(server, 3)
    database = made(bare(1), bare(2))
    unnamed(server)
    report = fetch(database, server.options())
    assert [one.reason.split(" answers")[0] for one in report.failures] == ["OpenAlex"]
    first = Papers(database).get(2).references
    assert [one.source_id for one in first] == ["openalex:W0", f"openalex:W{OUTSIDE + 1}"]
    assert {one.title for one in first} == {None}
    server.fault = lambda _service, _number: None
    report = fetch(database, server.options())
    assert (report.outside, report.failures) == (0, ())
    references = Papers(database).get(2).references
    assert [(one.doi, one.extra["service"]) for one in references] == [
        ("10.5555/w0", "openalex"), (f"10.5555/w{OUTSIDE + 1}", "openalex")]  # fmt: skip
    history = History(database)
    history.undo()
    assert Papers(database).get(2).references == first
    history.redo()
    later = tmp_path / "later.bib"
    later.write_text("@article{a, title={Birds}, doi={10.5555/w0}}", encoding="utf-8")
    Imports(database).run([str(later)], null_context())
    assert pairs(database) == {(2, 1), (1, 3), (2, 3)}
    assert len(Papers(database).get(2).references) == 1


def test_matching_names_works_cited_by_what_is_kept(
    server: Server, made: Callable[..., Database]
) -> None:
    fill(server, 3)
    cites = (Reference(source_id="openalex:W0"), Reference(source_id="openalex:W2"))
    other = PaperDraft(citekey="x", title="Quite another paper", references=cites)
    # Its title and year are those of the work that is cited as W0.
    same = bare(0, doi=None, year=1990)
    database = made(bare(1), bare(2), other, same)
    fetch(database, server.options(papers=(1, 2)))
    assert pairs(database) == {(2, 1), (1, 4), (2, 4), (3, 2)}
    asked = len(server.requests)
    assert Citations(database).match().changed == {3}
    assert (3, 4) in pairs(database)
    assert Papers(database).get(3).references == ()
    History(database).undo()
    assert Papers(database).get(3).references == cites[:1]
    assert len(server.requests) == asked
