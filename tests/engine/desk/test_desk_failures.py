"""Failures reach everyone who asked, and nobody waits for ever."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import pytest

from tests.engine.fakes import FakeReplica, truth, truthful
from tests.engine.questions import entailment, fixed_installation
from tests.engine.running import run_async, ticks, until
from wardlens.engine.answers import Answer, Entailment
from wardlens.engine.desk import Desk
from wardlens.engine.errors import EngineError, UserError
from wardlens.engine.ledger import Ledger, LedgerKey, RequestKeys
from wardlens.engine.replicas import Reply
from wardlens.engine.requests import Request

OURS = fixed_installation()
QUESTIONS: list[Request] = [
    entailment(note, claim) for note in ("abc", "bcd", "xyz") for claim in "abcx"
]

Outcome = list[Answer] | BaseException


class SlowStart(FakeReplica):
    """Takes so long to start that the window fills meanwhile."""

    async def start(self) -> None:
        await asyncio.sleep(0.05)
        await super().start()


def entailed(request: Request) -> Entailment:
    return Entailment(label=truth(request), probability=None)


def at_desk(
    folder: Path,
    replica: FakeReplica,
    work: Callable[[Desk, Ledger], Awaitable[None]],
    *,
    window_size: int = 4096,
) -> None:
    async def opened(ledger: Ledger) -> None:
        keys = RequestKeys(OURS, replica.fingerprint)
        async with Desk(replica, ledger, keys, window_size=window_size) as desk:
            await work(desk, ledger)
            if ledger._failure is None:
                await ledger.flush()

    with Ledger(folder, OURS) as ledger:
        run_async(opened(ledger), seconds=5)
    assert replica.closes == 1


async def outcomes(desk: Desk, asks: Sequence[Sequence[Request]]) -> list[Outcome]:
    return list(await asyncio.gather(*map(desk.ask, asks), return_exceptions=True))


@pytest.mark.parametrize("window_size", [1, 4096])
@pytest.mark.parametrize(
    "error", [EngineError("out of memory"), ZeroDivisionError("a defect")], ids=repr
)
def test_a_replica_that_cant_start_fails_everyone_who_asked(
    tmp_path: Path, error: Exception, window_size: int
) -> None:
    async def work(desk: Desk, _: Ledger) -> None:
        asks = [[question] for question in [*QUESTIONS, *QUESTIONS[:3]]]
        assert await outcomes(desk, asks) == [error] * 15
        assert await outcomes(desk, asks) == [error] * 15

    replica = SlowStart(start_error=error)
    at_desk(tmp_path, replica, work, window_size=window_size)
    assert replica.starts == 1
    assert replica.blocks == []


@pytest.mark.parametrize("window_size", [1, 4096])
def test_a_defect_inside_the_replica_fails_everyone_who_waits(
    tmp_path: Path, window_size: int
) -> None:
    error = ZeroDivisionError("a defect")

    def fail(_: Request) -> Reply:
        raise error

    async def work(desk: Desk, _: Ledger) -> None:
        asks = [[question] for question in [*QUESTIONS, *QUESTIONS[:3]]]
        assert await outcomes(desk, asks) == [error] * 15

    replica = FakeReplica(fail, requests_in_flight=2)
    at_desk(tmp_path, replica, work, window_size=window_size)


def test_a_replica_that_gives_too_few_replies_fails_everyone_who_waits(tmp_path: Path) -> None:
    class Forgetful(FakeReplica):
        async def answer(self, block: object) -> list[Reply]:
            return (await super().answer(block))[:-1]  # type: ignore[arg-type]

    async def work(desk: Desk, _: Ledger) -> None:
        found = await outcomes(desk, [QUESTIONS[:4], QUESTIONS[4:8]])
        assert [type(outcome) for outcome in found] == [ValueError, ValueError]

    at_desk(tmp_path, Forgetful(), work)


def test_a_reply_that_cant_be_read_fails_everyone_and_isnt_remembered(tmp_path: Path) -> None:
    def broken(request: Request) -> Reply:
        return Reply(b"{}") if request == QUESTIONS[0] else truthful(request)

    async def ask_broken(desk: Desk, _: Ledger) -> None:
        found = await outcomes(desk, [QUESTIONS[:1], QUESTIONS[:1]])
        assert [type(outcome) for outcome in found] == [ValueError, ValueError]

    async def ask_again(desk: Desk, _: Ledger) -> None:
        assert await desk.ask(QUESTIONS) == list(map(entailed, QUESTIONS))

    at_desk(tmp_path, FakeReplica(broken), ask_broken)
    at_desk(tmp_path, FakeReplica(), ask_again)


def test_a_remembered_reply_that_cant_be_read_any_more_fails_all_who_ask_for_it(
    tmp_path: Path,
) -> None:
    replica = FakeReplica()
    keys = RequestKeys(OURS, replica.fingerprint)

    async def work(desk: Desk, ledger: Ledger) -> None:
        ledger.append(keys.key(QUESTIONS[0]), b"{}")
        found = await outcomes(desk, [QUESTIONS[:2], QUESTIONS[:2], QUESTIONS[1:2]])
        assert [type(outcome) for outcome in found[:2]] == [ValueError, ValueError]

    at_desk(tmp_path, replica, work)


def test_what_was_with_the_replica_when_another_block_failed_is_kept(tmp_path: Path) -> None:
    error = EngineError("died")

    class Held(FakeReplica):
        """Fails on the note `xyz`; holds all other blocks back until released."""

        released = asyncio.Event()

        async def answer(self, block: Sequence[Request]) -> list[Reply]:
            if block[0].document.reveal() == "xyz":
                raise error
            await self.released.wait()
            return await super().answer(block)

    async def work(desk: Desk, ledger: Ledger) -> None:
        earlier = asyncio.create_task(desk.ask(QUESTIONS[:4]))
        await until(lambda: desk._in_flight == 4)
        assert await outcomes(desk, [QUESTIONS[8:]]) == [error]
        await asyncio.wait([earlier])
        assert earlier.exception() is error

        Held.released.set()
        await until(lambda: desk.counts.computed == 4)
        assert await outcomes(desk, [[QUESTIONS[7]]]) == [error]
        await ledger.flush()

    async def again(desk: Desk, _: Ledger) -> None:
        await desk.ask(QUESTIONS[:4])
        assert desk.counts.remembered == 4

    at_desk(tmp_path, Held(), work)
    at_desk(tmp_path, FakeReplica(), again)


def test_whoever_asks_after_a_failure_hears_of_the_same_one(tmp_path: Path) -> None:
    error = EngineError("died")

    def fail(_: Request) -> Reply:
        raise error

    async def work(desk: Desk, _: Ledger) -> None:
        for question in QUESTIONS[:3]:
            with pytest.raises(EngineError, match="died"):
                await desk.ask([question])

    at_desk(tmp_path, FakeReplica(fail), work)


def test_what_is_remembered_is_still_answered_after_a_failure(tmp_path: Path) -> None:
    async def remember(desk: Desk, _: Ledger) -> None:
        await desk.ask(QUESTIONS[:4])

    async def work(desk: Desk, _: Ledger) -> None:
        with pytest.raises(EngineError):
            await desk.ask(QUESTIONS[4:])
        assert await desk.ask(QUESTIONS[:4]) == list(map(entailed, QUESTIONS[:4]))

    at_desk(tmp_path, FakeReplica(), remember)
    at_desk(tmp_path, FakeReplica(start_error=EngineError("no memory")), work)


def test_a_ledger_that_cant_be_written_fails_everyone(tmp_path: Path) -> None:
    async def work(desk: Desk, ledger: Ledger) -> None:
        def refuse(_: object) -> None:
            raise UserError("the disk is full")

        ledger._store.append = refuse  # type: ignore[method-assign,assignment]
        await outcomes(desk, [QUESTIONS[:1]])
        with pytest.raises(UserError, match="disk is full"):
            await ledger.flush()
        found = await outcomes(desk, [QUESTIONS[1:4], QUESTIONS[4:8]])
        assert [str(outcome) for outcome in found] == ["the disk is full"] * 2

    at_desk(tmp_path, FakeReplica(), work)


def test_a_ledger_that_cant_be_read_fails_everyone(tmp_path: Path) -> None:
    async def work(desk: Desk, ledger: Ledger) -> None:
        async def refuse(_: object) -> dict[LedgerKey, bytes]:
            await ticks(3)
            raise UserError("the file is damaged")

        ledger.find = refuse  # type: ignore[method-assign,assignment]
        found = await outcomes(desk, [QUESTIONS[:4], QUESTIONS[2:4], QUESTIONS[3:6]])
        assert [str(outcome) for outcome in found] == ["the file is damaged"] * 3

    at_desk(tmp_path, FakeReplica(), work)


@pytest.mark.parametrize("turns", range(0, 12, 2))
def test_who_gives_up_waiting_takes_nothing_from_others_who_ask_the_same(
    tmp_path: Path, turns: int
) -> None:
    async def work(desk: Desk, _: Ledger) -> None:
        replica.may_answer.clear()
        impatient = asyncio.create_task(desk.ask(QUESTIONS[:4]))
        await ticks(1)
        patient = asyncio.create_task(desk.ask(QUESTIONS[:5]))
        await ticks(turns)
        impatient.cancel()
        await asyncio.wait([impatient])
        assert impatient.cancelled()
        replica.may_answer.set()
        assert await patient == list(map(entailed, QUESTIONS[:5]))
        assert await desk.ask(QUESTIONS[:4]) == list(map(entailed, QUESTIONS[:4]))

    replica = FakeReplica(requests_in_flight=2)
    at_desk(tmp_path, replica, work, window_size=2)


def test_cancelling_the_whole_work_cancels_the_blocks_and_closes_the_replica(
    tmp_path: Path,
) -> None:
    replica = FakeReplica(requests_in_flight=4)

    async def work(ledger: Ledger) -> None:
        async with Desk(replica, ledger, RequestKeys(OURS, replica.fingerprint)) as desk:
            await desk.ask(QUESTIONS)

    async def cancelled(ledger: Ledger) -> None:
        replica.may_answer.clear()
        task = asyncio.create_task(work(ledger))
        await replica.has_block.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert asyncio.all_tasks() == {asyncio.current_task()}

    with Ledger(tmp_path, OURS) as ledger:
        run_async(cancelled(ledger), seconds=5)
    assert replica.cancelled_blocks == len(replica.blocks) > 0
    assert replica.closes == 1


def test_cancelling_while_the_replica_starts_closes_it(tmp_path: Path) -> None:
    replica = SlowStart()

    async def work(ledger: Ledger) -> None:
        async with Desk(replica, ledger, RequestKeys(OURS, replica.fingerprint)) as desk:
            await desk.ask(QUESTIONS)

    async def cancelled(ledger: Ledger) -> None:
        task = asyncio.create_task(work(ledger))
        await asyncio.sleep(0.02)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    with Ledger(tmp_path, OURS) as ledger:
        run_async(cancelled(ledger), seconds=5)
    assert (replica.starts, replica.closes) == (0, 1)


def test_an_error_in_the_work_closes_the_replica(tmp_path: Path) -> None:
    async def work(desk: Desk, _: Ledger) -> None:
        await desk.ask(QUESTIONS)
        raise LookupError

    replica = FakeReplica()
    with pytest.raises(LookupError):
        at_desk(tmp_path, replica, work)
    assert replica.closes == 1
