"""One source during an import: the records that it had before, and which of them it has still."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from litscape.importers.normalise import title_key

if TYPE_CHECKING:
    from collections.abc import Iterable

    from litscape.paper import ImportProblem, PaperDraft, PaperId
    from litscape.store.imports import KnownRecord

_REPEAT = "\x1f#"
_INNER = "\x1f:"
_UNREAD = frozenset(
    {
        "file-truncated",
        "source-empty",
        "broken-file",
        "unclosed-entry",
        "unbalanced-braces",
        "broken-entry",
        "source-changed",
    }
)
"""Problems after which nobody knows whether a record is gone or was only not read."""


def canonical(location: str) -> str:
    """The one path of a file that may be named by several; addresses and names stay as they are."""
    try:
        path = Path(location)
        return str(path.resolve()) if path.is_absolute() else location
    except (OSError, RuntimeError, ValueError):  # a circle of links, or no path at all
        return location


def tidy(location: str) -> str:
    """A file's path as a person should read it: without ``..`` in it."""
    parts = location.replace("\\", "/").split("/")
    return canonical(str(Path(location).absolute())) if ".." in parts else location


def same_source(location: str, known: Iterable[tuple[int, str]]) -> tuple[int, str] | None:
    """That one of the known sources that is the same file, by whatever path."""
    rows = list(known)
    exact = next((row for row in rows if row[1] == location), None)
    if exact is not None:
        return exact
    wanted = canonical(location)
    return next((row for row in rows if canonical(row[1]) == wanted), None)


def record_key(draft: PaperDraft, hashed: bytes) -> str:
    """What a source calls a record, or what tells it from the others where it has no name."""
    if draft.source_id:
        # First: it is also what the citing records of the source call it.
        return draft.source_id
    if draft.zotero_key:
        return f"{draft.library or ''}:{draft.zotero_key}"
    if draft.citekey:
        return draft.citekey
    if draft.doi:
        return f"{_INNER}doi:{draft.doi}"
    if draft.title:
        return f"{_INNER}title:{title_key(draft.title)}:{draft.year or ''}"
    return f"{_INNER}hash:{hashed.hex()[:64]}"


@dataclass(slots=True)
class Source:
    """A source that is being read.

    Attributes:
        location: absolute path or address.
        kind: the reader's name.
        id: its row, None until something from it is stored.
        records: how many drafts came from it in this run.
        whole: whether all of it could be read so far.
        present: the changed and new records that it has now, by name, with their titles as they
            are compared; known beforehand where it was read before.
        cites: whether any of its records names others that it cites.
        seen: papers of which a record came in this run.
        first: the papers of the records of this run, by what the source calls them.
    """

    location: str
    kind: str
    id: int | None = None
    records: int = 0
    whole: bool = True
    present: dict[str, str] = field(default_factory=dict)
    cites: bool = False
    seen: set[PaperId] = field(default_factory=set)
    first: dict[str, list[PaperId]] = field(default_factory=dict)
    _by_key: dict[str, KnownRecord] = field(default_factory=dict)
    _by_base: dict[str, list[KnownRecord]] = field(default_factory=dict)
    _by_paper: dict[PaperId, list[KnownRecord]] = field(default_factory=dict)
    _taken: set[str] = field(default_factory=set)

    def reserve(self, records: Iterable[KnownRecord]) -> None:
        """Keep the keys of stored records from being used again, though no record goes on."""
        self._taken.update(record.key for record in records)

    def know(self, records: Iterable[KnownRecord]) -> None:
        """Take in records that are stored."""
        for record in records:
            self._by_key[record.key] = record
            self._by_base.setdefault(base_name(record.key), []).append(record)
            self._by_paper.setdefault(record.paper, []).append(record)

    def standing(self) -> frozenset[str]:
        """What the stored records are called that the source had when it was read last."""
        return frozenset(
            base_name(key) for key, record in self._by_key.items() if not record.missing
        )

    def unseen(self, base: str) -> list[KnownRecord]:
        """Stored records of a name that were not met again yet."""
        records = self._by_base.get(base)
        return [record for record in records if not record.seen] if records else []

    def moved(self, paper: PaperId, title: str) -> KnownRecord | None:
        """A stored record of a paper whose name now stands for another title, or for nothing."""
        for record in self._by_paper.get(paper, ()):
            if not record.seen and self.present.get(base_name(record.key), "\x1f") != title:
                return record
        return None

    def paper_named(self, key: str) -> PaperId | None:
        """The paper of the record that the source calls so."""
        record = self._by_key.get(key)
        return record.paper if record is not None else None

    def free_key(self, base: str) -> str:
        """A key for one more record of a name."""
        key, n = base, 1
        while key in self._by_key or key in self._taken:
            n += 1
            key = f"{base}{_REPEAT}{n}"
        return key

    def rename(self, record: KnownRecord, key: str) -> None:
        """Note that the source calls a record otherwise now."""
        del self._by_key[record.key]
        self._by_base[base_name(record.key)].remove(record)
        record.key = key
        self._by_key[key] = record
        self._by_base.setdefault(base_name(key), []).append(record)

    def meet(self, base: str, paper: PaperId) -> None:
        """Note that a record of this name came in, and for which paper."""
        self.seen.add(paper)
        papers = self.first.setdefault(base, [])
        if paper not in papers:
            papers.append(paper)

    def names(self, base: str) -> bool:
        """Whether the source itself calls the record so (where not, its content does)."""
        return not base.startswith(_INNER)

    def equal(self, base: str, hashed: bytes) -> bool:
        """Whether a record of this name that reads the same is known."""
        return any(record.hash == hashed for record in self._by_base.get(base, ()))

    def papers_called(self, base: str) -> set[PaperId]:
        """All papers that a record of this name is of, now or before."""
        return {record.paper for record in self._by_base.get(base, ())}

    def judge(self, problem: ImportProblem) -> None:
        """Note from a problem whether the source can be read whole."""
        if problem.code in _UNREAD or (problem.is_record and problem.severity == "skipped"):
            self.whole = False

    def gone(self) -> list[KnownRecord]:
        """Stored records that the source has no more; none unless it was read whole."""
        if not self.whole or not self.records:
            return []
        return [r for r in self._by_key.values() if not r.seen and not r.missing]


def base_name(key: str) -> str:
    """What a source calls the record that is stored under a key."""
    return key.partition(_REPEAT)[0]
