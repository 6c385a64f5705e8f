"""Errors sorted at the border: the user's, the environment's, and ours (everything else)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


class LitscapeError(Exception):
    """Base of every error whose message is meant for a person."""


class UserError(LitscapeError):
    """Something the user asked for can't be done; the message says what happened and what to do."""


class EnvironmentFault(LitscapeError):  # noqa: N818 - a fault of the surroundings, not of the code
    """The surroundings failed: a full disk, a missing permission, a broken file."""


class DamagedLibraryError(EnvironmentFault):
    """The library file is damaged; the message names the backup to go back to."""


class ChangedMeanwhileError(UserError):
    """A value is no longer what it was when somebody began to write another one.

    Attributes:
        now: the values as they are, by field.
    """

    def __init__(self, message: str, now: Mapping[str, Any]) -> None:
        super().__init__(message)
        self.now = dict(now)


class NewerLibraryError(UserError):
    """The library was written by a later release of the program."""


class LibraryBusyError(UserError):
    """Another program holds the lease or the write lock that this act needs."""


class NotReadyError(UserError):
    """Something must be built first (vectors, an exported model); the message says what."""
