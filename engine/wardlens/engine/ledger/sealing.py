"""Encryption of ledger rows: AES-256-GCM under a key of the installation."""

import secrets

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from wardlens.engine.installation import Installation
from wardlens.engine.ledger.keys import LedgerKey

_NONCE_BYTES = 12


class Sealer:
    """Seals a reply so that it opens only under its own key: rows can't be read or swapped."""

    def __init__(self, installation: Installation) -> None:
        self._cipher = AESGCM(installation.derive_key("ledger rows"))

    def seal(self, key: LedgerKey, reply: bytes) -> bytes:
        """Nonce, ciphertext and tag."""
        nonce = secrets.token_bytes(_NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, reply, key.document + key.request)

    def open(self, key: LedgerKey, sealed: bytes) -> bytes | None:
        """The reply, or None if the row was damaged, moved, or sealed under another key."""
        try:
            nonce, ciphertext = sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:]
            return self._cipher.decrypt(nonce, ciphertext, key.document + key.request)
        except (InvalidTag, ValueError, TypeError):
            # Damage in a row's header can turn bytes into a number.
            return None
