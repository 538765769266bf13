"""The desk answers requests: from the ledger, from a twin in flight, or from the replica.

It knows nothing about medicine, metrics or files. All methods run on one event loop.
"""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Sequence
from typing import Any, Self

from wardlens.engine.answers import Answer, Unscored, read_answer, write_unscored
from wardlens.engine.desk.counts import DeskCounts
from wardlens.engine.desk.window import Window
from wardlens.engine.ledger import Ledger, LedgerKey, RequestKeys
from wardlens.engine.replicas import Replica, Reply
from wardlens.engine.requests import Request

BLOCK_SIZE = 64
"""Most requests in one call to a replica."""


class Desk:
    """Answers each different request once; `ask` it from any number of tasks.

    A bounded number of requests is with the replica, and a bounded number waits in the window:
    whoever asks more waits. The replica is started at the first question that the ledger can't
    answer. Use as an asynchronous context manager.
    """

    def __init__(
        self,
        replica: Replica,
        ledger: Ledger,
        keys: RequestKeys,
        *,
        window_size: int = 4096,
        on_answer: Callable[[DeskCounts], None] = lambda _counts: None,
    ) -> None:
        self.counts = DeskCounts()
        self._replica = replica
        self._ledger = ledger
        self._keys = keys
        self._window = Window()
        self._window_size = window_size
        self._on_answer = on_answer
        self._open: dict[LedgerKey, asyncio.Future[Answer]] = {}
        self._in_flight = 0
        self._changed = asyncio.Condition()
        self._failure: Exception | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._dispatcher: asyncio.Task[None] | None = None
        self._started = False

    async def __aenter__(self) -> Self:
        self._dispatcher = asyncio.create_task(self._dispatch())
        return self

    async def __aexit__(self, *_: object) -> None:
        tasks = [task for task in (self._dispatcher, *self._tasks) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._replica.close()

    async def ask(self, requests: Sequence[Request]) -> list[Answer]:
        """The answers to `requests`, in order; equal requests are computed once.

        Raises:
            EngineError: the replica can't start, or died for good.
            UserError: the ledger can't be written any more.
        """
        self.counts.asked += len(requests)
        futures: list[asyncio.Future[Answer]] = []
        new: dict[LedgerKey, Request] = {}
        for request in requests:
            key = self._keys.key(request)
            future = self._open.get(key)
            if future is None:
                future = self._open[key] = asyncio.get_running_loop().create_future()
                new[key] = request
            else:
                self.counts.repeated += 1
            futures.append(future)
        if new:
            # A task of the desk's own: an asker that gives up must not stop others who wait for
            # the same. For that reason too it waits, since gathering would cancel the futures.
            self._go_on_with(self._bring_in(new))
        if futures:
            await asyncio.wait(futures)
        return [future.result() for future in futures]

    async def _bring_in(self, new: dict[LedgerKey, Request]) -> None:
        try:
            await self._hand_in(await self._look_up(new))
        except Exception as error:  # noqa: BLE001 - raised again to everyone who asked
            self._refuse(new, error)

    async def _look_up(self, new: dict[LedgerKey, Request]) -> dict[LedgerKey, Request]:
        found = await self._ledger.find(list(new))
        for key, raw in found.items():
            self.counts.remembered += 1
            self._settle(key, read_answer(new[key], raw))
        return {key: request for key, request in new.items() if key not in found}

    async def _hand_in(self, missing: dict[LedgerKey, Request]) -> None:
        if not missing:
            return
        async with self._changed:
            await self._changed.wait_for(
                lambda: len(self._window) < self._window_size or self._failure is not None
            )
            if self._failure is not None:
                raise self._failure
            for key, request in missing.items():
                self._window.add(key, request)
            self._changed.notify_all()

    async def _dispatch(self) -> None:
        limit = self._replica.requests_in_flight
        while True:
            async with self._changed:
                await self._changed.wait_for(
                    lambda: self._failure or (len(self._window) and self._in_flight < limit)
                )
                if self._failure is not None:
                    return
                block = self._window.take(min(BLOCK_SIZE, limit - self._in_flight))
                self._in_flight += len(block)
                self._changed.notify_all()
            if not self._started:
                try:
                    await self._replica.start()
                except Exception as error:  # noqa: BLE001 - raised again to everyone who asked
                    await self._fail(error)
                    return
                self._started = True
            self._go_on_with(self._answer(block))

    async def _answer(self, block: list[tuple[LedgerKey, Request]]) -> None:
        try:
            replies = await self._replica.answer([request for _, request in block])
            for (key, request), reply in zip(block, replies, strict=True):
                self._record(key, request, reply)
        except Exception as error:  # noqa: BLE001 - raised again to everyone who asked
            await self._fail(error)
        async with self._changed:
            self._in_flight -= len(block)
            self._changed.notify_all()

    def _record(self, key: LedgerKey, request: Request, reply: Reply) -> None:
        self.counts.computed += 1
        self.counts.tokens += reply.tokens
        if isinstance(reply.content, Unscored):
            if reply.content.lasting:
                self._ledger.append(key, write_unscored(reply.content.reason))
            self._settle(key, reply.content)
        else:
            # Read first: a reply that can't be read must not be remembered.
            answer = read_answer(request, reply.content)
            self._ledger.append(key, reply.content)
            self._settle(key, answer)

    def _settle(self, key: LedgerKey, answer: Answer) -> None:
        if isinstance(answer, Unscored):
            self.counts.unscored += 1
        # After a failure nobody waits any more for what was already with the replica.
        future = self._open.pop(key, None)
        if future is not None:
            future.set_result(answer)
        self._on_answer(self.counts)

    async def _fail(self, error: Exception) -> None:
        async with self._changed:
            self._failure = self._failure or error
            self._refuse(list(self._open), self._failure)
            self._changed.notify_all()

    def _refuse(self, keys: Iterable[LedgerKey], error: Exception) -> None:
        for key in keys:
            future = self._open.pop(key, None)
            if future is not None:
                future.set_exception(error)
                # Marks it as seen: an asker hears of one failure, not of one a question.
                future.exception()

    def _go_on_with(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
