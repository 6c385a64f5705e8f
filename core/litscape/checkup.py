"""Is a library whole, its vectors too? And mending it as far as that can be done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from litscape.store import integrity
from litscape.store.backup import backup
from litscape.store.repair import repair as repair_rows

if TYPE_CHECKING:
    from pathlib import Path

    from litscape.library import Library


@dataclass(frozen=True, slots=True)
class Repaired:
    """What came of mending a library.

    Attributes:
        mended: what was done, one sentence each.
        problems: what is wrong still, one sentence each.
        backup: the copy made before, None where nothing had to be mended.
    """

    mended: tuple[str, ...]
    problems: tuple[str, ...]
    backup: Path | None


def check(library: Library) -> list[str]:
    """Every damage found, one sentence each; an empty list means that all is well.

    Reads the library file and every vector: some seconds for 100,000 papers.
    """
    problems = integrity.check(library.database)
    return [*problems, *(_sentence(*one) for one in _damaged_vectors(library).items())]


def repair(library: Library) -> Repaired:
    """Mend a library after a backup of its file; a second call finds nothing to do.

    Raises:
        EnvironmentFault: the library or its backup can't be written.
    """
    before = check(library)
    if not before or integrity.damage(library.database):
        return Repaired((), tuple(before), None)  # a copy of a damaged file is no backup
    copy = backup(library.database)
    mended = repair_rows(library.database)
    for version, papers in _damaged_vectors(library).items():
        library.vector_store.forget(version, papers)
        vectors = "1 damaged vector" if len(papers) == 1 else f"{len(papers):,} damaged vectors"
        mended.append(
            f"{vectors} of the model {version} {'was' if len(papers) == 1 else 'were'} forgotten; "
            "computing similarity makes what is missing."
        )
    return Repaired(tuple(mended), tuple(check(library)), copy)


def _damaged_vectors(library: Library) -> dict[str, list[int]]:
    """The papers with a damaged vector by model version; versions without any are left out."""
    versions = [card.version for card in library.models.available()]
    found = {version: library.vector_store.damaged(version) for version in versions}
    return {version: papers for version, papers in found.items() if papers}


def _sentence(version: str, papers: list[int]) -> str:
    one = len(papers) == 1
    return (
        f"{len(papers):,} {'vector' if one else 'vectors'} of the model {version} "
        f"{'is' if one else 'are'} damaged or missing; "
        f"computing similarity makes {'it' if one else 'them'} anew."
    )
