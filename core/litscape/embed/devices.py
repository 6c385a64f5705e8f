"""Which device and number format an encoder runs with."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from litscape.errors import UserError

if TYPE_CHECKING:
    import torch

DEVICES = ("auto", "cpu", "cuda", "mps")


def native_bf16() -> bool:
    """Whether this processor multiplies bfloat16 itself; emulated, it is slower than float32."""
    import torch

    for name in ("_is_avx512_bf16_supported", "_is_amx_tile_supported"):
        query = getattr(torch.cpu, name, None)
        if query is not None and query():
            return True
    try:
        words = set(Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").split())
    except OSError:
        return False
    return bool(words & {"avx512_bf16", "amx_bf16", "bf16", "svebf16"})


def pick_device(wanted: str) -> torch.device:
    """The device for a setting; ``auto`` takes CUDA, then MPS, then the processor.

    Raises:
        UserError: the setting is none, or that device is not there.
    """
    import torch

    found = {
        "cuda": torch.cuda.is_available(),
        "mps": torch.backends.mps.is_available(),
        "cpu": True,
    }
    if wanted == "auto":
        wanted = next(name for name, there in found.items() if there)
    if wanted not in found:
        raise UserError(f"{wanted!r} is not a device; choose one of {', '.join(DEVICES)}.")
    if not found[wanted]:
        raise UserError(f"This machine (or this build of torch) has no {wanted}; choose auto.")
    return torch.device(wanted)


def pick_dtype(device: torch.device) -> torch.dtype:
    """The fastest number format that the device computes in natively."""
    import torch

    if device.type == "cuda":
        return torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float16
    if device.type == "mps":
        return torch.float16
    return torch.bfloat16 if native_bf16() else torch.float32


def token_budget(device: torch.device, width: int) -> int:
    """Tokens a batch: small enough for the processor's cache, or what the GPU's memory takes."""
    import torch

    if device.type == "cpu":
        return 2048
    if device.type == "mps":
        return 16384
    free, _total = torch.cuda.mem_get_info(device)
    # Some 30 activations of the model's width live at once, in 2 to 4 bytes each.
    return int(min(max(free * 0.5 / (width * 100), 4096), 262144))


def out_of_memory(error: RuntimeError) -> bool:
    """Whether memory ran out: CUDA has an error of its own, others only say it in words."""
    import torch

    words = str(error).lower()
    return isinstance(error, torch.OutOfMemoryError) or any(
        part in words for part in ("out of memory", "can't allocate memory", "not enough memory")
    )
