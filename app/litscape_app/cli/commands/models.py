"""``litscape models``: the encoders that a library can use."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from litscape.errors import UserError
from litscape_app.cli.command import Answer, Command
from litscape_app.cli.output import columns, counted
from litscape_app.cli.progress import job_context

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from litscape.library import Library
    from litscape.models.card import ModelCard
    from litscape.models.switching import Switched
    from litscape_app.cli.session import Session

_NAMED = 10
_KEYS = {
    "version": "name and content in one word; vectors and index carry it",
    "name": "what a person reads",
    "base": "where the weights came from",
    "dim": "width of the vectors",
    "max_length": "tokens that it reads",
    "pooling": "list of how token vectors become one",
    "source": "bundled, folder, hub or trained",
    "location": "folder of the weights",
    "recipe": "how it was trained here, or null",
    "cutoff_year": "year up to which it learnt, or null",
    "active": "whether this library uses it",
    "embedded": "papers of this library that have its vectors",
    "verdict": "of the run here that made it: no-change, better, mixed or worse; else null",
    "judged_at": "when that was (UTC), or null",
    "unchanged": "whether that run kept no change, so that it is the same as its base; else null",
}


def _record(card: ModelCard, active: str, library: Library) -> dict[str, Any]:
    from litscape_trainer.runs.judged import judged_models

    judged = judged_models(library.folder).get(card.version)
    record = {name: getattr(card, name, None) for name in _KEYS}
    return {
        **record,
        "pooling": list(card.pooling),
        "active": card.version == active,
        "embedded": library.vector_store.count(card.version),
        "verdict": None if judged is None else judged.verdict,
        "judged_at": None if judged is None else judged.made_at,
        "unchanged": None if judged is None else judged.unchanged,
    }


def _answer(library: Library, card: ModelCard) -> Answer:
    record = _record(card, library.models.active().version, library)
    return Answer(
        record, columns([(name, _words(value)) for name, value in record.items()], whole=True)
    )


def _words(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _list(session: Session) -> Answer:
    with session.library(reading=True) as library:
        active = library.models.active().version
        records = [_record(card, active, library) for card in library.models.available()]
    rows = [
        (
            "*" if one["active"] else "",
            one["version"],
            one["dim"],
            one["source"],
            one["base"],
            _verdict(one),
        )
        for one in records
    ]
    return Answer(records, columns(rows))


def _verdict(record: Mapping[str, Any]) -> str:
    """``worse, 2026-11-30, recipe head``, of a model that was trained here."""
    told = [f"recipe {record['recipe']}"] if record["recipe"] else []
    if record["verdict"]:
        told = [str(record["verdict"]), str(record["judged_at"])[:10], *told]
    if record["unchanged"]:
        told.append("the same as its base: no change was kept")
    return ", ".join(told)


def _show(session: Session) -> Answer:
    with session.library(reading=True) as library:
        version = session.args.version
        return _answer(
            library, library.models.find(version) if version else library.models.active()
        )


def _use(session: Session) -> Answer:
    with session.library() as library:
        return _answer(library, library.models.activate(session.args.version))


def _add_folder(session: Session) -> Answer:
    with session.library() as library:
        args = session.args
        return _answer(library, library.models.add_folder(args.folder, allow_code=args.allow_code))


def _add_hub(session: Session) -> Answer:
    repo = session.args.id
    if not session.args.allow_network:
        raise UserError(
            f"{repo} was not downloaded: that asks huggingface.co and needs your consent; "
            "give --allow-network."
        )
    with session.library() as library, job_context() as ctx:
        return _answer(library, library.models.add_hub(repo, consent=True, ctx=ctx))


def _prepare(session: Session) -> Answer:
    with session.library() as library, job_context() as ctx:
        card = library.models.active()
        library.engine.export(card, ctx)
        return _answer(library, card)


def _activate(session: Session) -> Answer:
    from litscape.models.switching import switch
    from litscape_trainer.runs.judged import judged_models, warning

    with session.library() as library, job_context() as ctx:
        card = library.models.find(session.args.version)
        session.out.message(_before(library, card))
        change = switch(library, card.version, ctx)
        # It is done all the same: whoever uses it was told, and chose.
        told = warning(judged_models(library.folder).get(change.card.version))
        return _switched(change, (told,) if told else ())


def _before(library: Library, card: ModelCard) -> str:
    """What is done before a model is used, told at once: it may take minutes."""
    left = library.vector_store.pending(card)
    papers = f"Giving {counted(left, 'paper')} a vector of" if left else "Making ready"
    former = library.models.active_version()
    until = "" if former == card.version else f" Until that is done {former} serves."
    return f"{papers} {card.version}.{until}"


def _rollback(session: Session) -> Answer:
    from litscape.models.switching import roll_back

    with session.library() as library, job_context() as ctx:
        return _switched(roll_back(library, ctx))


def _switched(change: Switched, warnings: tuple[str, ...] = ()) -> Answer:
    record = {
        "version": change.card.version,
        "before": change.before,
        "embedded": change.embedded,
        "notes": [*warnings, *change.notes],
    }
    first = f" {counted(change.embedded, 'paper')} got a vector first." if change.embedded else ""
    text = f"{change.card.version} is in use, before it was {change.before}.{first}"
    back = " The way back: litscape models rollback" if change.before != change.card.version else ""
    return Answer(record, "\n".join([f"{text}{back}", *warnings, *change.notes]))


def _compare(session: Session) -> Answer:
    from litscape.models.comparing import NEAREST, compare_models

    args = session.args
    with session.library(reading=True) as library, job_context() as ctx:
        found = compare_models(library, args.first, args.second, ctx)
        active = library.models.active().version
        cards = [_record(card, active, library) for card in (found.first, found.second)]
        titles = {p: library.papers.get(p).title or "" for p, _share in found.moved}
    moved = [{"paper": p, "title": titles[p], "shared": share} for p, share in found.moved]
    record = {
        "first": cards[0],
        "second": cards[1],
        "papers": found.papers,
        "compared": found.compared,
        "shared": found.shared,
        "moved": moved,
    }
    lines = [
        f"Of the {NEAREST} nearest papers {100 * found.shared:.0f} % are the same, on average over "
        f"{counted(found.compared, 'paper')}.",
        "Papers whose nearest changed most:",
        *(f"  {100 * share:.0f} % {titles[paper]}" for paper, share in found.moved[:10]),
        f"How well each finds: litscape evaluate model {found.first.version} "
        f"{found.second.version}",
    ]
    return Answer(record, "\n".join(lines))


def _export(session: Session) -> Answer:
    from litscape.models.exchange import export_model

    args = session.args
    with session.library(reading=True) as library, job_context() as ctx:
        card = library.models.find(args.version)
        target = export_model(card, Path(args.dest), ctx)
    record = {"version": card.version, "place": str(target)}
    return Answer(record, f"{card.version} is in {target}.")


def _import(session: Session) -> Answer:
    from litscape.models.exchange import import_model

    left: list[str] = []
    with session.library() as library, job_context() as ctx:
        source = Path(session.args.folder)
        card = import_model(library.models, source, ctx, left.extend)
        record = _record(card, library.models.active().version, library)
    lines = [columns([(name, _words(value)) for name, value in record.items()], whole=True)]
    if left:
        more = f" and {len(left) - _NAMED:,} more" if len(left) > _NAMED else ""
        lines.append(f"Left behind, as no model needs them: {', '.join(left[:_NAMED])}{more}.")
    return Answer({**record, "left_behind": left}, "\n".join(lines))


def _remove(session: Session) -> Answer:
    from litscape.models.switching import remove

    with session.library() as library:
        card = remove(library, session.args.version)
    return Answer({"version": card.version}, f"{card.version} and its vectors are removed.")


def _version(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("version", metavar="VERSION", help="a version that `models list` prints")


def _optional_version(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("version", nargs="?", metavar="VERSION", help="by default the one in use")


def _folder(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folder", metavar="FOLDER", help="a sentence-transformers or transformers model"
    )
    parser.add_argument(
        "--allow-code",
        metavar="NAME",
        help="let the code run that the model of this name brings along; only if you trust it",
    )


def _hub_id(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "id", metavar="ID", help="an id at huggingface.co, such as intfloat/e5-small"
    )
    parser.add_argument(
        "--allow-network", action="store_true", help="consent to download it; needed"
    )


def _two_versions(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("first", metavar="VERSION", help="a version that `models list` prints")
    parser.add_argument("second", metavar="OTHER", help="another one")


def _export_arguments(parser: argparse.ArgumentParser) -> None:
    _version(parser)
    parser.add_argument(
        "dest", metavar="TARGET", help="a folder that is not there yet, or a .zip file"
    )


def _import_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="SOURCE", help="a model's folder, or a .zip file of one")


_SWITCH_KEYS = {
    "version": "in use now",
    "before": "in use until now",
    "embedded": "papers that got a vector first",
    "notes": "what should be known",
}
_COMPARE_KEYS = {
    "first": "all about one, as `models list` has it",
    "second": "likewise",
    "papers": "that have vectors of both",
    "compared": "whose nearest were looked at",
    "shared": "mean share of the ten nearest papers that are the same",
    "moved": "papers that share least: list of {paper, title, shared}",
}
MODELS = Command(
    "models",
    "the encoders that a library can use",
    default="list",
    commands=(
        Command("list", "list them (also without a word)", _list, keys=_KEYS, shape="list"),
        Command("show", "print all about one", _show, _optional_version, keys=_KEYS),
        Command(
            "activate",
            "give every paper a vector of one, and then use it; until then the other serves",
            _activate,
            _version,
            _SWITCH_KEYS,
        ),
        Command(
            "rollback",
            "use the one before again: with its own vectors, so that it finds the same",
            _rollback,
            keys=_SWITCH_KEYS,
        ),
        Command("use", "use one at once; `embed` computes what it lacks", _use, _version,
                keys=_KEYS),
        Command("compare", "tell how two differ on this library", _compare, _two_versions,
                _COMPARE_KEYS),
        Command(
            "export",
            "write one to a folder or a .zip file, which any sentence-transformers opens",
            _export,
            _export_arguments,
            {"version": "which", "place": "where it is"},
        ),
        Command("import", "take one in from a folder or a .zip file, after checks", _import,
                _import_arguments, {**_KEYS, "left_behind": "files that were not taken in"}),
        Command("remove", "remove one with its vectors; not the one in use", _remove, _version,
                {"version": "which"}),
        Command("add-folder", "make a local model known", _add_folder, _folder, keys=_KEYS),
        Command("add-hub", "download a model and make it known", _add_hub, _hub_id, keys=_KEYS),
        Command("prepare", "make the fast form that queries are encoded with", _prepare,
                keys=_KEYS),
    ),
)  # fmt: skip
