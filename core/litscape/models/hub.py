"""Downloading a model from the Hugging Face hub: only when asked, never a pickle."""

from __future__ import annotations

import errno
import os
import re
from contextlib import contextmanager
from fnmatch import fnmatch
from typing import TYPE_CHECKING, Any

from litscape.errors import EnvironmentFault, UserError
from litscape.jobs import null_context

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from litscape.jobs import JobContext

_TIMEOUT_S = 20.0
_WANTED = ("*.json", "*.txt", "*.model", "*.safetensors", "*.md", "LICENSE*")
_UNWANTED = ("onnx/*", "openvino/*", "coreml/*", "*.h5", "*.msgpack", "*.bin", "*.ot")


def quiet_hub() -> None:
    """Turn the hub's telemetry and bars off; must run before huggingface_hub is imported."""
    os.environ.update(
        HF_HUB_DISABLE_TELEMETRY="1",
        DO_NOT_TRACK="1",
        HF_HUB_DISABLE_PROGRESS_BARS="1",
        HF_HUB_DISABLE_XET="1",  # its downloads can't be cancelled
    )


def download(repo_id: str, target: Path, *, consent: bool, ctx: JobContext | None = None) -> Path:
    """Fetch a model's configuration, tokenizer and safetensors below ``target``.

    An interrupted download goes on where it stopped.

    Returns:
        The model's folder.

    Raises:
        UserError: consent is missing, the id is none, the hub can't be reached, there is no such
            model, or it has no safetensors.
        EnvironmentFault: the disk is full or can't be written.
        JobCancelledError: ``ctx`` was cancelled.
    """
    ctx = ctx or null_context()
    if not consent:
        raise UserError(f"Downloading {repo_id} from huggingface.co needs your consent first.")
    if not re.fullmatch(r"[\w.-]+(/[\w.-]+)?", repo_id):
        raise UserError(f"{repo_id!r} is not a model id such as sentence-transformers/all-MiniLM.")
    quiet_hub()
    folder = target / repo_id.replace("/", "--")
    ctx.progress(0, None, f"Asking huggingface.co for {repo_id}")
    with _translated(repo_id):
        files = _wanted_files(repo_id)
        _fetch(repo_id, files, folder, ctx)
    return folder


def _wanted_files(repo_id: str) -> dict[str, int]:
    """Names and bytes; refuses a model without safetensors before anything is downloaded."""
    from huggingface_hub import HfApi

    info = HfApi().model_info(repo_id, files_metadata=True, timeout=_TIMEOUT_S)
    files = {
        sibling.rfilename: int(sibling.size or 0)
        for sibling in info.siblings or ()
        if any(fnmatch(sibling.rfilename, pattern) for pattern in _WANTED)
        and not any(fnmatch(sibling.rfilename, pattern) for pattern in _UNWANTED)
    }
    if not any(name.endswith(".safetensors") for name in files):
        raise UserError(
            f"{repo_id} has no weights as safetensors; pickled weights can run any code when they "
            "are loaded, so they are refused."
        )
    return files


def _fetch(repo_id: str, files: dict[str, int], folder: Path, ctx: JobContext) -> None:
    from huggingface_hub import hf_hub_download
    from tqdm.auto import tqdm  # type: ignore[import-untyped]

    total, done = sum(files.values()), 0

    class Bar(tqdm):  # type: ignore[misc]
        """Hands the bytes of one file on, and is where a download can be cancelled."""

        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **{**kwargs, "disable": True})
            self._bytes = int(kwargs.get("initial") or 0)

        def update(self, n: float | None = 1) -> bool | None:
            self._bytes += int(n or 0)
            now = done + self._bytes
            ctx.progress(now, total, f"{repo_id}: {now / 1e6:.0f} of {total / 1e6:.0f} MB")
            return None

    for name, size in sorted(files.items(), key=lambda item: item[1]):
        ctx.progress(done, total, f"{repo_id}: {name}")
        hf_hub_download(repo_id, name, local_dir=folder, etag_timeout=_TIMEOUT_S, tqdm_class=Bar)
        done += size


@contextmanager
def _translated(repo_id: str) -> Iterator[None]:
    """Turn what the hub's library raises into sentences."""
    from huggingface_hub import errors

    try:
        yield
    except errors.GatedRepoError as error:
        raise UserError(f"{repo_id} is only given out after a log-in at huggingface.co.") from error
    except errors.RepositoryNotFoundError as error:
        raise UserError(f"There is no model {repo_id} on huggingface.co.") from error
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EACCES, errno.EROFS, errno.EDQUOT):
            raise EnvironmentFault(f"{repo_id} can't be stored: {error.strerror}.") from error
        raise _unreachable(repo_id) from error
    except Exception as error:
        # httpx, httpx2 or requests, by the release of the hub's library.
        if type(error).__module__.startswith(("http", "requests", "huggingface_hub")):
            raise _unreachable(repo_id) from error
        raise


def _unreachable(repo_id: str) -> UserError:
    return UserError(
        f"huggingface.co can't be reached, so {repo_id} was not downloaded; check the connection "
        "and try again, or choose a folder with the model on this machine."
    )
