"""How a person names papers, collections and years on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litscape.errors import UserError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from litscape.library import Library
    from litscape.paper import Collection


def add_refs(parser: argparse.ArgumentParser) -> None:
    """Add the argument for one or more papers."""
    parser.add_argument(
        "refs",
        nargs="+",
        metavar="REF",
        help="a paper: its id, citation key or DOI, or id:1, key:bell1876, doi:10.1000/182",
    )


def resolve_all(library: Library, refs: Iterable[str]) -> list[int]:
    """The ids of the papers that ``refs`` name, each once, in order.

    Raises:
        UserError: one of them is no paper of the library (all of these are named), or is the
            key of one paper and the id of another.
    """
    found = {ref: library.papers.resolve(ref) for ref in refs}
    unknown = [ref for ref, paper in found.items() if paper is None]
    if unknown:
        if len(unknown) == 1:
            raise UserError(f"There is no paper “{unknown[0]}” in this library.")
        names = ", ".join(f"“{ref}”" for ref in unknown)
        raise UserError(f"These are no papers of this library: {names}.")
    return list(dict.fromkeys(paper for paper in found.values() if paper is not None))


def split_path(text: str) -> tuple[str, ...]:
    """The names in a collection's path such as ``Water/Rivers``.

    Raises:
        UserError: there is no name in it.
    """
    names = tuple(part.strip() for part in text.split("/") if part.strip())
    if not names:
        raise UserError("A collection needs a name, such as Water or Water/Rivers.")
    return names


def find_collection(library: Library, text: str) -> Collection:
    """The collection with a path.

    Raises:
        UserError: there is none.
    """
    from litscape.near import no_such
    from litscape.outline import read_outline

    path = split_path(text)
    known = read_outline(library.database).collections
    for one in known:
        if one.path == path:
            return one
    # A name that came with an import may hold a slash itself.
    named = [one for one in known if "/".join(one.path) == text.strip()]
    if len(named) == 1:
        return named[0]
    sentence = no_such("collection", "/".join(path), ("/".join(one.path) for one in known))
    raise UserError(f"{sentence} `litscape collection list` lists them all.")


def find_tags(library: Library, names: Iterable[str]) -> tuple[str, ...]:
    """The tags of the library that have these names, whatever the case of their letters.

    Raises:
        UserError: one is not there; all of these are named.
    """
    from litscape.near import no_such
    from litscape.outline import read_names
    from litscape.sorting import sort_text

    known = read_names(library.database)[0]
    folded = {sort_text(one): one for one in reversed(known)}
    found = [name if name in known else folded.get(sort_text(name)) for name in names]
    unknown = [name for name, tag in zip(names, found, strict=True) if tag is None]
    if unknown:
        sentences = [no_such("tag", name, known) for name in unknown]
        raise UserError(f"{' '.join(sentences)} `litscape tag list` lists them all.")
    return tuple(tag for tag in found if tag is not None)


def year_range(text: str) -> tuple[int | None, int | None]:
    """``2010``, ``2010-2015``, ``2010-`` or ``-2015`` as first and last year.

    A range that goes backwards is turned round, as ``year:2015..2010`` is in a query.

    Raises:
        UserError: it is none of these.
    """
    first, dash, last = text.partition("-")
    if not dash:
        last = first
    try:
        years = (int(first) if first else None, int(last) if last else None)
    except ValueError:
        years = (None, None)
    if years == (None, None) or any(abs(year or 0) > 9999 for year in years):
        raise UserError(f"{text!r} is not a year or a range of years, such as 2010 or 2010-2015.")
    first_year, last_year = years
    if first_year is not None and last_year is not None and first_year > last_year:
        return last_year, first_year
    return years
