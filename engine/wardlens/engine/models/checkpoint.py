"""A checkpoint directory in Hugging Face layout, checked before any engine sees it."""

import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wardlens.engine.errors import UserError
from wardlens.engine.installation import Installation
from wardlens.engine.models.manifest import hash_files
from wardlens.engine.models.safetensors_check import check_safetensors

INSTRUCT_ARCHITECTURES = ("LlamaForCausalLM", "MistralForCausalLM", "MixtralForCausalLM")

_TOKENIZER_FILES = (
    "tokenizer.json",
    "tokenizer.model",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "chat_template.jinja",
    "vocab.json",
    "merges.txt",
)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A directory that holds a supported model: configuration, tokenizer, safetensors weights."""

    folder: Path
    architecture: str
    quantisation: str
    context_length: int
    weight_files: tuple[str, ...]

    def model_digest(self, installation: Installation) -> str:
        """SHA-256 over configuration, tokenizer and weights; the same wherever the files lie."""
        present = [name for name in _TOKENIZER_FILES if (self.folder / name).is_file()]
        names = ["config.json", *present, *self.weight_files]
        hashes = hash_files(self.folder, names, installation)
        return hashlib.sha256(json.dumps(sorted(hashes.items())).encode()).hexdigest()


def read_checkpoint(folder: Path) -> Checkpoint:
    """Read and check the checkpoint in `folder`.

    Raises:
        UserError: no directory, no or broken `config.json`, unsupported architecture, code that
            would have to be trusted, no tokenizer, or weights that are missing, damaged or
            pickled.
    """
    if not folder.is_dir():
        raise UserError(
            f"the evaluator {str(folder)!r} is neither a known name nor a directory. Allowed: "
            "overlap, overlap:THRESHOLD, replay:FILE, smollm2, or the directory of a Mistral, "
            "Mixtral or LLaMA checkpoint."
        )
    config = _read_config(folder)
    architecture = _architecture(folder, config)
    _refuse_code(folder, config)
    if not any((folder / name).is_file() for name in ("tokenizer.json", "tokenizer.model")):
        raise UserError(
            f"{folder} has no tokenizer. Copy tokenizer.json (or tokenizer.model) and "
            "tokenizer_config.json of the model there."
        )
    return Checkpoint(
        folder=folder,
        architecture=architecture,
        quantisation=_quantisation(folder, config),
        context_length=_context_length(folder, config),
        weight_files=_weight_files(folder),
    )


def _read_config(folder: Path) -> dict[str, Any]:
    path = folder / "config.json"
    if not path.is_file():
        raise UserError(
            f"{folder} is no checkpoint: it has no config.json. Name the directory that holds "
            "config.json, the tokenizer and the .safetensors files."
        )
    try:
        config = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise UserError(f"{path} is not JSON: {error}. Copy the model's files again.") from error
    if not isinstance(config, dict):
        raise UserError(f"{path} is not a JSON object. Copy the model's files again.")
    return config


def _architecture(folder: Path, config: dict[str, Any]) -> str:
    named = config.get("architectures")
    architectures = named if isinstance(named, list) else []
    for architecture in architectures:
        if architecture in INSTRUCT_ARCHITECTURES:
            return str(architecture)
    raise UserError(
        f"{folder / 'config.json'} names the architecture "
        f"{', '.join(map(str, architectures)) or '(none)'}, which is not supported. Supported: "
        f"{', '.join(INSTRUCT_ARCHITECTURES)}."
    )


def _refuse_code(folder: Path, config: dict[str, Any]) -> None:
    if "auto_map" in config or any(folder.glob("*.py")):
        raise UserError(
            f"{folder} brings Python code of its own (auto_map or .py files), which is never run "
            "here. Use a checkpoint whose architecture the libraries know."
        )


def _quantisation(folder: Path, config: dict[str, Any]) -> str:
    quantisation = config.get("quantization_config") or {}
    if not isinstance(quantisation, dict):
        raise UserError(
            f"{folder / 'config.json'}: quantization_config must be an object, not "
            f"{quantisation!r}. Copy the model's files again."
        )
    return str(quantisation.get("quant_method", "none"))


def _context_length(folder: Path, config: dict[str, Any]) -> int:
    length = config.get("max_position_embeddings")
    if not isinstance(length, int) or isinstance(length, bool) or length < 1:
        raise UserError(
            f"{folder / 'config.json'}: max_position_embeddings must be a positive whole number, "
            f"not {length!r}."
        )
    return length


def _weight_files(folder: Path) -> tuple[str, ...]:
    index = folder / "model.safetensors.index.json"
    if index.is_file():
        try:
            files = json.loads(index.read_bytes())["weight_map"].values()
            names = sorted({os.fspath(name) for name in files})
        except (ValueError, RecursionError, KeyError, AttributeError, TypeError) as error:
            raise UserError(f"{index} is damaged. Copy the model's files again.") from error
    else:
        names = sorted(path.name for path in folder.glob("*.safetensors"))
    if not names:
        pickled = [*folder.glob("*.bin"), *folder.glob("*.pt"), *folder.glob("*.pth")]
        what = "only pickled weights, which are never opened" if pickled else "no weights"
        raise UserError(
            f"{folder} has {what}. Wardlens reads .safetensors files; most models offer them."
        )
    for name in names:
        if Path(name).name != name:
            raise UserError(f"{index} names a weight file outside its folder.")
        check_safetensors(folder / name)
    return tuple(names)
