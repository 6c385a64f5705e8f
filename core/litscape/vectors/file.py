"""One model version's vectors on disk: ``vectors.npy`` (n, d) and ``ids.npy`` (n,), row by row.

Both are plain .npy files that numpy can map. Rows are written and synced before the database says
whose they are, and a row in use is never overwritten, so that a crash leaves at most unused rows.
"""

from __future__ import annotations

import io
import itertools
import os
import zlib
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.lib import format as npy

from litscape.errors import EnvironmentFault

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

FREE = -1
_KINDS = (np.dtype("<f4"), np.dtype("<f2"))


class VectorFile:
    """The two files of one model version; only rows below both files' length count.

    Args:
        folder: where they lie; made by the first write.
        dim: width of the vectors.
        dtype: ``float32`` or ``float16`` for a file that is yet to be made.
    """

    def __init__(self, folder: Path, dim: int, dtype: str = "float32") -> None:
        self.folder = folder
        self.dim = dim
        self._dtype = np.dtype(dtype).newbyteorder("<")
        self._vectors = folder / "vectors.npy"
        self._ids = folder / "ids.npy"

    def open(self) -> tuple[NDArray[np.floating[Any]], NDArray[np.int64]] | None:
        """Map both files for reading.

        Returns:
            The matrix (n, d) and the paper id of each row (n,); None where the files are missing,
            truncated, of another width or not ours at all.
        """
        matrix, ids = _map(self._vectors), _map(self._ids)
        if matrix is None or ids is None or matrix.ndim != 2 or ids.ndim != 1:
            return None
        if matrix.dtype not in _KINDS or ids.dtype != np.int64 or matrix.shape[1] != self.dim:
            return None
        rows = min(len(matrix), len(ids))
        return matrix[:rows], ids[:rows]

    def write(
        self, rows: NDArray[np.int64], ids: Sequence[int], vectors: NDArray[np.float32]
    ) -> list[bytes]:
        """Store vectors in given rows and sync them; rows past the end make the files longer.

        Returns:
            The CRC-32 of each row as it stands in the file, 4 bytes each.

        Raises:
            EnvironmentFault: the disk is full or the files can't be written.
        """
        opened = self.open()
        size = 0 if opened is None else len(opened[0])
        dtype = self._dtype if opened is None else opened[0].dtype
        data = np.ascontiguousarray(vectors, dtype=dtype)
        length = max(size, int(rows.max()) + 1)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            fresh = opened is None
            _store(self._vectors, rows, data, (length, self.dim), fresh=fresh)
            _store(self._ids, rows, np.asarray(ids, dtype="<i8"), (length,), fresh=fresh)
        except OSError as error:
            raise EnvironmentFault(
                f"Vectors can't be written to {self.folder}: {error.strerror or error}. "
                "What was written before is kept."
            ) from error
        return checksums(data)

    def length(self) -> int:
        """Rows in the file; 0 where it has to be made anew."""
        opened = self.open()
        return 0 if opened is None else len(opened[0])


def checksums(rows: NDArray[np.floating[Any]]) -> list[bytes]:
    """The CRC-32 of each row (n, d) as stored, 4 bytes each."""
    return [zlib.crc32(np.ascontiguousarray(row).data).to_bytes(4, "little") for row in rows]


def _map(path: Path) -> NDArray[Any] | None:
    try:
        array: NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError, TypeError):
        return None
    return array


def _header(dtype: np.dtype[Any], shape: tuple[int, ...]) -> bytes:
    """A .npy header; numpy leaves room in it for the first length to grow to any size."""
    stream = io.BytesIO()
    npy.write_array_header_1_0(
        stream,
        {"descr": npy.dtype_to_descr(dtype), "fortran_order": False, "shape": shape},
    )
    return stream.getvalue()


def _store(
    path: Path, rows: NDArray[np.int64], data: NDArray[Any], shape: tuple[int, ...], *, fresh: bool
) -> None:
    """Write rows behind the header, sync, and only then let the header name the new length."""
    header = _header(data.dtype, shape)
    width = data.dtype.itemsize * int(np.prod(shape[1:], dtype=np.int64))
    if fresh:
        path.unlink(missing_ok=True)  # a map that somebody still holds keeps the old file
    with open(path, "r+b" if path.exists() else "w+b", buffering=0) as stream:
        for start, stop in _runs(rows):
            stream.seek(len(header) + int(rows[start]) * width)
            _write_all(stream, data[start:stop].tobytes())
        os.fsync(stream.fileno())
        stream.seek(0)
        _write_all(stream, header)
        os.fsync(stream.fileno())


def _write_all(stream: io.FileIO, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[stream.write(view) :]


def _runs(rows: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Stretches of ``rows`` that lie next to each other in the file."""
    breaks = np.flatnonzero(np.diff(rows) != 1) + 1
    edges = [0, *breaks.tolist(), len(rows)]
    return list(itertools.pairwise(edges))
