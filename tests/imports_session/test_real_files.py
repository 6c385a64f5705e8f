"""Over real library files beside the checkout: every record is accounted for, twice and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from litscape.errors import UserError

if TYPE_CHECKING:
    from pathlib import Path

SUFFIXES = (".bib", ".ris", ".json")


@pytest.fixture(scope="module")
def files(project_root: Path) -> list[Path]:
    folder = project_root.parent / "shared" / "imports" / "files"
    if not folder.is_dir():
        pytest.skip("the reference files are not beside the checkout")
    return sorted(path for path in folder.rglob("*") if path.suffix in SUFFIXES)


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
def test_nothing_is_lost(files: list[Path], part: int, world: Any, counts: Any) -> None:
    read = 0
    for file in files[part::8]:
        try:
            report = world.imports.run([file])
        except UserError:
            continue
        read += 1
        added, updated, _merged, unchanged, skipped = counts(report)
        assert (len(world.papers), updated, unchanged) == (added, 0, 0), file
        assert sum(issue.severity == "skipped" for issue in report.issues) >= skipped, file
        again = world.imports.run([file])
        assert again.batch is None, file
        assert counts(again) == (0, 0, 0, report.records - skipped, skipped), file
        if report.batch is not None:
            world.history.undo()
            tables = ("papers", "records", "tags", "collections", "citations", "authors")
            assert [world.count(table) for table in tables] == [0] * 6, file
    assert read
