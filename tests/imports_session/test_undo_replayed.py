"""Imports are taken back in any order: what is left is as if they had never been."""

from __future__ import annotations

import random
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import pytest

from litscape.edits import Editor
from litscape.history import History
from litscape.importers.opened import RecordsAtHand
from litscape.importers.session import Imports
from litscape.paper import Author, Paper, PaperDraft, Reference
from litscape.papers import Papers
from litscape.store.database import Database

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

OWN = {"a": "volume", "b": "publisher", "c": "pages"}
"""What each source alone tells of a paper; of what two of them tell, the first stays."""
APART = frozenset({"id", "added_at", "modified_at", "missing_in_source"})
"""What tells of the past, or of sources and not of the paper."""
BASE = 3


@dataclass
class Shelf:
    """One library, and what is done to it by the names of its papers, which are their DOIs."""

    database: Database

    def __post_init__(self) -> None:
        self.papers, self.edit = Papers(self.database), Editor(self.database)
        self.history, self.imports = History(self.database), Imports(self.database)
        for n in range(BASE):
            self.edit.add(_draft(f"base{n}", tags=("kept",)))

    def take(self, source: str, drafts: tuple[PaperDraft, ...]) -> int | None:
        """Import the records of a source; returns the number of the import."""
        return self.imports.run_open([RecordsAtHand(source, "list", drafts)]).batch

    def act(self, name: str, how: Callable[[Editor, int], object]) -> None:
        """Do something by hand, where there is such a paper."""
        found = next((paper.id for paper in self.papers if paper.doi == f"10.5555/{name}"), None)
        if found is not None:
            how(self.edit, found)

    def shown(self) -> Any:
        """All that a person or an export can see, by DOI; no row number of the database."""
        papers = list(self.papers)
        names = {paper.id: str(paper.doi) for paper in papers}
        with self.database.read() as conn:
            rows = conn.exec_driver_sql(
                "SELECT name FROM tags UNION ALL SELECT name FROM collections ORDER BY name"
            )
            # What a person made stays, also where its only paper went with an import.
            made = [name for name in rows.scalars() if name.startswith(("tag ", "Of ", "Part "))]
        return {names[one.id]: _seen(one, names) for one in papers}, made


def _seen(paper: Paper, names: dict[int, str]) -> dict[str, Any]:
    found = {one.name: getattr(paper, one.name) for one in fields(paper) if one.name not in APART}
    # What left the library is a reference again, by whatever name it was cited.
    cited = {names[one] for one in paper.cites}
    for one in found.pop("references"):
        cited.add(one.doi or f"10.5555/{str(one.source_id).rpartition(':')[2]}")
    found["cites"] = sorted(cited)
    for name in ("tags", "collections", "notes", "citekey_aliases"):
        found[name] = sorted(found[name], key=repr)
    return found


def _texts(papers: dict[str, dict[str, Any]]) -> Any:
    """Everything of papers but what they cite."""
    return {name: {k: v for k, v in one.items() if k != "cites"} for name, one in papers.items()}


def _draft(name: str, **told: Any) -> PaperDraft:
    return PaperDraft(
        citekey=told.pop("citekey", name),
        title=f"The study called {name}",
        authors=(Author("Owl", "Amy"),),
        year=2010,
        doi=f"10.5555/{name}",
        **told,
    )


def _version(dice: random.Random, source: str, number: int) -> tuple[PaperDraft, ...]:
    """A source as it stands now: some papers of the library, some that it alone has."""
    names = [f"base{n}" for n in range(BASE)] + [f"{source}{n}" for n in range(3)]
    names += [f"all{n}" for n in range(3)]
    return tuple(
        _draft(
            name,
            citekey=f"{source}:{name}",
            **{OWN[source]: f"{source}{number}"},
            **({"abstract": f"Told by {source}{number}"} if dice.random() < 0.5 else {}),
            tags=(f"tag {source}", f"tag {source}{dice.randrange(2)}", "tag all"),
            collections=((f"Of {source}",), (f"Of {source}", f"Part {source}{number}")),
            notes=(f"Note {source}{number}",),
            cites=(f"{source}:{dice.choice(names)}",),
            raw_fields={f"shelf-{source}": str(number), "shelf": f"{source}{number}"},
            references=(Reference(doi=f"10.5555/all{dice.randrange(4)}"),),
        )
        for name in dice.sample(names, dice.randrange(2, len(names)))
    )


