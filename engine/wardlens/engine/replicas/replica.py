"""What the desk expects of any engine."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from wardlens.engine.answers import Unscored
from wardlens.engine.fingerprint import Fingerprint
from wardlens.engine.requests import Request


@dataclass(frozen=True, slots=True)
class TokenCounts:
    """Tokens that went through the model, came from its prefix cache, and were decoded."""

    forwarded: int = 0
    cached: int = 0
    decoded: int = 0

    def __add__(self, other: "TokenCounts") -> "TokenCounts":
        return TokenCounts(
            self.forwarded + other.forwarded,
            self.cached + other.cached,
            self.decoded + other.decoded,
        )


@dataclass(frozen=True, slots=True)
class Reply:
    """One request's outcome: the raw reply, or why there is none."""

    content: bytes | Unscored
    tokens: TokenCounts = TokenCounts()


class Replica(Protocol):
    """One model, stateless between requests: it can die, be added, or be elsewhere.

    `fingerprint` is known before `start`, so that a run whose answers are all in the ledger never
    loads the model.
    """

    @property
    def fingerprint(self) -> Fingerprint:
        """Identity of the model and its settings."""
        ...

    @property
    def requests_in_flight(self) -> int:
        """How many requests keep the engine busy."""
        ...

    async def start(self) -> None:
        """Load the model; called once, before the first block.

        Raises:
            EngineError: it can't be loaded; the message says why and what to do.
        """
        ...

    async def answer(self, block: Sequence[Request]) -> list[Reply]:
        """One reply a request, in order. A request that can't be answered doesn't harm others.

        Raises:
            EngineError: the engine died and can't be brought back.
        """
        ...

    async def close(self) -> None:
        """Free the device; harmless when it never started."""
        ...
