"""Files that are either wholly there or not there at all, and folders only the owner can read."""

import contextlib
import os
import tempfile
from pathlib import Path

TEMPORARY_FILES = ".wardlens-*.tmp"
"""Names of the files that a writer leaves behind when it is killed."""


def create_private_folder(path: Path) -> None:
    """Make `path` and its parents; a folder that we make is readable by its owner only (0700)."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.mkdir(mode=0o700, exist_ok=True)
    elif not path.is_dir():
        raise NotADirectoryError(20, "it is a file, not a folder", str(path))


def write_durably(path: Path, content: bytes, *, replace: bool = True) -> None:
    """Write `content` to `path` (0600): temporary name, fsync, rename, fsync of the folder.

    With `replace=False` a file that is already there stays as it is; of several processes that
    write at once, one wins and the others leave its file alone.
    """
    descriptor, name = tempfile.mkstemp(prefix=".wardlens-", suffix=".tmp", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if replace:
            temporary.replace(path)
        else:
            _link_if_absent(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
    sync_folder(path.parent)


def remove_temporary_files(folder: Path) -> None:
    """Remove what killed writers left in `folder`; nobody else may be writing there."""
    for path in folder.glob(TEMPORARY_FILES):
        path.unlink(missing_ok=True)


def sync_folder(path: Path) -> None:
    """Make renames inside `path` survive a power cut."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _link_if_absent(temporary: Path, path: Path) -> None:
    with contextlib.suppress(FileExistsError):
        path.hardlink_to(temporary)
