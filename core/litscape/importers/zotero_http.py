"""Questions to Zotero's local API, and what goes wrong with them in a sentence."""

from __future__ import annotations

import json
import socket
import urllib.error
import urllib.request
from dataclasses import dataclass
from http.client import HTTPException, IncompleteRead
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode, urlsplit

from litscape.errors import UserError
from litscape.importers.zotero_find import PORT
from litscape.importers.zotero_items import SETTING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from email.message import Message

SCHEME = "zotero:"
_PAGE = 500
"""Zotero looks through the whole library for every page, so that small ones cost more."""
_SECONDS = 120.0
_BYTES = 1 << 28
_HOW = f"in Zotero's settings, under Advanced, tick “{SETTING}”"
_CUT = (IncompleteRead, ConnectionResetError, ConnectionAbortedError, BrokenPipeError)
Object = dict[str, Any]


class ZoteroSilentError(UserError):
    """Nobody listens where Zotero would: it does not run."""


class ZoteroOffError(UserError):
    """Zotero runs, with its local API switched off."""


class ZoteroLacksError(UserError):
    """Zotero has nothing at that path."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What Zotero answered; None for numbers that it did not give.

    ``same`` says that nothing changed since the version that was asked about; no value then.
    """

    value: Any
    total: int | None
    version: int | None
    server: str | None
    same: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """Some of the objects of a list, with how many there are in all."""

    objects: list[Object]
    total: int
    version: int | None
    server: str | None


def read_address(location: str) -> str:
    """The base address of a source such as ``zotero:http://127.0.0.1:23119``.

    Raises:
        UserError: it is none.
    """
    text = location.removeprefix(SCHEME).strip() or f"http://127.0.0.1:{PORT}"
    try:
        parts = urlsplit(text if "://" in text else f"http://{text}")
        host, port = parts.hostname, parts.port or PORT
    except ValueError:
        host, port = None, 0
    if (
        not host
        or parts.scheme != "http"
        or parts.username
        or parts.path.strip("/") not in ("", "api")
    ):
        raise UserError(
            f"“{location}” is no address of Zotero's local API; it looks like "
            f"{SCHEME}http://127.0.0.1:{PORT}."
        )
    shown = "127.0.0.1" if host == "localhost" else f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}"


class _StayThere(urllib.request.HTTPRedirectHandler):
    """Follows no answer that points elsewhere: what is asked stays with the one who is asked."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        """Refuse."""


class ZoteroClient:
    """Asks the Zotero that listens at an address; only ever reads."""

    def __init__(self, address: str, seconds: float = _SECONDS) -> None:
        self.address = address
        self._seconds = seconds
        handlers: list[urllib.request.BaseHandler] = [_StayThere()]
        if _is_here(address):
            # Never asked through a proxy; for other addresses NO_PROXY and its like hold.
            handlers.append(urllib.request.ProxyHandler({}))
        self._opener = urllib.request.build_opener(*handlers)

    def get(self, path: str, unless: int | None = None, /, **query: str | int) -> Answer:
        """One answer.

        Args:
            path: below ``/api/``.
            unless: the version of the library that is known; while it is that still, the answer is
                ``same`` and holds nothing else.
            query: what else is asked.

        Raises:
            UserError: nobody answers, the API is switched off, or it is not Zotero's.
        """
        address = f"{self.address}/api/{path}"
        if query:
            address += f"?{urlencode(query)}"
        request = urllib.request.Request(address, headers={"Zotero-API-Version": "3"})
        if unless is not None:
            request.add_header("If-Modified-Since-Version", str(unless))
        try:
            with self._opener.open(request, timeout=self._seconds) as answer:
                body, headers = answer.read(_BYTES + 1), answer.headers
                if answer.length and len(body) <= _BYTES:
                    raise IncompleteRead(body, answer.length)
        except urllib.error.HTTPError as error:
            error.close()
            if error.code == 304 and unless is not None:
                return Answer(None, None, unless, error.headers.get("Zotero-Server-ID"), same=True)
            raise self._refused(error.code) from error
        except (urllib.error.URLError, HTTPException, OSError) as error:
            raise self._silent(error) from error
        try:
            value = json.loads(body)
        except (ValueError, RecursionError) as error:
            what = "more than can be read" if len(body) > _BYTES else "no JSON"
            raise UserError(f"{self._strange()}: {path} gave {what}.") from error
        return Answer(
            value,
            _number(headers, "Total-Results"),
            _number(headers, "Last-Modified-Version"),
            headers.get("Zotero-Server-ID"),
        )

    def object(self, path: str) -> Object:
        """One object.

        Raises:
            UserError: as :meth:`get`.
        """
        value = self.get(path).value
        if not isinstance(value, dict):
            raise UserError(f"{self._strange()}: {path} is no object.")
        return value

    def pages(self, path: str, **query: str | int) -> Iterator[Page]:
        """A whole list, page by page, however small the server makes them.

        Raises:
            UserError: as :meth:`get`.
        """
        start = 0
        while True:
            answer = self.get(path, start=start, limit=_PAGE, **query)
            objects = answer.value
            if not isinstance(objects, list) or not all(isinstance(one, dict) for one in objects):
                raise UserError(f"{self._strange()}: {path} is no list.")
            start += len(objects)
            total = start if answer.total is None else answer.total
            yield Page(objects, total, answer.version, answer.server)
            if not objects or start >= total:
                return

    def _strange(self) -> str:
        return f"What answers at {self.address} is not Zotero's local API"

    def _refused(self, status: int) -> UserError:
        if status == 403:
            return ZoteroOffError(
                f"Zotero answers at {self.address}, but its local API is switched off: {_HOW}."
            )
        if status == 404:
            return ZoteroLacksError(
                f"Zotero at {self.address} has no such library, or is too old: it needs Zotero 7."
            )
        return UserError(
            f"Zotero at {self.address} refused to answer ({status}). Try again in a moment."
        )

    def _silent(self, error: Exception) -> UserError:
        reason = error.reason if isinstance(error, urllib.error.URLError) else error
        if isinstance(reason, TimeoutError | socket.timeout):
            return UserError(
                f"Zotero at {self.address} gave no answer in {self._seconds:.0f} seconds. "
                "Wait until it is idle and try again."
            )
        if isinstance(reason, _CUT):
            return UserError(
                f"Zotero at {self.address} broke off in the middle of an answer. "
                "Try again in a moment."
            )
        if isinstance(reason, HTTPException):
            return UserError(f"{self._strange()}: it speaks no HTTP.")
        return ZoteroSilentError(f"No Zotero answers at {self.address}: start Zotero, and {_HOW}.")


def _number(headers: Message, name: str) -> int | None:
    text = headers.get(name, "")
    return int(text) if text.isascii() and text.isdigit() else None


def _is_here(address: str) -> bool:
    host = urlsplit(address).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
