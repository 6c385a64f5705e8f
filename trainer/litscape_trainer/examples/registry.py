"""The builders of examples; a new one is a file beside this and a line here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.errors import UserError
from litscape.near import no_such

if TYPE_CHECKING:
    from collections.abc import Mapping

    from litscape_trainer.examples.records import ExampleBuilder

BUILDERS: Mapping[str, ExampleBuilder] = {}


def builder(name: str) -> ExampleBuilder:
    """A builder by its name.

    Raises:
        UserError: there is none.
    """
    if name not in BUILDERS:
        raise UserError(no_such("way to build examples", name, list(BUILDERS)))
    return BUILDERS[name]
