"""Topics as they cross borders: one topic, and the tree of all topics of a scope."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from litscape.errors import UserError
from litscape.near import no_such

if TYPE_CHECKING:
    from numpy.typing import NDArray

Method = Literal["leiden", "hdbscan"]
METHODS: tuple[Method, ...] = get_args(Method)
ALL_PAPERS = "All papers"
"""The scope that is the whole library."""
UNASSIGNED = -1
"""What stands for the topic of a paper that has none."""


@dataclass(frozen=True, slots=True)
class Topic:
    """One topic.

    Attributes:
        id: its number, never used twice.
        level: 0 for the coarsest.
        parent: the topic of the level above that it is a part of; None at level 0.
        name: for people, two or three terms, or what a person called it.
        terms: what tells it from the others, the most telling first.
        size: its papers that are not in the trash, with those of the topics below it.
        edited: whether a person gave the name.
        colour: index into the palette; kept when topics are made again.
    """

    id: int
    level: int
    parent: int | None
    name: str
    terms: tuple[str, ...]
    size: int
    edited: bool
    colour: int


@dataclass(frozen=True, slots=True, eq=False)
class TopicTree:
    """The topics of a scope.

    Attributes:
        key: its number, never used twice.
        scope: title of the papers that were parted: All papers, a collection's name …
        version: the model version whose vectors were used.
        method: ``leiden`` or ``hdbscan``.
        seed: of its draws.
        made_at: when (UTC, ISO 8601).
        topics: level by level, the largest first.
        ids: the papers that were looked at and are not in the trash, ascending, int64 (n,).
        finest: the finest topic of each, int64 (n,), :data:`UNASSIGNED` where it has none.
        sentence: what a person should know of it.
        reshaped: the numbers of topics that a person merged or split.
    """

    key: int
    scope: str
    version: str
    method: Method
    seed: int
    made_at: str
    topics: tuple[Topic, ...]
    ids: NDArray[np.int64]
    finest: NDArray[np.int64]
    sentence: str
    reshaped: frozenset[int] = frozenset()

    @property
    def levels(self) -> int:
        """How many levels there are."""
        return 1 + max((topic.level for topic in self.topics), default=-1)

    def at(self, level: int) -> tuple[Topic, ...]:
        """The topics of one level, the largest first."""
        return tuple(topic for topic in self.topics if topic.level == level)

    def below(self, topic: Topic) -> tuple[Topic, ...]:
        """The topics that a topic consists of, the largest first."""
        return tuple(one for one in self.topics if one.parent == topic.id)

    def topic(self, key: int | str) -> Topic:
        """A topic by its number or name, in whatever case; of equal names the coarsest.

        Raises:
            UserError: there is none.
        """
        wanted = str(key).strip()
        for topic in self.topics:
            if topic.id == key or topic.name.casefold() == wanted.casefold():
                return topic
        for topic in self.topics:
            if str(topic.id) == wanted:
                return topic
        raise UserError(no_such("topic", wanted, (topic.name for topic in self.topics)))

    @property
    def worked_on(self) -> tuple[Topic, ...]:
        """The topics that a person named, merged or split."""
        return tuple(one for one in self.topics if one.edited or one.id in self.reshaped)

    def lost_in(self, after: TopicTree) -> tuple[str, ...]:
        """The names of topics that a person worked on and that others don't have any more."""
        names = {topic.name for topic in after.topics}
        papers = {after.papers_of(topic).tobytes() for topic in after.topics}
        return tuple(
            one.name
            for one in self.worked_on
            if (one.edited and one.name not in names)
            or (one.id in self.reshaped and self.papers_of(one).tobytes() not in papers)
        )

    def papers_of(self, topic: Topic) -> NDArray[np.int64]:
        """The papers of one of the topics, ascending, int64."""
        papers: NDArray[np.int64] = self.ids[self.labels(topic.level) == topic.id]
        return papers

    def labels(self, level: int) -> NDArray[np.int64]:
        """The topic of each paper at a level, int64 (n,); :data:`UNASSIGNED` where it has none.

        A topic that has no parts counts at the levels below it as well.
        """
        by_id = {topic.id: topic for topic in self.topics}
        whole = by_id.keys() - {topic.parent for topic in self.topics}
        known, places = np.unique(self.finest, return_inverse=True)
        found = [_up(by_id, whole, int(key), level) for key in known]
        return np.array(found, np.int64)[places] if found else self.finest

    def unassigned(self, level: int = 0) -> float:
        """The share of papers, 0 to 1, that have no topic at a level; 0 where there are none."""
        labels = self.labels(level)
        return float(np.mean(labels == UNASSIGNED)) if labels.size else 0.0


def _up(topics: dict[int, Topic], whole: set[int], key: int, level: int) -> int:
    """The topic of a level that a topic is, or is a part of."""
    topic = topics.get(key)
    while topic is not None and topic.level > level:
        topic = topics.get(topic.parent or UNASSIGNED)
    if topic is None or (topic.level < level and topic.id not in whole):
        return UNASSIGNED
    return topic.id
