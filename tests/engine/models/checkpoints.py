"""Small checkpoint folders to read and to damage. Nothing in them is a real model."""

import json
from pathlib import Path

CONFIG = {"architectures": ["MistralForCausalLM"], "max_position_embeddings": 4096}


def safetensors(*, content: bytes = b"weights!") -> bytes:
    """A safetensors file with one tensor of bytes."""
    tensor = {"dtype": "U8", "shape": [len(content)], "data_offsets": [0, len(content)]}
    return safetensors_of({"w": tensor, "__metadata__": {"format": "pt"}}, content)


def safetensors_of(header: object, content: bytes) -> bytes:
    """A file with any header."""
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + content


def make_checkpoint(folder: Path, **config: object) -> Path:
    """A sound checkpoint in `folder`, its configuration changed by `config` (None removes)."""
    folder.mkdir(parents=True)
    changed = {name: value for name, value in (CONFIG | config).items() if value is not None}
    (folder / "config.json").write_text(json.dumps(changed))
    (folder / "tokenizer.json").write_text("{}")
    (folder / "tokenizer_config.json").write_text("{}")
    (folder / "model.safetensors").write_bytes(safetensors())
    return folder


def make_sharded(folder: Path, *shards: str) -> Path:
    """A sound checkpoint whose weights are in several files."""
    make_checkpoint(folder)
    (folder / "model.safetensors").unlink()
    for number, shard in enumerate(shards):
        (folder / shard).write_bytes(safetensors(content=b"shard %d" % number))
    write_index(folder, {f"w{number}": shard for number, shard in enumerate(shards)})
    return folder


def write_index(folder: Path, weight_map: object) -> None:
    index = json.dumps({"metadata": {}, "weight_map": weight_map})
    (folder / "model.safetensors.index.json").write_text(index)
