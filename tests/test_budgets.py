"""A file or function over its budget has two jobs."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LINES_A_FILE = 400
LINES_A_FUNCTION = 50
FOLDERS = ("core", "trainer", "app", "resources", "benchmarks", "tools")


def sources(root: Path) -> Iterator[Path]:
    for folder in FOLDERS:
        yield from sorted((root / folder).rglob("*.py"))


def test_no_file_is_too_long(project_root: Path) -> None:
    lengths = {
        str(path.relative_to(project_root)): len(path.read_text("utf-8").splitlines())
        for path in sources(project_root)
    }
    assert len(lengths) > 100
    assert {name: n for name, n in lengths.items() if n > LINES_A_FILE} == {}


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_function_is_too_long(project_root: Path, folder: str) -> None:
    found = [
        f"{path.relative_to(project_root)}:{node.lineno} {node.name}"
        for path in sorted((project_root / folder).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno > LINES_A_FUNCTION
    ]
    assert found == []
