"""Which model versions a library can use, and which one it does use."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from litscape import paths
from litscape.errors import UserError
from litscape.models.bundled import bundled_card
from litscape.models.card import ModelCard
from litscape.models.folder import own_code, own_code_refused, read_folder
from litscape.models.hub import download
from litscape.models.weights import check_weights
from litscape.store import models as table

if TYPE_CHECKING:
    from litscape.jobs import JobContext
    from litscape.store.database import Database
    from litscape.store.models import StoredModel

_BUNDLED = "bundled:"
_LIBRARY = "library:"


class ModelRegistry:
    """The model versions of one library; no method but ``add_hub`` ever goes online."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def bundled(self) -> ModelCard:
        """The encoder that comes with the program."""
        return bundled_card()

    def active(self) -> ModelCard:
        """The version that this library embeds and searches with; the bundled one by default.

        Raises:
            UserError: the chosen version is not known any more.
        """
        with self._database.read() as conn:
            version = table.active_version(conn)
            stored = table.find_model(conn, version) if version else None
        if version is None:
            return self.bundled()
        if stored is None:
            return self.get(version)
        return self._card(stored)

    def get(self, version: str) -> ModelCard:
        """The card of one version.

        Raises:
            UserError: there is no such version; the message lists those that there are.
        """
        cards = self.available()
        for card in cards:
            if card.version == version:
                return card
        known = ", ".join(card.version for card in cards)
        raise UserError(f"There is no model version {version!r} here. Known are: {known}.")

    def available(self) -> tuple[ModelCard, ...]:
        """All versions, the bundled one first."""
        with self._database.read() as conn:
            stored = table.list_models(conn)
        cards = {self.bundled().version: self.bundled()}
        for row in stored:
            cards.setdefault(row.version, self._card(row))
        return tuple(cards.values())

    def activate(self, version: str) -> ModelCard:
        """Use a version from now on; vectors of others stay where they are for a way back."""
        card = self.get(version)
        self.register(card)
        before = self.active_version()
        with self._database.write() as conn:
            if before != card.version:
                table.set_former_version(conn, before)
            table.set_active_version(conn, card.version)
        return card

    def active_version(self) -> str:
        """The version in use, known or not."""
        with self._database.read() as conn:
            return table.active_version(conn) or self.bundled().version

    def former(self) -> ModelCard | None:
        """The version that was in use before the present one; None where there was no other."""
        with self._database.read() as conn:
            version = table.former_version(conn)
        if version is None or version == self.active_version():
            return None
        return next((card for card in self.available() if card.version == version), None)

    def find(self, word: str) -> ModelCard:
        """A version by its word, the beginning of it, or its name where only one has that.

        Raises:
            UserError: there is none, or several are meant.
        """
        cards = self.available()
        exact = [card for card in cards if card.version == word]
        near = [card for card in cards if card.version.startswith(word) or card.name == word]
        found = exact or (near if word else [])
        if len(found) == 1:
            return found[0]
        if found:
            several = ", ".join(card.version for card in found)
            raise UserError(f"{word!r} may be any of these versions: {several}.")
        return self.get(word)

    def remove(self, version: str) -> ModelCard:
        """Forget a version and its vectors; its files are left to the caller.

        Raises:
            UserError: it is in use, comes with the program, or is unknown.
        """
        card = self.get(version)
        if card.version == self.active_version():
            raise UserError(f"{card.version} is in use: activate another model, then remove it.")
        if card.version == self.bundled().version:
            raise UserError(f"{card.version} comes with the program and can't be removed.")
        with self._database.write() as conn:
            table.drop_model(conn, card.version)
        return card

    @property
    def folder(self) -> Path:
        """Where the versions lie that belong to this library."""
        return self._database.folder / "models"

    def add_folder(
        self, path: Path | str, name: str | None = None, *, allow_code: str | None = None
    ) -> ModelCard:
        """Make a local model folder known; it is read where it lies, never copied or changed.

        Args:
            path: the folder.
            name: for people; the folder's own where None.
            allow_code: the model's name, typed by somebody who trusts the code that it brings
                along; without it such code never runs.

        Raises:
            UserError: the folder can't be used, its weights are damaged or of another
                architecture, it brings code along that nobody allowed, or ``allow_code`` is not
                the model's name.
        """
        card = read_folder(Path(path), name=name)
        if allow_code is not None:
            if allow_code != card.name:
                raise UserError(
                    f"The model in {path} is called {card.name!r}, not {allow_code!r}: its own "
                    "code is allowed by its name alone."
                )
            card = replace(card, own_code=bool(own_code(card))).versioned()
        names = "" if card.own_code else own_code(card)
        if names:
            raise UserError(own_code_refused(card, names))
        check_weights(card)
        self.register(card)
        return card

    def add_hub(self, repo_id: str, *, consent: bool, ctx: JobContext | None = None) -> ModelCard:
        """Download a model from the Hugging Face hub and make it known.

        Raises:
            UserError: no consent, no such model, no connection, or nothing safe to load.
        """
        folder = download(repo_id, paths.data_dir() / "models", consent=consent, ctx=ctx)
        card = read_folder(folder, name=repo_id.rsplit("/", 1)[-1], base=repo_id, source="hub")
        check_weights(card)
        self.register(card)
        return card

    def register(self, card: ModelCard) -> int:
        """Write the version's row if it is new or has moved; returns the row's id."""
        location = self._portable(card)
        text = replace(card, location=location).to_json()
        with self._database.read() as conn:
            stored = table.find_model(conn, card.version)
        if stored is not None and (stored.location, stored.card) == (location, text):
            return stored.id
        with self._database.write() as conn:
            return table.put_model(
                conn,
                version=card.version,
                name=card.name,
                dim=card.dim,
                location=location,
                card=text,
            )

    def _portable(self, card: ModelCard) -> str:
        """The place in a form that survives moving the library or the environment."""
        if card.source == "bundled":
            return _BUNDLED
        own = self._database.folder / "models"
        if card.folder.is_relative_to(own):
            return _LIBRARY + card.folder.relative_to(own).as_posix()
        return card.location

    def _card(self, stored: StoredModel) -> ModelCard:
        card = ModelCard.from_json(stored.card)
        if stored.location == _BUNDLED:
            return replace(card, location=self.bundled().location)
        if stored.location.startswith(_LIBRARY):
            inner = stored.location.removeprefix(_LIBRARY)
            return replace(card, location=str(self._database.folder / "models" / inner))
        return card
