"""What is said of manuscripts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from litscape.manuscripts.parts import Level
    from litscape.paper import PaperId


@dataclass(frozen=True, slots=True)
class Manuscript:
    """A manuscript that was read.

    Attributes:
        path: of its file.
        kind: ``latex``, ``markdown`` or ``aux``.
        read_at: when it was read last, UTC.
        citations: how many it holds; one may name several works.
        works: citation keys in them.
    """

    path: str
    kind: str
    read_at: str
    citations: int
    works: int


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file of which nothing was taken."""

    path: str
    why: str


@dataclass(frozen=True, slots=True)
class UnknownKey:
    """A key that no paper of the library has, and where it stands first."""

    citekey: str
    path: str
    line: int


@dataclass(frozen=True, slots=True)
class Together:
    """Two papers, ``a < b``, that manuscripts cite together.

    Attributes:
        weight: sum over manuscripts of what the closest part counts that both stand in.
        level: the closest of these parts.
        manuscripts: paths of the manuscripts.
    """

    a: PaperId
    b: PaperId
    weight: float
    level: Level
    manuscripts: tuple[str, ...]

    def other(self, paper: PaperId) -> PaperId:
        """The one that is not ``paper``."""
        return self.b if paper == self.a else self.a


@dataclass(frozen=True, slots=True)
class ManuscriptReport:
    """What reading manuscripts gave.

    Attributes:
        manuscripts: all of the place, as they are known now.
        read, unchanged: how many of them were read anew, and how many needn't be.
        gone: paths that are there no more, and were forgotten.
        left_out: files of which nothing was taken.
        citations: how many the manuscripts hold.
        papers: papers of the library among the works cited.
        unknown: keys that no paper has.
        pairs: pairs of papers by the closest part that they share.
    """

    manuscripts: tuple[Manuscript, ...]
    read: int
    unchanged: int
    gone: tuple[str, ...]
    left_out: tuple[LeftOut, ...]
    citations: int
    papers: int
    unknown: tuple[UnknownKey, ...]
    pairs: Mapping[Level, int]
