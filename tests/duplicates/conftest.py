from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import pytest

from litscape.library import Library
from litscape.paper import Author, PaperDraft
from litscape.store.bulk import NewPaper, insert_citations, insert_papers, next_paper_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


class World:
    """A library, and shorthands for what tests do with it."""

    def __init__(self, library: Library, folder: Path) -> None:
        self.library = library
        self.folder = folder
        self.find = library.duplicates

    def add(self, title: str | None = "Mud and water in rivers", **fields: Any) -> int:
        """Put a paper in as it is, past what an import would join; returns its id."""
        people = fields.pop("people", ("Owl",))
        values = {"authors": tuple(Author(name, "Amy") for name in people), "year": 2010, **fields}
        with self.library.database.write() as conn:
            paper = next_paper_id(conn)
            key = values.pop("citekey", f"key{paper}")
            draft = PaperDraft(title=title, citekey=key, **values)
            insert_papers(conn, [NewPaper(paper, key, draft)])
        return paper

    def cite(self, *links: tuple[int, int]) -> None:
        with self.library.database.write() as conn:
            insert_citations(conn, [(a, b, "import") for a, b in links])

    def bib(self, text: str, name: str = "refs.bib") -> Any:
        """Write a .bib file and import it."""
        self.folder.mkdir(exist_ok=True)
        file = self.folder / name
        file.write_text(text, "utf-8")
        return self.library.imports.run([file])

    def groups(self) -> list[tuple[int, ...]]:
        return sorted(group.ids for group in self.find.list())

    def certain(self) -> list[tuple[int, ...]]:
        return sorted(group.ids for group in self.find.list() if group.certain)

    def export(self) -> str:
        stream = io.StringIO()
        self.library.export("jsonl", stream)
        return stream.getvalue()

    def rows(self, table: str) -> list[tuple[Any, ...]]:
        with self.library.database.read() as conn:
            return [tuple(row) for row in conn.exec_driver_sql(f'SELECT * FROM "{table}"')]


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with Library.open(tmp_path / "library") as library:
        yield World(library, tmp_path / "sources")


@pytest.fixture
def make_world(tmp_path: Path) -> Iterator[Callable[[], World]]:
    """Makes one new library after the other, for tests that need many."""
    opened: list[Library] = []

    def make() -> World:
        place = tmp_path / f"library{len(opened)}"
        opened.append(Library.open(place))
        return World(opened[-1], tmp_path / f"sources{len(opened)}")

    yield make
    for library in opened:
        library.close()
