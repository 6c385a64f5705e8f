"""What a record gives a paper that another import brought, as the history keeps it.

Should the other import be taken back, the paper is made anew from what is kept here.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from litscape.importers.links import cited_references
from litscape.importers.merging import Fields, joined, updated
from litscape.importers.signature import parsed
from litscape.paper import Paper, PaperDraft
from litscape.store.images import PAPER_FIELDS, Image, plain, typed

if TYPE_CHECKING:
    from collections.abc import Collection

    from litscape.paper import PaperId, Reference

_DRAFT = tuple(
    one.name for one in fields(PaperDraft) if one.name not in ("raw", "line", "index", "source_id")
)
_EMPTY: dict[str, Any] = {one.name: getattr(PaperDraft(), one.name) for one in fields(PaperDraft)}
_OF_DRAFT = frozenset(_DRAFT) - {"cites"}


def kept(
    draft: PaperDraft,
    record: int,
    name: str,
    before: bytes,
    after: bytes,
    collection: tuple[str, ...] | None,
) -> Image:
    """A record as an item of the history holds it.

    Args:
        draft: the record.
        record: its row.
        name: what its source calls it.
        before: its signature of last time; empty for a new one.
        after: its signature now.
        collection: the collection that the whole import goes into.
    """
    told: Image = {}
    for one in _DRAFT:
        value = getattr(draft, one)
        if value != _EMPTY[one]:
            told[one] = list(value) if one == "cites" else plain(one, value)
    return {
        "record": record,
        "name": name,
        "before": before.hex(),
        "hash": after.hex(),
        "draft": told,
        "collection": list(collection) if collection else None,
    }


def draft_of(image: Image) -> PaperDraft:
    """The record that was kept."""
    told = image["draft"]
    values: dict[str, Any] = {n: tuple(v) if n == "cites" else typed(n, v) for n, v in told.items()}
    return PaperDraft(**values)


def as_paper(paper: PaperId, image: Image) -> Paper:
    """A paper of plain values as :mod:`litscape.importers.merging` takes it; without its links."""
    values = {n: typed(n, v) for n, v in image.items() if n not in ("user_edits", "cites")}
    return Paper(id=paper, cites=(), modified_at="", **values)


def content(
    paper: Paper, draft: PaperDraft, before: bytes, after: bytes, kept_fields: Collection[str]
) -> Fields:
    """The fields of a paper that a record changes: an update where it has a signature of before."""
    fields = (
        updated(paper, draft, before, after, kept_fields)
        if before
        else joined(paper, draft, kept_fields)
    )
    key = draft.citekey
    aliases = fields.get("citekey_aliases", paper.citekey_aliases)
    own = {paper.citekey, paper.citekey_original, fields.get("citekey")}
    if key and key not in own and key not in aliases:
        fields["citekey_aliases"] = tuple(sorted({*aliases, key}))
    return fields


def cited(draft: PaperDraft, before: bytes, after: bytes) -> tuple[Reference, ...]:
    """What a record cites that is not a paper's reference yet; nothing where it cites as before."""
    old, new = parsed(before), parsed(after)
    if before and all(old.get(name) == new.get(name) for name in ("cites", "references")):
        return ()
    return (*draft.references, *cited_references(draft.cites))


def new_image(kept_record: Image, key: str, now: Image) -> Image:
    """The plain values of a paper that a record alone makes.

    Args:
        kept_record: the record as it was kept.
        key: the citation key that it gets.
        now: the paper as it is, for when it was added.
    """
    draft = draft_of(kept_record)
    names = tuple(name for name in draft.cites if name != kept_record["name"])
    draft = replace(draft, cites=names)  # a paper does not cite itself
    image: Image = {}
    for name in PAPER_FIELDS:
        if name in _OF_DRAFT:
            image[name] = plain(name, getattr(draft, name))
    image |= {"citekey": key, "cites": [], "user_edits": [], "trashed_at": None}
    image["added_at"], image["missing_in_source"] = now["added_at"], now["missing_in_source"]
    image["citekey_aliases"] = [k for k in draft.citekey_aliases if k != key]
    image["references"] = plain("references", cited(draft, b"", b""))
    image["tags"] = sorted(draft.tags)
    return image
