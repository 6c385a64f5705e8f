"""Topic separation of one library: measured, kept, looked at again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from litscape.errors import UserError
from litscape.separation.labels import KINDS, read_labels, rolled_up, usable
from litscape.separation.plain import report_from
from litscape.separation.records import LEAST_LABELS, SeparationReport
from litscape.store import evaluations

if TYPE_CHECKING:
    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.separation.labels import Kind
    from litscape.separation.records import Overlap, Wanted

TASK = "separation"
"""What tells these reports from those of search, in the same table."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A kind of labels and how far this library has it.

    Attributes:
        kind: the kind.
        labels: how many labels have enough papers.
        papers: how many papers carry one at all.
    """

    kind: Kind
    labels: int
    papers: int

    @property
    def enough(self) -> bool:
        """Whether there are labels enough to measure."""
        return self.labels >= LEAST_LABELS


class Separation:
    """What :attr:`litscape.library.Library.separation` is."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def offers(self) -> tuple[Offer, ...]:
        """Every kind of labels with how many of its labels could be measured."""
        found = []
        for kind in KINDS.values():
            labels = rolled_up(kind, read_labels(self._library.database, kind))
            papers = {paper for some in labels.values() for paper in some}
            found.append(Offer(kind, usable(labels), len(papers)))
        return tuple(found)

    def measure(self, wanted: Wanted, ctx: JobContext | None = None) -> SeparationReport:
        """Measure labels against vectors in this process, and store what came out.

        Loads scikit-learn and graspologic; windows call it through
        :func:`litscape.apart.tasks.measure_separation`.

        Raises:
            UserError: no such kind of labels or model version.
            NotReadyError: no paper has a vector of a model.
            JobCancelledError: ``ctx`` asked for the end; nothing is stored.
        """
        from litscape.separation.measuring import measure

        report = measure(self._library, wanted, ctx)
        if not report.models or self._library.database.read_only:
            return report
        version = report.models[0].version
        with self._library.database.write() as conn:
            number = evaluations.begin(conn, report.made_at, TASK, "dev", version, report.seeds)
            report = replace(report, number=number)
            evaluations.finish(conn, number, report.to_json())
        return report

    def overlap(
        self,
        labels: str,
        first: str,
        second: str,
        version: str | None = None,
        ctx: JobContext | None = None,
    ) -> Overlap:
        """How far two labels of a kind are mixed, among their papers alone.

        Raises:
            UserError: no such kind, label or model version, or too few papers.
            NotReadyError: no paper has a vector of the model.
            JobCancelledError: ``ctx`` asked for the end.
        """
        from litscape.separation.overlap import overlap

        return overlap(self._library, labels, first, second, version, ctx)

    def past(self) -> tuple[SeparationReport, ...]:
        """All reports, newest first."""
        with self._library.database.read() as conn:
            rows = evaluations.all_of(conn, TASK)
        return tuple(report_from({**row.report, "number": row.id}) for row in rows if row.report)

    def find(self, number: int) -> SeparationReport | None:
        """One report; None where there is none of that number."""
        return next((one for one in self.past() if one.number == number), None)

    def one(self, number: int) -> SeparationReport:
        """One report.

        Raises:
            UserError: there is none of that number.
        """
        report = self.find(number)
        if report is not None:
            return report
        raise UserError(
            f"There is no measurement {number} of topic separation; `evaluate list` shows those "
            "that there are."
        )

    def forget(self, number: int) -> None:
        """Remove a report.

        Raises:
            UserError: there is none of that number.
        """
        self.one(number)
        with self._library.database.write() as conn:
            evaluations.forget(conn, number)
