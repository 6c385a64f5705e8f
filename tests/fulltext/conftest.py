"""Libraries whose papers have PDFs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from litscape import Library

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path


def bib(files: Mapping[str, str], more: str = "") -> str:
    """BibTeX entries by citation key, each with a file."""
    entries = (
        f"@article{{{key}, title={{Heron work {key}}}, year={{2020}}, file={{:{path}:PDF}}}}"
        for key, path in files.items()
    )
    return "\n".join([*entries, more])


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library") as opened:
        yield opened


@pytest.fixture
def attach(library: Library, tmp_path: Path) -> Callable[[Mapping[str, bytes]], None]:
    """Import papers with PDFs of these contents beside the source, by citation key."""

    def act(files: Mapping[str, bytes]) -> None:
        for key, content in files.items():
            (tmp_path / f"{key}.pdf").write_bytes(content)
        source = tmp_path / "refs.bib"
        source.write_text(bib({key: f"{key}.pdf" for key in files}), encoding="utf-8")
        library.import_file(source)

    return act
