"""Whatever is merged: undo gives back every byte, redo makes it again, nothing dangles."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from litscape.duplicates import CHOICES
from litscape.paper import Author, FileLink, Reference
from litscape.store.integrity import check

World = Any
TEXTS = st.sampled_from(["Mud", "Mud and water", "Mud and water in rivers", "Öl & 泥", "x" * 300])
NAMES = st.sampled_from(["Owl", "Teal", "王", "Reed"])
PAPERS = st.fixed_dictionaries(
    {"title": st.none() | TEXTS},
    optional={
        "people": st.lists(NAMES, max_size=3),
        "year": st.none() | st.integers(2000, 2003),
        "year_raw": st.just("in press"),
        "venue": TEXTS,
        "pages": st.sampled_from(["1", "1-9"]),
        "abstract": TEXTS,
        "doi": st.sampled_from(["10.5555/a", "10.5555/b"]),
        "pmid": st.sampled_from(["11", "12"]),
        "isbn": st.sampled_from(["9780000000002", "9780000000019"]),
        "tags": st.lists(NAMES, max_size=3, unique=True).map(tuple),
        "collections": st.lists(st.tuples(NAMES, NAMES), max_size=2, unique=True).map(tuple),
        "notes": st.lists(TEXTS, max_size=2).map(tuple),
        "keywords": st.lists(TEXTS, max_size=3, unique=True).map(tuple),
        "files": st.lists(NAMES.map(FileLink), max_size=2, unique=True).map(tuple),
        "references": st.lists(TEXTS.map(Reference), max_size=2).map(tuple),
        "raw_fields": st.dictionaries(NAMES, TEXTS, max_size=2),
        "identifiers": st.dictionaries(st.sampled_from(["s2", "issn", "doi.2"]), NAMES),
        "citekey_aliases": st.lists(NAMES, max_size=2, unique=True).map(tuple),
        "missing_in_source": st.booleans(),
        "zotero_key": st.sampled_from(["A1", "B2"]),
        "authors": st.just((Author(literal="Mud Club"),)),
    },
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), drafts=st.lists(PAPERS, min_size=3, max_size=5))
def test_a_merge_is_taken_back_whole(make_world: Any, data: st.DataObject, drafts: Any) -> None:
    world = make_world()
    with world.library:
        ids = [world.add(**draft) for draft in drafts]
        some = st.sampled_from(ids)
        world.cite(*{(a, b) for a, b in data.draw(st.lists(st.tuples(some, some))) if a != b})
        for paper in data.draw(st.lists(some, max_size=2, unique=True)):
            world.library.edit.edit(paper, {"venue": "By hand"})
        for pair in data.draw(st.lists(st.lists(some, min_size=2, unique=True), max_size=2)):
            world.find.refuse(pair)
        trashed = data.draw(st.lists(some, max_size=2, unique=True))
        if trashed:
            world.library.edit.trash(trashed)
        wanted = data.draw(st.lists(some, min_size=2, unique=True))
        chosen = data.draw(
            st.dictionaries(st.sampled_from(CHOICES), st.sampled_from(wanted), max_size=4)
        )
        keep = data.draw(st.none() | st.sampled_from(wanted))
        before = whole(world)
        world.find.merge(wanted, keep, chosen)
        after = whole(world)
        assert len(world.rows("papers")) == len(ids) - len(wanted) + 1
        assert all(row[0] != row[1] for row in world.rows("citations"))
        assert check(world.library.database) == []
        world.library.history.undo()
        assert whole(world) == before
        assert check(world.library.database) == []
        world.library.history.redo()
        assert whole(world) == after
        world.library.history.undo()
        assert whole(world) == before


def whole(world: World) -> tuple[Any, ...]:
    """Everything that a person can see, the trash included."""
    papers = world.library.papers
    trashed = [papers.get(row[0]) for row in world.rows("papers")]
    tables = ("citations", "user_edits", "refused_pairs", "aliases", "identifiers")
    return (
        world.export(),
        [(one.id, one.title, one.tags, one.trashed_at) for one in trashed],
        *(sorted(world.rows(table)) for table in tables),
    )
