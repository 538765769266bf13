"""The folder and the key of this installation.

`WARDLENS_HOME`, or the user's data folder, holds the key that seals the ledger, the default
ledger, the converted embedded model and the cache of weight hashes. The folder is 0700 and the
key 0600. Whoever loses the key loses the ledgers sealed with it, not the results.
"""

import hmac
import os
import secrets
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from wardlens.engine.durable import create_private_folder, write_durably
from wardlens.engine.errors import UserError
from wardlens.engine.sealed import show_with_key

_KEY_BYTES = 32


@dataclass(frozen=True, slots=True)
class Installation:
    """Where this installation keeps its things, and its key (32 random bytes)."""

    home: Path
    key: bytes

    def __repr__(self) -> str:
        return f"Installation(home={str(self.home)!r})"

    @property
    def default_ledger(self) -> Path:
        """Folder of the ledger where `--ledger` isn't given."""
        return self.home / "ledger"

    @property
    def models(self) -> Path:
        """Folder of the models that we convert ourselves."""
        return self.home / "models"

    @property
    def logs(self) -> Path:
        """Folder of the engines' own output."""
        return self.home / "logs"

    @property
    def manifests(self) -> Path:
        """Folder of remembered file hashes."""
        return self.home / "manifests"

    def derive_key(self, purpose: str) -> bytes:
        """A 32-byte key for one purpose, so that no key is used in two ways."""
        return hmac.digest(self.key, b"wardlens key for " + purpose.encode(), "sha256")

    def keyed_digest(self, purpose: str, content_digest: bytes) -> str:
        """Hexadecimal HMAC-SHA-256 of a digest, fit to be written into result files."""
        return hmac.digest(self.derive_key(purpose), content_digest, "sha256").hex()


def open_installation(home: Path | None = None) -> Installation:
    """Open the installation at `home`, making it on first use.

    `home` defaults to `$WARDLENS_HOME`, then to the user's data folder.

    Raises:
        UserError: the folder can't be made or read, or its key file is damaged.
    """
    home = home or _default_home()
    try:
        create_private_folder(home)
        key = _read_or_make_key(home / "installation.key")
    except OSError as error:
        raise UserError(
            f"cannot use {home} as Wardlens's own folder: {error.strerror}. "
            "Set WARDLENS_HOME to a folder on a local disk that you can write to."
        ) from error
    show_with_key(key)
    return Installation(home=home, key=key)


def _default_home() -> Path:
    try:
        return Path(os.environ.get("WARDLENS_HOME") or platformdirs.user_data_dir("wardlens"))
    except RuntimeError as error:
        raise UserError(
            "this user has no home folder. Set WARDLENS_HOME to a folder on a local disk."
        ) from error


def _read_or_make_key(path: Path) -> bytes:
    if not path.exists():
        write_durably(path, secrets.token_bytes(_KEY_BYTES), replace=False)
    key = path.read_bytes()
    if len(key) != _KEY_BYTES:
        raise UserError(
            f"{path} should hold {_KEY_BYTES} bytes and holds {len(key)}. Restore it from a "
            "backup, or move it away to start with a new key (ledgers sealed with the old one then "
            "can't be read)."
        )
    return key
