"""Reading ``--set KEY=VALUE``: the text of a value as what the key holds."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from litscape.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Iterable

LISTS = frozenset(
    {
        "authors",
        "keywords",
        "tags",
        "collections",
        "notes",
        "files",
        "fields",
        "references",
        "citekey_aliases",
        "cites",
    }
)
OBJECTS = frozenset({"raw_fields", "identifiers"})
NUMBERS = frozenset({"year", "month", "day"})
SWITCHES = frozenset({"more_authors"})


def read_assignments(texts: Iterable[str]) -> dict[str, Any]:
    """The values that a list of ``KEY=VALUE`` stands for.

    A list is written as JSON (``["a", "b"]``) or with semicolons (``a; b``), collections as
    paths (``Water/Rivers; Lakes``), authors as in BibTeX (``Bell, Alexander and Baird, John``);
    an empty value is none.

    Raises:
        UserError: a text has no ``=``, names a key twice, or its value can't be read.
    """
    values: dict[str, Any] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        key = key.strip()
        if not equals or not key:
            raise UserError(f"{text!r} is not KEY=VALUE, such as year=2011.")
        if key in values:
            raise UserError(f"{key} is set twice.")
        values[key] = read_value(key, value.strip())
    return values


def read_value(key: str, text: str) -> Any:
    """The value of one key of the export.

    Raises:
        UserError: the text can't be such a value.
    """
    if key in LISTS or key in OBJECTS:
        return _structured(key, text)
    if not text:
        return None
    if key in NUMBERS:
        try:
            return int(text)
        except ValueError:
            raise UserError(f"{key} must be a whole number, not {text!r}.") from None
    if key in SWITCHES:
        if text.lower() not in ("true", "false"):
            raise UserError(f"{key} must be true or false, not {text!r}.")
        return text.lower() == "true"
    return text


def _structured(key: str, text: str) -> Any:
    if text.startswith(("[", "{")):
        try:
            return json.loads(text)
        except ValueError as error:
            raise UserError(f"The value of {key} is no JSON: {error}.") from None
    if key in OBJECTS and text:
        raise UserError(f'{key} is set as a JSON object, such as {{"issn": "1234-5678"}}.')
    if key in OBJECTS:
        return {}
    if key == "authors":
        from litscape.importers.names import parse_names

        return list(parse_names(text)[0]) if text else []
    parts = [part.strip() for part in text.split(";") if part.strip()]
    if key == "collections":
        return [[name.strip() for name in part.split("/") if name.strip()] for part in parts]
    return parts
