"""Names of answers: keyed hashes over a request and all that its answer depends on."""

import hmac
from typing import NamedTuple

from wardlens.engine.fingerprint import Fingerprint
from wardlens.engine.installation import Installation
from wardlens.engine.requests import Request

_DOCUMENT_BYTES = 12


class LedgerKey(NamedTuple):
    """`document` (12 bytes) groups rows by the shared text; `request` (32 bytes) is unique."""

    document: bytes
    request: bytes


class RequestKeys:
    """Makes ledger keys for one model (HMAC-SHA-256 under the installation's key).

    Keyed, so that a short document or claim can't be guessed from a ledger without the key.
    """

    def __init__(self, installation: Installation, fingerprint: Fingerprint) -> None:
        self._key = installation.derive_key("ledger keys")
        self._model = fingerprint.digest

    def key(self, request: Request) -> LedgerKey:
        """The key of `request`."""
        document = hmac.digest(self._key, b"document" + request.document.digest, "sha256")
        content = b"request" + self._model + request.canonical()
        return LedgerKey(
            document=document[:_DOCUMENT_BYTES],
            request=hmac.digest(self._key, content, "sha256"),
        )
