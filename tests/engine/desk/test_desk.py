"""The desk answers each different request once."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.fakes import FakeReplica, truth, truthful
from tests.engine.questions import entailment, fixed_installation
from tests.engine.running import run_async, ticks, until
from wardlens.engine.answers import Answer, Entailment, Unscored
from wardlens.engine.desk import Desk, DeskCounts, desk
from wardlens.engine.ledger import Ledger, RequestKeys
from wardlens.engine.replicas import Reply, TokenCounts
from wardlens.engine.requests import Request

OURS = fixed_installation()

QUESTIONS: list[Request] = [
    entailment(note, claim) for note in ("abc", "bcd", "xyz") for claim in "abcx"
]


def expected(requests: Sequence[Request]) -> list[Entailment]:
    return [Entailment(label=truth(request), probability=None) for request in requests]


@dataclass(frozen=True)
class Asked:
    answers: list[list[Answer]]
    counts: DeskCounts


def ask(
    folder: Path,
    replica: FakeReplica,
    asks: Sequence[Sequence[Request]],
    *,
    delays: Sequence[int] = (),
    window_size: int = 4096,
) -> Asked:
    """Ask from as many tasks as there are `asks`, each after its number of turns of the loop."""

    async def one(at: Desk, requests: Sequence[Request], delay: int) -> list[Answer]:
        await ticks(delay)
        return await at.ask(requests)

    async def work(ledger: Ledger) -> Asked:
        keys = RequestKeys(OURS, replica.fingerprint)
        padded = [*delays, *[0] * len(asks)]
        async with Desk(replica, ledger, keys, window_size=window_size) as at:
            pairs = zip(asks, padded, strict=False)
            answers = await asyncio.gather(*(one(at, part, delay) for part, delay in pairs))
            await ledger.flush()
        return Asked(answers, at.counts)

    with Ledger(folder, OURS) as ledger:
        return run_async(work(ledger))


@dataclass(frozen=True)
class Run:
    """A random multiset of questions, and everything that could disturb their order."""

    asks: list[list[Request]]
    delays: list[int]
    latencies: list[int]
    in_flight: int
    block_size: int
    window_size: int


RUNS = st.builds(
    Run,
    asks=st.lists(st.lists(st.sampled_from(QUESTIONS), max_size=9), min_size=1, max_size=7),
    delays=st.lists(st.integers(0, 12), max_size=7),
    latencies=st.lists(st.integers(0, 9), min_size=1, max_size=5),
    in_flight=st.integers(1, 9),
    block_size=st.integers(1, 5),
    window_size=st.integers(1, 6),
)


@settings(max_examples=60)
@given(RUNS)
def test_every_different_request_is_computed_once_and_everyone_gets_their_answers_in_order(
    run: Run,
) -> None:
    replica = FakeReplica(requests_in_flight=run.in_flight, latencies=run.latencies)
    again = FakeReplica()
    with TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        patch.setattr(desk, "BLOCK_SIZE", run.block_size)
        first = ask(Path(name), replica, run.asks, delays=run.delays, window_size=run.window_size)
        second = ask(Path(name), again, run.asks)

    different = {request for part in run.asks for request in part}
    total = sum(map(len, run.asks))
    for asked in (first, second):
        assert asked.answers == [expected(part) for part in run.asks]
        assert asked.counts.asked == asked.counts.answered == total

    assert Counter(replica.computed) == Counter(different)
    assert first.counts.computed == len(different)
    assert first.counts.tokens == TokenCounts(len(different), 2 * len(different), 0)
    assert all(len({request.document for request in block}) == 1 for block in replica.blocks)
    assert all(len(block) <= run.block_size for block in replica.blocks)
    assert replica.most_in_flight <= run.in_flight
    assert (replica.starts, replica.closes) == (1 if different else 0, 1)

    assert (again.starts, again.closes) == (0, 1)
    assert second.counts.computed == 0


def test_answers_come_in_the_order_of_the_requests(tmp_path: Path) -> None:
    replica = FakeReplica(requests_in_flight=1, latencies=[5, 0, 3])
    requests = [QUESTIONS[i] for i in (7, 0, 11, 0, 3, 7)]
    assert ask(tmp_path, replica, [requests]).answers == [expected(requests)]


def test_no_requests_have_no_answers(tmp_path: Path) -> None:
    run = ask(tmp_path, FakeReplica(), [[], []])
    assert run.answers == [[], []]
    assert run.counts == DeskCounts()


def test_a_replica_is_started_before_the_first_block_and_only_once(tmp_path: Path) -> None:
    replica = FakeReplica(requests_in_flight=1)
    ask(tmp_path, replica, [QUESTIONS[:4], QUESTIONS[4:]])
    assert replica.starts == 1
    assert len(replica.blocks) == len(QUESTIONS)


def test_a_replica_is_not_started_when_everything_is_remembered(tmp_path: Path) -> None:
    ask(tmp_path, FakeReplica(), [QUESTIONS])
    broken = FakeReplica(start_error=AssertionError("should not start"))
    run = ask(tmp_path, broken, [QUESTIONS, QUESTIONS[:5]])
    assert run.answers == [expected(QUESTIONS), expected(QUESTIONS[:5])]
    assert broken.starts == 0
    assert run.counts.computed == 0
    assert run.counts.remembered + run.counts.repeated == 17


def test_only_what_is_new_is_computed(tmp_path: Path) -> None:
    ask(tmp_path, FakeReplica(), [QUESTIONS[:8]])
    replica = FakeReplica()
    run = ask(tmp_path, replica, [QUESTIONS])
    assert set(replica.computed) == set(QUESTIONS[8:])
    assert (run.counts.remembered, run.counts.repeated, run.counts.computed) == (8, 0, 4)


def test_another_model_remembers_nothing_of_this_one(tmp_path: Path) -> None:
    ask(tmp_path, FakeReplica(), [QUESTIONS])
    other = FakeReplica()
    other.fingerprint = type(other.fingerprint)("other", "fake 1", "python")
    assert ask(tmp_path, other, [QUESTIONS]).counts.computed == len(QUESTIONS)


def test_what_was_answered_earlier_in_the_run_is_not_computed_again(tmp_path: Path) -> None:
    async def work(ledger: Ledger) -> None:
        replica = FakeReplica()
        async with Desk(replica, ledger, RequestKeys(OURS, replica.fingerprint)) as at:
            for _ in range(3):
                assert await at.ask(QUESTIONS) == expected(QUESTIONS)
            await ledger.flush()
        assert len(replica.computed) == at.counts.computed == len(QUESTIONS)

    with Ledger(tmp_path, OURS) as ledger:
        run_async(work(ledger))


def test_requests_about_one_document_enter_together_whoever_asks(tmp_path: Path) -> None:
    replica = FakeReplica(requests_in_flight=1)
    by_claim = [[QUESTIONS[note * 4 + claim] for note in range(3)] for claim in range(4)]

    async def work(ledger: Ledger) -> None:
        replica.may_answer.clear()
        async with Desk(replica, ledger, RequestKeys(OURS, replica.fingerprint)) as at:
            tasks = [asyncio.create_task(at.ask(part)) for part in by_claim]
            await until(lambda: len(at._window) == 11)
            replica.may_answer.set()
            await asyncio.gather(*tasks)
            await ledger.flush()

    with Ledger(tmp_path, OURS) as ledger:
        run_async(work(ledger))
    # The first goes in alone, perhaps before anything else was asked.
    documents = [request.document.reveal() for request in replica.computed[1:]]
    assert sorted(key for key, _ in groupby(documents)) == ["abc", "bcd", "xyz"]


def test_whoever_asks_more_than_the_window_takes_waits(tmp_path: Path) -> None:
    async def work(ledger: Ledger) -> None:
        replica = FakeReplica(requests_in_flight=2)
        replica.may_answer.clear()
        keys = RequestKeys(OURS, replica.fingerprint)
        async with Desk(replica, ledger, keys, window_size=3) as at:
            tasks = [asyncio.create_task(at.ask([question])) for question in QUESTIONS]
            # Time enough for too many to come in, if that could happen.
            await until(lambda: len(at._window) == 3 and replica.in_flight == 2)
            await asyncio.sleep(0.02)
            assert len(at._window) == 3
            assert replica.in_flight == 2
            replica.may_answer.set()
            answers = await asyncio.gather(*tasks)
            await ledger.flush()
        assert answers == [[answer] for answer in expected(QUESTIONS)]

    with Ledger(tmp_path, OURS) as ledger:
        run_async(work(ledger))


def test_progress_is_told_at_every_answer(tmp_path: Path) -> None:
    seen: list[int] = []

    async def work(ledger: Ledger) -> None:
        replica = FakeReplica()
        keys = RequestKeys(OURS, replica.fingerprint)

        def on_answer(counts: DeskCounts) -> None:
            seen.append(counts.answered)

        async with Desk(replica, ledger, keys, on_answer=on_answer) as at:
            await at.ask(QUESTIONS)
            await ledger.flush()

    with Ledger(tmp_path, OURS) as ledger:
        run_async(work(ledger))
    assert seen == list(range(1, 13))


@pytest.mark.parametrize("lasting", [True, False])
def test_unscored_answers_reach_everyone_and_are_counted(tmp_path: Path, *, lasting: bool) -> None:
    unscored = Unscored("the prompt has 9 tokens", lasting=lasting)

    def refuse_the_third(request: Request) -> Reply:
        return Reply(unscored) if request == QUESTIONS[2] else truthful(request)

    run = ask(tmp_path, FakeReplica(refuse_the_third), [QUESTIONS, [QUESTIONS[2]]])
    assert run.answers == [
        [*expected(QUESTIONS[:2]), unscored, *expected(QUESTIONS[3:])],
        [unscored],
    ]
    assert run.counts.unscored == 1
    assert run.counts.answered == 13


@pytest.mark.parametrize(("lasting", "asked_again"), [(True, []), (False, [QUESTIONS[2]])])
def test_only_lasting_refusals_are_remembered_in_the_next_run(
    tmp_path: Path, *, lasting: bool, asked_again: list[Request]
) -> None:
    unscored = Unscored("reason", lasting=lasting)
    first = FakeReplica(lambda r: Reply(unscored) if r == QUESTIONS[2] else truthful(r))
    ask(tmp_path, first, [QUESTIONS])

    second = FakeReplica()
    run = ask(tmp_path, second, [QUESTIONS])
    assert second.computed == asked_again
    remembered = [unscored] if lasting else expected(QUESTIONS[2:3])
    assert run.answers == [[*expected(QUESTIONS[:2]), *remembered, *expected(QUESTIONS[3:])]]
    assert run.counts.unscored == len([answer for answer in remembered if answer == unscored])


def test_a_damaged_row_is_computed_again(tmp_path: Path) -> None:
    ask(tmp_path, FakeReplica(), [QUESTIONS])
    with Ledger(tmp_path, OURS) as ledger:
        damage = "UPDATE replies SET sealed = zeroblob(60)"
        ledger._thread.submit(ledger._store._connection.execute, damage).result()
    assert ask(tmp_path, FakeReplica(), [QUESTIONS]).counts.computed == len(QUESTIONS)
    assert ask(tmp_path, FakeReplica(), [QUESTIONS]).counts.remembered == len(QUESTIONS)
