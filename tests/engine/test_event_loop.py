"""Asynchronous work for synchronous callers."""

import asyncio
import signal
import threading

import pytest

from tests.engine.running import next_line, running_program
from wardlens.engine.event_loop import run_in_own_loop


async def double(number: int) -> int:
    await asyncio.sleep(0)
    return 2 * number


async def fail() -> None:
    await asyncio.sleep(0)
    raise LookupError("of the work")


def loop_threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "wardlens-loop"]


def test_gives_the_result_of_the_work() -> None:
    assert run_in_own_loop(double(21)) == 42


def test_raises_what_the_work_raises() -> None:
    with pytest.raises(LookupError, match="of the work"):
        run_in_own_loop(fail())


def test_works_where_a_loop_is_running_already_as_in_a_notebook() -> None:
    async def cell() -> int:
        return run_in_own_loop(double(21))

    assert asyncio.run(cell()) == 42


def test_works_in_several_threads_at_once() -> None:
    results: list[int] = []
    threads = [
        threading.Thread(target=lambda n=number: results.append(run_in_own_loop(double(n))))
        for number in range(5)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=10)
    assert sorted(results) == [0, 2, 4, 6, 8]


def test_leaves_no_thread_and_no_open_loop_behind() -> None:
    loops: list[asyncio.AbstractEventLoop] = []

    async def remember_loop() -> None:
        loops.append(asyncio.get_running_loop())

    run_in_own_loop(remember_loop())
    with pytest.raises(LookupError):
        run_in_own_loop(fail())
    assert loop_threads() == []
    assert loops[0].is_closed()


def test_an_interrupt_cancels_the_work_lets_it_clean_up_and_is_raised_again() -> None:
    program = (
        "import asyncio, threading\n"
        "from wardlens.engine.event_loop import run_in_own_loop\n"
        "async def part():\n"
        "    try:\n"
        "        await asyncio.sleep(60)\n"
        "    finally:\n"
        "        await asyncio.sleep(0.05)\n"
        "        print('part cleaned up', flush=True)\n"
        "async def work():\n"
        "    try:\n"
        "        async with asyncio.TaskGroup() as group:\n"
        "            group.create_task(part())\n"
        "            print('running', flush=True)\n"
        "    finally:\n"
        "        await asyncio.sleep(0.05)\n"
        "        print('work cleaned up', flush=True)\n"
        "try:\n"
        "    run_in_own_loop(work())\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted', threading.active_count(), flush=True)\n"
    )
    with running_program(program) as running:
        assert next_line(running) == "running"
        running.send_signal(signal.SIGINT)
        lines = [next_line(running) for _ in range(3)]
        assert lines == ["part cleaned up", "work cleaned up", "interrupted 1"]
        assert running.wait(timeout=10) == 0
