"""The builders of examples; a new one is a file beside this and a line here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.errors import UserError
from litscape.near import no_such
from litscape_trainer.examples.alike import Alike
from litscape_trainer.examples.citations import Citations
from litscape_trainer.examples.cocitation import Cocitation
from litscape_trainer.examples.coupling import Coupling
from litscape_trainer.examples.scincl import SciNcl
from litscape_trainer.examples.scitbert_ci import SciTbertCi
from litscape_trainer.examples.specter import Specter
from litscape_trainer.examples.text import Text
from litscape_trainer.examples.weak import Weak

if TYPE_CHECKING:
    from collections.abc import Mapping

    from litscape_trainer.examples.records import ExampleBuilder

_ALL: tuple[ExampleBuilder, ...] = (
    Citations(),
    Specter(),
    SciNcl(),
    SciTbertCi(),
    Cocitation(),
    Coupling(),
    Weak(),
    Alike(),
    Text(),
)
BUILDERS: Mapping[str, ExampleBuilder] = {one.name: one for one in _ALL}
"""By name, in the order of lists."""


def builder(name: str) -> ExampleBuilder:
    """A builder by its name.

    Raises:
        UserError: there is none.
    """
    if name not in BUILDERS:
        raise UserError(no_such("way to build examples", name, list(BUILDERS)))
    return BUILDERS[name]
