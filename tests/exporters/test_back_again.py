"""What one format needed to come back as it was."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING

import pytest

from litscape.importers.base import SourceText
from litscape.importers.registry import importer
from litscape.library import Library
from litscape.paper import Author

if TYPE_CHECKING:
    from pathlib import Path


def exported(tmp_path: Path, entry: str, kind: str) -> str:
    path = tmp_path / "a.bib"
    path.write_text(entry, encoding="utf-8")
    with Library.open(tmp_path / "library") as library:
        library.import_file(path)
        stream = io.StringIO()
        library.export(kind, stream)
    return stream.getvalue()


def test_the_journal_of_what_ris_calls_a_book(tmp_path: Path) -> None:
    text = exported(tmp_path, "@manual{a, title = {A}, journal = {Mud}}", "ris")
    (draft, *_) = importer("ris").read(SourceText("/x", text, "utf-8"))
    assert (draft.type, draft.venue) == ("book", "Mud")  # type: ignore[union-attr]


def test_only_types_of_csl_are_written_in_it(tmp_path: Path) -> None:
    text = exported(tmp_path, "@techreport{a, doi = {10.5555/a}}", "csl-json")
    assert json.loads(text)[0]["type"] == "report"
    assert importer("csl-json").recognises(text) > 0.5


@pytest.mark.parametrize("name", ["de la Vallée Poussin, Charles Louis", "Gull, Petra"])
def test_one_author_of_a_table_stays_one(tmp_path: Path, name: str) -> None:
    text = exported(tmp_path, f"@book{{a, title = {{A}}, author = {{{name}}}}}", "csv")
    (draft, *_) = importer("csv").read(SourceText("/x", text, "utf-8"))
    (author,) = draft.authors  # type: ignore[union-attr]
    assert isinstance(author, Author)
    assert f"{author.short}, {author.given}" == name


def test_text_behind_a_json_list_is_told_at_its_line() -> None:
    text = '[{"title": "A"}\n]}\n, more'
    told = list(importer("csl-json").read(SourceText("/x", text, "utf-8")))[-1]
    assert (told.line, told.raw) == (3, "more")
