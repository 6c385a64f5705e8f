"""A map as a Parquet table, with pyarrow where it is installed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from litscape.errors import UserError
from litscape.maps.outputs.columns import columns

if TYPE_CHECKING:
    from pathlib import Path

    from litscape.maps.outputs.sheet import Sheet
    from litscape.maps.outputs.style import Style


def write(sheet: Sheet, path: Path, style: Style) -> None:
    """Write Parquet: the columns of the CSV with their types, missing values as null.

    Raises:
        UserError: pyarrow is not installed.
        OSError: the file can't be written.
    """
    del style
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError as error:
        raise UserError(
            "Parquet needs pyarrow, which is not installed: run `pip install 'litscape[parquet]'`, "
            "or write CSV."
        ) from error
    whole = {"id", "year", "cited"}
    arrays = {
        name: pa.array(
            values,
            pa.int64()
            if name in whole or (name.startswith("topic") and "name" not in name)
            else pa.float32()
            if name in ("x", "y")
            else pa.string(),
        )
        for name, values in columns(sheet).items()
    }
    table = pa.table(arrays).replace_schema_metadata({"title": sheet.title, "about": sheet.about})
    partial = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        parquet.write_table(table, partial)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
