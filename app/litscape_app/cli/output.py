"""The two streams: answers on stdout as UTF-8, everything else on stderr."""

from __future__ import annotations

import io
import json
import os
import sys
import unicodedata
from typing import TYPE_CHECKING, TextIO

from litscape.errors import EnvironmentFault

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from litscape_app.cli.command import Answer

_COMMANDS = {
    "compute similarity": "run `litscape embed`",
    "computing similarity": "`litscape embed`",
    "Allow more queries": "Give a larger --most",
}
LONGEST_CELL = 200
"""Signs of a cell in a table: room for nearly every path and title."""
_TURNING = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)])
"""Signs that turn the direction of what follows, also beyond their own text."""


def prepare_streams() -> None:
    r"""Make stdout UTF-8 with ``\n`` whatever the system says, and stderr unable to fail.

    A lone surrogate (a file name that is no UTF-8) is written as ``\udcXX``, which JSON reads.
    """
    if sys.stderr is None:  # closed by whoever started the program
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - for good
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
    if isinstance(sys.stderr, io.TextIOWrapper):
        sys.stderr.reconfigure(errors="backslashreplace")


class Output:
    """Writes the answer once, and messages as they come."""

    def __init__(self, *, as_json: bool) -> None:
        self.as_json = as_json

    @property
    def stdout(self) -> TextIO:
        """The stream for answers; a command that streams writes here itself."""
        return sys.stdout

    def answer(self, answer: Answer) -> None:
        """Print what a command found.

        Raises:
            EnvironmentFault: stdout takes no more (a full disk).
        """
        as_json = self.as_json
        text = json.dumps(answer.value, ensure_ascii=False) if as_json else in_commands(answer.text)
        try:
            if text:
                sys.stdout.write(text + "\n")
            sys.stdout.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise EnvironmentFault(f"The answer could not be written: {error.strerror}.") from error

    def message(self, text: str) -> None:
        """Tell the person something, on one line of stderr."""
        line = "litscape: " + " ".join(in_commands(text).splitlines())
        sys.stderr.write(line + "\n")
        sys.stderr.flush()


def in_commands(text: str) -> str:
    """``text`` with the acts that libraries and windows speak of as commands to type."""
    for act, command in _COMMANDS.items():
        text = text.replace(act, command)
    return text


def printable(text: str) -> str:
    """``text`` without signs that could steer a terminal or turn the direction of what follows.

    Control characters become blanks; the signs that turn the direction of writing are left out.
    """
    text = text.translate(_TURNING)
    return "".join(one if unicodedata.category(one) != "Cc" else " " for one in text)


def columns(rows: Sequence[Sequence[object]], gap: str = "  ", *, whole: bool = False) -> str:
    """Rows of cells as aligned lines; numbers stand right, the last cell is not padded.

    A long cell is cut, unless ``whole``: a table is there to find what is then shown whole.
    """
    texts = [["" if one is None else printable(str(one)) for one in row] for row in rows]
    cells = texts if whole else [[_cell(one) for one in row] for row in texts]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]

    def lines() -> Iterator[str]:
        for row, texts in zip(rows, cells, strict=True):
            padded = [
                text.rjust(width) if isinstance(value, int | float) else text.ljust(width)
                for value, text, width in zip(row[:-1], texts[:-1], widths[:-1], strict=True)
            ]
            yield gap.join([*padded, texts[-1]]).rstrip()

    return "\n".join(lines())


def _cell(text: str) -> str:
    return text if len(text) <= LONGEST_CELL else f"{text[: LONGEST_CELL - 1].rstrip()}…"


def counted(number: int, one: str, many: str | None = None) -> str:
    """``1 paper``, ``4,180 papers``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
