"""One training recipe: frozen, written and read as TOML, so that it can be shared."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Literal, Self, get_args, get_origin, get_type_hints

from litscape.errors import UserError
from litscape.near import no_such

if TYPE_CHECKING:
    from pathlib import Path

Method = Literal["full", "frozen-embeddings", "lower-frozen", "lora", "head"]
Primary = Literal["citations", "titles"]
Schedule = Literal["linear", "wsd"]
Precision = Literal["auto", "fp32", "bf16", "fp16"]
METHODS: tuple[Method, ...] = get_args(Method)
_TOLD = frozenset({"name", "title", "about"})
_NAME = re.compile(r"\w[^/\\\x00-\x1f]{0,79}")


@dataclass(frozen=True, slots=True)
class TrainingRecipe:
    """What one run learns, from what, and how; every field is a line of its TOML file.

    Attributes:
        name: as commands name it.
        title, about: the same for people, the second one sentence.
        builder: which examples are built, see the trainer's list of builders.
        objective: which loss, see the trainer's list of objectives.
        base: version, folder or hub id of the model to start from; None: the active model.
        method: which weights learn: all (``full``), all but the word embeddings
            (``frozen-embeddings``), those above ``frozen_layers`` (``lower-frozen``), added
            low-rank ones (``lora``), or a layer on the stored vectors (``head``).
        primary: the task whose nDCG@10 decides: ``citations`` or ``titles`` (known-item search).
        as_of: nothing dated later is learnt from; None: as the split has it.
        collections: learn from papers of these alone; empty: from all.
        minutes: the time to stay within; None: as many steps as the recipe says.
        seed: of draws, order and initial weights.
        steps: optimiser steps at most; None: as ``epochs`` and ``minutes`` allow.
        epochs: passes over the anchors at most.
        batch: examples of one optimiser step.
        micro_batch: examples at a time on the device; None: found out.
        accumulation: batches of one optimiser step; each is contrasted within itself.
        checkpointing: compute activations again on the way back: less memory, a third slower.
        learning_rate, weight_decay, clip: of AdamW.
        warmup: share of the steps with a rising learning rate.
        schedule: ``linear`` or ``wsd`` (constant, then falling in the last ``decay`` share).
        decay: see ``schedule``.
        temperature: what cosines are divided by.
        learned_temperature: whether the temperature is learned too.
        log_q: whether candidates that are in more batches than others are weighed for it, so that
            much-cited papers are not pushed away.
        margin: of triplet objectives.
        teacher_words: of ``soft-infonce``: the share of words in the teacher's likeness of two
            texts; the rest is the base model's cosine.
        teacher_links: what that likeness gains, in units of the cosine, where two papers are known
            to belong together.
        max_length: tokens read in training; None: as many as the base model reads.
        positives: examples an anchor gives in one epoch.
        hard_negatives, easy_negatives: explicit negatives of one example.
        frozen_layers: layers that stay as they are under ``lower-frozen``.
        lora_rank, lora_alpha: of ``lora``.
        head_first: begin with a ``head`` on the stored vectors, a minute, and learn it further
            together with the encoder.
        hidden: width of the head's hidden layer; 0: a linear head.
        dropout: while training; None: as the base model has it.
        precision: of the forward pass; ``auto``: bf16 where the device has it.
        dev_every: share of the steps after which the development queries are asked.
        patience: so many such measurements without a gain end the run.
    """

    name: str
    title: str = ""
    about: str = ""
    builder: str = "citations"
    objective: str = "infonce"
    base: str | None = None
    method: Method = "lower-frozen"
    primary: Primary = "citations"
    as_of: int | None = None
    collections: tuple[str, ...] = ()
    minutes: float | None = None
    seed: int = 20
    steps: int | None = None
    epochs: float = 10.0
    batch: int = 32
    micro_batch: int | None = None
    accumulation: int = 1
    checkpointing: bool = False
    learning_rate: float = 5e-5
    weight_decay: float = 0.01
    clip: float = 1.0
    warmup: float = 0.1
    schedule: Schedule = "linear"
    decay: float = 0.2
    temperature: float = 0.05
    learned_temperature: bool = False
    log_q: bool = False
    margin: float = 0.3
    teacher_words: float = 0.25
    teacher_links: float = 0.0
    max_length: int | None = 128
    positives: int = 1
    hard_negatives: int = 0
    easy_negatives: int = 0
    frozen_layers: int = 2
    lora_rank: int = 16
    lora_alpha: int = 32
    head_first: bool = False
    hidden: int = 0
    dropout: float | None = None
    precision: Precision = "auto"
    dev_every: float = 0.1
    patience: int = 4

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise UserError(
                f"{self.name!r} is no name of a recipe: it begins with a letter or a digit, and "
                "has no slashes, no line breaks and at most 80 signs."
            )
        for name, least, most in _LIMITS:
            value = getattr(self, name)
            if value is not None and not least <= value <= most:
                raise UserError(
                    f"The recipe {self.name!r} has {name} = {value}; it must be between {least} "
                    f"and {most}."
                )

    @property
    def hash(self) -> str:
        """Twelve hex digits that change with whatever changes the training."""
        kept = {name: value for name, value in self.to_json().items() if name not in _TOLD}
        return hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()[:12]

    def to_json(self) -> dict[str, Any]:
        """As plain values; None and lists included."""
        return {**asdict(self), "collections": list(self.collections)}

    def to_toml(self) -> str:
        """As a file to share; what is None is left out, as TOML has no word for it."""
        import tomli_w

        told = {name: value for name, value in self.to_json().items() if value is not None}
        absent = [name for name, value in self.to_json().items() if value is None]
        unset = {"unset": absent} if absent else {}
        return tomli_w.dumps({**told, **unset})

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Self:
        """From plain values, each held against its type.

        Raises:
            UserError: it has no name, a key is unknown, or a value is of another kind or out of
                its range.
        """
        known = {field.name for field in fields(cls)}
        name = values.get("name")
        if not isinstance(name, str) or not name:
            raise UserError('It has no name; a recipe needs one at least: name = "my-recipe".')
        for key in values:
            if key not in known:
                raise UserError(
                    f"The recipe {name!r} can't be used. {no_such('setting', key, known)}"
                )
        return cls(**{key: _typed(key, one) for key, one in values.items()})

    @classmethod
    def from_toml(cls, text: str, place: str = "this text") -> Self:
        """From a file's text; what is left out has its default.

        Raises:
            UserError: it is no recipe.
        """
        try:
            values = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise UserError(f"{place} is no recipe: {error}.") from error
        unset = values.pop("unset", [])
        if "name" not in values:
            raise UserError(f'{place} is no recipe: it has no name, such as name = "my-recipe".')
        return cls.from_json({**values, **_without(unset, place)})

    @classmethod
    def from_file(cls, path: Path) -> Self:
        """From a file.

        Raises:
            UserError: it can't be read, or is no recipe.
        """
        if path.is_dir():
            raise UserError(f"{path} is a folder; a recipe is a .toml file.")
        try:
            return cls.from_toml(path.read_text(encoding="utf-8"), str(path))
        except FileNotFoundError as error:
            raise UserError(f"There is no recipe file {path}.") from error
        except UnicodeDecodeError as error:
            raise UserError(f"{path} is no recipe: it is no text in UTF-8.") from error
        except OSError as error:
            raise UserError(f"{path} can't be read as a recipe: {error.strerror}.") from error

    def with_set(self, assignment: str) -> Self:
        """With one setting given as ``key=value``; ``none`` takes a setting away.

        Raises:
            UserError: there is no such setting, or the value is of another kind.
        """
        key, sign, text = assignment.partition("=")
        key, text = key.strip().replace("-", "_"), text.strip()
        known = [field.name for field in fields(self) if field.name not in _TOLD]
        if key not in known:
            raise UserError(f"There is no setting {key!r}; settings are: {', '.join(known)}.")
        if not sign:
            raise UserError(
                f"{key} was given no value: write {key}=VALUE (now {getattr(self, key)!r})."
            )
        return replace(self, **{key: _typed(key, _read(text))})


_LIMITS: tuple[tuple[str, float, float], ...] = (
    ("minutes", 0.05, 100_000),
    ("steps", 1, 10_000_000),
    ("epochs", 0.001, 10_000),
    ("batch", 2, 65_536),
    ("micro_batch", 1, 65_536),
    ("accumulation", 1, 65_536),
    ("learning_rate", 1e-9, 1.0),
    ("weight_decay", 0, 1),
    ("clip", 0, 1000),
    ("warmup", 0, 1),
    ("decay", 0, 1),
    ("temperature", 0.001, 10),
    ("margin", 0, 100),
    ("teacher_words", 0, 0.99),
    ("teacher_links", 0, 10),
    ("max_length", 8, 65_536),
    ("positives", 1, 100),
    ("hard_negatives", 0, 100),
    ("easy_negatives", 0, 100),
    ("frozen_layers", 0, 1000),
    ("lora_rank", 1, 1024),
    ("lora_alpha", 1, 4096),
    ("hidden", 0, 65_536),
    ("dropout", 0, 0.9),
    ("dev_every", 0.001, 1),
    ("patience", 1, 1000),
    ("seed", 0, 2**32 - 1),
)


def _without(unset: object, place: str) -> dict[str, None]:
    """The settings that a file takes away.

    Raises:
        UserError: one of them must have a value.
    """
    if not isinstance(unset, list) or not all(isinstance(one, str) for one in unset):
        raise UserError(f'{place} is no recipe: unset is a list of settings, such as ["minutes"].')
    hints = get_type_hints(TrainingRecipe, _NAMES)
    for key in unset:
        if key in hints and type(None) not in get_args(hints[key]):
            raise UserError(f"{place} is no recipe: {key} can't be unset, it must have a value.")
    return dict.fromkeys(unset)


def _read(text: str) -> Any:
    """A value as TOML has it; a bare word is a string."""
    if text.lower() in ("none", ""):
        return None
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def _typed(key: str, value: Any) -> Any:
    """The value as its field wants it.

    Raises:
        UserError: it is of another kind.
    """
    hint = get_type_hints(TrainingRecipe, _NAMES)[key]
    options = get_args(hint) if type(None) in get_args(hint) else (hint,)
    if value is None and type(None) in options:
        return None
    kind = options[0]
    choices = get_args(kind) if get_origin(kind) is Literal else ()
    if choices:
        if value in choices:
            return value
        raise UserError(f"{key} = {value!r} is none of: {', '.join(map(str, choices))}.")
    if kind == tuple[str, ...]:
        return (value,) if isinstance(value, str) else tuple(str(one) for one in value or ())
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if isinstance(value, kind) and not (kind is int and isinstance(value, bool)):
        return value
    if kind is str and isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    raise UserError(f"{key} = {value!r} should be {_KINDS[kind]}.")


_KINDS = {int: "a whole number", float: "a number", bool: "true or false", str: "a word"}
_NAMES = {"Method": Method, "Primary": Primary, "Schedule": Schedule, "Precision": Precision}
