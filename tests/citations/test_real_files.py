"""Edges, co-citation and coupling pairs of real files, counted once more from the files by sets.

What counts here reads the files itself and shares no code with the program.
"""

from __future__ import annotations

import csv
import gzip
import json
import re
import unicodedata
from typing import TYPE_CHECKING, Any

import pytest
from tests.citation_support import Counted, count, lines_of, pairs_of

from litscape.graph.neighbours import cocited, coupled

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from litscape.library import Library

FILES = "imports/files"
SCOPUS = f"{FILES}/csv/NLeSC__litstudy/tests_resources_scopus.csv"
WOS = f"{FILES}/wos/JabRef__jabref/jablib_src_test_resources_org_jabref_logic_importer_fileformat_IsiImporterTestWOS.isi"  # fmt: skip # noqa: E501
Work = Any
INITIALS = r"(?:[^\W\d_]{1,2}\.[ -]?)+(?: ?Jr\.?)?|[A-Z]{1,3}\.?"


def counted(cites: dict[int, set[Work]]) -> Counted:
    """Count pairs of what each paper cites: papers as numbers, works outside as anything else."""
    links = {(a, b) for a, works in cites.items() for b in works if isinstance(b, int)}
    return count(links, cites, {a: len(works) for a, works in cites.items()})


def hold(library: Library, expected: Counted) -> None:
    """Hold a library against what was counted."""
    graph = library.citations.graph()
    assert {(a, b) for a, b in graph.edges().tolist()} == expected.edges
    counts, weights = pairs_of(graph, cocited)
    assert counts == expected.cocited
    assert weights == pytest.approx(expected.cocited_weights)
    counts, weights = pairs_of(graph, coupled)
    assert counts == expected.coupled
    assert weights == pytest.approx(expected.coupled_weights)
    whole = library.citations.all_cocited(k=10_000)
    assert len(whole.others) == 2 * len(expected.cocited)


@pytest.mark.shared
@pytest.mark.slow
def test_csopen(library: Library, shared: Path) -> None:
    path = shared / "data" / "csopen" / "papers.jsonl"
    library.import_file(path)
    records = lines_of(path)
    number = {record["id"]: n for n, record in enumerate(records, start=1)}
    cites: dict[int, set[Work]] = {
        number[record["id"]]: {number[one] for one in record["cites"]} for record in records
    }
    expected = counted(cites)
    assert len(expected.edges) == 9869  # as its README says
    hold(library, expected)
    stats = library.citations.stats()
    assert (stats.papers, stats.linked, stats.outside_references) == (3455, 2868, 0)
    years = {number[record["id"]]: record["year"] for record in records}
    for year in range(2009, 2024):
        graph = library.citations.graph(as_of=year)
        assert set(graph.ids.tolist()) == {paper for paper, one in years.items() if one <= year}
        assert {(a, b) for a, b in graph.edges().tolist()} == {
            (a, b) for a, b in expected.edges if max(years[a], years[b]) <= year
        }


@pytest.mark.shared
@pytest.mark.slow
def test_patents(library: Library, shared: Path) -> None:
    path = shared / "data" / "patents" / "papers.jsonl.gz"
    library.import_file(path)
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        records = [json.loads(line) for line in stream]
    number = {record["id"]: n for n, record in enumerate(records, start=1)}
    cites: dict[int, set[Work]] = {
        number[record["id"]]: {number.get(one, one) for one in record["cites"] + record["refs_ext"]}
        for record in records
    }
    expected = counted(cites)
    assert len(expected.coupled) > 3000
    hold(library, expected)
    stats = library.citations.stats()
    # Its README counts 204,807, some of which stand twice in one list.
    assert stats.outside_references == sum(len(set(one["refs_ext"])) for one in records) == 181_934
    assert stats.outside_works == len({one for record in records for one in record["refs_ext"]})


def plain(text: str) -> str:
    bare = unicodedata.normalize("NFKD", re.sub("<[^>]+>", "", text).lower())
    return "".join(sign for sign in bare if sign.isalnum())


def scopus_rows(path: Path) -> Iterator[tuple[dict[str, str], list[str]]]:
    """The records of the file with their references; rows have one more column than the heading."""
    with path.open(encoding="utf-8-sig", newline="") as stream:
        head, *rows = list(csv.reader(stream))
    for row in rows:
        record = dict(zip(head, row, strict=False))
        works: list[str] = []
        for part in re.split(r";\s+", row[25 + len(row) - len(head)].strip().rstrip(";")):
            # A semicolon inside a work: what follows goes on in small letters.
            inside = works and part[:1].islower() and not re.match(r"[^,\d]{1,40}, \w\.", part)
            if inside and not ("(19" in part and "(19" in works[-1]):
                works[-1] += f"; {part}"
            elif part.strip():
                works.append(part)
        yield record, works


def scopus_work(text: str) -> tuple[str | None, tuple[str, ...]]:
    """A work's DOI, and what else tells it: title, year, first author; or its place; or all."""
    doi = re.search(r"\b10\.\d{4,9}/[^\s,;]+", text)
    year = re.search(r"\((\d{4})\)", text)
    if not year:
        return doi[0].lower() if doi else None, (plain(text),)
    words = text[: year.start()].rstrip(" ,").split(", ")
    first = plain(words[0])
    while len(words) > 1 and re.fullmatch(INITIALS, words[1]):
        words = words[2:]
    title = plain(", ".join(words))
    found = (title, year[1], first)
    if len(title) <= 3:
        place = re.match(r"[^,()]*, (\w+) ?(?:\([^()]*\))?, pp?\. (\w+)", text[year.end() :])
        page = re.search(r"\d+", place[2]) if place else None
        found = (first, year[1], f"{place[1]}/{page[0]}") if place and page else (plain(text),) * 3
    return doi[0].lower().rstrip(".") if doi else None, found


