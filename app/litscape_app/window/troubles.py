"""What the window says about an error: one sentence, and details to copy."""

from __future__ import annotations

import platform
import traceback
from dataclasses import dataclass

from litscape.errors import LitscapeError


@dataclass(frozen=True, slots=True)
class Trouble:
    """An error as a person sees it.

    Attributes:
        sentence: what happened, where, what to do.
        details: the same with what a developer needs; for Copy details.
        expected: whether it is the user's or the surroundings' and not a bug of ours.
    """

    sentence: str
    details: str
    expected: bool = True


def explain(error: BaseException, doing: str = "") -> Trouble:
    """The sentence and details of ``error`` that ended ``doing``."""
    lines = traceback.format_exception(error)
    details = "".join(
        [f"Litscape on {platform.platform()}, Python {platform.python_version()}\n", *lines]
    )
    if isinstance(error, LitscapeError):
        return Trouble(str(error), details)
    act = f"“{doing}” stopped" if doing else "Something stopped"
    sentence = (
        f"{act} because of a mistake in Litscape ({type(error).__name__}). "
        "Your library is safe; the log has the details."
    )
    return Trouble(sentence, details, expected=False)
