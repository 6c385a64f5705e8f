"""Long work on a library in a process of its own, beside the program that asked for it."""

from litscape.apart.call import run_apart

__all__ = ["run_apart"]
