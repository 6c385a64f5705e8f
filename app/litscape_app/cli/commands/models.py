"""``litscape models``: the encoders that a library can use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from litscape.errors import UserError
from litscape_app.cli.command import Answer, Command
from litscape_app.cli.output import columns
from litscape_app.cli.progress import job_context

if TYPE_CHECKING:
    import argparse

    from litscape.library import Library
    from litscape.models.card import ModelCard
    from litscape_app.cli.session import Session

_KEYS = {
    "version": "name and content in one word; vectors and index carry it",
    "name": "what a person reads",
    "base": "where the weights came from",
    "dim": "width of the vectors",
    "max_length": "tokens that it reads",
    "pooling": "list of how token vectors become one",
    "source": "bundled, folder, hub or trained",
    "location": "folder of the weights",
    "active": "whether this library uses it",
    "embedded": "papers of this library that have its vectors",
}


def _record(card: ModelCard, active: str, library: Library) -> dict[str, Any]:
    record = {name: getattr(card, name, None) for name in _KEYS}
    return {
        **record,
        "pooling": list(card.pooling),
        "active": card.version == active,
        "embedded": library.vector_store.count(card.version),
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
        ("*" if one["active"] else "", one["version"], one["dim"], one["source"], one["base"])
        for one in records
    ]
    return Answer(records, columns(rows))


def _info(session: Session) -> Answer:
    with session.library(reading=True) as library:
        version = session.args.version
        return _answer(library, library.models.get(version) if version else library.models.active())


def _use(session: Session) -> Answer:
    with session.library() as library:
        return _answer(library, library.models.activate(session.args.version))


def _add_folder(session: Session) -> Answer:
    with session.library() as library:
        return _answer(library, library.models.add_folder(session.args.folder))


def _add_hub(session: Session) -> Answer:
    repo = session.args.id
    if not session.args.allow_network:
        raise UserError(
            f"{repo} was not downloaded: that asks huggingface.co and needs your consent; "
            "give --allow-network."
        )
    with session.library() as library, job_context() as ctx:
        return _answer(library, library.models.add_hub(repo, consent=True, ctx=ctx))


def _export(session: Session) -> Answer:
    with session.library() as library, job_context() as ctx:
        card = library.models.active()
        library.engine.export(card, ctx)
        return _answer(library, card)


def _version(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("version", metavar="VERSION", help="a version that `models list` prints")


def _optional_version(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("version", nargs="?", metavar="VERSION", help="by default the one in use")


def _folder(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folder", metavar="FOLDER", help="a sentence-transformers or transformers model"
    )


def _hub_id(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "id", metavar="ID", help="an id at huggingface.co, such as intfloat/e5-small"
    )
    parser.add_argument(
        "--allow-network", action="store_true", help="consent to download it; needed"
    )


MODELS = Command(
    "models",
    "the encoders that a library can use",
    default="list",
    commands=(
        Command("list", "list them (also without a word)", _list, keys=_KEYS, shape="list"),
        Command("info", "print all about one", _info, _optional_version, keys=_KEYS),
        Command("use", "embed and search with one from now on", _use, _version, keys=_KEYS),
        Command("add-folder", "make a local model known", _add_folder, _folder, keys=_KEYS),
        Command("add-hub", "download a model and make it known", _add_hub, _hub_id, keys=_KEYS),
        Command("export", "make the fast form that queries are encoded with", _export, keys=_KEYS),
    ),
)
