"""Model versions as folders or .zip files: out of a library, and into one, with checks."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import zipfile
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from litscape.errors import EnvironmentFault, UserError
from litscape.jobs import null_context
from litscape.models.card import ModelCard
from litscape.models.folder import own_code, read_folder
from litscape.models.weights import check_weights

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from litscape.jobs import JobContext
    from litscape.models.registry import ModelRegistry

CARD = "litscape.json"
"""The card of a model version, beside its weights: what the folder itself does not say."""
_VERSION = re.compile(r"[a-z0-9][a-z0-9-]{0,80}")
_KINDS = (".json", ".txt", ".model", ".safetensors", ".md", ".toml")
_BARE = ("LICENSE", "NOTICE")
_LARGEST = 64 * 1024**3
_MOST_FILES = 2000


def put_card(card: ModelCard) -> None:
    """Write a version's card beside its weights.

    Raises:
        EnvironmentFault: it can't be written.
    """
    file = card.folder / CARD
    partial = file.with_suffix(".new")
    try:
        partial.write_text(replace(card, location="").to_json(), encoding="utf-8")
        os.replace(partial, file)
    except OSError as error:
        raise EnvironmentFault(f"{file} can't be written: {error.strerror or error}.") from error


def export_model(card: ModelCard, target: Path, ctx: JobContext | None = None) -> Path:
    """Copy a version into a folder that is yet to be made, or into a ``.zip`` file.

    Any tool that reads sentence-transformers opens it; another library imports it.

    Returns:
        Where it lies.

    Raises:
        UserError: something lies there already, or its folder is not there.
        EnvironmentFault: it can't be written, or the disk is full.
        JobCancelledError: ``ctx`` asked for the end; nothing is left.
    """
    ctx = ctx or null_context()
    target = target.expanduser().absolute()
    if target.exists():
        raise UserError(f"{target} is there already; name a place where nothing lies.")
    if not target.parent.is_dir():
        raise UserError(f"There is no folder {target.parent}; make it first, or name another.")
    files = sorted(path for path in card.folder.rglob("*") if path.is_file())
    try:
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".export-") as name:
            made = Path(name) / "model"
            for done, path in enumerate(files):
                ctx.progress(done, len(files), f"Copying {path.name}")
                place = made / path.relative_to(card.folder)
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, place)
            if not (made / CARD).exists():
                put_card(replace(card, location=str(made)))
            os.replace(_zipped(made, ctx) if target.suffix == ".zip" else made, target)
    except OSError as error:
        raise EnvironmentFault(f"{target} can't be written: {error.strerror or error}.") from error
    return target


def _zipped(folder: Path, ctx: JobContext) -> Path:
    target = folder.with_suffix(".zip")
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED, allowZip64=True) as archive:
        for done, path in enumerate(files):
            ctx.progress(done, len(files), f"Packing {path.name}")
            archive.write(path, path.relative_to(folder).as_posix())
    return target


def import_model(
    registry: ModelRegistry,
    source: Path,
    ctx: JobContext | None = None,
    left_behind: Callable[[tuple[str, ...]], None] | None = None,
) -> ModelCard:
    """Take a model folder, or a .zip file of one, into a library.

    It is read and checked before it takes its place below ``<library>/models``; nothing in it is
    ever run, and pickled weights are refused.

    Args:
        registry: the models of the library.
        source: the folder or file.
        ctx: hears of progress; may ask for the end.
        left_behind: is told which files no model needs; they are not taken in.

    Raises:
        UserError: it is no model that can be run here, or its card says other than its weights;
            the message names the file.
        EnvironmentFault: it can't be read or written.
        JobCancelledError: ``ctx`` asked for the end; nothing is left.
    """
    ctx = ctx or null_context()
    source = source.expanduser().absolute()
    if not source.exists():
        raise UserError(f"There is no model at {source}.")
    try:
        registry.folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=registry.folder, prefix=".import-") as name:
            made = Path(name) / source.stem
            with _unpacked(source, Path(name)) as folder:
                foreign = _take(folder, made, ctx)
            try:
                card = _checked(made)
                check_weights(card)
            except UserError as error:  # it names the copy: the user knows the source
                raise UserError(str(error).replace(str(made), str(source))) from error
            settled = settle(registry, card)
    except OSError as error:
        raise EnvironmentFault(f"{source} can't be taken in: {error.strerror or error}.") from error
    if foreign and left_behind is not None:
        left_behind(foreign)
    return settled


def settle(registry: ModelRegistry, card: ModelCard) -> ModelCard:
    """Move a model's folder to its place in the library and make it known.

    Raises:
        EnvironmentFault: it can't be moved.
    """
    place = registry.folder / card.version
    settled = replace(card, location=str(place))
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        if not place.exists():
            os.replace(card.folder, place)
    except OSError as error:
        raise EnvironmentFault(f"{place} can't be written: {error.strerror or error}.") from error
    put_card(settled)
    registry.register(settled)
    return settled


def _checked(folder: Path) -> ModelCard:
    """The card of a folder: what it says itself, and what a card beside it adds."""
    stored = _stored(folder)
    if stored is None:
        return _without_code(read_folder(folder))
    if not _VERSION.fullmatch(stored.version):
        raise UserError(f"{folder / CARD} has {stored.version[:80]!r} as a version, which is none.")
    read = read_folder(
        folder, name=stored.name, source=stored.source, base=stored.base,
        separator=stored.separator,
    )  # fmt: skip
    kept = replace(
        read, recipe=stored.recipe, cutoff_year=stored.cutoff_year, head_of=stored.head_of
    ).versioned()
    if stored.sha256 and read.sha256 != stored.sha256:
        raise UserError(
            f"The weights in {folder.name} are not those that its card was written for: it was "
            "changed or damaged on the way. Export it again."
        )
    if stored.dim != read.dim:
        raise UserError(
            f"{folder / CARD} speaks of vectors of {stored.dim} numbers, and the weights beside it "
            f"give {read.dim}: one of them is of another model."
        )
    if kept.source == "bundled":
        kept = replace(kept, source="folder").versioned()
    return _without_code(kept)


def _without_code(card: ModelCard) -> ModelCard:
    """The card; code of its own would be left behind, and the model can't be run without."""
    if names := own_code(card):
        raise UserError(
            f"{card.name} needs code of its own ({names}), which is never taken in. Who trusts it "
            "makes its folder known by `litscape models add-folder`, which asks for its name."
        )
    return card


