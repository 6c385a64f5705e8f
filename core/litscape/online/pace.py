"""How fast a service is asked, how often, and how long to wait when it says so."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from litscape.jobs import JobContext

_STEP = 0.1
"""Seconds between two looks at whether the job is to end."""


@dataclass(frozen=True, slots=True)
class Pace:
    """The limits of one service.

    Attributes:
        interval: least seconds between the beginnings of two requests.
        attempts: how often one request is tried.
        backoff: seconds before the second attempt; doubled for each further one.
        longest: seconds beyond which a service that asks to wait is left alone.
        connect: seconds for a connection to stand.
        silence: seconds without a byte.
        total: seconds for a whole answer.
        most_bytes: size of the largest answer that is read, unpacked.
    """

    interval: float = 0.5
    attempts: int = 5
    backoff: float = 1.0
    longest: float = 120.0
    connect: float = 15.0
    silence: float = 40.0
    total: float = 120.0
    most_bytes: int = 48_000_000


def wait(seconds: float, ctx: JobContext) -> None:
    """Wait, and end at once when the job is to end.

    Raises:
        JobCancelledError: it is.
    """
    end = time.monotonic() + seconds
    ctx.check()
    while (left := end - time.monotonic()) > 0:
        time.sleep(min(_STEP, left))
        ctx.check()


def backoff(pace: Pace, attempt: int) -> float:
    """Seconds before the attempt after the n-th (from 1): doubled each time, spread by chance."""
    import random

    whole = min(pace.backoff * 2.0 ** (attempt - 1), pace.longest)
    return whole * random.uniform(0.5, 1.0)


def asked_to_wait(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Seconds of ``Retry-After``, which is a number or a date; None where there is none."""
    text = headers.get("retry-after", "").strip()
    if not text:
        return None
    from email.utils import parsedate_to_datetime

    try:
        seconds = float(text)
    except ValueError:
        try:
            until = parsedate_to_datetime(text)
        except ValueError:
            return None
        until = until if until.tzinfo else until.replace(tzinfo=UTC)
        seconds = (until - (now or datetime.now(UTC))).total_seconds()
    return max(0.0, seconds) if seconds == seconds else None


def interval_of(headers: Mapping[str, str]) -> float | None:
    """Seconds between requests by ``X-Rate-Limit-Limit`` and ``-Interval`` (``50`` in ``1s``)."""
    limit = headers.get("x-rate-limit-limit", "").strip()
    span = headers.get("x-rate-limit-interval", "").strip().removesuffix("s")
    if not limit.isdigit() or not span.isdigit() or int(limit) == 0:
        return None
    return min(int(span) / int(limit), 10.0)
