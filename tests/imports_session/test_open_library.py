"""The file of an open library is opened by SQLite alone: no importer touches it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from litscape import Library
from litscape.errors import UserError
from litscape.importers.marks import mark_of
from litscape.importers.session import Imports
from litscape.importers.watch import Watch
from litscape.store.in_use import is_open_here
from litscape.store.places import FILE

if TYPE_CHECKING:
    from pathlib import Path


def test_a_library_that_is_open_is_no_file_to_import(tmp_path: Path) -> None:
    with Library.open(tmp_path / "one") as library:
        own = tmp_path / "one" / FILE
        link = tmp_path / "papers.bib"
        os.link(own, link)
        for file in (own, link):
            for act in (
                lambda file=file: library.imports.run([file]),
                lambda file=file: Imports.preview(file),
                lambda file=file: library.import_file(file),
                lambda file=file: Watch(library.database).look(file, patience=0),
            ):
                with pytest.raises(UserError, match="is a library that is open"):
                    act()
            assert mark_of(file) is None
        assert len(library.papers) == 0


def test_what_was_closed_is_a_file_again(tmp_path: Path) -> None:
    with Library.open(tmp_path / "one"), Library.open(tmp_path / "one") as again:
        again.close()
        again.close()
        assert is_open_here(tmp_path / "one" / FILE)
    assert not is_open_here(tmp_path / "one" / FILE)
    assert mark_of(tmp_path / "one" / FILE) is not None
    with (
        Library.open(tmp_path / "two") as other,
        pytest.raises(UserError, match="no known kind of library file"),
    ):
        other.imports.run([tmp_path / "one" / FILE])
