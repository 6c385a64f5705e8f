"""Reading a folder of manuscripts, and what papers they cite together."""

from __future__ import annotations

from hashlib import sha256
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from litscape.errors import UserError
from litscape.importers.decode import read_source
from litscape.importers.folders import files_in
from litscape.importers.marks import location_of
from litscape.jobs import null_context
from litscape.manuscripts import aux, latex, markdown
from litscape.manuscripts.parts import Level
from litscape.manuscripts.records import (
    LeftOut,
    Manuscript,
    ManuscriptReport,
    Together,
    UnknownKey,
)
from litscape.store import manuscripts as store
from litscape.store.papers import resolve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    import sqlalchemy as sa

    from litscape.jobs import JobContext
    from litscape.manuscripts.parts import Cited
    from litscape.paper import PaperId
    from litscape.store.database import Database

_READERS: dict[str, tuple[str, Callable[[str], Iterable[Cited]]]] = {
    ".tex": ("latex", latex.cited),
    ".ltx": ("latex", latex.cited),
    ".md": ("markdown", markdown.cited),
    ".markdown": ("markdown", markdown.cited),
    ".qmd": ("markdown", markdown.cited),
    ".rmd": ("markdown", markdown.cited),
    ".aux": ("aux", aux.cited),
}
MOST = 300
"""Of works cited in one part together: more say nothing of each other."""


