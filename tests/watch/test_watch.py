"""Looking at a file again: what changed comes in, nothing goes, and renames are seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from litscape.errors import UserError
from litscape.importers.follower import Follower
from litscape.importers.watch import QUIET_S, Watch, Watched
from litscape.library import Library

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from litscape.paper import ImportReport


def entries(*names: str, title: str = "On mud") -> str:
    return "".join(
        f"@article{{{name}, title = {{{title} {name}}}, year = {{2001}}}}\n" for name in names
    )


@pytest.fixture
def library(tmp_path: Path, home: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library") as opened:
        yield opened


@pytest.fixture
def bib(tmp_path: Path) -> Path:
    file = tmp_path / "refs.bib"
    file.write_text(entries("a", "b", "c"), encoding="utf-8")
    return file


def replace(file: Path, text: str) -> None:
    """As an exporter does: a temporary file renamed over the old one."""
    new = file.with_suffix(".tmp")
    new.write_text(text, encoding="utf-8")
    new.replace(file)


def counts(report: ImportReport) -> tuple[int, int, int, int]:
    return report.records, report.added, report.updated, report.unchanged


def missing(library: Library) -> list[str]:
    return [paper.citekey for paper in library.papers if paper.missing_in_source]


def test_a_look_takes_in_what_changed(library: Library, bib: Path) -> None:
    watch = Watch(library.database)
    assert counts(watch.look(bib)) == (3, 3, 0, 0)
    replace(bib, entries("a", "b", title="Of mud") + entries("c", "d"))
    report = watch.look(bib)
    assert counts(report) == (4, 1, 2, 1)
    assert report.batch is not None
    library.history.undo()
    assert len(library.papers) == 3
    assert library.papers.get("a").title == "On mud a"


def test_nothing_is_told_where_nothing_changed(library: Library, bib: Path) -> None:
    library.imports.run([bib])
    watch = Watch(library.database)
    assert watch.look(bib).records == 0
    bib.touch()
    replace(bib, bib.read_text(encoding="utf-8"))
    report = watch.look(bib)
    assert counts(report) == (0, 0, 0, 0)
    assert report.batch is None
    link = bib.with_name("link.bib")
    link.symlink_to(bib)
    assert watch.look(link).records == 0


def test_an_undone_import_stays_undone_until_the_file_changes(library: Library, bib: Path) -> None:
    watch = Watch(library.database)
    watch.look(bib)
    library.history.undo()
    assert watch.look(bib).records == 0
    assert len(library.papers) == 0
    replace(bib, entries("a", "b", "c", "d"))
    assert watch.look(bib).added == 4


@pytest.mark.parametrize("text", ["", "\n \n", "\ufeff"])
def test_an_empty_file_removes_nothing(library: Library, bib: Path, text: str) -> None:
    watch = Watch(library.database)
    watch.look(bib)
    bib.write_text(text, encoding="utf-8")
    report = watch.look(bib)
    assert [(one.code, one.severity) for one in report.issues] == [("source-empty", "warning")]
    assert report.batch is None
    assert len(library.papers) == 3
    assert missing(library) == []
    replace(bib, entries("a", "b", "c"))
    assert counts(watch.look(bib)) == (3, 0, 0, 3)


def test_an_empty_file_keeps_the_kind_that_its_name_does_not_tell(
    library: Library, tmp_path: Path
) -> None:
    file = tmp_path / "refs.dat"
    file.write_text(entries("a"), encoding="utf-8")
    watch = Watch(library.database)
    watch.look(file)
    file.write_bytes(b"")
    assert [one.code for one in watch.look(file).issues] == ["source-empty"]


def test_a_file_that_is_cut_off_marks_nothing_as_missing(library: Library, bib: Path) -> None:
    watch = Watch(library.database)
    watch.look(bib)
    whole = bib.read_bytes()
    bib.write_bytes(whole[: len(whole) // 2])
    assert watch.look(bib).issues
    assert len(library.papers) == 3
    assert missing(library) == []


def test_a_file_that_is_not_there_is_a_mistake(library: Library, tmp_path: Path) -> None:
    watch = Watch(library.database)
    with pytest.raises(UserError, match="There is no file"):
        watch.look(tmp_path / "nothing.bib")
    with pytest.raises(UserError, match="There is no file"):
        watch.add(tmp_path / "nothing.bib")


def test_the_list_is_kept_in_the_library(library: Library, bib: Path, tmp_path: Path) -> None:
    watch = Watch(library.database)
    watch.add(bib)
    watch.add("zotero:http://127.0.0.1:1")
    watch.add(bib)
    watch.set_follow(bib, False)
    with Library.open(tmp_path / "library") as again:
        listed = Watch(again.database).sources()
    assert [(one.location, one.follow) for one in listed] == [
        (str(bib), False),
        ("zotero:http://127.0.0.1:1", True),
    ]
    assert listed[0].last_read is None
    watch.look(bib)
    assert watch.sources()[0].last_read is not None
    watch.remove(bib)
    assert [one.location for one in watch.sources()] == ["zotero:http://127.0.0.1:1"]
    with pytest.raises(UserError, match="not on the watch list"):
        watch.remove(bib)


class Clock:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Following:
    """A follower with its file and clock."""

    def __init__(self, library: Library, file: Path) -> None:
        self.clock = Clock()
        self.watch = Watch(library.database)
        self.follower = Follower(self.watch, self.clock)
        self.one = Watched(str(file))

    def due(self, after: float = 0.0) -> bool:
        self.clock.now += after
        return bool(self.follower.due([self.one]))

    def take(self) -> ImportReport:
        """What comes of a change that came to rest."""
        assert not self.due()
        assert self.due(QUIET_S)
        return self.watch.look(self.one.location)


@pytest.fixture
def following(library: Library, bib: Path) -> Following:
    one = Following(library, bib)
    assert one.take().added == 3
    assert not one.due(QUIET_S)
    return one


def test_any_number_of_renames_is_followed(following: Following, bib: Path) -> None:
    for number in range(4):
        replace(bib, entries("a", "b", "c", title=f"Version {number}"))
        assert counts(following.take()) == (3, 0, 3, 0)
        assert not following.due(QUIET_S)


def test_a_burst_is_one_change(following: Following, bib: Path) -> None:
    for number in range(5):
        replace(bib, entries("a", "b", "c", title=f"Version {number}"))
        assert not following.due(QUIET_S / 2)
    assert following.due(QUIET_S)
    assert not following.due(QUIET_S)


def test_deletion_and_return_are_survived(following: Following, bib: Path) -> None:
    bib.unlink()
    assert not following.due(QUIET_S)
    assert not following.due(QUIET_S)
    bib.write_text(entries("a", "b", "c", "d"), encoding="utf-8")
    assert following.take().added == 1
    with bib.open("a", encoding="utf-8") as file:
        file.write(entries("e"))
    assert following.take().added == 1


def test_the_same_text_anew_is_no_change(following: Following, bib: Path) -> None:
    replace(bib, bib.read_text(encoding="utf-8"))
    assert not following.due()
    assert not following.due(QUIET_S)


def test_what_could_not_be_read_is_tried_again(following: Following, bib: Path) -> None:
    bib.write_text(entries("x"), encoding="utf-8")
    assert not following.due()
    assert following.due(QUIET_S)
    following.follower.again(str(bib))
    assert not following.due(QUIET_S)
    assert not following.due(10)
    assert following.due(QUIET_S)
