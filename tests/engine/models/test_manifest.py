"""Hashes of a checkpoint's files, remembered while the files stay as they are."""

import hashlib
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from wardlens.engine.installation import Installation
from wardlens.engine.models import manifest
from wardlens.engine.models.manifest import hash_files

NAMES = ["config.json", "model.safetensors"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "model"
    folder.mkdir()
    for name in NAMES:
        (folder / name).write_bytes(name.encode() * 10)
    return folder


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the files that were really read, in order."""
    names: list[str] = []
    original = manifest._hash_file

    def watched(path: Path) -> str:
        names.append(path.name)
        return original(path)

    monkeypatch.setattr(manifest, "_hash_file", watched)
    return names


def expected(folder: Path) -> dict[str, str]:
    return {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in NAMES}


def test_hashes_are_those_of_the_contents(folder: Path, installation: Installation) -> None:
    assert hash_files(folder, NAMES, installation) == expected(folder)


def test_unchanged_files_are_read_once(
    folder: Path, installation: Installation, hashed: list[str]
) -> None:
    for _ in range(3):
        assert hash_files(folder, NAMES, installation) == expected(folder)
    assert hashed == NAMES


def change_size(path: Path) -> None:
    path.write_bytes(b"longer" * 100)


def change_content_and_put_the_time_back(path: Path) -> None:
    before = path.stat()
    path.write_bytes(path.read_bytes().swapcase())
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_size == before.st_size
    assert path.stat().st_mtime_ns == before.st_mtime_ns


def replace_by_another_file(path: Path) -> None:
    other = path.with_suffix(".new")
    other.write_bytes(path.read_bytes().swapcase())
    other.replace(path)


CHANGES: list[Callable[[Path], None]] = [
    change_size,
    change_content_and_put_the_time_back,
    replace_by_another_file,
]


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_file_is_read_again_and_only_that_one(
    folder: Path, installation: Installation, hashed: list[str], change: Callable[[Path], None]
) -> None:
    before = hash_files(folder, NAMES, installation)
    change(folder / "model.safetensors")
    after = hash_files(folder, NAMES, installation)

    assert after == expected(folder)
    assert after["model.safetensors"] != before["model.safetensors"]
    assert hashed == [*NAMES, "model.safetensors"]


def test_folders_are_remembered_apart(
    folder: Path, installation: Installation, hashed: list[str]
) -> None:
    other = folder.with_name("other")
    other.mkdir()
    for name in NAMES:
        (other / name).write_bytes(b"other")
    for _ in range(2):
        assert hash_files(folder, NAMES, installation) == expected(folder)
        assert hash_files(other, NAMES, installation) == expected(other)
    assert len(hashed) == 4


def test_a_folder_reached_by_a_link_is_the_same_folder(
    folder: Path, installation: Installation, hashed: list[str]
) -> None:
    link = folder.with_name("link")
    link.symlink_to(folder)
    assert hash_files(folder, NAMES, installation) == hash_files(link, NAMES, installation)
    assert hashed == NAMES


@pytest.mark.parametrize(
    "damage",
    [b"", b"{", b"[]", b"\xff", b'{"config.json": 3}', b'{"config.json": {"stamp": []}}'],
)
def test_a_damaged_memory_is_begun_anew(
    folder: Path, installation: Installation, hashed: list[str], damage: bytes
) -> None:
    hash_files(folder, NAMES, installation)
    (memory,) = installation.manifests.iterdir()
    memory.write_bytes(damage)
    assert hash_files(folder, NAMES, installation) == expected(folder)
    assert hash_files(folder, NAMES, installation) == expected(folder)
    assert hashed == NAMES * 2


def test_a_remembered_hash_of_a_wrong_kind_is_not_believed(
    folder: Path, installation: Installation
) -> None:
    hash_files(folder, NAMES, installation)
    (memory,) = installation.manifests.iterdir()
    real = expected(folder)["config.json"].encode()
    memory.write_bytes(memory.read_bytes().replace(b'"' + real + b'"', b"7"))
    assert hash_files(folder, NAMES, installation) == expected(folder)


def test_the_memory_is_for_the_owner_only(folder: Path, installation: Installation) -> None:
    hash_files(folder, NAMES, installation)
    (memory,) = installation.manifests.iterdir()
    assert stat.S_IMODE(memory.stat().st_mode) == 0o600
    assert stat.S_IMODE(memory.parent.stat().st_mode) == 0o700