class Manuscripts:
    """Co-citation in the user's own texts; nothing of the texts but the citations is kept."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def read(self, place: Path | str, ctx: JobContext | None = None) -> ManuscriptReport:
        """Read a manuscript, or all in a folder and those in it.

        What was read before and has changed is read anew, and what is gone there is forgotten. Of
        an ``.aux`` file beside its ``.tex`` nothing is taken where that cites anything itself.

        Raises:
            UserError: there is no such place, or nothing in it that can be read.
            JobCancelledError: ``ctx`` asked for the end; nothing is changed then.
        """
        ctx = ctx or null_context()
        top = Path(place).expanduser().absolute()
        files = sorted(_files(top))
        if not files:
            raise UserError(
                f"There is no manuscript in {top}: no .tex, .aux, .md, .qmd or .Rmd file."
            )
        with self._database.read() as conn:
            before = {one.path: one.mark for one in store.list_manuscripts(conn)}
        read, left_out = _read_all(files, before, ctx)
        there = {name for name in before if Path(name).is_relative_to(top)}
        kept = {location_of(file) for file in files} - {name for name, _why in left_out}
        gone = sorted(there - kept)
        with self._database.write() as conn:
            store.drop_manuscripts(conn, gone)
            for name, (kind, mark, cites) in read.items():
                store.put_manuscript(conn, name, kind, mark, cites)
        return self._report(top, len(read), gone, left_out)

    def list(self) -> tuple[Manuscript, ...]:
        """The manuscripts that were read, by path."""
        with self._database.read() as conn:
            return tuple(
                Manuscript(one.path, one.kind, one.read_at, one.citations, one.works)
                for one in store.list_manuscripts(conn)
            )

    def report(self) -> ManuscriptReport:
        """What all manuscripts cite, as they were read last."""
        return self._report(None, 0, (), ())

    def forget(self, place: Path | str) -> int:
        """Forget a manuscript, or all of a folder; returns how many.

        Raises:
            UserError: none of it was read.
        """
        top = Path(place).expanduser().absolute()
        with self._database.write() as conn:
            names = [one.path for one in store.list_manuscripts(conn)]
            below = [name for name in names if Path(name).is_relative_to(top)]
            if not below:
                raise UserError(f"No manuscript of {top} was read.")
            store.drop_manuscripts(conn, below)
        return len(below)

    def together(
        self, ref: int | str, k: int | None = 50, *, as_of: int | None = None
    ) -> tuple[Together, ...]:
        """Papers cited together with one in manuscripts, those closest to it first.

        Args:
            ref: the paper.
            k: how many; all where None.
            as_of: only papers dated up to a year.

        Raises:
            UserError: there is no such paper.
        """
        with self._database.read() as conn:
            paper = resolve(conn, ref)
            if paper is None:
                raise UserError(f"There is no paper {ref} in this library.")
            found = [one for one in _dated(conn, _pairs(conn), as_of) if paper in (one.a, one.b)]
        found.sort(key=lambda one: (-one.weight, one.a, one.b))
        return tuple(found[:k])

    def pairs(self, as_of: int | None = None) -> tuple[Together, ...]:
        """All pairs of papers cited together in manuscripts, the strongest first.

        Args:
            as_of: only papers dated up to a year.
        """
        with self._database.read() as conn:
            found = _dated(conn, _pairs(conn), as_of)
        return tuple(sorted(found, key=lambda one: (-one.weight, one.a, one.b)))

    def _report(
        self,
        top: Path | None,
        read: int,
        gone: Sequence[str],
        left_out: Sequence[tuple[str, str]],
    ) -> ManuscriptReport:
        with self._database.read() as conn:
            rows = [
                one
                for one in store.list_manuscripts(conn)
                if top is None or Path(one.path).is_relative_to(top)
            ]
            names = {one.id: one.path for one in rows}
            cites = [(number, one) for number, one in store.read_cites(conn) if number in names]
            papers = store.papers_of_keys(conn, (one.citekey for _number, one in cites))
            pairs = _pairs(conn, set(names))
        unknown: dict[str, UnknownKey] = {}
        for number, one in cites:
            if one.citekey not in papers:
                unknown.setdefault(one.citekey, UnknownKey(one.citekey, names[number], one.line))
        levels = [one.level for one in pairs]
        return ManuscriptReport(
            manuscripts=tuple(
                Manuscript(one.path, one.kind, one.read_at, one.citations, one.works)
                for one in rows
            ),
            read=read,
            unchanged=len(rows) - read,
            gone=tuple(gone),
            left_out=tuple(LeftOut(name, why) for name, why in left_out),
            citations=sum(one.citations for one in rows),
            papers=len(set(papers.values())),
            unknown=tuple(unknown[key] for key in sorted(unknown)),
            pairs={level: levels.count(level) for level in Level},
        )


def _files(top: Path) -> Iterator[Path]:
    if top.is_file():
        if top.suffix.lower() not in _READERS:
            raise UserError(f"{top} is no manuscript: only .tex, .aux and Markdown files are read.")
        yield top
    elif top.is_dir():
        yield from (file for file in files_in(top) if file.suffix.lower() in _READERS)
    else:
        raise UserError(f"There is no file or folder {top}.")


_Read = dict[str, tuple[str, str, list[store.CiteRow]]]


def _read_all(
    files: Sequence[Path], before: dict[str, str], ctx: JobContext
) -> tuple[_Read, list[tuple[str, str]]]:
    """What changed files cite, and which ones are left out for what reason."""
    found: _Read = {}
    left_out: list[tuple[str, str]] = []
    speaking: set[Path] = set()
    # The text itself comes before what LaTeX noted of it.
    for number, file in enumerate(sorted(files, key=lambda one: one.suffix.lower() == ".aux")):
        ctx.progress(number, len(files), f"Reading {file.name}")
        kind, cited = _READERS[file.suffix.lower()]
        if kind == "aux" and file.with_suffix("") in speaking:
            left_out.append((location_of(file), "its .tex file says more"))
            continue
        try:
            text = read_source(file).text
        except UserError as error:
            left_out.append((location_of(file), str(error)))
            continue
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        cites = [
            store.CiteRow(one.citekey, one.line, one.section, one.paragraph, one.sentence, one.cite)
            for one in cited(text)
        ]
        if cites and kind == "latex":
            speaking.add(file.with_suffix(""))
        mark = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        if before.get(location_of(file)) != mark:
            found[location_of(file)] = (kind, mark, cites)
    return found, left_out


def _dated(conn: sa.Connection, pairs: list[Together], year: int | None) -> list[Together]:
    """The pairs whose papers are both dated up to a year."""
    if year is None:
        return pairs
    dated = store.dated_up_to(conn, {paper for one in pairs for paper in (one.a, one.b)}, year)
    return [one for one in pairs if one.a in dated and one.b in dated]


def _pairs(conn: sa.Connection, among: set[int] | None = None) -> list[Together]:
    """Papers cited together: of each manuscript the closest part that two share counts."""
    cites = [
        (number, one) for number, one in store.read_cites(conn) if among is None or number in among
    ]
    papers = store.papers_of_keys(conn, (one.citekey for _number, one in cites))
    names = {one.id: one.path for one in store.list_manuscripts(conn)}
    closest: dict[tuple[PaperId, PaperId], dict[int, Level]] = {}
    for level in Level:  # from the closest on: what is there already is closer
        parts: dict[tuple[int, int], set[PaperId]] = {}
        for number, one in cites:
            if one.citekey in papers:
                part = (one.cite, one.sentence, one.paragraph, one.section)[level]
                parts.setdefault((number, part), set()).add(papers[one.citekey])
        for (number, _part), inside in parts.items():
            if len(inside) > MOST:
                continue
            for pair in combinations(sorted(inside), 2):
                closest.setdefault(pair, {}).setdefault(number, level)
    return [
        Together(
            a,
            b,
            weight=sum(level.weight for level in levels.values()),
            level=min(levels.values()),
            manuscripts=tuple(names[number] for number in sorted(levels)),
        )
        for (a, b), levels in closest.items()
    ]
