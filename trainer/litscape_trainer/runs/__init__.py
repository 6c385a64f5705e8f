"""Runs: each a folder and a process of its own; :class:`Training` is what others use."""

from litscape_trainer.runs.facade import Training

__all__ = ["Training"]