def _hand(dice: random.Random, step: int) -> tuple[str, Callable[[Editor, int], object]]:
    """Something that a person does to one paper."""
    name = dice.choice([f"base{n}" for n in range(BASE)] + [f"{s}{n}" for s in OWN for n in (0, 1)])
    field = dice.choice(["issue", "abstract", *OWN.values()])
    acts: list[Callable[[Editor, int], object]] = [
        lambda edit, paper: edit.edit(paper, {field: f"by hand {step}"}),
        lambda edit, paper: edit.tag([paper], [f"mine {step}"]),
        lambda edit, paper: edit.add_to_collection([paper], f"Mine/{step}"),
    ]
    return name, dice.choice(acts)


def _mixed(dice: random.Random, batches: list[tuple[str, int]]) -> list[int]:
    """Imports in any order, those of one source with the newest first."""
    order = [source for source, _batch in batches]
    dice.shuffle(order)
    left = {one: [batch for source, batch in batches if source == one] for one in OWN}
    return [left[source].pop() for source in order]


@pytest.mark.parametrize("seed", range(25))
def test_what_is_left_is_as_if_it_had_never_been(seed: int, tmp_path: Path) -> None:
    dice = random.Random(seed)
    steps: list[tuple[str, Any]] = []
    for step in range(dice.randrange(4, 12)):
        if dice.random() < 0.5:
            source = dice.choice(list(OWN))
            steps.append((source, _version(dice, source, step)))
        else:
            steps.append(("", _hand(dice, step)))
    # Of one source the newest imports are taken back; those before them brought what they changed.
    gone: set[int] = set()
    for source in OWN:
        mine = [n for n, (name, _what) in enumerate(steps) if name == source]
        gone.update(mine[dice.randrange(len(mine) + 1) :])
    with Database.open(tmp_path / "one") as one, Database.open(tmp_path / "other") as other:
        shelf, never = Shelf(one), Shelf(other)
        batches: list[tuple[str, int]] = []
        for n, (source, what) in enumerate(steps):
            if not source:
                shelf.act(*what)
                never.act(*what)
                continue
            batch = shelf.take(source, what)
            if n in gone and batch is not None:
                batches.append((source, batch))
            elif n not in gone:
                never.take(source, what)
        for batch in _mixed(dice, batches):
            shelf.history.undo_batch(batch)
        assert shelf.shown() == never.shown()


@pytest.mark.parametrize("seed", range(8))
def test_any_order_leads_to_the_same(seed: int, tmp_path: Path) -> None:
    """Also where an older import of a source is taken back before a newer one."""
    dice = random.Random(seed)
    versions = [(source, _version(dice, source, n)) for n, source in enumerate("abcab")]
    hands = [_hand(dice, n) for n in range(5)]
    chosen = dice.sample(range(5), dice.randrange(2, 6))
    ends = []
    for turn in range(3):
        with Database.open(tmp_path / str(turn)) as database:
            shelf = Shelf(database)
            batches = []
            for version, hand in zip(versions, hands, strict=True):
                batches.append(shelf.take(*version))
                shelf.act(*hand)
            order = [batches[n] for n in chosen]
            random.Random(f"{seed} {turn}").shuffle(order)
            for batch in order:
                assert batch is not None
                shelf.history.undo_batch(batch)
            ends.append(shelf.shown())
    assert ends[0] == ends[1] == ends[2]


@pytest.mark.parametrize("seed", range(8))
def test_all_taken_back_and_made_again(seed: int, tmp_path: Path) -> None:
    dice = random.Random(seed)
    with Database.open(tmp_path / "one") as one, Database.open(tmp_path / "other") as other:
        shelf, never = Shelf(one), Shelf(other)
        batches: list[int] = []
        for n, source in enumerate(dice.choices("abc", k=6)):
            batch = shelf.take(source, _version(dice, source, n))
            batches += [] if batch is None else [batch]
            name, how = _hand(dice, n)
            if name.startswith("base"):
                shelf.act(name, how)
                never.act(name, how)
        dice.shuffle(batches)
        states = [shelf.shown()]
        for batch in batches:
            shelf.history.undo_batch(batch)
            states.append(shelf.shown())
        assert states[-1] == never.shown()
        for papers, _made in reversed(states[:-1]):
            shelf.history.redo()
            assert _texts(shelf.shown()[0]) == _texts(papers)
        dice.shuffle(batches)
        for batch in batches:
            shelf.history.undo_batch(batch)
        assert shelf.shown()[0] == never.shown()[0]
