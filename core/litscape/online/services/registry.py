"""Every service, the one that is asked by default first; a new one is a file and a line here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.errors import UserError
from litscape.online.services.crossref import Crossref
from litscape.online.services.openalex import OpenAlex
from litscape.online.services.opencitations import OpenCitations
from litscape.online.services.semantic_scholar import SemanticScholar

if TYPE_CHECKING:
    from litscape.online.services.base import Service

SERVICES: tuple[Service, ...] = (OpenAlex(), Crossref(), SemanticScholar(), OpenCitations())


def service(name: str) -> Service:
    """The service of an id, however a person writes it.

    Raises:
        UserError: there is none.
    """
    plain = "".join(letter for letter in name.lower() if letter.isalnum())
    for one in SERVICES:
        if one.facts.id == plain:
            return one
    names = ", ".join(one.facts.id for one in SERVICES)
    raise UserError(f"There is no service {name!r} to look citations up; there are {names}.")
