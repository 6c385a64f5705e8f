"""The library as a run learns from it: a private copy, so that work may go on in the other."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

from litscape.errors import EnvironmentFault
from litscape.evaluation.material import Material
from litscape.store.measuring import copy_library

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from litscape.library import Library


def take(library: Library, target: Path, versions: Iterable[str]) -> None:
    """Copy a library, with the vectors of some model versions; whole or not at all.

    Vectors are copied, not linked: the library goes on writing into its own.

    Raises:
        EnvironmentFault: the disk is full or can't be written.
    """
    if target.is_dir():
        return
    partial = target.with_name(f"{target.name}.new")
    try:
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        copy_library(library.database, partial, vectors=False)
        for version in dict.fromkeys(versions):
            source = library.folder / "vectors" / version
            if source.is_dir():
                shutil.copytree(source, partial / "vectors" / version)
        os.replace(partial, target)
    except OSError as error:
        raise EnvironmentFault(
            f"The library can't be copied to {target.parent} for the run: "
            f"{error.strerror or error}. The library is as it was."
        ) from error


def changed_since(then: Material, library: Library) -> str | None:
    """What changed in a library since a run began; None where nothing did that matters."""
    now = Material.of(library)
    new = len(now.texts.keys() - then.texts.keys())
    gone = len(then.texts.keys() - now.texts.keys())
    other = sum(
        (text.title, text.abstract) != (now.texts[paper].title, now.texts[paper].abstract)
        for paper, text in then.texts.items()
        if paper in now.texts
    )
    links = len(set(map(tuple, now.links.tolist())) ^ set(map(tuple, then.links.tolist())))
    counts = (
        (new, "paper came in", "papers came in"),
        (gone, "paper went", "papers went"),
        (other, "paper has another text", "papers have another text"),
        (links, "link differs", "links differ"),
    )
    told = [f"{number:,} {one if number == 1 else many}" for number, one, many in counts if number]
    if not told:
        return None
    return (
        f"The library changed while the run went on ({', '.join(told)}): the run learnt from it, "
        "and was measured on it, as it was at the start."
    )
