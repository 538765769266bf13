"""Is a safetensors file whole?"""

import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from safetensors.numpy import save_file

from tests.engine.models.checkpoints import safetensors, safetensors_of
from wardlens.engine.errors import UserError
from wardlens.engine.models.safetensors_check import check_safetensors


def test_files_of_the_real_library_are_whole(tmp_path: Path) -> None:
    tensors: dict[str, npt.NDArray[Any]] = {
        "a": np.zeros((3, 5), np.float32),
        "b": np.ones(7, np.int8),
    }
    save_file(tensors, tmp_path / "w", metadata={"format": "pt"})
    check_safetensors(tmp_path / "w")


def test_a_file_without_tensors_is_whole(tmp_path: Path) -> None:
    (tmp_path / "w").write_bytes(safetensors_of({}, b""))
    check_safetensors(tmp_path / "w")


def test_every_cut_is_noticed(tmp_path: Path) -> None:
    whole = safetensors()
    for length in range(len(whole)):
        (tmp_path / "w").write_bytes(whole[:length])
        with pytest.raises(UserError, match=r"weight file .*w is damaged.*Copy the model again"):
            check_safetensors(tmp_path / "w")


def test_how_much_is_missing_is_told(tmp_path: Path) -> None:
    whole = safetensors()
    (tmp_path / "w").write_bytes(whole[:-3])
    with pytest.raises(UserError, match=f"{len(whole) - 3} bytes instead of {len(whole)}"):
        check_safetensors(tmp_path / "w")


def test_bytes_beyond_the_end_are_noticed(tmp_path: Path) -> None:
    (tmp_path / "w").write_bytes(safetensors() + b"\0")
    with pytest.raises(UserError, match="is damaged"):
        check_safetensors(tmp_path / "w")


NO_WEIGHTS = {
    "empty": b"",
    "pickle": b"\x80\x02}q\x00X\x05\x00\x00\x00",
    "zip": b"PK\x03\x04" + bytes(100),
    "git lfs pointer": b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n",
    "header of a wrong kind": safetensors_of(["w"], b""),
    "no offsets": safetensors_of({"w": {"dtype": "U8"}}, b""),
    "one offset": safetensors_of({"w": {"data_offsets": [0]}}, b""),
    "offsets of a wrong kind": safetensors_of({"w": {"data_offsets": ["0", "8"]}}, b""),
    "tensor of a wrong kind": safetensors_of({"w": 3}, b""),
    "header that is no text": (4).to_bytes(8, "little") + b"\xff\xfe\xfd\xfc",
    "nested too deep": (200_000).to_bytes(8, "little") + b"[" * 200_000,
}


@pytest.mark.parametrize("content", NO_WEIGHTS.values(), ids=NO_WEIGHTS.keys())
def test_what_is_no_safetensors_file_is_damaged(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "w").write_bytes(content)
    with pytest.raises(UserError, match=r"is damaged\. Copy the model again"):
        check_safetensors(tmp_path / "w")


def test_a_missing_file_is_missing(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"w is missing. Copy the model again"):
        check_safetensors(tmp_path / "w")


def test_a_folder_is_no_weight_file(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is damaged"):
        check_safetensors(tmp_path)


def test_weights_are_not_read(tmp_path: Path) -> None:
    size = 2**40
    header = json.dumps({"w": {"data_offsets": [0, size]}}).encode()
    with (tmp_path / "w").open("wb") as file:
        file.write(len(header).to_bytes(8, "little") + header)
        file.truncate(8 + len(header) + size)
    check_safetensors(tmp_path / "w")
