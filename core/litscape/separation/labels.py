"""Kinds of labels that a person trusts, and which papers carry which.

A new kind is a line of SQL in :data:`litscape.store.label_reads.SOURCES` and a line here.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from litscape.errors import UserError
from litscape.near import no_such
from litscape.separation.records import LEAST_LABELS, LEAST_PAPERS, MOST_LABELS
from litscape.sorting import same_value
from litscape.store.label_reads import label_pairs
from litscape.venue_series import joined

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from litscape.paper import PaperId
    from litscape.store.database import Database


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of label.

    Attributes:
        name: as commands and reports call it.
        title: the same for people.
        about: what counts as a label, in one sentence.
    """

    name: str
    title: str
    about: str


KINDS = {
    kind.name: kind
    for kind in (
        Kind(
            "collections",
            "Collections",
            "The collections that papers lie in; one with fewer than 20 papers counts with the one "
            "above it.",
        ),
        Kind("tags", "Tags", "The tags that papers carry."),
        Kind(
            "venue",
            "Venues",
            "Journals and conferences; years and numbers are left out of their names, so that "
            "each stands for a series.",
        ),
        Kind(
            "field",
            "Fields (first of each paper)",
            "The first field that the source gives a paper, such as its primary arXiv category.",
        ),
        Kind(
            "mesh",
            "Fields and MeSH headings (all)",
            "All fields that the source gives a paper: categories, MeSH headings, concepts.",
        ),
        Kind("keywords", "Keywords", "The keywords that authors or publishers gave."),
    )
}
"""By name, as they are offered."""


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """Papers and their labels.

    Attributes:
        kind: which labels these are.
        ids: the papers, ascending, int64 (n,).
        names: the labels, the largest first.
        member: who carries what, bool (n, number of labels).
        notes: what was left out, and why.
    """

    kind: Kind
    ids: NDArray[np.int64]
    names: tuple[str, ...]
    member: NDArray[np.bool_]
    notes: tuple[str, ...] = ()

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many papers carry each label."""
        return np.asarray(self.member.sum(axis=0), dtype=np.int64)

    def code(self, name: str) -> int:
        """The place of a label by its name, in whatever case.

        Raises:
            UserError: there is none.
        """
        wanted = same_value(name)
        for place, own in enumerate(self.names):
            if same_value(own) == wanted:
                return place
        raise UserError(no_such("label", name, self.names))

    def of(self, row: int) -> tuple[str, ...]:
        """What one paper carries."""
        return tuple(self.names[code] for code in np.flatnonzero(self.member[row]))

    def drawn(self, seed: int) -> NDArray[np.int64]:
        """One label for each paper, (n,): of several one is drawn."""
        luck = np.random.default_rng((_DRAW, seed)).random(self.member.shape)
        return np.asarray(np.where(self.member, luck, -1.0).argmax(axis=1), dtype=np.int64)


_DRAW = 7
NEARLY_ALL = 0.9
"""Share of the papers from which on a label that they carry beside others tells nothing."""


def kind_named(name: str) -> Kind:
    """A kind of label.

    Raises:
        UserError: there is none of that name.
    """
    if name not in KINDS:
        raise UserError(no_such("kind of label", name, list(KINDS)))
    return KINDS[name]


def read_labels(database: Database, kind: Kind) -> dict[str, list[PaperId]]:
    """The papers of each label, by its usual spelling; papers in the trash are left out."""
    with database.read() as conn:
        pairs = label_pairs(conn, kind.name)
    if kind.name == "venue":
        found = joined(name for name, _paper in pairs)
        pairs = [(found[name], paper) for name, paper in pairs]
    spellings: dict[str, Counter[str]] = defaultdict(Counter)
    papers: dict[str, dict[PaperId, None]] = defaultdict(dict)
    for name, paper in pairs:
        key = same_value(name)
        if key:
            spellings[key][name.strip()] += 1
            papers[key][paper] = None
    return {spellings[key].most_common(1)[0][0]: list(some) for key, some in papers.items()}


def venues_joined(database: Database) -> str:
    """How many names of venues count as how many series; empty where none was joined."""
    with database.read() as conn:
        names = {name for name, _paper in label_pairs(conn, "venue")}
    found = {same_value(name) for name in joined(names).values()}
    if len(found) == len(names):
        return ""
    return (
        f"{len(names):,} names of venues were joined to {len(found):,} series: years, ordinals and "
        "volumes are left out, joint meetings count with the first that is named, acronyms with "
        "the name they stand for."
    )


def rolled_up(kind: Kind, labels: dict[str, list[PaperId]]) -> dict[str, list[PaperId]]:
    """Labels as they are measured: a collection that is too small counts with the one above it."""
    if kind.name != "collections":
        return labels
    found = {name: dict.fromkeys(papers) for name, papers in labels.items()}
    for path in sorted({*_paths(labels)}, key=lambda path: -path.count("/")):
        above, inside, _name = path.rpartition("/")
        if inside and len(found.get(path, {})) < LEAST_PAPERS:
            found.setdefault(above, {}).update(found.pop(path, {}))
    return {name: list(papers) for name, papers in found.items() if papers}


def _paths(labels: Iterable[str]) -> Iterable[str]:
    """All collections and what lies above them."""
    for path in labels:
        parts = path.split("/")
        yield from ("/".join(parts[:depth]) for depth in range(1, len(parts) + 1))


def usable(labels: Mapping[str, list[PaperId]]) -> int:
    """How many labels are large enough to be measured, before vectors are asked for."""
    return sum(len(papers) >= LEAST_PAPERS for papers in labels.values())


def choose(kind: Kind, labels: Mapping[str, list[PaperId]], there: NDArray[np.int64]) -> Labelled:
    """The labels that can be measured, and the papers that carry one.

    Args:
        kind: which labels these are.
        labels: papers by label.
        there: papers that have a vector, ascending.
    """
    known = set(there.tolist())
    with_vector = {name: [one for one in papers if one in known] for name, papers in labels.items()}
    large = [name for name, papers in with_vector.items() if len(papers) >= LEAST_PAPERS]
    large.sort(key=lambda name: (-len(with_vector[name]), name))
    common = _on_nearly_all({name: set(with_vector[name]) for name in with_vector}, large)
    large = [name for name in large if name not in common]
    names = tuple(large[:MOST_LABELS])
    ids = np.array(sorted({one for name in names for one in with_vector[name]}), dtype=np.int64)
    member = np.zeros((len(ids), len(names)), dtype=bool)
    for code, name in enumerate(names):
        member[np.searchsorted(ids, np.array(with_vector[name], np.int64)), code] = True
    notes = _left_out(labels, with_vector, large, common, len(ids))
    return Labelled(kind, ids, names, member, notes)


def _on_nearly_all(papers: Mapping[str, set[PaperId]], large: Iterable[str]) -> list[str]:
    """Labels that nearly every paper carries whatever else it carries: all would share them.

    One that many papers carry alone, as the venue of most, parts them from the others and stays.
    """
    everyone = set[int]().union(*papers.values())
    found = []
    for name in large:
        own = papers[name]
        if len(own) < NEARLY_ALL * len(everyone):
            continue
        others = set[int]().union(*(some for other, some in papers.items() if other != name))
        if others and len(own & others) >= NEARLY_ALL * len(others):
            found.append(name)
    return found


def _left_out(
    labels: Mapping[str, list[PaperId]],
    with_vector: Mapping[str, list[PaperId]],
    large: list[str],
    common: list[str],
    measured: int,
) -> tuple[str, ...]:
    notes = []
    if common:
        named = ", ".join(f"“{name}”" for name in common)
        were, they = ("was", "it") if len(common) == 1 else ("were", "them")
        notes.append(
            f"{named} {were} left out: nearly all papers carry {they}, so that any two would share "
            "a label."
        )
    small = len(labels) - len(large) - len(common)
    if small:
        what = "1 label was" if small == 1 else f"{small:,} labels were"
        notes.append(f"{what} left out: fewer than {LEAST_PAPERS} papers carry it.")
    if len(large) > MOST_LABELS:
        notes.append(f"Of {len(large):,} labels the {MOST_LABELS} largest were measured.")
    everyone = _distinct(labels.values())
    lacking = everyone - _distinct(with_vector.values())
    if lacking:
        who = "1 labelled paper has" if lacking == 1 else f"{lacking:,} labelled papers have"
        notes.append(f"{who} no vector and could not be measured.")
    outside = everyone - lacking - measured
    if outside:
        who = "1 paper carries" if outside == 1 else f"{outside:,} papers carry"
        notes.append(f"{who} only labels that were left out.")
    return tuple(notes)


def _distinct(papers: Iterable[list[PaperId]]) -> int:
    return len({one for some in papers for one in some})


def too_few(labelled: Labelled) -> str:
    """Why these labels can't be measured; empty where they can."""
    found = len(labelled.names)
    if found >= LEAST_LABELS:
        return ""
    what = labelled.kind.title[0].lower() + labelled.kind.title[1:]
    there = "none is" if not found else "one is" if found == 1 else "only two are"
    return (
        f"Topic separation needs at least {LEAST_LABELS} labels with {LEAST_PAPERS} papers each; "
        f"of the {what} of this library {there} that large."
    )
