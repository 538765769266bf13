"""A checkpoint directory, checked before any engine sees it."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.engine.models.checkpoints import (
    make_checkpoint,
    make_sharded,
    safetensors,
    safetensors_of,
    write_index,
)
from wardlens.engine.errors import UserError
from wardlens.engine.installation import Installation
from wardlens.engine.models.checkpoint import INSTRUCT_ARCHITECTURES, Checkpoint, read_checkpoint


@pytest.mark.parametrize("architecture", INSTRUCT_ARCHITECTURES)
def test_a_sound_checkpoint_is_read(tmp_path: Path, architecture: str) -> None:
    folder = make_checkpoint(tmp_path / "m", architectures=[architecture])
    assert read_checkpoint(folder) == Checkpoint(
        folder=folder,
        architecture=architecture,
        quantisation="none",
        context_length=4096,
        weight_files=("model.safetensors",),
    )


def test_the_shards_that_the_index_names_are_its_weights(tmp_path: Path) -> None:
    folder = make_sharded(tmp_path / "m", "b.safetensors", "a.safetensors")
    (folder / "consolidated.safetensors").write_bytes(b"the original, which the index leaves out")
    assert read_checkpoint(folder).weight_files == ("a.safetensors", "b.safetensors")


def test_a_sentencepiece_model_does_for_a_tokenizer(tmp_path: Path) -> None:
    folder = make_checkpoint(tmp_path / "m")
    (folder / "tokenizer.json").rename(folder / "tokenizer.model")
    assert read_checkpoint(folder).folder == folder


def test_pickled_weights_beside_safetensors_are_left_alone(tmp_path: Path) -> None:
    folder = make_checkpoint(tmp_path / "m")
    (folder / "pytorch_model.bin").write_bytes(b"\x80\x02.")
    assert read_checkpoint(folder).weight_files == ("model.safetensors",)


@pytest.mark.parametrize(
    ("quantisation", "name"),
    [({"quant_method": "awq", "bits": 4}, "awq"), ({"quant_method": "fp8"}, "fp8"), ({}, "none")],
)
def test_the_quantisation_is_named(tmp_path: Path, quantisation: object, name: str) -> None:
    folder = make_checkpoint(tmp_path / "m", quantization_config=quantisation)
    assert read_checkpoint(folder).quantisation == name


class Bad(NamedTuple):
    """What makes a sound checkpoint bad, and what the message must say."""

    spoil: Callable[[Path], object]
    says: str


def config(**changes: object) -> Callable[[Path], object]:
    def spoil(folder: Path) -> None:
        shutil.rmtree(folder)
        make_checkpoint(folder, **changes)

    return spoil


def without(*names: str) -> Callable[[Path], object]:
    def spoil(folder: Path) -> None:
        for name in names:
            (folder / name).unlink()

    return spoil


def holding(name: str, content: bytes) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_bytes(content)


def index_of(weight_map: object) -> Callable[[Path], object]:
    return lambda folder: write_index(folder, weight_map)


def pickled_only(folder: Path) -> None:
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")


SUPPORTED = "Supported: LlamaForCausalLM, MistralForCausalLM, MixtralForCausalLM"
CODE = r"code of its own .*never run here. Use a checkpoint whose architecture the libraries know"
POSITIONS = "max_position_embeddings must be a positive whole number, not"

BAD = {
    "no folder": Bad(shutil.rmtree, "neither a known name nor a directory. Allowed: overlap, .*"),
    "no config": Bad(without("config.json"), "no config.json. Name the directory that holds"),
    "config no JSON": Bad(holding("config.json", b"{"), "is not JSON: .* Copy the model's files"),
    "config no text": Bad(
        holding("config.json", b"\xff"), "is not JSON: .* Copy the model's files"
    ),
    "config too deep": Bad(holding("config.json", b"[" * 200_000), "is not JSON: .* Copy the"),
    "config a list": Bad(holding("config.json", b"[]"), "is not a JSON object. Copy the model's"),
    "T5": Bad(
        config(architectures=["T5ForConditionalGeneration"]),
        f"T5ForConditionalGeneration, which is not supported. {SUPPORTED}",
    ),
    "GPT-2": Bad(config(architectures=["GPT2LMHeadModel"]), f"GPT2LMHeadModel, .*{SUPPORTED}"),
    "architectures a string": Bad(config(architectures="MistralForCausalLM"), SUPPORTED),
    "architectures empty": Bad(config(architectures=[]), rf"\(none\), .*{SUPPORTED}"),
    "no architectures": Bad(config(architectures=None), rf"\(none\), .*{SUPPORTED}"),
    "auto_map": Bad(config(auto_map={"AutoModel": "modeling.Own"}), CODE),
    "Python file": Bad(holding("modeling_own.py", b""), CODE),
    "no tokenizer": Bad(without("tokenizer.json"), "no tokenizer. Copy tokenizer.json"),
    "no positions": Bad(config(max_position_embeddings=None), f"{POSITIONS} None"),
    "positions zero": Bad(config(max_position_embeddings=0), f"{POSITIONS} 0"),
    "positions text": Bad(config(max_position_embeddings="4096"), f"{POSITIONS} '4096'"),
    "positions a fraction": Bad(config(max_position_embeddings=4096.5), f"{POSITIONS} 4096.5"),
    "positions a truth value": Bad(config(max_position_embeddings=True), f"{POSITIONS} True"),
    "quantisation a string": Bad(config(quantization_config="awq"), "quantization_config"),
    "no weights": Bad(without("model.safetensors"), "has no weights. Wardlens reads .safetensors"),
    "pickle only": Bad(pickled_only, "only pickled weights, which are never opened. Wardlens read"),
    "weights cut": Bad(
        holding("model.safetensors", safetensors()[:-1]), "is damaged.*Copy the model again"
    ),
    "weights empty": Bad(holding("model.safetensors", b""), "is damaged.*Copy the model again"),
    "weights a pickle": Bad(holding("model.safetensors", b"\x80\x02."), "is damaged. Copy the"),
    "weights too deep": Bad(
        holding("model.safetensors", (90_000).to_bytes(8, "little") + b"[" * 90_000),
        "is damaged. Copy the",
    ),
    "offsets wrong": Bad(
        holding("model.safetensors", safetensors_of({"w": {"data_offsets": None}}, b"")),
        "is damaged. Copy the model again",
    ),
    "shard missing": Bad(
        index_of({"a": "model.safetensors", "b": "model-2.safetensors"}),
        "model-2.safetensors is missing. Copy the model again",
    ),
    "index no JSON": Bad(holding("model.safetensors.index.json", b"{"), "is damaged. Copy the"),
    "index a list": Bad(holding("model.safetensors.index.json", b"[]"), "is damaged. Copy the"),
    "index without map": Bad(holding("model.safetensors.index.json", b"{}"), "is damaged. Copy"),
    "index map a list": Bad(index_of(["model.safetensors"]), "is damaged. Copy the model's"),
    "index of numbers": Bad(index_of({"a": 3}), "is damaged. Copy the model's"),
    "index of mixed kinds": Bad(index_of({"a": 3, "b": "model.safetensors"}), "is damaged. Copy"),
    "index empty": Bad(index_of({}), "has no weights. Wardlens reads .safetensors"),
    "index outside": Bad(index_of({"a": "../other/x.safetensors"}), "file outside its folder"),
    "index absolute": Bad(index_of({"a": "/etc/passwd"}), "file outside its folder"),
    "index in a folder": Bad(index_of({"a": "deep/x.safetensors"}), "file outside its folder"),
    "index to the folder": Bad(index_of({"a": ".."}), "is damaged|outside its folder"),
    "index with a null": Bad(index_of({"a": "x\0.safetensors"}), "is damaged"),
}


@pytest.mark.parametrize(("spoil", "says"), BAD.values(), ids=BAD.keys())
def test_a_bad_directory_is_refused_with_what_to_do(
    tmp_path: Path, spoil: Callable[[Path], object], says: str
) -> None:
    folder = make_checkpoint(tmp_path / "model")
    spoil(folder)
    with pytest.raises(UserError, match=says) as caught:
        read_checkpoint(folder)
    assert str(tmp_path) in str(caught.value)


def test_a_file_is_no_checkpoint(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(safetensors())
    with pytest.raises(UserError, match="neither a known name nor a directory"):
        read_checkpoint(tmp_path / "model.safetensors")


def test_code_of_its_own_is_refused_before_anything_else_of_it_is_read(tmp_path: Path) -> None:
    folder = make_checkpoint(tmp_path / "m", auto_map={}, max_position_embeddings=None)
    with pytest.raises(UserError, match="code of its own"):
        read_checkpoint(folder)


def digest(folder: Path, installation: Installation) -> str:
    return read_checkpoint(folder).model_digest(installation)


def test_copies_elsewhere_are_the_same_model(tmp_path: Path, installation: Installation) -> None:
    folder = make_sharded(tmp_path / "m", "a.safetensors", "b.safetensors")
    shutil.copytree(folder, tmp_path / "elsewhere" / "n")
    assert digest(folder, installation) == digest(tmp_path / "elsewhere" / "n", installation)


TOUCHED = {
    "config.json": b'{"architectures":["MistralForCausalLM"],"max_position_embeddings":4095}',
    "tokenizer.json": b"[]",
    "tokenizer_config.json": b"[]",
    "chat_template.jinja": b"{{ messages }}",
    "model.safetensors": safetensors(content=b"Weights!"),
}


@pytest.mark.parametrize(("name", "content"), TOUCHED.items(), ids=TOUCHED.keys())
def test_a_change_in_any_file_that_counts_makes_another_model(
    tmp_path: Path, installation: Installation, name: str, content: bytes
) -> None:
    folder = make_checkpoint(tmp_path / "m")
    before = digest(folder, installation)
    (folder / name).write_bytes(content)
    assert digest(folder, installation) != before


def test_swapped_shards_make_another_model(tmp_path: Path, installation: Installation) -> None:
    folder = make_sharded(tmp_path / "m", "a.safetensors", "b.safetensors")
    before = digest(folder, installation)
    (folder / "a.safetensors").rename(folder / "c")
    (folder / "b.safetensors").rename(folder / "a.safetensors")
    (folder / "c").rename(folder / "b.safetensors")
    assert digest(folder, installation) != before


def test_files_that_dont_count_make_no_other_model(
    tmp_path: Path, installation: Installation
) -> None:
    folder = make_checkpoint(tmp_path / "m")
    before = digest(folder, installation)
    (folder / "README.md").write_text("About this model")
    (folder / "pytorch_model.bin").write_bytes(b"\x80\x02.")
    assert digest(folder, installation) == before
