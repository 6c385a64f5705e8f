"""Adding the links of a list to a library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from litscape.graph.naming import find_papers, reference_to
from litscape.graph.records import AddReport
from litscape.graph.table import SkippedLine, read_table
from litscape.importers.cited import plain_reference
from litscape.paper import LibraryChanges
from litscape.store.edits import begin
from litscape.store.history import change_papers
from litscape.store.images import links
from litscape.store.linking import link_papers
from litscape.store.papers import get_papers

if TYPE_CHECKING:
    from pathlib import Path

    import sqlalchemy as sa

    from litscape.graph.table import Line
    from litscape.jobs import JobContext
    from litscape.paper import PaperId, Reference
    from litscape.store.database import Database
    from litscape.store.history import Recorder

_STEP = 500
GIVEN = "given"
"""The method of links that a person named."""


class _Plan:
    """What the lines of a list come to."""

    def __init__(self) -> None:
        self.cites: dict[PaperId, dict[PaperId, float]] = {}
        self.references: dict[PaperId, dict[str, Reference]] = {}
        self.skipped: list[SkippedLine] = []

    def sort(self, lines: list[Line], papers: dict[str, list[PaperId]]) -> None:
        """Sort the lines into links, references and what is left out."""
        for line in lines:
            citing, cited = papers[line.citing], papers.get(line.cited, [])
            if why := _fault(line, citing, cited):
                self.skipped.append(SkippedLine(line.line, f"{line.citing} → {line.cited}", why))
            elif cited:
                own = self.cites.setdefault(citing[0], {})
                own[cited[0]] = max(line.score, own.get(cited[0], 0.0))
            elif reference := _reference(line):
                listed = self.references.setdefault(citing[0], {})
                listed.setdefault(_mark(reference), reference)


def _reference(line: Line) -> Reference | None:
    """The reference that a line makes where it names no paper of the library."""
    return plain_reference(line.cited) if line.is_text else reference_to(line.cited)


def _mark(reference: Reference) -> str:
    return reference.doi or reference.source_id or reference.raw or ""


def _fault(line: Line, citing: list[PaperId], cited: list[PaperId]) -> str | None:
    """Why a line makes no link; None where it makes one."""
    for name, papers in ((line.citing, citing), (line.cited, cited)):
        if len(papers) > 1:
            which = " or ".join(f"id:{paper}" for paper in papers[:5])
            return f"{name} may be several papers: name {which}"
    if not citing:
        return f"{line.citing} is no paper of this library"
    if not cited and _reference(line) is None:
        return f"{line.cited} is neither a paper of this library nor an identifier"
    return "a paper does not cite itself" if citing == cited else None


def add_lines(database: Database, path: Path | str, ctx: JobContext) -> AddReport:
    """Add the links of a file; see :meth:`litscape.graph.facade.Citations.add`.

    Raises:
        UserError: the file can't be read, or holds no two columns.
        JobCancelledError: ``ctx`` asked for the end; nothing is changed then.
    """
    name, lines, skipped = read_table(path)
    ctx.progress(0, len(lines), f"Adding links of {name}")
    plan = _Plan()
    with database.write() as conn:
        names = {line.citing for line in lines}
        names |= {line.cited for line in lines if not line.is_text}
        plan.sort(lines, find_papers(conn, names))
        point = conn.begin_nested()
        changes, added, referred = _add(conn, plan, name, ctx)
        if not added and not referred:
            point.rollback()  # texts that mean what is linked already left a step of undo
            changes = LibraryChanges()
    skipped = sorted([*skipped, *plan.skipped], key=lambda one: one.line)
    total = len(lines) + len(skipped) - len(plan.skipped)
    known = len(lines) - len(plan.skipped) - added - referred
    return AddReport(changes, total, added, referred, known, tuple(skipped))


def _add(
    conn: sa.Connection, plan: _Plan, name: str, ctx: JobContext
) -> tuple[LibraryChanges, int, int]:
    """Carry a plan out; how many links and references are new."""
    title = f"Add links of {name}"
    recorder = begin(conn, title)
    added = referred = 0
    papers = sorted(plan.cites.keys() | plan.references.keys())
    for start in range(0, len(papers), _STEP):
        ctx.progress(start, len(papers), title)
        values, links_new, references_new = _values(
            conn, plan, papers[start : start + _STEP], f"file:{name}"
        )
        change_papers(recorder, values)
        found, meant = _link_texts(recorder, plan, values, f"file:{name}")
        added, referred = added + links_new + found, referred + references_new - meant
    return recorder.flush(), added, referred


def _values(
    conn: sa.Connection, plan: _Plan, papers: list[PaperId], source: str
) -> tuple[dict[PaperId, dict[str, Any]], int, int]:
    """What papers cite afterwards, and how many links and references are new."""
    there = links(conn, papers)
    added = referred = 0
    values: dict[PaperId, dict[str, Any]] = {}
    for paper in get_papers(conn, papers):
        cites = {link[0]: tuple(link) for link in there.get(paper.id, ())}
        wanted = plan.cites.get(paper.id, {})
        new = wanted.keys() - cites.keys()
        cites |= {cited: (cited, source, GIVEN, wanted[cited]) for cited in new}
        marks = {
            mark for one in paper.references for mark in (one.doi, one.source_id, one.raw) if mark
        }
        more = [
            one
            for one in plan.references.get(paper.id, {}).values()
            if marks.isdisjoint(filter(None, (one.doi, one.source_id, one.raw)))
        ]
        fields: dict[str, Any] = {}
        if new:
            fields["cites"] = tuple(cites[cited] for cited in sorted(cites))
        if more:
            fields["references"] = (*paper.references, *more)
        if fields:
            values[paper.id] = fields
        added, referred = added + len(new), referred + len(more)
    return values, added, referred


def _link_texts(
    recorder: Recorder, plan: _Plan, values: dict[PaperId, dict[str, Any]], source: str
) -> tuple[int, int]:
    """Link references that are texts; how many links are new, and how many were so meant."""
    texts = [
        paper for paper in values if any(one.raw for one in plan.references.get(paper, {}).values())
    ]
    if not texts:
        return 0, 0
    before = _counts(recorder.conn, texts)
    link_papers(recorder, texts, (), dict.fromkeys(texts, source))
    after = _counts(recorder.conn, texts)
    return after[0] - before[0], before[1] - after[1]


def _counts(conn: sa.Connection, papers: list[PaperId]) -> tuple[int, int]:
    """How many links and how many references papers have."""
    linked = sum(map(len, links(conn, papers).values()))
    return linked, sum(len(paper.references) for paper in get_papers(conn, papers))
