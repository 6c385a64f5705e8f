"""The queries of the last days, per library, in a file of the person's own.

They never enter a library, which may be shared, and can be forgotten at any time.
"""

from __future__ import annotations

import json
import os
import tempfile
import threading
from typing import TYPE_CHECKING

from litscape import paths

if TYPE_CHECKING:
    from pathlib import Path

MOST = 50
"""Queries kept of a library."""
_LONGEST = 500
_LIBRARIES = 20


class SearchHistory:
    """What was searched, newest first; safe in several windows, for the file is read each time.

    A file that can't be read or written is no error: there is no history then.
    """

    def __init__(self, file: Path | None = None) -> None:
        """Nothing is read yet; ``file`` is ``searches.json`` beside the settings where None."""
        self._file = file or paths.config_dir() / "searches.json"
        self._lock = threading.Lock()

    def recent(self, library: Path, begun: str = "", most: int = MOST) -> tuple[str, ...]:
        """The last queries of a library that hold a text, those that begin with it first."""
        wanted = begun.casefold().strip()
        found = [one for one in self._read().get(_key(library), []) if wanted in one.casefold()]
        found.sort(key=lambda one: not one.casefold().startswith(wanted))
        return tuple(found[:most])

    def remember(self, library: Path, query: str) -> None:
        """Put a query first; one that only went on is replaced."""
        text = " ".join(query.split())
        if not text or len(text) > _LONGEST:
            return
        with self._lock:
            known = self._read()
            queries = [one for one in known.pop(_key(library), []) if one != text]
            if queries and text.startswith(queries[0]):
                queries.pop(0)
            known[_key(library)] = [text, *queries][:MOST]
            self._write(known)

    def forget(self, library: Path, query: str | None = None) -> int:
        """Forget one query of a library, or all; how many were forgotten."""
        with self._lock:
            known = self._read()
            queries = known.pop(_key(library), [])
            kept = [] if query is None else [one for one in queries if one != query]
            if kept:
                known[_key(library)] = kept
            self._write(known)
        return len(queries) - len(kept)

    def _read(self) -> dict[str, list[str]]:
        try:
            known = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        if not isinstance(known, dict):
            return {}
        return {
            key: [one for one in value if isinstance(one, str)]
            for key, value in known.items()
            if isinstance(value, list)
        }

    def _write(self, known: dict[str, list[str]]) -> None:
        """Replace the file as a whole, the libraries searched last kept."""
        kept = dict(list(known.items())[-_LIBRARIES:])
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self._file.parent, prefix=".searches")
            with os.fdopen(handle, "w", encoding="utf-8") as stream:
                json.dump(kept, stream, ensure_ascii=False)
            os.replace(name, self._file)
        except OSError:
            return


def _key(library: Path) -> str:
    return str(library.absolute())
