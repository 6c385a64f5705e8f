"""Every edit a user makes on papers, tags, collections and saved searches, each undoable."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from litscape import renaming
from litscape.errors import UserError
from litscape.field_values import checked, collection_path, marks
from litscape.importers import record_types
from litscape.importers.matching import made_key
from litscape.importers.normalise import fold
from litscape.near import no_such
from litscape.paper import LibraryChanges, PaperDraft, PaperId
from litscape.reading import READ
from litscape.store import edits as store
from litscape.store import reading_acts as acts
from litscape.store.bulk import now

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from litscape.store.database import Database
    from litscape.store.history import Recorder

Refs = int | str | Iterable[int | str]
"""One paper or several, each by id, citekey, alias or DOI."""


class Editor:
    """Writes what the user does; each method is one change and tells what it changed.

    Where nothing changes, nothing is kept to undo and the answer is false. A reference to a paper
    that is not there raises :class:`UserError`, and nothing is changed.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def edit(self, refs: Refs, fields: Mapping[str, Any]) -> LibraryChanges:
        """Set fields of one or many papers; later imports keep them.

        Args:
            refs: the papers.
            fields: values by field name; what is accepted is told in
                :func:`litscape.field_values.checked`.

        Raises:
            UserError: an unknown field, a value that does not fit, a type that neither the
                vocabulary nor a paper of the library has, a citekey in use, or one citekey for
                several papers.
        """
        values = checked(fields)
        if not values:
            return LibraryChanges()
        names = ", ".join(fields)
        return self._papers(
            refs,
            lambda titles: f"Edit {names} of {titles}",
            lambda recorder, ids: store.edit(recorder, ids, _typed(recorder, values)),
        )

    def revise(
        self, ref: int | str, before: Mapping[str, Any], fields: Mapping[str, Any]
    ) -> LibraryChanges:
        """Set fields of one paper as :meth:`edit` does, but over nothing that came meanwhile.

        Of lists whose members stand for themselves (notes, tags, files …) only what differs from
        ``before`` is taken off and put in, so that two such changes are both kept.

        Args:
            ref: the paper.
            before: what the fields were when the person began, as :class:`Paper` has them; of a
                list as above only the members that are written anew.
            fields: the new values.

        Raises:
            ChangedMeanwhileError: a field is neither what it was nor what it is to be.
            UserError: as :meth:`edit`.
        """
        values = checked(fields)
        return self._papers(
            ref,
            lambda titles: f"Edit {', '.join(fields)} of {titles}",
            lambda recorder, ids: store.revise(recorder, ids[0], before, _typed(recorder, values)),
        )

    def add(self, draft: PaperDraft) -> LibraryChanges:
        """Add one paper as it is given; a citekey is made where it has none.

        Raises:
            UserError: a paper with this DOI, or this citekey, is there already.
        """
        with self._database.write() as conn:
            recorder = store.begin(
                conn, f"Add {_quoted(draft.title or draft.citekey or 'a paper')}"
            )
            store.add(recorder, draft, made_key(draft))
            return recorder.flush()

    def trash(self, refs: Refs) -> LibraryChanges:
        """Move papers to the trash."""
        return self._papers(refs, lambda t: f"Move {t} to the trash", store.trash)

    def restore(self, refs: Refs) -> LibraryChanges:
        """Take papers out of the trash."""
        return self._papers(refs, lambda t: f"Restore {t} from the trash", store.restore)

    def delete_forever(self, refs: Refs) -> LibraryChanges:
        """Remove papers from the library; undo brings them back as long as it is remembered."""
        return self._papers(refs, lambda t: f"Delete {t} for good", store.delete_forever)

    def tag(self, refs: Refs, names: str | Iterable[str]) -> LibraryChanges:
        """Give papers tags; tags that are not there yet are made.

        Raises:
            UserError: a tag is empty.
        """
        tags = _tag_names(names)
        return self._papers(
            refs,
            lambda t: f"Tag {t} with {', '.join(tags)}",
            lambda recorder, ids: store.add_members(recorder, ids, "tags", tags),
        )

    def untag(self, refs: Refs, names: str | Iterable[str]) -> LibraryChanges:
        """Take tags off papers; the tags themselves stay."""
        tags = _tag_names(names)
        return self._papers(
            refs,
            lambda t: f"Take {', '.join(tags)} off {t}",
            lambda recorder, ids: store.remove_members(recorder, ids, "tags", tags),
        )

    def rename_tag(self, old: str, new: str) -> LibraryChanges:
        """Rename a tag; where the new name is a tag already, the two become one.

        Raises:
            UserError: there is no such tag, or the new name is empty.
        """
        (name,) = _tag_names([new])
        return self._do(
            f"Rename the tag {old} to {name}",
            lambda recorder: renaming.rename_tag(recorder, old, name),
        )

    def delete_tag(self, name: str) -> LibraryChanges:
        """Delete a tag; its papers stay.

        Raises:
            UserError: there is no such tag.
        """
        return self._do(f"Delete the tag {name}", lambda recorder: store.delete_tag(recorder, name))

    def create_collection(self, path: str | Iterable[str]) -> LibraryChanges:
        """Make a collection, and those above it that are missing.

        Args:
            path: ``Water/Rivers``, or the names from the top (which may then hold a slash).

        Raises:
            UserError: it is there already, or a name is empty.
        """
        names = collection_path(path)
        return self._do(
            f"Create the collection {'/'.join(names)}",
            lambda recorder: store.create_collection(recorder, names),
        )

    def rename_collection(self, collection_id: int, name: str) -> LibraryChanges:
        """Give a collection another name.

        Raises:
            UserError: no such collection, the name is empty or holds a slash, or its place has
                one of that name.
        """
        (wanted,) = collection_path((name,))
        if "/" in wanted:
            raise UserError(
                f"The name of a collection can't hold a slash, as {wanted!r} does: "
                "a slash parts the names of a path."
            )
        return self._do(
            f"Rename a collection to {wanted}",
            lambda recorder: renaming.rename_collection(recorder, collection_id, wanted),
        )

    def move_collection(self, collection_id: int, parent_id: int | None) -> LibraryChanges:
        """Put a collection below another one, or at the top.

        Raises:
            UserError: no such collection, the new place lies inside it or has one of that name.
        """
        return self._do(
            "Move a collection",
            lambda recorder: renaming.move_collection(recorder, collection_id, parent_id),
        )

    def delete_collection(self, collection_id: int) -> LibraryChanges:
        """Delete a collection and those below it; the papers stay.

        Raises:
            UserError: there is no such collection.
        """
        return self._do(
            "Delete a collection",
            lambda recorder: store.delete_collection(recorder, collection_id),
        )

    def add_to_collection(
        self, refs: Refs, collection: int | str | Iterable[str]
    ) -> LibraryChanges:
        """Put papers into a collection, by its id or path; a missing path is made.

        Raises:
            UserError: there is no collection with this id, or a name in the path is empty.
        """
        return self._membership(refs, collection, "Put {papers} into {path}", store.add_members)

    def remove_from_collection(
        self, refs: Refs, collection: int | str | Iterable[str]
    ) -> LibraryChanges:
        """Take papers out of a collection; those below it are not looked into."""
        return self._membership(
            refs, collection, "Take {papers} out of {path}", store.remove_members
        )

    def mark(
        self,
        refs: Refs,
        *,
        read_state: str | None = None,
        rating: int | None = None,
        colour: str | None = None,
    ) -> LibraryChanges:
        """Say what one makes of papers; what is not given stays as it is.

        Args:
            refs: the papers.
            read_state: unread, reading or read.
            rating: 1 to 5 stars, or 0 for none.
            colour: one of :data:`litscape.reading.COLOURS`, or "none".

        Raises:
            UserError: a value is none of these.
        """
        values = marks(read_state, rating, colour)
        said = (read_state, None if rating is None else _stars(rating), colour)
        words = ", ".join(filter(None, said))
        return self._papers(
            refs,
            lambda titles: f"Mark {titles}: {words}",
            lambda recorder, ids: acts.mark(recorder, ids, values),
        )

    def put_in_list(self, refs: Refs, place: int | None = None) -> LibraryChanges:
        """Put papers into the reading list, in the order given.

        Args:
            refs: the papers.
            place: which place the first of them gets, from 1; those that are in the list move
                there too. None: at the end, and those that are in the list stay where they are.

        Raises:
            UserError: there is no such place.
        """
        if place is not None and place < 1:
            raise UserError(f"The first place of the reading list is 1, not {place}.")
        what = "Put {} into the reading list" if place is None else "Move {} in the reading list"
        return self._papers(
            refs, what.format, lambda recorder, ids: acts.put_in_list(recorder, ids, place)
        )

    def take_from_list(self, refs: Refs) -> LibraryChanges:
        """Take papers out of the reading list."""
        return self._papers(
            refs, lambda t: f"Take {t} out of the reading list", acts.take_from_list
        )

    def save_search(self, name: str, query: str, mode: str) -> LibraryChanges:
        """Save a search under a name, over one that has it already.

        Args:
            name: what the library tree shows.
            query: as typed.
            mode: lexical, semantic or hybrid.

        Raises:
            UserError: the name is empty, or there is no such mode.
        """
        title = fold(name)
        if not title:
            raise UserError("A saved search needs a name.")
        _check_mode(mode)
        said = f"Save the search {title}"
        return self._do(said, lambda recorder: store.save_search(recorder, title, query, mode))

    def change_saved_search(
        self, name: str, new: str | None = None, query: str | None = None, mode: str | None = None
    ) -> LibraryChanges:
        """Give a saved search another name, query or mode, each where it is given.

        Raises:
            UserError: there is none of that name, another has the new one, or the mode is none.
        """
        _check_mode(mode or "lexical")
        title = fold(new or "") or None
        said = f"{'Rename' if title else 'Change'} the saved search {name}"
        values = (name, title, query, mode)
        return self._do(said, lambda recorder: store.change_saved_search(recorder, *values))

    def delete_saved_search(self, name: str) -> LibraryChanges:
        """Delete a saved search.

        Raises:
            UserError: there is none of that name.
        """
        return self._do(
            f"Delete the saved search {name}", lambda one: store.delete_saved_search(one, name)
        )

    def _membership(
        self,
        refs: Refs,
        collection: int | str | Iterable[str],
        title: str,
        act: Callable[[Recorder, list[PaperId], str, list[Any]], None],
    ) -> LibraryChanges:
        with self._database.write() as conn:
            if isinstance(collection, int):
                path = store.path_of(conn, collection)
            else:
                path = collection_path(collection)
            ids = store.resolve_all(conn, _listed(refs))
            named = title.format(papers=store.naming(conn, ids), path="/".join(path))
            recorder = store.begin(conn, named)
            act(recorder, ids, "collections", [list(path)])
            return recorder.flush()

    def _papers(
        self,
        refs: Refs,
        title: Callable[[str], str],
        act: Callable[[Recorder, list[PaperId]], None],
    ) -> LibraryChanges:
        with self._database.write() as conn:
            ids = store.resolve_all(conn, _listed(refs))
            recorder = store.begin(conn, title(store.naming(conn, ids)))
            act(recorder, ids)
            return recorder.flush()

    def _do(self, title: str, act: Callable[[Recorder], None]) -> LibraryChanges:
        with self._database.write() as conn:
            recorder = store.begin(conn, title)
            act(recorder)
            return recorder.flush()


