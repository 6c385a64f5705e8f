"""Sums of weight files, computed once and remembered by size and time of change."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from typing import TYPE_CHECKING

from litscape import paths
from litscape.errors import EnvironmentFault

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def file_sha256(path: Path) -> str:
    """Hex SHA-256 of a file; a remembered sum is used while size and time of change are the same.

    Raises:
        EnvironmentFault: the file can't be read.
    """
    try:
        stat = path.stat()
        key, stamp = str(path.resolve()), [stat.st_size, stat.st_mtime_ns]
        known = _read_cache().get(key)
        if known is not None and known[:2] == stamp:
            return str(known[2])
        with path.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise EnvironmentFault(f"{path} can't be read: {error.strerror or error}.") from error
    _write_cache({**_read_cache(), key: [*stamp, digest]})
    return digest


def weights_sha256(files: Sequence[Path]) -> str:
    """The sum of one weight file, or a sum over names and sums where the weights are in shards."""
    if len(files) == 1:
        return file_sha256(files[0])
    lines = "".join(f"{path.name} {file_sha256(path)}\n" for path in sorted(files))
    return hashlib.sha256(lines.encode()).hexdigest()


def _cache_file() -> Path:
    return paths.cache_dir() / "checksums.json"


def _read_cache() -> dict[str, list[int | str]]:
    try:
        data = json.loads(_cache_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(data, dict):
        return {}
    return {k: v for k, v in data.items() if isinstance(v, list) and len(v) == 3}


def _write_cache(data: dict[str, list[int | str]]) -> None:
    target = _cache_file()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=target.name)
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            json.dump(data, stream)
        os.replace(name, target)
    except OSError:
        return  # only a cache: without it the sum is computed again next time