def _stored(folder: Path) -> ModelCard | None:
    file = folder / CARD
    if not file.is_file():
        return None
    try:
        return ModelCard.from_json(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{file} can't be read: {error}.") from error


def _take(folder: Path, target: Path, ctx: JobContext) -> tuple[str, ...]:
    """Copy what a model needs; anything that could be run is left behind, and named."""
    there = sorted(path for path in folder.rglob("*") if path.is_file())
    files = [path for path in there if _wanted(path.name)]
    for done, path in enumerate(files):
        ctx.progress(done, len(files), f"Copying {path.name}")
        place = target / path.relative_to(folder)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, place)
    if not files:
        raise UserError(f"{folder} is not a model folder: it has no config.json.")
    others = (path for path in there if not _wanted(path.name))
    return tuple(path.relative_to(folder).as_posix() for path in others)


def _wanted(name: str) -> bool:
    return name.lower().endswith(_KINDS) or name.startswith(_BARE)


@contextmanager
def _unpacked(source: Path, scratch: Path) -> Iterator[Path]:
    """The model's folder: the source itself, or what a .zip file holds."""
    if source.is_dir():
        yield source
        return
    target = scratch / "unpacked"
    try:
        with zipfile.ZipFile(source) as archive:
            _check_names(source, archive)
            archive.extractall(target)
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError) as error:
        raise UserError(f"{source.name} is no .zip file of a model: {error}.") from error
    inner = [one for one in target.iterdir() if one.name != "__MACOSX"]
    alone = len(inner) == 1 and inner[0].is_dir()
    yield inner[0] if alone else target


def _check_names(source: Path, archive: zipfile.ZipFile) -> None:
    """Refuse names that leave the folder, and what is too much to be a model."""
    entries = archive.infolist()
    if len(entries) > _MOST_FILES or sum(one.file_size for one in entries) > _LARGEST:
        raise UserError(f"{source.name} holds too much to be a model, so it was not unpacked.")
    for one in entries:
        name = PurePosixPath(one.filename.replace("\\", "/"))
        if name.is_absolute() or ".." in name.parts or ":" in one.filename:
            raise UserError(
                f"{source.name} has a file outside its own folder ({one.filename}), so nothing "
                "was unpacked."
            )