def _typed(recorder: Recorder, values: Mapping[str, Any]) -> Mapping[str, Any]:
    """The values with their type as the vocabulary, or else a paper of the library, has it.

    The time of reading goes with the state.
    """
    if "read_state" in values:
        values = {**values, "read_at": now() if values["read_state"] == READ else None}
    word = values.get("type")
    if word is None:
        return values
    known = record_types.named(word)
    if known is None:
        others = store.types_in_use(recorder.conn)
        if word not in others:
            raise UserError(no_such("type", word, [*sorted(record_types.KNOWN), *others]))
    return {**values, "type": known or word}


def _listed(refs: Refs) -> list[int | str]:
    return [refs] if isinstance(refs, int | str) else list(refs)


def _quoted(text: str) -> str:
    return f"“{text if len(text) <= 60 else text[:59] + '…'}”"


def _stars(rating: int) -> str:
    return "no rating" if not rating else "1 star" if rating == 1 else f"{rating} stars"


def _tag_names(names: str | Iterable[str]) -> list[str]:
    given = [names] if isinstance(names, str) else list(names)
    folded = [fold(name) for name in given]
    if not folded or not all(folded):
        raise UserError("A tag needs a name.")
    return list(dict.fromkeys(folded))


def _check_mode(mode: str) -> None:
    if mode not in ("lexical", "semantic", "hybrid"):
        raise UserError(f"A search is lexical, semantic or hybrid, not {mode!r}.")
