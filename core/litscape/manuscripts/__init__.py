"""The user's own manuscripts: works cited close to each other there belong together."""

from litscape.manuscripts.facade import Manuscripts

__all__ = ["Manuscripts"]
