"""A paper made of what a reference says, for a cited work that comes into the library."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from litscape.errors import UserError
from litscape.graph.cited import first_author, guessed_title
from litscape.importers.written import is_placed, year_in
from litscape.paper import Author, PaperDraft

if TYPE_CHECKING:
    from litscape.paper import Reference

_SCHEME = re.compile(r"([a-z][a-z0-9_]{1,11}):(\S.*)", re.I)
_OWN = ("pmid", "arxiv")


def name_of_work(reference: Reference) -> str:
    """What a cited work is called: its title, else the reference's text, else an identifier."""
    named = reference.title or reference.raw or reference.doi or reference.source_id or ""
    return " ".join(named.split())


def draft_of(reference: Reference) -> PaperDraft:
    """What a reference says of a work, as a record that can be added.

    The paper that comes of it is found by the reference again, so that the two are linked.

    Raises:
        UserError: the reference says too little to be found again.
    """
    extra = reference.extra
    scheme, value = _identifier(reference.source_id)
    raw = reference.raw or ""
    # What stands between the marks of a text may be its title; without that all of it is shown,
    # but never volume and pages.
    title = reference.title or guessed_title(raw) or ("" if is_placed(raw) else raw)
    volume, pages = extra.get("volume"), extra.get("page") or extra.get("pages")
    told = reference.title or guessed_title(raw) or (volume and pages)
    if not (reference.doi or value or told):
        raise UserError(
            f"Too little is known of “{name_of_work(reference)[:80]}” to add it: it has no title "
            "and no identifier. Add it by hand, with its title."
        )
    family = first_author(reference.raw, extra)
    own = {scheme: value} if scheme in _OWN else {}
    return PaperDraft(
        title=" ".join(title.split()) if title else None,
        authors=(Author(family=family),) if family else (),
        year=reference.year or year_in(raw),
        venue=extra.get("venue") or extra.get("journal") or extra.get("source"),
        volume=volume,
        pages=pages,
        doi=reference.doi,
        arxiv=own.get("arxiv"),
        pmid=own.get("pmid"),
        identifiers={scheme: value} if value and not own else {},
    )


def _identifier(source_id: str | None) -> tuple[str, str]:
    """An identifier with its scheme; a record's number in its own source says nothing here."""
    found = _SCHEME.fullmatch(source_id or "")
    return (found[1].lower(), found[2].strip()) if found else ("", "")
