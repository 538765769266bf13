"""The window of open questions, handed out in blocks that share a document."""

from collections import deque

from wardlens.engine.ledger import LedgerKey
from wardlens.engine.requests import Request


class Window:
    """Questions waiting for a replica, grouped by document, first document first.

    Requests about one document enter the engine together, whatever order they were asked in, so
    that all but the first find the document's prefix in its cache.
    """

    def __init__(self) -> None:
        self._groups: dict[bytes, deque[tuple[LedgerKey, Request]]] = {}
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def add(self, key: LedgerKey, request: Request) -> None:
        """Put a question in."""
        self._groups.setdefault(key.document, deque()).append((key, request))
        self._size += 1

    def take(self, limit: int) -> list[tuple[LedgerKey, Request]]:
        """Up to `limit` questions about one document; empty when none waits."""
        if not self._groups:
            return []
        document = next(iter(self._groups))
        group = self._groups[document]
        block = [group.popleft() for _ in range(min(limit, len(group)))]
        if not group:
            del self._groups[document]
        self._size -= len(block)
        return block
