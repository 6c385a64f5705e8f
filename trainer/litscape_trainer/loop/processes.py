"""One training over several processes, as ``accelerate launch`` starts them; mostly just one.

Each process encodes its share of a batch's texts; vectors and gradients are summed, so that all
see the whole batch, and the result is that of one process.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    import torch


class Processes:
    """What this process is among those of the run.

    Args:
        device: ``auto``, ``cpu``, ``cuda`` or ``mps``.
    """

    def __init__(self, device: str) -> None:
        import os

        self.number, self.rank, self.local_rank = 1, 0, 0
        if int(os.environ.get("WORLD_SIZE", "1")) > 1:
            from accelerate import PartialState

            self._state: Any = PartialState(cpu=device == "cpu")
            self.number = self._state.num_processes
            self.rank = self._state.process_index
            self.local_rank = self._state.local_process_index

    @property
    def main(self) -> bool:
        """Whether this one writes and measures."""
        return self.rank == 0

    @property
    def local_main(self) -> bool:
        """Whether this one writes what each machine needs."""
        return self.local_rank == 0

    def share(self, parts: Sequence[Any]) -> list[Any]:
        """This process's part of the work."""
        return list(parts[self.rank :: self.number])

    def add_up(self, tensors: Sequence[torch.Tensor]) -> None:
        """Sum tensors over all processes, in place; the same bits in all."""
        if self.number == 1 or not tensors:
            return
        import torch
        from accelerate.utils import reduce

        flat: torch.Tensor = reduce(torch.cat([one.reshape(-1) for one in tensors]), "sum")
        start = 0
        for one in tensors:
            one.copy_(flat[start : start + one.numel()].view_as(one))
            start += one.numel()

    def told(self, value: Any) -> Any:
        """The main process's value, in all."""
        if self.number == 1:
            return value
        from accelerate.utils import broadcast_object_list

        return broadcast_object_list([value], from_process=0)[0]

    def any(self, value: bool) -> bool:
        """Whether it holds in one of them."""
        if self.number == 1:
            return value
        from accelerate.utils import gather_object

        return any(gather_object([value]))

    def wait(self) -> None:
        """Until all are here."""
        if self.number > 1:
            self._state.wait_for_everyone()
