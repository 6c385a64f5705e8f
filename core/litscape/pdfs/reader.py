"""The program's end of the child that reads PDFs."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from litscape.errors import UserError

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    from litscape.engine.process import Child, Reply
    from litscape.jobs import JobContext

PATIENCE_S = 30.0
"""How long one page may take."""
MOST_S = 600.0
"""How long one file may take."""
_START_S = 60.0
"""How long the child may take to start: a busy computer, a cold disk."""
_POLL_S = 0.2


@dataclass(frozen=True, slots=True)
class PdfText:
    """The text of a file, cleaned.

    Attributes:
        pages: a text for each page that was read.
        total: how many pages the file has.
    """

    pages: tuple[str, ...]
    total: int


class PdfReader:
    """Reads PDFs in a child of its own, which is started anew when a file ends or holds it up."""

    def __init__(self, patience_s: float = PATIENCE_S, most_s: float = MOST_S) -> None:
        self._patience_s, self._most_s = patience_s, most_s
        self._child: Child | None = None
        self._up = False

    def ask(self, path: Path) -> Reply:
        """Begin to read a file; the answer is for :meth:`text`."""
        if self._child is None or not self._child.alive:
            self.close()
            from litscape.engine.process import Child

            self._child, self._up = Child("pdf", {}, module="litscape.pdfs.child"), False
        return self._child.ask({"path": str(path)})

    def text(self, path: Path, reply: Reply, ctx: JobContext) -> PdfText:
        """The text of the file that was asked for last.

        Raises:
            UserError: it can't be read, ended the child or took too long.
            EnvironmentFault: the library that reads PDFs is not installed.
            JobCancelledError: ``ctx`` asked for the end.
        """
        from litscape.engine.process import EngineDiedError, checked

        began = heard = time.monotonic()
        while True:
            ctx.check()
            message = reply.next(_POLL_S)
            now = time.monotonic()
            if message is not None:
                self._up = True
                heard = now
            if message is None or "progress" in message[0]:
                patience = self._patience_s if self._up else _START_S
                if now - heard > patience or now - began > self._most_s:
                    self.close()
                    raise UserError(f"{path} took too long and was given up.")
                continue
            try:
                header = checked(message[0])
            except EngineDiedError:
                self.close()
                raise UserError(f"{path} ended the program that reads PDFs.") from None
            return PdfText(tuple(json.loads(message[1])), int(header["total"]))

    def close(self) -> None:
        """End the child."""
        child, self._child = self._child, None
        if child is not None:
            child.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