@pytest.mark.shared
def test_scopus(library: Library, shared: Path) -> None:
    library.import_file(shared / SCOPUS)
    rows = list(scopus_rows(shared / SCOPUS))
    papers = [
        (record["DOI"].lower(), plain(record["Title"]), record["Year"], plain(record["Authors"]))
        for record, _ in rows
    ]
    assert len(library.papers) == len(papers) == 58

    named: dict[tuple[str, ...], str] = {}
    for _, works in rows:
        for doi, told in map(scopus_work, works):
            if doi and len(told) == 3:
                named[told] = doi

    def meant(text: str, own: int) -> Work:
        """The paper of the file that a reference means, else what tells its work.

        What is cited by DOI is elsewhere cited without it.
        """
        doi, told = scopus_work(text)
        for n, (paper_doi, title, year, authors) in enumerate(papers, start=1):
            if n == own:
                continue
            if doi and doi == paper_doi:
                return n
            same = len(told) == 3 and told[0] == title and authors.startswith(told[2])
            if same and abs(int(year) - int(told[1])) <= 2 and (not doi or not paper_doi):
                return n
        return doi or named.get(told, told)

    cites = {n: {meant(one, n) for one in works} for n, (_, works) in enumerate(rows, start=1)}
    expected = counted(cites)
    assert len(expected.edges) > 20
    assert len(expected.coupled) > 200
    hold(library, expected)


@pytest.mark.shared
def test_web_of_science(library: Library, shared: Path) -> None:
    library.import_file(shared / WOS)
    hold(library, counted(wos_cites((shared / WOS).read_text("utf-8"))))
    assert library.citations.stats().outside_works == 32


def wos_cites(text: str) -> dict[int, set[Work]]:
    """What each record cites: a record of the file by its place (or DOI), else a line."""
    records: list[dict[str, list[str]]] = [{}]
    tag = ""
    for line in text.splitlines():
        if line.startswith("ER"):
            records.append({})
        elif line[:2].strip():
            tag = line[:2]
            records[-1].setdefault(tag, []).append(line[3:].strip())
        elif line.strip():
            records[-1][tag].append(line.strip())
    records = [record for record in records if "PT" in record]
    keys: dict[Work, int] = {}
    for n, record in enumerate(records, start=1):
        one = {key: (values or [""])[0] for key, values in record.items()}
        keys[one["AU"].split(",")[0].lower(), one.get("PY"), one.get("VL"), one.get("BP")] = n
        if "DI" in one:
            keys[one["DI"].lower()] = n
    cites: dict[int, set[Work]] = {n: set() for n in range(1, len(records) + 1)}
    for n, record in enumerate(records, start=1):
        for line in record.get("CR", ()):
            parts = [part.strip() for part in line.split(",")]
            doi = next((p[4:].lower() for p in parts if p.startswith("DOI ")), None)
            volume, page = (
                next((p[1:] for p in parts if re.fullmatch(rf"{sign}\d+", p)), None)
                for sign in "VP"
            )
            place = (parts[0].rpartition(" ")[0].lower(), parts[1], volume, page)
            whole = place if all(place) else plain(line)
            cites[n].add(keys.get(doi) or keys.get(place) or doi or whole)
    return cites


WOS_RECORD = """PT J
AU {author}, A
TI {title}
SO JOURNAL OF MUD
PY {year}
VL {volume}
BP {page}
{doi}CR {cited}
ER

"""


def test_a_made_up_export_of_web_of_science(library: Library, tmp_path: Path) -> None:
    """Thirty records that cite each other and others, by DOI or by place."""
    people = ["Heron", "Egret", "Gull", "Owl", "Wren", "Swift"]
    known = [
        (people[n % 6], f"Mud of the {n}th river bank", 1990 + n, n + 1, 10 * n + 3, n % 3 == 0)
        for n in range(30)
    ]
    text = "FN ISI Export Format\nVR 1.0\n"
    for n, (author, title, year, volume, page, has_doi) in enumerate(known):
        cited = []
        for m in [one for one in range(n) if (one * n) % 4 == 1 or (n - one) in (1, 5)]:
            whose, _, when, where, first, by_doi = known[m]
            line = f"{whose.upper()} A, {when}, J MUD, V{where}, P{first}"
            cited.append(f"{line}, DOI 10.5555/mud.{m}" if by_doi and m % 2 else line)
        cited += [f"REED B, {1980 + n % 4}, J REED, V{n % 4}, P7", f"SEDGE C, {1970 + n % 2}, LOST"]
        doi = f"DI 10.5555/mud.{n}\n" if has_doi else ""
        text += WOS_RECORD.format(
            author=author, title=title, year=year, volume=volume, page=page, doi=doi,
            cited="\n   ".join(cited),
        )  # fmt: skip
    path = tmp_path / "savedrecs.txt"
    path.write_text(text + "EF\n", "utf-8")
    library.import_file(path)
    expected = counted(wos_cites(text))
    assert len(expected.edges) > 100
    assert len(expected.cocited) > 50
    hold(library, expected)
    methods = {one.method for n in range(1, 31) for one in library.citations.references(n)}
    assert methods == {"doi", "place"}
