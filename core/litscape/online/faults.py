"""What can go wrong between this computer and a service; each message is for a person."""

from __future__ import annotations

from litscape.errors import LitscapeError


class OnlineError(LitscapeError):
    """A service gave no usable answer."""


class NoSuchWorkError(OnlineError):
    """The service knows no such work (404)."""


class RefusedQuestionError(OnlineError):
    """The service does not take this question as it is: a smaller one may do.

    Attributes:
        detail: the beginning of what it said.
    """

    def __init__(self, message: str, detail: str = "") -> None:
        super().__init__(message)
        self.detail = detail


class UnreachableError(OnlineError):
    """No usable answer came after several attempts."""


class ServiceStoppedError(OnlineError):
    """The service will not answer any more for now: a key is wrong, or an allowance used up."""
