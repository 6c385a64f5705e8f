"""What a child of the engine can be: the encoder of queries, one of papers, or an exporter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from litscape.jobs import JobContext
from litscape.jobs.context import Event, Progress
from litscape.models.card import ModelCard

if TYPE_CHECKING:
    from collections.abc import Callable

    Answer = tuple[dict[str, Any], bytes]
    Serve = Callable[[dict[str, Any]], Answer]
    Send = Callable[[dict[str, Any]], None]


def prepare(start: dict[str, Any], send: Send) -> tuple[Serve, dict[str, Any]]:
    """Load what a role needs.

    Args:
        start: the first message: ``role``, ``card`` and the role's options.
        send: for messages outside the usual order (progress).

    Returns:
        The function that answers requests, and the first answer.
    """
    card = ModelCard.from_json(start["card"])
    makers = {"query": _query, "embed": _embed, "export": _export}
    return makers[start["role"]](card, start, send)


def _query(card: ModelCard, start: dict[str, Any], _send: Send) -> tuple[Serve, dict[str, Any]]:
    from litscape.embed.onnx_cache import find_export
    from litscape.embed.onnx_encoder import OnnxEncoder
    from litscape.embed.text import query_text
    from litscape.errors import NotReadyError

    folder = find_export(card)
    if folder is None:
        raise NotReadyError(f"{card.name} is not prepared for queries yet: compute similarity.")
    encoder = OnnxEncoder(card, folder, threads=start.get("threads"))
    encoder.encode(["warm up"])

    def serve(request: dict[str, Any]) -> Answer:
        if "papers" in request:
            return {}, encoder.encode(request["papers"], "paper").tobytes()
        vectors = encoder.encode([query_text(card, request["text"])], "query")
        return {}, vectors.tobytes()

    return serve, {"backend": encoder.backend}


def _embed(card: ModelCard, start: dict[str, Any], _send: Send) -> tuple[Serve, dict[str, Any]]:
    from litscape.embed.devices import pick_device
    from litscape.embed.torch_encoder import TorchEncoder

    if start.get("spare") and pick_device(start["device"]).type != "cpu":
        # One process is enough for a GPU; a second one would only take its memory.
        return lambda _request: ({}, b""), {"spare": True}
    encoder = TorchEncoder(card, start["device"], start["dtype"], start.get("threads"))

    def serve(request: dict[str, Any]) -> Answer:
        vectors = encoder.encode(request["texts"], "paper")
        notes, encoder.notes = encoder.notes, []
        return {"backend": encoder.backend, "notes": notes}, vectors.tobytes()

    return serve, {"backend": encoder.backend, "budget": encoder.budget}


def _export(card: ModelCard, start: dict[str, Any], send: Send) -> tuple[Serve, dict[str, Any]]:
    from litscape.embed.onnx_export import export

    def tell(event: Event) -> None:
        if isinstance(event.value, Progress):
            now = event.value
            send({"id": start["id"], "progress": [now.done, now.total, now.text]})

    folder = export(card, JobContext(tell))
    return lambda _request: ({}, b""), {"folder": str(folder)}
