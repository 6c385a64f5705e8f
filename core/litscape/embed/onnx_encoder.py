"""The ONNX Runtime encoder: the same vectors after a start of a fraction of a second, no torch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from litscape.embed.onnx_cache import MODEL, TOKENIZER
from litscape.embed.tokens import Tokens, batches, padded
from litscape.errors import EnvironmentFault

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from litscape.embed.tokens import Kind
    from litscape.jobs import JobContext
    from litscape.models.card import ModelCard

_BUDGET = 4096


class OnnxEncoder:
    """One exported model, loaded and ready.

    Args:
        card: the model.
        folder: its export, as :func:`litscape.embed.onnx_cache.find_export` finds it.
        threads: of the runtime; None leaves its own choice.

    Raises:
        EnvironmentFault: the exported file is damaged.
    """

    backend = "float/onnx-float32-cpu"

    def __init__(self, card: ModelCard, folder: Path, threads: int | None = None) -> None:
        import onnxruntime

        self.card = card
        self._tokens = Tokens.load(card, folder / TOKENIZER)
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        options.intra_op_num_threads = threads or 0
        # Waiting threads sleep: a query now and then must not keep a core busy.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        try:
            self._session = onnxruntime.InferenceSession(
                str(folder / MODEL), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:
            raise EnvironmentFault(f"The exported model in {folder} is damaged.") from error
        # The exporter drops an input that the model's pooling has no use for.
        self._inputs = [spec.name for spec in self._session.get_inputs()]

    def encode(
        self, texts: Sequence[str], kind: Kind = "query", ctx: JobContext | None = None
    ) -> NDArray[np.float32]:
        """Unit vectors of texts, float32 (n, d), in the order given.

        Raises:
            JobCancelledError: ``ctx`` was cancelled; it is asked before each batch.
        """
        rows = self._tokens.ids(texts, kind)
        out = np.empty((len(texts), self.card.dim), dtype=np.float32)
        for chosen in batches([len(row) for row in rows], _BUDGET):
            if ctx is not None:
                ctx.check()
            ids, mask = padded([rows[place] for place in chosen])
            feed = {"ids": ids, "mask": mask, "kept": self._tokens.kept(mask, kind)}
            out[chosen] = self._session.run(None, {name: feed[name] for name in self._inputs})[0]
        return out
