"""What to look up where, as the program's settings say it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from litscape.online.records import FetchOptions
from litscape.online.services.registry import SERVICES, service

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from litscape.paper import PaperId
    from litscape.settings import AppSettings

BASES = "LITSCAPE_LOOKUP_BASES"
"""Other addresses for services, for mirrors and tests: ``openalex=https://…;crossref=https://…``."""
_FAST = "LITSCAPE_LOOKUP_WAITS"


def fetch_options(
    settings: AppSettings,
    services: Sequence[str],
    *,
    papers: tuple[PaperId, ...] | None = None,
    fill: bool = True,
    again: bool = False,
    citing: bool = False,
    environment: Mapping[str, str] | None = None,
) -> FetchOptions:
    """Options with the mail address and the keys of the settings.

    Args:
        settings: the program's settings.
        services: how a person names them; the default one where there is none.
        papers: as in :class:`FetchOptions`, like the rest.
        fill: likewise.
        again: likewise.
        citing: likewise.
        environment: where other addresses may be told; that of the process by default.

    Raises:
        UserError: there is no such service.
    """
    known = environment if environment is not None else os.environ
    names = tuple(dict.fromkeys(service(name).facts.id for name in services))
    bases = dict(one.split("=", 1) for one in known.get(BASES, "").split(";") if "=" in one)
    return FetchOptions(
        services=names or (SERVICES[0].facts.id,),
        papers=papers,
        fill=fill,
        again=again,
        citing=citing,
        mail=settings.mail,
        keys=keys_of(settings),
        bases=bases,
        waits=float(known.get(_FAST) or 1.0) if bases else 1.0,
    )


def keys_of(settings: AppSettings) -> dict[str, str]:
    """The keys that a person has set, by service."""
    found = {one.facts.id: getattr(settings, f"{one.facts.id}_key", "") for one in SERVICES}
    return {name: key for name, key in found.items() if key}
