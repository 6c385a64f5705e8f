"""What the text layer of a PDF becomes: whole words, letters that are letters."""

from __future__ import annotations

import pytest

from litscape.pdfs.text import readable


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("long wind\ufffeing rivers", "long winding rivers"),
        ("long wind\x02\r\ning rivers", "long winding rivers"),
        ("long wind-\r\ning rivers", "long winding rivers"),
        ("long wind\u00ad\r\ning rivers", "long winding rivers"),
        ("hy\u00adphen", "hyphen"),
        ("Smith\ufffeJones and IN\ufffeSIDE", "Smith-Jones and INSIDE"),
        ("pages 3\ufffe9 and CO-\r\n2", "pages 3-9 and CO-2"),
        ("a graph-based one, graph\ufffebased", "a graph-based one, graph-based"),
        ("e\ufb03cient \ufb02ow", "efficient flow"),
        ("深度学\r\n习的 模\r\nmodel 型", "深度学习的 模 model 型"),
        ("a \x00b\r\n\r\n c\t\td \ud800 e", "a b c d e"),
        ("e\u0301te\u0301", "été"),
        ("", ""),
    ],
)
def test_words_are_whole(raw: str, clean: str) -> None:
    assert readable([raw]) == [clean]


def test_a_hyphen_stays_where_the_file_has_it_elsewhere() -> None:
    assert readable(["state\ufffeof mind", "a state-of state-of"]) == [
        "state-of mind",
        "a state-of state-of",
    ]


def test_long_runs_without_blanks_take_no_long_time() -> None:
    text = "x" * 300_000 + "\ufffe" + "y" * 300_000 + "-\r\n"
    assert len(readable([text])[0]) in (600_001, 600_002)
