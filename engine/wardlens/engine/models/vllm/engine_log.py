"""Where an engine's own output goes: a file of the installation instead of the terminal."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from wardlens.engine.durable import create_private_folder

_KEPT_LOGS = 10


def new_engine_log(folder: Path) -> Path:
    """Path of a new log in `folder`, named after this process; old logs beyond ten are removed."""
    create_private_folder(folder)
    logs = sorted(folder.glob("engine-*.log"), key=lambda path: path.stat().st_mtime)
    for old in logs[: -_KEPT_LOGS + 1]:
        old.unlink(missing_ok=True)
    return folder / f"engine-{os.getpid()}.log"


@contextmanager
def output_to(log: Path) -> Iterator[None]:
    """Send standard output and error of this process to `log` inside the block.

    Child processes that start inside it keep writing there when it ends. Whoever has to show
    something meanwhile writes to a duplicate of the descriptor taken before.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    saved = [os.dup(descriptor) for descriptor in (1, 2)]
    target = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        os.dup2(target, 1)
        os.dup2(target, 2)
        yield
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        for descriptor, original in zip((1, 2), saved, strict=True):
            os.dup2(original, descriptor)
            os.close(original)
        os.close(target)
