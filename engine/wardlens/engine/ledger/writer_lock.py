"""One writer a ledger: a lock on a file that names its holder.

The lock goes with the process, however it ends, so a killed run never blocks the next.
"""

import fcntl
import os
from pathlib import Path

from wardlens.engine.errors import UserError


class WriterLock:
    """Holds the ledger in `folder` until `release`, or until the process ends."""

    def __init__(self, folder: Path) -> None:
        self._descriptor = os.open(folder / "writer.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            holder = os.read(self._descriptor, 64).decode("ascii", "replace").strip()
            os.close(self._descriptor)
            raise UserError(
                f"another run (process {holder or 'unknown'}) is using the ledger {folder}. Wait "
                "for it, or give this run a ledger of its own with --ledger DIR."
            ) from None
        os.ftruncate(self._descriptor, 0)
        os.write(self._descriptor, str(os.getpid()).encode())

    def release(self) -> None:
        """Let the next writer in."""
        os.close(self._descriptor)
