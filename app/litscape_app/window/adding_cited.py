"""Bringing a cited work into the library, with what its reference says or a service knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.errors import LitscapeError
from litscape.jobs.runners import Lane
from litscape_app.window.session import Offer, Session
from litscape_app.window.words import shorten

if TYPE_CHECKING:
    from collections.abc import Callable

    from litscape.jobs import JobContext
    from litscape.library import Library
    from litscape.lookup import Services
    from litscape.paper import ImportReport, LibraryChanges, PaperDraft, Reference

_SHOWN = 80


class CitedAdder:
    """Adds cited works; asks Crossref for them only where the person agreed to that for good."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.services: Services | None = None
        """Where identifiers are looked up; the real services unless set."""

    def add(self, reference: Reference, done: Callable[[], None] | None = None) -> None:
        """Add the work that a reference means, as one change that can be undone.

        Args:
            reference: what is known of the work.
            done: called when it is in the library.
        """
        from litscape.graph.outside import draft_of

        session = self._session
        library = session.library
        if library is None:
            return
        try:
            draft = draft_of(reference)
        except LitscapeError as error:
            session.trouble(error, "Add a cited work")
            return
        identifier = draft.doi or draft.arxiv
        if not (identifier and session.settings.lookup_consent):
            self._write(draft, "", done)
            return
        mail, services = session.settings.mail, self.services

        def ask(_library: Library, ctx: JobContext) -> tuple[PaperDraft, str]:
            from litscape.lookup import lookup

            ctx.progress(0, 1, f"Asking for {identifier}")
            try:
                return lookup(identifier, mail=mail, services=services), ""
            except LitscapeError as error:
                # The work is wanted all the same, and the reference says something of it.
                return draft, str(error)

        session.work(
            "Look up a cited work",
            ask,
            Lane.READ,
            done=lambda found: self._write(found[0], found[1], done),
        )

    def _write(self, draft: PaperDraft, failed: str, done: Callable[[], None] | None) -> None:
        session = self._session
        reports: list[ImportReport] = []

        def act(library: Library) -> LibraryChanges:
            reports.append(
                library.imports.run_drafts([draft], source="works cited by papers of the library")
            )
            return reports[0].changes

        def ended(changes: LibraryChanges) -> None:
            offer = Offer("Undo", session.undo) if changes else None
            session.say(" ".join(one for one in (_said(draft, reports[0]), failed) if one), offer)
            if done is not None:
                done()

        session.write("Add a cited work", act, done=ended)


def _said(draft: PaperDraft, report: ImportReport) -> str:
    named = f"“{shorten(draft.title or draft.doi or 'the work', _SHOWN)}”"
    if report.added:
        return f"Added {named}."
    return f"{named} was in the library already."
