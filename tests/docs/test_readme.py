"""The README's example runs as it stands, on the bundled encoder."""

from __future__ import annotations

import contextlib
import io
import re
from typing import TYPE_CHECKING

from litscape.search.hits import SearchResult

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

BIB = """
@inproceedings{vaswani2017, title = {Attention Is All You Need}, year = 2017,
  author = {Vaswani, Ashish and Shazeer, Noam}, abstract = {A transformer made of attention alone.}}
@inproceedings{bahdanau2015, title = {Neural Machine Translation by Jointly Learning to Align},
  year = 2015, author = {Bahdanau, Dzmitry}, abstract = {Attention aligns words in translation.}}
@article{lenz2015, title = {Deep Learning for Detecting Robotic Grasps}, year = 2015,
  author = {Lenz, Ian}, abstract = {Two networks find where a robot takes hold.}}
"""


def example(root: Path) -> str:
    text = (root / "README.md").read_text(encoding="utf-8")
    found = re.search(r"```python\n(.*?)```", text, re.DOTALL)
    assert found
    return found[1]


def test_the_python_example_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, project_root: Path, bundled_prepared: None
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "refs.bib").write_text(BIB, encoding="utf-8")
    names: dict[str, object] = {}
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(example(project_root), "README.md", "exec"), names)
    lines = printed.getvalue().splitlines()
    assert lines[0] == "3 added, 0 skipped"
    assert lines[1].startswith("Attention Is All You Need")
    assert lines[-1] == "(3,) (3, 384) float32"
    similar = names["similar"]
    assert isinstance(similar, SearchResult)
    assert [hit.semantic_rank for hit in similar] == [1, 2]
