"""Any model folder: every pooling, prefixes, dense layers, lengths, and what can't be loaded."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from litscape.embed.devices import pick_device
from litscape.embed.onnx_cache import find_export, folder_of
from litscape.embed.onnx_encoder import OnnxEncoder
from litscape.embed.onnx_export import export
from litscape.embed.tokens import batches
from litscape.embed.torch_encoder import TorchEncoder
from litscape.engine.roles import prepare
from litscape.errors import EnvironmentFault, UserError
from litscape.jobs import JobCancelledError, JobContext, null_context
from litscape.models.folder import read_folder

if TYPE_CHECKING:
    from pathlib import Path

    from litscape.jobs.context import Event

TEXTS = [
    "Graph neural networks for language",
    "birds",
    "A paper of " + "many words about soil, robots and quantum vision " * 12,
    "Ünïcödé ∑ and the rest",
    "",
]
MODES = ["cls", "max", "mean", "mean_sqrt_len_tokens", "weightedmean", "lasttoken"]


def change(path: Path, **values: Any) -> None:
    data = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({**data, **values}), encoding="utf-8")


def add_dense(folder: Path, activation: str) -> None:
    listing = json.loads((folder / "modules.json").read_text(encoding="utf-8"))
    kind = "sentence_transformers.models.Dense"
    listing.insert(2, {"idx": 2, "name": "2", "path": "2_Dense", "type": kind})
    listing[3].update(idx=3, name="3")
    (folder / "modules.json").write_text(json.dumps(listing), encoding="utf-8")
    change(
        folder / "2_Dense" / "config.json",
        in_features=24,
        out_features=6,
        bias=True,
        activation_function=activation,
    )
    rng = np.random.default_rng(3)
    weights = {
        "linear.weight": rng.normal(size=(6, 24)).astype(np.float32),
        "linear.bias": rng.normal(size=6).astype(np.float32),
    }
    save_file(weights, folder / "2_Dense" / "model.safetensors")


def check_against_reference(folder: Path) -> None:
    """Papers and queries, by torch and by the export, as sentence-transformers makes them."""
    library = pytest.importorskip("sentence_transformers")
    reference = library.SentenceTransformer(str(folder), device="cpu")
    card = read_folder(folder)
    encoder = TorchEncoder(card, device="cpu", dtype="float32")
    papers = reference.encode_document(TEXTS, normalize_embeddings=True)
    queries = reference.encode_query(TEXTS, normalize_embeddings=True)
    assert np.allclose(encoder.encode(TEXTS, "paper"), papers, atol=2e-5)
    assert np.allclose(encoder.encode(TEXTS, "query"), queries, atol=2e-5)
    onnx = OnnxEncoder(card, export(card))
    assert np.allclose(onnx.encode(TEXTS, "paper"), papers, atol=2e-5)
    assert np.allclose(onnx.encode(TEXTS, "query"), queries, atol=2e-5)


@pytest.mark.parametrize("mode", MODES)
def test_pooling(tiny: Path, mode: str) -> None:
    (tiny / "1_Pooling" / "config.json").write_text(
        json.dumps({"word_embedding_dimension": 24, "pooling_mode": mode}), encoding="utf-8"
    )
    check_against_reference(tiny)


def test_several_poolings_and_prompts(tiny: Path) -> None:
    change(tiny / "1_Pooling" / "config.json", pooling_mode=["cls", "mean", "max"])
    change(
        tiny / "config_sentence_transformers.json",
        prompts={"query": "search query: ", "document": "paper: "},
        __version__={"sentence_transformers": "5.0.0"},
    )
    check_against_reference(tiny)


def test_prompts_that_are_not_pooled(tiny: Path) -> None:
    change(tiny / "1_Pooling" / "config.json", include_prompt=False)
    change(
        tiny / "config_sentence_transformers.json",
        prompts={"query": "search query: ", "document": "paper: "},
        __version__={"sentence_transformers": "5.0.0"},
    )
    check_against_reference(tiny)


def test_a_query_is_encoded_with_the_models_own_words_before_it(tiny: Path) -> None:
    change(
        tiny / "config_sentence_transformers.json",
        prompts={"query": "search query: ", "document": "paper: "},
        __version__={"sentence_transformers": "5.0.0"},
    )
    card = read_folder(tiny)
    export(card)
    serve, _told = prepare({"role": "query", "card": card.to_json()}, lambda _message: None)
    plain = OnnxEncoder(replace(card, query_prefix="", paper_prefix=""), export(card))
    for asked, written in (
        ({"text": "soil  and birds"}, "search query: soil and birds"),
        ({"papers": ["soil and birds"]}, "paper: soil and birds"),
    ):
        vector = np.frombuffer(serve(asked)[1], dtype=np.float32)
        assert np.allclose(vector, plain.encode([written])[0], atol=1e-5), asked


@pytest.mark.parametrize(
    "activation", ["torch.nn.modules.activation.Tanh", "torch.nn.modules.linear.Identity"]
)
def test_dense_layer(tiny: Path, activation: str) -> None:
    add_dense(tiny, activation)
    check_against_reference(tiny)


def test_dense_layers_that_get_unit_vectors(tiny: Path) -> None:
    """Pooling, scaling, a layer, scaling, another layer: the order of a head on a unit model."""
    add_dense(tiny, "torch.nn.modules.activation.Tanh")
    listing = json.loads((tiny / "modules.json").read_text(encoding="utf-8"))
    (kind,) = {one["type"].removesuffix("Dense") for one in listing if "Dense" in one["type"]}
    listing[2:] = [
        {"idx": place, "name": str(place), "path": path, "type": kind + path.split("_")[1]}
        for place, path in enumerate(["2_Normalize", "2_Dense", "4_Normalize", "5_Dense"], start=2)
    ]
    (tiny / "modules.json").write_text(json.dumps(listing), encoding="utf-8")
    change(
        tiny / "5_Dense" / "config.json",
        in_features=6,
        out_features=3,
        bias=False,
        activation_function="torch.nn.modules.activation.ReLU",
    )
    weight = np.random.default_rng(4).normal(size=(3, 6)).astype(np.float32)
    save_file({"linear.weight": weight}, tiny / "5_Dense" / "model.safetensors")
    card = read_folder(tiny)
    assert (card.unit_before, card.normalise, card.dim) == ((0, 1), False, 3)
    assert replace(card, unit_before=()).identity != card.identity
    check_against_reference(tiny)


def test_length_limit(tiny: Path) -> None:
    encoder = TorchEncoder(read_folder(tiny), device="cpu", dtype="float32")
    long = "robot " * 46  # and the two special tokens: 48, the model's limit
    same, other = encoder.encode([long + "birds", long]), encoder.encode([long[:-6] + "birds"])
    assert np.allclose(same[0], same[1], atol=1e-6)
    assert not np.allclose(same[0], other[0], atol=1e-3)


def test_plain_transformers_folder_without_sentence_files(tiny: Path) -> None:
    for name in ("modules.json", "sentence_bert_config.json", "1_Pooling/config.json"):
        (tiny / name).unlink()
    card = read_folder(tiny)
    vectors = TorchEncoder(card, device="cpu", dtype="float32").encode(["a[SEP]b", "a b"])
    assert vectors.shape == (2, 24)
    assert not np.allclose(vectors[0], vectors[1], atol=1e-3)  # the separator is a token


def test_a_format_that_loses_too_much_is_given_up(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from litscape.embed import torch_encoder

    monkeypatch.setattr(torch_encoder, "AGREEMENT", 1.1)  # no format can reach this
    encoder = TorchEncoder(read_folder(tiny), device="cpu", dtype="bfloat16")
    assert encoder.backend == "float/torch-float32-cpu"
    assert "runs in float32" in encoder.notes[0]


def test_memory_that_runs_out_halves_the_batches(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch

    encoder = TorchEncoder(read_folder(tiny), device="cpu", dtype="float32")
    wanted = encoder.encode(TEXTS * 4)
    forward = TorchEncoder._forward

    def small(self: TorchEncoder, rows: list[list[int]], kind: Any) -> Any:
        if len(rows) > 5:
            raise torch.OutOfMemoryError("out of memory")
        return forward(self, rows, kind)

    monkeypatch.setattr(TorchEncoder, "_forward", small)
    assert np.allclose(encoder.encode(TEXTS * 4), wanted, atol=1e-5)
    assert "batches were halved" in encoder.notes[0]

    def never(self: TorchEncoder, rows: list[list[int]], kind: Any) -> Any:
        raise torch.OutOfMemoryError("out of memory")

    monkeypatch.setattr(TorchEncoder, "_forward", never)
    with pytest.raises(EnvironmentFault, match="not hold even one text"):
        encoder.encode(TEXTS)


def test_cancelling_between_batches(tiny: Path) -> None:
    encoder = TorchEncoder(read_folder(tiny), device="cpu", dtype="float32")
    encoder.budget = 1
    seen = []

    def stop(event: Event) -> None:
        seen.append(event)
        ctx.cancel()

    ctx = JobContext(stop)
    with pytest.raises(JobCancelledError):
        encoder.encode(TEXTS, ctx=ctx)
    assert len(seen) == 1


def test_unknown_device() -> None:
    with pytest.raises(UserError, match="is not a device"):
        pick_device("tpu")


def test_batches_are_like_in_length_and_within_the_budget() -> None:
    lengths = [3, 50, 7, 8, 100, 9, 2]
    found = [part.tolist() for part in batches(lengths, 60)]
    assert found[0] == [4]  # alone, longer than the budget
    assert sorted(number for part in found for number in part) == list(range(7))
    for part in found[1:]:
        assert max(lengths[number] for number in part) * len(part) <= 60


def test_weights_of_another_shape(tiny: Path) -> None:
    change(tiny / "config.json", intermediate_size=96)
    with pytest.raises(UserError, match="can't be loaded"):
        TorchEncoder(read_folder(tiny), device="cpu")


def test_weights_that_lack_a_part(tiny: Path) -> None:
    weights = load_file(tiny / "model.safetensors")
    gone = next(key for key in weights if "encoder.layer.1" in key)
    save_file({k: v for k, v in weights.items() if k != gone}, tiny / "model.safetensors")
    with pytest.raises(UserError, match="lack 1 parts"):
        TorchEncoder(read_folder(tiny), device="cpu")


def test_half_written_weights(tiny: Path) -> None:
    file = tiny / "model.safetensors"
    os.truncate(file, file.stat().st_size // 2)
    with pytest.raises(EnvironmentFault, match="are damaged"):
        TorchEncoder(read_folder(tiny), device="cpu")


def test_unknown_architecture_runs_no_code_of_the_model(tiny: Path) -> None:
    (tiny / "code.py").write_text("raise SystemExit('ran')", encoding="utf-8")
    change(tiny / "config.json", model_type="strange", auto_map={"AutoModel": "code.Model"})
    with pytest.raises(UserError, match=r"code of its own along \(code\.py\)"):
        TorchEncoder(read_folder(tiny), device="cpu")


def test_broken_tokenizer(tiny: Path) -> None:
    (tiny / "tokenizer.json").write_text("{}", encoding="utf-8")
    with pytest.raises(UserError, match=r"tokenizer in .* can't be read"):
        TorchEncoder(read_folder(tiny), device="cpu")


def test_export_is_made_once_and_again_when_it_is_damaged(tiny: Path) -> None:
    card = read_folder(tiny)
    assert find_export(card) is None
    folder = export(card, null_context())
    assert folder == folder_of(card) == find_export(card)
    made = (folder / "model.onnx").stat().st_mtime_ns
    assert (export(card) / "model.onnx").stat().st_mtime_ns == made
    os.truncate(folder / "model.onnx.data", 10)
    assert find_export(card) is None
    assert (export(card) / "model.onnx").stat().st_mtime_ns != made
    assert [path.name for path in folder.parent.iterdir()] == [card.version]


def test_damaged_export_is_a_fault_of_the_surroundings(tiny: Path) -> None:
    card = read_folder(tiny)
    folder = export(card)
    (folder / "model.onnx").write_bytes(b"not a graph")
    with pytest.raises(EnvironmentFault, match="is damaged"):
        OnnxEncoder(card, folder)


def test_export_that_does_not_agree_is_not_kept(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from litscape.embed import onnx_export

    monkeypatch.setattr(onnx_export, "AGREEMENT", 1.1)
    card = read_folder(tiny)
    with pytest.raises(UserError, match="does not agree with the model"):
        export(card)
    assert not folder_of(card).exists()


def test_queries_never_import_torch(tiny: Path) -> None:
    card = read_folder(tiny)
    export(card)
    code = (
        "import sys\n"
        "from litscape.embed.onnx_cache import find_export\n"
        "from litscape.embed.onnx_encoder import OnnxEncoder\n"
        "from litscape.models.card import ModelCard\n"
        "card = ModelCard.from_json(sys.stdin.read())\n"
        "OnnxEncoder(card, find_export(card)).encode(['words'])\n"
        "heavy = {'torch', 'transformers', 'sqlalchemy', 'onnx', 'PySide6'} & set(sys.modules)\n"
        "sys.exit(f'imported {heavy}' if heavy else 0)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=card.to_json(),
        text=True,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
