"""Every writer, one line each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.errors import UserError
from litscape.exporters.bibtex import BibtexExporter
from litscape.exporters.csl_json import CslJsonExporter
from litscape.exporters.csv import CsvExporter
from litscape.exporters.jsonl import JsonlExporter
from litscape.exporters.ris import RisExporter

if TYPE_CHECKING:
    from litscape.exporters.base import Exporter

_EXPORTERS: tuple[Exporter, ...] = (
    JsonlExporter(),
    BibtexExporter(),
    RisExporter(),
    CslJsonExporter(),
    CsvExporter(),
)


def exporters() -> tuple[Exporter, ...]:
    """All writers, in the order in which a person should see them."""
    return _EXPORTERS


def exporter(kind: str) -> Exporter:
    """The writer of a kind.

    Raises:
        UserError: no writer of that name; the message lists the names.
    """
    for one in _EXPORTERS:
        if one.kind == kind.lower():
            return one
    known = ", ".join(one.kind for one in _EXPORTERS)
    raise UserError(f"There is no export format called “{kind}”; there are {known}.")
