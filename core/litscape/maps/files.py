"""Stored maps: ``<library>/maps/<key>/map.npz``, whole or not there.

A new map is written into a folder that has no number, and gets its number by being renamed; one
that changes is replaced as a file. What a process that was killed left behind is swept away.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import shutil
import tempfile
import time
import zlib
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

import numpy as np

from litscape.errors import EnvironmentFault, UserError
from litscape.maps.records import ALL_PAPERS, MapInfo

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

log = logging.getLogger(__name__)
FORMAT = 1
_FILE = "map.npz"
_UNFINISHED = ".new-"
_STALE_S = 3600.0
_TRIES = 100
_UNREADABLE = (OSError, ValueError, KeyError, EOFError, TypeError, BadZipFile, zlib.error)


@dataclass(frozen=True, slots=True, eq=False)
class StoredMap:
    """A map as its file has it; papers that are gone since are still in it.

    Attributes:
        info: what it is.
        ids: papers with a place, int64 (n,).
        xy: their places, float32 (n, 2).
        placed: which were laid in later, bool (n,).
        chosen: the papers of its scope, int64 (m,); None for the whole library.
        note: what its layout had to say.
    """

    info: MapInfo
    ids: NDArray[np.int64]
    xy: NDArray[np.float32]
    placed: NDArray[np.bool_]
    chosen: NDArray[np.int64] | None = None
    note: str = field(default="")


class MapFiles:
    """The maps of one library by number."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keys(self) -> list[int]:
        """The numbers of all maps, ascending."""
        try:
            names = [one.name for one in self._folder.iterdir()]
        except OSError:
            return []
        return sorted(int(name) for name in names if name.isascii() and name.isdigit())

    def infos(self) -> tuple[MapInfo, ...]:
        """All maps that can be read, the newest first."""
        found = (self._info(key) for key in reversed(self.keys()))
        return tuple(info for info in found if info is not None)

    def read(self, key: int) -> StoredMap:
        """One map.

        Raises:
            UserError: there is no such map, or its file is damaged.
        """
        path = self._folder / str(key) / _FILE
        try:
            with path.open("rb") as stream, np.load(stream, allow_pickle=False) as stored:
                about = json.loads(str(stored["about"]))
                chosen = stored["chosen"].astype(np.int64) if "chosen" in stored else None
                found = StoredMap(
                    _info(key, about),
                    stored["ids"].astype(np.int64),
                    stored["xy"].astype(np.float32),
                    stored["placed"].astype(bool),
                    chosen,
                    str(about.get("note", "")),
                )
        except FileNotFoundError as error:
            known = ", ".join(map(str, self.keys())) or "none"
            raise UserError(
                f"There is no map {key} in this library; there are: {known}."
            ) from error
        except _UNREADABLE as error:
            raise UserError(
                f"The map {key} in {path.parent} is damaged: remove it and make it again."
            ) from error
        sound = np.isfinite(found.xy).all(axis=1) if found.xy.shape == (len(found.ids), 2) else None
        if sound is None or len(found.placed) != len(found.ids):
            raise UserError(
                f"The map {key} in {path.parent} is damaged: remove it and make it again."
            )
        return replace(found, ids=found.ids[sound], xy=found.xy[sound], placed=found.placed[sound])

    def add(self, stored: StoredMap) -> int:
        """Keep a new map and return its number; the number in ``stored`` does not count.

        Raises:
            EnvironmentFault: the disk is full or the folder can't be written.
        """
        with self._sorted_faults():
            self._folder.mkdir(parents=True, exist_ok=True)
            self._sweep()
            folder = tempfile.mkdtemp(prefix=_UNFINISHED, dir=self._folder)
            try:
                return self._add(stored, self._folder / folder)
            except BaseException:
                shutil.rmtree(folder, ignore_errors=True)
                raise

    def _add(self, stored: StoredMap, folder: Path) -> int:
        _write(folder / _FILE, stored)
        _sync_folder(folder)
        for _ in range(_TRIES):
            key = max(self.keys(), default=0) + 1
            try:
                os.rename(folder, self._folder / str(key))
            except OSError:
                if not (self._folder / str(key)).exists():
                    raise
                continue  # another program took the number meanwhile
            _sync_folder(self._folder)
            return key
        raise OSError(f"no number is free in {self._folder}")

    def change(self, stored: StoredMap) -> None:
        """Replace a map by another state of it.

        Raises:
            EnvironmentFault: the disk is full or the folder can't be written.
        """
        folder = self._folder / str(stored.info.key)
        with self._sorted_faults():
            handle, name = tempfile.mkstemp(".part", _FILE, folder)
            os.close(handle)
            partial = folder / os.path.basename(name)
            try:
                _write(partial, stored)
                os.replace(partial, folder / _FILE)
            finally:
                partial.unlink(missing_ok=True)
            _sync_folder(folder)

    def remove(self, key: int) -> None:
        """Take a map away.

        Raises:
            UserError: there is no such map.
            EnvironmentFault: it can't be removed.
        """
        folder = self._folder / str(key)
        if not folder.is_dir():
            self.read(key)
        with self._sorted_faults():
            # Renamed first: a removal that breaks off must not leave half a map with a number.
            gone = self._folder / f"{_UNFINISHED}gone-{key}-{os.getpid()}"
            os.rename(folder, gone)
            shutil.rmtree(gone, ignore_errors=True)

    def _info(self, key: int) -> MapInfo | None:
        try:
            path = self._folder / str(key) / _FILE
            # Opened here: NumPy leaves a file that is no whole archive open.
            with path.open("rb") as stream, np.load(stream, allow_pickle=False) as stored:
                return _info(key, json.loads(str(stored["about"])))
        except _UNREADABLE as error:
            log.warning("the map %s can't be read: %s", self._folder / str(key), error)
            return None

    def _sweep(self) -> None:
        """Remove what was never finished, once it is surely nobody's any more."""
        for one in self._folder.glob(f"{_UNFINISHED}*"):
            with contextlib.suppress(OSError):
                if time.time() - one.stat().st_mtime > _STALE_S:
                    shutil.rmtree(one, ignore_errors=True)

    @contextlib.contextmanager
    def _sorted_faults(self) -> Any:
        try:
            yield
        except OSError as error:
            raise EnvironmentFault(
                f"The map can't be stored in {self._folder} ({error.strerror or error}); check the "
                "folder's permissions and the free space, then make it again."
            ) from error


