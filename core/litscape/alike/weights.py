"""What each signal counts for in a library: learned there, or as by default."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from litscape.alike.signals import DEFAULTS, SIGNALS
from litscape.errors import UserError
from litscape.store.settings import get_setting, put_setting

if TYPE_CHECKING:
    from collections.abc import Mapping

    import sqlalchemy as sa

SETTING = "similar.weights"


@dataclass(frozen=True, slots=True)
class Learned:
    """Weights that a library's own links taught.

    Attributes:
        weights: by signal, those of all of them.
        made_at: when, UTC.
        links: how many links the library had then.
        queries: how many papers they were learned from.
        held_out: how many others they were measured on.
        measure: the measure, such as ``nDCG@10``.
        before: its mean by the weights that counted by default.
        gain: by how much the learned ones are above that.
        low: lower end of the gain's 95 % interval.
        high: its upper end.
        adopted: whether they count.
    """

    weights: Mapping[str, float]
    made_at: str
    links: int
    queries: int
    held_out: int
    measure: str
    before: float
    gain: float
    low: float
    high: float
    adopted: bool

    def to_json(self) -> dict[str, Any]:
        """As a value that JSON can hold."""
        return asdict(self) | {"weights": dict(self.weights)}


def learned(conn: sa.Connection) -> Learned | None:
    """What was learned last in a library; None where nothing was, or it can't be read."""
    stored = get_setting(conn, SETTING)
    try:
        found = Learned(**stored) if stored else None
    except TypeError:
        return None
    return found if found is None or set(found.weights) <= set(DEFAULTS) else None


def put_learned(conn: sa.Connection, found: Learned | None) -> None:
    """Store what was learned, or forget it."""
    put_setting(conn, SETTING, found.to_json() if found else None)


def sentence(found: Learned | None) -> str:
    """What is said of what was learned."""
    if found is None:
        return "The weights are the default ones; nothing was learned from this library yet."
    interval = f"[{100 * found.low:+z.1f}, {100 * found.high:+z.1f}]"
    gain = (
        f"{found.measure} {100 * found.gain:+z.1f} {interval}"
        f" on {found.held_out:,} held-out papers, {found.made_at[:10]}"
    )
    if found.adopted:
        return f"The weights were learned from {found.links:,} links of this library: {gain}."
    return f"The weights are the default ones: learning them did not help here ({gain})."


def current(conn: sa.Connection) -> dict[str, float]:
    """The weights that count in a library."""
    found = learned(conn)
    return DEFAULTS | dict(found.weights) if found and found.adopted else dict(DEFAULTS)


def checked(weights: Mapping[str, float]) -> dict[str, float]:
    """The given weights, and the default ones of the other signals.

    Raises:
        UserError: there is no such signal, or a weight is none.
    """
    for name, value in weights.items():
        if name not in DEFAULTS:
            meant = [one for one, label in labels().items() if name.casefold() in label.casefold()]
            hint = f" “{meant[0]}” is {labels()[meant[0]]}." if name and meant else ""
            known = ", ".join(DEFAULTS)
            raise UserError(f"There is no signal “{name}”.{hint} Signals are {known}.")
        if not 0 <= value <= 10:
            raise UserError(f"The weight of {name} must be from 0 to 10, not {value}.")
    found = DEFAULTS | dict(weights)
    if not any(found.values()):
        raise UserError("At least one signal must count: give one a weight above 0.")
    return found


def labels() -> dict[str, str]:
    """What each signal is called in the window, by its name."""
    return {signal.name: signal.label for signal in SIGNALS}
