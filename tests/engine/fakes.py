"""A replica that answers by a rule and keeps account of how it was used."""

import asyncio
from collections.abc import Callable, Sequence
from itertools import cycle

from tests.engine.running import ticks
from wardlens.engine.answers import write_entailment
from wardlens.engine.fingerprint import Fingerprint
from wardlens.engine.replicas import Reply, TokenCounts
from wardlens.engine.requests import EntailmentRequest, Request


def truth(request: Request) -> bool:
    """The rule: a hypothesis is entailed if the premise holds its characters."""
    assert isinstance(request, EntailmentRequest)
    return request.hypothesis.reveal() in request.premise.reveal()


def truthful(request: Request) -> Reply:
    """The reply by the rule; each costs three tokens."""
    content = write_entailment(label=truth(request), probability=None)
    return Reply(content, TokenCounts(forwarded=1, cached=2, decoded=0))


class FakeReplica:
    """Answers after as many turns of the event loop as `latencies` say, in turn.

    `reply` may raise. Whoever tests failures at the start sets `start_error`.
    """

    def __init__(
        self,
        reply: Callable[[Request], Reply] = truthful,
        *,
        requests_in_flight: int = 8,
        latencies: Sequence[int] = (0,),
        start_error: Exception | None = None,
    ) -> None:
        self.requests_in_flight = requests_in_flight
        self.fingerprint = Fingerprint(model="fake", engine="fake 1", kernel_path="python")
        self.blocks: list[list[Request]] = []
        self.starts = 0
        self.closes = 0
        self.in_flight = 0
        self.most_in_flight = 0
        self.cancelled_blocks = 0
        self.has_block = asyncio.Event()
        self.may_answer = asyncio.Event()
        self.may_answer.set()
        self._reply = reply
        self._latencies = cycle(latencies)
        self._start_error = start_error

    @property
    def computed(self) -> list[Request]:
        """Every request that came, in order."""
        return [request for block in self.blocks for request in block]

    async def start(self) -> None:
        self.starts += 1
        await ticks(2)
        if self._start_error is not None:
            raise self._start_error

    async def answer(self, block: Sequence[Request]) -> list[Reply]:
        assert self.starts == 1
        assert self.closes == 0
        self.blocks.append(list(block))
        self.has_block.set()
        self.in_flight += len(block)
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            await self.may_answer.wait()
            await ticks(next(self._latencies))
            return [self._reply(request) for request in block]
        except asyncio.CancelledError:
            self.cancelled_blocks += 1
            raise
        finally:
            self.in_flight -= len(block)

    async def close(self) -> None:
        self.closes += 1