def _info(key: int, about: dict[str, Any]) -> MapInfo:
    started = about.get("started_from")
    return MapInfo(
        key=key,
        version=str(about["version"]),
        layout=str(about["layout"]),
        seed=int(about["seed"]),
        title=str(about.get("title", ALL_PAPERS)),
        whole=bool(about["whole"]),
        papers=int(about["papers"]),
        placed=int(about["placed"]),
        made_at=str(about["made_at"]),
        started_from=None if started is None else int(started),
    )


def _write(path: Path, stored: StoredMap) -> None:
    info = stored.info
    about = {
        "format": FORMAT,
        "version": info.version,
        "layout": info.layout,
        "seed": info.seed,
        "title": info.title,
        "whole": info.whole,
        "papers": len(stored.ids),
        "placed": int(stored.placed.sum()),
        "made_at": info.made_at,
        "started_from": info.started_from,
        "note": stored.note,
    }
    arrays: dict[str, Any] = {
        "about": np.array(json.dumps(about, ensure_ascii=True)),
        "ids": stored.ids,
        "xy": stored.xy,
        "placed": stored.placed,
    }
    if stored.chosen is not None:
        arrays["chosen"] = stored.chosen
    with path.open("wb") as stream:
        np.savez(stream, **arrays)
        stream.flush()
        os.fsync(stream.fileno())


def _sync_folder(folder: Path) -> None:
    """Let a rename survive a power cut; systems without that (Windows) are passed over."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
