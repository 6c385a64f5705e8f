"""A server that plays the services."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.online_support import Server, serving

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as told:
        yield told
