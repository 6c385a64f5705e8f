"""``litscape similar``, ``read-next`` and ``similar-weights``: papers like others."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from litscape.errors import UserError
from litscape_app.cli.command import Answer, Command
from litscape_app.cli.commands.explaining import add_notes, plain, told_at_length, with_notes
from litscape_app.cli.commands.listing import add_filters, read_filter
from litscape_app.cli.output import columns
from litscape_app.cli.progress import job_context
from litscape_app.cli.records import Record, rows_of
from litscape_app.cli.refs import find_collection, resolve_all
from litscape_app.cli.values import read_assignments, whole_number

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from litscape.alike.explain import Explanation
    from litscape.alike.outside import OutsideHit
    from litscape.alike.request import Examples, SimilarRequest
    from litscape.alike.weights import Learned
    from litscape.library import Library
    from litscape.search.hits import SearchHit
    from litscape_app.cli.session import Session

NOTHING = "Nothing in this library is like it."
SIMILAR_KEYS = {
    "id": "the paper's id; null for a work outside the library",
    "citekey": "its citation key or null",
    "title": "its title or null",
    "year": "number or null",
    "doi": "with --outside: the work's DOI or null",
    "score": "higher is better; comparable within one answer only",
    "why": "list of short reasons",
    "parts": "what each signal adds to the score, by its name",
    "cited_by": "with --outside: ids of the papers of the library that cite the work",
    "explanation": "with --explain: {sentence, by, terms, references, more_references, path: ids "
    "of papers of which each cites the next, cocited_by: {id, citekey, title} of one paper that "
    "cites both or null, cocitations: how many papers cite both, authors, groups, shares}, else "
    "null",
}


def _similar(session: Session) -> Answer:
    args = session.args
    with session.library(reading=True) as library:
        request = _request(session, library)
        if args.outside:
            found_outside = library.searcher.alike.outside(request)
            return _outside(session, found_outside, _no_work(library, request))
        result = library.similar(request)
        notes = list(result.notes)
        if request.diversity and len(result.hits) > 1:
            notes.append("Ordered so that each differs from those before, not by score.")
        if request.unlike or len(result.seeds) > 1:
            notes.append(result.learner)
        for note in notes:
            session.out.message(note)
        told = _explained(library, request, result.hits) if args.explain else {}
        if not result.hits and session.out.as_json and not args.notes:
            session.out.message(result.nothing or NOTHING)
        citing = [one.cocited_by for one in told.values() if one.cocited_by is not None]
        rows = rows_of(library, [*(hit.paper_id for hit in result), *citing])
        found = [(rows[hit.paper_id], hit) for hit in result if hit.paper_id in rows]
        records = []
        lines = []
        for row, hit in found:
            name = (row.citekey, row.title, row.year, None)
            explanation = told.get(row.id)
            long = None if explanation is None else plain(explanation, rows)
            records.append(_record(row.id, *name, hit.score, hit.why, hit.parts, long))
            lines.append(
                (f"{hit.score:.3f}", row.citekey, row.year or row.year_raw, row.title, _said(hit))
            )
            lines += [("", "", "", line, "") for line in told_at_length(library, explanation)]
        nothing = result.nothing or NOTHING
        whole = with_notes(args, records, notes, nothing)
        return Answer(whole, columns(lines) if lines else nothing)


def _request(session: Session, library: Library) -> SimilarRequest:
    from litscape.alike.request import Examples, SimilarRequest

    args = session.args
    like = _examples(session, library)
    unlike = Examples(
        papers=tuple(resolve_all(library, args.unlike or ())), texts=tuple(args.not_text or ())
    )
    if both := sorted(set(like.papers) & set(unlike.papers), key=str):
        key = library.papers.get(both[0]).citekey
        raise UserError(f"{key} is named both as alike and as unlike; name it once.")
    return SimilarRequest(
        like,
        unlike,
        k=args.number,
        flt=read_filter(session, library),
        newer_than=args.newer_than,
        older_than=args.older_than,
        within=args.within or "",
        not_in=tuple(find_collection(library, path).id for path in args.not_in or ()),
        diversity=args.diverse,
        weights=_weights(args.weights) if args.weights else None,
    )


def _examples(session: Session, library: Library) -> Examples:
    from litscape.alike.drafts import every_nth, examples_of, read_drafts

    args = session.args
    with job_context() as ctx:
        read = [draft for file in args.file or () for draft in read_drafts(file, ctx)]
    drafts = list(every_nth(read))
    if len(drafts) < len(read):
        session.out.message(f"Of {len(read):,} records {len(drafts):,} are compared, evenly taken.")
    papers: list[int | str] = list(resolve_all(library, args.refs))
    for identifier in args.doi or ():
        known, looked_up = _looked_up(session, library, identifier)
        papers += known
        drafts += looked_up
    found = examples_of(library.database, drafts)
    collections = [find_collection(library, path).id for path in args.from_collection or ()]
    return dataclasses.replace(
        found,
        papers=tuple(dict.fromkeys((*papers, *found.papers))),
        texts=tuple(args.text or ()),
        collections=tuple(collections),
    )


def _looked_up(session: Session, library: Library, identifier: str) -> tuple[list[int], list[Any]]:
    """The paper that has a DOI, or what Crossref or arXiv says of it."""
    from litscape.alike.drafts import known_by
    from litscape.lookup import lookup, read_identifier

    if not identifier.strip():
        raise UserError("The DOI is empty: give one, such as 10.1000/182, or an arXiv id.")
    paper = known_by(library.database, identifier)
    if paper is not None:
        return [paper], []
    read_identifier(identifier)
    if not (session.settings.lookup_consent or session.args.allow_network):
        raise UserError(
            f"{identifier} is not in the library and was not looked up: that asks Crossref or "
            "arXiv over the internet and needs your consent. Give --allow-network for this time, "
            "or for good `litscape settings set lookup_consent true`."
        )
    return [], [lookup(identifier, mail=session.settings.mail)]


def _weights(text: str) -> dict[str, float]:
    """``vector=0.5,lexical=0`` as numbers by name."""
    found = {}
    for name, value in read_assignments(text.split(",")).items():
        try:
            found[name] = float(value)
        except ValueError:
            raise UserError(f"{value!r} is no number, as in --weights vector=0.5.") from None
    return found


def _explained(
    library: Library, request: SimilarRequest, hits: Sequence[SearchHit]
) -> dict[int, Explanation]:
    finder = library.searcher.alike
    return {hit.paper_id: finder.explain(request, hit) for hit in hits}


def _record(
    paper: int | None,
    citekey: str | None,
    title: str | None,
    year: int | None,
    doi: str | None,
    score: float,
    why: Sequence[str],
    parts: Sequence[tuple[str, float]] = (),
    explanation: Record | None = None,
    cited_by: Sequence[int] | None = None,
) -> Record:
    return {
        "id": paper,
        "citekey": citekey,
        "title": title,
        "year": year,
        "doi": doi,
        "score": round(score, 6),
        "why": list(why),
        "parts": {name: round(value, 6) for name, value in parts},
        "cited_by": None if cited_by is None else list(cited_by),
        "explanation": explanation,
    }


def _said(hit: SearchHit) -> str:
    return "; ".join(hit.why)


def _no_work(library: Library, request: SimilarRequest) -> str:
    """Why no work outside the library was found."""
    from litscape.alike.tellings import none_left

    if request.newer_than is not None or request.older_than is not None:
        with library.database.read() as conn:
            return none_left(conn, request).replace("paper is left", "work is left")
    return "No paper of this library that is like it cites a work outside the library."


def _outside(session: Session, hits: Sequence[OutsideHit], nothing: str) -> Answer:
    records, lines = [], []
    for hit in hits:
        work = hit.work.reference
        records.append(
            _record(
                None, None, hit.title, work.year, work.doi, hit.score, hit.why,
                cited_by=hit.work.cited_by,
            )
        )  # fmt: skip
        lines.append((f"{hit.score:.3f}", work.year, hit.title, "; ".join(hit.why)))
    whole = with_notes(session.args, records, (), nothing)
    if not hits and session.out.as_json and not session.args.notes:
        session.out.message(nothing)
    return Answer(whole, columns(lines) if lines else nothing)


def _similar_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "refs", nargs="*", metavar="REF", help="like this paper: its id, citation key or DOI"
    )
    more: dict[str, Any] = {"action": "append"}
    parser.add_argument("--text", metavar="TEXT", help="like this abstract or title", **more)
    parser.add_argument("--file", metavar="FILE", help="like the records of a .bib …", **more)
    parser.add_argument("--doi", metavar="DOI", help="like this work, looked up if need be", **more)
    parser.add_argument(
        "--from-collection", metavar="PATH", help="like the papers of this collection", **more
    )
    parser.add_argument(
        "--not", dest="unlike", metavar="REF", help="and unlike this paper; may be repeated", **more
    )
    parser.add_argument("--not-text", metavar="TEXT", help="and unlike this text", **more)
    year: dict[str, Any] = {"type": whole_number(1, 9999), "metavar": "YEAR"}
    parser.add_argument("--newer-than", help="only papers after this year", **year)
    parser.add_argument("--older-than", help="only papers before this year", **year)
    parser.add_argument("--not-in", metavar="PATH", help="none of this collection", **more)
    parser.add_argument(
        "--within", metavar="QUERY", help="only papers that meet a query, such as is:unread"
    )
    parser.add_argument(
        "--diverse", type=float, default=0.0, metavar="X",
        help="0 to 1: how much papers should differ from each other (0)",
    )  # fmt: skip
    parser.add_argument(
        "--weights", metavar="NAME=X,…",
        help="what signals count for, such as vector=0.5,cocitation=0; see `similar-weights`",
    )  # fmt: skip
    parser.add_argument(
        "--outside", action="store_true", help="works that are not in the library, by its links"
    )
    parser.add_argument("--explain", action="store_true", help="say at length why each is like it")
    add_notes(parser)
    parser.add_argument(
        "--allow-network", action="store_true", help="consent to look DOIs up online this time"
    )
    _number(parser, 10)
    add_filters(parser)


def _number(parser: argparse.ArgumentParser, default: int) -> None:
    parser.add_argument(
        "-k", "--number", type=whole_number(1), default=default, metavar="N",
        help=f"at most N papers ({default})",
    )  # fmt: skip


def _read_next(session: Session) -> Answer:
    from litscape.alike.reading import read_next

    args = session.args
    with session.library(reading=True) as library:
        flt = read_filter(session, library)
        found = read_next(library.searcher.alike, library.database, args.number, flt)
        for note in found.notes:
            session.out.message(note)
        near = [one.near for one in found.hits]
        rows = rows_of(library, [*(one.hit.paper_id for one in found.hits), *near])
    records, lines = [], []
    for one in found.hits:
        row = rows.get(one.hit.paper_id)
        if row is None or one.near not in rows:
            continue
        why = (f"like “{rows[one.near].title or rows[one.near].citekey}” ({one.because})",)
        record = _record(
            row.id, row.citekey, row.title, row.year, None, one.hit.score, (*why, *one.hit.why)
        )
        kept = {name: record[name] for name in _NEXT_KEYS if name in record}
        records.append({**kept, "near": one.near, "because": one.because})
        lines.append((f"{one.hit.score:.3f}", row.citekey, row.year, row.title, why[0]))
    said = found.nothing in found.notes
    if found.nothing and not said and session.out.as_json and not args.notes:
        session.out.message(found.nothing)
    whole = with_notes(args, records, found.notes, found.nothing)
    return Answer(whole, columns(lines) if lines else "" if said else found.nothing)


def _next_arguments(parser: argparse.ArgumentParser) -> None:
    add_notes(parser)
    _number(parser, 10)
    add_filters(parser)


def _show_weights(session: Session) -> Answer:
    from litscape.alike.weights import current, learned

    with session.library(reading=True) as library, library.database.read() as conn:
        return _weights_answer(current(conn), learned(conn))


def _learn(session: Session) -> Answer:
    from litscape.alike.weights import current
    from litscape.apart.tasks import learn_weights

    with session.library() as library, job_context() as ctx:
        found = learn_weights(library, ctx)
        with library.database.read() as conn:
            return _weights_answer(current(conn), found)


def _reset(session: Session) -> Answer:
    from litscape.alike.weights import current, put_learned

    with session.library() as library:
        with library.database.write() as conn:
            put_learned(conn, None)
        with library.database.read() as conn:
            return _weights_answer(current(conn), None)


def _weights_answer(now: dict[str, float], learned: Learned | None) -> Answer:
    from litscape.alike.weights import labels, sentence

    named = labels()
    lines = [(f"{value:.2f}", name, named[name]) for name, value in now.items()]
    record = {"weights": now, "learned": None if learned is None else learned.to_json()}
    return Answer(record, f"{sentence(learned)}\n{columns(lines)}")


_WEIGHT_KEYS = {
    "weights": "what each signal counts for now, by its name",
    "learned": "what was learned last: {weights, made_at, links, queries, held_out, measure, "
    "before, gain, low, high, adopted}, or null",
}
_NEXT_KEYS = {
    "id": "the paper's id",
    "citekey": "its citation key",
    "title": "its title or null",
    "year": "number or null",
    "score": "higher is better; comparable within one answer only",
    "why": "list of short reasons",
    "near": "id of the paper read, rated or listed that it is nearest to",
    "because": "what was done with that paper: `read`, `rated 5`, `listed`",
}
SIMILAR = Command(
    "similar", "find papers like others", _similar, _similar_arguments, SIMILAR_KEYS, "list"
)
WEIGHTS = Command(
    "similar-weights",
    "what each signal counts for among similar papers, learned from the library's own links",
    default="show",
    commands=(
        Command("show", "show the weights (also without a word)", _show_weights, keys=_WEIGHT_KEYS),
        Command(
            "learn",
            "learn them and measure the gain; they count if nothing gets worse",
            _learn,
            keys=_WEIGHT_KEYS,
        ),
        Command("reset", "go back to the default ones", _reset, keys=_WEIGHT_KEYS),
    ),
)
READ_NEXT = Command(
    "read-next",
    "find unread papers like those read, rated or listed lately",
    _read_next,
    _next_arguments,
    _NEXT_KEYS,
    "list",
)
